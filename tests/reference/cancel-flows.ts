// Requests that clients give up in the middle of more than one model: steps of ensembles, calls between models, batches that
// wait, streams, sequences. What the others get, which steps still run, and what is counted for each model.

import { grpcCall, grpcCancelled, grpcStreamCancelled } from './grpc-exchange.ts';
import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { get, post, reply } from './http-calls.ts';
import { wait } from './life-calls.ts';
import { answering, executing, ONE_TO_ONE, pythonFiles } from './python-models.ts';
import type { ReferenceCase, Target } from './reference-case.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';
import { ensemble, step } from './span-cases.ts';

/** Sleeps as many tenths of a second as its value says; below zero it looks for a cancellation meanwhile. */
const SLEEPS = answering(`value = float(first(request).reshape(-1)[0])
end = time.time() + abs(value) / 10
gone = False
while time.time() < end and not gone:
    time.sleep(0.02)
    gone = value < 0 and request.is_cancelled()
if gone:
    response = pb_utils.InferenceResponse(error=pb_utils.TritonError("stopped", pb_utils.TritonError.CANCELLED))
else:
    response = pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", first(request))])`);
const QUICK = answering(
  'response = pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", first(request))])',
);
const calling = (model: string): string =>
  answering(`asked = pb_utils.InferenceRequest(model_name="${model}", requested_output_names=["OUTPUT0"], inputs=[pb_utils.Tensor("INPUT0", first(request))])
found = asked.exec()
gone = request.is_cancelled()
if found.has_error() or gone:
    text = found.error().message() if found.has_error() else "gone"
    response = pb_utils.InferenceResponse(error=pb_utils.TritonError(text, pb_utils.TritonError.CANCELLED))
else:
    response = pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", found.output_tensors()[0].as_numpy())])`);
/** Sends a response each tenth of a second, as many as its value says, until it is cancelled. */
const SENDS = executing(`for request in requests:
    sender = request.get_response_sender()
    for index in range(int(first(request).reshape(-1)[0])):
        if sender.is_cancelled():
            break
        sender.send(pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", np.array([index], np.float32))]))
        time.sleep(0.1)
    sender.send(flags=pb_utils.TRITONSERVER_RESPONSE_COMPLETE_FINAL)
return None`);
const CPU = 'instance_group [ { kind: KIND_CPU } ]';
const PLAIN = `${ONE_TO_ONE}\n${CPU}`;
const ROWS = `${ONE_TO_ONE}\nmax_batch_size: 4\n${CPU}`.replaceAll('[ -1 ]', '[ 1 ]');
const DECOUPLED = `${PLAIN}\nmodel_transaction_policy { decoupled: true }`;
const LONG = 'max_sequence_idle_microseconds: 60000000';

const models: RepositoryFiles = {
  ...pythonFiles('a1', SLEEPS, PLAIN),
  ...pythonFiles('a2', QUICK, PLAIN),
  ...ensemble('a', step('a1', 'INPUT0', 'x'), step('a2', 'x', 'OUTPUT0')),
  ...pythonFiles('b1', SLEEPS, PLAIN),
  ...pythonFiles('b2', QUICK, PLAIN),
  ...ensemble('b', step('b1', 'INPUT0', 'x'), step('b2', 'x', 'OUTPUT0')),
  ...pythonFiles('c1', SLEEPS, PLAIN),
  ...pythonFiles('c', calling('c1'), PLAIN),
  ...pythonFiles('d', SLEEPS, `${ROWS}\ndynamic_batching { max_queue_delay_microseconds: 1500000 }`),
  ...pythonFiles('e1', SENDS, DECOUPLED),
  ...pythonFiles('e2', QUICK, PLAIN),
  ...ensemble('e', step('e1', 'INPUT0', 'x'), step('e2', 'x', 'OUTPUT0')),
  ...pythonFiles('f', SENDS, DECOUPLED),
  ...pythonFiles('g', SLEEPS, `${ROWS}\nsequence_batching { ${LONG} oldest { max_candidate_sequences: 2 } }`),
  ...pythonFiles('h', SLEEPS, PLAIN),
  ...pythonFiles('i', SLEEPS, `${PLAIN}\nresponse_cache { enable: true }`),
  ...pythonFiles('j1', SLEEPS, PLAIN),
  ...ensemble('j0', step('j1', 'INPUT0', 'OUTPUT0')),
  ...ensemble('j', step('j0', 'INPUT0', 'OUTPUT0')),
  ...pythonFiles('k', SLEEPS, `${ROWS}\ndynamic_batching { priority_levels: 2 default_priority_level: 1 }`),
};

const message = (
  name: string,
  value: number,
  shape: readonly number[] = [1],
  parameters: Record<string, unknown> = {},
): Record<string, unknown> => ({
  model_name: name,
  parameters,
  inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: shape.map(BigInt) }],
  raw_input_contents: [Buffer.from(Float32Array.of(value).buffer)],
});
const ask = ({ grpcPort }: Target, ...of: Parameters<typeof message>): Promise<unknown> =>
  grpcCall(grpcPort, 'ModelInfer', message(...of)).then(({ code, details }) => [code, details]);
const give = (target: Target, ms: number, ...of: Parameters<typeof message>): Promise<number> =>
  grpcCancelled(target.grpcPort, 'ModelInfer', message(...of), ms);

async function counts(target: Target, name: string): Promise<object> {
  const { body } = await reply(target.httpPort, get(`/v2/models/${name}/stats`));
  const metrics = await reply(target.metricsPort, get('/metrics'));
  const failures = [...metrics.body.matchAll(/nv_inference_request_failure\{([^}]*)\} (\d+)/g)]
    .filter(([, labels = '', count]) => labels.includes(`"${name}"`) && count !== '0')
    .map(([, labels = '', count]) => `${/reason="(\w+)"/.exec(labels)?.[1]} ${count}`)
    .sort();
  const [found] = (
    JSON.parse(body) as {
      model_stats: {
        inference_count: number;
        execution_count: number;
        inference_stats: Record<string, { count: number }>;
      }[];
    }
  ).model_stats;
  const { success, fail, queue } = found?.inference_stats ?? {};
  return {
    step: `counts of ${name}`,
    inferences: found?.inference_count,
    executions: found?.execution_count,
    of: [success?.count, fail?.count, queue?.count],
    failures,
  };
}

const flow = (
  title: string,
  names: readonly string[],
  play: (target: Target) => Promise<unknown>,
): ReferenceCase => ({
  name: `given up in between: ${title}`,
  run: async (target) => {
    const seen = await play(target);
    await wait(900);
    const rows: object[] = [{ step: 'answers', seen }];
    for (const name of names) rows.push(await counts(target, name));
    return rows;
  },
});
const sequence = (id: number, flags: string): Record<string, unknown> => ({
  sequence_id: { int64_param: BigInt(id) },
  ...(flags.includes('s') ? { sequence_start: { bool_param: true } } : {}),
  ...(flags.includes('e') ? { sequence_end: { bool_param: true } } : {}),
});

const FLOWS: readonly ReferenceCase[] = [
  flow('the first step of an ensemble runs', ['a', 'a1', 'a2'], async (target) => {
    const gone = await give(target, 300, 'a', 8);
    await wait(1000);
    return [gone, await ask(target, 'a', 0)];
  }),
  flow('a step of an ensemble waits behind another one', ['b', 'b1', 'b2'], async (target) => {
    const first = ask(target, 'b', 10);
    await wait(150);
    const gone = give(target, 300, 'b', 1);
    await wait(100);
    return [await first, await gone, await ask(target, 'b', 0)];
  }),
  flow('a step looks for it', ['j', 'j0', 'j1'], async (target) => {
    const gone = await give(target, 300, 'j', -20);
    await wait(500);
    return [gone, await ask(target, 'j', 0)];
  }),
  flow('a model that another one calls runs', ['c', 'c1'], async (target) => {
    const gone = await give(target, 300, 'c', -12);
    await wait(1500);
    return [gone, await ask(target, 'c', 0)];
  }),
  flow('one of a batch that waits', ['d'], async (target) => {
    const first = ask(target, 'd', 0, [1, 1]);
    await wait(100);
    const gone = give(target, 300, 'd', 0, [1, 1]);
    await wait(100);
    const third = ask(target, 'd', 0, [1, 1]);
    return [await first, await gone, await third];
  }),
  flow('a decoupled step of an ensemble sends', ['e', 'e1', 'e2'], async (target) => {
    const gone = await grpcStreamCancelled(target.grpcPort, message('e', 30), 650);
    await wait(1500);
    return [gone];
  }),
  flow('a decoupled model sends', ['f'], async (target) => {
    const gone = await grpcStreamCancelled(target.grpcPort, message('f', 30), 650);
    await wait(1500);
    return [gone];
  }),
  flow('a stream waits behind another one', ['h'], async (target) => {
    const first = ask(target, 'h', 10);
    await wait(150);
    const gone = await grpcStreamCancelled(target.grpcPort, message('h', 1), 300);
    return [await first, gone, await ask(target, 'h', 0)];
  }),
  flow('a request of a sequence runs, and the next one waits', ['g'], async (target) => {
    const first = give(target, 400, 'g', 10, [1, 1], sequence(3, 's'));
    await wait(150);
    const second = ask(target, 'g', 0, [1, 1], sequence(3, ''));
    const third = ask(target, 'g', 0, [1, 1], sequence(4, 'se'));
    const seen = [await first, await second, await third];
    await wait(300);
    return [...seen, await ask(target, 'g', 0, [1, 1], sequence(3, 'e'))];
  }),
  flow('a model with a response cache', ['i'], async (target) => {
    const gone = await give(target, 300, 'i', 6);
    await wait(900);
    return [gone, await ask(target, 'i', 6), await ask(target, 'i', 6)];
  }),
  flow('one of two priorities waits', ['k'], async (target) => {
    const level = (value: bigint): Record<string, unknown> => ({ priority: { uint64_param: value } });
    const first = ask(target, 'k', 10, [1, 1]);
    await wait(150);
    const gone = give(target, 300, 'k', 1, [1, 1], level(2n));
    const urgent = ask(target, 'k', 1, [1, 1], level(1n));
    return [await first, await gone, await urgent];
  }),
];

/** Over HTTP no client cancels, so the counts are those of plain answers. */
const AFTER: ReferenceCase = {
  name: 'given up in between: all of them answer afterwards',
  run: async (target) => {
    const answers: object[] = [];
    for (const name of ['a', 'b', 'c', 'h', 'j']) {
      const inputs = [{ name: 'INPUT0', datatype: 'FP32', shape: [1], data: [0] }];
      const answer = await reply(target.httpPort, post(`/v2/models/${name}/infer`, { inputs }));
      answers.push({ step: name, ...answer });
    }
    return answers;
  },
};

export const CANCEL_FLOW_SCENE: Scene = {
  name: 'given up in between',
  repositories: sameFor(models),
  args: ['--cache-config=local,size=1048576'],
  cases: [...FLOWS, AFTER],
};
