// Spans of requests that take other ways: queues, batches, sequences, refusals, time limits, calls between models, ensembles
// that fail or send several responses, requests that are given up; and what the settings and the exporter's options change.

import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { grpcCall, grpcCancelled, grpcStream } from './grpc-exchange.ts';
import { get, post } from './http-calls.ts';
import { ask, floats, infer, load, together, unload, wait } from './life-calls.ts';
import { answering, ECHO_MODEL, executing, ONE_TO_ONE, pythonFiles } from './python-models.ts';
import type { ReferenceCase } from './reference-case.ts';
import type { Scene } from './scene.ts';
import { ensemble, headed, metadata, PARENT, request, step, traced } from './span-cases.ts';

const SLEEPS = answering(`time.sleep(float(first(request).reshape(-1)[0]) / 10)
response = pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", first(request))])`);
const PLAYS = executing(`for request in requests:
    sender = request.get_response_sender()
    for value in first(request).reshape(-1):
        time.sleep(0.06)
        if value < 0:
            sender.send(pb_utils.InferenceResponse(error=pb_utils.TritonError("below zero")))
        else:
            sender.send(pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", np.array([value], np.float32))]))
    # Responses that come at once are sent one behind the other, or in turns: a matter of time.
    time.sleep(0.06)
    sender.send(flags=pb_utils.TRITONSERVER_RESPONSE_COMPLETE_FINAL)
return None`);
const call = (model: string, more: string): string =>
  answering(`asked = pb_utils.InferenceRequest(model_name="${model}", requested_output_names=["OUTPUT0"], inputs=[pb_utils.Tensor("INPUT0", first(request))]${more}).exec()
if asked.has_error():
    response = pb_utils.InferenceResponse(error=asked.error())
else:
    response = pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", asked.output_tensors()[0].as_numpy())])`);
const TRACE = ', trace=request.trace()';
const ROWS = `${ONE_TO_ONE}\nmax_batch_size: 4\ninstance_group [ { kind: KIND_CPU } ]`;
const DECOUPLED = `${ONE_TO_ONE}\nmodel_transaction_policy { decoupled: true }`;
const sequence = (strategy: string): string =>
  `${ROWS}\nsequence_batching { max_sequence_idle_microseconds: 60000000 ${strategy} }`;

const FEW: RepositoryFiles = {
  ...pythonFiles('echo', ECHO_MODEL),
  ...pythonFiles(
    'error',
    answering('response = pb_utils.InferenceResponse(error=pb_utils.TritonError("no"))'),
  ),
  ...ensemble('chain', step('echo', 'INPUT0', 'x'), step('echo', 'x', 'OUTPUT0')),
};
const models: RepositoryFiles = {
  ...FEW,
  ...pythonFiles('raises', answering('raise ValueError("on purpose")')),
  ...pythonFiles('nothing', answering('response = pb_utils.InferenceResponse([])')),
  ...pythonFiles('batch', ECHO_MODEL, `${ROWS}\ndynamic_batching { max_queue_delay_microseconds: 300000 }`),
  ...pythonFiles(
    'queue',
    SLEEPS,
    `${ROWS}\ndynamic_batching { default_queue_policy { max_queue_size: 1 timeout_action: REJECT default_timeout_microseconds: 300000 } }`,
  ),
  ...pythonFiles('direct', ECHO_MODEL, sequence('direct {}')),
  ...pythonFiles('oldest', ECHO_MODEL, sequence('oldest { max_candidate_sequences: 2 }')),
  ...pythonFiles('plays', PLAYS, DECOUPLED),
  ...pythonFiles('sleeps', SLEEPS),
  ...pythonFiles('deeper', call('deep', TRACE)),
  ...pythonFiles('deep', call('echo', TRACE)),
  ...pythonFiles('into_error', call('error', TRACE)),
  ...pythonFiles('into_refusal', call('wide', TRACE)),
  ...pythonFiles('wide', ECHO_MODEL, ONE_TO_ONE.replaceAll('-1', '7')),
  ...pythonFiles('into_nothing', call('nope', TRACE)),
  ...pythonFiles('into_chain', call('chain', TRACE)),
  ...pythonFiles('named', call('echo', `${TRACE}, request_id="inner", correlation_id=5`)),
  ...pythonFiles('cached', ECHO_MODEL, `${ONE_TO_ONE}\nresponse_cache { enable: true }`),
  ...pythonFiles(
    'warm',
    ECHO_MODEL,
    `${ONE_TO_ONE}\nmodel_warmup { name: "w" inputs { key: "INPUT0" value { data_type: TYPE_FP32 dims: [ 1 ] zero_data: true } } }`,
  ),
  ...ensemble('chain_error', step('error', 'INPUT0', 'x'), step('echo', 'x', 'OUTPUT0')),
  ...ensemble('chain_raises', step('echo', 'INPUT0', 'x'), step('raises', 'x', 'OUTPUT0')),
  ...ensemble('chain_nothing', step('nothing', 'INPUT0', 'x'), step('echo', 'x', 'OUTPUT0')),
  ...ensemble('chain_plays', step('plays', 'INPUT0', 'x'), step('echo', 'x', 'OUTPUT0')),
  ...ensemble('chain_cached', step('cached', 'INPUT0', 'OUTPUT0')),
  ...ensemble('chain_calls', step('deep', 'INPUT0', 'OUTPUT0')),
};

const row = (value: number, more: object = {}): object => ({ ...floats([value], [1, 1]), ...more });
const inSequence = (id: number | string, flags: string): object => ({
  parameters: {
    sequence_id: id,
    ...(flags.includes('s') ? { sequence_start: true } : {}),
    ...(flags.includes('e') ? { sequence_end: true } : {}),
  },
});
const parent = { traceparent: PARENT };

const FLOWS: readonly ReferenceCase[] = [
  traced('a batch of two', (target) =>
    together(
      target,
      [1, 2].map((value) => infer('batch', row(value))),
    ),
  ),
  traced('a queue that is full', (target) =>
    together(
      target,
      [4, 1, 1].map((value) => infer('queue', row(value))),
    ),
  ),
  traced('a request that waits too long', (target) =>
    together(
      target,
      [6, 1].map((value) => infer('queue', row(value))),
    ),
  ),
  traced('a batch too large', (target) => ask(target, infer('batch', floats([1, 2, 3, 4, 5], [5, 1])))),
  traced('a direct sequence', async (target) => [
    await ask(target, infer('direct', row(1, inSequence(5, 's')))),
    await ask(target, infer('direct', row(1, inSequence(5, 'e')))),
  ]),
  traced('a direct sequence without a start', (target) =>
    ask(target, infer('direct', row(1, inSequence(6, '')))),
  ),
  traced('an oldest sequence by text', async (target) => [
    await ask(target, infer('oldest', row(1, inSequence('text', 's')))),
    await ask(target, infer('oldest', row(1, inSequence('text', 'e')))),
  ]),
  traced('a request without a sequence', (target) => ask(target, infer('direct', row(1)))),
  traced('an error response', (target) => ask(target, infer('error'))),
  traced('a response without outputs', (target) => ask(target, infer('nothing'))),
  traced('a body that is no JSON', (target) => ask(target, post('/v2/models/echo/infer', '{'))),
  traced('a wrong type', (target) =>
    ask(target, infer('echo', { inputs: [{ name: 'INPUT0', datatype: 'INT32', shape: [1], data: [1] }] })),
  ),
  traced('a wrong input', (target) => ask(target, infer('echo', { inputs: [] }))),
  traced('an unknown version', (target) => ask(target, infer('echo/versions/7'))),
  traced('a version', (target) => ask(target, infer('echo/versions/1'))),
  traced('a decoupled model over HTTP', (target) => ask(target, infer('plays'))),
  traced('generate_stream with a parent', (target) =>
    ask(target, headed(post('/v2/models/plays/generate_stream', { INPUT0: [1, 2, 3] }), parent)),
  ),
  traced('generate_stream with errors', (target) =>
    ask(target, post('/v2/models/plays/generate_stream', { INPUT0: [1, -1] })),
  ),
  traced('generate_stream without a response', (target) =>
    ask(target, post('/v2/models/plays/generate_stream', { INPUT0: [] })),
  ),
  traced('generate that fails', (target) => ask(target, post('/v2/models/raises/generate', { INPUT0: [1] }))),
  traced('generate with a wrong field', (target) =>
    ask(target, post('/v2/models/echo/generate', { INPUT0: ['x'] })),
  ),
  traced('a model that asks one that asks one', (target) => ask(target, infer('deeper'))),
  traced('a model that asks one that fails', (target) => ask(target, infer('into_error'))),
  traced('a model that asks one that refuses', (target) => ask(target, infer('into_refusal'))),
  traced('a model that asks one that is not there', (target) => ask(target, infer('into_nothing'))),
  traced('a model that asks an ensemble', (target) => ask(target, infer('into_chain'))),
  traced('a model that asks by name', (target) => ask(target, infer('named'))),
  traced('a model that asks, with a parent', (target) => ask(target, headed(infer('deep'), parent))),
  traced('an ensemble whose first step fails', (target) => ask(target, infer('chain_error'))),
  traced('an ensemble whose last step fails', (target) => ask(target, infer('chain_raises'))),
  traced('an ensemble whose step gives nothing', (target) => ask(target, infer('chain_nothing'))),
  traced('an ensemble with a wrong type', (target) =>
    ask(target, infer('chain', { inputs: [{ name: 'INPUT0', datatype: 'INT32', shape: [1], data: [1] }] })),
  ),
  traced('an ensemble of a decoupled step', ({ grpcPort }) =>
    grpcStream(grpcPort, [{ ...request('chain_plays', 'd') }]),
  ),
  traced('an ensemble of a miss', (target) => ask(target, infer('chain_cached', floats([9])))),
  traced('an ensemble of a hit', (target) => ask(target, infer('chain_cached', floats([9])))),
  traced('an ensemble whose step asks another', (target) => ask(target, infer('chain_calls'))),
  traced('an ensemble over gRPC with a parent', ({ grpcPort }) =>
    grpcCall(grpcPort, 'ModelInfer', request('chain', 'e'), metadata(parent)),
  ),
  traced('gRPC with a state of the parent', ({ grpcPort }) =>
    grpcCall(grpcPort, 'ModelInfer', request('echo'), metadata({ ...parent, tracestate: 'a=b' })),
  ),
  traced('gRPC with a state alone', ({ grpcPort }) =>
    grpcCall(grpcPort, 'ModelInfer', request('echo'), metadata({ tracestate: 'a=b' })),
  ),
  traced('gRPC with baggage', ({ grpcPort }) =>
    grpcCall(grpcPort, 'ModelInfer', request('echo'), metadata({ ...parent, baggage: 'k=v' })),
  ),
  traced('HTTP with baggage', (target) => ask(target, headed(infer('echo'), { ...parent, baggage: 'k=v' }))),
  traced('HTTP with a state alone', (target) => ask(target, headed(infer('echo'), { tracestate: 'a=b' }))),
  traced('HTTP with an odd state', (target) =>
    ask(target, headed(infer('echo'), { ...parent, tracestate: '=,;,a==b,,x' })),
  ),
  traced('HTTP with the parent in capitals', (target) =>
    ask(target, headed(infer('echo'), { TRACEPARENT: PARENT })),
  ),
  traced('HTTP with other formats of a parent', (target) =>
    ask(
      target,
      headed(infer('echo'), {
        b3: '0af7651916cd43dd8448eb211c80319c-1111111111111111-1',
        'X-B3-Sampled': '1',
      }),
    ),
  ),
  traced('gRPC of an unknown model', ({ grpcPort }) => grpcCall(grpcPort, 'ModelInfer', request('nope'))),
  traced('gRPC with a wrong input', ({ grpcPort }) =>
    grpcCall(grpcPort, 'ModelInfer', { ...request('echo'), inputs: [] }),
  ),
  traced('a stream of several, some faulty', ({ grpcPort }) =>
    grpcStream(grpcPort, [request('echo', 'a'), request('nope', 'b'), request('raises', 'c')]),
  ),
  traced('a call that is given up', async ({ grpcPort }) => {
    const message = {
      ...request('sleeps', 'up'),
      inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [1] }],
      raw_input_contents: [Buffer.from(Float32Array.of(6).buffer)],
    };
    const code = await grpcCancelled(grpcPort, 'ModelInfer', message, 200);
    await wait(800);
    return code;
  }),
  traced('what is no inference', async (target) => [
    await ask(target, headed(get('/v2/health/ready'), parent)),
    await ask(target, headed(get('/v2/models/echo'), parent)),
    await grpcCall(target.grpcPort, 'ServerReady', {}, metadata(parent)),
  ]),
  traced('a load with a warm-up', async (target) => [
    await ask(target, unload('warm')),
    await ask(target, load('warm')),
  ]),
];

const set = (model: string, body: object): ReturnType<typeof post> =>
  post(`/v2${model === '' ? '' : `/models/${model}`}/trace/setting`, body);
const hidden = (answer: unknown): unknown =>
  JSON.parse(
    JSON.stringify(answer)
      .replaceAll(/\\"trace_file\\":\\"[^"]*\\"/g, '\\"trace_file\\":\\"#\\"')
      .replaceAll(/127\.0\.0\.1:\d+/g, '<receiver>'),
  );

// The level TENSORS ends the reference in this mode: not asked.
const SETTINGS: readonly ReferenceCase[] = [
  traced('a model of its own rate', async (target) => [
    hidden(await ask(target, set('echo', { trace_rate: '2' }))),
    await ask(target, infer('echo')),
    await ask(target, infer('echo')),
    await ask(target, infer('echo')),
    await ask(target, infer('error')),
  ]),
  traced('a model that is left out', async (target) => [
    hidden(await ask(target, set('echo', { trace_level: ['OFF'] }))),
    await ask(target, infer('echo')),
    await ask(target, infer('chain')),
    await ask(target, headed(infer('echo'), parent)),
  ]),
  traced('a model of its own count', async (target) => [
    hidden(await ask(target, set('echo', { trace_level: null, trace_rate: '1', trace_count: '1' }))),
    await ask(target, infer('echo')),
    await ask(target, infer('echo')),
    await ask(target, infer('chain')),
  ]),
  traced('a model cleared', async (target) => [
    hidden(await ask(target, set('echo', { trace_level: null, trace_rate: null, trace_count: null }))),
    await ask(target, infer('echo')),
  ]),
  traced('older names of levels', async (target) => [
    hidden(await ask(target, set('', { trace_level: ['MIN'] }))),
    await ask(target, infer('echo')),
    hidden(await ask(target, set('', { trace_level: ['MAX'] }))),
    await ask(target, infer('echo')),
  ]),
  traced('a file and a mode in this mode', async (target) => [
    hidden(await ask(target, set('', { trace_level: ['TIMESTAMPS'], trace_file: '/tmp/x' }))),
    hidden(await ask(target, set('', { trace_mode: 'triton' }))),
    hidden(await ask(target, get('/v2/trace/setting'))),
    hidden(await ask(target, get('/v2/models/echo/trace/setting'))),
    await ask(target, infer('echo')),
  ]),
];

const scene = (
  name: string,
  cases: readonly ReferenceCase[],
  more: readonly string[],
  { files = models, env = {} }: Pick<Scene, 'env'> & { readonly files?: RepositoryFiles } = {},
): Scene => ({
  name: `spans, ${name}`,
  repositories: () => [files],
  hasReceiver: true,
  args: [
    '--model-control-mode=explicit',
    '--load-model=*',
    '--cache-config=local,size=1048576',
    '--trace-config=mode=opentelemetry',
    '--trace-config=level=TIMESTAMPS',
    '--trace-config=rate=1',
    ...more,
  ],
  env,
  cases,
});

const RESOURCE: ReferenceCase = {
  name: 'the resource of the spans, named by the environment',
  run: async (target) => {
    await ask(target, infer('echo'));
    await wait(1500);
    const resources = (target.spans?.resources ?? []).map((one) =>
      JSON.stringify(
        Object.entries(one)
          .filter(([name]) => !name.startsWith('telemetry.'))
          .sort(),
      ),
    );
    return [...new Set(resources)];
  },
};

export const SPAN_FLOW_SCENES: readonly Scene[] = [
  scene('flows', FLOWS, ['--trace-config=opentelemetry,bsp_schedule_delay=100']),
  scene('settings', SETTINGS, ['--trace-config=opentelemetry,bsp_schedule_delay=100'], { files: FEW }),
  scene(
    'batches',
    [
      RESOURCE,
      traced('many with a small queue of spans', async (target) => {
        const answers: unknown[] = [];
        for (let index = 0; index < 5; index += 1) answers.push(await ask(target, infer('chain')));
        return answers;
      }),
    ],
    [
      '--trace-config=opentelemetry,bsp_schedule_delay=200',
      '--trace-config=opentelemetry,bsp_max_export_batch_size=2',
      '--trace-config=opentelemetry,bsp_max_queue_size=64',
    ],
    {
      files: FEW,
      env: {
        OTEL_RESOURCE_ATTRIBUTES: 'place=here,service.name=env',
        OTEL_SERVICE_NAME: 'of-the-environment',
      },
    },
  ),
];
