(* adaptive.v: blocks of numbers released in turn, each block, its scales and the
   end being functions of what was released before (docs/math/25, docs/math/19 at order infinity).

   In words.  Blocks are released in turn.  A block's outcome o is an element of
   any type T (one number, a row of numbers, a whole sub-release).  For one graph
   a mechanism is a function k: after the prefix h of earlier outcomes the next
   block is o with probability k h o.  Whether to stop is a function of the
   prefix ALONE (the same for both graphs).  The probability of a transcript t
   is the product of its blocks' probabilities, and 0 unless the mechanism stops
   exactly at the end of t  ([like], [like_prod]).

   Theorem [adaptive_dp]: let c h bound the cost of the next block after h, that
   is k h o <= exp (c h) * k' h o and the reverse for all o.  If the costs met
   along every complete transcript add up to at most eps, then the probabilities
   of every transcript differ by a factor of at most exp eps.
   Theorem [close_sum]: so do those of every finite set of transcripts (a list;
   [instance.v] has arbitrary sets), hence of every event that is computed from
   the transcript.
   Theorem [adaptive_laplace]: block = a vector of Laplace numbers.  Which
   numbers it holds and their scales depend on the prefix only, their true values
   on graph and prefix: the condition reads
   sum_j sum_(i in block j) |y_i(G;h_j) - y_i(G';h_j)| / b_i(h_j) <= eps.
   Theorem [adaptive_path]: one direction, for costs that may depend on the outcome
   and may be negative (a later block that takes back part of an earlier price).

   Covers: what circles.v, frontier.v and ledger.v are built on.
   Leaves out: finite Renyi orders. *)
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint.
From hushwalk Require Import laplace.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Adaptive.
Variables (R : realFieldType) (e : expo R) (T : Type).
Variable stop : seq T -> bool.
Implicit Types (k : seq T -> T -> R) (c : seq T -> R) (h t : seq T).

(* Probability of going on with exactly the blocks t after the prefix h. *)
Fixpoint like_from k h t : R :=
  if t is o :: t' then (~~ stop h)%:R * k h o * like_from k (rcons h o) t'
  else (stop h)%:R.
Definition like k t := like_from k [::] t.

Fixpoint costs_from c h t : R :=
  if t is o :: t' then c h + costs_from c (rcons h o) t' else 0.
Definition costs c t := costs_from c [::] t.

(* The mechanism stops at the end of t and not before. *)
Fixpoint complete_from h t : bool :=
  if t is o :: t' then ~~ stop h && complete_from (rcons h o) t' else stop h.
Definition complete t := complete_from [::] t.

Lemma like_from_ge0 k h t : (forall h o, 0 <= k h o) -> 0 <= like_from k h t.
Proof.
by move=> k0; elim: t h => [|o t IH] h /=; rewrite ?ler0n // !mulr_ge0 ?ler0n.
Qed.

Lemma like_from0 k h t : ~~ complete_from h t -> like_from k h t = 0.
Proof.
elim: t h => [|o t IH] h /=; first by move/negbTE->.
by case: (stop h) => /= [|/IH ->]; rewrite ?mul0r ?mulr0.
Qed.

(* Closed forms, to see that the definitions say what they should. *)
Lemma costs_fromE c h t :
  costs_from c h t = \sum_(j < size t) c (h ++ take j t).
Proof.
elim: t h => [|o t IH] h /=; first by rewrite big_ord0.
rewrite big_ord_recl /= cats0 IH; congr (_ + _); apply: eq_bigr => j _.
by rewrite -cats1 -catA.
Qed.

Lemma costs_sum c t : costs c t = \sum_(j < size t) c (take j t).
Proof. by rewrite /costs costs_fromE; apply: eq_bigr. Qed.

Lemma complete_fromE h t : complete_from h t =
  stop (h ++ t) && [forall j : 'I_(size t), ~~ stop (h ++ take j t)].
Proof.
elim: t h => [|o t IH] h /=.
  by rewrite cats0 (_ : [forall j, _] = true) ?andbT //; apply/forallP => -[].
rewrite IH -cats1 -catA /= andbCA; congr (_ && _).
apply/andP/forallP => [[s0 /forallP s1] [[|j] ltj]|s1]; rewrite /= ?cats0 //.
  by have := s1 (Ordinal (ltj : (j < size t)%N)); rewrite /= -catA.
split; first by have := s1 ord0; rewrite /= cats0.
by apply/forallP => j; have := s1 (lift ord0 j); rewrite /= -catA.
Qed.

Lemma like_from_prod k h t o0 : complete_from h t ->
  like_from k h t = \prod_(j < size t) k (h ++ take j t) (nth o0 t j).
Proof.
elim: t h => [|o t IH] h /=; first by move=> ->; rewrite big_ord0.
case/andP=> -> /IH ->; rewrite mul1r big_ord_recl /= cats0; congr (_ * _).
by apply: eq_bigr => j _; rewrite -cats1 -catA.
Qed.

Lemma like_prod k t o0 : complete t ->
  like k t = \prod_(j < size t) k (take j t) (nth o0 t j).
Proof. exact: like_from_prod. Qed.

Lemma like_from_le k k' c h t :
  (forall h o, 0 <= k h o) -> (forall h o, 0 <= k' h o) ->
  (forall h o, k h o <= e (c h) * k' h o) ->
  like_from k h t <= e (costs_from c h t) * like_from k' h t.
Proof.
move=> k0 k0' le; elim: t h => [|o t IH] h /=; first by rewrite expo0 mul1r.
rewrite expoD.
have -> (a b n x y : R) : a * b * (n * x * y) = n * (a * x) * (b * y).
  by rewrite mulrACA (mulrCA a).
rewrite ler_pmul ?mulr_ge0 ?ler0n ?like_from_ge0 //.
by rewrite ler_wpmul2l ?ler0n.
Qed.

(* Costs that may depend on the outcome, and be negative. *)
Fixpoint path_from (l : seq T -> T -> R) h t : R :=
  if t is o :: t' then l h o + path_from l (rcons h o) t' else 0.

Lemma path_fromE (l : seq T -> T -> R) h t o0 :
  path_from l h t = \sum_(j < size t) l (h ++ take j t) (nth o0 t j).
Proof.
elim: t h => [|o t IH] h /=; first by rewrite big_ord0.
rewrite big_ord_recl /= cats0 IH; congr (_ + _); apply: eq_bigr => j _.
by rewrite -cats1 -catA.
Qed.

Lemma like_path_from k k' l h t :
  (forall h o, 0 <= k h o) -> (forall h o, 0 <= k' h o) ->
  (forall h o, k h o <= e (l h o) * k' h o) ->
  like_from k h t <= e (path_from l h t) * like_from k' h t.
Proof.
move=> k0 k0' le; elim: t h => [|o t IH] h /=; first by rewrite expo0 mul1r.
rewrite expoD.
have -> (a b n x y : R) : a * b * (n * x * y) = n * (a * x) * (b * y).
  by rewrite mulrACA (mulrCA a).
rewrite ler_pmul ?mulr_ge0 ?ler0n ?like_from_ge0 //.
by rewrite ler_wpmul2l ?ler0n.
Qed.

Theorem adaptive_path k k' l eps t :
  (forall h o, 0 <= k h o) -> (forall h o, 0 <= k' h o) ->
  (forall h o, k h o <= e (l h o) * k' h o) ->
  (complete t -> path_from l [::] t <= eps) -> like k t <= e eps * like k' t.
Proof.
move=> k0 k0' le tot; case: (boolP (complete t)) => [ct|nc]; last first.
  by rewrite /like !like_from0 // mulr0.
apply: le_trans (like_path_from [::] t k0 k0' le) _.
by rewrite ler_wpmul2r ?like_from_ge0 // expo_le // tot.
Qed.

Theorem adaptive_dp k k' c eps :
  (forall h o, 0 <= k h o) -> (forall h o, 0 <= k' h o) ->
  (forall h, close e (c h) (k h) (k' h)) ->
  (forall t, complete t -> costs c t <= eps) ->
  close e eps (like k) (like k').
Proof.
move=> k0 k0' le tot t.
case: (boolP (complete t)) => [ct|nc]; last first.
  by rewrite /like !like_from0 // mulr0.
have m k1 : (forall h o, 0 <= k1 h o) ->
    e (costs c t) * like k1 t <= e eps * like k1 t.
  by move=> k10; rewrite ler_wpmul2r ?like_from_ge0 // expo_le // tot.
by split; apply: le_trans (m _ _); rewrite ?like_from_le // => h o;
  case: (le h o).
Qed.
End Adaptive.

(* Finite sets of outcomes. *)
Lemma close_sum (R : realFieldType) (e : expo R) (T : Type) eps (P P' : T -> R)
    (s : seq T) : close e eps P P' ->
  (\sum_(t <- s) P t <= e eps * (\sum_(t <- s) P' t)) /\
  (\sum_(t <- s) P' t <= e eps * (\sum_(t <- s) P t)).
Proof.
by move=> cl; rewrite !mulr_sumr; split; apply: ler_sum => t _; case: (cl t).
Qed.

(* Blocks of Laplace numbers. *)
Section Blocks.
Variables (R : realFieldType) (e : expo R) (c : R -> R).
Hypothesis c_ge0 : forall b, 0 < b -> 0 <= c b.
Variable I : finType.
Notation T := (I -> R).
Variables (stop : seq T -> bool) (P : seq T -> pred I) (b : seq T -> I -> R).
Hypothesis b_gt0 : forall h i, P h i -> 0 < b h i.
Variables y y' : seq T -> I -> R.         (* true values in the two graphs *)

Theorem adaptive_laplace eps :
  (forall t, complete stop t ->
     \sum_(j < size t) (let h := take j t in cost (P h) (b h) (y h) (y' h))
       <= eps) ->
  close e eps (like stop (fun h => laps e c (P h) (b h) (y h)))
              (like stop (fun h => laps e c (P h) (b h) (y' h))).
Proof.
move=> tot; apply: (@adaptive_dp _ _ _ _ _ _ (fun h => cost (P h) (b h) (y h) (y' h))).
- by move=> h o; apply: laps_ge0 => //; apply: b_gt0.
- by move=> h o; apply: laps_ge0 => //; apply: b_gt0.
- by move=> h; apply: laplace_dp => //; apply: b_gt0.
- by move=> t /tot; rewrite costs_sum.
Qed.
End Blocks.

