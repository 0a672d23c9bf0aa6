// Models in JavaScript out of a folder of their own, loaded and run without a server.

import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import { javascriptBackend } from '../backends/javascript/javascript-backend.ts';
import { systemClock } from '../base/clock.ts';
import type { BackendModel, ModelInstance } from '../inference/backend.ts';
import type { ExecutionReporter } from '../inference/execution.ts';
import type { InferenceRequest } from '../inference/inference-request.ts';
import type { ModelInvoker } from '../inference/model-invoker.ts';
import { fakeSpec } from './fake-backend.ts';
import { AnswerBook, int32Input, int32Values, modelConfig } from './tensors.ts';

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
  /** Of version 1, `model.mjs` unless said. */
  readonly file?: string;
  readonly config?: Partial<ModelConfig>;
  readonly invoker?: ModelInvoker;
}

/** A model with one instance. What it reported and answered is read from `reports` and `book`. */
interface StartedModel {
  readonly instance: ModelInstance;
  readonly model: BackendModel;
  readonly book: AnswerBook;
  readonly reports: Reports;
  run(...requests: InferenceRequest[]): Promise<void>;
}

/** Call `close` at the end: it closes what was started, and takes the folder away. */
export class JavascriptWorld {
  readonly modelDir: string;
  readonly #open: (ModelInstance | BackendModel)[] = [];

  private constructor(modelDir: string) {
    this.modelDir = modelDir;
  }

  /** Makes the model's folder, with an empty version 1. */
  static async create(): Promise<JavascriptWorld> {
    const modelDir = await mkdtemp(path.join(os.tmpdir(), 'conch-js-'));
    await mkdir(path.join(modelDir, '1'));
    return new JavascriptWorld(modelDir);
  }

  /** Rejects with what the load says of `code`. */
  async start(code: string, setup: Setup = {}): Promise<StartedModel> {
    const { modelDir } = this;
    const versionDir = path.join(modelDir, '1');
    await writeFile(path.join(versionDir, setup.file ?? 'model.mjs'), code);
    const reports = new Reports();
    const { signal } = new AbortController();
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
      versionDir,
    });
    this.#open.push(model);
    const instance = await model.createInstance(fakeSpec(), { signal });
    this.#open.push(instance);
    return {
      instance,
      model,
      book: new AnswerBook(),
      reports,
      run: (...requests) => instance.execute({ requests, batchSize: requests.length, closeReason: 'direct' }),
    };
  }

  /** Closes what was started, the latest first, then removes the folder. */
  async close(): Promise<void> {
    for (const each of this.#open.reverse()) await each.close();
    await rm(this.modelDir, { recursive: true, force: true });
  }
}

/** Requests one INT32 tensor and asks for OUTPUT0. */
export function ask(book: AnswerBook, values: number[], id = ''): InferenceRequest {
  return book.request({
    id,
    inputs: [int32Input('INPUT0', [values.length], values)],
    requestedOutputs: ['OUTPUT0'],
  });
}

/** The INT32 elements of every output, by response and request. */
export const values = (book: AnswerBook): number[][][] =>
  book.answers.map(({ responses }) =>
    responses.map(({ outputs }) => outputs.flatMap(({ bytes }) => int32Values(bytes))),
  );

/** A model that answers INPUT0 twice as large. */
export const DOUBLE = `export function execute(requests) {
  return requests.map(({ inputs }) => ({ outputs: { OUTPUT0: inputs.INPUT0.data.map((x) => x * 2) } }));
}`;

/** For a model that may answer a request any number of times. */
export const decoupled: Partial<ModelConfig> = { modelTransactionPolicy: { decoupled: true } };
