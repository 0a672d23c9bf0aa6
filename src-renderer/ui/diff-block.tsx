// Two texts as one, with what went and what came marked by sign and colour. Never translated.

import { useMemo } from 'react';

import { diffLines } from '../lib/line-diff.ts';
import { cx } from './cx.ts';

const SIGNS = { same: ' ', removed: '−', added: '+' } as const;

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
  const lines = useMemo(() => diffLines(before, after), [before, after]);
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
      {lines.map(({ kind, text }, index) => (
        <div
          key={index}
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
      ))}
    </pre>
  );
}
