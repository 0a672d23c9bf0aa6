// Both answers of a comparison with the bare model: what they say about the picture that was sent, and each output.

import { useMemo } from 'react';

import type { CallResult } from '../../../../src-shared/contract/contract.ts';
import { AnswerPair } from '../../../tensors/answer-pair.tsx';
import type { SentPicture } from '../../../tensors/boxes-view.tsx';
import type { AnswerSource } from '../../../tensors/class-names.ts';
import { OverPicture } from '../../../tensors/over-picture.tsx';
import { t } from '../../../texts/translate.ts';
import { Disclosure } from '../../../ui/disclosure.tsx';

interface ParityAnswersProps extends Pick<CallResult<'playground/parity'>, 'answers'> {
  readonly source: AnswerSource;
  /** Undefined where none was sent. */
  readonly picture: SentPicture | undefined;
}

/** Nothing where there is no answer. */
export function ParityAnswers({ answers, source, picture }: ParityAnswersProps) {
  const served = useMemo(() => answers.map((one) => one.served), [answers]);
  const bare = useMemo(() => answers.flatMap((one) => one.bare ?? []), [answers]);
  if (answers.length === 0) return null;
  return (
    <Disclosure title={t('playground.parity.look')} testId="pg-parity-look">
      {picture !== undefined && (
        <div className="grid grid-cols-1 gap-3 min-[1500px]:grid-cols-2">
          <section className="[&:not(:has(img))]:hidden" data-testid="pg-parity-served">
            <h4 className="mb-1 text-sm font-medium text-soft">{t('playground.parity.served')}</h4>
            <OverPicture outputs={served} picture={picture} source={source} />
          </section>
          <section className="[&:not(:has(img))]:hidden" data-testid="pg-parity-bare">
            <h4 className="mb-1 text-sm font-medium text-soft">{t('playground.parity.bare')}</h4>
            <OverPicture outputs={bare} picture={picture} source={source} />
          </section>
        </div>
      )}
      {answers.map((one) => (
        <AnswerPair
          key={one.served.name}
          titles={[t('playground.parity.served'), t('playground.parity.bare')]}
          answers={[one.served, one.bare]}
          source={source}
          missing={t('playground.diff.missing', { name: one.served.name })}
        />
      ))}
    </Disclosure>
  );
}
