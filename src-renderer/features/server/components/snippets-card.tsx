// Requests to this server as code: a language, a model, one block per thing that clients do. The .proto files of the
// gRPC service can be saved for clients that are generated.

import { Download } from 'lucide-react';
import { useState } from 'react';

import type { ModelInterface, PlaygroundRequest } from '../../../../src-shared/contract/inference-calls.ts';
import { saveText } from '../../../actions/save-text.ts';
import { endpointOf, endpointUrl } from '../../../actions/server-actions.ts';
import { useClient, useModels, useServer } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { useCall } from '../../../engine/use-call.ts';
import { t } from '../../../texts/translate.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { Select } from '../../../ui/select.tsx';
import { toastError, toastSuccess } from '../../../ui/toast.tsx';
import type { SnippetLanguage } from '../server-snippets.ts';
import { SNIPPET_LANGUAGES, serverSnippets } from '../server-snippets.ts';

/** Titles of the engine's snippets. */
const INFER_TITLES: Readonly<Record<SnippetLanguage, string>> = {
  curl: 'curl',
  'python-http': 'Python (HTTP)',
  'python-grpc': 'Python (gRPC)',
  javascript: 'JavaScript (fetch)',
};

export function SnippetsCard() {
  const [language, setLanguage] = useState<SnippetLanguage>('curl');
  const [picked, setPicked] = useState('');
  const models = useModels((state) => state.models);
  const model =
    models.find(({ name }) => name === picked)?.name ??
    models.find(({ state, isEnsemble }) => state === 'ready' && !isEnsemble)?.name ??
    models[0]?.name ??
    '';
  const http = useServer((view) => endpointUrl(endpointOf(view, 'http')));
  const grpc = useServer((view) => endpointUrl(endpointOf(view, 'grpc')));
  const metrics = useServer((view) => endpointUrl(endpointOf(view, 'metrics')));
  const infer = useInferCode(model, language);
  const snippets = serverSnippets(language, { http, grpc, metrics, model, infer });
  return (
    <Card title={t('server.snippets')} testId="server-snippets" actions={<SaveProtoFiles />}>
      <div className="mb-3 flex flex-wrap gap-2">
        <Select
          aria-label={t('server.snippets.language')}
          data-testid="server-snippets-language"
          value={language}
          options={SNIPPET_LANGUAGES}
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
      {snippets.length === 0 && <p className="text-faint">{t('server.snippets.offline')}</p>}
      <ul className="flex flex-col gap-3">
        {snippets.map(({ title, code }) => (
          <li key={title}>
            <p className="mb-1 text-sm text-soft">{t(title)}</p>
            <CodeBlock text={code} isWrapped />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Code of one request of zeros; "" while it is not known. */
function useInferCode(model: string, language: SnippetLanguage): string {
  const io = useCall('playground/interface', model === '' ? undefined : { model });
  const request = io.data === undefined ? undefined : zeroRequest(model, language, io.data);
  const snippets = useCall('playground/snippets', request);
  return snippets.data?.find(({ title }) => title === INFER_TITLES[language])?.code ?? '';
}

function zeroRequest(
  model: string,
  language: SnippetLanguage,
  { inputs, isSequence }: ModelInterface,
): PlaygroundRequest {
  return {
    model,
    version: '',
    protocol: language === 'python-grpc' ? 'grpc' : 'http-json',
    id: '',
    inputs: inputs
      .filter(({ optional }) => !optional)
      .map(({ name, datatype, shape }) => ({
        name,
        datatype,
        shape: shape.map((dim) => Math.max(1, dim)),
        source: datatype === 'BYTES' ? { kind: 'constant', value: 'text' } : { kind: 'fill', value: 'zeros' },
      })),
    outputs: [],
    priority: 0,
    timeoutUs: 0,
    parameters: {},
    ...(isSequence ? { sequence: { id: '1', start: true, end: true } } : {}),
  };
}

function SaveProtoFiles() {
  const client = useClient();
  const save = useAction(async () => {
    const files = await client.call('server/protoFiles', {});
    for (const { name, text } of files) await saveText(name, text, 'text/plain');
    toastSuccess(t('server.proto.saved', { files: files.map(({ name }) => name).join(', ') }));
  }, toastError);
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
