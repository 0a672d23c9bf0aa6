// Google Cloud Storage through Google's own library, which is loaded with the first path of this store. Credentials are
// those of the file that was named, else of the machine; where there are none requests go out without.

import type { Readable } from 'node:stream';
import { PassThrough } from 'node:stream';

import type * as Gcs from '@google-cloud/storage';
import type { Bucket, File, StorageOptions } from '@google-cloud/storage';

import type { Environment, GcsCredential } from '../credentials.ts';
import type { StoreClient, StoreDownload, StoreObject } from '../store-client.ts';
import { NothingThere } from '../store-client.ts';
import { storeErrors } from '../store-errors.ts';
import { parseGcsPath } from './gcs-path.ts';

const LIMITS: StorageOptions = {
  timeout: 20_000,
  retryOptions: { maxRetries: 2, totalTimeout: 20, maxRetryDelay: 2 },
};
/** The service itself; the slash at its end makes it one that the library sends no credentials to. */
const WITHOUT_CREDENTIALS = 'https://storage.googleapis.com/';

/** Writes for uploads only; a server reads and lists. */
export class GcsStoreClient implements StoreClient {
  readonly #storage: Gcs.Storage;

  private constructor(storage: Gcs.Storage) {
    this.#storage = storage;
  }

  /**
   * Loads the library and looks for credentials, which may ask the metadata server of the machine. Where none can be
   * read it opens all the same, and requests go out without.
   */
  static async open({ file }: GcsCredential, environment: Environment): Promise<GcsStoreClient> {
    const { Storage } = await import('@google-cloud/storage');
    const emulator = environment['STORAGE_EMULATOR_HOST'] ?? environment['CLOUD_STORAGE_EMULATOR_ENDPOINT'];
    if (emulator !== undefined && emulator !== '') {
      const apiEndpoint = /^https?:/.test(emulator) ? emulator : `http://${emulator}`;
      const storage = new Storage({ ...LIMITS, apiEndpoint });
      // Given by the variable the library leaves out the version of the interface.
      const base = apiEndpoint.replace(/\/+$/, '');
      storage.baseUrl = base.endsWith('/storage/v1') ? base : `${base}/storage/v1`;
      return new GcsStoreClient(storage);
    }
    const storage = new Storage({ ...LIMITS, ...(file === '' ? {} : { keyFilename: file }) });
    const hasCredentials = await storage.authClient.getClient().then(
      () => true,
      () => false,
    );
    return new GcsStoreClient(
      hasCredentials ? storage : new Storage({ ...LIMITS, apiEndpoint: WITHOUT_CREDENTIALS }),
    );
  }

  /** That there is a client is all that is asked of it. */
  check(): Promise<void> {
    return Promise.resolve();
  }

  async isFolder(path: string): Promise<boolean> {
    const { bucket: name, prefix } = parseGcsPath(path);
    const bucket = this.#bucketOf(path);
    try {
      await bucket.getMetadata();
    } catch (thrown) {
      throw storeErrors.gcsBucket({ bucket: name, reason: (thrown as Error).message });
    }
    if (prefix === '') return true;
    const files = await listed(path, () => bucket.getFiles({ prefix, maxResults: 1, autoPaginate: false }));
    return files[0].length > 0;
  }

  async listFolders(path: string): Promise<readonly string[]> {
    const { prefix } = parseGcsPath(path);
    const bucket = this.#bucketOf(path);
    const names = new Set<string>();
    let pageToken: string | undefined;
    do {
      const query = { prefix, delimiter: '/', autoPaginate: false, ...(pageToken && { pageToken }) };
      const [, next, answer] = await listed(path, () => bucket.getFiles(query));
      const { prefixes = [] } = answer as { readonly prefixes?: readonly string[] };
      for (const folder of prefixes) names.add(folder.slice(prefix.length, -1));
      ({ pageToken } = (next ?? {}) as { readonly pageToken?: string });
    } while (pageToken !== undefined);
    return [...names].sort();
  }

  async listAll(path: string): Promise<readonly StoreObject[]> {
    const { prefix } = parseGcsPath(path);
    const [files] = await listed(path, () => this.#bucketOf(path).getFiles({ prefix }));
    return files.filter(({ name }) => name !== prefix).map((file) => objectOf(file, prefix));
  }

  read(path: string, signal?: AbortSignal): Promise<StoreDownload> {
    const { key } = parseGcsPath(path);
    const stream = this.#bucketOf(path).file(key).createReadStream({ validation: false, decompress: false });
    const chunks = async function* (): AsyncIterable<Uint8Array> {
      signal?.throwIfAborted();
      const { received, leave } = followed(stream);
      signal?.addEventListener('abort', leave, { once: true });
      try {
        for await (const chunk of received) yield chunk as Uint8Array;
        signal?.throwIfAborted();
      } catch (thrown) {
        signal?.throwIfAborted();
        const { code, message } = thrown as { readonly code?: unknown; readonly message: string };
        if (code === 404) throw new NothingThere(path);
        throw storeErrors.gcsObject({ path, reason: message });
      } finally {
        signal?.removeEventListener('abort', leave);
        leave();
      }
    };
    return Promise.resolve({ chunks: chunks(), byteSize: undefined });
  }

  async write(path: string, file: string | undefined, signal?: AbortSignal): Promise<string> {
    const bucket = this.#bucketOf(path);
    const object = bucket.file(keyOf(path));
    try {
      signal?.throwIfAborted();
      if (file === undefined) await object.save('', { resumable: false });
      else await bucket.upload(file, { destination: object });
      const [{ generation, etag }] = await object.getMetadata();
      return String(generation ?? etag ?? '');
    } catch (thrown) {
      signal?.throwIfAborted();
      throw storeErrors.write({ path, reason: (thrown as Error).message });
    }
  }

  async remove(path: string): Promise<void> {
    try {
      await this.#bucketOf(path).file(keyOf(path)).delete({ ignoreNotFound: true });
    } catch (thrown) {
      throw storeErrors.write({ path, reason: (thrown as Error).message });
    }
  }

  /** Keeps no connection that would have to be closed. */
  close(): void {}

  #bucketOf(path: string): Bucket {
    const { bucket } = parseGcsPath(path);
    if (bucket === '') throw storeErrors.gcsBucket({ bucket, reason: 'the path names no bucket' });
    return this.#storage.bucket(bucket);
  }
}

/**
 * What comes over a stream of the library, and a way to leave it at any time. The stream itself ends once the service has
 * answered: when it is gone before, the library throws where nobody can catch it, and the process would end.
 */
function followed(stream: Readable): { readonly received: PassThrough; readonly leave: () => void } {
  const received = new PassThrough();
  let isAnswered = false;
  let isLeft = false;
  stream.once('response', () => {
    isAnswered = true;
    // Behind the library, which connects its streams in this turn.
    if (isLeft) setImmediate(() => stream.destroy());
  });
  stream.on('error', (fault) => received.destroy(fault));
  stream.pipe(received);
  const leave = (): void => {
    isLeft = true;
    received.destroy();
    if (isAnswered) stream.destroy();
  };
  return { received, leave };
}

/** A slash at the end belongs to the name of a marker. */
function keyOf(path: string): string {
  const { key } = parseGcsPath(path);
  return path.endsWith('/') && !key.endsWith('/') ? `${key}/` : key;
}

async function listed<T>(path: string, list: () => Promise<T>): Promise<T> {
  try {
    return await list();
  } catch (thrown) {
    throw storeErrors.gcsList({ path, reason: (thrown as Error).message });
  }
}

function objectOf({ name, metadata }: File, prefix: string): StoreObject {
  return {
    name: name.slice(prefix.length),
    byteSize: Number(metadata.size ?? 0),
    modifiedAtMs: Date.parse(metadata.updated ?? '') || 0,
    etag: String(metadata.generation ?? metadata.etag ?? ''),
  };
}
