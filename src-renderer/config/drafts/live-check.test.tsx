// What comes back from a check of a text that is being typed: findings for those who show them, and nothing drawn.

import { useEffect } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { forgetLiveIssues, liveIssuesOf } from '../../lib/live-problems.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { fakeModel } from '../../testing/fake-models.ts';
import type { Rendered } from '../../testing/render.tsx';
import { renderWithHosts, until } from '../../testing/render.tsx';
import type { LanguageContext } from '../language/language-protocol.ts';
import { drafts, editable, newDraft, putDraft, setDraftText } from './config-drafts.ts';
import { readinessText } from './language-context.ts';
import { useLiveCheck } from './use-config-document.ts';

const MODEL = 'typed';
const FACTS = {} as LanguageContext;

const { ask } = vi.hoisted(() => ({
  ask: vi.fn<(question: string, document: string, text: string) => Promise<unknown>>(),
}));
vi.mock('../language/config-language-client.ts', () => ({
  configLanguage: { ask, setContext: () => undefined },
}));

const finding = (text: string): unknown => ({
  code: 'D21',
  severity: 'error',
  message: `in ${text}`,
  path: '',
});

let page: Rendered | undefined;
let drawn = 0;

const count = (): void => void (drawn += 1);

function Checked() {
  useEffect(count);
  return <output data-testid="checked">{useLiveCheck(MODEL, FACTS) ?? 'no failure'}</output>;
}

beforeEach(() => {
  ask.mockReset();
  const disk = {
    exists: true,
    text: 'a',
    hash: 'h',
    path: '',
    readOnlyReason: undefined,
    refusal: undefined,
  };
  drafts.setState({ byDocument: new Map() });
  putDraft(newDraft(MODEL, editable(disk)));
});
afterEach(async () => {
  forgetLiveIssues(MODEL);
  await page?.close();
});

const messages = (): readonly string[] => liveIssuesOf(MODEL).map(({ message }) => message);

test('new findings are there without anything drawn again', async () => {
  ask.mockImplementation((_, __, text) => Promise.resolve([finding(text)]));
  page = await renderWithHosts(<Checked />, new FakeEngine());
  await until(() => expect(messages()).toEqual(['in a']));
  const before = drawn;
  for (const text of ['ab', 'abc']) {
    setDraftText(MODEL, text);
    await until(() => expect(messages()).toEqual([`in ${text}`]));
  }
  expect(drawn).toBe(before);
});

test('a check that fails says why, until one comes to its end', async () => {
  ask.mockRejectedValueOnce(new Error('the worker is gone'));
  page = await renderWithHosts(<Checked />, new FakeEngine());
  const { get } = page;
  await until(() => expect(get('checked').textContent).toContain('the worker is gone'));
  ask.mockImplementation((_, __, text) => Promise.resolve([finding(text)]));
  setDraftText(MODEL, 'ab');
  await until(() => expect(get('checked').textContent).toBe('no failure'));
  expect(messages()).toEqual(['in ab']);
});

test('the readiness of a list of models is written once', () => {
  const model = fakeModel(MODEL);
  let asked = 0;
  const counted = new Proxy(model, {
    get: (target, key) => {
      if (key === 'name') asked += 1;
      return Reflect.get(target, key) as unknown;
    },
  });
  const list = [counted];
  const first = readinessText(list);
  expect(Object.keys(JSON.parse(first) as object)).toEqual([MODEL]);
  const once = asked;
  expect(readinessText(list)).toBe(first);
  expect(asked).toBe(once);
  expect(readinessText([model])).toBe(first);
});
