// The types of the npm package, used as people use them: web/test has a compiler read this. What is marked
// must be an error, so that types which allow everything do not pass.

import { open, Viewmerge } from "../../crates/viewmerge-wasm/npm/index.js";
import type { Explained, LayoutAnswer, Refused, Symbolic, Verdict, View } from "../../crates/viewmerge-wasm/npm/index.js";

const viewmerge: Viewmerge = await open();

// A line of a batch.
const view: View = { shape: [2, 3], strides: [1, 2], mask: [[0, 2], [0, 3]] };
const verdict: Verdict | Refused = viewmerge.ask({ views: [view, { shape: [6] }], steps: 1000 });
if ("error" in verdict) {
  const kind: string = verdict.error.kind;
  void kind;
} else if (verdict.mergeable) {
  const strides: number[] = verdict.view.strides;
  void strides;
} else if (verdict.witness.kind === "step") {
  const step: number = verdict.witness.step;
  void step;
}

// A question that has a name has an answer of its own.
const explained = viewmerge.ask({ ask: "explain", chain: "(2,3) | permute(1,0) | reshape(6)" });
if (!("error" in explained)) {
  const told: Explained = explained;
  const split: number[][] | null = told.remedies.split;
  void split;
}
const drawn = viewmerge.ask({ ask: "draw", layout: "(4,2):(2,1)", kind: "thread", tile: [2, 4] });
if ("svg" in drawn) void drawn.svg.length;
const counted = viewmerge.ask({ ask: "banks", a: "32:32", bytes: 4 });
if ("answer" in counted) void counted.answer.degree.toFixed();
const languages = viewmerge.ask({ ask: "languages" });
if (Array.isArray(languages)) void languages[0].toUpperCase();

// Layouts, parameters, expressions.
const layout: LayoutAnswer | Refused = viewmerge.ask({ cute: "compose", a: "4:1", b: "2:2" });
if ("layout" in layout && layout.layout === null) void layout.witness.kind;
const symbolic: Symbolic | Refused = viewmerge.ask({ chain: "(N,3) | reshape(3*N)", params: { N: { min: 2 } } });
if ("cases" in symbolic) void symbolic.cases[0].view.shape[0].length;
const simplified = viewmerge.ask({ expr: "i // 2", vars: { i: [0, 7] } });
if ("expr" in simplified) void simplified.divisions.toFixed();

const text: string = viewmerge.answer("{}");
void text;

// @ts-expect-error: there is no such question
viewmerge.ask({ ask: "conjure", chain: "(2)" });
// @ts-expect-error: explain is asked about a chain
viewmerge.ask({ ask: "explain" });
// @ts-expect-error: a shape has numbers
viewmerge.ask({ views: [{ shape: ["2"] }] });
// @ts-expect-error: there is no such picture
viewmerge.ask({ ask: "draw", chain: "(2)", kind: "oil" });
