// Ports of the app. After a restart the ports of the engine before come first, since clients know them. A port that is
// taken is not exchanged behind the user's back: the window says who holds it and offers others.

import { createServer } from 'node:net';

import type { SettingsStore } from '../../control/settings/settings-store.ts';
import type { SettingValue } from '../../../src-shared/contract/setting-definition.ts';
import type { EngineOptions } from '../../options/engine-options.ts';
import type { ListeningPorts } from '../supervision/engine-messages.ts';

const ENDPOINTS = ['http', 'grpc', 'metrics'] as const;

/** True when the address can be listened on now. */
export function isPortFree(address: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: address, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

/** `previous` = ports of the engine that ran before this one. One that was picked for us may be exchanged for another. */
export async function withPreviousPorts(
  engine: EngineOptions,
  previous: ListeningPorts,
): Promise<EngineOptions> {
  let result = engine;
  for (const name of ENDPOINTS) {
    const { enabled, address, port } = engine[name];
    const before = previous[name];
    if (!enabled || before === undefined) continue;
    const isUsed = port !== 0 || (await isPortFree(address, before));
    if (isUsed) result = { ...result, [name]: { ...result[name], port: before } };
  }
  return result;
}

/** What the settings say of the ports now, to be compared at a restart. */
export function portSettings(settings: Pick<SettingsStore, 'get'>): readonly SettingValue[] {
  return ENDPOINTS.map((name) => settings.get(`server.${name}Port`));
}

/** Ports that stay the same over a restart: those whose setting did not change since `before`. */
export function portsToKeep(
  ports: ListeningPorts,
  before: readonly SettingValue[],
  settings: Pick<SettingsStore, 'get'>,
): ListeningPorts {
  const now = portSettings(settings);
  return Object.fromEntries(
    ENDPOINTS.map((name, at) => [name, now[at] === before[at] ? ports[name] : undefined]),
  );
}
