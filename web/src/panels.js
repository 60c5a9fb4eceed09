// The panels about the chain, a tab each. A panel is computed only when it is shown.

import { allFrames, carryHtml } from "./carry.js";
import { copyButton, escape, linesHtml, pictureHtml, tuple } from "./html.js";
import { sliderHtml } from "./slider.js";
import { digitsCards, holeCards, holeSvg, stepsSvg } from "./steps.js";

function refused(error) {
  return `<p class="note">${escape(error.message)}</p>`;
}

function why({ state, explained, witness, views, ask, room }) {
  if (explained.error) return refused(explained.error);
  const yes = explained.mergeable;
  let html = "";
  if (witness?.kind === "step") {
    const [a, b] = witness.steps;
    const others = a.overflows.some((level, place) => String(level.digits) !== String(b.overflows[place].digits));
    const alone = views.views.length === 1;
    const title = !yes ? "Two steps that differ, in memory" : others ? "Two steps, in memory: other carries, the same length" : "Two steps, in memory: the same length";
    const note = !yes
      ? "A view has one stride an axis, so all steps along an axis are alike. <b>↰</b> marks a digit that carries; what only one of them has makes the two differ."
      : others
        ? `<b>↰</b> marks a digit that carries. The steps carry differently, and what the carries add and take away comes to the same: along axis ${witness.axis} every step is the same.`
        : alone
          ? "One view: nothing is read through it."
          : `No step near the first carries otherwise than the first: along axis ${witness.axis} every step is the same.`;
    html += `<h3>${title}</h3>${stepsSvg(witness, room)}<p class="note">${note}</p>${digitsCards(witness, views.views)}${carryHtml(allFrames(witness, views.views), views.views)}`;
  }
  if (witness?.kind === "hole") {
    html +=
      `<h3>A hole in a box</h3>${holeSvg(witness, room)}` +
      `<p>The valid indices of a view are a box, and a box that has the first two has the third, which is padding.</p><div class="steps-card">${holeCards(witness, views.views)}</div>`;
  }
  // The top of the page shows the first line.
  return html + linesHtml(explained.text.split("\n").slice(1)) + (yes ? one(state, explained, ask) : "");
}

/** The one view, axis by axis, and the axes of it that can be fused. */
function one(state, explained, ask) {
  const { view } = explained;
  const rows = view.shape.map((size, axis) => `<tr><td>${axis}</td><td>${size}</td><td>${view.strides[axis]}</td></tr>`);
  const groups = ask({ ask: "dims", chain: state.chain });
  const runs = Array.isArray(groups) ? groups.map((group) => `${group.size} by ${group.stride}`).join(", ") : "";
  const more = view.mask === "nothing" ? "Nothing is valid." : view.mask ? `Valid: ${view.mask.map(([lo, hi], axis) => `axis ${axis} from ${lo} to ${hi - 1}`).join(", ")}.` : "";
  return `
    ${rows.length ? `<div class="wide"><table class="data"><caption>The one view, at offset ${view.offset}</caption><thead><tr><th scope="col">axis</th><th scope="col">size</th><th scope="col">stride</th></tr></thead><tbody>${rows.join("")}</tbody></table></div>` : ""}
    <p>${more}</p>${runs ? `<p>Axes that can be fused, joined: ${runs}.</p>` : ""}`;
}

/** A formula's value at the given strides. */
function holds(coefficients, strides) {
  const sum = coefficients.reduce((all, factor, axis) => all + BigInt(factor) * BigInt(strides[axis]), 0n);
  return sum === 0n;
}

function conditions({ state, views, ask }) {
  if (views.views.length === 1) return `<p class="note">There is one view only: any strides will do.</p>`;
  const found = ask({ ask: "conditions", chain: state.chain, open: true });
  if (found.error) return refused(found.error);
  const first = views.views[0];
  const symbols = first.shape.map((_, axis) => `σ${subscript(axis + 1)} = ${first.strides[axis]}`).join(", ");
  if (found.hole) {
    return `<p>No strides would do: the valid indices are no box, whatever the strides. ${tuple(found.hole.valid[0])} and ${tuple(found.hole.valid[1])} are valid, ${tuple(found.hole.invalid)} is padding.</p>`;
  }
  const rows = found.equations.map((equation) => {
    const good = holds(equation.coefficients, first.strides);
    return `<tr><td class="formula">${escape(equation.text)}</td><td>axis ${equation.axis}, from ${tuple(equation.at)} and ${tuple(equation.other)}</td><td>${good ? "✓ holds" : "✗ does not hold"}</td></tr>`;
  });
  const lengths = found.lengths.flatMap((list, axis) => (list.length ? [`axis ${axis} adds an equation at length ${list.join(", ")}`] : []));
  return `
    <p>For which strides of view 0 is this one view? σ₁ is the stride of its axis 0; here ${symbols}.</p>
    ${rows.length ? `<div class="wide"><table class="data"><thead><tr><th scope="col">equation</th><th scope="col">by the steps along</th><th scope="col">with these strides</th></tr></thead><tbody>${rows.join("")}</tbody></table></div>` : "<p>For all of them.</p>"}
    ${found.solved.length ? `<p>Solved: <span class="formula">${found.solved.map(escape).join(", ")}</span></p>` : ""}
    ${found.merged_strides.length ? `<p>The one view then has strides <span class="formula">(${found.merged_strides.map(escape).join(", ")})</span></p>` : ""}
    ${lengths.map((line) => `<p>${escape(line)}.</p>`).join("")}`;
}

const subscript = (number) => [...String(number)].map((digit) => "₀₁₂₃₄₅₆₇₈₉"[digit]).join("");

function equationText(coefficients) {
  const term = (factor, axis) => {
    const size = factor < 0 ? -factor : factor;
    return `${size === 1 ? "" : size}σ${subscript(axis + 1)}`;
  };
  const side = (sign) => {
    const terms = coefficients.flatMap((factor, axis) => (Math.sign(factor) === sign ? [term(factor, axis)] : []));
    return terms.length ? terms.join(" + ") : "0";
  };
  return `${side(1)} = ${side(-1)}`;
}

function overflows({ state, views, ask }) {
  if (views.views.length === 1) return `<p class="note">There is one view only, which nothing is read through.</p>`;
  const found = ask({ ask: "explain", chain: state.chain, table: true });
  if (found.error) return refused(found.error);
  return found.tables
    .map((table) => {
      const rows = table.rows.map((row) => {
        const digits = row.digits
          ? row.digits.map((digit, axis) => `<span class="digit${row.overflows.includes(axis) ? " over" : ""}">${digit}${row.overflows.includes(axis) ? '<i aria-hidden="true">↰</i>' : ""}</span>`).join("")
          : "padding";
        const over = row.overflows.map((axis) => `${axis} → ${axis - 1}`).join(", ");
        const equation = row.equation ? equationText(row.equation) : "";
        const good = row.holds === null || !row.equation ? "" : row.holds ? "✓" : "✗";
        return `<tr class="${row.holds === false ? "bad" : ""}"><td>${tuple(row.index)}</td><td>${row.position ?? ""}</td><td class="digits">${digits}</td><td>${over}</td><td class="formula">${escape(equation)} ${good}</td><td class="formula">${row.new ? row.solved.map(escape).join(", ") : ""}</td></tr>`;
      });
      return (
        `<div class="wide"><table class="data"><caption>View ${table.view}, read through what is above it${table.elided ? "; only the rows that matter" : ""}</caption>` +
        `<thead><tr><th scope="col">index</th><th scope="col">element</th><th scope="col">digits</th><th scope="col">overflow</th><th scope="col">equation, with these strides</th><th scope="col">solved</th></tr></thead><tbody>${rows.join("")}</tbody></table></div>`
      );
    })
    .join("");
}

function expression({ state, ask, languages }) {
  const line = ask({ ask: "expr", chain: state.chain });
  if (line.error) return refused(line.error);
  const told = ask({ ask: "expr", chain: state.chain, lang: state.lang });
  const guarded = ask({ ask: "guarded", chain: state.chain });
  const options = languages.map((name) => `<option${name === state.lang ? " selected" : ""}>${name}</option>`).join("");
  const code = told.error ? refused(told.error) : `<div class="code"><pre tabindex="0">${escape(told.text)}</pre>${copyButton(told.text, "the code")}</div>`;
  const floors = line.form.floors.length;
  return `
    <p>The position in memory of index (i0, i1, …)${floors ? `, with ${floors} division${floors > 1 ? "s" : ""}` : ", without a division"}:</p>
    <div class="code"><pre tabindex="0">${escape(line.text)}</pre>${copyButton(line.text, "the formula")}</div>
    <p><label>in <select id="lang">${options}</select></label></p>${code}
    <h3>As a view with guards</h3>
    ${guarded && !guarded.error ? `<div class="code"><pre tabindex="0">${escape(guarded.text)}</pre>${copyButton(guarded.text, "the guarded view")}</div>` : `<p class="note">It needs a division, so it is no view with conditions across axes.</p>`}`;
}

function split({ state, ask }) {
  const told = ask({ ask: "split", chain: state.chain });
  if (told.error) return refused(told.error);
  return `<p>If the axes of what you index may be cut into loops, the fewest that make it one view:</p><div class="code"><pre tabindex="0">${escape(told.text)}</pre>${copyButton(told.text, "the split")}</div>`;
}

function certificate({ state, core }) {
  const text = core.answer(JSON.stringify({ ask: "certify", chain: state.chain, steps: 2_000_000 }));
  const read = JSON.parse(text);
  if (read.error) return refused(read.error);
  const told = core.ask({ ask: "verify", certificate: text });
  const short = text.length > 4000 ? `${text.slice(0, 4000)} …` : text;
  return `
    <p>${told.holds ? "✓" : "✗"} A checker that shares no code with what found the answer has read the proof: <b>${escape(told.holds ? told.text : told.reason)}</b>.</p>
    <div class="code"><pre tabindex="0">${escape(short)}</pre>${copyButton(text, "the certificate")}</div>
    <p class="note">${text.length} bytes. <code>viewmerge verify</code> reads it as well.</p>`;
}

function picture({ state, ask }) {
  const kinds = [["merge", "the steps"], ["chain", "every view"], ["guarded", "with guards"], ["split", "cut into loops"]];
  return kinds
    .map(([kind, name]) => {
      const drawn = ask({ ask: "draw", chain: state.chain, kind });
      return drawn.error ? "" : pictureHtml(drawn.svg, `${state.chain}, ${name}`, name, `viewmerge-${kind}.svg`);
    })
    .join("");
}

function data({ state, core }) {
  const answer = core.answer(JSON.stringify({ ask: "merge", chain: state.chain }));
  const quoted = state.chain.replace(/(["\\$`])/g, "\\$1");
  const rows = [
    ["The answer", answer],
    ["In a shell", `viewmerge explain "${quoted}"`],
    ["In Rust", `let verdict = "${quoted}".parse::<viewmerge::ViewChain>()?.merge(&viewmerge::Limit::none())?;`],
    ["In Python", `from viewmerge import ViewChain\n\nchain = ViewChain.parse("${quoted}")\nprint(chain.merge())`],
    ["In Node", `import { open } from "viewmerge";\nconst viewmerge = await open();\nviewmerge.ask({ ask: "explain", chain: ${JSON.stringify(state.chain)} });`],
  ];
  return rows.map(([name, text]) => `<h3>${name}</h3><div class="code"><pre tabindex="0">${escape(text)}</pre>${copyButton(text, name.toLowerCase())}</div>`).join("");
}

export const PANELS = [
  { id: "why", name: "Why", html: why },
  { id: "slider", name: "Slider", html: ({ state, ask }) => sliderHtml(state, ask) },
  { id: "conditions", name: "Conditions", html: conditions },
  { id: "overflows", name: "Overflows", html: overflows },
  { id: "expression", name: "Expression", html: expression },
  { id: "split", name: "Split", html: split },
  { id: "certificate", name: "Certificate", html: certificate },
  { id: "picture", name: "Picture", html: picture },
  { id: "data", name: "Data", html: data },
];
