// What lasts about a source file: it is locked, or it and the text in the editor have both changed.

import type { Draft } from '../../../config/drafts/config-drafts.ts';
import { changeDraft, keepMine, takeDisk } from '../../../config/drafts/config-drafts.ts';
import { fileName } from '../../../config/drafts/draft-actions.ts';
import { t } from '../../../texts/translate.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { codePanes } from '../code-panes.ts';

/** That the file is locked, then the question which of two changes stays. Often nothing. */
export function CodeBanners({
  document,
  draft,
  lockedReason,
}: {
  readonly document: string;
  readonly draft: Draft;
  readonly lockedReason: string | undefined;
}) {
  const answers = {
    mine: () => changeDraft(document, keepMine),
    disk: () => changeDraft(document, takeDisk),
    compare: () => codePanes.setState({ isComparing: true, original: 'disk' }),
  };
  return (
    <>
      {lockedReason !== undefined && (
        <Banner isStrip tone="neutral" testId="code-locked">
          {lockedReason}
        </Banner>
      )}
      {draft.conflict !== undefined && (
        <Banner
          isStrip
          tone="warn"
          testId="code-conflict"
          actions={(['mine', 'disk', 'compare'] as const).map((answer) => (
            <Button key={answer} size="sm" data-testid={`code-conflict-${answer}`} onClick={answers[answer]}>
              {t(`config.conflict.${answer}`)}
            </Button>
          ))}
        >
          {t('config.conflict', { file: fileName(draft) })}
        </Banner>
      )}
    </>
  );
}
