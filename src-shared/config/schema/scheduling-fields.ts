// Schema of the schedulers: dynamic batching, sequence batching with its controls and states, ensembles.

import { enumeration, many, mapOf, message, one } from './field-types.ts';
import { DATA_TYPE, DIMS_LIMITS } from './tensor-fields.ts';

const MICROSECONDS = { unit: 'microseconds', defaultText: '0' };

const TIMEOUT_ACTION = enumeration('ModelQueuePolicy.TimeoutAction', [
  ['REJECT', 'Answer with an error.'],
  ['DELAY', 'Serve after all requests that have not timed out.'],
]);

export const QUEUE_POLICY = message('ModelQueuePolicy', 'What a queue does with waiting requests.', [
  one('timeout_action', 1, TIMEOUT_ACTION, 'What happens to a request that waited too long.', {
    defaultText: 'REJECT',
  }),
  one('default_timeout_microseconds', 2, 'uint64', 'Longest wait in the queue; 0 is no limit.', MICROSECONDS),
  one('allow_timeout_override', 3, 'bool', 'A request may ask for a shorter wait.', { defaultText: 'false' }),
  one('max_queue_size', 4, 'uint32', 'Requests that may wait; more are refused at once. 0 is no limit.', {
    unit: 'requests',
    defaultText: '0',
    effect: 'A full queue answers 503 instead of growing.',
  }),
]);

const PREFERRED_BATCH_SIZES = {
  defaultText: '[ max_batch_size ]',
  limits: '1 to max_batch_size',
  effect: 'The default is usually the best choice.',
};

const QUEUE_DELAY = {
  ...MICROSECONDS,
  example: 'max_queue_delay_microseconds: 100',
  effect: 'Raises latency by at most this much; 100 microseconds are 0.1 ms.',
};

/** Two batchers have these, under numbers of their own. */
const preferredBatchSizes = (number: number) =>
  many(
    'preferred_batch_size',
    number,
    'int32',
    'Batch sizes that are sent off without further waiting.',
    PREFERRED_BATCH_SIZES,
  );
const queueDelay = (number: number) =>
  one(
    'max_queue_delay_microseconds',
    number,
    'uint64',
    'Longest a request waits for others to fill a batch.',
    QUEUE_DELAY,
  );

export const DYNAMIC_BATCHING = message('ModelDynamicBatching', 'Combines waiting requests into batches.', [
  preferredBatchSizes(1),
  queueDelay(2),
  one('preserve_ordering', 3, 'bool', 'Responses leave in the order in which requests came.', {
    defaultText: 'false',
    limits: 'only with one priority level and without DELAY policies',
  }),
  one('priority_levels', 4, 'uint64', 'Number of priority levels; 1 is served first. 0 is no priorities.', {
    defaultText: '0',
  }),
  one('default_priority_level', 5, 'uint64', 'Level of a request that names none.', {
    limits: '1 to priority_levels; required with priority_levels',
  }),
  one('default_queue_policy', 6, QUEUE_POLICY, 'Policy of levels without one of their own.', {
    defaultText: 'no time-out, no size limit',
  }),
  mapOf('priority_queue_policy', 7, 'uint64', QUEUE_POLICY, 'Policy per priority level.', {
    limits: 'keys 1 to priority_levels',
  }),
]);

const CONTROL_KIND = enumeration('ModelSequenceBatching.Control.Kind', [
  ['CONTROL_SEQUENCE_START', 'True on the first request of a sequence.'],
  ['CONTROL_SEQUENCE_READY', 'True where the batch slot holds a request.'],
  ['CONTROL_SEQUENCE_END', 'True on the last request of a sequence.'],
  ['CONTROL_SEQUENCE_CORRID', 'The correlation id of the sequence.'],
]);

const FALSE_TRUE = { limits: 'exactly 2 values: false, true; one of the three lists' };

export const CONTROL = message('ModelSequenceBatching.Control', 'What a control tensor tells the model.', [
  one('kind', 1, CONTROL_KIND, 'Meaning of the tensor.', { defaultText: 'CONTROL_SEQUENCE_START' }),
  many('int32_false_true', 2, 'int32', 'Values of an INT32 control for false and true.', {
    ...FALSE_TRUE,
    example: 'int32_false_true: [ 0, 1 ]',
  }),
  many('fp32_false_true', 3, 'float', 'Values of an FP32 control for false and true.', FALSE_TRUE),
  many('bool_false_true', 5, 'bool', 'Values of a BOOL control for false and true.', FALSE_TRUE),
  one('data_type', 4, DATA_TYPE, 'Element type of a CORRID control.', {
    limits: 'UINT64, INT64, UINT32, INT32 or STRING; CORRID only',
  }),
]);

export const CONTROL_INPUT = message(
  'ModelSequenceBatching.ControlInput',
  'A model input that the server fills.',
  [
    one('name', 1, 'string', 'Name of the model input.', { limits: 'not empty, used once' }),
    many('control', 2, CONTROL, 'What the tensor tells.'),
  ],
);

export const INITIAL_STATE = message('ModelSequenceBatching.InitialState', 'First value of a state.', [
  one('data_type', 1, DATA_TYPE, 'Element type; equal to that of the state.'),
  many('dims', 2, 'int64', 'Shape, without -1.', { isJsonString: true, limits: 'each 1 or more' }),
  one('zero_data', 3, 'bool', 'Start with zeros (empty strings).', { oneof: 'state_data' }),
  one('data_file', 4, 'string', 'Start with a raw file in the folder initial_state.', {
    oneof: 'state_data',
  }),
  one('name', 5, 'string', 'Name of this setting.', { limits: 'not empty' }),
]);

export const STATE = message(
  'ModelSequenceBatching.State',
  'A tensor kept between the requests of a sequence.',
  [
    one('input_name', 1, 'string', 'Model input that receives the state.', { limits: 'used once' }),
    one('output_name', 2, 'string', 'Model output that gives the next state.'),
    one('data_type', 3, DATA_TYPE, 'Element type of the state.'),
    many('dims', 4, 'int64', 'Shape of the state, without the batch dimension.', { limits: DIMS_LIMITS }),
    many('initial_state', 5, INITIAL_STATE, 'First value.', { limits: 'at most one', defaultText: 'zeros' }),
    one('use_same_buffer_for_input_output', 6, 'bool', 'The model updates the state in place.', {
      defaultText: 'false',
    }),
    one('use_growable_memory', 7, 'bool', 'The buffer may grow without moving (GPU only).', {
      defaultText: 'false',
    }),
  ],
);

const STRATEGY_DIRECT = message(
  'ModelSequenceBatching.StrategyDirect',
  'Each sequence keeps one batch slot.',
  [
    one('max_queue_delay_microseconds', 1, 'uint64', 'Longest wait for other slots to fill.', QUEUE_DELAY),
    one('minimum_slot_utilization', 2, 'float', 'Share of slots that is worth running without the wait.', {
      limits: '0 to 1',
      defaultText: '0',
    }),
  ],
);

const STRATEGY_OLDEST = message(
  'ModelSequenceBatching.StrategyOldest',
  'Batches are made of the oldest waiting sequences.',
  [
    one('max_candidate_sequences', 1, 'int32', 'Sequences that are active at the same time.', {
      defaultText: 'max_batch_size',
    }),
    preferredBatchSizes(2),
    queueDelay(3),
    one('preserve_ordering', 4, 'bool', 'Responses leave in the order in which requests came.', {
      defaultText: 'false',
    }),
  ],
);

export const SEQUENCE_BATCHING = message(
  'ModelSequenceBatching',
  'Sends all requests of a sequence to the same instance.',
  [
    one('direct', 3, STRATEGY_DIRECT, 'One batch slot per sequence.', {
      oneof: 'strategy_choice',
      defaultText: 'used when no strategy is set',
    }),
    one('oldest', 4, STRATEGY_OLDEST, 'Dynamic batches over the oldest sequences.', {
      oneof: 'strategy_choice',
    }),
    one('max_sequence_idle_microseconds', 1, 'uint64', 'A sequence without requests for this long is over.', {
      unit: 'microseconds',
      defaultText: '1000000',
    }),
    many('control_input', 2, CONTROL_INPUT, 'Model inputs that tell start, end, readiness and id.'),
    many('state', 5, STATE, 'Tensors that the server keeps between requests.'),
    one('iterative_sequence', 6, 'bool', 'A request may be scheduled again until the model ends it.', {
      defaultText: 'false',
    }),
  ],
);

export const STEP = message('ModelEnsembling.Step', 'One composing model and its wiring.', [
  one('model_name', 1, 'string', 'Model that this step calls.', { limits: 'not empty' }),
  one('model_version', 2, 'int64', 'Version to call; -1 is the newest that is ready.', {
    defaultText: '0, which means version 0: write -1',
    example: 'model_version: -1',
  }),
  mapOf('input_map', 3, 'string', 'string', 'Input of the model (key) from an ensemble tensor (value).', {
    limits: 'not empty',
    example: 'input_map { key: "INPUT0" value: "image" }',
  }),
  mapOf('output_map', 4, 'string', 'string', 'Output of the model (key) to an ensemble tensor (value).', {
    limits: 'not empty; a tensor is written once',
    example: 'output_map { key: "OUTPUT0" value: "scores" }',
  }),
  one('model_namespace', 5, 'string', 'Filled by the server.'),
]);

export const ENSEMBLE_SCHEDULING = message('ModelEnsembling', 'Runs other models as a graph.', [
  many('step', 1, STEP, 'Steps, in any order: the tensors decide what runs when.', {
    limits: 'at least one',
  }),
  one(
    'max_inflight_requests',
    2,
    'uint32',
    'Responses of a decoupled step under way at a time; 0 is no limit.',
    {
      defaultText: '0',
    },
  ),
]);
