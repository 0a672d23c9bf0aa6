// The environment that a model's process begins with: that of the server, as in the reference, without what the launcher
// (bin/conch.mjs) set for the server's own memory.

/** What the launcher set; nothing when its user had set it. */
const OF_LAUNCHER = 'CONCH_MEMORY_POOLS';
const POOLS = 'MALLOC_ARENA_MAX';

/** The variables of `server` with `own` on top. */
export function modelEnvironment(server: NodeJS.ProcessEnv, own: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const environment = { ...server };
  if (environment[OF_LAUNCHER] === environment[POOLS]) delete environment[POOLS];
  delete environment[OF_LAUNCHER];
  return { ...environment, ...own };
}
