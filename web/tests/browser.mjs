// The page in a real browser, opened from a disk: browser.mjs PAGE [FOLDER FOR SCREENSHOTS].

import assert from "node:assert/strict";
import { statSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { PRESETS } from "../src/presets.js";
import { Browser, Page } from "./chromium.mjs";

const file = resolve(process.argv[2]);
const address = process.argv[2].startsWith("http") ? process.argv[2] : pathToFileURL(file).href;
const browser = await Browser.start();
const pages = [];
async function open(fragment = "", how = {}) {
  const page = await Page.open(browser, address + fragment, how);
  pages.push(page);
  return page;
}
const text = (page, selector) => page.eval(`document.querySelector(${JSON.stringify(selector)})?.textContent ?? ""`);
const value = (page) => page.eval(`document.getElementById("chain").value`);
const verdict = (page) => page.eval(`document.getElementById("verdict").className`);

const widePages = new Map();
/** A page of some width, opened once. */
async function wide(fragment, width) {
  if (!widePages.has(width)) widePages.set(width, await open(fragment, { width }));
  return widePages.get(width);
}

const tests = {
  async "it starts, and every preset has its verdict"() {
    const page = await open();
    assert.equal(await verdict(page), "no");
    for (const [place, preset] of PRESETS.entries()) {
      await page.eval(`{ const s = document.getElementById("presets"); s.value = "${place}"; s.dispatchEvent(new Event("change", { bubbles: true })); }`);
      assert.equal(await value(page), preset.chain);
      assert.equal(await verdict(page), preset.merges ? "yes" : "no", preset.chain);
      const cells = await page.eval(`document.querySelectorAll(".cell").length`);
      assert.ok(cells > 0 && cells < 6000, `${preset.chain}: ${cells} cells`);
      // Every panel shows something, and no error.
      const panels = await page.eval(`[...document.querySelectorAll("#tabs [role=tab]")].map((tab) => tab.dataset.tab)`);
      for (const panel of panels) {
        await page.eval(`document.getElementById("tab-${panel}").click()`);
        const words = await text(page, "#panel");
        assert.ok((words.length > 10 || panel === "picture") && !/undefined|NaN|\[object/.test(words), `${preset.chain}, ${panel}: ${words}`);
      }
      await page.eval(`document.getElementById("tab-why").click()`);
    }
  },

  async "pointing at an element shows it in every view and in memory"() {
    const page = await open("#chain=(2,3) | permute(1,0) | reshape(6)");
    await page.hover(`[data-v="1"][data-i="3"]`);
    const marked = await page.eval(`[...document.querySelectorAll(".linked, .chosen")].map((cell) => cell.dataset.v + ":" + cell.dataset.i)`);
    assert.deepEqual(marked.sort(), ["-1:4", "0:3", "1:3"]);
    assert.match(await text(page, "#trail"), /view 1 \(3\).*view 0 \(1,1\).*memory 4/);
    // A broadcast element is read by many.
    await page.go(address + "#chain=(3,1) | expand(3,4) | reshape(12)");
    await page.until(`document.getElementById("chain").value.includes("expand")`);
    await page.hover(`[data-v="-1"][data-i="1"]`);
    assert.equal(await page.eval(`document.querySelectorAll('article[data-view="1"] .linked').length`), 4);
    // With the keys, and pinned.
    await page.eval(`document.querySelector('[data-v="1"][data-i="0"]').focus()`);
    await page.press("ArrowRight");
    assert.equal(await page.eval(`document.activeElement.dataset.i`), "1");
    await page.press("Enter");
    await page.hover("h1");
    assert.ok(await page.eval(`document.querySelector('[data-v="1"][data-i="1"]').classList.contains("chosen")`));
  },

  async "why not is drawn: two steps in memory, the overflow in the digits"() {
    const page = await open("#chain=(10,3,3):(8,1,2) | (6):(4)");
    assert.match(await text(page, "svg.steps"), /A: from \(0\) \+3.*B: from \(4\) \+8/s);
    assert.equal(await page.eval(`document.querySelectorAll("#panel .digit.cause").length`), 1);
    const marks = await page.eval(`[...document.querySelectorAll("#memory .mark")].map((mark) => mark.textContent + "@" + mark.parentElement.dataset.i)`);
    assert.deepEqual(marks.sort(), ["A@0", "A′@3", "B@12", "B′@20"].sort());
    assert.match(await text(page, "#panel"), /memory 12 → 20: \+1·8 −2·1 \+1·2 = \+8/);
  },

  async "a hole is drawn in the box that it is missing from"() {
    const page = await open("#chain=(18):(1)-2 [2:17] | (16,3):(1,1)");
    assert.equal(await page.eval(`document.querySelectorAll('article[data-view="1"] .cell.padding').length`), 4);
    assert.match(await page.eval(`document.querySelector("svg.hole").ariaLabel`), /\(0,2\) and \(15,0\) are valid, \(0,0\) between them is padding/);
    assert.equal(await page.eval(`document.querySelectorAll("svg.hole circle").length`), 3);
    assert.match(await text(page, "#panel"), /view 0 0 → padding, axis 0: 0 is not in 2:17/);
  },

  async "yes is drawn as no is: other carries, the same length"() {
    const page = await open("#chain=(10,3,3):(8,1,2) | (5):(4)");
    assert.equal(await verdict(page), "yes");
    assert.match(await text(page, "svg.steps"), /A: from \(0\) \+3.*B: from \(2\) \+3/s);
    const words = await text(page, "#panel");
    assert.match(words, /axis 2 carries into axis 1, only in B; axis 1 carries into axis 0, only in B/);
    assert.match(words, /memory 6 → 9: \+1·8 −1·1 −2·2 = \+3/);
    assert.equal(await page.eval(`document.querySelectorAll("#views .mark").length`), 0);
  },

  async "nothing of Why is cut off, at any width"() {
    for (const width of [1440, 1024, 390]) {
      for (const chain of PRESETS.map((preset) => preset.chain)) {
        const page = await wide("", width);
        await page.eval(`{ location.hash = ${JSON.stringify("#chain=" + chain)}; }`);
        await page.until(`document.getElementById("chain").value === ${JSON.stringify(chain)}`);
        const cut = await page.eval(`(() => { const panel = document.getElementById("panel"); const right = panel.getBoundingClientRect().right + 1;
          return [...panel.querySelectorAll(".step *, svg.steps, h3, p")].filter((one) => one.getBoundingClientRect().right > right).map((one) => one.outerHTML.slice(0, 60)); })()`);
        assert.deepEqual(cut, [], `${width} ${chain}`);
        // Drawings are not scaled down, so their text stays readable.
        const scale = await page.eval(`Math.min(...[...document.querySelectorAll("svg.steps")].map((svg) => svg.getBoundingClientRect().width / svg.viewBox.baseVal.width), 1)`);
        assert.ok(scale > 0.85, `${width} ${chain}: ${scale}`);
        // The labels of a drawing do not overlap.
        const labels = await page.eval(`[...document.querySelectorAll("svg.steps text")].map((one) => { const box = one.getBoundingClientRect(); return [box.left, box.top, box.right, box.bottom, one.textContent]; })`);
        for (const [place, one] of labels.entries()) {
          for (const other of labels.slice(place + 1)) {
            const over = one[0] < other[2] - 1 && other[0] < one[2] - 1 && one[1] < other[3] - 3 && other[1] < one[3] - 3;
            assert.ok(!over, `${width} ${chain}: ${one[4]} and ${other[4]}`);
          }
        }
      }
    }
  },

  async "on a phone: the verdict first, ops in a row, a picture in view"() {
    const page = await open("#chain=(2,4,3,8) | permute(0,2,1,3) | reshape(2,12,8)", { width: 390, height: 844 });
    const top = (selector) => page.eval(`document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect().top`);
    assert.ok((await top("#verdict")) < (await top("#question")));
    assert.ok((await page.eval(`document.getElementById("ops").getBoundingClientRect().height`)) < 40);
    assert.ok(await page.eval(`(() => { const ops = document.getElementById("ops"); return ops.scrollWidth > ops.clientWidth; })()`));
    assert.ok((await top("#views .cell")) < 700, String(await top("#views .cell")));
    assert.ok(!(await page.eval(`document.getElementById("looks").open`)));
    // Pictures keep their size, and scroll.
    await page.go(address + "#mode=cute");
    await page.until(`[...document.querySelectorAll("#box-answer img")].every((image) => image.complete && image.naturalWidth > 0)`);
    assert.ok(await page.eval(`[...document.querySelectorAll("#box-answer img")].every((image) => image.width === image.naturalWidth)`));
  },

  async "the carry is played step by step"() {
    const page = await open("#chain=(10,3,3):(8,1,2) | (6):(4)");
    const frame = () => text(page, "#carry-frame");
    assert.match(await frame(), /view 0: element 0 is \(0,0,0\)\. Now \+4, to element 4/);
    const seen = [];
    for (let step = 0; step < 12; step++) {
      await page.eval(`document.getElementById("carry-on").click()`);
      seen.push(await frame());
    }
    assert.ok(seen.some((words) => /axis 2: 0 \+ 4 = 4, which is 1·3 and 1 more: 1 stays, \+1 is carried into axis 1/.test(words)), seen.join("\n"));
    assert.ok(seen.some((words) => /in memory: .* = \+8, from 12 to 20/.test(words)), seen.join("\n"));
    await page.eval(`document.getElementById("carry-play").click()`);
    assert.equal(await page.eval(`document.getElementById("carry-play").ariaPressed`), "true");
    await page.eval(`document.getElementById("carry-play").click()`);
    assert.equal(await page.eval(`document.getElementById("carry-play").ariaPressed`), "false");
  },

  async "two chains side by side, with the first index where they differ"() {
    const page = await open("#mode=compare&chain=(2,3) | reshape(6)&other=(2,3) | permute(1,0) | reshape(6)");
    const typed = (key, text) => page.eval(`{ const box = document.querySelector('[data-box="${key}"]'); box.focus(); box.value = ${JSON.stringify(text)}; box.dispatchEvent(new Event("input", { bubbles: true })); }`);
    assert.match(await text(page, ".answer"), /they differ, first at \(1\)/);
    assert.deepEqual(await page.eval(`[...document.querySelectorAll(".pair .cell.marked")].map((cell) => cell.textContent)`), ["≠1", "≠3"]);
    await typed("other", "(6)");
    assert.match(await text(page, ".answer"), /the same function/);
    await typed("other", "(7)");
    assert.match(await text(page, ".answer"), /other shapes: \(6\) and \(7\)/);
    await typed("chain", "(1000000,1000)");
    await typed("other", "(1000000,1000) | pad((0,0),(0,1)) | shrink((0,1000000),(1,1001))");
    assert.match(await text(page, ".answer"), /first at \(0,0\)/);
    await typed("other", "(1000000,1000):(1000,1) [0:1000000,0:777]");
    assert.match(await text(page, ".answer"), /first at \(0,777\)/);
    assert.equal(await page.eval(`document.querySelectorAll(".pair .cell.marked").length`), 2);
    await typed("other", "(");
    assert.match(await text(page, "#box-answer"), /Another: /);
  },

  async "a page within another page"() {
    const page = await open("#embed&chain=(2,3) | permute(1,0) | reshape(6)", { width: 700, height: 500 });
    assert.equal(await verdict(page), "no");
    for (const hidden of ["header", "footer", "#ops", "#helps"]) assert.ok(!(await page.eval(`document.querySelector("${hidden}").checkVisibility()`)), hidden);
    assert.ok(await page.eval(`document.querySelector("#views .cell").checkVisibility() && document.getElementById("whole").checkVisibility()`));
    await page.eval("new Promise((resolve) => setTimeout(resolve, 300))");
    assert.match(await page.eval(`document.getElementById("whole").href`), /#chain=\(2,3\)/);
    assert.match(await page.eval("location.hash"), /embed=1/);
  },

  async "a line of PyTorch is a chain"() {
    const page = await open();
    const typed = (text) => page.eval(`{ const box = document.getElementById("chain"); box.value = ${JSON.stringify(text)}; box.dispatchEvent(new Event("input", { bubbles: true })); }`);
    await typed("torch.randn(2, 5, 4).transpose(1, 2).reshape(2, 20)");
    assert.equal(await verdict(page), "no");
    assert.match(await text(page, 'article[data-view="1"] code'), /\(2,20\):\(20,1\)/);
    await page.eval(`document.getElementById("tab-slider").click()`);
    assert.match(await text(page, ".runs"), /one view/);
    await page.eval(`document.querySelector('[data-op="flip"]').click()`);
    assert.match(await value(page), /\| flip\(/);
    assert.equal(await verdict(page), "no");
  },

  async "help is on the page: what a view is, and the notation"() {
    const page = await open();
    for (const [id, part] of [["what", /stride/], ["notes", /next to memory/]]) {
      await page.eval(`document.getElementById("${id}").open = true`);
      assert.match(await text(page, `#${id}`), part);
    }
    // Every complete line of the cheat sheet can be read.
    const lines = await page.eval(`[...document.querySelectorAll("table.sheet td:first-child")].map((cell) => cell.textContent)`);
    for (const line of lines.filter((line) => !/^A \|/.test(line))) {
      const chain = line.startsWith("|") ? `(4,6) ${line}` : line;
      await page.eval(`{ const box = document.getElementById("chain"); box.value = ${JSON.stringify(chain)}; box.dispatchEvent(new Event("input", { bubbles: true })); }`);
      assert.ok(["yes", "no"].includes(await verdict(page)), `${chain}: ${await text(page, "#mistake")}`);
    }
    await page.eval(`document.getElementById("tab-data").click()`);
    assert.match(await text(page, "#panel"), /from viewmerge import ViewChain.*ViewChain\.parse\(/s);
  },

  async "four axes: a line of panels is one run of an axis"() {
    for (const width of [1440, 1024, 390]) {
      const page = await open("#chain=(2,3,4,2,4)", { width });
      const tops = await page.eval(`[...document.querySelectorAll('article[data-view="0"] table.grid')].map((table) => Math.round(table.getBoundingClientRect().top))`);
      const line = tops.filter((top) => top === tops[0]).length;
      assert.equal(4 % line, 0, `${width}: ${line} panels in a line`);
      assert.equal(tops.length, 24);
    }
  },

  async "a large view has many colours, those of the pictures"() {
    const page = await open("#chain=(1024,1024,1024) | permute(2,0,1) | reshape(1048576,1024)");
    const colours = await page.eval(`new Set([...document.querySelectorAll('article[data-view="1"] .cell')].map((cell) => getComputedStyle(cell).backgroundColor)).size`);
    assert.ok(colours >= 16, `${colours} colours`);
    await page.go(address + "#chain=(4,8)&tab=picture");
    await page.until(`document.querySelector("#panel img")`);
    const same = await page.eval(`(() => { const drawn = document.querySelector("#panel img").src; const [r, g, b] = getComputedStyle(document.querySelector('article[data-view="0"] .cell')).backgroundColor.match(/\\d+/g).map(Number);
      return drawn.includes("%23" + [r, g, b].map((one) => one.toString(16).padStart(2, "0")).join("")); })()`);
    assert.ok(same, "the first cell has the colour that it has in the picture");
  },

  async "banks are counted and drawn"() {
    const page = await open("#mode=cute&cute=banks&a=(8,64):(64,1)&b=(8,8):(1,8)&bytes=2&vector=8");
    const typed = (key, text) => page.eval(`{ const box = document.querySelector('[data-box="${key}"]'); box.focus(); box.value = ${JSON.stringify(text)}; box.dispatchEvent(new Event("input", { bubbles: true })); }`);
    assert.match(await text(page, "#box-answer"), /8-way conflicts.*bank 0.*8 cycles.*8 sectors of 32 bytes/s);
    assert.match(await page.eval(`decodeURIComponent(document.querySelector("#box-answer img").src)`), />T7<.*>b3<.*32 banks of 4 bytes/s);
    await typed("a", "Sw<3,3,3> o 0 o (8,64):(64,1)");
    assert.match(await text(page, "#box-answer"), /no conflicts/);
    await typed("banks", "x");
    assert.match(await text(page, "#box-answer"), /Banks: “x” is no number/);
    await typed("banks", "0");
    assert.match(await text(page, "#box-answer"), /takes banks/);
  },

  async "the switch at the top"() {
    const page = await open();
    for (const mode of ["compare", "cute", "sizes", "simplify", "chain"]) {
      await page.eval(`document.querySelector('[data-mode="${mode}"]').click()`);
      assert.equal(await page.eval(`document.getElementById("box").checkVisibility()`), mode !== "chain");
      assert.equal(await page.eval(`document.getElementById("question").checkVisibility()`), mode === "chain");
      assert.equal(await page.eval(`document.getElementById("verdict").checkVisibility()`), mode === "chain");
    }
    assert.equal(await verdict(page), "no");
  },

  async "every remedy, clicked, gives one view; undo and redo"() {
    const page = await open("#chain=(2,3) | permute(1,0) | reshape(6)");
    const kinds = await page.eval(`[...document.querySelectorAll(".remedy")].map((button) => button.dataset.kind)`);
    assert.deepEqual(kinds, ["stride", "length", "split", "copy"]);
    for (const kind of kinds) {
      await page.click(`.remedy[data-kind="${kind}"]`);
      assert.equal(await verdict(page), "yes", kind);
      await page.click("#undo");
      assert.equal(await value(page), "(2,3) | permute(1,0) | reshape(6)");
    }
    await page.click("#redo");
    assert.equal(await verdict(page), "yes");
    await page.press("z", 2);
    assert.equal(await verdict(page), "no");
  },

  async "the slider shows where merging stops"() {
    const page = await open("#chain=(10,3,3):(8,1,2) | (6):(4)&tab=slider");
    assert.match(await text(page, ".runs"), /one view from 0 to 5; not one view from 6 to 23; refused from 24/);
    // It picks a number at which the verdict changes: here a stride of the first view, since no size does.
    const picked = await open("#chain=(4,6):(6,1) | (24)&tab=slider");
    assert.match(await text(picked, ".runs"), /not one view/);
    await page.eval(`document.getElementById("slide").focus()`);
    await page.press("ArrowLeft");
    assert.equal(await value(page), "(10,3,3):(8,1,2) | (5):(4)");
    assert.equal(await verdict(page), "yes");
    await page.press("ArrowRight");
    assert.equal(await verdict(page), "no");
    await page.click(`.bar[data-value="4"]`);
    assert.equal(await value(page), "(10,3,3):(8,1,2) | (4):(4)");
    await page.click(`.number[data-number="7"]`);
    assert.equal(await page.eval(`document.getElementById("slide").value`), "4");
  },

  async "a link holds everything"() {
    const page = await open();
    await page.eval(`{ const box = document.getElementById("chain"); box.value = "(1024,1024):(1,1024) | (1048576)"; box.dispatchEvent(new Event("input", { bubbles: true })); }`);
    await page.click("#show-coordinates");
    await page.eval(`{ const s = document.getElementById("colour"); s.value = "bank"; s.dispatchEvent(new Event("change", { bubbles: true })); }`);
    await page.click(`[data-tab="expression"]`);
    await page.eval(`{ const s = document.getElementById("lang"); s.value = "rust"; s.dispatchEvent(new Event("change", { bubbles: true })); }`);
    await page.click(`article[data-view="0"] [data-move="0,1,16"]`);
    await page.eval("new Promise((resolve) => setTimeout(resolve, 400))");
    const link = await page.eval("location.href");
    const again = await Page.open(browser, link);
    pages.push(again);
    const seen = `[document.getElementById("chain").value, document.getElementById("views").innerHTML, document.getElementById("panel").innerHTML, document.getElementById("memory").innerHTML].join("\\n")`;
    assert.equal(await again.eval(seen), await page.eval(seen));
    assert.match(await again.eval("location.hash"), /windows=0:0\.16/);
    assert.match(await text(again, "#panel"), /fn at\(/);
  },

  async "bad input is pointed at, and the page goes on"() {
    const page = await open();
    await page.click("#chain");
    await page.eval(`document.getElementById("chain").select()`);
    await page.type("(2,3) | permute(0)");
    assert.match(await text(page, "#mistake"), /^\(2,3\) \| permute\(0\)\n {15}\^\n.*one entry for every axis/);
    assert.match(await verdict(page), /refused/);
    // The error appears once.
    assert.ok(!(await page.eval(`document.getElementById("verdict").checkVisibility()`)));
    assert.equal((await page.eval("document.body.innerText")).split("one entry for every axis").length, 2);
    await page.eval(`{ const box = document.getElementById("chain"); box.value = ""; box.dispatchEvent(new Event("input", { bubbles: true })); }`);
    const examples = await page.eval(`[...document.querySelectorAll("#remedies button")].map((button) => button.textContent)`);
    assert.ok(examples.length >= 4 && examples.some((line) => line.startsWith("torch.")), examples.join());
    await page.eval(`document.querySelector("#remedies button").click()`);
    assert.equal(await verdict(page), "no");
    for (const bad of ["|", "((((", "<script>alert(1)</script>", "(99999999999999999999)", "(2,3):(1", "(4611686018427387904,4)", "💥(2)", "(2) | (3)"]) {
      await page.eval(`{ const box = document.getElementById("chain"); box.value = ${JSON.stringify(bad)}; box.dispatchEvent(new Event("input", { bubbles: true })); }`);
      assert.match(await verdict(page), /refused/, bad);
    }
    assert.match(await text(page, "#mistake"), /does not compose/);
    await page.eval(`{ const box = document.getElementById("chain"); box.value = "(2,3)"; box.dispatchEvent(new Event("input", { bubbles: true })); }`);
    assert.equal(await verdict(page), "yes");
    assert.ok(await page.eval(`document.getElementById("mistake").hidden`));
    for (const odd of ["()", "(0)", "(3,0,2)", "(4) nothing", "(4611686018427387904):(1)", "(2,2):(4611686018427387,1)", "(1):(1)-5"]) {
      await page.eval(`{ const box = document.getElementById("chain"); box.value = ${JSON.stringify(odd)}; box.dispatchEvent(new Event("input", { bubbles: true })); }`);
      assert.equal(await verdict(page), "yes", odd);
    }
  },

  async "what is pasted is read, and every op can be appended"() {
    const page = await open();
    await page.eval(`document.getElementById("paste").open = true`);
    await page.eval(`document.getElementById("pasted").value = "Cannot view a tensor with shape torch.Size([8, 4]) and strides (1, 8) as a tensor with shape (32,)!"`);
    await page.click("#read");
    assert.equal(await value(page), "(8,4):(1,8) | reshape(32)");
    assert.match(await text(page, "#notice"), /PyTorch/);
    for (const op of await page.eval(`[...document.querySelectorAll("[data-op]")].map((button) => button.dataset.op)`)) {
      await page.eval(`{ const box = document.getElementById("chain"); box.value = "(4,1,6)"; box.dispatchEvent(new Event("input", { bubbles: true })); }`);
      await page.eval(`document.querySelector('[data-op="${op}"]').click()`);
      const expected = op === "squeeze" ? /squeeze\(1\)/ : new RegExp(`\\| ${op}\\(`);
      assert.match(await value(page), expected);
      assert.equal(await verdict(page), "yes", await value(page));
      assert.equal(await page.eval("document.activeElement.id"), "chain");
    }
  },

  async "layouts, sizes and expressions have boxes of their own"() {
    const page = await open("#tab=cute");
    const typed = (key, text) => page.eval(`{ const box = document.querySelector('[data-box="${key}"]'); box.focus(); box.value = ${JSON.stringify(text)}; box.dispatchEvent(new Event("input", { bubbles: true })); }`);
    assert.match(await text(page, "#box-answer"), /\(3,\(2,2\)\):\(16,\(80,4\)\)/);
    assert.equal(await page.eval(`document.querySelectorAll("#box-answer img").length`), 3);
    await typed("a", "(6,2):(1,7)");
    await typed("b", "(3,2):(2,3)");
    assert.match(await text(page, "#box-answer"), /No layout is that function.*depends on another mode/s);
    assert.equal(await page.eval(`document.activeElement.dataset.box`), "b");
    await typed("b", "(3,");
    assert.match(await text(page, "#box-answer"), /expected/);
    const examples = await page.eval(`document.getElementById("cute-examples").options.length`);
    for (let number = 0; number + 1 < examples; number++) {
      await page.eval(`{ const s = document.getElementById("cute-examples"); s.value = "${number}"; s.dispatchEvent(new Event("change", { bubbles: true })); }`);
      await page.until(`[...document.querySelectorAll("#box-answer img")].every((image) => image.complete && image.naturalWidth > 0) && document.querySelector("#box-answer img")`);
      assert.doesNotMatch(await text(page, "#box-answer"), /expected|takes (?!\d)|undefined/, String(number));
    }
    // The last example is a thread-value layout, with the picture of the tile.
    assert.match(await page.eval(`decodeURIComponent(document.querySelector("#box-answer img").src)`), />T31<.*32 threads of 4 values/s);
    await page.eval("new Promise((resolve) => setTimeout(resolve, 400))");
    const again = await Page.open(browser, await page.eval("location.href"));
    pages.push(again);
    assert.equal(await again.eval(`document.getElementById("box").innerHTML`), await page.eval(`document.getElementById("box").innerHTML`));
    await page.eval(`document.querySelector('[data-mode="sizes"]').click()`);
    assert.match(await text(page, "#box-answer"), /one view if S == N: \(8\*N\):\(1\).*breaks here/s);
    await typed("sizes", "(N,M) | permute(1,0) | reshape(M*N)");
    await typed("params", "N, M");
    assert.match(await text(page, "#box-answer"), /M == 1 or N == 1/);
    await page.eval(`document.querySelector('[data-mode="simplify"]').click()`);
    assert.match(await text(page, "#box-answer"), /i \/\/ 2.*1 division left/s);
    await typed("expr", "(4*i + j) // 4 % 8");
    assert.match(await text(page, "#box-answer"), /^i.*0 divisions left.*\(8,4\):\(1,0\)/s);
  },

  async "coordinates are composed and drawn"() {
    const page = await open("#tab=cute&cute=compose&a=(4,8):(1@1,1@0)&b=(4,2):(1,12)");
    const typed = (key, text) => page.eval(`{ const box = document.querySelector('[data-box="${key}"]'); box.focus(); box.value = ${JSON.stringify(text)}; box.dispatchEvent(new Event("input", { bubbles: true })); }`);
    const svg = () => page.eval(`decodeURIComponent(document.querySelector("#box-answer img").src)`);
    assert.match(await text(page, "#box-answer"), /✓ A layout:.*\(4,2\):\(1@1,3@0\)/s);
    assert.match(await svg(), />\(3,3\)<.*coloured by the first coordinate/s);
    await typed("b", "6:3");
    assert.match(await text(page, "#box-answer"), /No layout is that function.*in coordinate @0/s);
    await typed("a", "(4,8):(1@1,1)");
    assert.match(await text(page, "#box-answer"), /expected '@'/);
    await page.go(address + "#tab=cute&cute=cosize&a=(4,8):(1@0,1@1)");
    await page.until(`/values are numbers/.test(document.getElementById("box-answer")?.textContent)`);
  },

  async "every matrix instruction is drawn"() {
    const page = await open("#tab=cute&cute=atom");
    const choose = (id, value) => page.eval(`{ const s = document.getElementById("${id}"); s.value = ${JSON.stringify(value)}; s.dispatchEvent(new Event("change", { bubbles: true })); }`);
    const drawn = () => page.eval(`document.querySelectorAll("#box-answer img").length`);
    assert.match(await text(page, "#box-answer"), /16×8×16, 32 threads.*A, 16 by 16.*\(\(4,8\),\(2,2,2\)\):\(\(32,1\),\(16,8,128\)\).*mma_traits_sm80/s);
    assert.equal(await drawn(), 3);
    const families = await page.eval(`[...document.getElementById("atom-family").options].map((one) => one.value)`);
    assert.ok(families.length > 12, families.join());
    for (const family of families) {
      await choose("atom-family", family);
      assert.equal(await page.eval(`document.activeElement.id`), "atom-family");
      // Names with the same layouts are next to each other: the last of each is enough.
      const names = await page.eval(`[...document.getElementById("atom-name").options].map((one) => one.value)`);
      for (const name of new Set([names[0], names[names.length >> 1], names.at(-1)])) {
        await choose("atom-name", name);
        assert.ok((await drawn()) > 0, name);
        assert.equal(await page.eval(`document.getElementById("atom-name").value`), name);
        assert.doesNotMatch(await text(page, "#box-answer"), /takes|undefined|no matrix/, name);
      }
    }
    await page.go(address + "#tab=cute&cute=atom&atom=SM90_64x32x16_F32F16F16_RS&paint=value");
    await page.until(`document.getElementById("atom-n")?.value === "32"`);
    await choose("atom-n", "256");
    assert.match(await text(page, "#box-answer"), /64×256×16.*C, 64 by 256.*\(2,2,32\)/s);
    await page.eval(`{ const box = document.querySelector('[data-box="thread"]'); box.focus(); box.value = "5"; box.dispatchEvent(new Event("input", { bubbles: true })); }`);
    assert.match(await page.eval(`decodeURIComponent(document.querySelector("#box-answer img").src)`), /only what thread 5 holds/);
    await page.eval("new Promise((resolve) => setTimeout(resolve, 400))");
    assert.match(await page.eval("location.hash"), /atom=SM90_64x256x16_F32F16F16_RS/);
    await page.go(address + "#tab=cute&cute=atom&atom=nonsense");
    await page.until(`/unknown matrix instruction/.test(document.getElementById("box-answer")?.textContent)`);
  },

  async "a narrow screen scrolls in one direction only"() {
    const page = await open("#chain=(2,4,3,8) | permute(0,2,1,3) | reshape(2,12,8)", { width: 360, height: 740 });
    for (const panel of ["why", "slider", "overflows", "expression", "certificate", "picture", "data", "compare", "cute", "sizes", "simplify"]) {
      await page.eval(`(document.getElementById("tab-${panel}") ?? document.querySelector('[data-mode="${panel}"]')).click()`);
      const wide = await page.eval("document.documentElement.scrollWidth");
      assert.ok(wide <= 360, `${panel}: ${wide} pixels wide`);
    }
  },

  async "names for everything, and contrast"() {
    for (const dark of [false, true]) {
      const page = await open("", { dark });
      const nameless = await page.eval(`[...document.querySelectorAll("button, input, select, textarea, svg, img, table.grid")].filter((element) =>
        !(element.ariaLabel || element.textContent.trim() || element.labels?.length || element.alt)).map((element) => element.outerHTML.slice(0, 80))`);
      assert.deepEqual(nameless, []);
      const low = await page.eval(`(${lowContrast})()`);
      assert.deepEqual(low, [], dark ? "dark" : "light");
    }
  },

  async "a keystroke is drawn within a frame"() {
    const page = await open();
    const times = await page.eval(`(${keystrokes})(${JSON.stringify(PRESETS.map((preset) => preset.chain))})`);
    const worst = times.reduce((one, other) => (other.ms > one.ms ? other : one));
    if (process.env.VIEWMERGE_TIMES) for (const { chain, ms } of times) console.log(`   ${ms.toFixed(1)} ms ${chain}`);
    const start = await page.eval(`performance.getEntriesByName("viewmerge-ready")[0].startTime`);
    console.log(`   first answer ${start.toFixed(0)} ms after the page was asked for; a keystroke, drawn: median ${median(times.map((time) => time.ms)).toFixed(1)} ms, worst ${worst.ms.toFixed(1)} ms (${worst.chain})`);
    const boxes = [];
    for (const [link, key, texts] of BOXED) {
      await page.go(address + link);
      await page.until(`document.querySelector('[data-box="${key}"]') && document.querySelector("#box-answer img")`);
      boxes.push({ chain: link, ms: await page.eval(`(${typing})(${JSON.stringify(key)}, ${JSON.stringify(texts)})`) });
    }
    if (process.env.VIEWMERGE_TIMES) for (const { chain, ms } of boxes) console.log(`   ${ms.toFixed(1)} ms ${chain}`);
    const slowest = boxes.reduce((one, other) => (other.ms > one.ms ? other : one));
    console.log(`   in the boxes: median ${median(boxes.map((time) => time.ms)).toFixed(1)} ms, worst ${slowest.ms.toFixed(1)} ms (${slowest.chain})`);
    assert.ok(slowest.ms < 160, JSON.stringify(slowest));
    // The aim is 16 ms; a busy machine may take a multiple.
    assert.ok(worst.ms < 160, JSON.stringify(worst));
  },
};

/** Links to boxes, and two texts to go back and forth between in one of them. */
const BOXED = [
  ["#tab=cute", "b", ["(3,4):(1,5)", "(3,2):(1,5)"]],
  ["#tab=cute&cute=draw&a=(4,8):(1@0,1@1)", "a", ["(4,8):(1@0,1@1)", "(8,8):(1@0,1@1)"]],
  ["#tab=cute&cute=compose&a=(4,8):(1@1,1@0)&b=(4,3):(1,12)", "b", ["(4,3):(1,12)", "(4,2):(1,12)"]],
  ["#tab=cute&cute=zipped_divide&a=(0,64) o (16,32):(1@0,1@1)&b=<8,8>", "b", ["<8,8>", "<8,4>"]],
  ["#tab=cute&cute=atom", "thread", ["", "5"]],
  ["#tab=cute&cute=atom&atom=SM80_16x8x256_S32U1U1S32_TN_XORPOPC", "thread", ["", "5"]],
  ["#tab=cute&cute=atom&atom=SM90_64x256x16_F32F16F16_RS", "thread", ["", "5"]],
  ["#tab=cute&cute=atom&atom=v_mfma_f32_32x32x8_f16", "thread", ["", "5"]],
];

/** In the page: how long a text in a box takes until it is laid out, the best of some. */
function typing(key, texts) {
  const box = document.querySelector(`[data-box="${key}"]`);
  const times = [];
  for (let round = 0; round < 6; round++) {
    const start = performance.now();
    box.value = texts[round % 2];
    box.dispatchEvent(new Event("input", { bubbles: true }));
    void document.body.offsetHeight;
    times.push(performance.now() - start);
  }
  return Math.min(...times);
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** In the page: what has less contrast to what is behind it than 4.5. */
function lowContrast() {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const rgb = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = ([r, g, b]) => [r, g, b].map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4)).reduce((sum, c, place) => sum + c * [0.2126, 0.7152, 0.0722][place], 0);
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = rgb(getComputedStyle(at).backgroundColor);
      if (colour[3] > 250) return colour;
    }
    return [255, 255, 255];
  };
  const found = new Set();
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!own || element.closest("script, svg, .untouched, .skip, :disabled, optgroup, option") || !element.checkVisibility()) continue;
    const [one, two] = [light(rgb(getComputedStyle(element).color)), light(behind(element))];
    const ratio = (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
    if (ratio < 4.5) found.add(`${element.tagName}.${element.className} ${ratio.toFixed(1)}`);
  }
  return [...found];
}

/** In the page: how long another chain takes until it is laid out, the best of some for each. */
function keystrokes(chains) {
  const box = document.getElementById("chain");
  return chains.map((chain) => {
    const times = [];
    for (let round = 0; round < 5; round++) {
      for (const text of [chain + " | flip(0)", chain]) {
        const start = performance.now();
        box.value = text;
        box.dispatchEvent(new Event("input", { bubbles: true }));
        void document.body.offsetHeight;
        times.push(performance.now() - start);
      }
    }
    return { chain, ms: Math.min(...times) };
  });
}

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  try {
    await test();
    console.log(`ok ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`not ok ${name}\n   ${error.stack}`);
  }
}
for (const page of pages) {
  const outside = page.requests.filter((url) => !url.startsWith("data:") && url.split("#")[0] !== address.split("#")[0]);
  if (page.errors.length || outside.length) {
    failed += 1;
    console.log(`not ok console and requests: ${page.errors.join("; ")} ${outside.join(" ")}`);
  }
}
if (!address.startsWith("http")) {
  const size = statSync(file).size;
  console.log(`   the page has ${size} bytes`);
  if (size > 1e6) failed += 1;
}
if (process.argv[3]) {
  const shots = [["light", {}], ["dark", { dark: true }], ["narrow", { width: 390, height: 900 }]];
  for (const [name, how] of shots) {
    const page = await open("#chain=(10,3,3):(8,1,2) | (6):(4)", { height: 980, ...how });
    await page.hover(`[data-v="1"][data-i="4"]`);
    await page.eval("scrollTo(0, 0)");
    writeFileSync(resolve(process.argv[3], `explorer-${name}.png`), await page.screenshot());
  }
  const page = await open("#tab=cute&cute=draw&a=((4,8),(2,2)):((32,1),(16,8))&paint=thread&tile=16,8&chain=(2,4,3,8) | permute(0,2,1,3) | reshape(2,12,8)", { height: 980, dark: true });
  await page.until(`[...document.querySelectorAll("#box-answer img")].every((image) => image.complete)`);
  writeFileSync(resolve(process.argv[3], "explorer-cute.png"), await page.screenshot());
}
await browser.stop();
process.exit(failed ? 1 : 0);
