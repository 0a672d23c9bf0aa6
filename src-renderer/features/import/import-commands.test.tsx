import { afterEach, expect, test } from 'vitest';

import { disabledReason, runCommand } from '../../lib/command-registry.ts';
import { modelAddress } from '../../lib/address.ts';
import { INITIAL_WORKSPACE, open, workspace } from '../../lib/workspace-store.ts';
import type { Rendered } from '../../testing/render.tsx';
import { renderView } from '../../testing/render.tsx';
import { ImportCommands } from './import-commands.tsx';

let page: Rendered | undefined;
afterEach(async () => {
  await page?.close();
  workspace.setState(INITIAL_WORKSPACE);
});

test.each(['model.export', 'model.convert', 'model.locateData', 'model.replaceFile'])(
  '%s is about the model that is named, else the one that is shown, and cannot run without any',
  async (command) => {
    page = await renderView(<ImportCommands />);
    expect(disabledReason(command)).toContain('model');
    expect(runCommand(command)).toBe(false);
    expect(disabledReason(command, 'simple')).toBeUndefined();
    open(modelAddress('simple'));
    expect(disabledReason(command)).toBeUndefined();
  },
);
