(* final.v: the theorems as statements about real probabilities on integers.

   In words.  [private eps P P']: P and P' are probabilities on a countable set of
   outcomes (they are >= 0 and add up to 1), and for EVERY set A of outcomes
   P(A) <= e^eps P'(A) and P'(A) <= e^eps P(A), e^x the real exponential.
   With discrete Laplace noise, (1-q)/(1+q) q^|k|, q = e^(-1/b), and weights that are
   whole numbers, these are private under the conditions of the files they come from:
     [laplace_private]   any whole numbers, a scale for each  (laplace.v, docs/math/13); with
                         step.v and lattice.v: `output` by the recursion
     [shared_private]    the shared artefact            (shared.v, docs/math/16)
     [onescore_private]  `twohop` in one score          (onescore.v, docs/math/13)
     [twohop_private]    `twohop` in separate numbers   (twohop.v, docs/math/13)
     [circles_private]   `circles`: gate, stop, rows, lossless degrees
                                                        (circles.v, docs/math/26)
     [frontier_private]  `frontier`, with any private release of the rest at its end
                                                        (frontier.v)
     [secondlook_private]  `frontier` as coded          (secondlook.v, docs/math/27)
   Outcomes are families of whole numbers (for circles and frontier lists of such
   families, of any length).

   Covers: the plans shared, twohop, circles, frontier; the certificate's "pure
   epsilon-differential privacy" for them, as a statement about the law of what is
   released.
   Leaves out: that the sampler has this law and that its bits are random (note 20,
   tests), that the program counts what the definitions count (tests). *)
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint finmap.
From mathcomp.classical Require Import boolp classical_sets functions cardinality
  fsbigop mathcomp_extra.
From mathcomp Require Import reals ereal signed topology normedtype sequences esum exp.
From hushwalk Require Import laplace adaptive graph shared twohop onescore circles frontier
  secondlook instance lossless.
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

Theorem laplace_private (I : finType) (P : pred I) (b y y' : I -> R) eps :
  (forall i, P i -> 0 < b i) -> intval y -> intval y' -> cost P b y y' <= eps ->
  let law := fun (x : I -> R) (o : {ffun I -> int}) => laps e c P b x (toR R o) in
  private eps (law y) (law y').
Proof.
move=> b0 iy iy' le law; apply: private_close; [exact: laps_proba|exact: laps_proba|move=> o].
exact: (laplace_dp e (@dnorm_ge0 R) b0 le).
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

Let w_ge0 d : 0 <= w d. Proof. by rewrite /w ler0z. Qed.
Let nk (n : nat) : exists k : int, n%:R = k%:~R :> R. Proof. by exists (Posz n). Qed.

Theorem shared_private (b : R) (G G' : graph V) u v : apart G G' u v ->
  0 < b -> 2%:R * Sw / b <= eps ->
  let P := fun (H : graph V) (o : {ffun V -> int}) =>
    laps e c predT (fun=> b) (background w H) (toR R o) in
  private eps (P G) (P G').
Proof.
move=> ap b0 enough P; have p H : proba (P H).
  by apply: laps_proba => // x; apply: sum_intval => y; exists (W (deg H y)).
apply: private_close => // o.
exact: (shared_dp e (@dnorm_ge0 R) w_ge0 Sw_ok b0 enough ap).
Qed.

Variables (S : {set V}) (U : nat).

Theorem onescore_private (b_in b_out : R) (G G' : graph V) u v :
  apart G G' u v -> u \notin S -> v \notin S -> 0 < b_in -> 0 < b_out ->
  2%:R * U%:R / b_in <= eps -> U%:R / b_out + Sw / Num.min b_in b_out <= eps ->
  2%:R * (Sw / Num.min b_in b_out) <= eps ->
  let P := fun (H : graph V) (o : {ffun V -> int}) =>
    onescore e c S w U%:R b_in b_out H (toR R o) in
  private eps (P G) (P G').
Proof.
move=> ap uS vS i0 o0 inN between inO P; have p H : proba (P H).
  apply: laps_proba => [x _|x]; first exact: onescore.scale_gt0.
  have [k kE] : exists k : int, \sum_(y in Oset S H) part w H y x = k%:~R.
    apply: sum_intval => y; exists ((H x y)%:Z * W (deg H y)).
    by rewrite /part intrM.
  exists (Posz (U * #|nb H x :&: Nset S H|)%N + k).
  by rewrite /onescore.value kE intrD /links -natrM.
apply: private_close => // o.
exact: (onescore_coded e (@dnorm_ge0 R) w_ge0 (ler0n _ U) Sw_ok i0 o0 inN between inO ap uS vS).
Qed.

Theorem twohop_private (b1 b2 b3 b4 : R) (G G' : graph V) u v :
  apart G G' u v -> u \notin S -> v \notin S ->
  0 < b1 -> 0 < b2 -> 0 < b3 -> 0 < b4 -> 2%:R * U%:R / b1 <= eps ->
  U%:R / b2 + U%:R / b3 <= eps -> 2%:R * Sw / b4 <= eps ->
  let P := fun (H : graph V) (o : {ffun V * bool -> int}) =>
    twohop e c S w U%:R b1 b2 b3 b4 H (toR R o) in
  private eps (P G) (P G').
Proof.
move=> ap uS vS b10 b20 b30 b40 inN between inO P; have p H : proba (P H).
  apply: laps_proba => [i _|[x k]]; first exact: twohop.scale_gt0.
  have lk A : exists k : int, U%:R * links R H A x = k%:~R.
    by exists (Posz (U * #|nb H x :&: A|)%N); rewrite /links -natrM.
  rewrite /twohop.value; case: ifP => _; case: k => //.
  by apply: sum_intval => y; exists (W #|nb H y :&: Oset S H|).
apply: private_close => // o.
exact: (twohop_dp e (@dnorm_ge0 R) w_ge0 Sw_ok (ler0n _ U) b10 b20 b30
  b40 inN between inO ap uS vS).
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

Lemma lap_total (b y : R) : 0 < b -> (exists m : int, y = m%:~R) ->
  (\esum_(k in [set: int]) (lap e c b (k%:~R - y))%:E = 1)%E.
Proof.
move=> b0 [m ->]; rewrite -(dlap_total m b0); apply: eq_esum => k _.
by rewrite mulrzBr.
Qed.

Lemma zero_total : (\esum_(k in [set: int]) ((k%:~R == 0 :> R)%:R : R)%:E = 1)%E.
Proof.
rewrite (eq_esum (_ : forall k, _ -> _ = (1 * (0 == k)%:R)%:E)%E); last first.
  by move=> k _; rewrite mul1r intr_eq0 eq_sym.
by rewrite (esum_dirac 0 (f := fun=> 1 : R)) // => z; apply: ler01.
Qed.

Section Circles.
Variables (V K : finType) (bd b2 bf bb bl eps : R).
Hypotheses (b20 : 0 < b2) (b2d : b2 < bd) (bf0 : 0 < bf) (bb0 : 0 < bb) (bl0 : 0 < bl).
Hypotheses (whole : 2%:R / b2 <= eps) (rows : 2%:R / bd + 1 / bf + 1 / bb <= eps)
  (parts : 1 / bd + 1 / b2 + 1 / bl <= eps).
Notation block := (V + K -> R).
Variables (gate : block -> bool) (order : block -> seq V) (core : block -> nat).
Variables (halt : seq block -> bool) (label : seq block -> V -> K).
Hypothesis order_uniq : forall D, uniq (order D).
Hypothesis order_all : forall D x, x \in order D.
Hypothesis core_le : forall D, (core D <= #|V|)%N.
Let bd0 : 0 < bd. Proof. exact: lt_trans b2d. Qed.
Let hidden := @hide R bd b2.
Let dnorm_gt0 b : 0 < b -> 0 < c b.
Proof. by move=> b0; rewrite divr_gt0 ?subr_gt0 ?ratio_lt1 // addr_gt0 // ratio_gt0. Qed.
Let coords := coord e c bd b2 bf bb bl hidden gate order core halt label.

Lemma coord_total H (hs : seq {ffun V + K -> int}) i :
  (\esum_(k in [set: int]) (coords H (map (@toR R _) hs) i k%:~R)%:E = 1)%E.
Proof.
have nk n : exists k : int, n%:R = k%:~R :> R by exists (Posz n).
have lt b y := @lap_total b y.
case: hs i => [|D r] [x|k]; rewrite /coords /coord /=.
- by apply: lt => //; apply: nk.
- exact: zero_total.
- set la := (_ || _ && _); case: la; last exact: zero_total.
  case: (shown _ _ _ _ _); last by apply: lt => //; apply: nk.
  rewrite /circles.second; set y := circles.degree _ _ _; set d1 : R := toR R D (inl x).
  have y0 : lap e c bd (d1 - y) != 0 by rewrite gt_eqF // lap_gt0 // dnorm_gt0.
  rewrite (eq_esum (_ : forall z, _ -> _ = ((lap e c bd (d1 - y))^-1)%:E
      * (lap e c b2 (z%:~R - y) * hidden (d1 - z%:~R))%:E)%E); last first.
    by move=> z _; rewrite -EFinM mulrC.
  rewrite esumZ ?invr_ge0 ?lap_ge0 ?dnorm_ge0 //; last 2 first.
  - by move=> b b0; apply: dnorm_ge0.
  - move=> z; rewrite lee_fin mulr_ge0 ?lap_ge0 //; first by move=> b b0; apply: dnorm_ge0.
    exact: hide_ge0.
  have [m mE] : exists m : int, y = m%:~R by apply: nk.
  by rewrite mE /d1 /toR (lossless b20 b2d) -EFinM mulVf // /d1 -mE.
- set la := (_ || _ && _); case: la; first exact: zero_total.
  apply: lt; first exact: rscale_gt0.
  by apply: sum_intval => x; apply: nk.
Qed.

Theorem circles_private (G G' : graph V) u v : apart G G' u v ->
  let P := fun (H : graph V) (t : seq {ffun V + K -> int}) =>
    circles e c bd b2 bf bb bl hidden gate order core halt label H (map (@toR R _) t) in
  private eps (P G) (P G').
Proof.
move=> ap P; have hide0 x : 0 <= hidden x by apply: hide_ge0.
have c0 H h i (z : R) : 0 <= coords H h i z by apply: coord_ge0.
have p H : proba (P H).
  split=> [t|].
    by apply: like_from_ge0 => h o; apply: prodr_ge0 => i _; apply: c0.
  rewrite /P /circles.
  under eq_esum do rewrite like_map.
  apply: (@like_total _ _ _ _ _ _ (#|V| + #|V| + 2).+1) => [h o|h _|h].
  - by apply: prodr_ge0 => i _; apply: c0.
  - rewrite -(@vector_total _ _ _ (fun i (k : int) => coords H (map (@toR R _) h) i k%:~R)) //.
    by move=> i; apply: coord_total.
  case: h => [//|D r] /=; rewrite size_map ltnS => le.
  case: ifP => _; first by apply: leq_trans le; rewrite addn2.
  case: ifP => _; last by apply: leq_trans le; rewrite leq_addr.
  apply: leq_trans le; rewrite addn2 !ltnS; apply: leq_trans (core_le _) _.
  by rewrite -addnS leq_addr.
apply: private_close => // t.
exact: (circles_dp e dnorm_gt0 bd0 b20 bf0 bb0 bl0 whole rows parts hide0 gate
  halt label order_uniq order_all core_le ap).
Qed.
End Circles.

(* Sums over outcomes of two kinds. *)
Lemma esum_sum (T1 T2 : choiceType) (f : T1 + T2 -> R) : (forall t, 0 <= f t) ->
  (\esum_(t in [set: T1 + T2]) (f t)%:E = \esum_(t in [set: T1]) (f (inl t))%:E
     + \esum_(t in [set: T2]) (f (inr t))%:E)%E.
Proof.
move=> f0; rewrite (esumID (range inl)) => [|t _]; last by rewrite lee_fin.
rewrite !setTI; have -> : ~` (range (@inl T1 T2)) = range inr.
  apply/seteqP; split=> [[t|t] /=|_ [t _ <-] [] //]; last by exists t.
  by case; exists t.
by congr (_ + _)%E; apply: reindex_esum => //; apply: inj_bij => i j _ _ [].
Qed.

Section Frontier.
Variables (V : finType) (X : choiceType) (S : {set V}) (m U : nat) (b0 bq bp eps : R).
Hypotheses (b00 : 0 < b0) (bq0 : 0 < bq) (bp0 : 0 < bp).
Hypotheses (inside : 2%:R * U%:R / b0 <= eps) (between : U%:R / bq + U%:R / bp <= eps).
Notation T := ((V -> R) + X)%type.
Variables (A : seq T -> {set V}) (rel : seq T -> graph V -> X -> R).
Hypothesis rel_proba : forall h G, proba (rel h G).
Hypothesis rel_dp : forall h G G' u v, apart G G' u v -> close e eps (rel h G) (rel h G').
Hypothesis rel_ext : forall h (G G' : graph V), (forall x y, G' x y = G x y) ->
  forall o, rel h G' o = rel h G o.

Definition real_block (o : {ffun V -> int} + X) : T :=
  match o with inl z => inl (toR R z) | inr x => inr x end.

Theorem frontier_private (G G' : graph V) u v :
  apart G G' u v -> u \notin S -> v \notin S ->
  let P := fun (H : graph V) (t : seq ({ffun V -> int} + X)) =>
    frontier e c S m U%:R b0 bq bp A rel H (map real_block t) in
  private eps (P G) (P G').
Proof.
move=> ap uS vS P; have r0 h H o : 0 <= rel h H o by case: (rel_proba h H).
have k0 H h o : 0 <= frontier.kernel e c S m U%:R b0 bq bp A rel H h o.
  by apply: frontier.kernel_ge0 => //; apply: dnorm_ge0.
have p H : proba (P H).
  split=> [t|]; first by apply: like_from_ge0.
  rewrite /P /frontier.
  under eq_esum do rewrite like_map.
  apply: (@like_total _ _ _ _ _ _ m.+2) => [h o|h _|h le]; [exact: k0| |by rewrite /frontier.stop size_map].
  rewrite esum_sum // /frontier.kernel /=; set le := (size _ <= m)%N; case: le; last first.
    rewrite [X in (X + _)%E]esum1 // add0e.
    by case: (rel_proba (map real_block h) (ind H (rest S m A (map real_block h)))).
  rewrite [X in (_ + X)%E]esum1 // adde0.
  have [] := @laps_proba _ (frontier.held S m A (map real_block h)) (frontier.scale b0 bq bp A (map real_block h))
    (count S m U%:R A H (map real_block h)) => [x _|x|_ //].
    exact: frontier.scale_gt0.
  by exists (Posz (U * #|nb H x :&: frontier.reads S m A (map real_block h)|)%N);
    rewrite /count /links -natrM.
apply: private_close => // t.
exact: (@frontier_dp R e c (@dnorm_ge0 R) V S X m U%:R b0 bq bp eps (ler0n _ U) b00 bq0
  bp0 inside between A rel r0 rel_dp rel_ext G G' u v ap uS vS).
Qed.
End Frontier.

Section SecondLook.
Variables (V : finType) (S : {set V}) (W : nat -> int) (Sw eps : R) (U : nat).
Variables (b1 b2 b3 b4 b0 bp bq : R).
Let w d : R := (W d)%:~R.
Hypotheses (W_ge0 : forall d, 0 <= W d) (Sw_ok : taper_bound w Sw #|V|).
Hypotheses (b10 : 0 < b1) (b20 : 0 < b2) (b30 : 0 < b3) (b40 : 0 < b4) (b00 : 0 < b0)
  (bp0 : 0 < bp) (bq0 : 0 < bq).
Hypotheses (inN : 2%:R * U%:R / b1 <= eps) (between : U%:R / b2 + U%:R / b3 <= eps)
  (inR : 2%:R * Sw / b4 <= eps) (among : 2%:R * U%:R / b0 <= eps)
  (across : U%:R / bp + U%:R / bq <= eps).
Notation block := (V * bool -> R).
Variables (choose : {set V} -> block -> {set V}) (link : {set V} -> seq block -> V -> nat).
Hypothesis link_le : forall N h y, (link N h y <= U)%N.
Let weight N h y : R := (link N h y)%:R.

Lemma value_intval H h : intval (secondlook.value S w U%:R choose weight H h).
Proof.
case=> x [] /=; apply: sum_intval => y; first by exists (W #|nb H y :&: left_over S choose H h|).
have nk (n : nat) : exists k : int, n%:R = k%:~R :> R by exists (Posz n).
by rewrite /read; case: (size h) => [|[|n]]; do ?case: ifP => _; apply: (nk 0%N) || apply: nk.
Qed.

Theorem secondlook_private (G G' : graph V) u v :
  apart G G' u v -> u \notin S -> v \notin S ->
  let P := fun (H : graph V) (t : seq {ffun V * bool -> int}) =>
    secondlook e c S w U%:R b1 b2 b3 b4 b0 bp bq choose weight H (map (@toR R _) t) in
  private eps (P G) (P G').
Proof.
move=> ap uS vS P; have w0 d : 0 <= w d by rewrite /w ler0z.
have s0 H h i := secondlook.scale_gt0 S b10 b20 b30 b40 b00 bp0 bq0 choose H h i.
have k0 H h i : 0 <= laps e c (secondlook.held S choose H h)
    (secondlook.scale S b1 b2 b3 b4 b0 bp bq choose H h) (secondlook.value S w U%:R choose weight H h) i.
  by apply: laps_ge0 => [b|j _]; [apply: dnorm_ge0|apply: s0].
have p H : proba (P H).
  split=> [t|]; first by apply: like_from_ge0.
  rewrite /P /secondlook.
  under eq_esum do rewrite like_map.
  apply: (@like_total _ _ _ _ _ _ 3) => [h o|h _|h le]; [exact: k0| |by rewrite /secondlook.stop size_map].
  set hs := map _ h; have [] := @laps_proba _ (secondlook.held S choose H hs)
    (secondlook.scale S b1 b2 b3 b4 b0 bp bq choose H hs)
    (secondlook.value S w U%:R choose weight H hs) => [i _|i|_ //]; first exact: s0.
  exact: value_intval.
apply: private_close => // t.
exact: (secondlook_dp e (@dnorm_ge0 R) w0 Sw_ok (ler0n _ U) b10 b20 b30 b40 b00 bp0 bq0 inN between
  inR among across choose (fun N h y => ler0n _ _) (fun N h y => etrans (ler_nat _ _ _) (link_le N h y))
  ap uS vS).
Qed.
End SecondLook.
End Final.
