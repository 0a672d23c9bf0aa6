// Python models, run by both sides from the same files: the interface, what models answer, fail with and send, how they
// load and end.

import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { grpcCall, grpcStream } from './grpc-exchange.ts';
import { post, reply, within } from './http-calls.ts';
import { codeFile, ECHO_MODEL, pythonFiles } from './python-models.ts';
import { completing, IO, LOADS } from './python-loads.ts';
import { INPUT_ANSWERS, INPUT_FILES, INPUT_MODELS } from './python-inputs.ts';
import { OPTIONAL_ANSWERS, OPTIONAL_FILES, OPTIONAL_MODELS } from './python-optional.ts';
import { ORDER_ANSWERS, ORDER_FILES, ORDER_MODELS } from './python-order.ts';
import { OBJECT_PROBES } from './python-object-probes.ts';
import { PARAMETER_PROBES, PROBE_CODE, PROBES } from './python-probes.ts';
import type { ReferenceCase, Target } from './reference-case.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';
import { ANSWERS, choosing, DECOUPLED, isAlone, modelOf, STREAMS, TEXTS } from './python-answers.ts';

const BOTH_TEXTS = TEXTS.replace('TYPE_FP32', 'TYPE_STRING');

/** Streams of models that never end are given up. */
const STREAM_LIMIT_MS = 2000;

const repository: RepositoryFiles = {
  ...pythonFiles(
    'probe',
    PROBE_CODE,
    `input [ { name: "CODE" data_type: TYPE_STRING dims: [ -1 ] } ]
output [ { name: "RESULT" data_type: TYPE_STRING dims: [ -1 ] } ]`,
  ),
  ...Object.assign(
    {},
    ...Object.entries(ANSWERS)
      .filter(([name]) => isAlone(name))
      .map(([name, { code }]) => pythonFiles(name, code)),
  ),
  ...pythonFiles('answers', choosing('answers')),
  ...pythonFiles('texts', choosing('texts'), TEXTS),
  ...pythonFiles('streams', choosing('streams'), DECOUPLED),
  ...pythonFiles('round', ECHO_MODEL, BOTH_TEXTS),
  ...pythonFiles('spare', ECHO_MODEL),
  ...Object.assign(
    {},
    ...Object.entries(LOADS).map(([name, { code, config }]) => pythonFiles(name, code, config)),
  ),
  ...OPTIONAL_FILES,
  ...ORDER_FILES,
  ...INPUT_FILES,
  'l_bare/1/model.py': codeFile(completing(`${IO}return config`)),
};

const floats = (...values: number[]): object => ({
  inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [values.length], data: values }],
});
const infer = (model: string, body: object) => post(`/v2/models/${model}/infer`, body);

/** Python says where a line stands; files and lines inside of the interpreter are its own. */
export function withoutTraceback(text: string): string {
  return text.replace(/(\\n)*At:(\\n|\s)*.*?(?=["}]|$)/s, '<traceback>');
}

const probeCase = (theme: string, codes: readonly string[]): ReferenceCase => ({
  name: `python ${theme}`,
  run: async ({ httpPort }: Target) => {
    const answers: unknown[] = [];
    for (const code of codes) {
      const body = { inputs: [{ name: 'CODE', datatype: 'BYTES', shape: [1], data: [code] }] };
      const { body: text } = await reply(httpPort, infer('probe', body));
      const { outputs, error } = (text.startsWith('{') ? JSON.parse(text) : { error: text }) as {
        outputs?: readonly { data: readonly string[] }[];
        error?: string;
      };
      // What pybind writes of signatures and what numpy shows of itself is no part of the interface.
      const said = (outputs?.[0]?.data[0] ?? String(error))
        .replace(/^TypeError: .*$/s, 'TypeError')
        .replace(/(\\n)+At:.*$/s, '<traceback>');
      answers.push({ step: code, said });
      // A model that died answers nothing any more.
      if (said.includes('nothing came') || said.includes('not healthy')) break;
    }
    return answers;
  },
});

const HTTP_ANSWERS: ReferenceCase = {
  name: 'python answers over HTTP',
  run: async ({ httpPort }) => {
    const answers: unknown[] = [];
    for (const name of Object.keys(ANSWERS)) {
      const { status, body } = await reply(
        httpPort,
        infer(modelOf(name), { id: name, parameters: { case: name }, ...floats(1, 2) }),
      );
      answers.push({ step: name, status, body: withoutTraceback(body) });
    }
    return answers;
  },
};

const grpcFloats = (name: string): Record<string, unknown> => ({
  model_name: modelOf(name),
  id: name,
  parameters: { case: { string_param: name } },
  inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [2n] }],
  raw_input_contents: [Buffer.from(Float32Array.of(1, 2).buffer)],
});

const GRPC_ANSWERS: ReferenceCase = {
  name: 'python answers over gRPC',
  run: async ({ grpcPort }) => {
    const answers: unknown[] = [];
    for (const name of Object.keys(ANSWERS)) {
      const { code, details, response } = await within(
        grpcCall(grpcPort, 'ModelInfer', grpcFloats(name)),
        10_000,
      ).catch((error: unknown) => ({ code: -1, details: String(error), response: null }));
      answers.push({ step: name, code, details: withoutTraceback(details), response });
    }
    return answers;
  },
};

const streamed = (port: number, message: Record<string, unknown>): Promise<unknown> =>
  within(grpcStream(port, [message]), STREAM_LIMIT_MS).catch(String);

const STREAM_ANSWERS: ReferenceCase = {
  name: 'python streams',
  run: async ({ grpcPort, httpPort }) => {
    const answers: unknown[] = [];
    for (const name of [...Object.keys(STREAMS), 'echo', 'fails']) {
      const seen = await streamed(grpcPort, grpcFloats(name));
      answers.push({ step: name, seen: withoutTraceback(JSON.stringify(seen)) });
      const final = {
        ...grpcFloats(name),
        parameters: {
          case: { string_param: name },
          triton_enable_empty_final_response: { bool_param: true },
        },
      };
      const all = await streamed(grpcPort, final);
      answers.push({ step: `${name} with the empty final`, seen: withoutTraceback(JSON.stringify(all)) });
      const events = await reply(
        httpPort,
        post(`/v2/models/${modelOf(name)}/generate_stream`, { INPUT0: [1, 2], case: name }),
      );
      answers.push({ step: `${name} as events`, seen: withoutTraceback(JSON.stringify(events)) });
    }
    return answers;
  },
};

const loadCase = (name: string): ReferenceCase => ({
  name: `python load of ${name}`,
  run: async (target) => {
    const loaded = await reply(target.httpPort, post(`/v2/repository/models/${name}/load`, ''));
    const body = withoutTraceback(loaded.body.replaceAll(target.folders[0] ?? '', '<repository>'));
    const answers: unknown[] = [{ step: 'load', status: loaded.status, body }];
    const hidden = <T extends { readonly body: string }>(answer: T): T => ({
      ...answer,
      body: answer.body.replaceAll(target.folders[0] ?? '', '<repository>'),
    });
    if (loaded.status !== 200) return answers;
    const config = await reply(target.httpPort, { name, method: 'GET', path: `/v2/models/${name}/config` });
    answers.push({ step: 'config', ...config, body: config.body.replace(/"runtime":"[^"]*"/, '') });
    answers.push({ step: 'infer', ...hidden(await reply(target.httpPort, infer(name, floats(1, 2)))) });
    await reply(target.httpPort, post(`/v2/repository/models/${name}/unload`, ''));
    return answers;
  },
});

const BYTES_ROUND: ReferenceCase = {
  name: 'python texts',
  run: async ({ grpcPort }) => {
    const answers: unknown[] = [];
    const elements = (...texts: readonly (string | Buffer)[]): Buffer =>
      Buffer.concat(
        texts.flatMap((text) => {
          const bytes = Buffer.from(text as string);
          const head = Buffer.alloc(4);
          head.writeUInt32LE(bytes.byteLength);
          return [head, bytes];
        }),
      );
    const rows: readonly (readonly [string, number, Buffer])[] = [
      ['none', 0, Buffer.alloc(0)],
      ['empty ones', 2, elements('', '')],
      ['zero bytes', 1, elements('a\0b')],
      ['no UTF-8', 1, elements(Buffer.from([255, 254]))],
      ['long', 1, elements('x'.repeat(70_000))],
      ['cut off', 1, Buffer.from([5, 0, 0, 0, 65])],
      ['half a length', 1, Buffer.from([5, 0])],
      ['too many', 1, elements('a', 'b')],
      ['too few', 3, elements('a', 'b')],
    ];
    for (const [step, count, bytes] of rows) {
      const message = {
        model_name: 'round',
        inputs: [{ name: 'INPUT0', datatype: 'BYTES', shape: [BigInt(count)] }],
        raw_input_contents: [bytes],
      };
      answers.push({ step, ...(await within(grpcCall(grpcPort, 'ModelInfer', message), 10_000)) });
    }
    return answers;
  },
};

export const PYTHON_SCENE: Scene = {
  name: 'python',
  repositories: sameFor(repository),
  args: [
    '--model-control-mode=explicit',
    ...['probe', 'round', 'echo', 'coroutine', 'coroutine_raises', 'answers', 'texts', 'streams']
      .concat(OPTIONAL_MODELS, ORDER_MODELS, INPUT_MODELS)
      .map((name) => `--load-model=${name}`),
  ],
  atOnce: 2,
  cases: [
    HTTP_ANSWERS,
    GRPC_ANSWERS,
    BYTES_ROUND,
    OPTIONAL_ANSWERS,
    ORDER_ANSWERS,
    INPUT_ANSWERS,
    ...[...Object.keys(LOADS), 'l_bare'].map(loadCase),
    STREAM_ANSWERS,
  ],
};

/** One question after the other: the reference's process does not stand two of these at a time. */
export const PROBE_SCENE: Scene = {
  ...PYTHON_SCENE,
  name: 'python interface',
  atOnce: 1,
  cases: [
    probeCase('parameters', PARAMETER_PROBES),
    ...Object.entries({ ...PROBES, ...OBJECT_PROBES }).map(([theme, codes]) => probeCase(theme, codes)),
  ],
};
