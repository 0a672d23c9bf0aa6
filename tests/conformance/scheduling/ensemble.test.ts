// Ensembles as clients meet them, with steps that answer once and with decoupled ones.

import { describe, expect, it } from 'vitest';
import { wholeSequence } from './wire-requests.ts';
import { sequenceModel } from './wire-requests.ts';
import { repeatConfig, repeatRequest, streamOf } from './wire-streams.ts';
import { identity, models, outcomes, WireWorld } from './wire-world.ts';
import type { WireRequest } from './wire-world.ts';

interface Step {
  readonly model: string;
  readonly version?: number;
  readonly in: Readonly<Record<string, string>>;
  readonly out: Readonly<Record<string, string>>;
}

const entries = (field: string, map: Readonly<Record<string, string>>): string =>
  Object.entries(map)
    .map(([key, value]) => `${field} { key: "${key}" value: "${value}" }`)
    .join(' ');

interface EnsembleText {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly steps: readonly Step[];
  readonly maxBatchSize?: number;
  readonly dims?: string;
  readonly optional?: readonly string[];
  readonly limit?: string;
  readonly more?: string;
}

function ensemble(text: EnsembleText): string {
  const { inputs, outputs, steps, maxBatchSize = 8, dims = '-1', optional = [], limit, more = '' } = text;
  const tensor = (field: string, name: string): string =>
    `${field} { name: "${name}" data_type: TYPE_INT32 dims: [ ${dims} ] ${optional.includes(name) ? 'optional: true' : ''} }`;
  const parts = steps.map(
    (step) => `step { model_name: "${step.model}" model_version: ${step.version ?? -1}
      ${entries('input_map', step.in)} ${entries('output_map', step.out)} }`,
  );
  return `platform: "ensemble" max_batch_size: ${maxBatchSize}
${inputs.map((name) => tensor('input', name)).join('\n')}
${outputs.map((name) => tensor('output', name)).join('\n')}
ensemble_scheduling { ${limit === undefined ? '' : `max_inflight_requests: ${limit}`} ${parts.join('\n')} } ${more}`;
}

const pass = (model: string, from: string, to: string, version?: number): Step => ({
  model,
  in: { INPUT0: from },
  out: { OUTPUT0: to },
  ...(version === undefined ? {} : { version }),
});

const one = (name = 'IN', shape: readonly number[] = [1, 1]): WireRequest => ({
  inputs: [{ name, shape, data: new Array<number>(shape.reduce((a, b) => a * b, 1)).fill(3) }],
});

describe('steps', () => {
  it('row 90: -1 runs the newest version, a number exactly that one', async () => {
    const files = {
      ...models({
        M: identity({ more: 'version_policy { all { } }' }),
        newest: ensemble({ inputs: ['IN'], outputs: ['OUT'], steps: [pass('M', 'IN', 'OUT')] }),
        first: ensemble({ inputs: ['IN'], outputs: ['OUT'], steps: [pass('M', 'IN', 'OUT', 1)] }),
      }),
      'M/3/': '',
    };
    await using server = await WireWorld.create(files);
    await outcomes(await server.place('newest', [one(), one()]));
    await outcomes(await server.place('first', [one(), one(), one()]));
    expect([server.counts('M', 3).E, server.counts('M', 1).E]).toEqual([2, 3]);
    expect([server.counts('newest').E, server.counts('first').E]).toEqual([2, 3]);
  });

  it('row 91: steps that feed only an output nobody asked for do not run', async () => {
    const both = ensemble({
      inputs: ['IN'],
      outputs: ['A', 'B'],
      steps: [pass('left', 'IN', 'A'), pass('right', 'IN', 'B')],
    });
    await using server = await WireWorld.create(models({ left: identity({}), right: identity({}), E: both }));
    const [sent] = await server.place('E', [{ ...one(), outputs: ['A'] }]);
    expect((await sent?.done)?.outputs.map(({ name }) => name)).toEqual(['A']);
    expect([server.counts('left').E, server.counts('right').E]).toEqual([1, 0]);
  });

  it('row 92: responses carry the flags of the sequence', async () => {
    const files = models({
      S: sequenceModel({}),
      E: ensemble({
        inputs: ['IN'],
        outputs: ['OUT'],
        maxBatchSize: 4,
        steps: [{ model: 'S', in: { INPUT: 'IN' }, out: { OUTPUT: 'OUT' } }],
      }),
    });
    await using server = await WireWorld.create(files);
    const flags: unknown[] = [];
    for (const request of wholeSequence(7, [1, 2, 3])) {
      const [sent] = await server.place('E', [
        { ...request, inputs: request.inputs.map((input) => ({ ...input, name: 'IN' })) },
      ]);
      const parameters = (await sent?.done)?.parameters ?? {};
      flags.push([parameters['sequence_id'], parameters['sequence_start'], parameters['sequence_end']]);
    }
    expect(flags).toEqual([
      [7, true, false],
      [7, false, false],
      [7, false, true],
    ]);
  });

  it('row 93: an output the composing model leaves out is left out, without an error', async () => {
    const halfAnswer = `backend: "javascript" max_batch_size: 8
      input [ { name: "INPUT0" data_type: TYPE_INT32 dims: [ -1 ] } ]
      output [ { name: "OUTPUT0" data_type: TYPE_INT32 dims: [ -1 ] }, { name: "OUTPUT1" data_type: TYPE_INT32 dims: [ -1 ] } ]`;
    const step = { model: 'M', in: { INPUT0: 'IN' }, out: { OUTPUT0: 'A', OUTPUT1: 'B' } };
    await using server = await WireWorld.create({
      ...models({ E: ensemble({ inputs: ['IN'], outputs: ['A', 'B'], steps: [step] }) }),
      'M/config.pbtxt': halfAnswer,
      'M/1/model.js': `export const execute = (requests) =>
        requests.map(({ inputs }) => ({ outputs: { OUTPUT0: inputs.INPUT0 } }));`,
    });
    const [sent] = await server.place('E', [one()]);
    expect(await sent?.done).toMatchObject({ status: 200, outputs: [{ name: 'A', data: [3] }] });
    expect((await sent?.done)?.outputs).toHaveLength(1);
  });

  it.each([
    ['row 94: a batching ensemble over a step that does not batch', 8, 0, '3', '-1, 3', [2, 3]],
    ['row 94: the same with a batch of one and fixed dims', 8, 0, '3', '3', [1, 3]],
    ['row 94: an ensemble that does not batch over a batching step', 0, 8, '-1, 3', '3', [2, 3]],
  ])('%s', async (_name, outer, inner, outerDims, innerDims, shape) => {
    const files = models({
      M: identity({ maxBatchSize: inner, dims: innerDims }),
      E: ensemble({
        inputs: ['IN'],
        outputs: ['OUT'],
        maxBatchSize: outer,
        dims: outerDims,
        steps: [pass('M', 'IN', 'OUT')],
      }),
    });
    await using server = await WireWorld.create(files);
    const [sent] = await server.place('E', [one('IN', shape)]);
    expect(await sent?.done).toMatchObject({ status: 200, outputs: [{ name: 'OUT', shape }] });
  });
});

/** repeat -> identity, decoupled. */
const streaming = (limit?: string, slow = '', repeat = repeatConfig()): Record<string, string> => ({
  source: repeat,
  after: `backend: "identity" max_batch_size: 0
    input [ { name: "INPUT0" data_type: TYPE_INT32 dims: [ 1 ] } ] output [ { name: "OUTPUT0" data_type: TYPE_INT32 dims: [ 1 ] } ]
    instance_group { kind: KIND_CPU count: 1 } ${slow}`,
  E: `platform: "ensemble" max_batch_size: 0
    input [ { name: "IN" data_type: TYPE_INT32 dims: [ -1 ] }, { name: "DELAY" data_type: TYPE_UINT32 dims: [ -1 ] }, { name: "WAIT" data_type: TYPE_UINT32 dims: [ 1 ] } ]
    output [ { name: "OUT" data_type: TYPE_INT32 dims: [ 1 ] } ]
    ensemble_scheduling { ${limit === undefined ? '' : `max_inflight_requests: ${limit}`}
      step [ { model_name: "source" model_version: -1
        input_map { key: "IN" value: "IN" } input_map { key: "DELAY" value: "DELAY" } input_map { key: "WAIT" value: "WAIT" }
        output_map { key: "OUT" value: "mid" } },
      { model_name: "after" model_version: -1 input_map { key: "INPUT0" value: "mid" } output_map { key: "OUTPUT0" value: "OUT" } } ] }`,
});
const DELAY_5 = 'parameters { key: "execute_delay_ms" value { string_value: "5" } }';

describe('decoupled steps', () => {
  it.each(['4', '1', undefined])('row 95: max_inflight_requests %s', async (limit) => {
    await using server = await WireWorld.create(models(streaming(limit, DELAY_5)));
    const streams = [24, 16].map((count) =>
      streamOf(server, [
        repeatRequest(
          'E',
          Array.from({ length: count }, (_, at) => at),
        ),
      ]),
    );
    for (const [at, found] of (await server.during(Promise.all(streams))).entries()) {
      const count = [24, 16][at] ?? 0;
      expect(found.errors).toEqual([]);
      expect(found.values).toEqual(Array.from({ length: count }, (_, index) => index));
    }
    expect(server.counts('after').I).toBe(40);
  });

  it('row 97: a queue that overflows ends the stream with one error; later requests work', async () => {
    const files = streaming(
      undefined,
      `${DELAY_5} dynamic_batching { default_queue_policy { max_queue_size: 4 } }`,
    );
    await using server = await WireWorld.create(models(files));
    const found = await server.during(
      streamOf(server, [
        repeatRequest(
          'E',
          Array.from({ length: 32 }, (_, at) => at),
        ),
      ]),
    );
    expect(found.errors).toHaveLength(1);
    expect(found.errors[0]).toContain('Exceeds maximum queue size');
    expect(found.errors[0]?.startsWith(`in ensemble 'E', `)).toBe(true);
    const again = await server.during(streamOf(server, [repeatRequest('E', [1, 2])]));
    expect([again.values, again.errors]).toEqual([[1, 2], []]);
  });

  it('row 98: a step fed by two decoupled models is refused at load', async () => {
    const files = models({
      one: repeatConfig(),
      two: repeatConfig(),
      join: `backend: "identity" max_batch_size: 0
        input [ { name: "INPUT0" data_type: TYPE_INT32 dims: [ 1 ] }, { name: "INPUT1" data_type: TYPE_INT32 dims: [ 1 ] } ]
        output [ { name: "OUTPUT0" data_type: TYPE_INT32 dims: [ 1 ] }, { name: "OUTPUT1" data_type: TYPE_INT32 dims: [ 1 ] } ]`,
      E: `platform: "ensemble" max_batch_size: 0
        input [ { name: "IN" data_type: TYPE_INT32 dims: [ -1 ] }, { name: "DELAY" data_type: TYPE_UINT32 dims: [ -1 ] }, { name: "WAIT" data_type: TYPE_UINT32 dims: [ 1 ] } ]
        output [ { name: "OUT" data_type: TYPE_INT32 dims: [ 1 ] } ]
        ensemble_scheduling { ${['one', 'two'].map((name) => `step { model_name: "${name}" model_version: -1 input_map { key: "IN" value: "IN" } input_map { key: "DELAY" value: "DELAY" } input_map { key: "WAIT" value: "WAIT" } output_map { key: "OUT" value: "${name}_out" } }`).join(' ')}
          step { model_name: "join" model_version: -1 input_map { key: "INPUT0" value: "one_out" } input_map { key: "INPUT1" value: "two_out" } output_map { key: "OUTPUT0" value: "OUT" } } }`,
    });
    await using server = await WireWorld.create(files, { options: { server: { exitOnError: false } } });
    expect(await server.load('E')).toContain(
      `in ensemble E, step of model 'join' receives inputs originated from different decoupled models`,
    );
  });

  it.each(['-1', '"4"', '4294967296'])(
    'row 99: max_inflight_requests: %s is refused at load',
    async (limit) => {
      await using server = await WireWorld.create(models(streaming(limit)), {
        options: { server: { exitOnError: false } },
      });
      expect(await server.load('E')).toBe(`failed to load 'E', failed to poll from model repository`);
    },
  );

  it('row 100: an ensemble follows its composing model', async () => {
    const files = models({
      M: identity({}),
      E: ensemble({ inputs: ['IN'], outputs: ['OUT'], steps: [pass('M', 'IN', 'OUT')] }),
    });
    await using server = await WireWorld.create(
      { ...files },
      {
        options: { repository: { startupModels: [] } },
      },
    );
    await server.repository.move('M', '../away');
    expect(await server.load('E')).toBe(
      `load failed for model 'E': ensemble E contains models that are not available or ambiguous: M\n`,
    );
    await server.repository.move('../away', 'M');
    expect(await server.load('M')).toBe('');
    expect(await server.load('E')).toBe('');
    const [works] = await server.place('E', [one()]);
    expect((await works?.done)?.status).toBe(200);
    await server.unload('M');
    expect((await server.send('E', one()).done).error).toBe(
      `Request for unknown model: 'E' has no available versions`,
    );
    expect(await server.load('M')).toBe('');
    const [back] = await server.place('E', [one()]);
    expect((await back?.done)?.status).toBe(200);
  });
});
