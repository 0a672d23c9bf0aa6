// Metrics, statistics and traces of a whole engine, asked for over its ports.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Engine } from '../../../src-main/engine.ts';
import { startTestEngine } from '../../../src-main/testing/start-test-engine.ts';
import { TempRepository } from '../../../src-main/testing/temp-repository.ts';
import { wireCall } from '../../../src-main/testing/wire-http.ts';

const CONFIG = `backend: "identity" max_batch_size: 8 instance_group [ { kind: KIND_CPU } ] metric_tags { key: "team" value: "a" }
input [ { name: "INPUT0" data_type: TYPE_INT32 dims: [ 2 ] } ] output [ { name: "OUTPUT0" data_type: TYPE_INT32 dims: [ 2 ] } ]`;

const traceFolder = mkdtempSync(path.join(os.tmpdir(), 'conch-trace-'));
const traceFile = path.join(traceFolder, 'trace.json');
let repository: TempRepository;
let engine: Engine;

beforeAll(async () => {
  repository = await TempRepository.create({
    'm/config.pbtxt': CONFIG,
    'm/1/': '',
    'other/config.pbtxt': CONFIG,
    'other/1/': '',
  });
  engine = await startTestEngine(repository.path, {
    metrics: {
      settings: [
        ['summary_latencies', 'true'],
        ['histogram_latencies', 'true'],
      ],
      gpu: false,
    },
    trace: {
      settings: [
        { mode: '', key: 'level', value: 'TIMESTAMPS' },
        { mode: '', key: 'rate', value: '1' },
        { mode: 'triton', key: 'file', value: traceFile },
      ],
    },
  });
});

afterAll(async () => {
  await engine.close();
  rmSync(traceFolder, { recursive: true, force: true });
  await repository[Symbol.asyncDispose]();
});

const http = (call: Parameters<typeof wireCall>[1]) => wireCall(engine.ports.http ?? 0, call);
const metrics = async (): Promise<string[]> =>
  (await wireCall(engine.ports.metrics ?? 0, { path: '/metrics' })).text.split('\n');

const infer = (model: string, batch: number) =>
  http({
    path: `/v2/models/${model}/infer`,
    body: JSON.stringify({
      id: 'r',
      inputs: [{ name: 'INPUT0', datatype: 'INT32', shape: [batch, 2], data: Array(batch * 2).fill(7) }],
    }),
  });

const LABELS = '_team="a",model="m",version="1"';

describe('a running engine', () => {
  test('counts a batch-1 and a batch-8 request as 2 / 9 / 2', async () => {
    expect((await infer('m', 1)).status).toBe(200);
    expect((await infer('m', 8)).status).toBe(200);
    const lines = await metrics();
    expect(lines).toContain(`nv_inference_request_success{${LABELS}} 2`);
    expect(lines).toContain(`nv_inference_count{${LABELS}} 9`);
    expect(lines).toContain(`nv_inference_exec_count{${LABELS}} 2`);
    expect(lines).toContain(`nv_inference_pending_request_count{${LABELS}} 0`);
    expect(lines).toContain(`nv_inference_request_summary_us_count{${LABELS}} 2`);
    expect(lines).toContain(`nv_inference_first_response_histogram_ms_count{${LABELS}} 2`);
    expect(lines.find((line) => line.startsWith('nv_cpu_memory_total_bytes'))).toMatch(/ [1-9]\d+$/);
    const stats = JSON.parse((await http({ path: '/v2/models/m/stats' })).text) as {
      model_stats: { inference_count: number; inference_stats: { success: { count: number } } }[];
    };
    expect(stats.model_stats[0]).toMatchObject({
      inference_count: 9,
      inference_stats: { success: { count: 2 } },
    });
  });

  test('goes on counting over a reload that changes the model', async () => {
    const config = JSON.parse((await http({ path: '/v2/models/m/config' })).text) as {
      max_batch_size: number;
    };
    const body = JSON.stringify({ parameters: { config: JSON.stringify({ ...config, max_batch_size: 4 }) } });
    expect((await http({ path: '/v2/repository/models/m/load', body })).status).toBe(200);
    expect((await infer('m', 8)).status).toBe(400);
    expect((await infer('m', 4)).status).toBe(200);
    expect(await metrics()).toContain(`nv_inference_request_success{${LABELS}} 3`);
  });

  test('takes the series of an unloaded model away, except those of failures', async () => {
    expect((await infer('other', 1)).status).toBe(200);
    expect((await metrics()).filter((line) => line.includes('model="other"')).length).toBeGreaterThan(10);
    expect((await http({ path: '/v2/repository/models/other/unload', method: 'POST' })).status).toBe(200);
    const of = async (): Promise<string[]> =>
      (await metrics()).filter((line) => line.includes('model="other"'));
    await expect.poll(async () => (await of()).length).toBe(4);
    const left = await of();
    expect(left.every((line) => line.startsWith('nv_inference_request_failure{'))).toBe(true);
  });

  test('reports trace settings, and writes the traces when they are switched off', async () => {
    const reply = await http({ path: '/v2/models/m/trace/setting', body: '{"trace_count":"2"}' });
    expect(JSON.parse(reply.text)).toEqual({
      trace_level: ['TIMESTAMPS'],
      trace_rate: '1',
      trace_count: '2',
      log_frequency: '0',
      trace_file: traceFile,
      trace_mode: 'triton',
    });
    await infer('m', 1);
    expect(
      (JSON.parse((await http({ path: '/v2/models/m/trace/setting' })).text) as { trace_count: string })
        .trace_count,
    ).toBe('1');
    expect((await http({ path: '/v2/trace/setting', body: '{"trace_level":["OFF"]}' })).status).toBe(200);
    await engine.close();
    const records = JSON.parse(readFileSync(traceFile, 'utf8')) as {
      id: number;
      model_name?: string;
      request_id?: string;
      timestamps?: { name: string; ns: number }[];
    }[];
    const first = records.filter(({ id }) => id === records[0]?.id);
    expect(first.flatMap(({ timestamps }) => timestamps?.map(({ name }) => name) ?? [])).toEqual([
      'HTTP_RECV_START',
      'HTTP_RECV_END',
      'REQUEST_START',
      'QUEUE_START',
      'INFER_RESPONSE_COMPLETE',
      'COMPUTE_START',
      'COMPUTE_INPUT_END',
      'COMPUTE_OUTPUT_START',
      'COMPUTE_END',
      'REQUEST_END',
      'HTTP_SEND_START',
      'HTTP_SEND_END',
    ]);
    expect(first.find(({ model_name }) => model_name !== undefined)).toMatchObject({
      model_name: 'm',
      request_id: 'r',
    });
    const stamps = first.flatMap(({ timestamps }) => timestamps?.map(({ ns }) => ns) ?? []);
    expect(stamps.every((ns) => Number.isInteger(ns) && ns > 0)).toBe(true);
  });
});
