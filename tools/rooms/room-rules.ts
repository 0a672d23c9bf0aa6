// The rules of the rooms: pure, from what was read to a list of sentences, each with the place and what to do.

import { fileCycles } from './file-cycles.ts';
import type { PlacedRoom } from './room-lookup.ts';
import { RoomLookup } from './room-lookup.ts';
import type { RoomTable } from './room-types.ts';
import type { ImportEdge, SourceTree } from './source-tree.ts';

const TABLE = 'tools/rooms/room-table.ts';

/** Empty when everything is as the table says. */
export function roomProblems(tree: SourceTree, table: RoomTable): readonly string[] {
  const rules = new RoomRules(tree, table);
  return [...rules.unknownFolders(), ...rules.wrongImports(), ...rules.cycles()];
}

class RoomRules {
  readonly #tree: SourceTree;
  readonly #table: RoomTable;
  readonly #rooms: RoomLookup;

  constructor(tree: SourceTree, table: RoomTable) {
    this.#tree = tree;
    this.#table = table;
    this.#rooms = new RoomLookup(table);
  }

  unknownFolders(): readonly string[] {
    const homeless = this.#tree.files.filter(
      (file) => !this.#rooms.isTest(file) && this.#rooms.of(file) === undefined,
    );
    const folders = new Set(homeless.map((file) => file.slice(0, file.lastIndexOf('/'))));
    return [...folders].map((folder) => `${folder}: this folder is in no room; give it a row in ${TABLE}`);
  }

  wrongImports(): readonly string[] {
    return this.#tree.edges
      .map((edge) => {
        const from = this.#rooms.of(edge.from);
        if (from === undefined || this.#rooms.isTest(edge.from)) return undefined;
        const problem = this.#wrong(edge, from);
        return problem === undefined ? undefined : `${edge.from}:${edge.line}: ${problem}`;
      })
      .filter((problem) => problem !== undefined);
  }

  cycles(): readonly string[] {
    const imports = new Map<string, Set<string>>(this.#tree.files.map((file) => [file, new Set()]));
    for (const { from, file } of this.#tree.edges) {
      if (file !== undefined && imports.has(file)) imports.get(from)?.add(file);
    }
    return fileCycles(imports).map((round) => {
      const [first = ''] = round;
      return `${first}: imports itself in a circle: ${[...round.slice(1), first].join(' -> ')}`;
    });
  }

  #wrong({ from: file, specifier, library, file: target }: ImportEdge, from: PlacedRoom): string | undefined {
    if (library !== undefined) return wrongLibrary(from, library);
    if (target !== undefined) return this.#wrongTarget(from, target);
    if (specifier !== undefined) return `'${specifier}' leads to no file`;
    if (this.#table.computed[file] !== undefined) return undefined;
    return `this address is computed, so its room cannot be checked; write it out, or list the file in ${TABLE}`;
  }

  #wrongTarget(from: PlacedRoom, target: string): string | undefined {
    if (this.#rooms.isTest(target)) return `only tests may import ${target}`;
    if (this.#table.outside.includes(target)) return undefined;
    const to = this.#rooms.of(target);
    if (to === undefined) return `${target} is in no room`;
    if (to.name === from.name) return undefined;
    if (from.ladder === to.ladder && to.level < from.level) return undefined;
    if (from.ladder.sees.includes(to.ladder.name)) return undefined;
    return `${described(from)} may not import ${described(to)}: ${target}`;
  }
}

function wrongLibrary({ name, room }: PlacedRoom, library: string): string | undefined {
  const { libraries = [] } = room;
  const isAllowed =
    libraries.includes(library) || (library.startsWith('node:') && libraries.includes('node:*'));
  if (isAllowed) return undefined;
  const list = libraries.length === 0 ? 'none' : libraries.join(', ');
  return `${name} may not import the library '${library}' (allowed: ${list})`;
}

function described({ name, ladder, level }: PlacedRoom): string {
  return `${name} (${ladder.name}, level ${level})`;
}
