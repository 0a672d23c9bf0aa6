// The values of one constant, read from the file when asked for.

import { useState } from 'react';

import { useCall } from '../../../engine/use-call.ts';
import { t } from '../../../texts/translate.ts';
import { Button } from '../../../ui/button.tsx';

/** `attribute` names the attribute of an operator that holds the tensor; without it `tensor` is an initializer. */
export function ConstantValues({
  model,
  version,
  tensor,
  attribute,
  name,
}: {
  readonly model: string;
  readonly version: string;
  readonly tensor: string;
  /** undefined = an initializer. */
  readonly attribute?: string | undefined;
  /** For people. */
  readonly name: string;
}) {
  const [isAsked, setIsAsked] = useState(false);
  const { data, error, isLoading } = useCall(
    'graph/constant',
    isAsked ? { model, version, tensor, attribute } : undefined,
  );
  if (!isAsked || (isLoading && data === undefined)) {
    return (
      <Button
        size="sm"
        isBusy={isLoading}
        aria-label={t('graph.panel.valuesOf', { name })}
        data-testid="graph-show-values"
        onClick={() => setIsAsked(true)}
      >
        {t('graph.panel.values')}
      </Button>
    );
  }
  if (data === undefined) return <p className="text-sm text-bad">{error}</p>;
  const { values, elementCount } = data;
  return (
    <div data-testid="graph-values">
      {values.length < elementCount && (
        <p className="text-xs text-faint">
          {t('graph.panel.firstValues', { shown: values.length, count: elementCount })}
        </p>
      )}
      <pre
        tabIndex={0}
        aria-label={t('graph.panel.valuesOf', { name })}
        className="max-h-40 overflow-auto rounded border border-line bg-sunken p-2 text-xs break-words whitespace-pre-wrap text-strong select-text"
      >
        {values.join('  ')}
      </pre>
    </div>
  );
}
