(* The extracted checker as a program.

     oracle                      answers the questions on standard input
     oracle compare QUESTIONS ANSWERS
                                 checks the answers of `viewmerge batch`

   Questions are those of `viewmerge batch` that ask about views or a reshape.
   Every answer is one line of JSON. The checker walks all indices, so a chain
   with very many of them is left out.

   A comparison prints how many answers of each kind were checked and how many
   questions were left out, and fails if one answer is wrong:
   - one view: it must be the same canonical view;
   - not one view: the witness must hold, with the steps it claims, and the
     views that are offered instead must compose and be the same function;
   - not composable: the index that is named must point outside;
   - another error: only for a question outside what the library accepts. *)

open Checker
module Z = Zint

let most_indices = Z.of_int 70_000

(* The last view, and the others in the order in which an index passes through them. *)
let split views =
  match List.rev views with
  | top :: below -> (top, below)
  | [] -> invalid_arg "split"

let too_many top = Z.gt (count top.shape) most_indices

(* The function of a chain, to be asked many times. *)
let reader below top = evaluate (List.map prepare below) top

(* ---- Writing ---- *)

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
  | Chain views -> (
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

(* ---- Comparing ---- *)

type kind = OneView | NotOneView | DoesNotCompose | NotAccepted | LeftOut of string

exception Wrong of string

let ensure holds what = if not holds then raise (Wrong what)

let read_witness below top json =
  let index name = Json.integers (Json.required name json) in
  match Json.string (Json.required "kind" json) with
  | "hole" -> (
      match Json.list Json.integers (Json.required "valid" json) with
      | [ x; y ] -> HoleAt (x, y, index "invalid")
      | _ -> raise (Wrong "a hole without two valid indices"))
  | "step" ->
      let axis = Z.to_int (Json.integer (Json.required "axis" json)) in
      ensure (axis >= 0) "a negative axis";
      let claims at step =
        let claimed = Json.integer (Json.required step json) in
        ensure (moves below top (index at) axis = Some claimed) ("the claimed " ^ step)
      in
      claims "at" "step";
      claims "other" "other_step";
      StepsAt (axis, index "at", index "other")
  | _ -> raise (Wrong "an unknown kind of witness")

(* Another chain with the same function, on all indices of the shape. *)
let same_function below top views =
  let top', below' = split views in
  let at = reader below top and at' = reader below' top' in
  top'.shape = top.shape
  && first_offending below' top' = None
  && List.for_all
       (fun i -> Option.equal Z.equal (at i) (at' i))
       (indices (List.map (fun n -> (Z.zero, n)) top.shape))

(* The index that the message names is valid and points outside. *)
let check_offending views message =
  let number, index =
    try
      Scanf.sscanf message "views: view %d does not compose: its index (%s@)" (fun n i ->
          (n, "[" ^ i ^ "]"))
    with Scanf.Scan_failure _ | End_of_file -> raise (Wrong "a message that names no index")
  in
  ensure (number >= 1 && number < List.length views) "the number of the view that does not compose";
  let index = Json.integers (Json.parse index) in
  let lower = List.nth views (number - 1) and upper = List.nth views number in
  let position = Checker.index upper index in
  ensure (validb upper index) "an offending index that is not valid";
  ensure
    (Z.sign position < 0 || Z.geq position (count lower.shape))
    "an offending index that points inside"

let compare_line question answer =
  let answer = try Json.parse answer with Json.Bad why -> raise (Wrong ("unreadable: " ^ why)) in
  let error =
    Option.map
      (fun e -> (Json.string (Json.required "kind" e), Json.string (Json.required "message" e)))
      (Json.field "error" answer)
  in
  let mergeable = Json.field "mergeable" answer in
  match Question.read question with
  | Unknown why -> LeftOut why
  | Refused why -> (
      match error with
      | Some (kind, _) when kind <> "not_composable" -> NotAccepted
      | _ -> raise (Wrong ("to be refused: " ^ why)))
  | Chain views -> (
      let top, below = split views in
      if too_many top then LeftOut "too many indices"
      else
        match check below top with
        | NotComposable _ -> (
            match error with
            | Some ("not_composable", message) -> check_offending views message; DoesNotCompose
            | _ -> raise (Wrong "it does not compose"))
        | Merged view when not (Question.representable view) -> (
            match error with
            | Some (("offset_range" | "index_range"), _) -> NotAccepted
            | _ -> raise (Wrong "the one view is beyond the limits"))
        | Merged view ->
            ensure (mergeable = Some (Json.Bool true)) "it is one view";
            let found = Question.read_view (Json.required "view" answer) in
            ensure (view_text found = view_text view) ("the view is " ^ view_text view);
            OneView
        | NotMergeable witness ->
            ensure
              (mergeable = Some (Json.Bool false))
              ("it is not one view: " ^ witness_text below top witness);
            let claimed = read_witness below top (Json.required "witness" answer) in
            ensure (check_witness below top claimed) "the witness does not hold";
            let rest = Json.list Question.read_view (Json.required "views" answer) in
            ensure
              (rest <> [] && List.for_all well_formedb rest && same_function below top rest)
              "the views are another function";
            NotOneView)

let read_lines path =
  let channel = open_in_bin path in
  let rec go lines =
    match input_line channel with
    | line -> go (line :: lines)
    | exception End_of_file -> close_in channel; List.rev lines
  in
  go []

let compare_files questions answers =
  let counts = Hashtbl.create 8 in
  let count key = Option.value (Hashtbl.find_opt counts key) ~default:0 in
  let wrong = ref 0 in
  let report number question answer why =
    incr wrong;
    if !wrong <= 5 then
      Printf.printf "line %d is wrong: %s\n  asked    %s\n  answered %s\n" number why question
        answer
  in
  let rec go number = function
    | [], [] -> ()
    | question :: questions, answer :: answers ->
        (match compare_line question answer with
         | kind -> Hashtbl.replace counts kind (count kind + 1)
         | exception Wrong why -> report number question answer why
         | exception Json.Bad why -> report number question answer ("unreadable: " ^ why));
        go (number + 1) (questions, answers)
    | question :: _, [] -> report number question "" "no answer"
    | [], answer :: _ -> report number "" answer "no question"
  in
  go 1 (read_lines questions, read_lines answers);
  let one, not_one = (count OneView, count NotOneView) in
  let apart, refused = (count DoesNotCompose, count NotAccepted) in
  let ops, large = (count (LeftOut "movement ops"), count (LeftOut "too many indices")) in
  Printf.printf
    "%d compared: %d merged, %d not mergeable, %d not composable, %d refused; \
     %d left out: %d with too many indices, %d with movement ops; %d wrong\n"
    (one + not_one + apart + refused + !wrong)
    one not_one apart refused (ops + large) large ops !wrong;
  if !wrong > 0 then exit 1

let () =
  (* Indices are short-lived: a large space for them saves a third of the time. *)
  Gc.set { (Gc.get ()) with minor_heap_size = 4_000_000 };
  match Array.to_list Sys.argv with
  | [ _ ] -> (
      try
        while true do
          print_endline (answer (input_line stdin))
        done
      with End_of_file -> ())
  | [ _; "compare"; questions; answers ] -> compare_files questions answers
  | _ ->
      prerr_endline "usage: oracle < QUESTIONS | oracle compare QUESTIONS ANSWERS";
      exit 2
