// Sequence batching: control tensors, strategies, and the states kept between requests.

import { configIssue, removeAt, setTo, type ConfigIssue } from '../config-issue.ts';
import type {
  ModelConfig,
  ModelSequenceBatching,
  SequenceControl,
  SequenceControlKind,
  SequenceState,
} from '../model-config.ts';
import { checkPreferredSizes } from './batching-rules.ts';

const PATH = 'sequence_batching';

/** Controls are looked for in this order, which decides the order of issues. */
const KINDS: readonly SequenceControlKind[] = [
  'CONTROL_SEQUENCE_START',
  'CONTROL_SEQUENCE_END',
  'CONTROL_SEQUENCE_READY',
  'CONTROL_SEQUENCE_CORRID',
];

const CORRID_TYPES: ReadonlySet<string> = new Set([
  'TYPE_UINT64',
  'TYPE_INT64',
  'TYPE_UINT32',
  'TYPE_INT32',
  'TYPE_STRING',
]);

const LIST_NAMES = "'int32_false_true', 'fp32_false_true' and 'bool_false_true'";
const LIST_CHOICE = "either 'int32_false_true', 'fp32_false_true' or 'bool_false_true'";
const BOOLEAN_HINT = 'Write one list of two values, false then true: int32_false_true: [ 0, 1 ].';

/** Findings about sequence_batching; none where the configuration has none. */
export function checkSequenceBatching(config: ModelConfig): ConfigIssue[] {
  const batching = config.sequenceBatching;
  if (batching === undefined) return [];
  return [
    ...checkResponseCache(config),
    ...KINDS.flatMap((kind) => checkControls(config.name, batching, kind)),
    ...checkStrategy(config, batching),
  ];
}

function checkResponseCache(config: ModelConfig): ConfigIssue[] {
  if (config.responseCache?.enable !== true) return [];
  return [
    configIssue(
      'D65',
      `Response Cache does not currently support model ${config.name} with sequence batching scheduler. Please disable the response cache.`,
      {
        path: 'response_cache.enable',
        hint: 'Remove response_cache.',
        changes: [removeAt('response_cache')],
      },
    ),
  ];
}

/** One scan over all control inputs for one kind; names are judged in the first scan only. */
function checkControls(
  model: string,
  batching: ModelSequenceBatching,
  kind: SequenceControlKind,
): ConfigIssue[] {
  const issues: ConfigIssue[] = [];
  const names = new Set<string>();
  let isSeen = false;
  for (const [index, input] of batching.controlInput.entries()) {
    const path = `${PATH}.control_input[${index}]`;
    if (kind === KINDS[0]) issues.push(...checkControlName(model, input.name, names, path));
    for (const [controlIndex, control] of input.control.entries()) {
      if (control.kind !== kind) continue;
      const controlPath = `${path}.control[${controlIndex}]`;
      if (isSeen) {
        issues.push(
          configIssue('D35', `sequence batching specifies multiple ${kind} tensors for ${model}`, {
            path: controlPath,
            hint: 'Each kind may appear once.',
            changes: [removeAt(controlPath)],
          }),
        );
      }
      isSeen = true;
      issues.push(
        ...(kind === 'CONTROL_SEQUENCE_CORRID'
          ? checkCorrelationId(model, control, controlPath)
          : checkBoolean(model, control, controlPath)),
      );
    }
  }
  return issues;
}

function checkControlName(model: string, name: string, names: Set<string>, path: string): ConfigIssue[] {
  if (name === '') {
    return [
      configIssue('D35', `sequence batching control tensor must have a name for ${model}`, {
        path,
        hint: 'Name the model input that receives the control.',
      }),
    ];
  }
  if (names.has(name)) {
    return [
      configIssue(
        'D35',
        `sequence batching control tensor '${name}' is specified for multiple control kinds for ${model}`,
        {
          path: `${path}.name`,
          hint: 'Each control needs a model input of its own.',
          changes: [removeAt(path, 'Remove the second control')],
        },
      ),
    ];
  }
  names.add(name);
  return [];
}

function givenLists(control: SequenceControl): [string, number][] {
  const lists: [string, number][] = [
    ['int32_false_true', control.int32FalseTrue.length],
    ['fp32_false_true', control.fp32FalseTrue.length],
    ['bool_false_true', control.boolFalseTrue.length],
  ];
  return lists.filter(([, length]) => length > 0);
}

/** The control with one list of values; every other field stays. */
function onlyList(control: SequenceControl, name: string): SequenceControl {
  const keep = (list: string, values: readonly (number | boolean)[]) => (list === name ? values : []);
  return {
    ...control,
    int32FalseTrue: keep('int32_false_true', control.int32FalseTrue) as readonly number[],
    fp32FalseTrue: keep('fp32_false_true', control.fp32FalseTrue) as readonly number[],
    boolFalseTrue: keep('bool_false_true', control.boolFalseTrue) as readonly boolean[],
  };
}

function checkBoolean(model: string, control: SequenceControl, path: string): ConfigIssue[] {
  const lists = givenLists(control);
  const suffix = `for ${control.kind} for ${model}`;
  const [first] = lists;
  if (first === undefined) {
    return [
      configIssue('D35', `sequence batching must specify ${LIST_CHOICE} ${suffix}`, {
        path,
        hint: BOOLEAN_HINT,
        changes: [setTo(`${path}.int32_false_true`, [0, 1])],
      }),
    ];
  }
  if (lists.length > 1) {
    return [
      configIssue('D35', `sequence batching specifies more than one from ${LIST_NAMES} ${suffix}`, {
        path,
        hint: BOOLEAN_HINT,
        changes: lists.map(([name]) => setTo(path, onlyList(control, name), `Keep ${name} alone`)),
      }),
    ];
  }
  const [name, length] = first;
  if (length === 2) return [];
  return [
    configIssue('D35', `sequence batching control '${name}' must have exactly 2 entries ${suffix}`, {
      path: `${path}.${name}`,
      hint: `It has ${length}. ${BOOLEAN_HINT}`,
      changes: [setTo(`${path}.${name}`, name === 'bool_false_true' ? [false, true] : [0, 1])],
    }),
  ];
}

function checkCorrelationId(model: string, control: SequenceControl, path: string): ConfigIssue[] {
  const issues: ConfigIssue[] = [];
  const [list] = givenLists(control);
  if (list !== undefined) {
    issues.push(
      configIssue(
        'D35',
        `sequence batching must not specify ${LIST_CHOICE} for CONTROL_SEQUENCE_CORRID for ${model}`,
        {
          path: `${path}.${list[0]}`,
          hint: 'A correlation id has a data_type, not a false and true value.',
          changes: [removeAt(`${path}.${list[0]}`)],
        },
      ),
    );
  }
  if (!CORRID_TYPES.has(control.dataType)) {
    issues.push(
      configIssue(
        'D35',
        `unexpected data type for control CONTROL_SEQUENCE_CORRID for ${model}. Allowed data types are TYPE_UINT64, TYPE_INT64, TYPE_UINT32, TYPE_INT32 and TYPE_STRING`,
        {
          path: `${path}.data_type`,
          hint: `It is ${control.dataType}; write data_type: TYPE_UINT64.`,
          changes: [setTo(`${path}.data_type`, 'TYPE_UINT64')],
        },
      ),
    );
  }
  return issues;
}

function checkStrategy(config: ModelConfig, batching: ModelSequenceBatching): ConfigIssue[] {
  const issues: ConfigIssue[] = [];
  if (batching.oldest !== undefined) {
    issues.push(
      ...checkPreferredSizes(config, batching.oldest.preferredBatchSize, {
        path: `${PATH}.oldest.preferred_batch_size`,
        subject: 'sequence batching preferred batch size',
        code: 'D35',
      }),
    );
  }
  const share = batching.direct?.minimumSlotUtilization ?? 0;
  if (share < 0 || share > 1) {
    issues.push(
      configIssue(
        'D35',
        `sequence batching minimum slot utilization must be in range (0.0, 1.0] for ${config.name}`,
        {
          path: `${PATH}.direct.minimum_slot_utilization`,
          hint: `It is ${share}; 0 turns it off.`,
          changes: [removeAt(`${PATH}.direct.minimum_slot_utilization`)],
        },
      ),
    );
  }
  return issues;
}

/** Checks made when the sequence scheduler of a version is created. */
export function checkSequenceStates(config: ModelConfig): ConfigIssue[] {
  const issues: ConfigIssue[] = [];
  const names = new Set<string>();
  for (const [index, state] of (config.sequenceBatching?.state ?? []).entries()) {
    const path = `${PATH}.state[${index}]`;
    const initial = state.initialState.length;
    if (initial > 1) {
      issues.push(
        configIssue(
          'D36',
          `initial_state field for state input '${state.inputName}' must contain exactly one or zero element. Found '${initial}' elements.`,
          { path: `${path}.initial_state`, hint: 'Keep one initial_state.' },
        ),
      );
    } else if (initial === 1) {
      issues.push(...checkInitialState(state, `${path}.initial_state[0]`));
    }
    if (names.has(state.inputName)) {
      issues.push(
        configIssue('D36', `State input name '${state.inputName}' specified more than once.`, {
          path: `${path}.input_name`,
          hint: 'Each state has a model input of its own.',
        }),
      );
    }
    names.add(state.inputName);
  }
  return issues;
}

function checkInitialState(state: SequenceState, path: string): ConfigIssue[] {
  const [initial] = state.initialState;
  if (initial === undefined) return [];
  const input = state.inputName;
  const issues: ConfigIssue[] = [];
  if (initial.dataType !== state.dataType) {
    issues.push(
      configIssue(
        'D36',
        `The data type used for 'initial_state' field of state '${input}' does not match the state data type.`,
        {
          path: `${path}.data_type`,
          hint: `The state has ${state.dataType}.`,
          changes: [setTo(`${path}.data_type`, state.dataType)],
        },
      ),
    );
  }
  if (initial.name === '') {
    issues.push(
      configIssue('D36', `Field 'name' must be set when using initial_state for state input '${input}'.`, {
        path,
        hint: 'Write name: "initial state" or any other text.',
        changes: [setTo(`${path}.name`, 'initial state')],
      }),
    );
  }
  issues.push(...checkInitialDims(state, initial.dims, `${path}.dims`));
  if (initial.zeroData === undefined && initial.dataFile === undefined) {
    issues.push(
      configIssue('D36', `initial_state setting expects state'${input}' to have state_data set`, {
        path,
        hint: 'Write zero_data: true or data_file: "...".',
        changes: [setTo(`${path}.zero_data`, true)],
      }),
    );
  }
  return issues;
}

function checkInitialDims(state: SequenceState, dims: readonly number[], path: string): ConfigIssue[] {
  const input = state.inputName;
  const fixed = state.dims.map((dim) => Math.max(1, dim));
  if (dims.length !== state.dims.length) {
    return [
      configIssue(
        'D36',
        `Number of dimensions in 'initial_state' doesn't match the size of 'state' dimensions for state input '${input}'. ${dims.length} != ${state.dims.length}`,
        { path, hint: `The state has dims [${state.dims.join(', ')}].`, changes: [setTo(path, fixed)] },
      ),
    ];
  }
  const issues: ConfigIssue[] = [];
  if (dims.includes(-1)) {
    issues.push(
      configIssue(
        'D36',
        `'initial_state' field for state input name '${input}' contains variable dimensions.`,
        { path, hint: 'A first value needs a fixed shape.', changes: [setTo(path, fixed)] },
      ),
    );
  }
  const wrong = state.dims.findIndex((dim, index) => dim !== -1 && dims[index] !== -1 && dim !== dims[index]);
  if (wrong >= 0) {
    issues.push(
      configIssue(
        'D36',
        `'initial_state' dim for input name '${input}' doesn't match 'state' dim description. ${dims[wrong]} != ${state.dims[wrong]}`,
        {
          path: `${path}[${wrong}]`,
          hint: `The state has dims [${state.dims.join(', ')}].`,
          changes: [setTo(`${path}[${wrong}]`, state.dims[wrong])],
        },
      ),
    );
  }
  return issues;
}
