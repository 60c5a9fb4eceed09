// Panels with boxes of their own: CuTe layouts, sizes that are not known, index expressions. What
// is typed there is not the chain, but it is in the link as well.

import { copyButton, escape } from "./html.js";

const OPERATIONS = [
  ["draw", ""], ["atom", ""], ["compose", "a layout or a tiler"], ["coalesce", "a profile, if you like"], ["complement", "a size, if you like"],
  ["left_inverse", ""], ["right_inverse", ""], ["logical_divide", "a layout or a tiler"], ["zipped_divide", "a layout or a tiler"],
  ["tiled_divide", "a layout or a tiler"], ["logical_product", "a layout"], ["blocked_product", "a layout"], ["raked_product", "a layout"],
  ["equal", "a layout"], ["is_injective", ""], ["cosize", ""], ["size", ""], ["plain", ""],
];

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
  const { name, ...change } = { b: "", paint: "", tile: "", thread: "", ...EXAMPLES[number] };
  return change;
}

function cuteForm(state, ask) {
  const takes = OPERATIONS.find(([name]) => name === state.cute)?.[1] ?? "";
  const atom = state.cute === "atom";
  const held = atom || state.paint;
  return (
    `<div class="boxes"><label class="box">Examples <select id="cute-examples"><option value="">…</option>${EXAMPLES.map(({ name }, at) => `<option value="${at}">${escape(name)}</option>`).join("")}</select></label>` +
    `${choice("cute", "Operation", state, OPERATIONS.map(([name]) => [name, name === "atom" ? "matrix instruction" : name]))}` +
    `${atom ? atomForm(state, ask) : field("a", "A", state)}${takes ? field("b", "B", state, ` placeholder="${takes}"`) : ""}` +
    `${choice("paint", "Draw", state, [...(atom ? [] : [["", "values"]]), ["thread", "who holds what, by thread"], ["value", "who holds what, by value"]])}` +
    `${state.paint && !atom ? field("tile", "Tile", state, ' placeholder="rows,columns"') : ""}` +
    `${held ? field("thread", "Thread", state, ' placeholder="all" inputmode="numeric"') : ""}</div>`
  );
}

/** A picture of a layout that can be saved, with words below it. */
function figure(name, layout, how, ask, words = "") {
  const told = ask({ ask: "draw", layout, ...how });
  if (told.error) return `<figure><figcaption>${name}: ${escape(told.error.message)}</figcaption></figure>`;
  const link = escape(`data:image/svg+xml;charset=utf-8,${encodeURIComponent(told.svg)}`);
  return `<figure><div class="picture"><img alt="${escape(`${name}: ${layout}`)}" src="${link}"></div><figcaption>${name} ${words}<a download="layout.svg" href="${link}">Save as SVG</a></figcaption></figure>`;
}

/** The thread that is asked about; nothing for all of them. */
const threadOf = (text) => (/^\s*\d{1,6}\s*$/.test(text) ? { thread: Number(text) } : {});

function cuteAnswer(state, ask) {
  if (state.cute === "atom") return atomAnswer(state, ask);
  const takes = OPERATIONS.find(([name]) => name === state.cute)?.[1];
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
  const told = ask({ ask: "atoms", name: state.atom });
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

// ---- sizes that are not known

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
  if (typeof params === "string") return refusal({ message: `“${params}” is no name with bounds, as N>=2 is` });
  const told = ask({ chain: state.sizes, params });
  if (told.error) return refusal(told.error);
  const words = { always: "✓ One view, whatever they are.", never: "✗ Not one view, whatever they are.", when: "One view when" };
  const view = ({ shape, strides, offset }) => `(${shape.join(", ")}):(${strides.join(", ")})${offset === "0" ? "" : ` + ${offset}`}`;
  const rows = told.cases.map((one) => `<tr><td>${escape(one.when ?? "always")}</td><td>${escape(view(one.view))}</td></tr>`);
  return (
    `<p>${words[told.verdict]}</p>${told.requires ? `<p>It is a chain only if <code>${escape(told.requires)}</code>.</p>` : ""}` +
    `${rows.length ? `<div class="wide"><table class="data"><thead><tr><th scope="col">when</th><th scope="col">the view</th></tr></thead><tbody>${rows.join("")}</tbody></table></div>` : ""}` +
    `${told.open ? `<p>Not decided where <code>${escape(told.open)}</code>.</p>` : ""}`
  );
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
    `<p>${view ? `✓ It is a view: <code>(${view.shape}):(${view.strides})${view.offset ? `+${view.offset}` : ""}</code>, axes in the order of the ranges.` : "It is no view of these ranges."}</p>`
  );
}

/** The panels: what is above and stays while somebody types, and what is below. */
export const BOXES = [
  { id: "cute", name: "CuTe", form: cuteForm, answer: cuteAnswer, again: ["cute", "paint"] },
  { id: "sizes", name: "Sizes", form: sizesForm, answer: sizesAnswer, again: [] },
  { id: "simplify", name: "Simplify", form: exprForm, answer: exprAnswer, again: [] },
].map((box) => ({ ...box, html: ({ state, ask }) => `${box.form(state, ask)}<div id="box-answer" aria-live="polite">${box.answer(state, ask)}</div>` }));
