// Azure's blob storage through Microsoft's own libraries, which are loaded with the first path of this store; the one for
// identities only where one is asked for.

import type { TokenCredential } from '@azure/identity';
import type { BlobServiceClient, ContainerClient } from '@azure/storage-blob';
import type * as Azure from '@azure/storage-blob';

import type { Clock } from '../../base/clock.ts';
import { systemClock } from '../../base/clock.ts';
import type { AzureCredential, Environment } from '../credentials.ts';
import type { StoreClient, StoreDownload, StoreObject } from '../store-client.ts';
import { NothingThere } from '../store-client.ts';
import { SILENCE_LIMIT_MS, SilenceLimit } from '../silence-limit.ts';
import { storeErrors } from '../store-errors.ts';
import { parseAzurePath } from './azure-path.ts';

type ServiceCredential = TokenCredential | Azure.AnonymousCredential | Azure.StorageSharedKeyCredential;

const LIMITS = { retryOptions: { maxTries: 3, maxRetryDelayInMs: 2000 } };

/** Writes for uploads only; a server reads and lists. */
export class AzureStoreClient implements StoreClient {
  readonly #service: BlobServiceClient;
  readonly #clock: Clock;

  private constructor(service: BlobServiceClient, clock: Clock) {
    this.#service = service;
    this.#clock = clock;
  }

  /** `signature`: the one that came with the path, with its question mark. */
  static async open(
    credential: AzureCredential,
    environment: Environment,
    { account: named, signature }: { readonly account: string; readonly signature: string | undefined },
    clock: Clock = systemClock,
  ): Promise<AzureStoreClient> {
    const library = await import('@azure/storage-blob');
    const given = connectionOf(environment['AZURE_STORAGE_CONNECTION_STRING'] ?? '');
    const account = credential.account || given.account || named;
    const endpoint = given.endpoint || `https://${account}.blob.core.windows.net`;
    const key = credential.key || given.key;
    const pass = await credentialOf(library, { ...credential, account, key });
    const service = new library.BlobServiceClient(endpoint + (signature ?? ''), pass, LIMITS);
    return new AzureStoreClient(service, clock);
  }

  /** That there is a client is all that is asked of it. */
  check(): Promise<void> {
    return Promise.resolve();
  }

  async isFolder(path: string): Promise<boolean> {
    const { container, prefix } = this.#at(path);
    const limit = new SilenceLimit(this.#clock, undefined);
    try {
      const pages = container.listBlobsFlat({ prefix, abortSignal: limit.signal }).byPage({ maxPageSize: 1 });
      for await (const { segment } of pages) return prefix === '' || segment.blobItems.length > 0;
      return prefix === '';
    } catch (thrown) {
      throw storeErrors.azureFolder({ path, reason: reasonOf(thrown, limit) });
    } finally {
      limit.pause();
    }
  }

  async listFolders(path: string): Promise<readonly string[]> {
    const { container, prefix } = this.#at(path);
    const names: string[] = [];
    const limit = new SilenceLimit(this.#clock, undefined);
    try {
      const items = container.listBlobsByHierarchy('/', { prefix, abortSignal: limit.signal });
      for await (const item of items) {
        limit.heard();
        if (item.kind === 'prefix') names.push(item.name.slice(prefix.length, -1));
      }
    } catch (thrown) {
      throw storeErrors.azureList({ path, reason: reasonOf(thrown, limit) });
    } finally {
      limit.pause();
    }
    return names;
  }

  async listAll(path: string, signal?: AbortSignal): Promise<readonly StoreObject[]> {
    const { container, prefix } = this.#at(path);
    const objects: StoreObject[] = [];
    const limit = new SilenceLimit(this.#clock, signal);
    try {
      const items = container.listBlobsFlat({ prefix, abortSignal: limit.signal });
      for await (const { name, properties } of items) {
        limit.heard();
        if (name === prefix) continue;
        objects.push({
          name: name.slice(prefix.length),
          byteSize: properties.contentLength ?? 0,
          modifiedAtMs: properties.lastModified.getTime(),
          etag: unquoted(properties.etag),
        });
      }
    } catch (thrown) {
      signal?.throwIfAborted();
      throw storeErrors.azureList({ path, reason: reasonOf(thrown, limit) });
    } finally {
      limit.pause();
    }
    return objects;
  }

  async read(path: string, signal?: AbortSignal): Promise<StoreDownload> {
    const { container, key } = this.#at(path);
    const limit = new SilenceLimit(this.#clock, signal);
    try {
      const abortSignal = limit.signal;
      const answer = await container.getBlobClient(key).download(0, undefined, { abortSignal });
      const chunks = answer.readableStreamBody as AsyncIterable<Uint8Array>;
      return { chunks: heardChunks(chunks, { path, limit, signal }), byteSize: answer.contentLength };
    } catch (thrown) {
      limit.pause();
      signal?.throwIfAborted();
      if ((thrown as { readonly statusCode?: number }).statusCode === 404) throw new NothingThere(path);
      throw storeErrors.azureObject({ path, reason: reasonOf(thrown, limit) });
    }
  }

  async write(path: string, file: string | undefined, signal?: AbortSignal): Promise<string> {
    const blob = this.#blobOf(path);
    try {
      const answer =
        file === undefined
          ? await blob.upload('', 0, abortedBy(signal))
          : await blob.uploadFile(file, abortedBy(signal));
      return unquoted(answer.etag ?? '');
    } catch (thrown) {
      signal?.throwIfAborted();
      throw storeErrors.write({ path, reason: reasonOf(thrown) });
    }
  }

  async remove(path: string): Promise<void> {
    try {
      await this.#blobOf(path).deleteIfExists();
    } catch (thrown) {
      throw storeErrors.write({ path, reason: reasonOf(thrown) });
    }
  }

  /** Keeps no connection that would have to be closed. */
  close(): void {}

  /** A slash at the end belongs to the name of a marker. */
  #blobOf(path: string): Azure.BlockBlobClient {
    const { container, key } = this.#at(path);
    return container.getBlockBlobClient(path.endsWith('/') && !key.endsWith('/') ? `${key}/` : key);
  }

  #at(path: string): {
    readonly container: ContainerClient;
    readonly key: string;
    readonly prefix: string;
  } {
    const { container, key } = parseAzurePath(path);
    const prefix = key === '' ? '' : `${key}/`;
    return { container: this.#service.getContainerClient(container), key, prefix };
  }
}

/** The bytes of an object as they come. One that breaks off says so in the words of a read. */
async function* heardChunks(
  chunks: AsyncIterable<Uint8Array>,
  {
    path,
    limit,
    signal,
  }: { readonly path: string; readonly limit: SilenceLimit; readonly signal: AbortSignal | undefined },
): AsyncIterable<Uint8Array> {
  try {
    for await (const chunk of chunks) {
      // Whoever takes the bytes may take their time.
      limit.pause();
      yield chunk;
      limit.heard();
    }
  } catch (thrown) {
    signal?.throwIfAborted();
    throw storeErrors.azureObject({ path, reason: reasonOf(thrown, limit) });
  } finally {
    limit.pause();
  }
}

/** Listings give it without the quotes that answers have around it. */
function unquoted(etag: string): string {
  return etag.replaceAll('"', '');
}

async function credentialOf(
  library: typeof Azure,
  { account, key, authType, clientId }: AzureCredential,
): Promise<ServiceCredential> {
  if (authType === 'managed_identity') {
    const { ManagedIdentityCredential } = await import('@azure/identity');
    return clientId === '' ? new ManagedIdentityCredential() : new ManagedIdentityCredential({ clientId });
  }
  if (authType === 'default') {
    const { DefaultAzureCredential } = await import('@azure/identity');
    return new DefaultAzureCredential();
  }
  if (key === '') return new library.AnonymousCredential();
  return new library.StorageSharedKeyCredential(account, key);
}

/** What a connection string says of the blob service; "" for what it does not say. */
function connectionOf(text: string): {
  readonly endpoint: string;
  readonly account: string;
  readonly key: string;
} {
  const parts = new Map(
    text.split(';').map((part) => {
      const at = part.indexOf('=');
      return [part.slice(0, at).trim(), part.slice(at + 1).trim()] as const;
    }),
  );
  const of = (name: string): string => parts.get(name) ?? '';
  return { endpoint: of('BlobEndpoint'), account: of('AccountName'), key: of('AccountKey') };
}

function abortedBy(signal: AbortSignal | undefined): { readonly abortSignal?: AbortSignal } {
  return signal === undefined ? {} : { abortSignal: signal };
}

/** The first line: those that follow name the request with all of its headers and its address. */
function reasonOf(thrown: unknown, limit?: SilenceLimit): string {
  if (limit?.isOver === true) return `nothing came for ${SILENCE_LIMIT_MS / 1000} seconds`;
  const { message, code } = thrown as { readonly message: string; readonly code?: string };
  return (message.split('\n')[0] ?? '').replace(/\?\S*/g, '') || (code ?? '');
}
