// Columns that the tables can have, by the names that users choose them with.

import { passes } from '../rank/constraints.ts';
import type { Goals } from '../rank/constraints.ts';
import type { Metrics } from '../rank/metrics.ts';
import { metricNamed, metricOf } from '../rank/metrics.ts';
import type { Measurement, VariantRecord } from '../results/measurement.ts';
import { doubleText } from '../../perf/report/number-text.ts';

/** What a cell can be made of. */
export interface FieldRow {
  readonly model: string;
  readonly record: VariantRecord | undefined;
  readonly measured: Pick<Measurement, 'batchSize' | 'load' | 'metrics'> | undefined;
  readonly goals: Goals;
  /** Of one GPU; undefined in tables that are not about GPUs. */
  readonly gpuUuid: string | undefined;
  readonly gpuMetrics: Metrics;
}

interface Field {
  readonly header: string;
  readonly value: (row: FieldRow) => string;
}

const NAMED: Readonly<Record<string, Field>> = {
  model_name: { header: 'Model', value: ({ model }) => model },
  batch_size: { header: 'Batch', value: ({ measured }) => text(measured?.batchSize) },
  concurrency: { header: 'Concurrency', value: ({ measured }) => loadText(measured, 'concurrency') },
  request_rate: { header: 'Request Rate', value: ({ measured }) => loadText(measured, 'request-rate') },
  model_config_path: { header: 'Model Config Path', value: ({ record }) => record?.name ?? '' },
  instance_group: { header: 'Instance Group', value: ({ record }) => record?.instanceGroup ?? '' },
  max_batch_size: { header: 'Max Batch Size', value: ({ record }) => text(record?.maxBatchSize) },
  satisfies_constraints: {
    header: 'Satisfies Constraints',
    value: ({ measured, goals }) =>
      measured !== undefined && passes(measured.metrics, goals) ? 'Yes' : 'No',
  },
  gpu_uuid: { header: 'GPU UUID', value: ({ gpuUuid }) => gpuUuid ?? '' },
};

const BACKEND = 'backend_parameter/';

/** undefined for a name that there is not. */
export function fieldNamed(name: string): Field | undefined {
  const named = NAMED[name];
  if (named !== undefined) return named;
  if (name.startsWith(BACKEND)) {
    const key = name.slice(BACKEND.length);
    return { header: name, value: ({ record }) => record?.parameters[key] ?? '' };
  }
  const tag = metricNamed(name);
  if (tag === undefined) return undefined;
  return {
    header: metricOf(tag).header,
    value: ({ measured, gpuUuid, gpuMetrics }) => {
      const value =
        gpuUuid === undefined ? measured?.metrics[tag] : (gpuMetrics[tag] ?? measured?.metrics[tag]);
      return value === undefined ? '' : doubleText(value);
    },
  };
}

function text(value: number | undefined): string {
  return value === undefined ? '' : String(value);
}

function loadText(measured: FieldRow['measured'], unit: Measurement['load']['unit']): string {
  return measured?.load.unit === unit ? String(measured.load.value) : '';
}
