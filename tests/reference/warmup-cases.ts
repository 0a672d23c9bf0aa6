// Warm-up: what a model is given before it is ready, what the log tells of it, and which samples make a load fail.

import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { get } from './http-calls.ts';
import { ask, infer, load, unload, wait } from './life-calls.ts';
import { hideVolatile, logRecords } from './normalise.ts';
import { pythonFiles } from './python-models.ts';
import type { ReferenceCase, Target } from './reference-case.ts';
import type { Scene } from './scene.ts';

/** Tells what it was given in each execution, values where they are no accident. */
const TELLING = `SEEN = []


def shown(tensor):
    array = tensor.as_numpy()
    if array.dtype == object:
        return [tensor.name(), list(array.shape), [str(len(one)) for one in array.reshape(-1)]]
    random = array.dtype.kind == "f" and not np.all((array == np.round(array)) & (np.abs(array) < 100))
    return [tensor.name(), str(array.dtype), list(array.shape), "random" if random else array.reshape(-1).tolist()]


class TritonPythonModel:
    def execute(self, requests):
        SEEN.append([[
            sorted(shown(tensor) for tensor in request.inputs()),
            request.request_id(), str(request.correlation_id()), request.flags(), sorted(request.requested_output_names()),
        ] for request in requests])
        text = np.array([json.dumps(SEEN).encode()], dtype=object)
        return [pb_utils.InferenceResponse([pb_utils.Tensor("TOLD", text)]) for _ in requests]
`;
const DECOUPLED = `class TritonPythonModel:
    def execute(self, requests):
        for request in requests:
            sender = request.get_response_sender()
            for _ in range(3):
                sender.send(pb_utils.InferenceResponse([pb_utils.Tensor("TOLD", np.array([b"x"], dtype=object))]))
            sender.send(flags=pb_utils.TRITONSERVER_RESPONSE_COMPLETE_FINAL)
`;

const tensor = (name: string, type = 'FP32', dims = '-1', more = ''): string =>
  `{ name: "${name}" data_type: TYPE_${type} dims: [ ${dims} ] ${more} }`;
const io = (inputs = tensor('INPUT0'), more = ''): string =>
  `input [ ${inputs} ]\noutput [ ${tensor('TOLD', 'STRING')} ]\n${more}`;
const given = (name: string, data: string, type = 'FP32', dims: string | null = '2'): string =>
  `inputs { key: "${name}" value { data_type: TYPE_${type} ${dims === null ? '' : `dims: [ ${dims} ]`} ${data} } }`;
/** Without a batch size a sample is skipped. */
const sample = (inputs: string, more = '', name = 'w'): string => {
  const size = more.includes('batch_size') ? more.replace('batch_size: none', '') : `batch_size: 1 ${more}`;
  return `model_warmup [ { name: "${name}" ${size} ${inputs} } ]`;
};
const ZERO = 'zero_data: true';
const RANDOM = 'random_data: true';
const zeros = given('INPUT0', ZERO);
const file = (name: string): string => given('INPUT0', `input_data_file: "${name}"`);
const BATCHED = 'max_batch_size: 4';
const TWO = `${tensor('INPUT0')}, ${tensor('INPUT1', 'FP32', '-1', 'optional: true')}`;
const TEXT = tensor('INPUT0', 'STRING');
const CONTROLS = `sequence_batching { max_sequence_idle_microseconds: 60000000 control_input [
  { name: "START" control [ { kind: CONTROL_SEQUENCE_START int32_false_true: [ 0, 1 ] } ] },
  { name: "CORRID" control [ { kind: CONTROL_SEQUENCE_CORRID data_type: TYPE_UINT64 } ] } ] }`;
const CONTROL_DATA = `${given('START', 'input_data_file: "one"', 'INT32', '1')} ${given('CORRID', ZERO, 'UINT64', '1')}`;
const DYNAMIC = 'dynamic_batching { max_queue_delay_microseconds: 100000 }';

/** Configurations by what they show. */
const CONFIGS: Readonly<Record<string, string>> = {
  zeros: io(undefined, sample(zeros)),
  'zeros that are false': io(undefined, sample(given('INPUT0', 'zero_data: false'))),
  'random data': io(undefined, sample(given('INPUT0', RANDOM))),
  'a file': io(undefined, sample(file('eight'))),
  'a file that is too long': io(undefined, sample(file('twelve'))),
  'a file that is too short': io(undefined, sample(file('three'))),
  'a missing file': io(undefined, sample(file('nothing'))),
  'a file in a folder': io(undefined, sample(file('deep/eight'))),
  'texts of zeros': io(TEXT, sample(given('INPUT0', ZERO, 'STRING'))),
  'random texts': io(TEXT, sample(given('INPUT0', RANDOM, 'STRING'))),
  'texts of a file': io(TEXT, sample(given('INPUT0', 'input_data_file: "texts"', 'STRING'))),
  'nothing given': io(undefined, sample(given('INPUT0', ''))),
  'no inputs': io(undefined, sample('')),
  'no name': io(undefined, sample(zeros, '', '')),
  'no dimensions': io(undefined, sample(given('INPUT0', ZERO, 'FP32', null))),
  'an open dimension': io(undefined, sample(given('INPUT0', ZERO, 'FP32', '-1'))),
  'a dimension of 0': io(undefined, sample(given('INPUT0', ZERO, 'FP32', '0'))),
  'other dimensions': io(tensor('INPUT0', 'FP32', '3'), sample(zeros)),
  'one dimension more': io(undefined, sample(given('INPUT0', ZERO, 'FP32', '1, 2'))),
  'another type': io(undefined, sample(given('INPUT0', ZERO, 'INT32'))),
  'no type': io(undefined, sample('inputs { key: "INPUT0" value { dims: [ 2 ] zero_data: true } }')),
  'an unknown input': io(undefined, sample(`${zeros} ${given('INPUT9', ZERO)}`)),
  'an unknown input alone': io(undefined, sample(given('INPUT9', ZERO))),
  'an optional input left out': io(TWO, sample(zeros)),
  'an optional input alone': io(TWO, sample(given('INPUT1', ZERO))),
  'a count of three': io(undefined, sample(zeros, 'count: 3')),
  'a count of none': io(undefined, sample(zeros, 'count: 0')),
  'a batch of none': io(undefined, sample(zeros, 'batch_size: 0')),
  'a batch of one': io(undefined, sample(zeros, 'batch_size: 1')),
  'batches of one': io(undefined, `${BATCHED}\n${sample(zeros, 'batch_size: 1')}`),
  'batches of three': io(undefined, `${BATCHED}\n${sample(zeros, 'batch_size: 3')}`),
  'batches of none': io(undefined, `${BATCHED}\n${sample(zeros, 'batch_size: 0')}`),
  'batches of four, queued': io(
    undefined,
    `${BATCHED}\n${DYNAMIC}\n${sample(zeros, 'batch_size: 4 count: 2')}`,
  ),
  'batches where none is told': io(undefined, `${BATCHED}\n${sample(zeros, 'batch_size: none')}`),
  'several samples': io(
    undefined,
    `model_warmup [ { name: "a" batch_size: 1 ${zeros} }, { name: "b" batch_size: 1 count: 2 ${given('INPUT0', ZERO, 'FP32', '3')} } ]`,
  ),
  'a second sample that is wrong': io(
    undefined,
    `model_warmup [ { name: "a" batch_size: 1 ${zeros} }, { name: "b" batch_size: 1 ${file('nothing')} } ]`,
  ),
  'two of the same name': io(
    undefined,
    `model_warmup [ { name: "a" batch_size: 1 ${zeros} }, { name: "a" batch_size: 1 ${zeros} } ]`,
  ),
  'two instances': io(
    undefined,
    `instance_group [ { kind: KIND_CPU count: 2 } ]\n${sample(zeros, 'batch_size: 1')}`,
  ),
  'controls of sequences': io(
    undefined,
    `${BATCHED}\n${CONTROLS}\n${sample(`${zeros} ${CONTROL_DATA}`, 'batch_size: 1')}`,
  ),
  'sequences without controls': io(undefined, `${BATCHED}\n${CONTROLS}\n${sample(zeros, 'batch_size: 2')}`),
  'a decoupled model': io(
    undefined,
    `model_transaction_policy { decoupled: true }\n${sample(zeros, 'batch_size: 1 count: 2')}`,
  ),
};

// Samples that fail when they run, and folders as files, end the reference: not asked.
const titles = Object.keys(CONFIGS);
const nameOf = (title: string): string => title.replaceAll(/\W+/g, '_');

const FILES: Readonly<Record<string, Buffer>> = {
  eight: Buffer.from([0, 0, 128, 63, 0, 0, 0, 64]),
  twelve: Buffer.from([0, 0, 128, 63, 0, 0, 0, 64, 0, 0, 64, 64]),
  three: Buffer.from([1, 2, 3]),
  one: Buffer.from([1, 0, 0, 0]),
  'deep/eight': Buffer.from([0, 0, 128, 63, 0, 0, 0, 64]),
  texts: Buffer.from([2, 0, 0, 0, 104, 105, 3, 0, 0, 0, 121, 111, 117]),
};

const models: RepositoryFiles = Object.assign(
  {},
  ...titles.map((title) => ({
    ...pythonFiles(nameOf(title), title === 'a decoupled model' ? DECOUPLED : TELLING, CONFIGS[title]),
    ...Object.fromEntries(
      Object.entries(FILES).map(([name, bytes]) => [`${nameOf(title)}/warmup/${name}`, bytes]),
    ),
  })),
);

/** What was said of samples and of the load, in order. */
function linesOf(target: Target, from: number, model: string): readonly string[] {
  return (
    logRecords(target.log().slice(from))
      .map(({ level, text }) => `${level} ${hideVolatile(text, target).replace(/\n+At:[^]*$/, '')}`)
      .filter((line) => /warm-?up|failed to load|successfully loaded/i.test(line))
      // What configurations say and do not mean is told by ours alone.
      .filter(
        (line) => !/^W warmup sample .* (is skipped because|which is no input)|ModelConfig::/.test(line),
      )
      .filter((line) => !/auto-completed config|model configuration:/.test(line))
      .map((line) => line.replaceAll(` model=${model}`, ''))
  );
}

const warmed = (title: string): ReferenceCase => ({
  name: `warm-up: ${title}`,
  run: async (target) => {
    const model = nameOf(title);
    const [before, isBatched] = [target.log().length, CONFIGS[title]?.includes('max_batch_size') === true];
    const loaded = await ask(target, load(model));
    const shape = isBatched ? [1, 3] : [3];
    const parameters = { sequence_id: 1, sequence_start: true, sequence_end: true };
    const type = CONFIGS[title]?.includes('input [ { name: "INPUT0" data_type: TYPE_STRING') === true;
    const data = type ? ['a', 'b', 'c'] : [1, 2, 3];
    const answered = await ask(
      target,
      infer(model, {
        ...(/sequence/.test(title) ? { parameters } : {}),
        inputs: [{ name: 'INPUT0', datatype: type ? 'BYTES' : 'FP32', shape, data }],
      }),
    );
    await wait(100);
    const [, stats] = (await ask(target, get(`/v2/models/${model}/stats`))) as [number, string];
    const said = linesOf(target, before, model);
    await ask(target, unload(model));
    return [
      { step: 'load', loaded },
      { step: 'said', said: model.includes('instances') ? [...said].sort() : said },
      { step: 'answer', answered },
      { step: 'statistics', stats: stats.replaceAll(/"(ns|last_inference)":\d+/g, '"$1":"#"') },
    ];
  },
});

export const WARMUP_SCENE: Scene = {
  name: 'warm-up',
  repositories: () => [models],
  args: ['--model-control-mode=explicit', '--log-verbose=1'],
  cases: titles.map(warmed),
  together: 'caches',
};
