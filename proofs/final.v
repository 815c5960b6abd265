(* final.v: the theorems as statements about real probabilities on integers.

   In words.  [private eps P P']: P and P' are probabilities on a countable set of
   outcomes (they are >= 0 and add up to 1), and for EVERY set A of outcomes
   P(A) <= e^eps P'(A) and P'(A) <= e^eps P(A), e^x the real exponential.
   With discrete Laplace noise, (1-q)/(1+q) q^|k|, q = e^(-1/b):
   [shared_private], [twohop_private], [circles_private] say that the releases of
   shared.v, twohop.v (integer weights) and circles.v are private.  Outcomes are
   families of integers, for circles lists of such families. *)
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint finmap.
From mathcomp.classical Require Import boolp classical_sets functions cardinality
  fsbigop mathcomp_extra.
From mathcomp Require Import reals ereal signed topology normedtype sequences esum exp.
From hushwalk Require Import laplace adaptive graph shared twohop circles instance.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Def Num.Theory.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.

Section Final.
Variable R : realType.
Notation e := (expoR R).
Notation c := (@dnorm R).

Definition proba (T : choiceType) (P : T -> R) : Prop :=
  (forall t, 0 <= P t) /\ (\esum_(t in [set: T]) (P t)%:E = 1)%E.

Definition private (T : choiceType) (eps : R) (P P' : T -> R) : Prop :=
  [/\ proba P, proba P' & forall A : set T,
    (\esum_(t in A) (P t)%:E <= (expR eps)%:E * (\esum_(t in A) (P' t)%:E))%E /\
    (\esum_(t in A) (P' t)%:E <= (expR eps)%:E * (\esum_(t in A) (P t)%:E))%E].

Lemma private_close (T : choiceType) eps (P P' : T -> R) :
  proba P -> proba P' -> close e eps P P' -> private eps P P'.
Proof.
by move=> pP pP' cl; split=> // A; apply: close_esum => //; [case: pP|case: pP'].
Qed.

Definition intval (I : Type) (y : I -> R) := forall i, exists k : int, y i = k%:~R.

Lemma laps_proba (I : finType) (P : pred I) (b y : I -> R) :
  (forall i, P i -> 0 < b i) -> intval y ->
  proba (fun o : {ffun I -> int} => laps e c P b y (toR R o)).
Proof.
move=> b0 /choice[m mE]; split=> [o|]; first by apply: laps_ge0 => //; apply: dnorm_ge0.
rewrite -(laps_total m b0); apply: eq_esum => o _; congr (_%:E).
by apply: eq_bigr => i _; rewrite mE.
Qed.

Lemma sum_intval (I : finType) (P : pred I) (y : I -> R) : intval y ->
  exists k : int, \sum_(i | P i) y i = k%:~R.
Proof.
move=> /choice[m mE]; exists (\sum_(i | P i) m i).
by rewrite rmorph_sum; apply: eq_bigr => i _; rewrite mE.
Qed.

(* Integer weights. *)
Section Weights.
Variables (V : finType) (W : nat -> int) (Sw eps : R).
Let w d : R := (W d)%:~R.
Hypotheses (W_ge0 : forall d, 0 <= W d) (Sw_ok : taper_bound w Sw #|V|).
Hypotheses (Sw_gt0 : 0 < Sw) (eps_gt0 : 0 < eps).

Let w_ge0 d : 0 <= w d. Proof. by rewrite /w ler0z. Qed.

Theorem shared_private (G G' : graph V) u v : apart G G' u v ->
  let P := fun (H : graph V) (o : {ffun V -> int}) =>
    laps e c predT (fun=> 2%:R * Sw / eps) (background w H) (toR R o) in
  private eps (P G) (P G').
Proof.
move=> ap P; have p H : proba (P H).
  apply: laps_proba => [x _|x]; first by rewrite divr_gt0 // mulr_gt0 // ltr0n.
  by apply: sum_intval => y; exists (W (deg H y)).
apply: private_close => // o.
by have := shared_dp e (@dnorm_ge0 R) w_ge0 Sw_ok Sw_gt0 eps_gt0 ap; apply.
Qed.

Variables (S : {set V}) (U : nat) (b1 b2 b3 b4 : R).
Hypotheses (b1_gt0 : 0 < b1) (b2_gt0 : 0 < b2) (b3_gt0 : 0 < b3) (b4_gt0 : 0 < b4).
Hypotheses (inN : 2%:R * U%:R / b1 <= eps) (between : U%:R / b2 + U%:R / b3 <= eps)
  (inO : 2%:R * Sw / b4 <= eps).

Theorem twohop_private (G G' : graph V) u v :
  apart G G' u v -> u \notin S -> v \notin S ->
  let P := fun (H : graph V) (o : {ffun V * bool -> int}) =>
    twohop e c S w U%:R b1 b2 b3 b4 H (toR R o) in
  private eps (P G) (P G').
Proof.
move=> ap uS vS P; have p H : proba (P H).
  apply: laps_proba => [i _|[x k]]; first exact: twohop.scale_gt0.
  have lk A : exists k : int, U%:R * links R H A x = k%:~R.
    by exists (Posz (U * #|nb H x :&: A|)%N); rewrite /links -natrM.
  rewrite /twohop.value; case: ifP => _; case: k => //.
  by apply: sum_intval => y; exists (W #|nb H y :&: Oset S H|).
apply: private_close => // o.
by have := twohop_dp e (@dnorm_ge0 R) w_ge0 Sw_ok (ler0n _ U) b1_gt0 b2_gt0 b3_gt0
  b4_gt0 inN between inO ap uS vS; apply.
Qed.
End Weights.

(* Transcripts of integer blocks. *)
Lemma like_map (T T' : Type) (g : T' -> T) (stop : seq T -> bool)
    (k : seq T -> T -> R) t :
  like stop k (map g t)
  = like (fun h => stop (map g h)) (fun h o => k (map g h) (g o)) t.
Proof.
rewrite /like -[X in like_from _ _ X (map g t)]/(map g [::]).
by elim: t [::] => //= o t IH h; rewrite -map_rcons IH.
Qed.

Section Circles.
Variables (V K : finType) (ed ef eb : R).
Hypotheses (ed0 : 0 < ed) (ef0 : 0 < ef) (eb0 : 0 < eb).
Notation block := (V + K -> R).
Variables (gate : block -> bool) (order : block -> seq V).
Variable label : seq block -> V -> K.
Hypothesis order_uniq : forall D, uniq (order D).
Hypothesis order_all : forall D x, x \in order D.

Theorem circles_private (G G' : graph V) u v : apart G G' u v ->
  let P := fun (H : graph V) (t : seq {ffun V + K -> int}) =>
    circles e c ed ef eb gate order label H (map (@toR R _) t) in
  private (ed + (ef + eb)) (P G) (P G').
Proof.
move=> ap P; have p H : proba (P H).
  have bp h : proba (fun o : {ffun V + K -> int} => laps e c (held gate h)
      (circles.scale ed ef eb gate h) (circles.value order label H h) (toR R o)).
    apply: laps_proba => [i _|i]; first exact: circles.scale_gt0.
    have nk (n : nat) : exists k : int, n%:R = k%:~R :> R by exists (Posz n).
    case: h i => [|D r] [x|k] //=; first exact: (nk 0%N).
    by apply: sum_intval => x; apply: nk.
  split=> [t|].
    apply: like_from_ge0 => h o; apply: laps_ge0 => [b|i _]; first exact: dnorm_ge0.
    exact: circles.scale_gt0.
  rewrite /P /circles.
  under eq_esum do rewrite like_map.
  apply: (@like_total _ _ _ _ _ _ (maxn 1 (#|V| + #|V|)).+1) => [h o|h _|h].
  - by case: (bp (map (@toR R _) h)).
  - by case: (bp (map (@toR R _) h)).
  - case: h => [//|D r] /=; rewrite size_map ltnS geq_max => /andP[r1 r2].
    by case: ifP.
apply: private_close => // t.
by have := circles_dp e (@dnorm_ge0 R) ed0 ef0 eb0 gate label order_uniq order_all ap; apply.
Qed.
End Circles.
End Final.

