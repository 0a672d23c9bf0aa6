// Waits that the reference reads from its environment so that tests can cancel, time out or pile up calls at a known
// moment. All 0 unless asked for.

/** How long each step of a call waits before it goes on, in milliseconds. */
export interface GrpcDelays {
  /** The answer of every unary call but ModelInfer. */
  readonly unaryResponseMs: number;
  /** Handling of a ModelInfer call before it does anything. */
  readonly processMs: number;
  /** Handling of a cancellation. */
  readonly notificationMs: number;
  /** A finished ModelInfer response before it is sent. */
  readonly completionMs: number;
  /** Each response of a decoupled request. */
  readonly responseMs: number;
}

/** As a server has them that nobody tests. */
export const NO_DELAYS: GrpcDelays = {
  unaryResponseMs: 0,
  processMs: 0,
  notificationMs: 0,
  completionMs: 0,
  responseMs: 0,
};

/** Anything but a positive number counts as 0. */
export function readGrpcDelays(environment: Readonly<Record<string, string | undefined>>): GrpcDelays {
  const read = (name: string): number => {
    const value = Number.parseInt(environment[`TRITONSERVER_${name}`] ?? '', 10);
    return value > 0 ? value : 0;
  };
  return {
    unaryResponseMs: read('SERVER_DELAY_GRPC_RESPONSE_SEC') * 1000,
    processMs: read('DELAY_GRPC_PROCESS') + read('DELAY_GRPC_PROCESS_ENTRY'),
    notificationMs: read('DELAY_GRPC_NOTIFICATION'),
    completionMs: read('DELAY_RESPONSE_COMPLETE_EXEC') + read('DELAY_RESPONSE_COMPLETION'),
    responseMs: read('DELAY_GRPC_RESPONSE'),
  };
}
