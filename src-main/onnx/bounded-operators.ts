// Whether the work of a graph follows from the shapes of its inputs alone: no loops, no branches, no shape that comes of
// a tensor's values. Then a run takes as long as the last one of the same shapes, whatever a client sends, so that it
// may be let onto the event loop once it has been measured. What is not listed here does not count as such.

import type { OnnxModel, OnnxNode } from './onnx-model.ts';

/** Output shapes follow from input shapes, and so does the time. */
const BY_SHAPE = new Set(
  `Abs Acos Acosh Add And ArgMax ArgMin Asin Asinh Atan Atanh AveragePool BatchNormalization BitShift BitwiseAnd
  BitwiseNot BitwiseOr BitwiseXor Cast CastLike Ceil Celu Clip Concat Constant Conv Cos Cosh CumSum DepthToSpace
  DequantizeLinear Div DynamicQuantizeLinear Elu Equal Erf Exp Flatten Floor Gather GatherElements GatherND Gelu Gemm
  GlobalAveragePool GlobalMaxPool Greater GreaterOrEqual HardSigmoid HardSwish Hardmax Identity InstanceNormalization
  IsInf IsNaN LRN LayerNormalization LeakyRelu Less LessOrEqual Log LogSoftmax MatMul MatMulInteger Max MaxPool Mean
  Min Mish Mod Mul Neg Not Or PRelu Pow QLinearConv QLinearMatMul QuantizeLinear Reciprocal Relu Round Selu Shape
  Sigmoid Sign Sin Sinh Size Softmax Softplus Softsign SpaceToDepth Sqrt Sub Sum Tan Tanh ThresholdedRelu Transpose
  Where Xor`.split(/\s+/),
);

/** The values of all inputs but the first are part of a shape. */
const BY_OPERANDS = new Set(
  `Expand Pad ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum
  ReduceSumSquare Reshape Slice Split Squeeze Tile TopK Unsqueeze`.split(/\s+/),
);

/** More of them are not tiny, and would make a second session dear. */
const MAX_NODES = 64;

/** True where inputs of the same shapes always mean the same work. */
export function isBoundedByShapes({ graph, functions }: OnnxModel): boolean {
  if (functions.length > 0 || graph.nodes.length > MAX_NODES) return false;
  if (graph.initializers.some(({ external }) => external !== undefined)) return false;
  const inputs = new Set(graph.inputs.map(({ name }) => name));
  // An initialiser that is an input as well is a request's to set.
  const known = new Set(graph.initializers.map(({ name }) => name).filter((name) => !inputs.has(name)));
  // Nodes come in the order in which they run.
  return graph.nodes.every((node) => {
    if (!isBounded(node, known)) return false;
    if (isKnown(node, known)) for (const output of node.outputs) known.add(output);
    return true;
  });
}

function isBounded({ domain, opType, inputs }: OnnxNode, known: ReadonlySet<string>): boolean {
  if (domain !== '' && domain !== 'ai.onnx') return false;
  if (BY_SHAPE.has(opType)) return true;
  return BY_OPERANDS.has(opType) && inputs.slice(1).every((name) => name === '' || known.has(name));
}

/** The values that it gives follow from shapes and constants. */
function isKnown({ opType, inputs }: OnnxNode, known: ReadonlySet<string>): boolean {
  return opType === 'Shape' || opType === 'Size' || inputs.every((name) => name === '' || known.has(name));
}
