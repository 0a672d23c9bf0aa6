import { expect, test } from 'vitest';

import { importCommand, splitWords } from './import-command.ts';
import { portRange } from './port-conflict-dialog.tsx';
import { serverSnippets } from './server-snippets.ts';

const KNOWN = new Set([
  'server.httpPort',
  'server.grpcPort',
  'server.autoComplete',
  'server.strictReadiness',
  'logs.verboseLevel',
]);

test('a docker run is read from its tritonserver on', () => {
  const command =
    'docker run --gpus=all --rm -p8000:8000 -v/m:/models nvcr.io/nvidia/tritonserver:25.06-py3 \\\n' +
    "  tritonserver --model-repository=/models --http-port 9000 --strict-model-config=true --log-verbose=1 --backend-config='onnxruntime,a=b'";
  expect(importCommand(command, KNOWN)).toEqual({
    changes: { 'server.httpPort': 9000, 'server.autoComplete': false, 'logs.verboseLevel': 1 },
    repositories: ['/models'],
    ignored: ['--backend-config=onnxruntime,a=b'],
  });
});

test('a value that does not fit, and a setting this server lacks, are said to be ignored', () => {
  const { changes, ignored } = importCommand(
    'tritonserver --http-port=abc --metrics-port=9002 --allow-http',
    KNOWN,
  );
  expect(changes).toEqual({});
  expect(ignored).toEqual(['--http-port=abc', '--metrics-port=9002', '--allow-http']);
});

test('a switch without a value means true', () => {
  expect(importCommand('--disable-auto-complete-config --strict-readiness=0', KNOWN).changes).toEqual({
    'server.autoComplete': false,
    'server.strictReadiness': false,
  });
});

test('quotes hold words together', () => {
  expect(splitWords(`a "b c" d='e f'`)).toEqual(['a', 'b c', 'd=e f']);
});

test('neighbouring ports read as a range', () => {
  expect([portRange([8010, 8011, 8012]), portRange([8010, 9011]), portRange([8010])]).toEqual([
    '8010-8012',
    '8010, 9011',
    '8010',
  ]);
});

test('snippets name the address and a model; an endpoint that is off has none', () => {
  const snippets = serverSnippets('http://127.0.0.1:8010', '', 'a/b');
  expect(snippets.map(({ code }) => code)).toContain('curl -s http://127.0.0.1:8010/v2/models/a%2Fb/stats');
  expect(serverSnippets('', '', '')).toEqual([]);
});
