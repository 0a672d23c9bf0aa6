// Instances of the onnxruntime backend without a backend, for tests of what one instance does with its session.

import type { DataType } from '../../src-shared/datatypes.ts';
import { describeTensor } from '../../src-shared/config/model-description.ts';
import type { ModelDescription } from '../../src-shared/config/model-description.ts';
import { ortTypeOf } from '../backends/onnxruntime/ort-datatypes.ts';
import { SessionInstance } from '../backends/onnxruntime/session-instance.ts';
import type { SessionInstanceParts } from '../backends/onnxruntime/session-instance.ts';
import type { SessionInit } from '../backends/onnxruntime/session-messages.ts';
import { systemClock } from '../base/clock.ts';
import { RecordingReporter } from './backend-harness.ts';

/** What a file says whose INPUT comes back as OUTPUT, both of this complete shape. */
export function oneToOne(datatype: DataType, shape: readonly number[]): ModelDescription {
  return {
    inputs: [describeTensor('INPUT', datatype, shape)],
    outputs: [describeTensor('OUTPUT', datatype, shape)],
  };
}

/** Opens the file at `path`, of a model from INPUT to OUTPUT with a batch dimension, on the processor. */
export function oneToOneInit(path: string, datatype: DataType): SessionInit {
  return {
    path,
    settings: { graphOptimizationLevel: 'all', executionMode: 'sequential', extra: {} },
    providerAttempts: [[{ name: 'cpu' }]],
    feeds: [{ name: 'INPUT', type: ortTypeOf(datatype) ?? 'float32' }],
    outputs: ['OUTPUT'],
    isBatching: true,
  };
}

type GivenParts = Pick<SessionInstanceParts, 'plan' | 'session' | 'host'> & Partial<SessionInstanceParts>;

/** The instance `m_0`, which answers last unless `parts` say otherwise, and what it reports. */
export function sessionInstance(parts: GivenParts): {
  readonly instance: SessionInstance;
  readonly reporter: RecordingReporter;
} {
  const reporter = new RecordingReporter();
  const instance = new SessionInstance({
    spec: { name: 'm_0', kind: 'KIND_CPU', deviceId: -1, ordinal: 0, isPassive: false, hostPolicy: 'cpu' },
    clock: systemClock,
    reporter,
    memoryByteSize: undefined,
    mayOverlap: false,
    mayAnswerLast: true,
    inline: undefined,
    ...parts,
  });
  return { instance, reporter };
}

/** Numbers in a row, to be told apart when they come back. */
export const numbersFrom = (first: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => first + index);
