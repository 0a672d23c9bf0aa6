// What all snippets need to know of a request: which tensors are printed in full, and where the others lie in
// `request.bin`, the HTTP body that the window saves beside a snippet. Printed or read, every snippet sends this request.

import { encodeHttpRequest, HEADER_LENGTH } from '../client/http-codec.ts';
import type { ClientRequest, ClientTensor } from '../client/infer-client.ts';

/** Elements printed in full. */
const MAX_PRINTED = 256;

/** An input as the code of a snippet needs it. */
export interface SnippetInput {
  readonly tensor: ClientTensor;
  readonly elementCount: number;
  /** Small enough to be typed out. */
  readonly isPrinted: boolean;
  /** Place of its bytes in `request.bin`. */
  readonly offset: number;
}

/** A request that becomes code in several languages. */
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

/** A request with the places, in bytes, at which its tensors lie in the binary body. */
export function snippetRequest(request: ClientRequest): SnippetRequest {
  const { path, headers } = encodeHttpRequest(request, 'binary');
  const headByteSize = Number(headers[HEADER_LENGTH]);
  let offset = headByteSize;
  const inputs = request.inputs.map((tensor): SnippetInput => {
    const elementCount = tensor.shape.reduce((product, dim) => product * dim, 1);
    const isPrinted = elementCount <= MAX_PRINTED && isPrintable(tensor);
    const input = { tensor, elementCount, isPrinted, offset };
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

/** Bytes of a printed text at most: an encoded image is one element too. */
const MAX_TEXT_BYTES = 8192;
const CONTROLS = /[^\P{Cc}\t\n\r]/u;

/** Numbers can always be typed out, texts only when they are text: the languages disagree about everything else. */
function isPrintable({ datatype, bytes }: ClientTensor): boolean {
  if (datatype !== 'BYTES') return true;
  if (bytes.byteLength > MAX_TEXT_BYTES) return false;
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    return textElements(bytes).every((element) => !CONTROLS.test(decoder.decode(element)));
  } catch {
    return false;
  }
}

/** The elements without their length prefixes. */
function textElements(bytes: Uint8Array): readonly Uint8Array[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const elements: Uint8Array[] = [];
  for (let offset = 0; offset + 4 <= bytes.byteLength;) {
    const end = offset + 4 + view.getUint32(offset, true);
    elements.push(bytes.subarray(offset + 4, end));
    offset = end;
  }
  return elements;
}

/** A JSON string is a string in Python, JavaScript and C++ too. */
export function quoted(text: string): string {
  return JSON.stringify(text);
}
