// Serving without a window: a tray icon while the last window is closed and the user asked to keep serving.

import { Menu, nativeImage, Tray } from 'electron';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The setting belongs to the engine's store; only its file is read here, at the moment it matters. */
export function keepsServing(userDataPath: string): boolean {
  try {
    const settings: unknown = JSON.parse(readFileSync(path.join(userDataPath, 'settings.json'), 'utf8'));
    return (settings as Readonly<Record<string, unknown>>)['general.keepServing'] === true;
  } catch {
    return false;
  }
}

export class ServingTray {
  #tray: Tray | undefined;

  show(options: { readonly iconFile: string; readonly open: () => void; readonly quit: () => void }): void {
    if (this.#tray !== undefined) return;
    const image = nativeImage.createFromPath(options.iconFile).resize({ width: 22, height: 22 });
    this.#tray = new Tray(image);
    this.#tray.setToolTip('Conch is serving');
    this.#tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: 'Open Conch', click: options.open },
        { type: 'separator' },
        { label: 'Stop serving and quit', click: options.quit },
      ]),
    );
    this.#tray.on('click', options.open);
  }

  hide(): void {
    this.#tray?.destroy();
    this.#tray = undefined;
  }
}
