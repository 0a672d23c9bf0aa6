// A model is in the list before the dialog that makes it is gone: its name is not told as taken then.

import { afterEach, beforeEach, expect, test } from 'vitest';

import { naming } from '../../actions/folder-actions.ts';
import { useModels } from '../../engine/engine-context.tsx';
import { fakeDropItem } from '../../testing/fake-drop-item.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { fakeModel } from '../../testing/fake-models.ts';
import { fakeInspection } from '../../testing/fake-views.ts';
import type { Rendered } from '../../testing/render.tsx';
import { click, renderWithHosts, until } from '../../testing/render.tsx';
import { forgetTold } from '../../testing/told.ts';
import { ImportHost } from './import-host.tsx';
import { importStore, showDialog } from './import-store.ts';

let page: Rendered | undefined;

beforeEach(() => {
  importStore.setState({ dialogs: [], picker: undefined, uploads: [] });
  naming.setState({ asked: undefined });
});
afterEach(async () => {
  await forgetTold();
  await page?.close();
});

const never = (): Promise<never> => Promise.withResolvers<never>().promise;

/** Tells when the page has heard of the models that come while something is made. */
function Known() {
  return <p data-testid="known">{useModels(({ byName }) => byName.has('other')) ? 'yes' : 'no'}</p>;
}

interface Dialog {
  readonly open: (fake: FakeEngine) => void;
  readonly field: string;
  readonly start: string;
}

const dialogs: Readonly<Record<string, Dialog>> = {
  'the wizard': {
    open: (fake) => {
      fake.overrides['repository/createFromOnnx'] = never;
      showDialog({
        kind: 'wizard',
        inspections: [{ ...fakeInspection('/drop/net.onnx'), suggestedName: 'net' }],
      });
    },
    field: 'wizard-name',
    start: 'wizard-create-load',
  },
  'a template': {
    open: (fake) => {
      fake.overrides['code/createFromTemplate'] = never;
      showDialog({ kind: 'template', template: 'model' });
    },
    field: 'template-name',
    start: 'template-create',
  },
  'a configuration that came alone': {
    open: (fake) => {
      fake.overrides['config/readScratch'] = () => ({ text: 'name: "net"\n' });
      fake.overrides['config/checkScratch'] = () => [];
      fake.overrides['repository/createFromConfig'] = never;
      showDialog({
        kind: 'config',
        item: fakeDropItem('config', { path: '/drop/config.pbtxt', name: 'net' }),
      });
    },
    field: 'scratch-name',
    start: 'scratch-create',
  },
  'a file of another framework': {
    open: (fake) => {
      fake.overrides['framework/create'] = never;
      showDialog({
        kind: 'framework',
        isCode: false,
        inspection: {
          path: '/drop/net.pt',
          byteSize: 2048,
          backend: 'pytorch',
          title: 'PyTorch',
          platform: 'pytorch_libtorch',
          artefact: 'model.pt',
          suggestedName: 'net',
          inputs: [{ name: 'x', datatype: 'FP32', shape: [3] }],
          outputs: [{ name: 'y', datatype: 'FP32', shape: [4] }],
          note: undefined,
          problem: undefined,
          completes: false,
          maxBatchSize: undefined,
          isServable: true,
          needs: undefined,
        },
      });
    },
    field: 'framework-name',
    start: 'framework-create',
  },
  'a copy': {
    open: (fake) => {
      fake.overrides['repository/duplicateModel'] = never;
      naming.setState({ asked: { model: 'simple', verb: 'duplicate' } });
    },
    field: 'name-input',
    start: 'name-save',
  },
  'a conversion': {
    open: (fake) => {
      fake.overrides['framework/canConvert'] = () => ({ reason: undefined });
      fake.overrides['framework/convert'] = never;
      fake.overrides['observe/cancelTask'] = () => undefined;
      showDialog({ kind: 'convert', model: 'simple' });
    },
    field: 'convert-name',
    start: 'convert-start',
  },
};

test.each(Object.entries(dialogs))(
  '%s keeps the name of the model that it makes, and finds no fault with it',
  async (_dialog, { open, field, start }) => {
    const fake = new FakeEngine();
    open(fake);
    page = await renderWithHosts(
      <>
        <ImportHost />
        <Known />
      </>,
      fake,
    );
    const { get } = page;
    await until(() => expect(get(start).getAttribute('aria-disabled')).not.toBe('true'));
    const input = get(field) as HTMLInputElement;
    const name = input.value;
    expect(name).not.toBe('');
    await click(get(start));
    fake.publish('repository/models', { changed: [fakeModel(name), fakeModel('other')], removed: [] });
    await until(() => expect(get('known').textContent).toBe('yes'));
    expect(input.value).toBe(name);
    expect(document.body.textContent).not.toContain('There is a model of this name.');
  },
);
