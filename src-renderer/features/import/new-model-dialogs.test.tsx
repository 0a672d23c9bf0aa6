// Dialogs that make one model: from a configuration, from a template, from another model. Names, refusals, what is sent.

import { afterEach, beforeEach, expect, test } from 'vitest';

import { naming } from '../../actions/folder-actions.ts';
import type { TaskView } from '../../../src-shared/contract/observe-views.ts';
import { internal, ServerError } from '../../../src-shared/errors.ts';
import { activeTab } from '../../lib/workspace-store.ts';
import { fakeDropItem } from '../../testing/fake-drop-item.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { FAKE_REPOSITORY, fakeModel, fakeSnapshot } from '../../testing/fake-models.ts';
import type { Rendered } from '../../testing/render.tsx';
import {
  accessibilityFaults,
  choose,
  click,
  press,
  renderWithHosts,
  type,
  until,
} from '../../testing/render.tsx';
import { allTold, forgetTold, toldOf } from '../../testing/told.ts';
import { ImportHost } from './import-host.tsx';
import { importStore, showDialog } from './import-store.ts';

let page: Rendered | undefined;

beforeEach(() => {
  importStore.setState({ dialogs: [], picker: undefined, uploads: [], failedConversions: new Map() });
  naming.setState({ asked: undefined });
});
afterEach(async () => {
  await forgetTold();
  await page?.close();
});

const isOff = (element: HTMLElement): boolean => element.getAttribute('aria-disabled') === 'true';
const valueOf = (element: HTMLElement): string => (element as HTMLInputElement).value;

async function start(fake: FakeEngine): Promise<Rendered> {
  page = await renderWithHosts(<ImportHost />, fake);
  return page;
}

const config = fakeDropItem('config', { path: '/drop/config.pbtxt', name: 'drop' });

function scratch(): FakeEngine {
  const fake = new FakeEngine();
  fake.overrides['config/readScratch'] = () => ({ text: 'name: "simple"\nbackend: "python"\n' });
  fake.overrides['config/checkScratch'] = () => [];
  fake.overrides['repository/createFromConfig'] = () => undefined;
  showDialog({ kind: 'config', item: config });
  return fake;
}

test('a configuration that came alone becomes a model of its own name, or of a free one', async () => {
  const fake = scratch();
  const { get, query } = await start(fake);
  await until(() => expect(valueOf(get('scratch-name'))).toBe('simple_2'));
  expect(await accessibilityFaults()).toEqual([]);
  await type(get('scratch-text'), 'name: "fresh"\nbackend: "onnxruntime"\n');
  await until(() => expect(valueOf(get('scratch-name'))).toBe('fresh'));
  await click(get('scratch-create'));
  await until(() => expect(query('scratch-dialog')).toBeNull());
  expect(fake.argsOf('repository/createFromConfig')).toEqual([
    { repository: FAKE_REPOSITORY, name: 'fresh', text: 'name: "fresh"\nbackend: "onnxruntime"\n' },
  ]);
  expect(activeTab()?.address).toMatchObject({ model: 'fresh', tab: 'config' });
});

test('what the rules say of a configuration is listed, and is not lost when they cannot be asked', async () => {
  const fake = scratch();
  const finding = { hint: '', path: '', startOffset: 0, endOffset: 0, column: 1, fixes: [] };
  fake.overrides['config/checkScratch'] = ({ text }) =>
    text.includes('onnx')
      ? []
      : [{ ...finding, code: 'D07', severity: 'error', message: 'There is no input.', line: 2 }];
  const { get } = await start(fake);
  await until(() => expect(get('problem-D07').textContent).toContain('There is no input.'));
  fake.overrides['config/checkScratch'] = () => {
    throw internal('the rules are gone.');
  };
  await type(get('scratch-text'), 'name: "fresh"\n');
  await until(() => expect(get('scratch-dialog').textContent).toContain('the rules are gone.'));
});

test('a configuration that cannot be read says why, and nothing can be made of it', async () => {
  const fake = scratch();
  fake.overrides['config/readScratch'] = () => {
    throw internal('the file is gone.');
  };
  const { get } = await start(fake);
  await until(() => expect(get('scratch-dialog').textContent).toContain('the file is gone.'));
  await click(get('scratch-create'));
  expect(fake.argsOf('repository/createFromConfig')).toEqual([]);
});

test('a model of code begins with a template, and opens with its file', async () => {
  const fake = new FakeEngine();
  fake.overrides['code/createFromTemplate'] = () => ({ file: '1/model.py' });
  showDialog({ kind: 'template', template: 'model' });
  const { get, query } = await start(fake);
  await until(() => expect(valueOf(get('template-name'))).toBe('python_model'));
  expect(get('template-dialog').textContent).toContain(FAKE_REPOSITORY);
  await choose(get('template-kind'), 'A step before a model (pictures to pixels)');
  await until(() => expect(valueOf(get('template-name'))).toBe('preprocess'));
  // A typed name stays, whatever the template.
  await type(get('template-name'), 'resize');
  await choose(get('template-kind'), 'A step behind a model (scores to labels)');
  expect(valueOf(get('template-name'))).toBe('resize');
  get('template-dialog').querySelector('form')?.requestSubmit();
  await until(() => expect(query('template-dialog')).toBeNull());
  expect(fake.argsOf('code/createFromTemplate')).toEqual([
    { template: 'postprocess', repository: FAKE_REPOSITORY, name: 'resize' },
  ]);
  expect(activeTab()?.address).toMatchObject({ model: 'resize', tab: 'code', query: { file: '1/model.py' } });
});

test('Enter makes nothing while the name is taken', async () => {
  const fake = new FakeEngine();
  showDialog({ kind: 'template', template: 'model' });
  const { get } = await start(fake);
  await type(await until(() => get('template-name')), 'simple');
  await until(() => expect(isOff(get('template-create'))).toBe(true));
  get('template-dialog').querySelector('form')?.requestSubmit();
  expect(fake.argsOf('code/createFromTemplate')).toEqual([]);
});

test('a copy begins with a name that is free', async () => {
  const fake = new FakeEngine();
  fake.snapshot = fakeSnapshot([fakeModel('net'), fakeModel('net_2')]);
  fake.overrides['repository/duplicateModel'] = () => undefined;
  naming.setState({ asked: { model: 'net', verb: 'duplicate' } });
  const { get, query } = await start(fake);
  await until(() => expect(valueOf(get('name-input'))).toBe('net_3'));
  expect(await accessibilityFaults()).toEqual([]);
  await click(get('name-save'));
  await until(() => expect(query('name-dialog')).toBeNull());
  expect(fake.argsOf('repository/duplicateModel')).toEqual([{ model: 'net', newName: 'net_3' }]);
});

test('a copy of what is in a store goes to a local repository', async () => {
  const fake = new FakeEngine();
  fake.snapshot = fakeSnapshot([{ ...fakeModel('net'), repository: 's3://bucket/models' }]);
  fake.overrides['repository/duplicateModel'] = () => undefined;
  naming.setState({ asked: { model: 'net', verb: 'duplicate' } });
  const { get, query } = await start(fake);
  await until(() => expect(get('name-dialog').textContent).toContain('Copy net to a local repository'));
  await click(get('name-save'));
  await until(() => expect(query('name-dialog')).toBeNull());
  expect(fake.argsOf('repository/duplicateModel')).toEqual([
    { model: 'net', newName: 'net_2', repository: fake.snapshot.repositories[0]?.path },
  ]);
});

test('a model is renamed to another name only, and keeps its dialog when that fails', async () => {
  const fake = new FakeEngine();
  fake.overrides['repository/renameModel'] = () => {
    throw internal('requests are in flight.');
  };
  naming.setState({ asked: { model: 'simple', verb: 'rename' } });
  const { get } = await start(fake);
  await until(() => expect(isOff(get('name-save'))).toBe(true));
  await type(get('name-input'), 'batch_mlp');
  await until(() => expect(get('name-dialog').textContent).toContain('There is a model of this name.'));
  expect(isOff(get('name-save'))).toBe(true);
  await type(get('name-input'), 'plain');
  await until(() => expect(isOff(get('name-save'))).toBe(false));
  await click(get('name-save'));
  await toldOf('requests are in flight.');
  expect(valueOf(get('name-input'))).toBe('plain');
  expect(fake.argsOf('repository/renameModel')).toEqual([{ model: 'simple', newName: 'plain' }]);
});

function convertible(reason?: string): FakeEngine {
  const fake = new FakeEngine();
  fake.overrides['framework/canConvert'] = () => ({ reason });
  fake.overrides['observe/cancelTask'] = () => undefined;
  showDialog({ kind: 'convert', model: 'simple' });
  return fake;
}

test.each([
  ['match', 'toast-success'],
  ['differ', 'toast-warning'],
  ['cannot-compare', 'toast-warning'],
] as const)(
  'a conversion that ends with %s is told as %s, and the new model opens',
  async (verdict, toast) => {
    const fake = convertible();
    fake.overrides['framework/convert'] = ({ newName }) => ({
      model: newName,
      verdict,
      message: `It was compared: ${verdict}.`,
      outputs: [],
    });
    const { get, query } = await start(fake);
    await until(() => expect(isOff(get('convert-start'))).toBe(false));
    expect(valueOf(get('convert-name'))).toBe('simple_onnx');
    await click(get('convert-start'));
    await until(() => expect(query('convert-dialog')).toBeNull());
    await until(() => expect(get(toast).textContent).toContain(`It was compared: ${verdict}.`));
    expect(fake.argsOf('framework/convert')).toMatchObject([{ model: 'simple', newName: 'simple_onnx' }]);
    expect(activeTab()?.address.model).toBe('simple_onnx');
  },
);

test('what cannot be converted says why and is not tried', async () => {
  const fake = convertible('It is an ONNX model already.');
  const { get } = await start(fake);
  await until(() => expect(get('convert-dialog').textContent).toContain('It is an ONNX model already.'));
  await click(get('convert-start'));
  expect(fake.argsOf('framework/convert')).toEqual([]);
});

test('Cancel ends a conversion that runs, as its task, and that is no failure', async () => {
  const fake = convertible();
  const answer = Promise.withResolvers<never>();
  fake.overrides['framework/convert'] = () => answer.promise;
  const { get, query } = await start(fake);
  await until(() => expect(isOff(get('convert-start'))).toBe(false));
  await click(get('convert-start'));
  await until(() => expect(get('convert-start').getAttribute('aria-busy')).toBe('true'));
  await click(get('convert-cancel'));
  await until(() => expect(query('convert-dialog')).toBeNull());
  const [sent] = fake.argsOf('framework/convert');
  expect(fake.argsOf('observe/cancelTask')).toEqual([{ id: sent?.taskId }]);
  answer.reject(new ServerError('CANCELLED', 'cancelled: Converting simple'));
  await until(() => expect(query('convert-dialog')).toBeNull());
  expect(await allTold()).toEqual([]);
});

test('a conversion shows its steps as they come', async () => {
  const fake = convertible();
  const answer = Promise.withResolvers<never>();
  fake.overrides['framework/convert'] = () => answer.promise;
  const { get, query } = await start(fake);
  await until(() => expect(isOff(get('convert-start'))).toBe(false));
  expect(query('convert-steps')).toBeNull();
  await click(get('convert-start'));
  await until(() => expect(get('convert-step-starting').dataset['state']).toBe('running'));
  const id = fake.argsOf('framework/convert')[0]?.taskId ?? '';
  fake.publish('observe/task', conversionTask(id, 'Exporting to ONNX'));
  await until(() => expect(get('convert-step-exporting').dataset['state']).toBe('running'));
  expect(get('convert-step-running').dataset['state']).toBe('done');
  expect(get('convert-step-comparing').dataset['state']).toBe('waiting');
  answer.reject(new ServerError('CANCELLED', 'cancelled: Converting simple'));
  await until(() => expect(query('convert-steps')).toBeNull());
  expect(query('convert-failure')).toBeNull();
});

test("a conversion that fails says at which step and why, in the framework's words, and can be tried again", async () => {
  const fake = convertible();
  const answer = Promise.withResolvers<never>();
  fake.overrides['framework/convert'] = () => answer.promise;
  const { get, query } = await start(fake);
  await until(() => expect(isOff(get('convert-start'))).toBe(false));
  await click(get('convert-start'));
  await until(() => expect(fake.argsOf('framework/convert')).toHaveLength(1));
  const id = fake.argsOf('framework/convert')[0]?.taskId ?? '';
  fake.publish('observe/task', conversionTask(id, 'Exporting to ONNX'));
  const said = { details: { output: 'a warning\nerror: no form for aten::eig' } };
  answer.reject(new ServerError('UNAVAILABLE', 'no form for aten::eig', said));
  await until(() => expect(get('convert-failure').textContent).toContain('no form for aten::eig'));
  expect(get('convert-step-exporting').dataset['state']).toBe('failed');
  expect(get('convert-output').textContent).toContain('a warning');
  expect(await allTold()).toEqual([]);
  fake.overrides['framework/convert'] = () => new Promise(() => undefined);
  await click(get('convert-start'));
  await until(() => expect(fake.argsOf('framework/convert')).toHaveLength(2));
  expect(fake.argsOf('framework/convert')[1]?.taskId).not.toBe(id);
  expect(query('convert-failure')).toBeNull();
});

test('a conversion that failed is still shown after its dialog was closed, until it is tried again', async () => {
  const fake = convertible();
  const said = { details: { output: 'a warning\nerror: no form for aten::eig' } };
  fake.overrides['framework/convert'] = () =>
    Promise.reject(new ServerError('UNAVAILABLE', 'no form for aten::eig', said));
  const { get, query } = await start(fake);
  await until(() => expect(isOff(get('convert-start'))).toBe(false));
  await type(get('convert-name'), 'mine');
  await click(get('convert-start'));
  await until(() => get('convert-failure'));
  await press(get('convert-dialog'), 'Escape');
  await until(() => expect(query('convert-dialog')).toBeNull());
  showDialog({ kind: 'convert', model: 'simple' });
  await until(() => expect(get('convert-output').textContent).toContain('a warning'));
  expect(valueOf(get('convert-name'))).toBe('mine');
  expect(get('convert-start').textContent).toBe('Try again');
  await press(get('convert-dialog'), 'Escape');
  await until(() => expect(query('convert-dialog')).toBeNull());
  // It was of that model alone.
  showDialog({ kind: 'convert', model: 'text_bytes' });
  await until(() => get('convert-dialog'));
  expect(query('convert-failure')).toBeNull();
});

test('a conversion goes on when its dialog is closed, and its failure is told with a way to what was said', async () => {
  const fake = convertible();
  const answer = Promise.withResolvers<never>();
  fake.overrides['framework/convert'] = () => answer.promise;
  const { get, query } = await start(fake);
  await until(() => expect(isOff(get('convert-start'))).toBe(false));
  await click(get('convert-start'));
  await until(() => expect(fake.argsOf('framework/convert')).toHaveLength(1));
  await press(get('convert-dialog'), 'Escape');
  await until(() => expect(query('convert-dialog')).toBeNull());
  expect(fake.argsOf('observe/cancelTask')).toEqual([]);
  answer.reject(new ServerError('UNAVAILABLE', 'no form', { details: { output: 'a warning' } }));
  const toast = await until(() => get('toast-error'));
  expect(toast.textContent).toContain('simple was not converted to ONNX: no form');
  const show = [...toast.querySelectorAll('button')].find(({ textContent }) => textContent === 'Show');
  await click(show as HTMLElement);
  await until(() => expect(get('convert-output').textContent).toContain('a warning'));
});

function conversionTask(id: string, detail: string): TaskView {
  const title = 'Convert simple to ONNX';
  return { id, title, state: 'running', progress: 0.5, detail, startedAtMs: 0, losesWork: true };
}
