// Requests over HTTP with two faults each: which of them is told shows the order in which a server looks at things.

import { post } from './http-calls.ts';
import { ask } from './life-calls.ts';
import { PAIRED_MODELS } from './paired-faults.ts';
import type { ReferenceCase } from './reference-case.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';

type Json = Readonly<Record<string, unknown>>;
interface Message {
  readonly model: string;
  readonly inputs: readonly Json[];
  readonly outputs: readonly Json[];
  readonly parameters: Json;
  readonly [member: string]: unknown;
}
type Fault = (message: Message) => Message;

const base = (model: string): Message => ({
  model,
  id: 'p',
  inputs: [
    {
      name: 'INPUT',
      datatype: 'FP32',
      shape: ['rows', 'steps'].includes(model) ? [1, 2] : [2],
      data: [1, 2],
    },
  ],
  outputs: [{ name: 'OUTPUT' }],
  parameters: model === 'steps' ? { sequence_id: 7, sequence_start: true, sequence_end: true } : {},
});
const more =
  (members: Json): Fault =>
  (message) => ({ ...message, ...members });
const input =
  (members: Json): Fault =>
  (message) => ({ ...message, inputs: message.inputs.map((one) => ({ ...one, ...members })) });
const output =
  (members: Json): Fault =>
  (message) => ({ ...message, outputs: message.outputs.map((one) => ({ ...one, ...members })) });
const parameters =
  (members: Json): Fault =>
  (message) => ({ ...message, parameters: { ...message.parameters, ...members } });
const without =
  (member: string): Fault =>
  (message) => ({ ...message, inputs: message.inputs.map((one) => ({ ...one, [member]: undefined })) });

const FAULTS: Readonly<Record<string, Fault>> = {
  'another model': more({ model: 'nope' }),
  'a version that is no number': more({ model: 'rows/versions/x' }),
  'another version': more({ model: 'rows/versions/9' }),
  'an id by number': more({ id: 5 }),
  'no name': without('name'),
  'a name by number': input({ name: 5 }),
  'another input': input({ name: 'X' }),
  'no type': without('datatype'),
  'an unknown type': input({ datatype: 'XX' }),
  'another type': input({ datatype: 'INT32' }),
  texts: input({ datatype: 'BYTES' }),
  halves: input({ datatype: 'FP16' }),
  'no shape': without('shape'),
  'a shape by text': input({ shape: '2' }),
  'a shape of texts': input({ shape: ['1', 2] }),
  'a dimension below zero': input({ shape: [1, -1] }),
  'a dimension too many': input({ shape: [1, 1, 2] }),
  'many rows': input({ shape: [5, 2] }),
  'no data': without('data'),
  'data of texts': input({ data: ['a', 'b'] }),
  'data by number': input({ data: 5 }),
  'few data': input({ data: [1] }),
  'many data': input({ data: [1, 2, 3] }),
  'nested data': input({ data: [[1], [2]] }),
  'a size of bytes': input({ parameters: { binary_data_size: 8 } }),
  'a size by text': input({ parameters: { binary_data_size: '8' } }),
  'parameters of an input by number': input({ parameters: 5 }),
  'no inputs': more({ inputs: [] }),
  'inputs by number': more({ inputs: 5 }),
  'inputs of numbers': more({ inputs: [5] }),
  'an input twice': (message) => ({ ...message, inputs: [...message.inputs, ...message.inputs] }),
  'another output': output({ name: 'X' }),
  'an output without a name': output({ name: undefined }),
  'outputs by number': more({ outputs: 5 }),
  'classes of nothing': output({ parameters: { classification: 0 } }),
  'classes by text': output({ parameters: { classification: '1' } }),
  'one class': output({ parameters: { classification: 1 } }),
  'binary data by text': output({ parameters: { binary_data: 'x' } }),
  'a region for the output': output({
    parameters: { shared_memory_region: 'r', shared_memory_byte_size: 8 },
  }),
  'a region without a size for the output': output({ parameters: { shared_memory_region: 'r' } }),
  'a region': input({ parameters: { shared_memory_region: 'r', shared_memory_byte_size: 8 } }),
  'a region by number': input({ parameters: { shared_memory_region: 1, shared_memory_byte_size: 8 } }),
  'an offset without a region': input({ parameters: { shared_memory_offset: 8 } }),
  'parameters by number': more({ parameters: 5 }),
  'a reserved parameter': parameters({ triton_x: true }),
  'a sequence by flag': parameters({ sequence_id: true }),
  'a sequence by text': parameters({ sequence_id: 'x'.repeat(200) }),
  'a start by number': parameters({ sequence_start: 1 }),
  'an end by text': parameters({ sequence_end: 'true' }),
  'a priority by flag': parameters({ priority: true }),
  'a priority below zero': parameters({ priority: -1 }),
  'a timeout by text': parameters({ timeout: 'x' }),
  'a parameter of nothing': parameters({ x: null }),
  'a parameter of fractions': parameters({ x: 1.5 }),
  'a parameter of a list': parameters({ x: [1] }),
  'binary outputs by text': parameters({ binary_data_output: 'x' }),
  'an end by number': parameters({ triton_enable_empty_final_response: 1 }),
};

const NAMES = Object.keys(FAULTS);
const paired = (model: string, first: string): ReferenceCase => ({
  name: `paired HTTP faults of ${model}: ${first}`,
  run: async (target) => {
    const answers: unknown[] = [];
    for (const second of NAMES.slice(NAMES.indexOf(first))) {
      const { model: path, ...body } = [first, second].reduce(
        (one, name) => FAULTS[name]?.(one) ?? one,
        base(model),
      );
      answers.push({ step: second, answer: await ask(target, post(`/v2/models/${path}/infer`, body)) });
    }
    return answers;
  },
});

export const PAIRED_HTTP_FAULT_SCENE: Scene = {
  name: 'paired HTTP faults',
  repositories: sameFor(PAIRED_MODELS),
  atOnce: 4,
  cases: ['rows', 'steps', 'plays', 'chain'].flatMap((model) => NAMES.map((name) => paired(model, name))),
};
