// What all snippets need to know of a request: which tensors are printed in full, and where the others lie in
// `request.bin`, the HTTP body that the window saves beside a snippet. Printed or read, every snippet sends this request.

import { encodeHttpRequest, HEADER_LENGTH } from '../client/http-codec.ts';
import type { ClientRequest, ClientTensor } from '../client/infer-client.ts';

/** Elements printed in full. */
const MAX_PRINTED = 256;

export interface SnippetInput {
  readonly tensor: ClientTensor;
  readonly elementCount: number;
  /** Small enough to be typed out. */
  readonly isPrinted: boolean;
  /** Place of its bytes in `request.bin`. */
  readonly offset: number;
}

export interface SnippetRequest {
  readonly request: ClientRequest;
  readonly inputs: readonly SnippetInput[];
  /** True when the code reads `request.bin`. */
  readonly needsBody: boolean;
  readonly headByteSize: number;
  /** "/v2/models/<name>/infer" */
  readonly path: string;
  /** The request as JSON text; undefined when a tensor is too large to print or has no JSON form. */
  readonly json: string | undefined;
}

export function snippetRequest(request: ClientRequest): SnippetRequest {
  const { path, headers } = encodeHttpRequest(request, 'binary');
  const headByteSize = Number(headers[HEADER_LENGTH]);
  let offset = headByteSize;
  const inputs = request.inputs.map((tensor): SnippetInput => {
    const elementCount = tensor.shape.reduce((product, dim) => product * dim, 1);
    const input = { tensor, elementCount, isPrinted: elementCount <= MAX_PRINTED, offset };
    offset += tensor.bytes.byteLength;
    return input;
  });
  const hasJson = inputs.every(
    ({ tensor, isPrinted }) => isPrinted && tensor.datatype !== 'FP16' && tensor.datatype !== 'BF16',
  );
  return {
    request,
    inputs,
    needsBody: inputs.some(({ isPrinted }) => !isPrinted),
    headByteSize,
    path,
    json: hasJson ? encodeHttpRequest(request, 'json').body.toString('utf8') : undefined,
  };
}

/** A JSON string is a string in Python, JavaScript and C++ too. */
export function quoted(text: string): string {
  return JSON.stringify(text);
}
