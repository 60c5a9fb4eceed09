// The carry, step by step: adding a stride to the digits of a view, from the last axis to the first, like an
// odometer. A frame is the current digits and the last change to one of them.

import { escape, signed, tuple } from "./html.js";

/** The frames of one step in one view below the last: `digits`, which of them is looked at, and words. */
export function framesOf(step, level, view) {
  const [from, to] = [step.from[level], step.to[level]];
  const sizes = view.shape.map(Number);
  const digits = from.digits.map(Number);
  const change = Number(to.linear) - Number(from.linear);
  const name = `view ${from.view}`;
  const frames = [{ digits: [...digits], at: -1, words: `${name}: element ${from.linear} is ${tuple(digits)}. Now ${signed(change)}, to element ${to.linear}.` }];
  let add = change;
  for (let axis = sizes.length - 1; axis >= 0 && add !== 0; axis--) {
    const sum = digits[axis] + add;
    const carry = axis === 0 ? 0 : Math.floor(sum / sizes[axis]);
    const left = sum - carry * sizes[axis];
    digits[axis] = left;
    const what = `axis ${axis}: ${digits[axis] === sum ? "" : ""}${sum - add} ${signed(add).replace(/^([+−])/, "$1 ")} = ${sum}`;
    const words = carry === 0 ? `${what}, which is less than ${sizes[axis]}: no carry.` : `${what}, which is ${carry}·${sizes[axis]} and ${left} more: ${left} stays, ${signed(carry)} is carried into axis ${axis - 1}.`;
    frames.push({ digits: [...digits], at: axis, carry: carry !== 0, words });
    add = carry;
  }
  const terms = from.digits.flatMap((digit, axis) => (digits[axis] === Number(digit) ? [] : [`${signed(digits[axis] - Number(digit))}·${view.strides[axis]}`]));
  const where = from.view === 0 ? "in memory" : `in view ${from.view - 1}`;
  frames.push({ digits: [...digits], at: -1, words: `${where}: ${terms.join(" ") || "nothing moves"} = ${signed(BigInt(to.position) - BigInt(from.position))}, from ${from.position} to ${to.position}.` });
  return frames;
}

/** All frames of both steps, through all views. */
export function allFrames(witness, views) {
  if (witness?.kind !== "step") return [];
  return witness.steps.flatMap((step, which) =>
    step.from.slice(1).flatMap((_, place) => framesOf(step, place + 1, views[step.from[place + 1].view]).map((frame) => ({ ...frame, which, view: step.from[place + 1].view }))),
  );
}

/** A frame: the digits above the sizes of their axes. */
export function frameHtml(frame, number, count, views) {
  const letter = "AB"[frame.which];
  const sizes = views[frame.view].shape;
  const boxes = frame.digits.map((digit, axis) => {
    const look = axis === frame.at ? (frame.carry ? " over" : " now") : "";
    return `<span class="wheel"><span class="digit${look}">${digit}${axis === frame.at && frame.carry ? '<i aria-hidden="true">↰</i>' : ""}</span><small>of ${sizes[axis]}</small></span>`;
  });
  return `<p><b class="mark ${letter}">${letter}</b> ${boxes.join("")}</p><p class="carry-words">${escape(frame.words)}</p><p class="note">${number + 1} of ${count}</p>`;
}

/** The place where frames are shown, with its buttons. */
export const carryHtml = (frames, views) =>
  frames.length
    ? `<div class="carry" aria-label="The carry, step by step"><div class="carry-tools"><b>The carry, step by step</b> <button type="button" id="carry-back" aria-label="Back">◀</button> <button type="button" id="carry-play" aria-pressed="false">Play</button> <button type="button" id="carry-on" aria-label="On">▶</button></div>` +
      `<div id="carry-frame" aria-live="polite">${frameHtml(frames[0], 0, frames.length, views)}</div></div>`
    : "";
