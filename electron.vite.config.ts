// Three builds: the Node side (Electron main, engine process, headless command, one file per worker), the preload as
// one CommonJS file (a sandboxed preload can be nothing else), and the window. Dependencies stay in node_modules.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { defineConfig } from 'electron-vite';
import type { PluginOption, UserConfig } from 'vite';
import { WORKER_ENTRIES } from './src-main/base/worker-entry.ts';
import { packedFiles } from './tools/page-build/packed-files.ts';
import { EARLY_CHUNK, EARLY_ENTRY, pageChunks } from './tools/page-build/page-chunks.ts';
import { pageHtml } from './tools/page-build/page-html.ts';

const root = import.meta.dirname;

/**
 * The oldest runtime that the build is run in, by the tests of the desktop app (`tools/older-electron`); the Electron
 * that we ship is newer. One build for both, so that what is tested is what is shipped. What newer languages have and
 * this one lacks is translated; newer functions of Node or the browser must be looked for before they are called.
 */
const OLDEST = { node: 'node20.18', page: 'chrome130' } as const;

const processEntries = {
  'electron-main': 'src-main/shell/electron/main.ts',
  'electron-engine': 'src-main/shell/electron/engine-entry.ts',
  conch: 'src-main/shell/headless/main.ts',
};

function inputs(entries: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(entries)
      .map(([name, file]) => [name, path.join(root, file)] as const)
      .filter(([, file]) => existsSync(file)),
  );
}

const workerEntries = Object.fromEntries(
  Object.entries(WORKER_ENTRIES).map(([name, file]) => [`workers/${name}`, `src-main/${file}`]),
);

async function rendererPlugins(): Promise<PluginOption[]> {
  const [{ default: react }, { default: tailwind }] = await Promise.all([
    import('@vitejs/plugin-react'),
    import('@tailwindcss/vite'),
  ]);
  return [react(), tailwind(), pageHtml(), packedFiles()];
}

const rendererPage = path.join(root, 'src-renderer/index.html');

const renderer: UserConfig = {
  root: path.join(root, 'src-renderer'),
  base: './',
  publicDir: path.join(root, 'src-renderer/public'),
  plugins: [rendererPlugins()],
  worker: { format: 'es' },
  build: {
    outDir: path.join(root, 'out/renderer'),
    emptyOutDir: true,
    target: OLDEST.page,
    chunkSizeWarningLimit: 4096,
    minify: true,
    rolldownOptions: {
      input: { index: rendererPage, [EARLY_CHUNK]: path.join(root, EARLY_ENTRY) },
      output: { codeSplitting: { groups: pageChunks(root) } },
    },
  },
};

export default defineConfig({
  main: {
    build: {
      outDir: path.join(root, 'out/main'),
      emptyOutDir: true,
      target: OLDEST.node,
      sourcemap: true,
      minify: false,
      rolldownOptions: {
        input: inputs({ ...processEntries, ...workerEntries }),
        output: {
          format: 'es',
          entryFileNames: '[name].js',
          chunkFileNames: 'chunks/[name]-[hash].js',
        },
      },
    },
  },
  ...(existsSync(path.join(root, 'src-preload/preload.ts'))
    ? {
        preload: {
          build: {
            outDir: path.join(root, 'out/preload'),
            emptyOutDir: true,
            externalizeDeps: false,
            rolldownOptions: {
              input: { preload: path.join(root, 'src-preload/preload.ts') },
              output: { format: 'cjs' as const, entryFileNames: '[name].cjs' },
            },
          },
        },
      }
    : {}),
  ...(existsSync(rendererPage) ? { renderer } : {}),
});
