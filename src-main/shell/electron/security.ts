// What a page may never do: leave its origin, open windows, attach web views, ask for devices. Holds the only call of
// `shell.openExternal` in the product. The content policy travels with the page's own scheme.

import { app, net, protocol, session, shell } from 'electron';
import type { WebContents } from 'electron';
import { pathToFileURL } from 'node:url';

import { contentPolicy } from '../hosting/content-policy.ts';
import { fileOfAddress, isOurPage, PAGE_SCHEME } from './page-address.ts';
import { shellErrors } from './shell-errors.ts';

const ALLOWED_PERMISSIONS: ReadonlySet<string> = new Set([
  'clipboard-sanitized-write',
  'notifications',
  // Camera and microphone, when a button of the playground asks for them.
  'media',
]);

/** Opens http(s) addresses in the system's browser; anything else is refused with INVALID_ARG. */
export async function openExternal(url: string): Promise<void> {
  const isWeb = URL.canParse(url) && ['https:', 'http:'].includes(new URL(url).protocol);
  if (!isWeb) throw shellErrors.address({ url });
  await shell.openExternal(url);
}

/** Before the app is ready: schemes can only be declared then. */
export function registerPageScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: PAGE_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
}

/** After the app is ready. `folder` holds the built page. */
export function servePage(folder: string): void {
  protocol.handle(PAGE_SCHEME, async (request) => {
    const file = fileOfAddress(request.url, folder);
    if (file === undefined) return new Response('not found', { status: 404 });
    const response = await net.fetch(pathToFileURL(file).href).catch(() => undefined);
    if (response === undefined) return new Response('not found', { status: 404 });
    const headers = new Headers(response.headers);
    headers.set('content-security-policy', contentPolicy([]));
    headers.set('x-content-type-options', 'nosniff');
    return new Response(response.body, { status: response.status, headers });
  });
}

interface Leaving {
  readonly url: string;
  preventDefault(): void;
}

/** Every way to another address, of the page itself and of frames in it, by itself and by the server's answer. */
const WAYS_OUT = ['will-navigate', 'will-frame-navigate', 'will-redirect'] as const;

function guard(contents: WebContents, developmentUrl: string): void {
  contents.setWindowOpenHandler(({ url }) => {
    void openExternal(url).catch(() => undefined);
    return { action: 'deny' };
  });
  const stay = (event: Leaving): void => {
    if (!isOurPage(event.url, developmentUrl)) event.preventDefault();
  };
  for (const way of WAYS_OUT) contents.on(way as 'will-redirect', stay);
  contents.on('will-attach-webview', (event) => event.preventDefault());
}

/** To be called before the first window; guards every page that is made from then on. */
export function setupSecurity(developmentUrl: string): void {
  app.on('web-contents-created', (_event, contents) => guard(contents, developmentUrl));
  session.defaultSession.setPermissionRequestHandler((contents, permission, decide) => {
    decide(ALLOWED_PERMISSIONS.has(permission) && isOurPage(contents.getURL(), developmentUrl));
  });
  session.defaultSession.setPermissionCheckHandler((_contents, permission, origin) => {
    return ALLOWED_PERMISSIONS.has(permission) && isOurPage(origin, developmentUrl);
  });
}
