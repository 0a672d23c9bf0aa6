// Random sequence models with implicit states: every type, fixed and growing shapes, first values of zeros or out of a file,
// right and wrong declarations; ONNX models that keep what they were sent, and models in Python that tell what they see.
// The same seed gives the same ones.

import { graphModel, value } from '../../src-main/testing/onnx-test-models.ts';
import type { DataType } from '../../src-shared/datatypes.ts';
import { RandomChoice } from './random-choice.ts';
import type { Files, ModelRequest, RandomModel } from './random-models.ts';
import { jsonRequest } from './random-models.ts';

const TYPES: readonly DataType[] = [
  ...(['FP32', 'INT32', 'BYTES', 'FP32', 'INT64', 'BYTES'] as const),
  ...(['FP64', 'UINT8', 'INT8', 'INT16', 'UINT16', 'UINT32', 'UINT64', 'BOOL', 'FP16'] as const),
];
const STRATEGIES = ['', 'direct {}', 'oldest { max_candidate_sequences: 4 }', 'oldest {}'];
// Names that the file does not have are told at the load here, and at each request there.
const FAULTS = [
  (text: string) => text.replace(/name: "first"/, ''),
  (text: string) => text.replace(/(initial_state \{[^}]*\})/, '$1 $1'),
  (text: string) => text.replace(/(initial_state \{ .*?data_type: TYPE_)\w+/, '$1UINT8'),
  (text: string) => text.replace(/(initial_state \{ .*?dims: )\[.*?\]/, '$1[ 3 ]'),
  (text: string) => text.replace(/(initial_state \{ .*?dims: )\[.*?\]/, '$1[ -1 ]'),
  (text: string) => text.replace(/(initial_state \{ .*?dims: )\[.*?\]/, '$1[ ]'),
  (text: string) => text.replace(/zero_data: \w+|data_file: "\w+"/, ''),
  (text: string) => text.replace(/(state \{ .*?data_type: TYPE_)\w+/, '$1UINT8'),
  (text: string) => text.replace(/(state \{ .*?dims: )\[.*?\]/, '$1[ 5 ]'),
  (text: string) => text.replace(/(state \{ .*?dims: )\[.*?\]/, '$1[ -1, 2 ]'),
  (text: string) => text.replace(/output_name: "\w+"/, 'output_name: "OUTPUT"'),
  (text: string) => text.replace(/(state \{.*\} *\})/, '$1 $1'),
];
/** Tells every input of every request of a batch. */
const SHOWS = `import json
import numpy as np
import triton_python_backend_utils as pb_utils


class TritonPythonModel:
    def execute(self, requests):
        responses = []
        for request in requests:
            told = [[one.name(), str(one.as_numpy().dtype), list(one.as_numpy().shape), str(one.as_numpy().tolist())] for one in request.inputs()]
            told = [json.dumps(sorted(told)), str(len(requests))]
            shape = [1, 2] if len(request.inputs()[0].shape()) > RANK else [2]
            answer = [pb_utils.Tensor("OUTPUT", np.array(told, np.object_).reshape(shape)), pb_utils.Tensor("STATE_OUT", pb_utils.get_input_tensor_by_name(request, "INPUT").as_numpy())]
            responses.append(pb_utils.InferenceResponse(answer))
        return responses
`;
const REQUESTS = 12;

interface Shape {
  readonly dims: readonly number[];
  readonly first: readonly number[];
}
const SHAPES: readonly Shape[] = [
  { dims: [1], first: [1] },
  { dims: [2], first: [2] },
  { dims: [2, 2], first: [2, 2] },
  { dims: [-1], first: [1] },
  { dims: [-1], first: [2] },
  { dims: [-1, 2], first: [1, 2] },
];

/** Models with their requests, one after the other; a seed always gives the same ones. */
export class RandomStates {
  readonly #choice: RandomChoice;

  constructor(seed: number) {
    this.#choice = new RandomChoice(seed);
  }

  /** The next one; its requests are to be sent in their order. */
  model(): RandomModel {
    const choice = this.#choice;
    const type = choice.one(TYPES);
    const isBatching = choice.chance(0.65);
    const shape = choice.one(SHAPES);
    const isPython = choice.chance(0.25);
    const grows = shape.dims[0] === -1 && choice.chance(0.6);
    const text = this.#config(type, isBatching, shape, isPython);
    const code: Files = isPython
      ? { '1/model.py': SHOWS.replace('RANK', String(shape.dims.length)), '1/__pycache__': '' }
      : { '1/model.onnx': this.#graph(type, isBatching, shape, grows) };
    return {
      text,
      files: {
        'config.pbtxt': text,
        ...code,
        'initial_state/sevens': sevens(type, 40),
        'initial_state/exact': sevens(
          type,
          40,
          shape.first.reduce((product, dim) => product * dim, 1),
        ),
        'initial_state/short': new Uint8Array(3),
        'initial_state/none': new Uint8Array(0),
      },
      requests: this.#requests(type, isBatching, shape),
    };
  }

  #graph(type: DataType, isBatching: boolean, { dims }: Shape, grows: boolean): Uint8Array {
    const leading = isBatching ? ['batch'] : [];
    const named = (name: string) =>
      value(name, type, [...leading, ...dims.map((dim, at) => (dim === -1 ? `${name}${at}` : dim))]);
    const axis = BigInt(leading.length);
    const nodes = grows
      ? [
          { opType: 'Concat', inputs: ['STATE', 'INPUT'], outputs: ['OUTPUT'], attributes: { axis } },
          { opType: 'Identity', inputs: ['OUTPUT'], outputs: ['STATE_OUT'] },
        ]
      : [
          { opType: 'Identity', inputs: ['STATE'], outputs: ['OUTPUT'] },
          { opType: 'Identity', inputs: ['INPUT'], outputs: ['STATE_OUT'] },
        ];
    return graphModel(nodes, ['INPUT', 'STATE'].map(named), ['OUTPUT', 'STATE_OUT'].map(named));
  }

  #config(type: DataType, isBatching: boolean, { dims, first }: Shape, isPython: boolean): string {
    const choice = this.#choice;
    const told = `TYPE_${type === 'BYTES' ? 'STRING' : type}`;
    const list = `dims: [ ${dims.join(', ')} ]`;
    // Of texts, the reference takes more of them than the shape it gives them.
    const begins = type === 'BYTES' ? dims.map((dim) => Math.max(1, dim)) : first;
    // Without a first value the reference begins with whatever its memory holds, but for strings, which are empty.
    const isNamed = type !== 'BYTES' || choice.chance(0.7);
    const zeros = ['zero_data: true', 'zero_data: true', 'zero_data: false', 'data_file: "absent"'];
    // What a file says of texts, the reference replaces by zeros.
    const filed = ['sevens', 'sevens', 'short', 'exact', 'none'].map((file) => `data_file: "${file}"`);
    const where = choice.one([...zeros, ...(type === 'BYTES' ? [] : filed)]);
    const begin = isNamed
      ? `initial_state { name: "first" data_type: ${told} dims: [ ${begins.join(', ')} ] ${where} }`
      : '';
    const same = choice.chance(0.15) ? 'use_same_buffer_for_input_output: true' : '';
    const state = `state { input_name: "STATE" output_name: "STATE_OUT" data_type: ${told} ${list} ${begin} ${same} }`;
    const strategy = choice.one(STRATEGIES);
    const wrong = choice.chance(0.25) ? choice.one(FAULTS)(state) : state;
    const outputs = isPython
      ? ['{ name: "OUTPUT" data_type: TYPE_STRING dims: [ 2 ] }']
      : [`{ name: "OUTPUT" data_type: ${told} ${list} }`];
    // In a direct batch with empty places the reference fails to cut a state that is an output too.
    if (!isPython && (strategy.startsWith('oldest') || !isBatching) && choice.chance(0.3))
      outputs.push(`{ name: "STATE_OUT" data_type: ${told} ${list} }`);
    const inputs = [`{ name: "INPUT" data_type: ${told} ${list} }`];
    if (choice.chance(0.05)) inputs.push(`{ name: "STATE" data_type: ${told} ${list} }`);
    return [
      `backend: "${isPython ? 'python' : 'onnxruntime'}"`,
      `max_batch_size: ${isBatching ? choice.one([1, 4]) : 0}`,
      `input [ ${inputs.join(', ')} ]`,
      `output [ ${outputs.join(', ')} ]`,
      'instance_group [ { kind: KIND_CPU } ]',
      `sequence_batching { max_sequence_idle_microseconds: 60000000 ${wrong} ${strategy} }`,
    ].join('\n');
  }

  /** Without batches there is one place for a sequence: with two of them one would wait for ever. */
  #requests(type: DataType, isBatching: boolean, { dims }: Shape): ModelRequest[] {
    const choice = this.#choice;
    const ids = isBatching && choice.chance(0.5) ? [1] : [3];
    return Array.from({ length: REQUESTS }, (_, at) => {
      const parameters = {
        sequence_id: choice.one(ids),
        ...(at === 0 || choice.chance(0.15) ? { sequence_start: true } : {}),
        ...(choice.chance(0.12) ? { sequence_end: true } : {}),
      };
      const wild = 1 + choice.below(3);
      const shape = [...(isBatching ? [1] : []), ...dims.map((dim) => (dim === -1 ? wild : dim))];
      const count = shape.reduce((product, dim) => product * dim, 1);
      const data = Array.from({ length: count }, () => valueOf(type, choice.below(9)));
      const inputs = [{ name: 'INPUT', datatype: type, shape, data }];
      const more = choice.chance(0.03) ? [{ name: 'STATE', datatype: type, shape, data }] : [];
      const outputs = choice.chance(0.06) ? { outputs: [{ name: 'STATE_OUT' }] } : {};
      return jsonRequest({ parameters, inputs: [...inputs, ...more], ...outputs });
    });
  }
}

function valueOf(type: DataType, number: number): number | boolean | string {
  if (type === 'BOOL') return number % 2 === 1;
  return type === 'BYTES' ? 'x'.repeat(number % 4) + number : number;
}

/** More than any of the shapes needs; texts as their lengths and bytes. */
function sevens(type: DataType, count: number, texts = 5): Uint8Array {
  if (type === 'BYTES') return Buffer.from('\u0002\u0000\u0000\u000077'.repeat(texts));
  return new Uint8Array(count).fill(1);
}
