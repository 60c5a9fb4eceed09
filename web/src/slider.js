// A slider for a number of the chain: for which of its values is the chain one view?

import { escape } from "./html.js";

/** The sizes, strides and offsets in a text: where they are, and which of these they are. */
export function numbersIn(text) {
  const found = [];
  for (const match of text.matchAll(/[+-]?\d+/g)) {
    const before = text.slice(0, match.index);
    // A number after a closing bracket is an offset, which keeps its sign: only those with + move.
    const offset = /\)\s*$/.test(before);
    if (offset && !match[0].startsWith("+")) continue;
    const open = before.lastIndexOf("(");
    const masked = before.lastIndexOf("[") > open;
    const stride = !masked && !offset && /\)\s*:\s*$/.test(before.slice(0, open));
    found.push({ at: match.index, end: match.index + match[0].length, value: Number(match[0]), stride, sign: offset ? "+" : "" });
  }
  return found;
}

/** The values to try around the present one. */
export function spanOf(number, width) {
  const least = number.stride ? -Infinity : 0;
  const from = Math.max(least, number.value - Math.floor(width / 3));
  return [from, from + width - 1];
}

const VERDICT_WORDS = { m: "one view", n: "not one view", u: "undecided", e: "refused" };
const VERDICT_SIGNS = { m: "✓", n: "✗", u: "?", e: "–" };

/** The verdicts as runs: one view for 1 to 5, not one view for 6 to 23. */
export function runs(verdicts, from) {
  const list = [];
  [...verdicts].forEach((letter, place) => {
    const last = list.at(-1);
    if (last?.letter === letter) last.to = from + place;
    else list.push({ letter, from: from + place, to: from + place });
  });
  return list;
}

function runsText(list) {
  const shown = list.slice(0, 9).map((run) => `${VERDICT_WORDS[run.letter]} ${run.from === run.to ? "at" : "from"} ${run.from}${run.from === run.to ? "" : ` to ${run.to}`}`);
  return shown.join("; ") + (list.length > 9 ? `; and ${list.length - 9} more changes` : "");
}

/** How far it is from a value to the nearest one with the other verdict; infinite where there is none. */
export function toChange(verdicts, from, value) {
  const here = verdicts[value - from];
  let nearest = Infinity;
  [...verdicts].forEach((letter, place) => {
    if ((letter === "m" || letter === "n") && (here === "m" || here === "n") && letter !== here) nearest = Math.min(nearest, Math.abs(from + place - value));
  });
  return nearest;
}

/** The number whose change turns the verdict soonest, sizes before strides; the last size if none does. */
function decisive(chain, numbers, ask) {
  let best = { place: Math.max(0, numbers.findLastIndex((number) => !number.stride && !number.sign)), far: Infinity };
  numbers.slice(0, 24).forEach((number, place) => {
    const [from, to] = spanOf(number, 24);
    const told = ask({ ask: "sweep", before: chain.slice(0, number.at) + number.sign, after: chain.slice(number.end), from, to, steps: 2_000 });
    if (told.error) return;
    const far = toChange(told.verdicts, from, number.value) + (number.stride ? 0.5 : 0);
    if (far < best.far || (far === best.far && far < Infinity)) best = { place, far };
  });
  return best.place;
}

export function sliderHtml(state, ask) {
  const numbers = numbersIn(state.chain);
  if (numbers.length === 0) return `<p class="note">There is no number in the chain.</p>`;
  const place = state.number === "" ? decisive(state.chain, numbers, ask) : Number(state.number) || 0;
  const chosen = numbers[Math.min(place, numbers.length - 1)];
  const width = { wide: 160, all: 512 }[state.span] ?? 48;
  const [from, to] = spanOf(chosen, width);
  const [before, after] = [state.chain.slice(0, chosen.at) + chosen.sign, state.chain.slice(chosen.end)];
  const told = ask({ ask: "sweep", before, after, from, to, steps: 5_000 });
  if (told.error) return `<p class="note">${escape(told.error.message)}</p>`;
  let text = "";
  let done = 0;
  numbers.forEach((number, place) => {
    const on = number === chosen;
    text += escape(state.chain.slice(done, number.at));
    text += `<button type="button" class="number" data-number="${place}" aria-pressed="${on}" aria-label="move ${number.stride ? "stride" : number.sign ? "offset" : "number"} ${number.value}">${number.sign}${number.value}</button>`;
    done = number.end;
  });
  text += escape(state.chain.slice(done));
  const bars = [...told.verdicts]
    .map((letter, place) => {
      const value = from + place;
      const sign = width <= 48 ? VERDICT_SIGNS[letter] : "";
      return `<span class="bar ${letter}${value === chosen.value ? " now" : ""}" data-value="${value}" title="${value}: ${VERDICT_WORDS[letter]}">${sign}</span>`;
    })
    .join("");
  const list = runs(told.verdicts, from);
  return `
    <p>Choose a number, then move it.</p>
    <p class="numbers">${text}</p>
    <div class="slide">
      <label for="slide">${chosen.stride ? "stride" : "value"} <output id="slide-value">${chosen.value}</output></label>
      <input type="range" id="slide" min="${from}" max="${to}" value="${chosen.value}" data-at="${chosen.at}" data-sign="${chosen.sign}" data-place="${numbers.indexOf(chosen)}" data-end="${chosen.end}">
      <div class="strip" aria-hidden="true">${bars}</div>
      <div class="ends" aria-hidden="true"><span>${from}</span><span>${to}</span></div>
    </div>
    <p><label>values <select id="span">
      <option value="">48</option><option value="wide"${state.span === "wide" ? " selected" : ""}>160</option><option value="all"${state.span === "all" ? " selected" : ""}>512</option>
    </select></label> <span class="legend"><b>✓</b> one view, <b>✗</b> not, <b>–</b> refused, <b>?</b> undecided; taller is better</span></p>
    <p class="runs">${escape(runsText(list))}.</p>`;
}
