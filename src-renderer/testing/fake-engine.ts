// An engine without an engine: answers the contract from memory over a real RpcServer, so that tests and the harness
// page go through the same client code as the product. Handlers can be replaced one by one.

import type {
  CallArgs,
  CallHandlers,
  CallName,
  EventName,
  EventPayload,
} from '../../src-shared/contract/contract.ts';
import type { ModelView } from '../../src-shared/contract/model-view.ts';
import type { ServerView, SettingsView } from '../../src-shared/contract/observe-views.ts';
import type { RepositorySnapshot } from '../../src-shared/contract/repository-calls.ts';
import { notFound, unsupported } from '../../src-shared/errors.ts';
import type { Channel } from '../../src-shared/rpc/channel.ts';
import { channelPair } from '../../src-shared/rpc/channel.ts';
import { RpcServer } from '../../src-shared/rpc/rpc-server.ts';
import type { Engine } from '../engine/engine-context.tsx';
import { EngineConnection, TokenRefusedError } from '../engine/engine-connection.ts';
import { createEngineState } from '../engine/engine-state.ts';
import { fakeHandoverHandlers } from './fake-handover-handlers.ts';
import { fakeAppHandlers } from './fake-app-handlers.ts';
import { fakeMetrics, fakeSharedMemory } from './fake-metrics.ts';
import { fakeDropItem } from './fake-drop-item.ts';
import { fakeModelHandlers } from './fake-model-handlers.ts';
import { fakeSnapshot } from './fake-models.ts';
import {
  fakeClients,
  fakeInspection,
  fakeLogs,
  fakeSample,
  fakeSeriesAnswer,
  fakeServer,
  fakeSettings,
} from './fake-views.ts';
import { fakeTraceState } from './fake-traces.ts';

interface FakeCall {
  readonly name: CallName;
  readonly args: unknown;
}

/** Calls without an answer reject with UNSUPPORTED. Pages connect through `engine`, as often as they like. */
export class FakeEngine {
  snapshot: RepositorySnapshot = fakeSnapshot();
  server: ServerView = fakeServer();
  settings: SettingsView = fakeSettings();
  /** Replaces single answers; looked up first. */
  readonly overrides: { -readonly [N in CallName]?: CallHandlers[N] } = {};
  /** Everything that was asked, in order. */
  readonly calls: FakeCall[] = [];
  readonly layouts = new Map<string, string>();
  /** New channels are refused, as by a server that does not know the page's token. */
  refusesToken = false;
  /** New channels fail, as while no server runs. */
  isDown = false;
  readonly #servers = new Set<RpcServer>();
  readonly #channels = new Set<Channel>();

  /** An engine for components, connected to this fake. */
  engine(): Engine {
    const connection = new EngineConnection(async () => {
      if (this.refusesToken) throw new TokenRefusedError();
      if (this.isDown) throw new Error('there is no server');
      return this.open();
    });
    connection.start();
    return {
      client: connection,
      state: createEngineState(),
      connection: connection.state,
      retry: () => connection.retry(),
    };
  }

  /** A new channel to this fake. */
  open(): Channel {
    const [page, here] = channelPair();
    this.#channels.add(here);
    this.#servers.add(new RpcServer(here, { handlers: this.#handlers() }));
    return page;
  }

  /** Breaks all connections, as a crash does. */
  disconnect(): void {
    for (const channel of this.#channels) channel.close();
    this.#channels.clear();
    this.#servers.clear();
  }

  /** To every page that is connected. */
  publish<N extends EventName>(name: N, payload: EventPayload<N>): void {
    for (const server of this.#servers) server.publish(name, payload);
  }

  /** Of every call of that name so far, in their order. */
  argsOf<N extends CallName>(name: N): readonly CallArgs<N>[] {
    return this.calls.filter((call) => call.name === name).map(({ args }) => args as CallArgs<N>);
  }

  /** Changes a model and tells the page. */
  change(name: string, changes: Partial<ModelView>): ModelView {
    const model = this.#model(name);
    const next = { ...model, ...changes };
    const models = this.snapshot.models.map((other) => (other === model ? next : other));
    this.snapshot = { ...this.snapshot, models };
    this.publish('repository/models', { changed: [next], removed: [] });
    return next;
  }

  /** Changes the fields named, tells every page, and returns the whole view. */
  changeServer(changes: Partial<ServerView>): ServerView {
    this.server = { ...this.server, ...changes };
    this.publish('server/changed', this.server);
    return this.server;
  }

  #model(name: string): ModelView {
    const model = this.snapshot.models.find((other) => other.name === name);
    if (model === undefined) throw notFound(`there is no model '${name}'`);
    return model;
  }

  #handlers(): CallHandlers {
    const defaults = this.#defaults();
    const answer = (name: CallName) => (args: never, context: never) => {
      this.calls.push({ name, args });
      const handler = this.overrides[name] ?? defaults[name];
      if (handler === undefined) throw unsupported(`the fake engine does not answer '${name}'`);
      return (handler as (a: never, c: never) => unknown)(args, context);
    };
    return new Proxy({} as CallHandlers, { get: (_target, name) => answer(name as CallName) });
  }

  #defaults(): Partial<CallHandlers> {
    return {
      ...this.#repositoryHandlers(),
      ...fakeModelHandlers(),
      'observe/sample': () => fakeSample(Date.now()),
      'observe/sparklines': () => ({}),
      'observe/series': ({ afterMs }) => fakeSeriesAnswer(Date.now(), afterMs),
      'observe/resources': () => ({ points: [] }),
      'observe/resetView': () => ({ resetId: 'reset' }),
      'observe/tasks': () => [],
      'observe/logs': ({ afterSequence }) => fakeLogs().filter(({ sequence }) => sequence > afterSequence),
      'observe/executions': () => [],
      'traces/state': () => fakeTraceState(0),
      'capture/ofTrace': () => ({ row: undefined }),
      'server/view': () => this.server,
      'server/check': () =>
        this.server.endpoints.flatMap(({ kind, isListening }) =>
          isListening && (kind === 'http' || kind === 'grpc' || kind === 'metrics')
            ? [{ kind, isOk: true, tookUs: 1200, message: undefined }]
            : [],
        ),
      'server/stop': () =>
        this.changeServer({
          state: 'stopped',
          endpoints: this.server.endpoints.map((endpoint) => ({ ...endpoint, isListening: false })),
        }),
      'server/start': () =>
        this.changeServer({
          state: 'serving',
          portConflict: undefined,
          endpoints: this.server.endpoints.map((endpoint) => ({ ...endpoint, isListening: true })),
        }),
      'server/restart': () => void this.changeServer({ startedAtMs: Date.now() }),
      'server/diagnostics': () => ({ json: '{}' }),
      ...fakeAppHandlers(),
      'server/stopNow': () => undefined,
      'server/clients': () => fakeClients(),
      'metrics/read': ({ family, match }) => fakeMetrics(family, match),
      'sharedMemory/view': () => fakeSharedMemory(),
      'server/protoFiles': () => [{ name: 'grpc_service.proto', text: 'syntax = "proto3";' }],
      'settings/read': () => this.settings,
      'settings/write': ({ changes }) => this.#writeSettings(changes),
      ...fakeHandoverHandlers(),
      'settings/importCommand': () => ({ changes: {}, repositories: [], ignored: [] }),
      'settings/readLayout': ({ key }) => ({ json: this.layouts.get(key) ?? '' }),
      'settings/writeLayout': ({ key, json }) => void this.layouts.set(key, json),
      'config/inspectOnnx': ({ path }) => fakeInspection(path),
      'config/batchProbe': () => ({
        verdict: 'safe',
        maxDifference: 2e-6,
        message: '',
        canMakeDynamic: false,
      }),
    };
  }

  #repositoryHandlers(): Partial<CallHandlers> {
    return {
      'repository/snapshot': () => this.snapshot,
      'repository/load': ({ model }) => ({
        model: this.change(model, {
          state: 'ready',
          servedVersions: ['1'],
          failure: undefined,
          reason: undefined,
          phase: undefined,
          device: 'CPU',
        }),
      }),
      'repository/stopLoading': () => undefined,
      'repository/reload': ({ model }) => ({
        model: this.change(model, {
          state: 'ready',
          changedOnDisk: false,
          isConfigChanged: false,
          hasOverride: false,
          reloadKind: 'none',
        }),
      }),
      'repository/unload': ({ model }) => ({
        model: this.change(model, {
          state: 'unloaded',
          servedVersions: [],
          device: undefined,
          memoryBytes: undefined,
        }),
        freedBytes: undefined,
      }),
      'repository/files': () => [
        { path: 'config.pbtxt', byteSize: 412, modifiedAtMs: Date.UTC(2026, 4, 4) },
        { path: '1/model.onnx', byteSize: 84_112, modifiedAtMs: Date.UTC(2026, 4, 4) },
      ],
      'repository/rescan': () => undefined,
      'repository/giveUp': () => undefined,
      'repository/classify': ({ paths }) =>
        paths.map((path) => fakeDropItem('onnx', { path, name: 'mobilenet', byteSize: 14_212_972 })),
      'repository/browse': ({ path }) => ({
        path: path === '' ? '/home/ada' : path,
        parent: path === '' ? '' : '/home/ada',
        entries: [
          { name: 'models', isFolder: true, byteSize: 0, looksLike: 'repository' },
          { name: 'mobilenet.onnx', isFolder: false, byteSize: 14_212_972, looksLike: 'onnx' },
        ],
      }),
      'repository/createFromOnnx': ({ name }) => ({ model: name }),
      'repository/probeDynamic': () => ({
        verdict: 'safe',
        maxDifference: 0,
        message: 'Batching is safe: rows differ by at most 0.',
        canMakeDynamic: false,
      }),
    };
  }

  #writeSettings(changes: Readonly<Record<string, string | number | boolean | null>>): SettingsView {
    this.settings = {
      ...this.settings,
      settings: this.settings.settings.map((setting) => {
        const change = changes[setting.key];
        if (change === undefined) return setting;
        return { ...setting, value: change ?? setting.defaultValue, isPending: setting.needsRestart };
      }),
    };
    this.publish('settings/changed', { keys: Object.keys(changes) });
    return this.settings;
  }
}
