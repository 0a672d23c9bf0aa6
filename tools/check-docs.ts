// Checks that what pages and comments point to is there: links, files named in pages, headings that code cites, and the
// tests that docs/security.md names; that every export, and each of its members that can be called, says what its name
// does not; and that no text is declared to be empty where there is none. Part of `npm run lint`.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { filesOfEmptyTexts, knownEmptyTexts } from './docs/empty-texts-known.ts';
import { emptyForNone, emptyTextFaults } from './docs/empty-texts.ts';
import { stacked, undocumented } from './docs/missing-docstrings.ts';
import { missingTests } from './docs/named-tests.ts';
import type { KnownFiles } from './docs/page-links.ts';
import { anchorsOf, brokenInPage, brokenInSource } from './docs/page-links.ts';
import { addPromisedMembers, silentMembers } from './docs/silent-members.ts';

const root = path.resolve(import.meta.dirname, '..');
const FOLDERS = [
  'src-shared',
  'src-main',
  'src-preload',
  'src-renderer',
  'tools',
  'tests',
  'bench',
  'e2e',
  'docs',
];

const pages = new Map<string, ReadonlySet<string>>();

const known: KnownFiles = {
  exists: (file) => existsSync(path.join(root, file)),
  anchors: (page) => {
    if (!existsSync(path.join(root, page))) return undefined;
    const anchors = pages.get(page) ?? anchorsOf(read(page));
    pages.set(page, anchors);
    return anchors;
  },
};

function read(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}

function filesBelow(folder: string): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
    path.posix.join(folder, name.split(path.sep).join('/')),
  );
}

const files = [...readdirSync(root), ...FOLDERS.flatMap(filesBelow)].sort();
const problems = files.flatMap((file) => {
  if (file.endsWith('.md')) return brokenInPage(file, read(file), known).map((text) => `${file}: ${text}`);
  const isSource = /\.(?:ts|tsx|mjs)$/.test(file) && !file.includes('.generated.');
  return isSource ? brokenInSource(read(file), known).map((text) => `${file}: ${text}`) : [];
});

const SAFETY = 'docs/security.md';
const untested = missingTests(read(SAFETY), (file) => (known.exists(file) ? read(file) : undefined));
problems.push(...untested.map((text) => `${SAFETY}: ${text}`));

const isOwnSource = (file: string): boolean =>
  /^(?:src-\w+|tools|bench|e2e)\/.*\.tsx?$/.test(file) && !/\.(?:test|spec|generated|d)\./.test(file);
const silent = files.filter(isOwnSource).flatMap((file) => {
  const names = undocumented(file, read(file));
  return [
    ...(names.length === 0 ? [] : [`${file}: say what a caller needs to know of ${names.join(', ')}`]),
    ...stacked(read(file)).map((line) => `${file}:${line}: the docstring above belongs to no declaration`),
    ...emptyTextFaults(emptyForNone(file, read(file)), knownEmptyTexts(file)).map(
      (fault) => `${file}: ${fault}`,
    ),
  ];
});

const promised = new Map<string, Set<string>>();
const sources = new Map(files.filter(isOwnSource).map((file) => [file, read(file)]));
for (const [file, text] of sources) addPromisedMembers(file, text, promised);
for (const [file, text] of sources) {
  const names = silentMembers(file, text, promised);
  if (names.length > 0) silent.push(`${file}: say what a caller needs to know of ${names.join(', ')}`);
}

for (const file of filesOfEmptyTexts())
  if (!known.exists(file)) problems.push(`tools/docs/empty-texts-known.ts: there is no ${file}`);

if (problems.length > 0 || silent.length > 0) {
  process.stderr.write([...problems, ...silent, ''].join('\n'));
  if (problems.length > 0) process.stderr.write(`${problems.length} address(es) lead nowhere\n`);
  process.exitCode = 1;
} else {
  process.stdout.write('docs: ok\n');
}
