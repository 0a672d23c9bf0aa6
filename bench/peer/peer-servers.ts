// The two servers that are compared, each a process group of its own on free ports.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { ensureBuilt } from '../../tools/bootstrap.mjs';
import { serveCommand } from '../../tools/served-process.ts';
import type { ServedProcess } from '../../tools/served-process.ts';
import { freePorts } from '../../tools/free-ports.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** `startMs`: from the start of the program until it was ready, its models loaded. */
export interface Measured {
  readonly server: ServedProcess;
  readonly startMs: number;
}

/** Our server as it is shipped: the built program, not the sources. */
export async function startOurs(repository: string, more: readonly string[] = []): Promise<Measured> {
  await ensureBuilt();
  const ports = ['--http-port=0', '--grpc-port=0', '--metrics-port=0'];
  const options = ['serve', ...ports, `--model-repository=${repository}`, ...more];
  const startedAt = performance.now();
  const server = await serveCommand(
    process.execPath,
    [path.join(root, 'bin/conch.mjs'), ...options],
    process.env,
  );
  await untilReady(server);
  return { server, startMs: performance.now() - startedAt };
}

/** `command`: the program with arguments that it alone needs; the options given here are those that both understand. */
export async function startPeer(
  command: readonly string[],
  repository: string,
  more: readonly string[] = [],
): Promise<Measured> {
  const [program = '', ...given] = command;
  const ports = await freePorts(3);
  const options = ['http', 'grpc', 'metrics'].map((name, index) => `--${name}-port=${ports[index]}`);
  const startedAt = performance.now();
  const server = await serveCommand(
    program,
    [...given, `--model-repository=${repository}`, ...more, ...options],
    process.env,
    { ownGroup: true },
  );
  await untilReady(server);
  return { server, startMs: performance.now() - startedAt };
}

async function untilReady({ http }: ServedProcess): Promise<void> {
  for (;;) {
    const isReady = await fetch(`http://${http}/v2/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Resident bytes of a process and all below it (Linux). */
export function residentBytes(pid: number): number {
  let kib = 0;
  try {
    kib = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
    for (const task of readdirSync(`/proc/${pid}/task`)) {
      const children = readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim();
      for (const child of children === '' ? [] : children.split(' '))
        kib += residentBytes(Number(child)) / 1024;
    }
  } catch {
    // Ended meanwhile.
  }
  return kib * 1024;
}

/** Processor seconds of a process and all below it (Linux; 100 ticks a second). */
export function processorSeconds(pid: number): number {
  let ticks = 0;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    ticks = Number(fields[11]) + Number(fields[12]);
    for (const task of readdirSync(`/proc/${pid}/task`)) {
      const children = readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim();
      for (const child of children === '' ? [] : children.split(' '))
        ticks += processorSeconds(Number(child)) * 100;
    }
  } catch {
    // Ended meanwhile.
  }
  return ticks / 100;
}
