// Tags of metrics that are odd: names that are no names of labels, those that the server sets itself, values with every kind of
// character; and what the port of metrics answers.

import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { exchange } from './exchange.ts';
import { get, reply } from './http-calls.ts';
import { ask, floats, infer, load, unload, wait } from './life-calls.ts';
import { ECHO_MODEL, ONE_TO_ONE, pythonFiles } from './python-models.ts';
import type { ReferenceCase, Target } from './reference-case.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';

/** Keys that are no names of labels, such as a-b, end the reference: not asked. */
const CONFIGS: Readonly<Record<string, string>> = {
  plain: 'metric_tags { key: "team" value: "blue" }',
  two: 'metric_tags [ { key: "b" value: "1" }, { key: "a" value: "2" } ]',
  same: 'metric_tags [ { key: "a" value: "1" }, { key: "a" value: "2" } ]',
  empty_value: 'metric_tags { key: "a" value: "" }',
  no_value: 'metric_tags { key: "a" }',
  empty_key: 'metric_tags { key: "" value: "b" }',
  value_umlaut: 'metric_tags { key: "a" value: "ä €" }',
  value_odd: 'metric_tags { key: "a" value: "\\\\ \\n \\" \\t {}=,#" }',
  own_model: 'metric_tags { key: "model" value: "other" }',
  own_version: 'metric_tags { key: "version" value: "7" }',
  own_gpu: 'metric_tags { key: "gpu_uuid" value: "none" }',
  own_reason: 'metric_tags { key: "reason" value: "mine" }',
  own_quantile: 'metric_tags { key: "quantile" value: "mine" }',
  own_le: 'metric_tags { key: "le" value: "mine" }',
  capital: 'metric_tags { key: "Model" value: "other" }',
};
const NAMES: readonly string[] = ['a.b-c', 'A'];

const models: RepositoryFiles = {
  ...Object.assign(
    {},
    ...Object.entries(CONFIGS).map(([name, tags]) =>
      pythonFiles(name, ECHO_MODEL, `${ONE_TO_ONE}\n${tags}\nresponse_cache { enable: true }`),
    ),
    ...NAMES.map((name) => pythonFiles(name, ECHO_MODEL)),
  ),
};

/** Of newer servers, and one that this release has for decoupled models only. */
const NEWER = /^nv_inference_first_response_histogram_ms/;

async function seriesOf(target: Target): Promise<readonly string[]> {
  const { body } = await reply(target.metricsPort, get('/metrics'));
  return body
    .split('\n')
    .filter((line) => /^nv_(inference|cache)_\w+\{/.test(line) && !NEWER.test(line))
    .map((line) => line.replace(/(_us|_sum|duration\w*|summary\w*|_bucket)(\{.*\}) \S+$/, '$1$2 #'))
    .sort();
}

const asked = (model: string): ReferenceCase => ({
  name: `tags of ${model}`,
  run: async (target) => {
    const answers: object[] = [{ step: 'load', answer: await ask(target, load(model)) }];
    answers.push({ step: 'loaded', lines: await seriesOf(target) });
    answers.push({ step: 'asked', answer: await ask(target, infer(model, floats([1]))) });
    await wait(300);
    answers.push({ step: 'series', lines: await seriesOf(target) });
    answers.push({ step: 'unload', answer: await ask(target, unload(model)) });
    // Series go a moment later.
    await wait(1200);
    return answers;
  },
});

const ROUTES: readonly { method: string; path: string; headers?: Record<string, string>; body?: string }[] = [
  { method: 'GET', path: '/metrics' },
  { method: 'GET', path: '/metrics?a=b' },
  { method: 'GET', path: '/metrics/' },
  { method: 'GET', path: '//metrics' },
  { method: 'GET', path: '/metrics/x' },
  { method: 'GET', path: '/Metrics' },
  { method: 'GET', path: '/' },
  { method: 'GET', path: '/v2' },
  { method: 'GET', path: '/v2/health/live' },
  { method: 'POST', path: '/metrics', body: 'x' },
  { method: 'PUT', path: '/metrics', body: 'x' },
  { method: 'DELETE', path: '/metrics' },
  { method: 'OPTIONS', path: '/metrics' },
  { method: 'PATCH', path: '/metrics', body: '' },
  { method: 'POST', path: '/', body: 'x' },
  { method: 'GET', path: '/metrics', headers: { 'Accept-Encoding': 'gzip' } },
  { method: 'GET', path: '/metrics', headers: { Accept: 'application/openmetrics-text; version=1.0.0' } },
  { method: 'GET', path: '/metrics', headers: { Accept: 'application/json' } },
  { method: 'GET', path: '/metrics', headers: { Connection: 'close' } },
];
const routes: ReferenceCase = {
  name: 'the port of metrics',
  run: async ({ metricsPort }) => {
    const answers: object[] = [];
    for (const one of ROUTES) {
      const name = `${one.method} ${one.path} ${JSON.stringify(one.headers ?? {})}`;
      try {
        const { status, body, ...rest } = await exchange(metricsPort, { name, ...one });
        answers.push({ step: name, status, ...rest, body: body.includes('# HELP') ? 'metrics' : body });
      } catch (error) {
        answers.push({ step: name, thrown: String(error) });
      }
    }
    return answers;
  },
};

export const TAG_SCENES: readonly Scene[] = ['counters', 'every family'].map((name) => ({
  name: `tags, ${name}`,
  repositories: sameFor(models),
  args: [
    '--model-control-mode=explicit',
    '--cache-config=local,size=1048576',
    ...(name === 'counters'
      ? []
      : ['--metrics-config=summary_latencies=true', '--metrics-config=histogram_latencies=true']),
  ],
  together: 'metrics',
  cases: [
    ...(name === 'counters' ? [routes] : []),
    ...[...Object.keys(CONFIGS), ...NAMES].map((model) => ({
      ...asked(model),
      name: `tags, ${name}, of ${model}`,
    })),
  ],
}));
