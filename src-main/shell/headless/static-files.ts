// Serves the built window. The set of files is read once, so a request can name nothing but a file of the build.

import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';

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
  '.ico': 'image/x-icon',
  '.ttf': 'font/ttf',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
};

export class StaticFiles {
  readonly #files: ReadonlyMap<string, string>;

  private constructor(files: ReadonlyMap<string, string>) {
    this.#files = files;
  }

  /** Reads the folder of a build; rejects when there is none. */
  static async open(folder: string): Promise<StaticFiles> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = new Map<string, string>();
    for (const entry of entries) {
      if (!entry.isFile()) continue;
      const file = path.join(entry.parentPath, entry.name);
      files.set(`/${path.relative(folder, file).split(path.sep).join('/')}`, file);
    }
    return new StaticFiles(files);
  }

  /** Answers GET and HEAD of a file; 404 for the rest. */
  serve(pathname: string, request: IncomingMessage, response: ServerResponse): void {
    const name = pathname === '/' ? '/index.html' : pathname;
    const file = this.#files.get(name);
    if (file === undefined || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('not found\n');
      return;
    }
    response.writeHead(200, {
      'content-type': TYPES[path.extname(file)] ?? 'application/octet-stream',
      'cache-control': name.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      'content-security-policy': contentPolicy([`ws://${request.headers.host ?? ''}`]),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    });
    if (request.method === 'HEAD') {
      response.end();
      return;
    }
    const stream = createReadStream(file);
    stream.once('error', () => response.destroy());
    stream.pipe(response);
  }
}
