// The engine process below the headless parent: a hosted app with the window's port for pages in a browser. Stop
// signals are the parent's business; a terminal sends them to both.

import { readdir } from 'node:fs/promises';
import path from 'node:path';

import { liveAsEngine } from '../hosting/engine-life.ts';
import type { HostedApp } from '../hosting/hosted-app.ts';
import type { ServeEnd } from '../hosting/hosted-server.ts';
import type { StartMessage, ToEngine } from '../supervision/engine-messages.ts';
import { StaticFiles } from './static-files.ts';
import { UiServer } from './ui-server.ts';
import { UploadStore } from './upload-store.ts';

const DEFAULT_UI_PORT = 8003;

/** Folder of the built page, beside the built program or below the sources. */
async function pageFolder(): Promise<string> {
  const here = import.meta.dirname;
  const candidates = ['../renderer', '../../renderer', '../../../out/renderer'].map((f) =>
    path.resolve(here, f),
  );
  for (const folder of candidates) {
    const names: string[] = await readdir(folder).catch(() => []);
    if (names.includes('index.html')) return folder;
  }
  throw new Error('the window is not built; run: npm run build');
}

async function openWindowPort(app: HostedApp, start: StartMessage): Promise<UiServer> {
  if (start.token === undefined) throw new Error('no token was given for pages of the window');
  const uploads = new UploadStore(start.userDataPath);
  await uploads.removeOld(Date.now());
  const server = new UiServer({
    address: app.options.shell.uiAddress,
    token: start.token,
    files: await StaticFiles.open(await pageFolder()),
    uploads,
    onChannel: (channel) => app.attach(channel),
  });
  const { uiPort } = app.options.shell;
  const previous = start.ports.ui;
  const wanted = previous === undefined ? [] : [previous];
  const port = await server.listen([...wanted, ...(uiPort === undefined ? [DEFAULT_UI_PORT, 0] : [uiPort])]);
  app.setUiPort(port);
  return server;
}

/** Resolves when the process is to end. */
export async function runEngineChild(): Promise<ServeEnd> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  try {
    return await liveAsEngine({
      link: {
        send: (message) => {
          if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
        },
        onMessage: (listener) => void process.on('message', (message) => listener(message as ToEngine)),
        onGone: (listener) => void process.once('disconnect', listener),
      },
      environment: process.env,
      openPages: openWindowPort,
      printError: (line) => console.error(line),
    });
  } finally {
    if (process.connected) process.disconnect();
  }
}
