// Which execution providers the library was built for, and whether one of them works: both asked in a process of their
// own, which ends with its answer. A provider that takes its process down has failed its test, and nothing else happened.

import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { internal } from '../../../src-shared/errors.ts';
import { systemClock } from '../../base/clock.ts';
import { workerEntryUrl } from '../../base/worker-entry.ts';
import type { FoundProvider, ProviderVerdict, ProviderAnswer } from './provider-test-messages.ts';

/** Making the shaders of a first run takes seconds on a slow machine. */
const LIMIT_MS = 60_000;
const MAX_SAID = 65_536;
const DRIVER = 'libcuda.so.1';

export async function findProviders(signal: AbortSignal): Promise<readonly FoundProvider[]> {
  const answer = await ask('', signal);
  if ('providers' in answer) return answer.providers;
  throw internal(answer.message);
}

/** Rejects only when aborted. */
export async function testProvider(provider: string, signal: AbortSignal): Promise<ProviderVerdict> {
  const answer = await ask(provider, signal);
  if ('isOk' in answer) return answer;
  throw internal(`no provider was named`);
}

function ask(provider: string, signal: AbortSignal): Promise<ProviderAnswer> {
  signal.throwIfAborted();
  const child = fork(fileURLToPath(workerEntryUrl('provider-test')), [provider], {
    // In the packaged app this program is Electron, which has to be told to be a plain Node.
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-MAX_SAID)));
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      child.kill('SIGKILL');
      reject(signal.reason as Error);
    };
    let answer: ProviderAnswer = { isOk: false, message: '' };
    const limit = systemClock.after(LIMIT_MS, () => {
      answer = { isOk: false, message: `It did not answer within ${LIMIT_MS / 1000} s.` };
      child.kill('SIGKILL');
    });
    signal.addEventListener('abort', abort, { once: true });
    child.on('message', (message) => (answer = message as ProviderAnswer));
    child.once(
      'error',
      (error) => (answer = { isOk: false, message: `It could not be tried: ${error.message}` }),
    );
    child.once('close', (code, killer) => {
      limit.cancel();
      signal.removeEventListener('abort', abort);
      const end = killer === null ? `exit code ${code}` : `signal ${killer}`;
      const crashed: ProviderAnswer = { isOk: false, message: `It ended its process (${end}).` };
      const told = 'isOk' in answer && answer.message === '' ? crashed : answer;
      resolve('isOk' in told && !told.isOk ? { ...told, message: withReason(told.message, said) } : told);
    });
  });
}

/** The library's error says that a provider could not be loaded; why is only in what it logs. */
function withReason(message: string, log: string): string {
  const reason = /Failed to load library \S+ with error: (.+)/.exec(log)?.[1]?.trim();
  if (reason === undefined) return message;
  const advice = reason.includes(DRIVER) ? " (NVIDIA's driver is not installed)" : '';
  return `${message}: ${reason}${advice}`;
}
