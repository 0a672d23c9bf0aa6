// `npm run transcripts`: serves the sample repository, types every call of tools/transcript-calls.ts with curl and
// writes docs/transcripts.md. With `--check` nothing is written: exit code 1 when a status line, a content type or a
// call differs from what the document shows.

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { sampleStartSet, writeSampleRepository } from '../src-main/samples/sample-repository.ts';
import { serveConch } from './served-process.ts';
import type { TranscriptCall } from './transcript-calls.ts';
import { TRANSCRIPTS } from './transcript-calls.ts';

const document = path.resolve(import.meta.dirname, '../docs/transcripts.md');
const run = promisify(execFile);

/** Longer bodies are cut in the document. */
const SHOWN_CHARS = 700;
const SHOWN_HEADERS = /^(content-type|inference-header-content-length|content-encoding|transfer-encoding):/i;
const ADDRESSES = { HTTP: 'localhost:8000', METRICS: 'localhost:8002' } as const;

interface Answer {
  readonly statusLine: string;
  readonly headers: readonly string[];
  readonly body: string;
}

/** The samples served with the options the document names. */
async function withServer<T>(
  use: (addresses: Record<keyof typeof ADDRESSES, string>) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'conch-transcripts-'));
  try {
    await writeSampleRepository(folder);
    const server = await serveConch([
      `--model-repository=${folder}`,
      '--model-control-mode=explicit',
      '--allow-client-shm=true',
      ...sampleStartSet().map((name) => `--load-model=${name}`),
    ]);
    try {
      return await use({ HTTP: server.http, METRICS: server.metrics });
    } finally {
      await server.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const typed = ({ curl }: TranscriptCall, addresses: Record<keyof typeof ADDRESSES, string>): string =>
  `curl -si ${curl.replace('$HTTP', addresses.HTTP).replace('$METRICS', addresses.METRICS)}`;

/** A whole image does not fit on a page; what is sent has all its elements. */
function sent(command: string): string {
  return command.replace(
    '1,1,1,1,1,1,1,1,...',
    Array<number>(3 * 32 * 32)
      .fill(1)
      .join(','),
  );
}

async function ask(command: string): Promise<Answer> {
  const { stdout } = await run('/bin/sh', ['-c', sent(command)], { encoding: 'utf8' });
  const split = stdout.indexOf('\r\n\r\n');
  const [statusLine = '', ...headers] = stdout.slice(0, split).split('\r\n');
  return {
    statusLine,
    headers: headers.filter((line) => SHOWN_HEADERS.test(line)),
    body: stdout.slice(split + 4),
  };
}

function printed(call: TranscriptCall, { statusLine, headers, body }: Answer): string {
  const shown = body.length > SHOWN_CHARS ? `${body.slice(0, SHOWN_CHARS)} ...` : body.trimEnd();
  const lines = ['```', `$ ${typed(call, ADDRESSES)}`, statusLine, ...headers];
  return [call.title, '', ...lines, ...(shown === '' ? [] : ['', shown]), '```', ''].join('\n');
}

async function write(): Promise<void> {
  const parts = [HEAD];
  await withServer(async (addresses) => {
    for (const { heading, calls } of TRANSCRIPTS) {
      parts.push(`## ${heading}\n`);
      for (const call of calls) parts.push(printed(call, await ask(typed(call, addresses))));
    }
  });
  await writeFile(document, parts.join('\n'));
  console.log(`wrote ${path.relative(process.cwd(), document)}`);
}

/** Calls whose answer is not the one in the document. */
async function differences(): Promise<string[]> {
  const text = await readFile(document, 'utf8');
  const found: string[] = [];
  await withServer(async (addresses) => {
    for (const call of TRANSCRIPTS.flatMap(({ calls }) => calls)) {
      const { statusLine, headers } = await ask(typed(call, addresses));
      const expected = ['', `$ ${typed(call, ADDRESSES)}`, statusLine, ...headers, ''].join('\n');
      if (!text.includes(expected)) found.push(`${typed(call, ADDRESSES)}\n  now answers ${statusLine}`);
    }
  });
  return found;
}

const HEAD = `# Transcripts

Each HTTP endpoint as it answers, made by running the calls (\`npm run transcripts\`; \`npm run transcripts -- --check\` says
whether they still hold). Long bodies are cut and not all headers are shown. The server behind them:

\`\`\`
conch init models
conch serve --model-repository=models --model-control-mode=explicit --allow-client-shm=true \\
${sampleStartSet()
  .map((name) => `  --load-model=${name}`)
  .join(' \\\n')}
\`\`\`
`;

if (process.argv.includes('--check')) {
  const found = await differences();
  for (const difference of found) console.log(difference);
  console.log(found.length === 0 ? 'all transcripts hold' : `${found.length} transcripts do not hold`);
  process.exitCode = found.length === 0 ? 0 : 1;
} else await write();
