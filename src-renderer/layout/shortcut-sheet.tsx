// All shortcuts on one sheet, as they are now.

import { useStore } from 'zustand';

import { address } from '../lib/address.ts';
import { COMMANDS } from '../lib/command-table.ts';
import { displayShortcut } from '../lib/keys.ts';
import { keymap, shortcutFor } from '../lib/keymap.ts';
import { open } from '../lib/workspace-store.ts';
import { t } from '../texts/translate.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';

const GROUPS = ['view', 'model', 'repository', 'config', 'request', 'perf', 'server'] as const;

export function ShortcutSheet({
  isOpen,
  onClose,
}: {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}) {
  const overrides = useStore(keymap, (state) => state.overrides);
  const bound = COMMANDS.filter(({ id }) => shortcutFor(id, overrides) !== '');
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={t('shortcuts.title')}
      width="md"
      testId="shortcut-sheet"
      footer={
        <Button
          onClick={() => {
            onClose();
            open(address('settings', { tab: 'shortcuts' }));
          }}
        >
          {t('shortcuts.change')}
        </Button>
      }
    >
      <div className="columns-2 gap-8">
        {GROUPS.filter((group) => bound.some((command) => command.group === group)).map((group) => (
          <section key={group} className="mb-4 break-inside-avoid">
            <h3 className="mb-1 text-sm font-semibold text-soft">{t(`group.${group}`)}</h3>
            <dl>
              {bound
                .filter((command) => command.group === group)
                .map(({ id, title }) => (
                  <div key={id} className="flex items-baseline justify-between gap-3 py-0.5">
                    <dt className="text-strong">{t(title)}</dt>
                    <dd>
                      <kbd className="text-soft">{displayShortcut(shortcutFor(id, overrides))}</kbd>
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
        <section className="break-inside-avoid">
          <h3 className="mb-1 text-sm font-semibold text-soft">{t('shortcuts.models')}</h3>
          <p className="mb-3 text-strong">{t('shortcuts.modelsKeys')}</p>
          <h3 className="mb-1 text-sm font-semibold text-soft">{t('shortcuts.chart')}</h3>
          <p className="text-strong">{t('shortcuts.chartKeys')}</p>
        </section>
      </div>
    </Dialog>
  );
}
