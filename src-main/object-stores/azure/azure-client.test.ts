// Azure's storage as a server of our own plays it: pages, refusals, answers that come at the second try or break off.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { HttpScript } from '../../testing/scripted-http.ts';
import { ScriptedHttp } from '../../testing/scripted-http.ts';
import type { StoreClient } from '../store-client.ts';
import { NothingThere } from '../store-client.ts';
import { AzureStoreClient } from './azure-client.ts';

let service: ScriptedHttp;
let client: StoreClient;

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
  const connection = `BlobEndpoint=${service.address};AccountName=account;AccountKey=c2VjcmV0`;
  client = await AzureStoreClient.open(
    { account: '', key: '', authType: '', clientId: '' },
    { AZURE_STORAGE_CONNECTION_STRING: connection },
    { account: 'account', signature: undefined },
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

describe('an object', () => {
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
