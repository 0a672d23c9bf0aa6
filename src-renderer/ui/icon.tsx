// Icons of the window: one stroke, sizes on the grid, hidden from screen readers because text always stands beside or
// a label is on the control.

import type { LucideIcon } from 'lucide-react';
import { memo } from 'react';

/** An icon of the set. */
export type IconType = LucideIcon;

/** An icon beside a text, which readers do not hear. Drawn again only when it is another one. */
export const Icon = memo(function Icon({
  of: Shape,
  size = 16,
  className,
}: {
  readonly of: IconType;
  readonly size?: 12 | 14 | 16 | 18 | 20 | 24 | undefined;
  readonly className?: string | undefined;
}) {
  return <Shape aria-hidden="true" size={size} strokeWidth={1.75} className={className ?? ''} />;
});
