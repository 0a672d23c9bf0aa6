// Size of what the page needs before it can draw anything: the scripts of its index. What it fetches beside them for its
// first screen is told apart.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const folder = path.resolve(import.meta.dirname, '../out/renderer');

interface ScriptSize {
  readonly files: number;
  readonly gzipBytes: number;
  readonly brotliBytes: number;
}

/** The first scripts: how many they are, and their compressed bytes. */
export interface FirstScript extends ScriptSize {
  /** Fetched at the same time, run when the frame asks for it. */
  readonly screen: ScriptSize;
}

const FIRST =
  /src="\.\/(assets\/[^"]+\.js)"|<link rel="modulepreload" crossorigin href="\.\/(assets\/[^"]+\.js)"/g;
const SCREEN = /<link rel="modulepreload" fetchpriority="low" crossorigin href="\.\/(assets\/[^"]+\.js)"/g;

/** Throws without a build. */
export function firstScript(): FirstScript {
  const index = readFileSync(path.join(folder, 'index.html'), 'utf8');
  return { ...sizeOf(index, FIRST), screen: sizeOf(index, SCREEN) };
}

function sizeOf(index: string, pattern: RegExp): ScriptSize {
  const names = [...index.matchAll(pattern)].map(([, script, link]) => script ?? link ?? '');
  const texts = [...new Set(names)].map((name) => readFileSync(path.join(folder, name)));
  const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0);
  return {
    files: texts.length,
    gzipBytes: sum(texts.map((text) => gzipSync(text).byteLength)),
    brotliBytes: sum(texts.map((text) => brotliCompressSync(text).byteLength)),
  };
}
