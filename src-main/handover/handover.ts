// A hand-over as a whole: the checks of all repositories, then the files that start the target on them. Nothing is written
// and nobody is asked; what is made depends on the repositories, the server's options and the plan alone.

import type { Finding } from '../../src-shared/contract/finding.ts';
import type { HandoverFile, HandoverPlan } from '../../src-shared/contract/handover-calls.ts';
import { DEFAULT_PORTS } from '../../src-shared/default-ports.ts';
import type { CheckedModel, CheckOptions } from '../check/check-model.ts';
import { checkFolders } from '../check/check-repository.ts';
import type { HandedModel } from './checks/check-models.ts';
import { examineModels } from './checks/check-models.ts';
import { COMPLETED_FOLDER, completedText } from './completed-config.ts';
import type { ServedOptions } from './exported-arguments.ts';
import { exportedArguments } from './exported-arguments.ts';
import type { ExportContext, ExportedRepository, TargetDefinition } from './export-context.ts';
import { handoverErrors } from './handover-errors.ts';
import { serverFinding } from './handover-finding.ts';
import { isStorePath, shownPath } from '../object-stores/store-path.ts';
import type { RepositoryLocation } from './location.ts';
import { readLocation } from './location.ts';
import { pythonSkeleton } from './python-skeleton.ts';
import { findRelease, imageHas, imageName, NEWEST_RELEASE, RELEASES } from './release-table.ts';
import { clusterFindings, signatureFindings, sizeFindings, variableNames } from './server-findings.ts';
import { TARGETS } from './targets/target-table.ts';

/** What is to be handed over, to whom, and by which server. */
export interface HandoverRequest {
  readonly plan: HandoverPlan;
  readonly served: ServedOptions;
  /** Of the product, for the comment. */
  readonly version: string;
  readonly backends: CheckOptions['backends'];
  readonly signal: AbortSignal;
}

/** What was found and what would be written. */
export interface Handover {
  readonly models: readonly CheckedModel[];
  /** About the server as a whole. */
  readonly server: readonly Finding[];
  readonly files: readonly HandoverFile[];
  readonly errorCount: number;
}

/** Rejects with INVALID_ARG for a plan that cannot be carried out, with the signal's reason when aborted. */
export async function handOver(request: HandoverRequest): Promise<Handover> {
  const { plan, served, backends, signal } = request;
  const release = findRelease(plan.release);
  if (release === undefined) {
    const oldest = RELEASES.at(-1)?.name ?? '';
    throw handoverErrors.release({ release: plan.release, oldest, newest: NEWEST_RELEASE });
  }
  const target = TARGETS[plan.target];
  const repositories = exportedRepositories(plan, served.engine.repository.paths, target);
  const options = {
    modelConfigName: served.engine.repository.modelConfigName,
    isStrict: !served.engine.repository.autoCompleteConfig,
    backends,
  };
  const looked = repositories.filter(({ source }) => !isStorePath(source));
  const checked = await checkFolders(
    looked.map(({ source }) => source),
    options,
    { hasOthers: looked.length < repositories.length, signal },
  );
  const image = imageFor(checked.flat(), plan);
  const handed: HandedModel[] = [];
  for (const [at, { source, location }] of looked.entries()) {
    const destination = { plan, release, image, location };
    handed.push(...(await examineModels(checked[at] ?? [], source, destination, signal)));
  }
  const models = handed.map(({ model }) => model);
  const exported = exportedArguments(served, target.style);
  const completed = plan.completedConfigs ? completedFiles(models, plan) : { files: [], findings: [] };
  const isStrict = completed.files.length > 0 && completed.findings.length === 0;
  const strict = '--disable-auto-complete-config';
  const context: ExportContext = {
    ...contextOf(request, handed, repositories),
    release,
    image: imageName(release.name, image),
    arguments:
      isStrict && !exported.arguments.includes(strict) ? [...exported.arguments, strict] : exported.arguments,
    secrets: [...exported.secrets, ...repositories.flatMap(({ signature }) => signature ?? [])],
    certificates: exported.certificates,
    comment: commentOf(request, target, exported.arguments),
  };
  const server = [
    ...exported.findings,
    ...completed.findings,
    ...repositories.filter(({ source }) => isStorePath(source)).map(notLookedAt),
    ...repositories.flatMap(signatureFindings),
    ...clusterFindings(context, served),
    ...sizeFindings(context, handed),
    ...(target.findings?.(context) ?? []),
  ];
  const files = [...target.files(context), ...completed.files, ...models.flatMap(pythonSkeleton)];
  const errorCount = [...server, ...models.flatMap(({ findings }) => findings)].filter(
    ({ severity }) => severity === 'error',
  ).length;
  return { models, server, files, errorCount };
}

function exportedRepositories(
  plan: HandoverPlan,
  sources: readonly string[],
  target: TargetDefinition,
): readonly ExportedRepository[] {
  if (sources.length === 0) throw handoverErrors.noRepository();
  if (plan.locations.length > sources.length) {
    throw handoverErrors.locationCount({ count: plan.locations.length, repositories: sources.length });
  }
  let mounted = 0;
  return sources.map((given, index) => {
    const source = shownPath(given);
    const named = plan.locations[index] ?? '';
    const location =
      named !== ''
        ? readLocation(named)
        : isStorePath(source)
          ? readLocation(given)
          : target.usualPlace(plan, source, index);
    if (location.kind === 'store')
      return { source, location, mount: undefined, ...storeArgument(location, target, index) };
    const mount = `/models${mounted === 0 ? '' : mounted}`;
    mounted += 1;
    const isPart = location.kind === 'claim' && location.path !== '';
    return {
      source,
      location,
      mount,
      argument: isPart ? `${mount}/${location.path}` : mount,
      signature: undefined,
    };
  });
}

/** The address; its signature stands there by its name. */
function storeArgument(
  { url, isSigned }: RepositoryLocation & { readonly kind: 'store' },
  { style }: TargetDefinition,
  index: number,
): Pick<ExportedRepository, 'argument' | 'signature'> {
  if (!isSigned) return { argument: url, signature: undefined };
  const signature = `MODEL_REPOSITORY_SIGNATURE${index === 0 ? '' : `_${index}`}`;
  return { argument: `${url}?${style.secret(signature)}`, signature };
}

/** The image of language models where they are all there is; else the one with all frameworks. */
function imageFor(models: readonly CheckedModel[], { release }: HandoverPlan): string {
  const names = new Set(models.map(({ config }) => config.backend).filter((name) => name !== ''));
  const suits = (suffix: string): boolean => [...names].every((name) => imageHas(suffix, name, release));
  const own = ['vllm-python-py3', 'trtllm-python-py3'].find(suits);
  return names.size > 0 && !suits('py3') && own !== undefined ? own : 'py3';
}

function completedFiles(
  models: readonly CheckedModel[],
  { device }: HandoverPlan,
): { readonly files: readonly HandoverFile[]; readonly findings: readonly Finding[] } {
  const files: HandoverFile[] = [];
  const findings: Finding[] = [];
  for (const model of models) {
    const text = completedText(model, device);
    if (text !== undefined) files.push({ path: `${COMPLETED_FOLDER}/${model.name}/config.pbtxt`, text });
    else findings.push({ ...incomplete, file: model.configPath ?? model.path });
  }
  return { files, findings };
}

const incomplete = serverFinding(
  'warning',
  'H09',
  'the configuration can only be completed by a server that loads the model, so completion stays on there',
  'Write inputs, outputs and backend into the configuration.',
);

function notLookedAt({ source }: ExportedRepository): Finding {
  return serverFinding(
    'info',
    'H16',
    `the models in ${source} were not looked at`,
    'Check the folder that was uploaded.',
  );
}

const READ_BYTES_PER_SECOND = 100_000_000;
const PYTHON_MIB = 64;
/** For the end of requests, after the server's own budget. */
const EXTRA_GRACE_SEC = 10;

function contextOf(
  { plan, served }: HandoverRequest,
  handed: readonly HandedModel[],
  repositories: readonly ExportedRepository[],
): Pick<
  ExportContext,
  | 'plan'
  | 'repositories'
  | 'ports'
  | 'graceSec'
  | 'startSec'
  | 'byteSize'
  | 'sharedMib'
  | 'models'
  | 'variables'
> {
  const { engine } = served;
  const byteSize = handed.reduce((all, one) => all + one.byteSize, 0);
  const pythonInstances = handed
    .filter(({ model }) => model.config.backend === 'python')
    .reduce((all, { model }) => all + model.versions.length * instancesOf(model), 0);
  return {
    plan,
    repositories,
    variables: variableNames(served, repositories),
    ports: {
      http: engine.http.port || DEFAULT_PORTS.http,
      grpc: engine.grpc.port || DEFAULT_PORTS.grpc,
      metrics: engine.metrics.port || DEFAULT_PORTS.metrics,
    },
    graceSec: engine.server.exitTimeoutSec + EXTRA_GRACE_SEC,
    startSec: Math.ceil((byteSize / READ_BYTES_PER_SECOND) * 2),
    byteSize,
    sharedMib: pythonInstances === 0 ? 0 : Math.max(1024, pythonInstances * PYTHON_MIB + 512),
    models: handed.map(({ model }) => model),
  };
}

function instancesOf({ config }: CheckedModel): number {
  return config.instanceGroup.reduce(
    (all, { count, gpus }) => all + Math.max(1, count) * Math.max(1, gpus.length),
    0,
  );
}

/** The same plan and options give the same comment: no time, no machine. */
function commentOf(
  { plan, version }: HandoverRequest,
  { title }: TargetDefinition,
  options: readonly string[],
): readonly string[] {
  const device = plan.device === 'gpu' ? `${plan.gpuCount} GPU${plan.gpuCount === 1 ? '' : 's'}` : 'CPU';
  return [
    `Made by Conch ${version} for ${title}: release ${plan.release} of Triton Inference Server, ${device}.`,
    `Options: ${options.length === 0 ? 'none besides the defaults' : options.join(' ').replaceAll(/\s+/g, ' ')}`,
  ];
}
