// Sends files to the server's upload endpoint, because a page cannot name them by path. Each file goes in pieces; a
// piece that breaks off is continued where the server stopped receiving, as soon as the server is there again.

import { bearerOf, pageToken } from '../../engine/page-token.ts';

/** A file and where it belongs inside the upload, "/" separated. */
export interface UploadFile {
  readonly path: string;
  readonly file: Blob;
}

/** How an upload is followed and ended. */
export interface UploadOptions {
  readonly signal: AbortSignal;
  /** 0..1 over all files. */
  readonly onProgress: (share: number, path: string) => void;
  /** Default: the browser's. */
  readonly fetch?: typeof fetch;
  /** Waits before a new try; default: by the clock. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

const PIECE_BYTES = 8 * 1024 * 1024;
/** Before each new try; together a minute and a half, in which a network comes back. */
const WAITS_MS = [0, 1000, 2000, 4000, 8000, 15_000, 30_000, 30_000];
/** The server's answer to a piece that does not begin where it has stopped: the one before came in part, or still comes. */
const CONFLICT = 409;

/** Returns the folder on the server that holds the files. What was sent is dropped again when it fails. */
export async function uploadFiles(files: readonly UploadFile[], options: UploadOptions): Promise<string> {
  const send = sender(options);
  const created = await send('POST', '/upload');
  const { upload, path: folder } = (await created.json()) as {
    readonly upload: string;
    readonly path: string;
  };
  const totalBytes = files.reduce((sum, { file }) => sum + file.size, 0);
  let doneBytes = 0;
  try {
    for (const { path, file } of files) {
      const url = `/upload/${upload}?path=${encodeURIComponent(path)}`;
      const onSent = (sentBytes: number): void =>
        options.onProgress(totalBytes === 0 ? 1 : (doneBytes + sentBytes) / totalBytes, path);
      await sendFile(send, url, file, { ...options, onSent });
      doneBytes += file.size;
    }
    return folder;
  } catch (thrown) {
    await dropUpload(upload, options.fetch);
    throw thrown;
  }
}

/** Drops what an upload put into its folder; silent where that fails, as the server drops it by itself after a day. */
export async function dropUpload(folder: string, request: typeof fetch = fetch): Promise<void> {
  const upload = folder.split(/[\\/]/).at(-1) ?? '';
  await request(`/upload/${upload}`, { method: 'DELETE', headers: bearerOf(pageToken()) }).catch(
    () => undefined,
  );
}

type Send = (method: string, url: string, body?: Blob, offset?: number) => Promise<Response>;

/** The server has answered, and not taken it. */
class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;

  constructor(status: number, body: string) {
    super(reasonIn(body) || `HTTP ${status}`);
    this.status = status;
  }
}

/** The endpoint's own errors are JSON; what stands before it may answer with anything. */
function reasonIn(body: string): string {
  try {
    const { error } = JSON.parse(body) as { readonly error?: unknown };
    return typeof error === 'string' ? error : body;
  } catch {
    return body;
  }
}

function sender({ signal, fetch: request = fetch }: UploadOptions): Send {
  return async (method, url, body, offset) => {
    const headers =
      offset === undefined
        ? bearerOf(pageToken())
        : { ...bearerOf(pageToken()), 'upload-offset': String(offset) };
    const response = await request(url, { method, headers, signal, ...(body === undefined ? {} : { body }) });
    if (response.ok) return response;
    throw new Refused(response.status, await response.text());
  };
}

/** A connection that breaks off is waited for; what the server refuses is refused. */
async function sendFile(
  send: Send,
  url: string,
  file: Blob,
  {
    signal,
    wait = pause,
    onSent,
  }: Pick<UploadOptions, 'signal' | 'wait'> & { readonly onSent: (sentBytes: number) => void },
): Promise<void> {
  let offset = 0;
  let failures = 0;
  let isKnown = true;
  do {
    try {
      if (!isKnown) {
        const head = await send('HEAD', url);
        offset = Number(head.headers.get('upload-offset') ?? '0');
        isKnown = true;
        if (offset >= file.size && file.size > 0) break;
      }
      await send('PATCH', url, file.slice(offset, offset + PIECE_BYTES), offset);
      offset = Math.min(file.size, offset + PIECE_BYTES);
      failures = 0;
      onSent(offset);
    } catch (thrown) {
      signal.throwIfAborted();
      const isFinal = thrown instanceof Refused && thrown.status !== CONFLICT;
      const waitMs = WAITS_MS[failures];
      if (isFinal || waitMs === undefined) throw thrown;
      failures += 1;
      isKnown = false;
      await wait(waitMs, signal);
    }
  } while (offset < file.size);
  onSent(file.size);
}

/** Rejects with the signal's reason when it is aborted meanwhile. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onAbort = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', onAbort, { once: true });
  setTimeout(() => {
    signal.removeEventListener('abort', onAbort);
    resolve();
  }, ms);
  return promise;
}
