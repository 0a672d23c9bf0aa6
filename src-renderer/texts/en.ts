// All texts of the window in English, one catalogue per feature. Field names, log texts and protocol texts are not here:
// they are never translated. The frame's are part of the first script, the others come after it (`load-texts.ts`).

import { common } from './common.ts';
import type { lateTexts } from './late-texts.ts';
import { shell } from './shell.ts';

/** Here from the first drawing on; all others only after `loadTexts`. */
export const frameTexts = { ...common, ...shell } as const;

/** All texts of the window, by their names. */
export type Texts = typeof frameTexts & typeof lateTexts;
