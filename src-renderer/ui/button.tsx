// The button. A button that cannot be used says why: it stays focusable and its reason is its tooltip, which tip-host
// shows, and its description. It is the same element with and without a reason, so that it keeps the focus.

import { LoaderCircle } from 'lucide-react';
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';

import { cx } from './cx.ts';
import type { IconType } from './icon.tsx';
import { Icon } from './icon.tsx';
import { useOfflineReason } from './offline.ts';

/** primary: the one main act of a screen; danger: what cannot be taken back. */
export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger';

/** Those of a button of HTML, but for `disabled`, which takes the focus away. */
export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> {
  readonly variant?: ButtonVariant | undefined;
  readonly size?: 'sm' | 'md' | 'lg' | undefined;
  readonly icon?: IconType | undefined;
  readonly isBusy?: boolean | undefined;
  /** Why it cannot be used now; undefined = it can. */
  readonly disabledReason?: string | undefined;
  /** It needs no server: it stays usable while the window has lost its own. */
  readonly worksOffline?: boolean | undefined;
  readonly children?: ReactNode;
  readonly ref?: Ref<HTMLButtonElement>;
}

const VARIANTS: Readonly<Record<ButtonVariant, string>> = {
  primary: 'border-accent bg-accent text-on-accent hover:border-accent-hover hover:bg-accent-hover',
  secondary: 'border-line-strong/70 bg-surface text-strong hover:bg-hover',
  ghost: 'border-transparent bg-transparent text-soft hover:bg-hover hover:text-strong',
  danger: 'border-bad bg-surface text-bad hover:bg-bad-soft',
};

const SIZES = {
  sm: 'h-6 gap-1 px-2 text-sm',
  md: 'h-7 gap-1.5 px-2.5 text-base',
  lg: 'h-9 gap-2 px-4 text-md',
} as const;

/** A button with a text. */
export function Button({
  variant = 'secondary',
  size = 'md',
  icon,
  isBusy = false,
  disabledReason: ownReason,
  worksOffline = false,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  const offlineReason = useOfflineReason();
  const disabledReason = worksOffline || offlineReason === undefined ? ownReason : offlineReason;
  const isDisabled = disabledReason !== undefined || isBusy;
  return (
    <button
      type="button"
      aria-disabled={isDisabled || undefined}
      aria-busy={isBusy || undefined}
      aria-description={disabledReason}
      data-tip={disabledReason}
      className={cx(
        'inline-flex shrink-0 items-center justify-center rounded border font-medium whitespace-nowrap transition-colors',
        VARIANTS[variant],
        SIZES[size],
        isDisabled && 'opacity-55',
        className,
      )}
      onClick={isDisabled ? (event) => event.preventDefault() : onClick}
      {...rest}
    >
      {isBusy ? (
        <Icon of={LoaderCircle} size={14} className="animate-turn" />
      ) : (
        icon !== undefined && <Icon of={icon} size={size === 'lg' ? 18 : 14} />
      )}
      {children}
    </button>
  );
}
