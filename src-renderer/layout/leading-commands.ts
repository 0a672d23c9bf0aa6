// Commands that a screen or a tab carries out, while it is not open: they open it, and are carried out there as soon as they
// can be. What starts long work is only led to, so that its plan is seen before it begins.

import type { Address } from '../lib/address.ts';
import { address, modelAddress } from '../lib/address.ts';
import { commandRegistry, disabledReason, registerCommand, runCommand } from '../lib/command-registry.ts';
import type { CommandHandler } from '../lib/command-registry.ts';
import { COMMANDS } from '../lib/command-table.ts';
import { activeTab, open } from '../lib/workspace-store.ts';
import { t } from '../texts/translate.ts';

interface Lead {
  /** Undefined = nothing says which model is meant. */
  readonly place: () => Address | undefined;
  readonly runsThere: boolean;
}

const tabOfShownModel = (tab: string) => (): Address | undefined => {
  const shown = activeTab()?.address;
  return shown?.area === 'models' && shown.model !== '' ? modelAddress(shown.model, tab) : undefined;
};

const LEADS: Readonly<Record<string, Lead>> = {
  'perf.start': { place: () => address('perf'), runsThere: false },
  'perf.compareLast': { place: () => address('perf'), runsThere: true },
  'analyzer.start': { place: () => address('analyzer'), runsThere: false },
  'config.format': { place: tabOfShownModel('config'), runsThere: true },
  'config.writeEffective': { place: tabOfShownModel('config'), runsThere: true },
  'warmup.run': { place: tabOfShownModel('warmup'), runsThere: true },
  'request.sendLast': { place: tabOfShownModel('playground'), runsThere: true },
};

/** Whoever has opened the screen and left it again no longer waits for the command. */
const LONGEST_WAIT_MS = 10_000;

/** Before any screen registers its own, which then counts. The function that comes back ends it. */
export function leadCommands(): () => void {
  const ends = Object.entries(LEADS).map(([id, { place, runsThere }]) => {
    const own: CommandHandler = {
      run: () => {
        const to = place();
        if (to === undefined) return;
        open(to);
        if (runsThere) runWhenPossible(id, own);
      },
      disabledReason: () =>
        place() === undefined
          ? t(COMMANDS.find((command) => command.id === id)?.unavailable ?? 'command.notHere')
          : undefined,
    };
    return registerCommand(id, own);
  });
  return () => ends.forEach((end) => end());
}

/** Once somebody else carries it out and nothing is against it. */
function runWhenPossible(id: string, lead: CommandHandler): void {
  const endMs = Date.now() + LONGEST_WAIT_MS;
  const look = (): void => {
    const handler = commandRegistry.getState().handlers.get(id)?.at(-1);
    if (handler !== lead && disabledReason(id) === undefined) runCommand(id);
    else if (Date.now() < endMs) setTimeout(look, 50);
  };
  look();
}
