// Carrying out a fix offered on a failure: edits of config.pbtxt are made where they belong in the file as it is now,
// written with a way back, then the model is loaded again; other fixes are calls of their own.

import { applyTextEdits } from '../../../src-shared/config/text-format/ast.ts';
import type { ConfigFix } from '../../../src-shared/contract/config-calls.ts';
import type { ModelView } from '../../../src-shared/contract/model-view.ts';
import { editConfig } from '../../actions/edit-config.ts';
import { probeModel } from '../../actions/probe-model.ts';
import { runFixAction } from '../../config/drafts/fix-actions.ts';
import type { Engine } from '../../engine/engine-context.tsx';
import { toastThrown } from '../../engine/toast-thrown.ts';
import { runCommand } from '../../lib/command-registry.ts';
import { t } from '../../texts/translate.ts';
import { toastInfo } from '../../ui/toast.tsx';

/** Carries out what the fix offers. Never rejects: what goes wrong is said in a message. */
export async function applyFix(engine: Engine, model: ModelView, fix: ConfigFix): Promise<void> {
  try {
    if (fix.action === undefined) {
      await repairFile(engine, model.name, fix);
    } else if (fix.action === 'batch-probe') await probeModel(engine, model);
    else if (fix.action === 'locate-external-data') runCommand('model.locateData', model.name);
    else if (fix.action === 'choose-python') await runFixAction(engine, { model: model.name, text: '' }, fix);
    else if (fix.action === 'replace-model-file') runCommand('model.replaceFile', model.name);
    else {
      const { text } = await engine.client.call('config/read', { model: model.name });
      await runFixAction(engine, { model: model.name, text }, fix);
    }
  } catch (thrown) {
    toastThrown(thrown);
  }
}

/** The offsets of the fix are those of the file as it was checked: the newest text is checked for the same fault. */
async function repairFile(engine: Engine, model: string, { title }: ConfigFix): Promise<void> {
  const apply = async (text: string): Promise<string | undefined> => {
    const issues = await engine.client.call('config/validate', { model, text });
    const fix = issues.flatMap(({ fixes }) => fixes).find((one) => one.title === title);
    return fix === undefined ? undefined : applyTextEdits(text, fix.edits);
  };
  const isWritten = await editConfig(engine, model, { title, apply, load: true });
  if (!isWritten) toastInfo(t('model.failure.fixGone', { name: model, fix: title }));
}
