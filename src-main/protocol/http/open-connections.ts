// The connections of one HTTP listener, and how they end when it stops: whoever has sent a request gets its answer, a
// client that was busy a moment ago gets a moment to send the next one, and the rest is closed. Closing at once, as the
// library does, would reset connections whose next request is already on its way.

import { Server as HttpServer } from 'node:http';
import type { Server } from 'node:net';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import type { Timer } from '../../base/clock.ts';
import { systemClock } from '../../base/clock.ts';
import { closeConnection } from './close-connection.ts';
import { lastResponseOn } from './transport.ts';

/** A connection that is quiet for this long is closed when the listener stops. */
const QUIET_MS = 500;
const SWEEP_MS = 50;
/** How a listener that drains goes on when nobody waits to be accepted. */
export interface DrainSteps {
  /** Accepts no further connection. Resolves when that is so; nothing is read yet. */
  closeListener(): Promise<void>;
  /** Reads on, and closes each connection that has nothing to do. Comes last, when every listener has closed. */
  readOn(): void;
}

/** Turns of the loop without a new connection after which nobody waits to be accepted. */
const QUIET_TURNS = 3;
/** New connections are accepted no longer than this, however many come. */
const MAX_ACCEPT_MS = 5000;
/** For a client to notice that its idle connection has ended. */
export const IDLE_LINGER_MS = 100;

interface Quiet {
  readonly sinceMs: number;
  readonly bytesRead: number;
}

/** A connection that the server's parser does not read. */
export interface OwnConnection {
  /** True when nothing of a request has come since a time, and none is under way. */
  isQuietSince(timeMs: number): boolean;
}

const QUIET = Symbol('quiet');

/** Notes that a connection has been answered, or opened, just now. */
export function touchConnection(socket: Duplex): void {
  const { bytesRead = 0 } = socket as Partial<Socket>;
  (socket as { [QUIET]?: Quiet })[QUIET] = { sinceMs: performance.now(), bytesRead };
}

/** True when nothing of a request has come since a time. */
function isParserQuietSince(socket: Socket, timeMs: number): boolean {
  const last = lastResponseOn(socket);
  const isBusy = last !== undefined && !(last.writableFinished && last.req.complete);
  const quiet = (socket as { [QUIET]?: Quiet })[QUIET];
  return (
    !isBusy && (quiet === undefined || (quiet.sinceMs <= timeMs && quiet.bytesRead === socket.bytesRead))
  );
}

/** Follows the sockets of one server; `close` resolves when the last of them has ended. */
export class OpenConnections {
  readonly #server: Server;
  readonly #own: (socket: Socket) => OwnConnection | undefined;
  readonly #sockets = new Set<Socket>();
  #sweep: Timer | undefined;
  #phase: 'open' | 'stopping' | 'draining' = 'open';
  #acceptedCount = 0;
  #isCut = false;

  /** `own`: what reads a connection instead of the server's parser, if anything does. */
  constructor(server: Server, own: (socket: Socket) => OwnConnection | undefined = () => undefined) {
    this.#server = server;
    this.#own = own;
    server.on('connection', (socket: Duplex) => {
      // A stream that another reader hands to the parser stands for a socket that is counted already.
      if (!(socket instanceof Socket)) return;
      if (this.#isCut) socket.destroy();
      this.#sockets.add(socket);
      this.#acceptedCount += 1;
      // The parser starts to read with the next tick.
      if (this.#phase === 'stopping') process.nextTick(() => socket.pause());
      touchConnection(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
    server.on('close', () => this.#sweep?.cancel());
  }

  /** Sockets that are open, idle ones included. */
  get count(): number {
    return this.#sockets.size;
  }

  /** True once the listener has closed: answers from now on are the last of their connections. */
  get isDraining(): boolean {
    return this.#phase === 'draining';
  }

  /**
   * Accepts who has connected by now, stops listening, then closes each connection that has nothing to do. Meanwhile
   * nothing is read: whoever gets an answer may come again at once, and would wait in the listener's queue when it
   * goes, to be reset instead of answered or refused. `onQuiet` is called when nobody waits to be accepted, and takes
   * the steps from there, where other listeners share the port; default: one behind the other.
   */
  drain(
    onQuiet: (steps: DrainSteps) => void = (steps) => void steps.closeListener().then(steps.readOn),
  ): void {
    if (this.#phase !== 'open') return;
    this.#phase = 'stopping';
    // The library would close idle connections itself, without looking what is on its way.
    if (this.#server instanceof HttpServer) this.#server.closeIdleConnections = () => undefined;
    for (const socket of this.#sockets) socket.pause();
    const steps = { closeListener: () => this.#closeListener(), readOn: () => this.#readOn() };
    void this.#acceptAll().then(() => onQuiet(steps));
  }

  /** Resolves, in the turn of the loop that has looked, when nobody waits to be accepted. */
  #acceptAll(): Promise<void> {
    const giveUpAt = performance.now() + MAX_ACCEPT_MS;
    let accepted = this.#acceptedCount;
    let quietTurns = 0;
    return new Promise((resolve) => {
      const turn = (): void => {
        quietTurns = this.#acceptedCount === accepted ? quietTurns + 1 : 0;
        accepted = this.#acceptedCount;
        if (quietTurns < QUIET_TURNS && performance.now() < giveUpAt) setImmediate(turn);
        else resolve();
      };
      setImmediate(turn);
    });
  }

  /** Once more behind a turn that has accepted: who says "now" may have been waited for. */
  async #closeListener(): Promise<void> {
    await this.#acceptAll();
    this.#server.close();
  }

  #readOn(): void {
    if (this.#phase === 'draining') return;
    this.#phase = 'draining';
    for (const socket of this.#sockets) socket.resume();
    // Each time after the loop has read what came, however long it was busy before.
    const closeQuiet = (): void => void setImmediate(() => this.#closeQuiet());
    setImmediate(closeQuiet);
    this.#sweep = systemClock.every(SWEEP_MS, closeQuiet);
  }

  /** Cuts everything that is still open, and whatever is still accepted. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  #closeQuiet(): void {
    const quietBefore = performance.now() - QUIET_MS;
    for (const socket of this.#sockets) {
      const isQuiet = this.#own(socket)?.isQuietSince(quietBefore) ?? isParserQuietSince(socket, quietBefore);
      if (isQuiet) closeConnection(socket, undefined, IDLE_LINGER_MS);
    }
  }
}
