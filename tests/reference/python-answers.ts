// What Python models answer, fail with and send, one by name each, and the models that do all of it.

import { STATUS_CODES } from '../../src-shared/errors.ts';
import { answering, ECHO_MODEL, executing, ONE_TO_ONE } from './python-models.ts';

/** The configuration of a model that streams, and of one that answers numbers with texts. */
export const DECOUPLED = `${ONE_TO_ONE}\nmodel_transaction_policy { decoupled: true }`;
export const TEXTS = `input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ -1 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_STRING dims: [ -1 ] } ]`;

const answer = (expression: string): string =>
  answering(`response = pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", ${expression})])`);
const sending = (body: string): string =>
  executing(`for request in requests:
    sender = request.get_response_sender()
    one = lambda value: pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", np.array([value], np.float32))])
    final = pb_utils.TRITONSERVER_RESPONSE_COMPLETE_FINAL
${body
  .split('\n')
  .map((line) => `    ${line}`)
  .join('\n')}
return None`);

interface Served {
  readonly code: string;
  readonly config?: string;
}

/** One request each over HTTP and gRPC. */
export const ANSWERS: Readonly<Record<string, Served>> = {
  echo: { code: ECHO_MODEL },
  raises: { code: executing('raise ValueError("on purpose")') },
  raises_model_error: { code: executing('raise pb_utils.TritonModelException("on purpose")') },
  raises_unicode: { code: executing('raise ValueError("schön")') },
  returns_too_few: { code: executing('return []') },
  returns_number: { code: executing('return 5') },
  returns_text: { code: executing('return ["x"]') },
  fails: {
    code: answering('response = pb_utils.InferenceResponse(error=pb_utils.TritonError("fails on purpose"))'),
  },
  fails_with_output: {
    code: answering(
      'response = pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", first(request))], pb_utils.TritonError("both"))',
    ),
  },
  fails_empty: { code: answering('response = pb_utils.InferenceResponse(error=pb_utils.TritonError(""))') },
  wrong_name: {
    code: answering('response = pb_utils.InferenceResponse([pb_utils.Tensor("X", first(request))])'),
  },
  no_output: { code: answering('response = pb_utils.InferenceResponse([])') },
  wrong_type: { code: answer('first(request).astype(np.int32)') },
  wrong_rank: { code: answer('first(request).reshape(1, -1)') },
  scalar: { code: answer('np.array(first(request)[0])') },
  empty: { code: answer('np.zeros(0, np.float32)') },
  transposed: { code: answer('np.stack([first(request), first(request)]).T[:, 0]') },
  reversed: { code: answer('first(request)[::-1]') },
  twice: {
    code: answering(
      'response = pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", first(request)), pb_utils.Tensor("OUTPUT0", first(request))])',
    ),
  },
  texts: { code: answer('np.array(["a", b"\\x00b", "", "schön"], dtype=object)'), config: TEXTS },
  fixed_texts: { code: answer('np.array([b"abc", b"d\\x00"])'), config: TEXTS },
  no_texts: { code: answer('np.array([], dtype=object)'), config: TEXTS },
  bad_utf8: { code: answer('np.array([b"\\xff\\xfe"], dtype=object)'), config: TEXTS },
  parameters: {
    code: answering(
      'response = pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", first(request))], parameters={"i": 5, "s": "x", "b": False, "n": -1})',
    ),
  },
  parameters_and_error: {
    code: answering(
      'response = pb_utils.InferenceResponse([], pb_utils.TritonError("x"), parameters={"i": 5})',
    ),
  },
  tell: {
    code: answering(`told = [request.parameters(), request.request_id(), str(request.correlation_id()), str(request.flags()), str(request.timeout())]
response = pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", np.array(told, dtype=object))])`),
    config: TEXTS,
  },
  coroutine: {
    code: `class TritonPythonModel:
    async def execute(self, requests):
        await asyncio.sleep(0.01)
        return [pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", first(request))]) for request in requests]
`,
  },
  coroutine_raises: {
    code: `class TritonPythonModel:
    async def execute(self, requests):
        raise ValueError("later on purpose")
`,
  },
  sends_and_ends: { code: sending('sender.send(one(7), final)') },
  sends_then_ends: { code: sending('sender.send(one(7))\nsender.send(flags=final)') },
  // Two responses, or none, end the process of the reference: not asked.
  sends_error: {
    code: sending('sender.send(pb_utils.InferenceResponse(error=pb_utils.TritonError("sent")), final)'),
  },
  sends_from_thread: {
    code: sending(
      'threading.Thread(target=lambda s=sender: (time.sleep(0.05), s.send(one(9), final))).start()',
    ),
  },
  ...Object.fromEntries(
    STATUS_CODES.map((code) => [
      `code_${code.toLowerCase()}`,
      {
        code: answering(
          `response = pb_utils.InferenceResponse(error=pb_utils.TritonError("with ${code}", pb_utils.TritonError.${code}))`,
        ),
      },
    ]),
  ),
};

/** One stream each. */
export const STREAMS: Readonly<Record<string, Served>> = {
  repeat: {
    code: sending('for value in first(request):\n    sender.send(one(value))\nsender.send(flags=final)'),
    config: DECOUPLED,
  },
  repeat_final_last: {
    code: sending('sender.send(one(1))\nsender.send(one(2), final)'),
    config: DECOUPLED,
  },
  nothing: { code: sending('sender.send(flags=final)'), config: DECOUPLED },
  late: {
    code: sending(
      'threading.Thread(target=lambda s=sender: (time.sleep(0.05), s.send(one(9)), s.send(flags=final))).start()',
    ),
    config: DECOUPLED,
  },
  error_then_more: {
    code: sending(
      'sender.send(one(1))\nsender.send(pb_utils.InferenceResponse(error=pb_utils.TritonError("middle")))\nsender.send(one(2), final)',
    ),
    config: DECOUPLED,
  },
  raises_early: { code: sending('raise ValueError("early")'), config: DECOUPLED },
  returns_list: { code: ECHO_MODEL, config: DECOUPLED },
  with_parameters: {
    code: sending(
      'sender.send(pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", first(request))], parameters={"n": 1}))\nsender.send(flags=final)',
    ),
    config: DECOUPLED,
  },
};

/** Coroutines need an `execute` of their own; everything else shares a model per configuration. */
export const isAlone = (name: string): boolean => name === 'echo' || name.startsWith('coroutine');

/** The model that has the answer or stream of this name. */
export function modelOf(name: string): string {
  if (isAlone(name)) return name;
  const { config } = { ...ANSWERS, ...STREAMS }[name] ?? {};
  if (config === DECOUPLED) return 'streams';
  return config === undefined ? 'answers' : 'texts';
}

/** A model that does what the parameter `case` says. */
export function choosing(model: string): string {
  const cases = Object.entries({ ...ANSWERS, ...STREAMS }).filter(([name]) => modelOf(name) === model);
  const classes = cases.map(([name, { code }]) => code.replace('TritonPythonModel', `Case_${name}`));
  return `${classes.join('\n\n')}

class TritonPythonModel:
    def execute(self, requests):
        case = json.loads(requests[0].parameters())["case"]
        return globals()[f"Case_{case}"]().execute(requests)
`;
}
