// The engine process below the headless parent: waits for the start message, runs the hosted app and the window's port,
// and ends when told or when the parent is gone. Stop signals are the parent's business; a terminal sends them to both.

import { readdir } from 'node:fs/promises';
import path from 'node:path';

import { startFailureText } from '../hosting/start-failure.ts';
import { HostedApp } from '../hosting/hosted-app.ts';
import type { FromEngine, StartMessage, ToEngine } from '../supervision/engine-messages.ts';
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

function send(message: FromEngine): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}

async function openWindowPort(app: HostedApp, start: StartMessage): Promise<UiServer> {
  const uploads = new UploadStore(start.userDataPath);
  await uploads.removeOld(Date.now());
  const server = new UiServer({
    address: '127.0.0.1',
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

async function run(
  start: StartMessage,
  stopped: Promise<void>,
  onMessage: (app: HostedApp) => void,
): Promise<number> {
  const app = await HostedApp.create(start, process.env, send);
  onMessage(app);
  let window: UiServer | undefined;
  try {
    window = await openWindowPort(app, start);
    const started = app.start();
    await Promise.race([started.then(() => stopped), stopped]);
    return await app.stop();
  } catch (thrown) {
    console.error(startFailureText(thrown));
    await app.stop();
    return 1;
  } finally {
    await window?.close();
  }
}

/** Resolves with the exit code. */
export async function runEngineChild(): Promise<number> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  const { promise: started, resolve: begin } = Promise.withResolvers<StartMessage>();
  let app: HostedApp | undefined;
  process.on('message', (message) => {
    const received = message as ToEngine;
    if (received.type === 'start') begin(received);
    else if (received.type === 'stop') stop();
    else app?.receive(received);
  });
  process.once('disconnect', stop);
  try {
    return await run(await started, stopped, (created) => {
      app = created;
    });
  } finally {
    if (process.connected) process.disconnect();
  }
}
