// Unit tests sit beside the source; conformance and golden tests live in tests/.
import os from 'node:os';
import path from 'node:path';

import { defineConfig } from 'vitest/config';

// Tests that run ONNX Runtime in a thread of Vitest inherit this; its maker is to hear of nothing.
process.env['ORT_DISABLE_TELEMETRY'] = '1';

export default defineConfig({
  test: {
    pool: 'threads',
    maxWorkers: os.availableParallelism(),
    testTimeout: 20_000,
    // What a test moves to the bin of the system stays out of the user's.
    env: { XDG_DATA_HOME: path.join(import.meta.dirname, '.cache', 'xdg-data') },
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['src-*/**/*.test.ts', 'tools/**/*.test.ts'], environment: 'node' },
      },
      {
        extends: true,
        test: { name: 'renderer', include: ['src-renderer/**/*.test.tsx'], environment: 'jsdom' },
      },
      {
        extends: true,
        test: {
          name: 'conformance',
          include: ['tests/**/*.test.ts'],
          exclude: ['tests/frameworks/**', 'tests/faults/**'],
          environment: 'node',
          testTimeout: 60_000,
          pool: 'forks',
        },
      },
      {
        extends: true,
        test: {
          name: 'frameworks',
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
          name: 'faults',
          include: ['tests/faults/**/*.test.ts'],
          environment: 'node',
          testTimeout: 180_000,
          hookTimeout: 120_000,
          pool: 'forks',
          maxWorkers: 1,
        },
      },
    ],
  },
});
