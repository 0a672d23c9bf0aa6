// What changed between two versions of a model: inputs and outputs, operators, weights, and whether both give the same
// outputs for the same made-up input. Both run alone, on the CPU; what serves is not touched.

import type { TensorDescription } from '../../../src-shared/config/model-description.ts';
import type { VersionComparison } from '../../../src-shared/contract/folder-calls.ts';
import { toServerError } from '../../../src-shared/errors.ts';
import type { OnnxFacts } from '../../onnx/onnx-inspection.ts';
import { inspectAnyFile } from '../../onnx/onnx-inspection.ts';
import { probeInputs, probeTensor } from './probe-rows.ts';
import type { SameAnswers } from './same-answers.ts';
import { runAlone, verdictOf } from './same-answers.ts';
import { probeErrors } from './probe-errors.ts';

/** INVALID_ARG when one of the files is no ONNX model. */
export async function compareVersions(a: string, b: string, signal: AbortSignal): Promise<VersionComparison> {
  const [left, right] = await Promise.all([inspectAnyFile(a, { signal }), inspectAnyFile(b, { signal })]);
  for (const { problem, path } of [left, right]) {
    if (problem !== undefined) throw probeErrors.notCompared({ path, reason: problem });
  }
  return {
    tensors: [
      ...tensorChanges('input', left.description.inputs, right.description.inputs),
      ...tensorChanges('output', left.description.outputs, right.description.outputs),
    ],
    operators: operatorChanges(left, right),
    parameterCount: { a: left.parameterCount, b: right.parameterCount },
    parity: await parityOf(left, right, signal),
  };
}

function tensorChanges(
  side: 'input' | 'output',
  a: readonly TensorDescription[],
  b: readonly TensorDescription[],
): VersionComparison['tensors'] {
  const names = new Set([...a, ...b].map(({ name }) => name));
  return [...names]
    .map((name) => ({ side, name, a: signature(a, name), b: signature(b, name) }))
    .filter((change) => change.a !== change.b);
}

/** "FP32 [-1,10]"; undefined where there is no such tensor. */
function signature(tensors: readonly TensorDescription[], name: string): string | undefined {
  const tensor = tensors.find((candidate) => candidate.name === name);
  if (tensor === undefined) return undefined;
  return `${tensor.datatype ?? tensor.sourceType} [${tensor.shape.join(',')}]`;
}

function operatorChanges(left: OnnxFacts, right: OnnxFacts): VersionComparison['operators'] {
  const countIn = ({ operators }: OnnxFacts, type: string): number =>
    operators.find((operator) => operator.type === type)?.count ?? 0;
  const types = new Set([...left.operators, ...right.operators].map(({ type }) => type));
  return [...types]
    .map((type) => ({ type, a: countIn(left, type), b: countIn(right, type) }))
    .filter(({ a, b }) => a !== b);
}

async function parityOf(left: OnnxFacts, right: OnnxFacts, signal: AbortSignal): Promise<SameAnswers> {
  const cannot = (message: string): SameAnswers => ({ verdict: 'cannot-compare', message, outputs: [] });
  const inputs = probeInputs(left.description, 1);
  if ('problem' in inputs) return cannot(inputs.problem);
  const tensors = inputs.map((input) => probeTensor(input, 0));
  try {
    const before = await runAlone(left.path, tensors, signal);
    const after = await runAlone(right.path, tensors, signal);
    return await verdictOf(before, after);
  } catch (thrown) {
    signal.throwIfAborted();
    return cannot(`The versions cannot be run on the same input: ${toServerError(thrown).message}`);
  }
}
