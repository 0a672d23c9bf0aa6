// A sound that does not fit its input says what of it is sent.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { FakeEngine } from '../../testing/fake-engine.ts';
import { fakeInterface } from '../../testing/fake-playground.ts';
import { playgroundEngine, showPlayground } from '../../testing/playground-page.tsx';
import type { Rendered } from '../../testing/render.tsx';
import { accessibilityFaults, until } from '../../testing/render.tsx';
import { clearPlaygrounds } from './playground-store.ts';

let fake: FakeEngine;
let page: Rendered | undefined;

beforeEach(() => {
  clearPlaygrounds();
  fake = playgroundEngine();
  let blobs = 0;
  fake.overrides['blob/create'] = () => ({ blob: `b${(blobs += 1)}` });
  fake.overrides['blob/append'] = () => ({ byteSize: 3 });
  fake.overrides['blob/release'] = () => undefined;
});
afterEach(async () => {
  await page?.close();
  vi.unstubAllGlobals();
});

/** The playground of a model that takes a second, when the sound has so many samples at 16 kHz. */
async function showSound(count: number): Promise<Rendered> {
  const decoded = { length: count, numberOfChannels: 1, getChannelData: () => new Float32Array(count) };
  vi.stubGlobal(
    'OfflineAudioContext',
    class {
      readonly decodeAudioData = () => Promise.resolve(decoded);
    },
  );
  const input = {
    name: 'audio',
    datatype: 'FP32',
    shape: [1, 16_000],
    optional: false,
    imageLayout: '' as const,
  };
  page = await showPlayground(fake, fakeInterface({ inputs: [input] }));
  const { get } = page;
  await until(() => get('tensor-wave-audio'));
  return page;
}

test.each([
  ['is cut', 48_000, 'Only the first 1 s of 3 s are sent: the input takes no more.'],
  ['is filled up', 8_000, 'After 0.5 s of sound silence is sent, up to the 1 s that the input takes.'],
])('a sound of another length %s, and this is said', async (_what, count, sentence) => {
  const { get } = await showSound(count);
  expect(get('pg-sound-fit-audio').textContent).toBe(sentence);
  expect(await accessibilityFaults()).toEqual([]);
});

test('a sound that fits needs no words', async () => {
  const { query } = await showSound(16_000);
  expect(query('pg-sound-fit-audio')).toBeNull();
});
