// Trace settings, global and per model, with the reference's rules of inheritance: a model keeps what it sets itself and
// mirrors the global value of everything else; clearing goes back to the next outer value. Stores and checks only;
// who traces asks for the effective setting and notices a change by its identity.

import { leadingInteger } from '../base/leading-number.ts';
import { traceErrors } from './trace-errors.ts';

const TRACE_LEVELS = ['TIMESTAMPS', 'TENSORS'] as const;
/** A level of `trace_level`. */
export type TraceLevel = (typeof TRACE_LEVELS)[number];

/** Effective values; a new object after every update, so that counters start anew. */
export interface TraceSetting {
  /** Empty = OFF. */
  readonly levels: readonly TraceLevel[];
  /** One of so many requests is traced; 0 = none. */
  readonly rate: number;
  /** Remaining traces, -1 = unlimited. */
  readonly count: number;
  /** Traces in one file; 0 = all in one. */
  readonly logFrequency: number;
}

/** What the command line said. */
export interface TraceStart extends TraceSetting {
  readonly mode: 'triton' | 'opentelemetry';
  /** Base path of the trace files in mode triton; "" = none. */
  readonly file: string;
  /** What was given of the mode, in order, and numbers that were not; `resource` may stand several times. */
  readonly modeSettings: readonly (readonly [string, string])[];
  /** Where spans go when the mode's settings do not say. */
  readonly endpoint: string;
}

/** The trace settings that hold for a model or for all, as clients see them; numbers are texts, as on the wire. */
export interface TraceSettingsState {
  readonly traceFile: string;
  /** "OFF", "TIMESTAMPS", "TENSORS". */
  readonly traceLevel: readonly string[];
  readonly traceRate: string;
  readonly traceCount: string;
  readonly logFrequency: string;
  readonly traceMode: string;
  /** Mode-specific settings in insertion order (opentelemetry: url, resource...). */
  readonly modeSettings: readonly (readonly [string, string])[];
}

/** In the order in which they are checked; undefined clears a setting. */
type Change = Iterable<readonly [key: string, values: readonly string[] | undefined]>;

const INT32_MAX = 2 ** 31 - 1;

function integer(key: string, text: string): number {
  const isCount = key === 'trace_count';
  // What is below 0 is taken as 32 bits without a sign.
  const value = leadingInteger(text);
  if (value === undefined) throw traceErrors.noNumber({ key, value: text });
  if (value > INT32_MAX || value < -INT32_MAX - 1) {
    const range = isCount ? '[ -1, 2147483647 ]' : '[ 0, 4294967295 ]';
    throw traceErrors.outOfRange({ key, range, value: text });
  }
  if (!isCount) return value >>> 0;
  if (value < -1) throw traceErrors.countTooSmall({ key, value: text });
  return value;
}

/** Undefined when no word is known: such a list changes nothing. */
function levelsOf(words: readonly string[]): readonly TraceLevel[] | undefined {
  if (words.includes('OFF')) {
    if (words.length > 1) throw traceErrors.offWithOthers();
    return [];
  }
  const levels = TRACE_LEVELS.filter((level) => words.includes(level));
  return levels.length === 0 ? undefined : levels;
}

function parseField(key: string, values: readonly string[]): Partial<TraceSetting> {
  const [first = ''] = values;
  switch (key) {
    case 'trace_level': {
      const levels = levelsOf(values);
      return levels === undefined ? {} : { levels };
    }
    case 'trace_rate':
      return { rate: integer(key, first) };
    case 'trace_count':
      return { count: integer(key, first) };
    case 'log_frequency':
      return { logFrequency: integer(key, first) };
    default:
      return {};
  }
}

const FIELD_OF_KEY: Readonly<Record<string, keyof TraceSetting>> = {
  trace_level: 'levels',
  trace_rate: 'rate',
  trace_count: 'count',
  log_frequency: 'logFrequency',
};

/** Why nothing could be traced with it, undefined = it could. */
function faultOf(setting: TraceSetting, { mode, file }: TraceStart): string | undefined {
  if (setting.levels.length === 0) return 'tracing is disabled';
  if (setting.rate === 0) return 'sample rate must be non-zero';
  if (mode === 'triton' && file === '') return 'trace file name is not given';
  return setting.count === 0 ? '' : undefined;
}

/** `own` with the keys of the change set or cleared. */
function applied(own: Partial<TraceSetting>, change: Change): Partial<TraceSetting> {
  const result: Record<string, unknown> = { ...own };
  for (const [key, values] of change) {
    if (key === 'trace_file') {
      throw traceErrors.file();
    }
    const field = FIELD_OF_KEY[key];
    if (field === undefined) continue;
    if (values === undefined) delete result[field];
    else Object.assign(result, parseField(key, values));
  }
  return result;
}

/** The settings of the start, and who knows which models there are. */
export interface TraceSettingsOptions {
  readonly start: TraceStart;
  /** Whether a model of that name is ready. */
  readonly isKnownModel: (name: string) => boolean;
}

/** How often a setting was asked and what it has left; lives as long as the setting. */
export interface SampleCounts {
  sampledCount: number;
  /** -1 = unlimited. */
  remainingCount: number;
}

/** Updates are checked as a whole: INVALID_ARG with Triton's words, and nothing is changed then. */
export class TraceSettings {
  readonly #options: TraceSettingsOptions;
  #globalOwn: Partial<TraceSetting> = {};
  #global: TraceSetting;
  readonly #modelOwn = new Map<string, Partial<TraceSetting>>();
  readonly #models = new Map<string, TraceSetting>();
  readonly #counts = new WeakMap<TraceSetting, SampleCounts>();
  readonly #listeners = new Set<() => void>();

  constructor(options: TraceSettingsOptions) {
    this.#options = options;
    this.#global = this.#inherit(options.start, {});
  }

  /** What the command line said of tracing; never changes. */
  get start(): TraceStart {
    return this.#options.start;
  }

  /** The setting that governs requests to this model. */
  effective(modelName: string): TraceSetting {
    return this.#models.get(modelName) ?? this.#global;
  }

  /** Settings in force: the global one and those of models that have their own. */
  current(): ReadonlySet<TraceSetting> {
    return new Set([this.#global, ...this.#models.values()]);
  }

  /** The counters of a setting; whoever samples moves them. */
  countsOf(setting: TraceSetting): SampleCounts {
    let counts = this.#counts.get(setting);
    if (counts === undefined) {
      counts = { sampledCount: 0, remainingCount: setting.count };
      this.#counts.set(setting, counts);
    }
    return counts;
  }

  /** Calls `listener` after every update. The result ends it. */
  onUpdate(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  /**
   * In the words of the wire, counts as texts. `modelName` "" = global. Throws INVALID_ARG for a model that is not
   * known.
   */
  get(modelName: string): TraceSettingsState {
    this.#checkModel(modelName);
    const setting = this.effective(modelName);
    const { levels, rate, logFrequency } = setting;
    const { file, mode, modeSettings } = this.#options.start;
    return {
      traceFile: file,
      traceLevel: levels.length === 0 ? ['OFF'] : levels,
      traceRate: String(rate),
      // What is left, as in the reference.
      traceCount: String(this.countsOf(setting).remainingCount),
      logFrequency: String(logFrequency),
      traceMode: mode,
      modeSettings,
    };
  }

  /** Undefined clears a key. Unknown keys are ignored. Of one setting all changes are made, or none. */
  update(modelName: string, change: Change): TraceSettingsState {
    this.#checkModel(modelName);
    try {
      if (modelName === '') this.#updateGlobal(change);
      else this.#updateModel(modelName, change);
    } finally {
      for (const listener of this.#listeners) listener();
    }
    return this.get(modelName);
  }

  /** A model that could trace nothing with it keeps what it had; as in the reference, all others change, and it is told. */
  #updateGlobal(change: Change): void {
    const own = applied(this.#withRemaining(this.#globalOwn, this.#global), change);
    const next = this.#checked(this.#inherit(this.#options.start, own));
    this.#globalOwn = own;
    this.#global = next;
    let fault: Error | undefined;
    for (const [name, modelOwn] of this.#modelOwn) {
      try {
        this.#setModel(name, this.#withRemaining(modelOwn, this.#models.get(name)));
      } catch (thrown) {
        fault ??= thrown as Error;
      }
    }
    if (fault !== undefined) throw fault;
  }

  #updateModel(modelName: string, change: Change): void {
    const before = this.#withRemaining(this.#modelOwn.get(modelName) ?? {}, this.#models.get(modelName));
    const own = applied(before, change);
    if (Object.keys(own).length > 0) {
      this.#setModel(modelName, own);
      return;
    }
    this.#modelOwn.delete(modelName);
    this.#models.delete(modelName);
  }

  /** Throws when nothing could be traced with it. */
  #setModel(modelName: string, own: Partial<TraceSetting>): void {
    const count = this.countsOf(this.#global).remainingCount;
    const next = this.#checked(this.#inherit({ ...this.#global, count }, own));
    this.#modelOwn.set(modelName, own);
    this.#models.set(modelName, next);
  }

  /** A count that a change has set goes on where it is; that of the command line begins anew with each change. */
  #withRemaining(own: Partial<TraceSetting>, setting: TraceSetting | undefined): Partial<TraceSetting> {
    if (own.count === undefined || setting === undefined) return own;
    return { ...own, count: this.countsOf(setting).remainingCount };
  }

  #inherit(outer: TraceSetting, own: Partial<TraceSetting>): TraceSetting {
    const { levels, rate, count, logFrequency } = outer;
    return { levels, rate, count, logFrequency, ...own };
  }

  #checked(setting: TraceSetting): TraceSetting {
    const fault = faultOf(setting, this.#options.start);
    if (fault !== undefined && setting.levels.length > 0) {
      throw traceErrors.invalid({ reason: fault });
    }
    return setting;
  }

  #checkModel(modelName: string): void {
    if (modelName !== '' && !this.#options.isKnownModel(modelName)) {
      throw traceErrors.unknownModel({ name: modelName });
    }
  }
}
