(* A line of a batch as a chain of views. *)

open Checker
module Z = Zint

(* The same limits as in the Rust type View. *)
let limit = Z.shift_left Z.one 62
let fits_machine n = Z.fits_int64 n

(* The question of a line. *)
type t =
  | Chain of view list  (* memory side first *)
  | Ops of view list    (* a view for each op, from memory on *)
  | Refused of string   (* to be answered with an error *)
  | Unknown of string   (* a question that the oracle does not support *)

let interval json =
  match Json.integers json with
  | [ lo; hi ] -> (lo, hi)
  | _ -> raise (Json.Bad "no interval")

let read_view json =
  let shape = Json.integers (Json.required "shape" json) in
  let strides =
    match Json.field "strides" json with
    | Some strides -> Json.integers strides
    | None -> row_major shape
  in
  let offset = Option.fold ~none:Z.zero ~some:Json.integer (Json.field "offset" json) in
  let mask =
    match Json.field "mask" json with
    | None -> All
    | Some (Json.String "nothing") -> Nothing
    | Some box -> Box (Json.list interval box)
  in
  { shape; strides; offset; mask }

(* The least and the largest position of any index, valid or not. *)
let reach v =
  let add (low, high) size stride =
    let travel = Z.mul stride (Z.pred size) in
    if Z.sign travel < 0 then (Z.add low travel, high) else (low, Z.add high travel)
  in
  List.fold_left2 add (v.offset, v.offset) v.shape v.strides

(* Whether a well-formed view is within the limits of the Rust type, once canonical. *)
let representable v =
  let v = canonicalize v in
  Z.equal (count v.shape) Z.zero
  || Z.leq (count v.shape) limit
     &&
     let low, high = reach v in
     Z.leq (Z.abs v.offset) limit
     && Z.leq (Z.neg limit) low && Z.leq high limit
     && Z.lt (Z.sub high low) (Z.shift_left Z.one 63)

let mask_within v =
  match v.mask with
  | Box b ->
      List.for_all2 (fun n (lo, hi) -> Z.sign lo >= 0 && Z.leq lo hi && Z.leq hi n) v.shape b
  | All | Nothing -> true

let numbers v =
  let of_mask = match v.mask with Box b -> List.concat_map (fun (a, b) -> [ a; b ]) b | _ -> [] in
  (v.offset :: v.shape) @ v.strides @ of_mask

let chain views =
  if views = [] then Refused "no view"
  else if not (List.for_all well_formedb views) then Refused "parts that do not fit together"
  else if not (List.for_all mask_within views) then Refused "a mask outside its shape"
  else if not (List.for_all (fun v -> List.for_all fits_machine (numbers v)) views)
  then Refused "a number that is no machine integer"
  else if not (List.for_all representable views) then Refused "a view beyond the limits"
  else Chain views

(* A reshape is a contiguous view on top; one size can be left to be inferred. *)
let reshape view new_shape =
  let minus_one = Z.minus_one in
  let open_axes = List.length (List.filter (Z.equal minus_one) new_shape) in
  let all = count view.shape in
  let known = count (List.filter (fun n -> not (Z.equal n minus_one)) new_shape) in
  if not (well_formedb view) then Refused "parts that do not fit together"
  else if open_axes > 1 then Refused "two sizes to infer"
  else if open_axes = 1 && (Z.sign known <= 0 || not (Z.divisible all known))
  then Refused "a size that cannot be inferred"
  else
    let fill n = if Z.equal n minus_one then Z.div all known else n in
    let shape = List.map fill new_shape in
    if List.exists (fun n -> Z.sign n < 0) shape then Refused "a negative size"
    else if not (Z.equal (count shape) all) then Refused "another number of elements"
    else chain [ view; { shape; strides = row_major shape; offset = Z.zero; mask = All } ]

(* Ops on a shape, or a text of views and ops. *)
let ops start items =
  match chain (Movement.views start items) with
  | Chain views -> Ops views
  | other -> other

let of_json json =
  let has name = Json.field name json in
  try
    match (has "views", has "view", has "new_shape", has "shape", has "ops", has "chain") with
    | Some views, _, _, _, _, _ -> chain (Json.list read_view views)
    | None, Some view, Some shape, _, _, _ -> reshape (read_view view) (Json.integers shape)
    | None, _, _, Some shape, Some all, _ ->
        let items = Json.list (fun op -> Notation.Op op) all in
        ops (Movement.contiguous (Json.integers shape)) items
    | None, _, _, _, _, Some text -> (
        match Notation.items (Json.string text) with
        | View start :: items -> ops start items
        | _ -> Refused "no view first")
    | _ -> Unknown "another question"
  with
  | Json.Bad why | Movement.Refused why -> Refused why
  | Notation.Mistake -> Refused "a text that is no chain"

let read line = match Json.parse line with json -> of_json json | exception Json.Bad why -> Refused why
