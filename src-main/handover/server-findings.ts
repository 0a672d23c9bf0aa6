// What is to be known of a hand-over besides single models: variables, state of pods, sizes.

import type { Finding } from '../../src-shared/contract/finding.ts';
import type { HandedModel } from './checks/check-models.ts';
import type { ServedOptions } from './exported-arguments.ts';
import type { ExportContext, ExportedRepository } from './export-context.ts';
import { serverFinding } from './handover-finding.ts';
import { isStorePath } from '../object-stores/store-path.ts';
import { storeVariables } from './location.ts';
import { compareVersions } from './release-table.ts';

/** Variables that a server reads; GPUs are given by the platform. */
const READ_VARIABLES = /^(AWS_|AZURE_STORAGE_|GOOGLE_APPLICATION_|TRITON_(?!.*TEST)|TRITONCACHE_|OTEL_)/;
const GPU_VARIABLE = 'CUDA_VISIBLE_DEVICES';
const AZURE_IDENTITY_SINCE = '26.05';

/** In text order: those that the stores need, and those that the server has been given. */
export function variableNames(
  { variables }: ServedOptions,
  repositories: readonly ExportedRepository[],
): readonly string[] {
  const needed = repositories.flatMap(({ location }) => storeVariables(location));
  const isInStore = needed.length > 0;
  const given = [...variables].filter(
    (name) => READ_VARIABLES.test(name) && (isInStore || !/^(AWS|AZURE|GOOGLE)_/.test(name)),
  );
  return [...new Set([...needed, ...given])].sort();
}

/** H11, H19, H20. */
export function clusterFindings(context: ExportContext, served: ServedOptions): readonly Finding[] {
  return [
    ...variableFindings(context, served),
    ...azureFindings(context, served),
    ...stateFindings(context, served),
    ...context.repositories.flatMap(claimFindings),
  ];
}

function variableFindings({ variables }: ExportContext, served: ServedOptions): readonly Finding[] {
  const findings: Finding[] = [];
  if (variables.length > 0) {
    const are = variables.length === 1 ? 'is a variable whose value' : 'are variables whose values';
    findings.push(
      serverFinding(
        'info',
        'H19',
        `${variables.join(', ')} ${are} no file holds`,
        'Set them where the engine starts; the comments of the files say where.',
      ),
    );
  }
  if (served.variables.has(GPU_VARIABLE)) {
    findings.push(
      serverFinding(
        'info',
        'H19',
        `${GPU_VARIABLE} was left out`,
        'The platform says which GPUs a container has.',
      ),
    );
  }
  return findings;
}

/** H19: what an address was given with and no file holds. */
export function signatureFindings({ location, signature }: ExportedRepository): readonly Finding[] {
  if (location.kind !== 'store' || signature === undefined) return [];
  return [
    serverFinding(
      'warning',
      'H19',
      `the signature at the end of ${location.url} is written nowhere`,
      `Give it as ${signature} where the engine starts, without the question mark, or sign in there by other means.`,
    ),
  ];
}

function azureFindings({ repositories, release }: ExportContext, served: ServedOptions): readonly Finding[] {
  const isAzure = repositories.some(
    ({ location }) => location.kind === 'store' && location.url.startsWith('as:'),
  );
  const isKnown = compareVersions(release.name, AZURE_IDENTITY_SINCE) >= 0;
  if (!isAzure || isKnown || served.variables.has('AZURE_STORAGE_KEY')) return [];
  return [
    serverFinding(
      'warning',
      'H11',
      `release ${release.name} knows no managed identity of Azure; ${AZURE_IDENTITY_SINCE} is the first that does`,
      'Give AZURE_STORAGE_KEY, or take that release or a newer one.',
    ),
  ];
}

function stateFindings({ plan }: ExportContext, served: ServedOptions): readonly Finding[] {
  const findings: Finding[] = [];
  if (plan.replicas > 1 || plan.autoscaling !== 'none') {
    findings.push(
      serverFinding(
        'warning',
        'H20',
        'shared memory, sequences, models loaded by request and trace settings are of one pod each',
        'Make such calls to every pod. gRPC keeps one connection: balance it with a proxy or in the client.',
      ),
    );
  }
  if (served.engine.repository.controlMode === 'poll' && plan.target !== 'compose') {
    findings.push(
      serverFinding(
        'info',
        'H20',
        '--model-control-mode=poll sees changes only where something writes to the repository',
        'Take none, or have what lies in the claim or the store renewed by somebody.',
      ),
    );
  }
  return findings;
}

function claimFindings({ source, location }: ExportedRepository): readonly Finding[] {
  if (location.kind !== 'claim' || !location.isOurs || isStorePath(source)) return [];
  return [
    serverFinding(
      'info',
      'H20',
      `the claim ${location.claim} is empty at first`,
      `Copy what lies in ${source} into it before the server starts, or give a place that has the models.`,
    ),
  ];
}

const PROBE_SEC = 300;

/** H16. */
export function sizeFindings(
  { byteSize, startSec }: ExportContext,
  handed: readonly HandedModel[],
): readonly Finding[] {
  if (handed.length === 0) return [];
  const largest = Math.max(...handed.map(({ largestByteSize }) => largestByteSize));
  const told = serverFinding(
    'info',
    'H16',
    `the repository has ${inMib(byteSize)}, its largest file ${inMib(largest)}`,
    '',
  );
  if (startSec <= PROBE_SEC) return [told];
  return [
    serverFinding(
      'warning',
      'H16',
      `${told.message}: reading it may take ${startSec} s`,
      'The files give the server that long to start; serve the models from a faster disk where it is too long.',
    ),
  ];
}

function inMib(byteSize: number): string {
  return byteSize >= 2 ** 20 ? `${Math.round(byteSize / 2 ** 20)} MiB` : `${Math.ceil(byteSize / 1024)} KiB`;
}
