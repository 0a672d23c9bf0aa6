// Unit tests sit beside the source; conformance and golden tests live in tests/.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    pool: 'threads',
    maxWorkers: 2,
    testTimeout: 20_000,
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
          environment: 'node',
          testTimeout: 60_000,
          pool: 'forks',
        },
      },
    ],
  },
});
