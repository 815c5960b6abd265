(* frontier.v: `frontier` in general, with any number of rounds (docs/math/27, "In general";
   docs/math/25).

   In words.  m rounds.  Before round j a set A_j is chosen from everything
   released so far (A_0 from public data and what the scope fixes); a node joins
   in the first round whose set holds it.  In round j every node x outside S
   reads the number of its links to the nodes that join in round j:
     scale b0  if x joins in round j,
     scale bq  if x has joined before,
     scale bp  if x has not joined yet.
   Then each joined x reads its links into the rest Z (never joined, outside S)
   with scale bq.  Links are counted in units of U >= 0.  At the end comes ANY eps-DP
   release [rel] of the graph induced by Z; it may depend on all that was released
   and need not be Laplace.
   Theorem [frontier_dp]: if 2U/b0 <= eps and U/bq + U/bp <= eps, then for an edge that
   touches no node of S the whole transcript is eps-DP, for any number of
   rounds and any rule of choice.  (2/eps, 1/(q eps) and 1/((1-q) eps), 0 < q < 1, are
   such scales by twohop.note_scales, and so are all larger ones.)
   Theorem [frontier_tapered]: with the tapered links inside Z as last release,
   degrees counted inside Z, noise of scale b4 with 2 Sw/b4 <= eps.

   Covers: more rounds than the program has, all links counted alike.  What is coded, with its
   weights and scales, is in [secondlook.v].  With one round and A_0 = N this is `twohop` in
   separate numbers (src/plan/two_hop.cpp, separate_scales).
   Leaves out: how the sets are chosen (any function of what was released will do). *)
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint.
From hushwalk Require Import laplace adaptive graph shared.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Frontier.
Variables (R : realFieldType) (e : expo R) (c : R -> R).
Hypothesis c_ge0 : forall b, 0 < b -> 0 <= c b.
Variables (V : finType) (S : {set V}) (X : Type) (m : nat) (U b0 bq bp eps : R).
Hypotheses (U_ge0 : 0 <= U) (b0_gt0 : 0 < b0) (bq_gt0 : 0 < bq) (bp_gt0 : 0 < bp).
Hypotheses (inside : 2%:R * U / b0 <= eps) (between : U / bq + U / bp <= eps).

Notation T := ((V -> R) + X)%type.        (* numbers, or the last release *)
Implicit Types (h t : seq T) (x y : V) (G : graph V).
Variable A : seq T -> {set V}.            (* the set chosen after a prefix *)

Definition before h x := has (fun s => x \in A (take s h)) (iota 0 (size h)).
Definition now h x := ~~ before h x && (x \in A h).
Definition rest h : {set V} := [set x | (x \notin S) && ~~ before (take m h) x].

(* The last release: eps-DP on graphs with node set V, a function of edges only. *)
Variable rel : seq T -> graph V -> X -> R.
Hypothesis rel_ge0 : forall h G o, 0 <= rel h G o.
Hypothesis rel_dp : forall h G G' u v, apart G G' u v ->
  close e eps (rel h G) (rel h G').
Hypothesis rel_ext : forall h G G', (forall x y, G' x y = G x y) ->
  forall o, rel h G' o = rel h G o.

Definition reads h : {set V} :=
  [set y | if (size h < m)%N then now h y else (y \notin S) && ~~ before h y].
Definition held h x := (x \notin S) && ((size h < m)%N || before h x).
Definition scale h x : R :=
  if before h x then bq else if now h x then b0 else bp.
Definition count G h x : R := U * links R G (reads h) x.

Definition kernel G h (o : T) : R :=
  if (size h <= m)%N
  then (if o is inl z then laps e c (held h) (scale h) (count G h) z else 0)
  else (if o is inr z then rel h (ind G (rest h)) z else 0).
Definition stop h := (m.+2 <= size h)%N.
Definition frontier G := like stop (kernel G).

Lemma scale_gt0 h x : 0 < scale h x.
Proof. by rewrite /scale; case: ifP => // _; case: ifP. Qed.

Lemma kernel_ge0 G h o : 0 <= kernel G h o.
Proof.
rewrite /kernel; case: ifP => _; case: o => // z.
by apply: laps_ge0 => // x _; apply: scale_gt0.
Qed.

Section Edge.
Variables (G G' : graph V) (u v : V).
Hypotheses (ap : apart G G' u v) (uS : u \notin S) (vS : v \notin S).

(* What x pays for reading y after h. *)
Definition pay h x y : R := if held h x && (y \in reads h) then U / scale h x else 0.
Definition step h : R :=
  if (size h <= m)%N then pay h u v + pay h v u
  else if (u \in rest h) && (v \in rest h) then eps else 0.

Lemma step_numbers h :
  cost (held h) (scale h) (count G h) (count G' h)
  = pay h u v + pay h v u.
Proof.
have mU (a a' d : R) : `|U * a - U * a'| / d = `|a - a'| * (U / d).
  by rewrite -mulrBr normrM ger0_norm // mulrAC mulrC.
rewrite /cost /count; under eq_bigr do rewrite mU (links_move R _ _ ap) mulrDl.
rewrite big_split /=.
have one x0 y0 : \sum_(x | held h x) ((x == x0) && (y0 \in reads h))%:R * (U / scale h x)
    = pay h x0 y0.
  rewrite big_mkcond (bigD1 x0) //= eqxx big1 ?addr0 => [|x /negbTE ->]; last first.
    by rewrite mul0r if_same.
  by rewrite /pay; case: (held h x0) => //=; case: ifP; rewrite ?mul1r ?mul0r.
by rewrite !one.
Qed.

Lemma step_close h : close e (step h) (kernel G h) (kernel G' h).
Proof.
move=> o; rewrite /step /kernel; case: ifP => _; case: o => z; rewrite ?mulr0 //.
  rewrite -step_numbers.
  by apply: laplace_dp => // x _; apply: scale_gt0.
case: ifP => [/andP[uZ vZ]|/negbT nZ]; first exact: rel_dp (ind_apart ap uZ vZ) z.
by rewrite (rel_ext h (ind_same ap nZ)) expo0 mul1r.
Qed.

Section Transcript.
Variable t : seq T.
Hypothesis t_size : size t = m.+2.

(* The round in which x joins; m if never. *)
Let round x := find (fun s => x \in A (take s t)) (iota 0 m).

Lemma round_le x : (round x <= m)%N.
Proof. by rewrite -[X in (_ <= X)%N](size_iota 0) find_size. Qed.

Lemma beforeE j x : (j <= m)%N -> before (take j t) x = (round x < j)%N.
Proof.
move=> jm; have jt : (j <= size t)%N by rewrite t_size (leq_trans jm) // -addn2 leq_addr.
rewrite -(@has_take_leq _ _ (iota 0 m)) ?size_iota // take_iota (minn_idPl jm).
rewrite /before size_takel //; apply: eq_in_has => s; rewrite mem_iota add0n /= => sj.
by rewrite take_take // ltnW.
Qed.

Lemma nowE j x : (j < m)%N -> now (take j t) x = (round x == j).
Proof.
move=> jm; rewrite /now beforeE ?(ltnW jm) // -leqNgt.
have nj : nth 0%N (iota 0 m) j = j by rewrite nth_iota.
apply/andP/eqP => [[le xA]|rj].
  apply/eqP; rewrite eqn_leq le andbT leqNgt; apply/negP => lt.
  by have := before_find 0%N lt; rewrite nj xA.
split; first by rewrite rj.
have hs : has (fun s => x \in A (take s t)) (iota 0 m).
  by rewrite has_find size_iota -/(round x) rj.
by have := nth_find 0%N hs; rewrite -/(round x) rj nj.
Qed.

Lemma size_t j : (j <= m)%N -> size (take j t) = j.
Proof. by move=> jm; rewrite size_takel // t_size (leq_trans jm) // -addn2 leq_addr. Qed.

Lemma pay_round j x y : (j < m)%N -> x \notin S -> pay (take j t) x y
  = if round y == j then (if (round x < j)%N then U / bq
      else if round x == j then U / b0 else U / bp) else 0.
Proof.
move=> jm xS; have jm' := ltnW jm.
rewrite /pay /held /reads /scale size_t // jm xS inE nowE //= beforeE // nowE //.
by case: ifP => // _; case: ifP => _; [|case: ifP => _].
Qed.

Lemma pay_rounds x y : x \notin S -> \sum_(j < m) pay (take j t) x y
  = if (round y < m)%N then (if (round x < round y)%N then U / bq
      else if round x == round y then U / b0 else U / bp) else 0.
Proof.
move=> xS; under eq_bigr do rewrite pay_round //.
case: ifP => [lt|/negbT nlt].
  rewrite (bigD1 (Ordinal lt)) //= eqxx big1 ?addr0 // => j /eqP ne.
  by case: eqP => // rj; case: ne; apply: val_inj.
by apply: big1 => j _; case: eqP => // rj; move: nlt; rewrite rj ltn_ord.
Qed.

Lemma pay_end x y : x \notin S -> y \notin S -> pay (take m t) x y
  = if (round x < m)%N && (m <= round y)%N then U / bq else 0.
Proof.
move=> xS yS; rewrite /pay /held /reads /scale size_t // ltnn xS inE yS /=.
rewrite !beforeE // -leqNgt; case: (round x < m)%N => //=.
Qed.

Lemma total : costs step t <= eps.
Proof.
rewrite costs_sum t_size !big_ord_recr /=.
under eq_bigr => j _ do rewrite /step size_t ?(ltnW (ltn_ord j)) //.
rewrite big_split /= !pay_rounds //.
rewrite {1}/step size_t // leqnn !pay_end //.
rewrite /step size_takel ?t_size // ltnn /rest !inE uS vS take_take //=.
rewrite !beforeE // -!leqNgt.
have := round_le u; have := round_le v.
move: (round u) (round v) => a b bm am.
have between' : U / bp + U / bq <= eps by rewrite addrC.
have h2 : U / b0 + U / b0 <= eps by rewrite -mulrDl -mulr2n -mulr_natl.
have U0 d : 0 < d -> 0 <= U / d by move=> /ltW d0; rewrite divr_ge0.
case: (ltngtP a b) => [ab|ba|->].
- have lt := leq_trans ab bm; have nle : (m <= a)%N = false by rewrite leqNgt lt.
  by rewrite lt nle ?andbF /=; case: (ltnP b m) => mb /=; rewrite ?addr0 ?add0r.
- have lt := leq_trans ba am; have nle : (m <= b)%N = false by rewrite leqNgt lt.
  by rewrite lt nle ?andbF /=; case: (ltnP a m) => ma /=; rewrite ?addr0 ?add0r.
- by case: (ltnP b m) => mb /=; rewrite ?addr0 ?add0r.
Qed.
End Transcript.

Theorem frontier_dp : close e eps (frontier G) (frontier G').
Proof.
apply: (adaptive_dp (c := step)) => [h o|h o|h|t ct].
- exact: kernel_ge0.
- exact: kernel_ge0.
- exact: step_close.
apply: total; move: ct; rewrite /complete complete_fromE /= => /andP[ge /forallP fa].
apply/eqP; rewrite eqn_leq [X in _ && X]ge andbT leqNgt; apply/negP => lt.
by have := fa (Ordinal lt); rewrite /stop /= size_takel ?leqnn // ltnW.
Qed.
End Edge.
End Frontier.

(* The last release of the design: tapered links inside the rest. *)
Section Tapered.
Variables (R : realFieldType) (e : expo R) (c : R -> R).
Hypothesis c_ge0 : forall b, 0 < b -> 0 <= c b.
Variables (V : finType) (S : {set V}) (m : nat) (U b0 bq bp eps : R).
Hypotheses (U_ge0 : 0 <= U) (b0_gt0 : 0 < b0) (bq_gt0 : 0 < bq) (bp_gt0 : 0 < bp).
Hypotheses (inside : 2%:R * U / b0 <= eps) (between : U / bq + U / bp <= eps).
Variables (w : nat -> R) (Sw b4 : R).
Hypotheses (w_ge0 : forall d, 0 <= w d) (Sw_ok : taper_bound w Sw #|V|).
Hypotheses (b4_gt0 : 0 < b4) (rest_ok : 2%:R * Sw / b4 <= eps).
Notation T := ((V -> R) + (V -> R))%type.
Variable A : seq T -> {set V}.

Definition tapered_rest (h : seq T) (G : graph V) : (V -> R) -> R :=
  laps e c predT (fun=> b4) (background w G).

Theorem frontier_tapered (G G' : graph V) u v :
  apart G G' u v -> u \notin S -> v \notin S ->
  close e eps (frontier e c S m U b0 bq bp A tapered_rest G)
              (frontier e c S m U b0 bq bp A tapered_rest G').
Proof.
apply: frontier_dp => // [h H o|h H H' x y ap|h H H' ext o].
- by rewrite /tapered_rest; apply: laps_ge0 => // x _; apply: b4_gt0.
- by rewrite /tapered_rest; apply: (shared_dp e c_ge0 w_ge0 Sw_ok b4_gt0 rest_ok ap).
- by apply: eq_bigr => x _; rewrite (background_ext w ext).
Qed.
End Tapered.

