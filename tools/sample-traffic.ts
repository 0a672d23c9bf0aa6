// Clients of the sample models for pictures of a window at work: a few requests in flight to `batch_mlp`, now and then
// one to `simple` and to the ensemble. Ends when it is disposed, with the requests that are under way answered: one that
// is given up counts as a failure of its model.

import { setTimeout as pause } from 'node:timers/promises';

interface Client {
  readonly model: string;
  readonly inputs: readonly { name: string; datatype: string; shape: number[]; data: number[] }[];
  readonly pauseMs: number;
}

function values(count: number, limit: number): number[] {
  return Array.from({ length: count }, (_, at) => (at * 7) % limit);
}

function tensor(name: string, datatype: string, shape: number[], limit: number): Client['inputs'][number] {
  const count = shape.reduce((product, size) => product * size, 1);
  return { name, datatype, shape, data: values(count, limit) };
}

const MLP: Client = { model: 'batch_mlp', inputs: [tensor('FEATURES', 'FP32', [1, 64], 5)], pauseMs: 12 };
const CLIENTS: readonly Client[] = [
  ...Array.from({ length: 6 }, () => MLP),
  {
    model: 'simple',
    inputs: ['INPUT0', 'INPUT1'].map((name) => tensor(name, 'INT32', [1, 16], 100)),
    pauseMs: 80,
  },
  { model: 'pipeline', inputs: [tensor('RAW', 'UINT8', [1, 32, 32, 3], 256)], pauseMs: 150 },
];

/** Models that are asked; before they are ready they refuse. */
export const TRAFFIC_MODELS: readonly string[] = [...new Set(CLIENTS.map(({ model }) => model))];

/** A model may refuse while it is loaded anew. */
async function run(http: string, { model, inputs, pauseMs }: Client, signal: AbortSignal): Promise<void> {
  const body = JSON.stringify({ inputs });
  while (!signal.aborted) {
    const answer = await fetch(`${http}/v2/models/${model}/infer`, { method: 'POST', body }).catch(
      () => undefined,
    );
    await answer?.arrayBuffer().catch(() => undefined);
    await pause(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

/**
 * `http`: the address of the server, scheme included. Failures are passed over: a model may be unloaded while a
 * picture is taken.
 */
export function sampleTraffic(http: string): AsyncDisposable {
  const stop = new AbortController();
  const clients = CLIENTS.map((client) => run(http, client, stop.signal));
  return {
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await Promise.all(clients);
    },
  };
}
