// Examples with their answers, which the tests check.

export const PRESETS = [
  { group: "Start here", name: "Worked example, one view", chain: "(10,3,3):(8,1,2) | (4):(4)", merges: true },
  { group: "Start here", name: "Worked example, two elements more", chain: "(10,3,3):(8,1,2) | (6):(4)", merges: false },
  { group: "Start here", name: "A transpose, flattened", chain: "(2,3) | permute(1,0) | reshape(6)", merges: false },
  { group: "Start here", name: "Sliding windows", chain: "(12) | (10,3):(1,1)", merges: true },
  { group: "Models", name: "Attention: heads joined", chain: "(2,4,3,8) | permute(0,2,1,3) | reshape(2,12,8)", merges: false },
  { group: "Models", name: "Attention: a head split further", chain: "(2,4,3,8) | permute(0,2,1,3) | reshape(2,3,4,2,4)", merges: true },
  { group: "Models", name: "A padded convolution, 1-D", chain: "(18):(1)-2 [2:17] | (16,3):(1,1)", merges: false },
  { group: "Models", name: "A padded convolution, 2-D", chain: "(4,4) | pad((1,1),(1,1)) | (4,4,3,3):(6,1,6,1)", merges: false },
  { group: "Models", name: "A bias broadcast, flattened", chain: "(3,1) | expand(3,4) | reshape(12)", merges: false },
  { group: "Models", name: "Pixels shuffled into channels", chain: "(4,6) | reshape(2,2,3,2) | permute(1,3,0,2) | reshape(4,2,3)", merges: false },
  { group: "Reported elsewhere", name: "PyTorch: view after transpose is refused", chain: "(2,5,4) | transpose(1,2) | reshape(2,20)", merges: false },
  { group: "Reported elsewhere", name: "PyTorch: channels last, rows and columns joined", chain: "(2,3,4,4):(48,1,12,3) | reshape(2,3,16)", merges: true },
  { group: "Reported elsewhere", name: "PyTorch: channels last, channels joined too", chain: "(2,3,4,4):(48,1,12,3) | reshape(2,48)", merges: false },
  { group: "Reported elsewhere", name: "NumPy: some columns, flattened", chain: "(4,6) | slice(:,0:3) | reshape(12)", merges: false },
  { group: "Reported elsewhere", name: "NumPy: an odd stride on an axis of one", chain: "(1,4):(1000,1) | reshape(4)", merges: true },
  { group: "Reported elsewhere", name: "tinygrad: rows of padding, flattened", chain: "(2,3) | pad((1,1),(0,0)) | reshape(12)", merges: true },
  { group: "Reported elsewhere", name: "tinygrad: columns of padding, flattened", chain: "(2,3) | pad((0,0),(1,1)) | reshape(10)", merges: false },
  { group: "Reported elsewhere", name: "CuTe: two modes of a tile joined", chain: "(2,2,4):(4,1,8) | reshape(4,4)", merges: false },
  { group: "Large", name: "A thousand million elements", chain: "(1024,1024,1024) | permute(2,0,1) | reshape(1048576,1024)", merges: false },
];
