// Serves the built window. All of it is read once, at the start: a request can name nothing but a file of the build, and a
// build that is replaced while the server runs does not take the page away that belongs to this server. A build has its
// texts compressed beside them (`.br`), and those are what is held, a few megabytes; other forms are made when asked for.

import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants, gzip } from 'node:zlib';

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
const fromBrotli = promisify(brotliDecompress);

type Encoding = 'br' | 'gzip' | 'identity';

/** The better of those the client takes; one it names with q=0 it refuses. */
function acceptedEncoding(header: string | string[] | undefined): Encoding {
  const named = String(header ?? '')
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => !/;\s*q=0(\.0*)?$/.test(entry))
    .map((entry) => entry.split(';')[0]);
  return (['br', 'gzip'] as const).find((encoding) => named.includes(encoding)) ?? 'identity';
}

/** One file of the build: as it is, or only in the compressed form that the build made. */
interface HeldFile {
  readonly bytes: Buffer;
  readonly isPacked: boolean;
}

/** Answers GET and HEAD. A path that is no file of the build is 404, whatever lies on the disk. */
export class StaticFiles {
  /** By path in the address. */
  readonly #files: ReadonlyMap<string, HeldFile>;
  /** What was made of a held file, by encoding and path. */
  readonly #made = new Map<string, Promise<Buffer>>();

  private constructor(files: ReadonlyMap<string, HeldFile>) {
    this.#files = files;
  }

  /** Reads a build; rejects when there is none, or one of its files cannot be read. */
  static async open(folder: string): Promise<StaticFiles> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const names = entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
    const packed = new Set(names.filter((name) => name.endsWith(PACKED)));
    const files = names
      .filter((name) => !packed.has(name))
      .map(async (name): Promise<readonly [string, HeldFile]> => {
        const isPacked = packed.has(`${name}${PACKED}`);
        const bytes = await readFile(path.join(folder, isPacked ? `${name}${PACKED}` : name));
        return [`/${name.split(path.sep).join('/')}`, { bytes, isPacked }];
      });
    return new StaticFiles(new Map(await Promise.all(files)));
  }

  /** Answers GET and HEAD of a file; 404 for the rest. */
  serve(pathname: string, request: IncomingMessage, response: ServerResponse): void {
    const name = pathname === '/' ? '/index.html' : pathname;
    const file = this.#files.get(name);
    if (file === undefined || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('not found\n');
      return;
    }
    const isText = COMPRESSED.has(path.extname(name));
    const encoding = isText ? acceptedEncoding(request.headers['accept-encoding']) : 'identity';
    const headers = {
      'content-type': TYPES[path.extname(name)] ?? 'application/octet-stream',
      'cache-control': name.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      'content-security-policy': contentPolicy([`ws://${request.headers.host ?? ''}`]),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      ...(isText ? { vary: 'accept-encoding' } : {}),
      ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
    };
    const answer = (bytes: Buffer): void => {
      response.writeHead(200, { ...headers, 'content-length': bytes.byteLength });
      response.end(request.method === 'HEAD' ? undefined : bytes);
    };
    // Only a packed text that is damaged cannot be had in another form.
    this.#bytes(name, file, encoding).then(answer, () => response.destroy());
  }

  #bytes(name: string, { bytes, isPacked }: HeldFile, encoding: Encoding): Promise<Buffer> {
    if (isPacked ? encoding === 'br' : encoding === 'identity') return Promise.resolve(bytes);
    const key = `${encoding} ${name}`;
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const plain = isPacked ? fromBrotli(bytes) : Promise.resolve(bytes);
    const made = encoding === 'identity' ? plain : plain.then((text) => compress(text, encoding));
    this.#made.set(key, made);
    return made;
  }
}

/** On a thread of Node's pool. Quality 5 takes a tenth of the time of the best one and is within a tenth of its size. */
function compress(bytes: Buffer, encoding: 'br' | 'gzip'): Promise<Buffer> {
  return encoding === 'gzip'
    ? asGzip(bytes)
    : asBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
}
