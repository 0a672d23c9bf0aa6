// Handing the files out: into a folder of the desktop, or as a download, and what stands against it.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { HandoverPlan } from '../../../src-shared/contract/handover-calls.ts';
import { internal, ServerError } from '../../../src-shared/errors.ts';
import type { Engine } from '../../engine/engine-context.tsx';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { installShell } from '../../testing/fake-shell.ts';
import { forgetTold, readyEngine, toldOf, toldTexts } from '../../testing/told.ts';
import { click, renderView, until } from '../../testing/render.tsx';
import { ConfirmHost } from '../../ui/confirm.tsx';
import { downloadZip, saveToFolder } from './hand-out.ts';
import { firstPlan, keptPlan } from './kept-plan.ts';

let fake: FakeEngine;
let engine: Engine;
let plan: HandoverPlan;
let remove: (() => void) | undefined;

beforeEach(async () => {
  fake = new FakeEngine();
  engine = await readyEngine(fake);
  const choices = await engine.client.call('handover/choices', {});
  plan = { ...firstPlan(choices), name: 'triton', target: 'kubernetes' };
});

afterEach(async () => {
  await forgetTold();
  remove?.();
  remove = undefined;
  keptPlan.setState({ plan: undefined });
  vi.unstubAllGlobals();
});

test('a folder that is chosen gets the files, and the message leads there', async () => {
  remove = installShell({ 'shell/pickFolders': () => ['/home/ada/out'] }).remove;
  expect(await saveToFolder(engine.client, { plan, isForced: true })).toBe(true);
  expect(fake.argsOf('handover/save')).toEqual([
    { plan, folder: '/home/ada/out', isForced: true, mayReplace: false },
  ]);
  await toldOf('/home/ada/out');
});

test('a dialog that is closed writes nothing and says nothing', async () => {
  remove = installShell({ 'shell/pickFolders': () => [] }).remove;
  expect(await saveToFolder(engine.client, { plan, isForced: false })).toBe(false);
  expect(fake.argsOf('handover/save')).toEqual([]);
  expect(toldTexts()).toEqual([]);
});

test.each([
  ['replace', [false, true], true],
  ['cancel', [false], false],
] as const)('files of others in the folder are asked about: %s', async (answer, asked, isSaved) => {
  remove = installShell({ 'shell/pickFolders': () => ['/home/ada/out'] }).remove;
  fake.overrides['handover/save'] = ({ folder, mayReplace }) => {
    if (!mayReplace) throw new ServerError('ALREADY_EXISTS', 'it has files of others: compose.yaml');
    return { folder, fileCount: 1 };
  };
  const page = await renderView(<ConfirmHost />);
  const saving = saveToFolder(engine.client, { plan, isForced: false });
  await until(() => expect(page.get('confirm').textContent).toContain('compose.yaml'));
  await click(page.get(`confirm-${answer}`));
  expect(await saving).toBe(isSaved);
  expect(fake.argsOf('handover/save').map(({ mayReplace }) => mayReplace)).toEqual(asked);
  await page.close();
});

test('a folder that cannot be written to is an error of the engine', async () => {
  remove = installShell({ 'shell/pickFolders': () => ['/root'] }).remove;
  fake.overrides['handover/save'] = () => {
    throw internal("'/root' cannot be written to");
  };
  await expect(saveToFolder(engine.client, { plan, isForced: false })).rejects.toThrow(
    'cannot be written to',
  );
});

test('a download is named after the plan, and what was packed is let go of', async () => {
  const urls: string[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation(() => {
    urls.push('made');
    return 'blob:x';
  });
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => undefined);
  const clicked: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    clicked.push(this.download);
  });
  fake.overrides['blob/read'] = () => ({ base64: btoa('zip'), totalByteSize: 3 });
  fake.overrides['blob/release'] = () => undefined;
  expect(await downloadZip(engine.client, { plan, isForced: false })).toBe(true);
  await toldOf('triton-kubernetes.zip');
  expect(clicked).toEqual(['triton-kubernetes.zip']);
  await vi.waitFor(() => expect(fake.argsOf('blob/release')).toEqual([{ blob: 'packed' }]));
});

test('what was packed is let go of also when it cannot be fetched', async () => {
  fake.overrides['blob/read'] = () => {
    throw internal('the upload is gone');
  };
  fake.overrides['blob/release'] = () => undefined;
  await expect(downloadZip(engine.client, { plan, isForced: false })).rejects.toThrow('the upload is gone');
  await vi.waitFor(() => expect(fake.argsOf('blob/release')).toEqual([{ blob: 'packed' }]));
});

test('what was chosen last comes again, with a place for each repository of today', () => {
  const choices = { releases: [], repositories: ['/a', '/b'], usual: { ...plan, locations: [] } };
  expect(firstPlan(choices).locations).toEqual(['', '']);
  keptPlan.setState({ plan: { ...plan, target: 'helm', locations: ['s3://a'] } });
  expect(firstPlan(choices)).toMatchObject({ target: 'helm', locations: ['s3://a', ''] });
  expect(firstPlan({ ...choices, repositories: [] }).locations).toEqual([]);
});
