// Keeps a page where it is: it leaves for no other address, opens no window and attaches no web view.

import type { WebContents } from 'electron';

import { isOurPage } from './page-address.ts';

interface Leaving {
  readonly url: string;
  preventDefault(): void;
}

/** Every way to another address, of the page itself and of frames in it, by itself and by the server's answer. */
const WAYS_OUT = ['will-navigate', 'will-frame-navigate', 'will-redirect'] as const;

/** Contents of a window as far as they can leave it. */
export type GuardedContents = Pick<WebContents, 'on' | 'setWindowOpenHandler'>;

/** `open` is given the addresses of windows that the page wanted to open. */
export function guardPage(
  contents: GuardedContents,
  developmentUrl: string | undefined,
  open: (url: string) => Promise<void>,
): void {
  contents.setWindowOpenHandler(({ url }) => {
    void open(url).catch(() => undefined);
    return { action: 'deny' };
  });
  const stay = (event: Leaving): void => {
    if (!isOurPage(event.url, developmentUrl)) event.preventDefault();
  };
  for (const way of WAYS_OUT) contents.on(way as 'will-redirect', stay);
  contents.on('will-attach-webview', (event) => event.preventDefault());
}
