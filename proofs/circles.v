(* circles.v: `circles`: lossless degrees, gate, stop, rows (docs/math/26).

   In words.  Every node has two noisy degrees: D2 = degree + noise of scale b2,
   and D1 = D2 + W, where the law of W (here [hide]) does not look at the graph and
   is such that D1 is the degree + noise of the larger scale bd.  D1 is published.
   From D1 follow a gate, an order of the nodes and a core: the first nodes of the
   order.
     gate:  if the gate says so, D2 of all nodes is published, and that is the end.
     rows:  otherwise nodes are visited in order.  The row of x counts, for each of
            K labels, the neighbours of x that come BEFORE x and have that label,
            noise of scale bf.
     stop:  after the rows of the core it may be decided to stop.  Then D2 is
            published for the nodes outside the core, and for each node of the core
            the number of its links that leave the core, scale bl.
            Otherwise the rows go on to the last node; then nodes are visited
            in reverse order, and the row of x counts the neighbours that come AFTER
            x, scale bb.
   Which labels are in use at each row, and whether to stop, are ANY functions of
   everything published before; gate, order and core are any functions of D1.
   Theorem [circles_dp]: if
       2/b2 <= eps,    2/bd + 1/bf + 1/bb <= eps,    1/bd + 1/b2 + 1/bl <= eps,
   then for any two graphs that differ in one edge the whole transcript is eps-DP.
   Lemma [note_scales]: b2 = 2/eps, bd = 2/ed, bf = 1/ef, bb = 1/eb and
   bl = 2/(eps - ed) satisfy this when ed + ef + eb = eps; so do all larger ones.
   The order must list every node exactly once.
   The program visits blocks of nodes, and the rows of a block count links to earlier (later)
   blocks only.  That is this release with one more label, which the nodes of the block
   at hand bear and whose cells are thrown away: post-processing.  So is leaving out D1.  So are
   the cells of labels beyond the number that D1 decides: nobody bears them.

   D2 given D1 has the probability lap b2 (D2 - d) * hide (D1 - D2) / lap bd (D1 - d)
   ([second]); that these add up to 1, that is, that D1 has the Laplace law of
   scale bd, is proven in [lossless.v] for the W that is used.

   Covers: what the mechanism `circles` publishes and what its plan charges.
   Leaves out: numbers that saturate when they are stored (note 26), how labels, gate and stop are computed (any functions of published
   numbers will do; that the program computes them from nothing else is by reading
   and by tests), and what recipients make of it ([joint.v]). *)
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint ring.
From hushwalk Require Import laplace adaptive graph.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Circles.
Variables (R : realFieldType) (e : expo R) (c : R -> R).
Hypothesis c_gt0 : forall b, 0 < b -> 0 < c b.
Variables (V K : finType) (bd b2 bf bb bl eps : R).
Hypotheses (bd0 : 0 < bd) (b20 : 0 < b2) (bf0 : 0 < bf) (bb0 : 0 < bb) (bl0 : 0 < bl).
Hypotheses (whole : 2%:R / b2 <= eps) (rows : 2%:R / bd + 1 / bf + 1 / bb <= eps)
  (parts : 1 / bd + 1 / b2 + 1 / bl <= eps).
Variable hide : R -> R.
Hypothesis hide_ge0 : forall x, 0 <= hide x.
Implicit Types (G : graph V) (x y : V).

(* A block: a number for every node, or for every label (a row). *)
Notation I := (V + K)%type.
Notation block := (I -> R).
Variables (gate : block -> bool) (order : block -> seq V) (core : block -> nat).
Variables (halt : seq block -> bool) (label : seq block -> V -> K).
Hypothesis order_uniq : forall D, uniq (order D).
Hypothesis order_all : forall D x, x \in order D.
Hypothesis core_le : forall D, (core D <= #|V|)%N.
Implicit Types (D : block) (h t r : seq block) (o : block).

Let n := #|V|.
Local Notation lap := (lap e c).
Local Notation links := (links R).

Lemma size_order D : size (order D) = n.
Proof.
rewrite -(card_uniqP (order_uniq D)); apply: eq_card => x.
by rewrite order_all.
Qed.

(* Position of x in the order; the neighbours counted in the row after D :: r are
   those before (first n rows) or after (last n rows) the node visited. *)
Definition pos D x := index x (order D).
Definition visited (j : nat) : nat := if (j < n)%N then j else (n + n - j.+1)%N.
Definition side D j x : bool :=
  if (j < n)%N then (pos D x < visited j)%N else (visited j < pos D x)%N.
Definition outside D : {set V} := [set x | (core D <= pos D x)%N].

Definition degree G x : R := links G setT x.
Definition row G h k : R :=
  if h is D :: r then \sum_(x | pos D x == visited (size r))
      links G [set y | side D (size r) y && (label h y == k)] x
  else 0.
Definition rscale (j : nat) : R := if (j < n)%N then bf else bb.

(* The block after h is the last one, and shows second degrees. *)
Definition last h : bool :=
  if h is D :: r then gate D || (size r == core D) && halt h else false.
Definition shown D : pred V := fun x => gate D || (x \in outside D).
Definition second G x (d1 o : R) : R :=
  lap b2 (o - degree G x) * hide (d1 - o) / lap bd (d1 - degree G x).

Definition coord G h (i : I) (o : R) : R :=
  match h, i with
  | [::], inl x => lap bd (o - degree G x)
  | [::], inr _ => (o == 0)%:R
  | D :: r, inl x =>
      if last h then
        if shown D x then second G x (D (inl x)) o
        else lap bl (o - links G (outside D) x)
      else (o == 0)%:R
  | D :: r, inr k =>
      if last h then (o == 0)%:R else lap (rscale (size r)) (o - row G h k)
  end.
Definition kernel G h o : R := \prod_i coord G h i (o i).

Definition stop h : bool :=
  if h is D :: r then
    if gate D then (0 < size r)%N
    else if halt (D :: take (core D) r) then (core D < size r)%N
    else (n + n <= size r)%N
  else false.
Definition circles G : seq block -> R := like stop (kernel G).

Lemma rscale_gt0 j : 0 < rscale j. Proof. by rewrite /rscale; case: ifP. Qed.
Let c_ge0 b : 0 < b -> 0 <= c b. Proof. by move/c_gt0/ltW. Qed.

Lemma coord_ge0 G h i (o : R) : 0 <= coord G h i o.
Proof.
case: h i => [|D r] [x|k]; rewrite /coord ?ler0n ?lap_ge0 //.
  case: ifP => _; rewrite ?ler0n //; case: ifP => _; rewrite ?lap_ge0 //.
  by apply: mulr_ge0; [apply: mulr_ge0|rewrite invr_ge0]; rewrite ?lap_ge0.
by case: ifP => _; rewrite ?ler0n ?lap_ge0 ?rscale_gt0.
Qed.

Lemma kernel_ge0 G h o : 0 <= kernel G h o.
Proof. by apply: prodr_ge0 => i _; apply: coord_ge0. Qed.

Section Edge.
Variables (G1 G2 : graph V) (u v : V).
Hypothesis ap : apart G1 G2 u v \/ apart G2 G1 u v.

Lemma move A x : `|links G1 A x - links G2 A x|
  = ((x == u) && (v \in A))%:R + ((x == v) && (u \in A))%:R.
Proof. by case: ap => a; [|rewrite distrC]; rewrite (links_move _ _ _ a). Qed.

Lemma ends_neq : u != v. Proof. by case: ap => /apart_neq. Qed.

(* Sums over nodes of what moves at the ends only. *)
Lemma sum_ends (f : V -> R) : (forall x, x != u -> x != v -> f x = 0) ->
  \sum_x f x = f u + f v.
Proof.
move=> f0; rewrite (bigD1 u) //= (bigD1 v) /= ?[v == u]eq_sym ?ends_neq //.
by rewrite big1 ?addr0 // => x /andP[xu xv]; apply: f0.
Qed.

Lemma degree_other x : x != u -> x != v -> degree G1 x = degree G2 x.
Proof.
move=> xu xv; apply/eqP; rewrite -subr_eq0 -normr_eq0 move.
by rewrite (negbTE xu) (negbTE xv) addr0.
Qed.

Lemma degree_move x : `|degree G1 x - degree G2 x| = (x == u)%:R + (x == v)%:R.
Proof. by rewrite move !inE !andbT. Qed.

Lemma degree_end x : (x == u) || (x == v) -> `|degree G1 x - degree G2 x| = 1.
Proof.
case/orP=> /eqP ->; rewrite degree_move eqxx ?(negbTE ends_neq) ?addr0 //.
by rewrite eq_sym (negbTE ends_neq) add0r.
Qed.

(* What the published number i of the block after h costs; negative where the
   second degree takes back the price of the first. *)
Definition first_loss D x : R :=
  loss bd (D (inl x)) (degree G1 x) (degree G2 x).
Definition price h (i : I) (o : R) : R :=
  match h, i with
  | [::], inl x => loss bd o (degree G1 x) (degree G2 x)
  | [::], inr _ => 0
  | D :: r, inl x =>
      if last h then
        if shown D x then `|degree G1 x - degree G2 x| / b2 - first_loss D x
        else `|links G1 (outside D) x - links G2 (outside D) x| / bl
      else 0
  | D :: r, inr k =>
      if last h then 0 else `|row G1 h k - row G2 h k| / rscale (size r)
  end.
Definition step h o : R := \sum_i price h i (o i).

Lemma second_le x (d1 o : R) : second G1 x d1 o
  <= e (`|degree G1 x - degree G2 x| / b2 - loss bd d1 (degree G1 x) (degree G2 x))
     * second G2 x d1 o.
Proof.
have l0 G : lap bd (d1 - degree G x) != 0 by rewrite gt_eqF // lap_gt0 // c_gt0.
rewrite /second expoD; set E := e (- _).
have -> : (lap bd (d1 - degree G1 x))^-1 = E * (lap bd (d1 - degree G2 x))^-1.
  have := lap_loss e c bd d1 (degree G1 x) (degree G2 x); set L := e _ => ->.
  have LE : E = L^-1.
    have L0 : L != 0 by rewrite gt_eqF ?expo_gt0.
    by apply: (mulfI L0); rewrite divff // /L /E -expoD subrr expo0.
  by rewrite invfM LE.
rewrite [_ * (E * _)]mulrCA -[X in _ <= X]mulrA [X in _ <= X]mulrCA.
rewrite ler_wpmul2l ?expo_ge0 // mulrA ler_wpmul2r ?invr_ge0 ?lap_ge0 //.
by rewrite mulrA ler_wpmul2r // lap_shift.
Qed.

Lemma coord_le h i (o : R) : coord G1 h i o <= e (price h i o) * coord G2 h i o.
Proof.
case: h i => [|D r] [x|k] /=; rewrite ?expo0 ?mul1r //.
- by rewrite -lap_loss.
- case: ifP => _; rewrite ?expo0 ?mul1r //; case: ifP => _; last exact: lap_shift.
  exact: second_le.
- by case: ifP => _; rewrite ?expo0 ?mul1r // lap_shift ?rscale_gt0.
Qed.

Lemma kernel_le h o : kernel G1 h o <= e (step h o) * kernel G2 h o.
Proof.
rewrite /kernel /step expo_sum -big_split; apply: ler_prod => i _.
by rewrite coord_ge0 coord_le.
Qed.

(* The first block. *)
Lemma step_first D : step [::] D = \sum_x first_loss D x.
Proof. by rewrite /step big_sumType /= [X in _ + X]big1 ?addr0. Qed.

Lemma first_loss_other D x : x != u -> x != v -> first_loss D x = 0.
Proof. by move=> xu xv; rewrite /first_loss /loss degree_other // subrr mul0r. Qed.

Lemma first_loss_le D x : (x == u) || (x == v) -> first_loss D x <= 1 / bd.
Proof. by move=> xe; rewrite -(degree_end xe) loss_le. Qed.

(* The block that shows second degrees. *)
Lemma step_last h D r o : h = D :: r -> last h -> step h o = \sum_x
  (if shown D x then `|degree G1 x - degree G2 x| / b2 - first_loss D x
   else `|links G1 (outside D) x - links G2 (outside D) x| / bl).
Proof.
move=> -> la; rewrite /step big_sumType /= -/(last (D :: r)) [X in _ + X]big1 ?addr0.
  by apply: eq_bigr => x _; move: la => /= ->.
by move=> k _; move: la => /= ->.
Qed.

(* A row moves only if its node is one end and the other end is on its side. *)
Definition seen D j : R :=
  ((pos D u == visited j) && side D j v)%:R
  + ((pos D v == visited j) && side D j u)%:R.

Lemma row_l1 D r :
  \sum_k `|row G1 (D :: r) k - row G2 (D :: r) k| <= seen D (size r).
Proof.
set j := size r; rewrite /row -/j.
apply: le_trans (_ : \sum_k \sum_(x | pos D x == visited j)
    (((x == u) && (side D j v && (label (D :: r) v == k)))%:R
     + ((x == v) && (side D j u && (label (D :: r) u == k)))%:R) <= _).
  apply: ler_sum => k _; rewrite -sumrB; apply: le_trans (ler_norm_sum _ _ _) _.
  by apply: ler_sum => x _; rewrite move !inE.
rewrite exchange_big /=.
have one x0 y0 : \sum_(x | pos D x == visited j) \sum_k
    ((x == x0) && (side D j y0 && (label (D :: r) y0 == k)))%:R
    = ((pos D x0 == visited j) && side D j y0)%:R :> R.
  rewrite big_mkcond (bigD1 x0) //= [X in _ + X]big1 ?addr0; last first.
    by move=> x /negbTE ->; case: ifP => // _; apply: big1.
  case: ifP => //= _; rewrite (bigD1 (label (D :: r) y0)) //= !eqxx andbT /=.
  by rewrite big1 ?addr0 // => k; rewrite eq_sym => /negbTE ->; rewrite andbF.
under eq_bigr do rewrite big_split.
by rewrite big_split !one.
Qed.

Lemma step_row D r o : ~~ last (D :: r) ->
  step (D :: r) o <= seen D (size r) / rscale (size r).
Proof.
move=> /negbTE nl; rewrite /step big_sumType /=; rewrite /= in nl; rewrite !nl.
rewrite [X in X + _]big1 ?add0r // -mulr_suml ler_wpmul2r ?(row_l1 D r) //.
by rewrite invr_ge0 ltW // rscale_gt0.
Qed.

Lemma pos_neq D : pos D u != pos D v.
Proof.
apply/eqP => /(congr1 (nth u (order D))); rewrite !nth_index ?order_all // => uv.
by have := ends_neq; rewrite uv eqxx.
Qed.

Lemma pos_lt D x : (pos D x < n)%N.
Proof. by rewrite -(size_order D) index_mem order_all. Qed.

(* The first m rows, m <= n, see the edge once if both ends are among the first m. *)
Lemma seen_first D m : (m <= n)%N ->
  \sum_(j < m) seen D j = ((pos D u < m) && (pos D v < m))%N%:R.
Proof.
move=> mn; have one x y : \sum_(j < m) ((pos D x == visited j) && side D j y)%:R
    = ((pos D y < pos D x) && (pos D x < m))%N%:R :> R.
  case: (ltnP (pos D x) m) => xm; rewrite ?andbF ?andbT.
    rewrite (bigD1 (Ordinal xm)) //= big1 ?addr0 => [|j /eqP ne].
      by rewrite /side /visited pos_lt eqxx.
    rewrite /visited (leq_trans (ltn_ord j) mn); case: eqP => //= px.
    by case: ne; apply: val_inj.
  rewrite big1 // => j _; rewrite /visited (leq_trans (ltn_ord j) mn).
  by case: eqP => // px; move: xm; rewrite px leqNgt ltn_ord.
rewrite big_split /= !one; have := pos_neq D.
case: ltngtP => //= lt _; rewrite ?addr0 ?add0r.
  by case: (ltnP (pos D u) m) => um; rewrite ?andbF //= (ltn_trans lt um).
by case: (ltnP (pos D v) m) => vm; rewrite ?andbF // (ltn_trans lt vm).
Qed.

Lemma seen_backward D : \sum_(j < n) seen D (n + j) = 1.
Proof.
have one x y : \sum_(j < n) ((pos D x == visited (n + j)) && side D (n + j) y)%:R
    = (pos D x < pos D y)%N%:R :> R.
  rewrite (reindex_inj rev_ord_inj) /= (bigD1 (Ordinal (pos_lt D x))) //=.
  have vis (j : 'I_n) : visited (n + (n - j.+1)) = j.
    by rewrite /visited ltnNge leq_addr /= -addnS subnDl subnSK // subKn // ltnW.
  rewrite big1 ?addr0 => [|j /eqP ne].
    by rewrite /side (vis (Ordinal (pos_lt D x))) ltnNge leq_addr eqxx.
  by rewrite vis; case: eqP => //= px; case: ne; apply: val_inj.
by rewrite big_split /= !one; case: ltngtP (pos_neq D) => //= _ _;
  rewrite ?addr0 ?add0r.
Qed.

(* First degrees and the block that shows second ones, together. *)
Definition settled D x : R :=
  if shown D x then `|degree G1 x - degree G2 x| / b2
  else first_loss D x + `|links G1 (outside D) x - links G2 (outside D) x| / bl.

Lemma step_settled D r o : last (D :: r) ->
  step [::] D + step (D :: r) o = settled D u + settled D v.
Proof.
move=> la; rewrite step_first (step_last o (erefl (D :: r)) la) -big_split /=.
rewrite -sum_ends => [|x xu xv].
  by apply: eq_bigr => x _; rewrite /settled; case: ifP; rewrite // addrC subrK.
rewrite /settled degree_move move first_loss_other // (negbTE xu) (negbTE xv).
by case: ifP; rewrite /= ?addr0 ?add0r ?mul0r.
Qed.

Lemma settled_shown D x : (x == u) || (x == v) -> shown D x -> settled D x = 1 / b2.
Proof. by move=> xe sh; rewrite /settled sh degree_end. Qed.

Lemma settled_core D x y : (x, y) = (u, v) \/ (x, y) = (v, u) -> ~~ shown D x ->
  settled D x <= 1 / bd + (y \in outside D)%:R / bl.
Proof.
move=> xy sh; rewrite /settled (negbTE sh); apply: ler_add.
  by apply: first_loss_le; case: xy => -[-> _]; rewrite eqxx ?orbT.
rewrite move; have uv := ends_neq.
case: xy => -[-> ->]; first by rewrite eqxx (negbTE uv) /= addr0.
by rewrite eqxx [v == u]eq_sym (negbTE uv) /= add0r.
Qed.

Let inv0 (b : R) : 0 < b -> 0 <= 1 / b. Proof. by move=> /ltW b0; rewrite divr_ge0 ?ler01. Qed.
Let two (b : R) : 1 / b + 1 / b = 2%:R / b. Proof. by rewrite -mulrDl -mulr2n. Qed.

Lemma settled_gate D : gate D -> settled D u + settled D v <= eps.
Proof.
by move=> g; rewrite !settled_shown ?eqxx ?orbT /shown ?g // two.
Qed.

Lemma settled_halt D : ~~ gate D -> settled D u + settled D v
  + ((pos D u < core D) && (pos D v < core D))%N%:R / bf <= eps.
Proof.
move=> /negbTE g; have shE x : shown D x = (core D <= pos D x)%N.
  by rewrite /shown g inE.
have cu := @settled_core D u v (or_introl erefl).
have cv := @settled_core D v u (or_intror erefl).
have su := @settled_shown D u; have sv := @settled_shown D v.
rewrite ?eqxx ?orbT in su sv; move: cu cv su sv; rewrite !shE !inE -!ltnNge.
case: ltnP => pu; case: ltnP => pv /=; rewrite ?mul0r ?addr0.
- move=> /(_ isT) cu /(_ isT) cv _ _; apply: le_trans rows.
  rewrite -[X in X <= _]addr0; apply: ler_add (inv0 bb0).
  by rewrite ler_add2r -two ler_add.
- move=> /(_ isT) cu _ _ /(_ isT isT) ->; apply: le_trans parts.
  by rewrite [X in _ <= X]addrAC ler_add2r.
- move=> _ /(_ isT) cv /(_ isT isT) -> _; apply: le_trans parts.
  by rewrite [X in X <= _]addrC [X in _ <= X]addrAC ler_add2r.
- by move=> _ _ /(_ isT isT) -> /(_ isT isT) ->; rewrite two.
Qed.

(* Rows of the forward sweep that come before a decision. *)
Lemma steps_rows D r m o0 : (m <= n)%N -> (m <= size r)%N -> ~~ gate D ->
  (forall j, (j < m)%N -> ~~ last (D :: take j r)) ->
  \sum_(j < m) step (D :: take j r) (nth o0 r j)
  <= ((pos D u < m) && (pos D v < m))%N%:R / bf.
Proof.
move=> mn mr g nl; rewrite -seen_first // mulr_suml; apply: ler_sum => j _.
have jr : (j <= size r)%N by apply: leq_trans mr; apply: ltnW.
apply: le_trans (step_row _ (nl j (ltn_ord j))) _.
by rewrite size_takel // /rscale (leq_trans (ltn_ord j) mn).
Qed.

Lemma complete_size D r : complete stop (D :: r) ->
  size r = if gate D then 1%N
           else if halt (D :: take (core D) r) then (core D).+1 else (n + n)%N.
Proof.
rewrite /complete complete_fromE => /andP[/= st /forallP fa].
have r0 : (0 < size r)%N.
  move: st; case: ifP => // _; case: ifP => [_|_ le]; first exact: leq_ltn_trans.
  by apply: leq_trans le; rewrite addn_gt0 /n (cardD1 u).
have nst := fa ord_max.
have tk : take (size r) (D :: r) = D :: take (size r).-1 r by case: (size r) r0.
rewrite /= in tk nst; rewrite tk /= size_takel ?leq_pred // {tk} in nst.
have last2 m : (m <= size r)%N -> ~~ (m <= (size r).-1)%N -> size r = m.
  move=> le; rewrite -ltnNge prednK // => ge; apply/eqP; rewrite eqn_leq ge.
  by rewrite le.
move: st nst; case: ifP => [_ st nst|_]; first exact: last2.
case: (boolP (halt (D :: take (core D) r))) => ha st.
  case: (leqP (core D) (size r).-1) => le; last first.
    by move=> _; apply/eqP; rewrite eqn_leq st -(prednK r0) ltnS ltnW.
  by rewrite take_take // ha => nst; apply: last2.
case: (leqP (core D) (size r).-1) => le.
  by rewrite take_take // (negbTE ha) => nst; apply: last2.
have nn : (n + n <= core D)%N.
  by apply: leq_trans st _; rewrite -(prednK r0).
have n0 : (0 < n)%N by rewrite /n (cardD1 u).
by have := leq_trans nn (core_le D); rewrite -/n -[X in (_ <= X)%N]addn0 leq_add2l leqNgt n0.
Qed.

Lemma total t : complete stop t -> path_from step [::] t <= eps.
Proof.
case: t => [//|D r] ct; have sz := complete_size ct; rewrite /=.
rewrite (path_fromE _ _ _ D); move: sz; have [g|g] := boolP (gate D) => sz.
  rewrite sz big_ord_recl big_ord0 addr0 /= take0 step_settled ?settled_gate //.
  by rewrite /= g.
have lastE j : (j <= size r)%N ->
    last (D :: take j r) = (j == core D) && halt (D :: take j r).
  by move=> jr; rewrite /last (negbTE g) size_takel.
move: sz; case: ifP => ha sz.
  rewrite sz big_ord_recr /= addrA.
  have cr : (core D <= size r)%N by rewrite sz.
  have la : last (D :: take (core D) r) by rewrite lastE // eqxx.
  rewrite addrAC (step_settled _ la).
  apply: le_trans (settled_halt g); rewrite ler_add2l.
  apply: steps_rows => // j jc; rewrite lastE; first by rewrite (ltn_eqF jc).
  by rewrite (leq_trans (ltnW jc)).
have nl j : (j < n + n)%N -> ~~ last (D :: take j r).
  move=> jn; rewrite lastE ?sz ?(ltnW jn) //; apply/negP => /andP[/eqP -> ].
  by rewrite ha.
rewrite sz big_split_ord /= step_first.
apply: le_trans rows; rewrite -[X in _ <= X]addrA; apply: ler_add.
  rewrite sum_ends; last exact: first_loss_other.
  by rewrite -two ler_add ?first_loss_le ?eqxx ?orbT.
apply: ler_add.
  have rn : (n <= size r)%N by rewrite sz leq_addr.
  have le2 := steps_rows D (leqnn n) rn g.
  rewrite !pos_lt in le2; apply: le2 => j jn.
  by rewrite nl // (leq_trans jn) ?leq_addr.
rewrite -[X in _ <= X / _](seen_backward D) mulr_suml; apply: ler_sum => j _.
have lt : (n + j < n + n)%N by rewrite ltn_add2l.
apply: le_trans (step_row _ (nl _ lt)) _.
by rewrite size_takel ?sz ?(ltnW lt) // /rscale ltnNge leq_addr.
Qed.

Lemma circles_le t : circles G1 t <= e eps * circles G2 t.
Proof.
apply: (adaptive_path (l := step)) => [h o|h o|h o|]; last exact: total.
- exact: kernel_ge0.
- exact: kernel_ge0.
- exact: kernel_le.
Qed.
End Edge.

Theorem circles_dp G G' u v : apart G G' u v ->
  close e eps (circles G) (circles G').
Proof.
move=> ap t; split; first exact: (@circles_le G G' u v (or_introl ap)).
exact: (@circles_le G' G u v (or_intror ap)).
Qed.
End Circles.

Lemma note_scales (R : realFieldType) (eps ed ef eb : R) :
  0 < ed -> 0 < ef -> 0 < eb -> ed + ef + eb = eps ->
  [/\ 2%:R / (2%:R / eps) <= eps,
      2%:R / (2%:R / ed) + 1 / (1 / ef) + 1 / (1 / eb) <= eps
    & 1 / (2%:R / ed) + 1 / (2%:R / eps) + 1 / (2%:R / (eps - ed)) <= eps].
Proof.
move=> ed0 ef0 eb0 <-; have k (a x : R) : a != 0 -> a / (a / x) = x.
  by move=> a0; rewrite invf_div mulrCA divff ?mulr1.
have two0 : 2%:R != 0 :> R by rewrite pnatr_eq0.
split; rewrite ?k ?oner_eq0 // !invf_div !mul1r -!mulrDl.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; field.
Qed.
