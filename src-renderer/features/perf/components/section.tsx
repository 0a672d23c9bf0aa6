// One group of the plan's form: a heading and its fields, tied together for screen readers.

import type { ReactNode } from 'react';

/** A group of fields under one heading. */
export function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-2.5">
      <legend className="mb-1.5 w-full border-b border-line pb-1 font-semibold text-strong">{title}</legend>
      {children}
    </fieldset>
  );
}
