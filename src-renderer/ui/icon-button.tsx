// A button with only an icon: its label is its accessible name and its tooltip, which tip-host shows. 24 px at least.

import type { ButtonHTMLAttributes, Ref } from 'react';

import { spokenShortcut } from '../lib/keys.ts';
import { cx } from './cx.ts';
import type { IconType } from './icon.tsx';
import { Icon } from './icon.tsx';
import { useOfflineReason } from './offline.ts';
import { useTabIndex } from './tab-stop.ts';
import type { TipSide } from './tip-host.tsx';

/** `label` is the name that readers hear, and the tooltip. */
export interface IconButtonProps extends Omit<
  ButtonHTMLAttributes<HTMLButtonElement>,
  'disabled' | 'children'
> {
  readonly label: string;
  readonly icon: IconType;
  readonly shortcut?: string | undefined;
  readonly isPressed?: boolean | undefined;
  readonly isBusy?: boolean | undefined;
  readonly disabledReason?: string | undefined;
  /** It asks the server: it is off while the window has lost it. */
  readonly needsServer?: boolean | undefined;
  readonly tooltipSide?: TipSide;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** A button with an icon alone. */
export function IconButton({
  label,
  icon,
  shortcut = '',
  isPressed,
  isBusy = false,
  disabledReason: ownReason,
  needsServer = false,
  tooltipSide = 'bottom',
  className,
  onClick,
  ...rest
}: IconButtonProps) {
  const tabIndex = useTabIndex();
  const offlineReason = useOfflineReason();
  const disabledReason = needsServer && offlineReason !== undefined ? offlineReason : ownReason;
  const isDisabled = disabledReason !== undefined || isBusy;
  const text = disabledReason === undefined ? label : `${label}: ${disabledReason}`;
  return (
    <button
      type="button"
      tabIndex={tabIndex}
      aria-label={label}
      aria-keyshortcuts={spokenShortcut(shortcut)}
      aria-pressed={isPressed}
      aria-disabled={isDisabled || undefined}
      data-tip={shortcut === '' ? text : `${text}  ${shortcut}`}
      data-tip-side={tooltipSide}
      className={cx(
        'inline-flex size-7 shrink-0 items-center justify-center rounded text-soft transition-colors hover:bg-hover hover:text-strong',
        isPressed === true && 'bg-hover text-accent',
        isDisabled && 'opacity-45',
        className,
      )}
      onClick={isDisabled ? (event) => event.preventDefault() : onClick}
      {...rest}
    >
      <Icon of={icon} className={isBusy ? 'animate-turn' : undefined} />
    </button>
  );
}
