// Answers the calls about settings, and tells every page what was changed by one.

import type { HandlersFor } from '../../../src-shared/contract/contract.ts';
import type { settingsCalls } from '../../../src-shared/contract/settings-calls.ts';
import { importCommand } from '../../options/import-command.ts';
import type { ControlRoom } from '../pages/control-room.ts';
import type { SettingsStore } from './settings-store.ts';

/** `onChange` is told the keys that were written. */
export function settingsRoom(
  settings: SettingsStore,
  onChange: (keys: readonly string[]) => void,
): ControlRoom<HandlersFor<typeof settingsCalls>> {
  return {
    handlers: {
      'settings/read': async () => {
        const edited = await settings.takeEdits();
        if (edited.length > 0) onChange(edited);
        return settings.view();
      },
      'settings/write': async ({ changes }) => {
        onChange(await settings.write(changes));
        return settings.view();
      },
      'settings/importCommand': ({ text }) => importCommand(text),
      'settings/readLayout': async ({ key }) => ({ json: await settings.readLayout(key) }),
      'settings/writeLayout': ({ key, json }) => settings.writeLayout(key, json),
    },
  };
}
