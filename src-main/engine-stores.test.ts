// A whole engine over a repository in an object store.

import { expect, test } from 'vitest';

import { addLogSink } from './base/log.ts';
import { startTestEngine } from './testing/start-test-engine.ts';
import { storeWorld } from './testing/store-world.ts';

const stores = storeWorld();

const CONFIG = `backend: "identity"
input { name: "INPUT0" data_type: TYPE_INT32 dims: [ 1 ] }
output { name: "OUTPUT0" data_type: TYPE_INT32 dims: [ 1 ] }`;

test.each(['poll', 'none'] as const)(
  'in mode %s the log tells how to upload where that matters',
  async (controlMode) => {
    stores.store.write({ 'bucket/repo/m/config.pbtxt': CONFIG, 'bucket/repo/m/1/': '' });
    const root = stores.path('bucket/repo');
    const lines: string[] = [];
    const end = addLogSink(({ message }) => void lines.push(message));
    try {
      await using engine = await startTestEngine(root, { repository: { controlMode } });
      expect(engine.service.isReady()).toBe(true);
      const told = lines.filter((line) => line.startsWith(`${root} is polled: upload the last file`));
      expect(told).toHaveLength(controlMode === 'poll' ? 1 : 0);
    } finally {
      end();
    }
  },
);
