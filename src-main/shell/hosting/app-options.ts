// The options of the app's engine: command line, stored settings, samples when no repository is named, free ports where
// the usual ones are taken, models held back after a crash.

import type { Environment } from '../../cli/serve-draft.ts';
import type { ServeOptions } from '../../cli/serve-options.ts';
import { parseServeOptions } from '../../cli/serve-options.ts';
import type { SettingsStore } from '../../control/settings-store.ts';
import type { EngineOptions } from '../../engine-options.ts';
import type { StartMessage } from '../supervision/engine-messages.ts';
import { applySettings } from './apply-settings.ts';
import { choosePorts } from './choose-ports.ts';
import { openSampleRepository } from './sample-repository.ts';

async function withSamples(engine: EngineOptions, userDataPath: string): Promise<EngineOptions> {
  const samples = await openSampleRepository(userDataPath);
  const { repository } = engine;
  const isAll = repository.startupModels.includes('*');
  const startupModels = isAll ? samples.startSet : repository.startupModels;
  return { ...engine, repository: { ...repository, paths: [samples.path], startupModels } };
}

export interface AppOptions {
  readonly serve: ServeOptions;
  /** Sentences for the log. */
  readonly notes: readonly string[];
}

/** Throws UsageError for arguments that the process above has accepted already, which does not happen. */
export async function resolveAppOptions(
  start: StartMessage,
  environment: Environment,
  settings: SettingsStore,
): Promise<AppOptions> {
  const parsed = parseServeOptions(start.args, environment);
  if (parsed === 'help') throw new Error('help is answered by the command line');
  const { shell, given } = parsed;
  const set = applySettings(parsed.engine, given, settings);
  const isSampleApp = set.repository.paths.length === 0 && !shell.noRepository;
  const filled = isSampleApp ? await withSamples(set, start.userDataPath) : set;
  const { engine, notes } = await choosePorts(filled, given, start.ports);
  const repository = {
    ...engine.repository,
    quarantined: new Map(start.quarantined),
    loadThreadCount: start.isCareful ? 1 : engine.repository.loadThreadCount,
  };
  return { serve: { ...parsed, engine: { ...engine, repository } }, notes };
}
