(* shared.v: the taper lemma and the shared artefact (docs/math/12, docs/math/16).

   In words.  Every node y has the weight w(deg y), and B_x is the sum of the
   weights of the neighbours of x.  If
       w(d+1) + d |w(d) - w(d+1)| <= S   for every degree d <= |V| - 2,
   then one added edge moves the vector B by at most 2 S in l1  ([taper_l1]).
   So releasing B_x for all x with Laplace noise of any scale b > 0 such that
   2 S / b <= eps is eps-DP for every edge  ([shared_dp]); the weights are any
   w >= 0.  The degrees themselves are the case w = 1, S = 1  ([background1]).

   Covers: the plan `shared` (src/plan/shared.cpp: sensitivity and scale) and what
   src/mechanism/shared.cpp adds up; [final.v] has the same for real
   probabilities on integers, [formulas.v] the weights and S as the program
   computes them.
   Leaves out: the sampler (note 20), answers made from the artefact ([joint.v]). *)
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint.
From hushwalk Require Import laplace graph.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Taper.
Variables (R : realFieldType) (V : finType) (w : nat -> R) (S : R).
Implicit Types (G : graph V).

Definition background G x : R := \sum_(y in nb G x) w (deg G y).

Definition taper_bound (n : nat) : Prop :=
  forall d, (d.+1 < n)%N -> w d.+1 + d%:R * `|w d - w d.+1| <= S.

Hypothesis w_ge0 : forall d, 0 <= w d.
Hypothesis S_ok : taper_bound #|V|.

(* What y contributes to B_x. *)
Definition part G y x : R := (G x y)%:R * w (deg G y).

Lemma backgroundE G x : background G x = \sum_y part G y x.
Proof.
rewrite /background big_mkcond /=; apply: eq_bigr => y _.
by rewrite in_nb /part; case: (G x y); rewrite ?mul1r ?mul0r.
Qed.

Lemma background_ext G G' : (forall x y, G' x y = G x y) ->
  forall x, background G' x = background G x.
Proof.
move=> eqG x; have nbE z : nb G' z = nb G z.
  by apply/setP => y; rewrite !in_nb eqG.
by rewrite /background nbE; apply: eq_bigr => y _; rewrite /deg nbE.
Qed.

(* The contributions of one end u of the new edge: the other end gains w(d+1),
   the d old neighbours change by |w(d) - w(d+1)| each. *)
Lemma part_new G G' u v : apart G G' u v ->
  `|part G' u v - part G u v| = w (deg G u).+1.
Proof.
move=> ap; rewrite /part (deg_end ap) adj_sym -in_nb (nb_end ap) setU11 mul1r.
by rewrite adj_sym -in_nb (negbTE (end_new ap)) mul0r subr0 ger0_norm.
Qed.

Lemma part_old G G' u v x : apart G G' u v -> x != v ->
  `|part G' u x - part G u x|
  = (x \in nb G u)%:R * `|w (deg G u) - w (deg G u).+1|.
Proof.
move=> ap xv; rewrite /part (deg_end ap) adj_sym -in_nb (nb_end ap) in_setU1 (negbTE xv) /=.
rewrite [G x u]adj_sym -in_nb -mulrBr distrC.
by case: (x \in nb G u); rewrite ?mul1r ?mul0r ?normr0 // distrC.
Qed.

(* The same when every reader x has a scale b x of its own, at least m. *)
Lemma part_end_at G G' u v (b : V -> R) m : apart G G' u v ->
  0 < m -> (forall x, m <= b x) -> \sum_x `|part G' u x - part G u x| / b x
  <= w (deg G u).+1 / b v + (deg G u)%:R * `|w (deg G u) - w (deg G u).+1| / m.
Proof.
move=> ap m0 mb; have b0 x : 0 < b x by apply: lt_le_trans (mb x).
rewrite (bigD1 v) //= (part_new ap) ler_add2l.
apply: le_trans (_ : \sum_(x | x != v) (x \in nb G u)%:R
    * (`|w (deg G u) - w (deg G u).+1| / m) <= _).
  apply: ler_sum => x xv; rewrite (part_old ap xv) -mulrA ler_wpmul2l ?ler0n //.
  by rewrite ler_wpmul2l // lef_pinv ?posrE.
rewrite -mulr_suml mulrA ler_wpmul2r ?invr_ge0 ?(ltW m0) // ler_wpmul2r //.
rewrite -natr_sum ler_nat /deg -sum1_card.
rewrite [X in (_ <= X)%N]big_mkcond [X in (_ <= X)%N](bigD1 v) //=.
by apply: leq_trans (leq_addl _ _); apply: leq_sum => x _; case: (x \in _).
Qed.

Lemma part_end G G' u v : apart G G' u v ->
  \sum_x `|part G' u x - part G u x| <= S.
Proof.
move=> ap; have := part_end_at ap ltr01 (fun=> lexx 1); rewrite !divr1.
under eq_bigr do rewrite divr1.
by move=> le; apply: le_trans le (S_ok (deg_end_small ap)).
Qed.

Lemma part_other G G' u v y x : apart G G' u v -> y != u -> y != v ->
  part G' y x = part G y x.
Proof.
move=> ap yu yv; rewrite /part (deg_other ap yu yv) adj_sym -in_nb.
by rewrite (nb_other ap yu yv) in_nb adj_sym.
Qed.

Theorem taper_l1 G G' u v : apart G G' u v ->
  \sum_x `|background G' x - background G x| <= 2%:R * S.
Proof.
move=> ap.
have le : \sum_x `|background G' x - background G x|
    <= \sum_y \sum_x `|part G' y x - part G y x|.
  rewrite exchange_big /=; apply: ler_sum => x _.
  by rewrite !backgroundE -sumrB; apply: ler_norm_sum.
apply: le_trans le _; rewrite (bigD1 u) //= [X in _ + X](bigD1 v) /=; last first.
  by rewrite eq_sym (apart_neq ap).
rewrite [X in _ + (_ + X)]big1 ?addr0 => [|y /andP[yu yv]]; last first.
  by apply: big1 => x _; rewrite (part_other x ap yu yv) subrr normr0.
by rewrite mulr_natl mulr2n ler_add ?(part_end ap) ?(part_end (apartC ap)).
Qed.
End Taper.

Section Shared.
Variables (R : realFieldType) (e : expo R) (c : R -> R).
Hypothesis c_ge0 : forall b, 0 < b -> 0 <= c b.
Variables (V : finType) (w : nat -> R) (S eps b : R).
Hypotheses (w_ge0 : forall d, 0 <= w d) (S_ok : taper_bound w S #|V|).
Hypotheses (b_gt0 : 0 < b) (enough : 2%:R * S / b <= eps).

Theorem shared_dp (G G' : graph V) u v : apart G G' u v ->
  close e eps (laps e c predT (fun=> b) (background w G))
              (laps e c predT (fun=> b) (background w G')).
Proof.
move=> ap; apply: laplace_dp => //; apply: le_trans enough.
rewrite /cost -mulr_suml ler_wpmul2r ?invr_ge0 ?(ltW b_gt0) //.
apply: le_trans (taper_l1 w_ge0 S_ok ap).
by apply: ler_sum => x _; rewrite distrC.
Qed.
End Shared.

(* Degrees: w = 1, S = 1. *)
Lemma background1 (R : realFieldType) (V : finType) (G : graph V) x :
  background (fun _ => 1 : R) G x = (deg G x)%:R.
Proof. by rewrite /background sumr_const. Qed.

Lemma taper_bound1 (R : realFieldType) n : taper_bound (fun _ => 1 : R) 1 n.
Proof. by move=> d _; rewrite subrr normr0 mulr0 addr0. Qed.

