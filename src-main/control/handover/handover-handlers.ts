// Answers the calls about handing the server's repositories over to other engines. Files are written where the window may
// write, and only when nothing stands against it or the user says so.

import path from 'node:path';

import type { HandlersFor } from '../../../src-shared/contract/contract.ts';
import type {
  handoverCalls,
  HandoverPlan,
  HandoverView,
} from '../../../src-shared/contract/handover-calls.ts';
import type { ServedOptions } from '../../handover/exported-arguments.ts';
import type { Handover } from '../../handover/handover.ts';
import { handOver } from '../../handover/handover.ts';
import { handoverErrors } from '../../handover/handover-errors.ts';
import { USUAL_PLAN } from '../../handover/plan-defaults.ts';
import { RELEASES } from '../../handover/release-table.ts';
import { writeExport } from '../../handover/write-export.ts';
import type { BackendRegistry } from '../../inference/backend-registry.ts';
import type { InspectionMachine } from '../catalog/config-inspection.ts';
import type { BlobStore } from '../files/blob-store.ts';
import type { PathGuard } from '../files/path-guard.ts';
import { zipTexts } from '../files/zip-file.ts';

/** The server as it could be started elsewhere. */
export interface HandoverSource {
  /** As the server runs now. */
  readonly served: () => ServedOptions;
  readonly backends: BackendRegistry;
}

interface HandoverDeps {
  readonly handover: HandoverSource;
  readonly machine: InspectionMachine;
  readonly appVersion: string;
  readonly guard: PathGuard;
  readonly blobs: BlobStore;
}

/** Each call checks anew: what lies in the repositories may have changed since. */
export function handoverHandlers(deps: HandoverDeps): HandlersFor<typeof handoverCalls> {
  const { handover: source, machine, appVersion, guard, blobs } = deps;
  const make = (plan: HandoverPlan, signal: AbortSignal): Promise<Handover> =>
    handOver({ plan, served: source.served(), version: appVersion, backends: source.backends, signal });
  const makeSafe = async (plan: HandoverPlan, isForced: boolean, signal: AbortSignal): Promise<Handover> => {
    const made = await make(plan, signal);
    if (made.errorCount > 0 && !isForced) throw handoverErrors.notSafe({ count: made.errorCount });
    return made;
  };
  return {
    'handover/choices': () => ({
      releases: RELEASES,
      repositories: source.served().engine.repository.paths,
      usual: {
        ...USUAL_PLAN,
        device: machine.gpuIds.length > 0 ? 'gpu' : 'cpu',
        gpuCount: Math.max(1, machine.gpuIds.length),
      },
    }),
    'handover/prepare': async ({ plan }, { signal }) => viewOf(await make(plan, signal)),
    'handover/save': async ({ plan, folder, isForced, mayReplace }, { signal }) => {
      const { files } = await makeSafe(plan, isForced, signal);
      const target = guard.check(folder);
      await writeExport(target, files, { repositories: source.served().engine.repository.paths, mayReplace });
      return { folder: path.resolve(target), fileCount: files.length };
    },
    'handover/pack': async ({ plan, isForced }, { signal }) => {
      const { files } = await makeSafe(plan, isForced, signal);
      const bytes = await zipTexts(files);
      return { blob: blobs.create(bytes), byteSize: bytes.byteLength };
    },
  };
}

const SEVERITIES = ['error', 'warning', 'info'] as const;

function viewOf({ models, server, files }: Handover): HandoverView {
  const findings = [
    ...server.map((finding) => ({ ...finding, model: '' })),
    ...models.flatMap(({ name, findings: own }) => own.map((finding) => ({ ...finding, model: name }))),
  ].sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
  const countOf = (wanted: (typeof SEVERITIES)[number]): number =>
    findings.filter(({ severity }) => severity === wanted).length;
  return {
    findings,
    errorCount: countOf('error'),
    warningCount: countOf('warning'),
    modelCount: models.length,
    files,
  };
}
