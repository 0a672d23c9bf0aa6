// `conch serve`: the engine in this process, in the foreground, with the reference's order, lines and exit codes.

import { MessageChannel } from 'node:worker_threads';

import { getLogger } from '../../base/log.ts';
import type { ServeOptions } from '../../cli/serve-options.ts';
import type { ServeEnd } from '../hosting/hosted-server.ts';
import { HostedServer } from '../hosting/hosted-server.ts';
import { startFailureText } from '../hosting/start-failure.ts';
import { firstStopRequest } from './stop-signals.ts';

const log = getLogger('server');

/** Resolves after a stop signal, or when the server could not start. */
export async function serveForeground(options: ServeOptions): Promise<ServeEnd> {
  const stopped = firstStopRequest(process.env, (line) => console.log(line));
  let server: HostedServer;
  try {
    server = new HostedServer(options, process.env);
  } catch (thrown) {
    console.error(startFailureText(thrown));
    return { exitCode: 1, isStuck: false };
  }
  const started = server.start().then(
    () => 'started' as const,
    (thrown: unknown) => ({ thrown }),
  );
  const first = await Promise.race([started, stopped.then(() => 'stopped' as const)]);
  if (typeof first === 'object') {
    tellFailure(startFailureText(first.thrown));
    const { isClean } = await server.stop();
    return { exitCode: 1, isStuck: !isClean };
  }
  // A server without ports serves nobody, and waits for its signal all the same.
  const { port1: waiting } = new MessageChannel();
  waiting.on('message', () => undefined);
  await stopped;
  waiting.close();
  const { isClean } = await server.stop();
  return { exitCode: isClean ? 0 : 1, isStuck: !isClean };
}

/** An endpoint that does not start is a record of the log, as in the reference; all else is said beside it. */
function tellFailure(text: string): void {
  if (text.startsWith('failed to start ')) log.error(text);
  else console.error(text);
}
