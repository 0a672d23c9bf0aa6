// Texts of a BYTES output, one block each, as they are: with their line breaks, and without a table around them.

import { useState } from 'react';

import type { PlaygroundOutput } from '../../src-shared/contract/playground-answer.ts';
import { formatCount } from '../lib/format.ts';
import { t } from '../texts/translate.ts';
import { Button } from '../ui/button.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { elementCountOf } from './tensor-slices.ts';
import { useElements } from './use-elements.ts';

const FIRST_SHOWN = 20;

/** Shows the first ones, more on demand. */
export function TextView({ output }: { readonly output: PlaygroundOutput }) {
  const [shown, setShown] = useState(FIRST_SHOWN);
  const total = elementCountOf(output.shape);
  const columns = Math.min(shown, total);
  const { texts, error } = useElements(output, { start: 0, rows: 1, columns, stride: columns });
  return (
    <div className="flex flex-col gap-2 p-3">
      {error !== undefined && <p className="text-sm text-bad">{error}</p>}
      {texts.map((text, index) => (
        <CodeBlock
          key={index}
          text={text}
          isWrapped
          className="max-h-80 overflow-auto"
          label={t('tensor.textOf', { index, name: output.name })}
          testId={`tensor-text-${index}`}
        />
      ))}
      {total > texts.length && (
        <div className="flex items-center gap-2 text-sm text-faint">
          {shown <= texts.length && (
            <Button size="sm" worksOffline onClick={() => setShown((before) => before * 2)}>
              {t('tensor.more')}
            </Button>
          )}
          {t('tensor.shownOf', { shown: formatCount(texts.length), count: formatCount(total) })}
        </div>
      )}
    </div>
  );
}
