// Models for streams: one that sends what its input tells it to, decoupled, ordinary ones, sequences and ensembles.

import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { pythonFiles } from './python-models.ts';

/**
 * Plays the words of its text: a number is a response with it (words behind commas stand in its text too), `s50` a pause of 50 ms, `e` an error as response, `f` the
 * final flag alone; `f` before a number or `e` sends it along; `c` waits until the request is cancelled and notes it.
 * `raise` at the start fails in execute itself, `here` plays there too, else a thread of its own does.
 */
const PLAYER = `NOTES = []


def play(request, words):
    sender = request.get_response_sender()
    for word in words:
        time.sleep(0.005)
        flags = 0
        if word.startswith("f"):
            flags, word = pb_utils.TRITONSERVER_RESPONSE_COMPLETE_FINAL, word[1:]
        if word == "":
            sender.send(flags=flags)
        elif word == "e":
            sender.send(pb_utils.InferenceResponse(error=pb_utils.TritonError("as told")), flags=flags)
        elif word.startswith("s"):
            time.sleep(int(word[1:]) / 1000)
        elif word == "c":
            for _ in range(300):
                if request.is_cancelled() or sender.is_cancelled():
                    break
                time.sleep(0.01)
            NOTES.append("cancelled" if sender.is_cancelled() else "not cancelled")
        elif word == "notes":
            told = np.array([",".join(NOTES)], dtype=object)
            sender.send(pb_utils.InferenceResponse([pb_utils.Tensor("TEXT", told)]), flags=flags)
        else:
            values = np.array([int(word.split(",")[0])], np.int32)
            text = np.array([word.replace(",", " ")], dtype=object)
            tensors = [pb_utils.Tensor("OUT", values), pb_utils.Tensor("TEXT", text)]
            sender.send(pb_utils.InferenceResponse(tensors), flags=flags)


class TritonPythonModel:
    def execute(self, requests):
        for request in requests:
            words = first(request, "PLAY").reshape(-1)[0].decode().split()
            if words[:1] == ["raise"]:
                raise Exception("raised")
            if words[:1] == ["here"]:
                play(request, words[1:])
            else:
                threading.Thread(target=play, args=(request, words), daemon=True).start()
        return None
`;

const PLAYED = `input [ { name: "PLAY" data_type: TYPE_STRING dims: [ 1 ] } ]
output [ { name: "OUT" data_type: TYPE_INT32 dims: [ 1 ] }, { name: "TEXT" data_type: TYPE_STRING dims: [ 1 ] } ]
instance_group [ { kind: KIND_CPU } ]
model_transaction_policy { decoupled: true }`;

/** Sleeps as many milliseconds as its value says and answers it; below zero it fails. */
const SLOW = `class TritonPythonModel:
    def execute(self, requests):
        responses = []
        for request in requests:
            value = int(first(request).reshape(-1)[0])
            time.sleep(abs(value) / 1000)
            if value < 0:
                responses.append(pb_utils.InferenceResponse(error=pb_utils.TritonError("below zero")))
            else:
                responses.append(pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", first(request))]))
        return responses
`;
const NUMBERS = `input [ { name: "INPUT0" data_type: TYPE_INT32 dims: [ 1 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_INT32 dims: [ 1 ] } ]`;

/** Sums a sequence, with the flags it sees. */
const SUMS = `class TritonPythonModel:
    def initialize(self, args):
        self.sums = {}

    def execute(self, requests):
        responses = []
        for request in requests:
            start, end = int(first(request, "START").reshape(-1)[0]), int(first(request, "END").reshape(-1)[0])
            key = int(first(request, "CORRID").reshape(-1)[0])
            value = int(first(request).reshape(-1)[0])
            self.sums[key] = value if start else self.sums.get(key, 0) + value
            time.sleep(0.02)
            told = np.array([[self.sums[key] * 100 + start * 10 + end]], np.int32)
            responses.append(pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", told)]))
        return responses
`;
const summing = (strategy: string): string => `max_batch_size: 4
${NUMBERS}
instance_group [ { kind: KIND_CPU } ]
sequence_batching {
  max_sequence_idle_microseconds: 20000000
  ${strategy}
  control_input [
    { name: "START" control [ { kind: CONTROL_SEQUENCE_START int32_false_true: [ 0, 1 ] } ] },
    { name: "END" control [ { kind: CONTROL_SEQUENCE_END int32_false_true: [ 0, 1 ] } ] },
    { name: "CORRID" control [ { kind: CONTROL_SEQUENCE_CORRID data_type: TYPE_UINT64 } ] }
  ]
}`;

/** Each request of a sequence gives as many responses as its value says: the steps it has seen. */
const COUNTS = `class TritonPythonModel:
    def initialize(self, args):
        self.steps = {}

    def execute(self, requests):
        for request in requests:
            start = int(first(request, "START").reshape(-1)[0])
            key = int(first(request, "CORRID").reshape(-1)[0])
            self.steps[key] = 1 if start else self.steps.get(key, 0) + 1
            sender = request.get_response_sender()
            for at in range(int(first(request).reshape(-1)[0])):
                told = np.array([[self.steps[key] * 10 + at]], np.int32)
                sender.send(pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", told)]))
            sender.send(flags=pb_utils.TRITONSERVER_RESPONSE_COMPLETE_FINAL)
        return None
`;

const step = (model: string, inputs: string, outputs: string): string =>
  `{ model_name: "${model}" model_version: -1 ${inputs} ${outputs} }`;
const from = (key: string, value: string): string => `input_map { key: "${key}" value: "${value}" }`;
const to = (key: string, value: string): string => `output_map { key: "${key}" value: "${value}" }`;
const ensemble = (steps: readonly string[], outputs = NUMBERS.split('\n')[1] ?? ''): string =>
  `platform: "ensemble"
input [ { name: "PLAY" data_type: TYPE_STRING dims: [ 1 ] } ]
${outputs}
ensemble_scheduling { step [ ${steps.join(', ')} ] }`;
const TEXT = 'output [ { name: "TEXT" data_type: TYPE_STRING dims: [ 1 ] } ]';

export const STREAM_MODELS: RepositoryFiles = {
  ...pythonFiles('player', PLAYER, PLAYED),
  ...pythonFiles('rows', PLAYER, `max_batch_size: 4\n${PLAYED}\ndynamic_batching {}`),
  ...pythonFiles('slow', SLOW, `${NUMBERS}\ninstance_group [ { kind: KIND_CPU count: 3 } ]`),
  ...pythonFiles('slow_alone', SLOW, `${NUMBERS}\ninstance_group [ { kind: KIND_CPU } ]`),
  ...pythonFiles('sums', SUMS, summing('direct {}')),
  ...pythonFiles('oldest', SUMS, summing('oldest { max_candidate_sequences: 4 }')),
  ...pythonFiles('counts', COUNTS, `${summing('direct {}')}\nmodel_transaction_policy { decoupled: true }`),
  'played/config.pbtxt': ensemble([
    step('player', from('PLAY', 'PLAY'), to('OUT', 'told')),
    step('slow_alone', from('INPUT0', 'told'), to('OUTPUT0', 'OUTPUT0')),
  ]),
  'played/1/': '',
  'alone/config.pbtxt': ensemble([step('player', from('PLAY', 'PLAY'), to('TEXT', 'TEXT'))], TEXT),
  'alone/1/': '',
  'twice/config.pbtxt': ensemble(
    [
      step('player', from('PLAY', 'PLAY'), to('TEXT', 'words')),
      step('player', from('PLAY', 'words'), to('TEXT', 'TEXT')),
    ],
    TEXT,
  ),
  'twice/1/': '',
};

const bytes = (text: string): Buffer => {
  const encoded = Buffer.from(text);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(encoded.length);
  return Buffer.concat([length, encoded]);
};

export type Message = Readonly<Record<string, unknown>>;

export const play = (id: string, words: string, more: Message = {}, model = 'player'): Message => ({
  model_name: model,
  id,
  inputs: [{ name: 'PLAY', datatype: 'BYTES', shape: model === 'rows' ? [1, 1] : [1] }],
  raw_input_contents: [bytes(words)],
  ...more,
});
export const slow = (id: string, ms: number, more: Message = {}, model = 'slow'): Message => ({
  model_name: model,
  id,
  inputs: [{ name: 'INPUT0', datatype: 'INT32', shape: model === 'slow' ? [1] : [1, 1] }],
  raw_input_contents: [Buffer.from(Int32Array.of(ms).buffer)],
  ...more,
});
const flag = { bool_param: true };
export const FINAL: Message = { parameters: { triton_enable_empty_final_response: flag } };
/** A step of a sequence; `flags` has an `s` for its start and an `e` for its end. */
export const stepOf = (
  model: string,
  sequence: number,
  value: number,
  flags = '',
  more: Message = {},
): Message =>
  slow(
    `${sequence}:${value}${flags}`,
    value,
    {
      parameters: {
        sequence_id: { int64_param: sequence },
        ...(flags.includes('s') ? { sequence_start: flag } : {}),
        ...(flags.includes('e') ? { sequence_end: flag } : {}),
        ...more,
      },
    },
    model,
  );
