// The request as C++ with Triton's client library over HTTP.

import { isDataType } from '../../src-shared/datatypes.ts';
import type { ClientParameterValue } from '../client/infer-client.ts';
import { decodeValues } from '../tensor/value-codec.ts';
import type { SnippetInput, SnippetRequest } from './snippet-request.ts';
import { quoted } from './snippet-request.ts';

/** Types whose elements can be typed out; the others are given as bytes. */
const ELEMENTS: Readonly<Record<string, string>> = {
  BOOL: 'uint8_t',
  UINT8: 'uint8_t',
  UINT16: 'uint16_t',
  UINT32: 'uint32_t',
  UINT64: 'uint64_t',
  INT8: 'int8_t',
  INT16: 'int16_t',
  INT32: 'int32_t',
  INT64: 'int64_t',
  FP32: 'float',
  FP64: 'double',
};

/** Parameters that have a field of InferOptions. */
const FIELDS: Readonly<Record<string, string>> = {
  sequence_start: 'sequence_start_',
  sequence_end: 'sequence_end_',
  priority: 'priority_',
  timeout: 'server_timeout_',
};

/** A whole program, to be linked with Triton's client library. `address`: "host:port", without a scheme. */
export function cppCode({ request, inputs, needsBody }: SnippetRequest, address: string): string {
  const lines = [
    '#include <cmath>',
    ...(needsBody ? ['#include <fstream>'] : []),
    '#include <iostream>',
    ...(needsBody ? ['#include <iterator>'] : []),
    '#include <memory>',
    '#include <vector>',
    '#include "http_client.h"',
    '',
    'namespace tc = triton::client;',
    '',
    'int main() {',
    '  std::unique_ptr<tc::InferenceServerHttpClient> client;',
    `  tc::InferenceServerHttpClient::Create(&client, ${quoted(address)});`,
    ...(needsBody
      ? [
          '  // request.bin is the body of this request: "Save request body" on the Code tab of the Playground writes it.',
          '  std::ifstream file("request.bin", std::ios::binary);',
          '  std::vector<uint8_t> body((std::istreambuf_iterator<char>(file)), {});',
        ]
      : []),
    ...inputs.flatMap(inputLines),
    ...request.outputs.flatMap(({ name, classCount }, index) => [
      `  tc::InferRequestedOutput* output${index};`,
      `  tc::InferRequestedOutput::Create(&output${index}, ${quoted(name)}, ${classCount});`,
    ]),
    `  tc::InferOptions options(${quoted(request.model)});`,
    ...(request.version === '' ? [] : [`  options.model_version_ = ${quoted(request.version)};`]),
    ...(request.id === '' ? [] : [`  options.request_id_ = ${quoted(request.id)};`]),
    ...[...request.parameters].map(optionLine),
    '  tc::InferResult* result;',
    `  tc::Error error = client->Infer(&result, options, {${names('input', inputs.length)}}, {${names('output', request.outputs.length)}});`,
    '  if (!error.IsOk()) {',
    '    std::cerr << error << std::endl;',
    '    return 1;',
    '  }',
    '  std::cout << result->DebugString() << std::endl;',
    '}',
  ];
  return lines.join('\n');
}

function names(prefix: string, count: number): string {
  return Array.from({ length: count }, (_, index) => `${prefix}${index}`).join(', ');
}

function inputLines(input: SnippetInput, index: number): string[] {
  const { name, shape, datatype } = input.tensor;
  return [
    `  tc::InferInput* input${index};`,
    `  tc::InferInput::Create(&input${index}, ${quoted(name)}, {${shape.join(', ')}}, ${quoted(datatype)});`,
    ...dataLines(input, index),
  ];
}

function dataLines({ tensor, isPrinted, offset }: SnippetInput, index: number): string[] {
  const { datatype, bytes } = tensor;
  if (!isPrinted) return [`  input${index}->AppendRaw(body.data() + ${offset}, ${bytes.byteLength});`];
  if (datatype === 'BYTES') {
    const texts = decodeValues(bytes, datatype, Infinity).map(quoted).join(', ');
    return [`  input${index}->AppendFromString({${texts}});`];
  }
  const element = ELEMENTS[datatype] ?? 'uint8_t';
  return [
    `  std::vector<${element}> data${index} = {${elements(input(tensor), element)}};`,
    `  input${index}->AppendRaw(reinterpret_cast<const uint8_t*>(data${index}.data()), ${bytes.byteLength});`,
  ];
}

/** Element texts, or bytes for types that C++ has no name for. */
function input({ datatype, bytes }: SnippetInput['tensor']): readonly string[] {
  if (ELEMENTS[datatype] === undefined || !isDataType(datatype)) return Array.from(bytes, String);
  return decodeValues(bytes, datatype, Infinity);
}

function elements(texts: readonly string[], element: string): string {
  const isFloat = element === 'float' || element === 'double';
  return texts
    .map((text) => {
      if (text === 'true' || text === 'false') return text === 'true' ? '1' : '0';
      if (text === 'NaN') return 'NAN';
      if (text.endsWith('Infinity')) return text.replace('Infinity', 'INFINITY');
      if (element === 'uint64_t') return `${text}ULL`;
      if (element === 'int64_t' && text === '-9223372036854775808') return 'INT64_MIN';
      return isFloat && !/[.e]/.test(text) ? `${text}.0` : text;
    })
    .map((text) => (element === 'float' && /^-?[\d.]+(e[+-]?\d+)?$/.test(text) ? `${text}f` : text))
    .join(', ');
}

function optionLine([key, value]: readonly [string, ClientParameterValue]): string {
  const text = typeof value === 'string' ? quoted(value) : String(value);
  if (key === 'sequence_id')
    return `  options.${typeof value === 'string' ? 'sequence_id_str_' : 'sequence_id_'} = ${text};`;
  const field = FIELDS[key];
  if (field !== undefined) return `  options.${field} = ${text};`;
  const type = typeof value === 'string' ? 'string' : typeof value === 'boolean' ? 'bool' : 'int';
  return `  options.request_parameters[${quoted(key)}] = {${quoted(key)}, ${quoted(String(value))}, ${quoted(type)}};`;
}
