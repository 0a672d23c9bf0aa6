// What the verbose log tells of the bytes of a reply, as the reference says it; without the addresses of the buffers,
// which have none here.

import { getLogger } from '../../base/log.ts';
import type { InferenceResponse } from '../../inference/inference-response.ts';
import { findOutput } from './infer-response.ts';
import type { ParsedInfer } from './parsed-infer.ts';

const log = getLogger('http');
const LEVEL = 1;

/** The outputs have their place: in the reply, or in shared memory. */
export function logBuffers({ outputs }: InferenceResponse, parsed: ParsedInfer): void {
  if (!log.isVerbose(LEVEL)) return;
  for (const { name, bytes } of outputs) {
    const isShared = findOutput(parsed, name).shared !== undefined;
    const place = isShared ? `HTTP: using shared-memory for '${name}'` : `HTTP using buffer for: '${name}'`;
    log.verbose(LEVEL, `${place}, size: ${bytes.byteLength}`);
  }
}

/** The reply was handed to the socket. */
export function logReleases(response: InferenceResponse | undefined): void {
  if (!log.isVerbose(LEVEL)) return;
  for (const { bytes } of response?.outputs ?? []) {
    log.verbose(LEVEL, `HTTP release: size ${bytes.byteLength}`);
  }
}
