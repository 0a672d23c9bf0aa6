// What a model costs, on its card and in the list: memory of the process, and of the GPUs that it is on.

import { afterEach, expect, test } from 'vitest';

import type { GpuMemoryShare } from '../../../src-shared/contract/gpu-memory.ts';
import type { ModelView } from '../../../src-shared/contract/model-view.ts';
import { modelAddress } from '../../lib/address.ts';
import { areas } from '../../lib/areas.ts';
import type { ModelTabDefinition } from '../../lib/feature.ts';
import { packPoint, unpackPoint } from '../../../src-shared/contract/series-pack.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { fakeSeriesAnswer } from '../../testing/fake-views.ts';
import { VERSION_STATISTICS } from '../../testing/fake-model-handlers.ts';
import { fakeModel, fakeSnapshot } from '../../testing/fake-models.ts';
import type { Rendered } from '../../testing/render.tsx';
import { click, renderWithHosts, until } from '../../testing/render.tsx';
import { ModelCard } from './components/model-card.tsx';
import { VersionsTab } from './versions/versions-tab.tsx';

const MIB = 1024 * 1024;
const MEASURED: GpuMemoryShare = {
  device: 0,
  bytes: 512 * MIB,
  unknown: undefined,
  way: 'process',
  tool: 'nvidia-smi',
  isFirst: true,
};
const OVERLAPPED: GpuMemoryShare = {
  device: 1,
  bytes: undefined,
  unknown: 'overlap',
  way: undefined,
  tool: undefined,
  isFirst: false,
};

let page: Rendered | undefined;
afterEach(() => page?.close());

/** Versions "1", "2", … with these shares. */
function versions(
  ...shares: readonly (readonly GpuMemoryShare[])[]
): Pick<ModelView, 'gpuMemory' | 'versions'> {
  const [like] = fakeModel('m').versions;
  if (like === undefined) throw new Error('there is no version');
  return {
    gpuMemory: shares.at(-1) ?? [],
    versions: shares.map((gpuMemory, at) => ({ ...like, version: String(at + 1), gpuMemory })),
  };
}

async function cost(gpuMemory: readonly GpuMemoryShare[]): Promise<readonly string[]> {
  const model = fakeModel('m', { ...versions(gpuMemory), device: gpuMemory.length > 0 ? 'GPU 0' : 'CPU' });
  page = await renderWithHosts(<ModelCard model={model} version="1" io={undefined} />, new FakeEngine());
  const list = await until(() => (page as Rendered).get('model-cost'));
  return [...list.querySelectorAll('li')].map(({ textContent }) => textContent);
}

test('the memory of a GPU stands beside that of the process, with how it was measured', async () => {
  const lines = await cost([MEASURED, OVERLAPPED]);
  expect(lines[1]).toMatch(/^GPU 0: 512 MiB: what the server had of it after the load.*\(nvidia-smi\)/);
  expect(lines[2]).toMatch(/^GPU 1: memory not known: something else was loaded.* Reload the model alone/);
});

test('what was not measured can be, by a reload', async () => {
  const fake = new FakeEngine();
  const unmeasured = { timings: undefined, memoryBytes: undefined };
  fake.snapshot = fakeSnapshot([fakeModel('m', unmeasured)]);
  fake.overrides['repository/reload'] = ({ model }) => ({ model: fake.change(model, { loadedAtMs: 9 }) });
  page = await renderWithHosts(
    <ModelCard model={fakeModel('m', unmeasured)} version="1" io={undefined} />,
    fake,
  );
  await click(await until(() => (page as Rendered).get('model-measure')));
  await until(() => expect(fake.argsOf('repository/reload')).toEqual([{ model: 'm', force: true }]));
});

test('a model on no GPU has no such line', async () => {
  expect((await cost([])).filter((line) => line.includes('GPU'))).toEqual([]);
});

test('each version has a number of its own', async () => {
  const fake = new FakeEngine();
  fake.snapshot = fakeSnapshot([fakeModel('m', versions([MEASURED], [{ ...OVERLAPPED, device: 0 }]))]);
  page = await renderWithHosts(<VersionsTab model="m" version="" address={modelAddress('m')} />, fake);
  const titles = (): readonly string[] =>
    [...document.querySelectorAll('[title^="GPU 0"]')].map(
      (cell) => `${cell.textContent} ${cell.getAttribute('title') ?? ''}`,
    );
  await until(() => expect(titles()).toHaveLength(2));
  expect(titles()[0]).toMatch(/^512 MiB GPU 0: 512 MiB: what the server had/);
  expect(titles()[1]).toMatch(/^– GPU 0: memory not known: something else was loaded/);
});

test('what runs in processes of its own costs what they take, not what the server did not grow by', async () => {
  const fake = new FakeEngine();
  const host = { pid: 12, memoryBytes: 233 * MIB, restartCount: 0 };
  const instance = { name: 'm_0_0', device: 'CPU', executionCount: 0, busy: 0, host };
  fake.overrides['observe/statistics'] = () => [{ ...VERSION_STATISTICS, instances: [instance] }];
  const model = fakeModel('m', { format: 'source', memoryBytes: undefined, timings: undefined });
  page = await renderWithHosts(<ModelCard model={model} version="1" io={undefined} />, fake);
  const list = await until(() => (page as Rendered).get('model-cost'));
  await until(() => expect(list.textContent).toContain('233 MiB in processes of its own'));
  expect(list.textContent).not.toContain('not measured');
});

test('a model whose batches stayed at one row while requests came together leads to the batch doctor', async () => {
  const before = areas.getState();
  areas.setState({ modelTabs: [{ id: 'statistics' } as unknown as ModelTabDefinition] });
  const fake = new FakeEngine();
  const shown = async (inferences: number): Promise<string | undefined> => {
    const { rows, ...answer } = fakeSeriesAnswer(Date.now(), 0);
    const counts = { successes: 40, executions: 40, inferences, inFlight: 6 };
    const points = rows.map((row) => packPoint({ ...unpackPoint(row), ...counts }));
    fake.overrides['observe/series'] = () => ({ ...answer, rows: points });
    const model = fakeModel('m', { maxBatchSize: 16 });
    page = await renderWithHosts(<ModelCard model={model} version="1" io={undefined} />, fake);
    await until(() => (page as Rendered).get('model-health'));
    const text = page.query('ask-doctor') === null ? undefined : page.get('model-alone').textContent;
    await page.close();
    return text;
  };
  try {
    expect(await shown(40)).toContain('although up to 6 requests were under way at a time');
    expect(await shown(160)).toBeUndefined();
  } finally {
    areas.setState(before, true);
  }
});

test('only what has a graph can be looked into', async () => {
  const before = areas.getState();
  areas.setState({ modelTabs: [{ id: 'graph' } as unknown as ModelTabDefinition] });
  const shown = async (changes: Partial<ModelView>): Promise<boolean> => {
    page = await renderWithHosts(
      <ModelCard model={fakeModel('m', changes)} version="1" io={undefined} />,
      new FakeEngine(),
    );
    const has = page.get('model-card').textContent.includes('Look inside');
    await page.close();
    return has;
  };
  try {
    expect(await shown({ format: 'onnx' })).toBe(true);
    expect(await shown({ format: 'source' })).toBe(false);
    expect(await shown({ format: 'none', isEnsemble: true })).toBe(true);
  } finally {
    areas.setState(before, true);
  }
});

test('an ensemble has no memory and no instances of its own', async () => {
  const fake = new FakeEngine();
  const model = fakeModel('m', { isEnsemble: true, memoryBytes: 128 * 1024, device: undefined });
  page = await renderWithHosts(<ModelCard model={model} version="1" io={undefined} />, fake);
  const { textContent } = await until(() => (page as Rendered).get('model-cost'));
  expect(textContent).toMatch(/^Nothing of its own/);
  expect(textContent).not.toMatch(/KiB|\d instance/);
});
