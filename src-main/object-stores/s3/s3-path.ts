// Reads paths of S3: `s3://BUCKET/PATH` at Amazon, `s3://HOST:PORT/BUCKET/PATH` at whoever speaks the same protocol.

import { storeErrors } from '../store-errors.ts';

/** Where a path of S3 leads. */
export interface S3Place {
  /** Of the service, with its scheme; undefined = the provider's own. */
  readonly endpoint: string | undefined;
  readonly bucket: string;
  /** Without slashes at its ends; "" = the whole bucket. */
  readonly key: string;
}

const OWN_SERVICE = /^(https?:\/\/)?([0-9a-zA-Z.-]+:\d+)\/([0-9a-z.-]+)((?:\/[0-9a-zA-Z._-]+)*)$/;

/** What does not name host and port is read as a bucket. Throws for a path without a bucket. */
export function parseS3Path(path: string): S3Place {
  const below = path.slice('s3://'.length);
  const [scheme = ''] = /^https?:\/\//.exec(below) ?? [];
  const clean = below
    .slice(scheme.length)
    .replace(/\/+/g, '/')
    .replace(/^\/|\/$/g, '');
  if (clean === '') throw storeErrors.s3NoBucket({ path: below });
  const [, , host, ownBucket, ownKey = ''] = OWN_SERVICE.exec(scheme + clean) ?? [];
  if (host !== undefined && ownBucket !== undefined) {
    return {
      endpoint: `${scheme === '' ? 'http://' : scheme}${host}`,
      bucket: ownBucket,
      key: ownKey.slice(1),
    };
  }
  const [bucket = '', ...key] = clean.split('/');
  return { endpoint: undefined, bucket, key: key.join('/') };
}
