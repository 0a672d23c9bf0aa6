// What the ONNX Runtime of a release reads: operator sets, IR version, domains, weights beside the model.

import { stat } from 'node:fs/promises';
import path from 'node:path';

import type { Finding } from '../../../src-shared/contract/finding.ts';
import { toServerError } from '../../../src-shared/errors.ts';
import { findArtefact } from '../../backends/onnxruntime/artefact.ts';
import { modelFiles } from '../../inference/model-files.ts';
import { externalDataFile, externalLocations } from '../../onnx/external-data.ts';
import type { OnnxGraph, OnnxModel, OnnxNode } from '../../onnx/onnx-model.ts';
import { readOnnx } from '../../onnx/onnx-reader.ts';
import { fileFinding } from '../handover-finding.ts';
import type { OnnxLimits } from '../release-table.ts';
import { firstRelease, onnxLimits } from '../release-table.ts';
import type { ModelUnderCheck } from './model-under-check.ts';

const KNOWN_DOMAINS: ReadonlySet<string> = new Set(['', 'ai.onnx', 'ai.onnx.ml', 'com.microsoft']);

/** H03, H04, H05 of every served version. A file that cannot be read is a finding of the check itself. */
export async function onnxRule(checked: ModelUnderCheck): Promise<readonly Finding[]> {
  const { model, versions } = checked;
  if (model.config.backend !== 'onnxruntime') return [];
  const findings: Finding[] = [];
  for (const version of versions) {
    const read = await readVersion(checked, version);
    if (read === undefined) continue;
    findings.push(
      ...setFindings(checked, read.file, read.onnx),
      ...domainFindings(checked, read.file, read.onnx),
      ...(await weightFindings(read.file, read.onnx)),
    );
  }
  return findings;
}

async function readVersion(
  { model }: ModelUnderCheck,
  version: number,
): Promise<{ readonly file: string; readonly onnx: OnnxModel } | undefined> {
  try {
    const file = await findArtefact(model.config, modelFiles(model.name, model.path, String(version)));
    return { file, onnx: await readOnnx(file) };
  } catch (thrown) {
    toServerError(thrown);
    return undefined;
  }
}

function setFindings({ release }: ModelUnderCheck, file: string, onnx: OnnxModel): readonly Finding[] {
  const limits = onnxLimits(release.onnxruntime);
  const findings: Finding[] = [];
  const tooNew = (what: string, value: number, limit: keyof OnnxLimits): void => {
    if (value <= limits[limit]) return;
    const first = firstRelease(({ onnxruntime }) => onnxLimits(onnxruntime)[limit] >= value);
    const instead = limit === 'irVersion' ? 'an older IR version' : `operator set ${limits[limit]} or lower`;
    findings.push(
      fileFinding('error', 'H03', file, {
        message: `${what} ${value} is above what ONNX Runtime ${release.onnxruntime} of release ${release.name} reads, which is ${limits[limit]}`,
        hint:
          first === undefined
            ? `No known release reads it: export the model with ${instead}.`
            : `Take release ${first.name} or a newer one, or export the model with ${instead}.`,
      }),
    );
  };
  for (const { domain, version } of onnx.opsets) {
    if (domain === '' || domain === 'ai.onnx') tooNew('operator set', version, 'opset');
    if (domain === 'ai.onnx.ml') tooNew('operator set ai.onnx.ml', version, 'mlOpset');
  }
  tooNew('IR version', onnx.irVersion, 'irVersion');
  return findings;
}

function* nodesOf({ nodes }: Pick<OnnxGraph, 'nodes'>): Generator<OnnxNode> {
  for (const node of nodes) {
    yield node;
    for (const { graphs } of node.attributes) for (const graph of graphs) yield* nodesOf(graph);
  }
}

function domainFindings(checked: ModelUnderCheck, file: string, onnx: OnnxModel): readonly Finding[] {
  const own = new Set(onnx.functions.map(({ domain, name }) => `${domain}.${name}`));
  const bodies = [onnx.graph, ...onnx.functions];
  const strangers = new Set(
    bodies
      .flatMap((body) => [...nodesOf(body)])
      .filter(({ domain, opType }) => !KNOWN_DOMAINS.has(domain) && !own.has(`${domain}.${opType}`))
      .map(({ domain, opType }) => `${domain}.${opType}`),
  );
  if (strangers.size === 0) return [];
  const names = [...strangers].sort().join(', ');
  const libraries = checked.model.config.modelOperations?.opLibraryFilename ?? [];
  const isLinuxOnly = libraries.length > 0 && libraries.every((name) => name.endsWith('.so'));
  if (isLinuxOnly) {
    return [
      fileFinding('info', 'H04', file, {
        message: `${names} come from ${libraries.join(', ')}`,
        hint: 'The library must be one for Linux, on the processor of the target.',
      }),
    ];
  }
  return [
    fileFinding('error', 'H04', file, {
      message:
        libraries.length === 0
          ? `the operators ${names} are in no image`
          : `${libraries.join(', ')} is no library for Linux, and ${names} come from it`,
      hint: 'Put a library for Linux that has them beside the model, and name it in model_operations { op_library_filename }.',
    }),
  ];
}

async function weightFindings(file: string, onnx: OnnxModel): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const location of externalLocations(onnx)) {
    const data = await externalDataFile(file, location);
    const isThere =
      data !== undefined &&
      (await stat(data).then(
        (facts) => facts.isFile(),
        () => false,
      ));
    if (isThere) continue;
    findings.push(
      fileFinding('error', 'H05', file, {
        message: `its weights are in '${location}', which is not a file below ${path.basename(path.dirname(file))}`,
        hint: 'Put the file of weights beside the model and name it in the model without folders.',
      }),
    );
  }
  return findings;
}
