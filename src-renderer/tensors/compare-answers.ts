// Comparing two answers: by the engine over all elements, or with a saved expectation over what was saved of it.

import type { PlaygroundResult, TensorDifference } from '../../src-shared/contract/inference-calls.ts';
import type { PlaygroundOutput } from '../../src-shared/contract/playground-answer.ts';
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
    const actual = outputs.find((output) => output.name === name)?.preview;
    if (actual === undefined) return unlike(name, t('playground.diff.missing', { name }));
    if (actual.length !== values.length) {
      return unlike(
        name,
        t('playground.diff.lengths', { name, actual: actual.length, expected: values.length }),
      );
    }
    return differenceOf(name, actual, values, tolerance);
  });
}

function differenceOf(
  name: string,
  actual: readonly string[],
  expected: readonly string[],
  tolerance: number,
): TensorDifference {
  let maxAbsolute = 0;
  let maxRelative = 0;
  let firstDiffering: string | undefined;
  actual.forEach((text, at) => {
    const wanted = expected[at] ?? '';
    if (text === wanted) return;
    const [a, b] = [Number(text), Number(wanted)];
    const absolute = Number.isNaN(a - b) ? Infinity : Math.abs(a - b);
    const relative = absolute / Math.max(Math.abs(a), Math.abs(b), 1e-30);
    maxAbsolute = Math.max(maxAbsolute, absolute);
    maxRelative = Math.max(maxRelative, Number.isNaN(relative) ? Infinity : relative);
    if (firstDiffering === undefined && !(absolute <= tolerance || relative <= tolerance)) {
      firstDiffering = `${name}[${at}]: ${text}, ${wanted}`;
    }
  });
  const finite = (value: number): number | undefined => (Number.isFinite(value) ? value : undefined);
  return { name, maxAbsolute: finite(maxAbsolute), maxRelative: finite(maxRelative), firstDiffering };
}

function unlike(name: string, firstDiffering: string): TensorDifference {
  return { name, maxAbsolute: undefined, maxRelative: undefined, firstDiffering };
}
