// The first bytes of an output as a hex dump: offset, sixteen bytes, their characters.

import { useEffect, useState } from 'react';

import type { PlaygroundOutput } from '../../../src-shared/contract/playground-answer.ts';
import { explainedMessage } from '../../engine/engine-client.ts';
import { useClient } from '../../engine/engine-context.tsx';
import { readBlob } from '../../actions/blobs.ts';

const WIDTH = 16;

function hexDump(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let at = 0; at < bytes.byteLength; at += WIDTH) {
    const line = Array.from(bytes.subarray(at, at + WIDTH));
    const hex = line.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const text = line.map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '.')).join('');
    lines.push(`${at.toString(16).padStart(6, '0')}  ${hex.padEnd(WIDTH * 3)} ${text}`);
  }
  return lines.join('\n');
}

/** The first `limit` bytes of the output as a dump, nothing until they are here; `error` says why there are none. */
export function useElementsHex(
  { blob, byteSize }: PlaygroundOutput,
  limit: number,
): { readonly text: string; readonly error: string | undefined } {
  const client = useClient();
  const [shown, setShown] = useState<{ readonly text: string; readonly error: string | undefined }>({
    text: '',
    error: undefined,
  });
  useEffect(() => {
    const controller = new AbortController();
    const range = { offset: 0, byteSize: Math.min(limit, byteSize) };
    readBlob(client, blob, range, { signal: controller.signal }).then(
      (bytes) => setShown({ text: hexDump(bytes), error: undefined }),
      (thrown: unknown) => {
        if (!controller.signal.aborted) setShown({ text: '', error: explainedMessage(thrown) });
      },
    );
    return () => controller.abort();
  }, [client, blob, byteSize, limit]);
  return shown;
}
