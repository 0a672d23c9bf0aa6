// Answers the calls about the server itself, and tells pages when its state changed.

import type { HandlersFor } from '../../../src-shared/contract/contract.ts';
import type { ServerSample } from '../../../src-shared/contract/observe-views.ts';
import type { serverCalls } from '../../../src-shared/contract/server-calls.ts';
import type { ModelCatalog } from '../catalog/model-catalog.ts';
import type { ControlRoom, Publish } from '../pages/control-room.ts';
import type { SettingsStore } from '../settings/settings-store.ts';
import { protoFiles } from './proto-files.ts';
import type { ServerControl } from './server-control.ts';

/** What the room is made of. It closes none of it. */
export interface ServerRoomOptions {
  readonly server: ServerControl;
  readonly catalog: ModelCatalog;
  readonly settings: SettingsStore;
  readonly publish: Publish;
  /** What the server does now, and what it logged last, for the report of a fault. */
  readonly sample: () => ServerSample;
  /** At most `count`, oldest first. */
  readonly lastLogs: (count: number) => readonly unknown[];
}

/** Lines of the log in a report. */
const REPORTED_LINES = 500;

/** Pages are told of a state once, however often `changed` is called. */
export class ServerRoom implements ControlRoom<HandlersFor<typeof serverCalls>> {
  readonly handlers: HandlersFor<typeof serverCalls>;
  readonly #options: ServerRoomOptions;
  /** As pages were told last; undefined = not yet. */
  #told: string | undefined;

  constructor(options: ServerRoomOptions) {
    this.#options = options;
    const { server } = options;
    this.handlers = {
      'server/view': () => server.view(),
      'server/stop': () => server.stop(),
      'server/stopNow': () => server.stopNow(),
      'server/check': () => server.check(),
      'server/clients': () => server.clients(),
      'server/protoFiles': () => protoFiles(),
      'server/start': ({ ports }) => server.start(ports),
      'server/restart': () => server.restart(),
      'server/diagnostics': () => ({ json: this.#report() }),
    };
  }

  /** The server's state changed. */
  changed(): void {
    const view = this.#options.server.view();
    this.#told = JSON.stringify(view);
    this.#options.publish('server/changed', view);
  }

  /** Readiness and request counts change without anybody saying so. */
  look(): void {
    if (this.#told !== undefined && JSON.stringify(this.#options.server.view()) !== this.#told)
      this.changed();
  }

  /** Everything a bug report needs, without tensor contents. */
  #report(): string {
    const { server, catalog, settings, sample, lastLogs } = this.#options;
    const report = {
      server: server.view(),
      sample: sample(),
      models: catalog.views(),
      settings: settings.view().settings.map(({ key, value }) => ({ key, value })),
      logs: lastLogs(REPORTED_LINES),
    };
    return JSON.stringify(report, null, 2);
  }
}
