// Sequences that the model itself goes on with: requests that are released to be scheduled again, with and without streams,
// several at once, with ids of clients, with failures and cancellations in between. Answers tell what each round saw.

import { exchange } from './exchange.ts';
import { get, post } from './http-calls.ts';
import { ask, wait } from './life-calls.ts';
import { pythonFiles } from './python-models.ts';
import type { ReferenceCase, Target } from './reference-case.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';
import type { Move, StreamOptions } from './stream-exchange.ts';
import { playStream } from './stream-exchange.ts';

/** Counts the value of each correlation id down to zero, one round at a time; of a value below zero the last round fails. */
const COUNTER = `RESCHEDULE = pb_utils.TRITONSERVER_REQUEST_RELEASE_RESCHEDULE
FINAL = pb_utils.TRITONSERVER_RESPONSE_COMPLETE_FINAL


class TritonPythonModel:
    def initialize(self, args):
        self.left = {}
        self.told = {}
        self.decoupled = "decoupled" in args["model_config"] and pb_utils.using_decoupled_model_transaction_policy(
            json.loads(args["model_config"])
        )

    def round(self, request):
        key = request.correlation_id()
        start = int(first(request, "START").reshape(-1)[0])
        value = int(first(request).reshape(-1)[0])
        if start:
            self.left[key] = abs(value)
            self.told[key] = []
        self.told.setdefault(key, []).append(str(start) + str(request.flags()))
        self.left[key] = self.left.get(key, 0) - 1
        time.sleep(0.03)
        return key, value

    def answer(self, request, key):
        shape = first(request).shape
        told = np.full(shape, " ".join(self.told[key]), dtype=object)
        return pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", told)])

    def execute(self, requests):
        responses = []
        for request in requests:
            key, value = self.round(request)
            failed = pb_utils.InferenceResponse(error=pb_utils.TritonError("counted down"))
            goes_on = self.left[key] > 0
            if self.decoupled:
                sender = request.get_response_sender()
                if goes_on:
                    request.set_release_flags(RESCHEDULE)
                    if value % 2 == 0:
                        sender.send(self.answer(request, key))
                else:
                    sender.send(failed if value < 0 else self.answer(request, key), flags=FINAL)
            elif goes_on:
                request.set_release_flags(RESCHEDULE)
                responses.append(None)
            else:
                responses.append(failed if value < 0 else self.answer(request, key))
        return None if self.decoupled else responses
`;

const config = (size: number, strategy: string, more = ''): string =>
  `max_batch_size: ${size}
input [ { name: "INPUT0" data_type: TYPE_INT32 dims: [ 1 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_STRING dims: [ 1 ] } ]
instance_group [ { kind: KIND_CPU } ]
sequence_batching { iterative_sequence: true ${strategy} max_sequence_idle_microseconds: 20000000
  control_input [ { name: "START" control [ { kind: CONTROL_SEQUENCE_START int32_false_true: [ 0, 1 ] } ] } ] }
${more}`;
const DECOUPLED = 'model_transaction_policy { decoupled: true }';
const MODELS: Readonly<Record<string, string>> = {
  direct: config(4, 'direct {}'),
  oldest: config(4, 'oldest { max_candidate_sequences: 4 }'),
  single: config(0, 'direct {}'),
  streaming: config(4, 'direct {}', DECOUPLED),
  streaming_oldest: config(4, 'oldest { max_candidate_sequences: 4 }', DECOUPLED),
};

interface Flags {
  readonly [name: string]: unknown;
}
const shapeOf = (model: string): readonly number[] => (model === 'single' ? [1] : [1, 1]);
const body = (model: string, value: number, parameters: Flags = {}): object => ({
  parameters,
  inputs: [{ name: 'INPUT0', datatype: 'INT32', shape: shapeOf(model), data: [value] }],
});
const infer = (target: Target, model: string, value: number, parameters: Flags = {}): Promise<unknown> =>
  ask(target, post(`/v2/models/${model}/infer`, body(model, value, parameters)));

const START = { sequence_start: true };
const SENDS: readonly (readonly [number, Flags])[] = [
  [1, {}],
  [3, {}],
  [0, {}],
  [-1, {}],
  [-3, {}],
  [2, { sequence_id: 5 }],
  [3, { sequence_id: 5, ...START }],
  [2, { sequence_id: 5 }],
  [2, { sequence_id: 5, sequence_end: true }],
  // With both flags and a second round the reference never answers: not asked.
  [1, { sequence_id: 7, ...START, sequence_end: true }],
  [2, START],
  [2, { sequence_end: true }],
  [2, { sequence_id: 'text', ...START }],
];

/** Numbers of the statistics that are no times. */
async function countsOf(target: Target, model: string): Promise<unknown> {
  const { body: text } = await exchange(target.httpPort, get(`/v2/models/${model}/stats`));
  const counts = text.replaceAll(/"(ns|last_inference)":\d+/g, '"$1":0');
  // How many requests a round takes along is a matter of time.
  const { model_stats: stats } = JSON.parse(counts) as {
    model_stats: { inference_count: number; inference_stats: Record<string, { count: number }> }[];
  };
  return stats.map(({ inference_count: count, inference_stats: parts }) => [
    count,
    ...Object.entries(parts).map(([name, part]) => `${name} ${part.count}`),
  ]);
}

const oneByOne = (model: string): ReferenceCase => ({
  name: `iterative ${model}, one by one`,
  run: async (target) => {
    const answers: unknown[] = [];
    for (const [value, parameters] of SENDS)
      answers.push({
        step: JSON.stringify([value, parameters]),
        answer: await infer(target, model, value, parameters),
      });
    await wait(300);
    answers.push({ step: 'counts', counts: await countsOf(target, model) });
    return answers;
  },
});

const atOnce = (model: string): ReferenceCase => ({
  name: `iterative ${model}, at once`,
  run: (target) => Promise.all([5, 3, 4, 1, 2, -3, 3, 2].map((value) => infer(target, model, value))),
});

const message = (model: string, id: string, value: number, parameters: Flags = {}): Move => ({
  model_name: model,
  id,
  inputs: [{ name: 'INPUT0', datatype: 'INT32', shape: shapeOf(model) }],
  raw_input_contents: [Buffer.from(Int32Array.of(value).buffer)],
  parameters: { triton_enable_empty_final_response: { bool_param: true }, ...parameters },
});
const streamed = (name: string, moves: readonly Move[], options: StreamOptions = {}): ReferenceCase => ({
  name: `iterative over a stream, ${name}`,
  run: async ({ grpcPort }) => {
    const seen = (await playStream(grpcPort, moves, options)) as { id?: string }[];
    // Rounds of several requests mix by time.
    return [...Map.groupBy(seen, ({ id = '' }) => id)]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([step, answers]) => ({ step, answers }));
  },
});
const STREAMING = ['streaming', 'streaming_oldest'];

export const ITERATIVE_SCENE: Scene = {
  name: 'iterative',
  repositories: sameFor(
    Object.assign({}, ...Object.entries(MODELS).map(([name, text]) => pythonFiles(name, COUNTER, text))),
  ),
  restarts: true,
  cases: [
    ...['direct', 'oldest', 'single'].map(oneByOne),
    ...['direct', 'oldest', 'single'].map(atOnce),
    ...STREAMING.flatMap((model) =>
      [1, 2, 4, 5, -1, -2, -5].map((value) => streamed(`${model} ${value}`, [message(model, 'a', value)])),
    ),
    ...STREAMING.map((model) =>
      streamed(
        `${model} several`,
        [4, 3, 6, 1].map((value) => message(model, `r${value}`, value)),
      ),
    ),
    ...STREAMING.map((model) =>
      streamed(`${model} cancelled`, [message(model, 'a', 41), 300, 'cancel', 300]),
    ),
    ...STREAMING.map((model) =>
      streamed(`${model} after a cancellation`, [message(model, 'a', 2), 100, message(model, 'b', 4)]),
    ),
    ...STREAMING.map((model) =>
      streamed(`${model} with an id`, [
        message(model, 'a', 2, { sequence_id: { int64_param: 9 }, sequence_start: { bool_param: true } }),
        400,
        message(model, 'b', 2, { sequence_id: { int64_param: 9 }, sequence_end: { bool_param: true } }),
      ]),
    ),
  ],
};
