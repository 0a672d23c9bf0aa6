// Makes the client of a store for a path and its credentials. The library of a store is loaded with its first client.

import type { NamedCredential } from './credentials.ts';
import { S3StoreClient } from './s3/s3-client.ts';
import { parseS3Path } from './s3/s3-path.ts';
import type { StoreClient } from './store-client.ts';

/** Paths of one key share a client. Throws for a path that cannot be one of its store. */
export function clientKey(path: string, { name, kind }: NamedCredential): string {
  return [kind, name, parseS3Path(path).endpoint ?? ''].join('\n');
}

/** Whoever opens a client closes it. */
export async function openClient(path: string, named: NamedCredential): Promise<StoreClient> {
  if (named.kind !== 's3') throw new Error(`no client for ${named.kind}`);
  return await S3StoreClient.open(named.credential, parseS3Path(path).endpoint);
}
