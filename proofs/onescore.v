(* onescore.v: `twohop` in one score (docs/math/13, "twohop", choices 1 and 2).

   In words.  S is the set of seeds, N the nodes outside S with a seed among their
   neighbours, O the rest.  For every x outside S one number is released,
     y_x = U * (links of x into N) + sum of w(degree of y) over the neighbours y of x in O,
   degrees counted in the whole graph, with Laplace noise of scale b_in on N and b_out
   on O.  The weights are any w >= 0 (quantised tapers: integers, U = 2^32).  Put
   P_d = w(d+1), X_d = d |w(d) - w(d+1)|, m = the smaller of the two scales.
   Theorem [onescore_dp]: if for every degree d <= |V| - 2
       2U/b_in <= eps,   U/b_out + P_d/b_in + X_d/m <= eps,   2 (P_d/b_out + X_d/m) <= eps,
   then for graphs that differ in one edge which touches no seed the release is eps-DP
   (personalized scope).
   Theorem [onescore_coded]: so it is if P_d + X_d <= Sw for every d and
       2U/b_in <= eps,   U/b_out + Sw/m <= eps,   2 Sw/m <= eps,
   the three costs that the program computes and compares with eps.
   Lemma [choice1]: b_in = 2U/eps and b_out = (U + Sw)/eps satisfy this when Sw <= U.
   Lemma [choice2]: b_in = 2U/eps and b_out <= b_in such that for every d
   (U + X_d) <= b_out eps (1 - P_d/2U), and 2 Sw <= b_out eps, satisfy the former.
   All larger scales are covered: of [onescore_coded] by [larger] in twohop.v.

   Covers: the plan `twohop` with one score (src/plan/two_hop.cpp,
   complete_one_score), two_hop_cost_up and two_hop_plain_cost_up
   (src/accounting/edge_cost.cpp), what src/mechanism/two_hop.cpp adds up.
   Leaves out: the estimate made from y (post-processing, [joint.v]), choice 3 of the
   note, which nothing uses. *)
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint ring.
From hushwalk Require Import laplace graph shared twohop.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section OneScore.
Variables (R : realFieldType) (e : expo R) (c : R -> R).
Hypothesis c_ge0 : forall b, 0 < b -> 0 <= c b.
Variables (V : finType) (S : {set V}) (w : nat -> R) (eps U b_in b_out : R).
Hypotheses (w_ge0 : forall d, 0 <= w d) (U_ge0 : 0 <= U).
Hypotheses (b_in0 : 0 < b_in) (b_out0 : 0 < b_out).
Implicit Types (G : graph V) (x y : V).

Let m := Num.min b_in b_out.
Let gain d : R := w d.+1.
Let turn d : R := d%:R * `|w d - w d.+1|.

Definition value G x : R :=
  U * links R G (Nset S G) x + \sum_(y in Oset S G) part w G y x.
Definition scale G x : R := if x \in Nset S G then b_in else b_out.
Definition onescore G : (V -> R) -> R :=
  laps e c (fun x => x \notin S) (scale G) (value G).

Lemma scale_gt0 G x : 0 < scale G x. Proof. by rewrite /scale; case: ifP. Qed.
Lemma m_gt0 : 0 < m. Proof. by rewrite /m lt_minr b_in0. Qed.
Lemma m_le G x : m <= scale G x.
Proof. by rewrite /scale /m le_minl; case: ifP => _; rewrite lexx ?orbT. Qed.

Hypotheses (inN : 2%:R * U / b_in <= eps)
  (between : forall d, (d.+1 < #|V|)%N -> U / b_out + gain d / b_in + turn d / m <= eps)
  (inO : forall d, (d.+1 < #|V|)%N -> 2%:R * (gain d / b_out + turn d / m) <= eps).

Section Edge.
Variables (G G' : graph V) (u v : V).
Hypotheses (ap : apart G G' u v) (uS : u \notin S) (vS : v \notin S).
Let N := Nset S G.
Let O := Oset S G.

(* What node y of O, and what the plain counts, cost. *)
Let spread y : R := \sum_x `|part w G y x - part w G' y x| / scale G x.
Let plain x : R := `|links R G N x - links R G' N x| * (U / scale G x).

Lemma outN x : x \notin S -> (x \in O) = (x \notin N).
Proof. by rewrite !inE => ->. Qed.

Lemma cost_split : cost (fun x => x \notin S) (scale G) (value G) (value G')
  <= \sum_x plain x + \sum_(y in O) spread y.
Proof.
have -> : \sum_(y in O) spread y
    = \sum_x \sum_(y in O) `|part w G y x - part w G' y x| / scale G x.
  by rewrite exchange_big.
rewrite /cost -big_split [X in X <= _]big_mkcond /=; apply: ler_sum => x _.
have s0 : 0 <= (scale G x)^-1 by rewrite invr_ge0 ltW ?scale_gt0.
have p0 : 0 <= plain x by rewrite mulr_ge0 ?divr_ge0 // ltW ?scale_gt0.
case: ifP => _; last first.
  by rewrite addr_ge0 // sumr_ge0 // => y _; rewrite mulr_ge0.
rewrite /value (Nset_same ap uS vS) (Oset_same ap uS vS) -/N -/O opprD addrACA.
rewrite -mulrBr -sumrB -mulr_suml /plain.
rewrite [X in _ <= X + _](_ : _ = `|U * (links R G N x - links R G' N x)| / scale G x).
  rewrite -mulrDl ler_wpmul2r //; apply: le_trans (ler_norm_add _ _) _.
  by rewrite ler_add2l; apply: ler_norm_sum.
by rewrite normrM ger0_norm // mulrA [U * _]mulrC.
Qed.

Lemma plain_sum : \sum_x plain x
  = (v \in N)%:R * (U / scale G u) + (u \in N)%:R * (U / scale G v).
Proof.
have uv := apart_neq ap; rewrite (bigD1 u) //= (bigD1 v) /=; last by rewrite eq_sym.
rewrite big1 ?addr0 /plain => [|x /andP[xu xv]].
  by rewrite !(links_move _ _ _ ap) !eqxx (negbTE uv) [v == u]eq_sym (negbTE uv) /= addr0 add0r.
by rewrite (links_move _ _ _ ap) (negbTE xu) (negbTE xv) /= addr0 mul0r.
Qed.

Lemma spread_end a b : apart G G' a b ->
  spread a <= gain (deg G a) / scale G b + turn (deg G a) / m.
Proof.
move=> ab; have := part_end_at w_ge0 ab m_gt0 (m_le G); apply: le_trans.
by apply: ler_sum => x _; rewrite distrC.
Qed.

Lemma spread_sum : \sum_(y in O) spread y
  = (if u \in O then spread u else 0) + (if v \in O then spread v else 0).
Proof.
have uv := apart_neq ap; rewrite big_mkcond (bigD1 u) //= (bigD1 v) /=; last by rewrite eq_sym.
rewrite big1 ?addr0 // => y /andP[yu yv]; case: ifP => // _; apply: big1 => x _.
by rewrite (part_other w x ap yu yv) subrr normr0 mul0r.
Qed.

Lemma cost_edge : cost (fun x => x \notin S) (scale G) (value G) (value G') <= eps.
Proof.
apply: le_trans cost_split _; rewrite plain_sum spread_sum !outN //.
have su := spread_end ap; have sv := spread_end (apartC ap).
have du := deg_end_small ap; have dv := deg_end_small (apartC ap).
rewrite /scale -/N in su sv *.
case: (boolP (u \in N)) (su) (sv) => uN; case: (boolP (v \in N)) => vN su' sv' /=;
  rewrite ?mul1r ?mul0r ?addr0 ?add0r.
- by move: inN; rewrite -mulrA mulr_natl mulr2n.
- by apply: le_trans (between dv); rewrite -addrA ler_add2l.
- by apply: le_trans (between du); rewrite -addrA ler_add2l.
have half a b k : 2%:R * a <= k -> 2%:R * b <= k -> a + b <= k :> R.
  move=> ak bk; have := ler_add ak bk; rewrite -mulrDr -[k + k]mulr2n -[X in _ <= X]mulr_natl.
  by rewrite ler_pmul2l ?ltr0n.
by apply: half; [apply: le_trans (inO du)|apply: le_trans (inO dv)];
  rewrite ler_pmul2l ?ltr0n.
Qed.

Theorem onescore_dp : close e eps (onescore G) (onescore G').
Proof.
have -> : onescore G' = laps e c (fun x => x \notin S) (scale G) (value G').
  by rewrite /onescore /scale (Nset_same ap uS vS).
by apply: laplace_dp cost_edge => // x _; apply: scale_gt0.
Qed.
End Edge.
End OneScore.

Section Coded.
Variables (R : realFieldType) (e : expo R) (c : R -> R).
Hypothesis c_ge0 : forall b, 0 < b -> 0 <= c b.
Variables (V : finType) (S : {set V}) (w : nat -> R) (Sw eps U b_in b_out : R).
Hypotheses (w_ge0 : forall d, 0 <= w d) (U_ge0 : 0 <= U) (Sw_ok : taper_bound w Sw #|V|).
Hypotheses (b_in0 : 0 < b_in) (b_out0 : 0 < b_out).
Let m := Num.min b_in b_out.
Hypotheses (inN : 2%:R * U / b_in <= eps) (between : U / b_out + Sw / m <= eps)
  (inO : 2%:R * (Sw / m) <= eps).

Theorem onescore_coded (G G' : graph V) u v :
  apart G G' u v -> u \notin S -> v \notin S ->
  close e eps (onescore e c S w U b_in b_out G) (onescore e c S w U b_in b_out G').
Proof.
have m0 : 0 < m by apply: m_gt0.
have less d b : m <= b -> w d.+1 / b <= w d.+1 / m.
  by move=> mb; rewrite ler_wpmul2l // lef_pinv ?posrE // (lt_le_trans m0).
have sum b d : m <= b -> (d.+1 < #|V|)%N ->
    w d.+1 / b + d%:R * `|w d - w d.+1| / m <= Sw / m.
  move=> mb dn; apply: le_trans (_ : w d.+1 / m + d%:R * `|w d - w d.+1| / m <= _).
    by rewrite ler_add2r less.
  by rewrite -mulrDl ler_wpmul2r ?Sw_ok // invr_ge0 ltW.
have [m1 m2] : m <= b_in /\ m <= b_out by rewrite /m !le_minl !lexx orbT.
move=> ap uS vS; apply: onescore_dp ap uS vS => // d dn.
  by apply: le_trans between; rewrite -addrA ler_add2l sum.
by apply: le_trans inO; rewrite ler_pmul2l ?ltr0n // sum.
Qed.
End Coded.

Section Choices.
Variables (R : realFieldType) (eps U Sw : R).
Hypotheses (eps0 : 0 < eps) (U0 : 0 < U) (Sw0 : 0 <= Sw).
Let b_in := 2%:R * U / eps.

Lemma choice1 : Sw <= U -> let b_out := (U + Sw) / eps in
  [/\ 2%:R * U / b_in <= eps, U / b_out + Sw / Num.min b_in b_out <= eps
    & 2%:R * (Sw / Num.min b_in b_out) <= eps].
Proof.
move=> SU b_out; have US : 0 < U + Sw by rewrite ltr_spaddl.
have back a : 0 < a -> a / (a / eps) = eps.
  by move=> a0; rewrite invf_div mulrCA divff ?mulr1 // gt_eqF.
have -> : Num.min b_in b_out = b_out.
  apply/min_idPr; rewrite ler_wpmul2r ?invr_ge0 ?(ltW eps0) // mulr_natl mulr2n.
  by rewrite ler_add2l.
split; rewrite ?back ?mulr_gt0 ?ltr0n // -?mulrDl ?back //.
rewrite mulrA -[X in _ <= X](back _ US) ler_wpmul2r ?invr_ge0 ?(ltW (divr_gt0 US eps0)) //.
by rewrite mulr_natl mulr2n ler_add2r.
Qed.

Lemma choice2 (P X b_out : R) : 0 < b_out -> b_out <= b_in -> 0 <= P -> 0 <= X ->
  P + X <= Sw -> U + X <= b_out * eps * (1 - P / (2%:R * U)) -> 2%:R * Sw <= b_out * eps ->
  [/\ 2%:R * U / b_in <= eps, U / b_out + P / b_in + X / Num.min b_in b_out <= eps
    & 2%:R * (P / b_out + X / Num.min b_in b_out) <= eps].
Proof.
move=> b0 bb P0 X0 PX le1 le2; have U20 : 2%:R * U != 0 by rewrite mulf_neq0 ?pnatr_eq0 ?gt_eqF.
rewrite (min_idPr bb); split.
- by rewrite /b_in invf_div mulrCA divff ?mulr1.
- rewrite addrAC -mulrDl [P / b_in](_ : _ = eps * (P / (2%:R * U))); last first.
    by rewrite /b_in invf_div mulrCA.
  rewrite -ler_subr_addr ler_pdivr_mulr //; set Q := P / _ in le1 *.
  by rewrite (_ : _ * b_out = b_out * eps * (1 - Q)) //; ring.
- rewrite -mulrDl mulrA ler_pdivr_mulr // [eps * _]mulrC; apply: le_trans le2.
  by rewrite ler_pmul2l ?ltr0n.
Qed.
End Choices.
