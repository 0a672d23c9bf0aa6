// What this room asks of a store, the same for all of them. A client is made for one set of credentials and one service
// and serves many buckets; what it throws has the reference's words.

/** One object below a listed folder. */
export interface StoreObject {
  /** Relative to the folder, "/" between its parts; one that ends with "/" marks a folder. */
  readonly name: string;
  readonly byteSize: number;
  /** Of the last change, milliseconds since the epoch. */
  readonly modifiedAtMs: number;
  /** Another one whenever the object is written. */
  readonly etag: string;
}

/** The bytes of one object, from its begin. */
export interface StoreDownload {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Undefined when the store does not say. */
  readonly byteSize: number | undefined;
}

/** Paths are those of the repository: `s3://bucket/repository/model`. Whoever makes a client closes it. */
export interface StoreClient {
  /** Rejects with the store's "Unable to create ..." when its bucket does not answer to these credentials. */
  check(path: string): Promise<void>;
  /** Whether any object lies below the path, or the path is a bucket. */
  isFolder(path: string): Promise<boolean>;
  /** Names of the folders directly below, in text order. */
  listFolders(path: string): Promise<readonly string[]>;
  /** Every object below, in text order. */
  listAll(path: string, signal?: AbortSignal): Promise<readonly StoreObject[]>;
  /** Rejects with "File does not exist" for an object that is not there. */
  read(path: string, signal?: AbortSignal): Promise<StoreDownload>;
  /** Writes the object whole from a file, `undefined` = without bytes. Returns the etag that listings give it. */
  write(path: string, file: string | undefined, signal?: AbortSignal): Promise<string>;
  /** An object that is not there is no error. */
  remove(path: string): Promise<void>;
  /** Closes idle connections. Calls under way may fail. */
  close(): void;
}

/** An object or a folder is not there: no reason to doubt the credentials. */
export class NothingThere extends Error {}
