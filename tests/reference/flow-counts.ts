// What a server has counted of some models: statistics and metrics, times as "some" or 0.

import { get, reply } from './http-calls.ts';
import type { Target } from './reference-case.ts';

type Json = string | number | boolean | null | readonly Json[] | { readonly [member: string]: Json };

/** Times are no part of the answer, but for whether there are any. */
function withoutTimes(value: Json, key = ''): Json {
  if (['ns', 'last_inference'].includes(key)) return Number(value) > 0 ? 'some' : 0;
  if (Array.isArray(value)) return (value as readonly Json[]).map((one) => withoutTimes(one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withoutTimes(member, name)]),
  );
}

function shortly(value: Json): unknown {
  if (Array.isArray(value)) return (value as readonly Json[]).map(shortly);
  if (typeof value !== 'object' || value === null) return value;
  const { count, ns, ...rest } = value as Record<string, Json>;
  if (count !== undefined && Object.keys(rest).length === 0) return `${String(count)} ${String(ns)}`;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortly(member)]));
}

const DURATION = /(_us|_ms|_sum|_duration\w*|_secs|quantile\w*|_bucket)\b/;

export async function countsOf(target: Target, models: readonly string[]): Promise<{ step: string }[]> {
  const rows: { step: string; [member: string]: unknown }[] = [];
  for (const model of models) {
    const { status, body } = await reply(target.httpPort, get(`/v2/models/${model}/stats`));
    const isFound = status === 200;
    const found = isFound ? (JSON.parse(body) as { model_stats: Json }).model_stats : body;
    rows.push({ step: `statistics of ${model}`, stats: shortly(withoutTimes(found)) });
  }
  const { body } = await reply(target.metricsPort, get('/metrics'));
  const lines = body.split('\n').filter((line) => line.startsWith('nv_'));
  for (const model of models)
    rows.push({
      step: `metrics of ${model}`,
      lines: lines
        .filter((line) => line.includes(`model="${model}"`))
        .filter((line) => !line.startsWith('nv_model_load'))
        .map((line) => {
          const [, name = '', value = ''] = /^(.*) (\S+)$/.exec(line) ?? [];
          return DURATION.test(name) ? `${name} ${Number(value) > 0 ? 'some' : value}` : line;
        })
        .sort(),
    });
  return rows;
}
