// The graph as a tree that is read and walked through by keys: all of it, however large, and what a search found.

import { useVirtualizer } from '@tanstack/react-virtual';
import { ChevronDown, ChevronRight } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { useEffect, useRef } from 'react';

import { t } from '../../../texts/translate.ts';
import { cx } from '../../../ui/cx.ts';
import { Icon } from '../../../ui/icon.tsx';
import type { OutlineRow } from '../outline-rows.ts';

const ROW_PX = 26;
const INDENT_PX = 14;

/** The rows in their order, and what keys and clicks call. */
export interface OutlineProps {
  readonly rows: readonly OutlineRow[];
  readonly selected: string | undefined;
  /** The row that keys or a click moved to. */
  readonly onSelect: (row: OutlineRow) => void;
  /** Enter or a double click. */
  readonly onOpen: (row: OutlineRow) => void;
  /** Only for scopes; `isOpen` is what the row is to be. */
  readonly onToggle: (row: OutlineRow, isOpen: boolean) => void;
  readonly emptyText: string;
}

/** A tree for screen readers; only the rows in sight are in the page. */
export function GraphOutline(props: OutlineProps) {
  const { rows, selected } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
  });
  const at = rows.findIndex(({ id }) => id === selected);
  useEffect(() => {
    if (at >= 0) virtual.scrollToIndex(at);
  }, [virtual, at]);
  return (
    <div
      ref={scroller}
      role="tree"
      aria-label={t('graph.outline')}
      aria-activedescendant={at >= 0 ? rowId(at) : undefined}
      tabIndex={0}
      data-testid="graph-outline"
      data-count={rows.length}
      onKeyDown={(event) => onKey(event, props, at)}
      className="focus-inset min-h-0 flex-1 overflow-auto"
    >
      {rows.length === 0 && <p className="p-3 text-faint">{props.emptyText}</p>}
      <div role="presentation" className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          return row === undefined ? null : (
            <Row key={row.id} {...props} row={row} index={index} startPx={start} />
          );
        })}
      </div>
    </div>
  );
}

const rowId = (index: number): string => `graph-outline-row-${index}`;

function Row({
  row,
  index,
  startPx,
  ...props
}: OutlineProps & { readonly row: OutlineRow; readonly index: number; readonly startPx: number }) {
  const isSelected = row.id === props.selected;
  return (
    <div
      id={rowId(index)}
      role="treeitem"
      aria-level={row.level}
      aria-expanded={row.isOpen}
      aria-selected={isSelected}
      aria-setsize={props.rows.length}
      aria-posinset={index + 1}
      data-testid={`graph-row-${row.id}`}
      onClick={() => props.onSelect(row)}
      onDoubleClick={() => props.onOpen(row)}
      style={{
        height: ROW_PX,
        transform: `translateY(${startPx}px)`,
        paddingLeft: 6 + (row.level - 1) * INDENT_PX,
      }}
      className={cx(
        'absolute top-0 right-0 left-0 flex items-center gap-1.5 pr-2',
        isSelected ? 'bg-selected' : 'hover:bg-hover',
      )}
    >
      {row.isOpen === undefined ? (
        <span className="w-4 shrink-0" />
      ) : (
        <span
          aria-hidden
          onClick={(event) => {
            event.stopPropagation();
            props.onToggle(row, row.isOpen !== true);
          }}
          className="inline-flex size-4 shrink-0 items-center justify-center text-soft"
        >
          <Icon of={row.isOpen ? ChevronDown : ChevronRight} size={14} />
        </span>
      )}
      <span
        className={cx('shrink-0 truncate', row.kind === 'scope' ? 'font-medium text-strong' : 'text-strong')}
      >
        {row.title}
      </span>
      <span className="min-w-0 flex-1 truncate font-mono text-xs text-faint" title={row.detail}>
        {row.detail}
      </span>
      <span className="shrink-0 text-xs text-faint">{noteOf(row)}</span>
    </div>
  );
}

function noteOf({ kind, count }: OutlineRow): string {
  if (kind === 'scope') return String(count);
  return kind === 'operator' ? '' : t(`graph.outline.${kind}`);
}

function onKey(event: KeyboardEvent<HTMLDivElement>, props: OutlineProps, at: number): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { rows } = props;
  const row = rows[at];
  const page = Math.max(1, Math.floor(event.currentTarget.clientHeight / ROW_PX) - 1);
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: Math.max(0, at - 1),
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: rows.length - 1,
  };
  const move = moves[event.key];
  if (move !== undefined) {
    const next = rows[Math.min(rows.length - 1, Math.max(0, move))];
    if (next !== undefined) props.onSelect(next);
  } else if (row?.isOpen !== undefined && event.key === 'ArrowRight') {
    const inner = rows[at + 1];
    if (!row.isOpen) props.onToggle(row, true);
    else if (inner !== undefined && inner.level > row.level) props.onSelect(inner);
  } else if (row !== undefined && event.key === 'ArrowLeft') {
    if (row.isOpen === true) props.onToggle(row, false);
    else {
      const parent = rows.slice(0, at).findLast(({ level }) => level < row.level);
      if (parent !== undefined) props.onSelect(parent);
    }
  } else if (row !== undefined && event.key === 'Enter') props.onOpen(row);
  else return;
  event.preventDefault();
}
