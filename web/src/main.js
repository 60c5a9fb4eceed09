// The page: reads the chain, asks the library, draws. One state, one function that shows it.

import { open, STEPS } from "./core.js";
import { BOXES, atomChange, example } from "./boxes.js";
import { allFrames, frameHtml } from "./carry.js";
import { cellsOf, gridHtml, shadesOf, tints, windowControls } from "./grid.js";
import { copyButton, escape, grouped, tuple } from "./html.js";
import { Links } from "./links.js";
import { memoryHtml, memoryWindow } from "./memory.js";
import { append, OPS } from "./ops.js";
import { PANELS } from "./panels.js";
import { PRESETS } from "./presets.js";
import { fromFragment, History, toFragment } from "./state.js";
import { marksOf } from "./steps.js";
import { readStarts, windowOf, writeStarts } from "./windows.js";

const MOST_VIEWS = 12;
const $ = (id) => document.getElementById(id);

let core;
let languages = [];
let state = fromFragment(location.hash);
const history_ = new History(state);
let steps = STEPS;
/** What was asked last about the chain; null before, and where the chain is refused. */
let shown = null;
let pinned = null;

const ask = (question) => core.ask({ steps, ...question });

/** Goes on to a changed state and shows it. */
function go(change, typed = false) {
  state = { ...state, ...change };
  if ("chain" in change) {
    steps = STEPS;
    pinned = null;
    if (!("windows" in change)) state.windows = "";
  }
  history_.go(state, typed);
  show(typed);
}

function show(typed = false) {
  const box = BOXES.find((one) => one.id === state.mode);
  document.body.dataset.mode = box ? box.id : "chain";
  document.body.classList.toggle("embed", Boolean(state.embed));
  for (const button of $("modes").children) button.setAttribute("aria-selected", String(button.dataset.mode === document.body.dataset.mode));
  $("undo").disabled = !history_.canUndo;
  $("redo").disabled = !history_.canRedo;
  if (box) showBox(box);
  else showChain(typed);
  showPreset();
  keepLink();
}

/** What is asked beside the chain: its fields, and below them the answer. */
function showBox(box) {
  document.body.classList.remove("stale");
  $("box-form").innerHTML = box.form(state, ask);
  $("box-answer").innerHTML = box.answer(state, ask);
}

function showChain(typed) {
  if (!typed && $("chain").value !== state.chain) $("chain").value = state.chain;
  fit();
  const empty = state.chain.trim() === "";
  const views = empty ? { error: {} } : ask({ ask: "views", chain: state.chain });
  document.body.classList.toggle("stale", Boolean(views.error));
  document.body.classList.toggle("blank", Boolean(views.error) && shown === null);
  if (empty) {
    showStart();
  } else if (views.error) {
    showMistake(views.error);
  } else {
    $("mistake").hidden = true;
    $("chain").removeAttribute("aria-invalid");
    const explained = ask({ ask: "explain", chain: state.chain });
    const witness = explained.error ? null : ask({ ask: "witness", chain: state.chain });
    shown = { views, explained, witness: witness?.error ? null : witness };
    showVerdict();
    showViews();
    showPanel();
  }
}

// ---- the chain as text

function fit() {
  const box = $("chain");
  box.rows = Math.min(6, Math.max(1, Math.ceil(box.value.length / Math.max(20, Math.floor(box.clientWidth / 9.8)))));
}

function showMistake(error) {
  const letters = [...state.chain];
  let text = "";
  if (error.at !== undefined) {
    // A window of the text around the place, so that the caret stays below it on any screen.
    const from = Math.max(0, error.at - 24);
    const part = letters.slice(from, error.at + 24).map((letter) => (letter < " " ? " " : letter)).join("");
    const lead = from > 0 ? "…" : "";
    text = `${lead}${part}\n${" ".repeat(error.at - from + lead.length)}^\n`;
  }
  $("mistake").hidden = false;
  $("mistake").textContent = text + error.message;
  $("chain").setAttribute("aria-invalid", "true");
  $("verdict").className = "refused mistaken";
  // The error appears once, below its text.
  $("verdict-words").textContent = "";
  $("remedies").innerHTML = "";
}

/** Nothing is asked yet: what could be. */
function showStart() {
  $("mistake").hidden = true;
  $("chain").removeAttribute("aria-invalid");
  $("verdict").className = "refused start";
  $("verdict-sign").textContent = "?";
  $("verdict-words").textContent = "Type a chain, or a line of PyTorch or NumPy. For example:";
  const lines = ["(10,3,3):(8,1,2) | (6):(4)", "(2,3) | permute(1,0) | reshape(6)", "torch.randn(2, 5, 4).transpose(1, 2).reshape(2, 20)", "np.zeros((4, 6))[:, 0:3].reshape(12)", "(18):(1)-2 [2:17] | (16,3):(1,1)"];
  const known = lines.filter((line) => !ask({ ask: "views", chain: line }).error);
  $("remedies").innerHTML = known.map((line) => `<button type="button" data-chain="${escape(line)}"><code>${escape(line)}</code></button>`).join("");
}

function notice(text, kind = "") {
  $("notice").textContent = text;
  $("notice").className = kind;
  $("notice").hidden = !text;
}

// ---- the answer

function showVerdict() {
  const { explained } = shown;
  const verdict = $("verdict");
  const remedies = $("remedies");
  remedies.innerHTML = "";
  if (explained.error) {
    const undecided = explained.error.kind === "undecided";
    verdict.className = undecided ? "undecided" : "refused";
    $("verdict-sign").textContent = undecided ? "?" : "!";
    $("verdict-words").textContent = explained.error.message;
    if (undecided) remedies.innerHTML = `<button type="button" id="longer">Search longer</button>`;
    return;
  }
  verdict.className = explained.mergeable ? "yes" : "no";
  $("verdict-sign").textContent = explained.mergeable ? "✓" : "✗";
  // The panel Why shows an explanation of many lines in full; one of a few sentences is shown here.
  const lines = explained.text.split("\n");
  const [first, ...rest] = lines.length > 1 ? [lines[0]] : explained.text.split(/(?<=\.) (?=[A-Z])/);
  const more = rest.filter((words) => !words.startsWith("It would be")).join(" ");
  $("verdict-words").innerHTML = `<strong>${escape(first)}</strong>${more ? ` <span class="more">${escape(more)}</span>` : ""}`;
  if (explained.mergeable) {
    remedies.innerHTML = copyButton(notation(explained.view), "the one view");
    return;
  }
  const list = ask({ ask: "remedies", chain: state.chain });
  if (!Array.isArray(list) || list.length === 0) return;
  remedies.innerHTML =
    `<span>What would help:</span>` +
    list
      .map((remedy) => {
        const chain = remedy.op ? `${state.chain.trim()} | ${remedy.op}` : remedy.chain;
        return `<button type="button" class="remedy" data-kind="${remedy.kind}" data-chain="${escape(chain)}">${escape(remedy.words)}</button>`;
      })
      .join("");
}

/** A view as it is written. */
function notation({ shape, strides, offset, mask }) {
  if (mask === "nothing") return `${tuple(shape)} nothing`;
  const moved = offset ? (String(offset).startsWith("-") ? offset : `+${offset}`) : "";
  return `${tuple(shape)}:${tuple(strides)}${moved}${mask ? ` [${mask.map(([lo, hi]) => `${lo}:${hi}`).join(",")}]` : ""}`;
}

// ---- the views

function showViews() {
  const { views, witness } = shown;
  const starts = readStarts(state.windows);
  const drawn = views.views.map((_, number) => number).filter((number) => number === 0 || number >= views.views.length - MOST_VIEWS + 1);
  const windows = views.views.map((view, number) => (drawn.includes(number) ? windowOf(view.shape, starts.get(number)) : null));
  const told = ask({ ask: "cells", chain: state.chain, windows });
  if (told.error) {
    $("views").innerHTML = `<p class="note">${escape(told.error.message)}</p>`;
    return;
  }
  const cells = told.views.map((one, number) => (one ? cellsOf(one, number) : []));
  const look = {
    show: state.show,
    colour: state.colour,
    shades: shadesOf(cells),
    // Steps that agree need no marks.
    marks: shown.explained.mergeable ? new Map() : marksOf(witness),
    room: $("views").clientWidth - 34,
  };
  const last = views.views.length - 1;
  const cards = drawn.map((number) => {
    const view = views.views[number];
    const role = number === last ? (last === 0 ? "the only one" : "the one you index") : number === 0 ? "next to memory" : "";
    const skipped = number === drawn[1] && drawn[1] > 1 ? `<p class="note">${drawn[1] - 1} views below this one are not drawn.</p>` : "";
    return (
      `<article class="view" data-view="${number}"><h3>view ${number}${role ? `, ${role}` : ""}</h3>` +
      `<p class="about"><code>${escape(view.text)}</code> <span>${grouped(view.count)} element${String(view.count) === "1" ? "" : "s"}</span></p>` +
      `${windowControls(view, told.views[number], number)}<div class="scroll">${gridHtml(view, told.views[number], cells[number], number, look)}</div>${skipped}</article>`
    );
  });
  // Listed from memory upward, drawn from the last view downward.
  $("views").innerHTML = cards.reverse().join("");
  const seen = new Set(cells[0].flatMap((cell) => (cell.position === null ? [] : [String(cell.position)])));
  const reached = new Set(cells[last].flatMap((cell) => (cell.memory === null ? [] : [String(cell.memory)])));
  $("memory").innerHTML = memoryHtml(views.memory, starts.get(-1)?.[0], reached, seen, look, Number(state.width));
  shown.cells = cells;
  shown.links = null;
  firstStop();
  if (pinned) highlight(pinned.view, pinned.index);
  else highlight(null);
}

/** The first cell of every table can be reached by the tab key, arrows do the rest. */
function firstStop() {
  for (const table of document.querySelectorAll("table.grid")) {
    const cell = table.querySelector(".cell");
    if (cell) cell.tabIndex = 0;
  }
}

function highlight(view, index) {
  for (const old of document.querySelectorAll(".linked, .chosen")) old.classList.remove("linked", "chosen");
  if (view === null || !shown?.cells) {
    $("trail").textContent = "Point at an element, or move to it with the arrow keys, to see it in every view and in memory.";
    return;
  }
  shown.links ??= new Links(shown.cells);
  const found = shown.links.of(view, index);
  for (const [level, indices] of found) {
    const root = level === -1 ? $("memory") : document.querySelector(`article[data-view="${level}"]`);
    if (!root) continue;
    for (const one of indices) root.querySelector(`[data-i="${one}"]`)?.classList.add(level === view ? "chosen" : "linked");
  }
  $("trail").textContent = trailWords(view, found);
}

function trailWords(view, found) {
  const parts = [];
  for (let level = Math.max(...found.keys()); level >= -1; level--) {
    const indices = [...(found.get(level) ?? [])];
    if (level === -1) {
      parts.push(indices.length ? `memory ${indices[0]}` : "padding");
      continue;
    }
    if (indices.length === 0) {
      parts.push(level > view ? `not read by what is shown of view ${level}` : "");
      continue;
    }
    const cells = indices.slice(0, 4).map((index) => placeOf(level, index));
    parts.push(`view ${level} ${cells.join(" ")}${indices.length > 4 ? ` and ${indices.length - 4} more` : ""}`);
  }
  return parts.filter(Boolean).join("  →  ");
}

/** An element's index in its view, from its linear position. */
function placeOf(level, index) {
  const shape = shown.views.views[level].shape;
  let rest = BigInt(index);
  const at = [];
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const size = BigInt(shape[axis]);
    at.unshift(String(size > 0n ? rest % size : 0n));
    if (size > 0n) rest /= size;
  }
  return tuple(at);
}

/** Goes through the elements of the last view in order, one after the other. */
let playing = null;
function play() {
  clearInterval(playing);
  if (playing !== null) {
    playing = null;
    $("play").textContent = "Play";
    $("play").setAttribute("aria-pressed", "false");
    return;
  }
  let at = 0;
  const next = () => {
    const cells = shown?.cells?.at(-1) ?? [];
    if (cells.length === 0) return;
    const cell = cells[at++ % cells.length];
    highlight(cell.view, cell.index);
  };
  next();
  playing = setInterval(next, 500);
  $("play").textContent = "Stop";
  $("play").setAttribute("aria-pressed", "true");
}

// ---- the panels

let sliding = false;

function showPanel() {
  if (sliding) return;
  stopCarry();
  const chosen = PANELS.find((panel) => panel.id === state.tab) ?? PANELS[0];
  $("tabs").innerHTML = PANELS.map((panel) => {
    const on = panel === chosen;
    return `<button type="button" role="tab" id="tab-${panel.id}" aria-controls="panel" aria-selected="${on}" tabindex="${on ? 0 : -1}" data-tab="${panel.id}">${escape(panel.name)}</button>`;
  }).join("");
  $("panel").setAttribute("aria-labelledby", `tab-${chosen.id}`);
  const room = Math.max(280, Math.min(640, $("panel").clientWidth));
  $("panel").innerHTML = chosen.html({ state, ask, core, languages, room, ...shown });
}

// ---- the carry, step by step

let carry = { at: 0, timer: null };

function showCarry(by) {
  const frames = allFrames(shown?.witness, shown?.views.views);
  if (!$("carry-frame") || frames.length === 0) return stopCarry();
  carry.at = (carry.at + by + frames.length) % frames.length;
  $("carry-frame").innerHTML = frameHtml(frames[carry.at], carry.at, frames.length, shown.views.views);
  if (carry.timer && carry.at === frames.length - 1) stopCarry(carry.at);
}

function stopCarry(at = 0) {
  clearInterval(carry.timer);
  carry = { at, timer: null };
  if ($("carry-play")) {
    $("carry-play").textContent = "Play";
    $("carry-play").setAttribute("aria-pressed", "false");
  }
}

function playCarry() {
  if (carry.timer) return stopCarry(carry.at);
  showCarry(1);
  carry.timer = setInterval(() => showCarry(1), 1600);
  $("carry-play").textContent = "Stop";
  $("carry-play").setAttribute("aria-pressed", "true");
}

function showPreset() {
  const at = PRESETS.findIndex((preset) => preset.chain === state.chain);
  $("presets").value = at < 0 ? "" : String(at);
  $(`show-${state.show}`).checked = true;
  $("colour").value = state.colour;
  $("width").value = state.width;
}

// ---- the link

let keeping;
function keepLink() {
  // Browsers refuse many changes in a short time, and typing makes many.
  clearTimeout(keeping);
  keeping = setTimeout(writeLink, 150);
}

function writeLink() {
  clearTimeout(keeping);
  const fragment = toFragment(state);
  $("whole").href = toFragment({ ...state, embed: "" });
  if (fragment !== location.hash) history.replaceState(null, "", fragment);
}

// ---- what people do

function listen() {
  const chain = $("chain");
  chain.addEventListener("input", () => {
    notice("");
    go({ chain: chain.value.replace(/\s*\n\s*/g, " ") }, true);
  });
  chain.addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text") ?? "";
    // Do not guess if a short piece is pasted into a chain.
    const all = chain.selectionStart === 0 && chain.selectionEnd === chain.value.length;
    if (readPasted(text, all || text.includes("\n"))) event.preventDefault();
  });
  $("read").addEventListener("click", () => {
    if (!readPasted($("pasted").value, true)) go({ chain: $("pasted").value.trim() });
  });
  $("presets").addEventListener("change", (event) => {
    const preset = PRESETS[Number(event.target.value)];
    if (preset && event.target.value !== "") {
      notice("");
      go({ chain: preset.chain, mode: "chain" });
    }
  });
  $("undo").addEventListener("click", undo);
  $("redo").addEventListener("click", redo);
  $("link").addEventListener("click", async () => {
    writeLink();
    await copy(location.href, $("link"));
  });
  $("whole").addEventListener("click", (event) => {
    event.preventDefault();
    writeLink();
    window.open(location.href.split("#")[0] + toFragment({ ...state, embed: "" }));
  });
  $("theme").addEventListener("click", nextTheme);
  $("play").addEventListener("click", play);
  $("switches").addEventListener("change", (event) => {
    if (event.target.name === "show") go({ show: event.target.value });
    if (event.target.id === "colour") go({ colour: event.target.value });
  });
  document.addEventListener("click", clicked);
  document.addEventListener("change", changed);
  document.addEventListener("input", (event) => {
    if (event.target.id === "slide") slide(event.target, Number(event.target.value));
    if (event.target.dataset.box) boxed(event.target);
  });
  document.addEventListener("keydown", pressed);
  for (const root of [$("views"), $("memory")]) {
    root.addEventListener("pointerover", (event) => {
      const cell = event.target.closest(".cell");
      if (cell) highlight(Number(cell.dataset.v), cell.dataset.i);
    });
    root.addEventListener("pointerleave", () => (pinned ? highlight(pinned.view, pinned.index) : highlight(null)));
    root.addEventListener("focusin", (event) => {
      const cell = event.target.closest(".cell");
      if (cell) highlight(Number(cell.dataset.v), cell.dataset.i);
    });
  }
  window.addEventListener("hashchange", () => {
    state = fromFragment(location.hash);
    history_.go(state, false);
    show();
  });
  window.addEventListener("resize", () => {
    fit();
    clearTimeout(resized);
    resized = setTimeout(() => shown && state.mode === "chain" && !document.body.classList.contains("stale") && (showViews(), showPanel()), 150);
  });
}

let resized;
const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;

function readPasted(text, all) {
  const found = ask({ ask: "read", chain: text });
  if (!found || found.error || (!all && found.chain)) return false;
  if (found.needs) notice(sentence(found.needs), "asks");
  else {
    notice(`${found.note} Undo takes it back.`);
    go({ chain: found.chain });
  }
  return true;
}

function clicked(event) {
  const target = event.target.closest("button, .bar, .cell");
  if (!target) return;
  const data = target.dataset;
  if (data.op) appendOp(data.op);
  else if (data.mode) go({ mode: data.mode });
  else if (data.save) save(target);
  else if (target.id === "carry-play") playCarry();
  else if (target.id === "carry-on" || target.id === "carry-back") {
    const at = carry.at;
    stopCarry(at);
    showCarry(target.id === "carry-on" ? 1 : -1);
  } else if (data.tab) go({ tab: data.tab });
  else if (target.classList.contains("remedy")) applyRemedy(target);
  else if (target.id === "longer") {
    steps *= 100;
    show();
  } else if (data.chain !== undefined) {
    notice("");
    go({ chain: data.chain, mode: "chain" });
  } else if (data.copy !== undefined) copy(data.copy, target);
  else if (data.move) moveWindow(...data.move.split(",").map(Number));
  else if (data.number !== undefined) go({ number: data.number });
  else if (data.value !== undefined) slide($("slide"), Number(data.value));
  else if (target.classList.contains("cell")) {
    const same = pinned && pinned.view === Number(data.v) && pinned.index === data.i;
    pinned = same ? null : { view: Number(data.v), index: data.i };
    highlight(pinned ? pinned.view : null, pinned?.index);
  }
}

/** Writes the picture beside a button to a file. */
function save(button) {
  const link = document.createElement("a");
  link.href = button.closest("figure").querySelector("img").src;
  link.download = button.dataset.save;
  link.click();
}

/** A field has changed: it stays under the hand, what it asks for is answered. */
function boxed(input) {
  const key = input.dataset.box;
  const box = BOXES.find((one) => one.id === state.mode);
  state = { ...state, [key]: input.value };
  history_.go(state, true);
  keepLink();
  if (!box) return;
  if (box.again.includes(key)) {
    showBox(box);
    document.querySelector(`[data-box="${key}"]`)?.focus();
  } else {
    $("box-answer").innerHTML = box.answer(state, ask);
  }
}

function changed(event) {
  const { id, dataset, value } = event.target;
  if (id === "cute-examples" && value !== "") go(example(Number(value)));
  if (id.startsWith("atom-")) {
    go(atomChange(id, value, state, ask));
    $(id)?.focus();
  }
  if (id === "lang") go({ lang: value });
  if (id === "width") go({ width: value });
  if (id === "span") go({ span: value });
  if (id === "slide") {
    showPanel();
    $("slide").focus({ preventScroll: true });
  }
  if (dataset.start) moveWindow(...dataset.start.split(",").map(Number), Number(value.replace(/\D/g, "")));
}

function appendOp(name) {
  const shape = shown && !document.body.classList.contains("stale") ? shown.views.views.at(-1).shape : [];
  // A line of another language is first converted to our notation.
  const read = ask({ ask: "read", chain: state.chain });
  const { text, from, to } = append(read?.chain ?? state.chain, name, shape);
  notice("");
  go({ chain: text });
  $("chain").focus();
  $("chain").setSelectionRange(from, to);
}

function applyRemedy(button) {
  const words = { copy: "Copied into memory of its own: what is left is one view of the copy.", stride: "With the other stride:", length: "With the shorter axis:", split: "Over more axes:" };
  notice(`${words[button.dataset.kind] ?? ""} Undo takes it back.`);
  go({ chain: button.dataset.chain });
}

function moveWindow(view, axis, start) {
  const starts = readStarts(state.windows);
  if (view === -1) {
    starts.set(-1, [memoryWindow(shown.views.memory, start)[0]]);
  } else {
    const shape = shown.views.views[view].shape;
    const wanted = windowOf(shape, starts.get(view)).map(([lo]) => lo);
    wanted[axis] = start;
    starts.set(view, windowOf(shape, wanted).map(([lo]) => lo));
  }
  go({ windows: writeStarts(starts) });
}

/** Puts a value in place of the number that is moved. The slider itself stays under the hand. */
function slide(input, value) {
  const { at, end, sign, place } = input.dataset;
  const chain = state.chain.slice(0, Number(at)) + sign + value + state.chain.slice(Number(end));
  input.dataset.end = Number(at) + sign.length + String(value).length;
  input.value = value;
  $("slide-value").textContent = value;
  for (const bar of document.querySelectorAll(".bar")) bar.classList.toggle("now", Number(bar.dataset.value) === value);
  sliding = true;
  go({ chain, number: place });
  sliding = false;
}

function undo() {
  const before = history_.undo();
  if (before) back(before);
}
function redo() {
  const after = history_.redo();
  if (after) back(after);
}
function back(to) {
  state = to;
  notice("");
  show();
}

async function copy(text, button) {
  let done = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without access to the clipboard, as for a page from a disk in some browsers.
    const box = document.createElement("textarea");
    box.value = text;
    document.body.append(box);
    box.select();
    done = document.execCommand("copy");
    box.remove();
  }
  const label = button.textContent;
  button.textContent = done ? "Copied" : "Press Ctrl+C";
  setTimeout(() => (button.textContent = label), 1200);
}

const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

function pressed(event) {
  const typing = event.target.closest("input, textarea, select");
  const key = event.key.toLowerCase();
  if ((event.ctrlKey || event.metaKey) && (key === "z" || key === "y") && (!typing || typing.id === "chain")) {
    event.preventDefault();
    if (key === "y" || event.shiftKey) redo();
    else undo();
    return;
  }
  if (event.altKey && /^[1-9]$/.test(event.key) && PANELS[Number(event.key) - 1]) {
    event.preventDefault();
    go({ mode: "chain", tab: PANELS[Number(event.key) - 1].id });
    return;
  }
  if (!typing && event.key === "/") {
    event.preventDefault();
    if (state.mode !== "chain") go({ mode: "chain" });
    $("chain").focus();
    $("chain").select();
  }
  if (event.key === "Escape") {
    pinned = null;
    highlight(null);
  }
  const cell = event.target.closest(".cell");
  if (cell && ARROWS[event.key]) {
    event.preventDefault();
    const [down, right] = ARROWS[event.key];
    const row = cell.parentElement.parentElement.rows[cell.parentElement.sectionRowIndex + down];
    const next = row?.cells[cell.cellIndex + right];
    if (next?.classList.contains("cell")) next.focus();
  }
  if (cell && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    cell.click();
  }
  if (event.target.role === "tab" && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
    event.preventDefault();
    const tabs = [...event.target.parentElement.children];
    const next = tabs[(tabs.indexOf(event.target) + (event.key === "ArrowRight" ? 1 : tabs.length - 1)) % tabs.length];
    const { tab, mode } = next.dataset;
    go(tab ? { tab } : { mode });
    (tab ? $(`tab-${tab}`) : next).focus();
  }
}

// ---- light and dark

const THEMES = ["auto", "light", "dark"];

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  $("theme").textContent = { auto: "Theme: auto", light: "Theme: light", dark: "Theme: dark" }[theme];
  try {
    localStorage.setItem("viewmerge-theme", theme);
  } catch {
    // Without storage, the page forgets it.
  }
}

function nextTheme() {
  const now = document.documentElement.dataset.theme;
  setTheme(THEMES[(THEMES.indexOf(now) + 1) % THEMES.length]);
}

function keptTheme() {
  try {
    return THEMES.find((theme) => theme === localStorage.getItem("viewmerge-theme")) ?? "auto";
  } catch {
    return "auto";
  }
}

// ---- the start

function build() {
  $("modes").innerHTML = [{ id: "chain", name: "Chain" }, ...BOXES].map(({ id, name }) => `<button type="button" role="tab" data-mode="${id}" aria-selected="false">${name}</button>`).join("");
  const groups = Map.groupBy ? Map.groupBy(PRESETS, (preset) => preset.group) : groupBy(PRESETS);
  $("presets").innerHTML =
    `<option value="">Examples …</option>` +
    [...groups]
      .map(([group, list]) => `<optgroup label="${escape(group)}">${list.map((preset) => `<option value="${PRESETS.indexOf(preset)}">${escape(preset.name)}</option>`).join("")}</optgroup>`)
      .join("");
  $("ops").innerHTML = OPS.map(([name, about]) => `<button type="button" data-op="${name}" title="${escape(about)}">${name}</button>`).join("");
}

function groupBy(presets) {
  const groups = new Map();
  for (const preset of presets) groups.set(preset.group, [...(groups.get(preset.group) ?? []), preset]);
  return groups;
}

async function start() {
  setTheme(keptTheme());
  build();
  // On a narrow screen, fold the drawing options, so that the pictures are visible.
  if (innerWidth <= 600) $("looks").open = false;
  try {
    core = await open();
  } catch (error) {
    $("verdict-words").textContent = `The library did not start: ${error.message}`;
    return;
  }
  const sheet = document.createElement("style");
  sheet.textContent = tints(core.ask({ ask: "palette" }));
  document.head.append(sheet);
  languages = core.ask({ ask: "languages" });
  listen();
  show();
  document.body.dataset.ready = "true";
  performance.mark("viewmerge-ready");
}

start();
