// Traces in OpenTelemetry's mode: the spans that each kind of request leaves, their parents, attributes and events.

import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import type { ReceivedSpan } from '../../src-main/testing/otlp-receiver.ts';
import { Metadata } from '@grpc/grpc-js';
import { grpcCall, grpcStream } from './grpc-exchange.ts';
import { post } from './http-calls.ts';
import { ask, floats, infer, wait } from './life-calls.ts';
import { hideVolatile } from './normalise.ts';
import { answering, ECHO_MODEL, executing, ONE_TO_ONE, pythonFiles } from './python-models.ts';
import type { ReferenceCase, Target } from './reference-case.ts';
import type { Scene } from './scene.ts';
import type { WireCase } from './wire-cases.ts';

export const step = (model: string, from: string, to: string): string =>
  `{ model_name: "${model}" model_version: -1 input_map { key: "INPUT0" value: "${from}" } output_map { key: "OUTPUT0" value: "${to}" } }`;
export const ensemble = (name: string, ...steps: readonly string[]): RepositoryFiles => ({
  [`${name}/config.pbtxt`]: `platform: "ensemble"\n${ONE_TO_ONE}\nensemble_scheduling { step [ ${steps.join(', ')} ] }\n`,
  [`${name}/1/`]: '',
});
const ASKS =
  answering(`asked = pb_utils.InferenceRequest(model_name="echo", requested_output_names=["OUTPUT0"], inputs=[pb_utils.Tensor("INPUT0", first(request))], trace=request.trace()).exec()
response = pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", asked.output_tensors()[0].as_numpy())])`);
const ASKS_UNTRACED = ASKS.replace(', trace=request.trace()', '');
const STREAM = executing(`for request in requests:
    sender = request.get_response_sender()
    for value in first(request).reshape(-1):
        sender.send(pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", np.array([value], np.float32))]))
    sender.send(flags=pb_utils.TRITONSERVER_RESPONSE_COMPLETE_FINAL)
return None`);
const models: RepositoryFiles = {
  ...pythonFiles('echo', ECHO_MODEL),
  ...pythonFiles('raises', answering('raise ValueError("on purpose")')),
  ...pythonFiles('asks', ASKS),
  ...pythonFiles('asks_untraced', ASKS_UNTRACED),
  ...pythonFiles('cached', ECHO_MODEL, `${ONE_TO_ONE}\nresponse_cache { enable: true }`),
  ...pythonFiles('streams', STREAM, `${ONE_TO_ONE}\nmodel_transaction_policy { decoupled: true }`),
  ...ensemble('chain', step('echo', 'INPUT0', 'x'), step('echo', 'x', 'OUTPUT0')),
  ...ensemble('nested', step('chain', 'INPUT0', 'OUTPUT0')),
};

const QUIET_MS = 700;
const QUIET_TRIES = 3;

/** What came after `act` until nothing more comes; numbers of traces and spans as places in the list, times left out. */
async function spansOf(target: Target, act: () => Promise<unknown>): Promise<readonly unknown[]> {
  const received = target.spans;
  if (received === undefined) throw new Error('this scene has no receiver');
  const before = received.spans.length;
  const answer = await act().then((given) => hideAnswer(given, target));
  // On a busy machine the first ones take longer than the next.
  for (let tries = 0; tries < QUIET_TRIES && received.spans.length === before; tries += 1)
    await wait(QUIET_MS);
  let seen = -1;
  while (seen !== received.spans.length) {
    seen = received.spans.length;
    await wait(QUIET_MS);
  }
  const spans = received.spans.slice(before);
  const texts = spans.map((span) => JSON.stringify(described(span, spans)));
  return [
    { step: 'answer', answer },
    { step: 'number of spans', count: spans.length },
    ...texts.sort().map((span, index) => ({ step: `span ${index}`, span: JSON.parse(span) as unknown })),
  ];
}

/** Folders of models, and what a Python model's error says of them. */
const hideAnswer = (answer: unknown, target: Target): unknown =>
  JSON.parse(hideVolatile(JSON.stringify(answer), target)) as unknown;

/** By the numbers of requests: which spans of two traces arrive first is a matter of time. */
function firstTrace(all: readonly ReceivedSpan[]): string | undefined {
  const numbered = all.filter(({ attributes }) => attributes['triton.trace_id'] !== undefined);
  const idOf = ({ attributes }: ReceivedSpan): number => Number(attributes['triton.trace_id']);
  return (numbered.toSorted((a, b) => idOf(a) - idOf(b))[0] ?? all[0])?.traceId;
}

function described(span: ReceivedSpan, all: readonly ReceivedSpan[]): object {
  const parent = all.find(({ spanId }) => spanId === span.parentSpanId);
  const attributes = { ...span.attributes };
  const ids = all.map((one) => Number(one.attributes['triton.trace_id'])).filter((id) => !Number.isNaN(id));
  const first = Math.min(...ids);
  for (const name of ['triton.trace_id', 'triton.trace_parent_id'])
    if (Number(attributes[name]) > 0) attributes[name] = Number(attributes[name]) - first;
  const times = [span.startTimeUnixNano, ...span.events.map(({ timeUnixNano }) => timeUnixNano)].map(BigInt);
  return {
    name: span.name,
    kind: span.kind,
    parent: parent?.name ?? span.parentSpanId.replace(/^(?!0{8}|1{16}).+$/, 'another'),
    traceState: span.traceState,
    isOfFirstTrace: span.traceId === firstTrace(all),
    isOfGivenTrace: span.traceId === GIVEN,
    attributes,
    events: span.events.map(({ name }) => name),
    isAfterItsStart: times.every((time) => time >= (times[0] ?? 0n)),
    isEndedAfter: BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano),
  };
}

const GIVEN = '0af7651916cd43dd8448eb211c80319c';
export const PARENT = `00-${GIVEN}-1111111111111111-01`;
export const headed = (call: WireCase, headers: Record<string, string>): WireCase => ({ ...call, headers });
export const traced = (name: string, act: (target: Target) => Promise<unknown>): ReferenceCase => ({
  name: `spans of ${name}`,
  run: (target) => spansOf(target, () => act(target)),
});
export const request = (model: string, id = ''): Record<string, unknown> => ({
  model_name: model,
  id,
  inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [2] }],
  raw_input_contents: [Buffer.alloc(8)],
});
export const metadata = (pairs: Readonly<Record<string, string>>): Metadata => {
  const found = new Metadata();
  for (const [key, value] of Object.entries(pairs)) found.set(key, value);
  return found;
};

/** What the library says of itself is its own. */
const ownAttributes = (resource: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(
    Object.entries(resource)
      .filter(([name]) => !name.startsWith('telemetry.'))
      .sort(),
  );

const CASES: readonly ReferenceCase[] = [
  traced('a request', (target) => ask(target, infer('echo'))),
  traced('a request with an id', (target) => ask(target, infer('echo', { id: 'named', ...floats([1]) }))),
  traced('a request with a parent', (target) =>
    ask(target, headed(infer('echo'), { traceparent: PARENT, tracestate: 'a=b,c=d' })),
  ),
  traced('a request with a parent that was not sampled', (target) =>
    ask(target, headed(infer('echo'), { traceparent: PARENT.replace(/01$/, '00') })),
  ),
  ...[
    'nonsense',
    PARENT.replace(/^00/, 'ff'),
    PARENT.replace(/^00/, '01'),
    PARENT.toUpperCase(),
    `${PARENT}-more`,
    PARENT.replace('1111111111111111', '0000000000000000'),
    PARENT.replace(GIVEN, '0'.repeat(32)),
  ].map((traceparent) =>
    traced(`a request with the parent '${traceparent}'`, (target) =>
      ask(target, headed(infer('echo'), { traceparent })),
    ),
  ),
  traced('a failure', (target) => ask(target, infer('raises'))),
  traced('an unknown model', (target) => ask(target, infer('nope'))),
  traced('an ensemble', (target) => ask(target, infer('chain'))),
  traced('an ensemble of an ensemble', (target) => ask(target, infer('nested'))),
  traced('a model that asks another', (target) => ask(target, infer('asks'))),
  traced('a model that asks another without a trace', (target) => ask(target, infer('asks_untraced'))),
  traced('a miss', (target) => ask(target, infer('cached', floats([7])))),
  traced('a hit', (target) => ask(target, infer('cached', floats([7])))),
  traced('generate', (target) => ask(target, post('/v2/models/echo/generate', { INPUT0: [1, 2] }))),
  traced('generate with a parent', (target) =>
    ask(target, headed(post('/v2/models/echo/generate', { INPUT0: [1] }), { traceparent: PARENT })),
  ),
  traced('generate_stream', (target) =>
    ask(target, post('/v2/models/streams/generate_stream', { INPUT0: [1, 2] })),
  ),
  traced('gRPC', ({ grpcPort }) => grpcCall(grpcPort, 'ModelInfer', request('echo', 'g'))),
  traced('gRPC with a parent', ({ grpcPort }) =>
    grpcCall(grpcPort, 'ModelInfer', request('echo'), metadata({ traceparent: PARENT })),
  ),
  traced('a failure over gRPC', ({ grpcPort }) => grpcCall(grpcPort, 'ModelInfer', request('raises'))),
  traced('a stream', ({ grpcPort }) => grpcStream(grpcPort, [request('echo', 'a')])),
  traced('a decoupled stream', ({ grpcPort }) => grpcStream(grpcPort, [request('streams', 'a')])),
  {
    name: 'the resource of the spans',
    run: ({ spans }) =>
      Promise.resolve({
        resources: [...new Set((spans?.resources ?? []).map(ownAttributes))],
        scopes: [...new Set(spans?.scopes)],
        requests: [...new Set(spans?.requests.map((one) => JSON.stringify(one)))],
      }),
  },
];

const RARE: readonly ReferenceCase[] = [
  traced('the first of three', (target) => ask(target, infer('echo'))),
  traced('one with a parent', (target) => ask(target, headed(infer('echo'), { traceparent: PARENT }))),
  traced('the next', (target) => ask(target, infer('echo'))),
  traced('the one after', (target) => ask(target, infer('echo'))),
  traced('rate 0', async (target) => {
    const answer = await ask(target, post('/v2/trace/setting', { trace_rate: '0' }));
    return [String(answer).replace(/"trace_file":"[^"]*"/, ''), await ask(target, infer('echo'))];
  }),
  traced('rate 0 with a parent', (target) => ask(target, headed(infer('echo'), { traceparent: PARENT }))),
  traced('level OFF with a parent', async (target) => {
    await ask(target, post('/v2/trace/setting', { trace_level: ['OFF'] }));
    return ask(target, headed(infer('echo'), { traceparent: PARENT }));
  }),
  traced('a count of one', async (target) => {
    await ask(
      target,
      post('/v2/trace/setting', { trace_level: ['TIMESTAMPS'], trace_rate: '1', trace_count: '1' }),
    );
    return [
      await ask(target, infer('echo')),
      await ask(target, infer('echo')),
      await ask(target, headed(infer('echo'), { traceparent: PARENT })),
    ];
  }),
  traced('settings in this mode', (target) => ask(target, post('/v2/trace/setting', { log_frequency: '5' }))),
];

const scene = (name: string, cases: readonly ReferenceCase[], args: readonly string[]): Scene => ({
  name,
  repositories: () => [models],
  hasReceiver: true,
  args: [
    '--trace-config=mode=opentelemetry',
    '--trace-config=level=TIMESTAMPS',
    '--trace-config=opentelemetry,bsp_schedule_delay=100',
    '--cache-config=local,size=1048576',
    ...args,
  ],
  together: 'spans',
  cases,
});

export const SPAN_SCENES: readonly Scene[] = [
  scene('spans', CASES, [
    '--trace-config=rate=1',
    '--trace-config=opentelemetry,resource=team=blue=sky',
    '--trace-config=opentelemetry,resource=service.name=mine',
  ]),
  scene('rare spans', RARE, ['--trace-config=rate=3']),
];
