// A request that failed: the server's words unchanged, what they mean, and the way to the input or the line of code
// they are about.

import { Crosshair, FileCode } from 'lucide-react';

import { formatMillis } from '../../../lib/format.ts';
import { modelAddress } from '../../../lib/address.ts';
import { open } from '../../../lib/workspace-store.ts';
import { t } from '../../../texts/translate.ts';
import { Button } from '../../../ui/button.tsx';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { cx } from '../../../ui/cx.ts';
import type { Outcome } from '../playground-store.ts';
import { faultyInputOf, titleOfRefusal } from '../playground-store.ts';

/** Of a request that was not sent, the reason; of one that was cancelled, what that means. */
export function ErrorCard({ outcome }: { readonly outcome: Outcome }) {
  const { result } = outcome;
  const faulty = faultyInputOf(outcome);
  const place = result?.codePlace;
  return (
    <section
      role="alert"
      aria-live="assertive"
      data-testid="pg-error"
      className={cx(
        'flex flex-col gap-2 rounded-md border p-3',
        outcome.cancelledAfterMs === undefined ? 'border-bad/40 bg-bad-soft' : 'border-line bg-surface',
      )}
    >
      <h3 className="text-md font-semibold text-strong">
        {result === undefined
          ? t(titleOfRefusal(outcome))
          : t('playground.refused', { status: `${result.status} ${result.statusText}` })}
      </h3>
      {result !== undefined && result.explanation !== undefined && (
        <p className="text-strong" data-testid="pg-explanation">
          {result.explanation}
        </p>
      )}
      {outcome.cancelledAfterMs !== undefined && (
        <p className="text-strong" data-testid="pg-error-text">
          {t('playground.cancelledHelp', { time: formatMillis(outcome.cancelledAfterMs) })}
        </p>
      )}
      {outcome.cancelledAfterMs === undefined && (
        <CodeBlock
          text={result?.error ?? outcome.refused ?? ''}
          isWrapped
          testId="pg-error-text"
          label={t('common.verbatim')}
          className="!bg-surface"
        />
      )}
      {faulty !== undefined && (
        <Button
          size="sm"
          icon={Crosshair}
          className="self-start"
          data-testid="pg-fix-input"
          onClick={() => focusInput(faulty)}
        >
          {t('playground.fixInput', { name: faulty })}
        </Button>
      )}
      {place !== undefined && (
        <Button
          size="sm"
          icon={FileCode}
          className="self-start"
          data-testid="pg-show-code"
          onClick={() =>
            open(modelAddress(place.model, 'code', { file: place.file, line: String(place.line) }))
          }
        >
          {t('model.failure.showCode', { file: place.file, line: place.line })}
        </Button>
      )}
    </section>
  );
}

function focusInput(name: string): void {
  const card = document.querySelector(`[data-testid="pg-input-${CSS.escape(name)}"]`);
  card?.scrollIntoView({ block: 'nearest' });
  card?.querySelector<HTMLElement>('input, textarea, button')?.focus();
}
