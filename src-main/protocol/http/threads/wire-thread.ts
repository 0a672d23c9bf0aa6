// A thread that reads the sockets of the HTTP port in front of the engine's loop. It finds the hot requests in what comes,
// checks their heads, hands their bodies to the engine and writes its answers. A connection with anything else goes to
// the engine's loop, unread, through a tunnel. Several such threads listen on one port; the system spreads connections.

import type { Server, Socket } from 'node:net';
import { createServer } from 'node:net';

import { errorToWire } from '../../../../src-shared/errors.ts';
import { addLogSink, getLogger } from '../../../base/log.ts';
import type { Timer } from '../../../base/clock.ts';
import { systemClock } from '../../../base/clock.ts';
import { memoryOfChunk } from '../../../base/free-memory.ts';
import { InFlight } from '../../../base/in-flight.ts';
import { compileHeaderPattern } from '../../../inference/header-pattern.ts';
import type { ArrivedRecord, ChannelUser } from '../../../wire-threads/thread-channel.ts';
import { MAX_RECORD_BYTES, ThreadChannel } from '../../../wire-threads/thread-channel.ts';
import type { BodyBytes } from '../infer-binary.ts';
import { LINGER_MS } from '../close-connection.ts';
import { listenOn } from '../listen-port.ts';
import type { DrainSteps } from '../open-connections.ts';
import { IDLE_LINGER_MS, OpenConnections } from '../open-connections.ts';
import { OriginGuard } from '../origin-guard.ts';
import { compileRestrictions } from '../restricted-api.ts';
import { Router } from '../router.ts';
import { inferPattern } from '../routes/infer-pattern.ts';
import { closeSlowBodies, SLOW_BODY_CHECK_MS } from '../transport.ts';
import { hotMatch } from '../wire/hot-admission.ts';
import { WireDoor } from '../wire/wire-door.ts';
import { EARLY_CHECK_BYTES } from '../size-limits.ts';
import type { WireContext } from '../wire/wire-rules.ts';
import { ForwardedRequest } from './forwarded-request.ts';
import { HeadBook } from './head-book.ts';
import type { TunnelHost } from './tunnel.ts';
import { Tunnel } from './tunnel.ts';
import type { ToEngine, ToThread, WireThreadSetup } from './wire-protocol.ts';
import { COUNT, RECORD } from './wire-protocol.ts';

class CountedSet<T> extends Set<T> {
  readonly #onSize: (size: number) => void;

  constructor(onSize: (size: number) => void) {
    super();
    this.#onSize = onSize;
  }

  override add(item: T): this {
    super.add(item);
    this.#onSize(this.size);
    return this;
  }

  override delete(item: T): boolean {
    const was = super.delete(item);
    this.#onSize(this.size);
    return was;
  }
}

/** Lives until it is told to drain and its last connection has ended. */
export class WireThread implements ChannelUser {
  readonly #setup: WireThreadSetup;
  readonly #channel: ThreadChannel;
  readonly #server: Server;
  readonly #connections: OpenConnections;
  readonly #door: WireDoor<ForwardedRequest>;
  readonly #tunnels = new Map<Socket, Tunnel>();
  readonly #requests = new InFlight<ForwardedRequest>();
  readonly #settling = new InFlight<() => void>();
  readonly #heads: HeadBook;
  readonly #counts: Int32Array;
  readonly #context: WireContext;
  readonly #tunnelHost: TunnelHost;
  #idleTimer: Timer | undefined;
  /** Once it drains and nobody waits to be accepted. */
  #steps: DrainSteps | undefined;

  constructor(setup: WireThreadSetup) {
    const { options } = setup;
    this.#setup = setup;
    this.#counts = new Int32Array(setup.counts);
    addLogSink((record) => this.#tell({ kind: 'log', record }));
    this.#context = {
      clock: systemClock,
      reading: new CountedSet((size) => void Atomics.store(this.#counts, COUNT.reading, size)),
      forwardPattern: compileHeaderPattern(options.headerForwardPattern),
      logger: getLogger('http'),
    };
    this.#tunnelHost = {
      enginePath: setup.enginePath,
      lingerMs: () => (this.#connections.isDraining ? IDLE_LINGER_MS : LINGER_MS),
    };
    this.#channel = new ThreadChannel(setup.channel, this);
    this.#heads = new HeadBook(
      this.#context.forwardPattern !== undefined,
      (number, head) => this.#tell({ kind: 'head', number, head }),
      () => this.#tell({ kind: 'forgetHeads' }),
    );
    this.#door = this.#makeDoor();
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => this.#take(socket));
    this.#connections = new OpenConnections(
      this.#server,
      (socket) => this.#door.connection(socket) ?? this.#tunnels.get(socket),
    );
    this.#server.on('connection', (socket: Socket) => {
      this.#count();
      socket.on('close', () => this.#count());
    });
    this.#server.on('close', () => this.#end());
  }

  /** Never rejects: the engine is told the port, or what kept it from listening. */
  async listen(): Promise<void> {
    try {
      const port = await listenOn(this.#server, { ...this.#setup.options, reusePort: true });
      this.#server.on('error', (error) =>
        this.#context.logger.error(`failed to accept a connection: ${error.message}`),
      );
      this.#idleTimer = systemClock.every(SLOW_BODY_CHECK_MS, () => {
        closeSlowBodies(this.#context.reading, systemClock);
        this.#door.closeIdle();
      });
      this.#tell({ kind: 'listening', port });
    } catch (thrown) {
      this.#tell({ kind: 'failed', error: errorToWire(thrown) });
      this.#end();
    }
  }

  record(record: ArrivedRecord): void {
    if (record.kind === RECORD.settle) this.#settling.take(record.number)?.();
    else if (record.kind === RECORD.answer) this.#answer(record);
  }

  #answer(record: ArrivedRecord): void {
    this.#requests.take(record.number)?.answer(record.copyBytes(), record.a === 1);
  }

  message(message: unknown): void {
    const said = message as ToThread;
    if (said.kind === 'answer') this.#requests.take(said.number)?.answer(said.bytes, said.isKeptAlive);
    else if (said.kind === 'cut') this.#connections.cut();
    else if (said.kind === 'readOn') this.#steps?.readOn();
    else if (said.kind === 'closeListener') void this.#closeListener();
    else {
      this.#connections.drain((steps) => {
        this.#steps = steps;
        this.#tell({ kind: 'quiet' });
      });
    }
  }

  /** Also one that was never told to drain: another thread could not listen. */
  async #closeListener(): Promise<void> {
    if (this.#steps === undefined) this.#server.close();
    else await this.#steps.closeListener();
    this.#tell({ kind: 'listenerClosed' });
  }

  #makeDoor(): WireDoor<ForwardedRequest> {
    const { options } = this.#setup;
    const rules = {
      guard: new OriginGuard(options),
      router: new Router([inferPattern], () => false),
      restrictions: compileRestrictions(options.restricted),
    };
    const maxByteSize = Math.min(EARLY_CHECK_BYTES, options.maxInputByteSize);
    const giveUp = (number: number): void => {
      if (this.#requests.take(number) !== undefined) this.#channel.send(RECORD.gone, number);
    };
    return new WireDoor({
      context: this.#context,
      note: () => undefined,
      // What is meant by an escaped name is known where the models are.
      admit: (head) => (head.target.includes('%') ? undefined : hotMatch(head, rules)),
      // Larger ones are looked at before they are read.
      isAcceptable: ({ contentLength }) => contentLength <= maxByteSize,
      request: (connection, _match, head) => {
        const nowNs = systemClock.nowNs();
        return this.#requests.add((number) => new ForwardedRequest(connection, head, number, nowNs, giveUp));
      },
      start: (request, body) => this.#forward(request, body),
      settle: (then) => {
        this.#settling.add((number) => {
          this.#channel.send(RECORD.settle, number);
          return then;
        });
      },
    });
  }

  #take(socket: Socket): void {
    this.#door.take(socket, (rest) => {
      const tunnel = new Tunnel(socket, rest, this.#tunnelHost);
      this.#tunnels.set(socket, tunnel);
      socket.on('close', () => this.#tunnels.delete(socket));
    });
  }

  #forward({ head, number, receivedAtNs }: ForwardedRequest, { chunks, byteSize }: BodyBytes): void {
    const headNumber = this.#heads.number(head);
    if (byteSize <= MAX_RECORD_BYTES) {
      this.#channel.send(RECORD.request, number, { a: headNumber, time: receivedAtNs }, chunks, byteSize);
      return;
    }
    const own = chunks.map((chunk) => (memoryOfChunk(chunk) === undefined ? new Uint8Array(chunk) : chunk));
    const message = {
      kind: 'request',
      number,
      head: headNumber,
      receivedAtNs,
      chunks: own,
      byteSize,
    } as const;
    this.#tell(
      message,
      own.map(({ buffer }) => buffer as ArrayBuffer),
    );
  }

  #tell(message: ToEngine, transfer: ArrayBuffer[] = []): void {
    this.#channel.post(message, transfer);
  }

  #count(): void {
    Atomics.store(this.#counts, COUNT.connections, this.#connections.count);
  }

  /** Nothing is left that keeps the thread alive. */
  #end(): void {
    this.#idleTimer?.cancel();
    // What was told last is on its way.
    setImmediate(() => this.#channel.close());
  }
}
