// `conch analyze profile`: a server, the models one after the other, tables and reports.

import { appendFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { makeFolder } from '../base/make-folder.ts';
import { toServerError } from '../../src-shared/errors.ts';
import { systemClock } from '../base/clock.ts';
import { analyzeErrors } from './analyze-errors.ts';
import type { AnalyzeLog } from './analyze-log.ts';
import type { ProfileSettings } from './options/profile-settings.ts';
import { driftSentence, summarySentence } from './report/summary-report.ts';
import type { ProfiledModel } from './report/tables.ts';
import { tableText } from './report/tables.ts';
import type { ReportMode } from './report/write-reports.ts';
import { bestRecords, writeDetails, writeSummary, writeTables } from './report/write-reports.ts';
import { Checkpoint } from './results/checkpoint.ts';
import type { AnalyzerServer, SpawnConch } from './run/analyzer-server.ts';
import { LocalServer, remoteServer } from './run/analyzer-server.ts';
import { Measurer } from './run/measurer.ts';
import { ModelProfile } from './run/model-profile.ts';
import { VariantRepository } from './run/variant-repository.ts';
import type { Variants } from './run/variants.ts';
import { folderVariants, remoteVariants, servedVariants } from './run/variants.ts';

const ERROR_FILE = 'perf_analyzer_error.log';

/** What a profile needs of whoever started it. */
export interface ProfileContext {
  readonly spawn: SpawnConch;
  /** Where results go; default: read from the folder of the settings. */
  readonly checkpoint?: Checkpoint;
  readonly log: AnalyzeLog;
  readonly mode: ReportMode;
  /** Nothing more is to be measured; what goes on is finished. */
  isStopping(): boolean;
  /** Called with what ends everything at once. */
  onAbort(abort: () => Promise<void>): void;
}

/** Rejects when nothing could be profiled; what was measured is in the checkpoint and reported all the same. */
export async function runProfile(settings: ProfileSettings, context: ProfileContext): Promise<void> {
  const { log } = context;
  for (const warning of settings.warnings) log.warning(warning);
  const checkpoint = context.checkpoint ?? (await Checkpoint.open(settings.checkpointFolder));
  if (!checkpoint.isEmpty) log.info(`Loaded checkpoint from ${settings.checkpointFolder}`);
  const measurer = new Measurer({
    ...settings,
    spawner: { spawn: (args) => context.spawn(args, {}) },
    clock: systemClock,
    note: (text) => log.info(text),
  });
  const { server, variants } = await startServer(settings, context.spawn);
  context.onAbort(async () => {
    measurer.kill();
    await checkpoint.save();
    await server.close();
  });
  let fault: unknown;
  try {
    const gpuCount = await lookAtGpus(server, measurer, checkpoint, settings);
    if (gpuCount === 0 && settings.models.some(({ isCpuOnly }) => !isCpuOnly))
      log.info(
        `${settings.usesGpus ? 'The server reports no GPU' : 'No GPU is used'}: instances are of KIND_CPU`,
      );
    for (const model of settings.models) {
      if (context.isStopping()) break;
      const parts = {
        ...{ settings, server, measurer, variants, checkpoint, gpuCount },
        note: (text: string) => log.info(text),
        failed: (text: string) => {
          log.error(text);
          void noteFailure(settings.exportFolder, text);
        },
        isStopping: () => context.isStopping(),
      };
      await new ModelProfile(model, parts).run();
    }
  } catch (thrown) {
    fault = thrown;
  } finally {
    await server.close();
    await checkpoint.save();
  }
  await report(settings, checkpoint, context);
  if (fault !== undefined) throw toServerError(fault);
}

async function startServer(
  settings: ProfileSettings,
  spawn: SpawnConch,
): Promise<{ readonly server: AnalyzerServer; readonly variants: Variants }> {
  const { endpoints, server: wanted, repository: source, outputRepository } = settings;
  if (wanted.mode === 'remote') {
    const server = await remoteServer(endpoints, systemClock);
    return { server, variants: wanted.loadsModels ? remoteVariants(source, server) : servedVariants() };
  }
  const repository = await VariantRepository.open(source, outputRepository, settings.mayReplaceOutput);
  for (const { name } of settings.models) await repository.configText(name);
  const { folder } = repository;
  const options = { spawn, repository: folder, settings: wanted, endpoints, clock: systemClock };
  const server = await LocalServer.start(options);
  return { server, variants: folderVariants(repository, server) };
}

/** How many there are. Rejects when they are others than those of the checkpoint. */
async function lookAtGpus(
  server: AnalyzerServer,
  measurer: Measurer,
  checkpoint: Checkpoint,
  settings: ProfileSettings,
): Promise<number> {
  const isNew = checkpoint.isEmpty;
  if (!settings.usesGpus) return 0;
  const idle = await measurer.idle(server, isNew ? Math.min(settings.idleMs, settings.monitoringMs) : 0);
  const uuids = idle.map(({ uuid }) => uuid);
  const before = checkpoint.gpus ?? [];
  if (!isNew && before.join(',') !== uuids.join(','))
    throw analyzeErrors.otherGpus({ before: before.join(', '), now: uuids.join(', ') });
  checkpoint.gpus = uuids;
  // An idle server is looked at for its whole time only where there is something to see.
  if (isNew && uuids.length > 0) checkpoint.serverOnly = await measurer.idle(server, settings.idleMs);
  return uuids.length;
}

async function report(
  settings: ProfileSettings,
  checkpoint: Checkpoint,
  { log, mode }: ProfileContext,
): Promise<void> {
  const models = settings.models.flatMap(({ name, goals, unit }): ProfiledModel[] => {
    const records = checkpoint.variants(name);
    const isMeasured = records.some(({ measurements }) => measurements.length > 0);
    return isMeasured ? [{ model: name, goals, unit, records }] : [];
  });
  if (models.length === 0) return;
  for (const table of await writeTables(models, checkpoint, settings)) log.block(tableText(table));
  const { exportFolder, topCount } = settings;
  const machine = { cpu: cpuText(), gpus: checkpoint.gpus ?? [] };
  for (const profiled of models) {
    log.info(`${profiled.model}: ${summarySentence(profiled)}`);
    for (const warning of [driftSentence(profiled), ...warningsOf(profiled)])
      if (warning !== undefined) log.warning(warning);
    if (!settings.skipsSummary) {
      const file = await writeSummary(profiled, { exportFolder, topCount, mode, machine });
      log.info(`Summary report: ${file}`);
    }
    if (settings.skipsDetails) continue;
    for (const record of bestRecords(profiled, topCount)) {
      const file = await writeDetails(record, { exportFolder, mode });
      log.info(`Detailed report: ${file}`);
    }
  }
}

function warningsOf({ records }: ProfiledModel): readonly string[] {
  const all = records.flatMap(({ measurements }) => measurements.flatMap(({ warnings }) => warnings));
  return [...new Set(all)];
}

function cpuText(): string {
  return `${os.cpus()[0]?.model.trim() ?? ''}, ${os.availableParallelism()} processors`;
}

/** A log that cannot be written is no reason to end a search. */
async function noteFailure(folder: string, text: string): Promise<void> {
  try {
    await makeFolder(folder);
    await appendFile(path.join(folder, ERROR_FILE), `${text}\n`);
  } catch (thrown) {
    process.stderr.write(`${ERROR_FILE}: ${toServerError(thrown).message}\n`);
  }
}
