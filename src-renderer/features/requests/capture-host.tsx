// Capturing by a command: it is switched, and its list comes up.

import { switchCapture } from '../../actions/use-capture.ts';
import { useClient } from '../../engine/engine-context.tsx';
import { toastThrown } from '../../engine/toast-thrown.ts';
import { useCommand } from '../../lib/command-registry.ts';
import { showBottom } from '../../lib/workspace-store.ts';
import { requestsView } from './requests-view.ts';

/** Stands once in the window, whatever screen is shown. */
export function CaptureHost() {
  const client = useClient();
  const toggle = async (): Promise<void> => {
    const { isOn } = await client.call('capture/state', {});
    await switchCapture(client, isOn ? 'capture/stop' : 'capture/start');
    requestsView.setState({ view: 'captured' });
    showBottom('requests');
  };
  useCommand('requests.capture', () => void toggle().catch(toastThrown));
  return null;
}
