// Settings of the log over both protocols, what is refused, and what the log then says: by level, to a file, in which form.

import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { grpcCall } from './grpc-exchange.ts';
import { get, post } from './http-calls.ts';
import { ask, load, unload, wait } from './life-calls.ts';
import { answering, ECHO_MODEL, pythonFiles } from './python-models.ts';
import type { Target } from './reference-case.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';

const SPEAKS = answering(`log = pb_utils.Logger
log.log_info("told info")
log.log_warn("told warning")
log.log_error("told error")
log.log_verbose("told verbose")
log.log("told by default")
log.log("told as warning", log.WARNING)
response = pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", first(request))])`);
const models: RepositoryFiles = {
  ...pythonFiles('echo', ECHO_MODEL),
  ...pythonFiles('speaks', SPEAKS),
  ...pythonFiles('bad', 'nonsense('),
};

const FILE = /"log_file":"[^"]*"/g;
const over = async (target: Target, body: string): Promise<object> => {
  const [status, text] = (await ask(target, post('/v2/logging', body))) as [number, string];
  return { step: `POST ${body}`, status, text: text.replaceAll(FILE, '"log_file":"#"') };
};
type Settings = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
const overGrpc = async (target: Target, settings: Settings): Promise<object> => {
  const { code, details, response } = await grpcCall(target.grpcPort, 'LogSettings', { settings });
  const text = JSON.stringify(response)?.replaceAll(/"log_file":\{[^}]*\}/g, '"log_file":"#"');
  return {
    step: `gRPC ${JSON.stringify(settings)}`,
    code,
    details,
    response: JSON.parse(text ?? 'null') as unknown,
  };
};

const BODIES = [
  '{"log_info":false}',
  '{"log_info":true,"log_warning":false,"log_error":true}',
  '{"log_warning":true}',
  '{"log_info":"true"}',
  '{"log_info":0}',
  '{"log_info":[true]}',
  '{"log_info":{}}',
  '{"log_error":null}',
  '{"log_verbose_level":-1}',
  '{"log_verbose_level":2}',
  '{"log_verbose_level":0}',
  '{"log_verbose_level":4294967295}',
  '{"log_verbose_level":0}',
  '{"log_verbose_level":1e1}',
  '{"log_verbose_level":[1]}',
  '{"log_verbose_level":"two"}',
  '{"log_format":"iso8601"}',
  '{"log_format":""}',
  '{"log_format":"DEFAULT"}',
  '{"log_format":["default"]}',
  '{"log_format":true}',
  '{"log_file":5}',
  '{"log_file":""}',
  '{"log_file":["a"]}',
  '{"log_file":"/no/such/folder/file.log"}',
  '{"log_file":"/proc/nothing"}',
  '{"log_info":false,"nonsense":1}',
  '{"log_info":false,"log_format":"nonsense"}',
  '{"log_verbose_level":3,"log_info":"x"}',
  '{"log_verbose_level":0,"log_info":true,"log_warning":true,"log_error":true,"log_format":"default"}',
  '{"Log_Info":true}',
  '{"log_info":true,"log_info":false}',
  '{"log_info":true}',
  '{"settings":{"log_info":true}}',
  'true',
  '"log_info"',
  '[{"log_info":true}]',
  '{"log_info":true',
  '{"log_info":true}x',
  'null',
];
const bool = (value: boolean): object => ({ bool_param: value });
const number = (value: number): object => ({ uint32_param: value });
const text = (value: string): object => ({ string_param: value });
const MESSAGES: readonly Settings[] = [
  {},
  { log_info: bool(false) },
  { log_info: bool(true) },
  { log_info: number(1) },
  { log_info: text('true') },
  { log_info: {} },
  { log_warning: number(0) },
  { log_error: text('') },
  { log_verbose_level: number(1) },
  { log_verbose_level: number(4294967295) },
  { log_verbose_level: number(0) },
  { log_verbose_level: bool(true) },
  { log_verbose_level: text('1') },
  { log_verbose_level: {} },
  { log_format: text('ISO8601') },
  { log_format: text('default') },
  { log_format: text('iso8601') },
  { log_format: text('') },
  { log_format: number(1) },
  { log_format: bool(true) },
  { log_format: {} },
  { log_file: text('/no/such/folder/file.log') },
  { log_file: number(1) },
  { log_file: {} },
  { nonsense: bool(true) },
  { '': bool(true) },
  { log_verbose_level: number(0), log_info: bool(true), log_format: text('default') },
] as readonly Settings[];

const TOLD = /told|failed to load|successfully loaded|Unknown model|SyntaxError|was never closed/i;
/** Hides times and numbers of lines of a log, but not how they are written. */
const asWritten = (lines: readonly string[], target: Target): readonly string[] =>
  lines
    // Of the process of a model itself, which heeds no setting there.
    .filter((line) => TOLD.test(line) && !line.includes('Failed to initialize Python stub'))
    .map((line) =>
      hideFolders(line, target)
        .replace(/^([IWEF])\d{4} \d\d:\d\d:\d\d\.\d{6} \d+ [\w.-]+:\d+\] /, '$1 default ')
        .replace(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ ([IWEF]) \d+ [\w.-]+:\d+\] /, '$1 iso ')
        .replaceAll('"', '')
        // Where it was told, which only we say; the traceback is a record of its own there.
        .replace(/ model=.*$|(\\n)+At:.*$/, ''),
    );
function hideFolders(line: string, { folders }: Target): string {
  return folders.reduce((shown, folder) => shown.replaceAll(folder, '<folder>'), line);
}

/** What is logged while a model speaks, loads and fails. */
async function saidWith(target: Target, settings: object): Promise<readonly object[]> {
  const answer = await over(target, JSON.stringify(settings));
  const before = target.log().length;
  await ask(
    target,
    post('/v2/models/speaks/infer', {
      inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [1], data: [1] }],
    }),
  );
  await ask(target, load('bad'));
  await ask(target, load('echo'));
  await wait(400);
  const lines = asWritten(target.log().slice(before).split('\n'), target);
  return [answer, { step: `said with ${JSON.stringify(settings)}`, lines }];
}

const EFFECTS: readonly object[] = [
  {},
  { log_info: false },
  { log_warning: false },
  { log_error: false },
  { log_info: true },
  { log_warning: true, log_error: true },
  { log_format: 'ISO8601' },
  { log_format: 'default' },
];

export const LOG_SCENE: Scene = {
  name: 'log settings',
  repositories: sameFor(models),
  args: ['--model-control-mode=explicit', '--load-model=speaks'],
  together: 'waiting',
  cases: [
    {
      name: 'log settings over HTTP',
      run: async (target) => {
        const answers: object[] = [];
        for (const body of BODIES) {
          answers.push(await over(target, body));
          answers.push({ ...(await over(target, '{}')), step: `then, after ${body}` });
        }
        const [status, shown] = (await ask(target, get('/v2/logging'))) as [number, string];
        answers.push({ step: 'GET', status, shown: shown.replaceAll(FILE, '"log_file":"#"') });
        return answers;
      },
    },
    {
      name: 'log settings over gRPC',
      run: async (target) => {
        const answers: object[] = [];
        for (const settings of MESSAGES) answers.push(await overGrpc(target, settings));
        return answers;
      },
    },
    {
      name: 'log settings and what is said',
      run: async (target) => {
        const answers: object[] = [];
        for (const settings of EFFECTS) answers.push(...(await saidWith(target, settings)));
        return answers;
      },
    },
    {
      name: 'log settings with a file',
      run: async (target) => {
        const folder = target.folders[0] ?? '';
        const file = path.join(folder, 'said.log');
        const answers: object[] = [];
        const [status, body] = (await ask(target, post('/v2/logging', { log_file: file }))) as [
          number,
          string,
        ];
        answers.push({ step: 'answer', status, body });
        const before = target.log().length;
        await ask(target, load('echo'));
        await ask(target, load('bad'));
        await wait(400);
        answers.push({ step: 'terminal', lines: asWritten(target.log().slice(before).split('\n'), target) });
        const isThere = (await readdir(folder)).includes('said.log');
        answers.push({ step: 'is there', isThere });
        const lines = isThere ? (await readFile(file, 'utf8')).split('\n') : [];
        answers.push({ step: 'file', lines: asWritten(lines, target) });
        answers.push({ ...(await over(target, '{"log_file":""}')), step: 'back' });
        await ask(target, unload('echo'));
        const later = target.log().length;
        await ask(target, load('echo'));
        await wait(400);
        answers.push({
          step: 'terminal again',
          lines: asWritten(target.log().slice(later).split('\n'), target),
        });
        return answers;
      },
    },
  ],
};
