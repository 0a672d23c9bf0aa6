// What the built page loads before it draws anything: the script of its index and what that imports.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const folder = path.resolve(import.meta.dirname, '../out/renderer');

export interface FirstScript {
  readonly files: number;
  readonly gzipBytes: number;
  readonly brotliBytes: number;
}

/** Throws without a build. */
export function firstScript(): FirstScript {
  const index = readFileSync(path.join(folder, 'index.html'), 'utf8');
  const names = [...index.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.js)"/g)].map(([, name = '']) => name);
  const texts = [...new Set(names)].map((name) => readFileSync(path.join(folder, name)));
  const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0);
  return {
    files: texts.length,
    gzipBytes: sum(texts.map((text) => gzipSync(text).byteLength)),
    brotliBytes: sum(texts.map((text) => brotliCompressSync(text).byteLength)),
  };
}
