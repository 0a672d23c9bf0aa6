// What `npm start` and `npm test` share: install when the lock file changed, build when a source changed, and find
// the pinned Node. Built-ins only, and only what Node 20 has: this runs before anything is installed.

import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '..');
const modules = path.join(root, 'node_modules');
const isWindows = process.platform === 'win32';

/** Everything that decides what a build contains. */
const BUILD_INPUTS = [
  'src-main',
  'src-preload',
  'src-renderer',
  'src-shared',
  'resources',
  'tools/page-build',
  'electron.vite.config.ts',
  'package.json',
  'package-lock.json',
];

export function say(text) {
  process.stderr.write(`conch: ${text}\n`);
}

/** The Node that npm installed beside our dependencies; everything but the bootstrap runs on it. */
export function pinnedNode() {
  const file = path.join(modules, 'node', 'bin', isWindows ? 'node.exe' : 'node');
  if (existsSync(file)) return file;
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  throw new Error(`the pinned Node is missing at ${file}; remove node_modules and start again`);
}

/** Environment for our own children: the pinned Node comes first on PATH. */
export function childEnvironment(extra = {}) {
  const first = [path.dirname(pinnedNode()), path.join(modules, '.bin')];
  const key = Object.keys(process.env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
  const rest = process.env[key] ?? '';
  return { ...process.env, [key]: [...first, rest].join(path.delimiter), ...extra };
}

/** Runs a command with our terminal; resolves with its exit code (128 + n for a signal). */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options });
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal === 'SIGKILL' ? 9 : 15)));
  });
}

function sha256(text) {
  return createHash('sha256').update(text).digest('hex');
}

function readIfThere(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** True when npm's own record of what is installed names the versions of the lock file. */
function installMatchesLock(lockText) {
  const recordText = readIfThere(path.join(modules, '.package-lock.json'));
  if (recordText === undefined || !existsSync(path.join(modules, 'node', 'package.json'))) return false;
  const installed = JSON.parse(recordText).packages;
  return Object.entries(JSON.parse(lockText).packages).every(
    ([name, wanted]) =>
      name === '' || wanted.optional === true || installed[name]?.version === wanted.version,
  );
}

/** Installs with `npm ci` when node_modules is missing or belongs to another lock file. */
export async function ensureInstalled() {
  const lockText = readFileSync(path.join(root, 'package-lock.json'), 'utf8');
  const stampFile = path.join(modules, '.conch-install');
  const stamp = sha256(`${lockText}${process.platform}${process.arch}`);
  if (readIfThere(stampFile) === stamp && existsSync(path.join(modules, 'node', 'bin'))) return;
  if (!installMatchesLock(lockText)) await install();
  writeFileSync(stampFile, stamp);
}

async function install() {
  if (existsSync(modules) && lstatSync(modules).isSymbolicLink()) {
    throw new Error(
      'node_modules is a link and does not match package-lock.json; install where it points to',
    );
  }
  say('installing dependencies (npm ci)');
  const npm = process.env.npm_execpath;
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const code =
    npm !== undefined && existsSync(npm)
      ? await run(process.execPath, [npm, ...args])
      : await run('npm', args, { shell: isWindows });
  if (code !== 0) throw new Error(`npm ci failed with exit code ${code}`);
}

function* filesBelow(relative) {
  const full = path.join(root, relative);
  if (!existsSync(full)) return;
  const facts = statSync(full);
  if (!facts.isDirectory()) {
    yield `${relative} ${facts.size} ${facts.mtimeMs}`;
    return;
  }
  for (const name of readdirSync(full).sort()) {
    if (/\.test\.tsx?$/.test(name)) continue;
    yield* filesBelow(path.join(relative, name));
  }
}

/** Builds out/ when a source is newer than the last build. Sizes and times are compared, not contents. */
export async function ensureBuilt() {
  const stampFile = path.join(root, 'out', '.build-stamp');
  const stamp = sha256(BUILD_INPUTS.flatMap((input) => [...filesBelow(input)]).join('\n'));
  if (readIfThere(stampFile) === stamp && existsSync(path.join(root, 'out', 'main', 'conch.js'))) return;
  say('building');
  const result = spawnSync(
    pinnedNode(),
    [path.join(modules, 'electron-vite', 'bin', 'electron-vite.js'), 'build'],
    {
      cwd: root,
      env: childEnvironment(),
      encoding: 'utf8',
    },
  );
  if (result.status !== 0) {
    process.stderr.write(`${result.stdout}${result.stderr}`);
    throw new Error('the build failed');
  }
  mkdirSync(path.dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, stamp);
}
