// The plan that is made when nothing else is said.

import type { HandoverPlan } from '../../src-shared/contract/handover-calls.ts';
import { NEWEST_RELEASE } from './release-table.ts';

/** What a hand-over is before the user chooses anything. */
export const USUAL_PLAN: HandoverPlan = {
  target: 'compose',
  release: NEWEST_RELEASE,
  device: 'cpu',
  gpuCount: 1,
  name: 'triton',
  locations: [],
  replicas: 1,
  autoscaling: 'none',
  chart: 'k8s-onprem',
  completedConfigs: false,
  monitoring: false,
  clients: false,
};
