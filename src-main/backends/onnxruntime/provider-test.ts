// Which execution providers the library was built for, and whether one of them works: both asked in a process of their
// own, which ends with its answer. A provider that takes its process down has failed its test, and nothing else happened.

import { workerEntryUrl } from '../../base/worker-entry.ts';
import { askProcess } from './one-answer-process.ts';
import { onnxruntimeErrors } from './onnxruntime-errors.ts';
import type { FoundProvider, ProviderVerdict, ProviderAnswer } from './provider-test-messages.ts';

/** Making the shaders of a first run takes seconds on a slow machine. */
const LIMIT_MS = 60_000;
const DRIVER = 'libcuda.so.1';

/**
 * Those that the library was built for. Rejects with INTERNAL when the process that was asked ends without
 * an answer.
 */
export async function findProviders(signal: AbortSignal): Promise<readonly FoundProvider[]> {
  const answer = await ask('', signal);
  if ('providers' in answer) return answer.providers;
  throw onnxruntimeErrors.providersUnknown({ reason: answer.message });
}

/** Rejects only when aborted. */
export async function testProvider(provider: string, signal: AbortSignal): Promise<ProviderVerdict> {
  const answer = await ask(provider, signal);
  if ('isOk' in answer) return answer;
  throw onnxruntimeErrors.providersUnknown({ reason: 'no provider was named' });
}

async function ask(provider: string, signal: AbortSignal): Promise<ProviderAnswer> {
  const question = { entry: workerEntryUrl('provider-test'), argument: provider, limitMs: LIMIT_MS };
  const { answer, failure, said } = await askProcess<ProviderAnswer>(question, signal);
  if (answer === undefined) return { isOk: false, message: withReason(failure, said) };
  if (!('isOk' in answer) || answer.isOk) return answer;
  return { ...answer, message: withReason(answer.message, said) };
}

/** The library's error says that a provider could not be loaded; why is only in what it logs. */
function withReason(message: string, log: string): string {
  const reason = /Failed to load library \S+ with error: (.+)/.exec(log)?.[1]?.trim();
  if (reason === undefined) return message;
  const advice = reason.includes(DRIVER) ? " (NVIDIA's driver is not installed)" : '';
  return `${message}: ${reason}${advice}`;
}
