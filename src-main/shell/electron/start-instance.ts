// One app per user-data folder. A second start hands over what it was asked to open and ends; what it cannot hand over
// (options count at a start only) is said.

import { app } from 'electron';
import type { BrowserWindow } from 'electron';
import { z } from 'zod';

import { parseServeOptions } from '../../cli/serve-options.ts';
import { UsageError } from '../../options/usage-error.ts';
import { choose } from './dialogs.ts';
import type { OwnArguments } from './own-arguments.ts';

/** What one start tells another. */
const schema = z.object({ paths: z.array(z.string()), options: z.array(z.string()), isHidden: z.boolean() });
/** What a second start hands to the first. */
export type Handed = z.infer<typeof schema>;

/** Repositories are opened like folders; everything else counts at a start only. */
export function handedOver({ options, paths, isHidden }: OwnArguments): Handed {
  const isRepository = (option: string): boolean => /^--model-(repository|store)=/.test(option);
  const isElsewhere = (option: string): boolean => option.startsWith('--user-data=');
  const repositories = repositoriesOf(options);
  return {
    paths: [...repositories, ...paths],
    options: options.filter((option) => !isRepository(option) && !isElsewhere(option)),
    isHidden,
  };
}

function repositoriesOf(options: readonly string[]): readonly string[] {
  try {
    const parsed = parseServeOptions(['--ui', ...options]);
    return parsed === 'help' ? [] : parsed.engine.repository.paths;
  } catch (thrown) {
    if (thrown instanceof UsageError) return [];
    throw thrown;
  }
}

/** False where another instance runs, which was told. `onHanded` is called for each later start. */
export function claimInstance(handed: Handed, onHanded: (handed: Handed) => void): boolean {
  if (!app.requestSingleInstanceLock(handed)) return false;
  app.on('second-instance', (_event, _argv, _folder, data) => {
    const parsed = schema.safeParse(data);
    onHanded(parsed.success ? parsed.data : { paths: [], options: [], isHidden: false });
  });
  return true;
}

/** Says which options of a second start were not taken. */
export function tellLateOptions(window: BrowserWindow | undefined, options: readonly string[]): void {
  if (options.length === 0) return;
  void choose(window, {
    type: 'info',
    message: 'Conch runs already.',
    detail: `These options count when it starts, so they were not taken: ${options.join(' ')}. Quit Conch and start it with them.`,
    buttons: ['OK'],
  });
}
