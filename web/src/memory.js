// Memory, as one long line in rows: which positions the chain reaches, which only the view
// next to memory, and which none.

import { grouped } from "./html.js";
import { tint } from "./grid.js";

const IN_ROW = 16;
const MOST = 256;

/** The interval of memory that is drawn. */
export function memoryWindow(range, start) {
  const [low, high] = range.map(Number);
  const count = high - low + 1;
  if (count <= MOST) return [low, high];
  const wanted = start === undefined ? low : Number(start);
  const lo = Math.max(low, Math.min(wanted, high - MOST + 1));
  return [lo, lo + MOST - 1];
}

export function memoryHtml(range, start, reached, seen, look, chosen) {
  if (range === null) return `<p class="note">No element is read: everything is padding.</p>`;
  const [lo, hi] = memoryWindow(range, start);
  const rows = [];
  const width = chosen > 0 ? chosen : hi - lo + 1 <= 20 ? hi - lo + 1 : IN_ROW;
  for (let first = lo; first <= hi; first += width) {
    const cells = [];
    for (let position = first; position < Math.min(first + width, hi + 1); position++) {
      const key = String(position);
      const kind = reached.has(key) ? "" : seen.has(key) ? " unread" : " untouched";
      const words = reached.has(key) ? "" : seen.has(key) ? ", not read by the chain" : ", not reached";
      const tinted = kind === "" ? tint(position, look.colour, look.shades) : "";
      const marks = (look.marks.get(`-1:${key}`) ?? []).map((mark) => `<b class="mark ${mark.kind}">${mark.text}</b>`).join("");
      cells.push(
        `<td tabindex="-1" class="cell${kind}${tinted}${marks ? " marked" : ""}" data-v="-1" data-i="${key}" ` +
          `aria-label="memory ${key}${words}">${marks}${key}</td>`,
      );
    }
    rows.push(`<tr>${cells.join("")}</tr>`);
  }
  const cut = Number(range[1]) - Number(range[0]) >= MOST;
  const controls = cut
    ? `<div class="movers"><span class="mover">` +
      `<button type="button" data-move="-1,0,${lo - MOST}" aria-label="back in memory"${lo <= Number(range[0]) ? " disabled" : ""}>◀</button>` +
      `<input data-start="-1,0" inputmode="numeric" size="8" value="${lo}" aria-label="first memory position shown">` +
      `<span>to ${grouped(hi)} of ${grouped(range[0])} to ${grouped(range[1])}</span>` +
      `<button type="button" data-move="-1,0,${hi + 1}" aria-label="on in memory"${hi >= Number(range[1]) ? " disabled" : ""}>▶</button></span></div>`
    : "";
  return `${controls}<table class="grid memory" aria-label="memory"><tbody>${rows.join("")}</tbody></table>`;
}
