// The diff sheet before a configuration is written: field by field, and both texts. What is done about it is its caller's.

import type { ReactNode } from 'react';
import { useMemo } from 'react';

import { configValueText, diffModelConfigs } from '../../src-shared/config/config-diff.ts';
import { CONFIG_FILE } from '../../src-shared/config/config-file.ts';
import { parseModelConfig } from '../../src-shared/config/parse-model-config.ts';
import { useCall } from '../engine/use-call.ts';
import { t } from '../texts/translate.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { DiffBlock } from '../ui/diff-block.tsx';
import { SimpleTable } from '../ui/simple-table.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

/** `testId` is what the names of its parts begin with; `onApply` gets the hash of the file that was shown; undefined = there was none. */
export function ConfigSheet({
  model,
  configText,
  testId,
  options,
  onApply,
  onClose,
}: {
  readonly model: string;
  readonly configText: string;
  readonly testId: string;
  /** Left of the buttons. */
  readonly options?: ReactNode;
  readonly onApply: (hash: string | undefined) => void;
  readonly onClose: () => void;
}) {
  const file = useCall('config/read', { model });
  const text = file.data?.text ?? '';
  const changes = useMemo(() => fieldChanges(text, configText), [text, configText]);
  const reason = file.data?.readOnlyReason;
  return (
    <Dialog
      isOpen
      isLoading={file.data === undefined && file.error === undefined}
      onClose={onClose}
      width="lg"
      title={t('perf.apply.title', { model })}
      description={t('perf.apply.text', { path: file.data?.path ?? CONFIG_FILE })}
      testId={`${testId}-dialog`}
      footer={
        <>
          <div className="flex-1">{options}</div>
          <Button worksOffline onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button
            variant="primary"
            disabledReason={
              file.data === undefined
                ? (file.error ?? t('common.loading'))
                : changes.length === 0
                  ? t('perf.apply.same')
                  : reason
            }
            data-testid={`${testId}-confirm`}
            onClick={() => onApply(file.data?.hash)}
          >
            {t('perf.apply.do')}
          </Button>
        </>
      }
    >
      {file.error !== undefined && (
        <p role="alert" aria-live="assertive" className="text-bad">
          {file.error}
        </p>
      )}
      {file.data === undefined ? (
        file.error === undefined && <Skeleton rows={4} />
      ) : (
        <div className="flex flex-col gap-3">
          {changes.length === 0 ? (
            <p className="text-soft">{t('perf.apply.same')}</p>
          ) : (
            <SimpleTable
              label={t('perf.apply.changes')}
              testId={`${testId}-changes`}
              rows={changes}
              keyOf={({ path }) => path}
              columns={[
                { id: 'path', title: t('perf.compare.field'), isMono: true, cell: ({ path }) => path },
                {
                  id: 'before',
                  title: t('perf.apply.before'),
                  isMono: true,
                  cell: ({ before }) => <Value of={before} />,
                },
                {
                  id: 'after',
                  title: t('perf.apply.after'),
                  isMono: true,
                  cell: ({ after }) => <Value of={after} />,
                },
              ]}
            />
          )}
          <DiffBlock
            before={text}
            after={configText}
            className="max-h-72"
            label={t('perf.apply.texts')}
            testId={`${testId}-diff`}
          />
        </div>
      )}
    </Dialog>
  );
}

function Value({ of }: { readonly of: string }) {
  return <span className="break-all">{of === '' ? t('common.none') : of}</span>;
}

interface FieldChange {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

function fieldChanges(before: string, after: string): readonly FieldChange[] {
  const entries = diffModelConfigs(parseModelConfig(before).config, parseModelConfig(after).config);
  return entries.map((entry) => ({
    path: entry.path,
    before: configValueText(entry.before),
    after: configValueText(entry.after),
  }));
}
