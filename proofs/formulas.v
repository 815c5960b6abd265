(* formulas.v: weights, sensitivities, scales and costs as whole numbers, computed here and
   compared with the program (docs/math/12, 13, 16, 18).

   In words.  A double is a whole number times a power of two, so every parameter and every
   scale of a plan is an exact fraction.
   [weight]: floor(background * w(d) * 2^32), the stored weight of a node of degree d: what
   QuantisedTaper::weight returns (background = mantissa / 2^shift).
   [sensitivity]: the largest of weight(d+1) + d |weight(d) - weight(d+1)| over
   0 <= d <= n - 2, one degree after the other: what QuantisedTaper::sensitivity finds faster.
   Theorem [sensitivity_ok]: these weights and this sensitivity satisfy [taper_bound], the
   condition of shared_dp, twohop_dp and onescore_coded on weights.
   Theorem [weight_unit]: with background 1 a weight is at most 2^32, a link: what secondlook_dp asks of
   the weights of links out of the set.
   [shared_cost], [separate_costs], [onescore_costs], [frontier_costs]: what an edge costs under given scales, as
   exact fractions; these are the left sides of the conditions of shared_dp, twohop_dp,
   onescore_coded and secondlook_dp, divided by 2^32 above and below.  Theorem [within_ok]: if [within] says
   that a cost is at most eps, it is.  Theorem [over_ok], [plus_ok]: fractions are divided and
   added as they should be.
   [shared_scale], [separate_scales], [onescore_scales], [frontier_scales]: the scales of the notes as exact
   fractions; those of the program are these but for rounding.  That they satisfy the conditions is
   [note_scales] in twohop.v and [choice1] in onescore.v.
   [circles_costs]: what an edge costs in each way that a release of `circles` can go, a link in a coarse
   degree counted as 1 + 2^-50 (note 26); the left sides of the conditions of circles_dp, and more.
   [taylor x n]: the sum of x^j / j! for j <= n, exactly.  [flip_within eps t]: 1 + 1 / taylor(eps) is at
   most taylor(1/t); flip.v proves that then t is small enough for randomized response at eps.
   [distortion], [slack]: rho and the rounding slack of one step (notes 01, 18).
   [recursion]: w_K of note 02 from the gains of the steps and what each adds.  Theorem
   [recursion_ok]: it is the [sensitivity] of run_move and diffusion_dp in step.v.
   cases.v holds parameter sets and the scales that the program chose for them; its results
   are committed in golden.txt.  `make proofs` computes them anew, and the test
   tests/golden/proofs_golden_test.cpp compares the program with the same file.

   Covers: QuantisedTaper (src/accounting/taper.cpp), the costs of
   src/accounting/edge_cost.cpp and the scales of src/plan/shared.cpp, src/plan/two_hop.cpp,
   src/plan/frontier.cpp, src/plan/circles.cpp and src/plan/edge_flip.cpp, for the committed
   parameter sets; sensitivities_up (src/accounting/sensitivity.cpp).
   Leaves out: parameter sets that are not committed. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint ssrZ zify.
From hushwalk Require Import shared.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Delimit Scope Z_scope with BZ.

(* Weights: background = mantissa / 2^shift; taper 0 stands for an infinite one. *)
Definition weight (mantissa : Z) (shift : Z) (taper d : Z) : Z :=
  let up := (mantissa * 2 ^ 32)%BZ in
  if (taper =? 0)%BZ then (up / 2 ^ shift)%BZ
  else if (d <=? taper)%BZ then (up * (2 * taper - d) / (2 * taper * 2 ^ shift))%BZ
  else (up * taper / (2 * d * 2 ^ shift))%BZ.

(* With background 1 a weight is at most one link. *)
Theorem weight_unit taper d : (0 <= taper)%BZ -> (0 <= d)%BZ ->
  (0 <= weight 1 0 taper d <= 2 ^ 32)%BZ.
Proof.
move=> t0 d0; rewrite /weight; case: Z.eqb_spec => [_|tn]; first by [].
case: Z.leb_spec => dt; (split; [apply: Z.div_pos|apply: Z.div_le_upper_bound]); lia.
Qed.

Definition moved (w : Z -> Z) (d : Z) : Z := (w (d + 1) + d * Z.abs (w d - w (d + 1)))%BZ.

(* The maximum over 0 .. k-1. *)
Fixpoint most (w : Z -> Z) (k : nat) : Z :=
  if k is k'.+1 then Z.max (moved w (Z.of_nat k')) (most w k') else 0%BZ.
Definition sensitivity (w : Z -> Z) (n : nat) : Z := most w n.-1.

Lemma most_ok w k d : (d < k)%N -> (moved w (Z.of_nat d) <= most w k)%BZ.
Proof.
elim: k => // k IH; rewrite ltnS leq_eqVlt => /orP[/eqP ->|/IH le] /=; first exact: Z.le_max_l.
exact: Z.le_trans le (Z.le_max_r _ _).
Qed.

(* Fractions: a pair (a, b) with b > 0 stands for a / b. *)
Definition frac := (Z * Z)%type.
Definition over (x y : frac) : frac := ((x.1 * y.2)%BZ, (x.2 * y.1)%BZ).
Definition plus (x y : frac) : frac := ((x.1 * y.2 + y.1 * x.2)%BZ, (x.2 * y.2)%BZ).
Definition minus (x y : frac) : frac := plus x ((- y.1)%BZ, y.2).
Definition times (x y : frac) : frac := ((x.1 * y.1)%BZ, (x.2 * y.2)%BZ).
Definition within (x y : frac) : bool := (x.1 * y.2 <=? y.1 * x.2)%BZ.
Definition whole (a : Z) : frac := (a, 1%BZ).
Definition smaller (x y : frac) : frac := if within x y then x else y.
Definition larger (x y : frac) : frac := if within x y then y else x.

(* What the background of one end moves, in links: S units of 2^-32. *)
Definition in_links (S : Z) : frac := (S, (2 ^ 32)%BZ).
Definition shared_cost (S : Z) (b : frac) : frac := over (in_links (2 * S)%BZ) b.
Definition separate_costs (S : Z) (b1 b2 b3 b4 : frac) : seq frac :=
  [:: over (whole 2) b1; plus (over (whole 1) b2) (over (whole 1) b3);
      over (in_links (2 * S)%BZ) b4].
Definition onescore_costs (S : Z) (b_in b_out : frac) : seq frac :=
  let m := smaller b_in b_out in
  [:: over (whole 2) b_in; plus (over (whole 1) b_out) (over (in_links S) m);
      over (in_links (2 * S)%BZ) m].

(* Of frontier: with no set, and of an edge with both ends or one end in the set. *)
Definition frontier_costs (S : Z) (b1 b2 b3 b4 b0 bp bq : frac) : seq frac :=
  separate_costs S b1 b2 b3 b4
  ++ [:: over (whole 2) b0; plus (over (whole 1) bp) (over (whole 1) bq)].

(* Scales as the notes have them (13, 16, 27), before anything is rounded: q is the share of an edge
   between that its end in N pays, p that of an end in the set. *)
Definition shared_scale (S : Z) (eps : frac) : frac := over (in_links (2 * S)%BZ) eps.
Definition separate_scales (q : frac) (S : Z) (eps : frac) : seq frac :=
  [:: over (whole 2) eps; over (whole 1) (times q eps); over (whole 1) (times (minus (whole 1) q) eps);
      shared_scale S eps].
Definition onescore_scales (S : Z) (eps : frac) : seq frac :=
  [:: over (whole 2) eps; over (plus (whole 1) (in_links S)) eps].
Definition frontier_scales (q p : frac) (S : Z) (eps : frac) : seq frac :=
  separate_scales q S eps
  ++ [:: over (whole 2) eps; over (whole 1) (times (minus (whole 1) p) eps); over (whole 1) (times p eps)].

(* Of circles: both ends outside the rows, one, none, and both sweeps. *)
Definition circles_costs (fine coarse forward backward leaving : frac) : seq frac :=
  let link := ((2 ^ 50 + 1)%BZ, (2 ^ 50)%BZ) in
  let degrees := plus (over link coarse) (over link coarse) in
  let forward := plus degrees (over (whole 1) forward) in
  [:: over (whole 2) fine;
      plus (plus (over (whole 1) fine) (over link coarse)) (over (whole 1) leaving);
      forward; plus forward (over (whole 1) backward)].

(* 1 + x/k (1 + x/(k+1) (1 + ...)). *)
Fixpoint taylor_from (x : frac) (k : Z) (n : nat) : frac :=
  if n is n'.+1 then plus (whole 1) (times (over x (whole k)) (taylor_from x (k + 1)%BZ n')) else whole 1.
Definition taylor (x : frac) (n : nat) : frac := taylor_from x 1%BZ n.
Definition flip_within (eps t : frac) (n : nat) : bool :=
  within (plus (whole 1) (over (whole 1) (taylor eps n))) (taylor (over (whole 1) t) n).
(* w_k = gain_k w_(k-1) + extra_k from w_0 = 0, for a list of gains and extras. *)
Definition recursion (steps : seq (frac * frac)) : frac :=
  foldl (fun w step => plus (times step.1 w) step.2) (whole 0) steps.
(* Of one step with coefficients a1 = |gamma_1|, a2 = |gamma_2|: max(4 a1, 2 (a1 + a2)) eta. *)
Definition distortion (a1 a2 eta : frac) : frac :=
  times (larger (times (whole 4) a1) (times (whole 2) (plus a1 a2))) eta.
Definition slack (rounds_out rounds_kept : bool) (n edges : Z) : Z :=
  ((if rounds_out then 2 * edges else 0) + (if rounds_kept then n else 0))%BZ.

Section Link.
Variable R : realFieldType.
Local Open Scope ring_scope.

Definition real (z : Z) : R := (int_of_Z z)%:~R.

Lemma realD a b : real (a + b)%BZ = real a + real b.
Proof. by rewrite /real -intrD; congr (_%:~R); lia. Qed.
Lemma realM a b : real (a * b)%BZ = real a * real b.
Proof. by rewrite /real -intrM; congr (_%:~R); lia. Qed.
Lemma real_nat n : real (Z.of_nat n) = n%:R.
Proof. by rewrite /real -[RHS]/((Posz n)%:~R); congr (_%:~R); lia. Qed.
Lemma real_abs a b : real (Z.abs (a - b)) = `|real a - real b|.
Proof. by rewrite /real -mulrzBr -intr_norm; congr (_%:~R); lia. Qed.
Lemma real_le a b : (a <= b)%BZ -> real a <= real b.
Proof. by move=> le; rewrite /real ler_int; lia. Qed.

Theorem sensitivity_ok (w : Z -> Z) n :
  taper_bound (fun d => real (w (Z.of_nat d))) (real (sensitivity w n)) n.
Proof.
move=> d dn; have lt : (d < n.-1)%N by rewrite -ltnS prednK // (leq_ltn_trans _ dn).
have := real_le (most_ok (w := w) lt); rewrite /moved realD realM real_abs real_nat.
by rewrite (_ : (Z.of_nat d + 1)%BZ = Z.of_nat d.+1) //; lia.
Qed.

Definition value (x : frac) : R := real x.1 / real x.2.

Lemma real_gt0 a : (0 < a)%BZ -> 0 < real a.
Proof. by move=> a0; rewrite /real ltr0z; lia. Qed.

Theorem within_ok (x y : frac) : (0 < x.2)%BZ -> (0 < y.2)%BZ ->
  within x y -> value x <= value y.
Proof.
move=> x0 y0 /Z.leb_le /real_le; rewrite !realM => le.
rewrite /value ler_pdivr_mulr ?real_gt0 // mulrAC ler_pdivl_mulr ?real_gt0 //.
Qed.

Theorem over_ok (x y : frac) : value (over x y) = value x / value y.
Proof. by rewrite /value /over !realM invf_div mulrACA -invfM. Qed.

Theorem plus_ok (x y : frac) : (0 < x.2)%BZ -> (0 < y.2)%BZ ->
  value (plus x y) = value x + value y.
Proof.
move=> /real_gt0/lt0r_neq0 x0 /real_gt0/lt0r_neq0 y0.
by rewrite /value /plus realD !realM addf_div.
Qed.

Lemma times_ok (x y : frac) : value (times x y) = value x * value y.
Proof. by rewrite /value /times !realM mulf_div. Qed.

Theorem recursion_ok (steps : seq (frac * frac)) :
  all (fun p => (0 <? p.1.2)%BZ && (0 <? p.2.2)%BZ) steps ->
  value (recursion steps) = foldl (fun w p => value p.1 * w + value p.2) 0 steps.
Proof.
rewrite /recursion; have -> : 0 = value (whole 0) by rewrite /value /real mul0r.
have : (0 < (whole 0).2)%BZ by [].
elim: steps (whole 0) => //= p steps IH w w0 /andP[/andP[/Z.ltb_lt p1 /Z.ltb_lt p2] ok].
have t0 : (0 < (times p.1 w).2)%BZ by apply: Z.mul_pos_pos.
by rewrite IH ?plus_ok ?times_ok //; apply: Z.mul_pos_pos.
Qed.
End Link.
