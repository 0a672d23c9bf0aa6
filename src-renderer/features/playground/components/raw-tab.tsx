// The answer as it came over the wire: status, headers, the JSON head, and the first bytes of the binary part.

import type { PlaygroundResult } from '../../../../src-shared/contract/inference-calls.ts';
import type { PlaygroundOutput } from '../../../../src-shared/contract/playground-answer.ts';
import { useElementsHex } from '../use-hex.ts';
import { formatBytes } from '../../../lib/format.ts';
import { t } from '../../../texts/translate.ts';
import { Card } from '../../../ui/card.tsx';
import { CodeBlock } from '../../../ui/code-block.tsx';

/** Headers and bytes are shown as they are. */
export function RawTab({ result }: { readonly result: PlaygroundResult }) {
  const outputs = result.responses.flatMap((response) => response.outputs);
  return (
    <div className="flex flex-col gap-3" data-testid="pg-raw">
      <Card title={t('playground.raw.status')}>
        <p className="font-mono text-sm text-strong">
          {result.status} {result.statusText}
        </p>
        {result.headers.length > 0 && (
          <dl className="mt-2 grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-0.5 font-mono text-sm">
            {result.headers.map(([name, value], index) => (
              <div key={index} className="contents">
                <dt className="text-faint">{name}</dt>
                <dd className="break-all text-strong">{value}</dd>
              </div>
            ))}
          </dl>
        )}
      </Card>
      {result.rawHead !== '' && (
        <Card title={t('playground.raw.head')}>
          <CodeBlock
            text={printed(result.rawHead)}
            isWrapped
            testId="pg-raw-head"
            className="max-h-96 overflow-hidden [&_pre]:max-h-96"
          />
        </Card>
      )}
      {outputs
        .filter(({ byteSize }) => byteSize > 0)
        .map((output, index) => (
          <Hex key={index} output={output} />
        ))}
    </div>
  );
}

/** Short JSON with line breaks, lists of numbers on one line; anything else as it came. */
function printed(text: string): string {
  if (text.length > 8192) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2).replace(/\[[^[\]{}"]*\]/g, (list) =>
      list.replace(/\s+/g, ' '),
    );
  } catch {
    return text;
  }
}

const SHOWN_BYTES = 512;

function Hex({ output }: { readonly output: PlaygroundOutput }) {
  const { text, error } = useElementsHex(output, SHOWN_BYTES);
  return (
    <Card
      title={t('playground.raw.bytes', {
        name: output.name,
        shown: formatBytes(Math.min(SHOWN_BYTES, output.byteSize)),
        size: formatBytes(output.byteSize),
      })}
    >
      {error === undefined ? (
        <CodeBlock text={text} className="max-h-72 overflow-hidden [&_pre]:max-h-72" />
      ) : (
        error
      )}
    </Card>
  );
}
