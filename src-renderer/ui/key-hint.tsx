// A shortcut as keys, in the words of this computer's keyboard. For the eye: what it stands in tells it as
// `aria-keyshortcuts`, so that it is not read as a part of the name.

import { cx } from './cx.ts';

/** `keys` is already in display form: "Ctrl+Shift+P" or "⇧⌘P". */
export function KeyHint({ keys, className }: { readonly keys: string; readonly className?: string }) {
  if (keys === '') return null;
  return (
    <kbd aria-hidden="true" className={cx('ml-auto pl-3 text-xs whitespace-nowrap text-faint', className)}>
      {keys}
    </kbd>
  );
}
