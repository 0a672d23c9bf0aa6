// Writes what the server completed into the text: the user chooses which fields. Nothing is saved by it.

import { useState } from 'react';

import { configLanguage } from '../../../config/language/config-language-client.ts';
import type { FillField, LanguageContext } from '../../../config/language/language-protocol.ts';
import { t } from '../../../texts/translate.ts';
import { Badge } from '../../../ui/badge.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { toastInfo } from '../../../ui/toast.tsx';
import { Checkbox } from '../../../ui/toggles.tsx';
import { fileName } from '../../../config/drafts/draft-actions.ts';
import type { DraftHead } from '../../../config/drafts/config-drafts.ts';
import { draftOf, setDraftText } from '../../../config/drafts/config-drafts.ts';
import { useLanguageAnswer } from '../../../config/drafts/use-config-document.ts';
import { toastThrown } from '../../../engine/toast-thrown.ts';

/** `onClose` comes after writing as after cancelling. */
export function FillDialog({
  document,
  draft,
  facts,
  onClose,
}: {
  readonly document: string;
  readonly draft: DraftHead;
  readonly facts: LanguageContext | undefined;
  readonly onClose: () => void;
}) {
  const { answer: fields, error } = useLanguageAnswer('fillable', document, true, facts);
  const [choices, setChoices] = useState<ReadonlyMap<string, boolean>>(new Map());
  const isChosen = ({ path, origin }: FillField): boolean => choices.get(path) ?? origin === 'auto-complete';
  const chosen = (fields ?? []).filter(isChosen).map(({ path }) => path);
  const write = async (): Promise<void> => {
    const text = await configLanguage.ask('fill', document, draftOf(document)?.text ?? '', chosen);
    if (text === undefined) return;
    setDraftText(document, text);
    toastInfo(t('config.fill.done', { count: chosen.length }));
    onClose();
  };
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      width="md"
      testId="fill-dialog"
      isLoading={fields === undefined && error === undefined}
      title={t('config.fill.title', { file: fileName(draft) })}
      description={t('config.fill.text')}
      act={{
        label: t('config.fill.write', { count: chosen.length }),
        testId: 'fill-write',
        isRunning: false,
        reason: chosen.length === 0 ? t('config.fill.noneChosen') : undefined,
        run: () => void write().catch(toastThrown),
      }}
    >
      {error !== undefined && <p className="text-bad">{error}</p>}
      {fields === undefined && error === undefined && <Skeleton />}
      {fields?.length === 0 && <p className="text-soft">{t('config.fill.nothing')}</p>}
      <ul className="flex flex-col divide-y divide-line">
        {(fields ?? []).map((field) => (
          <li key={field.path} className="py-2" data-testid={`fill-${field.path}`}>
            <Checkbox
              isOn={isChosen(field)}
              onChange={(isOn) => setChoices(new Map(choices).set(field.path, isOn))}
            >
              <span className="flex flex-wrap items-center gap-2">
                <code className="text-strong">{field.path}</code>
                <Badge tone={field.origin === 'auto-complete' ? 'info' : 'neutral'}>
                  {t(`config.origin.${field.origin}`)}
                </Badge>
                <span className="text-sm text-faint">{field.reason}</span>
              </span>
            </Checkbox>
            <pre className="mt-1 ml-6 rounded bg-sunken p-2 font-mono text-sm break-words whitespace-pre-wrap text-soft">
              {field.text}
            </pre>
          </li>
        ))}
      </ul>
    </FormDialog>
  );
}
