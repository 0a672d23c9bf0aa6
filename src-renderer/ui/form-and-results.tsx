// What is to be done on the left, as a form, and what came of it on the right; in a narrow window below each other.

import type { ReactNode } from 'react';

import type { SplitSizes } from './split.tsx';
import { NARROW, useMedia } from '../lib/use-media.ts';
import { Split } from './split.tsx';

/** The form keeps its pixels when the window changes. Sizes in percent by panel id; whoever shows it keeps them. */
export function FormAndResults({
  formId,
  form,
  results,
  ...split
}: {
  readonly id: string;
  /** Names the edge between them for screen readers. */
  readonly label: string;
  readonly sizes: SplitSizes | undefined;
  readonly onSizes: (sizes: SplitSizes) => void;
  /** Id of the left panel; the right one is `results`. */
  readonly formId: string;
  readonly form: ReactNode;
  readonly results: ReactNode;
}) {
  if (useMedia(NARROW)) {
    return (
      <Split
        key="rows"
        id={`${split.id}-rows`}
        label={split.label}
        orientation="vertical"
        panels={[
          { id: formId, minSize: 160, content: form },
          { id: 'results', minSize: 160, content: results },
        ]}
      />
    );
  }
  return (
    <Split
      {...split}
      panels={[
        { id: formId, defaultSize: 348, minSize: 280, maxSize: 560, isFixed: true, content: form },
        { id: 'results', minSize: 320, content: results },
      ]}
    />
  );
}
