// How a repository is handed over to another engine.

import { z } from 'zod';

/** Engines that can take a repository over, in the order in which they are offered. */
export const HANDOVER_TARGETS = ['compose', 'kubernetes', 'helm', 'kserve', 'seldon', 'ray'] as const;
/** An engine by the name that the command line has for it. */
export type HandoverTarget = (typeof HANDOVER_TARGETS)[number];

/** Helm charts that the reference publishes, by their folder there. */
export const HELM_CHARTS = [
  'k8s-onprem',
  'aws',
  'gcp',
  'oci',
  'fleetcommand',
  'gke-marketplace-app',
] as const;
/** A chart by its folder. */
export type HelmChart = (typeof HELM_CHARTS)[number];

const DNS_LABEL = /^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/;

/** What is asked for. Everything else comes from the server and its repositories. */
export const handoverPlan = z.object({
  target: z.enum(HANDOVER_TARGETS),
  /** Container release, "26.07". */
  release: z.string().regex(/^\d\d\.\d\d$/, 'a release is written like 26.07'),
  device: z.enum(['cpu', 'gpu']),
  gpuCount: z.number().int().min(1).max(64),
  /** Name of the project, of objects in the cluster, of their label. */
  name: z.string().regex(DNS_LABEL, 'a name has up to 40 small letters, digits and "-" in it'),
  /**
   * Where each repository will lie, in the order of the server's: a folder, `pvc://claim/path`, `nfs://server/path`,
   * or `s3://`, `gs://`, `as://`; "" = where the target usually has it.
   */
  locations: z.array(z.string().max(2000)).max(64),
  replicas: z.number().int().min(1).max(1000),
  /** Pods are added while requests wait, or while processors are busy; up to four times `replicas`. */
  autoscaling: z.enum(['none', 'queue', 'cpu']),
  chart: z.enum(HELM_CHARTS),
  /** Also write each configuration as the server completed it, and start engines without completion. */
  completedConfigs: z.boolean(),
  /** compose: Prometheus beside the server; Kubernetes: a ServiceMonitor. */
  monitoring: z.boolean(),
  /** compose: a container of clients and load generator beside the server. */
  clients: z.boolean(),
});
/** A plan whose parts are within their limits; whether the target can carry it out is found later. */
export type HandoverPlan = z.infer<typeof handoverPlan>;

/** One file of an export. */
export interface HandoverFile {
  /** Relative to the folder, "/" between its parts. */
  readonly path: string;
  readonly text: string;
}
