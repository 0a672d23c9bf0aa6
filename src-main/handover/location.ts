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

/** Throws INVALID_ARG for an address that cannot be read. */
export function readLocation(text: string): RepositoryLocation {
  const [, scheme = '', rest = ''] = /^([a-z0-9+]+):\/\/(.*)$/i.exec(text) ?? [];
  const [head = '', ...tail] = rest.split('/');
  const inside = tail.join('/').replace(/\/+$/, '');
  switch (scheme) {
    case '':
      return { kind: 'folder', path: path.resolve(text) };
    case 'pvc':
      if (head === '') throw handoverErrors.location({ text });
      return { kind: 'claim', claim: head, path: inside, isOurs: false };
    case 'nfs':
      if (head === '' || inside === '') throw handoverErrors.location({ text });
      return { kind: 'nfs', server: head, path: `/${inside}` };
    case 's3':
    case 'gs':
    case 'as':
    case 'https':
      if (rest === '') throw handoverErrors.location({ text });
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
