(* joint.v: post-processing, many personalized answers, and edge flipping and the ledger
   as statements about real probabilities (docs/math/17, 21, 22).

   In words.  For a probability P on outcomes and a function f of the outcome, [push f P] is
   the probability of what f returns.
   [post_private]: whatever is computed from a private release alone is as private.
   [billboard]: an artefact is private at eps for the edge uv.  User s receives any function
   of the artefact and of the neighbours of s.  Then what a coalition C of users sees,
   together, is private at eps for uv if neither u nor v is in C, however many answers there
   are.
   [family_private]: independent releases that are private at eps_i are private at the sum
   of eps_i together: answers with fresh noise, or several artefacts (apply [billboard] to
   the tuple of artefacts).
   [edgeflip_private]: the flipped graph of edgeflip.v is a probability and private for
   1/(1+e^eps) <= p <= 1/(1+e^(-eps)).  [flip_bias]: p = 1 - e^(-1/t) is at least
   1/(1+e^eps) if 1/t >= ln(1 + e^(-eps)).
   [ledger_private]: everything that a ledger with the pure limit E answers to at most m
   requests is private at E; requests may depend on earlier answers.

   Covers: answers of `shared`, `circles`, `edgeflip` (artefacts) and of `twohop` (fresh
   noise); the sentences "Pooling" and "Counted" of a certificate.
   Leaves out: that an answer is computed from the artefact and the recipient's own
   links alone (by reading and by tests); Renyi orders. *)
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint finmap.
From mathcomp.classical Require Import boolp classical_sets functions cardinality
  fsbigop mathcomp_extra.
From mathcomp Require Import reals ereal signed topology normedtype sequences esum exp.
From hushwalk Require Import laplace adaptive graph instance final ledger edgeflip.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Def Num.Theory.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.

Section Joint.
Variable R : realType.
Notation e := (expoR R).

Section Push.
Variables (T T' : choiceType) (f : T -> T').
Implicit Types P : T -> R.

Definition push P (t' : T') : R :=
  fine (\esum_(t in [set t | f t = t']) (P t)%:E)%E.

Lemma fibre_fin P t' : proba P ->
  ((push P t')%:E = \esum_(t in [set t | f t = t']) (P t)%:E)%E.
Proof.
case=> p0 p1; rewrite fineK // ge0_fin_numE; last first.
  by apply: esum_ge0 => t _; rewrite lee_fin.
apply: (@le_lt_trans _ _ 1%E); last exact: ltry.
rewrite -p1 [X in (_ <= X)%E](esumID [set t | f t = t']) => [|t _]; last by rewrite lee_fin.
by rewrite !setTI lee_addl // esum_ge0 // => t _; rewrite lee_fin.
Qed.

Lemma push_sum P (A : set T') : proba P ->
  (\esum_(t' in A) (push P t')%:E = \esum_(t in f @^-1` A) (P t)%:E)%E.
Proof.
move=> pr; have [p0 _] := pr; under eq_esum do rewrite fibre_fin //.
rewrite (@esum_esum _ _ _ A _ (fun _ t => (P t)%:E)) => [|t' t]; last by rewrite lee_fin.
rewrite (reindex_esum (f @^-1` A) _ (fun t => (f t, t))) //.
split=> [t /= At|t1 t2 _ _ [] //|[t' t] /= [At ft]]; first by split.
by exists t; rewrite ?ft.
Qed.

Lemma push_proba P : proba P -> proba (push P).
Proof.
move=> pr; have [p0 p1] := pr; split=> [t'|].
  by rewrite fine_ge0 // esum_ge0 // => t _; rewrite lee_fin.
by rewrite push_sum // preimage_setT.
Qed.

Theorem post_private eps P P' : private eps P P' -> private eps (push P) (push P').
Proof.
by case=> pP pP' le; split=> [||A]; try exact: push_proba; rewrite !push_sum.
Qed.
End Push.

Lemma private_dp (T : choiceType) eps (P P' : T -> R) :
  private eps P P' -> close e eps P P'.
Proof.
case=> [[p0 _] [p0' _] le] t; have := le [set t].
by rewrite !esum_set1 ?lee_fin // -!EFinM !lee_fin.
Qed.

Section Billboard.
Variables (V : finType) (T Y : choiceType) (M : graph V -> T -> R) (eps : R).
Variable F : V -> T -> {set V} -> Y.
Variable C : {set V}.

Definition view (G : graph V) (z : T) : {ffun V -> option Y} :=
  [ffun s => if s \in C then Some (F s z (nb G s)) else None].

Theorem billboard G G' u v : apart G G' u v -> u \notin C -> v \notin C ->
  private eps (M G) (M G') ->
  private eps (push (view G) (M G)) (push (view G') (M G')).
Proof.
move=> ap uC vC pr; have -> : view G' = view G; last exact: post_private.
apply/funext => z; apply/ffunP => s; rewrite !ffunE; case: ifP => // sC.
by rewrite (nb_other ap) //; apply: contraTneq sC => ->.
Qed.
End Billboard.

Theorem family_private (I : finType) (T : choiceType) (eps : I -> R) (P P' : I -> T -> R) :
  (forall i, private (eps i) (P i) (P' i)) ->
  private (\sum_i eps i) (fun o : {ffun I -> T} => \prod_i P i (o i))
                         (fun o : {ffun I -> T} => \prod_i P' i (o i)).
Proof.
move=> pr.
have q0 i t : 0 <= P i t by case: (pr i) => -[].
have q0' i t : 0 <= P' i t by case: (pr i) => _ -[].
apply: private_close; last 1 first.
- by move=> o; apply: (family_dp q0 q0' (fun i => private_dp (pr i))).
- by split=> [o|]; [apply: prodr_ge0|apply: vector_total => // i; case: (pr i) => -[]].
- by split=> [o|]; [apply: prodr_ge0|apply: vector_total => // i; case: (pr i) => _ -[]].
Qed.

Section Flip.
Variables (V : finType) (p eps : R).
Hypotheses (low : (1 + expR eps)^-1 <= p) (high : p <= (1 + expR (- eps))^-1).

Let d1 : 0 < 1 + expR eps. Proof. by rewrite addr_gt0 ?expR_gt0. Qed.
Let d2 : 0 < 1 + expR (- eps). Proof. by rewrite addr_gt0 ?expR_gt0. Qed.
Let p0 : 0 <= p. Proof. by apply: le_trans low; rewrite invr_ge0 ltW. Qed.
Let p1 : p <= 1.
Proof.
by apply: le_trans high _; rewrite invf_le1 // ler_addl ltW ?expR_gt0.
Qed.

Lemma rare : 1 - p <= expR eps * p.
Proof.
rewrite ler_subl_addr -{2}[p]mul1r -mulrDl addrC.
by rewrite -ler_pdivr_mull // mulr1.
Qed.

Lemma often : p <= expR eps * (1 - p).
Proof.
have le : p * (1 + expR (- eps)) <= 1 by rewrite -ler_pdivl_mulr // div1r.
have ee : expR eps * expR (- eps) = 1 by rewrite -expRD subrr expR0.
have := ler_wpmul2l (ltW (expR_gt0 eps)) le.
have -> : expR eps * (p * (1 + expR (- eps))) = expR eps * p + p * (expR eps * expR (- eps)).
  by rewrite mulrDr mulr1 mulrDr mulrCA.
by rewrite ee !mulr1 => le2; rewrite mulrBr mulr1 ler_subr_addr addrC.
Qed.

Theorem edgeflip_private (G G' : graph V) u v : apart G G' u v ->
  let P := fun (H : graph V) (z : {ffun V * V -> bool}) => edgeflip p H z in
  private eps (P G) (P G').
Proof.
move=> ap P; have pr H : proba (P H).
  split=> [z|]; first by apply: prodr_ge0 => x _; apply: bit_ge0.
  apply: (vector_total (f := fun x z => bit p H x z)) => [x z|x]; first exact: bit_ge0.
  rewrite (esumID [set true]) ?setTI => [|z _]; last by rewrite lee_fin bit_ge0.
  rewrite esum_set1 ?lee_fin ?bit_ge0 //.
  have -> : ~` [set true] = [set false] by apply/seteqP; split=> -[] //=.
  rewrite esum_set1 ?lee_fin ?bit_ge0 // -EFinD /bit /coin; congr (_%:E).
  by case: ifP => _ /=; [case: (H _ _) => /=; rewrite ?subrK // addrC subrK|rewrite add0r].
by apply: private_close => // z; apply: (@edgeflip_dp R e V p eps p0 p1 rare often G G' u v ap).
Qed.
End Flip.

Theorem flip_bias (t eps : R) : ln (1 + expR (- eps)) <= 1 / t ->
  (1 + expR eps)^-1 <= 1 - expR (- (1 / t)).
Proof.
move=> le; have a0 : 0 < 1 + expR (- eps) by rewrite addr_gt0 ?expR_gt0.
have b0 : 0 < 1 + expR eps by rewrite addr_gt0 ?expR_gt0.
have: expR (- (1 / t)) <= (1 + expR (- eps))^-1.
  by rewrite -[X in _ <= X^-1]lnK ?posrE // -expRN ler_expR ler_opp2.
have ee : expR eps * expR (- eps) = 1 by rewrite -expRD subrr expR0.
have <- : 1 - (1 + expR eps)^-1 = (1 + expR (- eps))^-1.
  apply: (mulIf (lt0r_neq0 b0)); rewrite mulrBl mulVf ?gt_eqF // mul1r addrC addKr.
  apply: (mulfI (lt0r_neq0 a0)); rewrite mulrA divff ?gt_eqF // mul1r mulrDl mul1r.
  by rewrite [_ * expR eps]mulrC ee addrC.
by rewrite ler_subr_addr addrC -ler_subr_addr.
Qed.

Section Ledger.
Variables (X : choiceType) (Q : Type) (ask : seq (option X) -> Q) (price : Q -> R).
Variables (stored : seq (option X) -> option X) (allow : seq (option X) -> bool).
Variables (m : nat) (E : R).
Let stop (h : seq (option X)) := (m <= size h)%N.
Hypothesis E_ge0 : 0 <= E.
Hypothesis within : forall h, charged stored allow h ->
  spent ask price stored allow h + price (ask h) <= E.

Theorem ledger_private (M M' : Q -> X -> R) :
  (forall q, private (price q) (M q) (M' q)) ->
  private E (ledger ask stored allow stop M) (ledger ask stored allow stop M').
Proof.
move=> pr.
have m0 q x : 0 <= M q x by case: (pr q) => -[].
have m0' q x : 0 <= M' q x by case: (pr q) => _ -[].
have r0 (N : Q -> X -> R) : (forall q x, 0 <= N q x) -> forall h o, 0 <= reply ask stored allow N h o.
  move=> n0 h o; rewrite /reply; case: (stored h) => [x|]; first exact: ler0n.
  by case: ifP => _; [case: o|exact: ler0n].
have one (y : option X) : (\esum_(o in [set: option X]) ((o == y)%:R : R)%:E = 1)%E.
  rewrite (esumID [set y]) ?setTI => [|z _]; last by rewrite lee_fin ler0n.
  rewrite esum_set1 ?lee_fin ?ler0n // eqxx esum1 ?adde0 // => z /= zy.
  by case: eqP.
have tot (N : Q -> X -> R) : (forall q, proba (N q)) -> proba (ledger ask stored allow stop N).
  move=> pn; have n0 q x : 0 <= N q x by case: (pn q).
  split=> [t|]; first by apply: like_from_ge0 => h o; apply: r0.
  have one_each h : ~~ stop h ->
      (\esum_(o in [set: option X]) (reply ask stored allow N h o)%:E = 1)%E.
    move=> _; rewrite /reply; case: (stored h) => [x|].
      exact: one.
    case: (allow h); last exact: one.
    rewrite (esumID [set None]) ?setTI => [|[x|] _]; rewrite ?lee_fin //.
    rewrite esum_set1 // add0e.
    have -> : ~` [set None] = range (@Some X).
      by apply/seteqP; split=> [[x|] //= _|_ [x _ <-] //]; exists x.
    rewrite (reindex_esum [set: X] (range Some) Some); last by apply: inj_bij => x y _ _ [].
    by case: (pn (ask h)).
  exact: (like_total (r0 N n0) one_each (m := m)).
apply: private_close; try by apply: tot => q; case: (pr q).
exact: (@ledger_dp R e X Q ask price stored allow stop E E_ge0 within M M' m0 m0'
  (fun q => private_dp (pr q))).
Qed.
End Ledger.
End Joint.
