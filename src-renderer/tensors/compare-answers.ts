// Comparing two answers: by the engine over all elements, or with a saved expectation over what was saved of it.

import type { PlaygroundResult, TensorDifference } from '../../src-shared/contract/inference-calls.ts';
import type { PlaygroundOutput } from '../../src-shared/contract/playground-answer.ts';
import { differencesOfTexts } from '../../src-shared/tensor/element-difference.ts';
import type { EngineClient } from '../engine/engine-client.ts';
import { t } from '../texts/translate.ts';

/** Outputs are matched by name; those that only `theirs` has are left out. */
export async function compareOutputs(
  client: EngineClient,
  ours: readonly PlaygroundOutput[],
  theirs: readonly PlaygroundOutput[],
  tolerance: number,
): Promise<readonly TensorDifference[]> {
  const rows: TensorDifference[] = [];
  const pairs = ours.flatMap(({ name, datatype, shape, blob }) => {
    const match = theirs.find((output) => output.name === name);
    if (match === undefined) {
      rows.push(unlike(name, t('playground.diff.missing', { name })));
      return [];
    }
    if (match.shape.join() !== shape.join() || match.datatype !== datatype) {
      rows.push(
        unlike(name, `${name}: ${datatype} [${shape.join()}], ${match.datatype} [${match.shape.join()}]`),
      );
      return [];
    }
    return [{ name, datatype, shape: [...shape], a: blob, b: match.blob }];
  });
  for (const { name } of theirs) {
    if (!ours.some((output) => output.name === name))
      rows.push(unlike(name, t('playground.diff.missing', { name })));
  }
  if (pairs.length === 0) return rows;
  return [...rows, ...(await client.call('playground/compare', { pairs, tolerance }))];
}

/** Expectations hold the first elements of each output as texts. Pure. */
export function compareWithExpectation(
  result: PlaygroundResult,
  expected: Readonly<Record<string, readonly string[]>>,
  tolerance: number,
): readonly TensorDifference[] {
  const outputs = result.responses[0]?.outputs ?? [];
  return Object.entries(expected).map(([name, values]) => {
    const output = outputs.find((one) => one.name === name);
    if (output === undefined) return unlike(name, t('playground.diff.missing', { name }));
    const { preview: actual, datatype } = output;
    if (actual.length !== values.length) {
      return unlike(
        name,
        t('playground.diff.lengths', { name, actual: actual.length, expected: values.length }),
      );
    }
    const { first, maxAbsolute, maxRelative } = differencesOfTexts(datatype, actual, values, tolerance);
    const firstDiffering =
      first === undefined ? undefined : `${name}[${first.at}]: ${actual[first.at]}, ${values[first.at]}`;
    return { name, maxAbsolute, maxRelative, firstDiffering };
  });
}

function unlike(name: string, firstDiffering: string): TensorDifference {
  return { name, maxAbsolute: undefined, maxRelative: undefined, firstDiffering };
}
