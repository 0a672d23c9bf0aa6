// Loads a model author's file and finds its functions: named exports, or those of the default export (an object, or a
// class that is constructed once).

import { pathToFileURL } from 'node:url';
import { javascriptErrors } from './javascript-errors.ts';
import type { JavaScriptModel } from './model-api.ts';

type Candidate = Readonly<Record<string, unknown>>;

/** Throws INVALID_ARG when the file cannot be loaded or exports no execute(). */
export async function loadModelModule(file: string): Promise<JavaScriptModel> {
  let exports: Candidate;
  try {
    exports = (await import(pathToFileURL(file).href)) as Candidate;
  } catch (thrown) {
    throw javascriptErrors.notLoaded(
      { file, reason: thrown instanceof Error ? thrown.message : String(thrown) },
      {
        cause: thrown,
      },
    );
  }
  const model = [exports, instantiate(exports['default'])].find(hasExecute);
  if (model === undefined) {
    throw javascriptErrors.withoutExecute({ file, exports: JSON.stringify(Object.keys(exports)) });
  }
  return {
    execute: (requests, context) => model.execute(requests, context),
    initialize: async (context) => {
      await model.initialize?.(context);
    },
    finalize: async () => {
      await model.finalize?.();
    },
  };
}

function instantiate(value: unknown): unknown {
  if (typeof value !== 'function' || !/^class\b/.test(Function.prototype.toString.call(value))) return value;
  return new (value as new () => unknown)();
}

function hasExecute(value: unknown): value is JavaScriptModel {
  return typeof value === 'object' && value !== null && typeof (value as Candidate)['execute'] === 'function';
}
