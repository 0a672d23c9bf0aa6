// The tensors of a load test: streams of steps, each step one request at batch 1. A stream is what one sequence plays;
// other models walk through all steps in turn.

import type { DataType } from '../../../src-shared/datatypes.ts';

/** One tensor of the data, in wire layout. */
export interface DataTensor {
  readonly datatype: DataType;
  /** Without the batch dimension. */
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

/** One request of a stream, without name and ids. */
export interface DataStep {
  readonly inputs: ReadonlyMap<string, DataTensor>;
  /** Expected outputs, compared byte by byte; undefined = not checked. */
  readonly expected: ReadonlyMap<string, DataTensor> | undefined;
  /** When a fixed schedule sends it. */
  readonly timestampMs: number | undefined;
}

/** What is sent: streams of steps, each gone through from its start. */
export interface DataSet {
  readonly streams: readonly (readonly DataStep[])[];
  /** Read from a file, as against generated. */
  readonly isGiven: boolean;
}

/** Both count from 0. */
export interface StepPlace {
  readonly stream: number;
  readonly step: number;
}

/** All steps in order, for models without sequences. */
export function flatPlaces({ streams }: DataSet): readonly StepPlace[] {
  return streams.flatMap((steps, stream) => steps.map((_, step) => ({ stream, step })));
}
