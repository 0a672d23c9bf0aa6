// A short word in a frame: kinds, counts, marks. With a tone it carries an icon or a word, never colour alone.

import type { ReactNode } from 'react';

import { cx } from './cx.ts';
import type { IconType } from './icon.tsx';
import { Icon } from './icon.tsx';

/** What a colour says; it is never the only thing that says it. */
export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'info';

/** Classes that give a text the colour of a tone. */
export const TONE_TEXT: Readonly<Record<Tone, string>> = {
  neutral: 'text-soft',
  good: 'text-good',
  warn: 'text-warn',
  bad: 'text-bad',
  info: 'text-info',
};

const FRAMES: Readonly<Record<Tone, string>> = {
  neutral: 'border-line bg-sunken text-soft',
  good: 'border-good/40 bg-good-soft text-good',
  warn: 'border-warn/40 bg-warn-soft text-warn',
  bad: 'border-bad/40 bg-bad-soft text-bad',
  info: 'border-info/40 bg-info-soft text-info',
};

/** A word or count in a coloured box. */
export function Badge({
  children,
  tone = 'neutral',
  icon,
  title,
  testId,
}: {
  readonly children: ReactNode;
  readonly tone?: Tone;
  readonly icon?: IconType | undefined;
  readonly title?: string | undefined;
  readonly testId?: string | undefined;
}) {
  return (
    <span
      title={title}
      data-testid={testId}
      className={cx(
        'inline-flex h-[1.125rem] shrink-0 items-center gap-1 rounded border px-1 text-xs leading-none whitespace-nowrap',
        FRAMES[tone],
      )}
    >
      {icon !== undefined && <Icon of={icon} size={12} />}
      {children}
    </span>
  );
}
