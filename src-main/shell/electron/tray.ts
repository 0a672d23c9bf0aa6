// The icon in the tray: says whether Conch serves and where, starts and stops it, and brings the window back. Some
// desktops have no tray; then nothing is shown, and starting the app again brings the window back.

import type { MenuItemConstructorOptions } from 'electron';
import { Menu, nativeImage, Tray } from 'electron';

import type { ServerView } from '../../../src-shared/contract/observe-views.ts';
import { getLogger } from '../../base/log.ts';

const log = getLogger('shell');
const SIZE = 22;

interface TrayActions {
  readonly open: () => void;
  readonly startServer: () => void;
  readonly stopServer: () => void;
  readonly quit: () => void;
}

const STATES: Readonly<Record<ServerView['state'], string>> = {
  starting: 'Starting',
  serving: 'Serving',
  stopping: 'Stopping',
  stopped: 'Stopped',
  'port-problem': 'A port is in use',
};
const KINDS = {
  http: 'HTTP',
  grpc: 'gRPC',
  metrics: 'Metrics',
  openai: 'OpenAI',
  sagemaker: 'SageMaker',
  vertexAi: 'Vertex AI',
  ui: 'Window',
} as const;

/** "Serving: HTTP 8000, gRPC 8001, Metrics 8002" */
export function servingText(view: ServerView | undefined): string {
  if (view === undefined) return 'The server process is not running';
  const ports = view.endpoints
    .filter(({ isListening }) => isListening)
    .map(({ kind, address }) => `${KINDS[kind]} ${address.split(':').at(-1) ?? ''}`);
  return ports.length === 0 ? STATES[view.state] : `${STATES[view.state]}: ${ports.join(', ')}`;
}

/** The entries of the menu; `view` is what the server does, undefined while that is not known. */
export function trayTemplate(
  view: ServerView | undefined,
  actions: TrayActions,
): MenuItemConstructorOptions[] {
  const isStopped = view?.state === 'stopped';
  return [
    { label: servingText(view), enabled: false },
    { type: 'separator' },
    { label: 'Open Conch', click: actions.open },
    isStopped
      ? { label: 'Start serving', click: actions.startServer }
      : { label: 'Stop serving', enabled: view?.state === 'serving', click: actions.stopServer },
    { type: 'separator' },
    { label: 'Quit', click: actions.quit },
  ];
}

/** Shows and hides the icon, and follows the server. */
export class ServingTray {
  readonly #iconFile: string;
  readonly #actions: TrayActions;
  #tray: Tray | undefined;
  #view: ServerView | undefined;
  #shown = '';

  constructor(iconFile: string, actions: TrayActions) {
    this.#iconFile = iconFile;
    this.#actions = actions;
  }

  setVisible(isVisible: boolean): void {
    if (!isVisible) this.destroy();
    else if (this.#tray === undefined) this.#create();
  }

  setServer(view: ServerView | undefined): void {
    this.#view = view;
    this.#draw();
  }

  destroy(): void {
    this.#tray?.destroy();
    this.#tray = undefined;
    this.#shown = '';
  }

  #create(): void {
    try {
      const image = nativeImage.createFromPath(this.#iconFile).resize({ width: SIZE, height: SIZE });
      this.#tray = new Tray(image);
    } catch (thrown) {
      log.warn(`no tray icon: ${String(thrown)}`);
      return;
    }
    this.#tray.on('click', this.#actions.open);
    this.#draw();
  }

  /** Only what changed: on some desktops each new menu closes the one that is open. */
  #draw(): void {
    const text = `${servingText(this.#view)} ${this.#view?.state ?? ''}`;
    if (this.#tray === undefined || text === this.#shown) return;
    this.#shown = text;
    this.#tray.setToolTip(`Conch - ${servingText(this.#view)}`);
    this.#tray.setContextMenu(Menu.buildFromTemplate(trayTemplate(this.#view, this.#actions)));
  }
}
