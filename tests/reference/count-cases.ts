// What statistics and metrics count after requests that were refused, failed, dropped from a queue, given up, answered
// several times or not at all, over both protocols, for models, ensembles and calls between models.

import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { grpcCall, grpcCancelled, grpcStream, grpcStreamCancelled } from './grpc-exchange.ts';
import { get, post, reply } from './http-calls.ts';
import { ask, floats, infer, load, together, unload, wait } from './life-calls.ts';
import { samplesOf } from './observability-cases.ts';
import { answering, ECHO_MODEL, executing, ONE_TO_ONE, pythonFiles } from './python-models.ts';
import type { ReferenceCase, Target } from './reference-case.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';
import { ensemble, step } from './span-cases.ts';

const SLEEPS = answering(`value = float(first(request).reshape(-1)[0])
time.sleep(abs(value) / 10)
if value < 0:
    response = pb_utils.InferenceResponse(error=pb_utils.TritonError("below zero"))
else:
    response = pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", first(request))])`);
const PLAYS = executing(`for request in requests:
    sender = request.get_response_sender()
    for value in first(request).reshape(-1):
        if value < 0:
            sender.send(pb_utils.InferenceResponse(error=pb_utils.TritonError("below zero")))
        elif value >= 100:
            time.sleep(float(value) / 1000)
        else:
            sender.send(pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", np.array([value], np.float32))]))
    sender.send(flags=pb_utils.TRITONSERVER_RESPONSE_COMPLETE_FINAL)
return None`);
const WITH_LAST = PLAYS.replace(
  '    for value',
  '    last = pb_utils.Tensor("OUTPUT0", first(request))\n            for value',
).replace('sender.send(flags=pb_utils', 'sender.send(pb_utils.InferenceResponse([last]), flags=pb_utils');
const calling = (model: string): string =>
  answering(`asked = pb_utils.InferenceRequest(model_name="${model}", requested_output_names=["OUTPUT0"], inputs=[pb_utils.Tensor("INPUT0", first(request))]).exec()
if asked.has_error():
    response = pb_utils.InferenceResponse(error=asked.error())
else:
    response = pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", asked.output_tensors()[0].as_numpy())])`);
const ROWS = `${ONE_TO_ONE}\nmax_batch_size: 4\ninstance_group [ { kind: KIND_CPU } ]`;
const DECOUPLED = `${ONE_TO_ONE}\nmodel_transaction_policy { decoupled: true }`;
const policy = (text: string): string =>
  `${ROWS}\ndynamic_batching { default_queue_policy { ${text} } preferred_batch_size: [ 1 ] }`;

/** What requests of ensembles have their decoupled step send: below zero an error, from 100 on a pause. */
const PLAYED: Readonly<Record<string, readonly (readonly number[])[]>> = {
  played_well: [
    [1, 150, 2, 150],
    [3, 150],
  ],
  played_error: [[-1, 150]],
  played_late_error: [[1, 150, -1, 150]],
  played_early_error: [[-1, 150, 1, 150]],
  played_errors: [[-1, 150, -1, 150]],
};

const models: RepositoryFiles = {
  ...pythonFiles('echo', ECHO_MODEL),
  ...pythonFiles('rows', SLEEPS, ROWS),
  ...pythonFiles('raises', answering('raise ValueError("on purpose")')),
  ...pythonFiles('short', executing('return []')),
  ...pythonFiles('nothing', answering('response = pb_utils.InferenceResponse([])')),
  ...pythonFiles('wrong', answering('response = "text"')),
  ...pythonFiles('full', SLEEPS, policy('max_queue_size: 1')),
  ...pythonFiles('late', SLEEPS, policy('default_timeout_microseconds: 200000')),
  ...pythonFiles('delayed', SLEEPS, policy('default_timeout_microseconds: 200000 timeout_action: DELAY')),
  ...pythonFiles('override', SLEEPS, policy('allow_timeout_override: true')),
  ...pythonFiles(
    'sequence',
    SLEEPS,
    `${ROWS}\nsequence_batching { direct {} max_sequence_idle_microseconds: 60000000 }`,
  ),
  ...pythonFiles('plays', PLAYS, DECOUPLED),
  ...pythonFiles('last', WITH_LAST, DECOUPLED),
  ...pythonFiles('played', PLAYS, DECOUPLED),
  ...pythonFiles('errors', PLAYS, DECOUPLED),
  ...pythonFiles('streamed', PLAYS, DECOUPLED),
  ...pythonFiles('broken', PLAYS, DECOUPLED),
  ...pythonFiles('calls', calling('called')),
  ...pythonFiles('called', SLEEPS),
  ...pythonFiles('calls_none', calling('nope')),
  ...pythonFiles('part', SLEEPS),
  ...pythonFiles('part_raises', answering('raise ValueError("on purpose")')),
  ...pythonFiles('part_plays', PLAYS, DECOUPLED),
  ...pythonFiles('part_end', ECHO_MODEL),
  ...pythonFiles('gone', SLEEPS, ROWS),
  ...pythonFiles('cached', SLEEPS, `${ONE_TO_ONE}\nresponse_cache { enable: true }`),
  ...ensemble('chain', step('part', 'INPUT0', 'x'), step('part_end', 'x', 'OUTPUT0')),
  ...ensemble('chain_raises', step('part_end', 'INPUT0', 'x'), step('part_raises', 'x', 'OUTPUT0')),
  ...Object.assign(
    {},
    ...Object.keys(PLAYED).map((name) =>
      ensemble(name, step('part_plays', 'INPUT0', 'x'), step('part_end', 'x', 'OUTPUT0')),
    ),
  ),
};

/** Statistics without times. Histograms of responses tell only how often. */
const blanked = (text: string): string =>
  text.replace(/"(ns|last_inference)":\d+/g, (_, key: string) => `"${key}":"#"`);

async function counts(target: Target, names: readonly string[]): Promise<readonly object[]> {
  const rows: object[] = [];
  await wait(300);
  for (const name of names) {
    const { status, body } = await reply(target.httpPort, get(`/v2/models/${name}/stats`));
    rows.push({ step: `statistics of ${name}`, status, body: blanked(body) });
    const overGrpc = await grpcCall(target.grpcPort, 'ModelStatistics', { name });
    const text = JSON.stringify(overGrpc.response)?.replace(/"(ns|last_inference)":"?\d+"?/g, '"$1":"#"');
    rows.push({
      step: `statistics of ${name} over gRPC`,
      code: overGrpc.code,
      response: JSON.parse(text ?? 'null') as unknown,
    });
    const metrics = await reply(target.metricsPort, get('/metrics'));
    rows.push({ step: `metrics of ${name}`, samples: samplesOf(metrics.body, name) });
  }
  return rows;
}

const counted = (
  title: string,
  names: readonly string[],
  act: (target: Target) => Promise<unknown>,
): ReferenceCase => ({
  name: `counts: ${title}`,
  run: async (target) => {
    const answers = await act(target);
    return [{ step: 'answers', answers }, ...(await counts(target, names))];
  },
});

const row = (value: number, more: object = {}): object => ({ ...floats([value], [1, 1]), ...more });
const message = (model: string, values: readonly number[], more: object = {}): Record<string, unknown> => ({
  model_name: model,
  id: 'named',
  inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [values.length] }],
  raw_input_contents: [Buffer.from(Float32Array.from(values).buffer)],
  ...more,
});
const inTurn = async (target: Target, calls: readonly ReturnType<typeof infer>[]): Promise<unknown> => {
  const answers: unknown[] = [];
  for (const call of calls) answers.push(await ask(target, call));
  return answers;
};
const wrong = { inputs: [{ name: 'INPUT0', datatype: 'INT32', shape: [1], data: [1] }] };

const CASES: readonly ReferenceCase[] = [
  counted('what is refused', ['echo'], async (target) => [
    await inTurn(target, [
      infer('echo', wrong),
      infer('echo', { inputs: [] }),
      infer('echo', { ...floats([1]), outputs: [{ name: 'X' }] }),
      post('/v2/models/echo/infer', '{'),
      infer('echo/versions/5'),
      post('/v2/models/echo/generate', { INPUT0: 'x' }),
      post('/v2/models/echo/generate', {}),
    ]),
    await grpcCall(target.grpcPort, 'ModelInfer', { ...message('echo', [1]), inputs: [] }),
    await grpcCall(target.grpcPort, 'ModelInfer', { ...message('echo', [1]), raw_input_contents: [] }),
  ]),
  counted('batches that are refused and one that is not', ['rows'], (target) =>
    inTurn(target, [
      infer('rows', floats([0, 0, 0, 0, 0], [5, 1])),
      infer('rows', floats([0], [1])),
      infer('rows', floats([0, 0, 0], [3, 1])),
    ]),
  ),
  counted('an exception', ['raises'], (target) => ask(target, infer('raises'))),
  counted('too few responses', ['short'], (target) => ask(target, infer('short'))),
  counted('a response without outputs', ['nothing'], (target) => ask(target, infer('nothing'))),
  counted('what is no response', ['wrong'], (target) => ask(target, infer('wrong'))),
  counted('a full queue', ['full'], (target) =>
    together(
      target,
      [5, 1, 1, 1].map((value) => infer('full', row(value))),
    ),
  ),
  counted('a time limit of the queue', ['late'], (target) =>
    together(
      target,
      [6, 1, 1].map((value) => infer('late', row(value))),
    ),
  ),
  counted('a time limit that delays', ['delayed'], (target) =>
    together(
      target,
      [6, 1, 1].map((value) => infer('delayed', row(value))),
    ),
  ),
  counted('a time limit of the request', ['override'], (target) =>
    together(target, [
      infer('override', row(6)),
      infer('override', row(1, { parameters: { timeout: 100_000 } })),
      infer('override', row(1)),
    ]),
  ),
  counted('faults of sequences', ['sequence'], (target) =>
    inTurn(target, [
      infer('sequence', row(0)),
      infer('sequence', row(0, { parameters: { sequence_id: 5 } })),
      infer('sequence', row(0, { parameters: { sequence_id: 5, sequence_start: true } })),
      infer('sequence', row(-1, { parameters: { sequence_id: 5 } })),
      infer('sequence', row(0, { parameters: { sequence_id: 5, sequence_end: true } })),
    ]),
  ),
  counted('several responses', ['plays'], ({ grpcPort }) =>
    grpcStream(grpcPort, [message('plays', [1, 2, 3]), message('plays', [4])]),
  ),
  counted('several responses, the last with its flag', ['last'], ({ grpcPort }) =>
    grpcStream(grpcPort, [message('last', [1, 2]), message('last', [])]),
  ),
  counted('no response of a decoupled model', ['played'], ({ grpcPort }) =>
    grpcStream(grpcPort, [message('played', [])]),
  ),
  counted('errors among responses', ['errors'], ({ grpcPort }) =>
    grpcStream(grpcPort, [message('errors', [1, -1, 2]), message('errors', [-1, -1])]),
  ),
  counted('a decoupled model over HTTP', ['streamed'], (target) =>
    inTurn(target, [
      infer('streamed', floats([1])),
      post('/v2/models/streamed/generate_stream', { INPUT0: [1, 2] }),
      post('/v2/models/streamed/generate', { INPUT0: [1] }),
      post('/v2/models/streamed/generate_stream', { INPUT0: 'x' }),
    ]),
  ),
  counted('a stream that is given up', ['broken'], async ({ grpcPort }) => {
    const code = await grpcStreamCancelled(grpcPort, message('broken', [1, 400, 2]), 150);
    await wait(700);
    return code;
  }),
  counted('a call that fails', ['calls', 'called'], (target) =>
    inTurn(target, [infer('calls', floats([0])), infer('calls', floats([-1]))]),
  ),
  counted('a call of nothing', ['calls_none'], (target) => ask(target, infer('calls_none', floats([0])))),
  counted('an ensemble whose first step fails', ['chain', 'part', 'part_end'], (target) =>
    inTurn(target, [infer('chain', floats([0])), infer('chain', floats([-1])), infer('chain', wrong)]),
  ),
  counted('an ensemble whose step raises', ['chain_raises', 'part_raises'], (target) =>
    ask(target, infer('chain_raises', floats([0]))),
  ),
  ...Object.entries(PLAYED).map(([ensembleName, plays]) =>
    counted(
      `an ensemble whose decoupled step plays ${JSON.stringify(plays)}`,
      [ensembleName],
      async ({ grpcPort }) => {
        const answers: unknown[] = [];
        for (const values of plays) answers.push(await grpcStream(grpcPort, [message(ensembleName, values)]));
        return answers;
      },
    ),
  ),
  counted('a call that is given up', ['gone'], async ({ grpcPort }) => {
    const one = { inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [1, 1] }] };
    const running = grpcCancelled(grpcPort, 'ModelInfer', message('gone', [6], one), 300);
    await wait(100);
    const waiting = grpcCancelled(grpcPort, 'ModelInfer', message('gone', [1], one), 100);
    const codes = await Promise.all([running, waiting]);
    await wait(800);
    return codes;
  }),
  counted('errors and a cache', ['cached'], (target) =>
    inTurn(target, [
      infer('cached', floats([0])),
      infer('cached', floats([0])),
      infer('cached', wrong),
      infer('cached', { ...floats([0]), outputs: [{ name: 'X' }] }),
    ]),
  ),
  counted('a model that was loaded again', ['echo'], async (target) => [
    await ask(target, load('echo')),
    await ask(target, infer('echo')),
  ]),
  counted('a model that was unloaded and loaded', ['echo'], async (target) => {
    await ask(target, unload('echo'));
    await wait(1000);
    return [await ask(target, load('echo')), await ask(target, infer('echo'))];
  }),
  counted('a model that is unloaded', ['echo', 'nope'], async (target) => {
    const answer = await ask(target, unload('echo'));
    await wait(1500);
    return answer;
  }),
];

export const COUNT_SCENE: Scene = {
  name: 'counts',
  repositories: sameFor(models),
  args: [
    '--model-control-mode=explicit',
    '--load-model=*',
    '--cache-config=local,size=1048576',
    '--model-load-thread-count=2',
  ],
  cases: CASES,
};
