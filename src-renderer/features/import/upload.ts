// Sends files to the server's upload endpoint, because a page cannot name them by path. Each file goes in pieces; a
// piece that breaks off is continued where the server stopped receiving.

import { pageToken } from '../../engine/page-token.ts';

/** A file and where it belongs inside the upload, "/" separated. */
export interface UploadFile {
  readonly path: string;
  readonly file: Blob;
}

export interface UploadOptions {
  readonly signal: AbortSignal;
  /** 0..1 over all files. */
  readonly onProgress: (share: number, path: string) => void;
  /** Default: the browser's. */
  readonly fetch?: typeof fetch;
}

const PIECE_BYTES = 8 * 1024 * 1024;
const MAX_FAILURES = 5;

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
      await sendFile(send, `/upload/${upload}?path=${encodeURIComponent(path)}`, file, (sentBytes) => {
        options.onProgress(totalBytes === 0 ? 1 : (doneBytes + sentBytes) / totalBytes, path);
      });
      doneBytes += file.size;
    }
    return folder;
  } catch (thrown) {
    await (options.fetch ?? fetch)(`/upload/${upload}`, { method: 'DELETE', headers: authorization() }).catch(
      () => undefined,
    );
    throw thrown;
  }
}

type Send = (method: string, url: string, body?: Blob, offset?: number) => Promise<Response>;

function authorization(): Record<string, string> {
  return { authorization: `Bearer ${pageToken()}` };
}

function sender({ signal, fetch: request = fetch }: UploadOptions): Send {
  return async (method, url, body, offset) => {
    const headers =
      offset === undefined ? authorization() : { ...authorization(), 'upload-offset': String(offset) };
    const response = await request(url, { method, headers, signal, ...(body === undefined ? {} : { body }) });
    if (response.ok) return response;
    const reason = await response.text();
    throw new Error(reason === '' ? `HTTP ${response.status}` : reason);
  };
}

async function sendFile(
  send: Send,
  url: string,
  file: Blob,
  onSent: (sentBytes: number) => void,
): Promise<void> {
  let offset = 0;
  let failures = 0;
  do {
    try {
      await send('PATCH', url, file.slice(offset, offset + PIECE_BYTES), offset);
      offset = Math.min(file.size, offset + PIECE_BYTES);
      failures = 0;
      onSent(offset);
    } catch (thrown) {
      failures += 1;
      if (failures >= MAX_FAILURES || (thrown instanceof Error && thrown.name === 'AbortError')) throw thrown;
      const head = await send('HEAD', url);
      offset = Number(head.headers.get('upload-offset') ?? '0');
    }
  } while (offset < file.size);
}
