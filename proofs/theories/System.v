(** * Systems of linear rows, and proofs that no integers satisfy them

    A form is a sum of multiples of variables and a constant; a row is a form
    with a lower end, an upper end, or both. A proof that no integers satisfy all
    rows is a tree: at a leaf, multiples of the rows add up to a contradiction, and a node
    splits the integers by a form that is at most k or at least k + 1.

    Example: 1 <= 2x <= 1 has a rational solution but no integer one. The proof
    splits by x at 0. Where x <= 0, the row says 2x >= 1: that and twice x <= 0
    make 1 <= 0. Where x >= 1, the row says 2x <= 1, and 2 <= 1.

    [refutes_sound]: rows with any proof that [refutes] accepts have no solution.

    Cost: every node once; a leaf takes a sum over the variables for each of its terms,
    and walks to the rows it names. *)

From Coq Require Import ZArith List Lia Bool.
From Viewmerge Require Import Views Lists.
Import ListNotations.
Open Scope Z_scope.

(** ** Forms *)

(** The coefficients by variable. The functions below keep the variables in order and leave out
    zeros; no proof relies on this, but it makes equal forms equal data, and keeps a form as small
    as its terms. *)
Record form := Form { terms : list (nat * Z); constant : Z }.

(** The sum of multiples of variables; a variable without a value is 0. *)
Fixpoint weigh (terms : list (nat * Z)) (z : list Z) : Z :=
  match terms with
  | [] => 0
  | (v, c) :: terms' => c * nth v z 0 + weigh terms' z
  end.

Definition eval (z : list Z) (f : form) : Z := constant f + weigh (terms f) z.

Fixpoint plus (a : list (nat * Z)) : list (nat * Z) -> list (nat * Z) :=
  match a with
  | [] => fun b => b
  | (v, x) :: a' =>
      fix into b :=
        match b with
        | [] => a
        | (u, y) :: b' =>
            if (v <? u)%nat then (v, x) :: plus a' b
            else if (u <? v)%nat then (u, y) :: into b'
            else if x + y =? 0 then plus a' b'
            else (v, x + y) :: plus a' b'
        end
  end.

Definition add (f g : form) : form := Form (plus (terms f) (terms g)) (constant f + constant g).

Definition scale (m : Z) (f : form) : form :=
  if m =? 0 then Form [] 0
  else Form (map (fun t => (fst t, m * snd t)) (terms f)) (m * constant f).

Definition minus (f g : form) : form := add f (scale (-1) g).

(** The form that is one variable, counted from 0. *)
Definition variable (n : nat) : form := Form [(n, 1)] 0.

(** Coefficients of the variables from the [n]-th on, as terms. *)
Fixpoint numbered (n : nat) (a : list Z) : list (nat * Z) :=
  match a with
  | [] => []
  | x :: a' => if x =? 0 then numbered (S n) a' else (n, x) :: numbered (S n) a'
  end.

(** The sum of multiples of forms, as far as both lists reach. *)
Fixpoint weighted (a : list Z) (forms : list form) : form :=
  match a, forms with
  | x :: a', f :: forms' => add (scale x f) (weighted a' forms')
  | _, _ => Form [] 0
  end.

Lemma weigh_plus : forall a b z, weigh (plus a b) z = weigh a z + weigh b z.
Proof.
  induction a as [|[v x] a IH]; intros b z; [reflexivity|].
  induction b as [|[u y] b IHb]; [simpl; lia|].
  change (plus ((v, x) :: a) ((u, y) :: b))
    with (if (v <? u)%nat then (v, x) :: plus a ((u, y) :: b)
          else if (u <? v)%nat then (u, y) :: plus ((v, x) :: a) b
          else if x + y =? 0 then plus a b else (v, x + y) :: plus a b).
  destruct (Nat.ltb_spec v u); [cbn [weigh]; rewrite IH; cbn [weigh]; ring|].
  destruct (Nat.ltb_spec u v); [cbn [weigh]; rewrite IHb; cbn [weigh]; ring|].
  replace u with v by lia. destruct (Z.eqb_spec (x + y) 0); cbn [weigh]; rewrite IH; [|ring].
  replace y with (- x) by lia. ring.
Qed.

Lemma eval_add : forall z f g, eval z (add f g) = eval z f + eval z g.
Proof. intros. unfold eval, add; cbn [terms constant]. rewrite weigh_plus. ring. Qed.

Lemma eval_scale : forall z m f, eval z (scale m f) = m * eval z f.
Proof.
  intros z m f. unfold eval, scale. destruct (Z.eqb_spec m 0) as [->|_]; [reflexivity|].
  cbn [terms constant]. rewrite Z.mul_add_distr_l. f_equal.
  induction (terms f) as [|[v c] l IH]; simpl; [|rewrite IH]; ring.
Qed.

Lemma eval_minus : forall z f g, eval z (minus f g) = eval z f - eval z g.
Proof. intros. unfold minus. rewrite eval_add, eval_scale. ring. Qed.

Lemma eval_constant : forall z k, eval z (Form [] k) = k.
Proof. intros. unfold eval; simpl. ring. Qed.

Lemma eval_nth : forall z n, eval z (variable n) = nth n z 0.
Proof. intros z n. unfold eval, variable; simpl. destruct (nth n z 0); reflexivity. Qed.

Lemma eval_variable : forall before x after,
  eval (before ++ x :: after) (variable (length before)) = x.
Proof. intros. rewrite eval_nth, app_nth2, Nat.sub_diag; auto. Qed.

Lemma weigh_numbered : forall a n z, weigh (numbered n a) z = dot a (skipn n z).
Proof.
  assert (Next : forall n (z : list Z), (length z <= n)%nat \/ skipn n z = nth n z 0 :: skipn (S n) z).
  { induction n as [|n IH]; intros [|t z]; simpl; auto with arith.
    destruct (IH z); auto with arith. }
  induction a as [|x a IH]; intros n z; [reflexivity|].
  assert (E : dot (x :: a) (skipn n z) = x * nth n z 0 + dot a (skipn (S n) z)).
  { destruct (Next n z) as [H | ->]; [|reflexivity].
    rewrite nth_overflow, !skipn_all2, !dot_nil_r by lia. ring. }
  rewrite E, <- IH. cbn [numbered]. destruct (Z.eqb_spec x 0) as [->|_]; reflexivity.
Qed.

(** The form with these coefficients, one for each variable from the first on. *)
Definition coefficients (a : list Z) (k : Z) : form := Form (numbered 0 a) k.

Lemma eval_coefficients : forall z a k, eval z (coefficients a k) = k + dot a z.
Proof. intros. unfold eval, coefficients; cbn [terms constant]. now rewrite weigh_numbered. Qed.

Lemma eval_weighted : forall z a forms, eval z (weighted a forms) = dot a (map (eval z) forms).
Proof.
  induction a as [|x a IH]; intros [|f forms]; simpl; try reflexivity.
  rewrite eval_add, eval_scale, IH. reflexivity.
Qed.

(** ** Rows *)

Record row := Row { row_form : form; at_least : option Z; at_most : option Z }.

Definition holds (z : list Z) (r : row) : Prop :=
  match at_least r with Some a => a <= eval z (row_form r) | None => True end
  /\ match at_most r with Some b => eval z (row_form r) <= b | None => True end.

(** No integers satisfy all the rows. *)
Definition unsolvable (rows : list row) : Prop := forall z, ~ Forall (holds z) rows.

(** ** Proofs *)

Inductive side := Low | High.

(** One end of a row as a form that is at most 0. *)
Definition excess (r : row) (s : side) : option form :=
  match s with
  | Low => option_map (fun a => minus (Form [] a) (row_form r)) (at_least r)
  | High => option_map (fun b => minus (row_form r) (Form [] b)) (at_most r)
  end.

Inductive proof :=
  | Absurd (terms : list (nat * side * Z))
  | Split (a : list Z) (k : Z) (low high : proof).

(** Row [i] of [n]: first the given rows, then those of the splits on the way, which are
    listed last one first. *)
Definition row_at (rows : list row) (n : nat) (splits : list row) (i : nat) : option row :=
  match nth_error rows i with
  | Some r => Some r
  | None => if (i <? n)%nat then nth_error splits (n - 1 - i) else None
  end.

(** The sum of multiples of ends of rows; [None] if a multiplier is negative or an end is missing. *)
Fixpoint total (rows : list row) (n : nat) (splits : list row) (terms : list (nat * side * Z))
  : option form :=
  match terms with
  | [] => Some (Form [] 0)
  | (i, s, m) :: terms' =>
      if 0 <=? m then
        match row_at rows n splits i with
        | Some r =>
            match excess r s, total rows n splits terms' with
            | Some f, Some sum => Some (add (scale m f) sum)
            | _, _ => None
            end
        | None => None
        end
      else None
  end.

(** Whether a proof holds below some splits, with [n] rows in all. *)
Fixpoint refutes_below (variables : nat) (rows : list row) (n : nat) (splits : list row) (p : proof)
  : bool :=
  match p with
  | Absurd terms =>
      match total rows n splits terms with
      | Some (Form [] c) => 0 <? c
      | _ => false
      end
  | Split a k low high =>
      if Nat.eqb (length a) variables then
        let f := coefficients a 0 in
        if refutes_below variables rows (S n) (Row f None (Some k) :: splits) low
        then refutes_below variables rows (S n) (Row f (Some (k + 1)) None :: splits) high
        else false
      else false
  end.

(** A system: rows that many systems share, and its own, which follow them and are listed
    last one first. *)
Record system := System { shared : list row; own : list row }.

Definition rows_of (s : system) : list row := shared s ++ rev (own s).

Definition refutes (variables : nat) (s : system) (p : proof) : bool :=
  refutes_below variables (shared s) (length (shared s) + length (own s)) (own s) p.

(** ** They prove what they claim *)

Lemma excess_sound : forall z r s f, holds z r -> excess r s = Some f -> eval z f <= 0.
Proof.
  intros z r [] f [Hlow Hhigh] E; simpl in E.
  - destruct (at_least r) as [a|]; [|discriminate]. injection E as <-.
    rewrite eval_minus, eval_constant. lia.
  - destruct (at_most r) as [b|]; [|discriminate]. injection E as <-.
    rewrite eval_minus, eval_constant. lia.
Qed.

Lemma row_at_in : forall rows n splits i r,
  row_at rows n splits i = Some r -> In r rows \/ In r splits.
Proof.
  intros rows n splits i r E. unfold row_at in E. destruct (nth_error rows i) eqn:F.
  - injection E as ->. left. eapply nth_error_In, F.
  - right. destruct (i <? n)%nat; [|discriminate]. eapply nth_error_In, E.
Qed.

Lemma total_sound : forall z rows n splits terms f,
  Forall (holds z) rows -> Forall (holds z) splits ->
  total rows n splits terms = Some f -> eval z f <= 0.
Proof.
  intros z rows n splits terms f Hr Hs. revert f.
  induction terms as [|[[i s] m] terms IH]; intros f E; simpl in E.
  - injection E as <-. reflexivity.
  - destruct (Z.leb_spec 0 m); [|discriminate].
    destruct (row_at rows n splits i) as [r|] eqn:Er; [|discriminate].
    destruct (excess r s) as [g|] eqn:Eg; [|discriminate].
    destruct (total rows n splits terms) as [sum|]; [|discriminate]. injection E as <-.
    specialize (IH sum eq_refl). rewrite Forall_forall in Hr, Hs.
    assert (Hg : eval z g <= 0).
    { apply excess_sound with r s; [|exact Eg]. apply row_at_in in Er as [Er|Er]; auto. }
    rewrite eval_add, eval_scale. nia.
Qed.

Lemma refutes_below_sound : forall variables rows p n splits z,
  refutes_below variables rows n splits p = true ->
  Forall (holds z) rows -> ~ Forall (holds z) splits.
Proof.
  intros variables rows p. induction p as [terms|a k low IHlow high IHhigh];
    intros n splits z H Hr Hs; simpl in H.
  - destruct (total rows n splits terms) as [[[|] c]|] eqn:E; try discriminate.
    apply Z.ltb_lt in H. apply (total_sound z) in E; [|exact Hr|exact Hs].
    rewrite eval_constant in E. lia.
  - destruct (Nat.eqb (length a) variables); [|discriminate].
    destruct (refutes_below variables rows (S n) _ low) eqn:Elow; [|discriminate].
    destruct (Z_le_gt_dec (eval z (coefficients a 0)) k) as [Hk|Hk].
    + apply (IHlow _ _ z Elow Hr). constructor; [|exact Hs]. split; simpl; auto.
    + apply (IHhigh _ _ z H Hr). constructor; [|exact Hs]. split; simpl; [lia | auto].
Qed.

(** Rows with an accepted proof have no solution in integers. *)
Theorem refutes_sound : forall variables s p,
  refutes variables s p = true -> unsolvable (rows_of s).
Proof.
  intros variables s p H z Hz. apply Forall_app in Hz as [Hz Ho].
  apply (refutes_below_sound _ _ _ _ _ z H Hz).
  apply Forall_rev in Ho. now rewrite rev_involutive in Ho.
Qed.
