// What `conch serve` prints: refusals in the reference's form, and where it serves.

import { expect, test, vi } from 'vitest';

import { ServerError } from '../../../src-shared/errors.ts';
import type { UsageError } from '../../options/usage-error.ts';
import type { ServeOptions } from '../../cli/serve-options.ts';
import { parseServeOptions } from '../../cli/serve-options.ts';
import { startFailureText } from '../hosting/start-failure.ts';
import { modelsTable, optionsTable } from '../hosting/start-tables.ts';
import { usageErrorText } from './serve-command.ts';
import { addressLines, serveSupervised, startedLine } from './serve-supervised.ts';

function parse(...args: string[]): ServeOptions {
  const options = parseServeOptions([
    '--model-repository=/m',
    '--model-repository=as://account/container?sig=secret',
    ...args,
  ]);
  if (options === 'help') throw new Error('unexpected help');
  return options;
}

function refusal(...args: string[]): string {
  try {
    parse(...args);
  } catch (thrown) {
    return usageErrorText(thrown as UsageError);
  }
  throw new Error('accepted');
}

test("the scanner's own line stands before the usage text, the hint after it", () => {
  const text = refusal('--htp-port=1');
  expect(text).toMatch(
    /^tritonserver: unrecognized option '--htp-port=1'\nUsage: tritonserver \[options\]\n/,
  );
  expect(text).toMatch(/\nDid you mean '--http-port'\?\n$/);
});

test('a refused value is reported under the name of its option', () => {
  expect(refusal('--http-port=x')).toMatch(
    /^Usage: [\s\S]*\nBad option: "--http-port"\.\nInvalid option value\. Got x\n$/,
  );
});

test('a fault of the options as a whole is all that is printed', () => {
  expect(refusal('--model-load-gpu-limit=-1:0.5')).toBe(
    'Failed to build Triton option:\nerror: setting model load GPU limit: Invalid argument - expects device ID >= 0, got -1\n',
  );
});

test.each([
  [
    new ServerError('INTERNAL', 'failed to load all models'),
    'error: creating server: Internal - failed to load all models',
  ],
  [
    new ServerError(
      'UNAVAILABLE',
      "failed to start HTTP service: Unavailable - Socket '0.0.0.0:1' already in use",
    ),
    "failed to start HTTP service: Unavailable - Socket '0.0.0.0:1' already in use",
  ],
])('a server that cannot run: %s', (thrown, line) => {
  expect(startFailureText(thrown)).toBe(line);
});

test('addresses can be clicked, also when every address is served', () => {
  const options = parse('--http-address=0.0.0.0', '--grpc-address=::1');
  expect(addressLines(options, { http: 1, grpc: 2, metrics: 3, ui: 4 }, 'secret')).toBe(
    [
      'Conch is serving',
      '  Window   http://127.0.0.1:4/?token=secret',
      '  HTTP     http://127.0.0.1:1',
      '  gRPC     [::1]:2',
      '  Metrics  http://127.0.0.1:3/metrics',
    ].join('\n'),
  );
  expect(addressLines(options, { grpc: 2 }, 'secret')).toBe('Conch is serving\n  gRPC     [::1]:2');
});

test('the address of the window stands below the log of the start too', () => {
  const address = 'http://127.0.0.1:4/?token=secret';
  expect(startedLine(8, address)).toBe(`Loaded 8 models. The window is at ${address}`);
  expect(startedLine(1, address)).toMatch(/^Loaded 1 model\./);
});

test('the models table tells why a model is not there', () => {
  const lines = modelsTable([
    { id: { namespace: '/r', name: 'c' }, versions: [] },
    { id: { namespace: '', name: 'b' }, versions: [{ version: 2, state: 'UNAVAILABLE', reason: 'broken' }] },
    {
      id: { namespace: '', name: 'a' },
      versions: [
        { version: 1, state: 'READY', reason: '' },
        { version: 2, state: 'LOADING', reason: '' },
      ],
    },
  ]).split('\n');
  expect(lines.filter((line) => line.startsWith('| ')).map((line) => line.replaceAll(/ +/g, ' '))).toEqual([
    '| Model | Version | Status |',
    '| a | 1 | READY |',
    '| a | 2 | LOADING |',
    '| b | 2 | UNAVAILABLE: broken |',
    '| /r::c | - | Not loaded: No model version was found |',
  ]);
});

test('the options table has the rows and the order of the reference', () => {
  const options = parse(
    '--model-control-mode=explicit',
    '--load-model=x',
    '--rate-limit=execution_count',
    '--rate-limit-resource=R:2:0',
    '--rate-limit-resource=S:1',
    '--cache-config=local,size=1',
  );
  const table = optionsTable(options, { name: 'n', version: 'v', extensions: ['e', 'f'] });
  const rows = table
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, option = '', value = '']) => [option, value]);
  expect(rows).toEqual([
    ['Option', 'Value'],
    ['server_id', 'n'],
    ['server_version', 'v'],
    ['server_extensions', 'e f'],
    ['model_repository_path[0]', '/m'],
    ['model_repository_path[1]', 'as://account/container'],
    ['model_control_mode', 'MODE_EXPLICIT'],
    ['startup_models_0', 'x'],
    ['strict_model_config', '0'],
    ['model_config_name', ''],
    ['rate_limit', 'EXEC_COUNT'],
    ['rate_limit_resource[0]', '{"name":"R", "count":2 "device":0}'],
    ['rate_limit_resource[1]', '{"name":"S", "count":1}'],
    ['pinned_memory_pool_byte_size', '268435456'],
    ['min_supported_compute_capability', '7.5'],
    ['strict_readiness', '1'],
    ['exit_timeout', '30'],
    ['cache_enabled', '1'],
  ]);
});

test('a folder for user data that cannot be written ends the start with its reason', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  // A file is no folder to make others in.
  const options = parse('--ui', `--user-data=${import.meta.filename}/conch`);
  expect(await serveSupervised([], options)).toEqual({ exitCode: 1, isStuck: false });
  expect(said).toHaveBeenCalledExactlyOnceWith(
    expect.stringMatching(
      /^conch: The folder '.*', where Conch keeps its own files, cannot be written: Not a directory\./,
    ),
  );
  said.mockRestore();
});
