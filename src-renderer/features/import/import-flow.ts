// From paths to models: what each thing is, what needs an answer, what is done at once, one summary at the end.

import type { OnnxInspection } from '../../../src-shared/contract/config-calls.ts';
import type { DropItem } from '../../../src-shared/contract/repository-calls.ts';
import { isCancelled } from '../../engine/engine-client.ts';
import type { Engine } from '../../engine/engine-context.tsx';
import { modelAddress } from '../../lib/address.ts';
import { runCommand } from '../../lib/command-registry.ts';
import { open } from '../../lib/workspace-store.ts';
import { t } from '../../texts/translate.ts';
import { ask } from '../../ui/confirm.tsx';
import { toastInfo, toastSuccess, toastWarning } from '../../ui/toast.tsx';
import type { Intent } from './import-store.ts';
import { askConflict, showDialog, whileReading } from './import-store.ts';
import { isStillClosed, openTarget, targetRepository } from './target-repository.ts';
import { whileImporting } from './used-uploads.ts';
import { freeName } from './wizard-config.ts';
import { toastThrown } from '../../engine/toast-thrown.ts';

/** What the user wants with what was dropped or picked. */
export interface ImportOptions {
  readonly intent: Intent;
  /** The model it is for: offered for a version folder, and as the name of a new model if there is none; absent = none. */
  readonly model?: string | undefined;
}

interface Outcome {
  /** Names of models. */
  readonly added: readonly string[];
  /** Things that wait for an answer in a dialog. */
  readonly waiting: number;
  readonly unknown: readonly DropItem[];
}

const NOTHING: Outcome = { added: [], waiting: 0, unknown: [] };
const WAITING: Outcome = { ...NOTHING, waiting: 1 };

/** An id that no other task has, for work whose progress the task list shows. */
export function newTaskId(): string {
  return `import-${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`;
}

/**
 * Imports what lies at paths of the server: at once where nothing is to be asked, else through a dialog. One thing that
 * fails is told and leaves the others alone. Never rejects.
 */
export async function importPaths(
  engine: Engine,
  paths: readonly string[],
  options: ImportOptions,
): Promise<void> {
  if (paths.length === 0) return;
  await whileImporting(paths, () => importAll(engine, paths, options));
}

async function importAll(engine: Engine, paths: readonly string[], options: ImportOptions): Promise<void> {
  try {
    const repository = targetRepository(engine);
    const items = await engine.client.call('repository/classify', {
      paths: [...paths],
      repository: repository !== undefined && isStillClosed(engine, repository) ? undefined : repository,
    });
    const { items: models, inspections } = await inspectOnnx(engine, items);
    if (options.intent === 'inspect') {
      for (const item of items) showDialog({ kind: 'inspect', item });
      return;
    }
    if (inspections.length > 0)
      showDialog({ kind: 'wizard', inspections: named(engine, inspections, options.model) });
    let outcome: Outcome = { ...NOTHING, waiting: inspections.length };
    const isCopying = options.intent !== 'link' && models.some(isCopied);
    if (isCopying && repository !== undefined) await openTarget(engine, repository);
    for (const item of models)
      outcome = sum(outcome, await attempt(() => handle(engine, item, repository, options)));
    report(outcome);
  } catch (thrown) {
    toastThrown(thrown);
  }
}

/** What fails is told here, and counts as nothing; so is nothing said of what the user cancelled. */
async function attempt(work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work();
  } catch (thrown) {
    if (!isCancelled(thrown)) toastThrown(thrown);
    return NOTHING;
  }
}

/**
 * Bare .onnx files are inspected together, and data files that one of them names belong to it; weights beside the .xml of an
 * OpenVINO model go with that.
 */
async function inspectOnnx(
  { client }: Engine,
  items: readonly DropItem[],
): Promise<{ readonly items: readonly DropItem[]; readonly inspections: readonly OnnxInspection[] }> {
  const onnx = items.filter(({ kind }) => kind === 'onnx');
  const inspections = await Promise.all(onnx.map(({ path }) => client.call('config/inspectOnnx', { path })));
  const weights = new Set(
    items.filter(({ kind }) => kind === 'framework').map(({ path }) => weightsOf(path)),
  );
  const dataFiles = new Set(inspections.flatMap(({ externalData }) => externalData.map(({ name }) => name)));
  return {
    inspections,
    items: items.filter(
      ({ kind, path }) =>
        kind !== 'onnx' && !weights.has(path) && !dataFiles.has(path.split(/[\\/]/).at(-1) ?? ''),
    ),
  };
}

/** Of an OpenVINO model; undefined for other files. */
function weightsOf(path: string): string | undefined {
  return /\.xml$/i.test(path) ? path.replace(/\.xml$/i, '.bin') : undefined;
}

/** A single file for a model that is not there yet gets its name. */
function named(
  { state }: Engine,
  inspections: readonly OnnxInspection[],
  model: string | undefined,
): readonly OnnxInspection[] {
  const [only] = inspections;
  if (model === undefined || state.models.getState().byName.has(model)) return inspections;
  if (only === undefined || inspections.length > 1) return inspections;
  return [{ ...only, suggestedName: model }];
}

function isCopied({ kind }: DropItem): boolean {
  return kind === 'model' || kind === 'repository';
}

async function handle(
  engine: Engine,
  item: DropItem,
  repository: string | undefined,
  options: ImportOptions,
): Promise<Outcome> {
  switch (item.kind) {
    case 'model':
      return options.intent === 'link' ? linked(engine, item) : copyModel(engine, item, repository);
    case 'repository':
      if (options.intent === 'link') {
        showDialog({ kind: 'repository', item });
        return WAITING;
      }
      return copyRepository(engine, item, repository);
    case 'framework': {
      if (!(await mayRunCode(item))) return NOTHING;
      const inspection = await whileReading(item.path.split(/[\\/]/).at(-1) ?? '', (signal) =>
        engine.client.call('framework/inspect', { path: item.path }, { signal }),
      );
      showDialog({ kind: 'framework', inspection, isCode: item.hasCode });
      return WAITING;
    }
    case 'version':
      showDialog({ kind: 'version', item, model: options.model ?? item.name });
      return WAITING;
    case 'config':
      showDialog({ kind: 'config', item });
      return WAITING;
    default:
      return { ...NOTHING, unknown: [item] };
  }
}

/** One model cannot be used in place: a repository is the folder above it, with all that lies there. */
async function linked({ client }: Engine, item: DropItem): Promise<Outcome> {
  const parent = item.path.replace(/[\\/][^\\/]+[\\/]?$/, '');
  const [found] = await client.call('repository/classify', { paths: [parent] });
  const alone: DropItem = {
    ...item,
    kind: 'repository',
    path: parent,
    models: [{ name: item.name, problem: undefined }],
  };
  showDialog({ kind: 'repository', item: found?.kind === 'repository' ? found : alone });
  return WAITING;
}

async function copyModel(engine: Engine, item: DropItem, repository: string | undefined): Promise<Outcome> {
  if (repository === undefined) {
    toastWarning(t('import.noRepository'));
    return NOTHING;
  }
  const taken = engine.state.models.getState().byName;
  let name = item.name;
  let mode: 'new' | 'add-version' | 'replace' = 'new';
  if (item.conflict !== undefined) {
    const keepBoth = freeName(item.name, taken);
    const answer = await askConflict(item, keepBoth);
    if (answer === undefined) return NOTHING;
    if (answer === 'keep-both') name = keepBoth;
    else mode = answer;
  }
  if (!(await mayRunCode(item))) return NOTHING;
  const model = await runImport(engine, {
    source: item.path,
    repository,
    name,
    mode,
    version: item.conflict?.nextVersion,
    hasCode: item.hasCode,
  });
  return { ...NOTHING, added: [model] };
}

async function copyRepository(
  engine: Engine,
  item: DropItem,
  repository: string | undefined,
): Promise<Outcome> {
  const paths = item.models.map(({ name }) => `${item.path}/${name}`);
  const items = await engine.client.call('repository/classify', { paths, repository });
  let outcome = NOTHING;
  for (const model of items) {
    const one =
      model.kind === 'model'
        ? await attempt(() => copyModel(engine, model, repository))
        : { ...NOTHING, unknown: [model] };
    outcome = sum(outcome, one);
  }
  return outcome;
}

/** Asks whether code that comes with a thing may run, unless it has none or its folder is trusted already. */
export async function mayRunCode({ name, hasCode, isTrusted }: DropItem): Promise<boolean> {
  if (!hasCode || isTrusted) return true;
  const answer = await ask({
    title: t('import.trustTitle'),
    text: t('import.trustText', { name }),
    choices: [{ value: 'trust', label: t('import.trust'), isDanger: true }],
    testId: 'trust-dialog',
  });
  return answer === 'trust';
}

/** One model, or one version of one, with everything decided. */
export interface ImportJob {
  /** Model folder or version folder on the server. */
  readonly source: string;
  readonly repository: string;
  readonly name: string;
  readonly mode: 'new' | 'add-version' | 'replace';
  readonly version: string | undefined;
  /** Code comes with it, and may run. */
  readonly hasCode: boolean;
}

/** Copies and answers with the model's name; who calls tells the user. Progress is a task of the engine. */
export async function runImport({ client, state }: Engine, job: ImportJob): Promise<string> {
  const load = state.settings
    .getState()
    .view?.settings.find(({ key }) => key === 'general.loadAfterImport')?.value;
  const { model } = await client.call('repository/import', {
    source: job.source,
    repository: job.repository,
    name: job.name,
    mode: job.mode,
    ...(job.mode === 'add-version' && job.version !== undefined ? { version: job.version } : {}),
    load: load !== false,
    trustCode: job.hasCode,
    taskId: newTaskId(),
  });
  return model;
}

/** Says that a model was added, and offers to show it. */
export function tellAdded(model: string): void {
  toastSuccess(t('import.one', { name: model }), {
    label: t('common.show'),
    onClick: () => open(modelAddress(model)),
  });
}

function sum(a: Outcome, b: Outcome): Outcome {
  return {
    added: [...a.added, ...b.added],
    waiting: a.waiting + b.waiting,
    unknown: [...a.unknown, ...b.unknown],
  };
}

/** One thing gets its own words, several get one line. A dialog speaks for itself. */
function report({ added, waiting, unknown }: Outcome): void {
  if (added.length + waiting + unknown.length > 1) {
    const parts = [
      t('import.added', { count: added.length }),
      t('import.waiting', { count: waiting }),
      t('import.unknown', { count: unknown.length }),
    ];
    toastInfo(parts.filter((part) => part !== '').join(', '));
    return;
  }
  for (const model of added) tellAdded(model);
  const [first] = unknown;
  if (first === undefined) return;
  const single =
    first.kind === 'archive'
      ? t('import.archive')
      : first.kind === 'unknown' || first.kind === 'folder'
        ? t('import.notRecognised')
        : first.message;
  const browse = { label: t('import.browse'), onClick: () => void runCommand('repository.importOnnx') };
  toastWarning(single, first.kind === 'archive' ? undefined : browse);
}
