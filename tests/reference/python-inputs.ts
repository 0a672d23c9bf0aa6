// What a Python model sees of its inputs, of every type: bits that are no clean values, tensors without elements, and the
// parameters of its configuration.

import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { grpcCall } from './grpc-exchange.ts';
import { post, reply, within } from './http-calls.ts';
import { answering, pythonFiles } from './python-models.ts';
import type { ReferenceCase } from './reference-case.ts';

const TYPES = ['BOOL', 'UINT8', 'UINT16', 'UINT32', 'UINT64', 'INT8', 'INT16', 'INT32', 'INT64'];
const MORE_TYPES = ['FP16', 'BF16', 'FP32', 'FP64', 'BYTES'];
const configType = (type: string): string => `TYPE_${type === 'BYTES' ? 'STRING' : type}`;

const SEES = answering(`seen = []
for one in sorted(request.inputs(), key=lambda each: each.name()):
    try:
        array = one.as_numpy()
        bits = array.tolist() if array.dtype == object else array.tobytes().hex()
        seen.append(f"{one.name()} {one.shape()} {one.is_cpu()} {array.dtype} {array.shape} {array.flags.c_contiguous} {array.flags.writeable} {bits}")
    except Exception as error:
        seen.append(f"{one.name()} {one.shape()} {type(error).__name__}: {error}")
    try:
        seen.append(f"{type(one.to_dlpack()).__name__} {pb_utils.Tensor.from_dlpack('X', one.to_dlpack()).shape()}")
    except Exception as error:
        seen.append(f"{type(error).__name__}: {error}")
response = pb_utils.InferenceResponse([pb_utils.Tensor("SEEN", np.array(seen, dtype=object))])`);

const SEEN = 'output { name: "SEEN" data_type: TYPE_STRING dims: [ -1 ] }';
const KEEPS = `class TritonPythonModel:
    def initialize(self, args):
        config = json.loads(args["model_config"])
        self.seen = [json.dumps(config["parameters"], sort_keys=True), json.dumps(config["instance_group"]), json.dumps(config["input"])]

    def execute(self, requests):
        return [pb_utils.InferenceResponse([pb_utils.Tensor("SEEN", np.array(self.seen, dtype=object))]) for _ in requests]
`;

export const INPUT_FILES: RepositoryFiles = {
  ...pythonFiles(
    'i_every',
    SEES,
    [...TYPES, ...MORE_TYPES]
      .map(
        (type) => `input { name: "${type}" data_type: ${configType(type)} dims: [ -1, -1 ] optional: true }`,
      )
      .concat(SEEN)
      .join('\n'),
  ),
  ...pythonFiles(
    'i_rows',
    SEES,
    `max_batch_size: 4\ninput { name: "FP32" data_type: TYPE_FP32 dims: [ -1 ] }\ninput { name: "BYTES" data_type: TYPE_STRING dims: [ -1 ] optional: true }\n${SEEN}`,
  ),
  ...pythonFiles(
    'i_parameters',
    KEEPS,
    `input { name: "FP32" data_type: TYPE_FP32 dims: [ -1 ] }\n${SEEN}
parameters { key: "text" value { string_value: "a \\"quoted\\" \\\\ text" } }
parameters { key: "none" value { } }
parameters { key: "empty" value { string_value: "" } }
parameters { key: "two words" value { string_value: "1.5" } }
parameters { key: "lines" value { string_value: "a\\nb\\tc" } }
parameters { key: "wide" value { string_value: "sch\\303\\266n" } }`,
  ),
};
export const INPUT_MODELS: readonly string[] = ['i_every', 'i_rows', 'i_parameters'];

const bytes = (...values: number[]): Buffer => Buffer.from(values);
const text = (...values: number[]): Buffer =>
  Buffer.concat([bytes(values.length, 0, 0, 0), bytes(...values)]);

// Rows of nothing that have no elements hang the reference: not asked.
/** Model, type, shape, bits as they travel. */
const RAW: readonly (readonly [string, string, readonly number[], Buffer])[] = [
  ['i_every', 'BOOL', [1, 4], bytes(0, 1, 2, 255)],
  ['i_every', 'FP16', [1, 4], bytes(0, 0x3c, 0, 0x7c, 1, 0x7e, 1, 0)],
  ['i_every', 'BF16', [1, 2], bytes(0x80, 0x3f, 0xc0, 0x7f)],
  ['i_every', 'FP32', [1, 2], bytes(1, 0, 0xa0, 0x7f, 0, 0, 0, 0x80)],
  ['i_every', 'FP64', [1, 1], bytes(1, 0, 0, 0, 0, 0, 0xf0, 0x7f)],
  ['i_every', 'INT8', [2, 2], bytes(128, 255, 0, 127)],
  ['i_every', 'UINT64', [1, 1], bytes(255, 255, 255, 255, 255, 255, 255, 255)],
  ['i_every', 'BYTES', [1, 3], Buffer.concat([text(255, 254), text(), text(0, 195)])],
  ['i_every', 'BYTES', [2, 1], Buffer.concat([text(237, 160, 128), text(240, 159)])],
  ...[...TYPES, ...MORE_TYPES].flatMap((type): (readonly [string, string, readonly number[], Buffer])[] => [
    ['i_every', type, [0, 3], bytes()],
    ['i_every', type, [2, 0], bytes()],
  ]),
  ['i_rows', 'FP32', [2, 0], bytes()],
  ['i_rows', 'FP32', [0, 2], bytes()],
  ['i_rows', 'BYTES', [1, 1], text(255)],
  ['i_parameters', 'FP32', [0], bytes()],
];

/** As JSON holds them. */
const JSON_INPUTS: readonly (readonly [string, string, readonly number[], readonly unknown[]])[] = [
  ['i_every', 'BOOL', [1, 3], [true, false, 1]],
  ['i_every', 'FP16', [1, 2], [1, 2]],
  ['i_every', 'BF16', [1, 2], [1, 2]],
  ['i_every', 'BYTES', [1, 3], ['', 'a\0b', 'sch\u00f6n \ud83d\ude00']],
  ['i_every', 'BYTES', [1, 1], ['\ud83d']],
  ['i_every', 'FP32', [0, 3], []],
  ['i_every', 'BYTES', [2, 0], []],
  ['i_every', 'INT8', [1, 2], [-128, 127]],
  ['i_every', 'UINT8', [1, 1], [256]],
  ['i_rows', 'FP32', [0, 2], []],
  ['i_rows', 'FP32', [2, 0], []],
];

const withoutPlace = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer).replace(/(\\n)+At:.*?(?=")/gs, ''));

export const INPUT_ANSWERS: ReferenceCase = {
  name: 'python inputs',
  run: async ({ httpPort, grpcPort }) => {
    const answers: unknown[] = [];
    for (const [model, datatype, shape, contents] of RAW) {
      const message = {
        model_name: model,
        inputs: [{ name: datatype, datatype, shape: shape.map(BigInt) }],
        raw_input_contents: [contents],
      };
      const answer = await within<unknown>(grpcCall(grpcPort, 'ModelInfer', message), 10_000).catch(String);
      answers.push({
        step: `${model} ${datatype} [${shape.join(',')}] ${contents.toString('hex')}, gRPC`,
        answer: withoutPlace(answer),
      });
    }
    for (const [model, datatype, shape, data] of JSON_INPUTS) {
      const body = { inputs: [{ name: datatype, datatype, shape, data }] };
      const answer = await reply(httpPort, post(`/v2/models/${model}/infer`, body));
      answers.push({
        step: `${model} ${datatype} [${shape.join(',')}] ${JSON.stringify(data)}, HTTP`,
        answer: withoutPlace(answer),
      });
    }
    return answers;
  },
};
