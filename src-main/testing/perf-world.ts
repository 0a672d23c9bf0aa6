// What the Perf lab works with, from memory: a host with one model, and generator processes that a test speaks for.

import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { notFound, ServerError } from '../../src-shared/errors.ts';
import type { ProcessEnd, ProcessSpawner } from '../base/process-spawner.ts';
import type { HostedModel, PerfModelHost } from '../perf/runs/model-host.ts';
import type { FromGenerator, ToGenerator } from '../perf/process/perf-messages.ts';

/** A host of the model 'm' that notes what it is asked to do. */
export class FakeModelHost implements PerfModelHost {
  model: HostedModel = {
    repository: '/models',
    isReady: true,
    device: 'CPU',
    fileText: 'name: "m"\nmax_batch_size: 8\n',
    fileHash: 'h1',
    effectiveText: 'name: "m"\nmax_batch_size: 8\nbackend: "onnxruntime"\n',
    hasOverride: false,
  };
  endpoints: ReturnType<PerfModelHost['addresses']> = { http: '127.0.0.1:9000', grpc: '127.0.0.1:9001' };
  /** "load TEXT", "reload" and "write TEXT", in order. */
  readonly done: string[] = [];
  /** Called before a load or a reload; throws to refuse it. */
  beforeLoad: (text: string) => Promise<void> | void = () => undefined;

  describe(model: string): Promise<HostedModel> {
    return model === 'm' ? Promise.resolve(this.model) : Promise.reject(notFound(`there is no '${model}'`));
  }

  async loadWithConfig(_model: string, configText: string): Promise<void> {
    await this.beforeLoad(configText);
    this.done.push(`load ${configText}`);
    this.model = { ...this.model, hasOverride: true, effectiveText: configText };
  }

  async reload(): Promise<void> {
    await this.beforeLoad(this.model.fileText ?? '');
    this.done.push('reload');
    this.model = { ...this.model, hasOverride: false, effectiveText: this.model.fileText ?? '' };
  }

  writeConfig(_model: string, text: string, expectedHash: string | undefined): Promise<void> {
    if (expectedHash !== this.model.fileHash)
      return Promise.reject(new ServerError('ALREADY_EXISTS', 'config.pbtxt changed on disk'));
    this.done.push(`write ${text}`);
    this.model = {
      ...this.model,
      fileText: text,
      fileHash: `h${Number(this.model.fileHash?.slice(1) ?? 0) + 1}`,
    };
    return Promise.resolve();
  }

  savedData(): Promise<string> {
    return Promise.resolve('{"data":[]}');
  }

  capturedData(): string {
    return '[]';
  }

  addresses(): ReturnType<PerfModelHost['addresses']> {
    return this.endpoints;
  }
}

/** One generator process: what it was sent, and its voice. */
export interface FakeGenerator {
  readonly received: ToGenerator[];
  /** A message from the generator; the run hears it within the call. */
  readonly say: (message: FromGenerator) => void;
  /** The process ends by itself; the run hears it within the call. */
  readonly exit: (end: ProcessEnd) => void;
  /** Whether the run has ended the process. */
  readonly isKilled: () => boolean;
}

/** Generators in the order in which they were started. */
export class FakeSpawner implements ProcessSpawner {
  readonly generators: FakeGenerator[] = [];

  spawn(): ReturnType<ProcessSpawner['spawn']> {
    const received: ToGenerator[] = [];
    let hear: (message: unknown) => void = () => undefined;
    let leave: (end: ProcessEnd) => void = () => undefined;
    let isKilled = false;
    this.generators.push({
      received,
      say: (message) => hear(message),
      exit: (end) => leave(end),
      isKilled: () => isKilled,
    });
    return {
      pid: 1,
      send: (message) => void received.push(message as ToGenerator),
      onMessage: (listener) => (hear = listener),
      onExit: (listener) => (leave = listener),
      kill: () => {
        isKilled = true;
        leave({ code: undefined, detail: 'signal SIGTERM' });
      },
    };
  }
}

/** A folder of its own, and the way to remove it. */
export async function perfFolder(): Promise<{ readonly path: string; readonly remove: () => Promise<void> }> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'conch-perf-runs-'));
  return { path: folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
