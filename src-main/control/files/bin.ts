// Moves folders to the system's bin, and back again while this process remembers where they went. Where there is no bin,
// `<user-data>/bin` takes its place. Nothing is ever deleted here.

import { randomUUID } from 'node:crypto';
import { cp, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';

import { makeFolder } from '../../base/make-folder.ts';
import { getLogger } from '../../base/log.ts';
import { filesErrors } from './file-errors.ts';

const log = getLogger('control');
/** All of a large repository may go at once, and come back. */
const MAX_REMEMBERED = 10_000;

/** What became of a folder that was removed. */
export interface Binned {
  /** Where it went, in words. */
  readonly movedTo: string;
  /** Brings it back with `restore`; undefined when the system's bin does not say where it keeps things. */
  readonly undo: string | undefined;
}

interface Place {
  readonly from: string;
  readonly to: string;
  /** File of the bin that speaks of it, undefined = none. */
  readonly info: string | undefined;
}

/**
 * `undo` is what brings a folder back; "" when the system does not tell where it went. It is good until this
 * process ends.
 */
export class Bin {
  readonly #userDataPath: string;
  readonly #places = new Map<string, Place>();

  constructor(userDataPath: string) {
    this.#userDataPath = userDataPath;
  }

  /** Moves the folder whole. Rejects when it can be moved neither to the system's bin nor to ours. */
  async take(location: string): Promise<Binned> {
    try {
      // Loaded when it is needed: it brings much along, and most servers never do.
      const { default: trash } = await import('trash');
      const kept = keptAt(await trash(location, { glob: false }));
      const movedTo = 'the system bin';
      if (kept === undefined) return { movedTo, undo: undefined };
      return { movedTo, undo: this.#remember({ from: location, to: kept.path, info: kept.info }) };
    } catch (thrown) {
      const to = path.join(this.#userDataPath, 'bin', `${Date.now()}-${path.basename(location)}`);
      log.info(`no system bin (${(thrown as Error).message}); moving to ${to}`);
      await makeFolder(path.dirname(to));
      await move(location, to);
      return { movedTo: to, undo: this.#remember({ from: location, to, info: undefined }) };
    }
  }

  /** Puts it back where it was, and says where that is. ALREADY_EXISTS when something else is there now. */
  async restore(undo: string): Promise<string> {
    const place = this.#places.get(undo);
    if (place === undefined) throw filesErrors.binForgotten();
    if (await stat(place.from).catch(() => undefined)) {
      throw filesErrors.binPlaceTaken({ path: place.from });
    }
    await move(place.to, place.from);
    this.#places.delete(undo);
    if (place.info !== undefined) await rm(place.info, { force: true });
    return place.from;
  }

  #remember(place: Place): string {
    const undo = randomUUID();
    this.#places.set(undo, place);
    for (const oldest of this.#places.keys()) {
      if (this.#places.size <= MAX_REMEMBERED) break;
      this.#places.delete(oldest);
    }
    return undo;
  }
}

/** Some systems say where in the bin a thing lies. */
function keptAt(answer: unknown): { readonly path: string; readonly info: string | undefined } | undefined {
  const [first] = Array.isArray(answer) ? (answer as unknown[]) : [];
  if (typeof first !== 'object' || first === null) return undefined;
  const { path: kept, info } = first as { readonly path?: unknown; readonly info?: unknown };
  return typeof kept === 'string'
    ? { path: kept, info: typeof info === 'string' ? info : undefined }
    : undefined;
}

/** A rename, or a copy where both lie on different file systems. */
async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'EXDEV') throw thrown;
    await cp(from, to, { recursive: true, errorOnExist: true, force: false });
    await rm(from, { recursive: true });
  }
}
