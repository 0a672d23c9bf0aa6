// How long the server still waits for the next step of a sequence, and how to make it wait longer for a while.

import { useEffect, useState } from 'react';

import { editConfigValue } from '../../../src-shared/config/config-edit.ts';
import { applyTextEdits } from '../../../src-shared/config/text-format/ast.ts';
import { parseText } from '../../../src-shared/config/text-format/parser.ts';
import type { EngineClient } from '../../engine/engine-client.ts';
import type { SequenceStep } from './playground-store.ts';

/** Milliseconds since the latest step of a sequence that has not ended; 0 = dropped; undefined = none is open. */
export function useIdleLeft(steps: readonly SequenceStep[], idleMs: number): number | undefined {
  const last = steps.at(-1);
  const isOpen =
    idleMs > 0 && last !== undefined && !last.flags.includes('end') && last.outcome.result?.ok === true;
  const untilMs = isOpen ? last.outcome.atMs + idleMs : 0;
  const [nowMs, setNowMs] = useState(0);
  useEffect(() => {
    if (untilMs === 0) return undefined;
    const tick = (): void => setNowMs(Date.now());
    tick();
    const timer = setInterval(tick, 500);
    return () => clearInterval(timer);
  }, [untilMs]);
  return isOpen ? Math.max(0, Math.min(idleMs, untilMs - nowMs)) : undefined;
}

const LONG_IDLE_US = 60_000_000n;

/** Loads the model with a longer idle time; its file stays as it is. */
export async function loadWithLongIdle(client: EngineClient, model: string): Promise<void> {
  const { text } = await client.call('config/read', { model });
  const path = 'sequence_batching.max_sequence_idle_microseconds';
  const configText = applyTextEdits(text, editConfigValue(parseText(text), path, LONG_IDLE_US));
  await client.call('repository/load', { model, configText });
}
