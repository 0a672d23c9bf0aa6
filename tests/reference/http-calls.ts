// Short forms of HTTP calls for the cases.

import type { WireAnswer } from './exchange.ts';
import { exchange } from './exchange.ts';
import type { WireCase } from './wire-cases.ts';

export const get = (path: string): WireCase => ({ name: `GET ${path}`, method: 'GET', path });

export const post = (path: string, body: string | object = ''): WireCase => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { name: `POST ${path} ${text}`.trim(), method: 'POST', path, body: text };
};

/** Status and body; a connection that broke is an answer too. */
export async function reply(port: number, call: WireCase): Promise<Pick<WireAnswer, 'status' | 'body'>> {
  try {
    const { status, body } = await within(exchange(port, call), LIMIT_MS);
    return { status, body };
  } catch (error) {
    return { status: 0, body: String(error) };
  }
}

const LIMIT_MS = 30_000;

/** Rejects with "nothing came" when the work takes longer. */
export async function within<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('nothing came')), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
