// Which image has the backend of a model, and which models are bound to more than their backend.

import { isEnsemble } from '../../../src-shared/config/model-config.ts';
import type { Finding } from '../../../src-shared/contract/finding.ts';
import { compareVersions, imageHas, imageName, imageWith, lastReleaseWith } from '../release-table.ts';
import type { ModelUnderCheck } from './model-under-check.ts';
import { fieldFinding } from './model-under-check.ts';

/** Backends that only Conch has: nobody else runs JavaScript, and the teaching backends are in no image. */
const OWN_BACKENDS: ReadonlySet<string> = new Set(['javascript']);
/** Folder of a hand-over with models to be written anew, one folder each. */
export const SKELETON_FOLDER = 'skeletons';

/** H01, H02, H07, H08. */
export function backendRule(checked: ModelUnderCheck): readonly Finding[] {
  const { model, release, image } = checked;
  const { config } = model;
  if (isEnsemble(config) || config.backend === '') return [];
  const { backend } = config;
  if (OWN_BACKENDS.has(backend)) {
    return [
      fieldFinding(checked, 'backend', 'error', {
        code: 'H02',
        message: `only Conch runs models of the backend '${backend}'`,
        hint: `Rewrite it as a Python model; ${SKELETON_FOLDER}/${model.name} of the export has one with the same tensors to fill in.`,
      }),
    ];
  }
  if (imageHas(image, backend, release.name)) return planFindings(checked);
  const last = lastReleaseWith(backend);
  if (last !== undefined && compareVersions(release.name, last) > 0) {
    return [
      fieldFinding(checked, 'backend', 'error', {
        code: 'H07',
        message: `release ${release.name} has no backend '${backend}'; ${last} is the last that has it`,
        hint: `Take release ${last}, or convert the model to ONNX.`,
      }),
    ];
  }
  return [missingBackend(checked, backend)];
}

function missingBackend(checked: ModelUnderCheck, backend: string): Finding {
  const { release, image } = checked;
  const other = imageWith(backend, release.name);
  const hint =
    other === undefined
      ? `No image has it: build one with its library in /opt/tritonserver/backends/${backend}, or convert the model.`
      : `${imageName(release.name, other)} has it, without the other frameworks: serve the model from a repository of its own.`;
  return fieldFinding(checked, 'backend', 'error', {
    code: 'H01',
    message: `${imageName(release.name, image)} has no backend '${backend}'`,
    hint,
  });
}

function planFindings(checked: ModelUnderCheck): readonly Finding[] {
  if (checked.model.config.backend !== 'tensorrt') return [];
  return [
    fieldFinding(checked, 'platform', 'warning', {
      code: 'H08',
      message:
        'a TensorRT plan runs only with the TensorRT it was built with, on the kind of GPU it was built for',
      hint: `Build the plan in ${imageName(checked.release.name)} on such a GPU.`,
    }),
  ];
}
