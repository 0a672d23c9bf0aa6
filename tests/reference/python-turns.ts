// Python models that take their time to come or to go while they are asked to do the other, and those that hand the answers
// of another model on to a client that goes. What happened inside of them is kept, and told to a request that asks for it.

import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { grpcStream, grpcStreamCancelled } from './grpc-exchange.ts';
import { post, within } from './http-calls.ts';
import { ask, infer, load, unload, wait } from './life-calls.ts';
import { ONE_TO_ONE, pythonFiles } from './python-models.ts';
import type { ReferenceCase, Target } from './reference-case.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';

const ECHO = `    def execute(self, requests):
        return [pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", first(request))]) for request in requests]
`;

const SLOW_TO_COME = `class TritonPythonModel:
    def initialize(self, args):
        time.sleep(2.5)

${ECHO}`;

const slowToGo = (end: string): string => `class TritonPythonModel:
${ECHO}
    def finalize(self):
        time.sleep(2.5)
        ${end}
`;

const ENDS: Readonly<Record<string, string>> = {
  t_goes_slowly: slowToGo('return 5'),
  t_goes_raising: slowToGo('raise ValueError("at the end")'),
  t_goes_exiting: slowToGo('sys.exit(3)'),
  t_ends_hard: slowToGo('os._exit(4)'),
};

const STREAMED = `input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ -1 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ -1 ] }, { name: "SEEN" data_type: TYPE_STRING dims: [ -1 ] } ]
model_transaction_policy { decoupled: true }
instance_group [ { kind: KIND_CPU count: 1 } ]`;

const TELLING = `
seen = []
final = pb_utils.TRITONSERVER_RESPONSE_COMPLETE_FINAL


def one(value):
    return pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", np.array([value], np.float32))])


def told():
    response = pb_utils.InferenceResponse([pb_utils.Tensor("SEEN", np.array(seen or ["nothing"], dtype=object))])
    seen.clear()
    return response

`;

/** Sends the numbers below the first input, and tells when it gets a negative one. */
const COUNTS = `${TELLING}
class TritonPythonModel:
    def execute(self, requests):
        for request in requests:
            sender = request.get_response_sender()
            limit = int(first(request)[0])
            if limit < 0:
                sender.send(told(), final)
                continue
            for value in range(limit):
                if sender.is_cancelled():
                    break
                sender.send(one(value))
                time.sleep(0.01)
            seen.append(f"ended, all {value + 1 == limit}, cancelled {request.is_cancelled()}")
            sender.send(flags=final)
`;

const LOOPS: Readonly<Record<string, string>> = {
  /** Leaves its iterator when the client is gone. */
  leaves: `for response in answers:
    if sender.is_cancelled():
        seen.append("left")
        break
    sender.send(pb_utils.InferenceResponse(response.output_tensors()))`,
  /** Does not look. */
  goes_on: `count = 0
for response in answers:
    count += len(response.output_tensors())
    if response.output_tensors():
        sender.send(pb_utils.InferenceResponse(response.output_tensors()))
seen.append(f"all {count == 60}")`,
  /** Raises in the middle. */
  raises: `for response in answers:
    sender.send(pb_utils.InferenceResponse(response.output_tensors()))
    if sender.is_cancelled():
        raise ValueError("as the client went")`,
};

const HANDS_ON = `${TELLING}
${Object.entries(LOOPS)
  .map(([name, body]) => `def loop_${name}(answers, sender):\n${body.replaceAll(/^/gm, '    ')}\n`)
  .join('\n\n')}

class TritonPythonModel:
    def execute(self, requests):
        for request in requests:
            sender = request.get_response_sender()
            loop = json.loads(request.parameters())["loop"]
            if loop == "tell":
                sender.send(told(), final)
                continue
            asked = pb_utils.InferenceRequest(model_name="t_counts", requested_output_names=["OUTPUT0"], inputs=[pb_utils.Tensor("INPUT0", np.array([60], np.float32))])
            globals()[f"loop_{loop}"](asked.exec(decoupled=True), sender)
            sender.send(flags=final)
`;

/** Sends from a thread, long after execute returned; the first input is how many. */
const SENDS_LATER = `${TELLING}
class TritonPythonModel:
    def execute(self, requests):
        for request in requests:
            sender = request.get_response_sender()
            threading.Thread(target=self.work, args=(sender,)).start()

    def work(self, sender):
        for value in range(3):
            time.sleep(0.4)
            sender.send(one(value))
        sender.send(flags=final)
`;

const files: RepositoryFiles = {
  ...pythonFiles('t_comes', SLOW_TO_COME),
  ...Object.assign({}, ...Object.entries(ENDS).map(([name, code]) => pythonFiles(name, code))),
  ...pythonFiles('t_counts', COUNTS, STREAMED),
  ...pythonFiles('t_hands_on', HANDS_ON, STREAMED),
  ...pythonFiles('t_later', SENDS_LATER, STREAMED),
  ...pythonFiles('t_plain', `class TritonPythonModel:\n${ECHO}`, ONE_TO_ONE),
};

const INDEX = post('/v2/repository/index');
const stateOf = (model: string, index: unknown): unknown => {
  const [, body] = index as readonly [number, string];
  return (JSON.parse(body) as readonly { readonly name: string }[]).filter(({ name }) => name === model);
};
/** The reference takes seconds to end a process. */
async function whenGone(target: Target, model: string): Promise<unknown> {
  for (let looks = 0; looks < 30; looks += 1) {
    const state = stateOf(model, await ask(target, INDEX));
    if (!JSON.stringify(state).includes('UNLOADING')) return state;
    await wait(400);
  }
  return 'still going';
}
const ready = (model: string) => ({
  name: `ready ${model}`,
  method: 'GET',
  path: `/v2/models/${model}/ready`,
});

const COMES: ReferenceCase = {
  name: 'python models that leave before they came',
  limitMs: 60_000,
  run: async (target) => {
    const loading = ask(target, load('t_comes'));
    await wait(1200);
    const answers: unknown[] = [{ step: 'meanwhile', answer: stateOf('t_comes', await ask(target, INDEX)) }];
    answers.push({ step: 'meanwhile, infer', answer: await ask(target, infer('t_comes')) });
    const unloading = ask(target, unload('t_comes'));
    await wait(100);
    answers.push({ step: 'unload asked for', answer: stateOf('t_comes', await ask(target, INDEX)) });
    answers.push({ step: 'load', answer: await loading }, { step: 'unload', answer: await unloading });
    answers.push({ step: 'at the end', answer: await whenGone(target, 't_comes') });
    answers.push({ step: 'at the end, ready', answer: await ask(target, ready('t_comes')) });
    return answers;
  },
};

const goes = (model: string): ReferenceCase => ({
  name: `python models that take their time to go, ${model}`,
  limitMs: 60_000,
  run: async (target) => {
    const answers: unknown[] = [{ step: 'load', answer: await ask(target, load(model)) }];
    answers.push({ step: 'infer', answer: await ask(target, infer(model)) });
    answers.push({ step: 'unload', answer: await ask(target, unload(model)) });
    await wait(200);
    answers.push({ step: 'going', answer: stateOf(model, await ask(target, INDEX)) });
    answers.push({ step: 'going, infer', answer: await ask(target, infer(model)) });
    answers.push({ step: 'loaded again', answer: await ask(target, load(model)) });
    answers.push({ step: 'back', answer: stateOf(model, await ask(target, INDEX)) });
    answers.push({ step: 'back, infer', answer: await ask(target, infer(model)) });
    answers.push({ step: 'unload again', answer: await ask(target, unload(model)) });
    answers.push({ step: 'gone', answer: await whenGone(target, model) });
    return answers;
  },
});

const message = (model: string, value: number, loop: string): Record<string, unknown> => ({
  model_name: model,
  id: loop,
  parameters: { loop: { string_param: loop } },
  inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [1n] }],
  raw_input_contents: [Buffer.from(Float32Array.of(value).buffer)],
});
const stream = (port: number, ...sent: Parameters<typeof message>): Promise<unknown> =>
  within<unknown>(grpcStream(port, [message(...sent)]), 10_000).catch(String);

const CLIENT_GOES_MS = 250;
const handsOn = (loop: string): ReferenceCase => ({
  name: `python models that hand answers on, ${loop}`,
  limitMs: 60_000,
  run: async ({ grpcPort }) => {
    const sent = message('t_hands_on', 1, loop);
    const left = await grpcStreamCancelled(grpcPort, sent, CLIENT_GOES_MS);
    await wait(2000);
    return [
      { step: 'left', left },
      { step: 'inside', seen: await stream(grpcPort, 't_hands_on', 1, 'tell') },
      { step: 'inside the other', seen: await stream(grpcPort, 't_counts', -1, 'tell') },
      { step: 'asked again', seen: await stream(grpcPort, 't_hands_on', 1, 'goes_on') },
    ];
  },
});

const LATER: ReferenceCase = {
  name: 'python threads that send after the unload',
  limitMs: 60_000,
  run: async (target) => {
    const running = stream(target.grpcPort, 't_later', 1, 'x');
    await wait(600);
    const answers: unknown[] = [{ step: 'unload', answer: await ask(target, unload('t_later')) }];
    await wait(100);
    answers.push({ step: 'going', answer: stateOf('t_later', await ask(target, INDEX)) });
    answers.push({ step: 'stream', seen: await running });
    answers.push({ step: 'gone', answer: await whenGone(target, 't_later') });
    answers.push({ step: 'another', answer: await ask(target, infer('t_plain')) });
    return answers;
  },
};

export const PYTHON_TURN_SCENE: Scene = {
  name: 'python turns',
  together: 'python models',
  repositories: sameFor(files),
  args: [
    '--model-control-mode=explicit',
    ...['t_counts', 't_hands_on', 't_later', 't_plain'].map((name) => `--load-model=${name}`),
  ],
  cases: [COMES, ...Object.keys(ENDS).map(goes), ...Object.keys(LOOPS).map(handsOn), LATER],
};
