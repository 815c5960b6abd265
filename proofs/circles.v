(* circles.v: degrees and one-sided ordered rows (prototype `circles`).

   In words.  Release D, the degrees with scale 2/ed.  From D alone follow a gate
   and an order of the nodes.  If the gate says so, release the degrees once more
   with scale 2/(ef+eb) and stop.  Otherwise visit the nodes in order; the row of
   x counts, for each of K labels, the neighbours that come BEFORE x and have that
   label, scale 1/ef; then visit them in reverse order and count the neighbours
   that come AFTER x, scale 1/eb.  The labels in use at each step are any function
   of everything released before (so they may change from row to row).
   Theorem [circles_dp]: for any two graphs that differ in one edge, any order,
   gate and labelling rule, the whole transcript is (ed + ef + eb)-DP.
   The order must list every node exactly once. *)
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint.
From hushwalk Require Import laplace adaptive graph shared.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Circles.
Variables (R : realFieldType) (e : expo R) (c : R -> R).
Hypothesis c_ge0 : forall b, 0 < b -> 0 <= c b.
Variables (V K : finType) (ed ef eb : R).
Hypotheses (ed0 : 0 < ed) (ef0 : 0 < ef) (eb0 : 0 < eb).
Implicit Types (G : graph V) (x : V).

(* A block: a number for every node (degrees) or for every label (a row). *)
Notation I := (V + K)%type.
Notation block := (I -> R).
Variables (gate : block -> bool) (order : block -> seq V).
Variable label : seq block -> V -> K.
Hypothesis order_uniq : forall D, uniq (order D).
Hypothesis order_all : forall D x, x \in order D.
Implicit Types (D : block) (h t : seq block).

Let n := #|V|.

Lemma size_order D : size (order D) = n.
Proof.
rewrite -(card_uniqP (order_uniq D)); apply: eq_card => x.
by rewrite order_all.
Qed.

(* Position of x in the order; the neighbours counted in the row after D :: r are
   those before (first n rows) or after (last n rows) the node visited. *)
Definition pos D x := index x (order D).
Definition visited D j : nat := if (j < n)%N then j else (n + n - j.+1)%N.
Definition side D j x : bool :=
  if (j < n)%N then (pos D x < visited D j)%N else (visited D j < pos D x)%N.

Definition held h (i : I) : bool :=
  match h, i with
  | [::], inl _ => true     | [::], inr _ => false
  | D :: _, inl _ => gate D | D :: _, inr _ => ~~ gate D
  end.
Definition value G h (i : I) : R :=
  match h, i with
  | _, inl x => (deg G x)%:R
  | [::], inr _ => 0
  | D :: r, inr k => \sum_(x | pos D x == visited D (size r))
      links R G [set y | side D (size r) y && (label h y == k)] x
  end.
Definition scale h (_ : I) : R :=
  if h is D :: r then
    if gate D then 2%:R / (ef + eb)
    else if (size r < n)%N then 1 / ef else 1 / eb
  else 2%:R / ed.
Definition stop h : bool :=
  if h is D :: r then ((if gate D then 1 else n + n) <= size r)%N else false.

Definition circles G : seq block -> R :=
  like stop (fun h => laps e c (held h) (scale h) (value G h)).

Lemma scale_gt0 h i : 0 < scale h i.
Proof.
case: h => [|D r] /=; first by rewrite divr_gt0 ?ltr0n.
by case: ifP => _; [|case: ifP => _]; rewrite divr_gt0 ?addr_gt0 ?ltr01 ?ltr0n.
Qed.

Section Edge.
Variables (G G' : graph V) (u v : V).
Hypothesis ap : apart G G' u v.

Let step h := cost (held h) (scale h) (value G h) (value G' h).

Lemma degrees_l1 : \sum_x `|(deg G x)%:R - (deg G' x)%:R : R| <= 2%:R.
Proof.
have := taper_l1 (fun=> ler01) (@taper_bound1 R #|V|) ap; rewrite mulr1.
by under eq_bigr do rewrite !background1 distrC.
Qed.

Lemma degrees_cost (b : R) : 0 < b ->
  \sum_x `|(deg G x)%:R - (deg G' x)%:R| / (2%:R / b) <= b.
Proof.
move=> b0; rewrite -mulr_suml ler_pdivr_mulr ?divr_gt0 ?ltr0n //.
by rewrite mulrCA divff ?gt_eqF // mulr1 degrees_l1.
Qed.

Lemma step0 : step [::] <= ed.
Proof.
by rewrite /step /cost big_sumType /= [X in _ + X]big_pred0_eq addr0 degrees_cost.
Qed.

Lemma step_gate D : gate D -> step [:: D] <= ef + eb.
Proof.
move=> g; rewrite /step /cost big_sumType /= g [X in _ + X]big_pred0_eq addr0.
by rewrite degrees_cost // addr_gt0.
Qed.

(* A row moves only if its node is one end and the other end is on its side. *)
Definition seen D j : R :=
  ((pos D u == visited D j) && side D j v)%:R
  + ((pos D v == visited D j) && side D j u)%:R.

Lemma row_l1 D r :
  \sum_k `|value G (D :: r) (inr k) - value G' (D :: r) (inr k)|
  <= seen D (size r).
Proof.
set j := size r; rewrite /= -/j.
apply: le_trans (_ : \sum_k \sum_(x | pos D x == visited D j)
    (((x == u) && (side D j v && (label (D :: r) v == k)))%:R
     + ((x == v) && (side D j u && (label (D :: r) u == k)))%:R) <= _).
  apply: ler_sum => k _; rewrite -sumrB; apply: le_trans (ler_norm_sum _ _ _) _.
  by apply: ler_sum => x _; rewrite (links_move R _ _ ap) !inE.
rewrite exchange_big /=.
have one x0 y0 : \sum_(x | pos D x == visited D j) \sum_k
    ((x == x0) && (side D j y0 && (label (D :: r) y0 == k)))%:R
    = ((pos D x0 == visited D j) && side D j y0)%:R :> R.
  rewrite big_mkcond (bigD1 x0) //= [X in _ + X]big1 ?addr0; last first.
    by move=> x /negbTE ->; case: ifP => // _; apply: big1.
  case: ifP => //= _; rewrite (bigD1 (label (D :: r) y0)) //= !eqxx andbT /=.
  by rewrite big1 ?addr0 // => k; rewrite eq_sym => /negbTE ->; rewrite andbF.
under eq_bigr do rewrite big_split.
by rewrite big_split !one.
Qed.

Lemma step_row D r : ~~ gate D ->
  step (D :: r) <= seen D (size r) * (if (size r < n)%N then ef else eb).
Proof.
move=> g; rewrite /step /cost big_sumType /= (negbTE g).
rewrite [X in X + _]big_pred0_eq add0r -mulr_suml.
have -> (b : bool) (x y : R) : (if b then 1 / x else 1 / y)^-1 = if b then x else y.
  by case: b; rewrite div1r invrK.
by rewrite ler_wpmul2r ?row_l1 //; case: ifP => _; apply: ltW.
Qed.

(* Over one sweep the edge is seen exactly once. *)
Lemma pos_neq D : pos D u != pos D v.
Proof.
apply/eqP => /(congr1 (nth u (order D))); rewrite !nth_index ?order_all // => uv.
by have := apart_neq ap; rewrite uv eqxx.
Qed.

Lemma pos_lt D x : (pos D x < n)%N.
Proof. by rewrite -(size_order D) index_mem order_all. Qed.

Lemma seen_forward D : \sum_(j < n) seen D j = 1.
Proof.
have one x y : \sum_(j < n) ((pos D x == visited D j) && side D j y)%:R
    = (pos D y < pos D x)%N%:R :> R.
  rewrite (bigD1 (Ordinal (pos_lt D x))) //= big1 ?addr0 => [|j /eqP ne].
    by rewrite /side /visited pos_lt eqxx.
  rewrite /visited ltn_ord; case: eqP => //= px.
  by case: ne; apply: val_inj.
by rewrite big_split /= !one; case: ltngtP (pos_neq D) => //= _ _;
  rewrite ?addr0 ?add0r.
Qed.

Lemma seen_backward D : \sum_(j < n) seen D (n + j) = 1.
Proof.
have one x y : \sum_(j < n) ((pos D x == visited D (n + j)) && side D (n + j) y)%:R
    = (pos D x < pos D y)%N%:R :> R.
  rewrite (reindex_inj rev_ord_inj) /= (bigD1 (Ordinal (pos_lt D x))) //=.
  have vis (j : 'I_n) : visited D (n + (n - j.+1)) = j.
    by rewrite /visited ltnNge leq_addr /= -addnS subnDl subnSK // subKn // ltnW.
  rewrite big1 ?addr0 => [|j /eqP ne].
    by rewrite /side (vis (Ordinal (pos_lt D x))) ltnNge leq_addr eqxx.
  by rewrite vis; case: eqP => //= px; case: ne; apply: val_inj.
by rewrite big_split /= !one; case: ltngtP (pos_neq D) => //= _ _;
  rewrite ?addr0 ?add0r.
Qed.

Lemma costs_circles t : complete stop t ->
  \sum_(j < size t) step (take j t) <= ed + (ef + eb).
Proof.
rewrite /complete complete_fromE /=; case: t => [//|D r] /= /andP[ge /forallP fa].
have sz : size r = (if gate D then 1 else n + n)%N.
  apply/eqP; rewrite eqn_leq ge andbT; have := fa ord_max.
  case: (r) => [|D' r'] //=; rewrite -ltnNge size_take /=.
  by rewrite ltnSn.
rewrite big_ord_recl /= ler_add ?step0 //.
have [g|g] := boolP (gate D).
  by rewrite sz g big_ord_recl big_ord0 addr0 /= take0 step_gate.
apply: le_trans (_ : \sum_(j < size r) seen D j * (if (j < n)%N then ef else eb) <= _).
  apply: ler_sum => j _; apply: le_trans (step_row _ g) _.
  by rewrite size_takel // ltnW.
rewrite sz (negbTE g) big_split_ord /= ler_add //.
  under eq_bigr do rewrite ltn_ord.
  by rewrite -mulr_suml seen_forward mul1r.
under eq_bigr do rewrite ltnNge leq_addr.
by rewrite -mulr_suml seen_backward mul1r.
Qed.

Theorem circles_dp : close e (ed + (ef + eb)) (circles G) (circles G').
Proof.
apply: adaptive_laplace => // [h i _|t ct]; first exact: scale_gt0.
exact: costs_circles.
Qed.
End Edge.
End Circles.

