// Checks that the sources keep to the rooms of tools/rooms/room-table.ts, and that ARCHITECTURE.md says the same. Part
// of `npm run lint`. `--write` writes the tables of ARCHITECTURE.md.

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { WORKER_ENTRIES } from '../src-main/base/worker-entry.ts';
import { withRoomTables } from './rooms/room-page.ts';
import { roomProblems } from './rooms/room-rules.ts';
import { ROOM_TABLE } from './rooms/room-table.ts';
import { readSourceTree } from './rooms/source-tree.ts';

const root = path.resolve(import.meta.dirname, '..');
const pageFile = path.join(root, 'ARCHITECTURE.md');

const page = readFileSync(pageFile, 'utf8');
const rightPage = withRoomTables(page, ROOM_TABLE);
if (process.argv.includes('--write')) writeFileSync(pageFile, rightPage);

const tree = readSourceTree({
  root,
  folders: ['src-shared', 'src-main', 'src-preload', 'src-renderer'],
  workers: Object.fromEntries(
    Object.entries(WORKER_ENTRIES).map(([name, file]) => [name, `src-main/${file}`]),
  ),
  cacheFile: path.join(root, '.cache', 'rooms.json'),
});
const problems = [...roomProblems(tree, ROOM_TABLE)];
if (readFileSync(pageFile, 'utf8') !== rightPage) {
  problems.push('ARCHITECTURE.md: its room tables are old; run `node tools/check-rooms.ts --write`');
}

if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\n${problems.length} room problem(s)\n`);
  process.exitCode = 1;
} else {
  process.stdout.write(`rooms: ${tree.files.length} files, ${tree.edges.length} imports: ok\n`);
}
