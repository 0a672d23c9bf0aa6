// A server with models of a framework over real sockets. A maker, a Python program in `makers`, writes the model files;
// configurations are text of the test.

import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { systemClock } from '../../src-main/base/clock.ts';
import { GrpcInferClient } from '../../src-main/client/grpc-client.ts';
import { servedVersions } from '../../src-main/control/catalog/serving-model.ts';
import { counterState, hostMemory, statisticsView } from '../../src-main/control/observe/statistics-view.ts';
import type { Engine } from '../../src-main/engine.ts';
import type { LogRecord } from '../../src-main/base/log.ts';
import { addLogSink } from '../../src-main/base/log.ts';
import { startTestEngine } from '../../src-main/testing/start-test-engine.ts';
import { TempRepository } from '../../src-main/testing/temp-repository.ts';
import { testPython } from '../../src-main/testing/test-python.ts';

type ModelHost = NonNullable<ReturnType<typeof statisticsView>['instances'][number]['host']>;

const MAKERS = path.join(import.meta.dirname, 'makers');
const run = promisify(execFile);

/** One input of a request: rows of numbers or strings. */
export interface SentInput {
  readonly name: string;
  readonly datatype: string;
  readonly shape: readonly number[];
  readonly data: readonly unknown[];
}

export interface Reply {
  readonly status: number;
  /** "" when there is none. */
  readonly error: string;
  readonly outputs: Readonly<
    Record<string, { readonly shape: readonly number[]; readonly data: readonly unknown[] }>
  >;
}

export interface TestModel {
  /** Name of what the maker wrote. */
  readonly made?: string;
  /** Text of config.pbtxt; undefined = no file. */
  readonly config?: string;
  /** Where the made file goes, relative to the model; "1/" and its own name when absent. */
  readonly at?: string;
}

export class FrameworkWorld {
  readonly repository: TempRepository;
  readonly engine: Engine;
  readonly logs: LogRecord[];
  readonly #made: string;
  readonly #removeSink: () => void;
  #grpc: GrpcInferClient | undefined;

  private constructor(
    repository: TempRepository,
    engine: Engine,
    logs: LogRecord[],
    made: string,
    removeSink: () => void,
  ) {
    this.repository = repository;
    this.engine = engine;
    this.logs = logs;
    this.#made = made;
    this.#removeSink = removeSink;
  }

  /** `maker`: "torch_models.py"; `module`: the package that finds the Python, which the backends get. */
  static async create(
    maker: string,
    module: string,
    backends: string | readonly string[],
    more: {
      readonly isPolled?: boolean;
      /** Backend, key, value of `--backend-config`. */
      readonly settings?: readonly (readonly [string, string, string])[];
      /** GPUs that the machine is said to have; default: its own. */
      readonly gpus?: readonly number[];
      /** Configurations are completed, unless they must not be. */
      readonly isStrict?: boolean;
    } = {},
  ): Promise<FrameworkWorld> {
    const python = testPython(module) ?? '';
    const made = await mkdtemp(path.join(os.tmpdir(), 'conch-made-'));
    await run(python, [path.join(MAKERS, maker), made], {
      env: { ...process.env, TF_CPP_MIN_LOG_LEVEL: '3' },
    });
    const repository = await TempRepository.create({});
    const logs: LogRecord[] = [];
    const removeSink = addLogSink((record) => logs.push(record));
    const engine = await startTestEngine(
      repository.path,
      {
        server: { exitOnError: false },
        repository: {
          ...(more.isPolled === true ? { controlMode: 'poll' as const, pollSec: 1 } : { startupModels: [] }),
          autoCompleteConfig: more.isStrict !== true,
        },
        backends: {
          settings: [
            ...[backends].flat().map((backend) => ({ backend, key: 'python-executable', value: python })),
            ...(more.settings ?? []).map(([backend, key, value]) => ({ backend, key, value })),
          ],
        },
      },
      more.gpus === undefined ? {} : { gpuInventory: more.gpus.map((id) => ({ id })) },
    );
    return new FrameworkWorld(repository, engine, logs, made, removeSink);
  }

  /** Writes or replaces a model and loads it; the error text, "" when it succeeded. */
  async load(name: string, model?: TestModel): Promise<string> {
    if (model !== undefined) await this.write(name, model);
    const { status, body } = await this.call(`repository/models/${name}/load`, {});
    return status === 200 ? '' : (body as { readonly error: string }).error;
  }

  /** The processes of a model's instances, as the window shows them. */
  async hosts(name: string): Promise<readonly ModelHost[]> {
    const served = servedVersions(this.engine.repository, name, '');
    const memory = await hostMemory(served);
    return served.flatMap((model) =>
      statisticsView(model, {
        now: counterState(model, 0),
        since: undefined,
        busy: [],
        memory,
      }).instances.flatMap(({ host }) => host ?? []),
    );
  }

  async unload(name: string): Promise<void> {
    await this.call(`repository/models/${name}/unload`, {});
  }

  async config(name: string): Promise<Readonly<Record<string, unknown>>> {
    return (await this.call(`models/${name}/config`)).body as Record<string, unknown>;
  }

  /** How many inferences its statistics tell, all versions together. */
  async inferenceCount(name: string): Promise<number> {
    const { body } = await this.call(`models/${name}/stats`);
    const { model_stats } = body as { readonly model_stats: readonly { readonly inference_count: number }[] };
    return model_stats.reduce((sum, { inference_count }) => sum + inference_count, 0);
  }

  async infer(
    model: string,
    inputs: readonly SentInput[],
    more: Readonly<Record<string, unknown>> = {},
  ): Promise<Reply> {
    const { status, body } = await this.call(`models/${model}/infer`, { inputs, ...more });
    const { error = '', outputs = [] } = body as {
      readonly error?: string;
      readonly outputs?: readonly { name: string; shape: number[]; data: unknown[] }[];
    };
    return {
      status,
      error,
      outputs: Object.fromEntries(outputs.map(({ name, shape, data }) => [name, { shape, data }])),
    };
  }

  async call(route: string, body?: unknown): Promise<{ readonly status: number; readonly body: unknown }> {
    const reply = await fetch(
      `http://127.0.0.1:${this.engine.ports.http}/v2/${route}`,
      body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) },
    );
    const text = await reply.text();
    return { status: reply.status, body: text === '' ? {} : (JSON.parse(text) as unknown) };
  }

  /** Messages in the log that hold the text. */
  logged(text: string): string[] {
    return this.logs.map(({ message }) => message).filter((message) => message.includes(text));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#grpc?.close();
    await this.engine.close();
    this.#removeSink();
    await this.repository.close();
    await rm(this.#made, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }

  /** The text of a file that the maker wrote. */
  async madeText(name: string): Promise<string> {
    return (await this.madeBytes(name)).toString();
  }

  madeBytes(name: string): Promise<Buffer> {
    return readFile(path.join(this.#made, name));
  }

  get grpc(): GrpcInferClient {
    this.#grpc ??= new GrpcInferClient(`127.0.0.1:${this.engine.ports.grpc}`, { clock: systemClock });
    return this.#grpc;
  }

  /** Writes or replaces a model without loading it. */
  async write(name: string, { made, config, at }: TestModel): Promise<void> {
    if (config !== undefined) await this.repository.write({ [`${name}/config.pbtxt`]: config });
    await mkdir(path.join(this.repository.path, name, '1'), { recursive: true });
    if (made === undefined) return;
    const target = path.join(this.repository.path, name, at ?? `1/${made.split('/').at(-1) ?? made}`);
    await cp(path.join(this.#made, made), target, { recursive: true });
  }
}

/** FP32 input of one row. */
export const floats = (
  name: string,
  data: readonly number[],
  shape: readonly number[] = [1, data.length],
): SentInput => ({
  name,
  datatype: 'FP32',
  shape,
  data,
});

export const tensor = (name: string, type: string, dims: string, more = ''): string =>
  `{ name: "${name}" data_type: ${type} dims: [ ${dims} ] ${more} }`;
