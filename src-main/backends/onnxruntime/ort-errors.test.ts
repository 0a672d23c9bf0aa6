import { expect, test } from 'vitest';

import { runtimeError } from './ort-errors.ts';

const ran = (text: string): string =>
  `Non-zero status code returned while running Some node. Name:'it' Status Message: ${text}`;

test.each([
  [1, ran('matmul_helper.h:59 Compute MatMul dimension mismatch')],
  [1, ran('/onnxruntime_src/core/reshape_helper.h:91 ReshapeHelper(bool) a == b was false.\n')],
  [1, ran('D:\\a\\_work\\1\\s\\onnxruntime\\core\\reshape_helper.h:91 a == b was false.\r\n')],
  [1, ran('Input channels C is not equal to kernel channels * group. C: 3')],
  [1, ran("Cannot split using values in 'split' attribute. Axis=1")],
  [1, ran('Input cannot be split evenly on selected axis. Input shape={2,5} Axis=1 NumOutputs=2')],
  [1, ran('Invalid num_outputs value of 3. Size of dimension being split is 0')],
  [1, ran("Cannot use 'reflect' mode to pad dimension with a value of 0. Input shape:{2,3,8,0}")],
  [1, ran('k argument [143] should not be greater than specified axis dim value [4]')],
  [6, ran('Updating cos_cache and sin_cache in RotaryEmbedding is not currently supported')],
  [2, ran('GEMM: Dimension mismatch, W: {2,2} K: 3 N:2')],
  [2, ran('indices element out of data bounds, idx=7 must be within the inclusive range [-3,2]')],
  [2, ran('Invalid input scale: 0th dimension != 3')],
  [6, ran('stod')],
  [6, ran('std::bad_alloc')],
  [6, ran('')],
  [1, ran('Input initial_h must have shape {1,1,128}. Actual:{1,512,128}')],
  [1, ran('Input P must have shape {1,9}. Actual:{1,8}')],
  [2, ran('Input R must have shape {2,15,5}. Actual:{2,15,4}')],
  [
    2,
    ran(
      ran(
        '/src/op_kernel.cc:83 OutputMLValue(int) [ONNXRuntimeError] : 2 : INVALID_ARGUMENT : The output OrtValue',
      ),
    ),
  ],
  [1, ran(ran('matmul_helper.h:177 Compute MatMul dimension mismatch'))],
  [2, ran(ran(ran('indices element out of data bounds, idx=99 must be within the inclusive range [-3,2]')))],
  [6, ran(ran('stod'))],
  [1, 'Load model from m.onnx failed:This is an invalid model. Error: the graph is not acyclic.'],
  [10, 'Load model from m.onnx failed:This is an invalid model. In Node, ("", Nonsense, "", -1)'],
  [10, "Load model from m.onnx failed:This is an invalid model. Type Error: Type 'tensor(float)' of A"],
  [1, 'Load model from m.onnx failed:Type Error: Type parameter (T) of Optype (Add) bound to two types'],
  [1, 'Load model from m.onnx failed:Node (it) Op (Slice) [ShapeInferenceError] missing input value'],
  [2, "Load model from m.onnx failed:Invalid model. Node input 'x' is not a graph input"],
  [
    1,
    'Exception during initialization: /src/initializer.cc:51 [ONNXRuntimeError] : 1 : FAIL : raw_data size',
  ],
  [1, 'External data path validation failed for initializer: B.'],
  [
    1,
    "Load model from m.onnx failed:Node () Op (If) [TypeInferenceError] Graph attribute inferencing failed: This is an invalid model. Type Error: Type 'tensor(uint8)' of input parameter (A)",
  ],
  [9, "Could not find an implementation for Conv(11) node with name ''"],
  [
    9,
    "Failed to find kernel for com.microsoft.QuickGelu(1) (node:'/QuickGeluFusion/' ep:'CPUExecutionProvider').",
  ],
  [7, 'Load model from m.onnx failed:Protobuf parsing failed.'],
])('status %i is told from %j, whose text stays', (code, text) => {
  expect(runtimeError(new Error(text)).message).toBe(`onnx runtime error ${code}: ${text}`);
});

test('a text that begins with its status is told without it', () => {
  const thrown = new Error('[ONNXRuntimeError] : 3 : NO_SUCHFILE : gone');
  expect(runtimeError(thrown).message).toBe('onnx runtime error 3: gone');
});
