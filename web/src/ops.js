// Ops to append, with arguments that fit the current shape, selected for editing.

const product = (sizes) => sizes.reduce((all, size) => all * size, 1);

/** A divisor of a number near its root. */
function divisor(number) {
  for (let candidate = Math.floor(Math.sqrt(number)); candidate > 1; candidate--) {
    if (number % candidate === 0) return candidate;
  }
  return 1;
}

const each = (shape, write) => shape.map(write).join(",");

export const OPS = [
  ["reshape", "other sizes, -1 for what is left", () => "-1"],
  ["permute", "the axes in another order", (shape) => shape.map((_, axis) => axis).reverse().join(",")],
  ["transpose", "two axes exchanged", (shape) => (shape.length < 2 ? "0,0" : `${shape.length - 2},${shape.length - 1}`)],
  ["expand", "axes of size 1 repeated", (shape) => (shape.includes(1) ? each(shape, (size) => (size === 1 ? 4 : size)) : ["4", ...shape].join(","))],
  ["pad", "padding before and after every axis", (shape) => each(shape, () => "(1,1)")],
  ["shrink", "the part of every axis that is kept", (shape) => each(shape, (size) => `(0,${Math.max(0, size - 1)})`)],
  ["slice", "Python slices", (shape) => (shape.length ? "::2" : "")],
  ["flip", "axes read backwards", (shape) => (shape.length ? String(shape.length - 1) : "")],
  ["step", "every so many-th of each axis", (shape) => each(shape, (size, axis) => (axis === shape.length - 1 ? 2 : 1))],
  ["squeeze", "an axis of size 1 dropped", (shape) => String(Math.max(0, shape.indexOf(1)))],
  ["unsqueeze", "an axis of size 1 put in", () => "0"],
  ["flatten", "axes joined, from the first to the last named", (shape) => (shape.length ? `0,${shape.length - 1}` : "")],
  ["unflatten", "an axis split into sizes", (shape) => {
    const axis = Math.max(0, shape.findLastIndex((size) => divisor(size) > 1));
    const size = shape[axis] ?? 1;
    return `${axis},(${size / divisor(size)},${divisor(size)})`;
  }],
  ["as_strided", "sizes, strides and offset of your own", (shape) => {
    const count = Math.min(product(shape), 64);
    return count < 4 ? `(${count}),(1),0` : `(${Math.floor(count / 2) - 1},3),(1,1),0`;
  }],
];

/** The text with an op appended, and where its arguments are. */
export function append(chain, name, shape) {
  const [, , args] = OPS.find(([known]) => known === name);
  const text = `${chain.trimEnd()} | ${name}(`;
  const given = args(shape.map(Number));
  return { text: `${text}${given})`, from: text.length, to: text.length + given.length };
}
