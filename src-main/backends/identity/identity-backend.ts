// The `identity` backend: copies INPUT<k> to OUTPUT<k> for any number of pairs. Its parameters make slow, uneven and
// slowly loading models for tests and demonstrations: execute_delay_ms, instance_wise_delay_multiplier,
// creation_delay_sec, enable_custom_tracing, nested_span_count, single_activity_frequency.

import { describeBackend } from '../../../src-shared/config/backend-description.ts';
import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import { dataTypeFromConfig, smallestElementByteSize } from '../../../src-shared/datatypes.ts';
import type { Backend, InstanceSpec, ModelLoadContext } from '../../inference/backend.ts';
import { InferInput } from '../../inference/inference-request.ts';
import type { InferenceRequest } from '../../inference/inference-request.ts';
import type { OutputTensor, ParameterValue } from '../../inference/inference-response.ts';
import { clientOutputShape } from '../../inference/output-shape.ts';
import { bytesOf, contiguous, copied } from '../../inference/tensor-bytes.ts';
import { EXECUTE_DELAY, numberParameter, runBatch, teachingBackend } from '../teaching/teaching-backend.ts';
import { teachingErrors } from '../teaching/teaching-errors.ts';
import { findInput } from '../teaching/teaching-tensors.ts';

const TRACED_ACTIVITY_MS = 100;

const RESPONSE_PARAMETERS: ReadonlyMap<string, ParameterValue> = new Map<string, ParameterValue>([
  ['param0', 'an example string parameter'],
  ['param1', 42n],
  ['param2', false],
  ['param3', 123.123],
]);

const description = describeBackend({
  name: 'identity',
  title: 'Identity',
  summary: 'Copies INPUT<k> to OUTPUT<k>; needs no model file. For tests and demonstrations.',
  parameters: [
    EXECUTE_DELAY,
    {
      name: 'instance_wise_delay_multiplier',
      summary: 'Instance i takes i times as long, times this number; default 0, all alike.',
    },
    { name: 'creation_delay_sec', summary: 'Seconds that loading takes; default 0.' },
    { name: 'enable_custom_tracing', summary: '"true" reports activities of its own to traces.' },
    {
      name: 'nested_span_count',
      summary: 'With custom tracing, so many activities lie in each other; default 0.',
    },
    {
      name: 'single_activity_frequency',
      summary: 'Every so many of the nested activities, one that has no end; default 1.',
    },
  ],
});

/** Any datatypes and shapes. An optional input that was not sent counts as zeros; without another one its request fails. */
export const identityBackend: Backend = teachingBackend(description, async (context) => {
  const { clock, config, signal } = context;
  const creationMs = numberParameter(config, 'creation_delay_sec', 0) * 1000;
  if (creationMs > 0) await clock.wait(creationMs, { signal });
  const tracing = readTracing(config);
  return (spec) => {
    const delayMs = instanceDelayMs(context, spec);
    return {
      async execute(payload) {
        if (tracing !== undefined) await traceActivities(context, payload.requests, tracing);
        await runBatch(context, payload, {
          delayMs,
          compute: (request) => copyPairs(context, request),
          parameters: RESPONSE_PARAMETERS,
        });
      },
    };
  };
});

/** Instance number i sleeps delay x max(1, multiplier x i). */
function instanceDelayMs({ config }: ModelLoadContext, spec: InstanceSpec): number {
  const multiplier = numberParameter(config, 'instance_wise_delay_multiplier', 0);
  return numberParameter(config, 'execute_delay_ms', 0) * Math.max(1, multiplier * spec.ordinal);
}

interface CustomTracing {
  readonly nestedCount: number;
  readonly singleEvery: number;
}

function readTracing(config: ModelConfig): CustomTracing | undefined {
  if (config.parameters['enable_custom_tracing']?.stringValue !== 'true') return undefined;
  return {
    nestedCount: numberParameter(config, 'nested_span_count', 0),
    singleEvery: Math.max(1, numberParameter(config, 'single_activity_frequency', 1)),
  };
}

/** Names, order and pauses as in the reference. */
async function traceActivities(
  { clock }: ModelLoadContext,
  requests: readonly InferenceRequest[],
  { nestedCount, singleEvery }: CustomTracing,
): Promise<void> {
  for (const { trace } of requests) {
    if (trace === undefined) continue;
    const report = (name: string): void => trace.customActivity(name, clock.nowNs());
    report('CUSTOM_ACTIVITY_START');
    await clock.wait(TRACED_ACTIVITY_MS);
    report('CUSTOM_ACTIVITY_END');
    report('CUSTOM_SINGLE_ACTIVITY');
    for (let depth = 0; depth < nestedCount; depth += 1) {
      report(`CUSTOM_ACTIVITY${depth}_START`);
      await clock.wait(TRACED_ACTIVITY_MS);
      if (depth % singleEvery === 0) report('CUSTOM_SINGLE_ACTIVITY');
    }
    for (let depth = nestedCount - 1; depth >= 0; depth -= 1) report(`CUSTOM_ACTIVITY${depth}_END`);
  }
}

function copyPairs({ config }: ModelLoadContext, request: InferenceRequest): OutputTensor[] {
  return request.requestedOutputs.map((name) => {
    const inputName = name.replace(/^OUTPUT/, 'INPUT');
    const input = findInput(request, inputName) ?? zeroInput(config, request, inputName);
    return {
      name,
      datatype: input.datatype,
      shape: clientOutputShape(config, name, input.shapeWithBatch),
      // The input's bytes belong to the request, which ends before the response does.
      bytes: copied(contiguous(input.bytes)),
    };
  });
}

/** What an optional input counts as that was not sent: zero bytes of its configured shape. Throws UNSUPPORTED for others. */
function zeroInput(config: ModelConfig, request: InferenceRequest, name: string): InferInput {
  const input = config.input.find((candidate) => candidate.name === name);
  if (input?.optional !== true) {
    throw teachingErrors.inputMissing({ name });
  }
  const dims = (input.reshape?.shape ?? input.dims).map((dim) => Math.max(1, dim));
  const shape = config.maxBatchSize > 0 ? [Math.max(1, request.batchSize), ...dims] : dims;
  const datatype = dataTypeFromConfig(input.dataType) ?? 'UINT8';
  const size = smallestElementByteSize(datatype);
  const count = shape.reduce((product, dim) => product * dim, 1);
  return new InferInput(name, datatype, shape, bytesOf(new Uint8Array(count * size)));
}
