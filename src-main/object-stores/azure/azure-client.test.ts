// Azure's storage as a server of our own plays it: pages, refusals, answers that come at the second try or break off.

import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { FakeClock } from '../../testing/fake-clock.ts';
import type { HttpScript } from '../../testing/scripted-http.ts';
import { ScriptedHttp } from '../../testing/scripted-http.ts';
import type { StoreClient } from '../store-client.ts';
import { NothingThere } from '../store-client.ts';
import { AzureStoreClient } from './azure-client.ts';

let service: ScriptedHttp;
let client: StoreClient;
let clock: FakeClock;

const REPO = 'as://account/models/repo';

const xml = (text: string): HttpScript => {
  return (_target, response) => response.writeHead(200, { 'content-type': 'application/xml' }).end(text);
};
const refuse = (status: number, code: string): HttpScript => {
  return (_target, response) =>
    response
      .writeHead(status, { 'content-type': 'application/xml', 'x-ms-error-code': code })
      .end(
        `<?xml version="1.0"?><Error><Code>${code}</Code><Message>it is ${code}\nRequestId:1</Message></Error>`,
      );
};
const page = (blobs: string, next = ''): string =>
  `<?xml version="1.0"?><EnumerationResults><Blobs>${blobs}</Blobs><NextMarker>${next}</NextMarker></EnumerationResults>`;
const blob = (name: string, size: number): string =>
  `<Blob><Name>${name}</Name><Properties><Last-Modified>Thu, 01 Jan 2026 00:00:01 GMT</Last-Modified><Etag>"e${size}"</Etag><Content-Length>${size}</Content-Length><BlobType>BlockBlob</BlobType></Properties></Blob>`;
const folder = (name: string): string => `<BlobPrefix><Name>${name}</Name></BlobPrefix>`;

beforeEach(async () => {
  service = await ScriptedHttp.start(xml(page('')));
  clock = new FakeClock();
  const connection = `BlobEndpoint=${service.address};AccountName=account;AccountKey=c2VjcmV0`;
  client = await AzureStoreClient.open(
    { account: '', key: '', authType: '', clientId: '' },
    { AZURE_STORAGE_CONNECTION_STRING: connection },
    { account: 'account', signature: undefined },
    clock,
  );
});
afterEach(async () => {
  client.close();
  await service.close();
});

async function textOf(path: string, signal?: AbortSignal): Promise<string> {
  let text = '';
  for await (const chunk of (await client.read(path, signal)).chunks) text += Buffer.from(chunk).toString();
  return text;
}

test('folders and objects come from all pages of an answer', async () => {
  service.script = (target, ...rest) => {
    const isFirst = !target.searchParams.has('marker');
    const isByFolder = target.searchParams.has('delimiter');
    const first = isByFolder ? folder('repo/a/') : blob('repo/', 0) + blob('repo/a/1/x', 3);
    const second = isByFolder ? folder('repo/b/') : blob('repo/b/y', 4);
    xml(isFirst ? page(first, 'more') : page(second))(target, ...rest);
  };
  expect(await client.listFolders(REPO)).toEqual(['a', 'b']);
  expect(await client.listAll(REPO)).toEqual([
    { name: 'a/1/x', byteSize: 3, modifiedAtMs: Date.UTC(2026, 0, 1, 0, 0, 1), etag: 'e3' },
    { name: 'b/y', byteSize: 4, modifiedAtMs: Date.UTC(2026, 0, 1, 0, 0, 1), etag: 'e4' },
  ]);
  expect(service.requests).toEqual(Array(4).fill('GET /models'));
});

test('a folder is where an object lies below, and a container is one', async () => {
  expect(await client.isFolder('as://account/models')).toBe(true);
  expect(await client.isFolder(REPO)).toBe(false);
  service.script = xml(page(blob('repo/a', 1)));
  expect(await client.isFolder(REPO)).toBe(true);
});

describe('the words of the service stand in the error, in one line and without a second try', () => {
  test.each([
    ['isFolder', 'it is AuthorizationFailure'],
    ['listFolders', 'it is AuthorizationFailure'],
    ['listAll', 'it is AuthorizationFailure'],
    ['read', 'it is AuthorizationFailure'],
    ['remove', 'it is AuthorizationFailure'],
  ] as const)('%s', async (call, message) => {
    service.script = refuse(403, 'AuthorizationFailure');
    const thrown = await client[call](REPO).then(
      () => undefined,
      (fault: unknown) => fault as Error,
    );
    expect(thrown?.message).toContain(message);
    expect(thrown?.message).not.toContain('RequestId');
    expect(thrown?.message).not.toContain('\n');
    expect(service.requests).toHaveLength(1);
  });
});

test.each(['isFolder', 'listFolders', 'listAll', 'read'] as const)(
  'a service that takes a request and says nothing is not waited for without end: %s',
  async (call) => {
    service.script = () => undefined;
    const refused = expect(client[call](REPO)).rejects.toThrow('nothing came for 20 seconds');
    await vi.waitFor(() => expect(service.requests).toHaveLength(1));
    await clock.advance(20_000);
    await refused;
    expect(clock.timerCount).toBe(0);
  },
);

describe('an object', () => {
  test.each([
    ['breaks off', true],
    ['goes silent', false],
  ])('that %s is an error and not a short file', async (_how, isBroken) => {
    let held: ServerResponse | undefined;
    service.script = (_target, response) => {
      held = response;
      response.writeHead(200, { 'content-length': 10, etag: '"e"' });
      response.write('abc');
    };
    const { chunks } = await client.read(`${REPO}/a`);
    const seen: string[] = [];
    const reading = async (): Promise<void> => {
      for await (const chunk of chunks) seen.push(Buffer.from(chunk).toString());
    };
    const refused = expect(reading()).rejects.toThrow(`Failed to download file at ${REPO}/a:`);
    await vi.waitFor(() => expect(seen).toEqual(['abc']));
    if (isBroken) held?.destroy();
    else await clock.advance(20_000);
    await refused;
    expect(clock.timerCount).toBe(0);
  });

  test('is read whole', async () => {
    service.script = (_target, response) =>
      response.writeHead(200, { 'content-length': 5, etag: '"e"' }).end('bytes');
    expect(await textOf(`${REPO}/a`)).toBe('bytes');
    expect(service.requests).toEqual(['GET /models/repo/a']);
  });

  test('that is not there is no doubt of the credentials, and may be removed', async () => {
    service.script = refuse(404, 'BlobNotFound');
    await expect(textOf(`${REPO}/a`)).rejects.toThrow(NothingThere);
    await client.remove(`${REPO}/a`);
  });

  test('whose reader leaves ends with the reason that it gave', async () => {
    const leaving = new AbortController();
    service.script = () => leaving.abort(new Error('left'));
    await expect(textOf(`${REPO}/a`, leaving.signal)).rejects.toThrow('left');
  });
});
