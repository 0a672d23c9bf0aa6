// KServe: a runtime of its own with the image of the release, and the service that runs on it.

import type { HandoverFile } from '../../../src-shared/contract/handover-calls.ts';
import { DEFAULT_PORTS } from '../../../src-shared/default-ports.ts';
import type { ExportContext, ExportedRepository, TargetDefinition } from '../export-context.ts';
import { ownClaim } from '../export-context.ts';
import { handoverErrors } from '../handover-errors.ts';
import type { YamlValue } from '../yaml-file.ts';
import { yamlFile } from '../yaml-file.ts';
import { claimFiles, secretComment } from './kubernetes.ts';
import { podEnvironment, podProbes, podResources, podStyle, supportMounts } from './kubernetes-pod.ts';
import { onlyRepository } from './one-repository.ts';

const TITLE = 'KServe';
/** Where its storage initializer puts the repository, and the ports that it sends requests to. */
const MODELS = '/mnt/models';
const PORTS = ['--grpc-port=9000', '--http-port=8080'];

/** Throws INVALID_ARG for places that it cannot fetch from. */
function storageUri({ location }: ExportedRepository): string {
  switch (location.kind) {
    case 'claim':
      return `pvc://${location.claim}${location.path === '' ? '' : `/${location.path}`}`;
    case 'store': {
      const [, account, rest] = /^as:\/\/([^/]+)\/(.+)$/.exec(location.url) ?? [];
      return account === undefined
        ? location.url
        : `https://${account.split('.')[0]}.blob.core.windows.net/${rest}`;
    }
    case 'folder':
    case 'nfs':
      throw handoverErrors.otherPlace({ target: TITLE, wanted: 'pvc://claim/path, s3://, gs:// or as://' });
  }
}

function runtime(context: ExportContext): YamlValue {
  const { plan, image } = context;
  const mounts = supportMounts(context);
  return {
    apiVersion: 'serving.kserve.io/v1alpha1',
    kind: 'ServingRuntime',
    metadata: { name: `${plan.name}-runtime`, labels: { app: plan.name } },
    spec: {
      annotations: {
        'prometheus.kserve.io/port': String(DEFAULT_PORTS.metrics),
        'prometheus.kserve.io/path': '/metrics',
      },
      supportedModelFormats: [{ name: 'triton', version: '2', autoSelect: false }],
      protocolVersions: ['v2', 'grpc-v2'],
      containers: [
        {
          name: 'kserve-container',
          image,
          args: ['tritonserver', `--model-store=${MODELS}`, ...PORTS, ...context.arguments],
          env: podEnvironment(context),
          ports: [{ containerPort: 8080, protocol: 'TCP' }],
          ...podProbes(context, 8080),
          resources: podResources(context),
          securityContext: { runAsUser: 1000, allowPrivilegeEscalation: false, runAsNonRoot: true },
          volumeMounts: mounts.length === 0 ? undefined : mounts.map(({ mount }) => mount),
        },
      ],
      volumes: mounts.length === 0 ? undefined : mounts.map(({ volume }) => volume),
    },
  };
}

function inferenceService(context: ExportContext): YamlValue {
  const { plan } = context;
  const repository = onlyRepository(context, TITLE);
  return {
    apiVersion: 'serving.kserve.io/v1beta1',
    kind: 'InferenceService',
    metadata: { name: plan.name, labels: { app: plan.name } },
    spec: {
      predictor: {
        serviceAccountName: repository.location.kind === 'store' ? plan.name : undefined,
        minReplicas: plan.replicas,
        maxReplicas: plan.autoscaling === 'none' ? plan.replicas : plan.replicas * 4,
        terminationGracePeriodSeconds: context.graceSec,
        model: {
          modelFormat: { name: 'triton' },
          protocolVersion: 'v2',
          runtime: `${plan.name}-runtime`,
          storageUri: storageUri(repository),
        },
      },
    },
  };
}

function kserveFiles(context: ExportContext): readonly HandoverFile[] {
  const { comment, repositories, plan } = context;
  const isStored = repositories.some(({ location }) => location.kind === 'store');
  const account = isStored
    ? [
        `Needs the service account ${plan.name} with the secret of the store; its address and region are annotations`,
        'of that secret (serving.kserve.io/s3-endpoint, s3-usehttps, s3-region).',
      ]
    : [];
  const service = inferenceService(context);
  return [
    ...claimFiles(context),
    yamlFile('serving-runtime.yaml', [...comment, ...secretComment(context)], runtime(context)),
    yamlFile(
      'inference-service.yaml',
      [
        ...comment,
        ...account,
        'For gRPC in place of HTTP: protocolVersion grpc-v2, and port 9000 named h2c.',
      ],
      service,
    ),
  ];
}

/** Repositories are claims of volumes, unless another place is named. */
export const kserveTarget: TargetDefinition = {
  title: TITLE,
  style: podStyle,
  usualPlace: (plan, _source, index) => ownClaim(plan, index),
  files: kserveFiles,
};
