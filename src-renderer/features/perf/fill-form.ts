// A command line into the form. The answer of the engine is used only when nobody changed the form meanwhile: what the
// user did last always wins.

import type { PerfPlan } from '../../../src-shared/contract/perf-plan.ts';
import type { EngineClient } from '../../engine/engine-client.ts';
import { t } from '../../texts/translate.ts';
import { perfUi } from './perf-store.ts';

/** What came of a line; problems are why it could not be used, warnings what was understood otherwise. */
export interface FilledForm {
  readonly isFilled: boolean;
  /** Options of the line that no field takes. */
  readonly unknown: readonly string[];
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

/** File name that stands for the form's own JSON text in command lines. */
const INLINE_DATA = 'data.json';

/** Puts a line of perf_analyzer into the form, unless it is faulty or the form changed meanwhile. */
export async function fillFromCommand(
  client: Pick<EngineClient, 'call'>,
  command: string,
): Promise<FilledForm> {
  const before = perfUi.getState();
  const { plan: parsed, unknown, problems, warnings } = await client.call('perf/parseCommand', { command });
  const now = perfUi.getState();
  const isStale = now.plan !== before.plan || now.model !== before.model;
  if (isStale || problems.length > 0) {
    const reasons = problems.length > 0 ? problems : [t('perf.command.stale')];
    return { isFilled: false, unknown, problems: reasons, warnings };
  }
  const plan = withFormData(parsed, now.plan);
  const isOther = plan.model !== now.model;
  perfUi.setState({
    plan,
    model: plan.model,
    ...(isOther ? { override: undefined, sweep: undefined } : {}),
  });
  return { isFilled: true, unknown, problems, warnings };
}

/** Text that is in the form stays there; the line only names the file it would be saved as. */
function withFormData(parsed: PerfPlan, form: PerfPlan | undefined): PerfPlan {
  const { source } = parsed.data;
  const isInline = source.kind === 'path' && source.path === INLINE_DATA;
  const own = form?.data.source;
  if (!isInline || (own?.kind !== 'json' && own?.kind !== 'saved')) return parsed;
  return { ...parsed, data: { ...parsed.data, source: own } };
}
