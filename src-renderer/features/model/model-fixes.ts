// Carrying out a fix offered on a failure: edits of config.pbtxt are written with a way back, then the model is loaded
// again; other fixes are calls of their own.

import type { ConfigFix, TextEdit } from '../../../src-shared/contract/config-calls.ts';
import type { ModelView } from '../../../src-shared/contract/model-view.ts';
import { loadModel } from '../../actions/model-actions.ts';
import { messageOf } from '../../engine/engine-client.ts';
import type { Engine } from '../../engine/engine-context.tsx';
import { modelAddress } from '../../lib/address.ts';
import { open } from '../../lib/workspace-store.ts';
import { t } from '../../texts/translate.ts';
import { toastError, toastInfo, toastSuccess } from '../../ui/toast.tsx';

/** Edits refer to the original text; they are applied from its end. Pure. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  return edits
    .toSorted((a, b) => b.startOffset - a.startOffset)
    .reduce(
      (result, edit) => result.slice(0, edit.startOffset) + edit.newText + result.slice(edit.endOffset),
      text,
    );
}

export async function applyFix(engine: Engine, model: ModelView, fix: ConfigFix): Promise<void> {
  try {
    if (fix.edits.length > 0) await editConfig(engine, model.name, fix);
    else if (fix.action === 'create-version-folder') await createFolder(engine, model.name);
    else if (fix.action === 'batch-probe') await probe(engine, model);
    else open(modelAddress(model.name, 'versions'));
  } catch (thrown) {
    toastError(messageOf(thrown));
  }
}

async function editConfig(engine: Engine, name: string, fix: ConfigFix): Promise<void> {
  const { client } = engine;
  const before = await client.call('config/read', { model: name });
  const after = await client.call('config/write', {
    model: name,
    text: applyEdits(before.text, fix.edits),
    expectedHash: before.hash,
  });
  const undo = async (): Promise<void> => {
    await client.call('config/write', { model: name, text: before.text, expectedHash: after.hash });
    toastInfo(t('model.failure.restored', { name }));
  };
  toastInfo(t('model.failure.fixed', { name, fix: fix.title }), {
    label: t('common.undo'),
    onClick: () => void undo().catch((thrown: unknown) => toastError(messageOf(thrown))),
  });
  await loadModel(engine, name);
}

async function createFolder(engine: Engine, name: string): Promise<void> {
  await engine.client.call('repository/createVersionFolder', { model: name, version: '1' });
  toastSuccess(t('model.failure.folderMade', { name }));
}

async function probe(engine: Engine, model: ModelView): Promise<void> {
  const files = await engine.client.call('repository/files', { model: model.name });
  const onnx = files.findLast(({ path }) => path.endsWith('.onnx'));
  const { message } = await engine.client.call('config/batchProbe', {
    path: `${model.path}/${onnx?.path ?? ''}`,
  });
  toastInfo(message);
}
