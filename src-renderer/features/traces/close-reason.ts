// Why a batch was closed, in words.

import type { TraceCloseReason } from '../../../src-shared/contract/trace-row.ts';
import { t } from '../../texts/translate.ts';

/** A sentence; undefined where it is not known. */
export function closeReasonText(reason: TraceCloseReason | undefined): string | undefined {
  return reason === undefined ? undefined : t(`traces.reason.${reason}`);
}
