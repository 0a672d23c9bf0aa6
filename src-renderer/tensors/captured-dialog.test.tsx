// One captured request: what it says of a sequence of a client, and what is sent again of that.

import { afterEach, expect, test, vi } from 'vitest';

import type { CapturedRequest, CapturedRow } from '../../src-shared/contract/capture-calls.ts';
import { FakeEngine } from '../testing/fake-engine.ts';
import type { Rendered } from '../testing/render.tsx';
import { click, renderWithHosts, until } from '../testing/render.tsx';
import { CapturedDialog } from './captured-dialog.tsx';

let page: Rendered | undefined;

afterEach(() => page?.close());

const ROW: CapturedRow = {
  ...{ id: 1, atMs: 0, model: 'accumulate', version: '1', requestId: undefined, parentId: 0, stepIndex: -1 },
  ...{
    state: 'ok',
    error: undefined,
    durationMs: 1,
    responseCount: 1,
    inputs: [],
    byteSize: 4,
    hasTensors: true,
  },
};

const CAPTURED: CapturedRequest = {
  row: ROW,
  request: {
    ...{ model: 'accumulate', version: '', protocol: 'http-binary', id: '', inputs: [], outputs: [] },
    ...{ priority: 0, timeoutUs: 0, parameters: {} },
  },
  inputs: [],
  responses: [],
};

async function opened(fake: FakeEngine, row = ROW): Promise<Rendered> {
  page = await renderWithHosts(<CapturedDialog row={row} onClose={() => undefined} />, fake);
  const { get } = page;
  await until(() => get('captured-dialog'));
  return page;
}

test.each([
  ['4711', /^1\d{9}$/],
  ['user-a', /^user-a-\d{10}$/],
])('the start of sequence %s is sent again as one of its own', async (id, own) => {
  const fake = new FakeEngine();
  const request = { ...CAPTURED.request, sequence: { id, start: true, end: false } };
  fake.overrides['capture/open'] = () => ({ ...CAPTURED, request });
  fake.overrides['playground/send'] = () => ({ ok: false, error: 'no', responses: [] }) as never;
  const { get } = await opened(fake);
  await until(() => expect(get('captured-sequence').textContent).toContain(`starts sequence ${id}`));
  await click(get('captured-again'));
  const sent = await until(() => fake.argsOf('playground/send')[0]?.sequence);
  expect(sent).toMatchObject({ id: expect.stringMatching(own), start: true, end: false });
});

test('a request inside a sequence of a client is not sent into it again', async () => {
  const fake = new FakeEngine();
  const request = { ...CAPTURED.request, sequence: { id: '4711', start: false, end: true } };
  fake.overrides['capture/open'] = () => ({ ...CAPTURED, request });
  const { get } = await opened(fake);
  await until(() => expect(get('captured-sequence').textContent).toContain('belongs to sequence 4711'));
  await click(get('captured-again'));
  expect(fake.argsOf('playground/send')).toEqual([]);
});

test('the words of a refusal are told once', async () => {
  const fake = new FakeEngine();
  const error = 'wrong shape';
  fake.overrides['capture/open'] = () => ({
    ...CAPTURED,
    row: { ...ROW, error },
    responses: [{ outputs: [], error }],
  });
  const { get } = await opened(fake, { ...ROW, state: 'failed', error });
  await until(() => expect(get('captured-dialog').textContent).toContain('What was answered'));
  expect(get('captured-dialog').textContent.split(error)).toHaveLength(2);
});

test('what came of sending again is scrolled to: it stands above tensors, its button below them', async () => {
  const shown: Element[] = [];
  const spy = vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
    shown.push(this);
    // As newer browsers do.
    return Promise.resolve() as never;
  });
  const fake = new FakeEngine();
  fake.overrides['capture/open'] = () => CAPTURED;
  fake.overrides['playground/send'] = () => ({ ok: false, error: 'it is gone', responses: [] }) as never;
  const { get } = await opened(fake);
  await until(() => expect(get('captured-again').getAttribute('aria-disabled')).not.toBe('true'));
  await click(get('captured-again'));
  await until(() => expect(shown.map(({ textContent }) => textContent).join()).toContain('it is gone'));
  spy.mockRestore();
});

test('what was found is drawn over the picture that was sent', async () => {
  const toBlob = vi
    .spyOn(HTMLCanvasElement.prototype, 'toBlob')
    .mockImplementation((callback) => callback(new Blob(['picture'])));
  const address = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:picture');
  const bytes = new Map([
    ['image', Buffer.from(new Float32Array(3 * 32 * 32).buffer)],
    ['boxes', Buffer.from(Float32Array.of(4, 8, 20, 24, 0.9, 15).buffer)],
  ]);
  const tensor = (name: string, shape: number[]) => ({
    ...{ name, datatype: 'FP32', shape, byteSize: bytes.get(name)?.byteLength ?? 0 },
    ...{ preview: [], blob: name, stats: undefined, classes: [] },
  });
  const fake = new FakeEngine();
  fake.overrides['blob/read'] = ({ blob, offset, byteSize }) => {
    const all = bytes.get(blob) ?? Buffer.alloc(0);
    return {
      base64: all.subarray(offset, offset + byteSize).toString('base64'),
      totalByteSize: all.byteLength,
    };
  };
  fake.overrides['capture/open'] = () => ({
    ...CAPTURED,
    inputs: [{ ...tensor('image', [1, 3, 32, 32]), values: undefined }],
    responses: [{ outputs: [tensor('boxes', [1, 1, 6])], error: undefined }],
  });
  const { get } = await opened(fake);
  const frame = await until(() => get('tensor-box'));
  expect([frame.style.left, frame.style.top, frame.style.width]).toEqual(['12.5%', '25%', '50%']);
  expect(get('tensor-boxes').querySelector('img')?.getAttribute('src')).toBe('blob:picture');
  toBlob.mockRestore();
  address.mockRestore();
});
