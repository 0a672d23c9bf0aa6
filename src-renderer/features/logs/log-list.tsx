// Log lines as a virtual list that follows its end until the user scrolls up.

import { memo, useCallback, useRef, useState } from 'react';

import type { LogLine } from '../../../src-shared/contract/observe-views.ts';
import { useModels } from '../../engine/engine-context.tsx';
import { modelAddress } from '../../lib/address.ts';
import { formatClock } from '../../lib/format.ts';
import { open } from '../../lib/workspace-store.ts';
import { t } from '../../texts/translate.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { indexFrom } from './line-heights.ts';
import { useLineWindow } from './use-line-window.ts';

const NEAR_END_PX = 24;

const LEVELS = {
  error: { letter: 'E', color: 'text-bad' },
  warn: { letter: 'W', color: 'text-warn' },
  info: { letter: 'I', color: 'text-info' },
  verbose: { letter: 'V', color: 'text-faint' },
} as const;

/** Oldest line first. `lines` may grow in place at its end: draw it again then. */
export function LogList({
  lines,
  isWrapped,
}: {
  readonly lines: readonly LogLine[];
  readonly isWrapped: boolean;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useRef<HTMLDivElement>(null);
  const [isFollowing, setIsFollowing] = useState(true);
  /** Last line that was there when the user scrolled up. */
  const [leftAt, setLeftAt] = useState(0);
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set());
  const shape = isWrapped ? 'wrapped' : unfolded.size > 0 ? 'mixed' : 'single';
  const view = useLineWindow({ scroller, rows, lines, isFollowing, shape });
  const leave = (): void => {
    setIsFollowing(false);
    setLeftAt(lines.at(-1)?.sequence ?? 0);
  };
  const onScroll = (): void => {
    const element = scroller.current;
    if (element === null) return;
    const isAtEnd = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END_PX;
    if (isAtEnd) setIsFollowing(true);
    else if (isFollowing) leave();
    view.onScroll();
  };
  const toggleFold = useCallback((sequence: number): void => {
    setUnfolded((before) => {
      const next = new Set(before);
      if (!next.delete(sequence)) next.add(sequence);
      return next;
    });
  }, []);
  const newCount = isFollowing ? 0 : lines.length - indexFrom(lines, leftAt + 1);
  return (
    <div className="relative flex min-h-0 flex-1">
      <div
        ref={scroller}
        role="log"
        aria-label={t('logs.label')}
        aria-live="off"
        tabIndex={0}
        data-testid="log-list"
        onScroll={onScroll}
        onWheel={(event) => {
          if (event.deltaY < 0 && isFollowing && view.totalPx > (scroller.current?.clientHeight ?? 0))
            leave();
        }}
        className="focus-inset min-h-0 flex-1 overflow-auto font-mono text-sm [overflow-anchor:none]"
      >
        <div
          className="relative"
          style={{ height: view.totalPx, minWidth: isWrapped ? undefined : 'max-content' }}
        >
          <div
            ref={rows}
            className="absolute top-0 left-0 min-w-full"
            style={{ transform: `translateY(${view.topPx}px)` }}
          >
            {lines.slice(view.from, view.to).map((line) => (
              <Line
                key={line.sequence}
                line={line}
                isWrapped={isWrapped}
                isUnfolded={unfolded.has(line.sequence)}
                onFold={toggleFold}
              />
            ))}
          </div>
        </div>
      </div>
      {!isFollowing && (
        <Button
          size="sm"
          variant="primary"
          className="absolute right-4 bottom-3"
          data-testid="log-jump"
          onClick={() => setIsFollowing(true)}
        >
          {newCount === 0 ? t('logs.jump') : t('logs.latest', { count: newCount })}
        </Button>
      )}
    </div>
  );
}

/** Characters. Browsers draw nothing of a line that is wider than they can count, and are slow with long ones. */
const LONGEST_SHOWN = 20_000;

/** Stays as it is while others come. */
const Line = memo(function Line({
  line,
  isWrapped,
  isUnfolded,
  onFold,
}: {
  readonly line: LogLine;
  readonly isWrapped: boolean;
  readonly isUnfolded: boolean;
  readonly onFold: (sequence: number) => void;
}) {
  const level = LEVELS[line.level];
  const writer = line.instance ?? line.model ?? line.room;
  const parts = line.message.split('\n');
  const text = isUnfolded ? line.message : (parts[0] ?? '');
  return (
    <div
      data-sequence={line.sequence}
      className="grid min-h-5 grid-cols-[6.5rem_1rem_8rem_minmax(0,1fr)] gap-x-2 px-3 leading-5 hover:bg-hover"
    >
      <span className="text-faint">{formatClock(line.atMs, true)}</span>
      <span className={cx('font-bold', level.color)}>{level.letter}</span>
      <span className="truncate text-faint" title={writer}>
        {writer}
      </span>
      <span
        className={cx(
          'select-text',
          isWrapped || isUnfolded ? 'break-words whitespace-pre-wrap' : 'whitespace-pre',
          line.level === 'error' && 'text-bad',
        )}
      >
        {text.slice(0, LONGEST_SHOWN)}
        {text.length > LONGEST_SHOWN && (
          <span className="text-faint">
            {t('logs.moreCharacters', { count: text.length - LONGEST_SHOWN })}
          </span>
        )}
        {line.requestId !== undefined && <span className="text-faint"> #{line.requestId}</span>}
        {parts.length > 1 && (
          <button
            type="button"
            className="ml-2 rounded text-accent hover:underline"
            onClick={() => onFold(line.sequence)}
          >
            {isUnfolded ? t('logs.fold') : t('logs.moreLines', { count: parts.length - 1 })}
          </button>
        )}
        {line.level === 'error' && line.model !== undefined && <Explain model={line.model} />}
      </span>
    </div>
  );
});

/** Leads to the failure card, which explains the same error. */
function Explain({ model }: { readonly model: string }) {
  const hasFailed = useModels(({ byName }) => byName.get(model)?.state === 'failed');
  return hasFailed ? (
    <button
      type="button"
      className="ml-2 rounded text-accent hover:underline"
      onClick={() => open(modelAddress(model))}
    >
      {t('logs.explain')}
    </button>
  ) : null;
}
