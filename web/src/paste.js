// What people have at hand, as a chain in our notation: a shape and strides, an error of a
// framework, an array interface, a CuTe layout.
//
//   recognise("torch.Size([2, 3]), (3, 1)")  ->  { chain: "(2,3):(3,1)", said: "..." }
//
// What is recognised but not enough gives { ask } instead, what would be needed. Anything else
// gives null: it is left to the notation.

import { tuple } from "./html.js";

/** A list of numbers as Python prints it: (2, 3), [2, 3], (2,), torch.Size([2, 3]). */
const LIST = String.raw`(?:torch\.Size\(\s*)?[(\[]\s*((?:-?\d+\s*,?\s*)*)[)\]]\)?`;

function numbers(text) {
  return (text.match(/-?\d+/g) ?? []).map(String);
}

/** The lists of numbers in a text, with where they are. */
function lists(text) {
  // The brackets of a call without arguments are no list.
  const found = [...text.matchAll(new RegExp(LIST, "g"))].filter((match) => match[1] || !/\w$/.test(text.slice(0, match.index)));
  return found.map((match) => ({
    at: match.index,
    end: match.index + match[0].length,
    before: text.slice(Math.max(0, match.index - 24), match.index),
    numbers: numbers(match[1]),
  }));
}

export function recognise(text) {
  const trimmed = text.trim();
  for (const read of [arrayInterface, swizzle, torchRefused, invalidShape, viewError, cute, shapeAndStrides]) {
    const found = read(trimmed);
    if (found) return found;
  }
  return null;
}

function view(shape, strides, offset = 0) {
  const moved = Number(offset) === 0 ? "" : Number(offset) > 0 ? `+${offset}` : `${offset}`;
  return `${tuple(shape)}:${tuple(strides)}${moved}`;
}

/** Strides in bytes, in elements; null if an element would be cut. */
function inElements(strides, size) {
  const whole = strides.every((stride) => Number(stride) % size === 0);
  return whole ? strides.map((stride) => String(Number(stride) / size)) : null;
}

function contiguous(shape) {
  const strides = [];
  let size = 1n;
  for (const length of [...shape].reverse()) {
    strides.unshift(String(size));
    size *= BigInt(length);
  }
  return strides;
}

// {'data': (94, False), 'strides': (32, 8), 'typestr': '<f8', 'shape': (3, 4), 'version': 3}
function arrayInterface(text) {
  const typestr = /['"]typestr['"]\s*:\s*['"][<>|=]?[a-zA-Z](\d+)/.exec(text);
  const shape = new RegExp(String.raw`['"]shape['"]\s*:\s*${LIST}`).exec(text);
  if (!typestr || !shape) return null;
  const size = Number(typestr[1]);
  const sizes = numbers(shape[1]);
  const given = new RegExp(String.raw`['"]strides['"]\s*:\s*${LIST}`).exec(text);
  if (!given) {
    return { chain: view(sizes, contiguous(sizes)), said: "Read as an array interface: contiguous." };
  }
  const strides = inElements(numbers(given[1]), size);
  if (!strides) {
    return { ask: `Its strides are no multiples of ${size} bytes, the size of an element: it is no view of elements.` };
  }
  return { chain: view(sizes, strides), said: `Read as an array interface: strides in bytes, divided by ${size}.` };
}

// Cannot view a tensor with shape torch.Size([8, 4]) and strides (1, 8) as a tensor with shape (32,)!
function torchRefused(text) {
  const parts = new RegExp(
    String.raw`with shape ${LIST} and strides ${LIST}\s+as a tensor with shape ${LIST}`,
  ).exec(text);
  if (!parts) return null;
  const [, shape, strides, wanted] = parts;
  return {
    chain: `${view(numbers(shape), numbers(strides))} | reshape${tuple(numbers(wanted))}`,
    said: "Read as PyTorch's refusal to view a tensor.",
  };
}

// shape '[4, 2]' is invalid for input of size 7, cannot reshape array of size 6 into shape (4,)
function invalidShape(text) {
  const torch = new RegExp(String.raw`shape '${LIST}' is invalid for input of size (\d+)`).exec(text);
  const numpy = new RegExp(String.raw`cannot reshape array of size (\d+) into shape ${LIST}`).exec(text);
  if (torch) return asReshape(torch[2], torch[1]);
  if (numpy) return asReshape(numpy[1], numpy[2]);
  return null;
}

function asReshape(count, shape) {
  return { chain: `(${count}) | reshape${tuple(numbers(shape))}`, said: "Read as a reshape that was refused." };
}

/** The arguments of the last .view(...) or .reshape(...) of a text, if they are numbers. */
function reshapeCall(text) {
  const calls = [...text.matchAll(/\.(?:view|reshape)\(\s*[(\[]?((?:\s*-?\d+\s*,?)+)[)\]]/g)];
  return calls.length ? { at: calls.at(-1).index, sizes: numbers(calls.at(-1)[1]) } : null;
}

// A traceback with "view size is not compatible with input tensor's size and stride".
function viewError(text) {
  if (!/view size is not compatible/i.test(text)) return null;
  const call = reshapeCall(text);
  const found = shapeAndStrides(text);
  if (found?.chain && (call || /\| reshape/.test(found.chain))) return found;
  if (found?.chain) return { ...found, said: "Read the tensor; append the reshape that failed." };
  const how = "print(tuple(x.shape), x.stride(), x.storage_offset())";
  return {
    ask: call
      ? `The message does not say how the tensor lies in memory. Paste what ${how} gives, and append | reshape${tuple(call.sizes)}.`
      : `The message says neither the tensor nor the view. Paste what ${how} gives, with the line that calls view.`,
  };
}

/** How many bytes an element has, if the text says so. */
function itemSize(text) {
  const size = /itemsize\s*[=:]?\s*(\d+)/.exec(text) ?? /(?:float|int|uint|complex|bool)(\d+)/.exec(text);
  if (!size) return null;
  const number = Number(size[1]);
  return /itemsize/.test(size[0]) ? number : number / 8;
}

// (2, 3), (3, 1) and all that may stand around them.
function shapeAndStrides(text) {
  const call = reshapeCall(text);
  const found = lists(text).filter((list) => !call || list.at < call.at || list.at > call.at + 9);
  // Our own notation is left alone.
  if (/^\s*\([\d\s,]*\)\s*(:|\||$)/.test(text) && !/stride|shape|size/i.test(text)) return null;
  // By their names where they have some, else in order.
  const named = (list) => /(shape|size)\W*$/i.test(list.before) || text.slice(list.at).startsWith("torch.Size");
  const strides = found.find((list) => /strides?\W*$/i.test(list.before) && !named(list)) ?? found[1];
  const others = found.filter((list) => list !== strides);
  const shape = others.find(named) ?? others[0];
  if (!shape || !strides || shape === strides || shape.numbers.length !== strides.numbers.length) return null;
  let inUnits = strides.numbers;
  let said = "Read as a shape and strides in elements.";
  const size = /strides/.test(text) ? itemSize(text) : null;
  if (size) {
    inUnits = inElements(strides.numbers, size);
    if (!inUnits) return { ask: `Its strides are no multiples of ${size} bytes, the size of an element.` };
    said = `Read as a shape and strides in bytes, divided by ${size}.`;
  }
  const rest = text.slice(strides.end);
  const offset = /offset\W{0,4}(-?\d+)/i.exec(text)?.[1] ?? /^\s*,?\s*(\d+)\s*\)?\s*$/.exec(rest)?.[1] ?? 0;
  const reshaped = call ? ` | reshape${tuple(call.sizes)}` : "";
  return { chain: view(shape.numbers, inUnits, offset) + reshaped, said };
}

function swizzle(text) {
  if (!/^(Sw|Swizzle)\s*</.test(text)) return null;
  return { ask: "A swizzle mixes the bits of a position, which no view does. Paste the layout behind it." };
}

// ((2,2),4):((1,4),2), (_4,_2):(_1,_4), A o B: leftmost fastest, modes within modes.
function cute(text) {
  const parts = text.split(/\s+o\s+/);
  const layouts = parts.map(cuteLayout);
  if (layouts.some((layout) => layout === null)) return null;
  const nested = layouts.some((layout) => layout.some((mode) => mode.length !== 1));
  if (parts.length === 1 && !nested && !/_\d/.test(text)) return null;
  // All but the last are read by linear position, which counts the leftmost digit fastest.
  const below = layouts.slice(0, -1).map((layout) => leaves(layout.flat().reverse()));
  const last = layouts.at(-1);
  const top = leaves(last.flatMap((mode) => [...mode].reverse()));
  const sizes = last.map((mode) => mode.reduce((size, leaf) => size * BigInt(leaf.size), 1n));
  const chain = [...below, top].join(" | ") + (last.some((mode) => mode.length !== 1) ? ` | reshape${tuple(sizes)}` : "");
  return {
    chain,
    said: "Read as a CuTe layout: within a mode the leftmost digit runs fastest, so its digits are turned round.",
  };
}

function leaves(list) {
  return view(list.map((leaf) => leaf.size), list.map((leaf) => leaf.stride));
}

/** The modes of a layout, each a list of leaves; null if it is none. */
function cuteLayout(text) {
  const cut = text.indexOf(":");
  const shape = nest(cut < 0 ? text : text.slice(0, cut));
  if (shape === null) return null;
  const sizes = flat(shape);
  let strides;
  if (cut < 0) {
    // Strides left out count on, the leftmost fastest.
    let size = 1n;
    strides = sizes.map((length) => {
      const stride = String(size);
      size *= BigInt(length);
      return stride;
    });
    if (!Array.isArray(shape) || !shape.some(Array.isArray)) return null;
  } else {
    const read = nest(text.slice(cut + 1));
    if (read === null || JSON.stringify(outline(read)) !== JSON.stringify(outline(shape))) return null;
    strides = flat(read);
  }
  let next = 0;
  const modes = Array.isArray(shape) ? shape : [shape];
  return modes.map((mode) => flat(mode).map((size) => ({ size, stride: strides[next++] })));
}

const flat = (nested) => [nested].flat(Infinity);
const outline = (nested) => (Array.isArray(nested) ? nested.map(outline) : 0);

/** Tuples within tuples, of digits that may have an underscore before them. */
function nest(text) {
  const json = text.trim().replace(/_(?=\d)/g, "").replace(/\(/g, "[").replace(/\)/g, "]");
  if (!/^[\s\d,[\]]+$/.test(json)) return null;
  try {
    const read = JSON.parse(json.replace(/(\d+)/g, '"$1"'));
    return flat(read).every((leaf) => typeof leaf === "string") ? read : null;
  } catch {
    return null;
  }
}
