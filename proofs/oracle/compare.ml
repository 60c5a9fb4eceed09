(* The answers of `viewmerge batch`, judged.

   - one view: it must be the same canonical view;
   - not one view: the witness must hold, with the steps it claims, and the views offered
     instead must compose and be the same function;
   - not composable: the index named must point outside;
   - another error: only for a question outside what the library accepts;
   - a certificate in the answer: it must hold, be about the views of the question, and
     claim the same as the answer.

   The checker walks all indices. A chain with very many of them is judged by its
   certificate alone, and left out without one. *)

open Checker
open Answer
module Z = Zint

type kind = OneView | NotOneView | DoesNotCompose | NotAccepted | LeftOut of string

exception Wrong of string

(* How many certificates hold, and how often the views offered for a large chain differ
   from those of the question, so that nothing judges them. *)
let certified = ref 0
let unjudged = ref 0

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
    try Scanf.sscanf message "views: view %d does not compose: its index (%s@)" (fun n i -> (n, "[" ^ i ^ "]"))
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

(* Views are compared in canonical form, which is the same function. *)
let same_view v w = view_text (canonicalize v) = view_text (canonicalize w)

let same_views views views' =
  List.compare_lengths views views' = 0 && List.for_all2 same_view views views'

(* The certificate of an answer about these views, if it has one. *)
let check_certificate views answer =
  match Json.field "certificate" answer with
  | None -> false
  | Some json ->
      (match Certificate.judge json with
       | Holds -> ()
       | Fails why -> raise (Wrong ("the certificate does not hold: " ^ why))
       | NoCertificate why -> raise (Wrong ("no certificate: " ^ why))
       | TooLarge why -> raise (Wrong ("a certificate that is too large: " ^ why)));
      let about views' = ensure (same_views views views') "a certificate about other views" in
      (match (Certificate.read json, Json.field "mergeable" answer) with
       | IsView (views', view, _), Some (Json.Bool true) ->
           about views';
           let found = Question.read_view (Json.required "view" answer) in
           ensure (same_view view found) "a certificate for another view"
       | IsNoView (views', evidence), Some (Json.Bool false) ->
           about views';
           let found = Certificate.evidence (Json.required "witness" answer) in
           ensure (evidence = found) "a certificate with another witness"
       | _ -> raise (Wrong "a certificate for another answer"));
      incr certified;
      true

(* An answer about a chain with too many indices to walk; its views compose. *)
let judge_large views answer =
  if not (check_certificate views answer) then LeftOut "too many indices"
  else if Json.field "mergeable" answer = Some (Json.Bool true) then begin
    let found = Question.read_view (Json.required "view" answer) in
    ensure (view_text found = view_text (canonicalize found)) "the view is not canonical";
    OneView
  end
  else begin
    let rest = Json.list Question.read_view (Json.required "views" answer) in
    if not (same_views rest views) then incr unjudged;
    NotOneView
  end

let judge_small views answer error =
  let top, below = split views in
  let mergeable = Json.field "mergeable" answer in
  match check below top with
  | NotComposable _ -> assert false
  | Merged view when not (Question.representable view) -> (
      match error with
      | Some (("offset_range" | "index_range"), _) -> NotAccepted
      | _ -> raise (Wrong "the one view is beyond the limits"))
  | Merged view ->
      ensure (mergeable = Some (Json.Bool true)) "it is one view";
      let found = Question.read_view (Json.required "view" answer) in
      ensure (view_text found = view_text view) ("the view is " ^ view_text view);
      ignore (check_certificate views answer);
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
      ignore (check_certificate views answer);
      NotOneView

(* Judges an answer to a question. *)
let judge question answer =
  let error =
    Option.map
      (fun e -> (Json.string (Json.required "kind" e), Json.string (Json.required "message" e)))
      (Json.field "error" answer)
  in
  match question with
  | Question.Unknown why -> LeftOut why
  | Refused why -> (
      match error with
      | Some (kind, _) when kind <> "not_composable" -> NotAccepted
      | _ -> raise (Wrong ("to be refused: " ^ why)))
  | Chain views | Ops views -> (
      let top, below = split views in
      match (first_offending below top, error) with
      | Some _, Some ("not_composable", message) ->
          (* The library counts the views that ops have made so far. *)
          (match question with Chain _ -> check_offending views message | _ -> ());
          DoesNotCompose
      | Some _, _ -> raise (Wrong "it does not compose")
      | None, Some ("not_composable", _) -> raise (Wrong "it composes")
      | None, _ ->
          if too_many top then judge_large views answer else judge_small views answer error)

let read_lines path =
  let channel = open_in_bin path in
  let rec go lines =
    match input_line channel with
    | line -> go (line :: lines)
    | exception End_of_file -> close_in channel; List.rev lines
  in
  go []

let files questions answers =
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
        (match judge (Question.read question) (Json.parse answer) with
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
  let others, large = (count (LeftOut "another question"), count (LeftOut "too many indices")) in
  Printf.printf
    "%d compared: %d merged, %d not mergeable, %d not composable, %d refused; \
     %d certificates hold; \
     %d left out: %d with too many indices, %d of another kind; %d offers not judged; %d wrong\n"
    (one + not_one + apart + refused + !wrong)
    one not_one apart refused !certified (others + large) large others !unjudged !wrong;
  if !wrong > 0 then exit 1
