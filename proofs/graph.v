(* graph.v: finite simple graphs and what one added edge changes.

   In words.  A graph on a finite set V of nodes is a symmetric irreflexive
   relation; nb G x is the set of neighbours, deg G x its size.  [apart G G' u v]
   says that G' is G with the edge uv added (u <> v, uv not in G).  Then only
   the neighbour sets of u and v change, u gains v, v gains u, both degrees grow
   by one, and the degree of u was at most |V| - 2 before.
   [add] shows that such a G' exists for every missing edge.
   For a set A, links G A x is the number of x's links into A, as a number of the
   field; [links_move]: the edge moves it by 1 if x is one end and the other end is
   in A, and not otherwise.  [ind G A] is the graph induced by A (same nodes, edges inside A).

   Covers: the word "adjacent" of docs/math/index.md, as all notes use it; what graphs are to the
   program (include/hushwalk/graph.h: undirected, no self-loops, no repeated edges).
   Leaves out: that a graph file holds such a graph (src/graph, checked when it is read). *)
From mathcomp Require Import all_ssreflect ssralg ssrnum.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Graph.
Variable V : finType.

Record graph := Graph {
  adj :> rel V;
  adj_sym : symmetric adj;
  adj_irr : irreflexive adj }.
Implicit Types (G : graph) (u v x y : V) (A : {set V}).

Definition nb G x : {set V} := [set y | G x y].
Definition deg G x := #|nb G x|.

Lemma in_nb G x y : (y \in nb G x) = G x y. Proof. by rewrite inE. Qed.

Definition is_pair u v x y := (x == u) && (y == v) || (x == v) && (y == u).

Definition apart G G' u v : Prop :=
  [/\ u != v, ~~ G u v & forall x y, G' x y = G x y || is_pair u v x y].

Lemma is_pairC u v x y : is_pair u v x y = is_pair u v y x.
Proof. by rewrite /is_pair orbC andbC (andbC (x == u)). Qed.

Lemma apartC G G' u v : apart G G' u v -> apart G G' v u.
Proof.
case=> uv nG gG; split=> [||x y]; first by rewrite eq_sym.
  by rewrite adj_sym.
by rewrite gG /is_pair (orbC (_ && _)).
Qed.

(* Adding a missing edge. *)
Section Add.
Variables (G : graph) (u v : V).
Hypothesis uv : u != v.
Definition add_rel : rel V := fun x y => G x y || is_pair u v x y.
Lemma add_sym : symmetric add_rel.
Proof. by move=> x y; rewrite /add_rel adj_sym is_pairC. Qed.
Lemma add_irr : irreflexive add_rel.
Proof.
move=> x; rewrite /add_rel adj_irr /= /is_pair andbC orbb.
by apply/negP => /andP[/eqP -> /eqP vu]; move: uv; rewrite vu eqxx.
Qed.
Definition add := Graph add_sym add_irr.
Lemma add_apart : ~~ G u v -> apart G add u v. Proof. by split. Qed.
End Add.

(* The graph induced by a set. *)
Section Induced.
Variables (G : graph) (A : {set V}).
Definition ind_rel : rel V := fun x y => [&& G x y, x \in A & y \in A].
Lemma ind_sym : symmetric ind_rel.
Proof. by move=> x y; rewrite /ind_rel adj_sym (andbC (x \in A)). Qed.
Lemma ind_irr : irreflexive ind_rel.
Proof. by move=> x; rewrite /ind_rel adj_irr. Qed.
Definition ind := Graph ind_sym ind_irr.
Lemma nb_ind x : x \in A -> nb ind x = nb G x :&: A.
Proof. by move=> xA; apply/setP => y; rewrite !inE /= /ind_rel xA. Qed.
End Induced.

(* Changes. *)
Section Apart.
Variables (G G' : graph) (u v : V).
Hypothesis ap : apart G G' u v.

Lemma apart_neq : u != v. Proof. by case: ap. Qed.

Lemma nb_other x : x != u -> x != v -> nb G' x = nb G x.
Proof.
case: ap => _ _ gG xu xv; apply/setP => y.
by rewrite !inE gG /is_pair (negbTE xu) (negbTE xv) orbF.
Qed.

Lemma nb_end : nb G' u = v |: nb G u.
Proof.
case: ap => uv _ gG; apply/setP => y.
by rewrite !inE gG /is_pair eqxx (negbTE uv) /= orbF orbC.
Qed.

Lemma end_new : v \notin nb G u. Proof. by case: ap; rewrite inE. Qed.

Lemma deg_other x : x != u -> x != v -> deg G' x = deg G x.
Proof. by move=> xu xv; rewrite /deg nb_other. Qed.

Lemma deg_end : deg G' u = (deg G u).+1.
Proof. by rewrite /deg nb_end cardsU1 end_new. Qed.

Lemma deg_end_small : (deg G u).+1 < #|V|.
Proof.
have sub : v |: nb G u \subset [set~ u].
  apply/subsetP => y; rewrite !inE => /orP[/eqP ->|Guy].
    by rewrite eq_sym apart_neq.
  by apply: contraTneq Guy => ->; rewrite adj_irr.
have := subset_leq_card sub; rewrite cardsU1 end_new cardsC1 => le.
have V0 : 0 < #|V| by apply/card_gt0P; exists u.
by rewrite -(prednK V0) ltnS.
Qed.

Lemma ind_apart A : u \in A -> v \in A -> apart (ind G A) (ind G' A) u v.
Proof.
case: ap => uv nG gG uA vA; split=> // [|x y]; first by rewrite /= /ind_rel (negbTE nG).
rewrite /= /ind_rel gG andb_orl; congr (_ || _).
by rewrite /is_pair; apply/andP/idP => [[]//|/orP[]/andP[/eqP-> /eqP->]];
  rewrite !eqxx uA vA ?orbT.
Qed.

Lemma ind_same A : ~~ ((u \in A) && (v \in A)) ->
  forall x y, ind G' A x y = ind G A x y.
Proof.
case: ap => _ _ gG nA x y; rewrite /= /ind_rel gG andb_orl /is_pair.
rewrite [X in _ || X](_ : _ = false) ?orbF //; apply/negP.
case/and3P=> /orP[]/andP[/eqP-> /eqP->] a1 a2; move/negP: nA; apply;
  by rewrite a1 a2.
Qed.

(* Links into a set A: only the ends' counts change, and only if the other
   end is in A. *)
Lemma links_other A x : x != u -> x != v -> #|nb G' x :&: A| = #|nb G x :&: A|.
Proof. by move=> xu xv; rewrite nb_other. Qed.

Lemma links_end A : #|nb G' u :&: A| = ((v \in A) + #|nb G u :&: A|)%N.
Proof.
rewrite nb_end setIUl; case: (boolP (v \in A)) => vA.
  by rewrite (setIidPl _) ?sub1set // cardsU1 inE (negbTE end_new).
rewrite (_ : [set v] :&: A = set0) ?set0U //.
by apply/setP => y; rewrite !inE; case: eqP => // ->; rewrite (negbTE vA).
Qed.
End Apart.

Lemma links_end2 G G' u v A : apart G G' u v ->
  #|nb G' v :&: A| = ((u \in A) + #|nb G v :&: A|)%N.
Proof. by move=> ap; rewrite (links_end (apartC ap)). Qed.
End Graph.

Section Links.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Variables (R : realFieldType) (V : finType).
Implicit Types (G : graph V) (A : {set V}).

Definition links G A x : R := #|nb G x :&: A|%:R.

Lemma links_move G G' u v A x : apart G G' u v ->
  `|links G A x - links G' A x|
  = ((x == u) && (v \in A))%:R + ((x == v) && (u \in A))%:R.
Proof.
move=> ap; rewrite /links; have uv := apart_neq ap.
have shift (a b : nat) : `|b%:R - (a + b)%:R| = a%:R :> R.
  by rewrite natrD opprD addrCA subrr addr0 normrN ger0_norm ?ler0n.
have [->|xu] := eqVneq x u.
  by rewrite (links_end ap) (negbTE uv) /= addr0 shift.
have [->|xv] := eqVneq x v; first by rewrite (links_end2 A ap) /= add0r shift.
by rewrite (links_other ap _ xu xv) subrr normr0 addr0.
Qed.
End Links.

