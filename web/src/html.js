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

export function copyButton(text, what) {
  return `<button type="button" class="copy" data-copy="${escape(text)}" aria-label="Copy ${escape(what)}">Copy</button>`;
}
