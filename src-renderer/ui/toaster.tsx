// How messages are shown: at most three, five seconds, one action. Errors stay until dismissed, or until what they are
// about succeeds; those that are shown elsewhere as well stay for ten seconds. The same message within ten seconds becomes a counter while it is shown; one that was closed comes
// as a message of its own. Used through toast.tsx, which fetches this.

import { useCallback } from 'react';
import { toast, Toaster } from 'sonner';
import { useStore } from 'zustand';

import { useMedia } from '../lib/use-media.ts';
import { t } from '../texts/translate.ts';
import { openDialogs } from './open-dialogs.ts';
import { followToastFocus } from './toast-focus.ts';
import { BOTTOM_STRIP } from './use-bottom-strip.ts';
import type { ToastAction, ToastMessage } from './toast-message.ts';

const REPEAT_MS = 10_000;
const SHOWN_MS = 5000;
/** Of an error that is shown elsewhere as well: long enough to read what the server said. */
const FAILURE_MS = 10_000;

interface Shown {
  readonly id: number | string;
  readonly count: number;
  readonly atMs: number;
}

/** By kind and text: what is on the screen. One that closes leaves at once: its id would close the next one as well. */
const recent = new Map<string, Shown>();

function show({ kind, text, advice, action, subject = '', isShownElsewhere = false }: ToastMessage): void {
  const key = `${kind} ${text}`;
  const nowMs = Date.now();
  for (const [known, { atMs }] of recent) if (nowMs - atMs > REPEAT_MS) recent.delete(known);
  const before = recent.get(key);
  const count = (before?.count ?? 0) + 1;
  const forget = (): void => {
    if (recent.get(key)?.id === id) recent.delete(key);
  };
  const id = toast[kind](count === 1 ? text : `${text} (${count})`, {
    duration: kind !== 'error' ? SHOWN_MS : isShownElsewhere ? FAILURE_MS : Infinity,
    testId: `toast-${kind}`,
    ...(advice === undefined ? {} : { description: advice }),
    onDismiss: forget,
    onAutoClose: forget,
    ...(before === undefined ? {} : { id: before.id }),
    ...(action === undefined ? {} : { action: closing(action, forget) }),
  });
  recent.set(key, { id, count, atMs: nowMs });
  if (subject !== '') bySubject.set(subject, id);
}

/** The library closes the message after its button, and says so to nobody. */
function closing({ label, onClick }: ToastAction, forget: () => void): ToastAction {
  return {
    label,
    onClick: () => {
      forget();
      onClick();
    },
  };
}

/** The last message about a thing: a new one takes its place, since it says how the thing is now. */
const bySubject = new Map<string, number | string>();

/** Its last message goes. */
export function forgetSubject(subject: string | undefined): void {
  const before = subject === undefined ? undefined : bySubject.get(subject);
  if (subject === undefined || before === undefined) return;
  for (const [key, { id }] of recent) if (id === before) recent.delete(key);
  toast.dismiss(before);
  bySubject.delete(subject);
}

/** A result without an error takes away the error with the same subject. */
export function showToast(message: ToastMessage): void {
  if (message.kind === 'error') {
    show(message);
    return;
  }
  forgetSubject(message.subject);
  show({ ...message, subject: undefined });
}

/** Toasts that wait for the focus to leave. */
const held = new Set<number | string>();

/** The library holds toasts under the pointer; what has the focus must stay as well. */
function hold(): void {
  for (const shown of toast.getToasts()) {
    if (!('title' in shown) || shown.duration === Infinity) continue;
    held.add(shown.id);
    toast(shown.title, { id: shown.id, duration: Infinity });
  }
}

function release(): void {
  for (const shown of toast.getToasts()) {
    if ('title' in shown && held.has(shown.id)) toast(shown.title, { id: shown.id, duration: SHOWN_MS });
  }
  held.clear();
}

/**
 * The library holds messages while the pointer is over them. One that comes up under a resting pointer, where a button
 * was pressed, is not being read: it counts only once the pointer moves.
 */
function usePointerRest(): (region: HTMLElement | null) => (() => void) | undefined {
  return useCallback((region) => {
    if (region === null) return undefined;
    let last = '';
    const at = ({ screenX, screenY }: MouseEvent): string => `${screenX} ${screenY}`;
    const follow = (event: MouseEvent): void => {
      last = at(event);
    };
    const drop = (event: MouseEvent): void => {
      if (at(event) !== last) return;
      event.stopPropagation();
      // What it left said already that the pointer is here.
      const left = { bubbles: true, relatedTarget: document.body };
      event.target?.dispatchEvent(new MouseEvent('mouseout', left));
    };
    const controller = new AbortController();
    const { signal } = controller;
    for (const kind of ['mousemove', 'mousedown', 'mouseup'] as const) {
      window.addEventListener(kind, follow, { signal });
    }
    region.addEventListener('mouseover', drop, { signal });
    return () => controller.abort();
  }, []);
}

/** What has the focus stays while it has it. */
function useHeldFocus(): (region: HTMLElement | null) => (() => void) | undefined {
  return useCallback((region) => (region === null ? undefined : followToastFocus(region, hold, release)), []);
}

/** Where messages come up; rendered once. */
export function ToastRegion() {
  return (
    <div ref={useHeldFocus()} className="contents">
      <div ref={usePointerRest()} className="contents">
        <Toasts />
      </div>
    </div>
  );
}

/** Where views fill the window, buttons at the right end of rows and at the left below forms stay free. */
const NARROW = '(max-width: 1100px)';

function Toasts() {
  const isNarrow = useMedia(NARROW);
  // A dialog has its buttons at the bottom, and a tall one reaches down to where messages come up.
  const isOverDialog = useStore(openDialogs, ({ count }) => count > 0);
  return (
    <Toaster
      position={isOverDialog ? 'top-center' : isNarrow ? 'bottom-center' : 'bottom-right'}
      visibleToasts={3}
      closeButton
      offset={{
        bottom: `calc(2.5rem + var(${BOTTOM_STRIP}, 0px))`,
        right: '1rem',
        left: '1rem',
        top: '1rem',
      }}
      containerAriaLabel={t('toast.region')}
      toastOptions={{
        classNames: {
          toast:
            '!rounded-md !border !border-line !bg-surface !text-strong !shadow-float !p-3 !gap-2 !text-base !font-sans focus-visible:!outline-2 focus-visible:!outline-focus focus-visible:!outline-solid',
          title: '!font-normal !leading-5',
          description: '!text-soft !leading-5',
          icon: '!text-soft',
          success: '[&_[data-icon]]:!text-good',
          error: '[&_[data-icon]]:!text-bad',
          warning: '[&_[data-icon]]:!text-warn',
          actionButton: '!bg-transparent !text-accent !font-medium !border !border-line-strong !rounded !h-6',
          closeButton: '!border-line !bg-surface !text-soft',
        },
      }}
    />
  );
}
