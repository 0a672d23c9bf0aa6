// What `--backend-config=python,...` may say, checked as Triton checks it. Its shared memory and its threads work in
// another way here, so most of it is without effect; that is said in the descriptions of the keys.

import { pythonErrors } from './python-errors.ts';

const SMALLEST_REGION = 1024 * 1024;
/** Characters that the reference keeps away from its command lines. */
const FORBIDDEN = /[;|&$`<>()[\]{}\\"'*?~#!]/;

/** Throws INVALID_ARG with the reference's text for the first value that it would refuse. */
export function checkBackendSettings(settings: ReadonlyMap<string, string>): void {
  const number = (key: string): number | undefined => {
    const text = settings.get(key);
    if (text === undefined) return undefined;
    if (!/^\s*[+-]?\d+/.test(text)) throw pythonErrors.settingNoNumber({ key, given: text });
    return Number.parseInt(text, 10);
  };
  const size = number('shm-default-byte-size');
  if (size !== undefined && size < SMALLEST_REGION) {
    throw pythonErrors.regionSize();
  }
  for (const key of ['shm-growth-byte-size', 'stub-timeout-seconds']) {
    if ((number(key) ?? 1) <= 0) throw pythonErrors.settingNotPositive({ key });
  }
  number('shm_message_queue_size');
  if ((number('thread-pool-size') ?? 1) < 1) throw pythonErrors.threadPoolSize();
  const prefix = settings.get('shm-region-prefix-name');
  if (prefix === '') throw pythonErrors.emptyPrefix();
  if (prefix !== undefined && FORBIDDEN.test(prefix)) {
    throw pythonErrors.prefixCharacters();
  }
}

/** Throws INVALID_ARG for an instance whose name the reference would refuse. */
export function checkInstanceName(name: string): void {
  if (FORBIDDEN.test(name)) throw pythonErrors.instanceCharacters();
}
