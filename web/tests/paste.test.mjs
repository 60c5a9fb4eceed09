// What is pasted, and the chain that it is read as.

import assert from "node:assert/strict";
import { test } from "node:test";
import { recognise } from "../src/paste.js";

const ROWS = [
  ["torch.Size([2, 3]), (1, 2)", "(2,3):(1,2)"],
  ["(torch.Size([2, 3]), (3, 1), 4)", "(2,3):(3,1)+4"],
  ["x.shape = (4, 5), x.stride() = (1, 4)", "(4,5):(1,4)"],
  ["stride (1, 4), shape (4, 5)", "(4,5):(1,4)"],
  ["torch.Size([2, 3]), (1, 2)  .view(6)", "(2,3):(1,2) | reshape(6)"],
  ["torch.Size([5]), (2,), storage_offset=3", "(5):(2)+3"],
  ["shape (3, 4), strides (8, 24), dtype float64", "(3,4):(1,3)"],
  ["{'data': (94, False), 'strides': (8, 24), 'descr': [('', '<f8')], 'typestr': '<f8', 'shape': (3, 4), 'version': 3}", "(3,4):(1,3)"],
  ["{'data': (94, False), 'strides': None, 'typestr': '<i4', 'shape': (3, 4), 'version': 3}", "(3,4):(4,1)"],
  ["ValueError: Cannot view a tensor with shape torch.Size([8, 4]) and strides (1, 8) as a tensor with shape (32,)!", "(8,4):(1,8) | reshape(32)"],
  ["RuntimeError: shape '[4, 2]' is invalid for input of size 7", "(7) | reshape(4,2)"],
  ["ValueError: cannot reshape array of size 6 into shape (4,)", "(6) | reshape(4)"],
  [
    "  y = x.view(2, -1)\nRuntimeError: view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous subspaces). Use .reshape(...) instead.\n>>> x.shape, x.stride()\n(torch.Size([2, 5, 4]), (20, 1, 5))",
    "(2,5,4):(20,1,5) | reshape(2,-1)",
  ],
  ["((2,2),4):((1,8),2)", "(2,2,4):(8,1,2) | reshape(4,4)"],
  ["(_4,_2):(_1,_4)", "(4,2):(1,4)"],
  ["(6,2):(8,2) o (4,3):(3,1)", "(2,6):(2,8) | (4,3):(3,1)"],
];

test("what people have is read", () => {
  for (const [text, chain] of ROWS) assert.equal(recognise(text)?.chain, chain, text);
});

test("what is not enough is asked for", () => {
  const error = "RuntimeError: view size is not compatible with input tensor's size and stride";
  assert.match(recognise(error).ask, /neither the tensor nor the view/);
  assert.match(recognise(`x.view(6)\n${error}`).ask, /reshape\(6\)/);
  assert.match(recognise("{'typestr': '<f8', 'shape': (3,), 'strides': (4,)}").ask, /no multiples of 8/);
  assert.match(recognise("Sw<2,0,3> o 0 o (8,8):(8,1)").ask, /swizzle/);
});

test("our own notation is left alone", () => {
  for (const text of ["(2,3):(3,1)", "(2,3) | permute(1,0)", "(4) nothing", "(18):(1)-2 [2:17] | (16,3):(1,1)", "", "hello", "(10,3,3):(8,1,2) | (6):(4)", "(2,3) | (6)"]) {
    assert.equal(recognise(text), null, text);
  }
});
