(* step.v: one clipped step, the recursion, and what rounding adds
   (docs/math/01, docs/math/02, docs/math/18).

   In words.  A step takes a state x, clips it, and sends
     out_y = rnd1 (g1 F_y / d_y)  from every y to each of its neighbours,
     kept_y = rnd2 (g2 F_y)       from y to itself,
   and adds a vector r that does not look at the graph.  F is x clipped to
   [-eta d, eta d] or [0, eta d], d the node's own degree; a seed (a node of S) is
   clipped by any function that moves no two values apart, the same in both graphs.
   rnd1 and rnd2 are any roundings with |rnd s - rnd t| <= |s - t| + k and rnd 0 = 0:
   the identity with k = 0 (exact arithmetic), rounding toward zero with k = 1.
   Write A = |g1|, B = |g2|, g = A + B.
   [column_end]: an end of the edge contributes at most max(2A, g) eta in exact arithmetic.
   [step_move]: for all states x, x' of two graphs that differ in one edge without end in S
       |step G x - step G' x'|_1 <= g |x - x'|_1 + max(4A, 2g) eta + k1 2M + k2 n,
   M >= the edges of the larger graph.  With k1 = k2 = 0 that is notes 01 (x = x') and 02;
   with k = 1 it is note 18.
   [run_move]: after any number of steps, each with its own coefficients, roundings and
   additions (noise that was drawn once), and coordinatewise clamps that do not look at
   the graph, the states are at most w_K apart, w_k = g_k w_(k-1) + rho_k + slack_k.
   [first_step]: in personalized scope the first step, which reads seeds only, moves
   nothing: w_1 = 0.
   [diffusion_dp]: the last state with Laplace noise of a scale b, w_K / b <= eps, is eps-DP.

   Covers: gain_up, distortion_up, lattice_slack_up, sensitivities_up
   (src/accounting/sensitivity.cpp); the plan `output` priced by the recursion
   (src/accounting/lattice_price.cpp); src/diffusion/lattice_run.cpp.
   That the step as coded is this step, with k = 1, is proven in [lattice.v].
   Computed: gains, distortions and the recursion, [formulas.v].
   Leaves out: uniform caps (they serve the reproduction only), the halved sensitivity of
   the lazy walk (note 14), push-flow (note 15), Renyi accountants of `paper`. *)
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint ring.
From hushwalk Require Import laplace graph.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(* Clipping. *)
Section Clip.
Variable R : realFieldType.
Implicit Types (a x y : R).

Definition clip (two_sided : bool) a x : R :=
  Num.min (Num.max x (if two_sided then - a else 0)) a.

Lemma min_move a x y : `|Num.min x a - Num.min y a| <= `|x - y|.
Proof.
wlog le : x y / x <= y => [h|].
  by case: (leP x y) => [/h//|/ltW/h]; rewrite distrC [X in _ <= X]distrC.
rewrite distrC [X in _ <= X]distrC [X in _ <= X]ger0_norm ?subr_ge0 //.
case: (leP y a) => ya.
  by rewrite (min_idPl (le_trans le ya)) ger0_norm ?subr_ge0.
case: (leP x a) => xa; last by rewrite subrr normr0 subr_ge0.
by rewrite ger0_norm ?subr_ge0 // ler_sub // ltW.
Qed.

Lemma max_move a x y : `|Num.max x a - Num.max y a| <= `|x - y|.
Proof.
have mx z : Num.max z a = - Num.min (- z) (- a) by rewrite oppr_min !opprK.
rewrite !mx -opprD normrN; apply: le_trans (min_move _ _ _) _.
by rewrite -opprD normrN.
Qed.

Lemma clip_move s a x y : `|clip s a x - clip s a y| <= `|x - y|.
Proof. exact: le_trans (min_move _ _ _) (max_move _ _ _). Qed.

Lemma clip0 s a : 0 <= a -> clip s a 0 = 0.
Proof.
move=> a0; rewrite /clip (max_idPl _) ?(min_idPl a0) //.
by case: s; rewrite // oppr_le0.
Qed.

(* For x >= 0 both clips are min x a; for x < 0 the mirror image, or 0. *)
Lemma clip_pos s a x : 0 <= a -> 0 <= x -> clip s a x = Num.min x a.
Proof.
move=> a0 x0; rewrite /clip (max_idPl _) //.
by case: s; rewrite // (le_trans _ x0) // oppr_le0.
Qed.

Lemma clip_neg a x : 0 <= a -> x <= 0 -> clip true a x = - Num.min (- x) a.
Proof.
move=> a0 x0; have na : - a <= a by rewrite (@le_trans _ _ 0) ?oppr_le0.
have le : Num.max x (- a) <= a by rewrite le_maxl na (le_trans x0 a0).
by rewrite /clip (min_idPl le) oppr_min opprK.
Qed.

Lemma clip_neg0 a x : 0 <= a -> x <= 0 -> clip false a x = 0.
Proof. by move=> a0 x0; rewrite /clip (max_idPr x0) (min_idPl a0). Qed.
End Clip.

(* The scalar heart of note 01: what one end contributes. *)
Section Column.
Variable R : realFieldType.
Variables (A B eta : R).
Hypotheses (A0 : 0 <= A) (B0 : 0 <= B) (eta0 : 0 <= eta).
Implicit Types (d : nat) (x : R).

Definition exact_end d (F F' : R) : R :=
  A * (`|F'| / d.+1%:R + d%:R * `|F / d%:R - F' / d.+1%:R|) + B * `|F - F'|.

Lemma exact_endN d (F F' : R) : exact_end d (- F) (- F') = exact_end d F F'.
Proof. by rewrite /exact_end !mulNr -!opprD !normrN. Qed.

Let cap d : R := eta * d%:R.
Let cap0 d : 0 <= cap d. Proof. by rewrite mulr_ge0 ?ler0n. Qed.
Let caps d : cap d.+1 = cap d + eta.
Proof. by rewrite /cap -addn1 natrD mulrDr mulr1. Qed.

Let M := Num.max (2%:R * A) (A + B).
Let M1 : 2%:R * A <= M. Proof. by rewrite le_maxr lexx. Qed.
Let M2 : A + B <= M. Proof. by rewrite le_maxr lexx orbT. Qed.
Let AB0 : 0 <= A + B. Proof. exact: addr_ge0. Qed.

(* Below both caps. *)
Lemma column_low d x : 0 <= x -> x <= cap d -> exact_end d x x <= M * eta.
Proof.
move=> x0 xc; rewrite /exact_end subrr normr0 mulr0 addr0 (ger0_norm x0).
case: d xc => [|d] xc.
  have -> : x = 0 by apply/eqP; rewrite eq_le x0 andbT; rewrite /cap mulr0 in xc.
  rewrite !mul0r addr0 mulr0; apply: mulr_ge0 => //; exact: le_trans AB0 M2.
rewrite /cap in xc; rewrite -[d.+2]addn1 natrD; move: xc; set n : R := d.+1%:R => xc.
have n0 : 0 < n by rewrite ltr0n.
have n2 : 0 < n + 1 by rewrite addr_gt0 ?ltr01.
have f1 : n != 0 by rewrite gt_eqF. have f2 : n + 1 != 0 by rewrite gt_eqF.
have -> : x / n - x / (n + 1) = x / (n * (n + 1)) by field; rewrite f1 f2.
rewrite ger0_norm ?divr_ge0 ?mulr_ge0 ?(ltW n0) ?(ltW n2) //.
have -> : A * (x / (n + 1) + n * (x / (n * (n + 1)))) = 2%:R * A * (x / (n + 1)).
  by field; rewrite f1 f2.
apply: le_trans (_ : 2%:R * A * eta <= _); last by rewrite ler_wpmul2r.
rewrite ler_wpmul2l ?mulr_ge0 ?ler0n // ler_pdivr_mulr //; apply: le_trans xc _.
by rewrite ler_wpmul2l // ler_addl ler01.
Qed.

(* Above the smaller cap: affine in F' between the caps. *)
Lemma column_high d (F' : R) : cap d <= F' -> F' <= cap d + eta ->
  exact_end d (cap d) F' <= M * eta.
Proof.
move=> lo hi; have F0 : 0 <= F' by apply: le_trans lo.
rewrite /exact_end [`|cap d - F'|]distrC (ger0_norm F0) [`|F' - cap d|]ger0_norm ?subr_ge0 //.
case: d lo hi => [|d] lo hi.
  rewrite /cap mulr0 in lo hi *; rewrite [0%:R * `|_|]mul0r addr0 divr1 subr0 -mulrDl.
  rewrite add0r in hi; apply: le_trans (_ : (A + B) * eta <= _).
    by rewrite ler_wpmul2l.
  by rewrite ler_wpmul2r.
rewrite /cap in lo hi *; rewrite -[d.+2]addn1 natrD; move: lo hi; set n : R := d.+1%:R => lo hi.
have n0 : 0 < n by rewrite ltr0n.
have n2 : 0 < n + 1 by rewrite addr_gt0 ?ltr01.
have f1 : n != 0 by rewrite gt_eqF. have f2 : n + 1 != 0 by rewrite gt_eqF.
have -> : eta * n / n - F' / (n + 1) = (eta * n + eta - F') / (n + 1).
  by field; rewrite f1 f2.
rewrite ger0_norm ?divr_ge0 ?subr_ge0 ?(ltW n2) //.
set a := F' - eta * n; set b := eta * n + eta - F'.
have a0 : 0 <= a by rewrite subr_ge0. have b0 : 0 <= b by rewrite subr_ge0.
have -> : A * (F' / (n + 1) + n * (b / (n + 1))) + B * a
    = 2%:R * A * (n / (n + 1)) * b + (A + B) * a.
  by rewrite /a /b; field; rewrite f2.
have -> : M * eta = M * b + M * a by rewrite -mulrDr /a /b; congr (_ * _); ring.
apply: ler_add; rewrite ler_wpmul2r //.
apply: le_trans (_ : 2%:R * A * 1 <= _); last by rewrite mulr1.
rewrite ler_wpmul2l ?mulr_ge0 ?ler0n // ler_pdivr_mulr // mul1r.
by rewrite ler_addl ler01.
Qed.

Lemma column_pos d x : 0 <= x ->
  exact_end d (Num.min x (cap d)) (Num.min x (cap d.+1)) <= M * eta.
Proof.
move=> x0; case: (leP x (cap d)) => xc.
  by rewrite (min_idPl (le_trans xc _)) ?column_low // caps ler_addl.
apply: column_high; first by rewrite le_minr (ltW xc) caps ler_addl.
by rewrite -caps le_minl lexx orbT.
Qed.

Theorem column_end s d x :
  exact_end d (clip s (cap d) x) (clip s (cap d.+1) x) <= Num.max (2%:R * A) (A + B) * eta.
Proof.
case: (leP 0 x) => [x0|/ltW x0]; first by rewrite !clip_pos ?column_pos.
case: s; last first.
  rewrite !clip_neg0 // /exact_end !mul0r subrr normr0 !(mulr0, mul0r, addr0).
  by rewrite mulr_ge0 // le_maxr addr_ge0 // orbT.
by rewrite !clip_neg // exact_endN column_pos // oppr_ge0.
Qed.
End Column.

(* One step on a graph. *)
Section Step.
Variables (R : realFieldType) (V : finType) (S : {set V}) (g1 g2 eta : R) (s : bool).
Variables (seed : V -> R -> R) (rnd1 rnd2 : R -> R) (k1 k2 : R) (r : V -> R).
Let A := `|g1|.
Let B := `|g2|.
Hypotheses (eta0 : 0 <= eta) (k10 : 0 <= k1) (k20 : 0 <= k2).
Hypothesis seed_move : forall y a b, `|seed y a - seed y b| <= `|a - b|.
Hypotheses (rnd1_move : forall a b, `|rnd1 a - rnd1 b| <= `|a - b| + k1) (rnd10 : rnd1 0 = 0).
Hypothesis rnd2_move : forall a b, `|rnd2 a - rnd2 b| <= `|a - b| + k2.
Implicit Types (G : graph V) (x y z : V) (a b : V -> R).

Definition dist a b : R := \sum_z `|a z - b z|.
Definition held G a y : R :=
  if y \in S then seed y (a y) else clip s (eta * (deg G y)%:R) (a y).
Definition out G a y : R := rnd1 (g1 * (held G a y / (deg G y)%:R)).
Definition kept G a y : R := rnd2 (g2 * held G a y).
Definition step G a z : R := \sum_(y in nb G z) out G a y + kept G a z + r z.

Definition column G G' (o o' : R) y : R := \sum_z `|(G z y)%:R * o - (G' z y)%:R * o'|.

Lemma inflow G a z : \sum_(y in nb G z) out G a y = \sum_y (G z y)%:R * out G a y.
Proof.
rewrite big_mkcond; apply: eq_bigr => y _; rewrite in_nb.
by case: (G z y); rewrite ?mul1r ?mul0r.
Qed.

Lemma step_columns G G' a b : dist (step G a) (step G' b)
  <= \sum_y (column G G' (out G a y) (out G' b y) y + `|kept G a y - kept G' b y|).
Proof.
rewrite big_split /= exchange_big -big_split; apply: ler_sum => z _ /=.
have diff (p q t p' q' : R) : p + q + t - (p' + q' + t) = (p - p') + (q - q') by ring.
rewrite /step !inflow diff -sumrB; apply: le_trans (ler_norm_add _ _) _.
by rewrite ler_add2r; apply: ler_norm_sum.
Qed.

Lemma sum_adj G y (c : R) : \sum_z (G z y)%:R * c = (deg G y)%:R * c.
Proof.
rewrite -mulr_suml -natr_sum; congr (_%:R * _); rewrite /deg -sum1_card.
rewrite [RHS]big_mkcond /=; apply: eq_bigr => z _.
by rewrite in_nb adj_sym; case: (G y z).
Qed.

Lemma kept_move G G' a b y :
  `|kept G a y - kept G' b y| <= B * `|held G a y - held G' b y| + k2.
Proof. by apply: le_trans (rnd2_move _ _) _; rewrite -mulrBr normrM. Qed.

Section Edge.
Variables (G G' : graph V) (u v : V).
Hypotheses (ap : apart G G' u v) (uS : u \notin S) (vS : v \notin S).

Lemma column_other a b y : y != u -> y != v ->
  column G G' (out G a y) (out G' b y) y
  <= A * `|held G a y - held G' b y| + k1 * (deg G' y)%:R.
Proof.
move=> yu yv; have same z : G' z y = G z y.
  by rewrite adj_sym -in_nb (nb_other ap yu yv) in_nb adj_sym.
rewrite /column; under eq_bigr do rewrite same -mulrBr normrM ger0_norm ?ler0n //.
rewrite sum_adj (deg_other ap yu yv); set d := deg G y.
rewrite /out (deg_other ap yu yv) -/d.
case: (posnP d) => [->|d0].
  by rewrite [0%:R * _]mul0r mulr0 addr0 mulr_ge0 ?normr_ge0.
have dp : 0 < d%:R :> R by rewrite ltr0n.
apply: le_trans (ler_wpmul2l (ltW dp) (rnd1_move _ _)) _.
rewrite mulrDr [d%:R * k1]mulrC ler_add2r -mulrBr -mulrBl !normrM mulrCA ler_wpmul2l //.
by rewrite normfV normr_nat mulrCA divff ?gt_eqF // mulr1.
Qed.

(* x is the end at hand, y the other one. *)
Lemma column_at a b x y : apart G G' x y -> column G G' (out G a x) (out G' b x) x
  <= A * (`|held G' b x| / (deg G x).+1%:R + (deg G x)%:R
       * `|held G a x / (deg G x)%:R - held G' b x / (deg G x).+1%:R|) + k1 * (deg G' x)%:R.
Proof.
move=> xy; have dE := deg_end xy; set d := deg G x in dE *.
rewrite /column (bigD1 y) //=.
have -> : G y x = false by apply/negbTE; rewrite adj_sym -in_nb (end_new xy).
have -> : G' y x by rewrite adj_sym -in_nb (nb_end xy) setU11.
rewrite mul0r mul1r sub0r normrN.
have rest z : z != y -> `|(G z x)%:R * out G a x - (G' z x)%:R * out G' b x|
    = (G z x)%:R * `|out G a x - out G' b x|.
  move=> zy; have -> : G' z x = G z x.
    by rewrite adj_sym -in_nb (nb_end xy) in_setU1 (negbTE zy) in_nb adj_sym.
  by rewrite -mulrBr normrM ger0_norm ?ler0n.
rewrite (eq_bigr _ rest).
have -> : \sum_(z | z != y) (G z x)%:R * `|out G a x - out G' b x|
    = d%:R * `|out G a x - out G' b x|.
  rewrite -sum_adj [in RHS](bigD1 y) //= [G y x](_ : _ = false) ?mul0r ?add0r //.
  by apply/negbTE; rewrite adj_sym -in_nb (end_new xy).
rewrite dE; have -> : k1 * d.+1%:R = k1 + k1 * d%:R by rewrite -add1n natrD mulrDr mulr1.
rewrite [A * (_ + _)]mulrDr.
have o1 : `|out G' b x| <= A * (`|held G' b x| / d.+1%:R) + k1.
  have := rnd1_move (g1 * (held G' b x / d.+1%:R)) 0.
  by rewrite rnd10 !subr0 !normrM normfV normr_nat /out dE.
have o2 : d%:R * `|out G a x - out G' b x| <= A * (d%:R
    * `|held G a x / d%:R - held G' b x / d.+1%:R|) + k1 * d%:R.
  apply: le_trans (ler_wpmul2l (ler0n _ d) (rnd1_move _ _)) _.
  by rewrite dE -mulrBr normrM mulrDr [k1 * _]mulrC mulrCA.
by apply: le_trans (ler_add o1 o2) _; rewrite addrACA.
Qed.

Lemma held_move H a b y : `|held H a y - held H b y| <= `|a y - b y|.
Proof. by rewrite /held; case: ifP => _; [apply: seed_move|apply: clip_move]. Qed.

Lemma held_other a y : y != u -> y != v -> held G' a y = held G a y.
Proof. by move=> yu yv; rewrite /held (deg_other ap yu yv). Qed.

Let A0 : 0 <= A. Proof. exact: normr_ge0. Qed.
Let B0 : 0 <= B. Proof. exact: normr_ge0. Qed.
Let M := Num.max (2%:R * A) (A + B).

Lemma end_move a b x y : apart G G' x y -> x \notin S ->
  column G G' (out G a x) (out G' b x) x + `|kept G a x - kept G' b x|
  <= (A + B) * `|a x - b x| + M * eta + (k1 * (deg G' x)%:R + k2).
Proof.
move=> xy xS; apply: le_trans (ler_add (column_at a b xy) (kept_move _ _ _ _ _)) _.
rewrite addrACA ler_add2r; set d := deg G x.
set F := held G a x; set F1 := held G' b x; set F2 := held G' a x.
have FE : F = clip s (eta * d%:R) (a x) by rewrite /F /held (negbTE xS).
have F2E : F2 = clip s (eta * d.+1%:R) (a x) by rewrite /F2 /held (negbTE xS) (deg_end xy).
have c1 := column_end A0 B0 eta0 s d (a x); rewrite -FE -F2E in c1.
have n0 : 0 < d.+1%:R :> R by rewrite ltr0n.
have tri : exact_end A B d F F1 <= (A + B) * `|F2 - F1| + exact_end A B d F F2.
  have t1 : `|F1| / d.+1%:R <= `|F2 - F1| / d.+1%:R + `|F2| / d.+1%:R.
    rewrite -mulrDl ler_wpmul2r ?invr_ge0 ?(ltW n0) // addrC.
    by rewrite -ler_subl_addl (le_trans (ler_sub_dist _ _)) // distrC.
  have t2 : `|F / d%:R - F1 / d.+1%:R|
      <= `|F2 - F1| / d.+1%:R + `|F / d%:R - F2 / d.+1%:R|.
    have -> : `|F2 - F1| / d.+1%:R = `|F2 / d.+1%:R - F1 / d.+1%:R|.
      by rewrite -mulrBl normrM [X in _ = _ * X]ger0_norm // invr_ge0 ltW.
    by rewrite [X in _ <= X]addrC ler_dist_add.
  have t3 : `|F - F1| <= `|F2 - F1| + `|F - F2| by rewrite [X in _ <= X]addrC ler_dist_add.
  rewrite /exact_end; set q := `|F2 - F1| in t1 t2 t3 *.
  have -> : (A + B) * q = A * (q / d.+1%:R + d%:R * (q / d.+1%:R)) + B * q.
    have -> : q / d.+1%:R + d%:R * (q / d.+1%:R) = q.
      rewrite -{1}[q / _]mul1r -mulrDl -[1]/(1%:R) -natrD add1n mulrCA divff ?gt_eqF //.
      by rewrite mulr1.
    by rewrite mulrDl.
  rewrite addrACA -mulrDr -mulrDr; apply: ler_add; rewrite ler_wpmul2l //.
  by rewrite addrACA -mulrDr ler_add // ler_wpmul2l ?ler0n.
rewrite -/(exact_end A B d F F1); apply: le_trans tri _; apply: ler_add => //.
by rewrite ler_wpmul2l ?addr_ge0 // held_move.
Qed.

Theorem step_move a b (m : nat) : (\sum_y deg G' y <= 2 * m)%N ->
  dist (step G a) (step G' b) <= (A + B) * dist a b + Num.max (4%:R * A) (2%:R * (A + B)) * eta
    + (k1 * (2 * m)%:R + k2 * #|V|%:R).
Proof.
move=> edges; have uv := apart_neq ap; apply: le_trans (step_columns _ _ _ _) _.
pose c y : R := (A + B) * `|a y - b y| + ((y == u) || (y == v))%:R * (M * eta)
  + (k1 * (deg G' y)%:R + k2).
apply: le_trans (_ : \sum_y c y <= _).
  apply: ler_sum => y _; rewrite /c; have [->|yu] := eqVneq y u.
    by rewrite mul1r; apply: end_move ap uS.
  have [->|yv] := eqVneq y v; first by rewrite mul1r; apply: end_move (apartC ap) vS.
  rewrite mul0r addr0.
  apply: le_trans (ler_add (column_other a b yu yv) (kept_move _ _ _ _ _)) _.
  rewrite addrACA ler_add2r -mulrDl (held_other b yu yv).
  by rewrite ler_wpmul2l ?addr_ge0 // held_move.
rewrite !big_split /= -mulr_sumr -mulr_suml -mulr_sumr sumr_const -[k2 *+ _]mulr_natr.
apply: ler_add; [apply: ler_add => //|].
  rewrite (bigD1 u) //= eqxx (bigD1 v) /= ?[v == u]eq_sym // eqxx orbT big1 => [|y].
    rewrite addr0 mulrA ler_wpmul2r // -[1]/(1%:R) -natrD maxr_pmulr ?ler0n // mulrA -natrM.
    by rewrite lexx.
  by case/andP=> /negbTE -> /negbTE ->.
by rewrite ler_add2r ler_wpmul2l // -natr_sum ler_nat.
Qed.
End Edge.

(* Personalized scope, first step: the state is zero outside the seeds. *)
Theorem first_step G G' u v a : apart G G' u v -> u \notin S -> v \notin S ->
  rnd2 0 = 0 -> (forall y, y \notin S -> a y = 0) -> step G a =1 step G' a.
Proof.
move=> ap uS vS r20 a0 z; rewrite /step !inflow.
have zero H y : y \notin S -> held H a y = 0.
  by move=> yS; rewrite /held (negbTE yS) a0 // clip0 // mulr_ge0 ?ler0n.
have same y : y \in S -> y != u /\ y != v.
  by move=> yS; split; apply: contraTneq yS => ->.
congr (_ + _ + _); last first.
  rewrite /kept; case: (boolP (z \in S)) => zS; last by rewrite !zero.
  by rewrite /held zS.
apply: eq_bigr => y _; case: (boolP (y \in S)) => yS; last first.
  by rewrite /out !zero // !mul0r !mulr0 rnd10 !mulr0.
have [yu yv] := same y yS; rewrite /out /held yS (deg_other ap yu yv).
by rewrite ![_ z y]adj_sym -!in_nb (nb_other ap yu yv).
Qed.
End Step.

(* Many steps: each a pair of maps for the two graphs, with its gain and what it adds. *)
Section Run.
Variables (R : realFieldType) (V : finType).
Notation state := (V -> R).
Record two_steps := TwoSteps {
  on : state -> state; on' : state -> state; gain : R; extra : R;
  gain_ge0 : 0 <= gain;
  moves : forall a b, dist (on a) (on' b) <= gain * dist a b + extra }.

Definition sensitivity (w0 : R) (ps : seq two_steps) : R :=
  foldl (fun w p => gain p * w + extra p) w0 ps.

Theorem run_move ps (a b : state) w0 : dist a b <= w0 ->
  dist (foldl (fun x p => on p x) a ps) (foldl (fun x p => on' p x) b ps)
  <= sensitivity w0 ps.
Proof.
elim: ps a b w0 => //= p ps IH a b w0 le; apply: IH; apply: le_trans (moves p a b) _.
by rewrite ler_add2r ler_wpmul2l ?gain_ge0.
Qed.

(* A clamp of each coordinate that does not look at the graph adds nothing. *)
Lemma clamp_move (h : V -> R -> R) (a b : state) :
  (forall z x y, `|h z x - h z y| <= `|x - y|) ->
  dist (fun z => h z (a z)) (fun z => h z (b z)) <= dist a b.
Proof. by move=> hm; apply: ler_sum. Qed.

Theorem diffusion_dp (e : expo R) (c : R -> R) ps (a : state) w0 b eps :
  (forall b, 0 < b -> 0 <= c b) -> 0 <= w0 -> 0 < b -> sensitivity w0 ps / b <= eps ->
  close e eps (laps e c predT (fun=> b) (foldl (fun x p => on p x) a ps))
              (laps e c predT (fun=> b) (foldl (fun x p => on' p x) a ps)).
Proof.
move=> c0 w00 b0 le; apply: laplace_dp => //; apply: le_trans le.
rewrite /cost -mulr_suml ler_wpmul2r ?invr_ge0 ?(ltW b0) //.
apply: run_move; rewrite /dist big1 // => z _; by rewrite subrr normr0.
Qed.
End Run.
