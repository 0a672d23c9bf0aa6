// The options of the app's engine: command line, stored settings, samples when no repository is named, what was open
// before a restart, models held back after a crash.

import type { Environment } from '../../options/serve-draft.ts';
import type { ServeOptions } from '../../cli/serve-options.ts';
import { parseServeOptions } from '../../cli/serve-options.ts';
import type { SettingsStore } from '../../control/settings/settings-store.ts';
import { applySettings, outrankedSettings } from '../../options/option-settings.ts';
import type { StartMessage } from '../supervision/engine-messages.ts';
import { readTraceStart } from '../../tracing/trace-start.ts';
import { withPreviousPorts } from './choose-ports.ts';
import { readSwitches } from './repository-switches.ts';
import { withStartWork } from './start-work.ts';

/** Throws UsageError for arguments that the process above has accepted already, which does not happen. */
export async function resolveAppOptions(
  start: StartMessage,
  environment: Environment,
  settings: SettingsStore,
): Promise<ServeOptions> {
  const parsed = parseServeOptions(start.args, environment);
  if (parsed === 'help') throw new Error('help is answered by the command line');
  const set = applySettings(parsed.engine, parsed.given, settings);
  settings.noteFlags(outrankedSettings(parsed.engine, parsed.given));
  const engine = await withPreviousPorts(set, start.ports);
  const opened = await withStartWork({
    repository: engine.repository,
    userDataPath: start.userDataPath,
    isWithoutSamples: parsed.shell.noRepository,
    work: start.work,
  });
  // The first start of an app that was told to wait; after a crash or a restart the server comes back as it was.
  const waits = start.work === undefined && settings.get('general.startAtLaunch') === false;
  const isNamed = start.work === undefined && isRepositoryNamed(parsed.given);
  const repository = {
    ...opened,
    ...(isNamed ? {} : { switches: await readSwitches(start.userDataPath) }),
    quarantined: new Map(start.quarantined),
    loadThreadCount: start.isCareful ? 1 : opened.loadThreadCount,
  };
  const server = waits ? { ...engine.server, listen: 'on-request' as const } : engine.server;
  const trace = readTraceStart(engine.trace.settings, environment);
  const backends = { ...engine.backends, leftOut: start.leftOut };
  return { ...parsed, engine: { ...engine, backends, server, repository }, trace };
}

/** Whether the command line names a repository, in either spelling. */
export function isRepositoryNamed(given: ReadonlySet<string>): boolean {
  return given.has('model-repository') || given.has('model-store');
}
