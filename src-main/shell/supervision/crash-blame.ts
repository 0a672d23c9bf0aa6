// Which model is held responsible for the end of an engine. Pure. Three kinds of end: a fault of native code, which counts
// at once; the system ending the process for want of memory, which counts only against a model that was loading both
// times; and any other end (kill by a person, an error of the engine itself), which counts against no model.

/** Names of models, as the engine told last before its end. */
export interface EngineActivity {
  readonly loading: readonly string[];
  readonly executing: readonly string[];
}

/** How an engine ended. */
export interface EngineEnd {
  readonly code: number | undefined;
  readonly signal: string | undefined;
  /** Whether the system ended a process for want of memory meanwhile; undefined where it does not tell. */
  readonly ranOutOfMemory?: boolean | undefined;
}

/** What is kept of an end for the judgement of the next one. */
export interface EarlierEnd {
  readonly suspects: readonly string[];
  /** Everything that was loading or executing; absent in records of older versions. */
  readonly active?: readonly string[];
  /** The model that was blamed; undefined = none. */
  readonly model: string | undefined;
}

/** Who is to blame for an end, as far as it can be told. */
export interface Verdict {
  readonly suspects: readonly string[];
  /** The one model to blame; undefined = none. */
  readonly culprit: string | undefined;
  /** A model that was blamed wrongly: the engine ended in the same way without it. Undefined = none. */
  readonly innocent: string | undefined;
}

/** Ends that a process brings upon itself: faults, and abort() of a failed assertion. */
const FAULT_SIGNALS = new Set(['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGTRAP', 'SIGSYS']);
/** Windows reports a fault as an NTSTATUS of severity "error", abort() of the C runtime as 3. */
const FIRST_FAULT_STATUS = 0xc000_0000;
const WINDOWS_ABORT_CODE = 3;
/** abort() where only a code is told: 128 + SIGABRT. */
const ABORT_CODE = 134;
/** SIGKILL where only a code is told: the signal's number, and 128 more. */
const KILL_CODES = [9, 137];

/**
 * Whether a process ended by a fault of native code: a signal such as SIGSEGV, or the exit code that stands
 * for one.
 */
export function isNativeFault({ code, signal }: EngineEnd): boolean {
  if (signal !== undefined) return FAULT_SIGNALS.has(signal);
  if (code === undefined) return false;
  return code === ABORT_CODE || code === WINDOWS_ABORT_CODE || code >>> 0 >= FIRST_FAULT_STATUS;
}

/** Killed, and perhaps for want of memory. */
function mayHaveRunOutOfMemory({ code, signal, ranOutOfMemory }: EngineEnd): boolean {
  const isKilled = signal === 'SIGKILL' || (signal === undefined && KILL_CODES.includes(code ?? 0));
  return isKilled && ranOutOfMemory !== false;
}

/**
 * Models that may have ended the engine. Loading is the likelier cause of a fault, so it goes first. What ran while the
 * engine was killed is not suspect; what was loading is, if that may have used up the memory.
 */
function suspectsOf(end: EngineEnd, { loading, executing }: EngineActivity): readonly string[] {
  if (isNativeFault(end)) return loading.length > 0 ? loading : executing;
  return mayHaveRunOutOfMemory(end) ? loading : [];
}

/** Which models are suspected, and whether one of them is to be quarantined. */
export function judgeEnd(
  end: EngineEnd,
  activity: EngineActivity,
  previous: EarlierEnd | undefined,
): Verdict {
  const suspects = suspectsOf(end, activity);
  const active = [...new Set([...activity.loading, ...activity.executing])];
  const blamed = previous?.model;
  if (isNativeFault(end) && blamed !== undefined && !active.includes(blamed)) {
    const constant = active.filter((model) => previous?.active?.includes(model) === true);
    if (constant.length > 0) return { suspects, culprit: theOnly(constant), innocent: blamed };
  }
  if (isNativeFault(end) && suspects.length === 1) {
    return { suspects, culprit: theOnly(suspects), innocent: undefined };
  }
  const again = suspects.filter((model) => previous?.suspects.includes(model) === true);
  return { suspects, culprit: theOnly(again), innocent: undefined };
}

function theOnly(models: readonly string[]): string | undefined {
  return models.length === 1 ? models[0] : undefined;
}
