// What leads to traces from any screen: the command that switches tracing, and a file that is dropped.

import { useClient } from '../../engine/engine-context.tsx';
import { toastThrown } from '../../engine/toast-thrown.ts';
import { address } from '../../lib/address.ts';
import { useCommand } from '../../lib/command-registry.ts';
import { open } from '../../lib/workspace-store.ts';
import { t } from '../../texts/translate.ts';
import { announce } from '../../ui/announcer.tsx';
import { TraceDropHint } from './components/trace-drop-hint.tsx';
import { useTraceDrop } from './use-trace-drop.ts';
import { startTracing, stopTracing } from './start-tracing.ts';

/** Stands once in the window, whatever screen is shown. */
export function TraceHost() {
  const client = useClient();
  const isOver = useTraceDrop();
  const toggle = async (): Promise<void> => {
    const { mode } = await client.call('traces/state', {});
    const isOn = mode !== undefined;
    await (isOn ? stopTracing(client) : startTracing(client));
    open(address('traces'));
    announce(t(isOn ? 'traces.stopped' : 'traces.started'));
  };
  useCommand('tracing.toggle', () => void toggle().catch(toastThrown));
  return isOver ? <TraceDropHint /> : null;
}
