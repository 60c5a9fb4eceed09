// The other modes of the page: two chains, CuTe layouts, unknown sizes, index expressions. Their input is in the
// link too.

import { compareAnswer, compareForm } from "./compare.js";
import { copyButton, escape, linesHtml, pictureHtml } from "./html.js";

/** The operations: a name, what B is, and the fields that it has besides. */
const OPERATIONS = [
  ["draw", ""], ["atom", ""], ["banks", "a layout (thread, values), or nothing", ["bytes", "vector", "banks", "width_", "lanes"]],
  ["tiled_mma", "", ["warps", "repeat"]], ["tiled_copy", "a layout of values"], ["local_tile", "a tiler, <8,8>", ["at"]], ["box", "sizes, as 8,8", ["at"]],
  ["compose", "a layout or a tiler"], ["coalesce", "a profile, if you like"], ["complement", "a size, if you like"],
  ["left_inverse", ""], ["right_inverse", ""], ["logical_divide", "a layout or a tiler"], ["zipped_divide", "a layout or a tiler"],
  ["tiled_divide", "a layout or a tiler"], ["flat_divide", "a layout or a tiler"], ["logical_product", "a layout"], ["blocked_product", "a layout"], ["raked_product", "a layout"],
  ["zipped_product", "a layout"], ["tiled_product", "a layout"], ["flat_product", "a layout"],
  ["equal", "a layout"], ["is_injective", ""], ["cosize", ""], ["size", ""], ["plain", ""],
];
const NAMES = { atom: "matrix instruction", banks: "banks and sectors", tiled_mma: "matrix instruction over warps", tiled_copy: "copy by threads", box: "box of a bulk copy (TMA)" };
const FIELDS = {
  bytes: ["Bytes", "of an element"], vector: ["At once", "values a thread reads at once"], banks: ["Banks", "32"], width_: ["Width", "bytes of a bank"], lanes: ["Lanes", "of a transaction, if not all that fit"],
  warps: ["Warps", "(m,n,k)"], repeat: ["Repeat", "1,1,1"], at: ["At", "which tile, or where the box starts: 1,0"],
};

const EXAMPLES = [
  { name: "A composition", cute: "compose", a: "(10,2):(16,4)", b: "(3,4):(1,5)" },
  { name: "A composition that is none", cute: "compose", a: "(6,2):(1,7)", b: "(3,2):(2,3)" },
  { name: "Nested modes", cute: "draw", a: "((2,2),(4,2)):((1,16),(2,8))" },
  { name: "A matrix in tiles of 4 by 8", cute: "zipped_divide", a: "(12,32)", b: "<4,8>" },
  { name: "A tile repeated", cute: "blocked_product", a: "(2,5):(5,1)", b: "(3,4):(1,3)" },
  { name: "The same, interleaved", cute: "raked_product", a: "(2,5):(5,1)", b: "(3,4):(1,3)" },
  { name: "A swizzle", cute: "draw", a: "Sw<3,0,3> o 0 o (8,8):(8,1)" },
  { name: "Is a swizzled layout a plain one?", cute: "plain", a: "Sw<1,0,1> o 0 o 2:2" },
  { name: "Coordinates: the identity", cute: "draw", a: "(4,8):(1@0,1@1)" },
  { name: "Coordinates: turned, every third column", cute: "compose", a: "(4,8):(1@1,1@0)", b: "(4,3):(1,12)" },
  { name: "Coordinates: a tile of a bulk copy, in smaller ones", cute: "zipped_divide", a: "(0,64) o (16,32):(1@0,1@1)", b: "<8,8>" },
  { name: "Coordinates: along the diagonal", cute: "compose", a: "(8,8):(8,1)", b: "8:1@0+1@1" },
  { name: "Banks: a column of a matrix, 32-way", cute: "banks", a: "(32,32):(32,1)", b: "32:1" },
  { name: "Banks: the same, rows of 33", cute: "banks", a: "(32,32):(33,1)", b: "32:1" },
  { name: "Banks: 16 bytes a lane, rows of 128 bytes", cute: "banks", a: "(8,64):(64,1)", b: "(8,8):(1,8)", bytes: "2", vector: "8" },
  { name: "Banks: the same, swizzled by 128 bytes", cute: "banks", a: "Sw<3,3,3> o 0 o (8,64):(64,1)", b: "(8,8):(1,8)", bytes: "2", vector: "8" },
  { name: "Banks: a thousand million transactions", cute: "banks", a: "Sw<2,2,3> o 0 o ((8,1000000000),4):((32,256),1)", vector: "4" },
  { name: "Ampere over 2 by 2 warps", cute: "tiled_mma", atom: "SM80_16x8x16_F32F16F16F32_TN", warps: "(2,2,1)", paint: "thread" },
  { name: "Copy: 32 threads, 4 values each", cute: "tiled_copy", a: "(4,8):(8,1)", b: "(1,4)", paint: "thread" },
  { name: "Tile (1,2) of a matrix", cute: "local_tile", a: "(16,32):(32,1)", b: "<8,8>", at: "1,2" },
  { name: "TMA: a box over the edge of a tensor", cute: "box", a: "(20,30):(30,1)", b: "8,8", at: "16,24" },
  { name: "Volta: A, B and C of a quad pair", cute: "atom", atom: "SM70_8x8x4_F32F16F16F32_NT", paint: "thread" },
  { name: "Hopper: A and C of a warpgroup", cute: "atom", atom: "SM90_64x32x16_F32F16F16_RS", paint: "thread" },
  { name: "ldmatrix: what thread 5 points to and gets", cute: "atom", atom: "SM75_U32x4_LDSM_N", paint: "thread", thread: "5" },
  { name: "MMA 16×8×16: who holds A", cute: "draw", a: "((4,8),(2,2,2)):((32,1),(16,8,128))", paint: "thread", tile: "16,16" },
  { name: "MMA 16×8×16: who holds B", cute: "draw", a: "((4,8),(2,2)):((16,1),(8,64))", paint: "thread", tile: "8,16" },
  { name: "MMA 16×8×16: who holds C", cute: "draw", a: "((4,8),(2,2)):((32,1),(16,8))", paint: "thread", tile: "16,8" },
];

const field = (key, label, state, more = "") =>
  `<label class="box">${label} <input data-box="${key}" value="${escape(state[key])}" spellcheck="false" autocapitalize="off" autocomplete="off"${more}></label>`;

const choice = (key, label, state, options) =>
  `<label class="box">${label} <select data-box="${key}">${options
    .map(([value, name]) => `<option value="${escape(value)}"${value === state[key] ? " selected" : ""}>${escape(name)}</option>`)
    .join("")}</select></label>`;

const refusal = (error) => `<p class="note">${escape(error.message)}</p>`;

const codeOf = (text, what) => `<div class="code"><pre tabindex="0">${escape(text)}</pre>${copyButton(text, what)}</div>`;

// ---- CuTe

/** The example with this number as a change of the state. */
export function example(number) {
  const { name, ...change } = { b: "", paint: "", tile: "", thread: "", bytes: "4", vector: "1", banks: "32", width_: "4", lanes: "", repeat: "", ...EXAMPLES[number] };
  return change;
}

const operation = (name) => OPERATIONS.find(([known]) => known === name) ?? [name, ""];
const isAtom = (name) => name === "atom" || name === "tiled_mma";
/** Those whose answer is drawn in one way only. */
const ownPicture = (name) => ["banks", "local_tile", "box"].includes(name);

function cuteForm(state, ask) {
  const [, takes, more = []] = operation(state.cute);
  const held = isAtom(state.cute) || state.cute === "tiled_copy" || state.paint;
  const free = !isAtom(state.cute) && state.cute !== "tiled_copy";
  return (
    `<div class="boxes"><label class="box">Examples <select id="cute-examples"><option value="">…</option>${EXAMPLES.map(({ name }, at) => `<option value="${at}">${escape(name)}</option>`).join("")}</select></label>` +
    `${choice("cute", "Operation", state, OPERATIONS.map(([name]) => [name, NAMES[name] ?? name]))}` +
    `${isAtom(state.cute) ? atomForm(state, ask) : field("a", state.cute === "tiled_copy" ? "Threads" : state.cute === "banks" ? "Memory" : "A", state)}${takes ? field("b", state.cute === "tiled_copy" ? "Values" : state.cute === "banks" ? "Pattern" : "B", state, ` placeholder="${escape(takes)}"`) : ""}` +
    `${more.map((key) => field(key, FIELDS[key][0], state, ` placeholder="${FIELDS[key][1]}" title="${FIELDS[key][1]}"`)).join("")}` +
    `${ownPicture(state.cute) ? "" : choice("paint", "Draw", state, [...(free ? [["", "values"]] : []), ["thread", "who holds what, by thread"], ["value", "who holds what, by value"]])}` +
    `${state.paint && free && !ownPicture(state.cute) ? field("tile", "Tile", state, ' placeholder="rows,columns"') : ""}` +
    `${held && !ownPicture(state.cute) ? field("thread", "Thread", state, ' placeholder="all" inputmode="numeric"') : ""}</div>`
  );
}

/** A picture of a layout that can be saved, with words below it. */
function figure(name, layout, how, ask, words = "") {
  const told = ask({ ask: "draw", layout, ...how });
  if (told.error) return `<figure><figcaption>${name}: ${escape(told.error.message)}</figcaption></figure>`;
  return pictureHtml(told.svg, `${name}: ${layout}`, `${name} ${words}`, "layout.svg");
}

/** The thread that is asked about; nothing for all of them. */
const threadOf = (text) => (/^\s*\d{1,6}\s*$/.test(text) ? { thread: Number(text) } : {});
const numberOf = (text) => (/^\s*-?\d{1,15}\s*$/.test(text) ? Number(text) : undefined);
const numbersOf = (text) => text.split(/[,\s]+/).filter(Boolean).map(Number);

/** The numbers of a question about banks; a text where one is none. */
function bankNumbers(state) {
  const numbers = {};
  for (const key of ["bytes", "vector", "banks", "width_", "lanes"]) {
    if (!state[key].trim()) continue;
    const value = numberOf(state[key]);
    if (value === undefined) return `${FIELDS[key][0]}: “${state[key]}” is no number`;
    numbers[key.replace("_", "")] = value;
  }
  return numbers;
}

function banksAnswer(state, ask) {
  const numbers = bankNumbers(state);
  if (typeof numbers === "string") return refusal({ message: numbers });
  const asked = { a: state.a, ...(state.b.trim() ? { b: state.b } : {}), ...numbers };
  const told = ask({ ask: "banks", ...asked });
  if (told.error) return refusal(told.error);
  const sectors = ask({ ask: "sectors", a: asked.a, b: asked.b, bytes: numbers.bytes, vector: numbers.vector });
  const [first, ...rest] = told.text.split("\n");
  const free = told.answer.degree <= 1;
  return (
    `<p class="answer ${free ? "yes" : "no"}"><b>${free ? "✓" : "✗"}</b> ${escape(first)}</p><p>${escape(rest.join(" "))}.</p>` +
    `${sectors.error ? "" : `<p>As global memory: ${escape(sectors.text)}.</p>`}` +
    figure("The memory in the colours of its banks", state.a, { kind: "banks", ...asked }, ask)
  );
}

/** The box as a chain: what of it lies in the tensor is cut out, the rest is padding. */
export function boxChain(layout, sizes, at) {
  const shape = layout.match(/^\s*\(?([\d,\s]+)\)?\s*(?::|$)/)?.[1].split(",").map(Number);
  if (!shape || shape.length !== sizes.length || at.length !== sizes.length || [...sizes, ...at].some((one) => !Number.isSafeInteger(one)) || sizes.some((size) => size < 1)) return null;
  const pads = shape.map((size, axis) => [Math.max(0, -at[axis]), Math.max(0, at[axis] + sizes[axis] - size)]);
  const cut = shape.map((_, axis) => [at[axis] + pads[axis][0], at[axis] + pads[axis][0] + sizes[axis]]);
  const pairs = (list) => list.map(([a, b]) => `(${a},${b})`).join(",");
  return { text: `pad(${pairs(pads)}) | shrink(${pairs(cut)})`, shape };
}

function boxAnswer(state, ask) {
  const found = boxChain(state.a, numbersOf(state.b), numbersOf(state.at));
  if (!found) return refusal({ message: "a tensor as shape:strides without nested modes, the sizes of the box and where it starts, a number for each mode" });
  const strides = state.a.includes(":") ? state.a : null;
  const places = found.shape.map((_, axis) => found.shape.slice(0, axis).reduce((all, size) => all * size, 1));
  const chain = `${strides ?? `(${found.shape.join(",")}):(${places.join(",")})`} | ${found.text}`;
  const told = ask({ ask: "merge", chain });
  if (told.error) return refusal(told.error);
  const drawn = ask({ ask: "draw", chain, kind: "chain" });
  return (
    `<p>What lies outside the tensor is filled with zeros: padding. As a chain:</p>${codeOf(chain, "the chain")}<p><button type="button" data-chain="${escape(chain)}">Open as a chain</button></p>` +
    `${drawn.error ? refusal(drawn.error) : pictureHtml(drawn.svg, chain, "the tensor and the box", "box.svg")}`
  );
}

function tileAnswer(state, ask) {
  const at = numbersOf(state.at);
  const told = ask({ ask: "local_tile", a: state.a, b: state.b, at });
  if (told.error) return refusal(told.error);
  const { layout, start } = told.answer;
  return `<p>${layout ? `✓ The tile starts at ${start}:` : "✗ No layout is that function:"}</p>${codeOf(layout ?? told.text, "the tile")}${figure("A", state.a, { kind: "tile", b: state.b, at }, ask)}`;
}

function copyAnswer(state, ask) {
  const told = ask({ ask: "tiled_copy", a: state.a, b: state.b });
  if (told.error) return refusal(told.error);
  const { layout, tile } = told.answer;
  if (!layout) return `<p>✗ No layout is that function:</p>${codeOf(told.text, "the answer")}`;
  return `<p>✓ A tile of ${tile.join(" by ")}, (thread, value) to its positions:</p>${codeOf(layout, "the layout")}${figure("the tile", layout, { kind: state.paint || "thread", tile, ...threadOf(state.thread) }, ask)}`;
}

const OWN_ANSWERS = { banks: banksAnswer, box: boxAnswer, local_tile: tileAnswer, tiled_copy: copyAnswer };

function cuteAnswer(state, ask) {
  if (isAtom(state.cute)) return atomAnswer(state, ask);
  if (Object.hasOwn(OWN_ANSWERS, state.cute)) return OWN_ANSWERS[state.cute](state, ask);
  const takes = operation(state.cute)[1];
  const b = takes && state.b.trim() ? state.b : undefined;
  let html = "";
  const pictures = [["A", state.a]];
  if (state.cute !== "draw") {
    const told = ask({ ask: "cute", cute: state.cute, a: state.a, b });
    if (told.error) return refusal(told.error);
    const { layout, value } = told.answer;
    const words = layout === null ? "✗ No layout is that function:" : layout ? "✓ A layout:" : value === false ? "✗ No:" : "✓ The answer:";
    html = `<p>${words}</p>${codeOf(told.text, "the answer")}`;
    if (b && !b.trim().startsWith("<") && takes.startsWith("a layout")) pictures.push(["B", b]);
    if (layout) pictures.unshift(["the answer", told.answer.layout]);
  }
  const drawn = pictures.map(([name, layout], place) => {
    const held = place === 0 && state.paint ? { kind: state.paint, tile: tileOf(state.tile), ...threadOf(state.thread) } : {};
    return figure(name, layout, held, ask);
  });
  return html + drawn.join("");
}

/** A tile as two numbers; nothing where there are not two. */
function tileOf(text) {
  const sizes = text.split(/[,x×]/).map((size) => Number(size.replace(/[()\s]/g, "")));
  return sizes.length === 2 && sizes.every((size) => Number.isSafeInteger(size) && size > 0) ? sizes : undefined;
}

// ---- matrix instructions

let atomList = null;
const atoms = (ask) => (atomList ??= ask({ ask: "atoms" }));
const sized = (name, n) => name.replace("xNx", `x${n}x`);

/** The instructions that a name is among, its name with N in it, and N. */
function atomPlace(atom, ask) {
  for (const row of atoms(ask)) {
    for (const n of row.n.length ? row.n : [0]) {
      const name = row.names.find((one) => sized(one, n) === atom);
      if (name) return { row, name, n };
    }
  }
  return null;
}

const options = (all, chosen) => all.map(([value, name]) => `<option value="${escape(String(value))}"${value === chosen ? " selected" : ""}>${escape(String(name))}</option>`).join("");

function atomForm(state, ask) {
  const place = atomPlace(state.atom, ask);
  const families = [...new Set(atoms(ask).map((row) => row.family))];
  const of = atoms(ask).filter((row) => row.family === place?.row.family);
  const names = of.flatMap((row) => row.names).map((name) => [name, name]);
  const select = (id, label, inner) => `<label class="box">${label} <select id="${id}">${inner}</select></label>`;
  return (
    select("atom-family", "Family", options([...(place ? [] : [["", "…"]]), ...families.map((one) => [one, one])], place?.row.family ?? "")) +
    (place ? select("atom-name", "Instruction", options(names, place.name)) : "") +
    (place?.row.n.length ? select("atom-n", "N", options(place.row.n.map((n) => [n, n]), place.n)) : "")
  );
}

/** What another choice in one of the boxes of an instruction makes of the state. */
export function atomChange(id, value, state, ask) {
  const place = atomPlace(state.atom, ask);
  if (id === "atom-n") return { atom: sized(place.name, value) };
  const rows = atoms(ask);
  const row = id === "atom-family" ? rows.find((one) => one.family === value) : rows.find((one) => one.names.includes(value));
  if (!row) return {};
  const name = id === "atom-family" ? row.names[0] : value;
  return { atom: sized(name, row.n.includes(place?.n) ? place.n : (row.n.find((n) => n >= 32) ?? row.n[0])) };
}

function atomAnswer(state, ask) {
  const repeat = state.repeat.trim() ? numbersOf(state.repeat) : [1, 1, 1];
  const told = ask(state.cute === "atom" ? { ask: "atoms", name: state.atom } : { ask: "tiled_mma", name: state.atom, b: state.warps, repeat });
  if (told.error) return refusal(told.error);
  const sizes = told.shape ? `${told.shape.join("×")}, ` : "";
  const intro = `<p>${sizes}${told.threads} thread${told.threads === 1 ? "" : "s"}${told.note ? `: ${escape(told.note)}` : ""}.</p>`;
  const drawn = told.operands.map(({ name, tile, layout }) => {
    const what = `<h3>${escape(name)}, ${tile.join(" by ")}</h3>`;
    if (layout === null) return `${what}<p class="note">No thread holds it.</p>`;
    const how = { kind: state.paint || "thread", tile, ...threadOf(state.thread) };
    return what + codeOf(layout, `the layout of ${name}`) + figure(escape(name), layout, how, ask);
  });
  return `${intro}${drawn.join("")}<p class="note">Source: ${escape(told.source)}.</p>`;
}

// ---- unknown sizes

const sizesForm = (state) =>
  `<p>A chain in which sizes, strides and bounds may be names: for which of their values is it one view?</p>` +
  `<div class="boxes">${field("sizes", "Chain", state)}${field("params", "Names", state, ' placeholder="N, M>=2, K%8"')}</div>` +
  `<p class="note">A name is 1 or more, or as it says: N&gt;=2, N&lt;=64, N%8 for a multiple of 8.</p>`;

/** N, M>=2, K%8 as the batch has them; a text where a part cannot be read. */
export function paramsOf(text) {
  const params = {};
  for (const part of text.split(",").map((one) => one.trim()).filter(Boolean)) {
    const match = part.match(/^([A-Za-z_]\w*)((?:\s*(?:>=|<=|%)\s*-?\d+)*)$/);
    if (!match) return part;
    const one = (params[match[1]] ??= {});
    for (const [, sign, number] of match[2].matchAll(/(>=|<=|%)\s*(-?\d+)/g)) {
      one[{ ">=": "min", "<=": "max", "%": "multiple" }[sign]] = Number(number);
    }
  }
  return params;
}

function sizesAnswer(state, ask) {
  const params = paramsOf(state.params);
  if (typeof params === "string") return refusal({ message: `“${params}” is not a name with bounds such as N>=2` });
  const explained = ask({ ask: "explain", chain: state.sizes, params });
  if (explained.error) return refusal(explained.error);
  return linesHtml(explained.text.split("\n"));
}

// ---- index expressions

const exprForm = (state) =>
  `<p>An index expression with divisions: the same with the fewest, and whether it is a view.</p>` +
  `<div class="boxes">${field("expr", "Expression", state)}${field("vars", "Ranges", state, ' placeholder="i=0:7, j=0:3"')}${field("valid", "Where", state, ' placeholder="i < 3, if not everywhere"')}</div>`;

/** i=0:7, j=0:3 as the batch has them, first and last values; a text where a part cannot be read. */
export function rangesOf(text) {
  const vars = {};
  for (const part of text.split(",").map((one) => one.trim()).filter(Boolean)) {
    const match = part.match(/^([A-Za-z_]\w*)\s*=\s*(-?\d+)\s*:\s*(-?\d+)$/);
    if (!match) return part;
    vars[match[1]] = [Number(match[2]), Number(match[3])];
  }
  return vars;
}

function exprAnswer(state, ask) {
  const vars = rangesOf(state.vars);
  if (typeof vars === "string") return refusal({ message: `“${vars}” is no range, as i=0:7 is` });
  const told = ask({ expr: state.expr, vars, ...(state.valid.trim() ? { valid: state.valid } : {}) });
  if (told.error) return refusal(told.error);
  const { view } = told;
  const divisions = `${told.divisions} division${told.divisions === 1 ? "" : "s"} left${told.decided === false ? "; not decided whether fewer will do" : ""}.`;
  return (
    `${codeOf(told.expr, "the expression")}<p>${divisions}${told.valid ? ` It counts where <code>${escape(told.valid)}</code>.` : ""}</p>` +
    `<p>${view ? `✓ It is a view: <code>(${view.shape}):(${view.strides})${view.offset ? `+${view.offset}` : ""}</code>, axes in the order of the ranges.` : "It is not a view over these ranges."}</p>`
  );
}

/** What the page can be asked beside a chain: what is above and stays while somebody types, and what is below. */
export const BOXES = [
  { id: "compare", name: "Compare", form: compareForm, answer: compareAnswer, again: [] },
  { id: "cute", name: "CuTe", form: cuteForm, answer: cuteAnswer, again: ["cute", "paint"] },
  { id: "sizes", name: "Sizes", form: sizesForm, answer: sizesAnswer, again: [] },
  { id: "simplify", name: "Simplify", form: exprForm, answer: exprAnswer, again: [] },
];
