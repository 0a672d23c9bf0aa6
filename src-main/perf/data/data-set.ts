// The tensors of a load test: streams of steps, each step one request at batch 1. A stream is what one sequence plays;
// other models walk through all steps in turn.

import type { PerfLoad } from '../../../src-shared/contract/perf-plan.ts';
import type { DataType } from '../../../src-shared/datatypes.ts';
import { seededRandom } from '../../onnx/seeded-random.ts';

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
  /** A whole request as a client sent it: its shapes have the batch dimension. undefined = one row, of which batches are made. */
  readonly whole?: WholeRequest | undefined;
}

/** What a captured request has besides its inputs. */
export interface WholeRequest {
  readonly rowCount: number;
  /** Outputs it asked for; none = all. */
  readonly outputs: readonly string[];
  readonly parameters: ReadonlyMap<string, string | bigint | number | boolean>;
}

/** What is sent: streams of steps, each gone through from its start. */
export interface DataSet {
  readonly streams: readonly (readonly DataStep[])[];
  /** Read from a file, as against generated. */
  readonly isGiven: boolean;
  /** Models without sequences get the steps in another order, each once in a round. */
  readonly isShuffled?: boolean;
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

const SEED = 5;

/** All steps in the order in which they are sent; the same shuffle in each run, so that runs can be compared. */
export function sentPlaces(data: DataSet, load: PerfLoad['kind']): readonly StepPlace[] {
  const places = [...flatPlaces(data)];
  // A schedule has its own order: that of its times.
  if (data.isShuffled !== true || load === 'schedule') return places;
  const random = seededRandom(SEED);
  for (let last = places.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    const [a, b] = [places[last], places[other]];
    if (a !== undefined && b !== undefined) [places[last], places[other]] = [b, a];
  }
  return places;
}
