// What a package of the app must contain, against what the program loads at run time: packages that it imports, files
// that it reads beside itself, native libraries, worker entries, icons. The installers themselves are built elsewhere.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, test } from 'vitest';

import { nativeFolder } from '../../backends/onnxruntime/available-providers.ts';
import { WORKER_ENTRIES } from '../../base/worker-entry.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const config = readFileSync(path.join(root, 'electron-builder.yml'), 'utf8');
const packageJson = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  readonly dependencies: Readonly<Record<string, string>>;
};

/** Items of a list of the configuration. */
function listOf(key: string): readonly string[] {
  const lines = config.split('\n');
  const start = lines.indexOf(`${key}:`);
  if (start < 0) throw new Error(`electron-builder.yml has no list '${key}'`);
  const items = lines.slice(start + 1);
  const end = items.findIndex((line) => !/^\s/.test(line));
  return items
    .slice(0, end < 0 ? undefined : end)
    .flatMap((line) => /^\s+- (?:from: )?'?([^']+)'?$/.exec(line)?.slice(1) ?? []);
}

function filesBelow(folder: string, matches: RegExp): readonly string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => name.split(path.sep).join('/'))
    .filter((name) => matches.test(name) && !name.endsWith('.test.ts') && !name.startsWith('testing/'))
    .map((name) => `${folder}/${name}`);
}

/** Packages that the text imports, by name. */
function importedPackages(text: string): readonly string[] {
  const specifiers = [...text.matchAll(/^(?:import|export) (?!type )[^;]*?from '([^'.][^']*)'/gms)].map(
    (match) => match[1] ?? '',
  );
  return specifiers
    .filter((specifier) => !specifier.startsWith('node:'))
    .map((specifier) =>
      specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/'),
    );
}

test('the program imports only packages that are installed with it', () => {
  const missing = filesBelow('src-main', /\.ts$/).flatMap((file) =>
    importedPackages(readFileSync(path.join(root, file), 'utf8'))
      .filter((name) => name !== 'electron' && packageJson.dependencies[name] === undefined)
      .map((name) => `${file}: ${name}`),
  );
  expect(missing).toEqual([]);
});

test('the search for imports finds them', () => {
  const text =
    "import { a } from 'zod';\nimport type { B } from 'vite';\nimport {\n  c,\n} from '@img/x/lib';\n";
  expect(importedPackages(text)).toEqual(['zod', '@img/x']);
});

describe('the configuration of electron-builder', () => {
  test('keeps files on disk: native libraries and worker threads are started by their path', () => {
    expect(config).toMatch(/^asar: false$/m);
    expect(config).not.toContain('asarUnpack');
  });

  test('takes the build and the files that are read beside it', () => {
    expect(listOf('files')).toEqual(expect.arrayContaining(['out/**', 'resources/**', 'package.json']));
    expect(listOf('extraResources')).toContain('package-lock.json');
    for (const name of ['grpc_service.proto', 'health.proto', 'model_config.proto']) {
      expect(existsSync(path.join(root, 'resources/proto', name)), name).toBe(true);
    }
  });

  test("leaves out other systems' ONNX Runtime, and nothing that fetching the CUDA libraries needs", () => {
    const excluded = listOf('files').filter((pattern) => pattern.startsWith('!') && pattern.includes('onnx'));
    expect(excluded).not.toEqual([]);
    expect(excluded.filter((pattern) => !pattern.includes('onnxruntime-node/bin/'))).toEqual([]);
    // In electron-builder's words for the system and the processor that a package is for.
    expect(excluded.filter((pattern) => !/!\(\$\{(platform|arch)\}\)/.test(pattern))).toEqual([]);
    const script = path.join(root, 'node_modules/onnxruntime-node/script/install.js');
    expect(existsSync(script)).toBe(true);
  });

  test('switches off what an app like this needs not', () => {
    const fuse = (name: string): string | undefined =>
      new RegExp(`^  ${name}: (\\w+)$`, 'm').exec(config)?.[1];
    for (const name of [
      'enableNodeOptionsEnvironmentVariable',
      'enableNodeCliInspectArguments',
      'enableCookieEncryption',
      'grantFileProtocolExtraPrivileges',
    ]) {
      expect([name, fuse(name)]).toEqual([name, 'false']);
    }
  });

  test('names icons that are there and large enough for every system', () => {
    const icons = [...config.matchAll(/^\s+icon: (\S+)$/gm)].map((match) => match[1] ?? '');
    expect(icons).toHaveLength(3);
    for (const icon of icons) {
      const head = readFileSync(path.join(root, icon)).subarray(0, 24);
      expect(head.subarray(1, 4).toString(), icon).toBe('PNG');
      expect([head.readUInt32BE(16), head.readUInt32BE(20)], icon).toEqual([512, 512]);
    }
  });
});

test('the native libraries of this system are installed', () => {
  expect(existsSync(path.join(nativeFolder(), 'onnxruntime_binding.node'))).toBe(true);
  const images = readdirSync(path.join(root, 'node_modules/@napi-rs'));
  expect(images.some((name) => name.startsWith(`image-${process.platform}-${process.arch}`))).toBe(true);
});

/** A build from before the table of workers changed says nothing about the next one. */
function hasFreshBuild(): boolean {
  const built = path.join(root, 'out/main/conch.js');
  const table = path.join(root, 'src-main/base/worker-entry.ts');
  return existsSync(built) && statSync(built).mtimeMs > statSync(table).mtimeMs;
}

test.skipIf(!hasFreshBuild())('the build has every entry that is started by name', () => {
  const entries = ['conch', 'electron-main', 'electron-engine'];
  for (const entry of [...entries, ...Object.keys(WORKER_ENTRIES).map((name) => `workers/${name}`)]) {
    expect(existsSync(path.join(root, 'out/main', `${entry}.js`)), entry).toBe(true);
  }
  expect(existsSync(path.join(root, 'out/preload'))).toBe(true);
  expect(existsSync(path.join(root, 'out/renderer/index.html'))).toBe(true);
});
