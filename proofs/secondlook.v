(* secondlook.v: `frontier` as it is coded (docs/math/27).

   In words.  S is the set of seeds, N the nodes outside S with a seed among their neighbours, O the
   rest, U >= 0 the unit in which links are counted.  Three blocks of numbers are released in turn:
     1  x in N: links into N, scale b1;  x in O: links into N, scale b3.
        Now a set A within O is chosen by ANY function of N and of what was released; R = O \ A.
     2  x in N: links into O, scale b2;  x in R: the sum over neighbours y in R of w(number of y's
        links into R), scale b4; and, unless A is empty, x in A: links into A, scale b0;
        x in R: links into A, scale bp.
     3  x in A: the sum of W y over the neighbours y of x in R, scale bq.  The weights W,
        0 <= W y <= U, are ANY function of N and of blocks 1 and 2 as they were released.
   Here w >= 0 and Sw satisfies w(d+1) + d |w(d) - w(d+1)| <= Sw for all d <= |V| - 2.
   Theorem [secondlook_dp]: if
       2U/b1 <= eps,  U/b2 + U/b3 <= eps,  2 Sw/b4 <= eps,  2U/b0 <= eps,  U/bp + U/bq <= eps,
   then for graphs that differ in one edge which touches no seed the transcript is eps-DP
   (personalized scope).  All larger scales are covered, too ([larger] in twohop.v).
   [final.v] has the same for real probabilities on integers; [formulas.v] these five costs as the
   program computes them, and that its weights lie between 0 and U ([weight_unit]).

   Covers: the plan `frontier` (src/plan/frontier.cpp), frontier_cost_up
   (src/accounting/edge_cost.cpp), what src/mechanism/frontier.cpp counts: first_counts, look_again,
   count_out_of_set.
   Leaves out: how A is chosen (src/estimate/frontier_set.cpp: a function of N and of released numbers),
   the estimate (post-processing, [joint.v]). *)
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint.
From hushwalk Require Import laplace adaptive graph shared twohop.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(* Sums over neighbours with weights that an edge does not move. *)
Section Sums.
Variables (R : realFieldType) (V : finType).
Implicit Types (G : graph V) (f : V -> R).

Definition sums G f x : R := \sum_(y in nb G x) f y.

Lemma sums_end G G' u v f : apart G G' u v -> sums G' f u = f v + sums G f u.
Proof. by move=> ap; rewrite /sums (nb_end ap) big_setU1 ?(end_new ap). Qed.

Lemma sums_move G G' u v f x : apart G G' u v -> (forall y, 0 <= f y) ->
  `|sums G f x - sums G' f x| = (x == u)%:R * f v + (x == v)%:R * f u.
Proof.
move=> ap f0; have uv := apart_neq ap.
have shift (a b : R) : 0 <= a -> `|b - (a + b)| = a.
  by move=> a0; rewrite opprD addrCA subrr addr0 normrN ger0_norm.
have [->|xu] := eqVneq x u.
  by rewrite (sums_end f ap) (negbTE uv) mul1r mul0r addr0 shift.
have [->|xv] := eqVneq x v; first by rewrite (sums_end f (apartC ap)) mul1r mul0r add0r shift.
by rewrite /sums (nb_other ap xu xv) subrr normr0 !mul0r addr0.
Qed.
End Sums.

Section SecondLook.
Variables (R : realFieldType) (e : expo R) (c : R -> R).
Hypothesis c_ge0 : forall b, 0 < b -> 0 <= c b.
Variables (V : finType) (S : {set V}) (w : nat -> R) (Sw eps : R).
Variables (U b1 b2 b3 b4 b0 bp bq : R).
Hypotheses (w_ge0 : forall d, 0 <= w d) (Sw_ok : taper_bound w Sw #|V|) (U_ge0 : 0 <= U).
Hypotheses (b1_gt0 : 0 < b1) (b2_gt0 : 0 < b2) (b3_gt0 : 0 < b3) (b4_gt0 : 0 < b4)
  (b0_gt0 : 0 < b0) (bp_gt0 : 0 < bp) (bq_gt0 : 0 < bq).
Hypotheses (inN : 2%:R * U / b1 <= eps) (between : U / b2 + U / b3 <= eps)
  (inR : 2%:R * Sw / b4 <= eps) (among : 2%:R * U / b0 <= eps) (across : U / bp + U / bq <= eps).

(* Numbers are indexed by a node and a bit: true for the tapered background. *)
Notation block := (V * bool -> R).
Variable choose : {set V} -> block -> {set V}.
Variable W : {set V} -> seq block -> V -> R.
Hypotheses (W_ge0 : forall N h y, 0 <= W N h y) (W_le : forall N h y, W N h y <= U).
Implicit Types (G : graph V) (h t : seq block) (x y : V) (N O A Z : {set V}).

Definition chosen G h : {set V} :=
  if h is o :: _ then choose (Nset S G) o :&: Oset S G else set0.
Definition left_over G h : {set V} := Oset S G :\: chosen G h.
Arguments chosen : simpl never.
Arguments left_over : simpl never.

(* What a link of x to y counts in the block after h. *)
Definition read G h x y : R :=
  match size h with
  | 0 => if y \in Nset S G then U else 0
  | 1 => if x \in Nset S G then (if y \in Oset S G then U else 0)
         else if y \in chosen G h then U else 0
  | _ => if y \in left_over G h then W (Nset S G) h y else 0
  end.
Definition held G h (i : V * bool) : bool :=
  let: (x, background) := i in
  match size h with
  | 0 => ~~ background && (x \notin S)
  | 1 => if background then x \in left_over G h
         else (x \in Nset S G) || (chosen G h != set0) && (x \in Oset S G)
  | _ => ~~ background && (x \in chosen G h)
  end.
Definition scale G h (i : V * bool) : R :=
  let: (x, background) := i in
  if background then b4 else
  match size h with
  | 0 => if x \in Nset S G then b1 else b3
  | 1 => if x \in Nset S G then b2 else if x \in chosen G h then b0 else bp
  | _ => bq
  end.
Definition value G h (i : V * bool) : R :=
  let: (x, background) := i in
  if background then tapered w G (left_over G h) x else sums G (read G h x) x.
Definition stop h := (3 <= size h)%N.
Definition secondlook G := like stop (fun h => laps e c (held G h) (scale G h) (value G h)).

Lemma scale_gt0 G h i : 0 < scale G h i.
Proof. by case: i => x [] //=; case: (size h) => [|[|n]] //; do ?case: ifP. Qed.

Lemma read_ge0 G h x y : 0 <= read G h x y.
Proof. by rewrite /read; case: (size h) => [|[|n]]; do ?case: ifP. Qed.

Section Edge.
Variables (G G' : graph V) (u v : V).
Hypotheses (ap : apart G G' u v) (uS : u \notin S) (vS : v \notin S).
Let sameN : Nset S G' = Nset S G. Proof. exact: Nset_same ap uS vS. Qed.
Let sameO : Oset S G' = Oset S G. Proof. exact: Oset_same ap uS vS. Qed.

Lemma chosen_same h : chosen G' h = chosen G h.
Proof. by rewrite /chosen sameN sameO. Qed.
Lemma left_same h : left_over G' h = left_over G h.
Proof. by rewrite /left_over sameO chosen_same. Qed.
Lemma read_same h x y : read G' h x y = read G h x y.
Proof. by rewrite /read sameN sameO chosen_same left_same. Qed.
Lemma held_same h i : held G' h i = held G h i.
Proof. by case: i => x b; rewrite /held sameN sameO chosen_same left_same. Qed.
Lemma scale_same h i : scale G' h i = scale G h i.
Proof. by case: i => x b; rewrite /scale sameN chosen_same. Qed.

(* What x pays for its link to y in the block after h. *)
Definition pay h x y : R := if held G h (x, false) then read G h x y / scale G h (x, false) else 0.
Definition spread h : R := if (size h == 1)%N && (u \in left_over G h) && (v \in left_over G h)
  then eps else 0.

Lemma sums_cost h :
  \sum_(x | held G h (x, false)) `|value G h (x, false) - value G' h (x, false)| / scale G h (x, false)
  = pay h u v + pay h v u.
Proof.
have same x : sums G' (read G' h x) x = sums G' (read G h x) x.
  by apply: eq_bigr => y _; rewrite read_same.
under eq_bigr => x _ do rewrite /= same (sums_move _ ap (read_ge0 _ _ _)) mulrDl -!mulrA.
rewrite big_split /=.
have one x0 y0 : \sum_(x | held G h (x, false))
    (x == x0)%:R * (read G h x y0 / scale G h (x, false)) = pay h x0 y0.
  rewrite big_mkcond (bigD1 x0) //= eqxx big1 ?addr0 => [|x /negbTE ->]; last first.
    by rewrite mul0r if_same.
  by rewrite /pay mul1r.
by rewrite !one.
Qed.

Lemma tapered_cost (Z : {set V}) :
  \sum_(x in Z) `|tapered w G Z x - tapered w G' Z x| / b4
  <= if (u \in Z) && (v \in Z) then eps else 0.
Proof.
have -> : \sum_(x in Z) `|tapered w G Z x - tapered w G' Z x| / b4 = (\sum_(x in Z)
    `|background w (ind G' Z) x - background w (ind G Z) x|) / b4.
  by rewrite -mulr_suml; congr (_ / _); apply: eq_bigr => x xZ; rewrite !tapered_ind // distrC.
case: ifP => [/andP[uZ vZ]|/negbT nZ].
  apply: le_trans inR; rewrite ler_wpmul2r ?invr_ge0 ?(ltW b4_gt0) //.
  apply: le_trans (taper_l1 w_ge0 Sw_ok (ind_apart ap uZ vZ)).
  by rewrite big_mkcond; apply: ler_sum => x _; case: ifP => // _; exact: normr_ge0.
by rewrite big1 ?mul0r // => x _; rewrite (background_ext _ (ind_same ap nZ)) subrr normr0.
Qed.

Lemma block_cost h : cost (held G h) (scale G h) (value G h) (value G' h)
  <= pay h u v + pay h v u + spread h.
Proof.
have -> : cost (held G h) (scale G h) (value G h) (value G' h) = \sum_k \sum_(x | held G h (x, k))
    `|value G h (x, k) - value G' h (x, k)| / scale G h (x, k).
  rewrite pair_big_dep /cost (reindex (fun p : bool * V => (p.2, p.1))) /=.
    by apply: eq_big => -[].
  by exists (fun p : V * bool => (p.2, p.1)) => -[].
rewrite big_bool sums_cost [X in X <= _]addrC ler_add2l /spread.
case: h => [|o [|o2 h]]; [by rewrite big_pred0| |by rewrite big_pred0].
by rewrite /value left_same; apply: tapered_cost.
Qed.

Section Transcript.
Variables (o1 o2 o3 : block).
Let h1 := [:: o1].
Let h2 := [:: o1; o2].
Let A := chosen G h1.
Let Z := left_over G h1.

(* Each end is in N, in A or in the rest. *)
Lemma side x : x \notin S ->
  [\/ [/\ x \in Nset S G, x \notin Oset S G, x \notin A & x \notin Z],
      [/\ x \notin Nset S G, x \in Oset S G, x \in A & x \notin Z]
    | [/\ x \notin Nset S G, x \in Oset S G, x \notin A & x \in Z]].
Proof.
move=> xS; rewrite /A /Z /left_over /chosen /= !(in_setI, in_setD).
have -> : (x \in Oset S G) = (x \notin Nset S G) by rewrite [in LHS]inE xS.
case: (x \in Nset S G); rewrite ?andbF ?andbT /=; first by constructor 1.
by case: (x \in choose _ _); [constructor 2|constructor 3].
Qed.

Lemma total : (pay [::] u v + pay [::] v u + spread [::])
  + (pay h1 u v + pay h1 v u + spread h1) + (pay h2 u v + pay h2 v u + spread h2) <= eps.
Proof.
have U0 d : 0 < d -> 0 <= U / d by move=> /ltW d0; rewrite divr_ge0.
have W0 y : W (Nset S G) h2 y / bq <= U / bq by rewrite ler_wpmul2r ?invr_ge0 ?(ltW bq_gt0).
have d2 d : U / d + U / d = 2%:R * U / d by rewrite -mulrDl -mulr2n -mulr_natl.
have e0 : 0 <= eps by apply: le_trans between; rewrite addr_ge0 ?U0.
have between' : U / b3 + U / b2 <= eps by rewrite addrC.
have among' : (if A != set0 then U / b0 else 0) + (if A != set0 then U / b0 else 0) <= eps.
  by case: ifP => _; rewrite ?d2 ?addr0.
have across' y : (if A != set0 then U / bp else 0) + W (Nset S G) h2 y / bq <= eps.
  by apply: le_trans across; apply: ler_add (W0 y); case: ifP => // _; apply: U0.
rewrite /pay /spread /read /held /scale /= uS vS -/A -/Z.
have -> : chosen G h2 = A by [].
have -> : left_over G h2 = Z by [].
case: (side uS) => -[uN uO uA uZ]; case: (side vS) => -[vN vO vA vZ];
  rewrite ?uN ?(negbTE uN) ?uO ?(negbTE uO) ?uA ?(negbTE uA) ?uZ ?(negbTE uZ)
          ?vN ?(negbTE vN) ?vO ?(negbTE vO) ?vA ?(negbTE vA) ?vZ ?(negbTE vZ)
          ?andbF ?andbT ?orbF ?mul0r ?if_same /= ?addr0 ?add0r ?d2 //.
Qed.
End Transcript.

Lemma block_close h : close e (pay h u v + pay h v u + spread h)
  (laps e c (held G h) (scale G h) (value G h)) (laps e c (held G' h) (scale G' h) (value G' h)).
Proof.
move=> o; have -> : laps e c (held G' h) (scale G' h) (value G' h) o
    = laps e c (held G h) (scale G h) (value G' h) o.
  by apply: eq_bigr => i _; rewrite held_same scale_same.
by apply: laplace_dp (block_cost h) o => // i _; apply: scale_gt0.
Qed.

Theorem secondlook_dp : close e eps (secondlook G) (secondlook G').
Proof.
apply: (adaptive_dp (c := fun h => pay h u v + pay h v u + spread h)) => [h o|h o|h|t].
- by apply: laps_ge0 => // i _; apply: scale_gt0.
- by apply: laps_ge0 => // i _; apply: scale_gt0.
- exact: block_close.
rewrite /complete /stop; case: t => [|o1 [|o2 [|o3 [|o4 t]]]] //= _.
by rewrite /costs /= addr0 addrA; apply: total.
Qed.
End Edge.
End SecondLook.
