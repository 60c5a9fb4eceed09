// Text that becomes part of the page.

const SIGNS = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

export function escape(text) {
  return String(text).replace(/[&<>"]/g, (sign) => SIGNS[sign]);
}

export const tuple = (numbers) => `(${numbers.join(",")})`;

/** A step with its sign: +3, −2. */
export function signed(number) {
  const text = String(number);
  return text.startsWith("-") ? "−" + text.slice(1) : "+" + text;
}

/** Large numbers in groups of three. */
export function grouped(number) {
  return String(number).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

/** Lines in columns, as the command prints them. */
export const linesHtml = (lines) => (lines.length ? `<pre class="told">${lines.map((line) => `<span>${escape(line)}\n</span>`).join("")}</pre>` : "");

export function copyButton(text, what) {
  return `<button type="button" class="copy" data-copy="${escape(text)}" aria-label="Copy ${escape(what)}">Copy</button>`;
}

/** A picture in an address: only what an address cannot hold is written otherwise. */
export const pictureLink = (svg) => `data:image/svg+xml;charset=utf-8,${svg.replace(/[%#\n]/g, (sign) => (sign === "%" ? "%25" : sign === "#" ? "%23" : " "))}`;

/** A picture with words below it; it can be saved. */
export function pictureHtml(svg, alt, words, file) {
  return (
    `<figure><div class="picture" tabindex="0"><img alt="${escape(alt)}" src="${escape(pictureLink(svg))}"></div>` +
    `<figcaption>${words} <button type="button" class="plain" data-save="${escape(file)}">Save as SVG</button></figcaption></figure>`
  );
}
