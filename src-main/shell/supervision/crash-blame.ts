// Which model is held responsible for the end of an engine. Pure. Only what native code does to itself counts at once; an
// end from outside (kill, the system running out of memory) counts only against a model that was loading both times.

export interface EngineActivity {
  readonly loading: readonly string[];
  readonly executing: readonly string[];
}

export interface EngineEnd {
  readonly code: number | undefined;
  readonly signal: string | undefined;
}

/** Ends that a process brings upon itself: faults, and abort() of a failed assertion. */
const FAULT_SIGNALS = new Set(['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGTRAP', 'SIGSYS']);
/** Windows reports a fault as an NTSTATUS of severity "error", abort() of the C runtime as 3. */
const FIRST_FAULT_STATUS = 0xc000_0000;
const WINDOWS_ABORT_CODE = 3;
/** abort() where only a code is told: 128 + SIGABRT. */
const ABORT_CODE = 134;

export function isNativeFault({ code, signal }: EngineEnd): boolean {
  if (signal !== undefined) return FAULT_SIGNALS.has(signal);
  if (code === undefined) return false;
  return code === ABORT_CODE || code === WINDOWS_ABORT_CODE || code >>> 0 >= FIRST_FAULT_STATUS;
}

/**
 * Models that may have ended the engine. Loading is the likelier cause, so it goes first. What ran while the engine was
 * killed from outside is not suspect; what was loading is, since that is when a system runs out of memory.
 */
export function suspectsOf(end: EngineEnd, { loading, executing }: EngineActivity): readonly string[] {
  return loading.length > 0 || !isNativeFault(end) ? loading : executing;
}

/** The one model to blame: the only suspect of a fault, or the only one that was a suspect the last time too; else "". */
export function culpritOf(end: EngineEnd, suspects: readonly string[], previous: readonly string[]): string {
  const [only] = suspects;
  if (isNativeFault(end) && suspects.length === 1 && only !== undefined) return only;
  const again = suspects.filter((model) => previous.includes(model));
  return again.length === 1 ? (again[0] ?? '') : '';
}
