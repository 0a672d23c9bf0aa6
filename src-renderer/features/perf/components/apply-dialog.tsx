// The diff sheet before a configuration is written: field by field, and both texts. The file must still be the one that
// was shown when the answer comes.

import { useMemo, useState } from 'react';

import { configValueText, diffModelConfigs } from '../../../../src-shared/config/config-diff.ts';
import { parseModelConfig } from '../../../../src-shared/config/parse-model-config.ts';
import type { PerfRun } from '../../../../src-shared/contract/perf-views.ts';
import { useClient, useSetting } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { useCall } from '../../../engine/use-call.ts';
import { t } from '../../../texts/translate.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { DiffBlock } from '../../../ui/diff-block.tsx';
import { SimpleTable } from '../../../ui/simple-table.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { Checkbox } from '../../../ui/toggles.tsx';
import { applyConfig } from '../perf-actions.ts';

export function ApplyDialog({
  run,
  onClose,
}: {
  readonly run: Pick<PerfRun, 'id' | 'model' | 'configText'>;
  readonly onClose: () => void;
}) {
  const client = useClient();
  const file = useCall('config/read', { model: run.model });
  const [isVerified, setIsVerified] = useState(true);
  const verifySecs = useSetting('perf.verifySecs', 20);
  const text = file.data?.text ?? '';
  const changes = useMemo(() => fieldChanges(text, run.configText), [text, run.configText]);
  const apply = useAction((expectedHash: string) => {
    // Writing, reloading and measuring take a while: the screen goes on, and the outcome comes as a banner.
    onClose();
    const verifyMs = isVerified ? verifySecs * 1000 : 0;
    return applyConfig(client, { run: run.id, model: run.model, expectedHash, verifyMs });
  });
  const reason = file.data?.readOnlyReason;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      width="lg"
      title={t('perf.apply.title', { model: run.model })}
      description={t('perf.apply.text', { path: file.data?.path ?? 'config.pbtxt' })}
      testId="perf-apply-dialog"
      footer={
        <>
          <div className="flex-1">
            <Checkbox isOn={isVerified} onChange={setIsVerified} data-testid="perf-apply-verify">
              {t('perf.apply.verify', { seconds: verifySecs })}
            </Checkbox>
          </div>
          <Button worksOffline onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button
            variant="primary"
            disabledReason={
              file.data === undefined
                ? file.error || t('common.loading')
                : changes.length === 0
                  ? t('perf.apply.same')
                  : reason
            }
            data-testid="perf-apply-confirm"
            onClick={() => apply.run(file.data?.hash ?? '')}
          >
            {t('perf.apply.do')}
          </Button>
        </>
      }
    >
      {file.error !== '' && (
        <p role="alert" className="text-bad">
          {file.error}
        </p>
      )}
      {file.data === undefined ? (
        file.error === '' && <Skeleton rows={4} />
      ) : (
        <div className="flex flex-col gap-3">
          {changes.length === 0 ? (
            <p className="text-soft">{t('perf.apply.same')}</p>
          ) : (
            <SimpleTable
              label={t('perf.apply.changes')}
              testId="perf-apply-changes"
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
            after={run.configText}
            className="max-h-72"
            label={t('perf.apply.texts')}
            testId="perf-apply-diff"
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
