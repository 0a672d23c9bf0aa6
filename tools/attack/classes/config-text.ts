// Bent configurations: as a text that the window checks, and one in thirty as a file of a model that is loaded.

import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { sampleModels } from '../../../src-main/samples/sample-repository.ts';
import type { Random } from '../../../src-main/testing/http-fuzz.ts';
import { attackClass } from '../attack-class.ts';
import type { Victim } from '../victim.ts';
import { WindowCaller } from '../window-caller.ts';

const RICH = `name: "all" backend: "identity" max_batch_size: 8
input [ { name: "A" data_type: TYPE_INT32 dims: [ 4, -1 ] reshape { shape: [ 4 ] } optional: true }, { name: "B" data_type: TYPE_STRING dims: [ 1 ] } ]
output [ { name: "A" data_type: TYPE_INT32 dims: [ 4, -1 ] label_filename: "labels.txt" } ]
batch_input [ { kind: BATCH_ELEMENT_COUNT target_name: "C" data_type: TYPE_FP32 source_input: "A" } ]
version_policy: { specific { versions: [ 1, 3 ] } }
instance_group [ { count: 2 kind: KIND_CPU name: "g" rate_limiter { resources [ { name: "R" global: true count: 2 } ] priority: 3 } }, { count: 1 kind: KIND_GPU gpus: [ 0, 1 ] profile: "p" } ]
dynamic_batching { preferred_batch_size: [ 2, 4 ] max_queue_delay_microseconds: 100 preserve_ordering: true priority_levels: 3 default_priority_level: 1
  default_queue_policy { timeout_action: DELAY default_timeout_microseconds: 5 allow_timeout_override: true max_queue_size: 9 }
  priority_queue_policy { key: 1 value { max_queue_size: 2 } } }
optimization { priority: PRIORITY_MAX graph { level: -1 } cuda { graphs: true } execution_accelerators { cpu_execution_accelerator [ { name: "openvino" parameters { key: "a" value: "b" } } ] } }
parameters { key: "execute_delay_ms" value { string_value: "0" } }
model_warmup [ { name: "w" batch_size: 1 count: 2 inputs { key: "A" value { data_type: TYPE_INT32 dims: [ 4, 1 ] zero_data: true } } } ]
response_cache { enable: true } model_transaction_policy { decoupled: false } metric_tags { key: "t" value: "v" }`;
const ENSEMBLE = `platform: "ensemble" input { name: "A" data_type: TYPE_INT32 dims: [ -1 ] } output { name: "Z" data_type: TYPE_INT32 dims: [ -1 ] }
ensemble_scheduling { step [ { model_name: "sure" model_version: -1 input_map { key: "INPUT0" value: "A" } output_map { key: "OUTPUT0" value: "M" } },
 { model_name: "sure" model_version: -1 input_map { key: "INPUT0" value: "M" } output_map { key: "OUTPUT0" value: "Z" } } ] }`;
const SEQUENCE = `backend: "identity" max_batch_size: 2 input { name: "I" data_type: TYPE_INT32 dims: [ 1 ] } output { name: "I" data_type: TYPE_INT32 dims: [ 1 ] }
sequence_batching { max_sequence_idle_microseconds: 5000000 oldest { max_candidate_sequences: 4 preferred_batch_size: [ 1 ] max_queue_delay_microseconds: 1 }
 control_input [ { name: "START" control [ { kind: CONTROL_SEQUENCE_START int32_false_true: [ 0, 1 ] } ] }, { name: "CORRID" control [ { kind: CONTROL_SEQUENCE_CORRID data_type: TYPE_UINT64 } ] } ]
 state [ { input_name: "S" output_name: "S" data_type: TYPE_FP32 dims: [ 1 ] initial_state [ { name: "z" data_type: TYPE_FP32 dims: [ 1 ] zero_data: true } ] } ] iterative_sequence: false }`;

const SOURCES = [
  RICH,
  RICH,
  ENSEMBLE,
  SEQUENCE,
  ...sampleModels().flatMap(({ files }) =>
    typeof files['config.pbtxt'] === 'string' ? [files['config.pbtxt']] : [],
  ),
];
const PIECES = [
  '{',
  '}',
  '[',
  ']',
  ':',
  ',',
  ';',
  '<',
  '>',
  '"',
  "'",
  '\\',
  '#',
  '\0',
  '\n',
  '-1',
  '0',
  '1e999',
  '99999999999999999999',
  '-9223372036854775808',
  '0x10',
  '077',
  '1.5',
  'nan',
  'TYPE_INVALID',
  'TYPE_FP16',
  'true',
  'KIND_MODEL',
  'name: "x"',
  'dims: [ 9223372036854775807, 9223372036854775807 ]',
  'count: 100000',
  'max_batch_size: 2147483647',
  'instance_group { count: 1000000 }',
  'input { name: "A" }',
  '"\\377\\x00\\u1234"',
  '[type.googleapis.com/x] { }',
  'parameters { key: "' + 'k'.repeat(500) + '" }',
  '\ufeff',
  'é'.repeat(40),
  '{'.repeat(2000),
  'ensemble_scheduling { }',
];

function bent(random: Random): string {
  let tokens = random.pick(SOURCES).split(/(?<=[\s{}[\]:,])/);
  for (let changes = 1 + random.below(4); changes > 0; changes -= 1) {
    const at = random.below(tokens.length + 1);
    const length = random.below(5);
    const [before, after] = [tokens.slice(0, at), tokens.slice(at)];
    const kind = random.below(6);
    if (kind === 0) tokens = [...before, ...after.slice(length)];
    else if (kind === 1) tokens = [...before, ...before.slice(-length), ...after];
    else if (kind === 2) tokens = [...before, random.pick(PIECES), ...after];
    else if (kind === 3) tokens = [...before, random.pick(PIECES), ...after.slice(1)];
    else if (kind === 4)
      tokens = [
        ...before,
        ...random
          .pick(SOURCES)
          .split(/(?<=\s)/)
          .slice(0, 10),
        ...after,
      ];
    else
      tokens = [
        [...tokens.join('')]
          .map((c, i) => (i % 97 === at % 97 ? String.fromCharCode(random.below(256)) : c))
          .join(''),
      ];
  }
  return tokens.join('');
}

let pages: WindowCaller[] = [];

async function loaded(text: string, { http, models }: Victim, index: number): Promise<string | undefined> {
  const name = `config_${Math.abs(index)}`;
  const folder = path.join(models, name);
  await mkdir(path.join(folder, '1'), { recursive: true });
  await writeFile(path.join(folder, 'config.pbtxt'), text);
  try {
    const { status, text: answer } = await http.post(`/v2/repository/models/${name}/load`, '{}');
    if (status !== 200 && !answer.startsWith('{"error":')) return `load: ${status} ${answer.slice(0, 200)}`;
    if (status === 200) await http.get(`/v2/models/${name}/config`);
  } finally {
    const unload = await http.post(`/v2/repository/models/${name}/unload`, '{}');
    await rm(folder, { recursive: true, force: true });
    if (unload.status >= 500) await Promise.reject(new Error(`unload: ${unload.text}`));
  }
  return undefined;
}

export const configText = attackClass<{ readonly text: string; readonly isFile: boolean }>({
  name: 'config-text',
  sends: 'bent configurations, checked as the window does; one in thirty is loaded',
  inputs: 52_000,
  width: 4,
  limitMs: 10_000,
  prepare: async ({ ports, token }) => {
    pages = await Promise.all(Array.from({ length: 4 }, () => WindowCaller.open(ports.ui, token)));
    return () => {
      for (const page of pages.splice(0)) page.close();
      return Promise.resolve();
    };
  },
  make: (random, index) => ({ text: bent(random), isFile: index % 30 === 0 }),
  send: async ({ text, isFile }, victim, index) => {
    if (isFile) return loaded(text, victim, index);
    const answer = await pages[Math.abs(index) % pages.length]?.call('config/checkScratch', {
      name: 'scratch',
      text,
    });
    return Array.isArray(answer?.result)
      ? undefined
      : `no list of issues: ${JSON.stringify(answer).slice(0, 300)}`;
  },
});
