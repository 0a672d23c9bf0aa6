// Both answers of a detector that was compared lie over the picture that was sent.

import { afterEach, expect, test } from 'vitest';

import { FakeEngine } from '../../testing/fake-engine.ts';
import type { Rendered } from '../../testing/render.tsx';
import { accessibilityFaults, click, renderView, until } from '../../testing/render.tsx';
import { ParityAnswers } from './components/parity-answers.tsx';

let page: Rendered | undefined;
afterEach(() => page?.close());

const PICTURE = { address: 'about:blank', input: { width: 100, height: 100 }, resize: 'stretch' } as const;

test('each answer has its boxes in the picture', async () => {
  const fake = new FakeEngine();
  fake.overrides['playground/labels'] = () => ({ labels: [], step: undefined });
  fake.overrides['blob/read'] = ({ blob }) => {
    const bytes = Buffer.from(Float32Array.of(10, 10, 50, 50, blob === 'served' ? 0.9 : 0.8, 1).buffer);
    return { base64: bytes.toString('base64'), totalByteSize: bytes.byteLength };
  };
  const boxes = (blob: string) => ({
    ...{ name: 'boxes', datatype: 'FP32', shape: [1, 6], byteSize: 24, preview: [], blob },
    ...{ stats: undefined, classes: [] },
  });
  page = await renderView(
    <ParityAnswers
      answers={[{ served: boxes('served'), bare: boxes('bare') }]}
      source={{ model: 'm', version: '1' }}
      picture={PICTURE}
    />,
    fake,
  );
  const { get } = page;
  await click(get('pg-parity-look').querySelector('button') ?? get('pg-parity-look'));
  const framed = () =>
    ['pg-parity-served', 'pg-parity-bare'].map(
      (id) => get(id).querySelector('[data-testid="tensor-box"]')?.textContent,
    );
  await until(() => expect(framed()).toEqual(['person 90 %', 'person 80 %']));
  expect(await accessibilityFaults()).toEqual([]);
});
