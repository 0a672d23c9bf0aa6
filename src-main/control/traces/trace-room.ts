// Traces of requests for the window: switching them, telling that there are new ones, and rows in messages of bounded size.

import type { HandlersFor } from '../../../src-shared/contract/contract.ts';
import type { traceCalls } from '../../../src-shared/contract/trace-calls.ts';
import type { PackedTraces } from '../../../src-shared/contract/trace-pack.ts';
import { TracePacker } from '../../../src-shared/contract/trace-pack.ts';
import type { Clock, Timer } from '../../base/clock.ts';
import type { LiveTracing } from '../../tracing/live-tracing.ts';
import type { ControlRoom, Publish } from '../pages/control-room.ts';

/** At most two events a second. */
const PERIOD_MS = 500;
/** Larger messages take a slower path between processes. */
const MAX_MESSAGE_CHARS = 56 * 1024;

/** What the room is made of. It closes none of it. */
export interface TraceRoomOptions {
  readonly clock: Clock;
  readonly tracing: LiveTracing;
  readonly publish: Publish;
}

/** Closing it ends the tracing that the window began. */
export class TraceRoom implements ControlRoom<HandlersFor<typeof traceCalls>> {
  readonly handlers: HandlersFor<typeof traceCalls>;
  readonly #options: TraceRoomOptions;
  #timer: Timer | undefined;
  #ending: Timer | undefined;

  constructor(options: TraceRoomOptions) {
    const { tracing } = options;
    this.#options = options;
    this.handlers = {
      'traces/state': () => tracing.state(),
      'traces/start': ({ mode }) => {
        tracing.begin(mode);
        this.#endAfter(mode.kind === 'all' ? mode.seconds * 1000 : undefined);
        return tracing.state();
      },
      'traces/stop': () => {
        tracing.stop();
        return tracing.state();
      },
      'traces/clear': () => {
        tracing.clear();
        return tracing.state();
      },
      'traces/read': ({ fromRow }) => readRows(tracing, fromRow),
    };
  }

  start(): void {
    const { clock, tracing } = this.#options;
    tracing.onChange = () => (this.#timer ??= clock.after(PERIOD_MS, () => this.#tell()));
  }

  close(): void {
    const { tracing } = this.#options;
    tracing.onChange = undefined;
    tracing.stop();
    this.#timer?.cancel();
    this.#ending?.cancel();
  }

  #tell(): void {
    this.#timer = undefined;
    this.#options.publish('traces/changed', this.#options.tracing.state());
  }

  /** Also where no further request comes: the state is looked at, which ends what is over. */
  #endAfter(delayMs: number | undefined): void {
    this.#ending?.cancel();
    const { clock, tracing } = this.#options;
    this.#ending = delayMs === undefined ? undefined : clock.after(delayMs + 1, () => void tracing.state());
  }
}

function readRows(tracing: LiveTracing, wanted: number): PackedTraces {
  const { firstRow, nextRow, generation } = tracing.state();
  const packer = new TracePacker();
  const fromRow = Math.max(wanted, firstRow);
  let next = fromRow;
  while (next < nextRow && packer.charCount < MAX_MESSAGE_CHARS) {
    const row = tracing.row(next);
    if (row !== undefined) packer.add(row);
    next += 1;
  }
  return { fromRow, nextRow: next, generation, texts: packer.texts, rows: packer.rows };
}
