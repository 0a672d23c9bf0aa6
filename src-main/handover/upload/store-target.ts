// A folder of an object store that repositories are uploaded to, with the credentials that a server reads it with.

import { stat } from 'node:fs/promises';

import type { ObjectStores } from '../../object-stores/object-stores.ts';
import { joinStorePath } from '../../object-stores/store-path.ts';
import type { UploadedObject, UploadTarget } from './upload-target.ts';

/** `folder`: `s3://bucket/models`. The clients are those of `stores`, which its owner closes. */
export class StoreTarget implements UploadTarget {
  readonly #stores: ObjectStores;
  readonly #folder: string;

  constructor(stores: ObjectStores, folder: string) {
    this.#stores = stores;
    this.#folder = stores.adopt(folder);
  }

  async list(signal: AbortSignal): Promise<ReadonlyMap<string, UploadedObject>> {
    const objects = await this.#stores.listAll(this.#folder, signal);
    return new Map(objects.map(({ name, byteSize, etag }) => [name, { byteSize, etag }]));
  }

  async put(name: string, file: string | undefined, signal: AbortSignal): Promise<UploadedObject> {
    const byteSize = file === undefined ? 0 : (await stat(file)).size;
    return { byteSize, etag: await this.#stores.write(joinStorePath(this.#folder, name), file, signal) };
  }

  async remove(name: string): Promise<void> {
    await this.#stores.remove(joinStorePath(this.#folder, name));
  }
}
