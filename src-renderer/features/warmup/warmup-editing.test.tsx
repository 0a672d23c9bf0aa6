// A warm-up sample is changed by hand: its numbers, how its inputs are filled, and where their data come from.

import { toast } from 'sonner';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { internal } from '../../../src-shared/errors.ts';
import { allByRole, byRole } from '../../testing/by-role.ts';
import type { Rendered } from '../../testing/render.tsx';
import { accessibilityFaults, choose, click, press, type, until } from '../../testing/render.tsx';
import {
  fakeInput,
  fakeWarmup,
  insertedSamples,
  listed,
  ranSamples,
  rowOf,
  showWarmup,
  warmupEngine,
} from '../../testing/warmup-page.tsx';
import { clearWarmups } from './warmup-store.ts';

let page: Rendered | undefined;
beforeEach(clearWarmups);
afterEach(async () => {
  toast.dismiss();
  await page?.close();
});

const isOff = (button: HTMLElement): boolean => button.getAttribute('aria-disabled') === 'true';

async function open(sample = fakeWarmup('one'), fake = warmupEngine(listed(sample, true))) {
  page = await showWarmup(fake);
  await click(await until(() => byRole('button', `Edit ${sample.name}`)));
  await until(() => byRole('textbox', 'Batch size'));
  return fake;
}

/** Chooses a file in the picker that the button opens. */
async function pick(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const input = page?.get('warmup-add-file') as HTMLInputElement;
  Object.defineProperty(input, 'files', { configurable: true, value: [new File([bytes], name)] });
  Object.defineProperty(input, 'value', { configurable: true, writable: true, value: '' });
  input.dispatchEvent(new Event('change', { bubbles: true }));
}

test('an editor opens and closes with the arrow in front of its sample', async () => {
  await open();
  expect(byRole('button', 'Close one').getAttribute('aria-expanded')).toBe('true');
  expect(rowOf('one').textContent).toContain('random_data: true');
  await click(byRole('button', 'Close one'));
  await until(() => expect(byRole('button', 'Edit one').getAttribute('aria-expanded')).toBe('false'));
  expect(allByRole('textbox')).toEqual([]);
});

test('name, batch size and count are what is run and shown as text', async () => {
  const fake = await open();
  await type(byRole('textbox', 'Name'), 'night');
  await type(byRole('textbox', 'Batch size'), '4');
  await press(byRole('textbox', 'Batch size'), 'Enter');
  await type(byRole('textbox', 'Count'), '5');
  await press(byRole('textbox', 'Count'), 'Enter');
  await until(() => expect(rowOf('night').textContent).toContain('batch 4, 5 times'));
  expect(rowOf('night').textContent).toContain('name: "night"');
  await click(byRole('button', 'Run now'));
  await until(() => expect(ranSamples(fake)).toMatchObject([{ name: 'night', batchSize: 4, count: 5 }]));
});

test('a batch is as large as the model allows, and one at least', async () => {
  await open();
  const [more] = allByRole('button', 'Increase');
  expect((byRole('textbox', 'Batch size') as HTMLInputElement).value).toBe('8');
  expect(more).toHaveProperty('disabled', true);
  await type(byRole('textbox', 'Batch size'), '');
  await until(() => expect(rowOf('one').textContent).toContain('batch 1, 1 time'));
});

test('a sample without a name can neither run nor go into the file', async () => {
  await open();
  await type(byRole('textbox', 'Name'), ' ');
  await until(() => expect(isOff(byRole('button', 'Run now'))).toBe(true));
  expect(isOff(byRole('button', 'Insert in config'))).toBe(true);
});

test('a sample of the file keeps its name: by it the entry is found again', async () => {
  const sample = fakeWarmup('one');
  await open(sample, warmupEngine(listed(sample, false)));
  expect(allByRole('textbox', 'Name')).toEqual([]);
  expect(allByRole('button', 'Update in config')).toEqual([]);
});

test('a changed sample of the file can be put back, or the file brought up to date', async () => {
  const sample = fakeWarmup('one');
  const fake = await open(sample, warmupEngine(listed(sample, false)));
  await type(byRole('textbox', /^Dimensions of X/), '2, 2');
  await click(await until(() => byRole('button', 'Back to what it was')));
  await until(() => expect((byRole('textbox', /^Dimensions of X/) as HTMLInputElement).value).toBe('4'));
  expect(allByRole('button', 'Update in config')).toEqual([]);
  await type(byRole('textbox', /^Dimensions of X/), '2, 2');
  await click(await until(() => byRole('button', 'Update in config')));
  await until(() => expect(insertedSamples(fake)).toMatchObject([{ inputs: { X: { dims: [2, 2] } } }]));
  expect(fake.argsOf('warmup/samples').length).toBeGreaterThan(1);
});

test('dimensions that cannot be are told beside their input, and as the reason why nothing runs', async () => {
  await open(fakeWarmup('one', { inputs: { X: fakeInput(), Y: fakeInput() } }));
  await type(byRole('textbox', /^Dimensions of Y/), '3, 0');
  const alert = await until(() => byRole('alert'));
  expect(alert.textContent).toContain('whole numbers above 0');
  expect(alert.closest('li')?.dataset['testid']).toBe('warmup-input-Y');
  expect(isOff(byRole('button', 'Run now'))).toBe(true);
  await type(byRole('textbox', /^Dimensions of Y/), '3 × 1');
  await until(() => expect(allByRole('alert')).toEqual([]));
  expect(isOff(byRole('button', 'Run now'))).toBe(false);
});

test('an input is filled as chosen, and nobody can ask for random words', async () => {
  const fake = await open(
    fakeWarmup('one', {
      inputs: {
        X: fakeInput(),
        WORDS: fakeInput({ dataType: 'TYPE_STRING', zeroData: true, randomData: undefined }),
      },
    }),
  );
  await choose(byRole('combobox', 'How X is filled'), 'Zero');
  await until(() => expect(byRole('combobox', 'How X is filled').textContent).toContain('Zero'));
  await click(byRole('combobox', 'How WORDS is filled'));
  await until(() =>
    expect(allByRole('option').map(({ textContent }) => textContent)).toEqual(['Zero', 'File']),
  );
  await press(document.activeElement ?? document.body, 'Escape');
  await until(() => expect(allByRole('option')).toEqual([]));
  await click(byRole('button', 'Run now'));
  await until(() => expect(ranSamples(fake)[0]?.inputs['X']).toMatchObject({ zeroData: true }));
});

test('data come from a file of the warmup folder, the first one unless another is chosen', async () => {
  const sample = fakeWarmup('one');
  const fake = warmupEngine(listed(sample, true));
  fake.overrides['repository/files'] = () =>
    ['config.pbtxt', 'warmup/a.bin', 'warmup/b.bin'].map((path) => ({ path, byteSize: 16, modifiedAtMs: 0 }));
  await open(sample, fake);
  await choose(byRole('combobox', 'How X is filled'), 'File');
  await until(() => expect(byRole('combobox', 'Data file of X').textContent).toContain('a.bin'));
  await choose(byRole('combobox', 'Data file of X'), 'b.bin');
  await click(byRole('button', 'Run now'));
  await until(() => expect(ranSamples(fake)[0]?.inputs['X']).toMatchObject({ inputDataFile: 'b.bin' }));
  expect(await accessibilityFaults()).toEqual([]);
});

test('a file that the configuration names stays a choice while it is missing', async () => {
  const sample = fakeWarmup('one', {
    inputs: { X: fakeInput({ randomData: undefined, inputDataFile: 'lost.bin' }) },
  });
  await open(sample, warmupEngine(listed(sample, false)));
  expect(byRole('combobox', 'Data file of X').textContent).toContain('lost.bin');
});

test('a file is added to the folder of the model and is the data from then on', async () => {
  const fake = await open();
  await choose(byRole('combobox', 'How X is filled'), 'File');
  await until(() => expect(byRole('alert').textContent).toBe('Choose a data file.'));
  expect(rowOf('one').textContent).toContain('no file in warmup/ yet');
  byRole('button', /^Add a raw data file/);
  const asked = fake.argsOf('repository/files').length;
  await pick('seen.bin', new Uint8Array(16));
  await until(() => expect(byRole('combobox', 'Data file of X').textContent).toContain('seen.bin'));
  expect(fake.argsOf('warmup/writeFile')).toEqual([{ model: 'batch_mlp', name: 'seen.bin', blob: 'b1' }]);
  await until(() => expect(fake.argsOf('blob/release')).toEqual([{ blob: 'b1' }]));
  await until(() => expect(fake.argsOf('repository/files').length).toBeGreaterThan(asked));
  expect(allByRole('alert')).toEqual([]);
});

test('what was changed while a file was on its way stays changed', async () => {
  const sample = fakeWarmup('one');
  const fake = warmupEngine(listed(sample, true));
  const arrival = Promise.withResolvers<undefined>();
  fake.overrides['warmup/writeFile'] = () => arrival.promise;
  await open(sample, fake);
  await choose(byRole('combobox', 'How X is filled'), 'File');
  await until(() => byRole('button', /^Add a raw data file/));
  await pick('slow.bin', new Uint8Array(16));
  await until(() => expect(fake.argsOf('warmup/writeFile')).toHaveLength(1));
  await type(byRole('textbox', /^Dimensions of X/), '2, 2');
  arrival.resolve(undefined);
  await until(() => expect(byRole('combobox', 'Data file of X').textContent).toContain('slow.bin'));
  expect((byRole('textbox', /^Dimensions of X/) as HTMLInputElement).value).toBe('2, 2');
});

test('a file that is there already is told, and its bytes are not kept', async () => {
  const sample = fakeWarmup('one');
  const fake = warmupEngine(listed(sample, true));
  fake.overrides['warmup/writeFile'] = () => {
    throw internal("'seen.bin' is in the folder already");
  };
  await open(sample, fake);
  await choose(byRole('combobox', 'How X is filled'), 'File');
  await until(() => byRole('button', /^Add a raw data file/));
  await pick('seen.bin', new Uint8Array(16));
  await until(() => expect(page?.get('toast-error').textContent).toContain('in the folder already'));
  await until(() => expect(fake.argsOf('blob/release')).toHaveLength(1));
  expect(allByRole('combobox', 'Data file of X')).toEqual([]);
});
