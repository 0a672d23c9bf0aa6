// What a load took, in the words that stand behind its time. Beside the rest about memory, whose texts come later than
// the frame that tells of a load. Pure.

import type { ModelView } from '../../src-shared/contract/model-view.ts';
import { formatBytes } from './format.ts';

type Growth = Pick<NonNullable<ModelView['timings']>, 'memoryDeltaBytes'>;

/** ", +54.0 MiB" for behind the time of a load; no text for one that is not known to have taken any. */
export function grownBy({ memoryDeltaBytes = 0 }: Growth): string {
  return memoryDeltaBytes > 0 ? `, +${formatBytes(memoryDeltaBytes)}` : '';
}
