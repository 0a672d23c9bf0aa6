// What was found for a target, errors first: where, what, and what to do about it.

import { CircleX, Info, TriangleAlert } from 'lucide-react';

import type { HandoverFinding, HandoverView } from '../../../../src-shared/contract/handover-calls.ts';
import { t } from '../../../texts/translate.ts';
import { Breakable } from '../../../ui/breakable.tsx';
import { cx } from '../../../ui/cx.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Icon } from '../../../ui/icon.tsx';

const LOOKS = {
  error: { icon: CircleX, color: 'text-bad' },
  warning: { icon: TriangleAlert, color: 'text-warn' },
  info: { icon: Info, color: 'text-info' },
} as const;

/** In the order in which they come; places are file and line. */
export function FindingList({ view }: { readonly view: HandoverView }) {
  if (view.findings.length === 0) {
    return (
      <EmptyState title={t('handover.none')} text={t('handover.noneText', { count: view.modelCount })} />
    );
  }
  return (
    <ul className="min-h-0 flex-1 overflow-auto py-1" tabIndex={0} aria-label={t('handover.findings')}>
      {view.findings.map((finding, at) => (
        <Finding key={at} finding={finding} />
      ))}
    </ul>
  );
}

function Finding({ finding }: { readonly finding: HandoverFinding }) {
  const { severity, model, file, line, code, message, hint } = finding;
  const { icon, color } = LOOKS[severity];
  const place = file === undefined ? '' : `${file.split(/[\\/]/).at(-1)}${line > 0 ? `:${line}` : ''}`;
  return (
    <li
      data-testid={`handover-finding-${code ?? ''}`}
      data-severity={severity}
      className="grid grid-cols-[1rem_minmax(0,1fr)] gap-x-2 border-b border-line/60 px-4 py-2"
    >
      <span className={cx('pt-0.5', color)}>
        <Icon of={icon} size={14} />
        <span className="sr-only">{t(`handover.severity.${severity}`)}</span>
      </span>
      <div className="min-w-0">
        <p className="text-strong">
          <Breakable text={message} />
        </p>
        {hint !== '' && (
          <p className="text-soft">
            <Breakable text={hint} />
          </p>
        )}
        <p className="text-sm text-faint">
          <span className="font-medium">{model === '' ? t('handover.server') : model}</span>
          {place !== '' && <code className="ml-2">{place}</code>}
          {code !== undefined && <span className="ml-2">{code}</span>}
        </p>
      </div>
    </li>
  );
}
