// An execution, or a request in the queue, as one line.

import { formatMicros } from '../../lib/format.ts';
import { t } from '../../texts/translate.ts';
import { closeReasonText } from './close-reason.ts';
import type { TimelineHit } from './timeline-hit.ts';
import type { TimelineBlock } from './timeline-layout.ts';

/** Size, time, and why its batch was closed, as far as they are known. */
export function blockText({ id: number, execution, rows, startNs, endNs }: TimelineBlock): string {
  const id = String(number);
  const { batchSize, requestCount, closeReason } = execution;
  const instance = execution.instance === '' ? (rows[0]?.model ?? '') : execution.instance;
  const time = formatMicros((endNs - startNs) / 1000);
  const what =
    batchSize === 0
      ? t('traces.block', { instance, id, time })
      : t('traces.blockBatch', { instance, id, rows: batchSize, requests: requestCount, time });
  const reason = closeReasonText(closeReason);
  return reason === undefined ? what : `${what}. ${t('traces.blockClosed', { reason })}.`;
}

/** What is under the pointer. */
export function hitText(hit: TimelineHit): string {
  if (hit.kind === 'block') return blockText(hit.block);
  const { row, startNs, endNs } = hit.wait;
  return t('traces.wait', { model: row.model, time: formatMicros((endNs - startNs) / 1000) });
}
