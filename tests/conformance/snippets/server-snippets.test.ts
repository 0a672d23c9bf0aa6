// The code that the Server screen shows for a whole server, run as shown, in the order of a client that loads a model,
// runs it, looks at it and unloads it. What has no tool here is skipped.

import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { serverSnippets } from '../../../src-main/playground/server-snippets.ts';
import { TempRepository } from '../../../src-main/testing/temp-repository.ts';
import type {
  ServerSnippetLanguage,
  ServerSnippetSubject,
} from '../../../src-shared/contract/server-snippet.ts';
import type { ServedProcess } from '../../../tools/served-process.ts';
import { serveConch } from '../../../tools/served-process.ts';
import { modelOf, requestOf, SNIPPET_CASES, snippetModels } from './snippet-cases.ts';

const root = path.resolve(import.meta.dirname, '../../..');
/** Made by `npm run conformance:tritonclient`. */
const PYTHON = path.join(root, '.cache/venv-tritonclient/bin/python');
const run = promisify(execFile);

/** Loading first, unloading last: between them the model is there. */
const ORDER: readonly ServerSnippetSubject[] = [
  'load',
  'health',
  'metadata',
  'modelMetadata',
  'infer',
  'stream',
  'index',
  'statistics',
  'metrics',
  'unload',
];

const [first] = SNIPPET_CASES;
if (first === undefined) throw new Error('no request to run');
const model = modelOf(first);

function hasCurl(): boolean {
  try {
    execFileSync('curl', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

let repository: TempRepository | undefined;
let server: ServedProcess | undefined;
let folder = '';

beforeAll(async () => {
  repository = await TempRepository.create(snippetModels());
  server = await serveConch([`--model-repository=${repository.path}`, '--model-control-mode=explicit']);
  folder = await mkdtemp(path.join(tmpdir(), 'conch-snippets-'));
}, 60_000);

afterAll(async () => {
  await server?.stop();
  if (folder !== '') await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  await repository?.[Symbol.asyncDispose]();
});

/** What each piece of code printed, by what it asks. */
async function printed(
  language: ServerSnippetLanguage,
  execute: (code: string) => Promise<string>,
): Promise<Readonly<Partial<Record<ServerSnippetSubject, string>>>> {
  const target = {
    httpAddress: server?.http ?? '',
    grpcAddress: server?.grpc ?? '',
    metricsAddress: server?.metrics ?? '',
  };
  const snippets = serverSnippets(
    language,
    target,
    model,
    requestOf(first as (typeof SNIPPET_CASES)[number]),
  );
  const sorted = snippets.toSorted((a, b) => ORDER.indexOf(a.subject) - ORDER.indexOf(b.subject));
  const said: Partial<Record<ServerSnippetSubject, string>> = {};
  for (const { subject, code } of sorted) said[subject] = await execute(code);
  return said;
}

describe.skipIf(!hasCurl())('curl (needs the curl command)', () => {
  test('asks a server for everything', async () => {
    const said = await printed('curl', async (code) => (await run('bash', ['-c', code])).stdout);
    expect(said.health).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(said.metadata).toContain('"extensions"');
    expect(said.modelMetadata).toContain(`"name":"${model}"`);
    expect(said.infer).toContain('"outputs"');
    expect(said.index).toContain('"state":"READY"');
    expect(said.statistics).toContain('"inference_count":1');
    expect(said.metrics).toContain('nv_inference_count');
    expect([said.load, said.unload]).toEqual(['', '']);
  });
});

test('JavaScript (fetch) asks a server for everything', async () => {
  const file = path.join(folder, 'ask.mjs');
  const said = await printed('javascript', async (code) => {
    await writeFile(file, code);
    return (await run(process.execPath, [file])).stdout;
  });
  expect(Object.keys(said)).toHaveLength(8);
  for (const [subject, text] of Object.entries(said)) expect(text, subject).toMatch(/^200\b/);
});

describe.skipIf(!existsSync(PYTHON))('Python (needs what npm run conformance:tritonclient installs)', () => {
  const execute = async (code: string): Promise<string> => {
    const file = path.join(folder, 'ask.py');
    await writeFile(file, code);
    return (await run(PYTHON, [file])).stdout;
  };

  test('asks a server for everything over HTTP', async () => {
    const said = await printed('python-http', execute);
    expect(said.health).toBe('True\n');
    expect(said.modelMetadata).toContain(`'name': '${model}'`);
    expect(said.infer).toMatch(/^OUTPUT0 /);
    expect(said.index).toContain("'state': 'READY'");
    expect(said.unload).toBe('None\n');
  }, 60_000);

  test('asks a server for everything over gRPC, a stream too', async () => {
    const said = await printed('python-grpc', execute);
    expect(said.health).toBe('True\n');
    expect(said.modelMetadata).toContain(`name: "${model}"`);
    expect(said.infer).toMatch(/^OUTPUT0 /);
    expect(said.stream).toContain(`model_name: "${model}"`);
    expect(said.index).toContain('state: "READY"');
    expect(said.unload).toBe('None\n');
  }, 60_000);
});
