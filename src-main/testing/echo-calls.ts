// gRPC connections whose only call answers with its message, for what is below the services.

import type { Socket } from 'node:net';

import { systemClock } from '../base/clock.ts';
import { addLogSink } from '../base/log.ts';
import type { WireMessage } from '../grpc-wire/wire-message.ts';
import { GrpcConnection } from '../protocol/grpc/calls/grpc-connection.ts';
import { UnaryCall } from '../protocol/grpc/calls/unary-call.ts';
import { defaultGrpcServerOptions } from '../protocol/grpc/grpc-options.ts';

/** Collects errors of the whole process' log from its making on, so use one at a time. */
export class EchoCalls {
  readonly path = '/echo.Echo/Echo';
  answered = 0;
  /** What was logged as an error. */
  readonly failures: string[] = [];

  constructor() {
    addLogSink(({ level, message }) => {
      if (level === 'error') this.failures.push(message);
    });
  }

  /** Serves gRPC on a connection that was accepted; `closed` is called when it has ended. */
  readonly open = (socket: Socket, closed: () => void): void => {
    const echo = (call: ConstructorParameters<typeof UnaryCall>[0]): UnaryCall<WireMessage> =>
      new UnaryCall<WireMessage>(
        call,
        (message) => message,
        (served, message) => {
          this.answered += 1;
          served.reply(message);
        },
      );
    new GrpcConnection(socket, {
      options: defaultGrpcServerOptions,
      clock: systemClock,
      routes: new Map([[this.path, echo]]),
      onClose: closed,
    });
  };
}
