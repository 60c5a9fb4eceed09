(* Answers to questions by the checker that walks: each is one line of JSON. *)

open Checker
module Z = Zint

let most_indices = Z.of_int 70_000

(* The last view, and the others in the order in which an index passes through them. *)
let split views =
  match List.rev views with
  | top :: below -> (top, below)
  | [] -> invalid_arg "split"

let too_many top = Z.gt (count top.shape) most_indices

(* The function of a chain, prepared for many evaluations. *)
let reader below top = evaluate (List.map prepare below) top

let tuple numbers = "[" ^ String.concat "," (List.map Z.to_string numbers) ^ "]"

let view_text v =
  let mask =
    match v.mask with
    | All -> "null"
    | Nothing -> "\"nothing\""
    | Box b -> "[" ^ String.concat "," (List.map (fun (lo, hi) -> tuple [ lo; hi ]) b) ^ "]"
  in
  Printf.sprintf {|{"shape":%s,"strides":%s,"offset":%s,"mask":%s}|} (tuple v.shape)
    (tuple v.strides) (Z.to_string v.offset) mask

let moves below top i axis =
  let at = reader below top in
  match (at i, at (step i axis)) with
  | Some a, Some b -> Some (Z.sub b a)
  | _ -> None

let witness_text below top = function
  | HoleAt (x, y, z) ->
      Printf.sprintf {|{"kind":"hole","valid":[%s,%s],"invalid":%s}|} (tuple x) (tuple y) (tuple z)
  | StepsAt (axis, i, j) ->
      let moved i = Z.to_string (Option.get (moves below top i axis)) in
      Printf.sprintf {|{"kind":"step","axis":%d,"at":%s,"step":%s,"other":%s,"other_step":%s}|}
        axis (tuple i) (moved i) (tuple j) (moved j)

let error_text kind message = Printf.sprintf {|{"error":{"kind":"%s","message":"%s"}}|} kind message

let answer line =
  match Question.read line with
  | Refused why -> error_text "refused" why
  | Unknown why -> error_text "left_out" why
  | Chain views | Ops views -> (
      let top, below = split views in
      if too_many top then error_text "left_out" "too many indices"
      else
        match check below top with
        | Merged view -> Printf.sprintf {|{"mergeable":true,"view":%s}|} (view_text view)
        | NotMergeable witness ->
            Printf.sprintf {|{"mergeable":false,"witness":%s}|} (witness_text below top witness)
        | NotComposable (number, index) ->
            error_text "not_composable"
              (Printf.sprintf "views: view %d does not compose: its index (%s)" number
                 (String.concat "," (List.map Z.to_string index))))
