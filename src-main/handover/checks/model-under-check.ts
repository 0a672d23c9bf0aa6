// What the rules of a hand-over look at: one model of the repository, and where it is to run.

import type { Finding } from '../../../src-shared/contract/finding.ts';
import type { HandoverPlan } from '../../../src-shared/contract/handover-calls.ts';
import type { CheckedModel } from '../../check/check-model.ts';
import type { FolderFile } from '../folder-files.ts';
import type { HandoverCode } from '../handover-finding.ts';
import type { RepositoryLocation } from '../location.ts';
import type { Release } from '../release-table.ts';

/** One model, its files, and where it is to run. */
export interface ModelUnderCheck {
  readonly model: CheckedModel;
  /** Versions that are served, ascending. */
  readonly versions: readonly number[];
  /** Everything in its folder. */
  readonly files: readonly FolderFile[];
  readonly plan: HandoverPlan;
  readonly release: Release;
  /** Suffix of the image: "py3". */
  readonly image: string;
  readonly location: RepositoryLocation;
}

/** What is wrong with one model for a target. */
export type ModelRule = (checked: ModelUnderCheck) => readonly Finding[] | Promise<readonly Finding[]>;

/** A finding about a field of the configuration, placed in its text. */
export function fieldFinding(
  { model }: Pick<ModelUnderCheck, 'model'>,
  field: string,
  severity: Finding['severity'],
  { code, message, hint }: { readonly code: HandoverCode; readonly message: string; readonly hint: string },
): Finding {
  return { ...model.placeOf(field), severity, code, message, hint };
}

/** Files of the served versions that have that ending. */
export function servedFiles({ versions, files }: ModelUnderCheck, ending: RegExp): readonly FolderFile[] {
  const folders = new Set(versions.map(String));
  return files.filter(
    ({ path, kind }) => kind === 'file' && folders.has(path.split('/')[0] ?? '') && ending.test(path),
  );
}
