// What a load test does, as plain data: the form of the Perf lab, the options of `conch perf` and the stored run all
// hold this one shape. Defaults are perf_analyzer's.

import { z } from 'zod';

/** Types of the values of request parameters. */
export const PARAMETER_TYPES = ['bool', 'int', 'uint', 'string'] as const;

/** Which loads are measured, in which order. */
const perfLevelsSchema = z.discriminatedUnion('kind', [
  /** start, start + step ... up to and including end; end 0 = until the latency limit is passed. */
  z.object({ kind: z.literal('range'), start: z.number(), end: z.number(), step: z.number() }),
  z.object({ kind: z.literal('list'), values: z.array(z.number().positive()).min(1).max(200) }),
  /** Halves the interval, looking for the largest load within the latency limit. */
  z.object({ kind: z.literal('binary'), start: z.number(), end: z.number(), step: z.number() }),
  /** Doubles from start until throughput stops growing, or to end when that is not 0. */
  z.object({ kind: z.literal('doubling'), start: z.number(), end: z.number() }),
]);
/** Which levels of load are measured. */
export type PerfLevels = z.infer<typeof perfLevelsSchema>;

/** A load of one level, which is 1. */
export const ONE_LEVEL: PerfLevels = { kind: 'range', start: 1, end: 1, step: 1 };

const perfLoadSchema = z.discriminatedUnion('kind', [
  /** Requests kept outstanding. */
  z.object({ kind: z.literal('concurrency'), levels: perfLevelsSchema }),
  /** Requests per second, sent whether or not earlier ones were answered. */
  z.object({
    kind: z.literal('request-rate'),
    levels: perfLevelsSchema,
    distribution: z.enum(['constant', 'poisson']),
  }),
  /** Gaps between requests, repeated. */
  z.object({ kind: z.literal('intervals'), intervalsUs: z.array(z.number().positive()).min(1) }),
  /** Launches `step` more requests each time the newest ones have had `requestPeriod` responses; gRPC streams only. */
  z.object({
    kind: z.literal('periodic'),
    start: z.number(),
    end: z.number(),
    step: z.number(),
    requestPeriod: z.number(),
  }),
  /** Each data entry once, at its own `timestamp` (ms). */
  z.object({ kind: z.literal('schedule') }),
]);
/** How load is made. */
export type PerfLoad = z.infer<typeof perfLoadSchema>;

const perfDataSchema = z.object({
  source: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('random') }),
    z.object({ kind: z.literal('zero') }),
    /** Text of a data file in perf_analyzer's JSON form. */
    z.object({ kind: z.literal('json'), text: z.string() }),
    /** JSON file, or folder with one file per input. */
    z.object({ kind: z.literal('path'), path: z.string() }),
    /** A request saved in the playground, by id; `name` is what the user called it. */
    z.object({ kind: z.literal('saved'), request: z.string(), name: z.string() }),
    /**
     * What clients sent to the model while their requests were captured, each as it was: its own batch, parameters and
     * outputs. `text` is what the engine puts there for the generator; a plan that is kept has none.
     */
    z.object({
      kind: z.literal('captured'),
      order: z.enum(['in-order', 'random']),
      text: z.string().optional(),
    }),
  ]),
  /** Sizes of variable dimensions by input, without the batch dimension. */
  shapes: z.record(z.string(), z.array(z.number().int().positive())),
  /** Content of BYTES elements; "" = random letters. */
  stringData: z.string(),
  stringLength: z.number().int().positive(),
});
/** What is sent. */
export type PerfData = z.infer<typeof perfDataSchema>;

const perfMeasurementSchema = z.object({
  mode: z.enum(['time', 'count']),
  intervalMs: z.number().positive(),
  /** Requests per window in count mode. */
  requestCount: z.number().int().positive(),
  stabilityPercent: z.number().nonnegative(),
  /** Latency that must be stable and within the limit: a percentile 1..99, 0 = the mean. */
  percentile: z.number().int().min(0).max(99),
  maxWindows: z.number().int().positive(),
  /** Windows that do not agree are followed by longer ones. perf_analyzer has no such option. */
  growsWindows: z.boolean().optional(),
  /** Exactly this many requests in one window; 0 = windows until stable. */
  fixedRequestCount: z.number().int().nonnegative(),
  warmupRequestCount: z.number().int().nonnegative(),
  /** 0 = none. */
  latencyLimitMs: z.number().nonnegative(),
});
/** How long it is measured, and when it is enough. */
export type PerfMeasurement = z.infer<typeof perfMeasurementSchema>;

const perfSequenceSchema = z.object({
  /** Sequences alive at a time in rate modes. */
  count: z.number().int().positive(),
  length: z.number().int(),
  /** False: sequences of a data file keep their own length. */
  isLengthGiven: z.boolean(),
  lengthVariationPercent: z.number().nonnegative(),
  firstId: z.number().int().positive(),
  /** Ids in use: firstId ... firstId + idCount - 1. */
  idCount: z.number().int().positive(),
  /** One outstanding request per sequence in rate modes too. */
  isSerial: z.boolean(),
});
/** How sequences are made of requests. */
export type PerfSequence = z.infer<typeof perfSequenceSchema>;

const perfTlsSchema = z.object({
  rootFile: z.string(),
  keyFile: z.string(),
  certificateFile: z.string(),
  verifiesPeer: z.boolean(),
  verifiesHost: z.boolean(),
});
/** How the server is reached over TLS. */
export type PerfTls = z.infer<typeof perfTlsSchema>;

/** What a run of the load generator is told. */
export const perfPlanSchema = z.object({
  model: z.string().min(1),
  /** "" = highest available. */
  version: z.string(),
  protocol: z.enum(['http', 'grpc']),
  /** "host:port"; "" = the server this window belongs to. */
  url: z.string(),
  inputEncoding: z.enum(['binary', 'json']),
  outputEncoding: z.enum(['binary', 'json']),
  /** Open-loop requests never wait for a free connection. */
  isAsync: z.boolean(),
  isStreaming: z.boolean(),
  /** Connections of synchronous rate modes; 0 = perf_analyzer's choice. */
  maxThreads: z.number().int().nonnegative(),
  batchSize: z.number().int().positive(),
  load: perfLoadSchema,
  data: perfDataSchema,
  measurement: perfMeasurementSchema,
  sequence: perfSequenceSchema,
  sharedMemory: z.enum(['none', 'system']),
  /** Bytes per output whose size is not known. */
  outputSharedMemoryByteSize: z.number().int().positive(),
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
  parameters: z.array(z.object({ name: z.string(), value: z.string(), type: z.enum(PARAMETER_TYPES) })),
  compression: z.enum(['none', 'gzip', 'deflate']),
  tls: perfTlsSchema.optional(),
  /** Keep every request with its answer, for the export of all requests. */
  keepsRequests: z.boolean().optional(),
  /** Trace every request, and keep the traces of the slowest: on this server only. It costs the server time. */
  tracesSlowest: z.boolean().optional(),
  /** Models a business-logic model calls; their statistics are reported as composing models. */
  calledModels: z.array(z.object({ model: z.string(), version: z.string() })),
});
/** Everything that a run does; times are as the names say. */
export type PerfPlan = z.infer<typeof perfPlanSchema>;

/** perf_analyzer's defaults. 0 stands for the mean (`percentile`), for none (`latencyLimitMs`, warm-up) and for windows
 * instead of a number of requests (`fixedRequestCount`). */
export const DEFAULT_MEASUREMENT: PerfMeasurement = {
  mode: 'time',
  intervalMs: 5000,
  requestCount: 50,
  stabilityPercent: 10,
  percentile: 0,
  maxWindows: 10,
  fixedRequestCount: 0,
  warmupRequestCount: 0,
  latencyLimitMs: 0,
};

/** How many correlation ids there are to choose from where the user names no end. */
export const SEQUENCE_ID_SPAN = 2 ** 32 - 1;

/** perf_analyzer's defaults for a model. */
export function defaultPerfPlan(model: string): PerfPlan {
  return {
    model,
    version: '',
    protocol: 'http',
    url: '',
    inputEncoding: 'binary',
    outputEncoding: 'binary',
    isAsync: false,
    isStreaming: false,
    maxThreads: 0,
    batchSize: 1,
    load: { kind: 'concurrency', levels: ONE_LEVEL },
    data: { source: { kind: 'random' }, shapes: {}, stringData: '', stringLength: 128 },
    measurement: DEFAULT_MEASUREMENT,
    sequence: {
      count: 4,
      length: 20,
      isLengthGiven: false,
      lengthVariationPercent: 20,
      firstId: 1,
      idCount: SEQUENCE_ID_SPAN,
      isSerial: false,
    },
    sharedMemory: 'none',
    outputSharedMemoryByteSize: 102_400,
    headers: [],
    parameters: [],
    compression: 'none',
    calledModels: [],
  };
}
