// Two texts as one, with what went and what came marked by sign and colour, and with what stayed only around it.

import { useMemo } from 'react';

import type { DiffLine } from '../lib/line-diff.ts';
import { diffLines, foldSame } from '../lib/line-diff.ts';
import { t } from '../texts/translate.ts';
import { cx } from './cx.ts';

const CONTEXT_LINES = 3;
const SIGNS = { same: ' ', removed: '−', added: '+' } as const;

/** Two texts line by line, with what went and what came. */
export function DiffBlock({
  before,
  after,
  label,
  className,
  testId,
}: {
  readonly before: string;
  readonly after: string;
  readonly label: string;
  readonly className?: string;
  readonly testId?: string;
}) {
  const lines = useMemo(() => foldSame(diffLines(before, after), CONTEXT_LINES), [before, after]);
  return (
    <pre
      aria-label={label}
      tabIndex={0}
      data-testid={testId}
      className={cx(
        'overflow-auto rounded border border-line bg-sunken py-2 leading-[1.125rem] text-strong select-text',
        className,
      )}
    >
      {lines.map((line, index) =>
        line.kind === 'folded' ? (
          <div key={index} data-kind="folded" className="px-2.5 font-sans text-sm text-faint select-none">
            {t('common.linesAsBefore', { count: line.count })}
          </div>
        ) : (
          <Line key={index} {...line} />
        ),
      )}
    </pre>
  );
}

function Line({ kind, text }: DiffLine) {
  return (
    <div
      data-kind={kind}
      className={cx('px-2.5', kind === 'added' && 'bg-good-soft', kind === 'removed' && 'bg-bad-soft')}
    >
      <span
        className={cx(
          'inline-block w-4 select-none',
          kind === 'added' ? 'text-good' : kind === 'removed' ? 'text-bad' : 'text-faint',
        )}
      >
        {SIGNS[kind]}
      </span>
      {text}
    </div>
  );
}
