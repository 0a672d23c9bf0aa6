// Answers the calls of the Graph tab. Files are read in a worker; the graph is handed out through the blob store.

import path from 'node:path';

import type { graphCalls } from '../../../src-shared/contract/graph-calls.ts';
import type { HandlersFor } from '../../../src-shared/contract/contract.ts';
import { toServerError } from '../../../src-shared/errors.ts';
import { findArtefact } from '../../backends/onnxruntime/artefact.ts';
import { modelFiles } from '../../inference/model-files.ts';
import { inspectAnyFile } from '../../onnx/onnx-inspection.ts';
import type { Model } from '../../repository/model.ts';
import type { BlobStore } from '../files/blob-store.ts';
import { ensembleActivity } from './ensemble-activity.ts';
import { runGraphJob } from './graph-jobs.ts';
import type { ModelCatalog } from '../catalog/model-catalog.ts';
import { catalogErrors } from '../catalog/catalog-errors.ts';
import { graphErrors } from './graph-errors.ts';

/** What the calls about drawings work with. */
export interface GraphDependencies {
  readonly catalog: ModelCatalog;
  readonly blobs: BlobStore;
  /** Newest serving version, if any. */
  readonly serving: (name: string) => Model | undefined;
}

/** Values shown of one constant. */
const SHOWN_VALUES = 256;

/** The graph itself is a blob of compressed JSON. Rejects with the reader's words for a file that is no ONNX model. */
export function graphHandlers(deps: GraphDependencies): HandlersFor<typeof graphCalls> {
  return {
    'graph/onnx': async ({ model, version }, { signal }) => {
      const file = await modelFile(deps, model, version);
      const { bytes, operatorCount } = await runGraphJob({ kind: 'graph', file }, signal);
      const blob = deps.blobs.create(bytes);
      return { blob, byteSize: bytes.byteLength, operatorCount, fileName: path.basename(file) };
    },
    'graph/fileFacts': async ({ model, version }, { signal }) => {
      const file = await modelFile(deps, model, version);
      const { producer, metadata, operatorCount, parameterCount } = await inspectAnyFile(file, { signal });
      return { producer, metadata, operatorCount, parameterCount };
    },
    'graph/constant': async ({ model, version, tensor, attribute }, { signal }) =>
      runGraphJob(
        {
          kind: 'constant',
          file: await modelFile(deps, model, version),
          question: { tensor, attribute, limit: SHOWN_VALUES },
        },
        signal,
      ),
    'graph/ensemble': ({ model }) => ensembleActivity(deps.serving(model)?.runtime.recentRuns() ?? []),
  };
}

/** NOT_FOUND names what is missing: the version, or the file in it. */
async function modelFile({ catalog }: GraphDependencies, model: string, version: string): Promise<string> {
  const facts = catalog.facts(model);
  const chosen = version === '' ? facts.versions.at(-1)?.version : version;
  if (chosen === undefined) throw catalogErrors.noVersions({ model });
  if (!facts.versions.some((known) => known.version === chosen)) {
    throw catalogErrors.noVersion({ model, version: chosen });
  }
  const files = modelFiles(model, facts.path, chosen);
  return await findArtefact(catalog.config(model), files).catch((thrown: unknown) => {
    const error = toServerError(thrown);
    if (error.code === 'INVALID_ARG') throw error;
    const name = catalog.config(model).defaultModelFilename;
    throw graphErrors.noModelFile({ model, version: chosen, file: name === '' ? 'model.onnx' : name });
  });
}
