// Sequences, iterative streams and decoupled models through the whole server, as HTTP clients see them.
import { cp, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { Engine } from '../../../src-main/engine.ts';
import { fixture } from '../../../src-main/testing/fixtures.ts';
import { startTestEngine } from '../../../src-main/testing/start-test-engine.ts';
import { TempRepository } from '../../../src-main/testing/temp-repository.ts';

interface Reply {
  readonly error?: string;
  readonly outputs?: readonly { readonly data: readonly number[] }[];
}

async function send(
  engine: Engine,
  model: string,
  value: number,
  parameters: Readonly<Record<string, unknown>>,
): Promise<Reply> {
  const response = await fetch(`http://127.0.0.1:${engine.ports.http}/v2/models/${model}/infer`, {
    method: 'POST',
    body: JSON.stringify({
      parameters,
      inputs: [{ name: 'INPUT', datatype: 'INT32', shape: [1, 1], data: [value] }],
    }),
  });
  return (await response.json()) as Reply;
}

/** Sends the values in order; gives the first output element of each. */
async function sequence(
  engine: Engine,
  model: string,
  id: number,
  values: readonly number[],
): Promise<(number | string | undefined)[]> {
  const results: (number | string | undefined)[] = [];
  for (const [at, value] of values.entries()) {
    const reply = await send(engine, model, value, {
      sequence_id: id,
      sequence_start: at === 0,
      sequence_end: at === values.length - 1,
    });
    results.push(reply.error ?? reply.outputs?.[0]?.data[0]);
  }
  return results;
}

/** One quick-start model whose sequences do not go idle, however slow the machine is. */
async function openQuickstart(model: string): Promise<{ readonly engine: Engine } & AsyncDisposable> {
  const copy = await TempRepository.create();
  await cp(fixture(`models/${model}`), copy.at(model), { recursive: true });
  const text = await readFile(copy.at(model, 'config.pbtxt'), 'utf8');
  const patient = text.replace(/max_sequence_idle_microseconds: *\d+/, '');
  await copy.write({
    [`${model}/config.pbtxt`]: patient.replace(
      'sequence_batching {',
      'sequence_batching { max_sequence_idle_microseconds: 60000000',
    ),
  });
  const engine = await startTestEngine(copy.path);
  return {
    engine,
    [Symbol.asyncDispose]: async () => {
      await engine.close();
      await copy.close();
    },
  };
}

describe('sequence models of the quick start', () => {
  it('simple_sequence sees START on the first request of each sequence only', async () => {
    await using opened = await openQuickstart('simple_sequence');
    const { engine } = opened;
    const both = await Promise.all([
      sequence(engine, 'simple_sequence', 1001, [11, 7, 5, 3, 2, 0, 1]),
      sequence(engine, 'simple_sequence', 1002, [-11, -7, -5, -3, -2, 0, -1]),
    ]);
    expect(both).toEqual([
      [12, 7, 5, 3, 2, 0, 1],
      [-10, -7, -5, -3, -2, 0, -1],
    ]);
    const lost = await send(engine, 'simple_sequence', 1, { sequence_id: 1001 });
    expect(lost.error).toBe(
      `inference request for sequence 1001 to model 'simple_sequence' must specify the START flag on the first request of the sequence`,
    );
  });

  it.each([
    ['simple_sequence', 0],
    ['simple_dyna_sequence', 1],
  ])('64 interleaved sequences of %s keep their order and their own values', async (model, idFactor) => {
    await using opened = await openQuickstart(model);
    const { engine } = opened;
    const lengths = Array.from({ length: 64 }, (_, at) => 2 + (at % 7));
    const all = await Promise.all(
      lengths.map((length, at) =>
        sequence(
          engine,
          model,
          3000 + at,
          Array.from({ length }, (_, step) => 100 * at + step),
        ),
      ),
    );
    for (const [at, results] of all.entries()) {
      const last = (lengths[at] ?? 0) - 1;
      expect(results).toEqual(
        results.map((_, step) => {
          const start = step === 0 ? 1 : 0;
          const end = step === last ? idFactor * (3000 + at) : 0;
          return 100 * at + step + start + end;
        }),
      );
    }
    const [statistics] = engine.service.statistics(model, '');
    expect(statistics?.inferenceCount).toBe(lengths.reduce((sum, length) => sum + length, 0));
    expect(statistics?.inference.fail.count).toBe(0);
  });

  it('simple_dyna_sequence sees END and the correlation id on the last request', async () => {
    await using opened = await openQuickstart('simple_dyna_sequence');
    const { engine } = opened;
    const both = await Promise.all([
      sequence(engine, 'simple_dyna_sequence', 2001, [11, 7, 5]),
      sequence(engine, 'simple_dyna_sequence', 2002, [1, 1, 1]),
    ]);
    expect(both).toEqual([
      [12, 7, 5 + 2001],
      [2, 1, 1 + 2002],
    ]);
  });
});

const ITERATIVE = `backend: "iterative_sequence" max_batch_size: 1 parameters { key: "execute_delay_ms" value { string_value: "0" } }
input [ { name: "INPUT" data_type: TYPE_INT32 dims: [ 1 ] } ]
output [ { name: "OUTPUT" data_type: TYPE_INT32 dims: [ 1 ] } ]
model_transaction_policy { decoupled: true }
sequence_batching { iterative_sequence: true }`;

const SQUARE = `backend: "square" max_batch_size: 0
input [ { name: "IN" data_type: TYPE_INT32 dims: [ 1 ] } ]
output [ { name: "OUT" data_type: TYPE_INT32 dims: [ 1 ] } ]
model_transaction_policy { decoupled: true }`;

async function stream(engine: Engine, model: string, body: object): Promise<unknown[]> {
  const url = `http://127.0.0.1:${engine.ports.http}/v2/models/${model}/generate_stream`;
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  const text = await response.text();
  return text
    .split('\n\n')
    .filter((event) => event.startsWith('data: '))
    .map((event) => JSON.parse(event.slice('data: '.length)) as unknown);
}

describe('streams', () => {
  it('an iterative sequence needs no id and streams down to 0', async () => {
    await using models = await TempRepository.create({ 'count/config.pbtxt': ITERATIVE, 'count/1/': '' });
    await using engine = await startTestEngine(models.path);
    const replies = await Promise.all([1, 2, 3].map(() => stream(engine, 'count', { INPUT: 2 })));
    for (const events of replies) expect(events).toMatchObject([{ OUTPUT: 1 }, { OUTPUT: 0 }]);
  });

  it('a decoupled model streams, and refuses a plain request', async () => {
    await using models = await TempRepository.create({ 'square/config.pbtxt': SQUARE, 'square/1/': '' });
    await using engine = await startTestEngine(models.path);
    expect(await stream(engine, 'square', { IN: 3 })).toMatchObject([{ OUT: 3 }, { OUT: 3 }, { OUT: 3 }]);
    expect(await stream(engine, 'square', { IN: 0 })).toEqual([]);
    const response = await fetch(`http://127.0.0.1:${engine.ports.http}/v2/models/square/infer`, {
      method: 'POST',
      body: JSON.stringify({ inputs: [{ name: 'IN', datatype: 'INT32', shape: [1], data: [1] }] }),
    });
    expect([response.status, await response.json()]).toEqual([
      501,
      { error: `HTTP end point doesn't support models with decoupled transaction policy` },
    ]);
  });
});
