(* lossless.v: degrees that can be refined without loss (docs/math/26, 1; circles.v).

   In words.  Let p1 = e^(-1/b1), p2 = e^(-1/b2) with b2 < b1, and let W be 0 with
   probability r = (1-p1)^2 p2 / ((1-p2)^2 p1), and otherwise discrete Laplace of
   scale b1.  Theorem [hide_proba]: r is between 0 and 1, and W is a probability on
   the integers.  Theorem [lossless]: if D2 - d is discrete Laplace of scale b2 and W is
   independent of it, then D1 = D2 + W is d + discrete Laplace of scale b1, exactly:
       sum over z of  lap b2 (z - d) * P(W = k - z)  =  lap b1 (k - d).
   So publishing D1 costs 1/b1 per unit, and publishing D2 later, with W left out
   or not, 1/b2 per unit in all.

   Covers: the two degrees of `circles` and the coin that decides whether W is 0.
   Leaves out: that the program's coin has exactly the probability r (note 26). *)
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint finmap ring.
From mathcomp.classical Require Import boolp classical_sets functions cardinality
  fsbigop mathcomp_extra.
From mathcomp Require Import reals ereal signed topology normedtype sequences esum exp.
From hushwalk Require Import laplace instance.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Def Num.Theory.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.

Section Lossless.
Variable R : realType.
Local Notation lap := (lap (expoR R) (@dnorm R)).
Local Notation ratio := (@ratio R).
Local Notation dnorm := (@dnorm R).

Lemma lap_int b (z : int) : lap b z%:~R = dnorm b * ratio b ^+ `|z|%N.
Proof.
rewrite -dlap_nat; case: (intP z) => [|k|k]; rewrite ?absz0 //.
by rewrite mulrNz dlapN abszN.
Qed.

Local Open Scope ereal_scope.

Lemma esum_nat_S (f : nat -> \bar R) : (forall n, 0 <= f n) ->
  \esum_(n in [set: nat]) f n = f 0%N + \esum_(n in [set: nat]) f n.+1.
Proof.
move=> f0; rewrite (esumID [set 0%N]) ?setTI // esum_set1 //; congr (_ + _).
have -> : ~` [set 0%N] = range S.
  by apply/seteqP; split=> [[|n] //= _|_ [n _ <-] //]; exists n.
by apply: reindex_esum => //; apply: inj_bij => i j _ _ [].
Qed.

Lemma esum_int (f : int -> \bar R) : (forall z, 0 <= f z) ->
  \esum_(z in [set: int]) f z
  = \esum_(n in [set: nat]) f (Posz n) + \esum_(n in [set: nat]) f (Negz n).
Proof.
move=> f0; rewrite (esumID (range Posz)) // !setTI.
have -> : ~` (range Posz) = range Negz.
  apply/seteqP; split=> [[k|k] /=|_ [k _ <-] [] //]; last by exists k.
  by case; exists k.
by congr (_ + _); apply: reindex_esum => //; apply: inj_bij => i j _ _ [].
Qed.

Section Two.
Variables b1 b2 : R.
Hypotheses (b2_gt0 : (0 < b2)%R) (b21 : (b2 < b1)%R).
Let p1 := ratio b1.
Let p2 := ratio b2.
Let c1 := dnorm b1.
Let c2 := dnorm b2.
Let b1_gt0 : (0 < b1)%R. Proof. exact: lt_trans b21. Qed.

Let p1_gt0 : (0 < p1)%R. Proof. exact: ratio_gt0. Qed.
Let p2_gt0 : (0 < p2)%R. Proof. exact: ratio_gt0. Qed.
Let p1_lt1 : (p1 < 1)%R. Proof. exact: ratio_lt1. Qed.
Let p2_lt1 : (p2 < 1)%R. Proof. exact: ratio_lt1. Qed.

Lemma p2_lt_p1 : (p2 < p1)%R.
Proof. by rewrite /p1 /p2 /ratio ltr_expR ltr_opp2 !div1r ltf_pinv ?posrE. Qed.

Let q := (p1 * p2)%R.
Let q_gt0 : (0 < q)%R. Proof. exact: mulr_gt0. Qed.
Let q_lt1 : (q < 1)%R.
Proof. by rewrite -[1%R]mulr1 /q ltr_pmul // ltW. Qed.

(* sum over n >= 0 of p2^n p1^|k-n| *)
Definition onward (k : nat) : R :=
  ((p1 ^+ k.+1 - p2 ^+ k.+1) / (p1 - p2) + p2 ^+ k * (q / (1 - q)))%R.

Let d1 : (p1 - p2 != 0)%R. Proof. by rewrite subr_eq0 gt_eqF // p2_lt_p1. Qed.
Let d2 : (1 - q != 0)%R. Proof. by rewrite subr_eq0 gt_eqF. Qed.
Let d3 : (1 - p2 != 0)%R. Proof. by rewrite subr_eq0 gt_eqF. Qed.
Let d4 : (1 + p1 != 0)%R. Proof. by rewrite gt_eqF // addr_gt0. Qed.
Let d5 : (1 + p2 != 0)%R. Proof. by rewrite gt_eqF // addr_gt0. Qed.
Let d6 : (p1 != 0)%R. Proof. by rewrite gt_eqF. Qed.
Let d7 : (p2 != 0)%R. Proof. by rewrite gt_eqF. Qed.

Lemma onward_sum (k : nat) :
  \esum_(n in [set: nat]) (p2 ^+ n * p1 ^+ `|k%:Z - n%:Z|%N)%:E = (onward k)%:E.
Proof.
have t0 k' n : 0 <= (p2 ^+ n * p1 ^+ `|Posz k' - Posz n|%N)%:E.
  by rewrite lee_fin mulr_ge0 ?exprn_ge0 ?ltW.
elim: k => [|k IH].
  rewrite (eq_esum (_ : forall n, _ -> _ = (1 * q ^+ n)%:E)); last first.
    by move=> n _; rewrite sub0r abszN mul1r -exprMn mulrC.
  rewrite esum_geometric // /onward !expr1 expr0 divff // mul1r; congr (_%:E).
  by field.
rewrite esum_nat_S //; rewrite (eq_esum (_ : forall n, _ -> _
    = p2%:E * (p2 ^+ n * p1 ^+ `|k%:Z - n%:Z|%N)%:E)); last first.
  by move=> n _; rewrite -EFinM exprS mulrA (intS k) (intS n) opprD addrACA subrr add0r.
rewrite esumZ ?(ltW p2_gt0) // IH expr0 mul1r subr0 absz_nat -EFinM -EFinD; congr (_%:E).
by rewrite /onward !exprS; field; rewrite d1 d2.
Qed.

Lemma convolve_nat (k : nat) :
  \esum_(z in [set: int]) (lap b2 z%:~R * lap b1 (k%:Z - z)%:~R)%:E
  = (c2 * c1 * (onward k + p1 ^+ k * (q / (1 - q))))%:E.
Proof.
have c10 : (0 <= c1)%R by exact: dnorm_ge0.
have c20 : (0 <= c2)%R by exact: dnorm_ge0.
have cc0 : (0 <= c2 * c1)%R by exact: mulr_ge0.
have l0 b x : (0 < b -> 0 <= lap b x)%R by move=> b0; apply: lap_ge0 => //; exact: dnorm_ge0.
rewrite esum_int => [|z]; last by rewrite lee_fin mulr_ge0 ?l0.
have -> : \esum_(n in [set: nat]) (lap b2 (Posz n)%:~R * lap b1 (k%:Z - Posz n)%:~R)%:E
    = (c2 * c1 * onward k)%:E.
  rewrite EFinM -onward_sum -esumZ ?cc0 // => [|n]; last first.
    by rewrite lee_fin mulr_ge0 ?exprn_ge0 // ltW.
  by apply: eq_esum => n _; rewrite -EFinM !lap_int absz_nat mulrACA.
have -> : \esum_(n in [set: nat]) (lap b2 (Negz n)%:~R * lap b1 (k%:Z - Negz n)%:~R)%:E
    = (c2 * c1 * p1 ^+ k * q / (1 - q))%:E.
  rewrite -esum_geometric //; last first.
    by apply: mulr_ge0; [apply: mulr_ge0 => //; rewrite exprn_ge0 // ltW|exact: ltW].
  apply: eq_esum => n _; congr (_%:E); rewrite !lap_int NegzE abszN opprK -PoszD !absz_nat.
  rewrite exprD -[RHS]mulrA -exprS /q exprMn -/p1 -/p2 -/c1 -/c2.
  have rg (x1 x2 x3 x4 x5 : R) : (x1 * x3 * (x2 * (x4 * x5)) = x1 * x2 * x4 * (x5 * x3))%R.
    by ring.
  exact: rg.
by rewrite -EFinD [in RHS]mulrDr -!mulrA.
Qed.

Lemma convolveN (k : int) :
  \esum_(z in [set: int]) (lap b2 z%:~R * lap b1 (- k - z)%:~R)%:E
  = \esum_(z in [set: int]) (lap b2 z%:~R * lap b1 (k - z)%:~R)%:E.
Proof.
rewrite (reindex_esum [set: int] _ (fun z : int => (- z)%R)) //.
by apply: eq_esum => z _; rewrite -opprD !mulrNz !dlapN.
Qed.

(* The law of W. *)
Definition still : R := ((1 - p1) ^+ 2 * p2 / ((1 - p2) ^+ 2 * p1))%R.
Definition hide (x : R) : R := (still * (x == 0)%:R + (1 - still) * lap b1 x)%R.

Lemma still_ge0 : (0 <= still)%R.
Proof. by apply: divr_ge0; apply: mulr_ge0; rewrite ?sqr_ge0 //; exact: ltW. Qed.

Lemma still_le1 : (still <= 1)%R.
Proof.
rewrite ler_pdivr_mulr ?mulr_gt0 ?exprn_gt0 ?subr_gt0 // mul1r -subr_ge0.
rewrite (_ : _ - _ = (p1 - p2) * (1 - q))%R; last by rewrite /q; ring.
by rewrite mulr_ge0 // subr_ge0 ltW // p2_lt_p1.
Qed.

Lemma hide_ge0 x : (0 <= hide x)%R.
Proof.
apply: addr_ge0; apply: mulr_ge0; rewrite ?ler0n ?still_ge0 ?subr_ge0 ?still_le1 //.
by apply: lap_ge0 => //; exact: dnorm_ge0.
Qed.

Lemma esum_dirac (f : int -> R) (k : int) : (forall z, 0 <= f z)%R ->
  \esum_(z in [set: int]) (f z * (k == z)%:R)%:E = (f k)%:E.
Proof.
move=> f0; have t0 z : 0 <= (f z * (k == z)%:R)%:E by rewrite lee_fin mulr_ge0 ?ler0n.
rewrite (esumID [set k]) ?setTI // esum_set1 // eqxx mulr1 esum1 ?adde0 // => z /= kz.
by case: eqP => [kz'|_]; [case: kz|rewrite mulr0].
Qed.

Lemma lossless0 (k : int) :
  \esum_(z in [set: int]) (lap b2 z%:~R * hide (k - z)%:~R)%:E = (lap b1 k%:~R)%:E.
Proof.
have l0 b x : (0 < b -> 0 <= lap b x)%R by move=> b0; apply: lap_ge0 => //; exact: dnorm_ge0.
have s0 := still_ge0; have s1 : (0 <= 1 - still)%R by rewrite subr_ge0 still_le1.
rewrite (eq_esum (_ : forall z, _ -> _ = (still * (lap b2 z%:~R * (k == z)%:R))%:E
    + ((1 - still) * (lap b2 z%:~R * lap b1 (k - z)%:~R))%:E)); last first.
  by move=> z _; rewrite -EFinD /hide intr_eq0 subr_eq0 mulrDr mulrCA [X in (_ + X)%R]mulrCA.
rewrite esumD; last 2 first.
- by move=> z _; rewrite lee_fin; apply: mulr_ge0 => //; apply: mulr_ge0; rewrite ?l0 ?ler0n.
- by move=> z _; rewrite lee_fin; apply: mulr_ge0 => //; apply: mulr_ge0; rewrite ?l0.
under eq_esum do rewrite EFinM.
rewrite esumZ // => [|z]; last by rewrite lee_fin mulr_ge0 ?l0 ?ler0n.
rewrite (esum_dirac (f := fun z => lap b2 z%:~R)) => [|z]; last exact: l0.
under [X in _ + X]eq_esum do rewrite EFinM.
rewrite esumZ // => [|z]; last by rewrite lee_fin mulr_ge0 ?l0.
have -> : \esum_(z in [set: int]) (lap b2 z%:~R * lap b1 (k - z)%:~R)%:E
    = (c2 * c1 * (onward `|k|%N + p1 ^+ `|k|%N * (q / (1 - q))))%:E.
  rewrite -convolve_nat; case: (intP k) => [||n]; rewrite ?absz0 //.
  by rewrite abszN convolveN.
rewrite -!EFinM -EFinD; congr (_%:E); rewrite !lap_int -/p1 -/p2 -/c1 -/c2.
rewrite /still /onward !exprS; move: (p1 ^+ _)%R (p2 ^+ _)%R => x y.
rewrite /c1 /c2 /dnorm -/p1 -/p2; have e2 := d2; rewrite /q in e2 *.
by move: d1 e2 d3 d4 d5 d6; move: p1 p2 => P1 P2 f1 f2 f3 f4 f5 f6; field; rewrite f1 f2 f3 f4 f5 f6.
Qed.

Theorem lossless (d k : int) :
  \esum_(z in [set: int]) (lap b2 (z%:~R - d%:~R) * hide (k%:~R - z%:~R))%:E
  = (lap b1 (k%:~R - d%:~R))%:E.
Proof.
rewrite (reindex_esum [set: int] _ (fun z : int => (z + d)%R)) //; last first.
  split=> // [x y _ _ /addIr //|z _]; exists (z - d)%R => //; exact: subrK.
rewrite -mulrzBr -lossless0; apply: eq_esum => z _.
by rewrite -!mulrzBr addrK opprD addrA addrAC.
Qed.

Theorem hide_proba : \esum_(z in [set: int]) (hide z%:~R)%:E = 1.
Proof.
have s0 := still_ge0; have s1 : (0 <= 1 - still)%R by rewrite subr_ge0 still_le1.
have l0 x : (0 <= lap b1 x)%R by apply: lap_ge0 => //; exact: dnorm_ge0.
have tot : \esum_(z in [set: int]) (lap b1 z%:~R)%:E = 1.
  by rewrite -(dlap_total 0 b1_gt0); apply: eq_esum => z _; rewrite subr0.
rewrite (eq_esum (_ : forall z, _ -> _ = (still * (0 == z)%:R)%:E
    + (1 - still)%:E * (lap b1 z%:~R)%:E)); last first.
  by move=> z _; rewrite -EFinM -EFinD /hide intr_eq0 eq_sym.
rewrite esumD; last 2 first.
- by move=> z _; rewrite lee_fin mulr_ge0 ?ler0n.
- by move=> z _; rewrite -EFinM lee_fin mulr_ge0.
rewrite (esum_dirac 0 (f := fun=> still)) // esumZ // => [|z]; last by rewrite lee_fin.
by rewrite tot mule1 -EFinD addrC subrK.
Qed.
End Two.
End Lossless.
