// The processes that are measured: the floor and our own server, each on a free port.

import { fork, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** Whoever started it stops it. */
export interface RunningServer {
  readonly port: number;
  readonly pid: number | undefined;
  /** Resolves when the process has ended. */
  close(): Promise<void>;
}

const START_TIMEOUT_MS = 120_000;
const root = path.resolve(import.meta.dirname, '..');

/** The least that could answer: the same runtime behind a bare HTTP server. */
export async function startFloor(modelPath: string): Promise<RunningServer> {
  const child = fork(new URL('./floor-server.ts', import.meta.url), [modelPath]);
  const [address] = (await once(child, 'message')) as [net.AddressInfo];
  return { port: address.port, pid: child.pid, close: () => end(child) };
}

/** Our server in the foreground mode people deploy, from the sources, with one repository. */
export async function startConch(repository: string): Promise<RunningServer> {
  const [port, grpcPort, metricsPort] = await freePorts(3);
  const child = spawn(
    process.execPath,
    [
      path.join(root, 'src-main/shell/headless/main.ts'),
      'serve',
      `--model-repository=${repository}`,
      `--http-port=${port}`,
      `--grpc-port=${grpcPort}`,
      `--metrics-port=${metricsPort}`,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => (complaint = (complaint + chunk.toString()).slice(-4000)));
  const startMs = performance.now();
  while (!(await isReady(port ?? 0))) {
    if (child.exitCode !== null)
      throw new Error(`the server ended with code ${child.exitCode}:\n${complaint}`);
    if (performance.now() - startMs > START_TIMEOUT_MS) {
      await end(child);
      throw new Error(`the server was not ready after ${START_TIMEOUT_MS / 1000} s:\n${complaint}`);
    }
    await wait(100);
  }
  return { port: port ?? 0, pid: child.pid, close: () => end(child) };
}

async function isReady(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/v2/health/ready`)).ok;
  } catch {
    return false;
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => net.createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as net.AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
