// Seldon Core 2: an object for each model, which its servers fetch by themselves, and a pipeline for each ensemble.

import type { HandoverFile } from '../../../src-shared/contract/handover-calls.ts';
import type { Finding } from '../../../src-shared/contract/finding.ts';
import type { EnsembleStep } from '../../../src-shared/config/model-config.ts';
import { isEnsemble } from '../../../src-shared/config/model-config.ts';
import { selectVersions } from '../../../src-shared/config/rules/version-rules.ts';
import type { CheckedModel } from '../../check/check-model.ts';
import { dnsLabel } from '../checks/name-rules.ts';
import type { ExportContext, TargetDefinition } from '../export-context.ts';
import { handoverErrors } from '../handover-errors.ts';
import { fileFinding, serverFinding } from '../handover-finding.ts';
import type { YamlValue } from '../yaml-file.ts';
import { yamlFile } from '../yaml-file.ts';
import { podStyle } from './kubernetes-pod.ts';
import { onlyRepository } from './one-repository.ts';

const TITLE = 'Seldon Core 2';
const API = 'mlops.seldon.io/v1alpha1';
const WANTED = 's3:// or gs://';

/** What a server must have, by backend. */
const REQUIREMENTS: Readonly<Record<string, string>> = {
  onnxruntime: 'onnx',
  pytorch: 'pytorch',
  tensorflow: 'tensorflow',
  tensorrt: 'tensorrt',
  openvino: 'openvino',
  dali: 'dali',
  python: 'python',
};

function modelObjects(context: ExportContext, model: CheckedModel): readonly HandoverFile[] {
  const { plan, comment } = context;
  const { argument } = onlyRepository(context, TITLE);
  const requirement = REQUIREMENTS[model.config.backend];
  const versions = selectVersions(model.config.versionPolicy, model.versions);
  return versions.map((version) => {
    const name = versionName(model, version, versions.at(-1));
    return yamlFile(`models/${name}.yaml`, comment, {
      apiVersion: API,
      kind: 'Model',
      metadata: { name },
      spec: {
        storageUri: `${argument}/${model.name}`,
        artifactVersion: version,
        requirements: ['triton', ...(requirement === undefined ? [] : [requirement])],
        memory: '500Mi',
        replicas: plan.replicas,
      },
    });
  });
}

/** The newest version has the model's name. */
function versionName({ name }: CheckedModel, version: number, newest: number | undefined): string {
  return version === newest ? dnsLabel(name) : `${dnsLabel(name)}-v${version}`;
}

/** Undefined where steps cannot be told apart: they are called by their model. */
function pipeline({ name, config }: CheckedModel): YamlValue | undefined {
  const steps = config.ensembleScheduling?.step ?? [];
  if (new Set(steps.map(({ modelName }) => modelName)).size < steps.length) return undefined;
  const sources = new Map(
    config.input.map((input): [string, string] => [input.name, `${dnsLabel(name)}.inputs.${input.name}`]),
  );
  for (const { modelName, outputMap } of steps) {
    for (const [output, tensor] of Object.entries(outputMap))
      sources.set(tensor, `${dnsLabel(modelName)}.outputs.${output}`);
  }
  return {
    apiVersion: API,
    kind: 'Pipeline',
    metadata: { name: dnsLabel(name) },
    spec: {
      steps: steps.map((step) => pipelineStep(step, sources)),
      output: { steps: config.output.map((output) => sources.get(output.name) ?? output.name) },
    },
  };
}

function pipelineStep(
  { modelName, inputMap }: EnsembleStep,
  sources: ReadonlyMap<string, string>,
): YamlValue {
  const inputs = Object.entries(inputMap).map(
    ([input, tensor]) => [sources.get(tensor) ?? tensor, input] as const,
  );
  return {
    name: dnsLabel(modelName),
    inputs: inputs.map(([source]) => source),
    tensorMap: Object.fromEntries(inputs),
  };
}

function seldonFiles(context: ExportContext): readonly HandoverFile[] {
  const { location } = onlyRepository(context, TITLE);
  if (location.kind !== 'store' || !/^(s3|gs):/.test(location.url))
    throw handoverErrors.otherPlace({ target: TITLE, wanted: WANTED });
  return context.models.flatMap((model) => {
    if (!isEnsemble(model.config)) return modelObjects(context, model);
    const object = pipeline(model);
    const path = `pipelines/${dnsLabel(model.name)}.yaml`;
    return object === undefined ? [] : [yamlFile(path, context.comment, object)];
  });
}

function seldonFindings({ models, arguments: options }: ExportContext): readonly Finding[] {
  const findings: Finding[] = [];
  if (options.length > 0) {
    findings.push(
      serverFinding(
        'info',
        'H19',
        `Seldon's servers have options of their own: ${options.join(' ')} are left out`,
        'Write what has to hold into the Server object of the cluster.',
      ),
    );
  }
  for (const model of models) {
    if (!isEnsemble(model.config)) continue;
    const file = model.configPath ?? model.path;
    findings.push(
      pipeline(model) === undefined
        ? fileFinding('error', 'H12', file, {
            message: 'a pipeline calls its steps by their models, and this ensemble has one model twice',
            hint: 'Give the second step a model of its own, or leave the ensemble behind.',
          })
        : fileFinding('info', 'H12', file, {
            message:
              'the ensemble becomes a pipeline, whose outputs have the names that its last steps give them',
            hint: 'Let clients ask for these names.',
          }),
    );
  }
  return [...findings, ...sharedNames(models)];
}

/** Different names may become the same there. */
function sharedNames(models: readonly CheckedModel[]): readonly Finding[] {
  return [...Map.groupBy(models, ({ name }) => dnsLabel(name))]
    .filter(([, same]) => same.length > 1)
    .map(([label, same]) =>
      serverFinding(
        'error',
        'H12',
        `${same.map(({ name }) => name).join(' and ')} would both be called ${label}`,
        'Rename one of them.',
      ),
    );
}

/** Has no place of its own for models: one that its servers can fetch from must be named. */
export const seldonTarget: TargetDefinition = {
  title: TITLE,
  style: podStyle,
  usualPlace: () => {
    throw handoverErrors.otherPlace({ target: TITLE, wanted: WANTED });
  },
  files: seldonFiles,
  findings: seldonFindings,
};
