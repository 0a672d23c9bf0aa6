// A sound that is too long to be shown as a whole says so, and is saved as a whole.

import { afterEach, expect, test, vi } from 'vitest';

import { FakeEngine } from '../testing/fake-engine.ts';
import type { Rendered } from '../testing/render.tsx';
import { click, renderView, until } from '../testing/render.tsx';
import { WaveView } from './wave-view.tsx';

let page: Rendered | undefined;
afterEach(() => page?.close());

test.each([
  [1_600_000, 'The first 93.8 s of 100 s are shown and played; all of it is saved'],
  [16_000, '1 s'],
])('of %d samples it says: %s', async (length, sentence) => {
  const saved: Blob[] = [];
  const address = vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    if (blob instanceof Blob) saved.push(blob);
    return 'blob:x';
  });
  const bytes = Buffer.from(new Int16Array(length).fill(100).buffer);
  const fake = new FakeEngine();
  fake.overrides['blob/read'] = ({ offset, byteSize }) => ({
    base64: bytes.subarray(offset, offset + byteSize).toString('base64'),
    totalByteSize: bytes.byteLength,
  });
  const output = {
    ...{ name: 'audio', datatype: 'INT16', shape: [1, length], byteSize: bytes.byteLength },
    ...{ preview: [], blob: 'b', stats: undefined, classes: [] },
  };
  page = await renderView(<WaveView output={output} />, fake);
  const { get } = page;
  await until(() => expect(get('tensor-seconds-audio').textContent).toBe(sentence));
  await click(get('tensor-wav-audio'));
  await until(() => expect(saved.map(({ size }) => size)).toEqual([44 + 2 * length]));
  address.mockRestore();
});
