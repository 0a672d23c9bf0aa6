// Text that is copied or compared: monospace, selectable, with a copy button beside it, so that it covers no text. Never
// translated.

import { Breakable } from './breakable.tsx';
import { cx } from './cx.ts';
import { CopyButton } from './copy-button.tsx';

/** Text in a fixed font, which can be copied. */
export function CodeBlock({
  text,
  isWrapped = false,
  className,
  testId,
  label,
}: {
  readonly text: string;
  readonly isWrapped?: boolean;
  readonly className?: string;
  readonly testId?: string;
  readonly label?: string;
}) {
  return (
    <div className={cx('group flex min-w-0 rounded border border-line bg-sunken', className)}>
      <pre
        data-testid={testId}
        aria-label={label}
        tabIndex={0}
        className={cx(
          'max-h-full min-w-0 flex-1 overflow-auto p-2.5 leading-[1.125rem] text-strong select-text',
          isWrapped && 'wrap-anywhere whitespace-pre-wrap',
        )}
      >
        {isWrapped ? <Breakable text={text} /> : text}
      </pre>
      <div className="p-1">
        <CopyButton text={text} what={label} isIconOnly />
      </div>
    </div>
  );
}
