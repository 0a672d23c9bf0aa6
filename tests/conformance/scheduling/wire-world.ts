// A whole server over real sockets on a clock that the test moves: what a client is told, and what the statistics say,
// without waiting for anything. `place` sends requests one after another, each once the one before has been taken.

import { expect } from 'vitest';
import { GrpcInferClient } from '../../../src-main/client/grpc-client.ts';
import type { Engine } from '../../../src-main/engine.ts';
import type { EngineDeps } from '../../../src-main/create-engine.ts';
import type { Model } from '../../../src-main/repository/model.ts';
import { FakeClock } from '../../../src-main/testing/fake-clock.ts';
import type { TestEngineOptions } from '../../../src-main/testing/start-test-engine.ts';
import { startTestEngine } from '../../../src-main/testing/start-test-engine.ts';
import type { RepositoryFiles } from '../../../src-main/testing/temp-repository.ts';
import { TempRepository } from '../../../src-main/testing/temp-repository.ts';

export interface WireInput {
  readonly name: string;
  readonly datatype?: string;
  readonly shape: readonly number[];
  readonly data: readonly (number | string | boolean)[];
}

export interface WireRequest {
  readonly inputs: readonly WireInput[];
  readonly id?: string;
  readonly version?: string;
  readonly outputs?: readonly string[];
  readonly parameters?: Readonly<Record<string, unknown>>;
}

export interface WireOutput {
  readonly name: string;
  readonly shape: readonly number[];
  readonly data: readonly (number | string | boolean)[];
}

export interface Reply {
  readonly status: number;
  readonly error: string;
  readonly id: string | undefined;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly outputs: readonly WireOutput[];
}

/** One request under way; `reply` is there once the answer is. */
export interface Sent {
  reply: Reply | undefined;
  readonly done: Promise<Reply>;
}

/** The statistics that dispatch decisions show in. */
export interface Counts {
  /** Batch size -> executions. */
  readonly batches: Readonly<Record<number, number>>;
  /** inference_count and execution_count. */
  readonly I: number;
  readonly E: number;
  readonly success: number;
  readonly fail: number;
  readonly hit: number;
  readonly miss: number;
}

export interface WireWorldOptions {
  readonly options?: TestEngineOptions;
  readonly deps?: EngineDeps;
  /** Hold schedulers back until this many requests are queued (TRITONSERVER_DELAY_SCHEDULER). */
  readonly hold?: number;
  readonly holdBacklog?: number;
}

export class WireWorld {
  readonly clock = new FakeClock();
  readonly repository: TempRepository;
  #engine: Engine | undefined;
  #grpc: GrpcInferClient | undefined;
  #takenCount = 0;

  private constructor(repository: TempRepository) {
    this.repository = repository;
  }

  static async create(files: RepositoryFiles, options: WireWorldOptions = {}): Promise<WireWorld> {
    const world = new WireWorld(await TempRepository.create(files));
    world.#engine = await startTestEngine(
      world.repository.path,
      { log: { info: false, warning: false, error: false }, ...options.options },
      {
        clock: world.clock,
        hooks: {
          delayUntilQueuedCount: options.hold ?? 0,
          delayUntilBacklogCount: options.holdBacklog ?? 0,
        },
        ...options.deps,
      },
    );
    const { service } = world.engine;
    const infer = service.infer.bind(service);
    service.infer = (use, request) => {
      world.#takenCount += 1;
      infer(use, request);
    };
    return world;
  }

  get engine(): Engine {
    if (this.#engine === undefined) throw new Error('the engine was not started');
    return this.#engine;
  }

  get http(): string {
    return `http://127.0.0.1:${this.engine.ports.http}`;
  }

  get grpc(): GrpcInferClient {
    this.#grpc ??= new GrpcInferClient(`127.0.0.1:${this.engine.ports.grpc}`, { clock: this.clock });
    return this.#grpc;
  }

  model(name: string, version = -1): Model {
    return this.engine.repository.find(name, version);
  }

  send(model: string, request: WireRequest): Sent {
    const done = this.#exchange(model, request);
    const sent: Sent = { reply: undefined, done };
    void done.then((reply) => (sent.reply = reply));
    return sent;
  }

  /** Sends in this order: each request is in the server's hands before the next one leaves. */
  async place(model: string, requests: readonly WireRequest[]): Promise<Sent[]> {
    const all: Sent[] = [];
    for (const request of requests) {
      const before = this.#takenCount;
      const sent = this.send(model, request);
      all.push(sent);
      await expect.poll(() => this.#takenCount > before || sent.reply !== undefined, FAST).toBe(true);
      await this.clock.advance(0);
    }
    return all;
  }

  /** Moves the clock. What falls due happens; replies travel afterwards. */
  advance(ms: number): Promise<void> {
    return this.clock.advance(ms);
  }

  /** Lets time run until the work is done, for models that take their time. */
  async during<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const end = (): void => {
      isDone = true;
    };
    work.then(end, end);
    while (!isDone) await this.clock.advance(1);
    return await work;
  }

  /** Requests that reached a scheduler's door, accepted or not. */
  get takenCount(): number {
    return this.#takenCount;
  }

  async taken(count: number): Promise<void> {
    await expect.poll(() => this.#takenCount, FAST).toBe(count);
    await this.clock.advance(0);
  }

  counts(name: string, version = -1): Counts {
    const { inference, inferenceCount, executionCount, batches } = this.model(
      name,
      version,
    ).runtime.statistics.snapshot();
    return {
      batches: Object.fromEntries(batches.map((batch) => [batch.batchSize, batch.computeInfer.count])),
      I: inferenceCount,
      E: executionCount,
      success: inference.success.count,
      fail: inference.fail.count,
      hit: inference.cacheHit.count,
      miss: inference.cacheMiss.count,
    };
  }

  async metrics(): Promise<string> {
    return (await fetch(`http://127.0.0.1:${this.engine.ports.metrics}/metrics`)).text();
  }

  /** nv_inference_request_failure of a model by reason, as the metrics port shows it. */
  async failures(name: string): Promise<Record<string, number>> {
    const found: Record<string, number> = {};
    for (const line of (await this.metrics()).split('\n')) {
      if (!line.startsWith('nv_inference_request_failure{') || !line.includes(`model="${name}"`)) continue;
      const reason = /reason="(\w+)"/.exec(line)?.[1] ?? '';
      found[reason] = Number(line.slice(line.lastIndexOf(' ') + 1));
    }
    return found;
  }

  /** Any call of the HTTP endpoint; gives status and parsed body. */
  async call(path: string, body?: unknown): Promise<{ readonly status: number; readonly body: unknown }> {
    const reply = await fetch(
      `${this.http}/v2/${path}`,
      body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) },
    );
    const text = await reply.text();
    return { status: reply.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
  }

  /** Error text of a load call, "" when it succeeded. */
  async load(model: string, parameters?: Readonly<Record<string, string>>): Promise<string> {
    const { status, body } = await this.call(
      `repository/models/${model}/load`,
      parameters === undefined ? {} : { parameters },
    );
    return status === 200 ? '' : (body as { error: string }).error;
  }

  async unload(model: string, parameters: object = {}): Promise<void> {
    await this.call(`repository/models/${model}/unload`, { parameters });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#grpc?.close();
    await Promise.all([this.#engine?.close(), this.clock.advance(60_000)]);
    await this.repository.close();
  }

  async #exchange(model: string, request: WireRequest): Promise<Reply> {
    const { id, version, outputs, parameters, inputs } = request;
    const at = version === undefined ? model : `${model}/versions/${version}`;
    const reply = await fetch(`${this.http}/v2/models/${at}/infer`, {
      method: 'POST',
      body: JSON.stringify({
        ...(id === undefined ? {} : { id }),
        ...(parameters === undefined ? {} : { parameters }),
        inputs: inputs.map((input) => ({ datatype: 'INT32', ...input })),
        ...(outputs === undefined ? {} : { outputs: outputs.map((name) => ({ name })) }),
      }),
    });
    const body = (await reply.json()) as Partial<Reply>;
    return {
      status: reply.status,
      error: body.error ?? '',
      id: body.id,
      parameters: body.parameters ?? {},
      outputs: body.outputs ?? [],
    };
  }
}

const FAST = { interval: 2, timeout: 20_000 };

/** Waits for all of them; gives 'ok' or the error text of each. */
export async function outcomes(sent: readonly Sent[]): Promise<string[]> {
  const replies = await Promise.all(sent.map(({ done }) => done));
  return replies.map(({ error }) => (error === '' ? 'ok' : error));
}

/** First output element of each, or the error text. */
export async function values(sent: readonly Sent[]): Promise<unknown[]> {
  const replies = await Promise.all(sent.map(({ done }) => done));
  return replies.map(({ error, outputs }) => (error === '' ? outputs[0]?.data[0] : error));
}

/** `rows` rows of `width` elements for INPUT0. */
export function rows(count: number, width = 1): WireRequest {
  return {
    inputs: [
      { name: 'INPUT0', shape: [count, width], data: Array.from({ length: count * width }, (_, at) => at) },
    ],
  };
}

/** Configuration text of an identity model: INPUT0 -> OUTPUT0, INT32 [-1]. */
export function identity(change: {
  readonly batching?: string;
  readonly maxBatchSize?: number;
  readonly delayMs?: number;
  readonly dims?: string;
  readonly input?: string;
  readonly more?: string;
}): string {
  const { batching = '', maxBatchSize = 8, delayMs = 0, dims = '-1', input = '', more = '' } = change;
  return `backend: "identity" max_batch_size: ${maxBatchSize}
input [ { name: "INPUT0" data_type: TYPE_INT32 dims: [ ${dims} ] ${input} } ]
output [ { name: "OUTPUT0" data_type: TYPE_INT32 dims: [ ${dims} ] } ]
parameters { key: "execute_delay_ms" value { string_value: "${delayMs}" } }
${more.includes('instance_group') ? '' : 'instance_group { kind: KIND_CPU count: 1 }'}
${batching} ${more}`;
}

/** Repository files of models without artefacts. */
export function models(configs: Readonly<Record<string, string>>): RepositoryFiles {
  return Object.fromEntries(
    Object.entries(configs).flatMap(([name, text]) => [
      [`${name}/config.pbtxt`, text],
      [`${name}/1/`, ''],
    ]),
  );
}
