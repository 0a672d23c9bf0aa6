// Checks the room ladder of ARCHITECTURE.md: a room imports rooms on lower levels only, and the libraries that are
// confined to one room stay there. Exceptions are listed here, each with a reason.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');

/** Longest matching prefix decides a file's room. Test files and testing/ may import anything. */
const LEVELS: Readonly<Record<string, number>> = {
  'src-shared': 0,
  'src-main/base': 1,
  'src-main/tensor': 1,
  'src-main/onnx': 2,
  'src-main/grpc-wire': 2,
  'src-main/metrics': 2,
  'src-main/logging': 2,
  'src-main/inference': 3,
  'src-main/scheduling': 4,
  'src-main/tracing': 4,
  'src-main/backends': 4,
  'src-main/repository': 5,
  'src-main/client': 5,
  'src-main/service': 6,
  'src-main/protocol/http': 7,
  'src-main/protocol/grpc': 7,
  'src-main/control': 7,
  'src-main/perf': 6,
  'src-main/playground': 6,
  'src-main/samples': 7,
  'src-main': 8,
  'src-main/cli': 9,
  'src-main/shell/supervision': 9,
  'src-main/shell/hosting': 10,
  'src-main/shell/electron': 11,
  'src-main/shell/headless': 11,
  'src-preload': 7,
  'src-renderer': 7,
};

/** Rooms of equal level that may nevertheless import each other, importer -> imported, with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {};

/** Library -> rooms that may import it. */
const CONFINED: Readonly<Record<string, readonly string[]>> = {
  electron: ['src-main/shell/electron', 'src-preload'],
  'onnxruntime-node': ['src-main/backends', 'bench'],
  '@grpc/grpc-js': ['src-main/protocol/grpc', 'src-main/client'],
  ws: ['src-main/shell/headless'],
  react: ['src-renderer'],
  'prom-client': ['src-main/metrics'],
};

const rooms = Object.keys(LEVELS).sort((a, b) => b.length - a.length);

function roomOf(file: string): string | undefined {
  return rooms.find((room) => file.startsWith(`${room}/`));
}

function sources(folder: string): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.(test|generated)\.tsx?$/.test(name))
    .map((name) => path.posix.join(folder, name.split(path.sep).join('/')))
    .filter((name) => !name.startsWith('src-main/testing/') && !name.includes('/node_modules/'));
}

const problems: string[] = [];
for (const file of ['src-shared', 'src-main', 'src-preload', 'src-renderer'].flatMap(sources)) {
  const room = roomOf(file);
  if (room === undefined) continue;
  const text = readFileSync(path.join(root, file), 'utf8');
  for (const match of text.matchAll(/(?:from|import|require)\s*\(?\s*['"]([^'"]+)['"]/g)) {
    const target = match[1] ?? '';
    if (target.startsWith('.')) checkRoom(file, room, path.posix.join(path.posix.dirname(file), target));
    else checkLibrary(file, target);
  }
}

function checkRoom(file: string, room: string, imported: string): void {
  const other = roomOf(imported);
  if (imported.startsWith('src-main/testing/')) problems.push(`${file}: only tests may import ${imported}`);
  if (other === undefined || other === room) return;
  const isRenderer = room === 'src-renderer' || room === 'src-preload';
  const allowed = isRenderer ? other === 'src-shared' : (LEVELS[other] ?? 0) < (LEVELS[room] ?? 0);
  if (!allowed && EXCEPTIONS[`${room} -> ${other}`] === undefined) {
    problems.push(
      `${file}: ${room} (level ${LEVELS[room]}) may not import ${other} (level ${LEVELS[other]}): ${imported}`,
    );
  }
}

function checkLibrary(file: string, target: string): void {
  for (const [library, owners] of Object.entries(CONFINED)) {
    if (target !== library && !target.startsWith(`${library}/`)) continue;
    if (!owners.some((owner) => file.startsWith(`${owner}/`))) {
      problems.push(`${file}: '${library}' may be imported in ${owners.join(', ')} only`);
    }
  }
}

if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\n${problems.length} room violation(s)\n`);
  process.exitCode = 1;
} else {
  process.stdout.write('rooms: ok\n');
}
