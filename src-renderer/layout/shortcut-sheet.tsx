// All shortcuts on one sheet, as they are now.

import { useStore } from 'zustand';

import { nativeShell } from '../engine/native-shell.ts';
import { address } from '../lib/address.ts';
import { COMMANDS, railCommand } from '../lib/command-table.ts';
import type { FeatureDefinition } from '../lib/feature.ts';
import { displayShortcut } from '../lib/keys.ts';
import { keymap, shortcutFor } from '../lib/keymap.ts';
import { open } from '../lib/workspace-store.ts';
import { t } from '../texts/translate.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { railFeatures } from './rail.tsx';

const GROUPS = [
  'view',
  'model',
  'repository',
  'config',
  'request',
  'perf',
  'server',
  'list',
  'chart',
] as const;
/** Commands whose default keys no page of a browser is given. */
const BROWSER_KEEPS = ['tab.close', 'tab.reopen'] as const;

/** All shortcuts in a dialog. */
export function ShortcutSheet({
  features,
  isOpen,
  onClose,
}: {
  readonly features: readonly FeatureDefinition[];
  readonly isOpen: boolean;
  readonly onClose: () => void;
}) {
  const screens = new Map(
    railFeatures(features).map(({ title }, index) => [
      railCommand(index),
      t('shortcuts.goTo', { screen: t(title) }),
    ]),
  );
  const overrides = useStore(keymap, (state) => state.overrides);
  const bound = COMMANDS.filter(({ id }) => shortcutFor(id, overrides) !== undefined);
  const kept = BROWSER_KEEPS.filter((id) => overrides[id] === undefined)
    .map((id) => displayShortcut(shortcutFor(id)))
    .join(', ');
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
                    <dt className="text-strong">{screens.get(id) ?? t(title)}</dt>
                    <dd>
                      <kbd className="text-soft">{displayShortcut(shortcutFor(id, overrides))}</kbd>
                    </dd>
                  </div>
                ))}
            </dl>
            {group === 'list' && <p className="text-sm text-faint">{t('shortcuts.modelsKeys')}</p>}
            {group === 'chart' && <p className="text-sm text-faint">{t('shortcuts.chartKeys')}</p>}
          </section>
        ))}
      </div>
      {nativeShell() === undefined && kept !== '' && (
        <p className="mt-2 text-sm text-faint">{t('shortcuts.browser', { keys: kept })}</p>
      )}
    </Dialog>
  );
}
