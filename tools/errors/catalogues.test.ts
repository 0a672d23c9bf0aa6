// What holds for every listed error.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

import { STATUS_CODES } from '../../src-shared/errors.ts';
import { CATALOGUES } from './catalogues.ts';

const root = path.resolve(import.meta.dirname, '../..');

function sources(folder: string): readonly { readonly file: string; readonly text: string }[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('.test.'))
    .map((name) => ({ file: name, text: readFileSync(path.join(root, folder, name), 'utf8') }));
}

const all = [...sources('src-main'), ...sources('src-shared')];
const rows = CATALOGUES.flatMap(([, { room, entries }]) =>
  Object.entries(entries).map(([name, entry]) => ({ id: `${room}/${name}`, room, name, ...entry })),
);

/** Words of the runtime, the system or the model stand for the whole message. */
const PASSED_ON = '{reason}';

/** Texts of the reference that it has for two faults. */
const SAID_TWICE = [
  "batch size {rows} for '{instance}', max allowed is {limit}",
  'Server not ready',
  'failed to stat file {file}',
  "restricted api '{name}' can not be specified in multiple config groups",
  "unexpected inference output '{name}' for model '{model}'",
  "Stub process '{instance}' is not healthy.",
];

/** An error in words of the place that throws it. An empty text is a cancelled request, which nobody reads. */
const OWN_WORDS =
  /[^.\w](invalidArg|notFound|unavailable|unsupported|internal)\(|new ServerError\((?!'CANCELLED', ''\))/;

/** Files that throw what is not listed, and why. */
const UNLISTED: Readonly<Record<string, string>> = {
  'backends/javascript/model-runner.ts': 'the code of the model chooses code and text',
  'backends/onnxruntime/interface-check.ts': 'passes a finding of the configuration rules on',
  'backends/onnxruntime/onnxruntime-backend.ts': 'passes a finding of the configuration rules on',
  'backends/onnxruntime/ort-session.ts': 'no client can cause it',
  'backends/python-host/host-messages.ts': 'the code of the model chooses code and text',
  'control/perf/perf-host.ts': 'puts the reason behind another error',
  'perf/server/shared-regions.ts': 'no client can cause it',
  'playground/input-builder.ts': 'puts the input in front of another error',
  'protocol/http/generate-parser.ts': 'puts the place in front of another error',
  'repository/agents/agent-chain.ts': 'no client can cause it',
  'repository/config-reading.ts': 'passes a finding of the configuration rules on',
  'repository/config-thread.ts': 'no client can cause it',
  'repository/instance-plan.ts': 'no client can cause it',
  'repository/lifecycle-state.ts': 'no client can cause it',
  'repository/model-repository.ts': 'no client can cause it',
  'scheduling/ensemble-run.ts': 'puts the ensemble in front of the error of a step',
  'tensor/value-codec.ts': 'says what is wrong with a value that somebody typed, beside the place',
};

test('every catalogue of the sources is listed', () => {
  const defined = all.flatMap(({ text }) =>
    [...text.matchAll(/= defineErrors\('(\w+)'/g)].map(([, room]) => room),
  );
  expect(CATALOGUES.map(([, { room }]) => room).sort()).toEqual(defined.sort());
});

test('no two errors have the same id', () => {
  const ids = rows.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)]);
});

test('no two errors have the same text, which would leave the client guessing', () => {
  const own = rows.filter(({ text }) => text !== PASSED_ON);
  const twice = own.filter(({ text }, at) => own.findIndex((row) => row.text === text) !== at);
  expect(twice.map(({ text }) => text).sort()).toEqual([...SAID_TWICE].sort());
});

test('what anybody is told is listed, but for what no client can cause and what another error is put into', () => {
  // What tests are made of has words of its own, and these two are what catalogues are made of.
  const others = /^(testing\/|errors\.ts$|error-catalogue\.ts$)/;
  const throwing = all.filter(({ file, text }) => !others.test(file) && OWN_WORDS.test(text));
  expect(throwing.map(({ file }) => file).sort()).toEqual(Object.keys(UNLISTED).sort());
});

describe('each error', () => {
  test.each(rows)('$id has a code, a text, a cause and a remedy', ({ code, text, cause, remedy }) => {
    expect(STATUS_CODES).toContain(code);
    expect(text.trim()).not.toBe('');
    for (const sentence of [cause, remedy]) expect(sentence).toMatch(/^\S.*[.]$/);
  });

  test.each(rows)('$id is thrown somewhere', ({ room, name }) => {
    const use = `${room}Errors.${name}(`;
    expect(all.filter(({ text }) => text.includes(use)).length, use).toBeGreaterThan(0);
  });
});
