// The HTTP listener under every port that speaks HTTP: the guard looks at each request before anything else does, and
// whatever a client sends, or a handler throws, stays a matter of its connection. Invariant: no event of a request, an
// upgrade or a raw socket can throw out of here, and every raw socket has an error listener from its first moment.

import http from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import { getLogger } from '../../base/log.ts';
import type { ParseError } from './both-lengths.ts';
import { replayByChunks } from './both-lengths.ts';
import { closeConnection } from './close-connection.ts';
import type { OriginGuard } from './origin-guard.ts';
import { answerBrokenRequest, badRequest, noteRequest, transportLimits } from './transport.ts';

/** Who gets the requests of a port, before and behind its guard. */
export interface GuardedHandlers {
  readonly guard: OriginGuard;
  /** A request that passed the guard. */
  onRequest(req: http.IncomingMessage, res: http.ServerResponse): void;
  /** A request that the guard refuses: to be answered with 403 and this message. */
  onRefused(req: http.IncomingMessage, res: http.ServerResponse, message: string): void;
  /** Takes each new connection instead of Node's parser, to which it hands it over with `parse`. */
  readonly onConnection?: (socket: Socket, parse: (socket: Socket) => void) => void;
  /** An upgrade that passed the guard; without it an upgrade is a request like any other. */
  readonly onUpgrade?: (req: http.IncomingMessage, socket: Duplex, head: Buffer) => void;
}

const logger = getLogger('http');

/** A server that does not listen yet. Header size, times and parsing are the same on every port; tests shorten times. */
export function createGuardedServer(
  handlers: GuardedHandlers,
  limits: Partial<typeof transportLimits> = {},
): http.Server {
  const server = http.createServer({ ...transportLimits, ...limits });
  const handle = (req: http.IncomingMessage, res: http.ServerResponse): void => {
    noteRequest(res);
    try {
      const refusal = handlers.guard.check(req);
      if (refusal !== undefined) handlers.onRefused(req, res, refusal);
      else if (isUnknownEncoding(req)) closeConnection(req.socket, badRequest(ENCODING_FAULT));
      else handlers.onRequest(req, res);
    } catch (thrown) {
      reportThrown(req, thrown);
      res.destroy();
    }
  };
  server.on('request', handle);
  // An expectation that nobody knows is no reason for a status of its own.
  server.on('checkExpectation', handle);
  server.on('connect', (req: http.IncomingMessage, socket: Duplex) => handleConnect(req, socket, handle));
  server.on('clientError', (error: ParseError, socket: Duplex) => {
    if (!replayByChunks(error, socket, server)) answerBrokenRequest(error, socket);
  });
  // Accepting can fail later on (no memory, no descriptors): that connection is lost, the server is not.
  server.on('error', (error) => {
    if (server.listening) logger.error(`failed to accept a connection: ${error.message}`);
  });
  const { onConnection, onUpgrade } = handlers;
  if (onConnection !== undefined) putInFront(server, onConnection);
  if (onUpgrade !== undefined) {
    server.on('upgrade', (req: http.IncomingMessage, socket: Duplex, head: Buffer) => {
      socket.on('error', () => socket.destroy());
      try {
        if (handlers.guard.check(req) === undefined) onUpgrade(req, socket, head);
        else refuseUpgrade(socket, '403 Forbidden');
      } catch (thrown) {
        reportThrown(req, thrown);
        socket.destroy();
      }
    });
  }
  return server;
}

/** Node's parser listens to the same event as everybody else: it is called when a connection is handed to it. */
function putInFront(server: http.Server, take: NonNullable<GuardedHandlers['onConnection']>): void {
  const parsers = server.listeners('connection') as ((socket: Duplex) => void)[];
  server.removeAllListeners('connection');
  const parse = (socket: Duplex): void => {
    for (const listener of parsers) listener.call(server, socket);
  };
  server.on('connection', (socket: Duplex) => {
    if (socket instanceof Socket) take(socket, parse);
    else parse(socket);
  });
}

/** Answers an upgrade with a status line (`404 Not Found`) and closes. */
export function refuseUpgrade(socket: Duplex, status: string): void {
  closeConnection(socket, `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

const ENCODING_FAULT = "the only transfer encoding that is understood is 'chunked'";

/** The parser takes any list that ends in chunked; nobody here undoes the others. */
function isUnknownEncoding({ headers }: http.IncomingMessage): boolean {
  const encoding = headers['transfer-encoding'];
  return encoding !== undefined && encoding.toLowerCase() !== 'chunked';
}

function reportThrown(req: http.IncomingMessage, thrown: unknown): void {
  const text = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  logger.error(`unexpected failure of ${req.method ?? ''} ${req.url ?? ''}: ${text}`);
}

/** CONNECT has no reply object of its own, and its socket no listeners any more. */
function handleConnect(
  req: http.IncomingMessage,
  socket: Duplex,
  handle: (req: http.IncomingMessage, res: http.ServerResponse) => void,
): void {
  socket.on('error', () => socket.destroy());
  const res = new http.ServerResponse(req);
  res.shouldKeepAlive = false;
  try {
    res.assignSocket(socket as Socket);
  } catch {
    // Sent behind a request that is not answered yet: nobody who does that expects an answer.
    socket.destroy();
    return;
  }
  res.on('finish', () => closeConnection(socket));
  handle(req, res);
}
