// The environment that a model's process begins with: that of the server, as in the reference, without what the launcher
// (bin/conch.mjs) set for the server's own memory.

/** Names of what the launcher set, with commas between; without what its user had set. */
const OF_LAUNCHER = 'CONCH_MEMORY_SETTINGS';

/** The variables of `server` with `own` on top. */
export function modelEnvironment(server: NodeJS.ProcessEnv, own: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const dropped = new Set([OF_LAUNCHER, ...(server[OF_LAUNCHER] ?? '').split(',')]);
  const kept = Object.entries(server).filter(([name]) => !dropped.has(name));
  return { ...Object.fromEntries(kept), ...own };
}
