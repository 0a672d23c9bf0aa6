// Code that sends exactly the request shown, for people to take away. Tensors too large to print become generated ones
// with a comment that says so.

import type { PlaygroundRequest } from '../../src-shared/contract/inference-calls.ts';
import { isDataType } from '../../src-shared/datatypes.ts';
import { encodeHttpRequest } from '../client/http-codec.ts';
import type { ClientRequest, ClientTensor } from '../client/infer-client.ts';
import { decodeValues } from '../tensor/value-codec.ts';

export interface Snippet {
  readonly language: string;
  readonly title: string;
  readonly code: string;
}

export interface SnippetTarget {
  readonly httpAddress: string;
  readonly grpcAddress: string;
}

/** Elements printed in full; larger tensors are generated in the snippet. */
const MAX_PRINTED = 256;

const NUMPY: Readonly<Record<string, string>> = {
  BOOL: 'bool_',
  UINT8: 'uint8',
  UINT16: 'uint16',
  UINT32: 'uint32',
  UINT64: 'uint64',
  INT8: 'int8',
  INT16: 'int16',
  INT32: 'int32',
  INT64: 'int64',
  FP16: 'float16',
  FP32: 'float32',
  FP64: 'float64',
  BYTES: 'object_',
  BF16: 'float32',
};

export function requestSnippets(
  request: ClientRequest,
  protocol: PlaygroundRequest['protocol'],
  target: SnippetTarget,
): readonly Snippet[] {
  const http = [
    { language: 'bash', title: 'curl', code: curl(request, target) },
    { language: 'python', title: 'Python (HTTP)', code: python(request, target.httpAddress, 'http') },
    { language: 'javascript', title: 'JavaScript (fetch)', code: fetchCode(request, target) },
  ];
  const grpc = [
    { language: 'python', title: 'Python (gRPC)', code: python(request, target.grpcAddress, 'grpc') },
  ];
  return protocol === 'grpc' ? [...grpc, ...http] : [...http, ...grpc];
}

function elementCount({ shape }: ClientTensor): number {
  return shape.reduce((product, dim) => product * dim, 1);
}

function isPrintable(input: ClientTensor): boolean {
  return elementCount(input) <= MAX_PRINTED && input.datatype !== 'FP16' && input.datatype !== 'BF16';
}

/** Path and JSON text of the request; undefined when a tensor is too large to print or has no JSON form. */
function jsonBody(request: ClientRequest): { readonly path: string; readonly text: string } | undefined {
  if (!request.inputs.every(isPrintable)) return undefined;
  const { path, body } = encodeHttpRequest(request, 'json');
  return { path, text: body.toString('utf8') };
}

function curl(request: ClientRequest, { httpAddress }: SnippetTarget): string {
  const json = jsonBody(request);
  if (json === undefined) {
    return [
      '# The inputs are too large, or have no JSON form, to be typed here.',
      '# Put the request body into request.bin (JSON head, then the raw tensors) and its head length below.',
      `curl -s -X POST http://${httpAddress}${encodeHttpRequest({ ...request, inputs: [] }, 'json').path} \\`,
      "  -H 'Content-Type: application/octet-stream' -H 'Inference-Header-Content-Length: <bytes of the JSON head>' \\",
      '  --data-binary @request.bin',
    ].join('\n');
  }
  const quoted = json.text.replaceAll("'", "'\\''");
  return `curl -s -X POST http://${httpAddress}${json.path} \\\n  -H 'Content-Type: application/json' \\\n  -d '${quoted}'`;
}

function fetchCode(request: ClientRequest, { httpAddress }: SnippetTarget): string {
  const json = jsonBody(request);
  if (json === undefined)
    return '// The inputs are too large, or have no JSON form, to be typed here. Use the Python client.';
  return [
    `const response = await fetch('http://${httpAddress}${json.path}', {`,
    "  method: 'POST',",
    "  headers: { 'content-type': 'application/json' },",
    `  body: ${JSON.stringify(json.text)},`,
    '});',
    'console.log(response.status, await response.json());',
  ].join('\n');
}

function python(request: ClientRequest, address: string, kind: 'http' | 'grpc'): string {
  const lines = [
    'import numpy as np',
    `import tritonclient.${kind} as triton`,
    '',
    `client = triton.InferenceServerClient("${address}")`,
    'inputs = []',
    ...request.inputs.flatMap(pythonInput),
    `outputs = [${request.outputs.map(pythonOutput).join(', ')}]`,
    `result = client.infer(${[
      pythonText(request.model),
      'inputs',
      `outputs=${request.outputs.length === 0 ? 'None' : 'outputs'}`,
      ...(request.version === '' ? [] : [`model_version=${pythonText(request.version)}`]),
      ...(request.id === '' ? [] : [`request_id=${pythonText(request.id)}`]),
      ...[...request.parameters].flatMap(([key, value]) => pythonParameter(key, value)),
    ].join(', ')})`,
    kind === 'http'
      ? 'for output in result.get_response()["outputs"]:'
      : 'for output in result.get_response().outputs:',
    kind === 'http'
      ? '    print(output["name"], result.as_numpy(output["name"]))'
      : '    print(output.name, result.as_numpy(output.name))',
  ];
  return lines.filter((line) => line !== 'outputs = []').join('\n');
}

function pythonInput(input: ClientTensor, index: number): string[] {
  const type = NUMPY[input.datatype] ?? 'float32';
  const shape = `[${input.shape.join(', ')}]`;
  const name = `x${index}`;
  const isPrinted = isPrintable(input);
  const values = isPrinted
    ? `np.array([${pythonValues(input)}], dtype=np.${type}).reshape(${shape})`
    : `np.zeros(${shape}, dtype=np.${type})`;
  return [
    `${name} = triton.InferInput(${pythonText(input.name)}, ${shape}, ${pythonText(input.datatype)})`,
    `${name}.set_data_from_numpy(${values})${isPrinted ? '' : '  # too large to print: put your data here'}`,
    `inputs.append(${name})`,
  ];
}

function pythonValues({ bytes, datatype }: ClientTensor): string {
  if (!isDataType(datatype)) return '';
  const values = decodeValues(bytes, datatype, MAX_PRINTED);
  if (datatype === 'BYTES') return values.map((value) => `${pythonText(value)}.encode()`).join(', ');
  if (datatype === 'BOOL') return values.map((value) => (value === 'true' ? 'True' : 'False')).join(', ');
  return values.map((value) => value.replace('NaN', 'np.nan').replace('Infinity', 'np.inf')).join(', ');
}

function pythonOutput({ name, classCount }: ClientRequest['outputs'][number]): string {
  const count = classCount > 0 ? `, class_count=${classCount}` : '';
  return `triton.InferRequestedOutput(${pythonText(name)}${count})`;
}

function pythonParameter(key: string, value: string | bigint | number | boolean): string[] {
  const known = ['sequence_id', 'sequence_start', 'sequence_end', 'priority', 'timeout'];
  if (!known.includes(key)) return [];
  const text =
    typeof value === 'string'
      ? pythonText(value)
      : value === true
        ? 'True'
        : value === false
          ? 'False'
          : String(value);
  return [`${key}=${text}`];
}

/** JSON strings are Python strings too. */
function pythonText(text: string): string {
  return JSON.stringify(text);
}
