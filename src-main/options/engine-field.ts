// One place in the engine's options: reading it, and options with another value there. Options never change in place.

import type { EngineOptions } from './engine-options.ts';

/** `set` returns new options and shares every group that it does not touch. */
export interface EngineField<T> {
  /** The value now, defaults included. */
  readonly get: (engine: EngineOptions) => T;
  /** New options; `engine` is left as it is. */
  readonly set: (engine: EngineOptions, value: T) => EngineOptions;
}

/** Reads the value out of the options, and makes options with another one. */
export function field<Part extends keyof EngineOptions, Key extends keyof EngineOptions[Part]>(
  part: Part,
  key: Key,
): EngineField<EngineOptions[Part][Key]> {
  return {
    get: (engine) => engine[part][key],
    set: (engine, value) => ({ ...engine, [part]: { ...engine[part], [key]: value } }),
  };
}

/** Options with some values of one part exchanged. */
export function changed<Part extends keyof EngineOptions>(
  engine: EngineOptions,
  part: Part,
  changes: Partial<EngineOptions[Part]>,
): EngineOptions {
  return { ...engine, [part]: { ...engine[part], ...changes } };
}

/** Options with one more item at the end of a list. */
export function appended<T>(engine: EngineOptions, list: EngineField<readonly T[]>, item: T): EngineOptions {
  return list.set(engine, [...list.get(engine), item]);
}
