import { expect, test } from 'vitest';

import { topNames } from './dropped-entries.ts';
import { uploadFiles } from './upload.ts';

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly offset: string | null;
}

/** An upload endpoint that keeps sizes; `failOnce` breaks the n-th PATCH after half of its bytes. */
function fakeEndpoint(failOnce = -1) {
  const sizes = new Map<string, number>();
  const seen: Seen[] = [];
  let patches = 0;
  const request = (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    const url = String(input);
    const method = init.method ?? 'GET';
    const offset = new Headers(init.headers).get('upload-offset');
    seen.push({ method, url, offset });
    if (method === 'POST')
      return Promise.resolve(Response.json({ upload: 'u1', path: '/data/uploads/u1' }, { status: 201 }));
    if (method === 'HEAD') {
      return Promise.resolve(
        new Response(null, { status: 204, headers: { 'upload-offset': String(sizes.get(url) ?? 0) } }),
      );
    }
    if (method === 'DELETE') return Promise.resolve(new Response(null, { status: 204 }));
    const body = init.body as Blob;
    const isBroken = patches++ === failOnce;
    sizes.set(url, (sizes.get(url) ?? 0) + (isBroken ? Math.floor(body.size / 2) : body.size));
    return isBroken
      ? Promise.reject(new TypeError('network'))
      : Promise.resolve(new Response(null, { status: 204 }));
  };
  return { request: request as typeof fetch, sizes, seen };
}

const noProgress = (): void => undefined;

test('files arrive whole below one upload, progress ends at 1', async () => {
  const { request, sizes } = fakeEndpoint();
  const shares: number[] = [];
  const folder = await uploadFiles(
    [
      { path: 'm/config.pbtxt', file: new Blob(['name: "m"']) },
      { path: 'm/1/model.onnx', file: new Blob([new Uint8Array(20 * 1024 * 1024)]) },
    ],
    { signal: new AbortController().signal, onProgress: (share) => shares.push(share), fetch: request },
  );
  expect(folder).toBe('/data/uploads/u1');
  expect([...sizes.values()]).toEqual([9, 20 * 1024 * 1024]);
  expect(shares.at(-1)).toBe(1);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
});

test('a piece that broke off goes on where the server stopped', async () => {
  const { request, sizes, seen } = fakeEndpoint(0);
  await uploadFiles([{ path: 'a.onnx', file: new Blob([new Uint8Array(1000)]) }], {
    signal: new AbortController().signal,
    onProgress: noProgress,
    fetch: request,
  });
  expect([...sizes.values()]).toEqual([1000]);
  expect(seen.filter(({ method }) => method === 'PATCH').map(({ offset }) => offset)).toEqual(['0', '500']);
});

test('an upload that fails for good is dropped on the server', async () => {
  const { seen } = fakeEndpoint();
  const refuse = ((input: RequestInfo | URL, init: RequestInit = {}) => {
    seen.push({ method: init.method ?? '', url: String(input), offset: null });
    if (init.method === 'POST') return Promise.resolve(Response.json({ upload: 'u1', path: '/u' }));
    return Promise.resolve(new Response('no space left', { status: 500 }));
  }) as typeof fetch;
  const files = [{ path: 'a', file: new Blob(['x']) }];
  await expect(
    uploadFiles(files, { signal: new AbortController().signal, onProgress: noProgress, fetch: refuse }),
  ).rejects.toThrow('no space left');
  expect(seen.at(-1)).toMatchObject({ method: 'DELETE', url: '/upload/u1' });
});

/** A network that is away for so many requests, from the third on; then the endpoint answers. */
function awayFor(requests: number) {
  const { request, sizes, seen } = fakeEndpoint();
  let count = 0;
  const away = ((input: RequestInfo | URL, init?: RequestInit) => {
    count += 1;
    if (count > 2 && count <= 2 + requests) return Promise.reject(new TypeError('Failed to fetch'));
    return request(input, init);
  }) as typeof fetch;
  return { away, sizes, seen };
}

const BIG = new Blob([new Uint8Array(20 * 1024 * 1024)]);

test('an upload waits for a network that is away, and then goes on', async () => {
  const { away, sizes, seen } = awayFor(4);
  const waits: number[] = [];
  await uploadFiles([{ path: 'big.onnx', file: BIG }], {
    signal: new AbortController().signal,
    onProgress: noProgress,
    fetch: away,
    wait: (ms) => Promise.resolve(void waits.push(ms)),
  });
  expect([...sizes.values()]).toEqual([BIG.size]);
  expect(waits).toEqual([0, 1000, 2000, 4000]);
  expect(seen.map(({ method }) => method)).toEqual(['POST', 'PATCH', 'HEAD', 'PATCH', 'PATCH']);
});

test('an upload that waits can be ended', async () => {
  const { away } = awayFor(99);
  const controller = new AbortController();
  const uploading = uploadFiles([{ path: 'big.onnx', file: BIG }], {
    signal: controller.signal,
    onProgress: noProgress,
    fetch: away,
    wait: (ms, signal) => {
      if (ms >= 4000) controller.abort();
      return signal.aborted ? Promise.reject(signal.reason as Error) : Promise.resolve();
    },
  });
  await expect(uploading).rejects.toMatchObject({ name: 'AbortError' });
});

test('the reason of a refusal is told without what it was wrapped in, and not asked for again', async () => {
  const { seen } = fakeEndpoint();
  const refuse = ((_input: RequestInfo | URL, init: RequestInit = {}) => {
    seen.push({ method: init.method ?? '', url: '', offset: null });
    if (init.method === 'POST') return Promise.resolve(Response.json({ upload: 'u1', path: '/u' }));
    return Promise.resolve(Response.json({ error: 'no space left' }, { status: 500 }));
  }) as typeof fetch;
  await expect(
    uploadFiles([{ path: 'a', file: new Blob(['x']) }], {
      signal: new AbortController().signal,
      onProgress: noProgress,
      fetch: refuse,
    }),
  ).rejects.toThrow(/^no space left$/);
  expect(seen.map(({ method }) => method)).toEqual(['POST', 'PATCH', 'DELETE']);
});

test('what was chosen is named by its top folder', () => {
  const file = new Blob([]);
  expect(
    topNames([
      { path: 'm/1/a', file },
      { path: 'm/b', file },
      { path: 'c.onnx', file },
    ]),
  ).toEqual(['m', 'c.onnx']);
});
