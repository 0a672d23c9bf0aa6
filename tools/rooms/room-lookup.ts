// Which room a file belongs to. The longest folder of the table that fits decides.

import type { Ladder, Room, RoomTable } from './room-types.ts';

/** A room with its place in the table. */
export interface PlacedRoom {
  /** "src-main/backends/identity": the row's folder, and for a row of `each` the folder below it. */
  readonly name: string;
  readonly room: Room;
  readonly ladder: Ladder;
  /** From 0, within the ladder. */
  readonly level: number;
}

/** Paths are relative to the root of the project, with slashes. */
export class RoomLookup {
  readonly #rows: readonly Omit<PlacedRoom, 'name'>[];
  readonly #testFolders: readonly string[];

  constructor({ ladders, testFolders }: RoomTable) {
    const rows = ladders.flatMap((ladder) =>
      ladder.levels.flatMap((rooms, level) => rooms.map((room) => ({ room, ladder, level }))),
    );
    this.#rows = rows.sort((a, b) => b.room.folder.length - a.room.folder.length);
    this.#testFolders = testFolders;
  }

  /** Undefined for a file that no row takes. */
  of(file: string): PlacedRoom | undefined {
    for (const row of this.#rows) {
      const name = roomName(row.room, file);
      if (name !== undefined) return { name, ...row };
    }
    return undefined;
  }

  /** Tests and what only they use. */
  isTest(file: string): boolean {
    if (/\.test\.[a-z]+$/.test(file)) return true;
    return this.#testFolders.some((folder) => file.startsWith(`${folder}/`));
  }
}

function roomName({ folder, scope = 'tree' }: Room, file: string): string | undefined {
  if (!file.startsWith(`${folder}/`)) return undefined;
  const below = file.slice(folder.length + 1).split('/');
  if (scope === 'tree') return folder;
  const isDirect = below.length === 1;
  if (scope === 'files') return isDirect ? folder : undefined;
  return isDirect ? undefined : `${folder}/${below[0]}`;
}
