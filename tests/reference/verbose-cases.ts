// What a verbose log tells of requests, one at a time, and of the rate limiter's resources.

import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { grpcCall } from './grpc-exchange.ts';
import { get, post, within } from './http-calls.ts';
import { ask, floats, infer, load, unload, wait } from './life-calls.ts';
import { hideVolatile, logRecords } from './normalise.ts';
import { answering, ECHO_MODEL, ONE_TO_ONE, pythonFiles } from './python-models.ts';
import type { ReferenceCase, Target } from './reference-case.ts';
import type { Scene } from './scene.ts';

const step = (model: string, more = ''): string =>
  `{ model_name: "${model}" model_version: -1 input_map { key: "INPUT0" value: "INPUT0" } ${more} }`;
const TO_OUTPUT = 'output_map { key: "OUTPUT0" value: "OUTPUT0" }';
const ensemble = (name: string, steps: readonly string[]): RepositoryFiles => ({
  [`${name}/config.pbtxt`]: `platform: "ensemble"\n${ONE_TO_ONE}\nensemble_scheduling { step [ ${steps.join(', ')} ] }\n`,
  [`${name}/1/`]: '',
});
const limited = (more: string): string =>
  `${ONE_TO_ONE}\ninstance_group [ { kind: KIND_CPU count: 1 rate_limiter { ${more} } } ]`;
const resource = (name: string, count: number, isGlobal = false): string =>
  `resources [ { name: "${name}" count: ${count} global: ${isGlobal} } ]`;

const models: RepositoryFiles = {
  ...pythonFiles('echo', ECHO_MODEL),
  ...pythonFiles('raises', answering('raise ValueError("on purpose")')),
  ...pythonFiles('nothing', answering('response = pb_utils.InferenceResponse([])'), ONE_TO_ONE),
  ...pythonFiles('hungry', ECHO_MODEL, limited(resource('R1', 4))),
  ...pythonFiles('modest', ECHO_MODEL, limited(`${resource('R1', 2)} priority: 2`)),
  ...pythonFiles('shared', ECHO_MODEL, limited(`${resource('G', 3, true)} ${resource('R2', 1)}`)),
  ...pythonFiles('both', ECHO_MODEL, limited(resource('G', 1))),
  ...ensemble('chain', [step('echo', TO_OUTPUT)]),
  ...ensemble('silent', [step('nothing', TO_OUTPUT)]),
};

/** Of the backend and of threads, which are each server's own, or come when they come. */
const INTERNAL =
  /python_be|model .*, instance|TRITONBACKEND|pinned|Received|stub|Stub|pool|Starting|Thread|^I (New|Adding)|Failed to process the request|Creating|Cleaning|\(was .* bytes\)/;

/** Addresses in memory, and the numbers of calls, which are one after another here and of a pool there. */
function withoutNumbers(line: string): string {
  return line
    .replace(/, addr:? 0x#/, '')
    .replaceAll(/\[(0x#\w*|#\d+)\] /g, '')
    .replace(/^(I \w+ for \w+Handler|.*InferResponseComplete)(, rpc_ok=1)?, \d+/, '$1$2, <call>');
}

async function linesDuring(target: Target, act: () => Promise<unknown>): Promise<readonly string[]> {
  const before = target.log().length;
  await act();
  await wait(400);
  return logRecords(target.log().slice(before))
    .map(({ level, text }) => `${level} ${hideVolatile(text, target)}`)
    .filter((line) => !INTERNAL.test(line))
    .map(withoutNumbers);
}

const told = (name: string, act: (target: Target) => Promise<unknown>): ReferenceCase => ({
  name: `verbose ${name}`,
  run: async (target) => ({ lines: await linesDuring(target, () => act(target)) }),
});

const tensor = { name: 'INPUT0', datatype: 'FP32', shape: [1n] };
const overGrpc =
  (model: string, more: object = {}) =>
  ({ grpcPort }: Target): Promise<unknown> =>
    within(
      grpcCall(grpcPort, 'ModelInfer', {
        model_name: model,
        id: 'named',
        inputs: [tensor],
        raw_input_contents: [Buffer.alloc(4)],
        ...more,
      }),
      5000,
    );

const REQUESTS: readonly ReferenceCase[] = [
  told('health', (target) => ask(target, get('/v2/health/ready'))),
  told('an unknown path', (target) => ask(target, get('/v3/x'))),
  told('metadata', (target) => ask(target, get('/v2/models/echo'))),
  told('statistics', (target) => ask(target, post('/v2/models/echo/infer', 'rubbish'))),
  told('HTTP', (target) => ask(target, infer('echo', { id: 'named', ...floats([1]) }))),
  told('HTTP without an id', (target) => ask(target, infer('echo', floats([1, 2])))),
  told('HTTP, a failure', (target) => ask(target, infer('raises', { id: 'named', ...floats([1]) }))),
  told('HTTP, a refusal', (target) => ask(target, infer('echo', { id: 'named', inputs: [] }))),
  told('HTTP, an unknown model', (target) => ask(target, infer('nope', { id: 'named', ...floats([1]) }))),
  told('HTTP, an ensemble', (target) => ask(target, infer('chain', { id: 'named', ...floats([1]) }))),
  told('HTTP, an ensemble without an output', (target) => ask(target, infer('silent', floats([1])))),
  told('gRPC', overGrpc('echo')),
  told('gRPC, a failure', overGrpc('raises')),
  told('gRPC, a refusal', overGrpc('echo', { inputs: [], raw_input_contents: [] })),
  told('gRPC, an unknown model', overGrpc('nope')),
  told('gRPC, an ensemble', overGrpc('chain')),
  told('gRPC, readiness', ({ grpcPort }) => grpcCall(grpcPort, 'ServerReady', {})),
];

const limiting = (
  name: string,
  call: (model: string) => ReturnType<typeof load>,
  model: string,
): ReferenceCase => ({
  name: `rate limiter ${name}`,
  run: async (target) => {
    const before = target.log().length;
    const answer = await ask(target, call(model));
    await wait(name.startsWith('unload') ? 2500 : 300);
    const maps = logRecords(target.log().slice(before)).filter(({ text }) =>
      text.includes('Max Resource Map'),
    );
    return [
      { step: 'answer', answer },
      { step: 'maps', maps: maps.map(({ text }) => text) },
      { step: 'infer', answer: await ask(target, infer(model)) },
    ];
  },
});

const changes = ['hungry', 'modest', 'shared', 'both', 'hungry'].flatMap((model) => [
  limiting(`load of ${model}`, load, model),
]);

const scene = (name: string, args: readonly string[], cases: readonly ReferenceCase[]): Scene => ({
  name,
  repositories: () => [models],
  args: ['--model-control-mode=explicit', '--log-verbose=1', ...args],
  cases: cases.map((one) => ({ ...one, name: `${one.name} (${name})` })),
});

const served = ['echo', 'raises', 'chain', 'silent'].map((model) => `--load-model=${model}`);

export const VERBOSE_SCENES: readonly Scene[] = [
  scene('verbose', served, REQUESTS),
  scene(
    'limited',
    ['--rate-limit=execution_count'],
    [
      ...changes,
      limiting('unload of hungry', unload, 'hungry'),
      limiting('unload of shared', unload, 'shared'),
      limiting('load of both again', load, 'both'),
      limiting('unload of modest', unload, 'modest'),
    ],
  ),
  scene(
    'limited by hand',
    ['--rate-limit=execution_count', '--rate-limit-resource=R1:3', '--rate-limit-resource=R2:1:0'],
    [...changes, limiting('unload of modest', unload, 'modest')],
  ),
];
