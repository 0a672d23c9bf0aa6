// What a test waits for comes at once on an idle machine, and ten times later on a busy one. `vi.waitFor` gives up after
// one second unless told otherwise; here it does after twenty.

import { vi } from 'vitest';

const PATIENCE_MS = 20_000;
const MARK = Symbol.for('conch.patient-waits');

type WaitFor = typeof vi.waitFor & { readonly [MARK]?: true };

const original = vi.waitFor as WaitFor;

// Files of one worker share the module of `vi`.
if (original[MARK] !== true) {
  const patient: typeof vi.waitFor = (callback, options) =>
    original(
      callback,
      typeof options === 'number' ? options : { ...options, timeout: options?.timeout ?? PATIENCE_MS },
    );
  vi.waitFor = Object.assign(patient, { [MARK]: true as const });
}
