// What a page may have and whose messages are heard: those of our own page, in our own window, and nothing else.

import { isOurPage } from './page-address.ts';

const ALLOWED_PERMISSIONS: ReadonlySet<string> = new Set([
  'clipboard-sanitized-write',
  'notifications',
  // Camera and microphone, when a button of the playground asks for them.
  'media',
]);

/** Whether a page at this address may have a permission of Chromium; `developmentUrl` as in `pageAddress`. */
export function mayHave(permission: string, url: string, developmentUrl: string | undefined): boolean {
  return ALLOWED_PERMISSIONS.has(permission) && isOurPage(url, developmentUrl);
}

/** A message of a page as Electron hands it over, as far as its origin goes. */
export interface PageMessage {
  /** Contents of the window that it came from. */
  readonly sender: unknown;
  /** null: the frame is gone. */
  readonly senderFrame: { readonly url: string; readonly parent: unknown } | null;
}

/** True for messages of our own page in the window with these contents, not of a frame in it. */
export function isFromPage(
  { sender, senderFrame }: PageMessage,
  contents: unknown,
  developmentUrl: string | undefined,
): boolean {
  return (
    sender === contents &&
    senderFrame !== null &&
    senderFrame.parent === null &&
    isOurPage(senderFrame.url, developmentUrl)
  );
}
