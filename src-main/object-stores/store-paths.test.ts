// Paths of stores, credentials by their beginnings, and the tree that keys make.

import { describe, expect, it } from 'vitest';

import { parseAzurePath } from './azure/azure-path.ts';
import { Signatures } from './azure/signatures.ts';
import { longestMatch } from './credentials.ts';
import { parseGcsPath } from './gcs/gcs-path.ts';
import { ObjectStores } from './object-stores.ts';
import { clientKey } from './open-client.ts';
import { parseS3Path } from './s3/s3-path.ts';
import { isStorePath, joinStorePath, pathToComplete } from './store-path.ts';
import { StoreFolder } from './store-tree.ts';

describe('paths', () => {
  it('of Azure are shown with a word for their signature', () => {
    expect(pathToComplete('as://account/box/repo?sv=1&sig=hush')).toBe('as://account/box/repo?<signature>');
    expect(pathToComplete('as://account/box')).toBe('as://account/box');
    expect(pathToComplete('/srv/what?')).toBe('/srv/what?');
  });

  it.each([
    ['s3://bucket', undefined, 'bucket', ''],
    ['s3://bucket/', undefined, 'bucket', ''],
    ['s3:////bucket//a//b//', undefined, 'bucket', 'a/b'],
    ['s3://127.0.0.1:9000/bucket/repo', 'http://127.0.0.1:9000', 'bucket', 'repo'],
    ['s3://localhost:9000//demo-bucket1.0//models//', 'http://localhost:9000', 'demo-bucket1.0', 'models'],
    ['s3://http://localhost:9000/bucket', 'http://localhost:9000', 'bucket', ''],
    ['s3://https://store.example:443/bucket/a/b_1', 'https://store.example:443', 'bucket', 'a/b_1'],
    ['s3://myhost/bucket', undefined, 'myhost', 'bucket'],
    ['s3://host:9000/UPPER/x', undefined, 'host:9000', 'UPPER/x'],
  ])('%s', (path, endpoint, bucket, key) => {
    expect(parseS3Path(path)).toEqual({ endpoint, bucket, key });
  });

  it.each([
    ['s3://', "Invalid bucket name: ''"],
    ['s3:///', "Invalid bucket name: '/'"],
  ])('%s has no bucket', (path, message) => {
    expect(() => parseS3Path(path)).toThrow(message);
  });

  it('are told from those of this machine, and joined with one slash', () => {
    const paths = ['s3://b', 'gs://b', 'as://a/c', '/models', 'models', 'C:\\models', 'file:///models'];
    expect(paths.filter(isStorePath)).toEqual(['s3://b', 'gs://b', 'as://a/c']);
    expect(joinStorePath('s3://b/', 'm', '1')).toBe('s3://b/m/1');
  });
});

describe('paths of Google and Azure', () => {
  it.each([
    ['gs://bucket', { bucket: 'bucket', key: '', prefix: '' }],
    ['gs://bucket/a', { bucket: 'bucket', key: 'a', prefix: 'a/' }],
    ['gs://bucket/a//b/', { bucket: 'bucket', key: 'a//b/', prefix: 'a//b/' }],
  ])('%s', (path, place) => {
    expect(parseGcsPath(path)).toEqual(place);
  });

  it.each([
    ['as://account/container', '', 'account'],
    ['as://account/container/a/b/', 'a/b', 'account'],
    ['as://account.blob.core.windows.net/container/a?sv=1&sig=secret', 'a', 'account'],
  ])('%s', (path, key, account) => {
    expect(parseAzurePath(path)).toEqual({ account, container: 'container', key });
  });

  it('an Azure path without a container is refused without its signature, which no path keeps', () => {
    expect(() => parseAzurePath('as://account?sig=secret')).toThrow(
      /^Invalid azure storage path: as:\/\/account$/,
    );
    const stores = new ObjectStores({});
    expect(stores.adopt('as://account/container?sig=secret')).toBe('as://account/container');
    expect(stores.adopt('s3://bucket/what?')).toBe('s3://bucket/what?');
  });
});

describe('signatures', () => {
  it('hold for their path and what lies below, not for a neighbour whose name begins alike', () => {
    const signatures = new Signatures();
    expect(signatures.adopt('as://account/c/mod?sig=one')).toBe('as://account/c/mod');
    signatures.adopt('as://account/c/mod/inner/?sig=two');
    expect(signatures.for('as://account/c/mod')).toBe('?sig=one');
    expect(signatures.for('as://account/c/mod/')).toBe('?sig=one');
    expect(signatures.for('as://account/c/mod/inner/1/model.onnx')).toBe('?sig=two');
    expect(signatures.for('as://account/c/models/m')).toBeUndefined();
    expect(signatures.for('as://account')).toBeUndefined();
  });

  it('keep paths of one account apart that have different ones', () => {
    const named = {
      kind: 'as',
      name: '',
      credential: { account: '', key: '', authType: '', clientId: '' },
    } as const;
    const keys = ['?sig=one', '?sig=two', undefined].map((signature) =>
      clientKey('as://account/c/m', named, signature),
    );
    expect(new Set(keys).size).toBe(3);
    expect(clientKey('as://account/c/other', named, '?sig=one')).toBe(keys[0]);
  });
});

describe('credentials', () => {
  it('are those of the longest name that the path begins with, in the middle of a part too', () => {
    const names = ['', 's3://bucket', 's3://bucket/models', 's3://other'];
    expect(longestMatch('s3://bucket/models/m', names)).toBe('s3://bucket/models');
    expect(longestMatch('s3://bucket-b/x', names)).toBe('s3://bucket');
    expect(longestMatch('s3://third', names)).toBe('');
    expect(longestMatch('s3://third', ['s3://bucket'])).toBeUndefined();
  });
});

describe('the tree of keys', () => {
  const tree = (...names: readonly string[]): StoreFolder =>
    StoreFolder.of(
      's3://b/m',
      names.map((name, at) => ({ name, byteSize: 1, modifiedAtMs: at + 1, etag: '' })),
    );

  it('has a folder for each beginning and each marker, and the newest time of its files', () => {
    const folder = tree('config.pbtxt', '1/model.onnx', '2/', '3/a/b');
    expect([...folder.allFolders()]).toEqual(['1', '2', '3', '3/a']);
    expect([...folder.allFiles()].map(([name]) => name)).toEqual(['config.pbtxt', '1/model.onnx', '3/a/b']);
    expect([folder.newest(), folder.folders.get('2')?.newest()]).toEqual([4, 0]);
  });

  it('takes a name that is both for a folder', () => {
    expect([...tree('1', '1/x').allFiles()].map(([name]) => name)).toEqual(['1/x']);
  });

  it.each([
    ['1//x', 'Cannot handle item with empty name at s3://b/m/1'],
    ['1/../x', "Cannot handle item with name '..' at s3://b/m/1"],
    ['./x', "Cannot handle item with name '.' at s3://b/m"],
  ])('refuses %s', (name, message) => {
    expect(() => tree(name).requireNames()).toThrow(message);
  });
});
