// Tabs of the browser that apps are opened in, one after the other. A new tab for each app cost Chromium three times the
// work: a process, and the page's code compiled anew. One that was used before has that code, since its apps listen on
// the same port; of its pages it keeps nothing, and one that cannot be left so is closed.

import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from '@playwright/test';

import type { LaunchOptions } from './launch-app.ts';

const VIEWPORT = { width: 1360, height: 860 };
const MOTION = { reducedMotion: 'reduce', forcedColors: 'none' } as const;
const LISTENED_TO = ['request', 'websocket', 'console', 'dialog', 'download'] as const;

function contextOptions({ colorScheme = 'light' }: LaunchOptions): BrowserContextOptions {
  return {
    viewport: VIEWPORT,
    colorScheme,
    ...MOTION,
    permissions: ['clipboard-read', 'clipboard-write'],
  };
}

/** A tab that one app has until it gives it back. */
export class Tab {
  readonly page: Page;
  readonly #context: BrowserContext;
  readonly #sessions: CDPSession[] = [];

  constructor(page: Page) {
    this.page = page;
    this.#context = page.context();
  }

  /** Port that its apps listen on, so that their pages have one address; 0 before the first. */
  get port(): number {
    return URL.canParse(this.page.url()) ? Number(new URL(this.page.url()).port) : 0;
  }

  /** Ends with the app if its user does not detach it before. */
  async devTools(): Promise<CDPSession> {
    const session = await this.#context.newCDPSession(this.page);
    this.#sessions.push(session);
    return session;
  }

  /** As a new tab is for these options. */
  async prepare({ colorScheme = 'light' }: LaunchOptions): Promise<void> {
    await this.page.setViewportSize(VIEWPORT);
    await this.page.emulateMedia({ media: null, colorScheme, ...MOTION });
  }

  /** Leaves the page of an app that still runs for an empty one of the same address, and forgets what it kept. */
  async clear(): Promise<void> {
    const { page } = this;
    for (const event of LISTENED_TO) page.removeAllListeners(event);
    for (const session of this.#sessions.splice(0)) await session.detach().catch(() => undefined);
    for (const other of this.#context.pages()) if (other !== page) await other.close();
    const { origin } = new URL(page.url());
    await page.goto(`${origin}/left`);
    await page.evaluate('localStorage.clear(); sessionStorage.clear()');
    await this.#context.clearCookies();
    const session = await this.#context.newCDPSession(page);
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
    await session.detach();
    // Nothing of the next page lies under the pointer.
    await page.mouse.move(0, 0);
  }

  /** Closes the tab for good: it is not kept for another app. */
  close(): Promise<void> {
    return this.#context.close();
  }
}

/** The tabs of one browser; each is in a context of its own. They are closed with the browser. */
export class KeptTabs {
  readonly #browser: Browser;
  readonly #free: Tab[] = [];

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  /** One that no app has; whoever takes it gives it back, or closes it. */
  async take(options: LaunchOptions): Promise<Tab> {
    const kept = this.#free.pop();
    if (kept === undefined) {
      const context = await this.#browser.newContext(contextOptions(options));
      return new Tab(await context.newPage());
    }
    await kept.prepare(options);
    return kept;
  }

  /** While the app of its page still runs. One that does not become empty is closed. */
  async giveBack(tab: Tab): Promise<void> {
    try {
      await tab.clear();
      this.#free.push(tab);
    } catch {
      await tab.close();
    }
  }
}
