// Measures two versions of a model one after the other with the same short test, and shows both runs side by side.

import type { EngineClient } from '../engine/engine-client.ts';
import { address } from '../lib/address.ts';
import { open } from '../lib/workspace-store.ts';
import { t } from '../texts/translate.ts';

/**
 * Queues the same short run for each version, and opens the Perf lab with both compared. Rejects when the
 * engine refuses one.
 */
export async function compareSpeed(
  client: EngineClient,
  { model, versions }: { readonly model: string; readonly versions: readonly [string, string] },
): Promise<void> {
  const { presets, plan } = await client.call('perf/plan', { model });
  // The first preset is the quick one, made for a first look.
  const quick = presets[0]?.plan ?? plan;
  const started: string[] = [];
  for (const version of versions) {
    const { runs } = await client.call('perf/start', {
      plan: { ...quick, version },
      name: t('model.compare.runName', { name: model, version }),
      configText: undefined,
    });
    started.push(...runs);
  }
  open(address('perf', { query: { model, compare: started.join(',') } }));
}
