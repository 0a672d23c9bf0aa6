// What a stream has brought so far, while it runs.

import { useEffect, useRef } from 'react';

import type { StreamedText, StreamProgress } from '../../../../src-shared/contract/playground-answer.ts';
import { formatBytes, formatShape } from '../../../lib/format.ts';
import { t } from '../../../texts/translate.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/card.tsx';

/** How many responses came, and of each output what was written or the newest values. */
export function StreamProgressView({ progress }: { readonly progress: StreamProgress }) {
  const { count, byteSize, outputs } = progress;
  return (
    <div className="flex flex-col gap-3" data-testid="pg-stream">
      <p className="text-strong" data-testid="pg-stream-count">
        {t('playground.stream.count', { count, size: formatBytes(byteSize) })}
      </p>
      {outputs.map((output) => (
        <StreamedOutput key={output.name} output={output} />
      ))}
    </div>
  );
}

function StreamedOutput({ output: { name, datatype, shape, text } }: { readonly output: StreamedText }) {
  const box = useRef<HTMLPreElement>(null);
  useEffect(() => {
    box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [text]);
  return (
    <Card
      title={
        <span className="flex items-center gap-2">
          <span className="font-mono">{name}</span>
          <Badge>{datatype}</Badge>
          <span className="font-mono text-sm font-normal text-soft">{formatShape(shape)}</span>
        </span>
      }
    >
      <pre
        ref={box}
        // Long texts are scrolled by keys too.
        tabIndex={0}
        role="region"
        aria-label={t('playground.stream.output', { name })}
        data-testid={`pg-stream-${name}`}
        className="max-h-64 overflow-auto font-mono text-sm break-words whitespace-pre-wrap text-strong"
      >
        {text}
      </pre>
    </Card>
  );
}
