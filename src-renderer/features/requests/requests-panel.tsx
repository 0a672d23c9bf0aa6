// What the server did lately: the batches that ran, or the requests that were captured with their tensors.

import { Trash2 } from 'lucide-react';
import { useStore } from 'zustand';

import { captureSentence, CaptureSwitch } from '../../actions/capture-switch.tsx';
import type { Capture } from '../../actions/use-capture.ts';
import { useCapture } from '../../actions/use-capture.ts';
import { t } from '../../texts/translate.ts';
import { ask } from '../../ui/confirm.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Segmented } from '../../ui/toggles.tsx';
import { CapturedList } from './captured-list.tsx';
import { ExecutionList } from './execution-list.tsx';
import { requestsView } from './requests-view.ts';

async function forget(capture: Capture): Promise<void> {
  const answer = await ask({
    title: t('capture.clearTitle', { count: capture.rows.length }),
    text: t('capture.clearText'),
    choices: [{ value: 'forget', label: t('capture.clearDo'), isDanger: true }],
  });
  if (answer !== undefined) capture.clear();
}

/** Which of the two is shown stays while the window is open. */
export function RequestsPanel() {
  const view = useStore(requestsView, (state) => state.view);
  const capture = useCapture();
  return (
    <>
      <div className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1">
        <Segmented
          label={t('capture.view')}
          testId="requests-view"
          value={view}
          onChange={(next) => requestsView.setState({ view: next })}
          options={[
            { value: 'executions', label: t('capture.view.batches') },
            { value: 'captured', label: t('capture.view.requests') },
          ]}
        />
        <p className="min-w-48 flex-1 text-sm text-soft" data-testid="requests-help">
          {view === 'executions' ? t('requests.help') : captureSentence(capture)}
        </p>
        {view === 'captured' && (
          <>
            <CaptureSwitch capture={capture} />
            <IconButton
              needsServer
              label={t('capture.clear')}
              icon={Trash2}
              tooltipSide="left"
              disabledReason={capture.rows.length === 0 ? t('capture.none') : undefined}
              data-testid="capture-clear"
              onClick={() => void forget(capture)}
            />
          </>
        )}
      </div>
      {view === 'executions' ? <ExecutionList /> : <CapturedList capture={capture} />}
    </>
  );
}
