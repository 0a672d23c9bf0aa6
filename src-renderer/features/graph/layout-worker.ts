// The layout worker: one layout, one answer. Whoever started it ends it, which is also how a layout is cancelled.

import type { GraphLayout, LayoutInput } from './graph-layout.ts';
import { layOut } from './graph-layout.ts';

/** The layout, or why there is none. */
export type LayoutAnswer = { readonly layout: GraphLayout } | { readonly error: string };

self.addEventListener('message', ({ data }: MessageEvent<LayoutInput>) => {
  let answer: LayoutAnswer;
  try {
    answer = { layout: layOut(data) };
  } catch (thrown) {
    answer = { error: thrown instanceof Error ? thrown.message : String(thrown) };
  }
  self.postMessage(answer);
});
