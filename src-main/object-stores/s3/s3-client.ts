// S3 through Amazon's own library, which is loaded with the first path of this store. Paths, not host names, say the
// bucket, as other makers' services need it; HTTP/1.1 only.

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';

import type * as S3 from '@aws-sdk/client-s3';
import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3';

import type { S3Credential } from '../credentials.ts';
import type { StoreClient, StoreDownload, StoreObject } from '../store-client.ts';
import { NothingThere } from '../store-client.ts';
import { SILENCE_LIMIT_MS } from '../silence-limit.ts';
import { storeErrors } from '../store-errors.ts';
import { parseS3Path } from './s3-path.ts';

type Library = typeof S3;

/** For a connection to be there. */
const CONNECTION_LIMIT_MS = 5_000;
const DEFAULT_REGION = 'us-east-1';

/** Writes for uploads only; a server reads and lists. */
export class S3StoreClient implements StoreClient {
  readonly #library: Library;
  readonly #client: S3Client;

  private constructor(library: Library, client: S3Client) {
    this.#library = library;
    this.#client = client;
  }

  /** `endpoint` undefined: the provider's, or what AWS_ENDPOINT_URL says. */
  static async open(credential: S3Credential, endpoint: string | undefined): Promise<S3StoreClient> {
    const library = await import('@aws-sdk/client-s3');
    const config = clientConfig(credential, endpoint);
    return new S3StoreClient(library, await usableClient(library, config));
  }

  async check(path: string): Promise<void> {
    const { bucket } = parseS3Path(path);
    try {
      await this.#client.send(new this.#library.HeadBucketCommand({ Bucket: bucket }));
    } catch (thrown) {
      throw storeErrors.s3Client(faultOf(thrown));
    }
  }

  async isFolder(path: string): Promise<boolean> {
    const { bucket, key } = parseS3Path(path);
    if (key === '') return true;
    try {
      const command = new this.#library.ListObjectsV2Command({
        Bucket: bucket,
        Prefix: `${key}/`,
        MaxKeys: 1,
      });
      return ((await this.#client.send(command)).Contents ?? []).length > 0;
    } catch (thrown) {
      throw storeErrors.s3Prefix({ path, ...faultOf(thrown) });
    }
  }

  async listFolders(path: string): Promise<readonly string[]> {
    const prefix = prefixOf(path);
    const names: string[] = [];
    for await (const { CommonPrefixes = [] } of this.#pages(path, '/')) {
      for (const { Prefix = '' } of CommonPrefixes) names.push(Prefix.slice(prefix.length, -1));
    }
    return names;
  }

  async listAll(path: string, signal?: AbortSignal): Promise<readonly StoreObject[]> {
    const prefix = prefixOf(path);
    const objects: StoreObject[] = [];
    for await (const { Contents = [] } of this.#pages(path, undefined, signal)) {
      for (const { Key = '', Size = 0, LastModified, ETag = '' } of Contents) {
        const name = Key.slice(prefix.length);
        const modifiedAtMs = LastModified?.getTime() ?? 0;
        if (name !== '') objects.push({ name, byteSize: Size, modifiedAtMs, etag: ETag });
      }
    }
    return objects;
  }

  async read(path: string, signal?: AbortSignal): Promise<StoreDownload> {
    const { bucket, key } = parseS3Path(path);
    try {
      const command = new this.#library.GetObjectCommand({ Bucket: bucket, Key: key });
      const { Body, ContentLength } = await this.#client.send(command, abortedBy(signal));
      return { chunks: Body as AsyncIterable<Uint8Array>, byteSize: ContentLength };
    } catch (thrown) {
      signal?.throwIfAborted();
      const { name, reason } = faultOf(thrown);
      if (name === 'NoSuchKey' || name === 'NotFound') throw new NothingThere(path);
      throw storeErrors.s3Object({ path, name, reason });
    }
  }

  /** In one piece: S3 takes up to 5 GiB so. */
  async write(path: string, file: string | undefined, signal?: AbortSignal): Promise<string> {
    const { bucket, key } = parseS3Path(path);
    const Key = path.endsWith('/') && !key.endsWith('/') ? `${key}/` : key;
    const content =
      file === undefined
        ? { Body: '', ContentLength: 0 }
        : { Body: createReadStream(file), ContentLength: (await stat(file)).size };
    try {
      const command = new this.#library.PutObjectCommand({ Bucket: bucket, Key, ...content });
      return (await this.#client.send(command, abortedBy(signal))).ETag ?? '';
    } catch (thrown) {
      signal?.throwIfAborted();
      throw storeErrors.write({ path, reason: faultOf(thrown).reason });
    }
  }

  async remove(path: string): Promise<void> {
    const { bucket, key } = parseS3Path(path);
    const Key = path.endsWith('/') && !key.endsWith('/') ? `${key}/` : key;
    try {
      await this.#client.send(new this.#library.DeleteObjectCommand({ Bucket: bucket, Key }));
    } catch (thrown) {
      throw storeErrors.write({ path, reason: faultOf(thrown).reason });
    }
  }

  close(): void {
    this.#client.destroy();
  }

  /** Answers of at most 1000 keys each. */
  async *#pages(path: string, delimiter: string | undefined, signal?: AbortSignal) {
    const { bucket } = parseS3Path(path);
    try {
      yield* this.#library.paginateListObjectsV2(
        { client: this.#client },
        { Bucket: bucket, Prefix: prefixOf(path), Delimiter: delimiter },
        abortedBy(signal),
      );
    } catch (thrown) {
      signal?.throwIfAborted();
      throw storeErrors.s3List({ path, ...faultOf(thrown) });
    }
  }
}

function prefixOf(path: string): string {
  const { key } = parseS3Path(path);
  return key === '' ? '' : `${key}/`;
}

function abortedBy(signal: AbortSignal | undefined): { readonly abortSignal: AbortSignal } | undefined {
  return signal === undefined ? undefined : { abortSignal: signal };
}

function clientConfig(credential: S3Credential, endpoint: string | undefined): S3ClientConfig {
  const { keyId, secretKey, sessionToken, region, profile } = credential;
  const isKey = keyId !== '' && secretKey !== '';
  return {
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECTION_LIMIT_MS, socketTimeout: SILENCE_LIMIT_MS },
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(region === '' ? {} : { region }),
    ...(isKey
      ? {
          credentials: {
            accessKeyId: keyId,
            secretAccessKey: secretKey,
            ...(sessionToken === '' ? {} : { sessionToken }),
          },
        }
      : {}),
    ...(isKey || profile === '' ? {} : { profile }),
  };
}

/** With the usual region where nothing names one, and without a signature where there are no credentials. */
async function usableClient(library: Library, config: S3ClientConfig): Promise<S3Client> {
  const first = new library.S3Client(config);
  const [region, credentials] = await Promise.allSettled([first.config.region(), first.config.credentials()]);
  if (region.status === 'fulfilled' && credentials.status === 'fulfilled') return first;
  first.destroy();
  return new library.S3Client({
    ...config,
    ...(region.status === 'fulfilled' ? {} : { region: DEFAULT_REGION }),
    ...(credentials.status === 'fulfilled'
      ? {}
      : {
          credentials: { accessKeyId: '', secretAccessKey: '' },
          signer: { sign: (request) => Promise.resolve(request) },
        }),
  });
}

interface StoreFault extends Error {
  readonly code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/**
 * Name and words of a fault as the store or the network gives them. The answer to a question without a body has no words,
 * and the library then says that the error is unknown: its status is all there is.
 */
function faultOf(thrown: unknown): { readonly name: string; readonly reason: string } {
  const { name, message, code, cause, $metadata } = thrown as StoreFault;
  const status = $metadata?.httpStatusCode;
  if (message === 'UnknownError' && status !== undefined) return { name, reason: `HTTP status ${status}` };
  const { code: causeCode } = (cause ?? {}) as { readonly code?: string };
  const isUnnamed = name === 'Error' || name === 'AggregateError';
  return { name: isUnnamed ? (code ?? name) : name, reason: message || (code ?? causeCode ?? name) };
}
