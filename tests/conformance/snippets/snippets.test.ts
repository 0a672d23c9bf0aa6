// The code that the playground shows, run as shown by whoever would run it: curl, Python with tritonclient, Node. C++ is
// compiled against declarations alone, because Triton's library is not at hand. What has no tool here is skipped.

import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { encodeHttpRequest } from '../../../src-main/client/http-codec.ts';
import type { Snippet } from '../../../src-main/playground/snippets.ts';
import { requestSnippets } from '../../../src-main/playground/snippets.ts';
import type { ServedProcess } from '../../../tools/served-process.ts';
import { serveConch } from '../../../tools/served-process.ts';
import { TempRepository } from '../../../src-main/testing/temp-repository.ts';
import type { SnippetCase } from './snippet-cases.ts';
import { requestOf, SNIPPET_CASES, snippetModels } from './snippet-cases.ts';

const root = path.resolve(import.meta.dirname, '../../..');
/** Made by `npm run conformance:tritonclient`. */
const PYTHON = path.join(root, '.cache/venv-tritonclient/bin/python');
const PROTOS = ['grpc_service.proto', 'model_config.proto'];

function hasCommand(name: string): boolean {
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const hasCurl = hasCommand('curl');
const hasCompiler = hasCommand('g++');
const hasPython = existsSync(PYTHON);

let repository: TempRepository | undefined;
let server: ServedProcess | undefined;
let folder = '';

beforeAll(async () => {
  repository = await TempRepository.create(snippetModels());
  server = await serveConch([`--model-repository=${repository.path}`]);
  folder = await mkdtemp(path.join(tmpdir(), 'conch-snippets-'));
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
  for (const name of PROTOS)
    await copyFile(path.join(root, 'resources/proto', name), path.join(folder, name));
}, 60_000);

afterAll(async () => {
  await server?.stop();
  if (folder !== '') await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  await repository?.[Symbol.asyncDispose]();
});

/** What the command wrote to its standard output; an error of the command fails the test with both streams. */
function run(command: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(command, args, { cwd: folder, maxBuffer: 16 << 20 }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${error.message}\n${stdout}\n${stderr}`));
    });
  });
}

async function snippetOf(snippetCase: SnippetCase, title: string): Promise<Snippet> {
  const request = requestOf(snippetCase);
  const target = { httpAddress: server?.http ?? '', grpcAddress: server?.grpc ?? '' };
  const found = requestSnippets(request, 'http-json', target).find((snippet) => snippet.title === title);
  if (found === undefined) throw new Error(`no code for ${title}`);
  await writeFile(path.join(folder, 'request.bin'), encodeHttpRequest(request, 'binary').body);
  return found;
}

const isClasses = ({ outputs = [] }: SnippetCase): boolean =>
  outputs.some(({ classCount }) => classCount > 0);

/** The bytes of the answer where they can be compared: classes are texts that the server makes. */
function expectBytes(snippetCase: SnippetCase, seen: Uint8Array): void {
  const text = Buffer.from(seen).toString('latin1');
  if (isClasses(snippetCase)) expect(text).toContain('4.000000:1');
  else expect(text).toContain(Buffer.from(snippetCase.bytes).toString('latin1'));
}

describe.skipIf(!hasCurl)('curl (needs the curl command)', () => {
  test.each(SNIPPET_CASES)('$title', async (snippetCase) => {
    const { code } = await snippetOf(snippetCase, 'curl');
    const answer = path.join(folder, 'response.bin');
    await rm(answer, { force: true });
    const output = await run('bash', ['-c', code]);
    if (existsSync(answer)) {
      expectBytes(snippetCase, await readFile(answer));
      return;
    }
    const { outputs, id } = JSON.parse(output) as { outputs: { data: unknown[] }[]; id?: string };
    const sent = JSON.parse(encodeHttpRequest(requestOf(snippetCase), 'json').body.toString()) as {
      inputs: { data: unknown[] }[];
    };
    if (isClasses(snippetCase)) expect(outputs[0]?.data).toEqual(['4.000000:1', '1.000000:2']);
    else expect(outputs[0]?.data).toEqual(sent.inputs[0]?.data);
    expect(id ?? '').toBe(snippetCase.id ?? '');
  });
});

describe('JavaScript (fetch)', () => {
  test.each(SNIPPET_CASES)('$title', async (snippetCase) => {
    const { code } = await snippetOf(snippetCase, 'JavaScript (fetch)');
    await writeFile(path.join(folder, 'fetch.mjs'), code);
    expect(await run(process.execPath, ['fetch.mjs'])).toMatch(/^200 /);
  });
});

describe('Node (gRPC)', () => {
  test.each(SNIPPET_CASES)('$title', async (snippetCase) => {
    const { code } = await snippetOf(snippetCase, 'Node (gRPC)');
    await writeFile(path.join(folder, 'call.mjs'), code);
    const output = await run(process.execPath, ['call.mjs']);
    expect(output).toMatch(/^OUTPUT0 /);
    const start = Buffer.from(snippetCase.bytes).subarray(0, 8).toString('hex').match(/../g)?.join(' ') ?? '';
    if (!isClasses(snippetCase)) expect(output).toContain(`<Buffer ${start}`);
  });
});

describe.skipIf(!hasPython)('Python (needs what npm run conformance:tritonclient installs)', () => {
  const rows = SNIPPET_CASES.flatMap((each) => [
    ['Python (HTTP)', each] as const,
    ['Python (gRPC)', each] as const,
  ]);
  test.each(rows.map(([kind, each]) => ({ kind, each, title: each.title })))(
    '$kind: $title',
    async ({ kind, each }) => {
      const { code } = await snippetOf(each, kind);
      const file = path.join(folder, 'call.py');
      await writeFile(file, code);
      // The same statements, and then what they received as bytes.
      const told = [
        '',
        'import sys, tritonclient.utils as u',
        "a = result.as_numpy('OUTPUT0')",
        'sys.stdout.flush()',
        'raw = u.serialize_byte_tensor(a).item() if a.dtype == object else a.tobytes()',
        "sys.stdout.buffer.write(b'#' + raw)",
      ].join('\n');
      const script = await readFile(file, 'utf8');
      await writeFile(file, script + told);
      const output = await new Promise<Buffer>((resolve, reject) => {
        execFile(PYTHON, [file], { cwd: folder, encoding: 'buffer' }, (error, stdout, stderr) => {
          if (error === null) resolve(stdout);
          else reject(new Error(`${error.message}\n${stderr.toString()}`));
        });
      });
      expect(output.toString('latin1')).toMatch(/^OUTPUT0 /);
      expectBytes(each, output);
    },
    60_000,
  );
});

describe.skipIf(!hasCompiler)('C++ (needs g++; compiled against declarations, not run)', () => {
  test.each(SNIPPET_CASES)('$title', async (snippetCase) => {
    const { code } = await snippetOf(snippetCase, 'C++ (HTTP)');
    await writeFile(path.join(folder, 'call.cc'), code);
    const flags = ['-std=c++17', '-Wall', '-Werror', '-fsyntax-only', `-I${import.meta.dirname}`];
    await expect(run('g++', [...flags, 'call.cc'])).resolves.toBe('');
  });
});
