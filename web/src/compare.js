// Two chains side by side, and the first index where they differ.

import { cellsOf, gridHtml, shadesOf } from "./grid.js";
import { escape, tuple } from "./html.js";
import { windowOf } from "./windows.js";

const chainField = (key, label, state) =>
  `<label class="box">${label} <input data-box="${key}" value="${escape(state[key])}" spellcheck="false" autocapitalize="off" autocomplete="off"></label>`;

export const compareForm = (state) =>
  `<p>Are two chains the same function? If not: the first index, in order, where they differ.</p>` +
  `<div class="boxes">${chainField("chain", "One chain", state)}${chainField("other", "Another", state)}</div>`;

/** The last view of a chain around an index, with a mark at it. */
function side(name, chain, index, ask) {
  const views = ask({ ask: "views", chain });
  const last = views.views.length - 1;
  const view = views.views[last];
  const starts = index?.map((at, axis) => Math.max(0, Number(at) - (axis < index.length - 2 ? 0 : 4)));
  const windows = views.views.map((one, number) => (number === last ? windowOf(one.shape, starts) : null));
  const told = ask({ ask: "cells", chain, windows }).views[last];
  const cells = cellsOf(told, last);
  const marks = new Map();
  let words = "";
  if (index) {
    const { levels } = ask({ ask: "trace", chain, index });
    marks.set(`${last}:${levels[0].linear}`, [{ text: "≠", kind: "B" }]);
    words = levels.map((level) => `view ${level.view} ${tuple(level.digits)}`).concat(levels.at(-1).position === null ? "padding" : `memory ${levels.at(-1).position}`).join("  →  ");
  }
  const look = { show: "memory", colour: "memory", shades: shadesOf([cells]), marks };
  return `<article class="view"><h3>${name}: <code>${escape(chain)}</code></h3><div class="scroll">${gridHtml(view, told, cells, last, look)}</div>${words ? `<p class="sum">${escape(words)}</p>` : ""}</article>`;
}

export function compareAnswer(state, ask) {
  const [one, other] = [state.chain, state.other];
  const [first, second] = [one, other].map((chain) => ask({ ask: "views", chain }));
  if (first.error) return `<p class="note">The one chain: ${escape(first.error.message)}</p>`;
  if (second.error) return `<p class="note">Another: ${escape(second.error.message)}</p>`;
  const told = ask({ ask: "difference", chain: one, other });
  const verdict = (yes, words) => `<p class="answer ${yes ? "yes" : "no"}"><b>${yes ? "✓" : "✗"}</b> ${words}</p>`;
  if (told.error) return `<p class="note">${escape(told.error.message)}</p>`;
  if (!told.equal && told.index === null) {
    const shapes = [first, second].map((views) => tuple(views.views.at(-1).shape));
    return verdict(false, `they have other shapes: ${shapes[0]} and ${shapes[1]}.`);
  }
  const words = told.equal ? "the same function." : `they differ, first at ${tuple(told.index)}.`;
  return `${verdict(told.equal, words)}<div class="pair">${side("One", one, told.index, ask)}${side("Another", other, told.index, ask)}</div>`;
}
