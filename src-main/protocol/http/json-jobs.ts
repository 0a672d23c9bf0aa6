// What passes between the loop and a thread that parses or prints JSON.

import type { DataType } from '../../../src-shared/datatypes.ts';
import type { WireError } from '../../../src-shared/errors.ts';
import type { GenerateModel, ParsedGenerate } from './generate-parser.ts';
import type { InferParseOptions } from './infer-parser.ts';
import type { ParsedLoad } from './load-parameters.ts';
import type { ParsedInfer } from './parsed-infer.ts';

/** What a thread is asked to parse or print; it gets a copy of the bytes. */
export type JsonJob =
  | { readonly kind: 'parse'; readonly json: Uint8Array; readonly options: InferParseOptions }
  | {
      readonly kind: 'generate';
      readonly json: Uint8Array;
      readonly model: GenerateModel;
      readonly maxInputByteSize: number;
    }
  | { readonly kind: 'load'; readonly json: Uint8Array }
  | { readonly kind: 'excerpt'; readonly json: Uint8Array; readonly keys: readonly string[] }
  | {
      readonly kind: 'print';
      readonly bytes: Uint8Array;
      readonly datatype: DataType;
      readonly elementCount: number;
    };

/** What came of a job, by its kind. */
export type JsonResult = ParsedInfer | ParsedGenerate | ParsedLoad | Uint8Array | string | undefined;

/** Answer to the one job that runs. */
export interface ResultMessage {
  readonly result?: JsonResult;
  readonly failure?: WireError;
}
