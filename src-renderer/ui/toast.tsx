// The result of something the user did, told in a corner of the window. Errors stay until dismissed, or until what they
// are about succeeds, unless they are shown elsewhere too. What shows them is fetched after the frame was drawn; messages until then come in their order.

import { lazy, Suspense } from 'react';

import type { ToastAction, ToastMessage } from './toast-message.ts';
import type * as ToasterModule from './toaster.tsx';

type Toaster = typeof ToasterModule;

let fetched: Promise<Toaster> | undefined;

function toaster(): Promise<Toaster> {
  fetched ??= import('./toaster.tsx');
  return fetched;
}

function tell(message: ToastMessage): void {
  toaster().then(
    ({ showToast }) => showToast(message),
    (thrown: unknown) => {
      // The next message asks again.
      fetched = undefined;
      reportError(new Error(message.text, { cause: thrown }));
    },
  );
}

/** `subject`: what it is about, such as a model; an error that was told of it goes away. */
export function toastSuccess(text: string, action?: ToastAction, subject?: string): void {
  tell({ kind: 'success', text, action, subject });
}

/** For what happened without anything to do about it. Goes by itself. */
export function toastInfo(text: string, action?: ToastAction): void {
  tell({ kind: 'info', text, action, subject: undefined });
}

/** For what was done though not as wished. Goes by itself. */
export function toastWarning(text: string, action?: ToastAction): void {
  tell({ kind: 'warning', text, action, subject: undefined });
}

/** `subject`: see toastSuccess. `advice`: what may be done about it. */
export function toastError(text: string, action?: ToastAction, subject?: string, advice?: string): void {
  tell({ kind: 'error', text, action, subject, advice });
}

/** For an error that `subject` shows for as long as it lasts, such as a failed load. Goes by itself. */
export function toastFailure(text: string, action: ToastAction, subject: string): void {
  tell({ kind: 'error', text, action, subject, isShownElsewhere: true });
}

/** Takes away the last message about a thing, where it is shown itself now. */
export function dismissToast(subject: string): void {
  // What was never fetched shows nothing.
  void fetched?.then(({ forgetSubject }) => forgetSubject(subject));
}

const Region = lazy(async () => ({ default: (await toaster()).ToastRegion }));

/** Rendered once, near the root. */
export function ToastHost() {
  return (
    <Suspense>
      <Region />
    </Suspense>
  );
}
