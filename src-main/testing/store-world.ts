// Model repositories in an S3 stand-in: the variables that lead to it, a mount directory of its own, and the folders
// that are in it now. Ends with the test file.

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, vi } from 'vitest';

import { objectStores } from '../object-stores/shared-stores.ts';
import { S3StandIn } from './s3-stand-in.ts';

/** The store of the test that runs. */
export interface StoreWorld {
  readonly store: S3StandIn;
  /** `s3://HOST:PORT/bucket/<below>`. */
  path(below: string): string;
  readonly mount: string;
  /** Names of the copies that are there. */
  copies(): Promise<readonly string[]>;
}

/** A fresh store for each test, with the key that it knows in the environment. */
export function storeWorld(): StoreWorld {
  let store: S3StandIn | undefined;
  let mount = '';
  const current = (): S3StandIn => {
    if (store === undefined) throw new Error('asked for outside of a test');
    return store;
  };
  beforeEach(async () => {
    await objectStores.close();
    store = await S3StandIn.create();
    mount = await mkdtemp(path.join(os.tmpdir(), 'conch-mount-'));
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'test-key');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'very-secret');
    vi.stubEnv('AWS_DEFAULT_REGION', 'us-east-1');
    vi.stubEnv('TRITON_AWS_MOUNT_DIRECTORY', mount);
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await store?.close();
    store = undefined;
    await rm(mount, { recursive: true, force: true });
  });
  return {
    get store() {
      return current();
    },
    get mount() {
      return mount;
    },
    path: (below) => `s3://127.0.0.1:${current().port}/${below}`,
    copies: () => readdir(mount),
  };
}
