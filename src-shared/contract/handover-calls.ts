// Calls about handing a repository over to other engines: what would not run there, and the files that start it there.

import { z } from 'zod';

import { defineCall } from './define.ts';
import type { Finding } from './finding.ts';

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

/** Whether a hand-over can have this name: containers and objects of a cluster are called so. */
export function isHandoverName(name: string): boolean {
  return DNS_LABEL.test(name);
}

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

/** A finding and the model it is about; "" = the server and its options. */
export interface HandoverFinding extends Finding {
  readonly model: string;
}

/** What an export would write, and what is to be known before. */
export interface HandoverView {
  /** Errors first. */
  readonly findings: readonly HandoverFinding[];
  readonly errorCount: number;
  readonly warningCount: number;
  readonly modelCount: number;
  readonly files: readonly HandoverFile[];
}

/** What can be chosen. */
export interface HandoverChoices {
  /** Container releases, newest first, with the versions they hold. */
  readonly releases: readonly {
    readonly name: string;
    readonly server: string;
    readonly onnxruntime: string;
  }[];
  /** Repositories of the server, in order. */
  readonly repositories: readonly string[];
  /** A first plan: the newest release, the device that the server uses. */
  readonly usual: HandoverPlan;
}

const asked = z.object({ plan: handoverPlan });

/** Each takes the whole plan; nothing is remembered from one to the next. */
export const handoverCalls = [
  defineCall('handover/choices', z.object({}))<HandoverChoices>(),
  /** Checks the repositories for the plan and makes the files; nothing is written. */
  defineCall('handover/prepare', asked)<HandoverView>(),
  /**
   * Writes the files into `folder`, which is made where it is missing. Refused while there are errors, unless forced;
   * ALREADY_EXISTS where it holds files that no export wrote or that were changed since, unless they may be replaced.
   */
  defineCall(
    'handover/save',
    asked.extend({ folder: z.string(), isForced: z.boolean(), mayReplace: z.boolean() }),
  )<{
    readonly folder: string;
    readonly fileCount: number;
  }>(),
  /** The files as one zip, to be fetched in pieces. Refused while there are errors, unless forced. */
  defineCall('handover/pack', asked.extend({ isForced: z.boolean() }))<{
    readonly blob: string;
    readonly byteSize: number;
  }>(),
] as const;
