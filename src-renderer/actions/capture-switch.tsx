// Switching the capture of requests on and off, with what it costs and when it ends by itself.

import { Circle, Square } from 'lucide-react';

import { formatBytes, formatClock } from '../lib/format.ts';
import { t } from '../texts/translate.ts';
import { Button } from '../ui/button.tsx';
import type { Capture } from './use-capture.ts';

/** Turns capturing on or off. Draws nothing until the engine told whether it is on. */
export function CaptureSwitch({ capture }: { readonly capture: Capture }) {
  const { state, isBusy, start, stop } = capture;
  if (state === undefined) return null;
  return state.isOn ? (
    <Button size="sm" icon={Square} isBusy={isBusy} data-testid="capture-stop" onClick={stop}>
      {t('capture.stop')}
    </Button>
  ) : (
    <Button size="sm" icon={Circle} isBusy={isBusy} data-testid="capture-start" onClick={start}>
      {t('capture.start')}
    </Button>
  );
}

/** One sentence: off, or since when what is captured until when. */
export function captureSentence({ state }: Capture): string {
  if (state === undefined) return '';
  if (!state.isOn) return t('capture.off');
  return t(state.model === undefined ? 'capture.on' : 'capture.onModel', {
    model: state.model ?? '',
    used: formatBytes(state.byteSize),
    limit: formatBytes(state.limitBytes),
    time: formatClock(state.endsAtMs),
  });
}
