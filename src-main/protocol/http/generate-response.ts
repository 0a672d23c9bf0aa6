// One model response as the flat JSON object of the generate extension: members sorted by code unit, single elements
// as bare scalars. The text is a byte string (one char per byte).

import { concreteCount } from '../../../src-shared/tensor/shape.ts';
import type { InferenceResponse, OutputTensor } from '../../inference/inference-response.ts';
import { jsonElements, jsonString } from '../../tensor/json-writer.ts';
import { checkJsonForm, printParameter, shapeMismatch } from './infer-response.ts';

/** Throws ServerError when an output has no JSON form or its bytes do not fit its shape. */
export function printGenerateResponse(response: InferenceResponse): string {
  const members = new Map<string, string>();
  if (response.id !== '') members.set('id', jsonString(response.id));
  members.set('model_name', jsonString(response.modelName));
  members.set('model_version', jsonString(response.modelVersion));
  for (const [key, value] of response.parameters) {
    if (!members.has(key)) members.set(key, printParameter(value));
  }
  for (const output of response.outputs) {
    if (!members.has(output.name)) members.set(output.name, printOutput(output));
  }
  const keys = [...members.keys()].sort((a, b) => (a < b ? -1 : 1));
  return `{${keys.map((key) => `${jsonString(key)}:${members.get(key) ?? ''}`).join(',')}}`;
}

function printOutput(output: OutputTensor): string {
  checkJsonForm(output);
  const count = concreteCount(output.shape);
  const text = jsonElements(output.bytes, output.datatype, count);
  if (text === undefined) throw shapeMismatch(output.name);
  return count === 1 ? text : `[${text}]`;
}

/** `{"error":...}` as a byte string. */
export function printError(message: string): string {
  return `{"error":${jsonString(message)}}`;
}
