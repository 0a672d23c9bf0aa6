// `npm start`: from a fresh clone to a served sample repository. Installs and builds only what changed, then opens the
// Electron window, or where that is impossible says why in one line and serves the same window to a browser.

import { spawn } from 'node:child_process';
import path from 'node:path';
import { childEnvironment, ensureBuilt, ensureInstalled, pinnedNode, root, say } from './bootstrap.mjs';
import { findElectron, hasDisplay } from './electron-binary.mjs';

/** Replaces this process as well as Node can: same terminal, same signals, same exit code. */
function become(command, args, options = {}) {
  // The server ends when this process does, or npm before it, also by a signal that nobody can pass on.
  const env = childEnvironment({ CONCH_LAUNCHERS: String(process.pid) });
  const child = spawn(command, args, { cwd: process.cwd(), stdio: 'inherit', env, ...options });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('error', (error) => {
    say(error.message);
    process.exitCode = 1;
  });
  child.once('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGINT' || signal === 'SIGTERM' ? 0 : 1);
  });
}

async function main() {
  const flags = process.argv.slice(2);
  await ensureInstalled();
  await ensureBuilt();
  const electron = await findElectron();
  if (electron.file !== undefined) {
    const sandbox = process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    // A terminal that closes, or Ctrl+C in it, sends a signal to all processes of the group. Helpers of Chromium would end
    // by it before the app has drained, and the app would hear it twice, which ends it at once: it hears it from here only.
    become(electron.file, [...sandbox, root, ...flags], { detached: process.platform !== 'win32' });
    return;
  }
  say(`no Electron window, because ${electron.reason}; serving the window to a browser instead`);
  const open = hasDisplay() ? ['--ui-open'] : [];
  become(pinnedNode(), [path.join(root, 'bin/conch.mjs'), 'serve', '--ui', ...open, ...flags]);
}

try {
  await main();
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
