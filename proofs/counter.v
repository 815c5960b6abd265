(* counter.v: what is false, as proven counter-examples (docs/math/06, docs/math/08, and
   the adaptive theorem).

   In words.
   [printed_theorem2_false]: the personalized Theorem 2 of the paper, as printed, gives the
   bound 0 at tau = 0, whatever the noise ([printed_zero]).  But two different means under ANY
   noise law (any function whose finite sums are at most 1, and that is not 0 everywhere)
   are not 0-DP.  With K = 2 and the edge p - r present or not, node r has such means
   (docs/math/06, Counter-example).
   [no_projection]: in three dimensions no map that leaves the points of the unit l1 ball
   fixed, and has its values in the ball, is non-expansive in l1.
   [two_rounds]: an edge that is read at both ends, in two rounds, each at full eps, costs
   2 eps: not "charged in the one round where it is first met".

   Covers: the refusal of projections inside the iteration, the type from which no
   certificate can be made of the printed theorem, the two shares of an edge between in
   `twohop` and `frontier`.
   Leaves out: that one draw in a step breaks Theorem 1 (note 05: a computed instance,
   tests/oracle), the projections of dimensions above three (they contain those of three). *)
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint ring.
From hushwalk Require Import laplace.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Counter.
Variable R : realFieldType.

(* Theorem 2 as printed, at tau = 0: K g(0) + g(0), with g(0) = 0. *)
Lemma printed_zero (K : nat) (g : R -> R) : g 0 = 0 -> K%:R * g 0 + g 0 = 0.
Proof. by move=> ->; rewrite mulr0 addr0. Qed.

Theorem printed_theorem2_false (e : expo R) (mu : R -> R) (y y' o : R) (N : nat) :
  y != y' -> 0 < mu o -> 1 < mu o *+ N ->
  (forall s : seq R, uniq s -> \sum_(x <- s) mu x <= 1) ->
  ~ close e 0 (fun z => mu (z - y)) (fun z => mu (z - y')).
Proof.
move=> ne mo big le cl; pose d := y' - y.
have d0 : d != 0 by rewrite subr_eq0 eq_sym.
have same x : mu (x + d) = mu x.
  have := cl (x + y'); rewrite expo0 !mul1r addrK -addrA -/d => -[l1 l2].
  by apply/eqP; rewrite eq_le l1 l2.
have all j : mu (o + d *+ j) = mu o.
  by elim: j => [|j IH]; rewrite ?mulr0n ?addr0 // mulrSr addrA same.
have un : uniq [seq o + d *+ j | j <- iota 0 N].
  rewrite map_inj_uniq ?iota_uniq // => i j /addrI; rewrite -[d *+ i]mulr_natr -[d *+ j]mulr_natr.
  by move=> /(mulfI d0)/eqP; rewrite eqr_nat => /eqP.
have := le _ un; rewrite big_map (eq_bigr (fun=> mu o)) => [|j _]; last exact: all.
rewrite big_const_seq count_predT size_iota iter_addr addr0 => le1.
by have := lt_le_trans big le1; rewrite ltxx.
Qed.

(* Three dimensions. *)
Notation point := (R * R * R)%type.
Definition dist3 (p q : point) : R :=
  `|p.1.1 - q.1.1| + `|p.1.2 - q.1.2| + `|p.2 - q.2|.
Definition norm3 (p : point) : R := dist3 p (0, 0, 0).

Theorem no_projection (f : point -> point) :
  (forall p, norm3 p <= 1 -> f p = p) -> (forall p, norm3 (f p) <= 1) ->
  (forall p q, dist3 (f p) (f q) <= dist3 p q) -> False.
Proof.
move=> fixed ball contract; pose h : R := 2%:R^-1.
have h0 : 0 <= h by rewrite invr_ge0 ler0n.
have hh : h + h = 1 by rewrite [RHS]splitr !div1r.
have abs : `|h| = h by rewrite ger0_norm.
pose p : point := (h, h, h); pose a : point := (h, h, 0).
pose b : point := (h, 0, h); pose c : point := (0, h, h).
have fa : f a = a by apply: fixed; rewrite /norm3 /dist3 /= !subr0 normr0 addr0 abs hh.
have fb : f b = b by apply: fixed; rewrite /norm3 /dist3 /= !subr0 normr0 addr0 abs hh.
have fc : f c = c by apply: fixed; rewrite /norm3 /dist3 /= !subr0 normr0 add0r abs hh.
have := contract p a; have := contract p b; have := contract p c.
rewrite fa fb fc /dist3 /= !subrr !subr0 normr0 abs !(addr0, add0r).
have := ball p; rewrite /norm3 /dist3 /= !subr0.
case: (f p) => -[x y] z /=.
have far t : h <= `|t| + `|t - h|.
  by rewrite -{1}abs -[X in `|X|](subrK t) addrC (le_trans (ler_norm_add _ _)) // distrC.
move: (far x) (far y) (far z).
set X := `|x|; set Y := `|y|; set Z := `|z|.
set X' := `|x - h|; set Y' := `|y - h|; set Z' := `|z - h|.
move=> fx fy fz nb nc nbb na.
have s1 := ler_add (ler_add na nbb) nc.
have s2 := ler_add (ler_add fx fy) fz.
have d0 : X' + Y' + Z' <= 0.
  rewrite -(ler_add2r (h + h + h)) add0r; apply: le_trans s1.
  apply: le_trans (ler_add (lexx (X' + Y' + Z')) s2) _.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
have n0 (t : R) : 0 <= `|t| by exact: normr_ge0.
have s3 : h + h + h <= 1.
  apply: le_trans s2 _.
  have -> : X + X' + (Y + Y') + (Z + Z') = X + Y + Z + (X' + Y' + Z') by ring.
  by rewrite -[1]addr0 ler_add.
have : h <= 0 by move: s3; rewrite hh -[X in _ <= X]addr0 ler_add2l.
by rewrite invr_le0 lern0.
Qed.

(* Two nodes; each reads its link to the other, one after the other. *)
Theorem two_rounds (e : expo R) (c : R -> R) eps : 0 < eps -> 0 < c (1 / eps) -> 1 < e eps ->
  let law (link : R) (o : R * R) := lap e c (1 / eps) (o.1 - link) * lap e c (1 / eps) (o.2 - link) in
  law 0 (0, 0) = e (2%:R * eps) * law 1 (0, 0) /\ ~ close e eps (law 0) (law 1).
Proof.
move=> eps0 c0 e1 law.
have one : lap e c (1 / eps) (0 - 0) = e eps * lap e c (1 / eps) (0 - 1).
  have := lap_tight e c (1 / eps) 0 1; rewrite [`|_| / _](_ : _ = eps) //.
  by rewrite sub0r normrN normr1 !div1r invrK.
have both : law 0 (0, 0) = e (2%:R * eps) * law 1 (0, 0).
  by rewrite /law /= one mulr_natl mulr2n expoD mulrACA.
split=> // cl; have [] := cl (0, 0); rewrite both => le _.
have l0 : 0 < law 1 (0, 0) by rewrite /law mulr_gt0 // lap_gt0.
move: le; rewrite ler_pmul2r // mulr_natl mulr2n expoD ger_pmulr ?expo_gt0 //.
by rewrite leNgt e1.
Qed.
End Counter.
