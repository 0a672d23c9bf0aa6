// Notes on a model, in Markdown: written as text, read as drawn. Kept with the app's own data, never in the repository.

import { Suspense, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';

import type { ModelView } from '../../../../src-shared/contract/model-view.ts';
import { followLink } from '../../../actions/open-url.ts';
import { displayShortcut } from '../../../lib/keys.ts';
import { lazyView } from '../../../lib/lazy-view.ts';
import { t } from '../../../texts/translate.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { TextArea } from '../../../ui/inputs.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { Segmented } from '../../../ui/toggles.tsx';
import { useNotes } from '../use-notes.ts';

const Markdown = lazyView(async () => (await import('../../../ui/markdown.tsx')).Markdown);

const MIN_ROWS = 4;
const MAX_ROWS = 20;

/** Saves by itself, and says so. */
export function NotesCard({ model }: { readonly model: ModelView }) {
  const { text, change, status, isRead, readError, retry } = useNotes(model.path);
  const [chosen, setChosen] = useState<'edit' | 'preview'>();
  const preview = useRef<HTMLDivElement>(null);
  const isEmpty = text.trim() === '';
  const view = isEmpty ? 'edit' : (chosen ?? 'preview');
  const onKey = (event: KeyboardEvent): void => {
    const isDone = event.key === 'Escape' || (event.key === 'Enter' && (event.ctrlKey || event.metaKey));
    if (!isDone || isEmpty) return;
    event.preventDefault();
    event.stopPropagation();
    setChosen('preview');
    // The field is gone with the next drawing; whoever types goes on from the text.
    requestAnimationFrame(() => preview.current?.focus());
  };
  return (
    <Card
      title={t('model.notes')}
      testId="model-notes"
      actions={
        <>
          <span role="status" aria-live="polite" className="truncate text-sm text-faint">
            {status}
          </span>
          {!isEmpty && (
            <Segmented
              label={t('model.notes.view')}
              testId="notes-view"
              value={view}
              onChange={setChosen}
              options={[
                { value: 'edit', label: t('model.notes.edit') },
                { value: 'preview', label: t('model.notes.preview') },
              ]}
            />
          )}
        </>
      }
    >
      {readError !== undefined ? (
        <Banner
          tone="bad"
          testId="notes-unread"
          actions={
            <Button size="sm" data-testid="notes-retry" onClick={retry}>
              {t('common.retry')}
            </Button>
          }
        >
          {t('model.notes.unread', { reason: readError })}
        </Banner>
      ) : !isRead ? (
        <Skeleton rows={2} />
      ) : view === 'edit' ? (
        <div onKeyDown={onKey}>
          <TextArea
            value={text}
            rows={Math.min(MAX_ROWS, Math.max(MIN_ROWS, text.split('\n').length + 1))}
            aria-label={t('model.notes')}
            placeholder={t('model.notes.placeholder')}
            data-testid="notes-text"
            onChange={(next) => {
              setChosen('edit');
              change(next);
            }}
          />
          <p className="mt-1 text-sm text-faint">
            {t('model.notes.help', { key: displayShortcut('Mod+Enter') })}
          </p>
        </div>
      ) : (
        <div ref={preview} tabIndex={-1} onDoubleClick={() => setChosen('edit')}>
          <Suspense fallback={<p className="whitespace-pre-wrap text-strong">{text}</p>}>
            <Markdown text={text} onLink={followLink} testId="notes-preview" />
          </Suspense>
        </div>
      )}
    </Card>
  );
}
