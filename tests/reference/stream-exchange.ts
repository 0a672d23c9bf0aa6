// A stream of inference that is played: messages with pauses between them, a cancellation, a half-close. Gives everything
// that came, in order, in a short form, and the status at the end.

import { Client, credentials, Metadata } from '@grpc/grpc-js';
import type { PlainMessage } from '../../src-main/grpc-wire/messages.ts';
import { serviceMethods } from '../../src-main/grpc-wire/messages.ts';
import { within } from './http-calls.ts';
import { wait } from './life-calls.ts';

/** A message, a pause in milliseconds, or what the client does with its side. */
export type Move = PlainMessage | number | 'cancel' | 'end';

export interface StreamOptions {
  readonly metadata?: Readonly<Record<string, string>>;
  readonly deadlineMs?: number;
}

const LIMIT_MS = 6_000;

interface Answer {
  readonly error_message?: string;
  readonly infer_response?: {
    readonly raw_output_contents?: readonly Uint8Array[];
    readonly [member: string]: unknown;
  };
}

/** Bytes as hexadecimal text, and without members that say nothing. */
export function shortened(answer: unknown): unknown {
  const { error_message: error, infer_response: response } = answer as Answer;
  const { raw_output_contents: raw = [], ...rest } = response ?? {};
  const members = Object.entries(rest).filter(([, value]) => {
    if (value === '' || value === undefined || value === null) return false;
    return typeof value !== 'object' || Object.keys(value).length > 0;
  });
  return {
    ...(error === '' || error === undefined ? {} : { error }),
    ...Object.fromEntries(members),
    ...(raw.length === 0 ? {} : { raw: raw.map((bytes) => Buffer.from(bytes).toString('hex')) }),
  };
}

export async function playStream(
  port: number,
  moves: readonly Move[],
  { metadata: given = {}, deadlineMs }: StreamOptions = {},
): Promise<unknown[]> {
  const method = serviceMethods('inference.GRPCInferenceService').get('ModelStreamInfer');
  if (method === undefined) throw new Error('no stream');
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  const metadata = new Metadata();
  for (const [key, value] of Object.entries(given)) metadata.set(key, value);
  const seen: unknown[] = [];
  try {
    // Pauses between messages count from here on: what is written before waits and goes out together.
    await new Promise((resolve) => client.waitForReady(Date.now() + LIMIT_MS, resolve));
    const call = client.makeBidiStreamRequest(
      method.path,
      method.request.encode,
      method.response.decode,
      metadata,
      deadlineMs === undefined ? {} : { deadline: Date.now() + deadlineMs },
    );
    const ended = new Promise<void>((resolve) => {
      call.on('data', (message: unknown) => seen.push(shortened(message)));
      call.on('error', () => undefined);
      call.on('status', ({ code, details }) => {
        // Clients add how long it took.
        seen.push({ code, details: details.replace(/^Deadline exceeded.*/i, 'deadline') });
        resolve();
      });
    });
    for (const move of moves) {
      if (typeof move === 'number') await wait(move);
      else if (move === 'cancel') call.cancel();
      else if (move === 'end') call.end();
      else call.write(move);
    }
    call.end();
    await within(ended, LIMIT_MS).catch((error: unknown) => seen.push(String(error)));
    return seen;
  } finally {
    client.close();
  }
}
