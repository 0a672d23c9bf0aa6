// Repairs that are more than an edit of the text: folders, profiles, other models, findings put aside. The same for the
// findings below the editor, those of a drawing, and the card of a model that failed.

import { configFileOf } from '../../../src-shared/config/config-file.ts';
import { applyTextEdits } from '../../../src-shared/config/text-format/ast.ts';
import type { ConfigFix, ConfigIssueView } from '../../../src-shared/contract/config-calls.ts';
import { restartServer } from '../../actions/server-actions.ts';
import type { Engine } from '../../engine/engine-context.tsx';
import { address, modelAddress, tabIdOf } from '../../lib/address.ts';
import { runCommand } from '../../lib/command-registry.ts';
import { ignoreIssue } from '../../lib/live-problems.ts';
import { close, open } from '../../lib/workspace-store.ts';
import { t } from '../../texts/translate.ts';
import { ask } from '../../ui/confirm.tsx';
import { toastInfo, toastSuccess } from '../../ui/toast.tsx';
import { draftOf, isDirty } from './config-drafts.ts';
import { saveDraft } from './draft-actions.ts';
import { editsOfRepair, repairedText } from './repair-text.ts';
import { toastThrown } from '../../engine/toast-thrown.ts';

/** What a repair is made to. */
export interface FixSubject {
  readonly model: string;
  /** Where the finding was; the model's name for config.pbtxt. */
  readonly document?: string;
  /** Text that the edits of the fix were made for. */
  readonly text: string;
  /** The finding that is repaired; undefined where there is only a failure. */
  readonly issue?: ConfigIssueView;
}

/** The text of the profile that a fix makes: where it is a finding's, its edits are made in the text as it is now. */
async function profileText({ model, document, text, issue }: FixSubject, fix: ConfigFix): Promise<string> {
  if (issue === undefined) return applyTextEdits(text, fix.edits);
  const repaired = await repairedText(document ?? model, (found) => editsOfRepair(found, issue, fix.title));
  return repaired ?? text;
}

/** What went wrong is reported here. No effect for a fix that is only an edit. */
export async function runFixAction(engine: Engine, subject: FixSubject, fix: ConfigFix): Promise<void> {
  const { client } = engine;
  const { model, issue } = subject;
  const target = fix.target ?? '';
  try {
    switch (fix.action) {
      case 'create-version-folder':
        await client.call('repository/createVersionFolder', { model, version: target || '1' });
        toastSuccess(t('model.failure.folderMade', { name: model }));
        break;
      case 'rename-folder':
        await renameFolder(engine, model, target);
        break;
      case 'cpu-profile':
        await writeProfile(engine, { model, profile: target }, await profileText(subject, fix));
        break;
      case 'import-model':
        runCommand('repository.importOnnx', target);
        break;
      case 'serve-onnx':
        await serveOnnx(engine, model, target);
        break;
      case 'open-model':
        open(modelAddress(target, 'config'));
        break;
      case 'choose-python':
        open(address('server', { tab: 'python' }));
        break;
      case 'trust-repository': {
        const path = engine.state.models.getState().byName.get(model)?.repository;
        if (path !== undefined) await client.call('repository/trust', { path });
        break;
      }
      case 'ignore':
        if (issue !== undefined) ignoreIssue(subject.document ?? model, issue);
        break;
      case 'batch-probe':
      case 'locate-external-data':
      case 'replace-model-file':
      case undefined:
        break;
    }
  } catch (thrown) {
    toastThrown(thrown);
  }
}

/** A new model around a copy of the file, which the server completes when it loads it; the old one is left alone. */
async function serveOnnx({ client, state }: Engine, model: string, file: string): Promise<void> {
  const { byName } = state.models.getState();
  let name = `${model}_onnx`;
  for (let number = 2; byName.has(name); number += 1) name = `${model}_onnx_${number}`;
  const { externalData } = await client.call('config/inspectOnnx', { path: file });
  const folder = file.replace(/[\\/][^\\/]*$/, '');
  await client.call('repository/createFromOnnx', {
    onnxPath: file,
    externalData: Object.fromEntries(externalData.map((data) => [data.name, `${folder}/${data.name}`])),
    repository: byName.get(model)?.repository ?? '',
    name,
    version: '1',
    labels: {},
    hasDynamicVersion: false,
    load: true,
    taskId: `serve-onnx-${name}`,
  });
  open(modelAddress(name));
}

/** The folder takes the name that the text says, so what is typed is written first. */
async function renameFolder(engine: Engine, model: string, newName: string): Promise<void> {
  const draft = draftOf(model);
  if (draft !== undefined && isDirty(draft) && !(await saveDraft(engine, model))) return;
  await engine.client.call('repository/renameModel', { model, newName });
  open(modelAddress(newName, 'config'));
  close(tabIdOf(modelAddress(model)));
  toastSuccess(t('config.fix.renamed', { name: model, newName }));
}

async function writeProfile(
  engine: Engine,
  { model, profile }: { readonly model: string; readonly profile: string },
  text: string,
): Promise<void> {
  const { profiles, active } = await engine.client.call('config/profiles', { model });
  const file = configFileOf(profile);
  if (profiles.includes(profile)) {
    const answer = await ask({
      title: t('config.fix.profileThere', { file }),
      text: t('config.fix.profileThereText', { name: model }),
      choices: [{ value: 'replace', label: t('config.fix.replace'), isDanger: true }],
    });
    if (answer === undefined) return;
  }
  await engine.client.call('config/writeProfile', { model, profile, text });
  if (active === profile) toastSuccess(t('config.fix.profileUsed', { file }));
  else {
    toastSuccess(t('config.fix.profileWritten', { file, profile }), {
      label: t('config.profile.use'),
      onClick: () => void serveProfile(engine, profile),
    });
  }
}

/** The profile that the server reads where a model has it, as --model-config-name; undefined = none. Counts from its next start. */
export async function serveProfile(engine: Engine, profile: string | undefined): Promise<void> {
  try {
    await engine.client.call('settings/write', { changes: { 'server.configProfile': profile ?? '' } });
    toastInfo(profile === undefined ? t('config.profile.unset') : t('config.profile.set', { profile }), {
      label: t('config.profile.restart'),
      onClick: () => void restartServer(engine),
    });
  } catch (thrown) {
    toastThrown(thrown);
  }
}
