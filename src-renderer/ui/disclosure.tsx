// What most people do not need at once, one click away. Its content is drawn only while it is open.

import { ChevronDown, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { useState } from 'react';

import { Icon } from './icon.tsx';

/** A title that shows and hides what is below it. */
export function Disclosure({
  title,
  children,
  testId,
}: {
  readonly title: ReactNode;
  readonly children: ReactNode;
  readonly testId?: string;
}) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <button
        type="button"
        aria-expanded={isOpen}
        data-testid={testId}
        className="flex min-h-6 items-center gap-1 self-start text-sm font-medium text-accent hover:underline"
        onClick={() => setIsOpen(!isOpen)}
      >
        <Icon of={isOpen ? ChevronDown : ChevronRight} size={14} />
        {title}
      </button>
      {isOpen && children}
    </div>
  );
}
