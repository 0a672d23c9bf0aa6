// `conch serve`: the engine in this process, in the foreground, with the reference's order, lines and exit codes.

import type { ServeOptions } from '../../cli/serve-options.ts';
import { HostedServer } from '../hosting/hosted-server.ts';
import { startFailureText } from '../hosting/start-failure.ts';
import { firstStopSignal } from './stop-signals.ts';

/** Resolves with the exit code after a stop signal, or when the server could not start. */
export async function serveForeground(options: ServeOptions): Promise<number> {
  const stopped = firstStopSignal((line) => console.log(line));
  let server: HostedServer;
  try {
    server = new HostedServer(options, process.env);
  } catch (thrown) {
    console.error(startFailureText(thrown));
    return 1;
  }
  const started = server.start().then(
    () => 'started' as const,
    (thrown: unknown) => ({ thrown }),
  );
  const first = await Promise.race([started, stopped.then(() => 'stopped' as const)]);
  if (typeof first === 'object') {
    console.error(startFailureText(first.thrown));
    await server.stop();
    return 1;
  }
  await stopped;
  const exitCode = await server.stop();
  await started;
  if (exitCode !== 0) console.error('failed to stop server');
  return exitCode;
}
