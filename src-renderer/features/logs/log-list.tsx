// Log lines as a virtual list that follows its end until the user scrolls up.

import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useRef, useState } from 'react';

import type { LogLine } from '../../../src-shared/contract/observe-views.ts';
import { useModels } from '../../engine/engine-context.tsx';
import { modelAddress } from '../../lib/address.ts';
import { formatClock } from '../../lib/format.ts';
import { open } from '../../lib/workspace-store.ts';
import { t } from '../../texts/translate.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';

const LINE_PX = 20;
const NEAR_END_PX = 24;

const LEVELS = {
  error: { letter: 'E', color: 'text-bad' },
  warn: { letter: 'W', color: 'text-warn' },
  info: { letter: 'I', color: 'text-info' },
  verbose: { letter: 'V', color: 'text-faint' },
} as const;

/** Oldest line first. */
export function LogList({
  lines,
  isWrapped,
}: {
  readonly lines: readonly LogLine[];
  readonly isWrapped: boolean;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const [isFollowing, setIsFollowing] = useState(true);
  /** Last line that was there when the user scrolled up. */
  const [leftAt, setLeftAt] = useState(0);
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set());
  // With another function all lines would be measured anew, at each scroll.
  const keyOf = useCallback((index: number) => lines[index]?.sequence ?? index, [lines]);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_PX,
    getItemKey: keyOf,
    overscan: 20,
  });
  const lastIndex = lines.length - 1;
  useEffect(() => {
    if (isFollowing && lastIndex >= 0) virtual.scrollToIndex(lastIndex, { align: 'end' });
  }, [virtual, isFollowing, lastIndex]);
  const onScroll = (): void => {
    const element = scroller.current;
    if (element === null) return;
    const isAtEnd = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END_PX;
    if (isAtEnd !== isFollowing) {
      setIsFollowing(isAtEnd);
      setLeftAt(lines.at(-1)?.sequence ?? 0);
    }
  };
  const toggleFold = (sequence: number): void => {
    const next = new Set(unfolded);
    if (!next.delete(sequence)) next.add(sequence);
    setUnfolded(next);
  };
  // From the end, where the new ones are.
  const lastSeen = isFollowing ? lastIndex : lines.findLastIndex(({ sequence }) => sequence <= leftAt);
  const newCount = lastIndex - lastSeen;
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
          if (
            event.deltaY < 0 &&
            isFollowing &&
            lines.length * LINE_PX > (scroller.current?.clientHeight ?? 0)
          ) {
            setIsFollowing(false);
            setLeftAt(lines.at(-1)?.sequence ?? 0);
          }
        }}
        className="focus-inset min-h-0 flex-1 overflow-auto font-mono text-sm"
      >
        <div
          className="relative"
          style={{ height: virtual.getTotalSize(), minWidth: isWrapped ? undefined : 'max-content' }}
        >
          {virtual.getVirtualItems().map(({ index, start, key }) => {
            const line = lines[index];
            return line === undefined ? null : (
              <div
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                className="absolute top-0 left-0 min-w-full"
                style={{ transform: `translateY(${start}px)` }}
              >
                <Line
                  line={line}
                  isWrapped={isWrapped}
                  isUnfolded={unfolded.has(line.sequence)}
                  onFold={toggleFold}
                />
              </div>
            );
          })}
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

function Line({
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
  const text = isUnfolded ? line.message : parts[0];
  return (
    <div className="grid min-h-5 grid-cols-[6.5rem_1rem_8rem_minmax(0,1fr)] gap-x-2 px-3 leading-5 hover:bg-hover">
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
        {text}
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
}

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
