// Ports of the app. A port that nobody asked for by name may be exchanged for a free one when it is taken; one that was
// asked for is used or refused. After a restart the ports of the engine before come first.

import { createServer } from 'node:net';

import type { EngineOptions } from '../../engine-options.ts';
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

export interface ChosenPorts {
  readonly engine: EngineOptions;
  /** A sentence for each port that had to be exchanged. */
  readonly notes: readonly string[];
}

/** `given` = names of the options on the command line; `previous` = ports of the engine that ran before this one. */
export async function choosePorts(
  engine: EngineOptions,
  given: ReadonlySet<string>,
  previous: ListeningPorts,
): Promise<ChosenPorts> {
  const notes: string[] = [];
  let chosen = engine;
  for (const name of ENDPOINTS) {
    const { enabled, address, port } = engine[name];
    if (!enabled) continue;
    const wanted = previous[name] ?? port;
    const mustHave = previous[name] === undefined && given.has(`${name}-port`);
    const isUsable = mustHave || wanted === 0 || (await isPortFree(address, wanted));
    if (!isUsable) notes.push(`port ${wanted} is in use; ${name} takes a free one instead`);
    chosen = { ...chosen, [name]: { ...chosen[name], port: isUsable ? wanted : 0 } };
  }
  return { engine: chosen, notes };
}
