// An inference response as the reply of the infer route: a JSON part (a byte string) and the binary buffers behind
// it, in output order. Formats mix freely per output.

import { elementByteSize } from '../../../src-shared/datatypes.ts';
import type { ServerError } from '../../../src-shared/errors.ts';
import { concreteCount } from '../../../src-shared/tensor/shape.ts';
import type { InferenceResponse, OutputTensor, ParameterValue } from '../../inference/inference-response.ts';
import type { ModelUse } from '../../inference/model-invoker.ts';
import type { InferenceService } from '../../service/inference-service.ts';
import { classify } from '../../tensor/classification.ts';
import { hasJsonForm } from '../../tensor/json-codec.ts';
import { jsonDouble, jsonElements, jsonString } from '../../tensor/json-writer.ts';
import { httpBodyErrors } from './body-errors.ts';
import type { ParsedInfer, ParsedOutput } from './parsed-infer.ts';
import { writeShared } from './shared-tensors.ts';

/** The JSON part is `leading`, then `json`; strings are byte strings (one char per byte). */
export interface InferReply {
  /** Parts with large outputs printed elsewhere; usually empty. */
  readonly leading: readonly (string | Uint8Array)[];
  readonly json: string;
  readonly jsonByteSize: number;
  readonly buffers: readonly Uint8Array[];
  /** Sum of the buffers. */
  readonly binaryByteSize: number;
}

/** Prints the elements of one JSON output; the default prints at once. */
export type ElementPrinter = (output: OutputTensor, elementCount: number) => string | Uint8Array | undefined;

const printElements: ElementPrinter = (output, elementCount) =>
  jsonElements(output.bytes, output.datatype, elementCount);

const quoted = new Map<string, string>();
const MAX_QUOTED = 2048;

/** jsonString with a memory: names of models and tensors repeat. */
function quotedName(name: string): string {
  let text = quoted.get(name);
  if (text === undefined) {
    if (quoted.size >= MAX_QUOTED) quoted.clear();
    text = jsonString(name);
    quoted.set(name, text);
  }
  return text;
}

/** Throws ServerError as the table of response faults says. Writes shared-memory outputs on the way. */
export function buildInferReply(
  response: InferenceResponse,
  parsed: ParsedInfer,
  use: ModelUse,
  service: InferenceService,
  print: ElementPrinter = printElements,
): InferReply {
  let json = response.id === '' ? '{' : `{"id":${jsonString(response.id)},`;
  json += `"model_name":${quotedName(response.modelName)},"model_version":"${response.modelVersion}"`;
  if (response.parameters.size > 0) json += `,"parameters":${printParameters(response.parameters)}`;
  json += ',"outputs":[';
  const leading: (string | Uint8Array)[] = [];
  const buffers: Uint8Array[] = [];
  let leadingByteSize = 0;
  let binaryByteSize = 0;
  let isFirst = true;
  for (const produced of response.outputs) {
    const wanted = findOutput(parsed, produced.name);
    const output = wanted.classCount > 0 ? classified(produced, wanted, use, service) : produced;
    if (!isFirst) json += ',';
    isFirst = false;
    json += `{"name":${quotedName(output.name)},"datatype":"${output.datatype}","shape":[${output.shape.join(',')}]`;
    if (wanted.shared !== undefined) writeShared(service, output, wanted.shared);
    else if (wanted.isBinary) {
      json += `,"parameters":{"binary_data_size":${output.bytes.byteLength}}`;
      if (output.bytes.byteLength > 0) buffers.push(output.bytes);
      binaryByteSize += output.bytes.byteLength;
    } else {
      const text = dataText(output, print);
      json += ',"data":[';
      if (typeof text === 'string') json += text;
      else {
        leading.push(json, text);
        leadingByteSize += json.length + text.byteLength;
        json = '';
      }
      json += ']';
    }
    json += '}';
  }
  json += ']}';
  return { leading, json, jsonByteSize: leadingByteSize + json.length, buffers, binaryByteSize };
}

const BINARY_DEFAULT: ParsedOutput = { name: '', isBinary: true, classCount: 0, shared: undefined };
const JSON_DEFAULT: ParsedOutput = { name: '', isBinary: false, classCount: 0, shared: undefined };

/** How an output is wanted: by its own entry, else by the request's default. */
export function findOutput(parsed: ParsedInfer, name: string): ParsedOutput {
  for (const output of parsed.outputs) {
    if (output.name === name) return output;
  }
  return parsed.isBinaryByDefault ? BINARY_DEFAULT : JSON_DEFAULT;
}

function classified(
  output: OutputTensor,
  wanted: ParsedOutput,
  use: ModelUse,
  service: InferenceService,
): OutputTensor {
  const label = (index: number): string | undefined => service.label(use, output.name, index);
  const result = classify(output, wanted.classCount, use.config.maxBatchSize > 0, label);
  return { name: output.name, datatype: 'BYTES', shape: result.shape, bytes: result.bytes };
}

/** Refuses datatypes without JSON form. */
export function checkJsonForm(output: OutputTensor): void {
  if (hasJsonForm(output.datatype)) return;
  throw httpBodyErrors.outputWithoutJsonForm({ datatype: output.datatype });
}

function dataText(output: OutputTensor, print: ElementPrinter): string | Uint8Array {
  checkJsonForm(output);
  const text = print(output, concreteCount(output.shape));
  if (text === undefined) throw shapeMismatch(output.name);
  return text;
}

/** INTERNAL: the bytes of an output are not what its shape needs. */
export function shapeMismatch(outputName: string): ServerError {
  return httpBodyErrors.outputShape({ output: outputName });
}

/** Bytes of the JSON text this output will roughly take. */
export function estimateJsonBytes(output: OutputTensor): number {
  const size = elementByteSize(output.datatype);
  return size === 0 ? output.bytes.byteLength * 2 : (output.bytes.byteLength / size) * (size > 2 ? 12 : 4);
}

function printParameters(parameters: ReadonlyMap<string, ParameterValue>): string {
  let text = '{';
  for (const [key, value] of parameters) {
    if (text.length > 1) text += ',';
    text += `${jsonString(key)}:${printParameter(value)}`;
  }
  return `${text}}`;
}

/** Throws UNSUPPORTED for a value that JSON cannot hold. */
export function printParameter(value: ParameterValue): string {
  switch (typeof value) {
    case 'string':
      return jsonString(value);
    case 'number':
      return jsonDouble(value);
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      throw httpBodyErrors.parameterWithoutJsonForm();
  }
}
