// What clients and this window sent to this model while capturing is on: one click puts it into the builder.

import { CircleCheck, CircleX, LoaderCircle } from 'lucide-react';

import { captureSentence, CaptureSwitch } from '../../../actions/capture-switch.tsx';
import { useCapture } from '../../../actions/use-capture.ts';
import { useClient } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { formatClock, formatMillis } from '../../../lib/format.ts';
import { t } from '../../../texts/translate.ts';
import { Icon } from '../../../ui/icon.tsx';
import { restoreCaptured } from '../captured.ts';
import type { PlaygroundContext } from '../playground-context.ts';

/** More are in the panel of requests. */
const MAX_ROWS = 20;

const LOOKS = {
  ok: { of: CircleCheck, className: 'text-good' },
  failed: { of: CircleX, className: 'text-bad' },
  running: { of: LoaderCircle, className: 'text-info' },
} as const;

/** Only captured requests whose tensors were kept, the newest ones. */
export function CapturedSection({ context: { name, store } }: { readonly context: PlaygroundContext }) {
  const client = useClient();
  const capture = useCapture(name);
  const restore = useAction((id: number) => restoreCaptured(client, store, id));
  const rows = capture.rows.filter(({ model, hasTensors }) => model === name && hasTensors);
  const isOn = capture.state?.isOn === true;
  return (
    <section aria-label={t('capture.playground')} className="border-t border-line">
      <h3 className="px-3 pt-2 font-semibold text-strong">{t('capture.playground')}</h3>
      <div className="flex flex-col items-start gap-2 px-3 py-2">
        <p className="text-sm text-faint">{isOn ? captureSentence(capture) : t('capture.playground.none')}</p>
        <CaptureSwitch capture={capture} />
      </div>
      <ul data-testid="pg-captured">
        {rows.slice(0, MAX_ROWS).map(({ id, atMs, state, durationMs, requestId }) => (
          <li key={id}>
            <button
              type="button"
              data-testid={`pg-captured-${id}`}
              className="focus-inset flex min-h-7 w-full items-center gap-2 px-3 text-left text-sm hover:bg-hover"
              onClick={() => restore.run(id)}
            >
              <Icon {...LOOKS[state]} size={12} />
              <span className="text-soft">{formatClock(atMs)}</span>
              <span className="min-w-0 flex-1 truncate text-strong">{requestId}</span>
              <span className="text-faint">
                {state === 'running' ? t('capture.running') : formatMillis(durationMs)}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
