// A message of the system, which stays until it is clicked or closed.

import { Notification } from 'electron';

import type { Notice } from './notices.ts';

/** Keeps notices alive until they are clicked or closed; the language would collect them with their listeners. */
const shown = new Set<Notification>();

/** Shows it where the system can; a click calls `onClick`. */
export function showNotice({ title, body }: Notice, onClick: () => void): void {
  if (!Notification.isSupported()) return;
  const notification = new Notification({ title, body });
  shown.add(notification);
  notification.on('click', () => {
    shown.delete(notification);
    onClick();
  });
  notification.on('close', () => void shown.delete(notification));
  notification.show();
}
