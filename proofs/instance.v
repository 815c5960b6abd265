(* instance.v: from the abstract exponential to real probabilities.

   In words.  (a) [expoR]: the real exponential satisfies the record [expo].
   (b) [close_esum]: if all probabilities are within exp eps then so are those of
   EVERY set of outcomes (countable sums as suprema of finite sums).
   (c) [dlap_total]: with c b = (1-q)/(1+q), q = exp(-1/b), the discrete Laplace
   weights of all integers add up to 1.
   (d) [like_total]: if every block's probabilities add up to 1 and the mechanism
   stops after at most m blocks, the probabilities of all transcripts add up to 1.
   (e) [laps_total]: a vector of independent discrete Laplace numbers with integer
   true values is a probability on families of integers.
   The files that use this one rest on the classical axioms of mathcomp-analysis; the others
   rest on none.

   Covers: the law that src/noise/discrete_laplace.cpp samples from, as docs/math/11 states it.
   Leaves out: that the sampler has this law (docs/math/20: on paper, and chi-square tests). *)
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint finmap.
From mathcomp.classical Require Import boolp classical_sets functions cardinality
  fsbigop mathcomp_extra.
From mathcomp Require Import reals ereal signed topology normedtype sequences esum exp.
From hushwalk Require Import laplace adaptive.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Def Num.Theory.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.

Section Instance.
Variable R : realType.

Lemma expR_le (x y : R) : x <= y -> expR x <= expR y.
Proof. by rewrite ler_expR. Qed.
Definition expoR : expo R := Expo (@expR0 R) (@expRD R) expR_le.

Local Open Scope ereal_scope.

Lemma esumZ_le (T : choiceType) (A : set T) (a : T -> \bar R) (r : \bar R) :
  0 <= r -> (forall t, 0 <= a t) ->
  \esum_(t in A) (r * a t) <= r * \esum_(t in A) a t.
Proof.
move=> r0 a0; apply: ub_ereal_sup => _ [X [finX XA] <-].
rewrite -ge0_mule_fsumr //; apply: lee_wpmul2l => //.
by apply: ereal_sup_ub; exists X.
Qed.

Lemma esumZ (T : choiceType) (A : set T) (a : T -> \bar R) (r : R) :
  (0 <= r)%R -> (forall t, 0 <= a t) ->
  \esum_(t in A) (r%:E * a t) = r%:E * \esum_(t in A) a t.
Proof.
move=> r0 a0; apply/eqP; rewrite eq_le esumZ_le ?lee_fin //=.
have [->|rn] := eqVneq r 0%R.
  by rewrite mul0e esum_ge0 // => t _; rewrite mul0e.
have rp : (0 < r)%R by rewrite lt_def rn.
rewrite -[X in _ <= X]mul1e -(divff rn) EFinM -muleA; apply: lee_wpmul2l => //.
have -> : \esum_(t in A) a t = \esum_(t in A) ((r^-1)%:E * (r%:E * a t)).
  by apply: eq_esum => t _; rewrite muleA -EFinM mulVf // mul1e.
apply: esumZ_le => [|t]; first by rewrite lee_fin invr_ge0.
by rewrite mule_ge0 ?lee_fin.
Qed.

Theorem close_esum (T : choiceType) (eps : R) (P P' : T -> R) (A : set T) :
  (forall t, 0 <= P t)%R -> (forall t, 0 <= P' t)%R -> close expoR eps P P' ->
  (\esum_(t in A) (P t)%:E <= (expR eps)%:E * (\esum_(t in A) (P' t)%:E)) /\
  (\esum_(t in A) (P' t)%:E <= (expR eps)%:E * (\esum_(t in A) (P t)%:E)).
Proof.
move=> P0 P0' cl; have e0 : (0 <= expR eps)%R by apply/ltW/expR_gt0.
split; rewrite -esumZ //; apply: le_esum => t _; rewrite -EFinM lee_fin;
  by case: (cl t).
Qed.

(* Geometric sums. *)
Lemma esum_geometric (a q : R) : (0 <= a -> 0 < q -> q < 1 ->
  \esum_(n in [set: nat]) (a * q ^+ n)%:E = (a / (1 - q))%:E)%R.
Proof.
move=> a0 q0 q1; have -> : [set: nat] = [set n | predT n] by apply/seteqP.
rewrite -nneseries_esum; last by move=> n _; rewrite lee_fin mulr_ge0 ?exprn_ge0 // ltW.
have cv := @cvg_geometric_series R a q; rewrite ger0_norm ?(ltW q0) // in cv.
rewrite -(cvg_lim _ (cv q1)) // -EFin_lim; last by apply/cvg_ex; eexists; apply: cv.
by congr (lim _); apply/funext => n /=; rewrite /series /= sumEFin.
Qed.

(* The discrete Laplace weights. *)
Definition ratio (b : R) : R := expR (- (1 / b)).
Definition dnorm (b : R) : R := (1 - ratio b) / (1 + ratio b).

Lemma ratio_gt0 b : (0 < ratio b)%R. Proof. exact: expR_gt0. Qed.
Lemma ratio_lt1 b : (0 < b -> ratio b < 1)%R.
Proof. by move=> b0; rewrite expR_lt1 oppr_lt0 divr_gt0. Qed.

Lemma dlap_nat b (n : nat) : (lap expoR dnorm b n%:R = dnorm b * ratio b ^+ n)%R.
Proof.
by rewrite /lap /= ger0_norm ?ler0n // /ratio -expRMm mulrN mul1r mulrC.
Qed.

Lemma dlapN b x : lap expoR dnorm b (- x) = lap expoR dnorm b x.
Proof. by rewrite /lap normrN. Qed.

Theorem dlap_total b (m : int) : (0 < b)%R ->
  \esum_(k in [set: int]) (lap expoR dnorm b (k - m)%:~R)%:E = 1.
Proof.
move=> b0; have q0 := ratio_gt0 b; have q1 := ratio_lt1 b0.
have q1' : (0 < 1 - ratio b)%R by rewrite subr_gt0.
have q2' : (0 < 1 + ratio b)%R by rewrite addr_gt0.
have c0 : (0 <= dnorm b)%R by rewrite /dnorm ltW // divr_gt0.
have l0 x : (0 <= lap expoR dnorm b x)%R.
  by rewrite mulr_ge0 // expo_ge0.
rewrite (reindex_esum [set: int] _ (fun k : int => (k + m)%R)) //; last first.
  split=> // [k1 k2 _ _ /addIr //|k _]; exists (k - m)%R => //; exact: subrK.
under eq_esum do rewrite addrK.
rewrite (esumID (range Posz)) => [|k _]; last by rewrite lee_fin.
rewrite !setTI.
have -> : ~` (range Posz) = range Negz.
  apply/seteqP; split=> [[k|k] /=|_ [k _ <-] [] //]; last by exists k.
  by case; exists k.
rewrite (reindex_esum [set: nat] _ Posz); last first.
  by apply: inj_bij => i j _ _ [].
rewrite (reindex_esum [set: nat] (range Negz) Negz); last first.
  by apply: inj_bij => i j _ _ [].
have -> : \esum_(i in [set: nat]) (lap expoR dnorm b (Posz i)%:~R)%:E
    = (dnorm b / (1 - ratio b))%:E.
  by rewrite -esum_geometric //; apply: eq_esum => n _; rewrite -dlap_nat.
have -> : \esum_(i in [set: nat]) (lap expoR dnorm b (Negz i)%:~R)%:E
    = (dnorm b * ratio b / (1 - ratio b))%:E.
  have cq0 : (0 <= dnorm b * ratio b)%R by rewrite mulr_ge0 // ltW.
  rewrite -esum_geometric //; apply: eq_esum => n _.
  by rewrite NegzE mulrNz dlapN -mulrA -exprS -dlap_nat.
rewrite -EFinD -mulrDl -[X in (X + _)%R]mulr1 -mulrDr /dnorm divfK ?gt_eqF //.
by rewrite divff ?gt_eqF.
Qed.

(* Transcripts. *)
Section Total.
Variables (T : choiceType) (stop : seq T -> bool) (k : seq T -> T -> R).
Hypothesis k_ge0 : forall h o, (0 <= k h o)%R.
Hypothesis k_total : forall h, ~~ stop h ->
  \esum_(o in [set: T]) (k h o)%:E = 1.
Variable m : nat.
Hypothesis stop_m : forall h, (m <= size h)%N -> stop h.

Lemma like_from_total j h : (m <= size h + j)%N ->
  \esum_(t in [set: seq T]) (like_from stop k h t)%:E = 1.
Proof.
have l0 h' t : 0 <= (like_from stop k h' t)%:E by rewrite lee_fin like_from_ge0.
elim: j h => [|j IH] h; rewrite (esumID [set [::]]) ?setTI //.
  rewrite addn0 => /stop_m sh; rewrite esum_set1 //= sh.
  by rewrite esum1 ?adde0 // => -[|o t] //= _; rewrite sh /= !mul0r.
move=> le; rewrite esum_set1 //=.
have -> : ~` [set [::]] = (fun p : T * seq T => p.1 :: p.2) @` [set: T * seq T].
  apply/seteqP; split=> [[|o t] //= _|_ [[o t] _ <-] //].
  by exists (o, t).
rewrite (reindex_esum [set: T * seq T] _ (fun p : T * seq T => p.1 :: p.2)); last first.
  by apply: inj_bij => -[o1 t1] [o2 t2] _ _ /= [-> ->].
have -> : [set: T * seq T] = [set: T] `*`` (fun=> [set: seq T]).
  by apply/seteqP; split.
rewrite -(@esum_esum _ _ _ _ _ (fun o t => (like_from stop k h (o :: t))%:E)) //.
case: (boolP (stop h)) => sh /=.
  by rewrite esum1 ?adde0 // => o _; rewrite esum1 // => t _; rewrite ?sh /= !mul0r.
rewrite add0e -(k_total sh); apply: eq_esum => o _.
under eq_esum do rewrite ?(negbTE sh) /= mul1r EFinM.
by rewrite esumZ // IH ?mule1 // size_rcons addSnnS.
Qed.

Theorem like_total : \esum_(t in [set: seq T]) (like stop k t)%:E = 1.
Proof. by apply: (@like_from_total m). Qed.
End Total.

(* Vectors of independent numbers. *)
Section Vector.
Variables (I : finType) (T : choiceType) (f : I -> T -> R).
Hypothesis f_ge0 : forall i t, (0 <= f i t)%R.
Hypothesis f_total : forall i, \esum_(t in [set: T]) (f i t)%:E = 1.

Let pr (s : seq I) (t : seq T) : R := (\prod_(p <- zip s t) f p.1 p.2)%R.

Lemma pr_total (s : seq I) :
  \esum_(t in [set t | size t = size s]) (pr s t)%:E = 1.
Proof.
have p0 s' t : 0 <= (pr s' t)%:E by rewrite lee_fin prodr_ge0.
elim: s => [|i s IH].
  have -> : [set t : seq T | size t = size (@nil I)] = [set [::]].
    by apply/seteqP; split=> [t /size0nil ->|t ->].
  by rewrite esum_set1 // /pr big_nil.
pose J := [set t : seq T | size t = size s].
have -> : [set t : seq T | size t = size (i :: s)]
    = (fun p : T * seq T => p.1 :: p.2) @` ([set: T] `*`` (fun=> J)).
  apply/seteqP; split=> [[|o t] //= [sz]|_ [[o t] [_ /= sz] <-] /=].
    by exists (o, t).
  by rewrite sz.
rewrite (reindex_esum ([set: T] `*`` (fun=> J)) _ (fun p : T * seq T => p.1 :: p.2));
  last by apply: inj_bij => -[o1 t1] [o2 t2] _ _ /= [-> ->].
rewrite -(@esum_esum _ _ _ _ _ (fun o t => (pr (i :: s) (o :: t))%:E)) //.
rewrite -(f_total i); apply: eq_esum => o _.
transitivity ((f i o)%:E * \esum_(t in J) (pr s t)%:E); last by rewrite IH mule1.
by rewrite -esumZ //; apply: eq_esum => t _; rewrite /pr /= big_cons EFinM.
Qed.

Theorem vector_total :
  \esum_(o in [set: {ffun I -> T}]) (\prod_i f i (o i))%:E = 1.
Proof.
rewrite -(pr_total (enum I)).
rewrite (reindex_esum [set: {ffun I -> T}] _ (fun o : {ffun I -> T} => codom o)).
  apply: eq_esum => o _; congr (_%:E); rewrite /pr codomE.
  have -> s : zip s (map o s) = [seq (i, o i) | i <- s] by elim: s => //= i s ->.
  by rewrite big_map big_enum.
split=> [o _ /=|o1 o2 _ _ /= eqc|t /= sz].
- by rewrite size_codom cardE.
- apply/ffunP => i; move: eqc; rewrite !codomE => /eq_in_map; apply.
  by rewrite mem_enum.
- have sz' : size t == #|I| by rewrite sz -cardE.
  exists (Finfun (Tuple sz')) => //.
  by have := FinfunK (Tuple sz') => /(congr1 val) /=.
Qed.
End Vector.

Definition toR (I : finType) (o : {ffun I -> int}) : I -> R := fun i => (o i)%:~R.

Lemma dnorm_ge0 b : (0 < b -> 0 <= dnorm b)%R.
Proof.
move=> b0; rewrite /dnorm divr_ge0 ?subr_ge0 ?(ltW (ratio_lt1 b0)) //.
by rewrite addr_ge0 // ltW // ratio_gt0.
Qed.

Theorem laps_total (I : finType) (P : pred I) (b : I -> R) (m : I -> int) :
  (forall i, P i -> 0 < b i)%R ->
  \esum_(o in [set: {ffun I -> int}])
     (laps expoR dnorm P b (fun i => (m i)%:~R) (toR o))%:E = 1.
Proof.
move=> b0; pose f i (k : int) : R :=
  (if P i then lap expoR dnorm (b i) (k%:~R - (m i)%:~R) else (k%:~R == 0 :> R)%:R)%R.
rewrite -(@vector_total I _ f) //.
  move=> i k; rewrite /f; case: ifP => [/b0 bi|_]; last exact: ler0n.
  by rewrite mulr_ge0 ?dnorm_ge0 // expo_ge0.
move=> i; rewrite /f; case: (boolP (P i)) => [/b0 bi|_].
  by rewrite -(dlap_total (m i) bi); apply: eq_esum => k _; rewrite mulrzBr.
rewrite (esumID [set 0%R : int]) ?setTI => [|k _]; last by rewrite lee_fin ler0n.
rewrite esum_set1 ?eqxx ?lee_fin ?ler01 // esum1 ?adde0 // => k /eqP.
by rewrite intr_eq0 => /negbTE ->.
Qed.
End Instance.


