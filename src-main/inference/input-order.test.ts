// Every expected order here was asked of a running tritonserver 2.51 with a model in Python.

import { expect, test } from 'vitest';
import { inputsAsFound, inputsAsKept } from './input-order.ts';

const named = (...names: readonly string[]): { readonly name: string }[] => names.map((name) => ({ name }));
const found = (inputs: readonly string[], added: readonly string[] = []): string[] =>
  inputsAsFound(named(...inputs), named(...added)).map(({ name }) => name);

const TS = Array.from({ length: 20 }, (_, index) => `t${index}`);

test.each([
  [['INPUT1', 'INPUT0'], 'INPUT1 INPUT0'],
  [['input_ids', 'attention_mask', 'token_type_ids'], 'input_ids attention_mask token_type_ids'],
  [
    ['prompt', 'stream', 'max_tokens', 'temperature', 'top_p', 'top_k'],
    'prompt stream top_k max_tokens temperature top_p',
  ],
  [TS.slice(-13), 't7 t10 t18 t8 t15 t9 t12 t17 t11 t13 t14 t16 t19'],
  [TS.slice(-14), 't19 t6 t18 t15 t9 t12 t17 t8 t11 t16 t7 t10 t13 t14'],
  [TS, 't11 t8 t12 t9 t3 t5 t6 t19 t18 t0 t17 t14 t16 t7 t10 t13 t1 t15 t2 t4'],
])('a model finds %j in the order of a hash map', (inputs, expected) => {
  expect(found(inputs).join(' ')).toBe(expected);
  expect(found(inputs).join(' ')).toBe(expected);
});

test('what a sequence adds stands in front, unless hashes meet', () => {
  const clients = ['INPUT3', 'INPUT1', 'INPUT2', 'INPUT0'];
  expect(found(clients, ['START', 'READY'])).toEqual(['READY', 'START', ...clients]);
  expect(found(['INPUT0'], ['AA', 'S9', 'SA', 'SB', 'SC', 'SD', 'ZZ']).join(' ')).toBe(
    'ZZ SD SB SA S9 SC AA INPUT0',
  );
});

test('what a sequence adds under the name of an input is in its place', () => {
  const of = (from: string, ...names: readonly string[]) => names.map((name) => ({ name, from }));
  const all = inputsAsFound(of('client', 'INPUT', 'STATE'), of('state', 'STATE'));
  expect(all.map(({ name, from }) => `${name} ${from}`)).toEqual(['INPUT client', 'STATE state']);
});

test('names of more than eight bytes and of other alphabets', () => {
  const names = ['a rather long name of an input tensor', 'ünïcode', 'image', 'audio'];
  expect(found(names)).toEqual(names);
});

test('a filler request has them the other way round', () => {
  const kept = inputsAsKept(named('INPUT3', 'INPUT1', 'INPUT2', 'INPUT0'));
  expect(kept.map(({ name }) => name)).toEqual(['INPUT0', 'INPUT2', 'INPUT1', 'INPUT3']);
});

test.each([
  ['long', ['x'.repeat(40_000), 'b', 'a']],
  ['many', Array.from({ length: 600 }, (_, index) => `input ${index}`)],
])('nobody hashes names that are too %s for a model', (_, names) => {
  expect(inputsAsKept(named(...names)).map(({ name }) => name)).toEqual(names);
  expect(found(names, ['START'])).toEqual(['START', ...names]);
});

test('no input is lost, whatever their number', () => {
  const names = Array.from({ length: 500 }, (_, index) => `input ${index}`);
  expect(found(names.slice(0, 490), names.slice(490)).sort()).toEqual([...names].sort());
});
