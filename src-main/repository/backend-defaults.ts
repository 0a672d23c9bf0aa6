// The one setting that every backend is given when the user says nothing of it.

import { DEFAULT_MAX_BATCH_SIZE } from '../../src-shared/config/config-defaults.ts';
import { getLogger } from '../base/log.ts';

const log = getLogger('repository');

const KEY = 'default-max-batch-size';

type Settings = ReadonlyMap<string, string>;

/** max_batch_size that completion gives to models that can batch; 0 switches the inference of batching off. */
export function defaultMaxBatchSize(settings: Settings): number {
  const text = settings.get(KEY);
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : DEFAULT_MAX_BATCH_SIZE;
}

/** At each load, as the reference does. */
export function logDefaultSetting(settings: Settings): void {
  const given = settings.get(KEY);
  log.verbose(
    1,
    given === undefined
      ? `Adding default backend config setting: ${KEY},${DEFAULT_MAX_BATCH_SIZE}`
      : `Found overwritten default setting: ${KEY},${given}`,
  );
}
