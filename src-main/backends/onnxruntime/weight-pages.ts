// Where the weights of a session lie while it lives. The launcher has glibc take blocks below 32 MiB from its arenas, where
// memory that requests free is used again while it is warm. Weights are taken once and freed together: in an arena they
// leave holes behind which stay with the process. So while sessions open, blocks from 1 MiB on are pages of their own,
// which go back to the system with the session.

import { createRequire } from 'node:module';
import type * as Koffi from 'koffi';

import { getLogger } from '../../base/log.ts';

const log = getLogger('onnxruntime');

/** Of glibc's malloc.h. */
const M_MMAP_THRESHOLD = -3;
const WHILE_OPENING = 1024 * 1024;
const SETTING = 'MALLOC_MMAP_THRESHOLD_';

/** Byte size from which on a block is pages of its own. */
type SetThreshold = (byteSize: number) => void;

/** Counts the sessions that open; other threads' blocks are treated alike meanwhile. */
export class WeightPages {
  readonly #usual: number | undefined;
  readonly #load: () => SetThreshold;
  #set: SetThreshold | undefined;
  #openCount = 0;
  #isOff = false;

  /** Does nothing unless `env` says that the launcher itself has chosen the threshold. */
  constructor(env: NodeJS.ProcessEnv = process.env, load = loadMallopt) {
    const ofLauncher = env['CONCH_MEMORY_SETTINGS']?.split(',').includes(SETTING) === true;
    this.#usual = ofLauncher ? Number(env[SETTING]) : undefined;
    this.#load = load;
  }

  /** Settles like `open`, which may run beside others. */
  async whileOpening<T>(open: () => Promise<T>): Promise<T> {
    if (this.#usual === undefined || this.#isOff) return open();
    this.#openCount += 1;
    if (this.#openCount === 1) this.#apply(WHILE_OPENING);
    try {
      return await open();
    } finally {
      this.#openCount -= 1;
      if (this.#openCount === 0) this.#apply(this.#usual);
    }
  }

  #apply(byteSize: number): void {
    if (this.#isOff) return;
    try {
      this.#set ??= this.#load();
      this.#set(byteSize);
    } catch (thrown) {
      // Another C library: weights lie where they always did.
      this.#isOff = true;
      log.verbose(1, 'weights have no pages of their own', { reason: String(thrown) });
    }
  }
}

function loadMallopt(): SetThreshold {
  const koffi = createRequire(import.meta.url)('koffi') as typeof Koffi;
  const mallopt = koffi.load('libc.so.6').func('mallopt', 'int', ['int', 'int']);
  return (byteSize) => {
    if (mallopt(M_MMAP_THRESHOLD, byteSize) !== 1) throw new Error(`mallopt refused ${byteSize} bytes`);
  };
}
