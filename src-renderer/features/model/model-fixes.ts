// Carrying out a fix offered on a failure: edits of config.pbtxt are written with a way back, then the model is loaded
// again; other fixes are calls of their own.

import { applyTextEdits } from '../../../src-shared/config/text-format/ast.ts';
import type { ConfigFix } from '../../../src-shared/contract/config-calls.ts';
import type { ModelView } from '../../../src-shared/contract/model-view.ts';
import { editConfig } from '../../actions/edit-config.ts';
import { probeModel } from '../../actions/probe-model.ts';
import { messageOf } from '../../engine/engine-client.ts';
import type { Engine } from '../../engine/engine-context.tsx';
import { modelAddress } from '../../lib/address.ts';
import { open } from '../../lib/workspace-store.ts';
import { t } from '../../texts/translate.ts';
import { toastError, toastSuccess } from '../../ui/toast.tsx';

export async function applyFix(engine: Engine, model: ModelView, fix: ConfigFix): Promise<void> {
  try {
    if (fix.edits.length > 0) {
      const apply = (text: string): string => applyTextEdits(text, fix.edits);
      await editConfig(engine, model.name, { title: fix.title, apply, load: true });
    } else if (fix.action === 'create-version-folder') await createFolder(engine, model.name);
    else if (fix.action === 'batch-probe') await probeModel(engine, model);
    else open(modelAddress(model.name, 'versions'));
  } catch (thrown) {
    toastError(messageOf(thrown));
  }
}

async function createFolder(engine: Engine, name: string): Promise<void> {
  await engine.client.call('repository/createVersionFolder', { model: name, version: '1' });
  toastSuccess(t('model.failure.folderMade', { name }));
}
