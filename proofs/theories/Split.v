(** * Splits: cutting axes into digits, and the coarsest cut

    A chain that is not one view over its shape may be one after cutting axes:
    12 into 4 by 3. Here axes are cut without masks. The digits of one axis are listed
    fastest first, each with its size and its step: (12) cut into 4 by 3, as the view
    (4,3):(1,4), is [(3, 4); (4, 1)].

    Two digits are one if a step of the slower adds as much as a whole round of the
    faster; [coarsen] joins them. If a function on an axis has a split, it has exactly one
    in which nothing can be joined, whose places are among those of every other split
    ([coarsest_unique]; for several axes at once, [coarsest_unique_axes]). An axis of size
    2 cannot be cut, so deciding whether there is a split is as hard as deciding whether a
    chain is one view ([split_reduction]). See docs/splits.md. *)

From Coq Require Import ZArith List Lia Bool.
From Viewmerge Require Import Views Lists Criterion Hardness.
Import ListNotations.
Open Scope Z_scope.

(** ** The digits of one axis *)

(** Size and step of every digit, the fastest first. *)
Definition cut := list (Z * Z).

(** The sum of the digits of a coordinate times their steps. *)
Fixpoint walk (l : cut) (x : Z) : Z :=
  match l with
  | [] => 0
  | (n, d) :: l' => x mod n * d + walk l' (x / n)
  end.

Fixpoint size (l : cut) : Z :=
  match l with
  | [] => 1
  | (n, _) :: l' => n * size l'
  end.

Definition proper (l : cut) : Prop := Forall (fun p => 2 <= fst p) l.

(** Nothing can be joined: no digit continues the one before it. *)
Fixpoint reduced (l : cut) : Prop :=
  match l with
  | (n, d) :: l' =>
      match l' with
      | [] => True
      | (_, e) :: _ => e <> n * d /\ reduced l'
      end
  | [] => True
  end.

(** The places of a split: the products of the sizes up to each digit but the last. *)
Fixpoint places (c : Z) (l : cut) : list Z :=
  match l with
  | (n, _) :: l' => match l' with [] => [] | _ :: _ => c * n :: places (c * n) l' end
  | [] => []
  end.

Lemma size_positive : forall l, proper l -> 1 <= size l.
Proof. induction 1 as [|[n d] l H _ IH]; simpl in *; nia. Qed.

Lemma size_cons : forall n d l, proper ((n, d) :: l) -> n <= size ((n, d) :: l).
Proof.
  intros n d l H. inversion H as [|? ? Hn Hl]; subst. simpl in *.
  pose proof (size_positive l Hl). nia.
Qed.

Lemma walk_zero : forall l, walk l 0 = 0.
Proof.
  induction l as [|[n d] l IH]; cbn [walk]; [reflexivity|].
  rewrite Zmod_0_l, Zdiv_0_l, IH. ring.
Qed.

(** A coordinate below the first size is its first digit. *)
Lemma walk_small : forall n d l x, 0 <= x < n -> walk ((n, d) :: l) x = x * d.
Proof.
  intros n d l x Hx. cbn [walk]. rewrite Z.mod_small, Z.div_small, walk_zero by lia. ring.
Qed.

(** A whole number of rounds of the first digit changes only the others. *)
Lemma walk_rounds : forall n d l y, 0 < n -> walk ((n, d) :: l) (n * y) = walk l y.
Proof.
  intros n d l y Hn. cbn [walk].
  rewrite (Z.mul_comm n y), Z.mod_mul, Z.div_mul by lia. ring.
Qed.

(** ** A split in which nothing can be joined is the only one *)

Lemma shorter_first : forall n d l m k,
  proper ((n, d) :: l) -> proper ((m, d) :: k) -> reduced ((n, d) :: l) ->
  size ((n, d) :: l) = size ((m, d) :: k) -> n < m ->
  ~ (forall x, 0 <= x < size ((n, d) :: l) -> walk ((n, d) :: l) x = walk ((m, d) :: k) x).
Proof.
  intros n d l m k Hl Hk Hr Hs Hnm Hsame.
  pose proof (size_cons _ _ _ Hk) as Hm.
  inversion Hl as [|? ? Hn Hl']; subst. simpl in Hn.
  destruct l as [|[p q] l]; [simpl in Hs, Hm; lia|].
  inversion Hl' as [|? ? Hp Hl'']; subst. simpl in Hp.
  destruct Hr as [Hr _].
  assert (H : walk ((n, d) :: (p, q) :: l) (n * 1) = walk ((m, d) :: k) (n * 1)).
  { apply Hsame. lia. }
  rewrite walk_rounds, !walk_small in H by lia. lia.
Qed.

Theorem reduced_unique : forall l k,
  proper l -> proper k -> reduced l -> reduced k -> size l = size k ->
  (forall x, 0 <= x < size l -> walk l x = walk k x) -> l = k.
Proof.
  induction l as [|[n d] l IH]; intros [|[m e] k] Hl Hk Rl Rk Hs Hsame.
  - reflexivity.
  - pose proof (size_cons _ _ _ Hk). inversion Hk; subst. simpl in *. lia.
  - pose proof (size_cons _ _ _ Hl). inversion Hl; subst. simpl in *. lia.
  - pose proof (size_cons _ _ _ Hl) as Bl. pose proof (size_cons _ _ _ Hk) as Bk.
    inversion Hl as [|? ? Hn Hl']; inversion Hk as [|? ? Hm Hk']; subst. simpl fst in *.
    assert (d = e) as <-.
    { assert (H : walk ((n, d) :: l) 1 = walk ((m, e) :: k) 1) by (apply Hsame; lia).
      rewrite !walk_small in H by lia. lia. }
    assert (n = m) as <-.
    { destruct (Z.lt_trichotomy n m) as [H | [H | H]]; [|exact H|]; exfalso.
      - exact (shorter_first n d l m k Hl Hk Rl Hs H Hsame).
      - apply (shorter_first m d k n l Hk Hl Rk (eq_sym Hs) H).
        intros x Hx. symmetry. apply Hsame. now rewrite Hs. }
    f_equal. apply IH; try assumption.
    + destruct l as [|[p q] l]; [exact I | apply Rl].
    + destruct k as [|[p q] k]; [exact I | apply Rk].
    + simpl in Hs. nia.
    + intros y Hy.
      assert (H : walk ((n, d) :: l) (n * y) = walk ((n, d) :: k) (n * y)).
      { apply Hsame. simpl. nia. }
      now rewrite !walk_rounds in H by lia.
Qed.

(** ** Every split can be made coarsest *)

(** Joins what can be joined. *)
Fixpoint coarsen (l : cut) : cut :=
  match l with
  | [] => []
  | (n, d) :: l' =>
      match coarsen l' with
      | (m, e) :: r => if e =? n * d then (n * m, d) :: r else (n, d) :: (m, e) :: r
      | [] => [(n, d)]
      end
  end.

(** Two digits as one: cut on one side, joined on the other. *)
Lemma join_sound : forall n m d r x, 0 < n -> 0 < m ->
  walk ((n * m, d) :: r) x = walk ((n, d) :: (m, n * d) :: r) x.
Proof.
  intros n m d r x Hn Hm. cbn [walk].
  rewrite Z.rem_mul_r, <- Z.div_div by lia. ring.
Qed.

Lemma coarsen_proper : forall l, proper l -> proper (coarsen l).
Proof.
  induction 1 as [|[n d] l Hn Hl IH]; simpl in *; [constructor|].
  destruct (coarsen l) as [|[m e] r]; [repeat constructor; simpl; lia|].
  inversion IH as [|? ? Hm Hr]; subst. simpl in Hm.
  destruct (e =? n * d); repeat (constructor; simpl; try assumption; try nia).
Qed.

Lemma coarsen_size : forall l, size (coarsen l) = size l.
Proof.
  induction l as [|[n d] l IH]; simpl; [reflexivity|]. rewrite <- IH.
  destruct (coarsen l) as [|[m e] r]; [reflexivity|].
  destruct (e =? n * d); simpl; ring.
Qed.

Lemma coarsen_walk : forall l x, proper l -> walk (coarsen l) x = walk l x.
Proof.
  induction l as [|[n d] l IH]; intros x Hl; [reflexivity|].
  inversion Hl as [|? ? Hn Hl']; subst. simpl fst in Hn.
  change (walk ((n, d) :: l) x) with (x mod n * d + walk l (x / n)).
  rewrite <- (IH (x / n) Hl').
  pose proof (coarsen_proper l Hl') as Hc. cbn [coarsen].
  destruct (coarsen l) as [|[m e] r]; [reflexivity|].
  inversion Hc as [|? ? Hm _]; subst. simpl fst in Hm.
  destruct (Z.eqb_spec e (n * d)) as [-> | _]; [|reflexivity].
  rewrite join_sound by lia. reflexivity.
Qed.

Lemma coarsen_reduced : forall l, proper l -> reduced (coarsen l).
Proof.
  induction l as [|[n d] l IH]; intros Hl; [exact I|].
  inversion Hl as [|? ? Hn Hl']; subst. specialize (IH Hl'). cbn [coarsen].
  destruct (coarsen l) as [|[m e] r]; [exact I|].
  destruct (Z.eqb_spec e (n * d)) as [-> | He].
  - destruct r as [|[p q] r]; [exact I|]. destruct IH as [Hq Hr]. split; [|exact Hr].
    replace (n * m * d) with (m * (n * d)) by ring. exact Hq.
  - split; [exact He | exact IH].
Qed.

(** Joining takes places away and adds none. *)
Lemma coarsen_places : forall l c, incl (places c (coarsen l)) (places c l).
Proof.
  induction l as [|[n d] l IH]; intros c; [apply incl_refl|].
  specialize (IH (c * n)). cbn [coarsen].
  destruct l as [|p l]; [apply incl_refl|].
  destruct (coarsen (p :: l)) as [|[m e] r]; [apply incl_nil_l|].
  change (places c ((n, d) :: p :: l)) with (c * n :: places (c * n) (p :: l)).
  destruct (e =? n * d).
  - apply incl_tl. replace (places c ((n * m, d) :: r)) with (places (c * n) ((m, e) :: r)); [exact IH|].
    destruct r; [reflexivity|]. cbn [places]. now rewrite Z.mul_assoc.
  - cbn [places]. apply incl_cons; [now left|]. apply incl_tl. exact IH.
Qed.

(** ** The coarsest split of a function on one axis *)

(** The axis of size [s] can be cut so that the function is affine in the digits. *)
Definition splits (s : Z) (f : Z -> Z) (l : cut) : Prop :=
  proper l /\ size l = s /\ forall x, 0 <= x < s -> f x = f 0 + walk l x.

Theorem coarsest_unique : forall s f k, splits s f k ->
  exists l, splits s f l /\ reduced l
    /\ forall other, splits s f other ->
         coarsen other = l /\ incl (places 1 l) (places 1 other).
Proof.
  intros s f k (Pk & Sk & Fk). exists (coarsen k).
  split; [|split; [now apply coarsen_reduced|]].
  - split; [now apply coarsen_proper|]. split; [now rewrite coarsen_size|].
    intros x Hx. rewrite coarsen_walk by assumption. now apply Fk.
  - intros o (Po & So & Fo).
    assert (E : coarsen o = coarsen k).
    { apply reduced_unique; try (now apply coarsen_proper); try (now apply coarsen_reduced).
      - now rewrite !coarsen_size, So, Sk.
      - rewrite coarsen_size, So. intros x Hx. rewrite !coarsen_walk by assumption.
        specialize (Fk x Hx). specialize (Fo x Hx). lia. }
    split; [exact E|]. rewrite <- E. apply coarsen_places.
Qed.

(** Without masks every finer split is one as well. *)
Theorem finer_splits : forall s f pre n m d r, 2 <= n -> 2 <= m ->
  splits s f (pre ++ (n * m, d) :: r) <-> splits s f (pre ++ (n, d) :: (m, n * d) :: r).
Proof.
  intros s f pre n m d r Hn Hm.
  assert (W : forall x, walk (pre ++ (n * m, d) :: r) x = walk (pre ++ (n, d) :: (m, n * d) :: r) x).
  { induction pre as [|[p q] pre IH]; intros x; cbn [app]; [apply join_sound; lia|].
    cbn [walk]. now rewrite IH. }
  assert (S : size (pre ++ (n * m, d) :: r) = size (pre ++ (n, d) :: (m, n * d) :: r)).
  { clear W. induction pre as [|[p q] pre IH]; [simpl; ring|]. cbn [app size]. now rewrite IH. }
  assert (P : proper (pre ++ (n * m, d) :: r) <-> proper (pre ++ (n, d) :: (m, n * d) :: r)).
  { unfold proper. rewrite !Forall_app, !Forall_cons_iff. cbn [fst].
    assert (2 <= n * m) by nia. tauto. }
  unfold splits. rewrite P, S.
  split; intros (A & B & C); repeat split; auto; intros x Hx; [rewrite <- W | rewrite W]; auto.
Qed.

(** ** As views are written: slowest first *)

Lemma unravel_last : forall f n x, Forall (fun m => 0 < m) f -> 0 < n ->
  0 <= x < count (f ++ [n]) -> unravel (f ++ [n]) x = unravel f (x / n) ++ [x mod n].
Proof.
  intros [|m f] n x Hf Hn Hx; [|now apply unravel_snoc].
  simpl in *. now rewrite Z.div_1_r, Z.mod_small by lia.
Qed.

(** The digits are those of the split shape: the walk is the view over it. *)
Theorem walk_is_view : forall l x, proper l -> 0 <= x < size l ->
  walk l x = dot (rev (map snd l)) (unravel (rev (map fst l)) x).
Proof.
  assert (C : forall l, count (rev (map fst l)) = size l).
  { induction l as [|[n d] l IH]; [reflexivity|].
    simpl. rewrite count_app, IH. simpl. ring. }
  assert (Q : forall l, proper l -> Forall (fun m => 0 < m) (rev (map fst l))).
  { intros l H. apply Forall_rev, Forall_map. eapply Forall_impl; [|exact H]. simpl. lia. }
  induction l as [|[n d] l IH]; intros x Hl Hx; [reflexivity|].
  inversion Hl as [|? ? Hn Hl']; subst. simpl fst in Hn. simpl size in Hx.
  cbn [map rev fst snd walk].
  rewrite unravel_last; [|now apply Q|lia|rewrite count_app, C; simpl; lia].
  rewrite dot_app by (rewrite unravel_length, !rev_length, !map_length; reflexivity).
  rewrite <- IH; [simpl; ring | exact Hl' |].
  split; [apply Z.div_pos; lia | apply Z.div_lt_upper_bound; lia].
Qed.

(** ** Several axes *)

Fixpoint walks (ls : list cut) (i : list Z) : Z :=
  match ls, i with
  | l :: ls', x :: i' => walk l x + walks ls' i'
  | _, _ => 0
  end.

Definition splits_axes (s : list Z) (f : list Z -> Z) (ls : list cut) : Prop :=
  Forall proper ls /\ map size ls = s
  /\ exists o, forall i, in_shape s i -> f i = o + walks ls i.

Lemma corner_in_shape : forall ls, Forall proper ls ->
  in_shape (map size ls) (map (fun _ => 0) ls).
Proof.
  induction 1 as [|l ls Hl _ IH]; [exact I|].
  cbn [map]. apply in_shape_cons. pose proof (size_positive l Hl). split; [lia | exact IH].
Qed.

Lemma walks_corner : forall ls, walks ls (map (fun _ => 0) ls) = 0.
Proof. induction ls as [|l ls IH]; cbn [walks map]; [reflexivity|]. rewrite walk_zero, IH. ring. Qed.

Lemma walks_apart : forall ls ks, Forall proper ls -> Forall proper ks ->
  map size ls = map size ks ->
  (forall i, in_shape (map size ls) i -> walks ls i = walks ks i) ->
  Forall2 (fun l k => size l = size k /\ forall x, 0 <= x < size l -> walk l x = walk k x) ls ks.
Proof.
  induction ls as [|l ls IH]; intros [|k ks] Hl Hk Hs Hsame; try discriminate; [constructor|].
  inversion Hl as [|? ? Pl Hl']; inversion Hk as [|? ? Pk Hk']; subst.
  injection Hs as Hsl Hs'.
  pose proof (corner_in_shape ls Hl') as Hz.
  assert (Ez : walks ks (map (fun _ => 0) ls) = 0).
  { replace (map (fun _ : cut => 0) ls) with (map (fun _ : cut => 0) ks); [apply walks_corner|].
    assert (L : length ls = length ks) by (rewrite <- (map_length size ls), Hs'; apply map_length).
    clear - L. revert ks L. induction ls as [|a ls IH]; intros [|b ks] L; try discriminate; simpl; auto.
    f_equal. apply IH. now injection L. }
  constructor.
  - split; [exact Hsl|]. intros x Hx.
    assert (H : walks (l :: ls) (x :: map (fun _ => 0) ls) = walks (k :: ks) (x :: map (fun _ => 0) ls)).
    { apply Hsame. cbn [map]. now apply in_shape_cons. }
    cbn [walks] in H. rewrite walks_corner, Ez in H. lia.
  - apply IH; try assumption. intros i Hi.
    assert (H : walks (l :: ls) (0 :: i) = walks (k :: ks) (0 :: i)).
    { apply Hsame. cbn [map]. apply in_shape_cons. pose proof (size_positive l Pl). split; [lia | exact Hi]. }
    cbn [walks] in H. rewrite !walk_zero in H. lia.
Qed.

(** Of all splits of all axes one is coarsest, and every other one has its cuts. *)
Theorem coarsest_unique_axes : forall s f ks, splits_axes s f ks ->
  exists ls, splits_axes s f ls /\ Forall reduced ls
    /\ forall others, splits_axes s f others ->
         map coarsen others = ls
         /\ Forall2 (fun l other => incl (places 1 l) (places 1 other)) ls others.
Proof.
  intros s f ks (Pk & Sk & ok & Fk). exists (map coarsen ks).
  assert (W : forall ls i, Forall proper ls -> walks (map coarsen ls) i = walks ls i).
  { induction ls as [|l ls IH]; intros [|x i] H; try reflexivity.
    inversion H; subst. cbn [map walks]. rewrite coarsen_walk, IH by assumption. reflexivity. }
  assert (Z' : forall ls, map size (map coarsen ls) = map size ls).
  { intros ls. rewrite map_map. apply map_ext, coarsen_size. }
  assert (P : forall ls, Forall proper ls -> Forall proper (map coarsen ls)).
  { intros ls H. apply Forall_map. eapply Forall_impl; [apply coarsen_proper | exact H]. }
  split; [|split].
  - split; [auto|]. split; [now rewrite Z'|]. exists ok. intros i Hi. rewrite W by assumption. auto.
  - apply Forall_map. eapply Forall_impl; [apply coarsen_reduced | exact Pk].
  - intros os (Po & So & oo & Fo).
    assert (A : forall i, in_shape s i -> walks os i = walks ks i).
    { (* both start at the same value, that of the corner *)
      pose proof (corner_in_shape os Po) as Hz. rewrite So in Hz.
      pose proof (Fo _ Hz) as H1. rewrite walks_corner in H1.
      pose proof (corner_in_shape ks Pk) as Hy. rewrite Sk in Hy.
      pose proof (Fk _ Hy) as H2. rewrite walks_corner in H2.
      assert (E : map (fun _ : cut => 0) os = map (fun _ : cut => 0) ks).
      { assert (L : length os = length ks) by (rewrite <- (map_length size os), So, <- Sk; apply map_length).
        clear - L. revert ks L. induction os as [|a os IH]; intros [|b ks] L; try discriminate; simpl; auto.
        f_equal. apply IH. now injection L. }
      rewrite E in H1. intros i Hi. specialize (Fo i Hi). specialize (Fk i Hi). lia. }
    assert (E : Forall2 (fun l k => size l = size k /\ forall x, 0 <= x < size l -> walk l x = walk k x) os ks).
    { apply walks_apart; try assumption; [now rewrite So, Sk|]. now rewrite So. }
    clear - Po Pk E. revert ks Pk E. induction Po as [|o os Ho Hos IH]; intros ks Pk E.
    + inversion E; subst. split; [reflexivity | constructor].
    + inversion E as [|? k ? ks' [Hsz Hw] E']; subst.
      inversion Pk as [|? ? Hk Hks]; subst.
      destruct (IH ks' Hks E') as [IH1 IH2].
      assert (Eo : coarsen o = coarsen k).
      { apply reduced_unique; try (now apply coarsen_proper); try (now apply coarsen_reduced).
        - now rewrite !coarsen_size.
        - rewrite coarsen_size. intros x Hx. rewrite !coarsen_walk by assumption. auto. }
      cbn [map]. rewrite IH1, Eo. split; [reflexivity|].
      constructor; [rewrite <- Eo; apply coarsen_places | exact IH2].
Qed.

(** ** Deciding it is hard *)

(** An axis of size 2 has one digit. *)
Lemma two_is_whole : forall l, proper l -> size l = 2 -> exists d, l = [(2, d)].
Proof.
  intros [|[n d] [|[m e] l]] H Hs; simpl in Hs; [lia | |].
  - exists d. f_equal. f_equal. lia.
  - inversion H as [|? ? Hn H']; subst. inversion H' as [|? ? Hm H'']; subst. simpl in *.
    pose proof (size_positive l H''). nia.
Qed.

(** So a function on a shape of twos splits exactly if it is affine. *)
Theorem twos_split_affine : forall s f, Forall (fun n => n = 2) s ->
  (exists ls, splits_axes s f ls) <-> affine (box_of s) f.
Proof.
  intros s f Hs. split.
  - intros (ls & Pl & Sl & o & Fl).
    assert (D : exists a, length a = length s
                  /\ forall i, in_shape s i -> walks ls i = dot a i).
    { clear Fl. revert s Hs Sl. induction Pl as [|l ls Hl _ IH]; intros s Hs Sl.
      - simpl in Sl. subst. exists []. split; [reflexivity|]. intros i Hi.
        apply in_shape_nil in Hi. now subst.
      - destruct s as [|n s]; [discriminate|]. injection Sl as Sn Ss.
        pose proof (Forall_inv Hs) as Hn. cbv beta in Hn.
        destruct (IH s (Forall_inv_tail Hs) Ss) as (a & La & Ha).
        destruct (two_is_whole l Hl (eq_trans Sn Hn)) as [d ->].
        exists (d :: a). split; [simpl; now f_equal|].
        intros i Hi. destruct i as [|x i]; [destruct Hi|].
        apply in_shape_cons in Hi as [Hx Hi]. cbn [walks dot].
        rewrite walk_small, (Ha i Hi) by lia. ring. }
    destruct D as (a & La & Ha). exists o, a. split; [now rewrite box_of_length|].
    intros i Hi. rewrite Fl, Ha by exact Hi. reflexivity.
  - intros (o & a & La & Fa). rewrite box_of_length in La.
    exists (map (fun d => [(2, d)]) a).
    assert (S : map size (map (fun d => [(2, d)]) a) = s).
    { clear - La Hs. revert a La. induction Hs as [|n s Hn _ IH]; intros [|d a] La; try discriminate;
        [reflexivity|]. injection La as La. simpl. rewrite (IH a La). f_equal. lia. }
    split; [apply Forall_map, Forall_forall; intros d _; repeat constructor; simpl; lia|].
    split; [exact S|]. exists o. intros i Hi. rewrite (Fa i Hi). f_equal.
    clear - La Hs Hi. revert a La i Hi. induction Hs as [|n s Hn _ IH]; intros [|d a] La i Hi; try discriminate.
    + reflexivity.
    + injection La as La. destruct i as [|x i]; [destruct Hi|].
      apply in_shape_cons in Hi as [Hx Hi]. subst n. cbn [map walks dot].
      rewrite walk_small, (IH a La i Hi) by lia. ring.
Qed.

(** The reduction of Hardness.v for splits: the two views split exactly if no
    subset has the sum T. *)
Theorem split_reduction : forall a T K, nonnegative a -> 1 <= T ->
  let g := modulus a T in
  let v1 := lower_view g K in
  let v2 := upper_view a T g in
  (exists ls, splits_axes (shape v2) (fun i => at_position v1 (index v2 i)) ls)
  <-> ~ has_subset a T.
Proof.
  intros a T K Ha HT g v1 v2.
  rewrite twos_split_affine.
  - unfold v1, v2, g. rewrite <- (reduction_affine a T K Ha HT). apply (reduction_merges a T K Ha HT).
  - unfold v2. cbn [shape upper_view]. constructor; [reflexivity|].
    apply Forall_map, Forall_forall. reflexivity.
Qed.
