// Trace files: what stands in them after requests of all kinds.

import { readFile, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { grpcCall, grpcStream } from './grpc-exchange.ts';
import { post, within } from './http-calls.ts';
import { ask, floats, infer, together, wait } from './life-calls.ts';
import type { ReferenceCase, Target } from './reference-case.ts';

interface TracePart {
  readonly id: number;
  readonly model_name?: string;
  readonly timestamps?: readonly { readonly name: string }[];
  readonly activity?: string;
  readonly tensor?: object;
}

/** Parts of a trace file by request, in order; numbers of requests count from the first one of the file. */
export function tracesOf(text: string): unknown {
  const parts = JSON.parse(text) as TracePart[];
  const ids = [...new Set(parts.map(({ id }) => id))].sort((a, b) => a - b);
  // Answers are sent and statistics reported by different threads: which record comes first is chance.
  const byText = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
  return ids.map((id) =>
    parts
      .filter((part) => part.id === id)
      .map(({ timestamps, id: _, ...part }) => {
        const { parent_id: parent, ...more } = part as { parent_id?: number };
        return {
          ...more,
          ...(parent === undefined ? {} : { parent: ids.indexOf(parent) }),
          ...(timestamps === undefined ? {} : { names: timestamps.map(({ name }) => name) }),
        };
      })
      .sort(byText),
  );
}

/** Which model each trace of a file is about, in the order of the file. */
export function modelsOf(text: string): readonly string[] {
  const parts = JSON.parse(text) as TracePart[];
  const names = new Map(
    parts.map(({ id, model_name: name }) => [id, name] as const).filter(([, name]) => name),
  );
  return [...new Set(parts.map(({ id }) => id))].map((id) => names.get(id) ?? '');
}

export const traced = (
  name: string,
  settings: object,
  act: (target: Target) => Promise<unknown>,
): ReferenceCase => ({
  name: `traces of ${name}`,
  run: async (target) => {
    const file = path.join(
      target.folders[0] ?? '',
      '..',
      `${path.basename(target.folders[0] ?? '')}-trace.json`,
    );
    const setting = (body: object): Promise<unknown> => ask(target, post('/v2/trace/setting', body));
    const before = new Set(await traceFiles(file));
    await setting({ trace_rate: '1', trace_count: '-1', log_frequency: '1', ...settings });
    const answered = await act(target);
    await wait(300);
    await setting({ trace_level: ['OFF'] });
    await wait(200);
    const found = (await traceFiles(file)).filter((one) => !before.has(one)).sort(byIndex);
    const texts = await Promise.all(found.map((one) => readFile(one, 'utf8')));
    // They lie beside the repository, which alone is removed with the server.
    await Promise.all(found.map((one) => rm(one)));
    return [
      { step: 'answers', answered },
      { step: 'number of files', count: found.length },
      ...texts.map((text, index) => ({ step: `file ${index}`, traces: tracesOf(text) })),
    ];
  },
});

const byIndex = (a: string, b: string): number => Number(a.split('.').at(-1)) - Number(b.split('.').at(-1));

async function traceFiles(file: string): Promise<readonly string[]> {
  const names = await readdir(path.dirname(file));
  return names
    .filter((name) => name.startsWith(path.basename(file)))
    .map((name) => path.join(path.dirname(file), name));
}

export const TRACES: readonly ReferenceCase[] = [
  traced('one request', { trace_level: ['TIMESTAMPS'] }, (target) => ask(target, infer('echo'))),
  traced('a request with an id', { trace_level: ['TIMESTAMPS'] }, (target) =>
    ask(target, infer('echo', { id: 'named', ...floats([1]) })),
  ),
  traced('tensors', { trace_level: ['TENSORS'] }, (target) => ask(target, infer('echo'))),
  traced('both', { trace_level: ['TIMESTAMPS', 'TENSORS'] }, (target) => ask(target, infer('echo'))),
  traced('a failure', { trace_level: ['TIMESTAMPS'] }, (target) => ask(target, infer('raises'))),
  traced('a refused request', { trace_level: ['TIMESTAMPS'] }, (target) =>
    ask(target, infer('echo', { inputs: [] })),
  ),
  traced('a miss and a hit', { trace_level: ['TIMESTAMPS'] }, async (target) => [
    await ask(target, infer('cached', floats([7]))),
    await ask(target, infer('cached', floats([7]))),
  ]),
  traced('an ensemble', { trace_level: ['TIMESTAMPS'] }, (target) => ask(target, infer('chain'))),
  traced('every second one', { trace_level: ['TIMESTAMPS'], trace_rate: '2' }, (target) =>
    together(target, [infer('echo'), infer('echo'), infer('echo'), infer('echo')]),
  ),
  traced('a count of two', { trace_level: ['TIMESTAMPS'], trace_count: '2' }, (target) =>
    together(target, [infer('echo'), infer('echo'), infer('echo')]),
  ),
  traced('two to a file', { trace_level: ['TIMESTAMPS'], log_frequency: '2' }, (target) =>
    together(target, [infer('echo'), infer('echo'), infer('echo'), infer('echo')]),
  ),
  traced('generate', { trace_level: ['TIMESTAMPS'] }, (target) =>
    ask(target, post('/v2/models/echo/generate', { INPUT0: [1, 2] })),
  ),
  traced('generate_stream', { trace_level: ['TIMESTAMPS'] }, (target) =>
    ask(target, post('/v2/models/echo/generate_stream', { INPUT0: [1, 2] })),
  ),
  traced('a stream', { trace_level: ['TIMESTAMPS'] }, ({ grpcPort }) =>
    within(
      grpcStream(
        grpcPort,
        ['a'].map((id) => ({
          model_name: 'echo',
          id,
          inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [1n] }],
          raw_input_contents: [Buffer.alloc(4)],
        })),
      ),
      5000,
    ),
  ),
  traced('gRPC', { trace_level: ['TIMESTAMPS'] }, ({ grpcPort }) =>
    within(
      grpcCall(grpcPort, 'ModelInfer', {
        model_name: 'echo',
        inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [1n] }],
        raw_input_contents: [Buffer.alloc(4)],
      }),
      5000,
    ),
  ),
];
