(* laplace.v: pure differential privacy of independent (discrete) Laplace noise
   (docs/math/13, Lemma; docs/math/11 at order infinity).

   In words.  A number with true value y is released as o with probability (or
   density)   lap b (o - y) = c b * exp (- |o - y| / b),
   where b > 0 is the scale and c b >= 0 is the normalising factor, which depends
   on the scale only ((1-q)/(1+q), q = exp (-1/b), on the integers).
   Theorem [laplace_dp]: a vector of numbers y_i with independent noise of
   scales b_i, compared with another vector y'_i with the SAME scales, gives
   every outcome a probability that differs by a factor of at most exp eps, if
   sum_i |y_i - y'_i| / b_i <= eps.
   Theorem [laplace_larger]: the same with any larger scales b'_i >= b_i, which is
   what a program that rounds scales up uses.

   Covers: laplace_cost_up in src/accounting/edge_cost.cpp, the cost of every plan
   that adds Laplace noise to numbers.
   Leaves out: that the sampler has this law (note 20), and finite Renyi orders.

   Why it is honest.  The exponential is any function with the three laws of the
   record [expo]; [instance.v] shows that the real exponential is one and that
   with its c the discrete noise is a probability.  Values and outcomes are
   elements of the field, so integers in any unit are covered, and so are
   densities.  Nothing else is assumed: no axioms. *)
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Record expo (R : realFieldType) := Expo {
  ex :> R -> R;
  expo0 : ex 0 = 1;
  expoD : forall x y, ex (x + y) = ex x * ex y;
  expo_le : forall x y, x <= y -> ex x <= ex y }.

Section Expo.
Variables (R : realFieldType) (e : expo R).

Lemma expo_gt0 x : 0 < e x.
Proof.
have xx : e x * e (- x) = 1 by rewrite -expoD subrr expo0.
have ge0 : 0 <= e x.
  have -> : x = x / 2%:R + x / 2%:R by rewrite -splitr.
  by rewrite expoD -expr2 sqr_ge0.
rewrite lt_neqAle ge0 andbT eq_sym; apply/eqP => x0.
by move: xx; rewrite x0 mul0r => /eqP; rewrite eq_sym oner_eq0.
Qed.

Lemma expo_ge0 x : 0 <= e x. Proof. exact/ltW/expo_gt0. Qed.

Lemma expo_sum (I : Type) (r : seq I) (f : I -> R) :
  e (\sum_(i <- r) f i) = \prod_(i <- r) e (f i).
Proof. by elim/big_rec2: _ => [|i y x _ <-]; rewrite ?expo0 ?expoD. Qed.
End Expo.

(* P and P' assign to every outcome probabilities within a factor exp eps. *)
Definition close (R : realFieldType) (e : expo R) (T : Type) (eps : R)
    (P P' : T -> R) : Prop :=
  forall t, P t <= e eps * P' t /\ P' t <= e eps * P t.

Section Laplace.
Variables (R : realFieldType) (e : expo R).
Variable c : R -> R.                       (* normaliser, of the scale only *)
Hypothesis c_ge0 : forall b, 0 < b -> 0 <= c b.

Definition lap (b x : R) : R := c b * e (- (`|x| / b)).

Lemma lap_ge0 b x : 0 < b -> 0 <= lap b x.
Proof. by move=> b0; rewrite mulr_ge0 ?c_ge0 ?expo_ge0. Qed.

Lemma lap_shift b o y y' : 0 < b ->
  lap b (o - y) <= e (`|y - y'| / b) * lap b (o - y').
Proof.
move=> b0; rewrite /lap mulrCA ler_wpmul2l ?c_ge0 // -expoD; apply: expo_le.
rewrite -mulNr -mulNr -mulrDl ler_wpmul2r ?invr_ge0 ?(ltW b0) //.
by rewrite ler_subr_addl ler_subl_addl ler_dist_add.
Qed.

Lemma lap_gt0 b x : 0 < c b -> 0 < lap b x.
Proof. by move=> cb; rewrite mulr_gt0 ?expo_gt0. Qed.

(* The exact ratio of the probabilities of one outcome. *)
Definition loss (b o y y' : R) : R := (`|o - y'| - `|o - y|) / b.

Lemma lap_loss b o y y' : lap b (o - y) = e (loss b o y y') * lap b (o - y').
Proof.
by rewrite /lap /loss mulrCA -expoD -!mulNr -mulrDl addrAC addrN add0r.
Qed.

Lemma loss_le b o y y' : 0 < b -> loss b o y y' <= `|y - y'| / b.
Proof.
move=> b0; rewrite ler_wpmul2r ?invr_ge0 ?(ltW b0) // ler_subl_addr [X in _ <= X]addrC.
exact: ler_dist_add.
Qed.

(* Tight: at o = y the ratio is attained. *)
Lemma lap_tight b y y' :
  lap b (y - y) = e (`|y - y'| / b) * lap b (y - y').
Proof. by rewrite /lap subrr normr0 mul0r oppr0 mulrCA -expoD subrr. Qed.

(* A vector of independent numbers with indices in a finite type I.  [P] says
   which numbers are released; the others are reported as 0. *)
Variable I : finType.
Implicit Types (P : pred I) (b y o : I -> R).

Definition laps P b y o : R :=
  \prod_i (if P i then lap (b i) (o i - y i) else (o i == 0)%:R).
Definition cost P b y y' : R := \sum_(i | P i) `|y i - y' i| / b i.

Lemma laps_ge0 P b y o : (forall i, P i -> 0 < b i) -> 0 <= laps P b y o.
Proof.
move=> b0; apply: prodr_ge0 => i _; case: ifP => [/b0|_]; last exact: ler0n.
exact: lap_ge0.
Qed.

Lemma costC P b y y' : cost P b y y' = cost P b y' y.
Proof. by apply: eq_bigr => i _; rewrite distrC. Qed.

Lemma laps_shift P b y y' o : (forall i, P i -> 0 < b i) ->
  laps P b y o <= e (cost P b y y') * laps P b y' o.
Proof.
move=> b0; rewrite /cost big_mkcond expo_sum /laps -big_split /=.
apply: ler_prod => i _; case: ifP => Pi; first by rewrite lap_ge0 ?lap_shift ?b0.
by rewrite expo0 mul1r ler0n lexx.
Qed.

Theorem laplace_dp P b y y' eps : (forall i, P i -> 0 < b i) ->
  cost P b y y' <= eps -> close e eps (laps P b y) (laps P b y').
Proof.
move=> b0 le o; split.
  apply: le_trans (laps_shift y y' o b0) _.
  by rewrite ler_wpmul2r ?laps_ge0 ?expo_le.
apply: le_trans (laps_shift y' y o b0) _.
by rewrite ler_wpmul2r ?laps_ge0 ?expo_le // costC.
Qed.

(* Larger scales cost less. *)
Lemma cost_larger P b b' y y' : (forall i, P i -> 0 < b i) ->
  (forall i, P i -> b i <= b' i) -> cost P b' y y' <= cost P b y y'.
Proof.
move=> b0 bb; apply: ler_sum => i Pi; rewrite ler_wpmul2l //.
by rewrite lef_pinv ?posrE ?(lt_le_trans (b0 i Pi)) ?b0 ?bb.
Qed.

Theorem laplace_larger P b b' y y' eps : (forall i, P i -> 0 < b i) ->
  (forall i, P i -> b i <= b' i) -> cost P b y y' <= eps ->
  close e eps (laps P b' y) (laps P b' y').
Proof.
move=> b0 bb le; apply: laplace_dp.
  by move=> i Pi; apply: lt_le_trans (bb i Pi); apply: b0.
exact: le_trans (cost_larger y y' b0 bb) le.
Qed.
End Laplace.

