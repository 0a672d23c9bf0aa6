// Values for the charts that the reference publishes. The charts themselves stay where they are.

import type { HandoverFile, HelmChart } from '../../../src-shared/contract/handover-calls.ts';
import type { Finding } from '../../../src-shared/contract/finding.ts';
import type { ExportContext, TargetDefinition } from '../export-context.ts';
import { wholeCommand } from '../export-context.ts';
import { handoverErrors } from '../handover-errors.ts';
import { serverFinding } from '../handover-finding.ts';
import type { RepositoryLocation } from '../location.ts';
import type { YamlValue } from '../yaml-file.ts';
import { yamlFile } from '../yaml-file.ts';
import { onlyRepository } from './one-repository.ts';
import { podStyle } from './kubernetes-pod.ts';
import { ADAPTER_RULE, queueMetric } from './queue-metric.ts';

interface Chart {
  /** How a repository gets into its pods; the beginning of the address of a store, or "nfs". */
  readonly place: 'nfs' | 's3' | 'gs' | 'any store';
  /** The server in its pods can be given options. */
  readonly takesOptions: boolean;
  readonly values: (context: ExportContext) => Readonly<Record<string, YamlValue | undefined>>;
  /** What the chart needs besides its values. */
  readonly notes: readonly string[];
}

const AWS_SECRET = [
  'Add with --set secret.region=…,secret.id=…,secret.key=… (each in base64); their values are written nowhere.',
];
const AUTOSCALER_NOTE =
  "The chart's autoscaler says autoscaling/v2beta2, which Kubernetes 1.26 removed: change it to autoscaling/v2.";

const imageOf = ({ plan, image }: ExportContext): Record<string, YamlValue> => ({
  imageName: image,
  pullPolicy: 'IfNotPresent',
  numGpus: plan.device === 'gpu' ? plan.gpuCount : 0,
});

/** Charts with a store and a load balancer differ in credentials only. */
const storeValues = (context: ExportContext): Record<string, YamlValue> => ({
  replicaCount: context.plan.replicas,
  image: { ...imageOf(context), modelRepositoryPath: onlyRepository(context, 'The chart').argument },
  service: { type: 'LoadBalancer' },
});

const CHARTS: Readonly<Record<HelmChart, Chart>> = {
  'k8s-onprem': {
    place: 'nfs',
    takesOptions: true,
    notes: [AUTOSCALER_NOTE],
    values: (context) => {
      const { plan } = context;
      const { location } = onlyRepository(context, 'The chart');
      const isScaled = plan.autoscaling !== 'none';
      return {
        tags: { autoscaling: isScaled, loadBalancing: true },
        image: {
          ...imageOf(context),
          modelRepositoryServer: location.kind === 'nfs' ? location.server : '',
          modelRepositoryPath: location.kind === 'nfs' ? location.path : '',
        },
        serverArgs: wholeCommand(context),
        autoscaling: {
          minReplicas: plan.replicas,
          maxReplicas: isScaled ? plan.replicas * 4 : plan.replicas,
          metrics: [queueMetric],
        },
        'prometheus-adapter': isScaled ? { rules: { custom: [ADAPTER_RULE] } } : undefined,
      };
    },
  },
  aws: { place: 's3', takesOptions: false, notes: AWS_SECRET, values: storeValues },
  gcp: {
    place: 'gs',
    takesOptions: false,
    notes: ['Needs a mounted secret and GOOGLE_APPLICATION_CREDENTIALS where the bucket is not public.'],
    values: storeValues,
  },
  oci: { place: 's3', takesOptions: false, notes: AWS_SECRET, values: storeValues },
  fleetcommand: {
    place: 'any store',
    takesOptions: true,
    notes: AWS_SECRET,
    values: (context) => ({
      replicaCount: context.plan.replicas,
      image: { ...imageOf(context), serverCommand: 'tritonserver', serverArgs: wholeCommand(context) },
      service: { type: 'NodePort', httpNodePort: 30_343, grpcNodePort: 30_344, metricsNodePort: 30_345 },
      serviceMonitor: { enabled: context.plan.monitoring },
    }),
  },
  'gke-marketplace-app': {
    place: 'gs',
    takesOptions: false,
    notes: ['The chart adds pods by the duty cycle of GPUs.'],
    values: (context) => {
      const { plan, image, release } = context;
      const [, tag = ''] = image.split(':');
      return {
        initReplicaCount: plan.replicas,
        minReplicaCount: plan.replicas,
        maxReplicaCount: plan.autoscaling === 'none' ? plan.replicas : plan.replicas * 4,
        modelRepositoryPath: onlyRepository(context, 'The chart').argument,
        publishedVersion: release.server,
        image: {
          registry: 'nvcr.io',
          repository: 'nvidia/tritonserver',
          tag,
          pullPolicy: 'IfNotPresent',
          numGpus: plan.device === 'gpu' ? plan.gpuCount : 0,
          strictModelConfig: context.arguments.includes('--disable-auto-complete-config'),
        },
      };
    },
  },
};

function isPlaced({ place }: Chart, location: RepositoryLocation): boolean {
  if (place === 'nfs') return location.kind === 'nfs';
  if (location.kind !== 'store') return false;
  return place === 'any store' || location.url.startsWith(`${place}:`);
}

function helmFiles(context: ExportContext): readonly HandoverFile[] {
  const { plan, release, comment, repositories } = context;
  const chart = CHARTS[plan.chart];
  if (repositories.some(({ location }) => !isPlaced(chart, location))) {
    throw handoverErrors.otherPlace({ target: `The chart ${plan.chart}`, wanted: wantedPlace(chart) });
  }
  const where = `Values for the chart deploy/${plan.chart} of the branch r${release.name} of triton-inference-server/server.`;
  return [yamlFile('values.yaml', [...comment, where, ...chart.notes], chart.values(context))];
}

function wantedPlace({ place }: Chart): string {
  if (place === 'nfs') return 'nfs://server/path';
  return place === 'any store' ? 's3://, gs:// or as://' : `${place}://`;
}

function helmFindings({ plan, secrets, arguments: options }: ExportContext): readonly Finding[] {
  const findings: Finding[] = [];
  if (!CHARTS[plan.chart].takesOptions && options.length > 0) {
    findings.push(
      serverFinding(
        'warning',
        'H19',
        `the chart ${plan.chart} gives its server no options: ${options.join(' ')} are left out`,
        'Write them into the template of its Deployment, or take the plain objects of Kubernetes.',
      ),
    );
  } else if (secrets.length > 0) {
    findings.push(
      serverFinding(
        'error',
        'H19',
        `the chart ${plan.chart} has no place for the secret values of ${secrets.join(', ')}`,
        'Take the plain objects of Kubernetes, or leave these options out.',
      ),
    );
  }
  return findings;
}

/** Has no place of its own for repositories: one that the chart can reach must be named. */
export const helmTarget: TargetDefinition = {
  title: 'Helm',
  style: podStyle,
  usualPlace: ({ chart }) => {
    throw handoverErrors.otherPlace({ target: `The chart ${chart}`, wanted: wantedPlace(CHARTS[chart]) });
  },
  files: helmFiles,
  findings: helmFindings,
};
