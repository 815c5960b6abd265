(* lattice.v: a step in whole numbers, as it is coded (docs/math/18).

   In words.  The program holds states as whole numbers X and coefficients as whole numbers
   c of 2^-f.  [tdiv a d] is a division of whole numbers that rounds toward zero, as in C++;
     [times c x]      = tdiv (c x) 2^f                 (LatticeDiffusion::times),
     [outflow c x d]  = tdiv (times c x) d, 0 for d = 0  (LatticeGroup::outflow),
     [zclip s a x]    = x clamped to [-a, a] or [0, a],
     [zstep]          = what a node gets from its neighbours, what it keeps, and a restart.
   Rounding twice is rounding once: [outflow_once].  Rounding toward zero moves two numbers apart by at
   most one unit: [trunc_move].  A coefficient that is 0, or a whole number, rounds nothing.
   Theorem [coded_step]: the step as coded is the step of step.v over the rationals, with
   gamma = c / 2^f, eta = cap, and these roundings.
   Theorem [coded_move]: so for all states X, X' of two graphs that differ in one edge without an end in S
       sum |zstep G X - zstep G' X'| <= g sum |X - X'| + max(4 A, 2 g) cap
                                        + 2 M [c1 <> 0] + n [2^f does not divide c2],
   A = |c1| / 2^f, g = (|c1| + |c2|) / 2^f, M >= the edges of the larger graph: note 18.

   Covers: src/diffusion/lattice_run.cpp (finish_sums, clip, outflow), lattice_slack_up
   (src/accounting/sensitivity.cpp).
   Leaves out: that no number overflows (tests; plans refuse what could), coefficients as doubles (they are
   rounded toward zero before, which only lowers the bound). *)
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat intdiv.
From hushwalk Require Import laplace graph step.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(* Division toward zero. *)
Definition tdiv (a d : int) : int := if 0 <= a then (a %/ d)%Z else - ((- a) %/ d)%Z.

Lemma tdivN a d : tdiv (- a) d = - tdiv a d.
Proof.
rewrite /tdiv oppr_ge0; case: (ltrgtP a 0) => [lt|gt|->]; rewrite ?opprK ?oppr0 ?lexx //.
by rewrite div0z oppr0.
Qed.

Lemma tdiv_ge0 a d : 0 <= a -> 0 < d -> 0 <= tdiv a d.
Proof. by move=> a0 d0; rewrite /tdiv a0 divz_ge0. Qed.

Lemma tdivE a d : 0 <= a -> tdiv a d = (a %/ d)%Z.
Proof. by rewrite /tdiv => ->. Qed.

Lemma tdiv0 d : tdiv 0 d = 0.
Proof. by rewrite tdivE // div0z. Qed.

(* Rounded twice is rounded once. *)
Lemma tdivM a (m d : int) : 0 < m -> 0 < d -> tdiv (tdiv a m) d = tdiv a (m * d).
Proof.
move=> m0 d0; have pos b : 0 <= b -> tdiv (tdiv b m) d = tdiv b (m * d).
  by move=> b0; rewrite [LHS]tdivE ?tdiv_ge0 // !tdivE // divzMA_ge0 // ltW.
case: (leP 0 a) => [|/ltW a0]; first exact: pos.
have [b b0 ->] : exists2 b, 0 <= b & a = - b by exists (- a); rewrite ?oppr_ge0 ?opprK.
by rewrite !tdivN pos.
Qed.

(* Of a rational number: its numerator by its denominator. *)
Definition trunc (x : rat) : rat := (tdiv (numq x) (denq x))%:~R.

Lemma truncN (x : rat) : trunc (- x) = - trunc x.
Proof. by rewrite /trunc numqN denqN tdivN mulrNz. Qed.

Lemma trunc_pos (x : rat) : 0 <= x -> trunc x <= x < trunc x + 1.
Proof.
move=> x0; have n0 : 0 <= numq x by rewrite numq_ge0.
rewrite /trunc tdivE //; set q := (numq x %/ denq x)%Z.
have d0 : 0 < (denq x)%:~R :> rat by rewrite ltr0z denq_gt0.
have e : x = (numq x)%:~R / (denq x)%:~R by rewrite divq_num_den.
rewrite {1 2}e ler_pdivl_mulr // ltr_pdivr_mulr // -intrM -[_ + 1]/(q%:~R + 1%:~R) -intrD -intrM.
rewrite ler_int ltr_int lez_floor ?gt_eqF ?denq_gt0 //=.
by rewrite mulrDl mul1r {1}(divz_eq (numq x) (denq x)) ltr_add2l ltz_pmod ?denq_gt0.
Qed.

(* The only whole number there. *)
Lemma trunc_unique (x : rat) (n : int) : n%:~R <= x < n%:~R + 1 -> 0 <= x -> trunc x = n%:~R.
Proof.
case/andP=> lo hi x0; have /andP[lo' hi'] := trunc_pos x0; move: lo' hi'.
rewrite /trunc; set m := tdiv _ _ => lo' hi'; congr (_%:~R); apply/eqP; rewrite eq_le.
have lt (i j : int) : i%:~R <= x -> x < j%:~R + 1 -> i <= j.
  move=> a b; rewrite -ltz_addr1 -(ltr_int [numDomainType of rat]) intrD.
  exact: le_lt_trans a b.
by rewrite !lt.
Qed.

Lemma trunc_ratio_pos (a d : int) : 0 <= a -> 0 < d ->
  trunc (a%:~R / d%:~R) = (tdiv a d)%:~R.
Proof.
move=> a0 d0; have dr : 0 < d%:~R :> rat by rewrite ltr0z.
apply: trunc_unique; last by rewrite divr_ge0 ?ler0z ?(ltW d0).
rewrite tdivE // ler_pdivl_mulr // ltr_pdivr_mulr // -[_ + 1]/(_ + 1%:~R) -intrD -!intrM.
rewrite ler_int ltr_int lez_floor ?gt_eqF //=.
by rewrite mulrDl mul1r {1}(divz_eq a d) ltr_add2l ltz_pmod.
Qed.

Lemma trunc_ratio (a d : int) : 0 < d -> trunc (a%:~R / d%:~R) = (tdiv a d)%:~R.
Proof.
move=> d0; case: (leP 0 a) => [a0|/ltW a0]; first exact: trunc_ratio_pos.
have [b b0 ->] : exists2 b, 0 <= b & a = - b by exists (- a); rewrite ?oppr_ge0 ?opprK.
by rewrite tdivN !mulrNz mulNr truncN trunc_ratio_pos.
Qed.

Lemma trunc_int (n : int) : trunc n%:~R = n%:~R.
Proof.
have := @trunc_ratio n 1 isT; rewrite mulr1z divr1 => ->.
by rewrite /tdiv !divz1 opprK if_same.
Qed.

Lemma trunc0 : trunc 0 = 0.
Proof. exact: (trunc_int 0). Qed.

Lemma trunc_sign (x : rat) : 0 <= x -> 0 <= trunc x.
Proof. by move=> x0; rewrite /trunc ler0z tdiv_ge0 ?numq_ge0 ?denq_gt0. Qed.

Lemma trunc_move (a b : rat) : `|trunc a - trunc b| <= `|a - b| + 1.
Proof.
wlog b0 : a b / 0 <= b => [h|].
  case: (leP 0 b) => [/h//|/ltW b0]; have := h (- a) (- b); rewrite oppr_ge0 => /(_ b0).
  by rewrite !truncN -!opprD !normrN.
have /andP[lb hb] := trunc_pos b0.
case: (leP 0 a) => [a0|/ltW a0].
  have /andP[la ha] := trunc_pos a0.
  have le (x y p q : rat) : p <= x -> y < q + 1 -> p - q <= `|x - y| + 1.
    move=> px yq; apply: le_trans (_ : x - y + 1 <= _); last by rewrite ler_add2r ler_norm.
    by rewrite -addrA ler_add // ler_oppl opprD opprK ler_subl_addr ltW.
  rewrite ler_norml ler_oppl opprB; apply/andP; split; last exact: le.
  by rewrite distrC; apply: le.
have na0 : 0 <= - a by rewrite oppr_ge0.
have /andP[la ha] := trunc_pos na0; have ta := trunc_sign na0; have tb := trunc_sign b0.
rewrite truncN in la ta; rewrite distrC ger0_norm; last by rewrite addr_ge0.
rewrite [`|a - b|]distrC ger0_norm; last by rewrite addr_ge0.
by apply: le_trans (ler_add lb la) _; rewrite ler_addl ler01.
Qed.

(* A number as it is coded: whole numbers of 2^-f. *)
Section Coded.
Variables (V : finType) (S : {set V}) (f : nat) (c1 c2 cap one : int) (s : bool) (r : V -> int).
Hypotheses (cap0 : 0 <= cap).
Implicit Types (G : graph V) (X : V -> int).

Let unit : int := (2 ^ f)%:Z.
Let unit_gt0 : 0 < unit. Proof. by rewrite /unit ltz_nat expn_gt0. Qed.
Let q : int -> rat := intr.

Definition times (c x : int) : int := tdiv (c * x) unit.
Definition outflow (c x : int) (d : nat) : int := if d == 0%N then 0 else tdiv (times c x) d%:Z.
Definition zclip (a x : int) : int := Num.min (Num.max x (if s then - a else 0)) a.
Definition zheld G X y : int :=
  if y \in S then zclip one (X y) else zclip (cap * (deg G y)%:Z) (X y).
Definition zstep G X z : int :=
  \sum_(y in nb G z) outflow c1 (zheld G X y) (deg G y) + times c2 (zheld G X z) + r z.

(* The roundings: none where there is nothing to round. *)
Definition rnd1 (x : rat) : rat := if c1 == 0 then x else trunc x.
Definition rnd2 (x : rat) : rat := if (unit %| c2)%Z then x else trunc x.
Definition k1 : rat := (c1 != 0)%:R.
Definition k2 : rat := (~~ (unit %| c2)%Z)%:R.
Definition g (c : int) : rat := q c / q unit.

Lemma q_unit : q unit != 0.
Proof. by rewrite intr_eq0 gt_eqF. Qed.

Lemma times_once c x : trunc (g c * q x) = q (times c x).
Proof. by rewrite /g mulrAC /q -intrM trunc_ratio. Qed.

Lemma times_exact c x : (unit %| c)%Z -> g c * q x = q (times c x).
Proof.
move=> /dvdzP[k ->]; rewrite -times_once /g /q intrM mulfK; last exact: q_unit.
by rewrite -intrM trunc_int.
Qed.

(* Rounded twice toward zero is rounded once. *)
Lemma outflow_once c x (d : nat) : trunc (g c * (q x / d%:R)) = q (outflow c x d).
Proof.
rewrite /outflow; case: eqP => [->|/eqP d0]; first by rewrite invr0 !mulr0 trunc0.
have d1 : 0 < d%:Z by rewrite ltz_nat lt0n.
rewrite /times tdivM // /g /q -trunc_ratio ?mulr_gt0 //; congr trunc.
by rewrite !intrM -pmulrn invfM !mulrA; congr (_ * _); rewrite mulrAC.
Qed.

Lemma q_min a b : q (Num.min a b) = Num.min (q a) (q b).
Proof. by rewrite !minEle /q ler_int; case: ifP. Qed.
Lemma q_max a b : q (Num.max a b) = Num.max (q a) (q b).
Proof. by rewrite !maxEle /q ler_int; case: ifP. Qed.
Lemma q_clip a x : q (zclip a x) = clip s (q a) (q x).
Proof. by rewrite /zclip /clip q_min q_max; case: s; rewrite /q ?mulrNz. Qed.

Let seed (y : V) (x : rat) : rat := clip s (q one) x.
Let at_q X (z : V) : rat := q (X z).

Lemma held_q G X y : held S (q cap) s seed G (at_q X) y = q (zheld G X y).
Proof.
rewrite /held /zheld /seed /at_q; case: ifP => _; rewrite q_clip //.
by rewrite /q intrM -pmulrn.
Qed.

Theorem coded_step G X z :
  step S (g c1) (g c2) (q cap) s seed rnd1 rnd2 (at_q r) G (at_q X) z = q (zstep G X z).
Proof.
rewrite /step /zstep /q !intrD rmorph_sum -/q; congr (_ + _ + _).
  apply: eq_bigr => y _; rewrite /out held_q /rnd1; case: eqP => [->|_]; last exact: outflow_once.
  by rewrite /g /q mul0r mul0r /outflow /times mul0r !tdiv0 if_same.
rewrite /kept held_q /rnd2; case: ifP => [dv|_]; [exact: times_exact|exact: times_once].
Qed.

Let k1_ge0 : 0 <= k1. Proof. exact: ler0n. Qed.
Lemma rnd1_move a b : `|rnd1 a - rnd1 b| <= `|a - b| + k1.
Proof. by rewrite /rnd1 /k1; case: eqP => _; rewrite ?addr0 // trunc_move. Qed.
Lemma rnd2_move a b : `|rnd2 a - rnd2 b| <= `|a - b| + k2.
Proof. by rewrite /rnd2 /k2; case: ifP => _; rewrite ?addr0 // trunc_move. Qed.
Lemma rnd10 : rnd1 0 = 0.
Proof. by rewrite /rnd1 trunc0 if_same. Qed.

Theorem coded_move G G' u v X X' (m : nat) : apart G G' u v -> u \notin S -> v \notin S ->
  (\sum_y deg G' y <= 2 * m)%N ->
  \sum_z `|q (zstep G X z) - q (zstep G' X' z)|
  <= (`|g c1| + `|g c2|) * (\sum_z `|q (X z) - q (X' z)|)
     + Num.max (4%:R * `|g c1|) (2%:R * (`|g c1| + `|g c2|)) * q cap
     + (k1 * (2 * m)%:R + k2 * #|V|%:R).
Proof.
move=> ap uS vS edges.
have eta0 : 0 <= q cap by rewrite ler0z.
have seeds (y : V) a b : `|seed y a - seed y b| <= `|a - b| by apply: clip_move.
have := step_move (g c1) (g c2) s (at_q r) eta0 k1_ge0 seeds rnd1_move rnd10 rnd2_move ap uS vS
  (at_q X) (at_q X') edges.
by rewrite /dist; under eq_bigr do rewrite !coded_step.
Qed.
End Coded.
