// CONCH_TEST_WIRE_THREADS puts as many threads in front of every HTTP server that a test starts, whatever the machine.

/** 0 = none, as on a small machine. */
export function testWireThreads(): number {
  return Number(process.env['CONCH_TEST_WIRE_THREADS'] ?? 0);
}
