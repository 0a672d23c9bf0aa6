// The configuration the server uses, or would use with the text as typed: every line with the place it comes from.

import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useMemo, useRef, useState } from 'react';

import type { OriginKind } from '../../../../src-shared/contract/config-calls.ts';
import type { ModelView } from '../../../../src-shared/contract/model-view.ts';
import { useCall } from '../../../engine/use-call.ts';
import type { LanguageContext } from '../../../config/language/language-protocol.ts';
import { formatCount } from '../../../lib/format.ts';
import { t } from '../../../texts/translate.ts';
import { Badge } from '../../../ui/badge.tsx';
import type { Tone } from '../../../ui/badge.tsx';
import { Banner } from '../../../ui/banner.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Select } from '../../../ui/select.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { Segmented } from '../../../ui/toggles.tsx';
import type { DraftHead } from '../../../config/drafts/config-drafts.ts';
import type { ShownLine } from '../effective-selectors.ts';
import {
  lineParts,
  linesOf,
  numbered,
  ORIGINS,
  originCounts,
  saysReason,
  servedLines,
} from '../effective-selectors.ts';
import { useLanguageAnswer } from '../../../config/drafts/use-config-document.ts';

type Source = 'running' | 'text';

/** What each pane beside the editor gets: a model, its document and what the language worker knows of it. */
export interface PaneProps {
  readonly model: ModelView;
  readonly document: string;
  readonly draft: DraftHead;
  readonly facts: LanguageContext | undefined;
}

/** Lines can be chosen by where they come from. A text with an error is shown as far as it could be completed. */
export function EffectivePane({ model, document, draft, facts }: PaneProps) {
  const isRunning = model.state === 'ready';
  const [chosen, setChosen] = useState<Source>();
  const [origin, setOrigin] = useState<OriginKind>();
  // Without a choice: what runs, as long as the text is what it runs from.
  const fitting: Source =
    draft.isDirty || model.changedOnDisk || draft.profile !== undefined ? 'text' : 'running';
  const { refusal } = draft.disk;
  // A text that is not opened says nothing of what it would give.
  const source: Source = refusal !== undefined ? 'running' : isRunning ? (chosen ?? fitting) : 'text';
  const running = useCall(
    'config/effective',
    source === 'running' ? { model: model.name } : undefined,
    `${model.loadedAtMs} ${String(model.hasOverride)}`,
  );
  const typed = useLanguageAnswer('effective', document, source === 'text', facts);
  const lines = useMemo(
    () =>
      source === 'running'
        ? running.data && servedLines(running.data)
        : typed.answer && numbered(typed.answer.lines),
    [source, running.data, typed.answer],
  );
  const shown = useMemo(() => lines && linesOf(lines, origin), [lines, origin]);
  const whole = useMemo(() => (lines ?? []).map(({ text }) => `${text}\n`).join(''), [lines]);
  const error = source === 'running' ? running.error : typed.error;
  const textError = source === 'text' ? typed.answer?.error : undefined;
  return (
    <div className="flex min-h-0 flex-1 flex-col" data-testid="config-effective" data-source={source}>
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-2 py-1.5">
        <Segmented
          label={t('config.effective.source')}
          testId="effective-source"
          value={source}
          onChange={setChosen}
          options={[
            {
              value: 'running',
              label: t('config.effective.running'),
              disabledReason: isRunning ? undefined : t('config.effective.notRunning'),
            },
            {
              value: 'text',
              label: t('config.effective.text'),
              disabledReason: refusal === undefined ? undefined : t(`config.refused.${refusal}`),
            },
          ]}
        />
        <OriginFilter lines={lines ?? NO_LINES} origin={origin} onOrigin={setOrigin} />
        <div className="ml-auto">
          <CopyButton text={whole} what={t('config.effective.lines')} isIconOnly />
        </div>
      </div>
      {error !== undefined && <Banner tone="bad">{error}</Banner>}
      {textError !== undefined && (
        <Banner isStrip tone="warn" testId="effective-error">
          {t('config.effective.error', { error: textError })}
        </Banner>
      )}
      {shown === undefined ? error === undefined && <Skeleton rows={8} /> : <Lines lines={shown} />}
    </div>
  );
}

const NO_LINES: readonly ShownLine[] = [];

const OriginFilter = memo(function OriginFilter({
  lines,
  origin,
  onOrigin,
}: {
  readonly lines: readonly ShownLine[];
  readonly origin: OriginKind | undefined;
  readonly onOrigin: (origin: OriginKind | undefined) => void;
}) {
  const counts = originCounts(lines);
  return (
    <Select
      aria-label={t('config.effective.filter')}
      data-testid="effective-filter"
      value={origin ?? 'all'}
      onChange={(value) => onOrigin(value === 'all' ? undefined : value)}
      options={[
        { value: 'all' as const, label: `${t('config.effective.all')} (${formatCount(lines.length)})` },
        ...ORIGINS.filter((kind) => counts[kind] > 0 || kind === origin).map((kind) => ({
          value: kind,
          label: `${t(`config.origin.${kind}`)} (${formatCount(counts[kind])})`,
        })),
      ]}
    />
  );
});

const LINE_PX = 20;

const Lines = memo(function Lines({ lines }: { readonly lines: readonly ShownLine[] }) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_PX,
    initialRect: { width: 0, height: 600 },
    overscan: 20,
  });
  if (lines.length === 0) return <p className="p-4 text-faint">{t('config.effective.empty')}</p>;
  return (
    <div
      ref={scroller}
      role="region"
      aria-label={t('config.effective.lines')}
      tabIndex={0}
      className="focus-inset min-h-0 flex-1 overflow-auto py-1 font-mono text-sm"
    >
      <ol className="relative w-full min-w-max" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start, size }) => {
          const line = lines[index];
          return (
            line !== undefined && (
              <li
                key={line.number}
                data-origin={line.origin}
                className="absolute inset-x-0 flex items-center gap-3 pr-2 select-text hover:bg-hover"
                style={{ top: start, height: size }}
              >
                <span aria-hidden="true" className="w-8 shrink-0 text-right text-faint select-none">
                  {line.number}
                </span>
                <code className="shrink-0 whitespace-pre">
                  <LineText text={line.text} />
                </code>
                <OriginTag line={line} saysReason={saysReason(lines, index)} />
              </li>
            )
          );
        })}
      </ol>
    </div>
  );
});

const PART_COLORS = {
  key: 'text-c1',
  string: 'text-c3',
  number: 'text-c2',
  word: 'text-c4',
  plain: 'text-soft',
} as const;

function LineText({ text }: { readonly text: string }) {
  return lineParts(text).map(([kind, part], index) => (
    <span key={index} className={PART_COLORS[kind]}>
      {part}
    </span>
  ));
}

const ORIGIN_TONES: Readonly<Record<OriginKind, Tone>> = {
  file: 'neutral',
  'auto-complete': 'info',
  default: 'neutral',
  flag: 'warn',
  override: 'good',
};

function OriginTag({
  line: { origin, reason },
  saysReason: isSaid,
}: {
  readonly line: ShownLine;
  readonly saysReason: boolean;
}) {
  const name = t(`config.origin.${origin}`);
  return (
    <span className="sticky right-2 ml-auto flex min-w-0 items-center gap-2 font-sans">
      {isSaid && (
        <span className="max-w-64 min-w-0 truncate text-xs text-faint" title={reason}>
          {reason}
        </span>
      )}
      {origin === 'file' ? (
        // Most lines are from the file; a mark on each would hide the few that are not.
        <span className="sr-only">{name}</span>
      ) : (
        <Badge tone={ORIGIN_TONES[origin]} title={reason === undefined ? name : reason}>
          {name}
        </Badge>
      )}
    </span>
  );
}
