// Which scripts the window's page starts with. Left to itself the bundler makes a file of every part that two screens
// share, which is fifty requests before the first screen is there. Here all that the page always needs is one file, and
// all that its first screen needs on top is another.

/** What the bundler knows of one module. */
interface ModuleFacts {
  readonly importedIds: readonly string[];
}

interface ChunkContext {
  getModuleInfo(id: string): ModuleFacts | null;
}

/** Opens the socket; what it imports goes with it. */
export const EARLY_ENTRY = 'src-renderer/engine/early-socket.ts';
const EARLY_MODULES = /\/src-renderer\/engine\/(?:early-socket|page-token|socket-url)\.ts$/;

/** How the names of the files begin. */
export const EARLY_CHUNK = 'early';
/** The file with what the first screen needs. */
export const SCREEN_CHUNK = 'screen';

/** What is fetched at every start: the screen that is shown, what waits above it, and their texts. */
const SCREEN_ROOTS = [
  '/src-renderer/features/repository/repository-view.tsx',
  '/src-renderer/features/hosts.tsx',
  '/src-renderer/texts/late-texts.ts',
];

/** The modules and everything that they import, without what is fetched later. */
function closureOf(roots: readonly string[], context: ChunkContext): ReadonlySet<string> {
  const seen = new Set<string>();
  const waiting = [...roots];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    waiting.push(...(context.getModuleInfo(id)?.importedIds ?? []));
  }
  return seen;
}

/** Groups of modules for the bundler; the first that takes a module has it. `root`: the folder of the sources. */
export function pageChunks(root: string) {
  let screen: ReadonlySet<string> | undefined;
  const nameInScreen = (id: string, context: ChunkContext): string | null => {
    screen ??= closureOf(
      SCREEN_ROOTS.map((file) => `${root}${file}`),
      context,
    );
    return screen.has(id) ? SCREEN_CHUNK : null;
  };
  return [
    { name: EARLY_CHUNK, test: EARLY_MODULES, includeDependenciesRecursively: false },
    { name: 'first', tags: ['$initial' as const] },
    { name: nameInScreen },
  ];
}
