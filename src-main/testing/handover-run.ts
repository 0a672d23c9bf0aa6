// A hand-over of folders, as tests ask for it.

import type { HandoverPlan } from '../../src-shared/contract/handover-calls.ts';
import type { Finding } from '../../src-shared/contract/finding.ts';
import { Disposer } from '../base/disposer.ts';
import { servedOptions } from '../cli/served-options.ts';
import { createBackends } from '../engine-backends.ts';
import type { Handover } from '../handover/handover.ts';
import { handOver } from '../handover/handover.ts';
import { USUAL_PLAN } from '../handover/plan-defaults.ts';
import type { Environment } from '../options/serve-draft.ts';

interface HandoverAsked {
  readonly repositories: readonly string[];
  readonly plan?: Partial<HandoverPlan>;
  /** Options of the server. */
  readonly options?: readonly string[];
  readonly environment?: Environment;
}

/** With the usual plan but for `plan`; nothing is written. Rejects as `handOver` and `servedOptions` do. */
export async function handOverFolders(asked: HandoverAsked): Promise<Handover> {
  const { repositories, plan = {}, options = [], environment = {} } = asked;
  await using owned = new Disposer();
  const served = servedOptions(repositories, options, environment);
  return await handOver({
    plan: { ...USUAL_PLAN, ...plan },
    served,
    version: '1.2.3',
    backends: createBackends(served.engine.backends, [], owned).registry,
    signal: new AbortController().signal,
  });
}

/** Text of a file of the export; throws when there is none. */
export function exportedText({ files }: Handover, name: string): string {
  const file = files.find(({ path }) => path === name);
  if (file === undefined) throw new Error(`no ${name} among ${files.map(({ path }) => path).join(', ')}`);
  return file.text;
}

/** All findings with that code, of models and of the server. */
export function findingsOf({ server, models }: Handover, code: string): readonly Finding[] {
  return [...server, ...models.flatMap(({ findings }) => findings)].filter((one) => one.code === code);
}
