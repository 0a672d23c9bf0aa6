// An identity of INT32 [n, 2] as a session of the instance host, without the backend around it.

import { layOutJob, readResult, writeJobHeader } from '../backends/onnxruntime/job-layout.ts';
import type { SessionInit } from '../backends/onnxruntime/session-messages.ts';
import type { HostedSession } from '../backends/instance-host/hosted-session.ts';
import { tensorBytes } from './backend-harness.ts';

/** `path`: a file of `identityModel('INT32', ['n', 2])`. */
export function identityInit(path: string): SessionInit {
  return {
    path,
    settings: { graphOptimizationLevel: 'all', executionMode: 'sequential', intraOpNumThreads: 1, extra: {} },
    providerAttempts: [[{ name: 'cpu' }]],
    feeds: [{ name: 'INPUT', type: 'int32' }],
    outputs: ['OUTPUT'],
    isBatching: true,
  };
}

/** The values that come back; an even count of them. Rejects with the error of the job. */
export function runIdentity(session: HostedSession, values: readonly number[]): Promise<number[]> {
  const bytes = tensorBytes('INT32', values);
  const feeds = [{ dims: [values.length / 2, 2], byteSize: bytes.byteLength, segments: [] }];
  const layout = layOutJob(feeds);
  const slot = session.takeSlot(layout.byteSize);
  writeJobHeader(slot.words, feeds, layout);
  slot.bytes.set(bytes, layout.offsets[0]);
  return new Promise((resolve, reject) => {
    session.run(slot, (error) => {
      session.releaseSlot(slot);
      if (error !== undefined) reject(error);
      else resolve([...new Int32Array(readResult(slot.words, slot.bytes, 1)[0]?.bytes.slice().buffer ?? [])]);
    });
  });
}
