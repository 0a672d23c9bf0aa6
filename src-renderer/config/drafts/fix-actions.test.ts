// Repairs that are calls of their own: what they send.

import { expect, test } from 'vitest';

import { readSnapshots, subscribeState } from '../../engine/engine-state.ts';
import { activeTab } from '../../lib/workspace-store.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { fakeInspection } from '../../testing/fake-views.ts';
import { runFixAction } from './fix-actions.ts';

test('an ONNX file beside another model becomes a model of its own, with its weights and under a free name', async () => {
  const fake = new FakeEngine();
  const weights = { name: 'w.bin', byteSize: 1, isFound: true };
  fake.overrides['config/inspectOnnx'] = () => ({ ...fakeInspection('model'), externalData: [weights] });
  fake.overrides['repository/createFromOnnx'] = ({ name }) => ({ model: name });
  const engine = fake.engine();
  subscribeState(engine.client, engine.state);
  await readSnapshots(engine.client, engine.state);
  const { byName } = engine.state.models.getState();
  const simple = byName.get('simple');
  engine.state.models.setState({ byName: new Map([...byName, ['simple_onnx', simple!]]) });
  const file = '/repo/simple/1/model.onnx';
  await runFixAction(
    engine,
    { model: 'simple', text: '' },
    { title: 'Serve it', edits: [], action: 'serve-onnx', target: file },
  );
  expect(fake.argsOf('repository/createFromOnnx')).toMatchObject([
    {
      onnxPath: file,
      externalData: { 'w.bin': '/repo/simple/1/w.bin' },
      repository: simple?.repository,
      name: 'simple_onnx_2',
      load: true,
    },
  ]);
});

test('where a Python is missing, the card of the Server screen is opened that chooses or makes one', async () => {
  const fake = new FakeEngine();
  await runFixAction(
    fake.engine(),
    { model: 'simple', text: '' },
    { title: 'Choose or set up a Python', edits: [], action: 'choose-python' },
  );
  expect(activeTab()?.address).toMatchObject({ area: 'server', tab: 'python' });
});
