// Opens the dialog of hand-overs where its command is given. The dialog is fetched then.

import { Suspense, useState } from 'react';

import { useCommand } from '../../lib/command-registry.ts';
import { lazyView } from '../../lib/lazy-view.ts';

const HandoverDialog = lazyView(
  async () => (await import('./components/handover-dialog.tsx')).HandoverDialog,
);

/** Stands once in the window, whatever screen is shown. */
export function HandoverHost() {
  const [isOpen, setIsOpen] = useState(false);
  useCommand('server.handOver', () => setIsOpen(true));
  if (!isOpen) return null;
  return (
    <Suspense fallback={null}>
      <HandoverDialog onClose={() => setIsOpen(false)} />
    </Suspense>
  );
}
