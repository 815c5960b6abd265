(* ledger.v: many releases, several edges, odds; a budget for requests that depend on
   earlier answers (docs/math/19 at order infinity, docs/math/22 without delta).

   In words.
   [family_dp]: independent releases, each eps_i-DP for an edge, are (sum of eps_i)-DP
   for it together.
   [group_dp]: a release that is eps-DP for one edge is (k eps)-DP for k edges, that is,
   for two ends of a chain of k single changes.
   [odds_dp]: for somebody who holds prior weights a, a' for two graphs, an answer
   changes their odds by a factor of at most e^eps.
   [ledger_dp]: requests come one after another; which comes next is any function of all
   earlier answers, refusals included.  A request is answered from the store (any
   function of what was answered before: it costs nothing), refused, or admitted; the
   rule of admission is any function of the earlier answers that admits only if what
   was spent so far and the price of this request together are at most E.  Every admitted
   request is answered by a release that is (its price)-DP for the edge.  Then
   everything that was answered, together, is E-DP for the edge.
   [recipients_hold]: log of released sources, each to one recipient or published; a batch
   is admitted whole or not at all, by rule 2 of the note (what its recipient sees
   holds afterwards; if it is published, what is published and what every recipient with
   an account sees).  Then for every recipient, with or without an account, the sources
   that they see, each counted once, cost at most the limit.  [ledger_dp] for the
   transcript of these sources gives statement 3 of the note.

   Covers: src/ledger/budget.cpp (pure sums), src/ledger/charge.cpp (who pays), the
   sentences "Pooling", "Counted" and "Meaning" of a certificate.
   Leaves out: budgets with a delta (Renyi orders), prices rounded to whole
   units of 1e-9 (they are rounded up), the data base, and the condition of
   note 22 that requests for a coalition depend on answers to that coalition only
   (here: the transcript in [ledger_dp] is that of the coalition). *)
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint ring.
From hushwalk Require Import laplace adaptive.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Sums.
Variables (R : realFieldType) (e : expo R).

Lemma close_trans (T : Type) a b (P Q S : T -> R) :
  close e a P Q -> close e b Q S -> close e (a + b) P S.
Proof.
move=> pq qs t; rewrite expoD; have [p1 p2] := pq t; have [q1 q2] := qs t.
split; first by apply: le_trans p1 _; rewrite -mulrA ler_wpmul2l ?expo_ge0.
by apply: le_trans q2 _; rewrite [e a * e b]mulrC -mulrA ler_wpmul2l ?expo_ge0.
Qed.

Theorem group_dp (T : Type) eps (chain : nat -> T -> R) k :
  (forall j, (j < k)%N -> close e eps (chain j) (chain j.+1)) ->
  close e (k%:R * eps) (chain 0%N) (chain k).
Proof.
elim: k => [|k IH] cl; first by move=> t; rewrite mul0r expo0 mul1r.
rewrite -addn1 natrD mulrDl mul1r addn1; apply: close_trans (cl k _) => //.
by apply: IH => j jk; apply: cl; apply: ltnW.
Qed.

Theorem family_dp (I : finType) (T : Type) (eps : I -> R) (P P' : I -> T -> R) :
  (forall i t, 0 <= P i t) -> (forall i t, 0 <= P' i t) ->
  (forall i, close e (eps i) (P i) (P' i)) ->
  close e (\sum_i eps i) (fun o => \prod_i P i (o i)) (fun o => \prod_i P' i (o i)).
Proof.
move=> p0 p0' cl o; rewrite expo_sum -!big_split.
by split; apply: ler_prod => i _; rewrite ?p0 ?p0' /=; case: (cl i (o i)).
Qed.

Theorem odds_dp (T : Type) eps (P P' : T -> R) (a a' : R) t : close e eps P P' ->
  0 < a -> 0 < a' -> 0 < P' t -> (P t * a) / (P' t * a') <= e eps * (a / a').
Proof.
move=> cl a0 a0' p0; rewrite ler_pdivr_mulr ?mulr_gt0 //.
have -> : e eps * (a / a') * (P' t * a') = e eps * P' t * a.
  by move: (e eps) (P' t) => x y; field; rewrite gt_eqF.
by have [le _] := cl t; rewrite ler_pmul2r.
Qed.
End Sums.

Section Ledger.
Variables (R : realFieldType) (e : expo R) (X : eqType) (Q : Type).
Notation answer := (option X).               (* None: refused *)
Variables (ask : seq answer -> Q) (price : Q -> R).
Variables (stored : seq answer -> option X) (allow : seq answer -> bool).
Variables (stop : seq answer -> bool) (E : R).
Implicit Types (h t : seq answer) (o : answer).

Definition charged h : bool := ~~ stored h && allow h.
Definition paid h : R := if charged h then price (ask h) else 0.
Definition spent h : R := costs paid h.
Hypothesis E_ge0 : 0 <= E.
Hypothesis within : forall h, charged h -> spent h + price (ask h) <= E.

Definition reply (M : Q -> X -> R) h o : R :=
  if stored h is Some x then (o == Some x)%:R
  else if allow h then (if o is Some x then M (ask h) x else 0)
  else (o == None)%:R.
Definition ledger M : seq answer -> R := like stop (reply M).

Lemma spent_rcons h o : spent (rcons h o) = spent h + paid h.
Proof.
rewrite /spent !costs_sum size_rcons big_ord_recr /= -cats1 take_size_cat //.
by congr (_ + _); apply: eq_bigr => j _; rewrite takel_cat // ltnW.
Qed.

Lemma spent_le t : spent t <= E.
Proof.
elim/last_ind: t => [|h o IH]; first by rewrite /spent.
by rewrite spent_rcons /paid; case: ifP => [/within|_]; rewrite ?addr0.
Qed.

Theorem ledger_dp (M M' : Q -> X -> R) :
  (forall q x, 0 <= M q x) -> (forall q x, 0 <= M' q x) ->
  (forall q, close e (price q) (M q) (M' q)) -> close e E (ledger M) (ledger M').
Proof.
move=> m0 m0' cl.
have r0 N : (forall q x, 0 <= N q x) -> forall h o, 0 <= reply N h o.
  move=> n0 h o; rewrite /reply; case: (stored h) => [x|]; first exact: ler0n.
  by case: ifP => _; [case: o|exact: ler0n].
apply: (adaptive_dp (c := paid)); try exact: r0; last by move=> t _; apply: spent_le.
move=> h o; rewrite /reply /paid /charged; case: (stored h) => [x|] /=.
  by rewrite expo0 mul1r.
case: ifP => _; last by rewrite expo0 mul1r.
by case: o => [x|]; [exact: cl|rewrite mulr0].
Qed.
End Ledger.

Section Recipients.
Variables (S C : eqType) (price : S -> nat) (limit : nat).
Notation entry := (S * option C)%type.       (* a source, to one recipient or published *)
Implicit Types (log : seq entry) (r : C) (a : option C).

(* What r sees, or with None what somebody sees who never asked. *)
Definition sees (who : option C) (x : entry) : bool := (x.2 == None) || (x.2 == who).
Definition view who log : seq S := undup [seq x.1 | x <- log & sees who x].
Definition holds who log : bool := (\sum_(s <- view who log) price s <= limit)%N.
Definition account r log : bool := has (fun x => x.2 == Some r) log.

Definition with_batch log (ss : seq S) a := log ++ [seq (s, a) | s <- ss].
Definition admitted log ss a : bool :=
  let after := with_batch log ss a in
  if a is Some r then holds (Some r) after
  else holds None after
       && all (fun x => if x.2 is Some r then holds (Some r) after else true) log.
Definition serve log (q : seq S * option C) :=
  if admitted log q.1 q.2 then with_batch log q.1 q.2 else log.
Definition run (qs : seq (seq S * option C)) : seq entry := foldl serve [::] qs.

Lemma view_none r log : ~~ account r log -> view (Some r) log = view None log.
Proof.
move=> na; rewrite /view; congr (undup (map _ _)); apply: eq_in_filter => x xl.
rewrite /sees orbb; case: eqP => //= _; apply/negbTE; apply: contra na => xr.
by apply/hasP; exists x.
Qed.

Lemma view_other r r' log ss : r' != r ->
  view (Some r') (with_batch log ss (Some r)) = view (Some r') log.
Proof.
move=> ne; rewrite /view /with_batch filter_cat [X in _ ++ X](_ : _ = [::]) ?cats0 //.
rewrite filter_map (_ : filter _ ss = [::]) //; apply/eqP; rewrite -(negbK (_ == _)) -has_filter.
apply/hasPn => s _; rewrite /= /sees /=; apply: contra ne => /eqP[->].
exact: eqxx.
Qed.

Lemma none_other r log ss :
  view None (with_batch log ss (Some r)) = view None log.
Proof.
rewrite /view /with_batch filter_cat [X in _ ++ X](_ : _ = [::]) ?cats0 //.
rewrite filter_map (_ : filter _ ss = [::]) //; apply/eqP; rewrite -(negbK (_ == _)) -has_filter.
by apply/hasPn.
Qed.

Lemma account_published r log ss :
  account r (with_batch log ss None) = account r log.
Proof.
rewrite /account has_cat [X in _ || X](_ : _ = false) ?orbF //.
by apply/negbTE/hasPn => x /mapP[s _ ->].
Qed.

Definition in_limits log := holds None log /\ forall r, holds (Some r) log.

Lemma serve_in_limits log q : in_limits log -> in_limits (serve log q).
Proof.
case: q => ss [r|] [h0 hr]; rewrite /serve /=; case: ifP => // adm.
  split=> [|r']; first by rewrite /holds none_other.
  have [->//|ne] := eqVneq r' r; rewrite /holds (view_other _ _ ne).
  exact: hr.
case/andP: adm => hn /allP al; split=> // r.
case: (boolP (account r log)) => [/hasP[x xl /eqP xr]|na].
  by have := al x xl; rewrite xr.
by rewrite /holds view_none // account_published.
Qed.

Theorem recipients_hold qs r : holds (Some r) (run qs).
Proof.
have: in_limits (run qs); last by case.
rewrite /run; elim/last_ind: qs => [|qs q IH]; first by split=> [|r']; rewrite /holds big_nil.
by rewrite -cats1 foldl_cat; apply: serve_in_limits.
Qed.
End Recipients.
