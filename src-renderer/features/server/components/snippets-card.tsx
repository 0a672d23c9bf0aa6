// Requests to this server as code: a language, a model, one block per thing that clients do. The .proto files of the
// gRPC service can be saved for clients that are generated.

import { Download } from 'lucide-react';
import { useState } from 'react';

import type { ServerSnippetLanguage } from '../../../../src-shared/contract/server-snippet.ts';
import { snippetRequest } from '../../../actions/sample-request.ts';
import { saveText } from '../../../actions/save-text.ts';
import { useClient, useModels, useServer } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { useCall } from '../../../engine/use-call.ts';
import { t } from '../../../texts/translate.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { Select } from '../../../ui/select.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { toastSuccess } from '../../../ui/toast.tsx';

const LANGUAGE_OPTIONS: readonly { readonly value: ServerSnippetLanguage; readonly label: string }[] = [
  { value: 'curl', label: 'curl' },
  { value: 'python-http', label: 'Python (HTTP)' },
  { value: 'python-grpc', label: 'Python (gRPC)' },
  { value: 'javascript', label: 'JavaScript (fetch)' },
];

/** The language and the model are kept while the screen is shown. */
export function SnippetsCard() {
  const [language, setLanguage] = useState<ServerSnippetLanguage>('curl');
  const [picked, setPicked] = useState('');
  const models = useModels((state) => state.models);
  const model =
    models.find(({ name }) => name === picked)?.name ??
    models.find(({ state, isEnsemble }) => state === 'ready' && !isEnsemble)?.name ??
    models[0]?.name ??
    '';
  const addresses = useServer((view) => view?.endpoints.map(({ address }) => address).join(' ') ?? '');
  const io = useCall('playground/interface', model === '' ? undefined : { model });
  const request = snippetRequest(model, '', io.data, language === 'python-grpc' ? 'grpc' : 'http-json');
  const named = model === '' ? 'MODEL' : model;
  const asked = { language, model: named, ...(request === undefined ? {} : { request }) };
  const snippets = useCall('playground/serverSnippets', asked, addresses).data;
  return (
    <Card title={t('server.snippets')} testId="server-snippets" actions={<SaveProtoFiles />}>
      <div className="mb-3 flex flex-wrap gap-2">
        <Select
          aria-label={t('server.snippets.language')}
          data-testid="server-snippets-language"
          value={language}
          options={LANGUAGE_OPTIONS}
          onChange={setLanguage}
        />
        {model !== '' && (
          <Select
            aria-label={t('server.snippets.model')}
            data-testid="server-snippets-model"
            value={model}
            options={models.map(({ name }) => ({ value: name, label: name }))}
            onChange={setPicked}
            className="w-44"
          />
        )}
      </div>
      {snippets === undefined && <Skeleton rows={4} />}
      {snippets?.length === 0 && <p className="text-faint">{t('server.snippets.offline')}</p>}
      <ul className="flex flex-col gap-3">
        {snippets?.map(({ subject, code }) => (
          <li key={subject}>
            <p className="mb-1 text-sm text-soft">{t(`server.snippet.${subject}`)}</p>
            <CodeBlock text={code} label={t(`server.snippet.${subject}`)} isWrapped />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function SaveProtoFiles() {
  const client = useClient();
  const save = useAction(async () => {
    const files = await client.call('server/protoFiles', {});
    for (const { name, text } of files) await saveText(name, text, 'text/plain');
    toastSuccess(t('server.proto.saved', { files: files.map(({ name }) => name).join(', ') }));
  });
  return (
    <Button
      size="sm"
      icon={Download}
      isBusy={save.isRunning}
      data-testid="save-proto-files"
      onClick={() => save.run()}
    >
      {t('server.proto.save')}
    </Button>
  );
}
