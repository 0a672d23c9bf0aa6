// Set-up of tests that run on React as one develops with it: what it complains of fails the test in which it did. It keeps
// silent as it ships, and the tests of every change run on that.

import { afterEach, vi } from 'vitest';

/** How React begins its sentences is not agreed on; these are its packages and what it says of elements and hooks. */
const OF_REACT =
  /react|Warning:|Each child in a list|validateDOMNesting|cannot be a descendant|hydrat|Rendered (?:more|fewer) hooks|Maximum update depth|unique "key"|Invalid (?:DOM|ARIA|event|value)|Received .* for a non-boolean|controlled input|Cannot update a component/i;

const errors = vi.spyOn(console, 'error');

/** What `console.error` was told, with its values in place, up to the first line. */
function sentence(parts: readonly unknown[]): string {
  const [form = '', ...values] = parts.map((part) => (part instanceof Error ? part.message : String(part)));
  return values.reduce((text, value) => text.replace(/%[sdo]/, value), form).split('\n')[0] ?? '';
}

afterEach(() => {
  const complaints = new Set(errors.mock.calls.map(sentence).filter((text) => OF_REACT.test(text)));
  errors.mockClear();
  if (complaints.size > 0) throw new Error(`React complains: ${[...complaints].join(' | ')}`);
});
