(** * The checkers as OCaml code: the one that walks, and the one of certificates

    Writes [oracle/checker.ml]. Lists, booleans, options and pairs become
    OCaml's own, and so do [length] and [rev]. Integers become those of the zarith library, through the few
    functions in [oracle/zint.ml]; axis numbers and lengths (Coq's [nat]) become
    machine integers: they count axes, views, rows, variables and the indices along one axis.

    What has to be trusted beyond Coq: this mapping, the extraction, and the other
    files of [oracle/], which read questions, answers and certificates. *)

From Coq Require Import ZArith List Extraction ExtrOcamlBasic.
From Viewmerge Require Import Views Lists Canonical Checker System Encoding Claims Expressions Tally Certificate.

Extract Inductive nat => "int" [ "0" "Stdlib.succ" ]
  "(fun zero next n -> if n = 0 then zero () else next (n - 1))".
Extract Inlined Constant Nat.eqb => "Int.equal".
Extract Inlined Constant Nat.ltb => "Zint.less".
Extract Inlined Constant Init.Nat.add => "Stdlib.(+)".
Extract Inlined Constant Init.Nat.sub => "Zint.less_by".

Extract Inductive positive => "Zint.t" [ "Zint.double_plus_one" "Zint.double" "Zint.one" ]
  "Zint.match_positive".
Extract Inductive Z => "Zint.t" [ "Zint.zero" "" "Zint.neg" ] "Zint.match_integer".

Extract Inlined Constant Z.add => "Zint.add".
Extract Inlined Constant Z.sub => "Zint.sub".
Extract Inlined Constant Z.mul => "Zint.mul".
Extract Inlined Constant Z.div => "Zint.floor_div".
Extract Inlined Constant Z.modulo => "Zint.floor_mod".
Extract Inlined Constant Z.min => "Zint.min".
Extract Inlined Constant Z.max => "Zint.max".
Extract Inlined Constant Z.eqb => "Zint.equal".
Extract Inlined Constant Z.leb => "Zint.leq".
Extract Inlined Constant Z.ltb => "Zint.lt".
Extract Inlined Constant Z.to_nat => "Zint.to_natural".
Extract Inlined Constant Z.of_nat => "Zint.of_int".

(** The same functions, in linear time and constant stack. *)
Extract Inlined Constant length => "List.length".
Extract Inlined Constant rev => "List.rev".

Extraction Language OCaml.
Extraction "oracle/checker.ml"
  check check_witness well_formedb canonicalize prepare evaluate validb index
  first_offending row_major count step indices
  accepts acceptable chain_of tasks_of_merged tasks_of_equal refutes same_claim
  sensible_pair question_ways question_tally cases_settled all_questions within_ranges.
