// Why, drawn: two steps along memory, and how they change the digits of every view below. They differ if the
// chain is not one view, and agree if it is. A hole is drawn in the box that misses it.

import { escape, signed, tuple } from "./html.js";

const LETTERS = ["A", "B"];

/** Where each of the two steps starts and ends in memory. */
function ends(step) {
  return [Number(step.from.at(-1).position), Number(step.to.at(-1).position)];
}

/** Where the positions stand: all from the first to the last if there are few, otherwise only those that matter, with gaps between. */
function cellsAlong(positions, width) {
  const sorted = [...new Set(positions)].sort((a, b) => a - b);
  const [low, high] = [sorted[0], sorted.at(-1)];
  if (high - low <= Math.min(30, width / 22)) {
    const cell = Math.min(30, (width - 20) / (high - low + 1));
    return Array.from({ length: high - low + 1 }, (_, place) => ({ position: low + place, x: 10 + cell * (place + 0.5), cell }));
  }
  const cell = Math.max(26, 6.95 * String(high).length + 6);
  // Neighbours stand together, others apart: a gap means that positions are left out.
  const gaps = sorted.map((position, place) => (place > 0 && position - sorted[place - 1] > 1 ? 1 : 0));
  const count = gaps.reduce((all, gap) => all + gap, 0);
  const gap = Math.max(12, Math.min(90, (width - 20 - cell * sorted.length) / Math.max(1, count)));
  let x = 10 - cell / 2;
  return sorted.map((position, place) => {
    x += cell + gaps[place] * gap;
    return { position, x, cell, gap: gaps[place] * gap };
  });
}

/** Memory with the two steps as arcs, the first above the line, the second below it; as wide as there is room. */
export function stepsSvg(witness, width) {
  const pairs = witness.steps.map(ends);
  const cells = cellsAlong(pairs.flat(), width);
  const right = Math.max(width, cells.at(-1).x + cells[0].cell / 2 + 10);
  const x = (position) => cells.find((cell) => cell.position === position).x;
  const line = 92;
  const parts = cells.map(({ position, x: middle, cell, gap }) => {
    const used = pairs.flat().includes(position);
    const left = gap ? `<text class="place" x="${(middle - (cell + gap) / 2).toFixed(1)}" y="${line + 4}">…</text>` : "";
    return (
      `${left}<rect class="${used ? "used" : ""}" x="${(middle - cell / 2).toFixed(1)}" y="${line - 13}" width="${cell.toFixed(1)}" height="26"/>` +
      `<text class="place${used ? " used" : ""}" x="${middle.toFixed(1)}" y="${line + 4}">${position}</text>`
    );
  });
  witness.steps.forEach((step, which) => {
    const side = which === 0 ? -1 : 1;
    const edge = line + side * 15;
    const bend = edge + side * 44;
    const [a, b] = pairs[which].map(x);
    const letter = LETTERS[which];
    const words = `${letter}: from ${tuple(step.from[0].digits)} ${signed(step.step)}`;
    const half = words.length * 3.9;
    parts.push(
      `<path class="arc ${letter}" d="M${a.toFixed(1)} ${edge} C${a.toFixed(1)} ${bend} ${b.toFixed(1)} ${bend} ${b.toFixed(1)} ${edge}" marker-end="url(#tip-${letter})"/>`,
      `<text class="step ${letter}" x="${Math.max(half, Math.min(right - half, (a + b) / 2)).toFixed(1)}" y="${line + side * 62 + (side > 0 ? 8 : 0)}">${escape(words)}</text>`,
    );
  });
  const words = witness.steps.map((step) => `from ${tuple(step.from[0].digits)} ${signed(step.step)}`).join(", ");
  return (
    `<svg class="steps" viewBox="0 0 ${right} 176" width="${right}" height="176" role="img" aria-label="Two steps in memory: ${escape(words)}">` +
    `<defs>${LETTERS.map((letter) => `<marker id="tip-${letter}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="5.5" markerHeight="5.5" orient="auto"><path d="M0 0 8 4 0 8z"/></marker>`).join("")}</defs>` +
    `${parts.join("")}</svg>`
  );
}

/** Digits in boxes; those that carry are marked, and told apart if only one step has them. */
function digitsHtml(digits, over, odd) {
  return digits
    .map((digit, place) => {
      if (!over.includes(place)) return `<span class="digit">${digit}</span>`;
      const cause = odd.includes(place) ? " cause" : "";
      return `<span class="digit over${cause}" title="axis ${place} carries into axis ${place - 1}">${digit}<i aria-hidden="true">↰</i></span>`;
    })
    .join("");
}

/** What each digit adds to the position: its change times its stride. */
function sumHtml(from, to, view) {
  const terms = from.digits.flatMap((digit, axis) => {
    const change = BigInt(to.digits[axis]) - BigInt(digit);
    return change === 0n ? [] : [`${signed(change)}·${view.strides[axis]}`];
  });
  const all = signed(BigInt(to.position) - BigInt(from.position));
  return terms.length ? `${terms.join(" ")} = <b>${all}</b>` : `<b>${all}</b>`;
}

/** How the digits move at both steps, view by view: one step below the other. */
export function digitsCards(witness, views) {
  const levels = witness.steps[0].from.length;
  const cards = [];
  for (let level = 1; level < levels; level++) {
    const number = witness.steps[0].from[level].view;
    const view = views[number];
    const over = witness.steps.map((step) => step.overflows[level].digits);
    const odd = over.map((mine, which) => mine.filter((digit) => !over[1 - which].includes(digit)));
    const below = number === 0 ? "memory" : `view ${number - 1}`;
    const steps = witness.steps.map((step, which) => {
      const [from, to] = [step.from[level], step.to[level]];
      const carries = over[which].map((axis) => `axis ${axis} carries into axis ${axis - 1}${odd[which].includes(axis) ? `, only in ${LETTERS[which]}` : ""}`);
      return (
        `<div class="step"><p><b class="mark ${LETTERS[which]}">${LETTERS[which]}</b> from ${tuple(step.from[0].digits)}: element ${from.linear} → ${to.linear}</p>` +
        `<p class="digits">${digitsHtml(from.digits, [], [])}<span class="to">→</span>${digitsHtml(to.digits, over[which], odd[which])}` +
        `<span class="carries">${carries.join("; ") || "no carry"}</span></p>` +
        `<p class="sum">${below} ${from.position} → ${to.position}: ${sumHtml(from, to, view)}</p></div>`
      );
    });
    cards.push(`<div class="steps-card"><h4>Digits in view ${number}, <code>${escape(view.text)}</code></h4>${steps.join("")}</div>`);
  }
  return cards.join("");
}

// ---- a hole

/** The axes along which two indices differ, the longest first. */
function apart(one, other) {
  return one
    .map((index, axis) => ({ axis, length: Math.abs(Number(other[axis]) - Number(index)) }))
    .filter(({ length }) => length > 0)
    .sort((a, b) => b.length - a.length)
    .map(({ axis }) => axis);
}

/** The box of the two valid indices, and the one within it that is padding. */
export function holeSvg(witness, width) {
  const [first, second, hole] = [...witness.valid, witness.invalid].map((trace) => trace.levels[0].digits.map(Number));
  const [across = 0, down] = apart(first, second).sort((a, b) => b - a).slice(0, 2);
  const flat = down === undefined;
  const [left, right, top, high] = [40, width - 40, 34, flat ? 0 : 90];
  const place = (index, axis, from, to) => {
    const [a, b] = [Math.min(first[axis], second[axis]), Math.max(first[axis], second[axis])];
    return a === b ? (from + to) / 2 : from + ((to - from) * (index[axis] - a)) / (b - a);
  };
  const x = (index) => place(index, across, left, right);
  const y = (index) => (flat ? top + 14 : place(index, down, top, top + high));
  const point = (index, kind, sign, under) => {
    const anchor = x(index) > width - 60 ? "end" : x(index) < 60 ? "start" : "middle";
    return (
      `<circle class="${kind}" cx="${x(index).toFixed(1)}" cy="${y(index).toFixed(1)}" r="9"/>` +
      `<text class="sign" x="${x(index).toFixed(1)}" y="${(y(index) + 4).toFixed(1)}">${sign}</text>` +
      `<text class="${kind}" style="text-anchor:${anchor}" x="${x(index).toFixed(1)}" y="${(y(index) + (under ? 26 : -15)).toFixed(1)}">${tuple(index)}</text>`
    );
  };
  const height = top + high + (flat ? 60 : 44);
  const box = flat
    ? `<line class="axis" x1="${left}" y1="${top + 14}" x2="${right}" y2="${top + 14}"/>`
    : `<rect class="box" x="${left}" y="${top}" width="${right - left}" height="${high}"/>`;
  const axes = flat ? `along axis ${across}` : `axis ${across} across, axis ${down} down`;
  const lower = (index) => !flat && y(index) > top + high / 2;
  return (
    `<svg class="steps hole" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${tuple(first)} and ${tuple(second)} are valid, ${tuple(hole)} between them is padding">` +
    `${box}${point(first, "A", "✓", lower(first))}${point(second, "A", "✓", lower(second))}${point(hole, "B", "✗", flat || lower(hole))}` +
    `<text class="place" x="${width / 2}" y="${height - 4}">${axes}</text></svg>`
  );
}

/** What becomes of the three indices in every view, and which mask the hole misses. */
export function holeCards(witness, views) {
  const rows = [...witness.valid.map((trace) => ["A", "✓", trace]), ["B", "✗", witness.invalid]];
  return rows
    .map(([kind, sign, { levels }]) => {
      const lines = levels.map((level) => {
        const view = views[level.view];
        const missed = level.position === null ? level.digits.flatMap((digit, axis) => {
          const [lo, hi] = view.valid?.[axis] ?? [0, view.shape[axis]];
          return Number(digit) < Number(lo) || Number(digit) >= Number(hi) ? [`axis ${axis}: ${digit} is not in ${lo}:${hi}`] : [];
        }) : [];
        const to = level.position === null ? `padding, ${missed.join("; ") || "nothing is valid"}` : level.view === 0 ? `memory ${level.position}` : `element ${level.position} of view ${level.view - 1}`;
        return `<p class="sum">view ${level.view} <span class="digits">${digitsHtml(level.digits, [], [])}</span> → ${to}</p>`;
      });
      return `<div class="step"><p><b class="mark ${kind}">${sign}</b> ${tuple(levels[0].digits)}</p>${lines.join("")}</div>`;
    })
    .join("");
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
      const kind = LETTERS[which];
      trail(step.from, kind, kind);
      trail(step.to, `${kind}′`, kind);
    });
  } else if (witness?.kind === "hole") {
    for (const one of witness.valid) trail(one.levels, "✓", "A");
    trail(witness.invalid.levels, "✗", "B");
  }
  return marks;
}
