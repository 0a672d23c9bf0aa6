// The server under attack: an engine with all its ports and the window's port, in a process of its own, so that an
// exception that nobody catches ends it as it would end the product. Told by its parent over IPC.

import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { StaticFiles } from '../../src-main/shell/headless/static-files.ts';
import { UiServer } from '../../src-main/shell/headless/ui-server.ts';
import { UploadStore } from '../../src-main/shell/headless/upload-store.ts';
import type { TestEngineOptions } from '../../src-main/testing/start-test-engine.ts';
import { startTestEngine } from '../../src-main/testing/start-test-engine.ts';
import type { TargetFacts, TargetPorts } from './target-facts.ts';
import { LARGE_FILE, UI_TOKEN } from './target-facts.ts';

async function serve(repository: string, folder: string, options: TestEngineOptions): Promise<void> {
  await mkdir(path.join(folder, 'page'));
  await writeFile(path.join(folder, 'page', 'index.html'), '<title>page</title>');
  await writeFile(path.join(folder, 'page', LARGE_FILE), Buffer.alloc(16_000_000));
  const side = { enabled: true, port: 0 };
  const engine = await startTestEngine(repository, { sagemaker: side, openai: side, ...options });
  const ui = new UiServer({
    address: '127.0.0.1',
    token: UI_TOKEN,
    files: await StaticFiles.open(path.join(folder, 'page')),
    uploads: new UploadStore(folder),
    onChannel: () => undefined,
  });
  const { http = 0, grpc = 0, metrics = 0, sagemaker = 0, openai = 0 } = engine.ports;
  const ports: TargetPorts = { http, grpc, metrics, sagemaker, openai, ui: await ui.listen([0]) };
  process.on('message', (message) => {
    if (message === 'facts') void facts().then((found) => process.send?.(found));
    if (message === 'stop') void engine.close().then(() => process.exit());
  });
  process.on('disconnect', () => process.exit());
  process.send?.(ports);
}

async function facts(): Promise<TargetFacts> {
  globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  const open = await readdir('/proc/self/fd').catch(() => []);
  return {
    residentBytes: process.memoryUsage.rss(),
    cpuMs: (user + system) / 1000,
    descriptors: open.length,
  };
}

const [repository = '', folder = '', options = '{}'] = process.argv.slice(2);
await serve(repository, folder, JSON.parse(options) as TestEngineOptions);
