// Warm-up samples are run on the loaded instances and put into the file or taken out of it, one after the other.

import { toast } from 'sonner';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { CallResult } from '../../../src-shared/contract/contract.ts';
import { internal } from '../../../src-shared/errors.ts';
import { disabledReason, runCommand } from '../../lib/command-registry.ts';
import { allByRole, byRole } from '../../testing/by-role.ts';
import type { FakeEngine } from '../../testing/fake-engine.ts';
import type { Rendered } from '../../testing/render.tsx';
import { click, type, until } from '../../testing/render.tsx';
import {
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

const ONE = listed(fakeWarmup('one'), true);
const TWO = listed(fakeWarmup('two', { batchSize: 2 }), false);

function ran(changes: Partial<CallResult<'warmup/run'>> = {}): CallResult<'warmup/run'> {
  return {
    instances: [{ name: 'batch_mlp_0_0', latenciesMs: [40, 9], error: undefined }],
    ...{ faultyInput: undefined, sentence: 'One run is enough.', suggestedCount: 1, outputs: [], inputs: [] },
    ...changes,
  };
}

async function start(fake: FakeEngine): Promise<FakeEngine> {
  page = await showWarmup(fake);
  return fake;
}

const button = (row: string, label: string): HTMLElement => byRole('button', label, rowOf(row));

test('suggested samples and those of the file are told apart, and can be edited as they are', async () => {
  await start(warmupEngine(ONE, TWO));
  await until(() => expect(rowOf('one').textContent).toContain('suggested'));
  expect(rowOf('two').textContent).toContain('in the file');
  expect(rowOf('two').textContent).toContain('batch 2, 1 time');
  button('one', 'Insert in config');
  button('two', 'Remove two from the config');
  expect(allByRole('button', 'Insert in config', rowOf('two'))).toEqual([]);
});

test('a model for which nothing can be suggested says so, and offers no new sample', async () => {
  await start(warmupEngine());
  await until(() => expect(document.body.textContent).toContain('Nothing to suggest for this model.'));
  expect(byRole('button', 'New sample').getAttribute('aria-disabled')).toBe('true');
  expect(disabledReason('warmup.run')).toContain('Nothing to suggest');
});

test('samples that cannot be told say why', async () => {
  const fake = warmupEngine();
  fake.overrides['warmup/samples'] = () => {
    throw internal('config.pbtxt cannot be read');
  };
  await start(fake);
  await until(() => expect(document.body.textContent).toContain('config.pbtxt cannot be read'));
});

test('without instances nothing runs, by button or by command', async () => {
  const fake = warmupEngine(ONE);
  fake.change('batch_mlp', { servedVersions: [], state: 'unloaded' });
  await start(fake);
  const run = await until(() => button('one', 'Run now'));
  await until(() => expect(run.getAttribute('aria-disabled')).toBe('true'));
  await click(run);
  expect(disabledReason('screen.main')).toContain('Load the model');
  expect(runCommand('warmup.run')).toBe(false);
  expect(fake.argsOf('warmup/run')).toEqual([]);
});

test('the command runs the first sample that can run', async () => {
  const fake = warmupEngine(ONE, TWO);
  fake.overrides['warmup/run'] = () => ran();
  await start(fake);
  await click(await until(() => button('one', 'Edit one')));
  await type(byRole('textbox', 'Name', rowOf('one')), '');
  await until(() => expect(allByRole('button', 'Run now')[0]?.getAttribute('aria-disabled')).toBe('true'));
  expect(runCommand('warmup.run')).toBe(true);
  await until(() => expect(ranSamples(fake)).toMatchObject([{ name: 'two' }]));
});

test('a run can be cancelled, which is no failure', async () => {
  const fake = warmupEngine(ONE);
  let isAborted = false;
  fake.overrides['warmup/run'] = (_args, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        isAborted = true;
        reject(signal.reason as Error);
      });
    });
  await start(fake);
  await click(await until(() => button('one', 'Run now')));
  await click(await until(() => button('one', 'Cancel')));
  await until(() => button('one', 'Run now'));
  await until(() => expect(isAborted).toBe(true));
  expect(rowOf('one').dataset['state']).toBe('idle');
  expect(page?.query('toast-error')).toBeNull();
});

test('a run that could not be made is told, and leaves no result', async () => {
  const fake = warmupEngine(ONE);
  fake.overrides['warmup/run'] = () => {
    throw internal('the instance is gone');
  };
  await start(fake);
  await click(await until(() => button('one', 'Run now')));
  await until(() => expect(page?.get('toast-error').textContent).toContain('the instance is gone'));
  expect(rowOf('one').dataset['state']).toBe('idle');
});

test('a failure without an input at fault names the instance alone', async () => {
  const fake = warmupEngine(ONE);
  const failed = { name: 'batch_mlp_0_1', latenciesMs: [], error: 'out of memory' };
  fake.overrides['warmup/run'] = () => ran({ instances: [...ran().instances, failed], sentence: '' });
  await start(fake);
  await click(await until(() => button('one', 'Run now')));
  const told = await until(() => page?.get('warmup-failure').textContent ?? '');
  expect(told).toContain('batch_mlp_0_1');
  expect(told).toContain('out of memory');
  expect(told).not.toContain('because of input');
  expect(rowOf('one').textContent).toContain('a load would fail');
});

test('only the sample that ran last has its curve; the sentences of all stay', async () => {
  const fake = warmupEngine(ONE, TWO);
  fake.overrides['warmup/run'] = ({ configText }) =>
    ran({ sentence: configText.includes('"one"') ? 'One is warm.' : 'Two is warm.' });
  await start(fake);
  await click(await until(() => button('one', 'Run now')));
  await until(() => expect(rowOf('one').textContent).toContain('Latency of each iteration'));
  await click(button('two', 'Run now'));
  await until(() => expect(rowOf('two').textContent).toContain('Latency of each iteration'));
  expect(rowOf('one').textContent).not.toContain('Latency of each iteration');
  expect(rowOf('one').textContent).toContain('One is warm.');
  expect(rowOf('two').textContent).toContain('Two is warm.');
});

test('what the model answered can be looked at', async () => {
  const fake = warmupEngine(ONE);
  const output = { name: 'OUTPUT0', datatype: 'FP32', shape: [1, 2], byteSize: 8, preview: ['1', '2'] };
  fake.overrides['warmup/run'] = () =>
    ran({ outputs: [{ ...output, blob: '', stats: undefined, classes: [] }] });
  await start(fake);
  await click(await until(() => button('one', 'Run now')));
  const open = await until(() => byRole('button', /answer/i, rowOf('one')));
  expect(rowOf('one').textContent).not.toContain('OUTPUT0');
  await click(open);
  await until(() => expect(rowOf('one').textContent).toContain('OUTPUT0'));
});

test('what was found is drawn over the picture that the sample has in a file', async () => {
  // There is no canvas here, and no address of what it would have drawn.
  const toBlob = vi
    .spyOn(HTMLCanvasElement.prototype, 'toBlob')
    .mockImplementation((callback) => callback(new Blob(['picture'])));
  const address = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:picture');
  const fake = warmupEngine(ONE);
  const tensor = { datatype: 'FP32', preview: [], stats: undefined, classes: [] };
  const body = Float32Array.from({ length: 51 }, (_, at) => [0.25, 0.5, 0.9][at % 3] ?? 0);
  const blobs = { seen: Buffer.alloc(3 * 32 * 32 * 4), found: Buffer.from(body.buffer) };
  fake.overrides['blob/read'] = ({ blob, offset, byteSize }) => {
    const bytes = blob === 'seen' ? blobs.seen : blobs.found;
    return {
      base64: bytes.subarray(offset, offset + byteSize).toString('base64'),
      totalByteSize: bytes.byteLength,
    };
  };
  fake.overrides['warmup/run'] = () =>
    ran({
      inputs: [{ ...tensor, name: 'image', shape: [1, 3, 32, 32], byteSize: 12_288, blob: 'seen' }],
      outputs: [{ ...tensor, name: 'keypoints', shape: [1, 17, 3], byteSize: 204, blob: 'found' }],
    });
  await start(fake);
  await click(await until(() => button('one', 'Run now')));
  await click(await until(() => byRole('button', /answer/i, rowOf('one'))));
  await until(() => expect(rowOf('one').querySelectorAll('[data-testid="tensor-joint"]')).toHaveLength(17));
  toBlob.mockRestore();
  address.mockRestore();
});

test('an insert is taken back with Undo, if the file is still what was written', async () => {
  const fake = await start(warmupEngine(ONE));
  const text = 'name: "batch_mlp"\n';
  fake.overrides['config/read'] = () => ({
    ...{ exists: true, text, hash: 'before', path: '/m', readOnlyReason: undefined, refusal: undefined },
  });
  fake.overrides['config/write'] = ({ text: written }) => ({
    ...{
      exists: true,
      text: written,
      hash: 'after',
      path: '/m',
      readOnlyReason: undefined,
      refusal: undefined,
    },
  });
  await click(await until(() => button('one', 'Insert in config')));
  await click(await until(() => byRole('button', 'Undo')));
  await until(() => expect(fake.argsOf('config/write')).toHaveLength(2));
  expect(fake.argsOf('config/write')).toMatchObject([
    { expectedHash: 'before' },
    { text, expectedHash: 'after' },
  ]);
});

test('an Undo that the file refuses is told', async () => {
  const fake = await start(warmupEngine(ONE));
  await click(await until(() => button('one', 'Insert in config')));
  const undo = await until(() => byRole('button', 'Undo'));
  fake.overrides['config/write'] = () => {
    throw internal('config.pbtxt changed on disk');
  };
  await click(undo);
  await until(() => expect(page?.get('toast-error').textContent).toContain('changed on disk'));
});

test('a sample that is no longer in the file cannot be removed from it', async () => {
  const fake = await start(warmupEngine(TWO));
  await click(await until(() => button('two', 'Remove two from the config')));
  await until(() => expect(page?.get('toast-error').textContent).toContain("no warmup sample 'two'"));
  expect(fake.argsOf('config/write')).toEqual([]);
});

test('an added sample that was renamed stays beside the next one', async () => {
  const fake = await start(warmupEngine(ONE));
  await click(byRole('button', 'New sample'));
  await until(() => rowOf('sample_1'));
  await type(byRole('textbox', 'Name'), 'mine');
  await until(() => rowOf('mine'));
  await click(byRole('button', 'New sample'));
  await until(() => rowOf('sample_1'));
  expect(rowOf('mine').textContent).toContain('not in the file yet');
  await click(button('mine', 'Insert in config'));
  await until(() => expect(insertedSamples(fake)).toMatchObject([{ name: 'mine' }]));
  await until(() => expect(allByRole('button', 'Close mine')).toEqual([]));
  rowOf('sample_1');
});
