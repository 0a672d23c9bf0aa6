// The rooms of the window's page; the others are in room-table.ts.

import type { Ladder } from './room-types.ts';

const REACT = ['react', 'lucide-react'];
const SCREEN = [...REACT, 'zustand'];

/** From the lowest level up; a room sees those below its own. */
export const PAGE: Ladder = {
  name: 'page',
  sees: ['shared'],
  levels: [
    [
      { folder: 'src-renderer/texts', owns: 'every sentence of the window', libraries: ['zustand'] },
      { folder: 'src-renderer/styles', owns: 'colours, sizes, type', libraries: ['tailwindcss'] },
    ],
    [
      {
        folder: 'src-renderer/lib',
        owns: 'formats, keys, addresses, the workspace: nothing of the engine',
        libraries: SCREEN,
      },
    ],
    [
      {
        folder: 'src-renderer/ui',
        owns: 'buttons, tables, charts: props in, events out',
        libraries: [
          ...SCREEN,
          'react-dom',
          'recharts',
          '@base-ui/react',
          '@tanstack/react-virtual',
          'markdown-to-jsx',
          'react-resizable-panels',
          'sonner',
        ],
      },
    ],
    [
      {
        folder: 'src-renderer/engine',
        owns: 'the connection, and what the engine told last',
        libraries: ['react', 'zustand'],
      },
    ],
    [{ folder: 'src-renderer/actions', owns: 'what several screens let the user do', libraries: SCREEN }],
    [
      {
        folder: 'src-renderer/config',
        owns: 'the configuration being edited: drafts, language service, text editor',
        libraries: [...SCREEN, 'monaco-editor'],
      },
      {
        folder: 'src-renderer/tensors',
        owns: 'looking at tensors: one viewer for every screen',
        libraries: REACT,
      },
    ],
    [
      {
        folder: 'src-renderer/features/graph',
        owns: 'drawings of models and ensembles',
        libraries: [...SCREEN, '@xyflow/react', '@dagrejs/dagre', '@tanstack/react-virtual'],
      },
      {
        folder: 'src-renderer/features',
        scope: 'each',
        owns: 'one screen each; none sees another',
        libraries: [...SCREEN, '@tanstack/react-virtual'],
      },
    ],
    [
      {
        folder: 'src-renderer/features',
        scope: 'files',
        owns: 'the list of screens and of tabs of a model',
        libraries: SCREEN,
      },
    ],
    [
      {
        folder: 'src-renderer/layout',
        owns: 'window frame, navigation, command palette',
        libraries: [...SCREEN, 'cmdk', '@base-ui/react'],
      },
    ],
    [
      {
        folder: 'src-renderer',
        scope: 'files',
        owns: 'the window put together',
        libraries: ['react', 'react-dom'],
      },
    ],
  ],
};
