// Where a repository will lie when another engine serves it.

import path from 'node:path';

import { handoverErrors } from './handover-errors.ts';

/** A place that a target can read models from; which ones it can is for the target to say. */
export type RepositoryLocation =
  /** Of the machine that the container runs on. */
  | { readonly kind: 'folder'; readonly path: string }
  /** A claim of the cluster; `isOurs`: the export makes it. `path` inside it, "" = all of it. */
  | { readonly kind: 'claim'; readonly claim: string; readonly path: string; readonly isOurs: boolean }
  | { readonly kind: 'nfs'; readonly server: string; readonly path: string }
  /** `isSigned`: the address was given with a signature, which is secret and kept nowhere. */
  | { readonly kind: 'store'; readonly url: string; readonly isSigned: boolean };

/** What an address of each kind needs at least. */
const FORMS = {
  pvc: 'pvc://claim or pvc://claim/path',
  nfs: 'nfs://server/path',
  s3: 's3://bucket or s3://bucket/path',
  gs: 'gs://bucket or gs://bucket/path',
  as: 'as://account/container or as://account/container/path',
  https: 'https://account/container/path',
} as const;

/** `C:\models` or `C:/models`: the machine that the container runs on may be another one than this. */
const WINDOWS_FOLDER = /^[a-z]:[\\/]/i;

/**
 * Throws INVALID_ARG for an address that cannot be read or names no bucket, claim or server, and for a folder that is
 * not absolute: what it would start from is not known on the machine that reads it.
 */
export function readLocation(text: string): RepositoryLocation {
  const [, scheme = '', rest = ''] = /^([a-z0-9+]+):\/\/(.*)$/i.exec(text) ?? [];
  const [head = '', ...tail] = rest.split('/');
  const inside = tail.join('/').replace(/\/+$/, '');
  const needs = (isThere: boolean): void => {
    const form = FORMS[scheme as keyof typeof FORMS];
    if (!isThere) throw handoverErrors.incompleteLocation({ text, form });
  };
  switch (scheme) {
    case '':
      if (WINDOWS_FOLDER.test(text)) return { kind: 'folder', path: text };
      if (!path.isAbsolute(text)) throw handoverErrors.relativeLocation({ text });
      return { kind: 'folder', path: path.resolve(text) };
    case 'pvc':
      needs(head !== '');
      return { kind: 'claim', claim: head, path: inside, isOurs: false };
    case 'nfs':
      needs(head !== '' && inside !== '');
      return { kind: 'nfs', server: head, path: `/${inside}` };
    case 's3':
    case 'gs':
    case 'as':
    case 'https':
      needs(
        head !== '' && !head.startsWith('?') && (inside !== '' || (scheme !== 'as' && scheme !== 'https')),
      );
      return {
        kind: 'store',
        url: text.replace(/\?.*$/s, '').replace(/\/+$/, ''),
        isSigned: text.includes('?'),
      };
    default:
      throw handoverErrors.location({ text });
  }
}

const STORE_VARIABLES: Readonly<Record<string, readonly string[]>> = {
  's3:': ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_DEFAULT_REGION'],
  'gs:': ['GOOGLE_APPLICATION_CREDENTIALS'],
  'as:': ['AZURE_STORAGE_ACCOUNT', 'AZURE_STORAGE_KEY'],
};

/** Variables that name the credentials of the store. */
export function storeVariables({ kind, ...location }: RepositoryLocation): readonly string[] {
  if (kind !== 'store' || !('url' in location)) return [];
  return STORE_VARIABLES[location.url.slice(0, 3)] ?? [];
}
