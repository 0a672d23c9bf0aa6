// Plain objects of Kubernetes, one file each, and the kustomization that applies them together.

import type { HandoverFile } from '../../../src-shared/contract/handover-calls.ts';
import { DEFAULT_PORTS } from '../../../src-shared/default-ports.ts';
import type { ExportContext, TargetDefinition } from '../export-context.ts';
import { ownClaim, wholeCommand } from '../export-context.ts';
import type { YamlValue } from '../yaml-file.ts';
import { yamlFile } from '../yaml-file.ts';
import {
  certificatesName,
  podEnvironment,
  podMounts,
  podProbes,
  podResources,
  podStyle,
  secretName,
} from './kubernetes-pod.ts';
import { ADAPTER_RULE, queueMetric } from './queue-metric.ts';

const PORTS = Object.entries(DEFAULT_PORTS);

function deployment(context: ExportContext): YamlValue {
  const { plan, image, graceSec } = context;
  const mounts = podMounts(context);
  const labels = { app: plan.name };
  const annotations = plan.monitoring
    ? undefined
    : { 'prometheus.io/scrape': 'true', 'prometheus.io/port': String(DEFAULT_PORTS.metrics) };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: plan.name, labels },
    spec: {
      replicas: plan.autoscaling === 'none' ? plan.replicas : undefined,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels, annotations },
        spec: {
          securityContext: { runAsUser: 1000, fsGroup: 1000 },
          terminationGracePeriodSeconds: graceSec,
          containers: [
            {
              name: 'triton',
              image,
              args: ['tritonserver', ...wholeCommand(context)],
              env: podEnvironment(context),
              ports: PORTS.map(([name, containerPort]) => ({ name, containerPort })),
              ...podProbes(context, 'http'),
              resources: podResources(context),
              volumeMounts: mounts.length === 0 ? undefined : mounts.map(({ mount }) => mount),
            },
          ],
          volumes: mounts.length === 0 ? undefined : mounts.map(({ volume }) => volume),
        },
      },
    },
  };
}

function service({ plan }: ExportContext): YamlValue {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: plan.name, labels: { app: plan.name } },
    spec: {
      selector: { app: plan.name },
      ports: PORTS.map(([name, port]) => ({ name, port, targetPort: name })),
    },
  };
}

function autoscaler({ plan }: ExportContext): YamlValue {
  const processor = {
    type: 'Resource',
    resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } },
  };
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: plan.name, labels: { app: plan.name } },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: plan.name },
      minReplicas: plan.replicas,
      maxReplicas: plan.replicas * 4,
      metrics: [plan.autoscaling === 'queue' ? queueMetric : processor],
    },
  };
}

function serviceMonitor({ plan }: ExportContext): YamlValue {
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'ServiceMonitor',
    metadata: { name: plan.name, labels: { app: plan.name } },
    spec: {
      selector: { matchLabels: { app: plan.name } },
      endpoints: [{ port: 'metrics', interval: '15s' }],
    },
  };
}

/** Claims that the export makes, for the repositories that lie in a folder here. */
export function claimFiles({
  repositories,
  comment,
  byteSize,
  plan,
}: ExportContext): readonly HandoverFile[] {
  const gib = Math.max(1, Math.ceil((byteSize * 2) / 2 ** 30));
  return repositories.flatMap(({ location, source }) => {
    if (location.kind !== 'claim' || !location.isOurs) return [];
    return [
      yamlFile(`${location.claim}.yaml`, [...comment, `To be filled with what lies in ${source}`], {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { name: location.claim, labels: { app: plan.name } },
        spec: { accessModes: ['ReadWriteMany'], resources: { requests: { storage: `${gib}Gi` } } },
      }),
    ];
  });
}

/** What the secrets must hold, as comments: their values are written nowhere. */
export function secretComment(context: ExportContext): readonly string[] {
  const { variables, secrets, certificates } = context;
  const keys = [...variables, ...secrets];
  return [
    ...(keys.length === 0 ? [] : [`Needs the secret ${secretName(context)} with ${keys.join(', ')}`]),
    ...(certificates.size === 0
      ? []
      : [
          `Needs the secret ${certificatesName(context)} with ${[...certificates.keys()].map((name) => name.split('/').at(-1)).join(', ')}`,
        ]),
  ];
}

function kubernetesFiles(context: ExportContext): readonly HandoverFile[] {
  const { plan, comment } = context;
  const objects = [
    ...claimFiles(context),
    yamlFile('deployment.yaml', [...comment, ...secretComment(context)], deployment(context)),
    yamlFile(
      'service.yaml',
      [...comment, 'gRPC keeps one connection: clients that balance themselves need clusterIP: None'],
      service(context),
    ),
    ...(plan.autoscaling === 'none' ? [] : [yamlFile('autoscaler.yaml', comment, autoscaler(context))]),
    ...(plan.monitoring ? [yamlFile('service-monitor.yaml', comment, serviceMonitor(context))] : []),
  ];
  const adapter = yamlFile(
    'prometheus-adapter-values.yaml',
    [
      ...comment,
      'Values for the chart prometheus-community/prometheus-adapter: the metric of autoscaler.yaml',
    ],
    { rules: { custom: [ADAPTER_RULE] } },
  );
  return [
    ...objects,
    ...(plan.autoscaling === 'queue' ? [adapter] : []),
    yamlFile('kustomization.yaml', comment, {
      apiVersion: 'kustomize.config.k8s.io/v1beta1',
      kind: 'Kustomization',
      resources: objects.map(({ path }) => path),
    }),
  ];
}

/** Repositories are claims of volumes, unless another place is named. */
export const kubernetesTarget: TargetDefinition = {
  title: 'Kubernetes',
  style: podStyle,
  usualPlace: (plan, _source, index) => ownClaim(plan, index),
  files: kubernetesFiles,
};
