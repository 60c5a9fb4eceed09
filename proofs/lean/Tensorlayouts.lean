/-
# When is a stack of views one view? The theory in Lean 4

Definitions and theorems of docs/study, with Lean's own library only and without gaps. The
first part states them for two views without offset or padding, in the words of the repository this
question came from; the second part for offsets, negative strides, padding and any number of views.

Running example: (10,3,3):(8,1,2), seen through (4):(4), reads 0, 3, 6, 9. It is the view (4):(3),
although its strides are not contiguous: two carries cancel.
-/

namespace Tensorlayouts

/-! ## Part one: two views -/

/-- The sizes of the axes; the last axis is the fastest. -/
abbrev Shape := List Nat

namespace Shape

/-- How many indices a shape has: a strict bound of the linear positions. -/
def max_index : Shape → Nat
  | [] => 1
  | s :: ss => s * max_index ss

/-- An index has one entry for each axis, below the size of that axis. -/
def is_valid_index : Shape → List Nat → Prop
  | [], [] => True
  | s :: ss, i :: is => i < s ∧ is_valid_index ss is
  | _, _ => False

end Shape

/-- The indices of a shape. -/
def IndexSet (s : Shape) := { i : List Nat // s.is_valid_index i }

/-- The natural numbers below a bound. -/
def NatLt (n : Nat) := { k : Nat // k < n }

/-- The sum of products, entry by entry. -/
def inner : List Nat → List Nat → Nat
  | a :: as, x :: xs => a * x + inner as xs
  | _, _ => 0

/-- Increases entry `j` by one. -/
def inc : List Nat → Nat → List Nat
  | [], _ => []
  | i :: is, 0 => (i + 1) :: is
  | i :: is, j + 1 => i :: inc is j

/-- The index of zeros. -/
def zeros : Shape → List Nat
  | [] => []
  | _ :: ss => 0 :: zeros ss

/-- A shape and a stride for each axis, all of them positive. -/
structure View where
  shape : Shape
  stride : List Nat
  lengthEq : shape.length = stride.length
  shape_pos : ∀ s, s ∈ shape → 0 < s
  stride_pos : ∀ t, t ∈ stride → 0 < t

/-- The least strict bound of the positions: the sum of (s - 1) σ, and one more. -/
def bound : Shape → List Nat → Nat
  | s :: ss, t :: ts => (s - 1) * t + bound ss ts
  | _, _ => 1

namespace View

/-- The least strict bound of the positions of a view. -/
def max_index (v : View) : Nat := bound v.shape v.stride

theorem inner_lt_bound : ∀ (s : Shape) (t i : List Nat), s.length = t.length →
    s.is_valid_index i → inner t i < bound s t
  | [], [], [], _, _ => by simp [inner, bound]
  | [], [], _ :: _, _, h => by simp [Shape.is_valid_index] at h
  | [], _ :: _, _, h, _ => by simp at h
  | _ :: _, [], _, h, _ => by simp at h
  | _ :: _, _ :: _, [], _, h => by simp [Shape.is_valid_index] at h
  | s :: ss, t :: ts, i :: is, hl, h => by
      simp only [Shape.is_valid_index] at h
      have ih := inner_lt_bound ss ts is (by simpa using hl) h.2
      have : t * i ≤ (s - 1) * t := by
        rw [Nat.mul_comm t i]
        exact Nat.mul_le_mul_right t (by omega)
      simp only [inner, bound]
      omega

/-- The position of an index: the sum of stride times entry. -/
def index_fn (v : View) (i : IndexSet v.shape) : NatLt v.max_index :=
  ⟨inner v.stride i.val, inner_lt_bound v.shape v.stride i.val v.lengthEq i.property⟩

end View

/-- The mixed-radix digits of a number. -/
def digits : Shape → Nat → List Nat
  | [], _ => []
  | _ :: ss, n => n / Shape.max_index ss :: digits ss (n % Shape.max_index ss)

/-- The number with these digits. -/
def ravel : Shape → List Nat → Nat
  | _ :: ss, i :: is => i * Shape.max_index ss + ravel ss is
  | _, _ => 0

theorem max_index_pos : ∀ (s : Shape), (∀ k, k ∈ s → 0 < k) → 0 < s.max_index
  | [], _ => by simp [Shape.max_index]
  | k :: ss, h => by
      simp only [Shape.max_index]
      exact Nat.mul_pos (h k (by simp)) (max_index_pos ss (fun x hx => h x (by simp [hx])))

theorem digits_valid : ∀ (s : Shape) (n : Nat), n < s.max_index → s.is_valid_index (digits s n)
  | [], _, _ => by simp [digits, Shape.is_valid_index]
  | k :: ss, n, h => by
      simp only [Shape.max_index] at h
      have hp : 0 < Shape.max_index ss := by
        rcases Nat.eq_zero_or_pos (Shape.max_index ss) with e | e
        · rw [e] at h; simp at h
        · exact e
      simp only [digits, Shape.is_valid_index]
      exact ⟨(Nat.div_lt_iff_lt_mul hp).mpr h, digits_valid ss _ (Nat.mod_lt _ hp)⟩

/-- The index at a linear position. -/
def unravel (s : Shape) (n : NatLt s.max_index) : IndexSet s :=
  ⟨digits s n.val, digits_valid s n.val n.property⟩

theorem ravel_digits : ∀ (s : Shape) (n : Nat), n < s.max_index → ravel s (digits s n) = n
  | [], n, h => by simp only [Shape.max_index] at h; simp only [ravel]; omega
  | k :: ss, n, h => by
      simp only [Shape.max_index] at h
      have hp : 0 < Shape.max_index ss := by
        rcases Nat.eq_zero_or_pos (Shape.max_index ss) with e | e
        · rw [e] at h; simp at h
        · exact e
      simp only [digits, ravel]
      rw [ravel_digits ss _ (Nat.mod_lt _ hp), Nat.mul_comm]
      exact Nat.div_add_mod n _

theorem ravel_lt : ∀ (s : Shape) (i : List Nat), s.is_valid_index i → ravel s i < s.max_index
  | [], [], _ => by simp [ravel, Shape.max_index]
  | [], _ :: _, h => by simp [Shape.is_valid_index] at h
  | _ :: _, [], h => by simp [Shape.is_valid_index] at h
  | k :: ss, i :: is, h => by
      simp only [Shape.is_valid_index] at h
      have ih := ravel_lt ss is h.2
      have : (i + 1) * Shape.max_index ss ≤ k * Shape.max_index ss := Nat.mul_le_mul_right _ h.1
      rw [Nat.succ_mul] at this
      simp only [ravel, Shape.max_index]
      omega

theorem digits_ravel : ∀ (s : Shape) (i : List Nat), s.is_valid_index i → digits s (ravel s i) = i
  | [], [], _ => by simp [digits]
  | [], _ :: _, h => by simp [Shape.is_valid_index] at h
  | _ :: _, [], h => by simp [Shape.is_valid_index] at h
  | k :: ss, i :: is, h => by
      simp only [Shape.is_valid_index] at h
      have hlt := ravel_lt ss is h.2
      have hp : 0 < Shape.max_index ss := by omega
      simp only [ravel, digits]
      have e1 : (i * Shape.max_index ss + ravel ss is) / Shape.max_index ss = i := by
        rw [Nat.mul_comm, Nat.mul_add_div hp, Nat.div_eq_of_lt hlt]; rfl
      have e2 : (i * Shape.max_index ss + ravel ss is) % Shape.max_index ss = ravel ss is := by
        rw [Nat.mul_comm, Nat.mul_add_mod, Nat.mod_eq_of_lt hlt]
      rw [e1, e2, digits_ravel ss is h.2]

/-- `unravel` and `ravel` undo each other. -/
theorem unravel_correct (s : Shape) :
    (∀ n : NatLt s.max_index, ravel s (unravel s n).val = n.val) ∧
    (∀ i : IndexSet s, unravel s ⟨ravel s i.val, ravel_lt s i.val i.property⟩ = i) :=
  ⟨fun n => ravel_digits s n.val n.property, fun i => Subtype.ext (digits_ravel s i.val i.property)⟩

namespace View

/-- A view read by linear position. -/
def to_unraveled_index_fn (v : View) (n : NatLt v.shape.max_index) : NatLt v.max_index :=
  v.index_fn (unravel v.shape n)

/-- `v2` counts the elements of `v1`: what an index of `v2` reads in the memory of `v1`. -/
def compose (v1 v2 : View) (h : v2.max_index ≤ v1.shape.max_index) (i : IndexSet v2.shape) :
    NatLt v1.max_index :=
  v1.to_unraveled_index_fn ⟨(v2.index_fn i).val, Nat.lt_of_lt_of_le (v2.index_fn i).property h⟩

/-- `v` is the same function as `v2` on top of `v1`. -/
def is_merge (v v1 v2 : View) : Prop :=
  ∃ (hshape : v2.shape = v.shape) (hmax : v2.max_index ≤ v1.shape.max_index),
    ∀ i : IndexSet v2.shape,
      (v.index_fn ⟨i.val, hshape ▸ i.property⟩).val = (v1.compose v2 hmax i).val

/-- Some view is the same function as `v2` on top of `v1`. -/
def is_mergeable (v1 v2 : View) : Prop := ∃ v : View, v.is_merge v1 v2

end View

theorem valid_length : ∀ (s : Shape) (i : List Nat), s.is_valid_index i → i.length = s.length
  | [], [], _ => rfl
  | [], _ :: _, h => by simp [Shape.is_valid_index] at h
  | _ :: _, [], h => by simp [Shape.is_valid_index] at h
  | _ :: ss, _ :: is, h => by
      simp only [Shape.is_valid_index] at h
      simp [valid_length ss is h.2]

theorem valid_inc : ∀ (s : Shape) (i : List Nat) (j : Nat), s.is_valid_index i →
    i.getD j 0 + 1 < s.getD j 0 → s.is_valid_index (inc i j)
  | [], _, _, _, h => by simp at h
  | _ :: _, [], _, hv, _ => by simp [Shape.is_valid_index] at hv
  | _ :: _, _ :: _, 0, hv, h => by
      simp only [Shape.is_valid_index] at hv
      simp only [List.getD_cons_zero] at h
      simp only [inc, Shape.is_valid_index]
      exact ⟨h, hv.2⟩
  | _ :: ss, _ :: is, j + 1, hv, h => by
      simp only [Shape.is_valid_index] at hv
      simp only [List.getD_cons_succ] at h
      simp only [inc, Shape.is_valid_index]
      exact ⟨hv.1, valid_inc ss is j hv.2 h⟩

/-- Increases entry `j` of an index that has room for it. -/
def IndexSet.increment {s : Shape} (i : IndexSet s) (j : Nat) (h : i.val.getD j 0 + 1 < s.getD j 0) :
    IndexSet s :=
  ⟨inc i.val j, valid_inc s i.val j i.property h⟩

theorem inner_inc : ∀ (t i : List Nat) (j : Nat), j < t.length → j < i.length →
    inner t (inc i j) = inner t i + t.getD j 0
  | [], _, _, h, _ => by simp at h
  | _ :: _, [], _, _, h => by simp at h
  | a :: as, x :: xs, 0, _, _ => by
      simp only [inc, inner, List.getD_cons_zero, Nat.mul_add, Nat.mul_one]
      omega
  | a :: as, x :: xs, j + 1, h, h' => by
      simp only [inc, inner, List.getD_cons_succ]
      rw [inner_inc as xs j (by simpa using h) (by simpa using h')]
      omega

theorem zeros_valid : ∀ (s : Shape) (i : List Nat), s.is_valid_index i → s.is_valid_index (zeros s)
  | [], _, _ => trivial
  | _ :: _, [], h => by simp [Shape.is_valid_index] at h
  | k :: ss, i :: is, h => by
      simp only [Shape.is_valid_index] at h
      simp only [zeros, Shape.is_valid_index]
      exact ⟨by omega, zeros_valid ss is h.2⟩

/-- A function with constant increments along each axis is a sum of strides times entries. -/
theorem affine_of_increments : ∀ (s : Shape) (t : List Nat) (f : List Nat → Nat), t.length = s.length →
    (∀ i j, s.is_valid_index i → i.getD j 0 + 1 < s.getD j 0 → f (inc i j) = f i + t.getD j 0) →
    ∀ i, s.is_valid_index i → f i = f (zeros s) + inner t i
  | [], [], _, _, _, [], _ => by simp [inner, zeros]
  | [], _, _, _, _, _ :: _, hi => by simp [Shape.is_valid_index] at hi
  | [], _ :: _, _, hl, _, _, _ => by simp at hl
  | _ :: _, [], _, hl, _, _, _ => by simp at hl
  | _ :: _, _, _, _, _, [], hi => by simp [Shape.is_valid_index] at hi
  | n :: ss, a :: ts, f, hl, h, k :: is, hi => by
      simp only [Shape.is_valid_index] at hi
      have hz := zeros_valid ss is hi.2
      have walk : ∀ k, k < n → f (k :: zeros ss) = f (0 :: zeros ss) + a * k := by
        intro k
        induction k with
        | zero => intro _; simp
        | succ k ih =>
          intro hk
          have e := ih (by omega)
          have d := h (k :: zeros ss) 0 (by simp only [Shape.is_valid_index]; exact ⟨by omega, hz⟩)
            (by simpa using hk)
          simp only [inc, List.getD_cons_zero] at d
          rw [d, e, Nat.mul_succ]
          omega
      have rest := affine_of_increments ss ts (fun r => f (k :: r)) (by simpa using hl)
        (by
          intro i j hv hj
          have d := h (k :: i) (j + 1) (by simp only [Shape.is_valid_index]; exact ⟨hi.1, hv⟩)
            (by simpa using hj)
          simpa [inc] using d) is hi.2
      have e := walk k hi.1
      simp only [zeros, inner]
      have rest' : f (k :: is) = f (k :: zeros ss) + inner ts is := rest
      omega

theorem inner_zeros : ∀ (s : Shape) (t : List Nat), inner t (zeros s) = 0
  | [], [] => rfl
  | [], _ :: _ => rfl
  | _ :: _, [] => rfl
  | _ :: ss, _ :: ts => by simp [zeros, inner, inner_zeros ss ts]

theorem digits_zero : ∀ (s : Shape), digits s 0 = zeros s
  | [] => rfl
  | _ :: ss => by simp [digits, zeros, digits_zero ss]

/-- With positive strides, only the first position reads the first element. -/
theorem inner_pos : ∀ (s : Shape) (t : List Nat) (n : Nat), s.length = t.length →
    (∀ x, x ∈ t → 0 < x) → 0 < n → n < s.max_index → 0 < inner t (digits s n)
  | [], _, n, _, _, h0, h => by simp only [Shape.max_index] at h; omega
  | _ :: _, [], _, hl, _, _, _ => by simp at hl
  | k :: ss, a :: ts, n, hl, ht, h0, h => by
      simp only [Shape.max_index] at h
      have hp : 0 < Shape.max_index ss := by
        rcases Nat.eq_zero_or_pos (Shape.max_index ss) with e | e
        · rw [e] at h; simp at h
        · exact e
      simp only [digits, inner]
      rcases Nat.eq_zero_or_pos (n / Shape.max_index ss) with e | e
      · have hlt : n < Shape.max_index ss := (Nat.div_eq_zero_iff_lt hp).mp e
        rw [Nat.mod_eq_of_lt hlt]
        have := inner_pos ss ts n (by simpa using hl) (fun x hx => ht x (by simp [hx])) h0 hlt
        omega
      · have := Nat.mul_pos (ht a (by simp)) e
        omega

/-- The strides where an axis has two indices, and 1 elsewhere. -/
def chosen : Shape → (Nat → Nat) → List Nat
  | [], _ => []
  | s :: ss, f => (if 1 < s then f 0 else 1) :: chosen ss (fun j => f (j + 1))

theorem chosen_length : ∀ (s : Shape) (f : Nat → Nat), (chosen s f).length = s.length
  | [], _ => rfl
  | _ :: ss, f => by simp [chosen, chosen_length ss]

theorem chosen_getD : ∀ (s : Shape) (f : Nat → Nat) (j : Nat), 1 < s.getD j 0 →
    (chosen s f).getD j 0 = f j
  | [], _, _, h => by simp at h
  | s :: ss, f, 0, h => by
      simp only [List.getD_cons_zero] at h
      simp [chosen, h]
  | s :: ss, f, j + 1, h => by
      simp only [List.getD_cons_succ] at h
      simp only [chosen, List.getD_cons_succ]
      exact chosen_getD ss (fun j => f (j + 1)) j h

theorem chosen_pos : ∀ (s : Shape) (f : Nat → Nat),
    (∀ j, 1 < s.getD j 0 → 0 < f j) → ∀ x, x ∈ chosen s f → 0 < x
  | [], _, _, x, hx => by simp [chosen] at hx
  | s :: ss, f, h, x, hx => by
      simp only [chosen, List.mem_cons] at hx
      rcases hx with hx | hx
      · subst hx
        by_cases c : 1 < s
        · simp only [c, if_true]; exact h 0 (by simpa using c)
        · simp [c]
      · exact chosen_pos ss (fun j => f (j + 1)) (fun j hj => h (j + 1) (by simpa using hj)) x hx

theorem getD_lt_length : ∀ {s : List Nat} {j k : Nat}, k < s.getD j 0 → j < s.length
  | [], _, _, h => by simp at h
  | _ :: _, 0, _, _ => by simp
  | _ :: s, j + 1, k, h => by
      simp only [List.getD_cons_succ] at h
      have := getD_lt_length (s := s) h
      simp only [List.length_cons]
      omega

theorem getD_pos : ∀ (t : List Nat) (j : Nat), j < t.length → (∀ x, x ∈ t → 0 < x) → 0 < t.getD j 0
  | [], _, h, _ => by simp at h
  | a :: _, 0, _, ht => by simp only [List.getD_cons_zero]; exact ht a (by simp)
  | _ :: ts, j + 1, h, ht => by
      simp only [List.getD_cons_succ]
      exact getD_pos ts j (by simpa using h) (fun x hx => ht x (by simp [hx]))

theorem shape_pos_valid : ∀ (s : Shape), (∀ k, k ∈ s → 0 < k) → s.is_valid_index (zeros s)
  | [], _ => trivial
  | k :: ss, h => by
      simp only [zeros, Shape.is_valid_index]
      exact ⟨h k (by simp), shape_pos_valid ss (fun x hx => h x (by simp [hx]))⟩

theorem zeros_getD : ∀ (s : Shape) (j : Nat), (zeros s).getD j 0 = 0
  | [], _ => by simp [zeros]
  | _ :: _, 0 => by simp [zeros]
  | _ :: ss, j + 1 => by simp only [zeros, List.getD_cons_succ]; exact zeros_getD ss j

/-- What the composition reads, as a function of plain lists. -/
def reads (v1 v2 : View) (i : List Nat) : Nat := inner v1.stride (digits v1.shape (inner v2.stride i))

theorem compose_val (v1 v2 : View) (h : v2.max_index ≤ v1.shape.max_index) (i : IndexSet v2.shape) :
    (v1.compose v2 h i).val = reads v1 v2 i.val := rfl

/-- **The criterion.** Two views are one view exactly if they compose, and there are strides such that
increasing entry `j` of an index always adds stride `j`. -/
theorem mergeability_criterion (v1 v2 : View) :
    View.is_mergeable v1 v2 ↔
    ∃ (h : v2.max_index ≤ v1.shape.max_index) (stride : Nat → Nat),
      ∀ (i : IndexSet v2.shape) (j : Nat) (hj : i.val.getD j 0 + 1 < v2.shape.getD j 0),
        (v1.compose v2 h (i.increment j hj)).val - (v1.compose v2 h i).val = stride j := by
  constructor
  · rintro ⟨v, hshape, hmax, hv⟩
    refine ⟨hmax, fun j => v.stride.getD j 0, ?_⟩
    intro i j hj
    have e1 := hv i
    have e2 := hv (i.increment j hj)
    have hjl : j < v2.shape.length := getD_lt_length hj
    have hl : j < v.stride.length := by rw [← v.lengthEq, ← hshape]; exact hjl
    have hi : j < i.val.length := by rw [valid_length _ _ i.property]; exact hjl
    have e := inner_inc v.stride i.val j hl hi
    have e1' : inner v.stride i.val = (v1.compose v2 hmax i).val := e1
    have e2' : inner v.stride (inc i.val j) = (v1.compose v2 hmax (i.increment j hj)).val := e2
    show _ = v.stride.getD j 0
    omega
  · rintro ⟨hmax, stride, hs⟩
    have hlt : ∀ i, v2.shape.is_valid_index i → inner v2.stride i < v1.shape.max_index := fun i hi =>
      Nat.lt_of_lt_of_le (View.inner_lt_bound _ _ i v2.lengthEq hi) hmax
    have hz := shape_pos_valid v2.shape v2.shape_pos
    have zero : reads v1 v2 (zeros v2.shape) = 0 := by
      simp only [reads, inner_zeros, digits_zero]
    -- An axis with two indices has a positive stride: its first step leaves the first element.
    have pos : ∀ j, 1 < v2.shape.getD j 0 → 0 < stride j := by
      intro j hj
      have hroom : (zeros v2.shape).getD j 0 + 1 < v2.shape.getD j 0 := by rw [zeros_getD]; omega
      have e := hs ⟨zeros v2.shape, hz⟩ j hroom
      have hjl : j < v2.shape.length := getD_lt_length hj
      have hzl : j < (zeros v2.shape).length := by rw [valid_length _ _ hz]; exact hjl
      have e0 := inner_inc v2.stride (zeros v2.shape) j (by rw [← v2.lengthEq]; exact hjl) hzl
      rw [inner_zeros, Nat.zero_add] at e0
      have hsp : 0 < v2.stride.getD j 0 :=
        getD_pos v2.stride j (by rw [← v2.lengthEq]; exact hjl) v2.stride_pos
      have hv := valid_inc v2.shape (zeros v2.shape) j hz hroom
      have hp : 0 < reads v1 v2 (inc (zeros v2.shape) j) :=
        inner_pos v1.shape v1.stride _ v1.lengthEq v1.stride_pos (by rw [e0]; exact hsp) (hlt _ hv)
      rw [compose_val, compose_val] at e
      have e' : reads v1 v2 (inc (zeros v2.shape) j) - reads v1 v2 (zeros v2.shape) = stride j := e
      omega
    let t := chosen v2.shape stride
    have step : ∀ i j, v2.shape.is_valid_index i → i.getD j 0 + 1 < v2.shape.getD j 0 →
        reads v1 v2 (inc i j) = reads v1 v2 i + t.getD j 0 := by
      intro i j hi hj
      have e := hs ⟨i, hi⟩ j hj
      rw [compose_val, compose_val] at e
      have e' : reads v1 v2 (inc i j) - reads v1 v2 i = stride j := e
      have hsize : 1 < v2.shape.getD j 0 := by omega
      have := pos j hsize
      have ht : t.getD j 0 = stride j := chosen_getD v2.shape stride j hsize
      omega
    have all := affine_of_increments v2.shape t (reads v1 v2) (chosen_length _ _) step
    refine ⟨⟨v2.shape, t, (chosen_length _ _).symm, v2.shape_pos, chosen_pos _ _ pos⟩, rfl, hmax, ?_⟩
    intro i
    have e := all i.val i.property
    rw [zero, Nat.zero_add] at e
    rw [compose_val, e]
    rfl

/-- On an axis with two indices the stride of a merged view is unique. -/
theorem merged_stride_unique (v w v1 v2 : View) (hv : v.is_merge v1 v2) (hw : w.is_merge v1 v2) (j : Nat)
    (hj : 1 < v2.shape.getD j 0) : v.stride.getD j 0 = w.stride.getD j 0 := by
  obtain ⟨hsv, hm, ev⟩ := hv
  obtain ⟨hsw, _, ew⟩ := hw
  have hz := shape_pos_valid v2.shape v2.shape_pos
  have hroom : (zeros v2.shape).getD j 0 + 1 < v2.shape.getD j 0 := by rw [zeros_getD]; omega
  have hjl : j < v2.shape.length := getD_lt_length hj
  have hzl : j < (zeros v2.shape).length := by rw [valid_length _ _ hz]; exact hjl
  have i1 := inner_inc v.stride (zeros v2.shape) j (by rw [← v.lengthEq, ← hsv]; exact hjl) hzl
  have i2 := inner_inc w.stride (zeros v2.shape) j (by rw [← w.lengthEq, ← hsw]; exact hjl) hzl
  have a : inner v.stride (inc (zeros v2.shape) j) = inner w.stride (inc (zeros v2.shape) j) :=
    (ev (IndexSet.increment ⟨zeros v2.shape, hz⟩ j hroom)).trans
      (ew (IndexSet.increment ⟨zeros v2.shape, hz⟩ j hroom)).symm
  rw [inner_zeros] at i1 i2
  omega

/-! ## Part two: offsets, negative strides, padding, any number of views -/

namespace Chains

/-- For each axis the first index and the one after the last. -/
abbrev Box := List (Int × Int)

/-- An index lies in a box if each entry does. -/
def InBox : Box → List Int → Prop
  | [], [] => True
  | r :: b, x :: i => (r.1 ≤ x ∧ x < r.2) ∧ InBox b i
  | _, _ => False

/-- The sum of products, entry by entry. -/
def dot : List Int → List Int → Int
  | a :: as, x :: xs => a * x + dot as xs
  | _, _ => 0

/-- Increases entry `l` by one. -/
def step : List Int → Nat → List Int
  | [], _ => []
  | x :: i, 0 => (x + 1) :: i
  | x :: i, l + 1 => x :: step i l

/-- The first index of a box. -/
def low : Box → List Int
  | [] => []
  | r :: b => r.1 :: low b

/-- A function is affine on a box: an offset, and a stride for each axis. -/
def AffineOn (b : Box) (f : List Int → Int) (o : Int) (a : List Int) : Prop :=
  a.length = b.length ∧ ∀ i, InBox b i → f i = o + dot a i

/-- One step along axis `l` adds the same wherever it is taken. -/
def HasStrides (b : Box) (f : List Int → Int) (a : List Int) : Prop :=
  a.length = b.length ∧ ∀ i l, l < b.length → InBox b i → InBox b (step i l) → f (step i l) - f i = a.getD l 0

theorem inBox_length : ∀ (b : Box) (i : List Int), InBox b i → i.length = b.length
  | [], [], _ => rfl
  | [], _ :: _, h => by simp [InBox] at h
  | _ :: _, [], h => by simp [InBox] at h
  | _ :: b, _ :: i, h => by
      simp only [InBox] at h
      simp [inBox_length b i h.2]

theorem inBox_low : ∀ (b : Box) (i : List Int), InBox b i → InBox b (low b)
  | [], _, _ => trivial
  | _ :: _, [], h => by simp [InBox] at h
  | r :: b, x :: i, h => by
      simp only [InBox] at h
      simp only [low, InBox]
      exact ⟨by omega, inBox_low b i h.2⟩

theorem dot_step : ∀ (a i : List Int) (l : Nat), l < a.length → l < i.length →
    dot a (step i l) = dot a i + a.getD l 0
  | [], _, _, h, _ => by simp at h
  | _ :: _, [], _, _, h => by simp at h
  | a :: as, x :: xs, 0, _, _ => by
      simp only [step, dot, List.getD_cons_zero, Int.mul_add, Int.mul_one]
      omega
  | a :: as, x :: xs, l + 1, h, h' => by
      simp only [step, dot, List.getD_cons_succ]
      rw [dot_step as xs l (by simpa using h) (by simpa using h')]
      omega

/-- Constant increments make a function affine on its box. -/
theorem affine_of_strides : ∀ (b : Box) (f : List Int → Int) (a : List Int), HasStrides b f a →
    ∀ i, InBox b i → f i = f (low b) + (dot a i - dot a (low b))
  | [], f, [], _, [], _ => by simp [low, dot]
  | [], _, _, _, _ :: _, h => by simp [InBox] at h
  | [], _, _ :: _, h, _, _ => by simp [HasStrides] at h
  | _ :: _, _, [], h, _, _ => by simp [HasStrides] at h
  | _ :: _, _, _, _, [], h => by simp [InBox] at h
  | r :: b, f, a :: as, ⟨hl, h⟩, x :: i, hi => by
      simp only [InBox] at hi
      have hz := inBox_low b i hi.2
      have walk : ∀ n : Nat, r.1 + n < r.2 → f ((r.1 + n) :: low b) = f (r.1 :: low b) + a * n := by
        intro n
        induction n with
        | zero => intro _; simp
        | succ n ih =>
          intro hn
          have e := ih (by omega)
          have d := h ((r.1 + n) :: low b) 0 (by simp)
            (by simp only [InBox]; exact ⟨⟨by omega, by omega⟩, hz⟩)
            (by simp only [step, InBox]; exact ⟨⟨by omega, by omega⟩, hz⟩)
          simp only [step, List.getD_cons_zero] at d
          have e1 : r.1 + ((n + 1 : Nat) : Int) = r.1 + n + 1 := by omega
          have e2 : a * ((n + 1 : Nat) : Int) = a * n + a := by
            rw [Int.natCast_succ, Int.mul_add, Int.mul_one]
          rw [e1, e2]
          omega
      have rest := affine_of_strides b (fun k => f (x :: k)) as
        ⟨by simpa using hl, by
          intro k l hlt hk hk'
          have d := h (x :: k) (l + 1) (by simpa using hlt) (by simp only [InBox]; exact ⟨hi.1, hk⟩)
            (by simp only [step, InBox]; exact ⟨hi.1, hk'⟩)
          simpa [step] using d⟩ i hi.2
      have rest' : f (x :: i) = f (x :: low b) + (dot as i - dot as (low b)) := rest
      have e := walk (x - r.1).toNat (by omega)
      have e1 : r.1 + ((x - r.1).toNat : Int) = x := by omega
      have e2 : a * ((x - r.1).toNat : Int) = a * x - a * r.1 := by
        rw [Int.toNat_of_nonneg (by omega), Int.mul_sub]
      rw [e1, e2] at e
      simp only [low, dot]
      omega

/-- **The criterion for any function on a box**: affine exactly if the increments are constant. -/
theorem criterion (b : Box) (f : List Int → Int) (a : List Int) :
    (∃ o, AffineOn b f o a) ↔ HasStrides b f a := by
  constructor
  · rintro ⟨o, hl, h⟩
    refine ⟨hl, ?_⟩
    intro i l hlt hi hs
    rw [h _ hi, h _ hs, dot_step a i l (by omega) (by rw [inBox_length b i hi]; exact hlt)]
    omega
  · intro h
    refine ⟨f (low b) - dot a (low b), h.1, ?_⟩
    intro i hi
    rw [affine_of_strides b f a h i hi]
    omega

/-- The strides are unique on an axis along which a step can be taken. -/
theorem strides_unique (b : Box) (f : List Int → Int) (a a' : List Int) (h : HasStrides b f a)
    (h' : HasStrides b f a') (i : List Int) (l : Nat) (hl : l < b.length) (hi : InBox b i)
    (hs : InBox b (step i l)) : a.getD l 0 = a'.getD l 0 := by
  rw [← h.2 i l hl hi hs, ← h'.2 i l hl hi hs]

/-- What is valid: everything, a box, or nothing. Zero axes have a box that is not empty, so
"nothing" is a case of its own. -/
inductive Mask where
  | all : Mask
  | box (b : Box) : Mask
  | nothing : Mask

/-- A shape, strides of any sign, an offset, and what is valid. -/
structure View where
  shape : List Int
  strides : List Int
  offset : Int
  mask : Mask

/-- Strides and mask have an entry for each axis. -/
def View.WellFormed (v : View) : Prop :=
  v.strides.length = v.shape.length ∧
  match v.mask with
  | .box b => b.length = v.shape.length
  | _ => True

/-- All the indices of a shape. -/
def boxOf : List Int → Box
  | [] => []
  | s :: ss => (0, s) :: boxOf ss

/-- The common part of two boxes. -/
def meet : Box → Box → Box
  | r :: b, r' :: b' => (max r.1 r'.1, min r.2 r'.2) :: meet b b'
  | _, _ => []

/-- The indices of a view that read memory; the others read padding. -/
def View.Valid (v : View) (i : List Int) : Prop :=
  InBox (boxOf v.shape) i ∧
  match v.mask with
  | .all => True
  | .box b => InBox b i
  | .nothing => False

/-- The position of an index. -/
def View.index (v : View) (i : List Int) : Int := v.offset + dot v.strides i

/-- The number of indices of a shape. -/
def size : List Int → Int
  | [] => 1
  | s :: ss => s * size ss

/-- The mixed-radix digits of a position. -/
def unravel : List Int → Int → List Int
  | [], _ => []
  | _ :: ss, n => n / size ss :: unravel ss (n % size ss)

/-- What a position reads through the views below, the uppermost of them first. -/
def value : List View → Int → Int
  | [], p => p
  | v :: vs, p => value vs (v.index (unravel v.shape p))

/-- The position is valid in every view below. -/
def Defined : List View → Int → Prop
  | [], _ => True
  | v :: vs, p => v.Valid (unravel v.shape p) ∧ Defined vs (v.index (unravel v.shape p))

/-- Every valid position lies in the shape of the view below it. -/
def Inside : List View → Int → Prop
  | [], _ => True
  | v :: vs, p => (0 ≤ p ∧ p < size v.shape) ∧
      (v.Valid (unravel v.shape p) → Inside vs (v.index (unravel v.shape p)))

/-- What an index reads through the whole chain. -/
def reads (below : List View) (top : View) (i : List Int) : Int := value below (top.index i)

/-- The indices that read memory through the whole chain. -/
def ValidIn (below : List View) (top : View) (i : List Int) : Prop := top.Valid i ∧ Defined below (top.index i)

/-- The views can be stacked. -/
def Composable (below : List View) (top : View) : Prop := ∀ i, top.Valid i → Inside below (top.index i)

/-- `w` is the same function as the chain: the same valid indices, and the same values on them. -/
def IsMerge (w : View) (below : List View) (top : View) : Prop :=
  w.WellFormed ∧ w.shape = top.shape ∧
  (∀ i, w.Valid i ↔ ValidIn below top i) ∧ ∀ i, ValidIn below top i → w.index i = reads below top i

/-- The views compose, and one view is the same function. -/
def Mergeable (below : List View) (top : View) : Prop := Composable below top ∧ ∃ w, IsMerge w below top

theorem boxOf_length : ∀ s, (boxOf s).length = s.length
  | [] => rfl
  | _ :: ss => by simp [boxOf, boxOf_length ss]

theorem inBox_meet : ∀ (b c : Box) (i : List Int), b.length = c.length →
    (InBox (meet b c) i ↔ InBox b i ∧ InBox c i)
  | [], [], [], _ => by simp [meet, InBox]
  | [], [], _ :: _, _ => by simp [meet, InBox]
  | [], _ :: _, _, h => by simp at h
  | _ :: _, [], _, h => by simp at h
  | _ :: _, _ :: _, [], _ => by simp [meet, InBox]
  | r :: b, r' :: c, x :: i, h => by
      have ih := inBox_meet b c i (by simpa using h)
      simp only [meet, InBox]
      rw [ih]
      constructor
      · rintro ⟨⟨h1, h2⟩, h3, h4⟩
        refine ⟨⟨⟨?_, ?_⟩, h3⟩, ⟨⟨?_, ?_⟩, h4⟩⟩ <;> omega
      · rintro ⟨⟨⟨h1, h2⟩, h3⟩, ⟨⟨h4, h5⟩, h6⟩⟩
        refine ⟨⟨?_, ?_⟩, h3, h6⟩ <;> omega

theorem meet_length : ∀ (b c : Box), b.length = c.length → (meet b c).length = b.length
  | [], [], _ => rfl
  | [], _ :: _, h => by simp at h
  | _ :: _, [], h => by simp at h
  | _ :: b, _ :: c, h => by simp [meet, meet_length b c (by simpa using h)]

/-- The valid indices of a view are none, or a box. -/
theorem valid_box (v : View) (h : v.WellFormed) :
    (∀ i, ¬ v.Valid i) ∨ ∃ b : Box, b.length = v.shape.length ∧ ∀ i, v.Valid i ↔ InBox b i := by
  obtain ⟨_, hm⟩ := h
  cases e : v.mask with
  | all =>
    refine Or.inr ⟨boxOf v.shape, boxOf_length _, ?_⟩
    intro i
    simp [View.Valid, e]
  | box b =>
    rw [e] at hm
    have hl : (boxOf v.shape).length = b.length := by rw [boxOf_length]; exact hm.symm
    refine Or.inr ⟨meet (boxOf v.shape) b, by rw [meet_length _ _ hl, boxOf_length], ?_⟩
    intro i
    rw [inBox_meet _ _ _ hl]
    simp [View.Valid, e]
  | nothing =>
    refine Or.inl ?_
    intro i hi
    simp [View.Valid, e] at hi

/-- **The criterion for chains**, with offsets, strides of any sign, padding and any number of views:
a chain is one view exactly if it composes and nothing is valid, or the valid indices are a box on which
the increments are constant. -/
theorem mergeability_criterion (below : List View) (top : View) :
    Mergeable below top ↔
    Composable below top ∧
    ((∀ i, ¬ ValidIn below top i) ∨
     ∃ b a, b.length = top.shape.length ∧ (∀ i, ValidIn below top i ↔ InBox b i) ∧
       HasStrides b (reads below top) a) := by
  constructor
  · rintro ⟨hc, w, hw, hs, hv, hr⟩
    refine ⟨hc, ?_⟩
    rcases valid_box w hw with hn | ⟨b, hb, hbv⟩
    · exact Or.inl (fun i hi => hn i ((hv i).mpr hi))
    · have hvi : ∀ i, ValidIn below top i ↔ InBox b i := fun i => (hv i).symm.trans (hbv i)
      refine Or.inr ⟨b, w.strides, by rw [hb, hs], hvi, ?_⟩
      apply (criterion b _ w.strides).mp
      refine ⟨w.offset, by rw [hw.1, hb], ?_⟩
      intro i hi
      rw [← hr i ((hvi i).mpr hi)]
      rfl
  · rintro ⟨hc, h⟩
    refine ⟨hc, ?_⟩
    rcases h with hn | ⟨b, a, hb, hv, hst⟩
    · refine ⟨⟨top.shape, top.shape.map (fun _ => 0), 0, .nothing⟩, ⟨by simp, trivial⟩, rfl, ?_, ?_⟩
      · intro i
        constructor
        · intro hi; exact absurd hi.2 (by simp)
        · intro hi; exact absurd hi (hn i)
      · intro i hi; exact absurd hi (hn i)
    · obtain ⟨o, ha, hf⟩ := (criterion b (reads below top) a).mpr hst
      refine ⟨⟨top.shape, a, o, .box b⟩, ⟨by rw [ha]; exact hb, hb⟩, rfl, ?_, ?_⟩
      · intro i
        constructor
        · intro hi; exact (hv i).mpr hi.2
        · intro hi; exact ⟨hi.1.1, (hv i).mp hi⟩
      · intro i hi
        rw [hf i ((hv i).mp hi)]
        rfl

/-! ### Carries: the equations of the note -/

/-- The position with these digits. -/
def ravel : List Int → List Int → Int
  | _ :: ss, x :: i => x * size ss + ravel ss i
  | _, _ => 0

theorem size_pos : ∀ (s : List Int), (∀ k, k ∈ s → 0 < k) → 0 < size s
  | [], _ => by simp [size]
  | k :: ss, h => by
      simp only [size]
      exact Int.mul_pos (h k (by simp)) (size_pos ss (fun x hx => h x (by simp [hx])))

theorem ravel_unravel : ∀ (s : List Int) (n : Int), (∀ k, k ∈ s → 0 < k) → 0 ≤ n → n < size s →
    ravel s (unravel s n) = n
  | [], n, _, h0, h => by simp only [size] at h; simp only [ravel]; omega
  | k :: ss, n, hs, h0, _ => by
      have hp := size_pos ss (fun x hx => hs x (by simp [hx]))
      simp only [unravel, ravel]
      rw [ravel_unravel ss _ (fun x hx => hs x (by simp [hx])) (Int.emod_nonneg n (by omega))
        (Int.emod_lt_of_pos n hp)]
      rw [Int.mul_comm]
      exact Int.mul_ediv_add_emod n (size ss)

/-- Every carry from an axis into the one before it keeps the slope: σ₍ⱼ₋₁₎ = sⱼ σⱼ. -/
def SingleOverflows : List Int → List Int → Prop
  | _ :: s :: ss, t :: t' :: ts => t = s * t' ∧ SingleOverflows (s :: ss) (t' :: ts)
  | _, _ => True

/-- The stride of the last axis. -/
def lastStride : List Int → Int
  | [] => 0
  | [t] => t
  | _ :: t :: ts => lastStride (t :: ts)

theorem stride_is_size : ∀ (s : Int) (ss ts : List Int) (t : Int), ss.length = ts.length →
    SingleOverflows (s :: ss) (t :: ts) → t = size ss * lastStride (t :: ts)
  | _, [], [], t, _, _ => by simp [size, lastStride]
  | _, [], _ :: _, _, h, _ => by simp at h
  | _, _ :: _, [], _, h, _ => by simp at h
  | _, s' :: ss, t' :: ts, t, hl, h => by
      simp only [SingleOverflows] at h
      have ih := stride_is_size s' ss ts t' (by simpa using hl) h.2
      simp only [size, lastStride]
      rw [h.1, Int.mul_assoc]
      exact congrArg (s' * ·) ih

/-- Where all single carries keep the slope, every carry does: the view is a ramp. -/
theorem dot_of_single_overflows : ∀ (s t i : List Int), s.length = t.length → s.length = i.length →
    SingleOverflows s t → dot t i = lastStride t * ravel s i
  | [], [], [], _, _, _ => by simp [dot, lastStride]
  | [], [], _ :: _, _, h, _ => by simp at h
  | [], _ :: _, _, h, _, _ => by simp at h
  | _ :: _, [], _, h, _, _ => by simp at h
  | _ :: _, _ :: _, [], _, h, _ => by simp at h
  | s :: ss, t :: ts, x :: i, hl, hi, h => by
      have e := stride_is_size s ss ts t (by simpa using hl) h
      have rest : dot ts i = lastStride (t :: ts) * ravel ss i := by
        match ss, ts, i, hl, hi, h with
        | [], [], [], _, _, _ => simp [dot, ravel]
        | [], [], _ :: _, _, h, _ => simp at h
        | [], _ :: _, _, h, _, _ => simp at h
        | _ :: _, [], _, h, _, _ => simp at h
        | _ :: _, _ :: _, [], _, h, _ => simp at h
        | s' :: ss', t' :: ts', x' :: i', hl', hi', h' =>
          simp only [SingleOverflows] at h'
          have ih := dot_of_single_overflows (s' :: ss') (t' :: ts') (x' :: i') (by simpa using hl')
            (by simpa using hi') h'.2
          simpa [lastStride] using ih
      simp only [dot, ravel]
      rw [rest, Int.mul_add]
      have : t * x = lastStride (t :: ts) * (x * size ss) := by
        calc t * x = (size ss * lastStride (t :: ts)) * x := congrArg (· * x) e
          _ = lastStride (t :: ts) * (x * size ss) := by
            rw [Int.mul_comm (size ss), Int.mul_assoc, Int.mul_comm (size ss) x]
      omega

theorem unravel_length : ∀ (s : List Int) (n : Int), (unravel s n).length = s.length
  | [], _ => rfl
  | _ :: ss, n => by simp [unravel, unravel_length ss]

theorem unravel_inBox : ∀ (s : List Int) (n : Int), (∀ k, k ∈ s → 0 < k) → 0 ≤ n → n < size s →
    InBox (boxOf s) (unravel s n)
  | [], _, _, _, _ => by simp [unravel, boxOf, InBox]
  | k :: ss, n, hs, h0, h => by
      have hp := size_pos ss (fun x hx => hs x (by simp [hx]))
      simp only [size] at h
      simp only [unravel, boxOf, InBox]
      exact ⟨⟨Int.ediv_nonneg h0 (by omega), (Int.ediv_lt_iff_lt_mul hp).mpr h⟩,
        unravel_inBox ss _ (fun x hx => hs x (by simp [hx])) (Int.emod_nonneg n (by omega))
          (Int.emod_lt_of_pos n hp)⟩

theorem ravel_bounds : ∀ (s i : List Int), InBox (boxOf s) i → 0 ≤ ravel s i ∧ ravel s i < size s
  | [], [], _ => by simp [ravel, size]
  | [], _ :: _, h => by simp [boxOf, InBox] at h
  | _ :: _, [], h => by simp [boxOf, InBox] at h
  | k :: ss, x :: i, h => by
      simp only [boxOf, InBox] at h
      have ih := ravel_bounds ss i h.2
      have hp : 0 ≤ size ss := by omega
      have low : 0 ≤ x * size ss := Int.mul_nonneg h.1.1 hp
      have high : (x + 1) * size ss ≤ k * size ss := Int.mul_le_mul_of_nonneg_right (by omega) hp
      rw [Int.add_mul, Int.one_mul] at high
      simp only [ravel, size]
      omega

/-- The other direction of `ravel_unravel`; sizes may be 0. -/
theorem unravel_ravel : ∀ (s i : List Int), InBox (boxOf s) i → unravel s (ravel s i) = i
  | [], [], _ => by simp [unravel]
  | [], _ :: _, h => by simp [boxOf, InBox] at h
  | _ :: _, [], h => by simp [boxOf, InBox] at h
  | k :: ss, x :: i, h => by
      simp only [boxOf, InBox] at h
      have hb := ravel_bounds ss i h.2
      have e1 : (x * size ss + ravel ss i) / size ss = x := by
        rw [Int.add_comm, Int.add_mul_ediv_right _ _ (by omega), Int.ediv_eq_zero_of_lt hb.1 hb.2, Int.zero_add]
      have e2 : (x * size ss + ravel ss i) % size ss = ravel ss i := by
        have d := Int.mul_ediv_add_emod (x * size ss + ravel ss i) (size ss)
        rw [e1, Int.mul_comm (size ss) x] at d
        exact Int.add_left_cancel d
      simp only [ravel, unravel]
      rw [e1, e2, unravel_ravel ss i h.2]

theorem dot_scaled : ∀ (c : Int) (t i : List Int), dot (t.map (c * ·)) i = c * dot t i
  | _, [], [] => by simp [dot]
  | _, [], _ :: _ => by simp [dot]
  | _, _ :: _, [] => by simp [dot]
  | c, t :: ts, x :: i => by
      simp only [List.map_cons, dot, dot_scaled c ts i, Int.mul_add, Int.mul_assoc]

/-- If every single carry keeps the slope, the view merges with every unpadded view above it. -/
theorem contiguous_merges (v1 v2 : View) (h1 : v1.WellFormed) (h2 : v2.WellFormed) (m1 : v1.mask = .all)
    (m2 : v2.mask = .all) (pos : ∀ k, k ∈ v1.shape → 0 < k) (hc : Composable [v1] v2)
    (h : SingleOverflows v1.shape v1.strides) : Mergeable [v1] v2 := by
  have valid : ∀ n, 0 ≤ n → n < size v1.shape → v1.Valid (unravel v1.shape n) := by
    intro n h0 hn
    refine ⟨unravel_inBox v1.shape n pos h0 hn, ?_⟩
    rw [m1]
    trivial
  refine ⟨hc, ⟨v2.shape, v2.strides.map (lastStride v1.strides * ·),
    v1.offset + lastStride v1.strides * v2.offset, .all⟩, ⟨by simp [h2.1], trivial⟩, rfl, ?_, ?_⟩
  · intro i
    have hv : v2.Valid i ↔ InBox (boxOf v2.shape) i := by simp [View.Valid, m2]
    constructor
    · intro hi
      have hi2 : v2.Valid i := hv.mpr hi.1
      exact ⟨hi2, valid _ (hc i hi2).1.1 (hc i hi2).1.2, trivial⟩
    · intro hi
      exact ⟨hv.mp hi.1, trivial⟩
  · intro i hi
    have inside := (hc i hi.1).1
    have e := dot_of_single_overflows v1.shape v1.strides (unravel v1.shape (v2.index i)) h1.1.symm
      (unravel_length _ _).symm h
    rw [ravel_unravel v1.shape _ pos inside.1 inside.2] at e
    simp only [reads, value, View.index] at e ⊢
    rw [e, dot_scaled, Int.mul_add]
    omega

/-- One carry from an axis of size `b` into the one before it keeps the slope exactly if σ₀ = b σ₁. -/
theorem single_overflow (a b s0 s1 o : Int) (hb : 0 < b) :
    (View.mk [a, b] [s0, s1] o .all).index (unravel [a, b] b) -
      (View.mk [a, b] [s0, s1] o .all).index (unravel [a, b] (b - 1)) = s1 ↔ s0 = b * s1 := by
  have e1 : b / b = 1 := Int.ediv_self (by omega)
  have e2 : b % b = 0 := Int.emod_self
  have e3 : (b - 1) / b = 0 := Int.ediv_eq_zero_of_lt (by omega) (by omega)
  have e4 : (b - 1) % b = b - 1 := Int.emod_eq_of_lt (by omega) (by omega)
  simp only [View.index, unravel, size, dot, Int.mul_one, e1, e2, e3, e4, Int.ediv_one, Int.mul_zero]
  rw [Int.mul_sub, Int.mul_one, Int.mul_comm s1 b]
  constructor <;> intro h <;> omega

/-! ### The worked example, for every length and all strides -/

/-- Element `n` of (10,3,3):(σ₁,σ₂,σ₃). -/
def example_at (σ₁ σ₂ σ₃ n : Int) : Int := (View.mk [10, 3, 3] [σ₁, σ₂, σ₃] 0 .all).index (unravel [10, 3, 3] n)

theorem example_value (σ₁ σ₂ σ₃ n : Int) :
    example_at σ₁ σ₂ σ₃ n = σ₁ * (n / 9) + (σ₂ * (n % 9 / 3) + σ₃ * (n % 9 % 3)) := by
  simp [example_at, View.index, unravel, size, dot]

/-- The first `s` multiples of 4 lie on a line. -/
def OnLine (σ₁ σ₂ σ₃ s : Int) : Prop :=
  ∃ o t, ∀ i, 0 ≤ i → i < s → example_at σ₁ σ₂ σ₃ (4 * i) = o + t * i

theorem example_short (σ₁ σ₂ σ₃ s : Int) (h : s ≤ 3) : OnLine σ₁ σ₂ σ₃ s := by
  refine ⟨0, σ₂ + σ₃, ?_⟩
  intro i h0 h1
  have c : i = 0 ∨ i = 1 ∨ i = 2 := by omega
  rcases c with c | c | c <;> subst c <;> rw [example_value] <;> simp <;> omega

theorem example_middle (σ₁ σ₂ σ₃ s : Int) (h : 4 ≤ s) (h' : s ≤ 5) :
    OnLine σ₁ σ₂ σ₃ s ↔ σ₁ = 2 * σ₂ + 3 * σ₃ := by
  constructor
  · rintro ⟨o, t, hf⟩
    have f0 := hf 0 (by omega) (by omega)
    have f1 := hf 1 (by omega) (by omega)
    have f3 := hf 3 (by omega) (by omega)
    rw [example_value] at f0 f1 f3
    simp at f0 f1 f3
    omega
  · intro e
    refine ⟨0, σ₂ + σ₃, ?_⟩
    intro i h0 h1
    have c : i = 0 ∨ i = 1 ∨ i = 2 ∨ i = 3 ∨ i = 4 := by omega
    rcases c with c | c | c | c | c <;> subst c <;> rw [example_value] <;> simp <;> omega

theorem example_long (σ₁ σ₂ σ₃ s : Int) (h : 6 ≤ s) (_ : s ≤ 23) :
    OnLine σ₁ σ₂ σ₃ s ↔ σ₁ = 2 * σ₂ + 3 * σ₃ ∧ σ₁ = 3 * σ₂ := by
  constructor
  · rintro ⟨o, t, hf⟩
    have f0 := hf 0 (by omega) (by omega)
    have f1 := hf 1 (by omega) (by omega)
    have f3 := hf 3 (by omega) (by omega)
    have f5 := hf 5 (by omega) (by omega)
    rw [example_value] at f0 f1 f3 f5
    simp at f0 f1 f3 f5
    omega
  · rintro ⟨e1, e2⟩
    have e3 : σ₂ = σ₃ * 3 := by omega
    have e4 : σ₁ = σ₃ * 9 := by omega
    refine ⟨0, 4 * σ₃, ?_⟩
    intro i _ _
    rw [example_value, e3, e4, Int.mul_assoc, Int.mul_assoc, ← Int.mul_add, ← Int.mul_add]
    have : 9 * (4 * i / 9) + (3 * (4 * i % 9 / 3) + 4 * i % 9 % 3) = 4 * i := by omega
    rw [this, Int.zero_add, ← Int.mul_assoc, Int.mul_comm σ₃ 4]

/-- The single carries need not keep the slope: two of them cancel in (10,3,3):(8,1,2). -/
theorem double_overflow : OnLine 8 1 2 5 ∧ ¬ SingleOverflows [10, 3, 3] [8, 1, 2] := by
  constructor
  · exact (example_middle 8 1 2 5 (by omega) (by omega)).mpr (by omega)
  · simp [SingleOverflows]

/-! That the points lie on a line is that the two views merge. -/

theorem line_index (s x : Int) : (View.mk [s] [4] 0 .all).index [x] = 4 * x := by
  simp [View.index, dot]

theorem line_valid (s x : Int) (h0 : 0 ≤ x) (h1 : x < s) : (View.mk [s] [4] 0 .all).Valid [x] := by
  simp only [View.Valid, boxOf, InBox]
  exact ⟨⟨⟨h0, h1⟩, trivial⟩, trivial⟩

theorem line_indices (s : Int) (i : List Int) (h : (View.mk [s] [4] 0 .all).Valid i) :
    ∃ x : Int, i = [x] ∧ 0 ≤ x ∧ x < s := by
  match i, h with
  | [], h => simp [View.Valid, boxOf, InBox] at h
  | [x], h =>
    simp only [View.Valid, boxOf, InBox] at h
    exact ⟨x, rfl, h.1.1.1, h.1.1.2⟩
  | _ :: _ :: _, h => simp [View.Valid, boxOf, InBox] at h

theorem line_inside (σ₁ σ₂ σ₃ p : Int) (h0 : 0 ≤ p) (h1 : p < 90) :
    Inside [View.mk [10, 3, 3] [σ₁, σ₂, σ₃] 0 .all] p ∧ Defined [View.mk [10, 3, 3] [σ₁, σ₂, σ₃] 0 .all] p := by
  have hb : InBox (boxOf [10, 3, 3]) (unravel [10, 3, 3] p) := by
    refine unravel_inBox [10, 3, 3] p ?_ h0 ?_
    · intro k hk
      simp at hk
      omega
    · simp only [size]
      omega
  have hp : p < size [10, 3, 3] := by
    simp only [size]
    omega
  exact And.intro (And.intro (And.intro h0 hp) (fun _ => True.intro)) (And.intro (And.intro hb True.intro) True.intro)

theorem line_reads (σ₁ σ₂ σ₃ s x : Int) :
    reads [View.mk [10, 3, 3] [σ₁, σ₂, σ₃] 0 .all] (View.mk [s] [4] 0 .all) [x] = example_at σ₁ σ₂ σ₃ (4 * x) := by
  simp only [reads, value, example_at, line_index]

theorem example_mergeable (σ₁ σ₂ σ₃ s : Int) (hs : s ≤ 23) :
    Mergeable [View.mk [10, 3, 3] [σ₁, σ₂, σ₃] 0 .all] (View.mk [s] [4] 0 .all) ↔ OnLine σ₁ σ₂ σ₃ s := by
  have valid : ∀ x, 0 ≤ x → x < s →
      ValidIn [View.mk [10, 3, 3] [σ₁, σ₂, σ₃] 0 .all] (View.mk [s] [4] 0 .all) [x] := by
    intro x h0 h1
    refine ⟨line_valid s x h0 h1, ?_⟩
    rw [line_index]
    exact (line_inside σ₁ σ₂ σ₃ (4 * x) (by omega) (by omega)).2
  constructor
  · rintro ⟨_, w, hw, hsh, _, hr⟩
    have hl : w.strides.length = 1 := by
      have h := hw.1
      rw [hsh] at h
      simpa using h
    obtain ⟨t, ht⟩ : ∃ t, w.strides = [t] := by
      match w.strides, hl with
      | [t], _ => exact ⟨t, rfl⟩
      | [], h => simp at h
      | _ :: _ :: _, h => simp at h
    refine ⟨w.offset, t, ?_⟩
    intro x h0 h1
    have e := hr [x] (valid x h0 h1)
    rw [line_reads] at e
    rw [← e]
    simp [View.index, ht, dot]
  · rintro ⟨o, t, hf⟩
    refine ⟨?_, View.mk [s] [t] o .all, ⟨rfl, trivial⟩, rfl, ?_, ?_⟩
    · intro i hi
      obtain ⟨x, e, h0, h1⟩ := line_indices s i hi
      subst e
      rw [line_index]
      exact (line_inside σ₁ σ₂ σ₃ (4 * x) (by omega) (by omega)).1
    · intro i
      constructor
      · intro hi
        obtain ⟨x, e, h0, h1⟩ := line_indices s i hi
        subst e
        exact valid x h0 h1
      · intro hi
        exact hi.1
    · intro i hi
      obtain ⟨x, e, h0, h1⟩ := line_indices s i hi.1
      subst e
      rw [line_reads, hf x h0 h1]
      simp [View.index, dot]

/-- **The worked example**: (10,3,3):(σ₁,σ₂,σ₃) through (s):(4), every length that composes, all strides. -/
theorem worked_example (σ₁ σ₂ σ₃ s : Int) (hs : s ≤ 23) :
    Mergeable [View.mk [10, 3, 3] [σ₁, σ₂, σ₃] 0 .all] (View.mk [s] [4] 0 .all) ↔
    s ≤ 3 ∨ (s ≤ 5 ∧ σ₁ = 2 * σ₂ + 3 * σ₃) ∨ (σ₁ = 2 * σ₂ + 3 * σ₃ ∧ σ₁ = 3 * σ₂) := by
  rw [example_mergeable σ₁ σ₂ σ₃ s hs]
  by_cases a : s ≤ 3
  · exact iff_of_true (example_short σ₁ σ₂ σ₃ s a) (Or.inl a)
  · by_cases b : s ≤ 5
    · rw [example_middle σ₁ σ₂ σ₃ s (by omega) b]
      omega
    · rw [example_long σ₁ σ₂ σ₃ s (by omega) hs]
      omega

/-- Five elements merge although no single carry keeps the slope. -/
theorem double_overflow_merges :
    Mergeable [View.mk [10, 3, 3] [8, 1, 2] 0 .all] (View.mk [5] [4] 0 .all) :=
  (worked_example 8 1 2 5 (by omega)).mpr (by omega)

/-! ### Accidental merges: two levels whose jumps cancel, at one index -/

theorem ediv_eq_iff (x M e : Int) (hM : 0 < M) : x / M = e ↔ e * M ≤ x ∧ x < e * M + M := by
  have l := @Int.le_ediv_iff_mul_le e x M hM
  have u := @Int.ediv_lt_iff_lt_mul x (e + 1) M hM
  rw [Int.add_mul, Int.one_mul] at u
  constructor
  · intro h
    exact ⟨l.mp (by omega), u.mp (by omega)⟩
  · rintro ⟨h1, h2⟩
    have a := l.mpr h1
    have b := u.mpr h2
    omega

/-- With x = ⌊n/m⌋: opposite jumps at the moduli m and mM keep to the candidate A exactly if one number is a remainder. -/
theorem accidental_opposite (x A M : Int) (hM : 0 < M) :
    x - x / M = A ↔ 0 ≤ A - (M - 1) * (x - A) ∧ A - (M - 1) * (x - A) ≤ M - 1 := by
  have e := ediv_eq_iff x M (x - A) hM
  have d : (M - 1) * (x - A) = (x - A) * M - (x - A) := by rw [Int.sub_mul, Int.one_mul, Int.mul_comm]
  rw [d]
  constructor
  · intro h
    have f := e.mp (by omega)
    omega
  · intro h
    have f := e.mpr (by omega)
    omega

/-- The same for equal jumps. -/
theorem accidental_equal (x A M : Int) (hM : 0 < M) :
    x + x / M = A ↔ 0 ≤ A - (M + 1) * (A - x) ∧ A - (M + 1) * (A - x) ≤ M - 1 := by
  have e := ediv_eq_iff x M (A - x) hM
  have d : (M + 1) * (A - x) = (A - x) * M + (A - x) := by rw [Int.add_mul, Int.one_mul, Int.mul_comm]
  rw [d]
  constructor
  · intro h
    have f := e.mp (by omega)
    omega
  · intro h
    have f := e.mpr (by omega)
    omega

/-! ### Splitting and combining axes, with masks -/

/-- Splitting an axis always gives a view: the digits of `b * i + j` have strides `b * t` and `t`. -/
theorem split_axis (t b i j : Int) : t * (b * i + j) = (b * t) * i + t * j := by
  rw [Int.mul_add, Int.mul_comm b t, Int.mul_assoc]

/-- Two axes of at least two elements are one axis exactly if the outer stride is `b` times the inner
one; with inner stride 0 the outer one is 0 as well. -/
theorem combine_axes (a b s0 s1 : Int) (ha : 2 ≤ a) (hb : 2 ≤ b) :
    (∃ o t, ∀ n, 0 ≤ n → n < a * b → s0 * (n / b) + s1 * (n % b) = o + t * n) ↔ s0 = b * s1 := by
  constructor
  · rintro ⟨o, t, h⟩
    have hab : 2 * b ≤ a * b := Int.mul_le_mul_of_nonneg_right ha (by omega)
    have f0 := h 0 (by omega) (by omega)
    have f1 := h 1 (by omega) (by omega)
    have fb := h b (by omega) (by omega)
    rw [Int.ediv_self (by omega : b ≠ 0), Int.emod_self] at fb
    rw [Int.ediv_eq_zero_of_lt (by omega) (by omega), Int.emod_eq_of_lt (by omega) (by omega : (1 : Int) < b)] at f1
    simp at f0 f1 fb
    have : t = s1 := by omega
    subst this
    have o0 : o = 0 := by omega
    rw [o0, Int.mul_comm] at fb
    omega
  · intro e
    refine ⟨0, s1, ?_⟩
    intro n _ _
    rw [e, Int.mul_comm b s1, Int.mul_assoc, ← Int.mul_add, Int.mul_ediv_add_emod]
    omega

/-- Zero strides combine with anything that repeats: both are 0. -/
theorem combine_broadcast (a b : Int) (ha : 2 ≤ a) (hb : 2 ≤ b) (s0 : Int) :
    (∃ o t, ∀ n, 0 ≤ n → n < a * b → s0 * (n / b) + 0 * (n % b) = o + t * n) ↔ s0 = 0 := by
  rw [combine_axes a b s0 0 ha hb]
  simp

/-- A mask on the outer axis alone becomes an interval of the combined axis. -/
theorem mask_combines_outer (b lo hi n : Int) (hb : 0 < b) :
    (lo ≤ n / b ∧ n / b < hi) ↔ (lo * b ≤ n ∧ n < hi * b) := by
  rw [Int.le_ediv_iff_mul_le hb, Int.ediv_lt_iff_lt_mul hb]

/-- A mask on the inner axis survives where one outer index is valid. -/
theorem mask_combines_inner (b k lo hi n : Int) (hb : 0 < b) (h0 : 0 ≤ lo) (h1 : hi ≤ b) :
    (n / b = k ∧ lo ≤ n % b ∧ n % b < hi) ↔ (k * b + lo ≤ n ∧ n < k * b + hi) := by
  have e := Int.mul_ediv_add_emod n b
  have p := Int.emod_nonneg n (by omega : b ≠ 0)
  have q := Int.emod_lt_of_pos n hb
  constructor
  · rintro ⟨h, h2, h3⟩
    rw [h, Int.mul_comm] at e
    omega
  · rintro ⟨h2, h3⟩
    have hk : n / b = k := by
      have l1 : k ≤ n / b := (Int.le_ediv_iff_mul_le hb).mpr (by omega)
      have l2 : n / b < k + 1 := (Int.ediv_lt_iff_lt_mul hb).mpr (by rw [Int.add_mul, Int.one_mul]; omega)
      omega
    rw [hk, Int.mul_comm] at e
    exact ⟨hk, by omega, by omega⟩

/-- An interval of an axis is a box of its digits if its ends are multiples of the inner size. -/
theorem mask_splits_aligned (b lo hi i j : Int) (hb : 0 < b) (hj : 0 ≤ j) (hj' : j < b) :
    (lo * b ≤ i * b + j ∧ i * b + j < hi * b) ↔ (lo ≤ i ∧ i < hi) := by
  rw [← mask_combines_outer b lo hi _ hb]
  have : (i * b + j) / b = i := by
    rw [Int.add_comm, Int.add_mul_ediv_right _ _ (by omega : b ≠ 0), Int.ediv_eq_zero_of_lt hj hj']
    omega
  rw [this]

/-- An interval that crosses a multiple of the inner size without being aligned is no box: the digits
(k,b-1) and (k+1,0) are valid, so (k,0) and (k+1,b-1) would have to be. -/
theorem mask_split_needs_alignment (b k lo hi : Int) (hb : 0 < b) (h1 : lo ≤ k * b + (b - 1)) (h2 : (k + 1) * b < hi)
    (box : Box) (h : ∀ i j, 0 ≤ j → j < b → (InBox box [i, j] ↔ lo ≤ i * b + j ∧ i * b + j < hi)) :
    lo ≤ k * b ∧ (k + 1) * b + (b - 1) < hi := by
  have e : (k + 1) * b = k * b + b := by rw [Int.add_mul, Int.one_mul]
  have p : InBox box [k, b - 1] := (h k (b - 1) (by omega) (by omega)).mpr ⟨h1, by omega⟩
  have q : InBox box [k + 1, 0] := (h (k + 1) 0 (by omega) (by omega)).mpr ⟨by omega, by omega⟩
  have corner : InBox box [k, 0] ∧ InBox box [k + 1, b - 1] := by
    match box, p, q with
    | [r0, r1], p, q =>
      simp only [InBox] at p q ⊢
      refine ⟨⟨p.1, q.2.1, trivial⟩, ⟨q.1, p.2.1, trivial⟩⟩
  have c1 := (h k 0 (by omega) (by omega)).mp corner.1
  have c2 := (h (k + 1) (b - 1) (by omega) (by omega)).mp corner.2
  exact ⟨by omega, c2.2⟩

/-! ### Merging is not associative -/

/-- The 4 by 2 matrix read down its columns. -/
def r : View := ⟨[4, 2], [1, 4], 0, .all⟩

theorem r_r_r : ∀ x y : Int, 0 ≤ x → x < 4 → 0 ≤ y → y < 2 → reads [r, r] r [x, y] = 2 * x + y := by
  intro x y h0 h1 h2 h3
  have c : x = 0 ∨ x = 1 ∨ x = 2 ∨ x = 3 := by omega
  have d : y = 0 ∨ y = 1 := by omega
  rcases c with c | c | c | c <;> rcases d with d | d <;> subst c <;> subst d <;>
    simp [reads, value, r, View.index, unravel, size, dot]

theorem r_valid (x y : Int) (h0 : 0 ≤ x) (h1 : x < 4) (h2 : 0 ≤ y) (h3 : y < 2) : r.Valid [x, y] := by
  simp only [View.Valid, r, boxOf, InBox]
  exact ⟨⟨⟨h0, h1⟩, ⟨h2, h3⟩, trivial⟩, trivial⟩

theorem r_indices (i : List Int) (h : r.Valid i) :
    ∃ x y : Int, i = [x, y] ∧ 0 ≤ x ∧ x < 4 ∧ 0 ≤ y ∧ y < 2 := by
  match i, h with
  | [], h => simp [View.Valid, r, boxOf, InBox] at h
  | [_], h => simp [View.Valid, r, boxOf, InBox] at h
  | [x, y], h =>
    simp only [View.Valid, r, boxOf, InBox] at h
    exact ⟨x, y, rfl, h.1.1.1, h.1.1.2, h.1.2.1.1, h.1.2.1.2⟩
  | _ :: _ :: _ :: _, h => simp [View.Valid, r, boxOf, InBox] at h

/-- Three times it is one view again, (4,2):(2,1). -/
theorem r_r_r_mergeable : Mergeable [r, r] r := by
  have all : ∀ i, r.Valid i → Inside [r, r] (r.index i) ∧ Defined [r, r] (r.index i) := by
    intro i hi
    obtain ⟨x, y, e, h0, h1, h2, h3⟩ := r_indices i hi
    subst e
    have c : x = 0 ∨ x = 1 ∨ x = 2 ∨ x = 3 := by omega
    have d : y = 0 ∨ y = 1 := by omega
    rcases c with c | c | c | c <;> rcases d with d | d <;> subst c <;> subst d <;>
      simp [Inside, Defined, View.Valid, r, boxOf, InBox, View.index, unravel, size, dot]
  refine ⟨fun i hi => (all i hi).1, ⟨[4, 2], [2, 1], 0, .all⟩, ⟨rfl, trivial⟩, rfl, ?_, ?_⟩
  · intro i
    exact ⟨fun hi => ⟨hi, (all i hi).2⟩, fun hi => hi.1⟩
  · intro i hi
    obtain ⟨x, y, e, h0, h1, h2, h3⟩ := r_indices i hi.1
    subst e
    rw [r_r_r x y h0 h1 h2 h3]
    simp [View.index, dot]

/-- (4,2):(1,4) twice is not one view: along axis 0 it reads 0, 4, 1, 5. -/
theorem r_r_not_mergeable : ¬ Mergeable [r] r := by
  rw [mergeability_criterion]
  rintro ⟨_, hn | ⟨b, a, hb, hv, hs⟩⟩
  · refine hn [0, 0] ⟨r_valid 0 0 (by omega) (by omega) (by omega) (by omega), ?_⟩
    simp [Defined, View.Valid, r, boxOf, InBox, View.index, unravel, size, dot]
  · have valid : ∀ x : Int, x = 0 ∨ x = 1 ∨ x = 2 → ValidIn [r] r [x, 0] := by
      intro x c
      refine ⟨r_valid x 0 (by omega) (by omega) (by omega) (by omega), ?_⟩
      rcases c with c | c | c <;> subst c <;>
        simp [Defined, View.Valid, r, boxOf, InBox, View.index, unravel, size, dot]
    have v0 := (hv [0, 0]).mp (valid 0 (by omega))
    have v1 := (hv [1, 0]).mp (valid 1 (by omega))
    have v2 := (hv [2, 0]).mp (valid 2 (by omega))
    have hl : 0 < b.length := by rw [hb]; simp [r]
    have s0 := hs.2 [0, 0] 0 hl v0 (by simpa [step] using v1)
    have s1 := hs.2 [1, 0] 0 hl v1 (by simpa [step] using v2)
    simp [reads, value, r, View.index, unravel, size, dot, step] at s0 s1
    omega

end Chains

end Tensorlayouts
