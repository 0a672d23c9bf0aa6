// Where a repository is uploaded to: objects by name, whatever keeps them.

/** An object as its keeper lists it. `etag` changes whenever the object is written. */
export interface UploadedObject {
  readonly byteSize: number;
  readonly etag: string;
}

/** Names have "/" between their parts; one that ends with "/" marks a folder. */
export interface UploadTarget {
  /** Everything below the target, by name. Empty where nothing is yet. */
  list(signal: AbortSignal): Promise<ReadonlyMap<string, UploadedObject>>;
  /** Writes the object whole or not at all, in the place of one of that name; `file` undefined = a marker. */
  put(name: string, file: string | undefined, signal: AbortSignal): Promise<UploadedObject>;
  /** A name that is not there is no error. */
  remove(name: string): Promise<void>;
}
