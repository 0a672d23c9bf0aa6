// What the rooms above ask of object stores: what lies at a path, texts, copies of folders. Keeps one client for each
// credential and service, from the first path that needs it on. When an access fails with clients that were kept, file
// and environment are read again and the access is repeated once, so that exchanged keys work without a restart.

import { getLogger } from '../base/log.ts';
import { Signatures } from './azure/signatures.ts';
import type { Environment } from './credentials.ts';
import { Credentials } from './credentials.ts';
import type { CopyOptions, LocalCopy } from './local-copy.ts';
import { copyFolder } from './local-copy.ts';
import { clientKey, openClient } from './open-client.ts';
import type { StoreClient, StoreObject } from './store-client.ts';
import { NothingThere } from './store-client.ts';
import { isStoreFault, storeErrors } from './store-errors.ts';
import { StoreFolder } from './store-tree.ts';

const log = getLogger('stores');

interface Access {
  readonly credentials: Promise<Credentials>;
  readonly clients: Map<string, Promise<StoreClient>>;
}

/** Reads nothing and loads no library before it is asked for a path. */
export class ObjectStores {
  readonly #environment: Environment;
  readonly #signatures = new Signatures();
  #access: Access | undefined;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /**
   * The path as it is used and shown. A signature at its end, which is secret, is kept here for all paths below.
   */
  adopt(path: string): string {
    return this.#signatures.adopt(path);
  }

  /** Whether any object lies below the path, or the path is a bucket. Rejects when the store does not answer. */
  async isFolder(path: string): Promise<boolean> {
    return await this.#with(path, (client) => client.isFolder(path));
  }

  /** Names of the folders directly below, in text order. */
  async listFolders(path: string): Promise<readonly string[]> {
    return await this.#with(path, async (client) => {
      const names = await client.listFolders(path);
      if (names.includes('')) throw storeErrors.emptyName({ path });
      return names;
    });
  }

  /** Everything below the path, which costs one request for each thousand objects. */
  async folder(path: string, signal?: AbortSignal): Promise<StoreFolder> {
    return await this.#with(path, async (client) => StoreFolder.of(path, await client.listAll(path, signal)));
  }

  /** INVALID_ARG for an object longer than `limitBytes`, INTERNAL for one that is not there. */
  async readText(path: string, limitBytes: number): Promise<string> {
    return await this.#with(path, async (client) => {
      const { chunks, byteSize = 0 } = await client.read(path);
      const parts: Uint8Array[] = [];
      let size = byteSize;
      let read = 0;
      for await (const chunk of chunks) {
        read += chunk.byteLength;
        size = Math.max(size, read);
        // Leaving the loop ends the transfer.
        if (size > limitBytes) throw storeErrors.textTooLarge({ path, size, limit: limitBytes });
        parts.push(chunk);
      }
      return Buffer.concat(parts).toString('utf8');
    });
  }

  /** Copies a folder to this machine. Rejects for a path without objects, and with the signal's reason. */
  async copy(path: string, options: Omit<CopyOptions, 'environment'> = {}): Promise<LocalCopy> {
    return await this.#with(
      path,
      async (client) => {
        const folder = StoreFolder.of(path, await client.listAll(path, options.signal));
        if (folder.files.size + folder.folders.size === 0) throw storeErrors.nothingThere({ path });
        return await copyFolder(client, folder, { ...options, environment: this.#environment });
      },
      options.signal,
    );
  }

  /** Every object below the path, in text order. */
  async listAll(path: string, signal?: AbortSignal): Promise<readonly StoreObject[]> {
    return await this.#with(path, (client) => client.listAll(path, signal), signal);
  }

  /** Writes the object whole, without bytes where there is no file. Returns the etag that listings give it. */
  async write(path: string, file: string | undefined, signal?: AbortSignal): Promise<string> {
    return await this.#with(path, (client) => client.write(path, file, signal), signal);
  }

  /** An object that is not there is no error. */
  async remove(path: string): Promise<void> {
    await this.#with(path, (client) => client.remove(path));
  }

  /** Closes the clients. */
  async close(): Promise<void> {
    const clients = [...(this.#access?.clients.values() ?? [])];
    this.#access = undefined;
    for (const client of await Promise.allSettled(clients)) {
      if (client.status === 'fulfilled') client.value.close();
    }
  }

  async #with<T>(path: string, work: (client: StoreClient) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const kept = this.#access;
    try {
      return await this.#attempt((this.#access ??= this.#fresh()), path, work);
    } catch (thrown) {
      if (signal?.aborted === true || !isStoreFault(thrown)) throw thrown;
      if (thrown instanceof NothingThere) throw storeErrors.noFile({ path });
      if (kept === undefined) {
        // What was read for this access is not kept either: the next one may find it put right.
        if (this.#access?.clients.size === 0) this.#access = undefined;
        throw thrown;
      }
      // Somebody else may have read it again meanwhile.
      if (this.#access === kept) this.#access = this.#fresh();
    }
    return await this.#attempt((this.#access ??= this.#fresh()), path, work).catch((thrown: unknown) => {
      throw thrown instanceof NothingThere ? storeErrors.noFile({ path }) : thrown;
    });
  }

  async #attempt<T>(
    { credentials, clients }: Access,
    path: string,
    work: (client: StoreClient) => Promise<T>,
  ): Promise<T> {
    const named = (await credentials).for(path);
    log.verbose(1, `Using credential  ${named.name}  for path  ${path}`);
    const signature = this.#signatures.for(path);
    const key = clientKey(path, named, signature);
    let opening = clients.get(key);
    if (opening === undefined) {
      opening = openClient(path, named, this.#environment, signature);
      clients.set(key, opening);
    }
    const client = await opening;
    await client.check(path);
    return await work(client);
  }

  #fresh(): Access {
    const credentials = Credentials.read(this.#environment);
    // Whoever needs them hears of a fault.
    credentials.catch(() => undefined);
    return { credentials, clients: new Map() };
  }
}
