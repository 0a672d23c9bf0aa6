// Unit tests sit beside the source; conformance and golden tests live in tests/.
// Unit files of one worker share their modules (`isolate: false`): loading them again for each file cost twice the
// tests. So a test cleans up what it leaves in a module, and asks for nothing that only the first use of one gives. The
// window keeps too much in its modules for that (a question left open takes the focus of the next file's page): each
// of its files has modules of its own.
import os from 'node:os';
import path from 'node:path';

import { defineConfig } from 'vitest/config';

// Tests that run ONNX Runtime in a thread of Vitest inherit this; its maker is to hear of nothing.
process.env['ORT_DISABLE_TELEMETRY'] = '1';

// As in `npm test`: programs and threads that a test starts find what was compiled for the last one.
process.env['NODE_COMPILE_CACHE'] ??= path.join(import.meta.dirname, '.cache', 'compiled');

/** The window's texts come in two parts; tests of the window have both. */
const TEXTS = path.join(import.meta.dirname, 'src-renderer/testing/texts-setup.ts');
/** jsdom lays nothing out. */
const NO_LAYOUT = path.join(import.meta.dirname, 'src-renderer/testing/no-layout-setup.ts');
/** `vi.waitFor` waits one second by default, which cannot be set. */
const TURNS = path.join(import.meta.dirname, 'src-renderer/testing/turns-setup.ts');
const WAITS = path.join(import.meta.dirname, 'tests/patient-waits.ts');
const LOG_LEVELS = path.join(import.meta.dirname, 'tests/log-levels.ts');
const PATIENCE_MS = 20_000;
const GPU = 'tests/conformance/gpu/*.test.ts';

/** What these hand to streams, fetch and signals of Node comes back as objects of Node's own realm, which is another in a context. */
const IN_THREADS = [
  'src-renderer/features/graph/{graph-tab,onnx-drawing}.test.tsx',
  'src-renderer/features/import/wizard-dialog.test.tsx',
  'src-renderer/features/playground/input-sources.test.tsx',
];

/** They hear complaints, or use `act`, which React has only as it is while one develops. */
const HEARS_REACT = [
  'src-renderer/features/graph/ensemble-graph.test.tsx',
  'src-renderer/ui/{time-plot,toast}.test.tsx',
];

/** For the suite that lets React complain of what it keeps to itself as it ships. */
const HEARS_ALL = process.env['CONCH_TEST_REACT'] === 'development';
const COMPLAINTS = path.join(import.meta.dirname, 'src-renderer/testing/react-complaints.ts');

const ON_GPU = (process.env['CONCH_GPU_PROVIDER'] ?? '') !== '';

export default defineConfig({
  test: {
    pool: 'threads',
    maxWorkers: os.availableParallelism(),
    // A machine that is busy, or small, may take ten times as long; a test that would hang is ended all the same.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: PATIENCE_MS } },
    // What a test moves to the bin of the system stays out of the user's. Tests on a GPU need what `conch gpu install` put
    // into the user's folder, and move nothing.
    env: ON_GPU ? {} : { XDG_DATA_HOME: path.join(import.meta.dirname, '.cache', 'xdg-data') },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['src-*/**/*.test.ts', 'tools/**/*.test.ts'],
          environment: 'node',
          isolate: false,
          setupFiles: [TURNS, TEXTS, WAITS],
        },
      },
      {
        extends: true,
        test: {
          name: 'renderer',
          include: ['src-renderer/**/*.test.tsx'],
          exclude: [...IN_THREADS, ...HEARS_REACT],
          environment: 'jsdom',
          isolate: true,
          // A context for each file instead of a thread: jsdom is loaded once, not once a file.
          pool: 'vmThreads',
          vmMemoryLimit: '1GB',
          setupFiles: [TURNS, TEXTS, NO_LAYOUT, WAITS, ...(HEARS_ALL ? [COMPLAINTS] : [])],
          // React as it ships: as it develops it keeps a stack for each element, a fifth of the time of these tests.
          env: HEARS_ALL ? {} : { NODE_ENV: 'production' },
        },
        oxc: { jsx: { development: HEARS_ALL } },
      },
      {
        extends: true,
        test: {
          name: 'renderer-threads',
          include: [...IN_THREADS, ...HEARS_REACT],
          environment: 'jsdom',
          isolate: true,
          setupFiles: [TURNS, TEXTS, NO_LAYOUT, WAITS],
        },
      },
      {
        extends: true,
        test: {
          name: 'conformance',
          // As the unit files: loading the engine anew for each file cost a quarter of these tests.
          isolate: false,
          setupFiles: [WAITS, LOG_LEVELS],
          include: ['tests/**/*.test.ts'],
          exclude: ['tests/frameworks/**', 'tests/faults/**', 'tests/stores/**', GPU],
          environment: 'node',
          testTimeout: 120_000,
          pool: 'forks',
        },
      },
      {
        extends: true,
        test: {
          name: 'gpu',
          setupFiles: WAITS,
          include: [GPU],
          environment: 'node',
          testTimeout: 120_000,
          // A process for each file: some of them ask what a process holds of its GPU.
          pool: 'forks',
        },
      },
      {
        extends: true,
        test: {
          name: 'frameworks',
          setupFiles: WAITS,
          include: ['tests/frameworks/**/*.test.ts'],
          environment: 'node',
          // A framework takes seconds to import, and minutes on a busy machine.
          testTimeout: 120_000,
          pool: 'forks',
        },
      },
      {
        extends: true,
        test: {
          name: 'stores',
          setupFiles: WAITS,
          include: ['tests/stores/**/*.test.ts'],
          environment: 'node',
          testTimeout: 120_000,
          // The first one fetches its emulator.
          hookTimeout: 600_000,
          pool: 'forks',
        },
      },
      {
        extends: true,
        test: {
          name: 'faults',
          setupFiles: WAITS,
          include: ['tests/faults/**/*.test.ts'],
          environment: 'node',
          testTimeout: 180_000,
          pool: 'forks',
          maxWorkers: 1,
        },
      },
    ],
  },
});
