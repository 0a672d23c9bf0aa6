// The runtime's error texts to codes. The library throws plain errors without a code, so the code is told from the
// text by one table; the numbers are those of the runtime's own status enum.

import { ServerError } from '../../../src-shared/errors.ts';
import { onnxruntimeErrors } from './onnxruntime-errors.ts';

const FAIL = 1;

const INVALID_ARGUMENT = 2;
const RUNTIME_EXCEPTION = 6;
/**
 * What an operator says, behind what the runtime says of it and of each If, Loop and Scan around it: those hand the
 * status of the operator on.
 */
const OPERATOR = /^(?:Non-zero status code returned while running [^\n]*? Status Message: )+(.*)$/s;

/**
 * Operators name the place in the runtime's sources where they FAIL. Without a place they mean the caller's inputs,
 * some of them apart, and the C++ library's exceptions have its words.
 */
const OPERATOR_CODES: readonly (readonly [pattern: RegExp, code: number])[] = [
  [/^(?:[A-Za-z]:\\|\/|[\w.-]+\.(?:h|cc|cpp|cu):\d+ )/, FAIL],
  [
    /^(?:Input channels C is not equal|X num_dims does not match|kernel_shape |Cannot split using values|Input cannot be split evenly|Invalid num_outputs value|Cannot use '\w+' mode to pad|k argument \[)/,
    FAIL,
  ],
  // Of the recurrent operators these two say FAIL, and the others of their inputs INVALID_ARGUMENT.
  [/^Input (?:initial_[hc]|P) must have shape/, FAIL],
  // RotaryEmbedding throws this one.
  [/^Updating cos_cache and sin_cache/, RUNTIME_EXCEPTION],
  // An exception that says nothing.
  [/^(?:\s*$|std::|vector::|basic_string|bad |invalid sto|sto[a-z]+\b)/, RUNTIME_EXCEPTION],
];

/** First match wins; what is in no row is FAIL, as most faults are, exceptions of the runtime's own among them. */
const CODES: readonly (readonly [pattern: RegExp, code: number])[] = [
  [
    /^Got invalid dimensions|^Invalid rank for input|^Unexpected input data type|is missing in 'feeds'/,
    INVALID_ARGUMENT,
  ],
  [/^Invalid Feed Input Name|^Missing Input|^invalid output name|^Invalid Output Name/i, INVALID_ARGUMENT],
  [/failed:Invalid model\. Node input/, INVALID_ARGUMENT],
  [/doesn't exist|No such file/i, 3],
  [/^Engine/, 5],
  [/^Exception during initialization: (?:std::|vector::|basic_string|bad )/, RUNTIME_EXCEPTION],
  [/Protobuf parsing failed|Failed to parse/i, 7],
  [/^(?:Could not find an implementation|Failed to find kernel for )|NOT_IMPLEMENTED/i, 9],
  // Behind other words it is what a graph inside a node said, and the node's own status is FAIL.
  [/(?:^|\bfailed:)This is an invalid model\. (?:In Node|Type Error)/, 10],
  [/ExecutionProvider|Failed to load shared library/, 11],
];

const EMBEDDED_CODE = /^\[ONNXRuntimeError\] : (\d+) : [A-Z_]+ : /;
/** An operator's exception that was made of a status. */
const EXCEPTION_CODE = /\[ONNXRuntimeError\] : (\d+) : [A-Z_]+ : /;

/** INTERNAL `onnx runtime error <code>: <text>`, line ends of the text kept. ServerErrors pass unchanged. */
export function runtimeError(thrown: unknown): ServerError {
  if (thrown instanceof ServerError) return thrown;
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  const embedded = EMBEDDED_CODE.exec(text);
  const code = embedded === null ? codeOf(text) : Number(embedded[1] ?? FAIL);
  const plain = embedded === null ? text : text.replace(EMBEDDED_CODE, '');
  return onnxruntimeErrors.runtime({ code, reason: plain }, { cause: thrown });
}

function codeOf(text: string): number {
  const [, said] = OPERATOR.exec(text) ?? [];
  const [, inner] = EXCEPTION_CODE.exec(said ?? '') ?? [];
  if (inner !== undefined) return Number(inner);
  if (said !== undefined)
    return OPERATOR_CODES.find(([pattern]) => pattern.test(said))?.[1] ?? INVALID_ARGUMENT;
  return CODES.find(([pattern]) => pattern.test(text))?.[1] ?? FAIL;
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
