// The result of something the user did, told in a corner of the window. Errors stay until dismissed, or until what they
// are about succeeds, unless they are shown elsewhere too. What shows them is fetched for the first
// message, and before it once the window has nothing else to do; messages until then come in their order.

import { useEffect } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

import { afterStart } from '../lib/when-idle.ts';
import type { ToastAction, ToastMessage } from './toast-message.ts';
import type * as ToasterModule from './toaster.tsx';

type Toaster = typeof ToasterModule;

let fetched: Promise<Toaster> | undefined;
/** What draws messages, once it is there. */
const region = createStore<{ readonly Region?: Toaster['ToastRegion'] }>(() => ({}));

async function fetchToaster(): Promise<Toaster> {
  try {
    const module = await import('./toaster.tsx');
    region.setState({ Region: module.ToastRegion });
    return module;
  } catch (thrown) {
    // The next message asks again.
    fetched = undefined;
    throw thrown;
  }
}

function toaster(): Promise<Toaster> {
  fetched ??= fetchToaster();
  return fetched;
}

function tell(message: ToastMessage): void {
  toaster().then(
    ({ showToast }) => showToast(message),
    (thrown: unknown) => reportError(new Error(message.text, { cause: thrown })),
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
export function toastFailure(
  text: string,
  action: ToastAction,
  { subject, advice }: { readonly subject: string; readonly advice: string },
): void {
  tell({ kind: 'error', text, action, subject, advice, isShownElsewhere: true });
}

/** Takes away the last message about a thing, where it is shown itself now. */
export function dismissToast(subject: string): void {
  // What was never fetched shows nothing.
  fetched?.then(
    ({ forgetSubject }) => forgetSubject(subject),
    () => undefined,
  );
}

/** Rendered once, near the root. */
export function ToastHost() {
  const { Region } = useStore(region);
  useEffect(() => afterStart(() => void toaster().catch(() => undefined)), []);
  return Region === undefined ? null : <Region />;
}
