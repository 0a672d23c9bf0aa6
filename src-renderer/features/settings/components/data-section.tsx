// Our own data on disk: how much there is of what, and putting all of it into the bin.

import { Trash2 } from 'lucide-react';

import { revealPath } from '../../../actions/reveal.ts';
import { useClient } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { useCall } from '../../../engine/use-call.ts';
import { formatBytes, formatCount } from '../../../lib/format.ts';
import { t } from '../../../texts/translate.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { ask } from '../../../ui/confirm.tsx';
import { SimpleTable } from '../../../ui/simple-table.tsx';
import { toastSuccess } from '../../../ui/toast.tsx';

/** Deleting asks first, and says where everything went. */
export function DataSection() {
  const client = useClient();
  const usage = useCall('data/usage', {});
  const deleteAll = useAction(async () => {
    const answer = await ask({
      title: t('data.deleteTitle'),
      text: t('data.deleteText'),
      choices: [{ value: 'delete', label: t('data.deleteDo'), isDanger: true }],
      testId: 'data-delete-confirm',
    });
    if (answer === undefined) return;
    const { movedTo } = await client.call('data/deleteAll', {});
    toastSuccess(movedTo === undefined ? t('data.nothing') : t('data.deleted', { place: movedTo }));
    usage.reload();
  });
  return (
    <Card
      title={t('data.title')}
      testId="settings-data"
      className="mt-4"
      actions={
        <Button
          size="sm"
          icon={Trash2}
          isBusy={deleteAll.isRunning}
          data-testid="data-delete-all"
          onClick={() => deleteAll.run()}
        >
          {t('data.deleteAll')}
        </Button>
      }
    >
      {usage.error !== undefined && <Banner tone="bad">{usage.error}</Banner>}
      <SimpleTable
        label={t('data.title')}
        testId="data-usage"
        rows={usage.data ?? []}
        keyOf={({ kind }) => kind}
        columns={[
          { id: 'kind', title: t('data.what'), cell: ({ kind }) => t(`data.kind.${kind}`) },
          {
            id: 'files',
            title: t('data.files'),
            align: 'end',
            cell: ({ fileCount }) => formatCount(fileCount),
          },
          { id: 'size', title: t('data.size'), align: 'end', cell: ({ byteSize }) => formatBytes(byteSize) },
          {
            id: 'path',
            title: t('data.where'),
            cell: ({ path }) => (
              <button
                type="button"
                className="rounded text-left font-mono text-sm break-all text-soft hover:underline"
                onClick={() => void revealPath(path)}
              >
                {path}
              </button>
            ),
          },
        ]}
      />
    </Card>
  );
}
