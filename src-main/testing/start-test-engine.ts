// A whole engine on free ports over a temporary or given repository, disposable. Settings come from the caller where
// a test needs them.

import type { EngineDeps } from '../create-engine.ts';
import type { Engine } from '../engine.ts';
import { createEngine } from '../create-engine.ts';
import type { EngineOptions } from '../options/engine-options.ts';
import { testWireThreads } from './wire-thread-count.ts';
import { defaultEngineOptions } from '../options/engine-options.ts';

/** Options that a test sets; the others are the defaults with free ports. */
export type TestEngineOptions = { readonly [K in keyof EngineOptions]?: Partial<EngineOptions[K]> };

/** Explicit control with every model loaded, short exit budget, ports free unless switched off. */
export function testEngineOptions(repository: string, change: TestEngineOptions = {}): EngineOptions {
  const merged = Object.fromEntries(
    Object.entries(defaultEngineOptions).map(([group, defaults]) => [
      group,
      { ...(defaults as object), ...change[group as keyof EngineOptions] },
    ]),
  ) as unknown as EngineOptions;
  return {
    ...merged,
    server: { ...merged.server, exitTimeoutSec: change.server?.exitTimeoutSec ?? 10 },
    repository: {
      ...merged.repository,
      paths: [repository],
      controlMode: change.repository?.controlMode ?? 'explicit',
      startupModels: change.repository?.startupModels ?? ['*'],
    },
    http: { ...merged.http, port: 0, wireThreadCount: testWireThreads() },
    grpc: { ...merged.grpc, port: 0 },
    metrics: { ...merged.metrics, port: 0 },
  };
}

/** Resolves when its start set was tried. Dispose it: `await using` ends it with the test. */
export async function startTestEngine(
  repository: string,
  change: TestEngineOptions = {},
  deps: EngineDeps = {},
): Promise<Engine> {
  const engine = createEngine(testEngineOptions(repository, change), deps);
  await engine.start();
  return engine;
}
