// Two answers of one output beside each other: what serves and what it is compared with.

import type { PlaygroundOutput } from '../../src-shared/contract/playground-answer.ts';
import type { AnswerSource } from './class-names.ts';
import { OutputCard } from './output-card.tsx';

interface AnswerPairProps {
  readonly titles: readonly [string, string];
  readonly answers: readonly [PlaygroundOutput, PlaygroundOutput | undefined];
  /** The model that both are of: its labels name their classes. */
  readonly source: AnswerSource;
  /** Shown where the second is missing. */
  readonly missing: string;
}

/** `missing` is said in place of an answer that is not there. */
export function AnswerPair({ titles, answers: [left, right], source, missing }: AnswerPairProps) {
  return (
    <div className="grid grid-cols-1 gap-3 min-[1500px]:grid-cols-2" data-testid={`answer-pair-${left.name}`}>
      <div className="flex min-w-0 flex-col gap-1">
        <h4 className="text-sm font-medium text-soft">{titles[0]}</h4>
        <OutputCard output={left} isSummary={false} source={source} />
      </div>
      <div className="flex min-w-0 flex-col gap-1">
        <h4 className="text-sm font-medium text-soft">{titles[1]}</h4>
        {right === undefined ? (
          <p className="text-soft">{missing}</p>
        ) : (
          <OutputCard output={right} isSummary={false} source={source} />
        )}
      </div>
    </div>
  );
}
