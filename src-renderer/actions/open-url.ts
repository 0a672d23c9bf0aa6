// The one door to the outside: an address opens in the user's own browser, never in this window.

import { nativeShell } from '../engine/native-shell.ts';
import { parseAddress } from '../lib/address.ts';
import { open } from '../lib/workspace-store.ts';

/**
 * Opens any address outside of the window, without a way back into it. Callers see to it that the address may
 * be opened.
 */
export function openUrl(url: string): void {
  const shell = nativeShell();
  if (shell === undefined) window.open(url, '_blank', 'noopener,noreferrer');
  else void shell.call('shell/openExternal', { url });
}

/** A link of a text: a place of this window, or an address outside. Anything else does nothing. */
export function followLink(url: string): void {
  const place = parseAddress(url);
  if (place !== undefined) open(place);
  else if (/^https?:\/\//i.test(url)) openUrl(url);
}
