// The column of details beside a drawing. Enter in the drawing moves the focus here, Escape gives it back.

import { X } from 'lucide-react';
import type { ReactNode } from 'react';

import { t } from '../../../texts/translate.ts';
import { IconButton } from '../../../ui/icon-button.tsx';

const PANEL_ID = 'graph-panel';

/** The frame of the column: a heading, a button that closes it, and `children` that scroll. */
export function SidePanel({
  title,
  kind,
  onClose,
  children,
}: {
  readonly title: string;
  /** "Conv", "Scope": what the title is the name of. */
  readonly kind?: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  return (
    <section
      id={PANEL_ID}
      aria-label={t('graph.panel')}
      tabIndex={-1}
      data-testid="graph-panel"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        document.querySelector<HTMLElement>('[data-testid="graph-canvas"]')?.focus();
      }}
      className="focus-inset flex min-h-0 flex-1 flex-col overflow-auto border-l border-line bg-surface"
    >
      <header className="sticky top-0 z-10 flex items-start gap-2 border-b border-line bg-surface px-3 py-2">
        <div className="min-w-0 flex-1">
          <h3 className="font-semibold break-words text-strong">{title}</h3>
          {kind !== undefined && <div className="text-sm text-soft">{kind}</div>}
        </div>
        <IconButton label={t('graph.panel.close')} icon={X} onClick={onClose} />
      </header>
      <div className="flex flex-col gap-4 p-3">{children}</div>
    </section>
  );
}

/** Moves the focus into the details once they are drawn. */
export function focusPanel(): void {
  // The panel may be drawn only now, with the selection that Enter was pressed on.
  requestAnimationFrame(() => document.getElementById(PANEL_ID)?.focus());
}

/** One heading inside the column. */
export function PanelSection({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="min-w-0">
      <h4 className="mb-1.5 text-sm font-medium text-soft">{title}</h4>
      {children}
    </div>
  );
}
