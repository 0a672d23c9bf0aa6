// The load tools of the comparison, neither ours nor the reference's: wrk for HTTP, h2load for gRPC. Both are processes
// of their own on the machine that serves.

import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

import type { PeerRow } from './peer-rows.ts';

const run = promisify(execFile);

/** What a tool measured. */
export interface ToolResult {
  readonly perSecond: number;
  /** Of single requests; the mean where the tool keeps no distribution. */
  readonly p50Us: number;
  readonly p99Us: number | undefined;
}

/** Sends a row's request for some seconds; `folder` takes the tool's files. Throws unless all answers were good. */
export function runTool(row: PeerRow, port: number, seconds: number, folder: string): Promise<ToolResult> {
  return row.protocol === 'http' ? runWrk(row, port, seconds, folder) : runH2load(row, port, seconds, folder);
}

/** Names of the tools that are not installed. */
export async function missingTools(): Promise<string[]> {
  const missing: string[] = [];
  for (const [tool, option] of [
    ['wrk', '-v'],
    ['h2load', '--version'],
  ] as const) {
    // wrk ends with 1 even then.
    await run(tool, [option]).catch((thrown: NodeJS.ErrnoException) => {
      if (thrown.code === 'ENOENT') missing.push(tool);
    });
  }
  return missing;
}

async function writeBody(row: PeerRow, folder: string): Promise<string> {
  const file = path.join(folder, `${row.id}.body`);
  await writeFile(file, row.request.body);
  return file;
}

async function runWrk(row: PeerRow, port: number, seconds: number, folder: string): Promise<ToolResult> {
  const { request } = row;
  const body = await writeBody(row, folder);
  const script = path.join(folder, `${row.id}.lua`);
  const headers = Object.entries(request.headers).map(
    ([name, value]) => `wrk.headers["${name}"] = "${value}"`,
  );
  await writeFile(
    script,
    `local file = io.open("${body}", "rb")
wrk.method = "POST"
wrk.body = file:read("*all")
${headers.join('\n')}
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format('\\nRESULT {"count":%d,"us":%d,"p50":%f,"p99":%f,"bad":%d}\\n', summary.requests,
    summary.duration, latency:percentile(50), latency:percentile(99), e.connect + e.read + e.write + e.status + e.timeout))
end
`,
  );
  const url = `http://127.0.0.1:${port}${request.path}`;
  const options = ['-t1', `-c${row.connections}`, `-d${seconds}s`, '--timeout', '30s', '-s', script, url];
  const { stdout } = await run('wrk', options);
  const text = /^RESULT (.*)$/m.exec(stdout)?.[1];
  if (text === undefined) throw new Error(`wrk said nothing of its result:\n${stdout}`);
  const { count, us, p50, p99, bad } = JSON.parse(text) as Record<
    'count' | 'us' | 'p50' | 'p99' | 'bad',
    number
  >;
  if (bad > 0 || count === 0) throw new Error(`${row.title}: ${bad} failures, ${count} answers:\n${stdout}`);
  return { perSecond: count / (us / 1e6), p50Us: p50, p99Us: p99 };
}

async function runH2load(row: PeerRow, port: number, seconds: number, folder: string): Promise<ToolResult> {
  const { request } = row;
  const body = await writeBody(row, folder);
  const headers = Object.entries(request.headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const url = `http://127.0.0.1:${port}${request.path}`;
  const load = ['-D', String(seconds), '-c', String(row.connections), '-m', String(row.streams)];
  const { stdout } = await run('h2load', [...load, '-d', body, ...headers, url], {
    maxBuffer: 64 * 1024 * 1024,
  });
  const perSecond = Number(/, ([\d.]+) req\/s/.exec(stdout)?.[1]);
  const [, bad] = /(\d+) failed, /.exec(stdout) ?? [];
  if (!(perSecond > 0) || bad !== '0') throw new Error(`${row.title}: no good answers:\n${stdout}`);
  const mean = /time for request: +\S+ +\S+ +([\d.]+)(us|ms|s)/.exec(stdout);
  const unit = { us: 1, ms: 1000, s: 1e6 }[mean?.[2] ?? 'us'] ?? 1;
  return { perSecond, p50Us: Number(mean?.[1]) * unit, p99Us: undefined };
}
