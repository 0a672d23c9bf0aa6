// Batches of one number of rows, for providers that plan a network anew whenever the number changes (CUDA and its
// convolutions: ResNet-50 took 4 ms for 15 rows, and 130 ms behind a run of one). A batch with fewer rows is filled up
// with copies of its last one, and the answers to those are cut off.

import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import type { ModelDescription } from '../../../src-shared/config/model-description.ts';
import { contiguous } from '../../inference/tensor-bytes.ts';
import type { InterfacePlan } from './interface-plan.ts';
import type { RunOutput } from './job-layout.ts';
import type { GatheredFeed } from './request-inputs.ts';

/** Fewer rows come back only after as many runs without need of more: each change costs. */
const RUNS_UNTIL_FEWER = 256;

/** How many rows the runs of one instance have. */
export class SteadyRows {
  readonly #maxRows: number;
  readonly #isSwitchDear: () => boolean;
  #rows = 0;
  /** Largest batch of the runs that were counted. */
  #most = 0;
  #runs = 0;

  /** `isSwitchDear`: asked before each run; while it says no, batches stay as they are. */
  constructor(maxRows: number, isSwitchDear: () => boolean) {
    this.#maxRows = maxRows;
    this.#isSwitchDear = isSwitchDear;
  }

  /** Rows that a run for a batch of `batchSize` is to have: that many or more. */
  rowsFor(batchSize: number): number {
    if (batchSize >= this.#maxRows || !this.#isSwitchDear()) return batchSize;
    this.#most = Math.max(this.#most, batchSize);
    this.#runs += 1;
    const wanted = this.#stepFor(this.#most);
    if (wanted > this.#rows || this.#runs >= RUNS_UNTIL_FEWER) {
      this.#rows = wanted;
      this.#most = batchSize;
      this.#runs = 0;
    }
    return this.#rows;
  }

  /** Few different numbers, so that a load that grows changes it seldom. */
  #stepFor(batchSize: number): number {
    return Math.min(this.#maxRows, 2 ** Math.ceil(Math.log2(batchSize)));
  }
}

/**
 * Whether rows may be added to batches of a model: only where the server batches requests of different clients anyway, so
 * that no row may depend on another, and where every tensor has the rows in front and none is text.
 */
export function mayFillUp(
  config: ModelConfig,
  plan: InterfacePlan,
  { inputs, outputs }: ModelDescription,
): boolean {
  return (
    config.dynamicBatching !== undefined &&
    plan.maxBatchSize > 1 &&
    !plan.keepsRows &&
    plan.feeds.every(({ kind, datatype }) => kind === 'tensor' && datatype !== 'BYTES') &&
    plan.outputs.every(
      ({ datatype, scatterSource }) => datatype !== 'BYTES' && scatterSource === undefined,
    ) &&
    [...inputs, ...outputs].every(({ shape }) => shape[0] === -1)
  );
}

/** The feeds of a batch of `batchSize` rows with its last row repeated until there are `rows`. */
export function fillUp(
  feeds: readonly (GatheredFeed | undefined)[],
  batchSize: number,
  rows: number,
): (GatheredFeed | undefined)[] {
  return feeds.map((feed) => {
    if (feed === undefined) return undefined;
    const rowByteSize = feed.byteSize / batchSize;
    const last = contiguous(feed.sources.at(-1) ?? { chunks: [], byteSize: 0 });
    const row = { chunks: [last.subarray(last.byteLength - rowByteSize)], byteSize: rowByteSize };
    return {
      ...feed,
      dims: [rows, ...feed.dims.slice(1)],
      byteSize: rowByteSize * rows,
      sources: [...feed.sources, ...Array.from({ length: rows - batchSize }, () => row)],
    };
  });
}

/** The outputs without the rows that were added. One that does not have a row for each stays as it is, to be refused. */
export function cutOff(outputs: readonly RunOutput[], batchSize: number, rows: number): readonly RunOutput[] {
  return outputs.map((output) => {
    const { dims, bytes } = output;
    if (dims[0] !== rows) return output;
    const byteSize = (bytes.byteLength / rows) * batchSize;
    return { dims: [batchSize, ...dims.slice(1)], bytes: bytes.subarray(0, byteSize) };
  });
}
