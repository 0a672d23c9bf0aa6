// Python models that send after `execute` has returned, from threads and after the end, and what they see of a client
// that goes away. What happened inside of them is kept, and told to a request that asks for it.

import { once } from 'node:events';
import http from 'node:http';

import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { hangUpAfter } from './give-up.ts';
import { grpcCall, grpcCancelled, grpcStream, grpcStreamCancelled } from './grpc-exchange.ts';
import { within } from './http-calls.ts';
import { floats, wait } from './life-calls.ts';
import { indented, pythonFiles } from './python-models.ts';
import type { ReferenceCase, Target } from './reference-case.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';

const FLOATS = `input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ -1 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ -1 ] }, { name: "SEEN" data_type: TYPE_STRING dims: [ -1 ] } ]`;

// Whether a client that was answered is still there, and several threads at once, end the reference: not asked.
/** Each body has `request`, `sender`, `one(value)`, `final`, `note(text)`, `tried(function)`, `later(function)`. */
const STREAMED: Readonly<Record<string, string>> = {
  after_final: `sender.send(one(1), final)
tried(lambda: sender.send(one(2)))
tried(lambda: sender.send(one(2), final))
tried(lambda: sender.send(flags=final))
tried(lambda: sender.send())
tried(lambda: sender.send(one(2), 7))`,
  after_final_in_a_thread: `later(lambda: (sender.send(one(1)), sender.send(flags=final), tried(lambda: sender.send(one(2)))))`,
  kept_for_later: `kept.append(sender)
sender.send(one(1), final)`,
  used_later: `tried(lambda: kept.pop().send(one(2)))
sender.send(one(3), final)`,
  threads_in_turn: `for index in range(8):
    thread = threading.Thread(target=lambda: [sender.send(one(index)) for _ in range(5)])
    thread.start(); thread.join()
sender.send(flags=final)`,
  thread_that_raises: `def work():
    sender.send(one(1), final)
    raise ValueError("in a thread")
later(work)`,
  raises_after_one: 'sender.send(one(1))\nraise ValueError("after one")',
  raises_after_the_end: 'sender.send(one(1), final)\nraise ValueError("after the end")',
  error_with_final:
    'sender.send(pb_utils.InferenceResponse(error=pb_utils.TritonError("ends", pb_utils.TritonError.UNAVAILABLE)), final)\ntried(lambda: sender.send(flags=final))',
  errors_only:
    'for code in (1, 2, 3):\n    sender.send(pb_utils.InferenceResponse(error=pb_utils.TritonError(f"error {code}")))\nsender.send(flags=final)',
  same_sender: 'note(sender is request.get_response_sender())\nsender.send(one(1), final)',
  exits_in_a_thread: 'later(lambda: (sender.send(one(1), final), sys.exit(3)))',
};

/** The same in a model that answers once. What ends the reference is not asked. */
const SINGLE: Readonly<Record<string, string>> = {
  sent_later: 'later(lambda: sender.send(one(9), final))\nreturn None',
  sent_later_in_two: 'later(lambda: (sender.send(one(9)), sender.send(flags=final)))\nreturn None',
  after_final: `sender.send(one(1), final)
tried(lambda: sender.send(flags=final))
tried(lambda: sender.send())
tried(lambda: sender.send(one(2), 7))
return None`,
  error_later:
    'later(lambda: sender.send(pb_utils.InferenceResponse(error=pb_utils.TritonError("late", pb_utils.TritonError.NOT_FOUND)), final))\nreturn [None]',
};

const WATCHES = `for _ in range(250):
    if request.is_cancelled():
        note("request cancelled")
        break
    time.sleep(0.02)
else:
    note("never cancelled")
note(sender.is_cancelled())`;

const STREAMED_WATCHES: Readonly<Record<string, string>> = {
  watches: `${WATCHES}
tried(lambda: sender.send(one(1)))
tried(lambda: sender.send(pb_utils.InferenceResponse(error=pb_utils.TritonError("gone", pb_utils.TritonError.CANCELLED))))
tried(lambda: sender.send(flags=final))`,
  watches_in_a_thread: `def work():
${indented(WATCHES, 4)}
    tried(lambda: sender.send(one(1), final))
later(work)`,
  watches_while_sending: `count = 0
while not sender.is_cancelled() and count < 400:
    sender.send(one(count)); count += 1; time.sleep(0.01)
note("ended early" if count < 400 else "never cancelled")
sender.send(flags=final)`,
};
const SINGLE_WATCHES: Readonly<Record<string, string>> = {
  watches: `${WATCHES}\nreturn [pb_utils.InferenceResponse(error=pb_utils.TritonError("gone", pb_utils.TritonError.CANCELLED))]`,
  watches_and_answers: `${WATCHES}\nreturn [one(5)]`,
  watches_and_raises: `${WATCHES}\nraise ValueError("as the client went")`,
  watches_from_a_thread: `def work():
${indented(WATCHES, 4)}
    tried(lambda: sender.send(one(1), final))
later(work)
return None`,
};

const choosing = (bodies: Readonly<Record<string, string>>, end: string): string => `
seen, kept, started = [], [], []
final = pb_utils.TRITONSERVER_RESPONSE_COMPLETE_FINAL


def one(value):
    return pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", np.array([value], np.float32))])


def note(what):
    seen.append(str(what))


def tried(act):
    try:
        note(f"returned {act()}")
    except Exception as error:
        note(f"{type(error).__name__}: {error}")


def later(act):
    started.append(threading.Thread(target=lambda: (time.sleep(0.1), act())))
    started[-1].start()


${Object.entries(bodies)
  .map(([name, body]) => `def case_${name}(request, sender):\n${indented(body, 4)}\n`)
  .join('\n\n')}

class TritonPythonModel:
    def execute(self, requests):
        request = requests[0]
        sender = request.get_response_sender()
        case = json.loads(request.parameters())["case"]
        if case != "tell":
            return globals()[f"case_{case}"](request, sender)
        while started:
            started.pop().join()
        response = pb_utils.InferenceResponse([pb_utils.Tensor("SEEN", np.array(seen or ["nothing"], dtype=object))])
        seen.clear()
        ${end}
`;

const files: RepositoryFiles = {
  ...pythonFiles(
    'streamed',
    choosing({ ...STREAMED, ...STREAMED_WATCHES }, 'sender.send(response, final)'),
    `${FLOATS}\nmodel_transaction_policy { decoupled: true }`,
  ),
  ...pythonFiles('single', choosing({ ...SINGLE, ...SINGLE_WATCHES }, 'return [response]'), FLOATS),
};

const message = (model: string, name: string): Record<string, unknown> => ({
  model_name: model,
  id: name,
  parameters: { case: { string_param: name } },
  inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [2n] }],
  raw_input_contents: [Buffer.from(Float32Array.of(1, 2).buffer)],
});

const ANSWER_LIMIT_MS = 10_000;
const ask = (port: number, model: string, name: string): Promise<unknown> =>
  within<unknown>(
    model === 'streamed'
      ? grpcStream(port, [message(model, name)])
      : grpcCall(port, 'ModelInfer', message(model, name)),
    ANSWER_LIMIT_MS,
  ).catch(String);
const withoutPlace = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer).replace(/(\\n)+At:.*?(?=")/gs, ''));

const late = (model: string, bodies: Readonly<Record<string, string>>): ReferenceCase => ({
  name: `python late answers, ${model}`,
  run: async ({ grpcPort }) => {
    const answers: unknown[] = [];
    for (const name of Object.keys(bodies)) {
      answers.push({ step: name, seen: withoutPlace(await ask(grpcPort, model, name)) });
      answers.push({ step: `${name}, inside`, seen: await ask(grpcPort, model, 'tell') });
    }
    return answers;
  },
});

/** Long enough for execute to begin, short against what it waits. */
const GOES_AFTER_MS = 500;

const leaving = (model: string, bodies: Readonly<Record<string, string>>): ReferenceCase => ({
  name: `python clients that go, ${model}`,
  run: async (target: Target) => {
    const answers: unknown[] = [];
    for (const name of Object.keys(bodies)) {
      const left =
        model === 'streamed'
          ? await grpcStreamCancelled(target.grpcPort, message(model, name), GOES_AFTER_MS)
          : await grpcCancelled(target.grpcPort, 'ModelInfer', message(model, name), GOES_AFTER_MS);
      answers.push({ step: name, left });
      // What watches without end for a client that is there would answer then.
      await wait(GOES_AFTER_MS);
      answers.push({ step: `${name}, inside`, seen: await ask(target.grpcPort, model, 'tell') });
    }
    return answers;
  },
});

/** Sends a request and closes the connection while it is answered. */
async function hangUp(port: number, path: string, body: object): Promise<void> {
  const request = http.request({ host: '127.0.0.1', port, method: 'POST', path, agent: false });
  request.on('error', () => undefined);
  const gone = once(request, 'close');
  hangUpAfter(request, GOES_AFTER_MS);
  request.end(JSON.stringify(body));
  await gone;
}

const hangingUp = (model: string, path: string, names: readonly string[]): ReferenceCase => ({
  name: `python HTTP clients that hang up, ${model}`,
  run: async (target) => {
    const answers: unknown[] = [];
    for (const name of names) {
      const body = path.endsWith('infer')
        ? { ...(floats([1, 2]) as object), parameters: { case: name } }
        : { INPUT0: [1, 2], case: name };
      await hangUp(target.httpPort, `/v2/models/${model}/${path}`, body);
      await wait(GOES_AFTER_MS);
      answers.push({ step: `${name}, inside`, seen: await ask(target.grpcPort, model, 'tell') });
    }
    return answers;
  },
});

export const LATE_SCENE: Scene = {
  name: 'python late',
  together: 'python models',
  repositories: sameFor(files),
  cases: [
    late('streamed', STREAMED),
    late('single', SINGLE),
    leaving('streamed', STREAMED_WATCHES),
    leaving('single', SINGLE_WATCHES),
    hangingUp('single', 'infer', Object.keys(SINGLE_WATCHES)),
    hangingUp('streamed', 'generate_stream', Object.keys(STREAMED_WATCHES)),
  ],
};
