// Captured requests on their way from the engine, which keeps them, to the generator, which sends them: JSON with bytes as
// base64, so that nothing is rounded. Sequences are streams of their own; all other requests are one stream.

import type { DataType } from '../../../src-shared/datatypes.ts';
import { perfDataErrors } from './data-errors.ts';
import type { DataSet, DataStep } from './data-set.ts';
import type { LoadModel } from './load-model.ts';

/** One request as it came. Shapes have the batch dimension. */
export interface CapturedStep {
  /** Behind the first request, in milliseconds. */
  readonly timestampMs: number;
  readonly inputs: readonly {
    readonly name: string;
    readonly datatype: DataType;
    readonly shape: readonly number[];
    readonly b64: string;
  }[];
  /** None = all. */
  readonly outputs: readonly string[];
  /** Whole numbers as text: JSON would round large ones. */
  readonly parameters: Readonly<Record<string, string | number | boolean | { readonly int: string }>>;
}

/** The text for `readCaptured`; every stream has a step. */
export function capturedText(streams: readonly (readonly CapturedStep[])[]): string {
  return JSON.stringify(streams);
}

/** Throws INVALID_ARG where a request lacks an input that the model needs now. */
export function readCaptured(
  text: string,
  model: LoadModel,
  { isShuffled }: { readonly isShuffled: boolean },
): DataSet {
  const streams = JSON.parse(text) as readonly (readonly CapturedStep[])[];
  return {
    streams: streams.map((steps) => steps.map((step, at) => stepOf(step, model, at))),
    isGiven: true,
    isShuffled,
  };
}

function stepOf(step: CapturedStep, model: LoadModel, at: number): DataStep {
  const inputs = new Map(
    step.inputs.map(({ name, datatype, shape, b64 }) => [
      name,
      { datatype, shape, bytes: new Uint8Array(Buffer.from(b64, 'base64')) },
    ]),
  );
  const missing = model.inputs.find(({ name, isOptional }) => !isOptional && !inputs.has(name));
  if (missing !== undefined)
    throw perfDataErrors.capturedUnfit({ at: at + 1, name: missing.name, model: model.name });
  const rowCount = model.maxBatchSize > 0 ? (step.inputs[0]?.shape[0] ?? 1) : 1;
  return {
    inputs,
    expected: undefined,
    timestampMs: step.timestampMs,
    whole: {
      rowCount,
      outputs: step.outputs,
      parameters: new Map(
        Object.entries(step.parameters).map(([name, value]) => [
          name,
          typeof value === 'object' ? BigInt(value.int) : value,
        ]),
      ),
    },
  };
}
