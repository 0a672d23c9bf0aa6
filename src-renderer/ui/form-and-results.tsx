// What is to be done on the left, as a form, and what came of it on the right.

import type { ReactNode } from 'react';

import type { SplitSizes } from './split.tsx';
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
