// The `identity` backend: copies INPUT<k> to OUTPUT<k> for any number of pairs. Its parameters make slow, uneven and
// slowly loading models for tests and demonstrations: execute_delay_ms, instance_wise_delay_multiplier,
// creation_delay_sec, enable_custom_tracing.

import { describeBackend } from '../../../src-shared/config/backend-description.ts';
import type { Backend, InstanceSpec, ModelLoadContext } from '../../inference/backend.ts';
import type { InferenceRequest } from '../../inference/inference-request.ts';
import type { OutputTensor, ParameterValue } from '../../inference/inference-response.ts';
import { clientOutputShape } from '../../inference/output-shape.ts';
import { contiguous, copied } from '../../inference/tensor-bytes.ts';
import { EXECUTE_DELAY, numberParameter, runBatch, teachingBackend } from '../teaching/teaching-backend.ts';
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
  ],
});

export const identityBackend: Backend = teachingBackend(description, async (context) => {
  const { clock, config, signal } = context;
  const creationMs = numberParameter(config, 'creation_delay_sec', 0) * 1000;
  if (creationMs > 0) await clock.wait(creationMs, { signal });
  const isTracing = config.parameters['enable_custom_tracing']?.stringValue === 'true';
  return (spec) => {
    const delayMs = instanceDelayMs(context, spec);
    return {
      async execute(payload) {
        if (isTracing) await traceActivity(context, payload.requests);
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

async function traceActivity(
  context: ModelLoadContext,
  requests: readonly InferenceRequest[],
): Promise<void> {
  for (const { trace } of requests) {
    if (trace === undefined) continue;
    trace.activity('CUSTOM_ACTIVITY', context.clock.nowNs());
    await context.clock.wait(TRACED_ACTIVITY_MS);
    trace.activity('CUSTOM_ACTIVITY', context.clock.nowNs());
  }
}

function copyPairs({ config }: ModelLoadContext, request: InferenceRequest): OutputTensor[] {
  const outputs: OutputTensor[] = [];
  for (const name of request.requestedOutputs) {
    const input = findInput(request, name.replace(/^OUTPUT/, 'INPUT'));
    if (input === undefined) continue;
    outputs.push({
      name,
      datatype: input.datatype,
      shape: clientOutputShape(config, name, input.shapeWithBatch),
      // The input's bytes belong to the request, which ends before the response does.
      bytes: copied(contiguous(input.bytes)),
    });
  }
  return outputs;
}
