// What the Perf lab asks the engine to do. Each returns when the engine has answered; errors are thrown to the caller,
// which shows them.

import type { PerfRunSummary } from '../../../src-shared/contract/perf-views.ts';
import { readBlob, releaseBlob } from '../../actions/blobs.ts';
import { saveBlob, saveText } from '../../actions/save-text.ts';
import type { EngineClient } from '../../engine/engine-client.ts';
import { t } from '../../texts/translate.ts';
import { ask } from '../../ui/confirm.tsx';
import { copyText } from '../../ui/copy-button.tsx';
import { toastSuccess } from '../../ui/toast.tsx';
import { chartsImage, pngOf } from './chart-image.ts';
import { perfUi, refreshRuns } from './perf-store.ts';
import { sweepCount } from './plan-edit.ts';

/** The file that a run is saved as. */
export type ExportFormat = 'csv' | 'json' | 'markdown';

const MIME: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv',
  json: 'application/json',
  markdown: 'text/markdown',
};

/** Starts what is in the form, or queues it, and shows it. Nothing without a plan. */
export async function startRun(client: EngineClient): Promise<void> {
  const { plan, name, override, sweep } = perfUi.getState();
  if (plan === undefined) return;
  const isSweep = sweep !== undefined && sweepCount(sweep) > 0;
  const { runs, sweep: sweepId } = await client.call('perf/start', {
    plan,
    name,
    configText: override,
    ...(isSweep ? { sweep } : {}),
  });
  perfUi.setState({
    runId: runs[0],
    levelIndex: undefined,
    name: '',
    ...(isSweep ? { sweepId, pane: 'sweep' } : { pane: 'run' }),
  });
  refreshRuns();
}

/** Ends a run, or with the id of a sweep all that is left of it; what is measured stays. */
export async function stopRun(client: EngineClient, run: string): Promise<void> {
  await client.call('perf/stop', { run });
  refreshRuns();
}

/** Saves the report of a run as a file. */
export async function exportRun(client: EngineClient, run: string, format: ExportFormat): Promise<void> {
  const { fileName, text } = await client.call('perf/export', { run, format });
  await saveText(fileName, text, MIME[format]);
}

/** Every request of a run that kept them; fetched in pieces, since it can be large. */
export async function exportRequests(client: EngineClient, run: string): Promise<void> {
  const { fileName, blob, byteSize } = await client.call('perf/exportRequests', { run });
  try {
    const bytes = await readBlob(client, blob, { offset: 0, byteSize });
    saveBlob(fileName, new Blob([bytes], { type: MIME.json }));
  } finally {
    releaseBlob(client, blob);
  }
}

/** The drawn charts of the shown run as a picture. */
export async function exportCharts(
  run: Parameters<typeof runTitle>[0] & Pick<PerfRunSummary, 'id'>,
  form: 'svg' | 'png',
): Promise<void> {
  const root = document.querySelector('[data-perf-charts]');
  const image = root === null ? undefined : chartsImage(root, runTitle(run));
  if (image === undefined) throw new Error(t('perf.export.noCharts'));
  const name = `${run.model}-${run.id.slice(0, 8)}.${form}`;
  if (form === 'svg') await saveText(name, image.svg, 'image/svg+xml');
  else saveBlob(name, await pngOf(image));
}

/** Report, command, machine and configuration on the clipboard, for an issue or a message. */
export async function copyReport(client: EngineClient, run: string): Promise<void> {
  const { text } = await client.call('perf/export', { run, format: 'issue' });
  await copyText(text);
}

/** Changes what is given of a run's name, note and star, and leaves the rest. */
export async function changeNote(
  client: EngineClient,
  run: string,
  changes: { readonly name?: string; readonly note?: string; readonly isStarred?: boolean },
): Promise<void> {
  await client.call('perf/note', { run, ...changes });
  refreshRuns();
}

/** Asks, then deletes a run, which leaves the comparison and is shown no more. */
export async function deleteRun(client: EngineClient, run: PerfRunSummary): Promise<void> {
  const answer = await ask({
    title: t('perf.delete.title'),
    text: t('perf.delete.text', { name: runTitle(run) }),
    choices: [{ value: 'delete', label: t('perf.delete.do'), isDanger: true }],
    testId: 'perf-delete-dialog',
  });
  if (answer === undefined) return;
  await client.call('perf/delete', { run: run.id });
  const { compared, runId } = perfUi.getState();
  perfUi.setState({
    compared: compared.filter((other) => other !== run.id),
    // The level that was looked at was one of this run.
    ...(runId === run.id ? { runId: undefined, levelIndex: undefined } : {}),
  });
  refreshRuns();
}

/** Writes the configuration of a run, reloads, and measures before and after when asked to. */
export async function applyConfig(
  client: EngineClient,
  { run, model, expectedHash, verifyMs }: ApplyRequest,
): Promise<void> {
  // What was applied before can be taken back still when this fails.
  perfUi.setState({ applying: model });
  try {
    const applied = await client.call('perf/apply', { run, expectedHash, verifyMs });
    perfUi.setState({ applied: { ...applied, model } });
  } finally {
    perfUi.setState({ applying: undefined });
  }
}

/** The configuration of a run that is to become that of the model. */
export interface ApplyRequest {
  readonly run: string;
  readonly model: string;
  /** Of the file that was shown beside the run's configuration; undefined = there was none. */
  readonly expectedHash: string | undefined;
  /** How long to measure before, and again after; 0 = not at all. */
  readonly verifyMs: number;
}

/** Takes back what was applied last, and tells so. Nothing when there is nothing. */
export async function undoApply(client: EngineClient): Promise<void> {
  const { applied } = perfUi.getState();
  if (applied === undefined) return;
  await client.call('perf/undoApply', { applyId: applied.applyId });
  if (perfUi.getState().applied === applied) perfUi.setState({ applied: undefined });
  toastSuccess(t('perf.apply.undone', { model: applied.model }));
}

/** Name the user gave, else the model and what differs from its file. */
export function runTitle(run: Pick<PerfRunSummary, 'name' | 'model' | 'sweep'>): string {
  if (run.name !== '') return run.name;
  const title = run.sweep?.title ?? '';
  return title === '' ? run.model : `${run.model}, ${title}`;
}
