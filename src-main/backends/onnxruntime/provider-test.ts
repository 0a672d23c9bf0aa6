// Which execution providers the library was built for, and whether one of them works: both asked in a worker of their
// own, which ends with its answer.

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import { internal } from '../../../src-shared/errors.ts';
import { workerEntryUrl } from '../../base/worker-entry.ts';
import type { FoundProvider, ProviderVerdict, ProviderAnswer } from './provider-test-messages.ts';

export async function findProviders(signal: AbortSignal): Promise<readonly FoundProvider[]> {
  const answer = await ask('', signal);
  if ('providers' in answer) return answer.providers;
  throw internal(answer.message);
}

export async function testProvider(provider: string, signal: AbortSignal): Promise<ProviderVerdict> {
  const answer = await ask(provider, signal);
  if ('isOk' in answer) return answer;
  throw internal(`no provider was named`);
}

async function ask(provider: string, signal: AbortSignal): Promise<ProviderAnswer> {
  const worker = new Worker(workerEntryUrl('provider-test'), { workerData: { provider } });
  try {
    const [answer] = (await once(worker, 'message', { signal })) as [ProviderAnswer];
    return answer;
  } finally {
    await worker.terminate();
  }
}
