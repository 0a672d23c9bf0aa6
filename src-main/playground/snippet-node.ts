// The request as Node code over gRPC, with the public packages and Triton's own proto file.

import type { ClientParameterValue } from '../client/infer-client.ts';
import type { SnippetInput, SnippetRequest } from './snippet-request.ts';
import { quoted } from './snippet-request.ts';

/** An ES module. `address`: "host:port" of the gRPC port. */
export function nodeGrpcCode({ request, inputs, needsBody }: SnippetRequest, address: string): string {
  const lines = [
    importLine('grpc', '@grpc/grpc-js'),
    importLine('loader', '@grpc/proto-loader'),
    ...(needsBody ? [importLine('{ readFileSync }', 'node:fs')] : []),
    '',
    '// npm install @grpc/grpc-js @grpc/proto-loader',
    '// grpc_service.proto and model_config.proto: "Save proto files" of the Server screen writes them.',
    "const { inference } = grpc.loadPackageDefinition(loader.loadSync('grpc_service.proto', { keepCase: true }));",
    `const client = new inference.GRPCInferenceService(${quoted(address)}, grpc.credentials.createInsecure());`,
    ...(needsBody
      ? [
          '// request.bin is the body of this request over HTTP: "Save request body" on the Code tab of the Playground writes it.',
          "const body = readFileSync('request.bin');",
        ]
      : []),
    'const request = {',
    `  model_name: ${quoted(request.model)},`,
    ...(request.version === '' ? [] : [`  model_version: ${quoted(request.version)},`]),
    ...(request.id === '' ? [] : [`  id: ${quoted(request.id)},`]),
    ...(request.parameters.size === 0
      ? []
      : [`  parameters: { ${[...request.parameters].map(parameterText).join(', ')} },`]),
    '  inputs: [',
    ...inputs.map(
      ({ tensor }) =>
        `    { name: ${quoted(tensor.name)}, datatype: ${quoted(tensor.datatype)}, shape: [${tensor.shape.join(', ')}] },`,
    ),
    '  ],',
    ...(request.outputs.length === 0 ? [] : [`  outputs: [${request.outputs.map(outputText).join(', ')}],`]),
    '  raw_input_contents: [',
    ...inputs.map((input) => `    ${bytesText(input)},`),
    '  ],',
    '};',
    'client.ModelInfer(request, (error, response) => {',
    '  if (error) throw error;',
    '  response.outputs.forEach(({ name, datatype, shape }, index) => {',
    '    console.log(name, datatype, shape, response.raw_output_contents[index]);',
    '  });',
    '});',
  ];
  return lines.join('\n');
}

function importLine(what: string, from: string): string {
  return `import ${what} from '${from}';`;
}

function bytesText({ tensor, isPrinted, offset }: SnippetInput): string {
  const { bytes } = tensor;
  if (!isPrinted) return `body.subarray(${offset}, ${offset + bytes.byteLength})`;
  return `Buffer.from('${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')}', 'base64')`;
}

function outputText({ name, classCount }: SnippetRequest['request']['outputs'][number]): string {
  const parameters = classCount > 0 ? `, parameters: { classification: { int64_param: ${classCount} } }` : '';
  return `{ name: ${quoted(name)}${parameters} }`;
}

function parameterText([key, value]: readonly [string, ClientParameterValue]): string {
  const field =
    typeof value === 'string'
      ? `string_param: ${quoted(value)}`
      : typeof value === 'boolean'
        ? `bool_param: ${value}`
        : typeof value === 'bigint'
          ? `int64_param: '${value}'`
          : `double_param: ${value}`;
  return `${quoted(key)}: { ${field} }`;
}
