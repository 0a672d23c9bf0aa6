// What is told of loads, reloads and unloads once they have ended: in one sentence, with the act that is next.

import type { ModelView } from '../../src-shared/contract/model-view.ts';
import { PLAIN_FAILURE_TITLE } from '../../src-shared/contract/model-view.ts';
import { modelAddress } from '../lib/address.ts';
import { formatBytes, formatClock, formatMillis } from '../lib/format.ts';
import { grownBy } from '../lib/memory-growth.ts';
import { modelMemory } from '../lib/model-memory.ts';
import { activeTab, open, workspace } from '../lib/workspace-store.ts';
import { t } from '../texts/translate.ts';
import { ask } from '../ui/confirm.tsx';
import { dismissToast, toastError, toastFailure, toastInfo, toastSuccess } from '../ui/toast.tsx';
import { failureAdvice, isAboutFailure } from './failed-view.ts';

const MAX_REASON = 140;

/** Smaller models are lost in what the process does anyway. */
const WORTH_TELLING_BYTES = 8 * 1024 * 1024;

/** Memory that did not come back is told, with what it means. */
export function reportUnloaded(
  name: string,
  before: ModelView | undefined,
  freedBytes: number | undefined,
): void {
  const expected = (before === undefined ? undefined : modelMemory(before).bytes) ?? 0;
  if (freedBytes === undefined || expected < WORTH_TELLING_BYTES) {
    toastSuccess(t('model.unloaded', { name, freed: '' }));
    return;
  }
  const freed = formatBytes(Math.max(0, freedBytes));
  if (freedBytes >= expected * 0.8) {
    toastSuccess(t('model.unloaded', { name, freed: t('model.unloaded.freed', { freed }) }));
    return;
  }
  const explain = {
    title: t('model.unloaded.keptTitle', { name }),
    text: t('model.unloaded.keptText', { freed, expected: formatBytes(expected) }),
    choices: [],
  };
  toastInfo(t('model.unloaded.kept', { name, freed }), {
    label: t('common.details'),
    onClick: () => void ask(explain),
  });
}

/** A success, with the way to a request. */
export function reportLoaded(model: ModelView): void {
  const action = {
    label: t('model.sendRequest'),
    onClick: () => open(modelAddress(model.name, 'playground')),
  };
  toastSuccess(loadedText(model), action, model.name);
}

/** A reload that built nothing: nothing had changed, or the change was taken over by what runs. */
export function reportServesOn(
  { name, servedVersions, loadedAtMs }: ModelView,
  before: ModelView,
  onForce: () => void,
): void {
  const version = `v${servedVersions.at(-1) ?? ''}`;
  const text = before.changedOnDisk ? 'model.tookChange' : 'model.unchanged';
  toastInfo(t(text, { name, version, time: formatClock(loadedAtMs) }), {
    label: t('command.forceReload'),
    onClick: onForce,
  });
}

/** M-01: which version, how long it took, and on what it runs. */
function loadedText({
  name,
  timings,
  device,
  instanceCount,
  servedVersions,
  isEnsemble,
  uses,
}: ModelView): string {
  if (timings === undefined) return t('model.loadedPlain', { name });
  const latest = servedVersions.at(-1);
  const version = latest === undefined ? '' : ` v${latest}`;
  const time = formatMillis(timings.totalMs);
  if (isEnsemble) return t('model.loadedEnsemble', { name, version, time, count: uses.length });
  return t('model.loaded', {
    name,
    version,
    time,
    device: device === undefined ? 'CPU' : device,
    instances: t('model.instances', { count: instanceCount }),
    memory: grownBy(timings),
  });
}

/** Why it failed, in a line: what its row and its page say too where they are about this failure, else the server's words. */
export function failureReason(model: ModelView | undefined, message: string): string {
  const title = model?.failure?.title ?? '';
  const saysMore = isAboutFailure(model, message) && title !== PLAIN_FAILURE_TITLE;
  return saysMore ? `${title}.` : shortened(message);
}

/** `model`: as it is known after the failure; undefined = it is not listed. */
export function reportFailure(
  model: ModelView | undefined,
  name: string,
  verb: 'load' | 'unload' | 'reload',
  message: string,
): void {
  const reason = failureReason(model, message);
  const show = { label: t('common.show'), onClick: () => open(modelAddress(name)) };
  if (verb === 'unload') {
    toastError(t('model.couldNotUnload', { name, reason }), show, name);
    return;
  }
  const advice = failureAdvice(isAboutFailure(model, message) ? model?.failure : undefined);
  toastFailure(t('model.couldNotLoad', { name, reason }), show, { subject: name, advice });
  dismissWhenSeen(name);
}

/** Models whose failure was told and not looked at since. */
const unseen = new Set<string>();
let following = false;

/** The message goes once its model is looked at: the page of that says it, at length. */
function dismissWhenSeen(name: string): void {
  unseen.add(name);
  if (following) return;
  following = true;
  workspace.subscribe((state) => {
    const model = activeTab(state)?.address.model ?? '';
    if (unseen.delete(model)) dismissToast(model);
  });
}

/** What the server says in front of the reason; the message begins with the model already. */
const ENVELOPE = /^load failed for model '[^']*': version \d+ is at UNAVAILABLE state: /;

/** A toast says enough to know; the whole text stands on the model. */
function shortened(message: string): string {
  const first = (message.split('\n')[0] ?? message).replace(ENVELOPE, '');
  return first.length <= MAX_REASON ? first : `${first.slice(0, MAX_REASON - 1).trimEnd()}…`;
}
