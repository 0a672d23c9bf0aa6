// A server started as its own process for tools: waits until every listener has said its address, keeps the log, and
// ends the process again. Whoever starts one stops it.

import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

import { systemClock } from '../src-main/base/clock.ts';
import { startPatience } from './start-patience.ts';

const root = path.resolve(import.meta.dirname, '..');
const STOP_LIMIT_MS = 40_000;

/** Where a server listens. */
export interface ServedAddresses {
  /** "host:port" each. */
  readonly http: string;
  readonly grpc: string;
  readonly metrics: string;
}

/** A server that runs until it is stopped. */
export interface ServedProcess extends ServedAddresses {
  readonly pid: number;
  /** Everything it has written so far, both streams. */
  log(): string;
  /** True once the process is gone. */
  hasEnded(): boolean;
  /** Asks it to stop and waits; resolves with the exit code. */
  stop(): Promise<number>;
}

const LISTENERS: Readonly<Record<keyof ServedAddresses, RegExp>> = {
  http: /Started HTTPService at ([^"\s]+)/,
  grpc: /Started GRPCInferenceService at ([^"\s]+)/,
  metrics: /Started Metrics Service at ([^"\s]+)/,
};

/** `conch serve` from the sources on free ports; `env` besides the tool's own. */
export function serveConch(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ServedProcess> {
  const entry = path.join(root, 'src-main/shell/headless/main.ts');
  const ports = ['--http-port=0', '--grpc-port=0', '--metrics-port=0'];
  return serveCommand(process.execPath, [entry, 'serve', ...ports, ...args], { ...process.env, ...env });
}

/** What went wrong, and the end of all the rest. */
function lastRecords(text: string): string {
  const errors = text.split('\n').filter((line) => /^[EF]\d{4} /.test(line));
  return `${errors.join('\n').slice(-4000)}\n...\n${text.slice(-4000)}`;
}

/** Any server that announces its listeners in the reference's words. */
export async function serveCommand(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  { ownGroup = false } = {},
): Promise<ServedProcess> {
  const child = spawn(command, args, {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: ownGroup,
  });
  // A tool that fails leaves no server behind.
  const endGroup = (): void => {
    if (ownGroup && child.pid !== undefined) killGroup(child.pid);
    else child.kill('SIGKILL');
  };
  process.once('exit', endGroup);
  let text = '';
  const addresses = await new Promise<ServedAddresses>((resolve, reject) => {
    const fail = (reason: string): void => {
      child.kill('SIGKILL');
      endGroup();
      reject(new Error(`${path.basename(command)} did not start: ${reason}\n${lastRecords(text)}`));
    };
    const patience = startPatience(systemClock, fail);
    let isListening = false;
    const read = (chunk: Buffer): void => {
      text += chunk.toString();
      if (isListening) return;
      patience.heard();
      const found = addressesIn(text);
      if (found === undefined) return;
      isListening = true;
      patience.end();
      resolve(found);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', (error) => {
      patience.end();
      fail(error.message);
    });
    child.once('exit', (code, signal) => {
      patience.end();
      fail(`it ended with ${signal ?? code}`);
    });
  });
  return {
    ...addresses,
    pid: child.pid ?? 0,
    log: () => text,
    hasEnded: () => hasEnded(child),
    stop: () =>
      stop(child).finally(() => {
        endGroup();
        process.off('exit', endGroup);
      }),
  };
}

/** Undefined until all three are known. A wildcard address is reached over loopback. */
export function addressesIn(log: string): ServedAddresses | undefined {
  const entries = Object.entries(LISTENERS).map(([name, pattern]) => {
    const address = pattern.exec(log)?.[1]?.replace('0.0.0.0', '127.0.0.1');
    return [name, address] as const;
  });
  if (entries.some(([, address]) => address === undefined)) return undefined;
  return Object.fromEntries(entries) as Record<keyof typeof LISTENERS, string>;
}

/** A group that is gone already is no failure. */
export function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

async function stop(child: ChildProcess): Promise<number> {
  // Its own children may keep these open beyond its end.
  const release = (): void => [child.stdout, child.stderr].forEach((stream) => stream?.destroy());
  if (hasEnded(child)) {
    release();
    return child.exitCode ?? 1;
  }
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
  child.kill('SIGTERM');
  const [code] = (await once(child, 'exit')) as [number | null];
  clearTimeout(timer);
  release();
  return code ?? 1;
}
