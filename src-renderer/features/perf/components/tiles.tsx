// The numbers of the window that is being measured; afterwards those of the chosen level.

import { SHOWN_RANKS } from '../shown-ranks.ts';
import type { PerfLevel, PerfProgress } from '../../../../src-shared/contract/perf-views.ts';
import { formatCount, formatMicros, formatRate, threeDigits } from '../../../lib/format.ts';
import { t } from '../../../texts/translate.ts';
import { cx } from '../../../ui/cx.ts';

type Numbers = NonNullable<PerfProgress['live']>;

/** Between two levels the numbers of the last one stay. */
export function Tiles({
  live,
  level,
  isLive,
}: {
  readonly live: Numbers | undefined;
  readonly level: PerfLevel | undefined;
  readonly isLive: boolean;
}) {
  // Between two levels the numbers of the last one stay.
  const numbers = isLive ? (live ?? level?.result) : level?.result;
  const ranks = numbers?.percentilesUs ?? {};
  const errors = numbers?.errorCount;
  const late = numbers?.lateCount;
  return (
    <section aria-label={t('perf.tiles')} className="@container flex flex-col gap-1.5">
      <div className="grid grid-cols-4 gap-2 @min-[56rem]:grid-cols-8" data-testid="perf-tiles">
        <Tile id="rate" title={t('perf.tile.rate')} value={formatRate(numbers?.inferPerSecond)} isMain />
        <Tile id="mean" title={t('perf.tile.mean')} value={formatMicros(numbers?.meanUs)} />
        {SHOWN_RANKS.map((rank) => (
          <Tile key={rank} id={`p${rank}`} title={`p${rank}`} value={formatMicros(ranks[rank])} />
        ))}
        <Tile
          id="errors"
          title={t('perf.tile.errors')}
          value={formatCount(errors)}
          isBad={(errors ?? 0) > 0}
        />
        <Tile id="late" title={t('perf.tile.late')} value={formatCount(late)} isBad={(late ?? 0) > 0} />
      </div>
      {!isLive && level !== undefined && (
        <p className="text-sm text-faint">
          {t(`perf.tile.of.${level.unit}`, { value: threeDigits(level.value) })}
        </p>
      )}
    </section>
  );
}

function Tile({
  id,
  title,
  value,
  isMain = false,
  isBad = false,
}: {
  readonly id: string;
  readonly title: string;
  readonly value: string;
  readonly isMain?: boolean;
  readonly isBad?: boolean;
}) {
  return (
    <div className="rounded-md border border-line bg-surface px-2.5 py-1.5" data-testid={`perf-tile-${id}`}>
      <p className="text-sm text-faint">{title}</p>
      <p
        className={cx(
          'text-lg font-semibold whitespace-nowrap tabular-nums',
          isBad ? 'text-bad' : isMain ? 'text-accent' : 'text-strong',
        )}
      >
        {value}
      </p>
    </div>
  );
}
