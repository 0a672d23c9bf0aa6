// The sources of the product, and where each of their imports leads by TypeScript's own resolution. Reading a file's
// imports is the slow part, so it is kept in a file and done anew only for files whose size or time differ.

import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isBuiltin } from 'node:module';
import ts from '@typescript/typescript6';

import { importsOf } from './file-imports.ts';
import type { FileImport } from './file-imports.ts';
import { styleImportsOf } from './style-imports.ts';

/** One import, from a file to another one or to a library. */
export interface ImportEdge {
  /** Relative to the root, with `/`. */
  readonly from: string;
  readonly line: number;
  /** As written; "a computed address" has none. */
  readonly specifier: string | undefined;
  /** File of the project, relative to the root. */
  readonly file?: string;
  /** Package name, or `node:path`. */
  readonly library?: string;
}

/** `files` in order of their paths; an edge for each import that leads into the sources or to a package. */
export interface SourceTree {
  readonly files: readonly string[];
  readonly edges: readonly ImportEdge[];
}

/** What is read. */
export interface SourceTreeOptions {
  readonly root: string;
  readonly folders: readonly string[];
  /** Worker name -> file. */
  readonly workers: Readonly<Record<string, string>>;
  /** Where imports are kept between runs; none without. */
  readonly cacheFile?: string;
}

const SOURCE = /\.(?:[cm]?[jt]s|[jt]sx|css)$/;
const GENERATED = /\.generated\.|\.d\.[cm]?ts$/;

const RESOLUTION: ts.CompilerOptions = {
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  allowImportingTsExtensions: true,
  resolveJsonModule: true,
};

/** `folders` relative to `root`. Leaves its memory in a file, so the next reading takes a fraction. */
export function readSourceTree(options: SourceTreeOptions): SourceTree {
  const { root, folders } = options;
  const files = folders.flatMap((folder) => sourcesBelow(root, folder)).sort();
  const imports = readImports(options, files);
  const resolver = new Resolver(options);
  const edges = files.flatMap((file) =>
    (imports.get(file) ?? []).map((item) => ({
      from: file,
      line: item.line,
      specifier: item.specifier,
      ...resolver.resolve(file, item),
    })),
  );
  return { files, edges };
}

function sourcesBelow(root: string, folder: string): string[] {
  const full = path.join(root, folder);
  if (!existsSync(full)) return [];
  return readdirSync(full, { recursive: true, encoding: 'utf8' })
    .filter((name) => SOURCE.test(name) && !GENERATED.test(name))
    .map((name) => path.posix.join(folder, name.split(path.sep).join('/')))
    .filter((name) => !name.includes('/node_modules/'));
}

interface CachedFile {
  readonly stamp: string;
  readonly imports: readonly FileImport[];
}

function readImports(
  { root, cacheFile }: SourceTreeOptions,
  files: readonly string[],
): ReadonlyMap<string, readonly FileImport[]> {
  const known = cacheFile === undefined ? {} : readCache(cacheFile);
  const next: Record<string, CachedFile> = {};
  for (const file of files) {
    const full = path.join(root, file);
    const { size, mtimeMs } = statSync(full);
    const stamp = `${size} ${mtimeMs}`;
    const kept = known[file];
    if (kept?.stamp === stamp) {
      next[file] = kept;
      continue;
    }
    const text = readFileSync(full, 'utf8');
    next[file] = { stamp, imports: file.endsWith('.css') ? styleImportsOf(text) : importsOf(file, text) };
  }
  if (cacheFile !== undefined) {
    mkdirSync(path.dirname(cacheFile), { recursive: true });
    writeFileSync(cacheFile, JSON.stringify({ version: cacheVersion(), files: next }));
  }
  return new Map(Object.entries(next).map(([file, { imports }]) => [file, imports]));
}

function readCache(cacheFile: string): Readonly<Record<string, CachedFile>> {
  if (!existsSync(cacheFile)) return {};
  const kept = JSON.parse(readFileSync(cacheFile, 'utf8')) as {
    readonly version: string;
    readonly files: Readonly<Record<string, CachedFile>>;
  };
  return kept.version === cacheVersion() ? kept.files : {};
}

/** What was read by another reader counts for nothing. */
function cacheVersion(): string {
  const readers = ['file-imports.ts', 'style-imports.ts'].map((name) => path.join(import.meta.dirname, name));
  return [ts.version, ...readers.map((file) => statSync(file).mtimeMs)].join(' ');
}

type Target = Pick<ImportEdge, 'file' | 'library'>;

class Resolver {
  readonly #root: string;
  readonly #workers: Readonly<Record<string, string>>;
  readonly #cache: ts.ModuleResolutionCache;

  constructor({ root, workers }: SourceTreeOptions) {
    this.#root = root;
    this.#workers = workers;
    this.#cache = ts.createModuleResolutionCache(root, (name) => name, RESOLUTION);
  }

  /** Empty for a computed address, and for a file that is not there. */
  resolve(from: string, { specifier, isWorkerName }: FileImport): Target {
    if (specifier === undefined) return {};
    if (isWorkerName) return this.#worker(specifier);
    const address = specifier.split('?')[0] ?? '';
    if (address.startsWith('node:')) return { library: address };
    if (/^\.{0,2}\//.test(address)) return this.#ownFile(from, address);
    const found = this.#resolveModule(from, address);
    const file = found === undefined || found.isExternalLibraryImport === true ? undefined : found;
    if (file !== undefined) return this.#inside(file.resolvedFileName);
    return { library: packageName(address) };
  }

  #worker(name: string): Target {
    const file = this.#workers[name];
    return file === undefined ? {} : { file };
  }

  #ownFile(from: string, address: string): Target {
    const plain = path.join(this.#root, path.dirname(from), address);
    const found = this.#resolveModule(from, address)?.resolvedFileName ?? plain;
    return existsSync(found) ? this.#inside(found) : {};
  }

  #resolveModule(from: string, address: string): ts.ResolvedModuleFull | undefined {
    const containing = path.join(this.#root, from);
    return ts.resolveModuleName(address, containing, RESOLUTION, ts.sys, this.#cache).resolvedModule;
  }

  #inside(full: string): Target {
    return { file: path.relative(this.#root, full).split(path.sep).join('/') };
  }
}

/** "@scope/name" of "@scope/name/file.js"; built-in modules of Node always with their prefix. */
function packageName(address: string): string {
  const [first = '', second = ''] = address.split('/');
  if (address.startsWith('@')) return `${first}/${second}`;
  return isBuiltin(address) ? `node:${address}` : first;
}
