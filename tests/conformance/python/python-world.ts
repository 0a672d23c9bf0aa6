// A server with Python models over real sockets, on the real clock. Models are given as the text of their `model.py`;
// what they all need is put in front.

import type { Engine } from '../../../src-main/engine.ts';
import { systemClock } from '../../../src-main/base/clock.ts';
import type { LogRecord } from '../../../src-main/base/log.ts';
import { addLogSink } from '../../../src-main/base/log.ts';
import { GrpcInferClient } from '../../../src-main/client/grpc-client.ts';
import type { TestEngineOptions } from '../../../src-main/testing/start-test-engine.ts';
import { startTestEngine } from '../../../src-main/testing/start-test-engine.ts';
import { TempRepository } from '../../../src-main/testing/temp-repository.ts';
import type { RepositoryFiles } from '../../../src-main/testing/temp-repository.ts';
import { testPython } from '../../../src-main/testing/test-python.ts';

export interface PythonModel {
  /** Text of model.py without imports; undefined = no file. */
  readonly code?: string;
  /** Text of config.pbtxt behind `backend: "python"`; undefined = INPUT0 and OUTPUT0, FP32 [-1]. null = no file. */
  readonly config?: string | null;
  readonly files?: RepositoryFiles;
}

export interface Reply {
  readonly status: number;
  /** "" when there is none. */
  readonly error: string;
  readonly outputs: readonly {
    readonly name: string;
    readonly shape: readonly number[];
    readonly data: readonly unknown[];
  }[];
  readonly parameters: Readonly<Record<string, unknown>>;
}

export const IMPORTS = `import asyncio, json, os, sys, threading, time
import numpy as np
import triton_python_backend_utils as pb_utils
from triton_python_backend_utils import InferenceRequest, InferenceResponse, Tensor, TritonError
`;

export const ONE_TO_ONE = `input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ -1 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ -1 ] } ]`;

/** A class whose execute has this body; `indent` lines are put inside of it. */
export function executing(body: string): string {
  return `class TritonPythonModel:\n    def execute(self, requests):\n${indented(body, 8)}\n`;
}

export function indented(text: string, count: number): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? line : ' '.repeat(count) + line))
    .join('\n');
}

export class PythonWorld {
  readonly repository: TempRepository;
  readonly engine: Engine;
  readonly logs: LogRecord[] = [];
  #grpc: GrpcInferClient | undefined;
  #removeSink: () => void;

  private constructor(repository: TempRepository, engine: Engine, logs: LogRecord[], removeSink: () => void) {
    this.repository = repository;
    this.engine = engine;
    this.logs = logs;
    this.#removeSink = removeSink;
  }

  static async create(
    models: Readonly<Record<string, PythonModel>>,
    options: TestEngineOptions = {},
  ): Promise<PythonWorld> {
    const files = Object.entries(models).flatMap(([name, model]) => Object.entries(modelFiles(name, model)));
    const repository = await TempRepository.create(Object.fromEntries(files));
    const logs: LogRecord[] = [];
    const removeSink = addLogSink((record) => logs.push(record));
    const python = { backend: 'python', key: 'python-executable', value: testPython() ?? '' };
    const engine = await startTestEngine(repository.path, {
      server: { exitOnError: false },
      ...options,
      backends: { ...options.backends, settings: [python, ...(options.backends?.settings ?? [])] },
    });
    return new PythonWorld(repository, engine, logs, removeSink);
  }

  get http(): string {
    return `http://127.0.0.1:${this.engine.ports.http}`;
  }

  get grpc(): GrpcInferClient {
    this.#grpc ??= new GrpcInferClient(`127.0.0.1:${this.engine.ports.grpc}`, { clock: systemClock });
    return this.#grpc;
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

  /** One FP32 input INPUT0, by HTTP. */
  async ask(
    model: string,
    values: readonly number[] = [1, 2],
    more: Readonly<Record<string, unknown>> = {},
  ): Promise<Reply> {
    const input = { name: 'INPUT0', datatype: 'FP32', shape: [values.length], data: values };
    return await this.infer(model, { inputs: [input], ...more });
  }

  async infer(model: string, request: Readonly<Record<string, unknown>>): Promise<Reply> {
    const { status, body } = await this.call(`models/${model}/infer`, request);
    const reply = body as Partial<Reply>;
    return {
      status,
      error: reply.error ?? '',
      outputs: reply.outputs ?? [],
      parameters: reply.parameters ?? {},
    };
  }

  /** Writes or replaces a model and loads it; the error text, "" when it succeeded. */
  async load(name: string, model?: PythonModel): Promise<string> {
    if (model !== undefined) await this.repository.write(modelFiles(name, model));
    const { status, body } = await this.call(`repository/models/${name}/load`, {});
    return status === 200 ? '' : (body as { error: string }).error;
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
  }
}

function modelFiles(name: string, { code, config, files = {} }: PythonModel): RepositoryFiles {
  const own: Record<string, string | Uint8Array> = {};
  if (config !== null) own[`${name}/config.pbtxt`] = `backend: "python"\n${config ?? ONE_TO_ONE}`;
  if (code !== undefined) own[`${name}/1/model.py`] = IMPORTS + code;
  for (const [file, content] of Object.entries(files)) own[`${name}/${file}`] = content;
  return own;
}
