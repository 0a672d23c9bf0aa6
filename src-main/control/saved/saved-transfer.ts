// Saved requests of a model as one JSON text, with the files they were made with: to keep, to share, to put beside other
// tests. What is imported is checked, saved under ids of its own, and never replaces what is there.

import { z } from 'zod';

import type { PlaygroundRequest, SavedRequest } from '../../../src-shared/contract/inference-calls.ts';
import { playgroundRequestSchema } from '../../../src-shared/contract/inference-calls.ts';
import type { ReadBlob } from '../../playground/input-builder.ts';
import type { SavedRequests } from './saved-requests.ts';
import { savedErrors } from './saved-errors.ts';

const FORMAT = 'conch-saved-requests';

const schema = z.object({
  format: z.literal(FORMAT),
  requests: z.array(
    z.object({
      name: z.string().min(1),
      request: playgroundRequestSchema,
      expectation: z
        .object({ tolerance: z.number(), outputs: z.record(z.string(), z.array(z.string())) })
        .optional(),
    }),
  ),
  /** Base64 by the name that sources use. */
  files: z.record(z.string(), z.string()),
});

/** All of them as one text; files are in base64. */
export async function savedAsText(requests: readonly SavedRequest[], readBlob: ReadBlob): Promise<string> {
  const files: Record<string, string> = {};
  const entries = [];
  for (const { name, request, expectation } of requests) {
    const moved = await withBlobs(request, async (blob) => {
      const file = `file-${Object.keys(files).length + 1}`;
      files[file] = Buffer.from(await readBlob(blob)).toString('base64');
      return file;
    });
    entries.push({ name, request: moved, expectation });
  }
  return `${JSON.stringify({ format: FORMAT, requests: entries, files }, null, 2)}\n`;
}

interface ImportTarget {
  readonly repository: string;
  readonly model: string;
  readonly nowMs: number;
}

/** Number of requests added to `model`. INVALID_ARG for a text that is no export, before anything is written. */
export async function importSaved(
  saved: SavedRequests,
  text: string,
  { repository, model, nowMs }: ImportTarget,
): Promise<number> {
  const { requests, files } = parsed(text);
  const readBlob: ReadBlob = (file) => {
    const content = Object.hasOwn(files, file) ? files[file] : undefined;
    if (content === undefined) throw savedErrors.exportLacksFile({ file });
    return new Uint8Array(Buffer.from(content, 'base64'));
  };
  for (const { request } of requests) {
    await withBlobs(request, async (file) => {
      await readBlob(file);
      return file;
    });
  }
  // The list is newest first: what came first in the export is written last.
  for (const [index, { name, request, expectation }] of requests.toReversed().entries()) {
    const entry = { id: '', name, request: { ...request, model, version: '' }, expectation };
    await saved.save(repository, entry, undefined, { nowMs: nowMs + index, readBlob });
  }
  return requests.length;
}

function parsed(text: string): z.infer<typeof schema> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    throw savedErrors.noJson({ reason: (thrown as Error).message }, { cause: thrown });
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? 'the file' : issue.path.join('.');
  throw savedErrors.noExport({ where, reason: issue?.message ?? 'not as expected' });
}

/** The request with every blob replaced by what `move` makes of it. */
async function withBlobs(
  request: PlaygroundRequest,
  move: (blob: string) => Promise<string>,
): Promise<PlaygroundRequest> {
  const inputs = [];
  for (const input of request.inputs) {
    const { source } = input;
    const isFile = source.kind === 'blob' || source.kind === 'image';
    inputs.push(isFile ? { ...input, source: { ...source, blob: await move(source.blob) } } : input);
  }
  return { ...request, inputs };
}
