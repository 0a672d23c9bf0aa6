// What has to be known about a run before its numbers are believed: how it ended, levels that were not steady, requests
// that failed, and whether the measurement was fair.

import { useState } from 'react';

import type { PerfLevel, PerfRun } from '../../../../src-shared/contract/perf-views.ts';
import { hasModelTab } from '../../../lib/areas.ts';
import { modelAddress } from '../../../lib/address.ts';
import { threeDigits } from '../../../lib/format.ts';
import { open } from '../../../lib/workspace-store.ts';
import { t } from '../../../texts/translate.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { changeMeasurement, perfUi } from '../perf-store.ts';

/** Often nothing. */
export function RunBanners({
  run,
  levels,
}: {
  readonly run: PerfRun;
  readonly levels: readonly PerfLevel[];
}) {
  const failed = levels.find(({ state }) => state === 'failed');
  const partly = levels.find(({ state, result }) => state !== 'failed' && result.errorCount > 0);
  const unstable = levels.filter(({ state }) => state === 'unstable');
  return (
    <>
      {run.state === 'queued' && <Banner testId="perf-queued">{t('perf.queued')}</Banner>}
      {run.state === 'interrupted' && (
        <Banner tone="warn" testId="perf-interrupted">
          {t('perf.interrupted', { reason: run.error })}
        </Banner>
      )}
      {(run.state === 'failed' || failed !== undefined) && (
        <Banner tone="bad" testId="perf-failed" actions={<OpenPlayground run={run} />}>
          {failed === undefined ? run.error : failed.firstError === '' ? failed.note : t('perf.failed')}
          {failed !== undefined && failed.firstError !== '' && (
            <code className="mt-0.5 block break-words">{failed.firstError}</code>
          )}
        </Banner>
      )}
      {partly !== undefined && (
        <Banner tone="warn" testId="perf-errors" actions={<OpenPlayground run={run} />}>
          {t('perf.someFailed', {
            count: levels.reduce((sum, { result }) => sum + result.errorCount, 0),
          })}
          <code className="mt-0.5 block break-words">{partly.firstError}</code>
        </Banner>
      )}
      {unstable.length > 0 && <Unstable levels={unstable} />}
      {run.warnings.length > 0 && (
        <Banner tone="warn" testId="perf-warnings">
          <ul>
            {run.warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </Banner>
      )}
    </>
  );
}

/** Not for another server: the playground asks our own. */
function OpenPlayground({ run: { model, plan } }: { readonly run: PerfRun }) {
  if (!hasModelTab('playground') || plan.url !== '') return null;
  return (
    <Button size="sm" onClick={() => open(modelAddress(model, 'playground'))}>
      {t('perf.openPlayground')}
    </Button>
  );
}

const SPREAD = /by (\d+) %/;

/** One line for all loads that are unsteady for the same reason, with the least and the largest spread. */
function byNote(
  levels: readonly PerfLevel[],
): readonly (readonly [note: string, loads: readonly string[]])[] {
  const found = new Map<string, { readonly loads: string[]; readonly spreads: number[] }>();
  for (const { unit, value, note } of levels) {
    const text = note === '' ? t('perf.unstable.plain') : note;
    const key = text.replace(SPREAD, 'by _ %');
    const same = found.get(key) ?? { loads: [], spreads: [] };
    found.set(key, same);
    const number = threeDigits(value);
    same.loads.push(same.loads.length === 0 ? t(`perf.tile.of.${unit}`, { value: number }) : number);
    const spread = SPREAD.exec(text)?.[1];
    if (spread !== undefined) same.spreads.push(Number(spread));
  }
  return [...found].map(([key, { loads, spreads }]) => {
    const [least, most] = [Math.min(...spreads), Math.max(...spreads)];
    return [key.replace('by _ %', least === most ? `by ${most} %` : `by ${least} to ${most} %`), loads];
  });
}

function Unstable({ levels }: { readonly levels: readonly PerfLevel[] }) {
  const [isExplained, setIsExplained] = useState(false);
  const lengthen = (): void => {
    const interval = perfUi.getState().plan?.measurement.intervalMs;
    if (interval !== undefined) changeMeasurement({ mode: 'time', intervalMs: interval * 2 });
  };
  return (
    <Banner
      tone="warn"
      testId="perf-unstable"
      actions={
        <>
          <Button size="sm" data-testid="perf-longer" onClick={lengthen}>
            {t('perf.unstable.longer')}
          </Button>
          <Button size="sm" aria-expanded={isExplained} onClick={() => setIsExplained(!isExplained)}>
            {t('perf.unstable.why')}
          </Button>
        </>
      }
    >
      {byNote(levels).map(([note, loads]) => (
        <p key={note}>{t('perf.unstable.at', { loads: loads.join(', '), note })}</p>
      ))}
      <p>{t('perf.unstable.kept')}</p>
      {isExplained && <p className="mt-1 text-soft">{t('perf.unstable.reasons')}</p>}
    </Banner>
  );
}
