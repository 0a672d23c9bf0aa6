// What is done with a configuration beside saving it: tried, written, created; and what stays when that fails.

import { afterEach, beforeEach, expect, test } from 'vitest';

import { draftOf, drafts, setDraftText } from '../../config/drafts/config-drafts.ts';
import { readDraft } from '../../config/drafts/draft-actions.ts';
import { internal } from '../../../src-shared/errors.ts';
import type { Engine } from '../../engine/engine-context.tsx';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { allTold, forgetTold, readyEngine, toldOf } from '../../testing/told.ts';
import {
  createFromEffective,
  createProfile,
  saveOverride,
  settleConflict,
  startEmpty,
  tryDraft,
} from './config-actions.ts';
import { configPanes } from './config-panes.ts';

const MODEL = 'batch_mlp';

beforeEach(() => drafts.setState({ byDocument: new Map() }));
afterEach(() => forgetTold());

async function start(
  fake = new FakeEngine(),
): Promise<{ readonly fake: FakeEngine; readonly engine: Engine }> {
  const engine = await readyEngine(fake);
  await readDraft(engine, MODEL, undefined);
  return { fake, engine };
}

const effective = (text: string, error = '') => ({ text, origins: [], json: '{}', error });

test('a text is tried without being written, and is known as the one that runs', async () => {
  const { fake, engine } = await start();
  setDraftText(MODEL, 'max_batch_size: 2\n');
  await tryDraft(engine, MODEL);
  expect(fake.argsOf('repository/load')).toEqual([{ model: MODEL, configText: 'max_batch_size: 2\n' }]);
  expect(fake.argsOf('config/write')).toEqual([]);
  expect(draftOf(MODEL)).toMatchObject({ triedText: 'max_batch_size: 2\n', text: 'max_batch_size: 2\n' });
});

test('a text that does not load says why, and is not known as the one that runs', async () => {
  const { fake, engine } = await start();
  fake.overrides['repository/load'] = () => {
    throw internal('INPUT0 has 2 dimensions');
  };
  setDraftText(MODEL, 'max_batch_size: 2\n');
  await tryDraft(engine, MODEL);
  await toldOf('INPUT0 has 2 dimensions');
  expect(draftOf(MODEL)?.triedText).toBeUndefined();
});

test('a try that was given up says nothing', async () => {
  const { engine } = await start();
  const controller = new AbortController();
  controller.abort(new DOMException('cancelled', 'AbortError'));
  await tryDraft(engine, MODEL, controller.signal);
  expect(await allTold()).toEqual([]);
});

test('what runs is written into the file; what was typed since stays unsaved', async () => {
  const { fake, engine } = await start();
  setDraftText(MODEL, 'max_batch_size: 2\n');
  await tryDraft(engine, MODEL);
  setDraftText(MODEL, 'max_batch_size: 3\n');
  await saveOverride(engine, MODEL);
  expect(fake.argsOf('config/write')).toMatchObject([{ model: MODEL, text: 'max_batch_size: 2\n' }]);
  expect(draftOf(MODEL)).toMatchObject({ text: 'max_batch_size: 3\n', triedText: undefined });
  expect(draftOf(MODEL)?.disk.text).toBe('max_batch_size: 2\n');
  expect(fake.argsOf('repository/reload')).toHaveLength(1);
});

test('a text that another window tried is asked for, and shown where nothing was typed', async () => {
  const { fake, engine } = await start();
  fake.overrides['config/effective'] = () => effective('max_batch_size: 7\n');
  await saveOverride(engine, MODEL);
  expect(draftOf(MODEL)?.text).toBe('max_batch_size: 7\n');
});

test('what cannot be written stays tried, and nothing is loaded', async () => {
  const { fake, engine } = await start();
  setDraftText(MODEL, 'max_batch_size: 2\n');
  await tryDraft(engine, MODEL);
  fake.overrides['config/write'] = () => {
    throw internal('the disk is full');
  };
  await saveOverride(engine, MODEL);
  await toldOf('the disk is full');
  expect(draftOf(MODEL)?.triedText).toBe('max_batch_size: 2\n');
  expect(fake.argsOf('repository/reload')).toEqual([]);
});

test('a file is made of what the server completed, with an end of its last line', async () => {
  const { fake, engine } = await start();
  fake.overrides['config/effective'] = () => effective('max_batch_size: 4', 'labels are missing');
  await createFromEffective(engine, MODEL);
  expect(fake.argsOf('config/write')).toMatchObject([{ text: 'max_batch_size: 4\n' }]);
  await toldOf('labels are missing');
});

test('where the server could complete nothing no empty file is made', async () => {
  const { fake, engine } = await start();
  const before = draftOf(MODEL)?.text;
  fake.overrides['config/effective'] = () => effective('', 'the model file cannot be read');
  await createFromEffective(engine, MODEL);
  await toldOf('the model file cannot be read');
  expect(fake.argsOf('config/write')).toEqual([]);
  expect(draftOf(MODEL)?.text).toBe(before);
});

test('an empty start names the model, whatever is in its name', async () => {
  await start();
  startEmpty(MODEL);
  expect(draftOf(MODEL)).toMatchObject({ isNew: true, text: 'name: "batch_mlp"\n' });
});

test('a profile begins with the text in the editor and is shown; one that fails changes nothing', async () => {
  const { fake, engine } = await start();
  fake.overrides['config/writeProfile'] = () => undefined;
  fake.overrides['config/readProfile'] = () => ({ text: 'max_batch_size: 2\n' });
  setDraftText(MODEL, 'max_batch_size: 2\n');
  expect(await createProfile(engine, MODEL, 'small')).toBe(true);
  expect(fake.argsOf('config/writeProfile')).toEqual([
    { model: MODEL, profile: 'small', text: 'max_batch_size: 2\n' },
  ]);
  expect(configPanes.getState().profiles[MODEL]).toBe('small');
  fake.overrides['config/writeProfile'] = () => {
    throw internal('the folder is read-only');
  };
  expect(await createProfile(engine, MODEL, 'large')).toBe(false);
  await toldOf('the folder is read-only');
  expect(configPanes.getState().profiles[MODEL]).toBe('small');
});

test('of two texts the user keeps one, or looks at both', async () => {
  const { fake, engine } = await start();
  const typed = 'max_batch_size: 3\n';
  const conflicting = async (): Promise<void> => {
    setDraftText(MODEL, typed);
    const onDisk = draftOf(MODEL)!.disk;
    const hash = `${onDisk.hash}+`;
    fake.overrides['config/read'] = () => ({ ...onDisk, text: 'max_batch_size: 9\n', hash });
    await readDraft(engine, MODEL, undefined);
    expect(draftOf(MODEL)?.conflict?.text).toBe('max_batch_size: 9\n');
  };
  await conflicting();
  settleConflict(MODEL, 'compare');
  expect(configPanes.getState()).toMatchObject({ side: 'diff', compareWith: 'disk', isSplit: true });
  expect(draftOf(MODEL)?.conflict).toBeDefined();
  settleConflict(MODEL, 'mine');
  expect(draftOf(MODEL)).toMatchObject({ text: typed, conflict: undefined });
  await conflicting();
  settleConflict(MODEL, 'disk');
  expect(draftOf(MODEL)).toMatchObject({ text: 'max_batch_size: 9\n', conflict: undefined });
});
