(* The extracted checkers as a program.

     oracle                      answers the questions on standard input
     oracle compare QUESTIONS ANSWERS
                                 judges the answers of `viewmerge batch`
     oracle verify FILE [SECONDS]
                                 checks certificates; `-` is standard input
     oracle test FILE            certificates and answers, with the expected results

   Questions are those of `viewmerge batch` that ask about views or a reshape. *)

let () =
  (* Indices are short-lived: a large minor heap saves a third of the time. *)
  Gc.set { (Gc.get ()) with minor_heap_size = 4_000_000 };
  match Array.to_list Sys.argv with
  | [ _ ] -> (
      try
        while true do
          print_endline (Answer.answer (input_line stdin))
        done
      with End_of_file -> ())
  | [ _; "compare"; questions; answers ] -> Compare.files questions answers
  | _ :: (("verify" | "test") as what) :: file :: (([] | [ _ ]) as seconds) -> (
      List.iter (fun s -> Bounds.most_seconds := float_of_string s) seconds;
      let run = if what = "verify" then Certificate.verify else Test.run in
      try exit (run (if file = "-" then stdin else open_in_bin file)) with
      | Sys_error why | Json.Bad why -> prerr_endline ("oracle: " ^ why); exit 2
      | Stack_overflow -> prerr_endline "oracle: too deep for the stack"; exit 2)
  | _ ->
      prerr_endline
        "usage: oracle < QUESTIONS | oracle compare QUESTIONS ANSWERS | oracle verify FILE [SECONDS] | oracle test FILE";
      exit 2
