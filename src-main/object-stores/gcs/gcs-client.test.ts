// Google's storage as a server of our own plays it: pages, refusals, answers that come at the second try or break off.

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import type { HttpScript } from '../../testing/scripted-http.ts';
import { ScriptedHttp } from '../../testing/scripted-http.ts';
import type { StoreClient } from '../store-client.ts';
import { NothingThere } from '../store-client.ts';
import { GcsStoreClient } from './gcs-client.ts';

let service: ScriptedHttp;
let client: StoreClient;

const json = (answer: object): HttpScript => {
  return (_target, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
};
const refuse = (status: number, message: string): HttpScript => {
  return (_target, response) =>
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify({ error: { code: status, message, errors: [{ message }] } }));
};
const object = (name: string, size: number) => ({
  ...{ name, size: String(size), generation: `${size}1` },
  updated: '2026-01-01T00:00:01.000Z',
});

beforeEach(async () => {
  service = await ScriptedHttp.start(json({}));
  client = await GcsStoreClient.open({ file: '' }, { STORAGE_EMULATOR_HOST: service.address });
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
    const isFirst = !target.searchParams.has('pageToken');
    const isByFolder = target.searchParams.has('delimiter');
    json({
      ...(isFirst && { nextPageToken: 'more' }),
      ...(isByFolder
        ? { prefixes: isFirst ? ['repo/b/'] : ['repo/a/', 'repo/b/'] }
        : { items: isFirst ? [object('repo/', 0), object('repo/a/1/x', 3)] : [object('repo/b/y', 4)] }),
    })(target, ...rest);
  };
  expect(await client.listFolders('gs://bucket/repo')).toEqual(['a', 'b']);
  expect(await client.listAll('gs://bucket/repo')).toEqual([
    { name: 'a/1/x', byteSize: 3, modifiedAtMs: Date.UTC(2026, 0, 1, 0, 0, 1), etag: '31' },
    { name: 'b/y', byteSize: 4, modifiedAtMs: Date.UTC(2026, 0, 1, 0, 0, 1), etag: '41' },
  ]);
  expect(service.requests).toEqual(Array(4).fill('GET /storage/v1/b/bucket/o'));
});

test('a folder is where an object lies below, and a bucket is one', async () => {
  expect(await client.isFolder('gs://bucket')).toBe(true);
  expect(await client.isFolder('gs://bucket/none')).toBe(false);
  service.script = json({ items: [object('repo/a', 1)] });
  expect(await client.isFolder('gs://bucket/repo')).toBe(true);
});

test('a listing that the service is too busy for is asked for again', async () => {
  service.script = (...asked) => {
    if (service.requests.length === 1) refuse(503, 'busy')(...asked);
    else json({ items: [object('repo/a', 1)] })(...asked);
  };
  expect(await client.listAll('gs://bucket/repo')).toHaveLength(1);
  expect(service.requests).toHaveLength(2);
});

describe('the words of the service stand in the error, without a second try', () => {
  test.each([
    ['isFolder', 'Could not get MetaData for bucket with name bucket : no access'],
    ['listFolders', 'Could not list contents of directory at gs://bucket/repo : no access'],
    ['listAll', 'Could not list contents of directory at gs://bucket/repo : no access'],
    ['remove', 'no access'],
  ] as const)('%s', async (call, message) => {
    service.script = refuse(403, 'no access');
    await expect(client[call]('gs://bucket/repo')).rejects.toThrow(message);
    expect(service.requests).toHaveLength(1);
  });

  test('read', async () => {
    service.script = refuse(403, 'no access');
    await expect(textOf('gs://bucket/repo/a')).rejects.toThrow(
      'Failed to get object at gs://bucket/repo/a : ',
    );
  });
});

describe('an object', () => {
  test('is read whole, by its escaped name', async () => {
    service.script = (target, response) => response.end(target.searchParams.get('alt'));
    expect(await textOf('gs://bucket/repo/a b')).toBe('media');
    expect(service.requests).toEqual(['GET /storage/v1/b/bucket/o/repo%2Fa%20b']);
  });

  test('that is not there is no doubt of the credentials, and may be removed', async () => {
    service.script = refuse(404, 'Not Found');
    await expect(textOf('gs://bucket/repo/a')).rejects.toThrow(NothingThere);
    await client.remove('gs://bucket/repo/a');
  });

  test('that breaks off is an error and not a short file', async () => {
    service.script = (_target, response) => {
      response.writeHead(200, { 'content-length': 10 });
      response.write('abc', () => response.destroy());
    };
    await expect(textOf('gs://bucket/repo/a')).rejects.toThrow(
      'Failed to get object at gs://bucket/repo/a : ',
    );
  });

  test('whose reader leaves ends with the reason that it gave', async () => {
    const leaving = new AbortController();
    let closed = false;
    service.script = (_target, response) => {
      response.on('close', () => (closed = true));
      response.writeHead(200, { 'content-length': 10 });
      response.write('abc');
    };
    const reading = async (): Promise<void> => {
      for await (const chunk of (await client.read('gs://bucket/repo/a', leaving.signal)).chunks)
        if (chunk.byteLength > 0) leaving.abort(new Error('left'));
    };
    await expect(reading()).rejects.toThrow('left');
    await vi.waitFor(() => expect(closed).toBe(true));
  });

  // What the library throws then is nobody's to catch: the run of these tests fails with it.
  test('whose reader leaves before the service answers lets it answer', async () => {
    const leaving = new AbortController();
    let answer: (() => void) | undefined;
    let closed = false;
    service.script = (_target, response) => {
      response.on('close', () => (closed = true));
      answer = () => void response.writeHead(200, { 'content-length': 10 }).write('abc');
      leaving.abort(new Error('left'));
    };
    await expect(textOf('gs://bucket/repo/a', leaving.signal)).rejects.toThrow('left');
    answer?.();
    await vi.waitFor(() => expect(closed).toBe(true));
  });

  test('that is wanted no more is not asked for', async () => {
    await expect(textOf('gs://bucket/repo/a', AbortSignal.abort(new Error('left')))).rejects.toThrow('left');
    expect(service.requests).toEqual([]);
  });
});

test('a path without a bucket is refused before anybody is asked', async () => {
  await expect(client.listAll('gs://')).rejects.toThrow('the path names no bucket');
  expect(service.requests).toEqual([]);
});
