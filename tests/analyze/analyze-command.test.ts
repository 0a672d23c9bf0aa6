// `conch analyze` as a whole: a server of its own, real measurements, files; how it is interrupted; and that nothing of it
// stays behind.

import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { writeSampleRepository } from '../../src-main/samples/sample-repository.ts';
import { conchProgram, hasGone, ServerProcess } from '../processes/served-process.ts';

const GONE_WITHIN_MS = 20_000;
/** Windows that always count as stable, long enough for answers on a busy machine: what is tested is not the numbers. */
const QUICK = `perf_analyzer_flags: { measurement-mode: time_windows, measurement-interval: 500, stability-percentage: 1000 }
run_config_search_max_model_batch_size: 1
`;

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'conch-analyze-'));
  await writeSampleRepository(path.join(folder, 'models'));
  await writeFile(path.join(folder, 'short.yaml'), `${QUICK}run_config_search_max_instance_count: 1\n`);
  await writeFile(path.join(folder, 'long.yaml'), `${QUICK}run_config_search_max_instance_count: 500\n`);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** In a folder of its own. */
function profile(name: string, file: string, ...args: readonly string[]): ServerProcess {
  const own = (part: string): string => path.join(folder, name, part);
  return new ServerProcess(process.execPath, [
    ...[conchProgram, 'analyze', 'profile', '-m', path.join(folder, 'models')],
    ...['--profile-models', 'batch_mlp', '-f', path.join(folder, file), '-c', '2'],
    ...['-s', own('checkpoints'), '-e', own('export'), '--output-model-repository-path', own('out')],
    ...args,
  ]);
}

function serverOf(analyzer: ServerProcess): number {
  const found = execFileSync('pgrep', ['-f', '-P', String(analyzer.pid), 'serve --model-repository'], {
    encoding: 'utf8',
  });
  return Number(found.trim());
}

test('tables, reports, a checkpoint; a second time nothing is measured again', async () => {
  await using first = profile('whole', 'short.yaml');
  const server = first.printed(/Profiling batch_mlp/).then(() => serverOf(first));
  expect(await first.ended()).toMatchObject({ code: 0 });
  expect(await hasGone(await server, GONE_WITHIN_MS)).toBe(true);
  const csv = await readFile(path.join(folder, 'whole/export/results/metrics-model-inference.csv'), 'utf8');
  expect(csv).toMatch(/^batch_mlp,1,2,batch_mlp_config_default,1:CPU,8,Yes,/m);
  expect(csv).toMatch(/^batch_mlp,1,2,batch_mlp_config_0,1:CPU,1,Yes,/m);
  const reports = path.join(folder, 'whole/export/reports');
  const summary = await readFile(path.join(reports, 'summaries/batch_mlp/result_summary.html'), 'utf8');
  expect(summary).toContain('In 2 measurements across 2 configurations');
  expect(summary).toContain('<svg');
  await using second = profile('whole', 'short.yaml', '--override-output-model-repository');
  expect(await second.ended()).toMatchObject({ code: 0 });
  expect(second.log.match(/Existing measurement found/g)).toHaveLength(2);
  expect(second.log).not.toContain('batch_mlp_config_0: client batch size');
});

test.skipIf(process.platform === 'win32')(
  'an interrupt finishes what is measured and reports it',
  async () => {
    await using analyzer = profile('interrupted', 'long.yaml');
    await analyzer.printed(/batch_mlp_config_default: client batch size=1, concurrency=2: /);
    analyzer.child.kill('SIGINT');
    expect(await analyzer.ended()).toMatchObject({ code: 0 });
    expect(analyzer.log).toContain('Models (Inference):');
    expect(analyzer.log).not.toContain('ERROR');
  },
);

test.skipIf(process.platform === 'win32')('its server ends with it, however it ends', async () => {
  await using analyzer = profile('killed', 'long.yaml');
  await analyzer.printed(/Profiling batch_mlp/);
  const server = serverOf(analyzer);
  await analyzer.kill('SIGKILL');
  expect(await hasGone(server, GONE_WITHIN_MS)).toBe(true);
});

test('a server that runs is asked for each variant by name, and left as it was', async () => {
  await using server = new ServerProcess(process.execPath, [
    ...[conchProgram, 'serve', `--model-repository=${path.join(folder, 'models')}`],
    ...['--model-control-mode=explicit', '--load-model=batch_mlp', '--metrics-port=0'],
    ...['--http-port=0', '--grpc-port=0', `--user-data=${path.join(folder, 'data')}`],
  ]);
  const address = (name: string): Promise<string> =>
    server.printed(new RegExp(`Started ${name} at ([^"\\s]+)`));
  const http = await server.http();
  const config = async (): Promise<unknown> =>
    (await fetch(`http://${http}/v2/models/batch_mlp/config`)).json();
  const before = await config();
  await using analyzer = profile(
    ...(['remote', 'short.yaml', '--triton-launch-mode', 'remote', '--triton-http-endpoint', http] as const),
    ...['--triton-grpc-endpoint', await address('GRPCInferenceService')],
    ...['--triton-metrics-url', `http://${await address('Metrics Service')}/metrics`],
  );
  expect(await analyzer.ended()).toMatchObject({ code: 0 });
  const csv = await readFile(path.join(folder, 'remote/export/results/metrics-model-inference.csv'), 'utf8');
  expect(csv).toMatch(/^batch_mlp,1,2,batch_mlp_config_default,1:CPU,8,Yes,/m);
  expect(csv).toMatch(/^batch_mlp,1,2,batch_mlp_config_0,1:CPU,1,Yes,/m);
  expect(await config()).toEqual(before);
});
