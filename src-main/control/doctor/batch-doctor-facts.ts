// What the batch doctor looks at, and what it answers.

/** What is known of a model's batching when the doctor is asked; durations are microseconds. */
export interface DoctorFacts {
  readonly maxBatchSize: number;
  readonly scheduler: 'none' | 'dynamic' | 'sequence' | 'ensemble';
  readonly preferredBatchSizes: readonly number[];
  readonly delayUs: number;
  readonly instanceCount: number;
  /** The instances come from one entry of the configuration, whose count can be changed. */
  readonly hasOneGroup: boolean;
  /** Rows and executions of the whole window, and the requests behind them. */
  readonly inferenceCount: number;
  readonly executionCount: number;
  /** The latest executions of the window, oldest first; a busy model has more than are kept. */
  readonly executions: readonly DoctorExecution[];
  /** Time-weighted mean of requests queued or executing while there was traffic. */
  readonly meanInFlight: number;
  readonly maxInFlight: number;
  readonly cacheHitCount: number;
  readonly timedOutCount: number;
  readonly requestCount: number;
  /** Length of the window that the counts are from. */
  readonly windowMs: number;
}

/** One of the newest executions. */
export interface DoctorExecution {
  readonly requestCount: number;
  readonly batchSize: number;
  readonly closeReason: string;
  /** Shapes of its first request where the next one's differed; else undefined. */
  readonly shapes: string | undefined;
  /** Requests that were left waiting. */
  readonly queueLength: number;
}

/** A change of the configuration that can be tried. */
export interface DoctorSuggestion {
  readonly title: string;
  /** Fields of config.pbtxt and the values to try; undefined removes a field. */
  readonly changes: readonly { readonly path: string; readonly value: unknown }[];
}

/** `code` is stable, for tests and links; `sentence` says what is so, `advice` what to do. Suggestions may be empty. */
export interface Verdict {
  readonly code: string;
  readonly sentence: string;
  readonly advice: string;
  readonly suggestions: readonly DoctorSuggestion[];
}

/** A verdict with the numbers that it follows from, as texts with their units. */
export interface Diagnosis extends Verdict {
  readonly evidence: readonly { readonly label: string; readonly value: string }[];
}

/** What follows from the facts, computed once. */
export interface Observed {
  readonly meanBatch: number;
  readonly meanRequestBatch: number;
  readonly arrivalGapUs: number;
  /** Close reason -> share of the executions. */
  readonly reasonShare: ReadonlyMap<string, number>;
  /** Share of the executions that left nothing waiting because an instance was free. */
  readonly freeShare: number;
  /** Most frequent first. */
  readonly shapes: readonly string[];
  /** Share of the requests that never reached a batch. */
  readonly cacheShare: number;
}
