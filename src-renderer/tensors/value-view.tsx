// The only element of an output. It needs no axes, and no statistics: it is its own smallest, largest and mean. The number
// of a class has its name beside it, where names are known or chosen.

import { useState } from 'react';

import type { PlaygroundOutput } from '../../src-shared/contract/playground-answer.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import type { KnownLabels, NameSource } from './class-names.ts';
import { useNameList } from './class-names.ts';
import { NameChoice } from './name-choice.tsx';
import { isClassNumber } from './output-kind.ts';
import { useElements } from './use-elements.ts';

const FIRST = { start: 0, rows: 1, columns: 1, stride: 1 };

interface ValueViewProps {
  readonly output: PlaygroundOutput;
  readonly known: KnownLabels;
}

/** For outputs with exactly one element. */
export function ValueView({ output, known: { labels, step } }: ValueViewProps) {
  const { texts, error } = useElements(output, FIRST);
  const [chosen, setChosen] = useState<NameSource>();
  const isNumbered = isClassNumber(output);
  const source = chosen ?? (labels.length > 0 ? 'model' : step === undefined ? 'none' : 'step');
  const list = useNameList(
    isNumbered && (source === 'imagenet' || source === 'coco') ? source : undefined,
    source === 'coco' ? 80 : 1000,
  );
  if (error !== undefined) return <p className="p-3 text-sm text-bad">{error}</p>;
  const [text] = texts;
  if (text === undefined) return <Skeleton rows={1} />;
  const names = source === 'model' ? labels : source === 'step' ? (step?.labels ?? []) : list;
  const name = isNumbered ? names[Number(text)] : undefined;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
      <p
        className="font-mono text-lg break-all text-strong select-text"
        data-testid={`pg-value-of-${output.name}`}
      >
        {text}
      </p>
      {name !== undefined && (
        <p className="text-lg text-strong select-text" data-testid={`pg-name-of-${output.name}`}>
          {name}
        </p>
      )}
      {isNumbered && (
        <div className="ml-auto">
          <NameChoice
            source={source}
            hasLabels={labels.length > 0}
            step={step}
            lists={['imagenet', 'coco']}
            onChange={setChosen}
          />
        </div>
      )}
    </div>
  );
}
