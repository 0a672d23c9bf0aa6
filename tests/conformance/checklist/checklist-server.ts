// A whole engine on free ports over a repository written for the test, with callers for its three ports.

import type { EngineDeps } from '../../../src-main/create-engine.ts';
import type { Engine } from '../../../src-main/engine.ts';
import type { TestEngineOptions } from '../../../src-main/testing/start-test-engine.ts';
import { startTestEngine } from '../../../src-main/testing/start-test-engine.ts';
import type { RepositoryFiles } from '../../../src-main/testing/temp-repository.ts';
import { TempRepository } from '../../../src-main/testing/temp-repository.ts';
import type { WireCall, WireReply } from '../../../src-main/testing/wire-http.ts';
import { wireCall } from '../../../src-main/testing/wire-http.ts';
import { GrpcCaller } from './grpc-caller.ts';

export class ChecklistServer {
  readonly engine: Engine;
  readonly repository: TempRepository;
  readonly grpc: GrpcCaller;

  private constructor(engine: Engine, repository: TempRepository) {
    this.engine = engine;
    this.repository = repository;
    this.grpc = new GrpcCaller(`127.0.0.1:${engine.ports.grpc ?? 0}`);
  }

  static async start(
    files: RepositoryFiles,
    change: TestEngineOptions = {},
    deps: EngineDeps = {},
  ): Promise<ChecklistServer> {
    const repository = await TempRepository.create(files);
    const metrics = { gpu: false, ...change.metrics };
    return new ChecklistServer(
      await startTestEngine(repository.path, { ...change, metrics }, deps),
      repository,
    );
  }

  get httpPort(): number {
    return this.engine.ports.http ?? 0;
  }

  http(call: WireCall): Promise<WireReply> {
    return wireCall(this.httpPort, call);
  }

  /** A JSON body (or its text) to `/v2/models/<path>`. */
  post(path: string, body: object | string, headers: WireCall['headers'] = {}): Promise<WireReply> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return this.http({ path: `/v2/models/${path}`, body: text, headers });
  }

  /** Status and error text of a refusal, or status and whole body. */
  async answer(call: WireCall): Promise<readonly [number, string]> {
    const { status, text } = await this.http(call);
    return [status, text];
  }

  async isLive(): Promise<boolean> {
    return (await this.http({ path: '/v2/health/live' })).status === 200;
  }

  async metrics(): Promise<string[]> {
    return (await wireCall(this.engine.ports.metrics ?? 0, { path: '/metrics' })).text.split('\n');
  }

  async close(): Promise<void> {
    this.grpc.close();
    await this.engine.close();
    await this.repository.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
