// What changed between two versions of a model: inputs and outputs, operators, weights, and whether both give the same
// outputs for the same made-up input. Both run alone, on the CPU; what serves is not touched.

import type { TensorDescription } from '../../../src-shared/config/model-description.ts';
import type { VersionComparison } from '../../../src-shared/contract/folder-calls.ts';
import { invalidArg, toServerError } from '../../../src-shared/errors.ts';
import type { BareTensor } from '../../backends/onnxruntime/bare-run-messages.ts';
import { BareSession } from '../../backends/onnxruntime/bare-run.ts';
import type { OnnxFacts } from '../../onnx/onnx-inspection.ts';
import { inspectAnyFile } from '../../onnx/onnx-inspection.ts';
import { compareBare } from '../../playground/parity.ts';
import { probeInputs, probeTensor } from './probe-rows.ts';

type Parity = VersionComparison['parity'];

/** INVALID_ARG when one of the files is no ONNX model. */
export async function compareVersions(a: string, b: string, signal: AbortSignal): Promise<VersionComparison> {
  const [left, right] = await Promise.all([inspectAnyFile(a, { signal }), inspectAnyFile(b, { signal })]);
  for (const { problem, path } of [left, right]) {
    if (problem !== '') throw invalidArg(`${path} cannot be compared: ${problem}`);
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

/** "FP32 [-1,10]" */
function signature(tensors: readonly TensorDescription[], name: string): string {
  const tensor = tensors.find((candidate) => candidate.name === name);
  if (tensor === undefined) return '';
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

async function parityOf(left: OnnxFacts, right: OnnxFacts, signal: AbortSignal): Promise<Parity> {
  const cannot = (message: string): Parity => ({ verdict: 'cannot-compare', message, outputs: [] });
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

async function runAlone(
  file: string,
  inputs: readonly BareTensor[],
  signal: AbortSignal,
): Promise<readonly BareTensor[]> {
  const session = new BareSession(file);
  try {
    return await session.run({ inputs, outputs: [] }, signal);
  } finally {
    await session.close();
  }
}

async function verdictOf(before: readonly BareTensor[], after: readonly BareTensor[]): Promise<Parity> {
  const outputs = [];
  for (const tensor of before) {
    outputs.push(
      await compareBare(
        tensor,
        after.find(({ name }) => name === tensor.name),
      ),
    );
  }
  const different = outputs.find(({ firstDiffering }) => firstDiffering !== '');
  if (different !== undefined) {
    return { verdict: 'differ', message: `Outputs differ at ${different.firstDiffering}.`, outputs };
  }
  const worst = Math.max(0, ...outputs.map(({ maxAbsolute }) => maxAbsolute ?? 0));
  const shown = worst === 0 ? '0' : worst.toExponential(1);
  return { verdict: 'match', message: `Outputs match (largest difference ${shown}).`, outputs };
}
