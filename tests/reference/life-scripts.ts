// The life of models over HTTP: loading and unloading, what depends on them, and their versions.

import { exchange } from './exchange.ts';
import { get, post } from './http-calls.ts';
import type { ReferenceCase, Target } from './reference-case.ts';
import { script } from './reference-case.ts';
import type { Json } from './request-bodies.ts';
import { call, infer, ints, PLATFORM } from './script-calls.ts';
import type { WireCase } from './wire-cases.ts';

interface IndexEntry {
  readonly name: string;
  readonly version?: string;
  readonly state?: string;
}

/** Entries of these models once nothing loads or unloads any more. */
async function settledIndex(httpPort: number, models: readonly string[]): Promise<readonly IndexEntry[]> {
  for (;;) {
    const { body } = await exchange(httpPort, post('/v2/repository/index'));
    const entries = (JSON.parse(body) as IndexEntry[]).filter(({ name }) => models.includes(name));
    if (entries.every(({ state }) => state !== 'LOADING' && state !== 'UNLOADING'))
      return entries.sort((a, b) => `${a.name}/${a.version}`.localeCompare(`${b.name}/${b.version}`));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The index in order of name and version, which servers choose freely. */
function indexCase(name: string, before: readonly WireCase[], models: readonly string[]): ReferenceCase {
  return {
    name: `HTTP script: ${name}`,
    run: async ({ httpPort }: Target) => {
      const answers: unknown[] = [];
      for (const step of before) {
        answers.push({ step: step.name, ...(await exchange(httpPort, step)) });
        answers.push(await settledIndex(httpPort, models));
      }
      return answers;
    },
  };
}

const control = (model: string, verb: 'load' | 'unload', body: string | Json = ''): WireCase =>
  post(`/v2/repository/models/${model}/${verb}`, body);
const echo = infer('lifecycle', [ints('INPUT0', [1, 2])]);
const twinConfig = (change: Json): Json => ({ parameters: { config: JSON.stringify(change) } });

export const LIFE_SCRIPTS: readonly ReferenceCase[] = [
  indexCase(
    'unload and load',
    [
      control('lifecycle', 'unload'),
      echo,
      post('/v2/models/lifecycle/versions/1/infer', { inputs: [ints('INPUT0', [1])] }),
      get('/v2/models/lifecycle'),
      get('/v2/models/lifecycle/config'),
      get('/v2/models/lifecycle/stats'),
      get('/v2/models/lifecycle/versions/1/stats'),
      get('/v2/models/lifecycle/ready'),
      get('/v2/models/lifecycle/trace/setting'),
      get('/v2/health/ready'),
      control('lifecycle', 'unload'),
      control('lifecycle', 'load'),
      control('lifecycle', 'load'),
      echo,
    ],
    ['lifecycle'],
  ),
  indexCase(
    'unload an ensemble and its members',
    [
      control('chain_later', 'load'),
      control('chain_later', 'unload'),
      get('/v2/models/echo_int32/ready'),
      control('chain_later', 'load'),
      control('chain_later', 'unload', { parameters: { unload_dependents: true } }),
      get('/v2/models/echo_int32/ready'),
      control('chain_later', 'unload', { parameters: { unload_dependents: 'yes' } }),
    ],
    ['chain_later', 'echo_int32'],
  ),
  indexCase(
    'unload the member of ensembles',
    [
      control('echo_int32', 'unload'),
      get('/v2/models/chain/ready'),
      get('/v2/health/ready'),
      control('echo_int32', 'load'),
      control('chain', 'load'),
      infer('chain', [ints('INPUT0', [4, 5])]),
    ],
    ['chain', 'echo_int32'],
  ),
  indexCase(
    'a model that was never loaded',
    [get('/v2/models/broken/ready'), get('/v2/models/broken')],
    ['broken'],
  ),
  script('load bodies', [
    control('lifecycle', 'load', '[]'),
    control('lifecycle', 'load', '{}'),
    control('lifecycle', 'load', '5'),
    control('lifecycle', 'load', '{"parameters":[]}'),
    control('lifecycle', 'load', '{"parameters":{}}'),
    control('lifecycle', 'load', '{"parameters":null}'),
    control('lifecycle', 'load', '{"parameters":{"config":""}}'),
    control('lifecycle', 'load', twinConfig({ name: 'another' })),
    control('lifecycle', 'load', twinConfig({ nonsense: 1 })),
    control('lifecycle', 'load', '{"parameters":{"file:1/x":"AAAA"}}'),
    control('lifecycle', 'load', '{"parameters":{"file:1/x":5}}'),
    control('lifecycle', 'load', '{"other":1}'),
    control('lifecycle', 'unload', '[]'),
    control('lifecycle', 'load'),
    control('lifecycle', 'unload', '{"parameters":{"other":1}}'),
    control('lifecycle', 'load'),
    control('lifecycle', 'unload', '{"broken'),
    control('lifecycle', 'load'),
    post('/v2/repository/somewhere/index'),
    post('/v2/repository/somewhere/models/lifecycle/load'),
    post('/v2/repository/somewhere/models/lifecycle/unload'),
    echo,
  ]),
  script('versions', [
    call('GET', '/v2/models/versions', undefined, PLATFORM),
    call('GET', '/v2/models/versions/versions/2', undefined, PLATFORM),
    get('/v2/models/versions/versions/4'),
    get('/v2/models/versions/versions/0'),
    call('GET', '/v2/models/versions/versions/02', undefined, PLATFORM),
    get('/v2/models/versions/versions/99999999999999999999'),
    get('/v2/models/versions/versions/-1'),
    get('/v2/models/versions/versions/'),
    infer('versions', [ints('INPUT0', [1])]),
    post('/v2/models/versions/versions/1/infer', { inputs: [ints('INPUT0', [1])] }),
    get('/v2/models/versions/versions/2/ready'),
  ]),
];
