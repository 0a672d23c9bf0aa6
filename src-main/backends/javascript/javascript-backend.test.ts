import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import { notFound } from '../../../src-shared/errors.ts';
import { systemClock } from '../../base/clock.ts';
import type { BackendModel, ModelInstance } from '../../inference/backend.ts';
import type { ExecutionReporter } from '../../inference/execution.ts';
import type { InferenceRequest } from '../../inference/inference-request.ts';
import type { ModelInvoker } from '../../inference/model-invoker.ts';
import { fakeSpec } from '../../testing/fake-backend.ts';
import {
  AnswerBook,
  inputConfig,
  int32Input,
  int32Values,
  modelConfig,
  outputConfig,
  textInput,
} from '../../testing/tensors.ts';
import { javascriptBackend } from './javascript-backend.ts';

let modelDir: string;
let open: (ModelInstance | BackendModel)[] = [];

beforeEach(async () => {
  modelDir = await mkdtemp(path.join(os.tmpdir(), 'conch-js-'));
  await mkdir(path.join(modelDir, '1'));
});

afterEach(async () => {
  for (const each of open.reverse()) await each.close();
  open = [];
  await rm(modelDir, { recursive: true, force: true });
});

class Reports implements ExecutionReporter {
  readonly requests: boolean[] = [];
  readonly executions: number[] = [];
  readonly responses: string[] = [];

  request(_request: InferenceRequest, isSuccess: boolean): void {
    this.requests.push(isSuccess);
  }

  execution(batchSize: number): void {
    this.executions.push(batchSize);
  }

  response(_request: InferenceRequest, report: { index: number; kind: string }): void {
    this.responses.push(`${report.index} ${report.kind}`);
  }
}

interface Setup {
  readonly file?: string;
  readonly config?: Partial<ModelConfig>;
  readonly invoker?: ModelInvoker;
}

async function start(
  code: string,
  setup: Setup = {},
): Promise<{
  instance: ModelInstance;
  model: BackendModel;
  book: AnswerBook;
  reports: Reports;
  run(...requests: InferenceRequest[]): Promise<void>;
}> {
  await writeFile(path.join(modelDir, '1', setup.file ?? 'model.mjs'), code);
  const reports = new Reports();
  const signal = new AbortController().signal;
  const model = await javascriptBackend.load({
    config: modelConfig({ maxBatchSize: 0, ...setup.config }),
    clock: systemClock,
    backendConfig: new Map(),
    reporter: reports,
    invoker: setup.invoker,
    signal,
    modelName: 'M',
    version: '1',
    modelDir,
    versionDir: path.join(modelDir, '1'),
  });
  open.push(model);
  const instance = await model.createInstance(fakeSpec(), { signal });
  open.push(instance);
  return {
    instance,
    model,
    book: new AnswerBook(),
    reports,
    run: (...requests) => instance.execute({ requests, batchSize: requests.length, closeReason: 'direct' }),
  };
}

/** Requests one INT32 tensor and asks for OUTPUT0. */
function ask(book: AnswerBook, values: number[], id = ''): InferenceRequest {
  return book.request({
    id,
    inputs: [int32Input('INPUT0', [values.length], values)],
    requestedOutputs: ['OUTPUT0'],
  });
}

const values = (book: AnswerBook): number[][][] =>
  book.answers.map(({ responses }) =>
    responses.map(({ outputs }) => outputs.flatMap(({ bytes }) => int32Values(bytes))),
  );

const DOUBLE = `export function execute(requests) {
  return requests.map(({ inputs }) => ({ outputs: { OUTPUT0: inputs.INPUT0.data.map((x) => x * 2) } }));
}`;

const decoupled: Partial<ModelConfig> = { modelTransactionPolicy: { decoupled: true } };

describe('one response per request', () => {
  test('answers every request of a batch with its own outputs', async () => {
    const { book, reports, run } = await start(DOUBLE);
    await run(ask(book, [1, 2]), ask(book, [5]));
    expect(values(book)).toEqual([[[2, 4]], [[10]]]);
    expect(reports).toMatchObject({ requests: [true, true], executions: [2], responses: [] });
    expect(book.answers.map(({ releaseCount }) => releaseCount)).toEqual([1, 1]);
  });

  test('runs TypeScript, and a class as default export with initialize', async () => {
    const { book, run } = await start(
      `export default class Offset {
        private offset: number = 0;
        initialize(context: { parameters: Record<string, string> }): void {
          this.offset = Number(context.parameters['offset']);
        }
        execute(requests: readonly any[]) {
          return requests.map((r) => ({ outputs: { OUTPUT0: { shape: [1], data: [r.inputs.INPUT0.data[0] + this.offset] } } }));
        }
      }`.replaceAll('private offset', 'offset'),
      { file: 'model.ts', config: { parameters: { offset: { stringValue: '40' } } } },
    );
    await run(ask(book, [2]));
    expect(values(book)).toEqual([[[42]]]);
  });

  test('gives text elements and takes texts back', async () => {
    const text = { dataType: 'TYPE_STRING' } as const;
    const { book, run } = await start(
      `export const execute = (requests) => requests.map(({ inputs }) => ({
        outputs: { OUTPUT0: inputs.INPUT0.texts().map((t) => t.toUpperCase()) }, parameters: { count: 2n } }));`,
      { config: { input: [inputConfig(text)], output: [outputConfig(text)] } },
    );
    const request = book.request({
      inputs: [textInput('INPUT0', [2], ['ab', 'é'])],
      requestedOutputs: ['OUTPUT0'],
    });
    await run(request);
    const response = book.answers[0]?.responses[0];
    expect(Buffer.from(response?.outputs[0]?.bytes ?? []).toString()).toBe('\u0002\0\0\0AB\u0002\0\0\0É');
    expect(response?.parameters.get('count')).toBe(2n);
  });

  test('leaves out outputs nobody asked for and undoes an output reshape', async () => {
    const { book, run } = await start(
      `export const execute = (requests) => requests.map(() => ({
        outputs: { OUTPUT0: { shape: [1, 2, 1], data: [7, 8] }, OTHER: [1] } }));`,
      {
        config: {
          output: [
            outputConfig({ dims: [2], reshape: { shape: [1, 2, 1] } }),
            outputConfig({ name: 'OTHER' }),
          ],
        },
      },
    );
    await run(ask(book, [1]));
    expect(book.answers[0]?.responses[0]?.outputs.map(({ name, shape }) => [name, shape])).toEqual([
      ['OUTPUT0', [2]],
    ]);
  });

  test.each([
    ['none', ``, 0],
    ['two', `await requests[0].send({}); await requests[0].send({})`, 2],
  ])('leaves it to the receiver to judge %s', async (_name, body, count) => {
    const { book, run } = await start(`export async function execute(requests) { ${body} }`);
    await run(ask(book, [1], 'r'));
    expect(book.answers[0]).toMatchObject({ finalCount: 1, releaseCount: 1 });
    expect(book.answers[0]?.responses).toHaveLength(count);
  });

  test.each([
    ['throws', `throw new Error('boom')`, `model 'M' version 1: execute failed: boom`],
    [
      'throws with a code',
      `throw Object.assign(new Error('no'), { code: 'UNSUPPORTED' })`,
      'execute failed: no',
    ],
    ['returns too few', `return []`, 'got 0 for 1 requests'],
    ['returns no array', `return 5`, 'must return an array of 1 responses, got number'],
    ['answers with an error', `return [{ error: 'not today' }]`, 'not today'],
    ['names an unknown output', `return [{ outputs: { NOPE: [1] } }]`, `unexpected inference output 'NOPE'`],
    [
      'has the wrong type',
      `return [{ outputs: { OUTPUT0: new Float32Array(1) } }]`,
      'is INT32: expected Int32Array, got Float32Array',
    ],
    [
      'has the wrong size',
      `return [{ outputs: { OUTPUT0: { shape: [3], data: [1] } } }]`,
      'has 1 elements, but its shape [3] needs 3',
    ],
    [
      'gives a parameter that cannot travel',
      `return [{ parameters: { f: () => 1 } }]`,
      `parameter 'f' must be`,
    ],
  ])('a model that %s gives its clients that error and goes on', async (_name, body, message) => {
    const { book, reports, run } = await start(
      `export async function execute(requests) { if (requests[0].id === 'bad') { ${body} ; return; }
        return requests.map(() => ({ outputs: { OUTPUT0: [1] } })); }`,
    );
    await run(ask(book, [1], 'bad'));
    await run(ask(book, [1], 'good'));
    expect(book.answers[0]?.error?.message).toContain(message);
    expect(book.outcomes[1]).toBe('ok');
    expect(reports.requests).toEqual([false, true]);
    expect(book.answers.map(({ finalCount, releaseCount }) => [finalCount, releaseCount])).toEqual([
      [1, 1],
      [1, 1],
    ]);
  });
});

describe('decoupled models', () => {
  test('stream responses from generators, in order, then the final flag', async () => {
    const { book, reports, run } = await start(
      `async function* count(request) {
        for (let n = 0; n < request.inputs.INPUT0.data[0]; n += 1) yield { outputs: { OUTPUT0: [n] } };
      }
      export const execute = (requests) => requests.map(count);`,
      { config: decoupled },
    );
    await run(ask(book, [3]), ask(book, [0]));
    await expect.poll(() => book.answers.map(({ isDone }) => isDone)).toEqual([true, true]);
    expect(values(book)).toEqual([[[[0]], [[1]], [[2]]].flat(), []]);
    expect(book.answers[0]?.finalCount).toBe(1);
    expect(reports.responses.filter((line) => line.includes('success'))).toHaveLength(3);
  });

  test('send after execute returned, and stop when the caller goes away', async () => {
    const { book, run } = await start(
      `export function execute([request]) {
        void (async () => {
          for (let n = 0; !request.signal.aborted; n += 1) {
            await request.send({ outputs: { OUTPUT0: [n] } });
            await new Promise((resolve) => setImmediate(resolve));
          }
          await request.end();
        })();
      }`,
      { config: decoupled },
    );
    const request = ask(book, [1]);
    await run(request);
    await expect.poll(() => book.answers[0]?.responses.length).toBeGreaterThan(2);
    request.cancel();
    await expect.poll(() => book.answers[0]?.isDone).toBe(true);
    expect(book.answers[0]?.releaseCount).toBe(1);
  });

  test('a generator that throws ends its stream with the error', async () => {
    const { book, run } = await start(
      `async function* broken() { yield { outputs: { OUTPUT0: [1] } }; throw new Error('half way'); }
      export const execute = (requests) => requests.map(broken);`,
      { config: decoupled },
    );
    await run(ask(book, [1]));
    await expect.poll(() => book.outcomes[0]).toBe('INTERNAL');
    expect(book.answers[0]?.responses).toHaveLength(2);
  });
});

describe('threads', () => {
  test('a model that ends its thread fails what it had and starts again for the next payload', async () => {
    const { book, run } = await start(
      `export function execute(requests) {
        if (requests[0].id === 'die') process.exit(3);
        return requests.map(() => ({ outputs: { OUTPUT0: [1] } })); }`,
    );
    await run(ask(book, [1], 'die'));
    expect(book.answers[0]?.error?.message).toContain(`the thread of instance 'M_0' ended (exit code 3)`);
    await run(ask(book, [1]));
    expect(book.outcomes).toEqual(['INTERNAL', 'ok']);
  });

  test('code that hangs is ended by execute_timeout_ms', async () => {
    const { book, run } = await start(`export function execute() { for (;;); }`, {
      config: { parameters: { execute_timeout_ms: { stringValue: '50' } } },
    });
    await run(ask(book, [1]));
    expect(book.answers[0]?.error?.message).toContain('took longer than execute_timeout_ms = 50');
  });

  test('code that hangs while unloading is ended', async () => {
    const { instance } = await start(
      `export const execute = () => []; export function finalize() { for (;;); }`,
      { config: { parameters: { unload_timeout_ms: { stringValue: '50' } } } },
    );
    await instance.close();
  });

  test('a stream that never ends is failed while unloading, and nothing is executed after it', async () => {
    const { book, run, model } = await start(`export const execute = () => undefined;`, {
      config: { ...decoupled, parameters: { unload_timeout_ms: { stringValue: '50' } } },
    });
    await run(ask(book, [1]));
    model.unloading?.();
    await expect.poll(() => book.outcomes[0]).toBe('UNAVAILABLE');
    expect(book.answers[0]?.releaseCount).toBe(1);
    await expect(run(ask(book, [1]))).rejects.toThrow('is being unloaded');
  });

  test.each([
    ['no execute', 'export const run = 1;', `exports no function 'execute'; it exports ["run"]`],
    ['a syntax error', 'export const = 1;', 'cannot load'],
    [
      'a failing initialize',
      `export function execute() {} export function initialize() { throw new Error('no weights'); }`,
      'no weights',
    ],
  ])('%s is said at load', async (_name, code, message) => {
    await expect(start(code)).rejects.toThrow(message);
  });

  test('a missing model file is said at load', async () => {
    await expect(start(DOUBLE, { file: 'other.js' })).rejects.toThrow(
      'found none of model.js, model.mjs, model.cjs, model.ts',
    );
  });
});

describe('calls to other models', () => {
  const CALLER = `export async function execute(requests, context) {
    return Promise.all(requests.map(async ({ inputs }) => {
      const { outputs } = await context.infer({ model: 'other', inputs: { X: { datatype: 'INT32', shape: [1], data: inputs.INPUT0.data } } });
      return { outputs: { OUTPUT0: outputs.Y.data } };
    })); }`;

  test('go through the invoker and release the model', async () => {
    let released = 0;
    const invoker: ModelInvoker = {
      use: (name, version) => ({
        name,
        version: '7',
        config: modelConfig(),
        isDecoupled: false,
        infer: (request) => {
          expect([name, version]).toEqual(['other', -1]);
          const bytes = Uint8Array.of(9, 0, 0, 0);
          void request.respondOutputs([{ name: 'Y', datatype: 'INT32', shape: [1], bytes }], true);
          request.release();
        },
        release: () => {
          released += 1;
        },
      }),
    };
    const { book, run } = await start(CALLER, { invoker });
    await run(ask(book, [1]));
    expect(values(book)).toEqual([[[9]]]);
    expect(released).toBe(1);
  });

  test('hand on the code and text of a refusal', async () => {
    const invoker: ModelInvoker = {
      use: () => {
        throw notFound(`Request for unknown model: 'other' is not found`);
      },
    };
    const { book, run } = await start(CALLER, { invoker });
    await run(ask(book, [1]));
    expect(book.answers[0]?.error).toMatchObject({
      code: 'NOT_FOUND',
      message: `Request for unknown model: 'other' is not found`,
    });
  });
});
