// Tensors of captured requests that were put into the builder, by the blob that they are sent as: what they are called,
// and what can be seen of them.

import type { PlaygroundOutput } from '../../../src-shared/contract/playground-answer.ts';

interface CapturedTensor {
  /** When the client sent it. */
  readonly atMs: number;
  readonly tensor: PlaygroundOutput;
}

const tensors = new Map<string, CapturedTensor>();
const MAX_TENSORS = 60;

/** The oldest is forgotten when there are too many. */
export function rememberTensor(blob: string, captured: CapturedTensor): void {
  tensors.delete(blob);
  tensors.set(blob, captured);
  const [oldest] = tensors.keys();
  if (tensors.size > MAX_TENSORS && oldest !== undefined) tensors.delete(oldest);
}

/** Undefined for files, and for what was forgotten. */
export function tensorOf(blob: string): CapturedTensor | undefined {
  return tensors.get(blob);
}
