(** * Systems of linear rows, and proofs that no integers satisfy them

    A form is a sum of multiples of variables and a constant; a row is a form
    with a lower end, an upper end, or both. A proof that no integers satisfy all
    rows is a tree: at a leaf multiples of the rows add up to something absurd, and
    a node splits the integers by a form that is at most k or at least k + 1.

    Example: 1 <= 2x <= 1 has a rational solution but no integer one. The proof
    splits by x at 0. Where x <= 0, the row says 2x >= 1: that and twice x <= 0
    make 1 <= 0. Where x >= 1, the row says 2x <= 1, and 2 <= 1.

    [refutes_sound]: rows with a proof that [refutes] accepts have no solution,
    whatever the proof looks like and whoever made it.

    Cost: every node is looked at once; a leaf takes a sum over the variables for
    each of its terms, and walks to the rows it names. *)

From Coq Require Import ZArith List Lia Bool.
From Viewmerge Require Import Views Lists.
Import ListNotations.
Open Scope Z_scope.

(** ** Forms *)

(** Coefficients that are not written are 0, and so are variables without a value. *)
Record form := Form { coefficients : list Z; constant : Z }.

Definition eval (z : list Z) (f : form) : Z := constant f + dot (coefficients f) z.

Fixpoint plus (a b : list Z) : list Z :=
  match a, b with
  | [], _ => b
  | _, [] => a
  | x :: a', y :: b' => (x + y) :: plus a' b'
  end.

Definition add (f g : form) : form :=
  Form (plus (coefficients f) (coefficients g)) (constant f + constant g).

Definition scale (m : Z) (f : form) : form := Form (map (Z.mul m) (coefficients f)) (m * constant f).

Definition minus (f g : form) : form := add f (scale (-1) g).

(** The form that is one variable, counted from 0. *)
Definition variable (n : nat) : form := Form (repeat 0 n ++ [1]) 0.

(** The sum of multiples of forms, as far as both lists reach. *)
Fixpoint weighted (a : list Z) (forms : list form) : form :=
  match a, forms with
  | x :: a', f :: forms' => add (scale x f) (weighted a' forms')
  | _, _ => Form [] 0
  end.

Lemma dot_plus : forall a b z, dot (plus a b) z = dot a z + dot b z.
Proof.
  induction a as [|x a IH]; intros [|y b] [|t z]; simpl; try lia. rewrite IH. ring.
Qed.

Lemma eval_add : forall z f g, eval z (add f g) = eval z f + eval z g.
Proof. intros. unfold eval, add; simpl. rewrite dot_plus. ring. Qed.

Lemma eval_scale : forall z m f, eval z (scale m f) = m * eval z f.
Proof. intros. unfold eval, scale; simpl. rewrite dot_scale. ring. Qed.

Lemma eval_minus : forall z f g, eval z (minus f g) = eval z f - eval z g.
Proof. intros. unfold minus. rewrite eval_add, eval_scale. ring. Qed.

Lemma eval_variable : forall before x after,
  eval (before ++ x :: after) (variable (length before)) = x.
Proof.
  intros. unfold eval, variable; cbn [coefficients constant].
  rewrite dot_app by apply repeat_length. rewrite dot_zeros. cbn [dot]. lia.
Qed.

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

(** Row [i] of [n]: first come the rows that are given, and then those of the
    splits on the way, which are listed last one first. *)
Definition row_at (rows : list row) (n : nat) (splits : list row) (i : nat) : option row :=
  match nth_error rows i with
  | Some r => Some r
  | None => if (i <? n)%nat then nth_error splits (n - 1 - i) else None
  end.

(** The sum of multiples of ends of rows; [None] if a multiplier is negative or an end is not there. *)
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
      | Some (Form a c) => forallb (Z.eqb 0) a && (0 <? c)
      | None => false
      end
  | Split a k low high =>
      if Nat.eqb (length a) variables then
        if refutes_below variables rows (S n) (Row (Form a 0) None (Some k) :: splits) low
        then refutes_below variables rows (S n) (Row (Form a 0) (Some (k + 1)) None :: splits) high
        else false
      else false
  end.

Definition refutes (variables : nat) (rows : list row) (p : proof) : bool :=
  refutes_below variables rows (length rows) [] p.

(** ** They prove what they claim *)

Lemma excess_sound : forall z r s f, holds z r -> excess r s = Some f -> eval z f <= 0.
Proof.
  intros z r [] f [Hlow Hhigh] E; simpl in E.
  - destruct (at_least r) as [a|]; [|discriminate]. injection E as <-.
    rewrite eval_minus. unfold eval at 1; simpl. lia.
  - destruct (at_most r) as [b|]; [|discriminate]. injection E as <-.
    rewrite eval_minus. unfold eval at 2; simpl. lia.
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

Lemma dot_all_zero : forall a z, forallb (Z.eqb 0) a = true -> dot a z = 0.
Proof.
  induction a as [|x a IH]; intros [|t z] H; cbn [forallb dot] in *; auto.
  apply andb_true_iff in H as [H1 H2]. apply Z.eqb_eq in H1 as <-. now rewrite IH.
Qed.

Lemma refutes_below_sound : forall variables rows p n splits z,
  refutes_below variables rows n splits p = true ->
  Forall (holds z) rows -> ~ Forall (holds z) splits.
Proof.
  intros variables rows p. induction p as [terms|a k low IHlow high IHhigh];
    intros n splits z H Hr Hs; simpl in H.
  - destruct (total rows n splits terms) as [[a c]|] eqn:E; [|discriminate].
    apply andb_true_iff in H as [Ha Hc]. apply Z.ltb_lt in Hc.
    apply (total_sound z) in E; [|exact Hr|exact Hs]. unfold eval in E; simpl in E.
    rewrite dot_all_zero in E by exact Ha. lia.
  - destruct (Nat.eqb (length a) variables); [|discriminate].
    destruct (refutes_below variables rows (S n) _ low) eqn:Elow; [|discriminate].
    destruct (Z_le_gt_dec (eval z (Form a 0)) k) as [Hk|Hk].
    + apply (IHlow _ _ z Elow Hr). constructor; [|exact Hs]. split; simpl; auto.
    + apply (IHhigh _ _ z H Hr). constructor; [|exact Hs]. split; simpl; [lia | auto].
Qed.

(** Rows with an accepted proof have no solution in integers. *)
Theorem refutes_sound : forall variables rows p,
  refutes variables rows p = true -> unsolvable rows.
Proof.
  intros variables rows p H z Hz. apply (refutes_below_sound _ _ _ _ _ z H Hz). constructor.
Qed.
