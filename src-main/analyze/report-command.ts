// `conch analyze report`: pages about configurations that were measured, from a checkpoint.

import { analyzeErrors } from './analyze-errors.ts';
import type { AnalyzeLog } from './analyze-log.ts';
import type { Given } from './options/given-values.ts';
import { AnalyzeUsageError, namesIn, readConfigFile, textIn, isRecord } from './options/given-values.ts';
import { REPORT_OPTIONS } from './options/option-table.ts';
import type { ReportMode } from './report/write-reports.ts';
import { writeDetails } from './report/write-reports.ts';
import { Checkpoint } from './results/checkpoint.ts';

/** Throws an AnalyzeUsageError, and NOT_FOUND for a configuration that was not measured. */
export async function runReport(
  commandLine: Given,
  { log, mode }: { readonly log: AnalyzeLog; readonly mode: ReportMode },
): Promise<void> {
  const file = commandLine['config_file'];
  const given: Given = {
    ...(file !== undefined && readConfigFile(String(file), REPORT_OPTIONS)),
    ...commandLine,
  };
  const names = reportedNames(given);
  const formats = namesIn(given, 'output_formats') ?? ['html'];
  const other = formats.find((format) => format !== 'html');
  if (other !== undefined)
    throw new AnalyzeUsageError(
      `the output format '${other}' is not offered; reports are html, tables come from profile`,
    );
  const checkpoint = await Checkpoint.open(textIn(given, 'checkpoint_directory', 'checkpoints'));
  const exportFolder = textIn(given, 'export_path', process.cwd());
  const records = checkpoint.models.flatMap((model) => checkpoint.variants(model));
  const wanted = names.map((name) => {
    const record = records.find((known) => known.name === name);
    if (record === undefined) throw analyzeErrors.unknownVariant({ name });
    return record;
  });
  for (const record of wanted)
    log.info(`Detailed report: ${await writeDetails(record, { exportFolder, mode })}`);
}

function reportedNames(given: Given): readonly string[] {
  const value = given['report_model_configs'];
  const names = isRecord(value) ? Object.keys(value) : namesIn(given, 'report_model_configs');
  if (names === undefined || names.length === 0)
    throw new AnalyzeUsageError('--report-model-configs is required');
  return names;
}
