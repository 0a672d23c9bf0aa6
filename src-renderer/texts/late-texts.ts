// The texts of the screens: fetched with the first of them, beside the script that draws the frame.

import { analyzer } from './analyzer.ts';
import { capture } from './capture.ts';
import { code } from './code.ts';
import { configEditor } from './config-editor.ts';
import { graph } from './graph.ts';
import { handover } from './handover.ts';
import { importTexts } from './import.ts';
import { model } from './model.ts';
import { panels } from './panels.ts';
import { perf } from './perf.ts';
import { perfPlan } from './perf-plan.ts';
import { playgroundInputs } from './playground-inputs.ts';
import { playground } from './playground.ts';
import { repository } from './repository.ts';
import { serverTabs } from './server-tabs.ts';
import { server } from './server.ts';
import { statistics } from './statistics.ts';
import { tensors } from './tensors.ts';
import { traces } from './traces.ts';
import { warmup } from './warmup.ts';

/** Not to be imported by the frame: `loadTexts` fetches it. */
export const lateTexts = {
  ...analyzer,
  ...capture,
  ...code,
  ...configEditor,
  ...graph,
  ...handover,
  ...importTexts,
  ...model,
  ...panels,
  ...perf,
  ...perfPlan,
  ...playground,
  ...playgroundInputs,
  ...repository,
  ...server,
  ...serverTabs,
  ...statistics,
  ...tensors,
  ...traces,
  ...warmup,
} as const;
