(* flip.v: the computed check of edge flipping is enough (docs/math/21, formulas.v).

   In words.  For x >= 0 every partial sum of the exponential series is at most e^x: [taylor_exp], for the
   fractions that formulas.v computes.
   Theorem [flip_computed]: if [flip_within eps t n] says yes, then ln(1 + e^(-eps)) <= 1/t, the condition
   of joint.flip_bias; so randomized response with the bias 1 - e^(-1/t) is private at eps.

   Covers: skip_scale of src/plan/edge_flip.cpp, for the epsilons of cases.v.
   Leaves out: all other epsilons (note 21: an error analysis on paper). *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint ssrZ zify.
From mathcomp.classical Require Import boolp classical_sets.
From mathcomp Require Import reals ereal signed topology normedtype sequences exp.
From hushwalk Require Import formulas.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Flip.
Variable R : realType.
Notation value := (@value R).
Notation real := (@real R).
Implicit Types (x : frac) (y : R).

(* The same over the reals. *)
Fixpoint sum_from y (i n : nat) : R := if n is n'.+1 then 1 + y / i.+1%:R * sum_from y i.+1 n' else 1.

Lemma sum_S y i n : sum_from y i n.+1 = 1 + y / i.+1%:R * sum_from y i.+1 n.
Proof. by []. Qed.

Lemma sum_series y i n :
  exp_coeff y i * sum_from y i n = \sum_(i <= j < i + n.+1) exp_coeff y j.
Proof.
elim: n i => [|n IH] i /=; first by rewrite addn1 big_nat1 mulr1.
rewrite big_ltn; last by rewrite -addSnnS ltn_addr.
rewrite mulrDr mulr1 -addSnnS -IH mulrA; congr (_ + _ * _).
rewrite !exp_coeffE factS natrM invfM exprSr.
by rewrite [LHS]mulrA -[_ * y ^+ i * y]mulrA [LHS]mulrC [LHS]mulrA.
Qed.

Lemma sum_exp y n : 0 <= y -> sum_from y 0 n <= expR y.
Proof.
move=> y0; have -> : sum_from y 0 n = series (exp_coeff y) n.+1.
  by rewrite /series /= -(add0n n.+1) -sum_series exp_coeffE fact0 expr0 invr1 !mul1r.
apply: nondecreasing_cvg_le; last exact: is_cvg_series_exp_coeff.
by apply: nondecreasing_series => k _; apply: exp_coeff_ge0.
Qed.

Lemma real1 : real 1%BZ = 1.
Proof. by []. Qed.

Lemma value1 : value (whole 1) = 1.
Proof. by rewrite /value real1 divr1. Qed.
Lemma taylor_S x k n : taylor_from x k n.+1
  = plus (whole 1) (times (over x (whole k)) (taylor_from x (k + 1)%BZ n)).
Proof. by []. Qed.
Lemma times_ok x x' : value (times x x') = value x * value x'.
Proof. by rewrite /value /times !formulas.realM mulf_div. Qed.

(* The fractions have positive denominators, and these values. *)
Lemma taylor_value x (i n : nat) : (0 < x.2)%BZ ->
  (0 < (taylor_from x (Z.of_nat i.+1) n).2)%BZ /\
  value (taylor_from x (Z.of_nat i.+1) n) = sum_from (value x) i n.
Proof.
move=> x0; elim: n i => [|n IH] i; first by split; rewrite // /value real1 divr1.
have [p e] := IH i.+1; rewrite taylor_S.
have -> : (Z.of_nat i.+1 + 1)%BZ = Z.of_nat i.+2 by lia.
set rest := taylor_from _ _ _ in p e *; set part := times _ rest.
have q : (0 < part.2)%BZ by apply: Z.mul_pos_pos p; apply: Z.mul_pos_pos x0 _; change (0 < Z.of_nat i.+1)%BZ; lia.
split; first by change (0 < 1 * part.2)%BZ; lia.
rewrite plus_ok // value1 sum_S -e; congr (_ + _).
rewrite times_ok over_ok; congr (_ / _ * _).
by rewrite /value formulas.real_nat [real _]real1 divr1.
Qed.

Theorem taylor_exp x n : (0 < x.2)%BZ -> 0 <= value x -> value (taylor x n) <= expR (value x).
Proof. by move=> x0 v0; have [_ ->] := @taylor_value x 0 n x0; apply: sum_exp. Qed.

Lemma sum_ge1 y n i : 0 <= y -> 1 <= sum_from y i n.
Proof.
move=> y0; elim: n i => [|n IH] i; rewrite ?sum_S ?lexx // ler_addl mulr_ge0 ?divr_ge0 ?ler0n //.
exact: le_trans ler01 (IH _).
Qed.

Theorem flip_computed (eps t : frac) n : (0 < eps.2)%BZ -> (0 < t.1)%BZ -> (0 < t.2)%BZ ->
  0 <= value eps -> flip_within eps t n -> ln (1 + expR (- value eps)) <= 1 / value t.
Proof.
move=> e0 t1 t2 v0 ok.
have r0 : (0 < (over (whole 1) t).2)%BZ by change (0 < 1 * t.1)%BZ; lia.
have rv : value (over (whole 1) t) = 1 / value t by rewrite over_ok value1.
have tv : 0 <= 1 / value t by rewrite divr_ge0 ?ler01 // divr_ge0 // ltW // real_gt0.
have [p ep] := @taylor_value eps 0 n e0; have [q eq] := @taylor_value (over (whole 1) t) 0 n r0.
have T1 : 1 <= value (taylor eps n) by rewrite ep sum_ge1.
have T0 : 0 < value (taylor eps n) by apply: lt_le_trans ltr01 T1.
have num : (0 < (taylor eps n).1)%BZ.
  case: (Z.lt_ge_cases 0 (taylor eps n).1) => // le0; move: T0; rewrite ltNge => /negP[].
  by rewrite /value mulr_le0_ge0 ?invr_ge0 ?(ltW (real_gt0 _ p)) //; exact: (real_le R le0).
have le : 1 + 1 / value (taylor eps n) <= value (taylor (over (whole 1) t) n).
  have d0 : (0 < (over (whole 1) (taylor eps n)).2)%BZ by change (0 < 1 * (taylor eps n).1)%BZ; lia.
  have s0 : (0 < (plus (whole 1) (over (whole 1) (taylor eps n))).2)%BZ.
    by change (0 < 1 * (over (whole 1) (taylor eps n)).2)%BZ; lia.
  by have := within_ok R s0 q ok; rewrite plus_ok // value1 over_ok value1.
have exact_le : 1 + expR (- value eps) <= expR (1 / value t).
  apply: le_trans (_ : 1 + 1 / value (taylor eps n) <= _).
    rewrite ler_add2l expRN -[(expR _)^-1]div1r ler_wpmul2l ?ler01 // lef_pinv ?posrE ?expR_gt0 //.
    exact: taylor_exp.
  by apply: le_trans le _; rewrite -rv; apply: taylor_exp => //; rewrite rv.
by rewrite -ler_expR lnK ?posrE ?addr_gt0 ?ltr01 ?expR_gt0.
Qed.
End Flip.
