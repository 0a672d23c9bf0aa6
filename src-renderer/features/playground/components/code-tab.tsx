// Code that sends the request of the builder, and the body file that code with large tensors reads.

import { Download } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';

import type { PlaygroundRequest } from '../../../../src-shared/contract/inference-calls.ts';
import { saveBytes } from '../../../actions/save-bytes.ts';
import { useClient } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { useCall } from '../../../engine/use-call.ts';
import { t } from '../../../texts/translate.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { Select } from '../../../ui/select.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { toRequest } from '../draft-request.ts';
import type { PlaygroundContext } from '../playground-context.ts';
import { readBlob, releaseBlob } from '../../../actions/blobs.ts';

const SETTLE_MS = 300;
const BODY_FILE = 'request.bin';

/** Follows the request a moment after the last change, and says why it cannot be written as code. */
export function CodeTab({ context }: { readonly context: PlaygroundContext }) {
  const request = useSettledRequest(context);
  const snippets = useCall('playground/snippets', request);
  const [title, setTitle] = useState('');
  const client = useClient();
  const save = useAction(async () => {
    if (request === undefined) return;
    const { blob, byteSize } = await client.call('playground/requestBody', request);
    try {
      saveBytes(BODY_FILE, await readBlob(client, blob, { offset: 0, byteSize }));
    } finally {
      releaseBlob(client, blob);
    }
  });
  if (snippets.error !== undefined) return <Banner tone="warn">{snippets.error}</Banner>;
  const all = snippets.data ?? [];
  const chosen = all.find((snippet) => snippet.title === title) ?? all[0];
  if (chosen === undefined) return <Skeleton rows={5} />;
  const needsBody = chosen.code.includes(BODY_FILE);
  return (
    <div className="flex flex-col gap-2" data-testid="pg-code">
      <div className="flex flex-wrap items-center gap-2">
        <Select
          aria-label={t('playground.code.language')}
          data-testid="pg-code-language"
          options={all.map((snippet) => ({ value: snippet.title, label: snippet.title }))}
          value={chosen.title}
          onChange={setTitle}
        />
        {needsBody && (
          <Button
            size="sm"
            icon={Download}
            isBusy={save.isRunning}
            data-testid="pg-code-body"
            onClick={save.run}
          >
            {t('playground.code.body')}
          </Button>
        )}
      </div>
      <CodeBlock text={chosen.code} isWrapped testId="pg-code-text" label={chosen.title} />
      <p className="text-sm text-faint">
        {t(needsBody ? 'playground.code.needsBody' : 'playground.code.exact')}
      </p>
    </div>
  );
}

/** The draft's request once nobody types any more; the same object while it means the same. */
function useSettledRequest({
  store,
  name: model,
  version,
}: PlaygroundContext): PlaygroundRequest | undefined {
  const draft = useStore(store, (state) => state.draft);
  const isSequence = useStore(store, (state) => state.io?.isSequence ?? false);
  const [settled, setSettled] = useState<PlaygroundRequest>();
  useEffect(() => {
    if (draft === undefined) return undefined;
    const timer = setTimeout(() => setSettled(toRequest(draft, { model, version, isSequence })), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [draft, model, version, isSequence]);
  return settled;
}
