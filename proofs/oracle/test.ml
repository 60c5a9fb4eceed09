(* Certificates and answers, each with its expected result. A line is one of

     {"name", "holds", "certificate"}      true, false, null for a text that is not a
                                            certificate, or "too large"
     {"name", "outcome", "question", "answer"}
                                            merged, not mergeable, not composable, refused,
                                            left out, or wrong *)

let of_certificate json =
  match Certificate.judge json with
  | Holds -> (Json.Bool true, "it holds")
  | Fails why -> (Json.Bool false, "it does not hold: " ^ why)
  | NoCertificate why -> (Json.Null, "it is no certificate: " ^ why)
  | TooLarge why -> (Json.String "too large", "it is too large: " ^ why)

let of_answer question answer =
  let found name = (Json.String name, "it is " ^ name) in
  match Compare.judge (Question.of_json question) answer with
  | OneView -> found "merged"
  | NotOneView -> found "not mergeable"
  | DoesNotCompose -> found "not composable"
  | NotAccepted -> found "refused"
  | LeftOut _ -> found "left out"
  | exception (Compare.Wrong why | Json.Bad why) -> (Json.String "wrong", "it is wrong: " ^ why)

(* The status is 0 if all results are as expected. *)
let run channel =
  let right = ref 0 and wrong = ref 0 in
  let line number text =
    let json = Json.parse text in
    let certificate = Json.exactly [ "name"; "holds"; "certificate" ] json in
    let answer = Json.exactly [ "name"; "outcome"; "question"; "answer" ] json in
    let name, expected, (found, what) =
      match (certificate, answer) with
      | Some [ name; expected; certificate ], _ -> (name, expected, of_certificate certificate)
      | _, Some [ name; expected; question; answer ] -> (name, expected, of_answer question answer)
      | _ -> raise (Json.Bad (Printf.sprintf "line %d is no test" number))
    in
    if found = expected then incr right
    else begin
      incr wrong;
      Printf.printf "line %d (%s): %s\n" number (Json.string name) what
    end
  in
  let rec go number =
    match input_line channel with
    | text -> line number text; go (number + 1)
    | exception End_of_file -> ()
  in
  go 1;
  Printf.printf "%d judged as expected, %d not\n" !right !wrong;
  if !wrong > 0 || !right = 0 then 1 else 0
