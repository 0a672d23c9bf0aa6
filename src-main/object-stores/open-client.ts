// Makes the client of a store for a path and its credentials. The library of a store is loaded with its first client.

import { AzureStoreClient } from './azure/azure-client.ts';
import { parseAzurePath } from './azure/azure-path.ts';
import type { Environment, NamedCredential } from './credentials.ts';
import { GcsStoreClient } from './gcs/gcs-client.ts';
import { S3StoreClient } from './s3/s3-client.ts';
import { parseS3Path } from './s3/s3-path.ts';
import type { StoreClient } from './store-client.ts';

/**
 * Paths of one key share a client: those of one credential, service and signature. Secret when a signature was given.
 * Throws for a path that cannot be one of its store.
 */
export function clientKey(
  path: string,
  { name, kind }: NamedCredential,
  signature: string | undefined,
): string {
  return [kind, name, serviceOf(path, kind), signature ?? ''].join('\n');
}

function serviceOf(path: string, kind: NamedCredential['kind']): string {
  if (kind === 'gs') return '';
  return kind === 's3' ? (parseS3Path(path).endpoint ?? '') : parseAzurePath(path).account;
}

/** `signature`: the one that was given with the path, with its question mark. Whoever opens a client closes it. */
export async function openClient(
  path: string,
  named: NamedCredential,
  environment: Environment,
  signature: string | undefined,
): Promise<StoreClient> {
  switch (named.kind) {
    case 's3':
      return await S3StoreClient.open(named.credential, parseS3Path(path).endpoint);
    case 'gs':
      return await GcsStoreClient.open(named.credential, environment);
    case 'as': {
      const { account } = parseAzurePath(path);
      return await AzureStoreClient.open(named.credential, environment, { account, signature });
    }
  }
}
