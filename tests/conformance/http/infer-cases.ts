// Infer requests over real sockets, each with the exact reply or fault that must come back. The service behind is a
// fake, so only the frontend's own rules are under test here.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { HttpFixture } from '../../../src-main/testing/http-fixture.ts';
import { INFER_FIXTURE } from './infer-models.ts';

/** To the model `ints` unless said. */
export interface InferCase {
  readonly name: string;
  readonly model?: string;
  readonly version?: string;
  readonly body: object | string;
  readonly headers?: Record<string, string>;
  readonly status: number;
  /** Whole body when it starts with `{`, else a part of the error text. */
  readonly reply: string;
}

/** One test for each of them, with a frontend of their own. */
export function testReplies(title: string, cases: readonly InferCase[]): void {
  describe(title, () => {
    let fixture: HttpFixture;

    beforeAll(async () => {
      fixture = await HttpFixture.start(INFER_FIXTURE);
    });

    afterAll(async () => {
      await vi.waitFor(() => expect(fixture.service.openUses).toBe(0));
      await fixture.close();
    });

    test.each(cases)('$status: $name', async ({ model = 'ints', version, body, headers, status, reply }) => {
      const path = `/v2/models/${model}${version === undefined ? '' : `/versions/${version}`}/infer`;
      const seen = await fixture.call({
        path,
        body: typeof body === 'string' ? body : JSON.stringify(body),
        ...(headers === undefined ? {} : { headers }),
      });
      expect(seen.headers['content-type']).toBe('application/json');
      expect(Number(seen.headers['content-length'])).toBe(seen.body.length);
      if (reply.startsWith('{')) expect(seen.text).toBe(reply);
      else expect((JSON.parse(seen.text) as { error: string }).error).toContain(reply);
      expect(seen.status).toBe(status);
    });
  });
}
