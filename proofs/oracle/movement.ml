(* A movement op as one view of the elements below it, which depends only on their shape. So a
   certificate about ops has exactly these views, in order. *)

open Checker
module Z = Zint

exception Refused of string

let refuse what = raise (Refused what)
let demand holds what = if not holds then refuse what

let contiguous shape = { shape; strides = row_major shape; offset = Z.zero; mask = All }

let axis rank number =
  let n = Z.to_int number in
  let n = if n < 0 then n + rank else n in
  demand (n >= 0 && n < rank) "an axis that is not there";
  n

let distinct axes =
  demand (List.length (List.sort_uniq compare axes) = List.length axes) "an axis twice"

(* Sizes, with a single -1 inferred from the number of elements. *)
let infer sizes all =
  let is_open = Z.equal Z.minus_one in
  let known = count (List.filter (fun n -> not (is_open n)) sizes) in
  let filled =
    match List.length (List.filter is_open sizes) with
    | 0 -> sizes
    | 1 ->
        demand (Z.sign known > 0 && Z.divisible all known) "a size that cannot be inferred";
        List.map (fun n -> if is_open n then Z.div all known else n) sizes
    | _ -> refuse "two sizes to infer"
  in
  demand (List.for_all (fun n -> Z.sign n >= 0) filled) "a negative size";
  demand (Z.equal (count filled) all) "another number of elements";
  filled

(* One axis of the result: its size, its stride, how far it moves the offset, and its valid interval. *)
type line = { size : Z.t; stride : Z.t; shift : Z.t; lo : Z.t; hi : Z.t }

let whole size stride = { size; stride; shift = Z.zero; lo = Z.zero; hi = size }

let of_lines lines =
  let bounded line = not (Z.equal line.lo Z.zero && Z.equal line.hi line.size) in
  {
    shape = List.map (fun line -> line.size) lines;
    strides = List.map (fun line -> line.stride) lines;
    offset = List.fold_left (fun sum line -> Z.add sum line.shift) Z.zero lines;
    mask =
      (if List.exists bounded lines then Box (List.map (fun line -> (line.lo, line.hi)) lines)
       else All);
  }

(* Every axis in turn, with an argument for it. *)
let each shape arguments change =
  demand (List.compare_lengths shape arguments = 0) "another number of arguments than of axes";
  of_lines
    (List.map2 (fun (n, s) a -> change n s a) (List.combine shape (row_major shape)) arguments)

(* A number of indices from a start, with a step. *)
let run stride ~first ~number ~step =
  { (whole number (Z.mul stride step)) with shift = Z.mul stride first }

let ceiling a b = Z.div (Z.add a (Z.pred b)) b

let flipped n s = run s ~first:(Z.pred n) ~number:n ~step:Z.minus_one

let stepped n s step =
  demand (Z.sign step <> 0) "a step of 0";
  let first = if Z.sign step > 0 then Z.zero else Z.pred n in
  run s ~first ~number:(ceiling n (Z.abs step)) ~step

let shrunk n s (lo, hi) =
  demand (Z.sign lo >= 0 && Z.leq lo hi && Z.leq hi n) "a part outside the axis";
  run s ~first:lo ~number:(Z.sub hi lo) ~step:Z.one

let padded n s (before, after) =
  demand (Z.sign before >= 0 && Z.sign after >= 0) "negative padding";
  let size = Z.add n (Z.add before after) in
  { size; stride = s; shift = Z.neg (Z.mul s before); lo = before; hi = Z.add before n }

(* Python's slicing. *)
let sliced n s text =
  let bound t = match String.trim t with "" -> None | t -> Some (Json.integer (Json.parse t)) in
  let start, stop, step =
    match List.map bound (String.split_on_char ':' text) with
    | [ start; stop ] -> (start, stop, None)
    | [ start; stop; step ] -> (start, stop, step)
    | _ -> refuse "no slice"
    | exception Json.Bad _ -> refuse "no slice"
  in
  let step = Option.value step ~default:Z.one in
  demand (Z.sign step <> 0) "a step of 0";
  let least, most = if Z.sign step > 0 then (Z.zero, n) else (Z.minus_one, Z.pred n) in
  let clamp b = Z.max least (Z.min most (if Z.sign b < 0 then Z.add b n else b)) in
  let from, until = if Z.sign step > 0 then (least, most) else (most, least) in
  let first = Option.fold ~none:from ~some:clamp start in
  let last = Option.fold ~none:until ~some:clamp stop in
  let distance = if Z.sign step > 0 then Z.sub last first else Z.sub first last in
  if Z.sign distance <= 0 then whole Z.zero s
  else run s ~first ~number:(ceiling distance (Z.abs step)) ~step

let permuted shape axes =
  let lines = Array.of_list (List.map2 whole shape (row_major shape)) in
  of_lines (List.map (Array.get lines) axes)

let expanded shape sizes =
  let fresh = List.length sizes - List.length shape in
  demand (fresh >= 0) "fewer axes than there are";
  let change place size =
    demand (Z.sign size >= 0 || (Z.equal size Z.minus_one && place >= fresh)) "a negative size";
    if place < fresh then whole size Z.zero
    else
      let n = List.nth shape (place - fresh) and s = List.nth (row_major shape) (place - fresh) in
      if Z.equal size Z.minus_one || Z.equal size n then whole n s
      else (demand (Z.equal n Z.one) "an axis that is not 1"; whole size Z.zero)
  in
  of_lines (List.mapi change sizes)

let pairs json =
  Json.list
    (fun p -> match Json.integers p with [ a; b ] -> (a, b) | _ -> refuse "no pair")
    json

let take n l = List.filteri (fun k _ -> k < n) l
let drop n l = List.filteri (fun k _ -> k >= n) l

(* The view of an op, given as [name, arguments], on a shape. *)
let view shape op =
  let rank = List.length shape in
  let all = count shape in
  match op with
  | Json.List [ String name; argument ] -> (
      let numbers () = Json.integers argument in
      let one () = match numbers () with [ n ] -> n | _ -> refuse "not one argument" in
      let axes () =
        let axes = List.map (axis rank) (numbers ()) in
        distinct axes;
        axes
      in
      match name with
      | "reshape" -> contiguous (infer (numbers ()) all)
      | "flatten" ->
          let first, last =
            match numbers () with
            | [] -> (Z.zero, Z.minus_one)
            | [ a; b ] -> (a, b)
            | _ -> refuse "not two axes"
          in
          let a = axis (max rank 1) first and b = axis (max rank 1) last in
          demand (a <= b) "the first axis after the last";
          if rank = 0 then contiguous [ Z.one ]
          else
            let inner = take (b - a + 1) (drop a shape) in
            contiguous (take a shape @ [ count inner ] @ drop (b + 1) shape)
      | "unflatten" -> (
          match argument with
          | List [ Int a; sizes ] ->
              let a = axis rank a in
              let sizes = infer (Json.integers sizes) (List.nth shape a) in
              contiguous (take a shape @ sizes @ drop (a + 1) shape)
          | _ -> refuse "not an axis and sizes")
      | "permute" ->
          let axes = axes () in
          demand (List.length axes = rank) "another number of arguments than of axes";
          permuted shape axes
      | "transpose" -> (
          match List.map (axis rank) (numbers ()) with
          | [ a; b ] ->
              permuted shape (List.init rank (fun k -> if k = a then b else if k = b then a else k))
          | _ -> refuse "not two axes")
      | "flip" ->
          let axes = axes () in
          let change n (k, s) = if List.mem k axes then flipped n s else whole n s in
          of_lines (List.map2 change shape (List.mapi (fun k s -> (k, s)) (row_major shape)))
      | "step" -> each shape (numbers ()) stepped
      | "shrink" -> each shape (pairs argument) shrunk
      | "pad" -> each shape (pairs argument) padded
      | "slice" ->
          let slices = Json.list Json.string argument in
          demand (List.length slices <= rank) "more slices than axes";
          each shape (slices @ List.init (rank - List.length slices) (fun _ -> ":")) sliced
      | "expand" -> expanded shape (numbers ())
      | "squeeze" ->
          let a = axis rank (one ()) in
          demand (Z.equal (List.nth shape a) Z.one) "an axis that is not 1";
          contiguous (take a shape @ drop (a + 1) shape)
      | "unsqueeze" ->
          let a = axis (rank + 1) (one ()) in
          contiguous (take a shape @ [ Z.one ] @ drop a shape)
      | "as_strided" -> (
          match argument with
          | List (sizes :: strides :: offset) ->
              let offset =
                match offset with
                | [] -> Z.zero
                | [ Int offset ] -> offset
                | _ -> refuse "more than sizes, strides and an offset"
              in
              { (contiguous (Json.integers sizes)) with strides = Json.integers strides; offset }
          | _ -> refuse "no sizes and strides")
      | _ -> refuse "no such op")
  | _ -> refuse "an op is a name and its arguments"

(* A view, and one more for each further item, which is a view or an op. Reading stops after one
   that does not fit the view below it. *)
let views start items =
  let rec go below top = function
    | [] -> List.rev (top :: below)
    | item :: items ->
        let next = match item with Notation.View v -> v | Op op -> view top.shape op in
        if not (well_formedb next) then refuse "parts that do not fit together";
        if first_offending [ top ] next <> None then List.rev (next :: top :: below)
        else go (top :: below) next items
  in
  if not (well_formedb start) then refuse "parts that do not fit together";
  go [] start items
