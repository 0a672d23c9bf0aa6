// All rules of a hand-over, over models that lie in a folder here. Codes are those of
// docs/handover.md.

import { selectVersions } from '../../../src-shared/config/rules/version-rules.ts';
import type { CheckedModel } from '../../check/check-model.ts';
import { folderFiles } from '../folder-files.ts';
import { backendRule } from './backend-rules.ts';
import { completionRule, instanceRule, newcomerRule, sequenceRule } from './config-rules.ts';
import { emptyVersionRule, linkRule } from './file-rules.ts';
import type { ModelRule, ModelUnderCheck } from './model-under-check.ts';
import { nameRule, pathRule } from './name-rules.ts';
import { onnxRule } from './onnx-rules.ts';
import { pythonRule } from './python-rules.ts';
import { torchRule } from './torch-rules.ts';

const RULES: readonly ModelRule[] = [
  backendRule,
  onnxRule,
  torchRule,
  completionRule,
  instanceRule,
  newcomerRule,
  nameRule,
  pathRule,
  pythonRule,
  sequenceRule,
  linkRule,
  emptyVersionRule,
];

const SEVERITIES = ['error', 'warning', 'info'] as const;

/** One model with everything found about it, and how large its files are. */
export interface HandedModel {
  readonly model: CheckedModel;
  readonly byteSize: number;
  readonly largestByteSize: number;
}

/** Where all models are to run. */
export type Destination = Pick<ModelUnderCheck, 'plan' | 'release' | 'image' | 'location'>;

/** `repository` is the folder that they lie in. Rejects with the signal's reason when aborted. */
export async function examineModels(
  models: readonly CheckedModel[],
  repository: string,
  destination: Destination,
  signal: AbortSignal,
): Promise<readonly HandedModel[]> {
  const handed: HandedModel[] = [];
  for (const model of models) {
    signal.throwIfAborted();
    handed.push(await handedModel(model, repository, destination));
  }
  return handed;
}

async function handedModel(
  model: CheckedModel,
  repository: string,
  destination: Destination,
): Promise<HandedModel> {
  const files = await folderFiles(model.path, repository);
  const versions = selectVersions(model.config.versionPolicy, model.versions);
  const checked: ModelUnderCheck = { ...destination, model, files, versions };
  const found = (await Promise.all(RULES.map((rule) => rule(checked)))).flat();
  const findings = [...model.findings, ...found].sort(
    (a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity),
  );
  const sizes = files.map(({ byteSize }) => byteSize);
  return {
    model: { ...model, findings },
    byteSize: sizes.reduce((all, one) => all + one, 0),
    largestByteSize: Math.max(0, ...sizes),
  };
}
