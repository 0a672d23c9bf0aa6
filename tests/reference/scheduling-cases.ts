// Which requests run together, which are refused, and what is counted: bursts behind a busy instance, 40 ms apart, on
// models whose executions take 400 ms. Outcomes and batch sizes must agree; times are not looked at.

import { exchange } from './exchange.ts';
import type { ReferenceCase, Target } from './reference-case.ts';
import type { WireCase } from './wire-cases.ts';

const GAP_MS = 40;

interface Send {
  readonly rows?: number;
  readonly width?: number;
  readonly parameters?: Readonly<Record<string, number | boolean>>;
}

interface ModelCounts {
  readonly inference_count: number;
  readonly execution_count: number;
  readonly batch_stats: readonly {
    readonly batch_size: number;
    readonly compute_infer: { readonly count: number };
  }[];
  readonly inference_stats: Readonly<Record<'success' | 'fail', { readonly count: number }>>;
}

function inferCase(model: string, input: string, { rows = 1, width = 1, parameters = {} }: Send): WireCase {
  const data = Array<number>(rows * width).fill(1);
  const body = { parameters, inputs: [{ name: input, datatype: 'INT32', shape: [rows, width], data }] };
  return { name: model, method: 'POST', path: `/v2/models/${model}/infer`, body: JSON.stringify(body) };
}

async function countsOf({ httpPort }: Target, model: string): Promise<object> {
  const { body } = await exchange(httpPort, {
    name: 'stats',
    method: 'GET',
    path: `/v2/models/${model}/stats`,
  });
  const [found] = (JSON.parse(body) as { model_stats: ModelCounts[] }).model_stats;
  if (found === undefined) return {};
  return {
    inferences: found.inference_count,
    executions: found.execution_count,
    batches: Object.fromEntries(
      found.batch_stats.map((batch) => [batch.batch_size, batch.compute_infer.count]),
    ),
    success: found.inference_stats.success.count,
    fail: found.inference_stats.fail.count,
  };
}

/** Status, and the error where there is one. */
function outcomeOf({ status, body }: { readonly status: number; readonly body: string }): unknown {
  return status === 200 ? 200 : [status, (JSON.parse(body) as { error?: string }).error];
}

/** Sends without waiting for answers; every model is used by one case alone, as its counters are compared. */
function burst(name: string, model: string, sends: readonly Send[], input = 'INPUT0'): ReferenceCase {
  return {
    name: `scheduling: ${name}`,
    run: async (target) => {
      const running: Promise<unknown>[] = [];
      for (const send of sends) {
        running.push(exchange(target.httpPort, inferCase(model, input, send)).then(outcomeOf));
        await new Promise((resolve) => setTimeout(resolve, GAP_MS));
      }
      return { outcomes: await Promise.all(running), counts: await countsOf(target, model) };
    },
  };
}

const times = (count: number, send: Send = {}): Send[] => Array.from({ length: count }, () => send);
const sequence = (id: number, flags: { start?: boolean; end?: boolean } = {}): Send => ({
  parameters: { sequence_id: id, sequence_start: flags.start === true, sequence_end: flags.end === true },
});

export const SCHEDULING_CASES: readonly ReferenceCase[] = [
  burst('the largest preferred size that can be reached goes first', 'burst_preferred', times(8)),
  burst('client batches are never split and never pass the maximum', 'burst_rows', [
    {},
    ...[3, 4, 2, 8, 1].map((rows) => ({ rows })),
  ]),
  burst('other shapes close a batch', 'burst_shapes', [{}, ...[1, 1, 2, 2, 1].map((width) => ({ width }))]),
  burst('a full queue refuses', 'burst_full', times(7)),
  burst('requests whose time is over are rejected', 'burst_late', times(4)),
  burst(
    'sequences share batches by slots, empty slots are filled',
    'burst_direct',
    [
      sequence(1, { start: true }),
      sequence(2, { start: true }),
      sequence(3, { start: true }),
      sequence(1),
      sequence(2, { end: true }),
      sequence(1, { end: true }),
      sequence(3),
      sequence(3, { end: true }),
      sequence(9),
    ],
    'INPUT',
  ),
];
