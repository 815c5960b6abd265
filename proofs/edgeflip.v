(* edgeflip.v: randomized response on every pair of nodes (docs/math/21).

   In words.  For every pair of nodes a coin of bias p is tossed, and the pair is turned
   (linked if it was not, and the other way round) where it shows true.  The outcome z
   says of every pair whether it is linked afterwards.
   Theorem [edgeflip_dp]: if 1 - p <= e^eps p and p <= e^eps (1 - p), then for every
   edge all outcomes have probabilities within a factor e^eps.
   [joint.v]: the same for real probabilities, and the bias
   1 - e^(-1/t) for 1/t >= ln(1 + e^(-eps)).

   Covers: the plans `edgeflip` and `edgeflip+own` (src/plan/edge_flip.cpp), edge scope;
   personalized answers by the billboard lemma ([joint.v]).
   Leaves out: that geometric skips toss these coins (note 21, tests), and the
   floating-point computation of t (note 21: an error analysis on paper; for the epsilons of cases.v
   the t that the program chose is checked exactly, [flip.v]). *)
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint.
From hushwalk Require Import laplace graph.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section EdgeFlip.
Variables (R : realFieldType) (e : expo R) (V : finType) (p eps : R).
Hypotheses (p_ge0 : 0 <= p) (p_le1 : p <= 1).
Hypotheses (rare : 1 - p <= e eps * p) (often : p <= e eps * (1 - p)).
Implicit Types (G : graph V) (x : V * V).

(* A pair of nodes is written once, in the order of the public node list. *)
Definition pair x : bool := (enum_rank x.1 < enum_rank x.2)%N.
Definition coin (same : bool) : R := if same then 1 - p else p.
Definition bit G x (z : bool) : R :=
  if pair x then coin (z == G x.1 x.2) else (~~ z)%:R.
Definition edgeflip G (z : V * V -> bool) : R := \prod_x bit G x (z x).

Lemma bit_ge0 G x z : 0 <= bit G x z.
Proof.
by rewrite /bit /coin; case: ifP => _; rewrite ?ler0n //; case: ifP; rewrite ?subr_ge0.
Qed.

Section Edge.
Variables (G G' : graph V) (u v : V).
Hypothesis ap : apart G G' u v.
Let price x : R := if pair x && is_pair u v x.1 x.2 then eps else 0.

Lemma coin_le a b : coin a <= e eps * coin b \/ a = b.
Proof. by case: a b => [] []; [right|left|left|right]. Qed.

Lemma bit_close x z : bit G x z <= e (price x) * bit G' x z /\
  bit G' x z <= e (price x) * bit G x z.
Proof.
rewrite /price /bit; case: (pair x) => /=; last by rewrite expo0 mul1r.
have [_ nG gG] := ap; have gx := gG x.1 x.2; case: ifP gx => [pr gx|_ ->]; last first.
  by rewrite orbF expo0 mul1r.
have nx : G x.1 x.2 = false.
  by apply/negbTE; case/orP: pr => /andP[/eqP-> /eqP->]; [|rewrite adj_sym].
by rewrite gx orbT nx; case: z; rewrite /coin /=.
Qed.

Lemma price_sum : \sum_x price x = eps.
Proof.
have uv := apart_neq ap.
have ruv : enum_rank u != enum_rank v :> nat.
  by apply: contra uv => /eqP/val_inj/enum_rank_inj ->.
have one x0 : pair x0 -> is_pair u v x0.1 x0.2 -> \sum_x price x = eps.
  move=> px ix; rewrite (bigD1 x0) //= /price px ix /= big1 ?addr0 // => x ne.
  case: ifP => // /andP[px' ix']; case/eqP: ne.
  case: x x0 ix px px' ix' => [a b] [a' b'] /= ix; rewrite /pair /= => px px' ix'.
  move: ix ix' px px'; rewrite /is_pair.
  by case/orP=> /andP[/eqP-> /eqP->]; case/orP=> /andP[/eqP-> /eqP->] // lt1 lt2;
    have := ltn_trans lt1 lt2; rewrite ltnn.
case: (ltngtP (enum_rank u) (enum_rank v)) ruv => // lt _.
  by apply: (one (u, v)) => //; rewrite /is_pair !eqxx.
by apply: (one (v, u)) => //; rewrite /is_pair !eqxx orbT.
Qed.

Theorem edgeflip_dp : close e eps (edgeflip G) (edgeflip G').
Proof.
move=> z; rewrite -{1 2}price_sum expo_sum -!big_split.
by split; apply: ler_prod => x _; rewrite bit_ge0; case: (bit_close x (z x)).
Qed.
End Edge.
End EdgeFlip.
