// What a family of metrics is about, by its name: headings of the list. What models and backends made comes last.

import { t } from '../../../texts/translate.ts';

const GROUPS = [
  [/^nv_inference_|^nv_model_|^nv_kv_|^nv_token_/, 'metrics.group.models'],
  [/^nv_cache_/, 'metrics.group.cache'],
  [/^nv_gpu_|^nv_energy_/, 'metrics.group.gpu'],
  [/^nv_cpu_|^nv_pinned_|^process_|^nodejs_/, 'metrics.group.machine'],
] as const;

/** The heading that a family stands under. */
export function groupOfFamily(name: string): string {
  return t(GROUPS.find(([pattern]) => pattern.test(name))?.[1] ?? 'metrics.group.own');
}
