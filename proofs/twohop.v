(* twohop.v: docs/math/13, "Separate numbers".

   In words.  S is the set of seeds, N the nodes outside S with a seed among
   their neighbours, O the rest.  Released with independent Laplace noise:
     for x in N:  links into N, scale b1;  links into O, scale b2;
     for x in O:  links into N, scale b3;  the sum over neighbours y in O of
                  w(number of y's links into O), scale b4;
   nothing for seeds.  Links are counted in units of U >= 0 (U = 1, or U = 2^32 when
   numbers are integers in units of 2^-32).  Here w >= 0 and Sw satisfies
   w(d+1) + d |w(d) - w(d+1)| <= Sw for all d <= |V| - 2.
   Theorem [twohop_dp]: if the scales are at least so large that
       2U/b1 <= eps,   U/b2 + U/b3 <= eps,   2 Sw/b4 <= eps,
   then for graphs that differ in one edge which touches no seed the release is
   eps-DP (personalized scope).  N, O and with them the choice of numbers and
   scales are computed from the graph at hand; [Nset_same] shows that they are
   equal in both graphs.
   Lemma [note_scales]: the scales of the note, 2U/eps, U/(q eps), U/((1-q) eps)
   and 2 Sw/eps, 0 < q < 1, satisfy this; so do all larger ones ([larger]).

   Covers: the plan `twohop` with separate numbers (src/plan/two_hop.cpp, separate_scales),
   separate_cost_up (src/accounting/edge_cost.cpp), what separate_links counts.
   Leaves out: the estimate made from the numbers (post-processing, [joint.v]). *)
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint.
From hushwalk Require Import laplace graph shared.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section TwoHop.
Variables (R : realFieldType) (e : expo R) (c : R -> R).
Hypothesis c_ge0 : forall b, 0 < b -> 0 <= c b.
Variables (V : finType) (S : {set V}) (w : nat -> R) (Sw eps : R).
Variables (U b1 b2 b3 b4 : R).
Hypotheses (w_ge0 : forall d, 0 <= w d) (Sw_ok : taper_bound w Sw #|V|).
Hypotheses (U_ge0 : 0 <= U) (b1_gt0 : 0 < b1) (b2_gt0 : 0 < b2) (b3_gt0 : 0 < b3)
  (b4_gt0 : 0 < b4).
Hypotheses (inN : 2%:R * U / b1 <= eps) (between : U / b2 + U / b3 <= eps)
  (inO : 2%:R * Sw / b4 <= eps).
Implicit Types (G : graph V) (x : V).

Definition Nset G : {set V} := [set x | (x \notin S) && [exists s in S, G s x]].
Definition Oset G : {set V} := [set x | (x \notin S) && (x \notin Nset G)].

Local Notation links := (links R).
Definition tapered G (A : {set V}) x : R :=
  \sum_(y in nb G x :&: A) w #|nb G y :&: A|.

(* The numbers are indexed by a node and a bit. *)
Definition held (i : V * bool) := i.1 \notin S.
Definition value G (i : V * bool) : R :=
  let: (x, second) := i in
  if x \in Nset G
  then U * (if second then links G (Oset G) x else links G (Nset G) x)
  else (if second then tapered G (Oset G) x else U * links G (Nset G) x).
Definition scale G (i : V * bool) : R :=
  let: (x, second) := i in
  if x \in Nset G
  then (if second then b2 else b1)
  else (if second then b4 else b3).

Definition twohop G : (V * bool -> R) -> R := laps e c held (scale G) (value G).

Lemma scale_gt0 G i : 0 < scale G i.
Proof. by case: i => x [] /=; case: ifP. Qed.

Lemma tapered_ind G (A : {set V}) x : x \in A -> tapered G A x = background w (ind G A) x.
Proof.
move=> xA; rewrite /background nb_ind //; apply: eq_bigr => y.
by rewrite inE => /andP[_ yA]; rewrite /deg nb_ind.
Qed.

Section Edge.
Variables (G G' : graph V) (u v : V).
Hypotheses (ap : apart G G' u v) (uS : u \notin S) (vS : v \notin S).

Lemma Nset_same : Nset G' = Nset G.
Proof.
case: ap => _ _ gG; apply/setP => x; rewrite !inE; congr (_ && _).
apply: eq_existsb => s; case: (boolP (s \in S)) => //= sS.
rewrite gG /is_pair; have [su sv] : s != u /\ s != v.
  by split; [apply: contraNneq uS|apply: contraNneq vS] => <-.
by rewrite (negbTE su) (negbTE sv) orbF.
Qed.

Lemma Oset_same : Oset G' = Oset G.
Proof. by rewrite /Oset Nset_same. Qed.

Let N := Nset G.
Let O := Oset G.

Lemma tapered_move : \sum_(x in O) `|tapered G O x - tapered G' O x|
  <= if (u \in O) && (v \in O) then 2%:R * Sw else 0.
Proof.
have -> : \sum_(x in O) `|tapered G O x - tapered G' O x| = \sum_(x in O)
    `|background w (ind G' O) x - background w (ind G O) x|.
  by apply: eq_bigr => x xO; rewrite !tapered_ind // distrC.
case: ifP => [/andP[uO vO]|/negbT nO].
  apply: le_trans (taper_l1 w_ge0 Sw_ok (ind_apart ap uO vO)).
  rewrite big_mkcond; apply: ler_sum => x _; case: ifP => // _; exact: normr_ge0.
by rewrite big1 // => x _; rewrite (background_ext _ (ind_same ap nO)) subrr normr0.
Qed.

(* Cost of the plain counts of one node. *)
Let plain x : R := let m A := `|links G A x - links G' A x| in
  if x \in N then m N * (U / b1) + m O * (U / b2) else m N * (U / b3).

Lemma plain_sum : \sum_(x | x \notin S) plain x
  <= if (u \in O) && (v \in O) then 0 else eps.
Proof.
have uv := apart_neq ap.
rewrite (bigD1 u) //= (bigD1 v) /= ?vS 1?eq_sym // big1 => [|x]; last first.
  case/andP=> /andP[_ xu] xv; rewrite /plain !(links_move _ _ _ ap) (negbTE xu) (negbTE xv).
  by rewrite !addr0 !mul0r addr0 if_same.
rewrite /plain !(links_move _ _ _ ap) !eqxx (negbTE uv) eq_sym (negbTE uv) /= !addr0 !add0r.
have outN x : x \notin S -> (x \in O) = (x \notin N) by rewrite !inE => ->.
rewrite !outN //.
case: (boolP (u \in N)) => uN; case: (boolP (v \in N)) => vN /=;
  rewrite ?mul1r ?mul0r ?addr0 ?add0r //.
- by move: inN; rewrite -mulrA mulr_natl mulr2n.
- by rewrite addrC.
Qed.

Lemma cost_edge : cost held (scale G) (value G) (value G') <= eps.
Proof.
have -> : cost held (scale G) (value G) (value G')
    = \sum_(x | x \notin S) plain x
      + \sum_(x in O) `|tapered G O x - tapered G' O x| / b4.
  have -> : cost held (scale G) (value G) (value G') = \sum_(x | x \notin S)
      \sum_k `|value G (x, k) - value G' (x, k)| / scale G (x, k).
    by rewrite pair_big; apply: eq_big => [i|[x k] _] //=; rewrite andbT.
  rewrite [X in _ + X](_ : _ = \sum_(x | x \notin S) if x \in O then
    `|tapered G O x - tapered G' O x| / b4 else 0); last first.
    rewrite -big_mkcondr; apply: eq_bigl => x; rewrite !inE.
    by case: (x \in S).
  rewrite -big_split; apply: eq_bigr => x xS; rewrite big_bool /=.
  rewrite Nset_same Oset_same -/N -/O /plain.
  have -> : (x \in O) = (x \notin N) by rewrite !inE xS.
  have mU (a a' d : R) : `|U * a - U * a'| / d = `|a - a'| * (U / d).
    by rewrite -mulrBr normrM ger0_norm // mulrAC mulrC.
  by case: (x \in N); rewrite /= !mU ?addr0 // addrC.
rewrite -mulr_suml.
have k0 : 0 <= b4^-1 by rewrite invr_ge0 ltW.
apply: le_trans (ler_add plain_sum (ler_wpmul2r k0 tapered_move)) _.
by case: ifP => _; rewrite ?add0r ?mul0r ?addr0.
Qed.

Theorem twohop_dp : close e eps (twohop G) (twohop G').
Proof.
have -> : twohop G' = laps e c held (scale G) (value G').
  rewrite /twohop /scale Nset_same //.
by apply: laplace_dp cost_edge => // i _; apply: scale_gt0.
Qed.
End Edge.
End TwoHop.

Lemma note_scales (R : realFieldType) (U Sw q eps : R) :
  0 < U -> 0 < Sw -> 0 < q -> q < 1 -> 0 < eps ->
  [/\ 2%:R * U / (2%:R * U / eps) <= eps,
      U / (U / (q * eps)) + U / (U / ((1 - q) * eps)) <= eps
    & 2%:R * Sw / (2%:R * Sw / eps) <= eps].
Proof.
move=> U0 S0 q0 q1 e0; have k (a x : R) : 0 < a -> a / (a / x) = x.
  by move=> a0; rewrite invf_div mulrCA divff ?mulr1 // gt_eqF.
by rewrite !k ?mulr_gt0 ?ltr0n // -mulrDl addrC subrK mul1r.
Qed.

Lemma larger (R : realFieldType) (a b b' : R) :
  0 <= a -> 0 < b -> b <= b' -> a / b' <= a / b.
Proof.
move=> a0 b0 bb; rewrite ler_wpmul2l // lef_pinv ?posrE //.
exact: lt_le_trans bb.
Qed.

