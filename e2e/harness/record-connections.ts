// Preloaded into every process of the app by NODE_OPTIONS: writes to the file of CONCH_TEST_OUTGOING that it watches, and
// one line per connection, name lookup or datagram that leaves this machine's loopback. It only watches.

import dgram from 'node:dgram';
import dns from 'node:dns';
import { appendFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { isMainThread } from 'node:worker_threads';

const file = process.env['CONCH_TEST_OUTGOING'] ?? '';
const LOOPBACK =
  /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+|0\.0\.0\.0|::|)$/i;

function note(kind: string, host: unknown): void {
  if (file === '' || typeof host !== 'string' || LOOPBACK.test(host)) return;
  appendFileSync(file, `${kind} ${host} by ${process.argv.slice(1).join(' ')}\n`);
}

/** Host of the arguments of `connect`: options, or port and host; a path is no connection to elsewhere. */
function hostOf(given: unknown): unknown {
  const [first, second] = Array.isArray(given) ? (given as unknown[]) : [];
  if (Array.isArray(first)) return hostOf(first);
  if (typeof first === 'object' && first !== null) return (first as { host?: unknown }).host;
  return second;
}

/** Replaces a function of an object by one that is told the arguments first. */
function watch(owner: object, name: string, look: (args: readonly unknown[]) => void): void {
  const original: unknown = Reflect.get(owner, name);
  if (typeof original !== 'function') throw new Error(`there is no ${name} to watch`);
  Reflect.set(owner, name, function watched(this: unknown, ...args: unknown[]): unknown {
    look(args);
    return Reflect.apply(original, this, args);
  });
}

watch(net.Socket.prototype, 'connect', (args) => note('connect', hostOf(args)));
watch(dgram.Socket.prototype, 'send', (args) =>
  note(
    'datagram',
    args.findLast((arg) => typeof arg === 'string' && net.isIP(arg) > 0),
  ),
);
for (const owner of [dns, dns.promises]) {
  for (const name of ['lookup', 'resolve', 'resolve4', 'resolve6', 'resolveSrv', 'resolveTxt'])
    watch(owner, name, ([host]) => note(name, host));
}
syncBuiltinESMExports();
if (file !== '' && isMainThread) appendFileSync(file, `watching ${process.argv.slice(1).join(' ')}\n`);
