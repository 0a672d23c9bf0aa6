// The upload endpoint of the window's port. `POST /upload` makes an upload; `HEAD` and `PATCH /upload/<id>?path=<file>`
// ask for and extend one file, with its size in `upload-offset`; `DELETE /upload/<id>` drops it.

import type { IncomingMessage, ServerResponse } from 'node:http';

import { toServerError } from '../../../src-shared/errors.ts';
import type { RequestTarget } from './request-target.ts';
import { uploadErrors } from './upload-errors.ts';
import type { UploadStore } from './upload-store.ts';

const STATUS: Readonly<Record<string, number>> = { NOT_FOUND: 404, INVALID_ARG: 409 };

function offsetOf(request: IncomingMessage): number {
  const text = request.headers['upload-offset'];
  if (typeof text !== 'string' || !/^\d{1,15}$/.test(text)) {
    throw uploadErrors.offset();
  }
  return Number(text);
}

async function answer(
  store: UploadStore,
  target: RequestTarget,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [, , upload] = target.pathname.split('/');
  const file = target.query.get('path') ?? '';
  if (upload === undefined && request.method === 'POST') {
    const body = JSON.stringify(await store.create());
    response.writeHead(201, { 'content-type': 'application/json' }).end(body);
  } else if (upload !== undefined && request.method === 'HEAD') {
    response.writeHead(204, { 'upload-offset': await store.offset(upload, file) }).end();
  } else if (upload !== undefined && request.method === 'PATCH') {
    const size = await store.append(upload, file, offsetOf(request), request);
    response.writeHead(204, { 'upload-offset': size }).end();
  } else if (upload !== undefined && request.method === 'DELETE') {
    await store.remove(upload);
    response.writeHead(204).end();
  } else {
    response.writeHead(405).end();
  }
}

/** The caller has checked the token. Errors are JSON with the status of their code; never rejects. */
export async function serveUpload(
  store: UploadStore,
  target: RequestTarget,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    await answer(store, target, request, response);
  } catch (thrown) {
    if (response.headersSent || response.destroyed) return;
    const error = toServerError(thrown);
    response.writeHead(STATUS[error.code] ?? 500, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: error.message }));
  }
}
