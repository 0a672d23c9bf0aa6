// Random Python models out of the parts of random-python-parts.ts, with requests to them. The parameter `act` of a request says
// which of the things that a model can do it does. The same seed gives the same ones.

import type { Files, ModelRequest, RandomModel } from './random-models.ts';
import { RandomChoice } from './random-choice.ts';
import type { PythonFace } from './random-python-requests.ts';
import { TYPES, pythonRequest } from './random-python-requests.ts';
import {
  ARRAYS,
  BEGINNINGS,
  BODIES,
  CALLS,
  COMPLETIONS,
  ENDS,
  PRELUDE,
  RESPONSES,
  SENDS,
} from './random-python-parts.ts';

const ACTS = 5;

/** Models with their requests, one after the other; a seed always gives the same ones. */
export class RandomPythons {
  readonly #choice: RandomChoice;

  constructor(seed: number) {
    this.#choice = new RandomChoice(seed);
  }

  /** The next one; a model's requests are for that model alone. */
  model(): RandomModel {
    const choice = this.#choice;
    const face = this.#face();
    const code = this.#code(face);
    const config = this.#config(face);
    const requests: ModelRequest[] = [];
    for (let act = 0; act < ACTS; act += 1) {
      const count = 1 + choice.below(2);
      for (let each = 0; each < count; each += 1) requests.push(pythonRequest(choice, face, act));
    }
    return {
      text: `${config ?? 'no config.pbtxt'}\n${code.slice(PRELUDE.length)}`,
      // Bytecode beside a model would make it a changed one: a file in its place keeps it away.
      files: {
        ...(config === undefined ? {} : { 'config.pbtxt': config }),
        '1/model.py': code,
        '1/__pycache__': '',
      },
      requests,
    };
  }

  #face(): PythonFace {
    const choice = this.#choice;
    const inputType = choice.one(TYPES);
    return {
      inputType,
      outputType: choice.chance(0.6) ? inputType : choice.one(TYPES),
      batchSize: choice.one([0, 0, 0, 4, 8]),
      isDecoupled: choice.chance(0.3),
      hasSecondInput: choice.chance(0.25),
      isSequence: choice.chance(0.12),
      dims: choice.one(['-1', '-1', '-1', '-1', '4', '-1, 2', '']),
    };
  }

  /** Undefined: the model has to say all about itself. */
  #config(face: PythonFace): string | undefined {
    const choice = this.#choice;
    if (choice.chance(0.08)) return undefined;
    const tensor = (name: string, type: string, more = ''): string =>
      `{ name: "${name}" data_type: TYPE_${type === 'BYTES' ? 'STRING' : type} dims: [ ${face.dims} ] ${more} }`;
    const inputs = [tensor('INPUT0', face.inputType, choice.chance(0.15) ? 'optional: true' : '')];
    if (face.hasSecondInput) inputs.push(tensor('INPUT1', 'INT32', 'optional: true'));
    const outputs = [tensor('OUTPUT0', face.outputType)];
    if (choice.chance(0.4)) outputs.push(tensor('OUTPUT1', face.outputType));
    return [
      ...(choice.chance(0.95) ? ['backend: "python"'] : []),
      ...(face.batchSize > 0 ? [`max_batch_size: ${face.batchSize}`] : []),
      ...(choice.chance(0.93) ? [`input [ ${inputs.join(', ')} ]`] : []),
      ...(choice.chance(0.93) ? [`output [ ${outputs.join(', ')} ]`] : []),
      ...(face.isDecoupled ? ['model_transaction_policy { decoupled: true }'] : []),
      ...(face.isSequence ? [this.#sequence()] : []),
      ...(face.batchSize > 0 && !face.isSequence && choice.chance(0.4) ? [choice.one(BATCHING)] : []),
      ...choice.some(MORE, 0.06),
    ].join('\n');
  }

  #sequence(): string {
    const choice = this.#choice;
    const controls = choice.some(CONTROLS, 0.4).join(' ');
    return `sequence_batching { ${controls} ${choice.one(['', 'direct {}', 'oldest { max_candidate_sequences: 4 }'])} }`;
  }

  #code(face: PythonFace): string {
    const choice = this.#choice;
    const acts = Array.from({ length: ACTS }, (_, act) => this.#act(face, act));
    const type = TYPE_NAMES[face.outputType] ?? 'np.float32';
    const completes = choice.chance(0.35);
    const begins = choice.chance(0.5);
    const dispatch = `return getattr(self, "act%d" % json.loads(requests[0].parameters() or "{}").get("act", 0))(requests)`;
    return [
      `${PRELUDE}T = ${type}\n\n`,
      'def same(x):',
      '    return np.zeros((1, 4), T) if x is None else x.astype(T)\n\n',
      'class TritonPythonModel:',
      '    told = "nothing"\n',
      ...(completes ? this.#completion(face) : []),
      ...(begins ? ['    def initialize(self, args):', `        ${this.#beginning()}\n`] : []),
      '    def execute(self, requests):',
      `        ${choice.chance(0.98) ? dispatch : choice.one(BODIES)}\n`,
      ...acts,
      ...(choice.chance(0.1) ? ['    def finalize(self):', `        ${choice.one(LAST)}\n`] : []),
    ].join('\n');
  }

  /** Most models begin without a fault, so that there is something to ask. */
  #beginning(): string {
    return this.#choice.chance(0.75)
      ? this.#choice.one(BEGINNINGS.filter((text) => !/raise|exit|nothing|call\(/.test(text)))
      : this.#choice.one(BEGINNINGS);
  }

  #completion(face: PythonFace): string[] {
    const choice = this.#choice;
    const lines: string[] = [];
    const dims = face.dims === '' ? '[]' : `[${face.dims}]`;
    const add = (kind: string, name: string, type: string): string =>
      `c.add_${kind}({"name": "${name}", "data_type": "TYPE_${type === 'BYTES' ? 'STRING' : type}", "dims": ${dims}})`;
    if (choice.chance(0.8)) {
      lines.push(add('input', 'INPUT0', face.inputType), add('output', 'OUTPUT0', face.outputType));
      if (face.batchSize > 0) lines.push(`c.set_max_batch_size(${face.batchSize})`);
      if (face.isDecoupled && choice.chance(0.8))
        lines.push('c.set_model_transaction_policy({"decoupled": True})');
    }
    const more = choice.chance(0.6) ? 1 + choice.below(2) : 0;
    for (let each = 0; each < more; each += 1) {
      lines.splice(choice.below(lines.length + 1), 0, choice.one(COMPLETIONS));
    }
    if (choice.chance(0.95)) lines.push('return c');
    if (lines.length === 0) lines.push('pass');
    return [
      '    @staticmethod',
      '    def auto_complete_config(c):',
      ...lines.map((line) => `        ${line}`),
      '',
    ];
  }

  #act(face: PythonFace, act: number): string {
    const lines = face.isDecoupled && this.#choice.chance(0.9) ? this.#sending(face) : this.#answering();
    const isAsync = !face.isDecoupled && this.#choice.chance(0.04);
    const head = `    ${isAsync ? 'async ' : ''}def act${act}(self, requests):`;
    return [head, ...lines.map((line) => `        ${line}`), ''].join('\n');
  }

  #sending({ outputType }: PythonFace): string[] {
    const choice = this.#choice;
    // The reference ends by strings under a name that nobody asked for.
    const possible =
      outputType === 'BYTES' ? SENDS.filter((send) => !/"(NOTHING|OUTPUT1)"/.test(send)) : SENDS;
    const sends = Array.from({ length: choice.below(4) }, () => choice.one(possible));
    const end = choice.one(ENDS);
    const lines = [...sends, end].flatMap((line) => line.split('; '));
    return [
      'for request in requests:',
      ...['x = first(request)', 's = request.get_response_sender()', ...lines].map((line) => `    ${line}`),
    ];
  }

  #answering(): string[] {
    const choice = this.#choice;
    if (choice.chance(0.2)) return choice.one(BODIES).split('; ');
    const response = choice.chance(0.35)
      ? `out(${choice.one(ARRAYS)})`
      : choice.chance(0.35)
        ? choice.one(CALLS)
        : choice.one(RESPONSES);
    return [
      'answers = []',
      'for request in requests:',
      '    x = first(request)',
      `    answers.append(${response})`,
      'return answers',
    ];
  }
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  BOOL: 'np.bool_',
  BYTES: 'np.object_',
  UINT8: 'np.uint8',
  INT8: 'np.int8',
  INT16: 'np.int16',
  UINT16: 'np.uint16',
  INT32: 'np.int32',
  UINT32: 'np.uint32',
  INT64: 'np.int64',
  UINT64: 'np.uint64',
  FP16: 'np.float16',
  FP32: 'np.float32',
  FP64: 'np.float64',
  BF16: 'np.float32',
};

const BATCHING = [
  'dynamic_batching {}',
  'dynamic_batching { preferred_batch_size: [ 2, 4 ] max_queue_delay_microseconds: 100 }',
  'dynamic_batching { preferred_batch_size: [ 16 ] }',
  'dynamic_batching { preserve_ordering: true }',
  'dynamic_batching { priority_levels: 3 default_priority_level: 2 }',
];

const CONTROLS = [
  'control_input { name: "START" control { kind: CONTROL_SEQUENCE_START int32_false_true: [ 0, 1 ] } }',
  'control_input { name: "END" control { kind: CONTROL_SEQUENCE_END fp32_false_true: [ 0, 1 ] } }',
  'control_input { name: "READY" control { kind: CONTROL_SEQUENCE_READY bool_false_true: [ false, true ] } }',
  'control_input { name: "CORRID" control { kind: CONTROL_SEQUENCE_CORRID data_type: TYPE_UINT64 } }',
];

const MORE = [
  'instance_group { count: 2 kind: KIND_CPU }',
  'instance_group { kind: KIND_CPU }',
  'instance_group { kind: KIND_MODEL }',
  'instance_group [ { name: "a" kind: KIND_CPU }, { name: "b" count: 2 kind: KIND_CPU } ]',
  'parameters { key: "a" value { string_value: "b" } }',
  'parameters { key: "FORCE_CPU_ONLY_INPUT_TENSORS" value { string_value: "no" } }',
  'parameters { key: "FORCE_CPU_ONLY_INPUT_TENSORS" value { string_value: "perhaps" } }',
  'default_model_filename: "model.py"',
  'platform: "python"',
  'version_policy { all {} }',
  'response_cache { enable: true }',
  'optimization { input_pinned_memory { enable: false } }',
];

const LAST = ['raise ValueError("at the end")', 'print("the end")', 'sys.exit(3)'];

const NUMBERS = (name: string): string =>
  `${name} [ { name: "${name.toUpperCase()}0" data_type: TYPE_INT32 dims: [ -1 ] } ]`;

/** Models that the random ones call: one says what it was asked, one sends as many responses as it is told. */
export const PYTHON_STEPS: Readonly<Record<string, Files>> = {
  teller: {
    'config.pbtxt': `backend: "python" ${NUMBERS('input')} ${NUMBERS('output')}`,
    '1/__pycache__': '',
    '1/model.py': `${PRELUDE}class TritonPythonModel:
    def execute(self, requests):
        return [failed([list(json.loads(r.parameters()).items()), r.request_id(), r.correlation_id(), r.flags(), r.timeout(), tensors(r)]) for r in requests]
`,
  },
  helper: {
    'config.pbtxt': `backend: "python" ${NUMBERS('input')} ${NUMBERS('output')} model_transaction_policy { decoupled: true }`,
    '1/__pycache__': '',
    '1/model.py': `${PRELUDE}class TritonPythonModel:
    def execute(self, requests):
        for request in requests:
            count = int(first(request)[0])
            s = request.get_response_sender()
            if count == -1:
                raise ValueError("on purpose")
            if count == -2:
                s.send(failed("middle"))
            for each in range(count):
                s.send(out(np.array([each], np.int32)))
            s.send(flags=FINAL)
`,
  },
};
