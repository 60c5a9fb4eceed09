// A view as a grid of cells: rows and columns, panels for the axes before them. Every cell
// has its view and its linear index, by which links.js finds the linked cells.

import { escape, grouped, tuple } from "./html.js";
import { cutAxes } from "./windows.js";

const IN_LINE = 16;

/** What a cell says. */
function label(show, cell) {
  if (show === "memory") return cell.memory === null ? "" : cell.memory;
  if (show === "below") return cell.position === null ? "" : cell.position;
  if (show === "indices") return cell.index;
  return cell.at.join(",");
}

/** Cells of one colour share a class, so that a browser works out its style once. */
const TINTS = 32;

/** Which of the colours every memory position among the cells has: by its rank, so that far-away ones do not make all others alike. */
export function shadesOf(cellsOfViews) {
  const seen = new Set();
  for (const cells of cellsOfViews) for (const cell of cells) if (cell.memory !== null) seen.add(Number(cell.memory));
  const sorted = [...seen].sort((a, b) => a - b);
  const shades = new Map();
  sorted.forEach((position, rank) => shades.set(position, sorted.length === 1 ? TINTS >> 1 : Math.round(((TINTS - 1) * rank) / (sorted.length - 1))));
  return shades;
}

/** The classes of a memory position's colour: nearby positions look alike, or those of a bank do. */
export function tint(position, colour, shades) {
  if (position === null || colour === "none") return "";
  if (colour === "bank") return ` b${((Number(position) % TINTS) + TINTS) % TINTS}`;
  const shade = shades.get(Number(position));
  return shade === undefined ? "" : ` m${shade}`;
}

/** The style sheet of these classes, in the colours that the library draws with. */
export function tints({ memory, banks }) {
  const rule = (letter) => ([colour, dark], number) => `.${letter}${number}{background:${colour};border-color:${colour};color:${dark ? "#fff" : "#000"}}`;
  return memory.map(rule("m")).join("") + banks.map(rule("b")).join("");
}

/** The cells of a view in a window, with their indices. */
export function cellsOf(told, number) {
  const lengths = told.window.map(([lo, hi]) => hi - lo);
  return told.index.map((index, place) => {
    const at = [];
    let rest = place;
    for (let axis = lengths.length - 1; axis >= 0; axis--) {
      at.unshift(told.window[axis][0] + (rest % lengths[axis]));
      rest = Math.floor(rest / lengths[axis]);
    }
    return { view: number, index, at, position: told.position[place], memory: told.memory[place] };
  });
}

function cellHtml(cell, look) {
  const padding = cell.position === null ? " padding" : cell.memory === null ? " padding below" : "";
  const marks = (look.marks.get(`${cell.view}:${cell.index}`) ?? [])
    .map((mark) => `<b class="mark ${mark.kind}">${escape(mark.text)}</b>`)
    .join("");
  const marked = marks ? " marked" : "";
  const tinted = tint(cell.memory, look.colour, look.shades);
  const where = `${tuple(cell.at)}${padding ? ", padding" : ""}`;
  return (
    `<td tabindex="-1" class="cell${padding}${tinted}${marked}" data-v="${cell.view}" ` +
    `data-i="${cell.index}" aria-label="${where}${padding ? "" : `, memory ${cell.memory}`}">${marks}${label(look.show, cell)}</td>`
  );
}

/** Cells in rows, with the numbers of rows and columns beside them. */
function tableHtml(rows, columns, name, look, caption) {
  const head = columns ? `<thead><tr><td></td>${columns.map((c) => `<th scope="col">${c}</th>`).join("")}</tr></thead>` : "";
  const body = rows
    .map(({ name: row, cells }) => `<tr><th scope="row">${row}</th>${cells.map((cell) => cellHtml(cell, look)).join("")}</tr>`)
    .join("");
  return `<table class="grid" aria-label="${escape(name)}">${caption ? `<caption>${caption}</caption>` : ""}${head}<tbody>${body}</tbody></table>`;
}

const range = (lo, hi) => Array.from({ length: hi - lo }, (_, place) => lo + place);

function chunks(list, size) {
  return range(0, Math.ceil(list.length / size)).map((place) => list.slice(place * size, (place + 1) * size));
}

/** The tables of a view. */
export function gridHtml(view, told, cells, number, look) {
  const rank = view.shape.length;
  const name = `view ${number}, ${view.text}`;
  if (cells.length === 0) return `<p class="note">It has no elements.</p>`;
  if (rank === 0) return tableHtml([{ name: "", cells }], null, name, look);
  if (rank === 1) {
    // A short line is one row; a long one is wrapped, and every row shows where it starts.
    const size = cells.length <= 24 ? cells.length : IN_LINE;
    const rows = chunks(cells, size).map((line) => ({ name: line.length === cells.length ? "" : line[0].at[0], cells: line }));
    return tableHtml(rows, rows.length === 1 ? cells.map((cell) => cell.at[0]) : null, name, look);
  }
  const [rowsOf, columnsOf] = told.window.slice(-2);
  const columns = range(...columnsOf);
  const rows = range(...rowsOf);
  const panels = chunks(cells, rows.length * columns.length);
  const tables = panels.map((panel) => {
    const lines = chunks(panel, columns.length).map((line, place) => ({ name: rows[place], cells: line }));
    const fixed = panel[0].at.slice(0, -2);
    const caption = rank > 2 ? `[${[...fixed, ":", ":"].join(", ")}]` : "";
    return tableHtml(lines, columns, `${name} ${caption}`, look, caption);
  });
  // With four axes or more, a line of panels is one run of the axis before the rows, or an equal part of it.
  const run = rank > 3 ? told.window[rank - 3][1] - told.window[rank - 3][0] : 0;
  const wide = columns.length * (Math.max(30, 7.6 * String(cells.at(-1).memory ?? "").length + 10) + 2) + 34;
  let line = run;
  while (line > 1 && (run % line !== 0 || line * wide > (look.room ?? 700))) line--;
  return `<div class="panels"${run ? ` style="display:grid;grid-template-columns:repeat(${line},max-content)"` : ""}>${tables.join("")}</div>`;
}

/** Buttons that move the window along the axes that are cut. */
export function windowControls(view, told, number) {
  const cut = cutAxes(view.shape, told.window);
  const one = (axis) => {
    const [lo, hi] = told.window[axis];
    const label = `axis ${axis} of view ${number}`;
    const id = `w${number}-${axis}`;
    return (
      `<span class="mover"><label for="${id}">axis ${axis}</label>` +
      `<button type="button" data-move="${number},${axis},${lo - (hi - lo)}" aria-label="back along ${label}"${lo === 0 ? " disabled" : ""}>◀</button>` +
      `<input id="${id}" data-start="${number},${axis}" inputmode="numeric" size="6" value="${lo}" aria-label="first index of ${label}">` +
      `<span>to ${grouped(hi - 1)} of ${grouped(view.shape[axis])}</span>` +
      `<button type="button" data-move="${number},${axis},${hi}" aria-label="on along ${label}"${hi >= Number(view.shape[axis]) ? " disabled" : ""}>▶</button></span>`
    );
  };
  return cut.length ? `<div class="movers">${cut.map(one).join("")}</div>` : "";
}
