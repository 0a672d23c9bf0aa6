// Handle on a server under attack: its ports, whether it still lives, what it uses.

import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

import type { TestEngineOptions } from '../../src-main/testing/start-test-engine.ts';
import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { TempRepository } from '../../src-main/testing/temp-repository.ts';
import { wireCall } from '../../src-main/testing/wire-http.ts';
import type { TargetFacts, TargetPorts } from './target-facts.ts';

export class Target implements AsyncDisposable {
  readonly ports: TargetPorts;
  readonly #child: ChildProcess;
  readonly #repository: TempRepository;
  /** What the process keeps beside its models. It is killed, so it cannot remove that itself. */
  readonly #folder: TempRepository;
  #errorOutput: () => string;

  private constructor(
    child: ChildProcess,
    folders: { readonly repository: TempRepository; readonly own: TempRepository },
    ports: TargetPorts,
    errorOutput: () => string,
  ) {
    this.#child = child;
    this.#repository = folders.repository;
    this.#folder = folders.own;
    this.ports = ports;
    this.#errorOutput = errorOutput;
  }

  static async start(files: RepositoryFiles = {}, options: TestEngineOptions = {}): Promise<Target> {
    const repository = await TempRepository.create(files);
    const own = await TempRepository.create();
    const metrics = { gpu: false, ...options.metrics };
    const child = fork(
      path.join(import.meta.dirname, 'target-process.ts'),
      [repository.path, own.path, JSON.stringify({ ...options, metrics })],
      {
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
        execArgv: ['--expose-gc'],
        // Programs that its models start are killed as well, with what they keep among temporary files.
        env: { ...process.env, TMPDIR: own.path },
      },
    );
    let errorOutput = '';
    child.stderr?.on(
      'data',
      (chunk: Buffer) => (errorOutput = (errorOutput + chunk.toString()).slice(-20_000)),
    );
    const ports = await Promise.race([
      once(child, 'message').then(([message]) => message as TargetPorts),
      once(child, 'exit').then(() => undefined),
    ]);
    if (ports === undefined) throw new Error(`the target did not start:\n${errorOutput}`);
    return new Target(child, { repository, own }, ports, () => errorOutput);
  }

  /** Throws, with what it wrote last, when the process ended or does not answer within `timeoutMs`. */
  async expectAlive(timeoutMs = 20_000): Promise<void> {
    const isLive = await Promise.race([
      wireCall(this.ports.http, { path: '/v2/health/live' }).then(
        (reply) => reply.status === 200,
        () => false,
      ),
      new Promise<boolean>((resolve) => setTimeout(resolve, timeoutMs, false)),
    ]);
    if (isLive && this.#child.exitCode === null && this.#child.signalCode === null) return;
    throw new Error(
      `the server is gone or deaf (exit code ${this.#child.exitCode}):\n${this.#errorOutput()}`,
    );
  }

  async facts(): Promise<TargetFacts> {
    this.#child.send('facts');
    const [facts] = (await once(this.#child, 'message')) as [TargetFacts];
    return facts;
  }

  /** Its loop takes nothing until `resume`. */
  pause(): void {
    this.#child.kill('SIGSTOP');
  }

  resume(): void {
    this.#child.kill('SIGCONT');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const ended = once(this.#child, 'exit');
      this.#child.kill('SIGKILL');
      await ended;
    }
    await this.#repository.close();
    await this.#folder.close();
  }
}
