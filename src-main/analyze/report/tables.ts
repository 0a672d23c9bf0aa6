// The tables of a profile, as text and as CSV.

import type { Goals } from '../rank/constraints.ts';
import { ranked } from '../rank/constraints.ts';
import type { GpuMeasurement, VariantRecord } from '../results/measurement.ts';
import { rankedVariants } from '../results/ranking.ts';
import type { FieldRow } from './fields.ts';
import { fieldNamed } from './fields.ts';

/** A model with all of its variants, and what they are ranked by. */
export interface ProfiledModel {
  readonly model: string;
  readonly goals: Goals;
  readonly unit: 'concurrency' | 'request-rate';
  readonly records: readonly VariantRecord[];
}

/** Cells are texts; every row has as many as there are headers. */
export interface Table {
  readonly title: string;
  readonly headers: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

function loadField(models: readonly ProfiledModel[]): string {
  return models.some(({ unit }) => unit === 'request-rate') ? 'request_rate' : 'concurrency';
}

/** The best variant of a model first, and of a variant the best measurement. */
export function inferenceTable(
  models: readonly ProfiledModel[],
  fields: readonly string[] | undefined,
): Table {
  const names = fields ?? [
    ...['model_name', 'batch_size', loadField(models), 'model_config_path', 'instance_group'],
    ...['max_batch_size', 'satisfies_constraints', 'perf_throughput', 'perf_latency_p99'],
  ];
  return tableOf('Models (Inference):', names, models.flatMap(rowsOf));
}

/** A row for each GPU of each measurement; no rows where there are none. */
export function gpuTable(models: readonly ProfiledModel[], fields: readonly string[] | undefined): Table {
  const names = fields ?? [
    ...['model_name', 'gpu_uuid', 'batch_size', loadField(models), 'model_config_path', 'instance_group'],
    ...['satisfies_constraints', 'gpu_used_memory', 'gpu_utilization', 'gpu_power_usage'],
  ];
  const rows = models
    .flatMap(rowsOf)
    .flatMap((row) => row.gpus.map(({ uuid, metrics }) => ({ ...row, gpuUuid: uuid, gpuMetrics: metrics })));
  return tableOf('Models (GPU Metrics):', names, rows);
}

/** A row for each GPU of the server without load. */
export function serverTable(gpus: readonly GpuMeasurement[], fields: readonly string[] | undefined): Table {
  const names = fields ?? ['model_name', 'gpu_uuid', 'gpu_used_memory', 'gpu_utilization', 'gpu_power_usage'];
  const rows = gpus.map(({ uuid, metrics }) => ({
    model: 'triton-server',
    record: undefined,
    measured: undefined,
    goals: { objectives: new Map(), constraints: new Map() },
    gpuUuid: uuid,
    gpuMetrics: metrics,
  }));
  return tableOf('Server Only:', names, rows);
}

type MeasuredRow = FieldRow & { readonly gpus: readonly GpuMeasurement[] };

function rowsOf({ model, goals, records }: ProfiledModel): readonly MeasuredRow[] {
  return rankedVariants(records, goals).flatMap(({ record }) =>
    ranked(record.measurements, goals).map((measured) => ({
      model,
      record,
      measured,
      goals,
      gpuUuid: undefined,
      gpuMetrics: {},
      gpus: measured.gpus,
    })),
  );
}

function tableOf(title: string, names: readonly string[], rows: readonly FieldRow[]): Table {
  const fields = names.map((name) => fieldNamed(name)).filter((field) => field !== undefined);
  return {
    title,
    headers: fields.map(({ header }) => header),
    rows: rows.map((row) => fields.map(({ value }) => value(row))),
  };
}

/** Columns as wide as their widest cell. */
export function tableText({ title, headers, rows }: Table): string {
  const widths = headers.map((header, at) =>
    Math.max(header.length, ...rows.map((row) => (row[at] ?? '').length)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  return [title, line(headers), ...rows.map(line), ''].join('\n');
}

/** With a line of headers; cells are quoted where they must be. */
export function csvText({ headers, rows }: Table): string {
  return [headers, ...rows].map((cells) => `${cells.map(csvCell).join(',')}\n`).join('');
}

function csvCell(cell: string): string {
  return /[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
