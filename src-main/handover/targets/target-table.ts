// Every engine that can take a repository over.

import type { HandoverTarget } from '../../../src-shared/contract/handover-calls.ts';
import type { TargetDefinition } from '../export-context.ts';
import { composeTarget } from './compose.ts';
import { helmTarget } from './helm.ts';
import { kserveTarget } from './kserve.ts';
import { kubernetesTarget } from './kubernetes.ts';
import { rayTarget } from './ray.ts';
import { seldonTarget } from './seldon.ts';

/** By the name that the plan and the command line use. */
export const TARGETS: Readonly<Record<HandoverTarget, TargetDefinition>> = {
  compose: composeTarget,
  kubernetes: kubernetesTarget,
  helm: helmTarget,
  kserve: kserveTarget,
  seldon: seldonTarget,
  ray: rayTarget,
};
