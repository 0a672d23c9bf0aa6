// Files that ONNX Runtime refuses for what stands inside a branch, and for what its own fusions make of a graph: the
// number of the status is not the one that the same fault has in the main graph.

import { graphModel, value } from '../../src-main/testing/onnx-test-models.ts';
import type { WritableNode } from '../../src-main/onnx/onnx-writer.ts';
import type { DataType } from '../../src-shared/datatypes.ts';

const OPSET = { opsetVersion: 20 };

/** A choice between two branches that hold `nodes`, which make `o` of the outer A. */
function chosen(nodes: readonly WritableNode[], type: DataType = 'FP32'): Uint8Array {
  const branch = {
    name: 'branch',
    nodes: [...nodes],
    inputs: [],
    outputs: [value('o', type, ['n'])],
  };
  return graphModel(
    [
      {
        opType: 'If',
        inputs: ['which'],
        outputs: ['C'],
        attributes: { then_branch: branch, else_branch: branch },
      },
    ],
    [value('A', type, ['n']), value('which', 'BOOL', [])],
    [value('C', type, ['n'])],
    OPSET,
  );
}

const made: WritableNode = { opType: 'Identity', inputs: ['A'], outputs: ['o'] };

/** x * sigmoid(x) of doubles becomes a QuickGelu, which the CPU has for floats only. */
const swish = (inner: string): readonly WritableNode[] => [
  { opType: 'Sigmoid', inputs: ['A'], outputs: ['s'] },
  { opType: 'Mul', inputs: ['A', 's'], outputs: [inner] },
];

export const BRANCH_LOADS: Readonly<Record<string, Uint8Array>> = {
  fusion_without_kernel: graphModel(
    swish('C'),
    [value('A', 'FP64', ['n'])],
    [value('C', 'FP64', ['n'])],
    OPSET,
  ),
  branch_fusion_without_kernel: chosen(swish('o'), 'FP64'),
  branch_type_not_allowed: chosen([{ ...made, opType: 'Sin' }], 'INT32'),
  branch_no_such_kernel: chosen([{ ...made, opType: 'Mish' }], 'FP64'),
  branch_unknown_operator: chosen([{ ...made, opType: 'Nonsense' }]),
  branch_unknown_domain: chosen([{ ...made, domain: 'far.away' }]),
  branch_unknown_attribute: chosen([{ ...made, attributes: { nonsense: 1n } }]),
  branch_out_of_nowhere: chosen([{ opType: 'Add', inputs: ['A', 'x'], outputs: ['o'] }]),
  branch_too_few_inputs: chosen([{ ...made, opType: 'Add' }]),
  branch_too_many_inputs: chosen([{ ...made, inputs: ['A', 'A'] }]),
  branch_made_twice: chosen([made, made]),
  branch_not_made: chosen([{ ...made, outputs: ['p'] }]),
  branch_ring: chosen([
    { opType: 'Add', inputs: ['A', 'x'], outputs: ['y'] },
    { opType: 'Identity', inputs: ['y'], outputs: ['x'] },
    { opType: 'Identity', inputs: ['x'], outputs: ['o'] },
  ]),
  branch_two_types: chosen([
    { opType: 'Shape', inputs: ['A'], outputs: ['s'] },
    { opType: 'Add', inputs: ['A', 's'], outputs: ['o'] },
  ]),
  branch_wrong_type: chosen([{ opType: 'Shape', inputs: ['A'], outputs: ['o'] }]),
};
