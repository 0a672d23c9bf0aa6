// Checks that the sources keep to the rooms of tools/rooms/room-table.ts. Part of `npm run lint`.

import path from 'node:path';

import { WORKER_ENTRIES } from '../src-main/base/worker-entry.ts';
import { roomProblems } from './rooms/room-rules.ts';
import { ROOM_TABLE } from './rooms/room-table.ts';
import { readSourceTree } from './rooms/source-tree.ts';

const root = path.resolve(import.meta.dirname, '..');

const tree = readSourceTree({
  root,
  folders: ['src-shared', 'src-main', 'src-preload', 'src-renderer'],
  workers: Object.fromEntries(
    Object.entries(WORKER_ENTRIES).map(([name, file]) => [name, `src-main/${file}`]),
  ),
  cacheFile: path.join(root, '.cache', 'rooms.json'),
});
const problems = roomProblems(tree, ROOM_TABLE);
if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\n${problems.length} room problem(s)\n`);
  process.exitCode = 1;
} else {
  process.stdout.write(`rooms: ${tree.files.length} files, ${tree.edges.length} imports: ok\n`);
}
