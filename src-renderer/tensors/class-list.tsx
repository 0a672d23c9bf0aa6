// The best classes of an output with their scores; a batch has one list per item.

import type { PlaygroundOutput } from '../../src-shared/contract/playground-answer.ts';
import { formatCount } from '../lib/format.ts';
import { t } from '../texts/translate.ts';
import { valueText } from './value-text.ts';

/** For outputs that the server answered as classes, in the order in which they came. */
export function ClassList({ output }: { readonly output: PlaygroundOutput }) {
  const perItem = output.shape.at(-1) ?? output.classes.length;
  const items = Math.max(1, Math.round(output.classes.length / Math.max(1, perItem)));
  return (
    <div className="flex flex-col gap-3 p-3">
      {Array.from({ length: items }, (_, item) => (
        <div key={item}>
          {items > 1 && <h4 className="mb-1 text-sm text-faint">{t('playground.item', { index: item })}</h4>}
          <Ranking classes={output.classes.slice(item * perItem, (item + 1) * perItem)} />
        </div>
      ))}
    </div>
  );
}

function Ranking({ classes }: { readonly classes: PlaygroundOutput['classes'] }) {
  const top = Math.max(0, ...classes.map(({ score }) => score));
  const shown = new Set(classes.map(({ score }) => valueText(score)));
  return (
    <>
      {classes.length > 1 && shown.size === 1 && (
        <p className="mb-1 text-strong" data-testid="tensor-equal">
          {t('tensor.classesEqual', { count: formatCount(classes.length), value: [...shown].join('') })}
        </p>
      )}
      <ol className="grid grid-cols-[fit-content(60%)_minmax(4rem,1fr)_auto] gap-x-3 gap-y-1">
        {classes.map(({ score, index, label }) => (
          <li key={index} data-testid="pg-class" className="col-span-3 grid grid-cols-subgrid items-center">
            <span className="truncate text-strong" title={label}>
              {label === '' ? t('playground.classIndex', { index }) : label}
            </span>
            <span
              className="h-2 overflow-hidden rounded-full bg-hover forced-color-adjust-none"
              aria-hidden="true"
            >
              <span
                className="block h-full rounded-full bg-c1"
                style={{ width: `${top > 0 ? Math.max(0, (score / top) * 100) : 0}%` }}
              />
            </span>
            <span className="text-right font-mono text-sm text-soft">{valueText(score)}</span>
          </li>
        ))}
      </ol>
    </>
  );
}
