import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { WORKER_ENTRIES, entryFrom, workerEntryUrl } from './worker-entry.ts';
import type { WorkerName } from './worker-entry.ts';

describe('workerEntryUrl', () => {
  it('points at an existing source file for every name', () => {
    for (const name of Object.keys(WORKER_ENTRIES) as WorkerName[]) {
      expect(existsSync(fileURLToPath(workerEntryUrl(name))), name).toBe(true);
    }
  });

  it.each([
    ['file:///app/out/main/engine.js', 'file:///app/out/main/workers/onnx-session.js'],
    ['file:///app/out/main/chunks/host-1a2b.js', 'file:///app/out/main/workers/onnx-session.js'],
    ['file:///app/out/main/workers/other.js', 'file:///app/out/main/workers/onnx-session.js'],
  ])('finds the bundled entry from %s', (moduleUrl, expected) => {
    expect(entryFrom(moduleUrl, 'onnx-session').href).toBe(expected);
  });
});
