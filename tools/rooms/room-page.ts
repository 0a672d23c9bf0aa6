// The tables of ARCHITECTURE.md, made of the room table and put between two marks there.

import type { Ladder, Room, RoomTable } from './room-types.ts';

const BEGIN = '<!-- rooms: begin (written by `node tools/check-rooms.ts --write`) -->';
const END = '<!-- rooms: end -->';

const TITLES: Readonly<Record<string, string>> = {
  shared: 'Shared by all, without Node and without a browser: `src-shared`',
  engine: 'The engine and its shells: `src-main`',
  preload: 'Between Electron and the page: `src-preload`',
  page: 'The page: `src-renderer`',
};

/** The page with its tables as they should be. Throws where the marks are missing. */
export function withRoomTables(page: string, table: RoomTable): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`ARCHITECTURE.md lacks the lines "${BEGIN}" and "${END}"`);
  const tables = table.ladders.map((ladder) => `### ${TITLES[ladder.name]}\n\n${ladderTable(ladder)}`);
  return `${page.slice(0, begin)}${BEGIN}\n\n${tables.join('\n\n')}\n\n${page.slice(end)}`;
}

/** Highest level first, as one reads from the window down. */
function ladderTable({ levels }: Ladder): string {
  const rows = levels.flatMap((rooms, level) =>
    rooms.map((room) => [
      String(level),
      `\`${shownFolder(room)}\``,
      room.owns,
      (room.libraries ?? []).map(shownLibrary).join(', '),
    ]),
  );
  return markdownTable(['Level', 'Room', 'What it owns', 'Libraries'], rows.reverse());
}

function shownFolder({ folder, scope = 'tree' }: Room): string {
  if (scope === 'each') return `${folder}/*`;
  return scope === 'files' ? `${folder}/*.ts` : folder;
}

function shownLibrary(library: string): string {
  return library === 'node:*' ? 'Node' : `\`${library}\``;
}

function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}
