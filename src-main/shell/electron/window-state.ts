// Size and place of the window between two starts, in the user-data folder. A damaged file means the default size.

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

import { getLogger } from '../../base/log.ts';

const log = getLogger('shell');

const schema = z.object({
  x: z.number().int(),
  y: z.number().int(),
  width: z.number().int().min(1),
  height: z.number().int().min(1),
});

export type WindowBounds = z.infer<typeof schema>;

export class WindowState {
  readonly #file: string;
  #bounds: WindowBounds | undefined;

  constructor(userDataPath: string) {
    this.#file = path.join(userDataPath, 'window.json');
    try {
      this.#bounds = schema.parse(JSON.parse(readFileSync(this.#file, 'utf8')));
    } catch {
      this.#bounds = undefined;
    }
  }

  get bounds(): WindowBounds | undefined {
    return this.#bounds;
  }

  /** Written at once and in place: the window is closing, and a lost write costs a size. */
  remember(bounds: WindowBounds): void {
    this.#bounds = bounds;
    try {
      writeFileSync(this.#file, JSON.stringify(bounds));
    } catch (thrown) {
      log.warn(`window size not stored: ${String(thrown)}`);
    }
  }
}
