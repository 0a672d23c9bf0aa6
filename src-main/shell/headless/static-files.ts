// Serves the built window. The set of files is read once, so a request can name nothing but a file of the build. A build
// has its texts compressed beside them (`.br`); what it lacks is compressed when first asked for, on a thread of Node's
// pool. Both are kept: a build has a few megabytes of them.

import { open, readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { pipeline } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

import { contentPolicy } from '../hosting/content-policy.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.ico': 'image/x-icon',
  '.ttf': 'font/ttf',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
};

const COMPRESSED = new Set(['.html', '.js', '.mjs', '.css', '.json', '.map', '.svg', '.ttf']);

const PACKED = '.br';

const asBrotli = promisify(brotliCompress);
const asGzip = promisify(gzip);

type Encoding = 'br' | 'gzip';

/** Quality 5 takes a tenth of the time of the best one and is within a tenth of its size. */
function compress(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  return encoding === 'gzip'
    ? asGzip(bytes)
    : asBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
}

/** The better of those the client takes; one it names with q=0 it refuses. */
function acceptedEncoding(header: string | string[] | undefined): Encoding | undefined {
  const named = String(header ?? '')
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => !/;\s*q=0(\.0*)?$/.test(entry))
    .map((entry) => entry.split(';')[0]);
  return (['br', 'gzip'] as const).find((encoding) => named.includes(encoding));
}

/** A file that was there at the start: moved by an update or a new build meanwhile, or not readable. */
function sayUnreadable(response: ServerResponse, request: IncomingMessage, thrown: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const isGone = (thrown as NodeJS.ErrnoException).code === 'ENOENT';
  const why = isGone ? 'is missing' : 'cannot be read';
  response
    .writeHead(isGone ? 404 : 500, { 'content-type': 'text/plain', 'cache-control': 'no-store' })
    .end(
      `${request.url?.split('?')[0] ?? 'A file'} of the window ${why}: ${thrown instanceof Error ? thrown.message : ''}\n` +
        'Conch was updated or built again while it ran, or its folder was changed. Start it again.\n',
    );
}

/** A request for a file that is there, and what goes in front of its bytes. */
interface FileAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Answers GET and HEAD. A path that is no file of the build is 404, whatever lies on the disk. */
export class StaticFiles {
  readonly #files: ReadonlyMap<string, string>;
  /** Of the build, by the file that they are copies of. */
  readonly #packedFiles: ReadonlyMap<string, string>;
  readonly #compressed = new Map<string, Promise<Buffer>>();

  private constructor(files: ReadonlyMap<string, string>, packedFiles: ReadonlyMap<string, string>) {
    this.#files = files;
    this.#packedFiles = packedFiles;
  }

  /** Reads the folder of a build; rejects when there is none. */
  static async open(folder: string): Promise<StaticFiles> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = new Map<string, string>();
    const packedFiles = new Map<string, string>();
    for (const entry of entries) {
      if (!entry.isFile()) continue;
      const file = path.join(entry.parentPath, entry.name);
      if (file.endsWith(PACKED)) packedFiles.set(file.slice(0, -PACKED.length), file);
      else files.set(`/${path.relative(folder, file).split(path.sep).join('/')}`, file);
    }
    return new StaticFiles(files, packedFiles);
  }

  /** Answers GET and HEAD of a file; 404 for the rest. */
  serve(pathname: string, request: IncomingMessage, response: ServerResponse): void {
    const name = pathname === '/' ? '/index.html' : pathname;
    const file = this.#files.get(name);
    if (file === undefined || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('not found\n');
      return;
    }
    const isText = COMPRESSED.has(path.extname(file));
    const encoding = isText ? acceptedEncoding(request.headers['accept-encoding']) : undefined;
    const headers = {
      'content-type': TYPES[path.extname(file)] ?? 'application/octet-stream',
      'cache-control': name.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      'content-security-policy': contentPolicy([`ws://${request.headers.host ?? ''}`]),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      ...(isText ? { vary: 'accept-encoding' } : {}),
    };
    if (encoding !== undefined) {
      void this.#sendCompressed(file, encoding, { headers, request, response });
      return;
    }
    void this.#sendPlain(file, { headers, request, response });
  }

  async #sendPlain(file: string, { headers, request, response }: FileAnswer): Promise<void> {
    try {
      const handle = await open(file);
      response.writeHead(200, headers);
      if (request.method === 'HEAD') {
        await handle.close();
        response.end();
        return;
      }
      // Closes the file also when the client leaves in the middle, and the connection when reading fails.
      pipeline(handle.createReadStream(), response, () => undefined);
    } catch (thrown) {
      sayUnreadable(response, request, thrown);
    }
  }

  async #sendCompressed(
    file: string,
    encoding: Encoding,
    { headers, request, response }: FileAnswer,
  ): Promise<void> {
    try {
      const bytes = await this.#packed(file, encoding);
      response.writeHead(200, {
        ...headers,
        'content-encoding': encoding,
        'content-length': bytes.byteLength,
      });
      response.end(request.method === 'HEAD' ? undefined : bytes);
    } catch (thrown) {
      sayUnreadable(response, request, thrown);
    }
  }

  /** A file that could not be read is tried again by the next request. */
  #packed(file: string, encoding: Encoding): Promise<Buffer> {
    const key = `${encoding} ${file}`;
    const known = this.#compressed.get(key);
    if (known !== undefined) return known;
    const ready = encoding === 'br' ? this.#packedFiles.get(file) : undefined;
    const packed =
      ready === undefined ? readFile(file).then((bytes) => compress(bytes, encoding)) : readFile(ready);
    packed.catch(() => this.#compressed.delete(key));
    this.#compressed.set(key, packed);
    return packed;
  }
}
