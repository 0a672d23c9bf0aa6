import { afterEach, expect, test } from 'vitest';

import { disabledReason, runCommand } from '../../lib/command-registry.ts';
import { modelAddress } from '../../lib/address.ts';
import { INITIAL_WORKSPACE, open, workspace } from '../../lib/workspace-store.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { fakeModel, fakeSnapshot } from '../../testing/fake-models.ts';
import type { Rendered } from '../../testing/render.tsx';
import { renderView, until } from '../../testing/render.tsx';
import { ImportCommands } from './import-commands.tsx';

let page: Rendered | undefined;
afterEach(async () => {
  await page?.close();
  workspace.setState(INITIAL_WORKSPACE);
});

test.each(['model.export', 'model.locateData', 'model.replaceFile'])(
  '%s is about the model that is named, else the one that is shown, and cannot run without any',
  async (command) => {
    page = await renderView(<ImportCommands />);
    expect(disabledReason(command)).toContain('model');
    expect(runCommand(command)).toBe(false);
    expect(disabledReason(command, 'simple')).toBeUndefined();
    open(modelAddress('simple'));
    expect(disabledReason(command)).toBeUndefined();
  },
);

test.each([
  ['onnxruntime', 'Only models of PyTorch and TensorFlow become ONNX'],
  ['python', 'Only models of PyTorch and TensorFlow become ONNX'],
  ['pytorch', undefined],
  ['tensorflow', undefined],
])('a model of %s is converted only if it can be', async (backend, reason) => {
  const fake = new FakeEngine();
  fake.snapshot = fakeSnapshot([fakeModel('simple', { backend })]);
  page = await renderView(<ImportCommands />, fake);
  await until(() => expect(disabledReason('model.convert', 'simple')).toBe(reason));
  expect(runCommand('model.convert', 'simple')).toBe(reason === undefined);
});
