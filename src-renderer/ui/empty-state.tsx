// What a view shows when there is nothing: one sentence of fact, one of help, and what to do next.

import type { ReactNode } from 'react';

import type { IconType } from './icon.tsx';
import { Icon } from './icon.tsx';

/** What stands where there is nothing yet, and how to change that. */
export function EmptyState({
  icon,
  title,
  text,
  actions,
  testId,
}: {
  readonly icon?: IconType | undefined;
  readonly title: string;
  readonly text?: ReactNode;
  readonly actions?: ReactNode;
  readonly testId?: string | undefined;
}) {
  return (
    <div
      data-testid={testId}
      className="flex min-h-40 flex-1 flex-col items-center justify-center gap-2 p-6 text-center"
    >
      {icon !== undefined && <Icon of={icon} size={24} className="mb-1 text-faint" />}
      <p className="text-md font-medium text-strong">{title}</p>
      {text !== undefined && <div className="max-w-lg text-soft">{text}</div>}
      {actions !== undefined && <div className="mt-3 flex flex-wrap justify-center gap-2">{actions}</div>}
    </div>
  );
}
