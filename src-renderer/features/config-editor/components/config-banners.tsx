// What lasts about the text: it is locked, it runs without being saved, or it and the file have both changed.

import { configFileOf } from '../../../../src-shared/config/config-file.ts';
import { useEngine } from '../../../engine/engine-context.tsx';
import { useCall } from '../../../engine/use-call.ts';
import { showProfile } from '../config-panes.ts';
import { useAction } from '../../../engine/use-action.ts';
import type { ModelView } from '../../../../src-shared/contract/model-view.ts';
import { askName } from '../../../actions/folder-actions.ts';
import { isStorePath } from '../../../lib/store-path.ts';
import { t } from '../../../texts/translate.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import type { ConflictAnswer } from '../config-actions.ts';
import { revertOverride, saveOverride, settleConflict } from '../config-actions.ts';
import { fileName, saveDraft } from '../../../config/drafts/draft-actions.ts';
import type { DraftHead } from '../../../config/drafts/config-drafts.ts';

const ANSWERS: readonly ConflictAnswer[] = ['mine', 'disk', 'compare'];

/** A conflict is settled here; what is locked in a store can be copied from here. */
export function ConfigBanners({
  model,
  document,
  draft,
}: {
  readonly model: ModelView;
  readonly document: string;
  readonly draft: DraftHead;
}) {
  const { readOnlyReason } = draft.disk;
  return (
    <>
      {readOnlyReason !== undefined && (
        <Banner
          isStrip
          tone="neutral"
          testId="config-locked"
          actions={
            isStorePath(model.repository) && (
              <Button size="sm" data-testid="config-copy" onClick={() => askName(model.name, 'duplicate')}>
                {t('models.copyLocal')}
              </Button>
            )
          }
        >
          {t('config.locked', { reason: readOnlyReason })}
        </Banner>
      )}
      <OtherFile model={model.name} profile={draft.profile} />
      {draft.conflict !== undefined && (
        <Banner
          isStrip
          tone="warn"
          testId="config-conflict"
          actions={ANSWERS.map((answer) => (
            <Button
              key={answer}
              size="sm"
              data-testid={`conflict-${answer}`}
              onClick={() => settleConflict(document, answer)}
            >
              {t(`config.conflict.${answer}`)}
            </Button>
          ))}
        >
          {t('config.conflict', { file: fileName(draft) })}
        </Banner>
      )}
      {draft.disk.hasMark === true && draft.conflict === undefined && (
        <MarkBanner document={document} file={fileName(draft)} isLocked={readOnlyReason !== undefined} />
      )}
      {model.hasOverride && draft.profile === undefined && (
        <OverrideBanner name={model.name} lockedReason={readOnlyReason} />
      )}
    </>
  );
}

/** The parser of the server stops at it, and nobody sees it in an editor. */
function MarkBanner({
  document,
  file,
  isLocked,
}: {
  readonly document: string;
  readonly file: string;
  readonly isLocked: boolean;
}) {
  const engine = useEngine();
  const save = useAction(() => saveDraft(engine, document));
  return (
    <Banner
      isStrip
      tone="warn"
      testId="config-mark"
      actions={
        !isLocked && (
          <Button size="sm" isBusy={save.isRunning} data-testid="config-unmark" onClick={save.run}>
            {t('config.mark.remove')}
          </Button>
        )
      }
    >
      {t('config.mark', { file })}
    </Banner>
  );
}

/** The server reads another file of this model than the one that is shown. */
function OtherFile({ model, profile }: { readonly model: string; readonly profile: string | undefined }) {
  const { data } = useCall('config/profiles', { model }, profile);
  if (data === undefined) return null;
  const used = data.profiles.find((each) => each === data.active);
  if (used === profile) return null;
  const file = configFileOf(used);
  return (
    <Banner
      isStrip
      tone="neutral"
      testId="config-other-file"
      actions={
        <Button size="sm" onClick={() => showProfile(model, used)}>
          {t('config.otherFile.show')}
        </Button>
      }
    >
      {t('config.otherFile', { file })}
    </Banner>
  );
}

function OverrideBanner({
  name,
  lockedReason,
}: {
  readonly name: string;
  readonly lockedReason: string | undefined;
}) {
  const engine = useEngine();
  const save = useAction(() => saveOverride(engine, name));
  const revert = useAction(() => revertOverride(engine, name));
  return (
    <Banner
      isStrip
      tone="info"
      testId="config-override"
      actions={
        <>
          <Button
            size="sm"
            data-testid="override-save"
            isBusy={save.isRunning}
            disabledReason={lockedReason}
            onClick={() => save.run()}
          >
            {t('config.override.save')}
          </Button>
          <Button
            size="sm"
            data-testid="override-revert"
            isBusy={revert.isRunning}
            onClick={() => revert.run()}
          >
            {t('config.override.revert')}
          </Button>
        </>
      }
    >
      {t('config.override')}
    </Banner>
  );
}
