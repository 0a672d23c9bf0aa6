// Sends one case and gives what matters of the answer in a comparable form.

import http from 'node:http';

import type { WireCase } from './wire-cases.ts';

export interface WireAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly headLength: string;
  readonly body: string;
}

export function exchange(port: number, wireCase: WireCase): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    const body = wireCase.body === undefined ? undefined : Buffer.from(wireCase.body);
    const request = http.request(
      {
        host: '127.0.0.1',
        port,
        method: wireCase.method,
        path: wireCase.path,
        headers: {
          ...wireCase.headers,
          ...(body === undefined ? {} : { 'Content-Length': String(body.byteLength) }),
        },
        agent: false,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('latin1');
          resolve({
            status: response.statusCode ?? 0,
            contentType: response.headers['content-type'] ?? '',
            headLength: String(response.headers['inference-header-content-length'] ?? ''),
            body: (wireCase.ignore ?? []).reduce(
              (shown, pattern) => shown.replace(pattern, '<ignored>'),
              text,
            ),
          });
        });
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}
