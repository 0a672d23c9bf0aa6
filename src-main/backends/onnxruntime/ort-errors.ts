// The runtime's error texts to codes. The library throws plain errors without a code, so the code is told from the
// text by one table; the numbers are those of the runtime's own status enum.

import { ServerError } from '../../../src-shared/errors.ts';
import { onnxruntimeErrors } from './onnxruntime-errors.ts';

const FAIL = 1;

/** First match wins. */
const CODES: readonly (readonly [pattern: RegExp, code: number])[] = [
  [/Got invalid dimensions|Invalid rank for input|Unexpected input data type|is missing in 'feeds'/, 2],
  [/Invalid Feed Input Name|Missing Input|invalid output name|Invalid Output Name/i, 2],
  [/doesn't exist|No such file/i, 3],
  [/Engine/, 5],
  [/Non-zero status code returned while running|Exception during initialization|External data path/i, 6],
  [/Protobuf parsing failed|Failed to parse/i, 7],
  [/Could not find an implementation|NOT_IMPLEMENTED/i, 9],
  [/This is an invalid model|INVALID_GRAPH|Type Error|ShapeInferenceError/, 10],
  [/ExecutionProvider|Failed to load shared library/, 11],
];

const EMBEDDED_CODE = /\[ONNXRuntimeError\] : (\d+) : [A-Z_]+ : /;

/** INTERNAL `onnx runtime error <code>: <text>`. ServerErrors pass unchanged. */
export function runtimeError(thrown: unknown): ServerError {
  if (thrown instanceof ServerError) return thrown;
  const text = (thrown instanceof Error ? thrown.message : String(thrown)).trim();
  const embedded = EMBEDDED_CODE.exec(text);
  const code =
    embedded === null
      ? (CODES.find(([pattern]) => pattern.test(text))?.[1] ?? FAIL)
      : Number(embedded[1] ?? FAIL);
  const plain = embedded === null ? text : text.replace(EMBEDDED_CODE, '');
  return onnxruntimeErrors.runtime({ code, reason: plain }, { cause: thrown });
}

const INVALID_PROTOBUF = 7;
const UNREADABLE = /^'.*' is not a valid ONNX file: /s;

/** What the runtime says of a file that is no model, with the reason that was found while reading it. */
export function fileError(thrown: unknown, file: string): unknown {
  if (!(thrown instanceof ServerError) || !UNREADABLE.test(thrown.message)) return thrown;
  const reason = thrown.message.replace(UNREADABLE, '');
  return onnxruntimeErrors.notOnnx({ code: INVALID_PROTOBUF, file, reason }, { cause: thrown });
}

/** What protobuf, and so the runtime, reads as one file. */
const MAX_FILE_BYTE_SIZE = 2 ** 31 - 1;

/** Throws, in the runtime's words and with the reason that it does not give, for a file that it cannot read for its size. */
export function requireReadableSize(file: string, byteSize: number): void {
  if (byteSize <= MAX_FILE_BYTE_SIZE) return;
  throw onnxruntimeErrors.tooLarge({ code: INVALID_PROTOBUF, file, size: byteSize });
}
