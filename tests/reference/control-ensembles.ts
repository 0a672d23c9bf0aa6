// Ensembles that fit the models `echo`, `pair` and `batches` of the control scene, and ensembles that do not.

/** A FP32 tensor of one open dimension in the text of a configuration. */
export const tensor = (name: string, more = ''): string =>
  `{ name: "${name}" data_type: TYPE_FP32 dims: [ -1 ] ${more} }`;

interface Step {
  readonly model?: string;
  readonly version?: number;
  readonly inputs?: Readonly<Record<string, string>>;
  readonly outputs?: Readonly<Record<string, string>>;
}
const map = (field: string, entries: Readonly<Record<string, string>>): string =>
  Object.entries(entries)
    .map(([key, value]) => `${field} { key: "${key}" value: "${value}" }`)
    .join(' ');
const step = ({
  model = 'echo',
  version = -1,
  inputs = { INPUT0: 'A' },
  outputs = { OUTPUT0: 'Z' },
}: Step): string =>
  `{ model_name: "${model}" model_version: ${version} ${map('input_map', inputs)} ${map('output_map', outputs)} }`;
const ensemble = (
  steps: readonly Step[],
  io = `input [ ${tensor('A')} ] output [ ${tensor('Z')} ]`,
  more = '',
): string =>
  `platform: "ensemble"\n${io}\nensemble_scheduling { step [ ${steps.map(step).join(', ')} ] }\n${more}`;
const TWO_IN = `input [ ${tensor('A')}, ${tensor('B')} ] output [ ${tensor('Z')} ]`;
const OPTIONAL_IN = `input [ ${tensor('A')}, ${tensor('B', 'optional: true')} ] output [ ${tensor('Z')} ]`;
const TWO_OUT = `input [ ${tensor('A')} ] output [ ${tensor('Y')}, ${tensor('Z')} ]`;
const pair = (more: Step = {}): Step => ({ model: 'pair', inputs: { INPUT0: 'A', INPUT1: 'B' }, ...more });

/** Configurations by what is odd about them. */
export const ENSEMBLES: Readonly<Record<string, string>> = {
  'one step': ensemble([{}]),
  'two steps': ensemble([{ outputs: { OUTPUT0: 'm' } }, { inputs: { INPUT0: 'm' } }]),
  'steps in the other order': ensemble([{ inputs: { INPUT0: 'm' } }, { outputs: { OUTPUT0: 'm' } }]),
  'two inputs': ensemble([pair()], TWO_IN),
  'an optional input': ensemble([pair()], OPTIONAL_IN),
  'an optional input left out of the map': ensemble([pair({ inputs: { INPUT0: 'A' } })]),
  'a needed input left out of the map': ensemble([pair({ inputs: { INPUT1: 'A' } })]),
  'an input that no step takes': ensemble([{}], TWO_IN),
  'an output that no step gives': ensemble([{}], TWO_OUT),
  'an input that the model does not have': ensemble([{ inputs: { INPUT0: 'A', INPUT9: 'A' } }]),
  'an output that the model does not have': ensemble([{ outputs: { OUTPUT0: 'Z', OUTPUT9: 'Y' } }]),
  'no input map': ensemble([{ inputs: {} }]),
  'no output map': ensemble([{ outputs: {} }]),
  'an empty key': ensemble([{ inputs: { '': 'A' } }]),
  'an empty value': ensemble([{ inputs: { INPUT0: '' } }]),
  'a tensor that nobody makes': ensemble([{ inputs: { INPUT0: 'm' } }]),
  'a tensor that two steps make': ensemble([{}, {}]),
  'a ring of steps': ensemble([
    { inputs: { INPUT0: 'm' }, outputs: { OUTPUT0: 'n' } },
    { inputs: { INPUT0: 'n' }, outputs: { OUTPUT0: 'm' } },
    {},
  ]),
  'a step on its own output': ensemble([{ inputs: { INPUT0: 'Z' } }]),
  'a tensor that nobody takes': ensemble([
    pair({ inputs: { INPUT0: 'A' }, outputs: { OUTPUT0: 'Z', OUTPUT1: 'unused' } }),
  ]),
  'two outputs': ensemble(
    [pair({ inputs: { INPUT0: 'A' }, outputs: { OUTPUT0: 'Z', OUTPUT1: 'Y' } })],
    TWO_OUT,
  ),
  // An input that is an output too ends in silence there: not asked.
  'no steps':
    'platform: "ensemble"\ninput [ { name: "A" data_type: TYPE_FP32 dims: [ -1 ] } ] output [ { name: "Z" data_type: TYPE_FP32 dims: [ -1 ] } ]\nensemble_scheduling {}',
  'no scheduling': `platform: "ensemble"\ninput [ ${tensor('A')} ] output [ ${tensor('Z')} ]`,
  'scheduling without the platform': ensemble([{}]).replace('platform: "ensemble"', ''),
  'another platform': ensemble([{}]).replace('"ensemble"', '"onnxruntime_onnx"'),
  'a backend too': `backend: "python"\n${ensemble([{}])}`,
  'an empty model name': ensemble([{ model: '' }]),
  'version 1': ensemble([{ version: 1 }]),
  'version 9': ensemble([{ version: 9 }]),
  'version 0': ensemble([{ version: 0 }]),
  'version -2': ensemble([{ version: -2 }]),
  'a model that is absent': ensemble([{ model: 'absent' }]),
  'another type': ensemble(
    [{}],
    `input [ { name: "A" data_type: TYPE_INT32 dims: [ -1 ] } ] output [ ${tensor('Z')} ]`,
  ),
  'another type of output': ensemble(
    [{}],
    `input [ ${tensor('A')} ] output [ { name: "Z" data_type: TYPE_INT32 dims: [ -1 ] } ]`,
  ),
  'another rank': ensemble(
    [{}],
    `input [ { name: "A" data_type: TYPE_FP32 dims: [ -1, 2 ] } ] output [ ${tensor('Z')} ]`,
  ),
  'a fixed shape': ensemble(
    [{}],
    `input [ { name: "A" data_type: TYPE_FP32 dims: [ 2 ] } ] output [ { name: "Z" data_type: TYPE_FP32 dims: [ 2 ] } ]`,
  ),
  'batches where the step has none': ensemble([{}], undefined, 'max_batch_size: 4'),
  'no batches where the step has them': ensemble([{ model: 'batches' }]),
  batches: ensemble([{ model: 'batches' }], undefined, 'max_batch_size: 4'),
  'larger batches than the step': ensemble([{ model: 'batches' }], undefined, 'max_batch_size: 8'),
  'instance groups': ensemble([{}], undefined, 'instance_group [ { kind: KIND_CPU } ]'),
  'dynamic batching too': ensemble([{}], undefined, 'dynamic_batching {}'),
  'a response cache': ensemble([{}], undefined, 'response_cache { enable: true }'),
  'a warm-up': ensemble(
    [{}],
    undefined,
    'model_warmup { name: "w" inputs { key: "A" value { data_type: TYPE_FP32 dims: [ 1 ] zero_data: true } } }',
  ),
  'an ensemble of an ensemble': ensemble([{ model: 'e_0' }])
    .replace(/INPUT0/g, 'A')
    .replace(/OUTPUT0/g, 'Z'),
};
