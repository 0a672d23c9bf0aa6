// Values of tensors in the profile export.

import { expect, test } from 'vitest';

import { defaultPerfPlan } from '../../../src-shared/contract/perf-plan.ts';
import { encodeValues } from '../../tensor/value-codec.ts';
import type { SessionResult } from '../perf-session.ts';
import { profileExport } from './profile-export.ts';

/** A session of one request whose input T has these texts. */
function sessionOf(texts: readonly string[]): SessionResult {
  const tensor = { name: 'T', datatype: 'BYTES', shape: [texts.length], bytes: encodeValues(texts, 'BYTES') };
  return {
    data: { streams: [[{}]] },
    encoder: { placesFrom: () => [], request: () => ({ inputs: [tensor] }) },
    wallOffsetNs: 0n,
    exports: [
      {
        ...{ unit: 'concurrency', value: 1, boundariesNs: [0, 9] },
        requests: [{ startNs: 1, sequenceId: 0, stream: 0, step: 0, responseNs: [], responses: [] }],
      },
    ],
  } as unknown as SessionResult;
}

test.each([
  [
    ['one', 'two'],
    ['one', 'two'],
  ],
  [['Zoë'], 'Zoë'],
  [
    ['', 'x'],
    ['', 'x'],
  ],
])('texts are written without the lengths that lie before them in memory: %j', (texts, expected) => {
  const { text } = profileExport(defaultPerfPlan('m'), sessionOf(texts), '1');
  const profile = JSON.parse(text) as { experiments: { requests: { request_inputs: unknown }[] }[] };
  expect(profile.experiments[0]?.requests[0]?.request_inputs).toEqual({ T: expected });
});
