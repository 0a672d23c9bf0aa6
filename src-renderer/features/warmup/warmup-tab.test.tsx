import { afterEach, beforeEach, expect, test } from 'vitest';

import type { CallResult } from '../../../src-shared/contract/contract.ts';
import { parseWarmup } from '../../../src-shared/config/warmup-text.ts';
import { modelAddress } from '../../lib/address.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import type { Rendered } from '../../testing/render.tsx';
import {
  accessibilityFaults,
  click,
  renderView,
  renderWithHosts,
  type,
  until,
} from '../../testing/render.tsx';
import { forgetTold } from '../../testing/told.ts';
import { dimsOf, draftIssue, draftOf, freeName, textOf } from './warmup-draft.ts';
import { clearWarmups } from './warmup-store.ts';
import { WarmupTab } from './warmup-tab.tsx';

const SAMPLE = [
  'model_warmup {',
  '  name: "batch_8"',
  '  batch_size: 8',
  '  inputs {',
  '    key: "INPUT0"',
  '    value {',
  '      data_type: TYPE_FP32',
  '      dims: [16]',
  '      random_data: true',
  '    }',
  '  }',
  '  count: 1',
  '}',
].join('\n');

const GOOD: CallResult<'warmup/run'> = {
  instances: [
    { name: 'batch_mlp_0_0', latenciesMs: [40, 9, 9], error: undefined },
    { name: 'batch_mlp_0_1', latenciesMs: [42, 8, 9], error: undefined },
  ],
  faultyInput: undefined,
  sentence: 'First 42.0 ms, steady 9.0 ms after 1 run: set count: 3.',
  suggestedCount: 3,
  outputs: [],
  inputs: [],
};

let page: Rendered | undefined;

beforeEach(clearWarmups);
afterEach(async () => {
  await forgetTold();
  await page?.close();
});

async function start(answer: CallResult<'warmup/run'> = GOOD): Promise<Rendered> {
  const fake = new FakeEngine();
  fake.overrides['warmup/samples'] = () => [
    { name: 'batch_8', isSuggested: true, batchSize: 8, count: 1, configText: SAMPLE },
  ];
  fake.overrides['warmup/run'] = () => answer;
  fake.overrides['warmup/insert'] = ({ text, sampleText }) => ({ text: `${text}${sampleText}` });
  page = await renderView(
    <WarmupTab model="batch_mlp" version="" address={modelAddress('batch_mlp', 'warmup')} />,
    fake,
  );
  await until(() => page?.get('warmup-sample-batch_8'));
  return page;
}

test('a run draws one line per instance and says which count is enough', async () => {
  const { get, query, fake } = await start();
  await click(get('warmup-run-batch_8'));
  await until(() => expect(get('warmup-sentence').textContent).toBe(GOOD.sentence));
  expect(get('warmup-chart').textContent).toContain('batch_mlp_0_1');
  expect(get('warmup-sample-batch_8').dataset['state']).toBe('ok');
  expect(query('warmup-failure')).toBeNull();
  await click(get('warmup-use-count'));
  await click(get('warmup-insert-batch_8'));
  await until(() => expect(fake.argsOf('config/write')).toHaveLength(1));
  const [written] = fake.argsOf('warmup/insert');
  expect(parseWarmup(written?.sampleText ?? '').count).toBe(3);
});

test('a failed run marks the row and the input at fault', async () => {
  const error = "failed to run warmup sample 'batch_8': unexpected shape for input 'INPUT0'";
  const { get } = await start({
    instances: [{ name: 'batch_mlp_0_0', latenciesMs: [], error }],
    faultyInput: 'INPUT0',
    sentence: '',
    suggestedCount: 0,
    outputs: [],
    inputs: [],
  });
  await click(get('warmup-run-batch_8'));
  await until(() => expect(get('warmup-sample-batch_8').dataset['state']).toBe('failed'));
  expect(get('warmup-failure').textContent).toContain('because of input INPUT0');
  expect(get('warmup-failure').textContent).toContain(error);
  await click(get('warmup-edit-batch_8'));
  expect(get('warmup-input-INPUT0').dataset['state']).toBe('faulty');
});

test('an edited sample is what runs and what is inserted', async () => {
  const { get, fake } = await start();
  await click(get('warmup-edit-batch_8'));
  await type(get('warmup-input-INPUT0').querySelector('input') as HTMLElement, '4, 4');
  await click(get('warmup-run-batch_8'));
  await until(() => expect(fake.argsOf('warmup/run')).toHaveLength(1));
  const sent = parseWarmup(fake.argsOf('warmup/run')[0]?.configText ?? '');
  expect(sent.inputs['INPUT0']?.dims).toEqual([4, 4]);
  await type(get('warmup-input-INPUT0').querySelector('input') as HTMLElement, '4, -1');
  await until(() => expect(get('warmup-input-INPUT0').dataset['state']).toBe('issue'));
  expect(get('warmup-run-batch_8').getAttribute('aria-disabled')).toBe('true');
});

test('a new sample starts from the first one under a free name', async () => {
  const { get, fake } = await start();
  await click(get('warmup-add'));
  await until(() => get('warmup-editor-sample_1'));
  await click(get('warmup-insert-sample_1'));
  await until(() => expect(fake.argsOf('warmup/insert')).toHaveLength(1));
  expect(parseWarmup(fake.argsOf('warmup/insert')[0]?.sampleText ?? '')).toMatchObject({
    name: 'sample_1',
    batchSize: 8,
  });
});

test('a sample of the file is removed from it, and nothing else is', async () => {
  const fake = new FakeEngine();
  const text = `name: "batch_mlp" # ours\n${SAMPLE}\nmodel_warmup { name: "other" batch_size: 1 }\n`;
  fake.overrides['config/read'] = () => ({
    exists: true,
    text,
    hash: 'h',
    path: '/m/config.pbtxt',
    readOnlyReason: undefined,
    refusal: undefined,
  });
  fake.overrides['warmup/samples'] = () => [
    { name: 'batch_8', isSuggested: false, batchSize: 8, count: 1, configText: SAMPLE },
  ];
  page = await renderView(
    <WarmupTab model="batch_mlp" version="" address={modelAddress('batch_mlp', 'warmup')} />,
    fake,
  );
  await until(() => page?.get('warmup-remove-batch_8'));
  await click(page.get('warmup-remove-batch_8'));
  await until(() => expect(fake.argsOf('config/write')).toHaveLength(1));
  const [written] = fake.argsOf('config/write');
  expect(written).toMatchObject({ expectedHash: 'h' });
  expect(written?.text).not.toContain('batch_8');
  expect(written?.text).toContain('name: "batch_mlp" # ours\n');
  expect(written?.text).toContain('name: "other"');
});

test('the runner can be used without seeing it', async () => {
  const { get } = await start();
  await click(get('warmup-edit-batch_8'));
  await click(get('warmup-run-batch_8'));
  await until(() => get('warmup-sentence'));
  expect(await accessibilityFaults()).toEqual([]);
});

test('a draft goes to text and back', () => {
  const draft = draftOf(SAMPLE);
  expect(draftOf(textOf(draft))).toEqual(draft);
  const file = {
    ...draft,
    inputs: draft.inputs.map((input) => ({ ...input, fill: 'file' as const, file: 'x' })),
  };
  expect(parseWarmup(textOf(file)).inputs['INPUT0']?.inputDataFile).toBe('x');
  expect(draftIssue({ ...file, inputs: file.inputs.map((input) => ({ ...input, file: '' })) })).toBe(
    'INPUT0: Choose a data file.',
  );
});

test.each([
  ['', []],
  ['3, 224 224', [3, 224, 224]],
  ['3x4', [3, 4]],
  ['0', undefined],
  ['-1', undefined],
])('dimensions typed as "%s"', (text, dims) => {
  expect(dimsOf(text)).toEqual(dims);
});

test('names are free', () => {
  expect(freeName(['sample_1', 'x'])).toBe('sample_2');
});

test('a sample that was added and dropped comes back with Undo', async () => {
  const fake = new FakeEngine();
  fake.overrides['warmup/samples'] = () => [
    { name: 'batch_8', isSuggested: true, batchSize: 8, count: 1, configText: SAMPLE },
  ];
  page = await renderWithHosts(
    <WarmupTab model="batch_mlp" version="" address={modelAddress('batch_mlp', 'warmup')} />,
    fake,
  );
  const dropButtons = (): NodeListOf<HTMLElement> =>
    document.querySelectorAll('[data-testid^="warmup-drop-"]');
  await until(() => page?.get('warmup-sample-batch_8'));
  await click(page.get('warmup-add'));
  const [drop] = await until(() => {
    expect(dropButtons()).toHaveLength(1);
    return dropButtons();
  });
  await click(drop as HTMLElement);
  await until(() => expect(dropButtons()).toHaveLength(0));
  const undo = await until(() => {
    const found = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Undo');
    if (found === undefined) throw new Error('there is no Undo');
    return found;
  });
  await click(undo);
  await until(() => expect(dropButtons()).toHaveLength(1));
});
