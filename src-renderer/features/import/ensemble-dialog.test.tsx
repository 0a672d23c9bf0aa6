import { afterEach, beforeEach, expect, test } from 'vitest';

import { internal } from '../../../src-shared/errors.ts';
import { runCommand } from '../../lib/command-registry.ts';
import { activeTab } from '../../lib/workspace-store.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { FAKE_REPOSITORY, fakeModel, fakeSnapshot } from '../../testing/fake-models.ts';
import type { Rendered } from '../../testing/render.tsx';
import { accessibilityFaults, choose, click, renderWithHosts, type, until } from '../../testing/render.tsx';
import { forgetTold } from '../../testing/told.ts';
import { ImportCommands } from './import-commands.tsx';
import { ImportHost } from './import-host.tsx';
import { importStore } from './import-store.ts';

let page: Rendered | undefined;

beforeEach(() => importStore.setState({ dialogs: [], picker: undefined, uploads: [] }));
afterEach(async () => {
  await forgetTold();
  await page?.close();
});

const CONFIGS: Readonly<Record<string, string>> = {
  decode:
    'max_batch_size: 8 input { name: "RAW" data_type: TYPE_STRING dims: [1] } output { name: "PIXELS" data_type: TYPE_FP32 dims: [3, 4] }',
  classify:
    'max_batch_size: 4 input { name: "data" data_type: TYPE_FP32 dims: [3, -1] } output { name: "prob" data_type: TYPE_FP32 dims: [10] }',
};

async function start(
  change: (fake: FakeEngine) => void = () => undefined,
): Promise<{ fake: FakeEngine } & Pick<Rendered, 'get' | 'query'>> {
  const fake = new FakeEngine();
  fake.snapshot = fakeSnapshot([fakeModel('decode'), fakeModel('classify'), fakeModel('broken')]);
  change(fake);
  fake.overrides['config/effective'] = ({ model }) => {
    const text = CONFIGS[model];
    if (text === undefined) throw internal(`${model} cannot be read`);
    return { text, origins: [], json: '{}', error: undefined };
  };
  fake.overrides['repository/createFromConfig'] = () => undefined;
  page = await renderWithHosts(
    <>
      <ImportCommands />
      <ImportHost />
    </>,
    fake,
  );
  await runCommand('ensemble.new');
  const { get, query } = page;
  await until(() => get('ensemble-dialog'));
  return { fake, get, query };
}

async function add(model: string): Promise<void> {
  const { get } = page as Rendered;
  await choose(get('ensemble-model'), model);
  await click(get('ensemble-add'));
}

const isOff = (element: HTMLElement): boolean => element.getAttribute('aria-disabled') === 'true';

test('where the ensemble will be written is said before it is', async () => {
  const { get } = await start();
  expect(get('target-repository').textContent).toContain(FAKE_REPOSITORY);
  expect(get('target-repository').textContent).not.toContain('it is made with this one');
});

test('with the samples alone it is said that a folder is made for it', async () => {
  const { fake, get } = await start((engine) => {
    engine.snapshot = {
      ...engine.snapshot,
      repositories: engine.snapshot.repositories.map((one) => ({
        ...one,
        path: `${engine.server.userDataPath}/samples`,
      })),
    };
  });
  expect(get('target-repository').textContent).toContain(fake.server.defaultRepositoryPath);
  expect(get('target-repository').textContent).toContain('it is made with this one');
});

test('models become an ensemble in their order, which opens with its graph and is loaded', async () => {
  const { fake, get, query } = await start();
  expect(isOff(get('ensemble-create'))).toBe(true);
  await add('classify');
  await until(() => expect(get('ensemble-summary').textContent).toContain('between steps: 0. Inputs: data.'));
  await add('decode');
  expect(await accessibilityFaults()).toEqual([]);
  await click(get('ensemble-up-1'));
  await until(() =>
    expect(get('ensemble-summary').textContent).toBe(
      'Connections between steps: 1. Inputs: RAW. Outputs: prob.',
    ),
  );
  await type(get('ensemble-name'), 'look');
  await until(() => expect(get('ensemble-config').textContent).toContain('name: "look"'));
  const text = get('ensemble-config').textContent;
  get('ensemble-dialog').querySelector('form')?.requestSubmit();
  await until(() => expect(query('ensemble-dialog')).toBeNull());
  expect(fake.argsOf('repository/createFromConfig')).toEqual([
    { repository: FAKE_REPOSITORY, name: 'look', text },
  ]);
  expect(text).toContain('max_batch_size: 4');
  expect(activeTab()?.address).toMatchObject({ model: 'look', tab: 'graph' });
  await until(() => expect(fake.argsOf('repository/load')).toMatchObject([{ model: 'look' }]));
});

test('a step can go again, and one that cannot be read keeps the ensemble from being made', async () => {
  const { fake, get, query } = await start();
  await add('decode');
  await add('broken');
  await until(() => expect(get('ensemble-dialog').textContent).toContain('broken cannot be read'));
  expect(isOff(get('ensemble-create'))).toBe(true);
  await click(get('ensemble-remove-1'));
  await until(() => expect(isOff(get('ensemble-create'))).toBe(false));
  expect(get('ensemble-dialog').textContent).not.toContain('broken cannot be read');
  await click(get('ensemble-remove-0'));
  await until(() => expect(query('ensemble-summary')).toBeNull());
  get('ensemble-dialog').querySelector('form')?.requestSubmit();
  expect(fake.argsOf('repository/createFromConfig')).toEqual([]);
});
