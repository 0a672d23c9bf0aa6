// The recent repositories as Windows takes them for the jump list of the app's icon.

import type { JumpListCategory } from 'electron';
import path from 'node:path';

/** The recent repositories behind the categories that Windows had before, as it wants them. */
export function jumpList(
  program: string,
  before: readonly string[],
  paths: readonly string[],
): JumpListCategory[] {
  if (paths.length === 0) return [];
  const items = paths.map((repository) => ({
    type: 'task' as const,
    title: path.win32.basename(repository),
    description: repository.slice(-255),
    program,
    args: [...before, repository].map((argument) => `"${argument}"`).join(' '),
    iconPath: program,
    iconIndex: 0,
  }));
  return [{ type: 'custom', name: 'Recent repositories', items }];
}
