import { describe, expect, it } from 'vitest';

import { NO_PARAMETERS, type InferenceResponse } from '../../inference/inference-response.ts';
import type { ModelUse } from '../../inference/model-invoker.ts';
import type { InferenceService } from '../../service/inference-service.ts';
import { buildInferReply } from './infer-response.ts';
import { emptyParsedInfer, type ParsedInfer } from './parsed-infer.ts';
import { rememberedReply, rememberReply } from './reply-memory.ts';
import { repeatedHead, replyHead } from './wire/reply-head.ts';

const use = { config: { maxBatchSize: 0 } } as ModelUse;
const service = {} as InferenceService;

function response(change: Partial<InferenceResponse> = {}, shape = [2], values = [1, 2]): InferenceResponse {
  const bytes = new Uint8Array(new Float32Array(values).buffer);
  const outputs = [{ name: 'OUT', datatype: 'FP32' as const, shape, bytes }];
  return {
    modelName: 'm',
    modelVersion: '1',
    id: '',
    parameters: NO_PARAMETERS,
    outputs,
    error: undefined,
    ...change,
  };
}

function binary(): ParsedInfer {
  return { ...emptyParsedInfer(), isBinaryByDefault: true };
}

/** Answers once as it is done on a connection. */
function answer(first: InferenceResponse, parsed: ParsedInfer): void {
  rememberReply(first, parsed, buildInferReply(first, parsed, use, service));
}

describe('the memory of replies', () => {
  it('gives the next answer the same JSON, with its own bytes', () => {
    const parsed = binary();
    expect(rememberedReply(response(), parsed)).toBeUndefined();
    answer(response(), parsed);
    const next = response({}, [2], [7, 8]);
    expect(rememberedReply(next, parsed)).toEqual(buildInferReply(next, parsed, use, service));
    expect(rememberedReply(next, parsed)?.buffers[0]).toBe(next.outputs[0]?.bytes);
  });

  it.each<[string, InferenceResponse]>([
    ['another shape of the same size', response({}, [1, 2])],
    ['another size', response({}, [3], [1, 2, 3])],
    ['another version', response({ modelVersion: '2' })],
    ['another model', response({ modelName: 'n' })],
    ['another id', response({ id: 'x' })],
    ['parameters', response({ parameters: new Map([['sequence_id', 1n]]) })],
    ['no outputs', response({ outputs: [] })],
    [
      'another name',
      response({ outputs: [{ name: 'X', datatype: 'FP32', shape: [2], bytes: new Uint8Array(8) }] }),
    ],
    [
      'another type',
      response({ outputs: [{ name: 'OUT', datatype: 'INT32', shape: [2], bytes: new Uint8Array(8) }] }),
    ],
  ])('does not take %s for the same', (_what, other) => {
    const parsed = binary();
    answer(response(), parsed);
    expect(rememberedReply(other, parsed)).toBeUndefined();
  });

  it('remembers parameters that answers share', () => {
    const parameters = new Map([['sequence_id', 0n]]);
    const parsed = binary();
    answer(response({ parameters }), parsed);
    const next = response({ parameters });
    expect(rememberedReply(next, parsed)?.json).toBe(buildInferReply(next, parsed, use, service).json);
  });

  it.each<[string, Partial<ParsedInfer>]>([
    ['values in JSON', { isBinaryByDefault: false }],
    ['one output in JSON', { outputs: [{ name: 'OUT', isBinary: false, classCount: 0, shared: undefined }] }],
    ['classes', { outputs: [{ name: 'OUT', isBinary: true, classCount: 1, shared: undefined }] }],
  ])('keeps nothing of an answer with %s', (_what, change) => {
    const parsed = { ...binary(), ...change };
    const first = response();
    const labelled = { ...service, label: () => undefined } as unknown as InferenceService;
    rememberReply(first, parsed, buildInferReply(first, parsed, use, labelled));
    expect(parsed.remembered).toBeUndefined();
  });
});

describe('a head that is used again', () => {
  const headers = (size: number): string[] => ['Content-Length', String(size)];

  it('is that of the same sizes', () => {
    const withoutDate = (head: string): string => head.replace(/^Date: .*\r\n/m, '');
    for (const size of [70, 71, 70]) {
      const head = repeatedHead(60, size - 60, () => headers(size));
      expect(withoutDate(head)).toBe(withoutDate(replyHead(200, headers(size), true)));
    }
  });
});
