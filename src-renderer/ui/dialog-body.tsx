// What stands between the title and the buttons of a dialog. It scrolls; where nothing inside can have the focus it takes
// it itself, since keys could not scroll it otherwise.

import type { ReactNode, RefObject } from 'react';
import { useLayoutEffect, useState } from 'react';

import { cx } from './cx.ts';

const CONTROLS = 'a[href], button, input, select, textarea, [tabindex]';

/** The first part of it that Tab would stop at; null = there is none. */
export function firstControl(within: HTMLElement | null): HTMLElement | null {
  const found = [...(within?.querySelectorAll<HTMLElement>(CONTROLS) ?? [])].find(
    (one) =>
      one.tabIndex >= 0 &&
      !one.matches(':disabled') &&
      one.closest('[aria-hidden="true"], [hidden]') === null,
  );
  return found ?? null;
}

/** `titleId` is the id of what names it where it takes the focus. */
export function DialogBody({
  body,
  titleId,
  isFlush,
  children,
}: {
  readonly body: RefObject<HTMLDivElement | null>;
  readonly titleId: string;
  readonly isFlush: boolean;
  readonly children: ReactNode;
}) {
  const isStop = useIsStop(body);
  return (
    <div
      ref={body}
      {...(isStop && { role: 'group', tabIndex: 0, 'aria-labelledby': titleId })}
      className={cx('focus-inset min-h-0 flex-1 overflow-auto', !isFlush && 'px-5 pb-4')}
    >
      {children}
    </div>
  );
}

/** Whether it scrolls and nothing in it has the focus by Tab. */
function useIsStop(body: RefObject<HTMLDivElement | null>): boolean {
  const [isStop, setIsStop] = useState(false);
  // After every drawing: what is in it may be another thing.
  useLayoutEffect(() => {
    const element = body.current;
    if (element === null || typeof ResizeObserver === 'undefined') return undefined;
    const observer = new ResizeObserver(() =>
      setIsStop(element.scrollHeight > element.clientHeight && firstControl(element) === null),
    );
    for (const part of [element, ...element.children]) observer.observe(part);
    return () => observer.disconnect();
  });
  return isStop;
}
