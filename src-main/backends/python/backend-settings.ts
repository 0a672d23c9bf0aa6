// What `--backend-config=python,...` may say, checked as Triton checks it. Its shared memory and its threads work in
// another way here, so most of it is without effect; that is said in the descriptions of the keys.

import { invalidArg } from '../../../src-shared/errors.ts';

const SMALLEST_REGION = 1024 * 1024;
/** Characters that the reference keeps away from its command lines. */
const FORBIDDEN = /[;|&$`<>()[\]{}\\"'*?~#!]/;

/** Throws INVALID_ARG with the reference's text for the first value that it would refuse. */
export function checkBackendSettings(settings: ReadonlyMap<string, string>): void {
  const number = (key: string): number | undefined => {
    const text = settings.get(key);
    if (text === undefined) return undefined;
    if (!/^\s*[+-]?\d+/.test(text)) throw invalidArg(`${key} must be a number, got '${text}'`);
    return Number.parseInt(text, 10);
  };
  const size = number('shm-default-byte-size');
  if (size !== undefined && size < SMALLEST_REGION) {
    throw invalidArg("shm-default-byte-size can't be smaller than 4 MiBs");
  }
  for (const key of ['shm-growth-byte-size', 'stub-timeout-seconds']) {
    if ((number(key) ?? 1) <= 0) throw invalidArg(`${key} can't be smaller than or equal to zero.`);
  }
  number('shm_message_queue_size');
  if ((number('thread-pool-size') ?? 1) < 1) throw invalidArg("thread-pool-size can't be less than 1.");
  const prefix = settings.get('shm-region-prefix-name');
  if (prefix === '') throw invalidArg('shm-region-prefix-name must at least contain one character.');
  if (prefix !== undefined && FORBIDDEN.test(prefix)) {
    throw invalidArg('Invalid shared memory region name: contains invalid characters');
  }
}

/** Throws INVALID_ARG for an instance whose name the reference would refuse. */
export function checkInstanceName(name: string): void {
  if (FORBIDDEN.test(name)) throw invalidArg('Invalid stub name: contains invalid characters');
}
