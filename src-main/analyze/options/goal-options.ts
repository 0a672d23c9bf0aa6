// Objectives and constraints as a configuration file has them.

import type { Constraint, Constraints } from '../rank/constraints.ts';
import { CONSTRAINT_KINDS } from '../rank/constraints.ts';
import type { MetricTag } from '../rank/metrics.ts';
import { metricNamed } from '../rank/metrics.ts';
import type { Objectives } from '../rank/objectives.ts';
import { DEFAULT_OBJECTIVES, normalized } from '../rank/objectives.ts';
import type { Given } from './given-values.ts';
import { AnalyzeUsageError, isRecord, numberIn } from './given-values.ts';

function metric(name: string): MetricTag {
  const tag = metricNamed(name);
  if (tag === undefined) throw new AnalyzeUsageError(`'${name}' is no metric that is measured here`);
  return tag;
}

/** A list has equal weights. */
export function objectivesOf(value: unknown): Objectives {
  if (value === undefined) return DEFAULT_OBJECTIVES;
  const entries: readonly (readonly [string, unknown])[] = Array.isArray(value)
    ? value.map((name) => [String(name), 1] as const)
    : isRecord(value)
      ? Object.entries(value)
      : [];
  if (entries.length === 0)
    throw new AnalyzeUsageError("'objectives' needs metrics, as a list or with weights");
  return normalized(
    new Map(
      entries.map(([name, weight]) => [metric(name), numberIn({ [name]: weight }, name, 1, { min: 1 })]),
    ),
  );
}

/** Empty where there are none. Throws an AnalyzeUsageError for a metric that cannot be limited in this way. */
export function constraintsOf(value: unknown): Constraints {
  if (value === undefined) return new Map();
  if (!isRecord(value)) throw new AnalyzeUsageError("'constraints' needs metrics with min or max");
  return new Map(
    Object.entries(value).map(([name, limit]) => {
      const tag = metric(name);
      return [tag, constraintOf(name, tag, limit)];
    }),
  );
}

function constraintOf(name: string, tag: MetricTag, limit: unknown): Constraint {
  const kind = CONSTRAINT_KINDS.get(tag);
  if (kind === undefined) throw new AnalyzeUsageError(`'${name}' cannot be limited`);
  const [only, more] = isRecord(limit) ? Object.keys(limit) : [];
  if (!isRecord(limit) || only !== kind || more !== undefined)
    throw new AnalyzeUsageError(`the constraint of '${name}' is '${kind}', and nothing else`);
  return { kind, value: numberIn(limit, kind, 0, { min: Number.MIN_VALUE, isWhole: false }) };
}

/** `--latency-budget` and `--min-throughput`, over what the file says. */
export function shorthandConstraints(given: Given): Constraints {
  const limits = new Map<MetricTag, Constraint>();
  const above = { min: Number.MIN_VALUE, isWhole: false };
  if (given['latency_budget'] !== undefined)
    limits.set('perf_latency_p99', { kind: 'max', value: numberIn(given, 'latency_budget', 0, above) });
  if (given['min_throughput'] !== undefined)
    limits.set('perf_throughput', { kind: 'min', value: numberIn(given, 'min_throughput', 0, above) });
  return limits;
}
