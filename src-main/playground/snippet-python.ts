// The request as Python with tritonclient, over HTTP or gRPC.

import { isDataType } from '../../src-shared/datatypes.ts';
import { numpyName } from '../../src-shared/tensor/numpy-types.ts';
import type { ClientParameterValue, ClientRequest, ClientTensor } from '../client/infer-client.ts';
import { decodeValues } from '../tensor/value-codec.ts';
import type { SnippetInput, SnippetRequest } from './snippet-request.ts';
import { quoted } from './snippet-request.ts';

/** Arguments of infer() of their own; all other parameters go into one dictionary. */
const OWN_ARGUMENTS: ReadonlySet<string> = new Set([
  'sequence_id',
  'sequence_start',
  'sequence_end',
  'priority',
  'timeout',
]);

/** How the script sends its request; both of the latter over gRPC. */
type PythonWay = 'http' | 'grpc' | 'stream';

/** A script of its own. `address`: "host:port" of the HTTP or the gRPC port, as `way` says. */
export function pythonCode(
  { request, inputs, needsBody }: SnippetRequest,
  address: string,
  way: PythonWay,
): string {
  const kind = way === 'http' ? 'http' : 'grpc';
  const readsTexts = inputs.some(({ tensor, isPrinted }) => !isPrinted && tensor.datatype === 'BYTES');
  const hasBf16 = inputs.some(({ tensor }) => tensor.datatype === 'BF16');
  const lines = [
    `# pip install tritonclient[${kind}]`,
    'import numpy as np',
    `import tritonclient.${kind} as triton`,
    ...(readsTexts ? ['from tritonclient.utils import deserialize_bytes_tensor'] : []),
    ...(hasBf16 ? ['from tritonclient.utils import triton_to_np_dtype'] : []),
    ...(way === 'stream' ? ['import queue'] : []),
    '',
    ...(needsBody
      ? [
          '# request.bin is the body of this request: "Save request body" on the Code tab of the Playground writes it.',
          'body = open("request.bin", "rb").read()',
        ]
      : []),
    `client = triton.InferenceServerClient(${quoted(address)})`,
    'inputs = []',
    ...inputs.flatMap(inputLines),
    ...(request.outputs.length === 0
      ? []
      : [`outputs = [${request.outputs.map((output) => outputText(output, kind)).join(', ')}]`]),
    ...sendLines(inferArguments(request).join(', '), way),
  ];
  return lines.join('\n');
}

function sendLines(given: string, way: PythonWay): readonly string[] {
  switch (way) {
    case 'http':
      return [
        `result = client.infer(${given})`,
        'for output in result.get_response()["outputs"]:',
        '    print(output["name"], result.as_numpy(output["name"]))',
      ];
    case 'grpc':
      return [
        `result = client.infer(${given})`,
        'for output in result.get_response().outputs:',
        '    print(output.name, result.as_numpy(output.name))',
      ];
    case 'stream':
      return [
        'answers = queue.Queue()',
        'client.start_stream(callback=lambda result, error: answers.put((result, error)))',
        `client.async_stream_infer(${given})`,
        'result, error = answers.get()',
        'print(error if error is not None else result.get_response())',
        'client.stop_stream()',
      ];
  }
}

function inputLines(input: SnippetInput, index: number): string[] {
  const { name, shape, datatype } = input.tensor;
  const dims = `[${shape.join(', ')}]`;
  return [
    `x${index} = triton.InferInput(${quoted(name)}, ${dims}, ${quoted(datatype)})`,
    `x${index}.set_data_from_numpy(${arrayText(input)}.reshape(${dims}))`,
    `inputs.append(x${index})`,
  ];
}

/** As an attribute of the module: `bool` and `object` of it are no types in every release. */
function scalarName(datatype: string): string {
  const known = isDataType(datatype) ? numpyName(datatype) : undefined;
  const name = datatype === 'BYTES' ? 'object' : (known ?? 'float32');
  return name === 'bool' || name === 'object' ? `${name}_` : name;
}

function arrayText({ tensor, isPrinted, offset }: SnippetInput): string {
  // Newer clients take bfloat16 itself, older ones float32: the client says which.
  const type =
    tensor.datatype === 'BF16' ? 'triton_to_np_dtype("BF16")' : `np.${scalarName(tensor.datatype)}`;
  if (isPrinted) return `np.array([${values(tensor)}], dtype=${type})`;
  const part = `body[${offset}:${offset + tensor.bytes.byteLength}]`;
  if (tensor.datatype === 'BYTES') return `deserialize_bytes_tensor(${part})`;
  if (tensor.datatype === 'BF16') {
    return `(np.frombuffer(${part}, dtype=np.uint16).astype(np.uint32) << 16).view(np.float32).astype(${type})`;
  }
  return `np.frombuffer(${part}, dtype=${type})`;
}

function values({ bytes, datatype }: ClientTensor): string {
  if (!isDataType(datatype)) return '';
  const texts = decodeValues(bytes, datatype, Infinity);
  if (datatype === 'BYTES') return texts.map((text) => `${quoted(text)}.encode()`).join(', ');
  if (datatype === 'BOOL') return texts.map((text) => (text === 'true' ? 'True' : 'False')).join(', ');
  return texts.map((text) => text.replace('NaN', 'np.nan').replace('Infinity', 'np.inf')).join(', ');
}

function outputText({ name, classCount }: ClientRequest['outputs'][number], kind: 'http' | 'grpc'): string {
  const count = classCount > 0 ? `, class_count=${classCount}` : '';
  const encoding = kind === 'http' ? ', binary_data=True' : '';
  return `triton.InferRequestedOutput(${quoted(name)}${encoding}${count})`;
}

function inferArguments(request: ClientRequest): string[] {
  const own = [...request.parameters].filter(([key]) => OWN_ARGUMENTS.has(key));
  const custom = [...request.parameters].filter(([key]) => !OWN_ARGUMENTS.has(key));
  return [
    quoted(request.model),
    'inputs',
    ...(request.outputs.length === 0 ? [] : ['outputs=outputs']),
    ...(request.version === '' ? [] : [`model_version=${quoted(request.version)}`]),
    ...(request.id === '' ? [] : [`request_id=${quoted(request.id)}`]),
    ...own.map(([key, value]) => `${key}=${valueText(value)}`),
    ...(custom.length === 0
      ? []
      : [`parameters={${custom.map(([key, value]) => `${quoted(key)}: ${valueText(value)}`).join(', ')}}`]),
  ];
}

function valueText(value: ClientParameterValue): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return String(value);
}
