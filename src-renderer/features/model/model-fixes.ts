// Carrying out a fix offered on a failure: edits of config.pbtxt are written with a way back, then the model is loaded
// again; other fixes are calls of their own.

import { applyTextEdits } from '../../../src-shared/config/text-format/ast.ts';
import type { ConfigFix } from '../../../src-shared/contract/config-calls.ts';
import type { ModelView } from '../../../src-shared/contract/model-view.ts';
import { editConfig } from '../../actions/edit-config.ts';
import { probeModel } from '../../actions/probe-model.ts';
import { runFixAction } from '../../config/drafts/fix-actions.ts';
import type { Engine } from '../../engine/engine-context.tsx';
import { runCommand } from '../../lib/command-registry.ts';
import { toastThrown } from '../../engine/toast-thrown.ts';

/** Carries out what the fix offers. Never rejects: what goes wrong is said in a message. */
export async function applyFix(engine: Engine, model: ModelView, fix: ConfigFix): Promise<void> {
  try {
    if (fix.action === undefined) {
      const apply = (text: string): string => applyTextEdits(text, fix.edits);
      await editConfig(engine, model.name, { title: fix.title, apply, load: true });
    } else if (fix.action === 'batch-probe') await probeModel(engine, model);
    else if (fix.action === 'locate-external-data') runCommand('model.locateData', model.name);
    else if (fix.action === 'replace-model-file') runCommand('model.replaceFile', model.name);
    else {
      const { text } = await engine.client.call('config/read', { model: model.name });
      await runFixAction(engine, { model: model.name, text }, fix);
    }
  } catch (thrown) {
    toastThrown(thrown);
  }
}
