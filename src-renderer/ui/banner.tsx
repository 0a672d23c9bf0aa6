// A condition that lasts (server stopped, changed on disk, override active) with what can be done about it.

import { CircleAlert, CircleCheck, CircleX, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

import type { Tone } from './badge.tsx';
import { TONE_TEXT } from './badge.tsx';
import { cx } from './cx.ts';
import { Icon } from './icon.tsx';

const ICONS = { neutral: Info, good: CircleCheck, info: Info, warn: TriangleAlert, bad: CircleX } as const;
const FRAMES: Readonly<Record<Tone, string>> = {
  neutral: 'border-line bg-sunken',
  good: 'border-good/35 bg-good-soft',
  warn: 'border-warn/35 bg-warn-soft',
  bad: 'border-bad/35 bg-bad-soft',
  info: 'border-info/35 bg-info-soft',
};

/** What a banner says, and what can be done about it. */
export interface BannerProps {
  readonly tone?: Tone;
  readonly children: ReactNode;
  /** Buttons. */
  readonly actions?: ReactNode;
  readonly testId?: string | undefined;
  /** Full width with only a line below, instead of a rounded box. */
  readonly isStrip?: boolean;
}

/** A message that stays where it is about. One of tone `bad` is spoken at once, others when there is time. */
export function Banner({ tone = 'info', children, actions, testId, isStrip = false }: BannerProps) {
  return (
    <div
      role={tone === 'bad' ? 'alert' : 'status'}
      aria-live={tone === 'bad' ? 'assertive' : 'polite'}
      data-testid={testId}
      className={cx(
        'flex flex-wrap items-center gap-x-3 gap-y-2 px-3 py-1.5',
        isStrip ? 'border-b' : 'rounded-md border',
        FRAMES[tone],
      )}
    >
      <Icon of={tone === 'neutral' ? CircleAlert : ICONS[tone]} className={cx('shrink-0', TONE_TEXT[tone])} />
      <div className="min-w-[min(14rem,calc(100%-2rem))] flex-1 text-strong">{children}</div>
      {actions !== undefined && <div className="flex items-center gap-2">{actions}</div>}
    </div>
  );
}
