// Requests over gRPC with two faults each: which of them is told shows the order in which a server looks at things.

import type { PlainMessage } from '../../src-main/grpc-wire/messages.ts';
import { identityModel } from '../../src-main/testing/onnx-test-models.ts';
import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { grpcCall } from './grpc-exchange.ts';
import { executing, pythonFiles } from './python-models.ts';
import type { ReferenceCase } from './reference-case.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';
import { playStream } from './stream-exchange.ts';

const tensors = `input [ { name: "INPUT" data_type: TYPE_FP32 dims: [ -1 ] } ]
output [ { name: "OUTPUT" data_type: TYPE_FP32 dims: [ -1 ] } ]
instance_group [ { kind: KIND_CPU count: 1 } ]\n`;
const onnx = (name: string, more: string): RepositoryFiles => ({
  [`${name}/config.pbtxt`]: `backend: "onnxruntime"\n${tensors}${more}\n`,
  [`${name}/1/model.onnx`]: identityModel('FP32', more.includes('max_batch_size') ? ['n', 'm'] : ['n']),
});
const ECHO = executing(`return [pb_utils.InferenceResponse([
    pb_utils.Tensor("OUTPUT", first(request, "INPUT"))]) for request in requests]`);
const PLAYS = executing(`for request in requests:
    sender = request.get_response_sender()
    sender.send(pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT", first(request, "INPUT"))]), flags=pb_utils.TRITONSERVER_RESPONSE_COMPLETE_FINAL)
return None`);
export const PAIRED_MODELS: RepositoryFiles = {
  ...onnx('copy', ''),
  ...onnx('rows', 'max_batch_size: 4 dynamic_batching { priority_levels: 2 default_priority_level: 2 }'),
  ...pythonFiles(
    'steps',
    ECHO,
    `${tensors}max_batch_size: 4 sequence_batching { max_sequence_idle_microseconds: 60000000 }`,
  ),
  ...pythonFiles('plays', PLAYS, `${tensors}model_transaction_policy { decoupled: true }`),
  'chain/config.pbtxt': `platform: "ensemble"\n${tensors.replace(/instance_group.*\n/, '')}
ensemble_scheduling { step [ { model_name: "copy" model_version: -1
  input_map { key: "INPUT" value: "INPUT" } output_map { key: "OUTPUT" value: "OUTPUT" } } ] }`,
  'chain/1/': '',
};
const ROWS = new Set(['rows', 'steps']);

interface Message {
  readonly model_name: string;
  readonly inputs: readonly PlainMessage[];
  readonly [member: string]: unknown;
}
type Fault = (message: Message) => Message;

const base = (model: string): Message => ({
  model_name: model,
  id: 'p',
  inputs: [{ name: 'INPUT', datatype: 'FP32', shape: ROWS.has(model) ? [1, 2] : [2] }],
  outputs: [{ name: 'OUTPUT' }],
  raw_input_contents: [Buffer.from(Float32Array.of(1, 2).buffer)],
  parameters:
    model === 'steps'
      ? {
          sequence_id: { int64_param: 7 },
          sequence_start: { bool_param: true },
          sequence_end: { bool_param: true },
        }
      : {},
});

const more =
  (members: PlainMessage): Fault =>
  (message) => ({ ...message, ...members });
const input =
  (members: PlainMessage): Fault =>
  (message) => ({ ...message, inputs: message.inputs.map((one) => ({ ...one, ...members })) });
const output =
  (members: PlainMessage): Fault =>
  (message) => ({
    ...message,
    outputs: (message['outputs'] as PlainMessage[]).map((one) => ({ ...one, ...members })),
  });
const parameters =
  (members: PlainMessage): Fault =>
  (message) => ({ ...message, parameters: { ...(message['parameters'] as object), ...members } });

const FAULTS: Readonly<Record<string, Fault>> = {
  'another model': more({ model_name: 'nope' }),
  'a version that is no number': more({ model_version: 'x' }),
  'another version': more({ model_version: '9' }),
  'another input': input({ name: 'X' }),
  'an input without a name': input({ name: '' }),
  'no type': input({ datatype: '' }),
  'an unknown type': input({ datatype: 'XX' }),
  'another type': input({ datatype: 'INT32' }),
  'a wider type': input({ datatype: 'FP64' }),
  texts: input({ datatype: 'BYTES' }),
  'a dimension below zero': input({ shape: [1, -1] }),
  'a dimension too many': input({ shape: [1, 1, 2] }),
  'no dimension': input({ shape: [] }),
  'many rows': input({ shape: [5, 2] }),
  'no bytes': more({ raw_input_contents: [] }),
  'few bytes': more({ raw_input_contents: [Buffer.alloc(7)] }),
  'many bytes': more({ raw_input_contents: [Buffer.alloc(12)] }),
  'bytes of another': more({ raw_input_contents: [Buffer.alloc(8), Buffer.alloc(8)] }),
  'values beside bytes': input({ contents: { fp32_contents: [1, 2] } }),
  'values of another type': (message) => ({
    ...input({ contents: { int_contents: [1, 2] } })(message),
    raw_input_contents: [],
  }),
  'no inputs': more({ inputs: [], raw_input_contents: [] }),
  'no inputs, but bytes': more({ inputs: [] }),
  'an input twice': (message) => ({ ...message, inputs: [...message.inputs, ...message.inputs] }),
  'another output': output({ name: 'X' }),
  'classes of nothing': output({ parameters: { classification: { int64_param: 0 } } }),
  'classes by text': output({ parameters: { classification: { string_param: '1' } } }),
  'one class': output({ parameters: { classification: { int64_param: 1 } } }),
  'a region for the output': output({
    parameters: { shared_memory_region: { string_param: 'r' }, shared_memory_byte_size: { int64_param: 8 } },
  }),
  'a region without a size for the output': output({
    parameters: { shared_memory_region: { string_param: 'r' } },
  }),
  'a region by number for the output': output({ parameters: { shared_memory_region: { int64_param: 1 } } }),
  'a region': input({
    parameters: { shared_memory_region: { string_param: 'r' }, shared_memory_byte_size: { int64_param: 8 } },
  }),
  'a region of a text size': input({
    parameters: {
      shared_memory_region: { string_param: 'r' },
      shared_memory_byte_size: { string_param: '8' },
    },
  }),
  'an offset without a region': input({ parameters: { shared_memory_offset: { int64_param: 8 } } }),
  'a parameter of the input': input({ parameters: { x: { double_param: 8 }, y: {} } }),
  'a reserved parameter': parameters({ triton_x: { bool_param: true } }),
  'a sequence by flag': parameters({ sequence_id: { bool_param: true } }),
  'a sequence by text': parameters({ sequence_id: { string_param: 'x'.repeat(200) } }),
  'a sequence by fraction': parameters({ sequence_id: { double_param: 1.5 } }),
  'a start by number': parameters({ sequence_start: { int64_param: 1 } }),
  'an end by text': parameters({ sequence_end: { string_param: 'true' } }),
  'a priority by text': parameters({ priority: { string_param: '1' } }),
  'a priority below zero': parameters({ priority: { int64_param: -1 } }),
  'a priority that is none': parameters({ priority: { uint64_param: 9 } }),
  'a priority by fraction': parameters({ priority: { double_param: 1 } }),
  'a timeout by text': parameters({ timeout: { string_param: '1' } }),
  'a timeout below zero': parameters({ timeout: { int64_param: -1 } }),
  'a timeout without a sign': parameters({ timeout: { uint64_param: 1 } }),
  'a parameter of nothing': parameters({ x: {} }),
  'headers by number': parameters({ headers: { int64_param: 1 } }),
  'binary outputs': parameters({ binary_data_output: { bool_param: true } }),
  'an end by number': parameters({ triton_enable_empty_final_response: { int64_param: 1 } }),
};

/** Parameters of a message are looked at in the order of a hash table, which is chance. */
const OF_MESSAGE =
  /^(a sequence|a start|an end|a priority|a timeout|a parameter of nothing|headers|binary|a reserved)/;
const NAMES = Object.keys(FAULTS);
const isTold = (first: string, second: string): boolean =>
  NAMES.indexOf(first) <= NAMES.indexOf(second) && !(OF_MESSAGE.test(first) && OF_MESSAGE.test(second));

const paired = (model: string, first: string): ReferenceCase => ({
  name: `paired faults of ${model}: ${first}`,
  run: async ({ grpcPort }) => {
    const answers: unknown[] = [];
    for (const second of NAMES.filter((name) => isTold(first, name))) {
      const message = [first, second].reduce((one, name) => FAULTS[name]?.(one) ?? one, base(model));
      answers.push({ step: second, ...(await grpcCall(grpcPort, 'ModelInfer', { ...message })) });
    }
    return answers;
  },
});

const inStream = (model: string, metadata: Readonly<Record<string, string>>): ReferenceCase => ({
  name: `faults in a stream to ${model}${Object.keys(metadata).length > 0 ? ', with gRPC errors' : ''}`,
  run: async ({ grpcPort }) => {
    const answers: unknown[] = [];
    for (const name of NAMES) {
      const [before, faulty] = [base(model), { ...FAULTS[name]?.(base(model)), id: 'q' }];
      const seen = await playStream(grpcPort, [{ ...before }, 40, faulty, 40, { ...before, id: 'r' }], {
        metadata,
      });
      answers.push({ step: name, seen });
    }
    return answers;
  },
});

const MODELS = ['rows', 'steps', 'plays', 'chain'];
export const PAIRED_FAULT_SCENE: Scene = {
  name: 'paired faults',
  repositories: sameFor(PAIRED_MODELS),
  atOnce: 4,
  cases: [
    ...MODELS.flatMap((model) => NAMES.map((name) => paired(model, name))),
    ...MODELS.flatMap((model) => [inStream(model, {}), inStream(model, { triton_grpc_error: 'true' })]),
  ],
};
