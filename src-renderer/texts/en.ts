// All texts of the window in English, one catalogue per feature. Field names, log texts and protocol texts are not here:
// they are never translated.

import { code } from './code.ts';
import { common } from './common.ts';
import { configEditor } from './config-editor.ts';
import { graph } from './graph.ts';
import { importTexts } from './import.ts';
import { model } from './model.ts';
import { panels } from './panels.ts';
import { perf } from './perf.ts';
import { playground } from './playground.ts';
import { repository } from './repository.ts';
import { server } from './server.ts';
import { shell } from './shell.ts';
import { statistics } from './statistics.ts';
import { tensors } from './tensors.ts';
import { warmup } from './warmup.ts';

export const en = {
  ...common,
  ...shell,
  ...repository,
  ...model,
  ...configEditor,
  ...code,
  ...graph,
  ...panels,
  ...perf,
  ...playground,
  ...server,
  ...importTexts,
  ...statistics,
  ...tensors,
  ...warmup,
} as const;
