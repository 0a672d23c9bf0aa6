// Where results, drawings and reports go.

import path from 'node:path';

import { writeFileAtomic } from '../../base/atomic-file.ts';
import type { ProfileSettings } from '../options/profile-settings.ts';
import type { Checkpoint } from '../results/checkpoint.ts';
import type { VariantRecord } from '../results/measurement.ts';
import { rankedVariants } from '../results/ranking.ts';
import { detailedReport } from './detailed-report.ts';
import type { ReportMachine } from './summary-report.ts';
import { summaryReport } from './summary-report.ts';
import type { ProfiledModel, Table } from './tables.ts';
import { csvText, gpuTable, inferenceTable, serverTable } from './tables.ts';

/** online: about loads. offline: about throughput. */
export type ReportMode = 'online' | 'offline';

/** Tables with a row at least, as files under `results`. */
export async function writeTables(
  models: readonly ProfiledModel[],
  checkpoint: Checkpoint,
  settings: ProfileSettings,
): Promise<readonly Table[]> {
  const { fields, files, exportFolder } = settings;
  const usesGpus =
    settings.alwaysReportsGpus ||
    models.some(({ records }) => records.some(({ instanceGroup }) => instanceGroup.includes('GPU')));
  const tables: readonly (readonly [file: string, table: Table])[] = [
    [files.inference, inferenceTable(models, fields.inference)],
    ...(usesGpus
      ? ([
          [files.gpu, gpuTable(models, fields.gpu)],
          [files.server, serverTable(checkpoint.serverOnly, fields.server)],
        ] as const)
      : []),
  ];
  const filled = tables.filter(([, { rows }]) => rows.length > 0);
  for (const [file, table] of filled)
    await writeFileAtomic(path.join(exportFolder, 'results', file), csvText(table));
  return filled.map(([, table]) => table);
}

/** The page's path. */
export async function writeSummary(
  profiled: ProfiledModel,
  options: {
    readonly exportFolder: string;
    readonly topCount: number;
    readonly mode: ReportMode;
    readonly machine: ReportMachine;
  },
): Promise<string> {
  const { html, plot } = summaryReport(profiled, options);
  const { exportFolder } = options;
  const file = path.join(exportFolder, 'reports', 'summaries', profiled.model, 'result_summary.html');
  await writeFileAtomic(file, html);
  await writeFileAtomic(
    path.join(exportFolder, 'plots', 'simple', profiled.model, 'throughput_v_latency.svg'),
    plot,
  );
  return file;
}

/** The page's path. */
export async function writeDetails(
  record: VariantRecord,
  { exportFolder, mode }: { readonly exportFolder: string; readonly mode: ReportMode },
): Promise<string> {
  const { html, plot } = detailedReport(record, mode);
  const file = path.join(exportFolder, 'reports', 'detailed', record.name, 'detailed_report.html');
  await writeFileAtomic(file, html);
  await writeFileAtomic(
    path.join(exportFolder, 'plots', 'detailed', record.name, 'latency_breakdown.svg'),
    plot,
  );
  return file;
}

/** At most so many, the best first. */
export function bestRecords({ records, goals }: ProfiledModel, count: number): readonly VariantRecord[] {
  return rankedVariants(records, goals)
    .slice(0, count)
    .map(({ record }) => record);
}
