// The state of a model as icon, text and colour, never colour alone. One vocabulary for every place that shows a state.

import {
  CircleCheck,
  CircleDashed,
  CircleSlash,
  CircleX,
  LoaderCircle,
  RefreshCw,
  TriangleAlert,
} from 'lucide-react';

import type { ShownState } from '../lib/model-state.ts';
import type { PlainKey } from '../texts/translate.ts';
import { t } from '../texts/translate.ts';
import { cx } from './cx.ts';
import type { IconType } from './icon.tsx';
import { Icon } from './icon.tsx';
import { useOfflineReason } from './offline.ts';

interface Look {
  readonly text: PlainKey;
  readonly icon: IconType;
  readonly color: string;
  readonly isTurning?: boolean;
}

const LOOKS: Readonly<Record<ShownState, Look>> = {
  unloaded: { text: 'state.unloaded', icon: CircleDashed, color: 'text-faint' },
  loading: { text: 'state.loading', icon: LoaderCircle, color: 'text-info', isTurning: true },
  ready: { text: 'state.ready', icon: CircleCheck, color: 'text-good' },
  'ready-changed': { text: 'state.readyChanged', icon: RefreshCw, color: 'text-good' },
  degraded: { text: 'state.degraded', icon: TriangleAlert, color: 'text-warn' },
  unloading: { text: 'state.unloading', icon: LoaderCircle, color: 'text-info', isTurning: true },
  failed: { text: 'state.failed', icon: CircleX, color: 'text-bad' },
  'not-runnable': { text: 'state.notRunnable', icon: CircleSlash, color: 'text-soft' },
};

/** The word for the state in the window's language. */
export function stateText(state: ShownState): string {
  return t(LOOKS[state].text);
}

/** `detail` follows the state's text: "Loading: instance 1 of 2". */
export function StateChip({
  state,
  detail = '',
  testId,
  className,
}: {
  readonly state: ShownState;
  readonly detail?: string;
  readonly testId?: string | undefined;
  readonly className?: string;
}) {
  const look = LOOKS[state];
  const isStale = useOfflineReason() !== undefined;
  const known =
    detail === '' ? t(look.text) : `${t(look.text)}${detail.startsWith(',') ? '' : ': '}${detail}`;
  // A banner and the grey say that it is old; in front of the word it would take the word's place in a narrow column.
  const prefix = isStale ? t('state.lastKnown', { state: '' }) : '';
  return (
    <span
      data-testid={testId}
      data-state={state}
      data-stale={isStale || undefined}
      title={`${prefix}${known}`}
      className={cx('inline-flex min-w-0 items-center gap-1.5', className)}
    >
      <StateIcon state={state} />
      <span className="two-lines">
        <span className="sr-only">{prefix}</span>
        {known}
      </span>
    </span>
  );
}

/** Only together with text: the state is never told by the icon alone. */
export function StateIcon({ state }: { readonly state: ShownState }) {
  const look = LOOKS[state];
  const isStale = useOfflineReason() !== undefined;
  return (
    <Icon
      of={look.icon}
      size={14}
      className={cx(
        'shrink-0',
        isStale ? 'text-faint' : look.color,
        !isStale && look.isTurning === true && 'animate-turn',
      )}
    />
  );
}
