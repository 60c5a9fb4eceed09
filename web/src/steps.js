// The two steps that disagree: drawn along memory, and in the digits of every view below.

import { escape, signed, tuple } from "./html.js";

const WIDTH = 640;

/** Where each of the two steps starts and ends in memory. */
function ends(step) {
  return [Number(step.from.at(-1).position), Number(step.to.at(-1).position)];
}

/** Memory with the two steps as arcs, the first above the line, the second below it. */
export function stepsSvg(witness) {
  const pairs = witness.steps.map(ends);
  const low = Math.min(...pairs.flat());
  const high = Math.max(...pairs.flat());
  const near = high - low <= 30;
  const cell = near ? Math.min(30, (WIDTH - 20) / (high - low + 1)) : 0;
  const x = (position) =>
    near ? 10 + cell * (position - low + 0.5) : 30 + ((WIDTH - 60) * (position - low)) / Math.max(1, high - low);
  const line = 92;
  const parts = [];
  if (near) {
    for (let position = low; position <= high; position++) {
      const used = pairs.flat().includes(position);
      parts.push(
        `<rect class="${used ? "used" : ""}" x="${(x(position) - cell / 2).toFixed(1)}" y="${line - 13}" width="${cell.toFixed(1)}" height="26"/>` +
          `<text class="place${used ? " used" : ""}" x="${x(position).toFixed(1)}" y="${line + 4}">${position}</text>`,
      );
    }
  } else {
    parts.push(`<line class="axis" x1="10" y1="${line}" x2="${WIDTH - 10}" y2="${line}"/>`);
  }
  witness.steps.forEach((step, which) => {
    const [from, to] = pairs[which];
    const side = which === 0 ? -1 : 1;
    const edge = line + side * (near ? 15 : 6);
    const bend = edge + side * 44;
    const [a, b] = [x(from), x(to)];
    const letter = which === 0 ? "A" : "B";
    parts.push(
      `<path class="arc ${letter}" d="M${a.toFixed(1)} ${edge} C${a.toFixed(1)} ${bend} ${b.toFixed(1)} ${bend} ${b.toFixed(1)} ${edge}" marker-end="url(#tip-${letter})"/>`,
      `<text class="step ${letter}" x="${Math.max(90, Math.min(WIDTH - 90, (a + b) / 2)).toFixed(1)}" y="${line + side * 62 + (side > 0 ? 8 : 0)}">` +
        `${letter}: from ${escape(tuple(step.from[0].digits))} ${signed(step.step)}</text>`,
    );
    if (!near) {
      for (const [place, position] of [[a, from], [b, to]]) {
        const anchor = place > WIDTH - 60 ? "end" : place < 60 ? "start" : "middle";
        parts.push(
          `<circle class="${letter}" cx="${place.toFixed(1)}" cy="${line}" r="4"/>`,
          `<text class="place used" style="text-anchor:${anchor}" x="${place.toFixed(1)}" y="${line - side * 16 + 4}">${position}</text>`,
        );
      }
    }
  });
  const words = witness.steps.map((step) => `from ${tuple(step.from[0].digits)} ${signed(step.step)}`).join(", ");
  return (
    `<svg class="steps" viewBox="0 0 ${WIDTH} 184" role="img" aria-label="Two steps in memory: ${escape(words)}">` +
    `<defs>${["A", "B"].map((letter) => `<marker id="tip-${letter}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="5.5" markerHeight="5.5" orient="auto"><path d="M0 0 8 4 0 8z"/></marker>`).join("")}</defs>` +
    `${parts.join("")}</svg>`
  );
}

/** Digits in boxes; those that overflow are marked, and told apart if only one step has them. */
function digitsHtml(digits, over, odd) {
  return digits
    .map((digit, place) => {
      if (!over.includes(place)) return `<span class="digit">${digit}</span>`;
      const cause = odd.includes(place) ? " cause" : "";
      return `<span class="digit over${cause}" title="axis ${place} overflows into axis ${place - 1}">${digit}<i aria-hidden="true">↰</i></span>`;
    })
    .join("");
}

/** How the digits move at both steps, view by view. */
export function digitsTables(witness, views) {
  const levels = witness.steps[0].from.length;
  const tables = [];
  for (let level = 1; level < levels; level++) {
    const number = witness.steps[0].from[level].view;
    const over = witness.steps.map((step) => step.overflows[level].digits);
    const odd = over.map((mine, which) => mine.filter((digit) => !over[1 - which].includes(digit)));
    const rows = witness.steps.map((step, which) => {
      const [from, to] = [step.from[level], step.to[level]];
      const words = over[which].length
        ? over[which].map((axis) => `axis ${axis} → ${axis - 1}${odd[which].includes(axis) ? ", only here" : ""}`).join(", ")
        : "none";
      return (
        `<tr><th scope="row"><b class="mark ${which === 0 ? "A" : "B"}">${which === 0 ? "A" : "B"}</b> from ${tuple(step.from[0].digits)}</th>` +
        `<td>${from.linear} → ${to.linear}</td>` +
        `<td class="digits">${digitsHtml(from.digits, [], [])}<span class="to">→</span>${digitsHtml(to.digits, over[which], odd[which])}</td>` +
        `<td>${words}</td><td>${from.position} → ${to.position} <b>${signed(BigInt(to.position) - BigInt(from.position))}</b></td></tr>`
      );
    });
    const below = number === 0 ? "memory" : `element of view ${number - 1}`;
    tables.push(
      `<div class="wide"><table class="data"><caption>Digits in view ${number}, of shape ${tuple(views[number].shape)}</caption><thead><tr><th scope="col">step</th>` +
        `<th scope="col">element</th><th scope="col">digits</th><th scope="col">overflow</th><th scope="col">${below}</th></tr></thead>` +
        `<tbody>${rows.join("")}</tbody></table></div>`,
    );
  }
  return tables.join("");
}

/** Letters at the cells a witness speaks of: in the last view, in those below, and in memory. */
export function marksOf(witness) {
  const marks = new Map();
  const put = (view, index, text, kind) => {
    const key = `${view}:${index}`;
    marks.set(key, [...(marks.get(key) ?? []), { text, kind }]);
  };
  const trail = (levels, text, kind) => {
    for (const level of levels) {
      put(level.view, level.linear, text, kind);
      if (level.view === 0 && level.position !== null) put(-1, level.position, text, kind);
    }
  };
  if (witness?.kind === "step") {
    witness.steps.forEach((step, which) => {
      const kind = which === 0 ? "A" : "B";
      trail(step.from, kind, kind);
      trail(step.to, `${kind}′`, kind);
    });
  } else if (witness?.kind === "hole") {
    for (const one of witness.valid) trail(one.levels, "✓", "A");
    trail(witness.invalid.levels, "✗", "B");
  }
  return marks;
}
