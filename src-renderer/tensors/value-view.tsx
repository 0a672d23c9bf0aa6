// The only element of an output. It needs no axes, and no statistics: it is its own smallest, largest and mean.

import type { PlaygroundOutput } from '../../src-shared/contract/inference-calls.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { useElements } from './use-elements.ts';

export function ValueView({ output }: { readonly output: PlaygroundOutput }) {
  const { texts, error } = useElements(output, 0, 1);
  if (error !== '') return <p className="p-3 text-sm text-bad">{error}</p>;
  const [text] = texts;
  if (text === undefined) return <Skeleton rows={1} />;
  return (
    <p
      className="px-3 py-2 font-mono text-lg break-all text-strong select-text"
      data-testid={`pg-value-of-${output.name}`}
    >
      {text}
    </p>
  );
}
