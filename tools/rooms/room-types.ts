// What a table of rooms is made of.

/** What belongs to a room: its whole folder, only the files directly in it, or each of its folders as a room of its own. */
export type RoomScope = 'tree' | 'files' | 'each';

/** One row of the table. */
export interface Room {
  /** Relative to the repository, with `/`. */
  readonly folder: string;
  /** Default `tree`. */
  readonly scope?: RoomScope;
  /** One clause for ARCHITECTURE.md. */
  readonly owns: string;
  /** Package names it may import; `node:*` stands for all of Node. Default none. */
  readonly libraries?: readonly string[];
}

/** Rooms by level. */
export interface Ladder {
  readonly name: string;
  /** Ladders it may use as a whole. */
  readonly sees: readonly string[];
  /** Lowest level first. A room sees the rooms of lower levels, none beside or above it. */
  readonly levels: readonly (readonly Room[])[];
}

/** All that the check knows of rooms. */
export interface RoomTable {
  readonly ladders: readonly Ladder[];
  /** Folders that only tests may import, and that may import anything. */
  readonly testFolders: readonly string[];
  /** Outside all rooms, and may be read. */
  readonly outside: readonly string[];
  /** Files whose import of a computed address is meant, with the reason. */
  readonly computed: Readonly<Record<string, string>>;
}
