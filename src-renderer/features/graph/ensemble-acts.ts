// What is done to an ensemble in its drawing: every act becomes an edit of the text, or a dialog that asks first.

import { t } from '../../texts/translate.ts';
import { toastWarning } from '../../ui/toast.tsx';
import type { Source, Target } from './ensemble-edits.ts';
import { connect, disconnect } from './ensemble-edits.ts';
import { sourceFromValue } from './ensemble-sources.ts';
import { removeStep } from './ensemble-steps.ts';
import { changeText } from './text-undo.ts';
import type { Ensemble } from './use-ensemble.ts';

/** Changes of the text that the drawing and its panel ask for. */
export interface EnsembleEdits {
  /** The whole text in place of the one that is there. */
  readonly setText: (text: string) => void;
  /** What cannot be connected is told in a toast, and nothing changes. */
  readonly connect: (source: Source, target: Target) => void;
  /** `sourceValue`: an entry of the list of sources; one that names no source takes the line away. */
  readonly choose: (sourceValue: string, target: Target) => void;
  /** Takes away the line that ends at `target`. */
  readonly disconnect: (target: Target) => void;
  /** `step`: its index in the list of steps, from 0; nothing is selected afterwards. */
  readonly removeStep: (step: number) => void;
  /** Both ask in a dialog first. */
  readonly addStep: () => void;
  /** `tensor`: its name in the ensemble. */
  readonly rename: (tensor: string) => void;
  readonly isLocked: boolean;
}

/** The dialog that is open. */
export type Asked = { readonly kind: 'step' } | { readonly kind: 'rename'; readonly tensor: string };

interface EditsHost {
  readonly select: (id: string | undefined) => void;
  readonly ask: (asked: Asked) => void;
}

/** Each change is a step that is undone; where the text is locked, the user is told why instead. */
export function ensembleEdits(
  { document, text }: Ensemble,
  lockedReason: string | undefined,
  { select, ask }: EditsHost,
): EnsembleEdits {
  const setText = (next: string): void => {
    if (lockedReason === undefined) changeText(document, next);
    else toastWarning(t('graph.refused.locked', { reason: lockedReason }));
  };
  const join = (source: Source, target: Target): void => {
    const result = connect(text, source, target);
    if ('text' in result) setText(result.text);
    else toastWarning(t(`graph.refused.${result.refusal}`));
  };
  return {
    setText,
    connect: join,
    choose: (value, target) => {
      const source = sourceFromValue(value);
      if (source === undefined) setText(disconnect(text, target));
      else join(source, target);
    },
    disconnect: (target) => setText(disconnect(text, target)),
    removeStep: (step) => {
      setText(removeStep(text, step));
      select(undefined);
    },
    addStep: () => ask({ kind: 'step' }),
    rename: (tensor) => {
      if (lockedReason === undefined) ask({ kind: 'rename', tensor });
      else toastWarning(t('graph.refused.locked', { reason: lockedReason }));
    },
    isLocked: lockedReason !== undefined,
  };
}
