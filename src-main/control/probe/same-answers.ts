// Whether two models give the same outputs for the same input. Both run alone, on the CPU; what serves is not touched.

import type { VersionComparison } from '../../../src-shared/contract/folder-calls.ts';
import type { BareTensor } from '../../backends/onnxruntime/bare-run-messages.ts';
import { BareSession } from '../../backends/onnxruntime/bare-run.ts';
import { compareBare } from '../../playground/parity.ts';

/** How the answers of two versions compare. */
export type SameAnswers = VersionComparison['parity'];

/** All outputs of an ONNX file. */
export async function runAlone(
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

/** `after` may have more outputs; each of `before` has to be among them. */
export async function verdictOf(
  before: readonly BareTensor[],
  after: readonly BareTensor[],
): Promise<SameAnswers> {
  const outputs = [];
  for (const tensor of before) {
    outputs.push(
      await compareBare(
        tensor,
        after.find(({ name }) => name === tensor.name),
      ),
    );
  }
  const different = outputs.find(({ firstDiffering }) => firstDiffering !== undefined);
  if (different !== undefined) {
    return { verdict: 'differ', message: `Outputs differ at ${different.firstDiffering}.`, outputs };
  }
  const worst = Math.max(0, ...outputs.map(({ maxAbsolute }) => maxAbsolute ?? 0));
  const shown = worst === 0 ? '0' : worst.toExponential(1);
  return { verdict: 'match', message: `Outputs match (largest difference ${shown}).`, outputs };
}
