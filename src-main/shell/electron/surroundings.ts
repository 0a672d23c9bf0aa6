// What surrounds the window and follows the engine: the menu, the tray, the list of recent repositories, notices, the
// progress on the task bar, the start at log-in.

import { app } from 'electron';

import type { ServerView, TaskView } from '../../../src-shared/contract/observe-views.ts';
import { isWorthAsking } from '../../../src-shared/contract/task-notice.ts';
import { systemClock } from '../../base/clock.ts';
import { currentStarter } from './current-starter.ts';
import type { EngineLink } from './engine-link.ts';
import { setLoginStart } from './login-start.ts';
import { AppMenu } from './menu.ts';
import { Notices } from './notices.ts';
import { RecentList } from './recent-list.ts';
import { showRecentPlaces } from './recent-places.ts';
import { showNotice } from './system-notice.ts';
import { ServingTray } from './tray.ts';
import type { Windows } from './windows.ts';

/** What is around the window, and who is told of clicks. */
export interface SurroundingsParts {
  readonly windows: Windows;
  readonly link: EngineLink;
  readonly userDataPath: string;
  readonly iconFile: string;
  /** Shows the window and opens it there. */
  readonly openRecent: (repository: string) => void;
}

/** Made once and kept over restarts of the engine, whose last known state it goes on showing. */
export class Surroundings {
  readonly #parts: SurroundingsParts;
  readonly #menu: AppMenu;
  readonly #tray: ServingTray;
  readonly #recent: RecentList;
  readonly #running = new Map<string, TaskView>();
  /** As the settings said first; only a change of it is the user's wish. */
  #atLogin: boolean | undefined;

  constructor(parts: SurroundingsParts) {
    this.#parts = parts;
    const { windows, link, userDataPath, iconFile } = parts;
    const openRecent = (repository: string): void => {
      this.#recent.touch(repository);
      parts.openRecent(repository);
    };
    this.#menu = new AppMenu({
      send: (command) => {
        windows.show();
        windows.request({ kind: 'command', command });
      },
      openRecent,
      clearRecent: () => this.#recent.clear(),
    });
    this.#tray = new ServingTray(iconFile, {
      open: () => windows.show(),
      startServer: () => link.startServer(),
      stopServer: () => link.stopServer(),
      quit: () => app.quit(),
    });
    this.#recent = new RecentList(userDataPath, (paths) => this.#showRecent(paths, openRecent));
    this.#showRecent(this.#recent.paths, openRecent);
    this.#follow();
  }

  /** Shortcuts as the page has them now, by command. */
  setKeys(keys: Readonly<Record<string, string>>): void {
    this.#menu.update({ keys });
  }

  /** Titles of work that is not ended without a question. */
  longWork(nowMs: number): readonly string[] {
    return [...this.#running.values()].filter((task) => isWorthAsking(task, nowMs)).map(({ title }) => title);
  }

  /** Takes the icon out of the tray; the rest goes with the app. */
  close(): void {
    this.#tray.destroy();
  }

  #showRecent(paths: readonly string[], open: (repository: string) => void): void {
    this.#menu.update({ recent: paths });
    showRecentPlaces(paths, open);
  }

  #follow(): void {
    const { link, windows } = this.#parts;
    const isInFront = (): boolean => windows.current?.isFocused() === true;
    const notices = new Notices({
      clock: systemClock,
      isInFront,
      show: (notice) =>
        showNotice(notice, () => {
          windows.show();
          if (notice.address !== undefined) windows.request({ kind: 'go', address: notice.address });
        }),
    });
    link.onServer((view) => this.#showServer(view));
    link.onSettings(() => this.#applySettings());
    link.subscribe('repository/list', ({ repositories, isScanning }) => {
      if (!isScanning) this.#recent.note(repositories.map(({ path }) => path));
    });
    link.subscribe('repository/models', ({ changed }) => notices.models(changed));
    link.subscribe('observe/task', (task) => {
      notices.task(task);
      this.#showProgress(task);
    });
  }

  #showServer(view: ServerView | undefined): void {
    this.#tray.setServer(view);
    const server = view === undefined ? 'unknown' : view.state === 'stopped' ? 'stopped' : 'running';
    this.#menu.update({ server });
  }

  #applySettings(): void {
    const { link } = this.#parts;
    this.#tray.setVisible(link.setting('general.tray') === true);
    const atLogin = link.setting('general.openAtLogin') === true;
    if (this.#atLogin !== undefined && this.#atLogin !== atLogin) setLoginStart(atLogin, currentStarter());
    this.#atLogin = atLogin;
  }

  /** Of the task that began first among those that know how far they are. */
  #showProgress(task: TaskView): void {
    if (task.state === 'running') this.#running.set(task.id, task);
    else this.#running.delete(task.id);
    const [first] = [...this.#running.values()].filter(({ progress }) => progress !== undefined);
    this.#parts.windows.current?.setProgressBar(first?.progress ?? -1);
  }
}
