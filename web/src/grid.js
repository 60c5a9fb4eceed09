// A view as a grid of cells: rows and columns, panels for the axes before them. Every cell
// carries its view and its linear index; links.js finds the others by these.

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

/** The classes of a memory position's colour: nearby positions look alike, or those of a bank do. */
export function tint(position, colour, range) {
  if (position === null || colour === "none") return "";
  if (colour === "bank") return ` tinted b${((Number(position) % TINTS) + TINTS) % TINTS}`;
  const [low, high] = range.map(Number);
  return ` tinted m${Math.round(((TINTS - 1) * (Number(position) - low)) / Math.max(1, high - low))}`;
}

/** The style sheet of these classes. */
export function tints() {
  const numbers = Array.from({ length: TINTS }, (_, number) => number);
  const rules = numbers.map((n) => `.b${n}{--hue:${(n * 360) / TINTS}}.m${n}{--hue:${(20 + (300 * n) / (TINTS - 1)).toFixed(1)}}`);
  return rules.join("");
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
  const tinted = tint(cell.memory, look.colour, look.range);
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
    // A short line is one row; a long one is broken, and every row says where it starts.
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
  return `<div class="panels">${tables.join("")}</div>`;
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
