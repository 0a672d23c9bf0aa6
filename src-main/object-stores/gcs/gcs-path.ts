// Reads paths of Google Cloud Storage: `gs://BUCKET/PATH`, each slash as it is written.

/** Where a path of Google Cloud Storage leads. */
export interface GcsPlace {
  readonly bucket: string;
  /** What keys below the path begin with; "" = the whole bucket. */
  readonly prefix: string;
  /** Key of the object at the path. */
  readonly key: string;
}

/** Never throws: a bucket that cannot be is one that does not exist. */
export function parseGcsPath(path: string): GcsPlace {
  const below = path.slice('gs://'.length);
  const slash = below.indexOf('/');
  const bucket = slash < 0 ? below : below.slice(0, slash);
  const key = slash < 0 ? '' : below.slice(slash + 1);
  return { bucket, key, prefix: key === '' || key.endsWith('/') ? key : `${key}/` };
}
