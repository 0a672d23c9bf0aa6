// Inference requests as HTTP messages and back, in both encodings. Pure, so that load generators can encode once and
// send many times. JSON texts are byte strings (one char per UTF-8 byte), as the JSON writer makes them.

import { isDataType } from '../../src-shared/datatypes.ts';
import { decodeJsonTensor, hasJsonForm } from '../tensor/json-codec.ts';
import type { JsonValue } from '../tensor/json-document.ts';
import { JsonArray, JsonObject, parseJson } from '../tensor/json-document.ts';
import { JsonDouble } from '../tensor/json-values.ts';
import { jsonElements, jsonString } from '../tensor/json-writer.ts';
import { clientErrors } from './client-errors.ts';
import type {
  ClientParameterValue,
  ClientRegion,
  ClientRequest,
  ClientResponse,
  ClientTensor,
} from './infer-client.ts';

/** json: numbers in the text; binary: Triton's binary tensor data extension. */
export type HttpEncoding = 'json' | 'binary';

/** A request that is ready to be sent, as often as wanted. */
export interface HttpInferMessage {
  /** "/v2/models/<name>[/versions/<v>]/infer" */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Length of the JSON part of a body with binary tensors. */
export const HEADER_LENGTH = 'inference-header-content-length';

/** UNSUPPORTED for tensors that have no JSON form (FP16, BF16) when `encoding` is json. */
export function encodeHttpRequest(
  request: ClientRequest,
  encoding: HttpEncoding,
  outputEncoding: HttpEncoding = encoding,
): HttpInferMessage {
  const isBinary = encoding === 'binary';
  const asksBinary = outputEncoding === 'binary';
  const travelling = request.inputs.filter((input) => input.region === undefined);
  const parts = [
    ...(request.id === '' ? [] : [`"id":${jsonString(request.id)}`]),
    ...parameterPart(request.parameters, asksBinary),
    `"inputs":[${request.inputs.map((input) => inputText(input, input.region, isBinary)).join(',')}]`,
    ...outputPart(request, asksBinary),
  ];
  const head = Buffer.from(`{${parts.join(',')}}`, 'latin1');
  const version = request.version === '' ? '' : `/versions/${encodeURIComponent(request.version)}`;
  const path = `/v2/models/${encodeURIComponent(request.model)}${version}/infer`;
  if (!isBinary) return { path, headers: { 'content-type': 'application/json' }, body: head };
  return {
    path,
    headers: { 'content-type': 'application/octet-stream', [HEADER_LENGTH]: String(head.byteLength) },
    body: Buffer.concat([head, ...travelling.map(({ bytes }) => bytes)]),
  };
}

function parameterPart(parameters: ReadonlyMap<string, ClientParameterValue>, isBinary: boolean): string[] {
  const entries = [...parameters].map(([key, value]) => `${jsonString(key)}:${valueText(value)}`);
  if (isBinary) entries.push('"binary_data_output":true');
  return entries.length === 0 ? [] : [`"parameters":{${entries.join(',')}}`];
}

function valueText(value: ClientParameterValue): string {
  return typeof value === 'string' ? jsonString(value) : String(value);
}

function inputText(input: ClientTensor, region: ClientRegion | undefined, isBinary: boolean): string {
  const head = `"name":${jsonString(input.name)},"shape":[${input.shape.join(',')}],"datatype":${jsonString(input.datatype)}`;
  if (region !== undefined) return `{${head},"parameters":{${regionText(region)}}}`;
  if (isBinary) return `{${head},"parameters":{"binary_data_size":${input.bytes.byteLength}}}`;
  return `{${head},"data":[${elementsText(input)}]}`;
}

function elementsText(input: ClientTensor): string {
  if (!isDataType(input.datatype))
    throw clientErrors.datatype({ name: input.name, datatype: input.datatype });
  if (!hasJsonForm(input.datatype)) {
    throw clientErrors.noJsonForm({ name: input.name, datatype: input.datatype });
  }
  const count = input.shape.reduce((product, dim) => product * dim, 1);
  const text = jsonElements(input.bytes, input.datatype, count);
  if (text === undefined) {
    throw clientErrors.byteSize({
      name: input.name,
      bytes: input.bytes.byteLength,
      count,
      datatype: input.datatype,
    });
  }
  return text;
}

function outputPart(request: ClientRequest, isBinary: boolean): string[] {
  if (request.outputs.length === 0) return [];
  const outputs = request.outputs.map(({ name, classCount, region }) => {
    const parameters = [
      ...(region === undefined ? [`"binary_data":${isBinary}`] : [regionText(region)]),
      ...(classCount > 0 ? [`"classification":${classCount}`] : []),
    ];
    return `{"name":${jsonString(name)},"parameters":{${parameters.join(',')}}}`;
  });
  return [`"outputs":[${outputs.join(',')}]`];
}

function regionText({ region, offset, byteSize }: ClientRegion): string {
  return `"shared_memory_region":${jsonString(region)},"shared_memory_offset":${offset},"shared_memory_byte_size":${byteSize}`;
}

/** An answer with its tensors as views of the body. */
export interface DecodedAnswer {
  readonly response: ClientResponse;
  /** Bytes of the JSON part. */
  readonly headByteSize: number;
}

/** A 200 answer of an infer call. INTERNAL when it is not one. */
export function decodeHttpResponse(headers: Readonly<Record<string, unknown>>, body: Buffer): DecodedAnswer {
  const declared = headers[HEADER_LENGTH];
  const headByteSize = declared === undefined ? body.byteLength : Number(declared);
  const document = parseJson(body, 0, headByteSize);
  if (!(document instanceof JsonObject)) throw clientErrors.noObject();
  let at = headByteSize;
  const outputs = listOf(document.get('outputs')).map((output): ClientTensor => {
    const size = numberOf(objectOf(output.get('parameters')).get('binary_data_size'));
    const tensor = decodeOutput(output, size === undefined ? undefined : body.subarray(at, at + size));
    at += size ?? 0;
    return tensor;
  });
  return {
    headByteSize,
    response: {
      modelName: textOf(document.get('model_name')),
      modelVersion: textOf(document.get('model_version')),
      id: textOf(document.get('id')),
      parameters: parametersOf(document.get('parameters')),
      outputs,
    },
  };
}

function decodeOutput(output: JsonObject, binary: Uint8Array | undefined): ClientTensor {
  const datatype = textOf(output.get('datatype'));
  const shape = numbersOf(output.get('shape'));
  const data = output.get('data');
  let bytes = binary ?? new Uint8Array();
  if (binary === undefined && data instanceof JsonArray && isDataType(datatype)) {
    bytes = decodeJsonTensor(
      data,
      datatype,
      shape.reduce((product, dim) => product * dim, 1),
    );
  }
  return { name: textOf(output.get('name')), datatype, shape, bytes };
}

function listOf(value: JsonValue | undefined): readonly JsonObject[] {
  return value instanceof JsonArray ? (value.objects ?? []) : [];
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return value instanceof JsonObject ? value : new JsonObject();
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function numberOf(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined;
}

function numbersOf(value: JsonValue | undefined): readonly number[] {
  if (!(value instanceof JsonArray)) return [];
  const bytes = decodeJsonTensor(value, 'INT64', value.count);
  return Array.from(new BigInt64Array(bytes.buffer, 0, value.count), Number);
}

function parametersOf(value: JsonValue | undefined): ReadonlyMap<string, ClientParameterValue> {
  const parameters = new Map<string, ClientParameterValue>();
  if (!(value instanceof JsonObject)) return parameters;
  value.keys.forEach((key, index) => {
    const entry = value.values[index];
    if (typeof entry === 'string' || typeof entry === 'boolean' || typeof entry === 'bigint')
      parameters.set(key, entry);
    else if (typeof entry === 'number') parameters.set(key, Number.isInteger(entry) ? BigInt(entry) : entry);
    else if (entry instanceof JsonDouble) parameters.set(key, Number(entry.value));
  });
  return parameters;
}
