// What the built-in teaching backends share: they need no model file, run on the event loop through Clock, and take
// their timing from the model's parameters. Each backend supplies what one payload does.

import type { BackendDescription, BackendKey } from '../../../src-shared/config/backend-description.ts';
import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import { toServerError } from '../../../src-shared/errors.ts';
import type {
  Backend,
  BackendModel,
  InstanceSpec,
  ModelInstance,
  ModelLoadContext,
} from '../../inference/backend.ts';
import type { ComputeTimes, Payload } from '../../inference/execution.ts';
import type { InferenceRequest } from '../../inference/inference-request.ts';
import type { OutputTensor, ParameterValue } from '../../inference/inference-response.ts';
import { ResponseSender } from '../../inference/response-sender.ts';

/** What one instance does. */
export interface TeachingInstance {
  /** The contract of ModelInstance.execute. */
  execute(payload: Payload): Promise<void>;
  /** Resolves when nothing of this instance is running any more. */
  close?(): Promise<void>;
}

/** Read by all of them but `repeat` and `square`, whose requests carry their timing. */
export const EXECUTE_DELAY: BackendKey = {
  name: 'execute_delay_ms',
  summary: 'Milliseconds that each execution takes; default 0.',
};

/** `create` runs per loaded model; the function it returns, per instance. */
export function teachingBackend(
  description: BackendDescription,
  create: (context: ModelLoadContext) => Promise<(spec: InstanceSpec) => TeachingInstance>,
): Backend {
  return {
    description,
    async load(context): Promise<BackendModel> {
      const createInstance = await create(context);
      return {
        notices: [],
        createInstance: (spec) => Promise.resolve(asModelInstance(spec, createInstance(spec))),
        close: () => Promise.resolve(),
      };
    },
  };
}

function asModelInstance(spec: InstanceSpec, instance: TeachingInstance): ModelInstance {
  return {
    spec,
    memoryByteSize: undefined,
    execute: (payload) => instance.execute(payload),
    close: async () => {
      await instance.close?.();
    },
  };
}

/** A number from the model's `parameters`; `fallback` when absent or not a number. */
export function numberParameter(config: ModelConfig, key: string, fallback: number): number {
  const text = config.parameters[key]?.stringValue ?? '';
  const value = Number(text);
  return text.trim() === '' || Number.isNaN(value) ? fallback : value;
}

/** What one execution of a teaching model does. */
export interface BatchRun {
  readonly delayMs: number;
  /** Outputs of the request whose first row is `row`; throwing answers it with that error. */
  readonly compute: (request: InferenceRequest, row: number) => readonly OutputTensor[];
  readonly parameters?: ReadonlyMap<string, ParameterValue>;
}

/** Executes a payload in the plain way: wait, compute each request, answer, report, release. */
export async function runBatch(context: ModelLoadContext, payload: Payload, run: BatchRun): Promise<void> {
  const { clock, reporter } = context;
  const computeStartNs = clock.nowNs();
  if (run.delayMs > 0) await clock.wait(run.delayMs);
  const inferEndNs = clock.nowNs();
  let row = 0;
  const results = payload.requests.map((request) => {
    const first = row;
    row += Math.max(1, request.batchSize);
    try {
      return { request, outputs: run.compute(request, first) };
    } catch (thrown) {
      return { request, error: toServerError(thrown) };
    }
  });
  const times: ComputeTimes = {
    computeStartNs,
    computeInputEndNs: computeStartNs,
    computeOutputStartNs: inferEndNs,
    computeEndNs: clock.nowNs(),
  };
  for (const { request, outputs, error } of results) {
    const sender = new ResponseSender(request);
    if (error !== undefined) void sender.fail(error);
    else {
      void sender.send(outputs, {
        isFinal: true,
        ...(run.parameters === undefined ? {} : { parameters: run.parameters }),
      });
    }
    reporter.request(request, error === undefined, times, error === undefined ? undefined : 'BACKEND');
    request.release();
  }
  if (results.some(({ error }) => error === undefined)) reporter.execution(payload.batchSize, times);
}
