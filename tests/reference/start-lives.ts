// Starts that take their time, that fail in part, and that somebody ends: what the ports answer meanwhile, which signals do
// what, the exit code and the last records.

import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { ECHO_MODEL, ONE_TO_ONE, pythonFiles } from './python-models.ts';

/** `at`: once this stands in the log; a number waits that many milliseconds. */
export interface LifeStep {
  readonly at: RegExp | number;
  readonly act?: NodeJS.Signals | 'ask' | readonly string[];
}

export interface StartLife {
  readonly name: string;
  readonly files: readonly RepositoryFiles[];
  /** `<repository N>` stands for a folder, `<ports N>` for a port, `<taken>` for one that somebody holds. */
  readonly args: readonly string[];
  readonly prepare?: (folders: readonly string[]) => Promise<unknown>;
  readonly steps: readonly LifeStep[];
}

export const STARTED = /Started Metrics Service/;
const slow = (name: string, loads: number, answers = 0, goes = 0, fails = ''): RepositoryFiles =>
  pythonFiles(
    name,
    `class TritonPythonModel:
    def initialize(self, args):
        time.sleep(${loads})
        ${fails === 'load' ? 'raise ValueError("on purpose")' : 'pass'}

    def execute(self, requests):
        time.sleep(${answers})
        return [pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", first(request))]) for request in requests]

    def finalize(self):
        time.sleep(${goes})
        ${fails === 'end' ? 'raise ValueError("at the end")' : 'pass'}
`,
    `${ONE_TO_ONE}\ninstance_group [ { kind: KIND_CPU count: 1 } ]`,
  );
export const echo = (name: string, more = ''): RepositoryFiles =>
  pythonFiles(name, ECHO_MODEL, `${ONE_TO_ONE}\ninstance_group [ { kind: KIND_CPU count: 1 } ]\n${more}`);
export const bad = (name: string): RepositoryFiles => ({
  [`${name}/config.pbtxt`]: 'backend: "far"',
  [`${name}/1/`]: '',
});

export const ends: LifeStep = { at: STARTED, act: 'SIGTERM' };
export const ask: LifeStep = { at: STARTED, act: 'ask' };
/** Calls whose answers come before the end. */
const INFER_SLOW = 'POST /v2/models/slow/infer';
const ALL = [
  'GET /v2/health/live',
  'GET /v2/health/ready',
  'POST /v2/repository/index',
  'GET /v2/models/alpha',
  'GET /v2/models/alpha/ready',
  'POST /v2/models/alpha/infer',
];
export const NO_ERROR = '--exit-on-error=false';
export const EXPLICIT = '--model-control-mode=explicit';

const LOADING: readonly StartLife[] = [
  {
    name: 'asked while a model loads',
    files: [{ ...slow('slow', 3), ...echo('alpha') }],
    args: [],
    steps: [{ at: /loading: slow/ }, { at: 700, act: 'ask' }, ask, ends],
  },
  ...(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR1', 'SIGQUIT'] as const).map((signal): StartLife => ({
    name: `${signal} while a model loads`,
    files: [slow('slow', 3)],
    args: [],
    steps: [{ at: /loading: slow/ }, { at: 700, act: signal }],
  })),
  {
    name: 'SIGTERM twice while a model loads',
    files: [slow('slow', 3)],
    args: [],
    steps: [{ at: /loading: slow/ }, { at: 700, act: 'SIGTERM' }, { at: 300, act: 'SIGTERM' }],
  },
  {
    name: 'SIGTERM while a model loads that fails',
    files: [{ ...slow('slow', 3, 0, 0, 'load'), ...echo('alpha') }],
    args: [],
    steps: [{ at: /loading: slow/ }, { at: 700, act: 'SIGTERM' }],
  },
  {
    name: 'a slow model fails beside a good one',
    files: [{ ...slow('slow', 2, 0, 0, 'load'), ...echo('alpha') }],
    args: [],
    steps: [],
  },
  {
    name: 'a slow model fails beside a good one',
    files: [{ ...slow('slow', 2, 0, 0, 'load'), ...echo('alpha') }],
    args: [NO_ERROR],
    steps: [ask, ends],
  },
  {
    name: 'all fail',
    files: [{ ...bad('alpha'), ...bad('beta') }],
    args: [NO_ERROR],
    steps: [ask, ends],
  },
  {
    name: 'all fail, readiness is not strict',
    files: [{ ...bad('alpha'), ...bad('beta') }],
    args: [NO_ERROR, '--strict-readiness=false'],
    steps: [ask, ends],
  },
];

const ENDING: readonly StartLife[] = [
  ...(['SIGTERM', 'SIGINT'] as const).map((signal): StartLife => ({
    name: `${signal} while a request runs`,
    files: [{ ...slow('slow', 0, 2), ...echo('alpha') }],
    args: [],
    steps: [
      { at: STARTED, act: [INFER_SLOW] },
      { at: 500, act: signal },
      { at: 300, act: ALL },
    ],
  })),
  ...(['SIGHUP', 'SIGUSR1', 'SIGUSR2', 'SIGQUIT', 'SIGPIPE'] as const).map((signal): StartLife => ({
    name: `${signal} to a server`,
    files: [echo('alpha')],
    args: [],
    steps: [
      { at: STARTED, act: signal },
      { at: 1000, act: ['GET /v2/health/live'] },
      { at: 300, act: 'SIGTERM' },
    ],
  })),
  {
    name: 'SIGTERM twice while a request runs',
    files: [slow('slow', 0, 3)],
    args: [],
    steps: [
      { at: STARTED, act: [INFER_SLOW] },
      { at: 500, act: 'SIGTERM' },
      { at: 500, act: 'SIGTERM' },
    ],
  },
  {
    name: 'SIGINT, SIGTERM and SIGINT while a request runs',
    files: [slow('slow', 0, 3)],
    args: [],
    steps: [
      { at: STARTED, act: [INFER_SLOW] },
      { at: 500, act: 'SIGINT' },
      { at: 300, act: 'SIGTERM' },
      { at: 300, act: 'SIGINT' },
    ],
  },
  ...['0', '1'].map((seconds): StartLife => ({
    name: 'a request runs longer than the end may take',
    files: [slow('slow', 0, 4)],
    args: [`--exit-timeout-secs=${seconds}`],
    steps: [
      { at: STARTED, act: [INFER_SLOW] },
      { at: 500, act: 'SIGTERM' },
    ],
  })),
  ...['0', '1', '10'].map((seconds): StartLife => ({
    name: 'a model takes three seconds to go',
    files: [slow('slow', 0, 0, 3)],
    args: [`--exit-timeout-secs=${seconds}`],
    steps: [ends],
  })),
  {
    name: 'a model that fails at its end',
    files: [{ ...slow('slow', 0, 0, 0, 'end'), ...echo('alpha') }],
    args: [],
    steps: [ends],
  },
  { name: 'no model', files: [{}], args: [], steps: [ask, ends] },
  { name: 'explicit, no model', files: [echo('alpha')], args: [EXPLICIT], steps: [ask, ends] },
];

const PORTS: readonly StartLife[] = [
  ...['http', 'grpc', 'metrics'].flatMap((name): StartLife[] => [
    {
      name: `the ${name} port is taken`,
      files: [echo('alpha')],
      args: [`--${name}-port=<taken>`],
      steps: [],
    },
    {
      name: `the ${name} port is taken`,
      files: [bad('alpha')],
      args: [`--${name}-port=<taken>`],
      steps: [],
    },
  ]),
  { name: 'http on the port of grpc', files: [{}], args: ['--http-port=<ports 1>'], steps: [ends] },
  { name: 'metrics on the port of http', files: [{}], args: ['--metrics-port=<ports 0>'], steps: [ends] },
  {
    name: 'all on one port',
    files: [{}],
    args: ['--http-port=<ports 0>', '--grpc-port=<ports 0>', '--metrics-port=<ports 0>'],
    steps: [ends],
  },
  {
    name: 'a taken port that is shared',
    files: [{}],
    args: ['--http-port=<taken>', '--reuse-http-port=true'],
    steps: [ends],
  },
  {
    name: 'a taken port that is shared',
    files: [{}],
    args: ['--grpc-port=<taken>', '--reuse-grpc-port=true'],
    steps: [ends],
  },
  {
    name: 'no HTTP on a taken port',
    files: [{}],
    args: ['--http-port=<taken>', '--allow-http=false'],
    steps: [ends],
  },
  {
    name: 'no metrics on a taken port',
    files: [{}],
    args: ['--metrics-port=<taken>', '--allow-metrics=false'],
    steps: [{ at: /Started HTTPService/, act: 'SIGTERM' }],
  },
];

export const START_LIVES: readonly StartLife[] = [...LOADING, ...ENDING, ...PORTS];
