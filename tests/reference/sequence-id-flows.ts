// Ids of sequences over each protocol: of both kinds, up to their limits, for controls of each type; the same id over several
// protocols; ids that a model gives the requests it sends; sequences of decoupled models.

import { flowCase } from './flow.ts';
import type { Send } from './flow-calls.ts';
import { digits } from './flow-calls.ts';
import { telling, tensor } from './flow-models.ts';
import { answering, executing, pythonFiles } from './python-models.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';
import type { Id } from './sequence-flow-parts.ts';
import {
  ALL,
  batching,
  control,
  corrid,
  FlowSet,
  of,
  OLDEST,
  once,
  STRATEGIES,
} from './sequence-flow-parts.ts';

const WAYS: readonly NonNullable<Send['by']>[] = ['http', 'grpc'];
const set = new FlowSet('i');

const big = (text: string): Id => ({ http: digits(text), over: { int64_param: text } });
const unsigned = (text: string): Id => ({ http: digits(text), over: { uint64_param: text } });

const IDS: readonly Id[] = [
  1,
  '1',
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32 - 1,
  2 ** 32,
  big('9223372036854775807'),
  unsigned('9223372036854775808'),
  unsigned('18446744073709551615'),
  { http: digits('18446744073709551616'), over: { double_param: 1.5 } },
  { http: digits('-1'), over: { int64_param: '-1' } },
  { http: digits('1.0'), over: { bool_param: true } },
  { http: digits('1e3'), over: { string_param: '0' } },
  'a',
  'ä'.repeat(64),
  'ä'.repeat(65),
  'x'.repeat(128),
  'x'.repeat(129),
  '',
  0,
  { http: true, over: { bool_param: false } },
  { http: null, over: { int64_param: '0' } },
];

/** A text for a control of numbers, and a number for one of texts, break the memory of the reference. */
function fits(id: Id, by: Send['by'], type: string): boolean {
  const given = typeof id === 'object' ? (by === 'http' ? id.http : id.over) : id;
  const isText =
    (typeof given === 'string' && given !== '') ||
    (typeof given === 'object' && given !== null && 'string_param' in given);
  return type === 'none' || isText === (type === 'STRING');
}

for (const type of ['UINT64', 'INT64', 'UINT32', 'INT32', 'STRING', 'none'])
  set.add(
    `ids in ${type}`,
    batching(`${control('START')} ${type === 'none' ? '' : corrid(type)} ${OLDEST}`),
    (name) =>
      WAYS.flatMap((by) =>
        IDS.filter((id) => fits(id, by, type)).map((id) => once(of(name, id, 'se', { by }))),
      ),
    {},
    { gap: 0, isOrdered: false },
  );

for (const [strategy, text] of Object.entries(STRATEGIES)) {
  set.add(`across protocols, ${strategy}`, batching(`${ALL} ${text}`), (name) =>
    [
      once(of(name, 5, 's')),
      once(of(name, 5, '', { by: 'grpc' })),
      once(of(name, 5, '', { by: 'stream' })),
      once(of(name, 5, 'e')),
      once(of(name, 5, '', { by: 'stream', id: 'late' })),
      1,
      once(of(name, 7, 's', { by: 'grpc' })),
      once(of(name, 8, 's', { by: 'stream' })),
      once(of(name, 7, 'e')),
      once(of(name, 8, 'e', { by: 'grpc' })),
    ].filter((one) => typeof one === 'number' || one.id !== 'late'),
  );
  set.add(
    `numbers and texts of the same digits, ${strategy}`,
    batching(`${control('START')} ${text}`),
    (name) => [
      once(of(name, 5, 's')),
      once(of(name, '5', '')),
      once(of(name, '5', 's', { by: 'grpc' })),
      once(of(name, 5, 'e')),
      once(of(name, '5', '', { by: 'grpc' })),
      once(of(name, 5, '')),
      once(of(name, '5', 'e')),
    ],
  );
}

/** Calls a model with an id of as many letters as the value says; of two bytes each below zero. */
const CALLS = answering(`value = int(first(request).reshape(-1)[0])
name = ("x" if value > 0 else "ä") * abs(value)
asked = pb_utils.InferenceRequest(model_name="called", requested_output_names=["OUTPUT0"], inputs=[pb_utils.Tensor("INPUT0", np.zeros([1, 1], np.float32))], correlation_id=name, flags=pb_utils.TRITONSERVER_REQUEST_FLAG_SEQUENCE_START + pb_utils.TRITONSERVER_REQUEST_FLAG_SEQUENCE_END)
found = asked.exec()
text = found.error().message() if found.has_error() else found.output_tensors()[0].as_numpy().reshape(-1)[0].decode()
response = pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", np.array([text], dtype=object))])`);
set.add('ids that a model gives', batching(`${control('START')} ${OLDEST}`), () =>
  [1, 128, 129, -1, -64, -65].map((takes) =>
    once({ to: 'calls', inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [1], data: [takes] }] }),
  ),
);
Object.assign(
  set.files,
  telling('called', batching(`${control('START')} ${OLDEST}`), { size: 4 }),
  pythonFiles(
    'calls',
    CALLS,
    `input [ ${tensor('INPUT0')} ]\noutput [ ${tensor('OUTPUT0', '', 'STRING', '1')} ]\ninstance_group [ { kind: KIND_CPU count: 1 } ]`,
  ),
);

/** Of a sequence each request is answered as many times as its value says, the last time with the flag. */
const SENDS = executing(`for request in requests:
    sender = request.get_response_sender()
    for index in range(int(first(request).reshape(-1)[0])):
        sender.send(pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", np.array([[index, request.flags(), first(request, "START").reshape(-1)[0]]], np.float32))]))
        time.sleep(0.03)
    sender.send(flags=pb_utils.TRITONSERVER_RESPONSE_COMPLETE_FINAL)
return None`);
for (const [strategy, text] of Object.entries(STRATEGIES)) {
  const name = `sends_${strategy}`;
  Object.assign(
    set.files,
    pythonFiles(
      name,
      SENDS,
      `max_batch_size: 4\ninput [ ${tensor('INPUT0')} ]\noutput [ ${tensor('OUTPUT0')} ]\ninstance_group [ { kind: KIND_CPU count: 1 } ]
model_transaction_policy { decoupled: true }\n${batching(`${control('START')} ${text}`)}`,
    ),
  );
  const streamed = (id: number, flags: string, takes: number): Send =>
    of(name, id, flags, { takes, by: 'stream' });
  set.flows[`decoupled, ${strategy}`] = {
    models: [name],
    moves: [
      streamed(1, 's', 3),
      500,
      streamed(1, '', 1),
      300,
      streamed(1, 'e', 2),
      300,
      streamed(1, '', 1),
      300,
      streamed(2, 's', 1),
      300,
      of(name, 2, '', { takes: 1 }),
      of(name, 2, '', { takes: 1, by: 'grpc' }),
      streamed(2, 'e', 1),
    ],
    isOrdered: false,
  };
}

export const SEQUENCE_ID_FLOW_SCENE: Scene = {
  name: 'flows of ids',
  repositories: sameFor(set.files),
  args: ['--model-control-mode=explicit', '--load-model=*', '--exit-on-error=false'],
  atOnce: 3,
  cases: Object.entries(set.flows).map(([name, one]) => flowCase(`sequences, ${name}`, one)),
};
