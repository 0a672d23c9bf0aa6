// Puts the configuration of a run into the model's file, reloads, measures before and after when asked, and can take it
// all back.

import { randomUUID } from 'node:crypto';

import { configValueText, diffModelConfigs } from '../../../src-shared/config/config-diff.ts';
import { parseModelConfig } from '../../../src-shared/config/parse-model-config.ts';
import type { PerfPlan } from '../../../src-shared/contract/perf-plan.ts';
import type { PerfApplied, PerfRun } from '../../../src-shared/contract/perf-views.ts';
import { toServerError } from '../../../src-shared/errors.ts';
import type { Clock } from '../../base/clock.ts';
import { TIME_STRETCH } from '../measure/stability.ts';
import type { Measured } from './compare-runs.ts';
import { isClear } from './compare-runs.ts';
import type { PerfModelHost } from './model-host.ts';
import type { PerfLab } from './perf-lab.ts';
import type { RunStore } from './run-store.ts';
import { bestLevel } from './sweep-result.ts';

/** `host` may change files and load models; what `lab` measures here is in no history. */
export interface ApplyParts {
  readonly clock: Clock;
  readonly host: PerfModelHost;
  readonly store: RunStore;
  readonly lab: Pick<PerfLab, 'measureOnce'>;
}

/**
 * `expectedHash`: of the file that was read before, undefined = there was none. When the new configuration does not load, or the check of it fails, the
 * file gets its former text back and that error is thrown.
 */
export async function applyRun(
  parts: ApplyParts,
  run: PerfRun,
  options: { readonly expectedHash: string | undefined; readonly verifyMs: number },
): Promise<PerfApplied> {
  const { clock, host, store, lab } = parts;
  const { model, configText: text } = run;
  const { fileText, repository } = await host.describe(model);
  const previousText = fileText ?? '';
  const plan = options.verifyMs > 0 ? verificationPlan(run, options.verifyMs) : undefined;
  const before = plan === undefined ? undefined : await lab.measureOnce(plan);
  await host.writeConfig(model, text, options.expectedHash);
  await reloadOrRestore(host, model, previousText);
  const applyId = randomUUID();
  await store.addApplied({ id: applyId, model, previousText, text, appliedAtMs: clock.wallMs() }, repository);
  const after = plan === undefined ? undefined : await checkOrRestore(parts, applyId, plan);
  const changes = changesBetween(previousText, text);
  const verification =
    before === undefined || after === undefined ? undefined : verified(options.verifyMs, before, after);
  return { applyId, changes, verification, sentence: sentenceOf(changes, verification) };
}

/** Writes the former text back and reloads. NOT_FOUND when it was undone already. */
export async function undoApply(parts: ApplyParts, applyId: string): Promise<{ readonly text: string }> {
  const { host, store } = parts;
  const { model, previousText } = await store.findApplied(applyId);
  const { fileHash } = await host.describe(model);
  await host.writeConfig(model, previousText, fileHash);
  await host.reload(model);
  await store.deleteApplied(applyId);
  return { text: previousText };
}

async function reloadOrRestore(host: PerfModelHost, model: string, previousText: string): Promise<void> {
  try {
    await host.reload(model);
  } catch (thrown) {
    const { fileHash } = await host.describe(model);
    await host.writeConfig(model, previousText, fileHash);
    await host.reload(model).catch(() => undefined);
    throw toServerError(thrown);
  }
}

/** A change that nobody can be told of is taken back. */
async function checkOrRestore(parts: ApplyParts, applyId: string, plan: PerfPlan): Promise<Measured> {
  try {
    return await parts.lab.measureOnce(plan);
  } catch (thrown) {
    await undoApply(parts, applyId).catch(() => undefined);
    throw toServerError(thrown);
  }
}

function verified(durationMs: number, before: Measured, after: Measured): PerfApplied['verification'] {
  const numbers = ({ result }: Measured) => ({
    inferPerSecond: result.inferPerSecond,
    p99Us: result.percentilesUs['99'] ?? 0,
  });
  const isDifferent = isClear(before, after, ({ inferPerSecond }) => inferPerSecond);
  return { durationMs, before: numbers(before), after: numbers(after), isClear: isDifferent };
}

/** Windows of a check: fewer tell nothing about noise. */
const CHECK_WINDOWS = 4;

/** The run's best load, in windows that tell how large the noise is. */
function verificationPlan(run: PerfRun, verifyMs: number): PerfPlan {
  const { plan } = run;
  const level = bestLevel(run);
  const values = level === undefined ? [1] : [level.value];
  const load: PerfPlan['load'] =
    plan.load.kind === 'request-rate'
      ? { ...plan.load, levels: { kind: 'list', values } }
      : { kind: 'concurrency', levels: { kind: 'list', values } };
  const measurement: PerfPlan['measurement'] = {
    ...plan.measurement,
    mode: 'time',
    intervalMs: verifyMs / CHECK_WINDOWS / TIME_STRETCH,
    maxWindows: CHECK_WINDOWS,
    // Windows that agree early would end it, and the same time is promised before and after.
    stabilityPercent: 0,
    fixedRequestCount: 0,
  };
  return { ...plan, load, measurement };
}

function changesBetween(previousText: string, text: string): string[] {
  const before = parseModelConfig(previousText).config;
  const after = parseModelConfig(text).config;
  return diffModelConfigs(before, after).map(
    ({ path, before: old, after: now }) =>
      `${path} ${configValueText(old) || 'not set'} -> ${configValueText(now) || 'not set'}`,
  );
}

function sentenceOf(changes: readonly string[], verification: PerfApplied['verification']): string {
  const applied = changes.length === 0 ? 'Applied; nothing differs.' : `Applied: ${changes.join(', ')}.`;
  if (verification === undefined) return applied;
  const { before, after, durationMs, isClear: isDifferent } = verification;
  const ms = (us: number): string => (us / 1000).toPrecision(3);
  return `${applied} Checked for ${Math.round(durationMs / 1000)} s: ${Math.round(before.inferPerSecond)} -> ${Math.round(after.inferPerSecond)} inf/s, p99 ${ms(before.p99Us)} -> ${ms(after.p99Us)} ms (${isDifferent ? 'a clear difference' : 'within noise'}).`;
}
