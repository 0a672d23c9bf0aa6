// Every route with every method, with versions that are none, with slashes and queries, and with bodies where none is meant.

import type { PlainMessage } from '../../src-main/grpc-wire/messages.ts';
import { grpcCall } from './grpc-exchange.ts';
import { codeFile, ECHO_MODEL, ONE_TO_ONE, pythonFiles } from './python-models.ts';
import type { Part } from './raw-exchange.ts';
import { rawExchange } from './raw-exchange.ts';
import type { ReferenceCase } from './reference-case.ts';
import { script } from './reference-case.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';
import { call } from './script-calls.ts';

const HIDDEN = [
  /"version":"2[^"]*"/,
  /"(trace|log)_file":"[^"]*"/,
  /"last_inference":\d+/,
  ...Array.from({ length: 12 }, () => /"ns":\d+/),
];
const BODY = '{"inputs":[{"name":"INPUT0","datatype":"FP32","shape":[1],"data":[1]}]}';

const ROUTES: readonly string[] = [
  '/v2',
  '/v2/health/live',
  '/v2/health/ready',
  '/v2/models/stats',
  '/v2/models/echo',
  '/v2/models/echo/ready',
  '/v2/models/echo/config',
  '/v2/models/echo/stats',
  '/v2/models/echo/infer',
  '/v2/models/echo/generate',
  '/v2/models/echo/generate_stream',
  '/v2/models/echo/trace/setting',
  '/v2/models/echo/versions/1',
  '/v2/models/echo/versions/1/ready',
  '/v2/models/echo/versions/1/config',
  '/v2/models/echo/versions/1/stats',
  '/v2/models/echo/versions/1/infer',
  '/v2/models/echo/versions/1/trace/setting',
  '/v2/trace/setting',
  '/v2/logging',
  '/v2/repository/index',
  '/v2/repository/models/absent/load',
  '/v2/repository/models/absent/unload',
  '/v2/repository/models/absent',
  '/v2/systemsharedmemory/status',
  '/v2/systemsharedmemory/region/r/status',
  '/v2/systemsharedmemory/region/r/register',
  '/v2/systemsharedmemory/region/r/unregister',
  '/v2/systemsharedmemory/unregister',
  '/v2/cudasharedmemory/status',
  '/v2/cudasharedmemory/region/r/status',
  '/v2/cudasharedmemory/region/r/register',
  '/v2/cudasharedmemory/region/r/unregister',
  '/v2/cudasharedmemory/unregister',
];
const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'];

const methods: readonly ReferenceCase[] = ROUTES.map((route) =>
  script(`routes: methods of ${route}`, [
    ...METHODS.map((method) => call(method, route, undefined, HIDDEN)),
    ...['POST', 'PUT', 'DELETE'].map((method) => call(method, route, '{}', HIDDEN)),
    ...['/', '//', '?a=b', '/?a=b', '/more', '%20', '#x'].flatMap((end) => [
      call('GET', `${route}${end}`, undefined, HIDDEN),
      call('POST', `${route}${end}`, '{}', HIDDEN),
    ]),
  ]),
);

const VERSIONS = [
  '01',
  '001',
  '1',
  '2',
  '3',
  '0',
  '-1',
  '-0',
  '+1',
  '1.0',
  '1e0',
  '1x',
  'x',
  'latest',
  '%31',
  '1%20',
  '%201',
  '',
  '9223372036854775807',
  '9223372036854775808',
  '18446744073709551617',
  '99999999999999999999999',
  '0x1',
  '١',
];
const versions: readonly ReferenceCase[] = [
  ...VERSIONS.map((version) =>
    script(`routes: version '${version}'`, [
      ...['', '/ready', '/config', '/stats', '/trace/setting'].map((end) =>
        call('GET', `/v2/models/echo/versions/${encodeOdd(version)}${end}`, undefined, HIDDEN),
      ),
      call('POST', `/v2/models/echo/versions/${encodeOdd(version)}/infer`, BODY),
      call('POST', `/v2/models/echo/versions/${encodeOdd(version)}/generate`, '{"INPUT0":1}'),
      call('POST', `/v2/models/echo/versions/${encodeOdd(version)}/generate_stream`, '{"INPUT0":1}'),
    ]),
  ),
];
/** Letters beyond ASCII cannot stand in a target. */
function encodeOdd(version: string): string {
  return version.replaceAll(/[^ -~]/g, (letter) => encodeURIComponent(letter));
}

const NAMES = ['echo', 'nope', '', 'ECHO', ' echo', 'echo ', 'echo/1', '../echo', 'ünï', 'x'.repeat(3000)];
const RPCS: readonly (readonly [string, (name: string, version: string) => PlainMessage])[] = [
  ['ModelReady', (name, version) => ({ name, version })],
  ['ModelMetadata', (name, version) => ({ name, version })],
  ['ModelConfig', (name, version) => ({ name, version })],
  ['ModelStatistics', (name, version) => ({ name, version })],
  [
    'ModelInfer',
    (name, version) => ({
      model_name: name,
      model_version: version,
      inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [1] }],
      raw_input_contents: [Buffer.alloc(4)],
    }),
  ],
];
const TIMES = /"(ns|last_inference)":"\d+"/g;
const asked = (title: string, pairs: readonly (readonly [string, string])[]): ReferenceCase => ({
  name: `routes: ${title} over gRPC`,
  run: async ({ grpcPort }) => {
    const answers: unknown[] = [];
    for (const [rpc, message] of RPCS)
      for (const [name, version] of pairs) {
        const answer = await grpcCall(grpcPort, rpc, message(name, version));
        const text = JSON.stringify(answer).replaceAll(TIMES, '"$1":"#"');
        answers.push({
          step: `${rpc} '${name.slice(0, 20)}' '${version}'`,
          answer: JSON.parse(text) as unknown,
        });
      }
    return answers;
  },
});

const models = {
  ...pythonFiles('echo', ECHO_MODEL, `${ONE_TO_ONE}\nversion_policy { all {} }`),
  'echo/2/model.py': codeFile(ECHO_MODEL),
  'echo/2/__pycache__': '',
  'absent/': '',
};

const lines = (...rest: readonly string[]): string => `${rest.join('\r\n')}\r\n\r\n`;
/** Which headers a GET of each kind has. */
const headers: readonly ReferenceCase[] = (
  [
    [
      'of a stream',
      lines('POST /v2/models/echo/generate_stream HTTP/1.1', 'Host: localhost', 'Content-Length: 12'),
      '{"INPUT0":1}',
    ],
    [
      'of generate',
      lines('POST /v2/models/echo/generate HTTP/1.1', 'Host: localhost', 'Content-Length: 12'),
      '{"INPUT0":1}',
    ],
    [
      'of a stream with HTTP/1.0',
      lines('POST /v2/models/echo/generate_stream HTTP/1.0', 'Content-Length: 12'),
      '{"INPUT0":1}',
    ],
    [
      'of a stream that closes',
      lines(
        'POST /v2/models/echo/generate_stream HTTP/1.1',
        'Host: localhost',
        'Connection: close',
        'Content-Length: 12',
      ),
      '{"INPUT0":1}',
    ],
    [
      'of a stream that fails',
      lines('POST /v2/models/echo/generate_stream HTTP/1.1', 'Host: localhost', 'Content-Length: 12'),
      '{"INPUT1":1}',
    ],
    [
      'of a stream of nothing',
      lines('POST /v2/models/nope/generate_stream HTTP/1.1', 'Host: localhost', 'Content-Length: 12'),
      '{"INPUT1":1}',
    ],
    ['of logging', lines('GET /v2/logging HTTP/1.1', 'Host: localhost')],
    ['of an index', lines('POST /v2/repository/index HTTP/1.1', 'Host: localhost', 'Content-Length: 0')],
    [
      'of a load',
      lines('POST /v2/repository/models/nope/load HTTP/1.1', 'Host: localhost', 'Content-Length: 0'),
    ],
    ['of readiness', lines('GET /v2/models/echo/ready HTTP/1.1', 'Host: localhost')],
  ] as readonly (readonly Part[])[]
).map(([title, ...parts]) => ({
  name: `routes: headers ${String(title)}`,
  run: ({ httpPort }) => rawExchange(httpPort, parts),
}));

export const ROUTE_SCENE: Scene = {
  name: 'routes',
  repositories: sameFor(models),
  args: ['--model-control-mode=explicit', '--load-model=echo', '--strict-readiness=false'],
  cases: [
    ...methods,
    ...versions,
    asked(
      'names',
      NAMES.map((name) => [name, '']),
    ),
    asked(
      'versions',
      VERSIONS.map((version) => ['echo', version]),
    ),
    ...headers,
  ],
};
