// Saved requests: kept under a name, run alone and all at once, taken out and in as a file, captured ones beside them.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { PlaygroundRequest, SavedRequest } from '../../../src-shared/contract/inference-calls.ts';
import { rpcErrors } from '../../../src-shared/rpc/rpc-errors.ts';
import { internal } from '../../../src-shared/errors.ts';
import { modelAddress } from '../../lib/address.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { fakeModel } from '../../testing/fake-models.ts';
import { fakeInterface, fakeRefusal, fakeResult } from '../../testing/fake-playground.ts';
import type { Rendered } from '../../testing/render.tsx';
import { accessibilityFaults, click, renderWithHosts, type, until } from '../../testing/render.tsx';
import { clearPlaygrounds, playgroundOf } from './playground-store.ts';
import { PlaygroundTab } from './playground-view.tsx';
import { savedState } from './saved-store.ts';

let fake: FakeEngine;
let page: Rendered | undefined;
let saved: SavedRequest[];

const request = (values: readonly string[]): PlaygroundRequest => ({
  ...{
    model: 'm',
    version: '',
    protocol: 'grpc',
    id: '',
    outputs: [],
    priority: 0,
    timeoutUs: 0,
    parameters: {},
  },
  inputs: [{ name: 'X', datatype: 'FP32', shape: [4], source: { kind: 'values', values: [...values] } }],
});

const one = (name: string, changes: Partial<SavedRequest> = {}): SavedRequest => ({
  ...{ id: `id-${name}`, name, savedAtMs: 1, request: request(['5', '6', '7', '8']), expectation: undefined },
  ...changes,
});

beforeEach(() => {
  clearPlaygrounds();
  savedState.setState({ revision: 0, runs: {}, isRunningAll: false });
  saved = [one('first', { expectation: { tolerance: 1e-5, outputs: {} } }), one('second')];
  fake = new FakeEngine();
  fake.overrides['playground/interface'] = () => fakeInterface();
  fake.overrides['playground/savedList'] = () => [...saved];
  fake.overrides['playground/send'] = () => fakeResult();
  fake.overrides['playground/runSaved'] = ({ id }) => ({
    ...(id === 'id-first'
      ? { result: fakeResult(), passed: false, message: 'Y[0]: 1 and 2' }
      : { result: fakeResult(), passed: undefined, message: '' }),
  });
});

afterEach(async () => {
  await page?.close();
  page = undefined;
  vi.restoreAllMocks();
});

async function show(): Promise<Rendered> {
  fake.snapshot = { ...fake.snapshot, models: [fakeModel('m', { state: 'ready' })] };
  page = await renderWithHosts(
    <PlaygroundTab model="m" version="" address={modelAddress('m', 'playground')} />,
    fake,
  );
  await until(() => page?.get('pg-saved-toggle'));
  await click(page.get('pg-saved-toggle'));
  await until(() => page?.get('pg-saved-list'));
  return page;
}

const valuesNow = () => playgroundOf('m').getState().draft?.inputs[0]?.values;
const told = (): string => document.body.textContent;

test('without any it says what saving is for; a list that cannot be read says why', async () => {
  saved = [];
  const { query } = await show();
  await until(() => expect(told()).toContain('Save a request to run it again later'));
  expect(query('pg-run-all')).toBeNull();
  await page?.close();
  clearPlaygrounds();
  fake.overrides['playground/savedList'] = () => {
    throw internal('the folder is gone');
  };
  await show();
  await until(() => expect(told()).toContain('the folder is gone'));
  expect(told()).not.toContain('Save a request to run it again later');
});

test('a saved request goes into the builder', async () => {
  const { get } = await show();
  await until(() => get('pg-saved-first'));
  await click(get('pg-saved-first').querySelector('button') as HTMLElement);
  await until(() => expect(valuesNow()).toEqual(['5', '6', '7', '8']));
  expect(playgroundOf('m').getState().draft?.protocol).toBe('grpc');
  expect(await accessibilityFaults(get('pg-saved-list'))).toEqual([]);
});

test('one is run alone: what differs is told beside it', async () => {
  const { get } = await show();
  await until(() => get('pg-saved-run-first'));
  await click(get('pg-saved-run-first'));
  await until(() => expect(get('pg-saved-first').dataset['state']).toBe('failed'));
  expect(get('pg-saved-first').textContent).toContain('Y[0]: 1 and 2');
  expect(get('pg-saved-second').dataset['state']).toBe('idle');
});

test('all are run in order, the button is busy meanwhile, and the end tells how many failed', async () => {
  const gate = Promise.withResolvers<undefined>();
  const answer = fake.overrides['playground/runSaved'];
  fake.overrides['playground/runSaved'] = async (args, context) => {
    await gate.promise;
    return (await answer?.(args, context)) as never;
  };
  const { get } = await show();
  await until(() => get('pg-run-all'));
  await click(get('pg-run-all'));
  await until(() => expect(get('pg-saved-first').dataset['state']).toBe('running'));
  await click(get('pg-run-all'));
  gate.resolve(undefined);
  await until(() => expect(get('pg-saved-second').dataset['state']).toBe('answered'));
  await until(() => expect(told()).toContain('1 of 2'));
  expect(fake.argsOf('playground/runSaved').map(({ id }) => id)).toEqual(['id-first', 'id-second']);
});

test('one is deleted, and a deletion that fails is told', async () => {
  const all = saved;
  fake.overrides['playground/deleteSaved'] = ({ id }) => {
    saved = saved.filter((other) => other.id !== id);
    return { undo: 'u' };
  };
  fake.overrides['playground/restoreSaved'] = () => void (saved = all);
  const { get, query } = await show();
  await until(() => get('pg-saved-delete-first'));
  await click(get('pg-saved-delete-first'));
  await until(() => expect(query('pg-saved-first')).toBeNull());
  await click(
    await until(
      () => [...document.querySelectorAll('button')].find((b) => b.textContent === 'Undo') ?? get('Undo'),
    ),
  );
  await until(() => get('pg-saved-first'));
  expect(fake.argsOf('playground/restoreSaved')).toEqual([{ undo: 'u' }]);
  fake.overrides['playground/deleteSaved'] = () => {
    throw internal('read-only');
  };
  await click(get('pg-saved-delete-second'));
  await until(() => expect(told()).toContain('read-only'));
  expect(query('pg-saved-second')).not.toBeNull();
});

test('a request is kept under a name, with its outputs as expectation unless that is switched off', async () => {
  fake.overrides['playground/save'] = ({ name }) => {
    const made = one(name);
    saved = [made, ...saved];
    return made;
  };
  const { get, query } = await show();
  await click(get('pg-save'));
  await until(() => get('pg-save-name'));
  expect(get('pg-save-confirm').getAttribute('aria-disabled')).toBe('true');
  await type(get('pg-save-name'), '  third ');
  await click(get('pg-save-expectation'));
  await click(get('pg-save-confirm'));
  await until(() => get('pg-saved-third'));
  expect(fake.argsOf('playground/save')).toMatchObject([{ id: '', name: 'third', withExpectation: false }]);
  await until(() => expect(query('pg-save-name')).toBeNull());
});

test('a save that is refused keeps the dialog and the name, and tells why', async () => {
  fake.overrides['playground/save'] = () => {
    throw internal('the model does not answer');
  };
  const { get } = await show();
  await click(get('pg-save'));
  await until(() => get('pg-save-name'));
  await type(get('pg-save-name'), 'third');
  await click(get('pg-save-confirm'));
  await until(() => expect(told()).toContain('the model does not answer'));
  expect((get('pg-save-name') as HTMLInputElement).value).toBe('third');
});

test('all of them go out as one file and come in from one; a file of something else is refused', async () => {
  const files: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    files.push(this.download);
  });
  URL.createObjectURL = () => 'blob:x';
  URL.revokeObjectURL = () => undefined;
  fake.overrides['playground/exportSaved'] = () => ({ blob: 'out', byteSize: 2 });
  fake.overrides['blob/read'] = () => ({ base64: btoa('[]'), totalByteSize: 2 });
  fake.overrides['blob/create'] = () => ({ blob: 'in' });
  fake.overrides['blob/append'] = () => ({ byteSize: 2 });
  fake.overrides['blob/release'] = () => undefined;
  fake.overrides['playground/importSaved'] = () => {
    saved = [...saved, one('brought')];
    return { count: 1 };
  };
  const { get } = await show();
  await click(get('pg-saved-menu'));
  const item = await until(() => {
    const found = [...document.querySelectorAll<HTMLElement>('[role="menuitem"]')][0];
    if (found === undefined) throw new Error('no menu');
    return found;
  });
  await click(item);
  await until(() => expect(files).toEqual(['m.requests.json']));
  const bring = (): void => {
    const picker = get('pg-import-file') as HTMLInputElement;
    Object.defineProperty(picker, 'files', { configurable: true, value: [new File(['[]'], 'a.json')] });
    Object.defineProperty(picker, 'value', { configurable: true, writable: true, value: '' });
    picker.dispatchEvent(new Event('change', { bubbles: true }));
  };
  bring();
  await until(() => get('pg-saved-brought'));
  fake.overrides['playground/importSaved'] = () => {
    throw internal('it holds no saved requests');
  };
  bring();
  await until(() => expect(told()).toContain('it holds no saved requests'));
  await until(() => expect(fake.argsOf('blob/release').map(({ blob }) => blob)).toEqual(['out', 'in', 'in']));
});

test('captured requests of this model are listed with what came of them, and go into the builder', async () => {
  const row = (id: number, changes: object = {}) => ({
    ...{
      id,
      model: 'm',
      parentId: 0,
      stepIndex: -1,
      atMs: id,
      version: '1',
      requestId: `r${id}`,
      state: 'ok',
    },
    ...{ error: undefined, durationMs: 3, responseCount: 1, inputs: [], byteSize: 4, hasTensors: true },
    ...changes,
  });
  fake.overrides['capture/state'] = () => ({
    ...{ isOn: false, model: undefined, endsAtMs: 0, count: 3, byteSize: 8, limitBytes: 1000 },
  });
  fake.overrides['capture/list'] = () =>
    [row(1), row(2, { state: 'failed' }), row(3, { model: 'other' }), row(4, { hasTensors: false })] as never;
  fake.overrides['capture/open'] = () =>
    ({ request: request(['9', '9', '9', '9']), inputs: [], row: row(2) }) as never;
  const { get, query } = await show();
  await until(() => expect(get('pg-captured-1').textContent).toContain('r1'));
  expect([query('pg-captured-3'), query('pg-captured-4')]).toEqual([null, null]);
  await click(get('pg-captured-2'));
  await until(() => expect(valuesNow()).toEqual(['9', '9', '9', '9']));
});

test('the history names protocol, status and how often, or that it was not sent', async () => {
  const { get } = await show();
  fake.overrides['playground/send'] = () => fakeRefusal('no');
  await click(get('pg-send'));
  await until(() => expect(get('pg-history').textContent).toContain('JSON 400'));
  fake.overrides['playground/send'] = () => {
    throw internal('gone');
  };
  await click(get('pg-send'));
  await until(() => expect(get('pg-history').querySelector('li')?.textContent).toContain('Not sent'));
  fake.overrides['playground/send'] = () => {
    throw rpcErrors.lost();
  };
  await click(get('pg-send'));
  await until(() => expect(get('pg-history').querySelector('li')?.textContent).toContain('No answer'));
});
