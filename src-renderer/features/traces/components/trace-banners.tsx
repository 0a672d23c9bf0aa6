// What is to be known of the rows as a whole: that they are of a file, or that older ones are gone.

import { t } from '../../../texts/translate.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Progress } from '../../../ui/progress.tsx';
import { showFile, useTraces } from '../trace-store.ts';

/** Nothing where there is nothing to say. */
export function TraceBanners() {
  const file = useTraces((state) => state.file);
  const dropped = useTraces((state) => state.state?.droppedCount ?? 0);
  const reading = useTraces((state) => state.reading);
  if (reading !== undefined)
    return (
      <Banner
        isStrip
        tone="info"
        testId="trace-reading"
        actions={
          <Button size="sm" worksOffline data-testid="trace-reading-cancel" onClick={reading.cancel}>
            {t('common.cancel')}
          </Button>
        }
      >
        {t('traces.reading', { name: reading.name })}
        <Progress
          className="mt-1 w-48"
          value={undefined}
          label={t('traces.reading', { name: reading.name })}
        />
      </Banner>
    );
  if (file !== undefined)
    return (
      <Banner
        isStrip
        tone="info"
        testId="trace-file"
        actions={
          <Button size="sm" worksOffline data-testid="trace-close-file" onClick={() => showFile(undefined)}>
            {t(file.banner === undefined ? 'traces.closeFile' : 'traces.closeRun')}
          </Button>
        }
      >
        {file.banner ?? t('traces.file', { name: file.name })}
      </Banner>
    );
  if (dropped === 0) return null;
  return (
    <Banner isStrip tone="warn" testId="trace-full">
      {t('traces.full', { count: dropped })}
    </Banner>
  );
}
