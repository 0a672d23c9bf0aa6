// What a browser shows when the server does not take the token of the page: why, and a field for the right one.

import { KeyRound } from 'lucide-react';
import { useState } from 'react';

import { useConnection, useEngine } from '../engine/engine-context.tsx';
import { keepToken, readPastedAddress } from '../engine/page-token.ts';
import { t } from '../texts/translate.ts';
import { Button } from '../ui/button.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { Field } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { TextInput } from '../ui/inputs.tsx';
import { useAppearance } from './use-appearance.ts';

const OPEN_COMMAND = 'conch open';

/** The whole page, for one that never was connected. */
export function TokenPage() {
  useAppearance();
  return (
    <main
      data-testid="token-page"
      className="flex h-full items-center justify-center overflow-auto bg-surface p-6"
    >
      <div className="flex w-[34rem] max-w-full flex-col gap-4">
        <h1 className="flex items-center gap-2 text-lg font-semibold text-strong">
          <Icon of={KeyRound} size={20} className="text-accent" />
          {t('token.title')}
        </h1>
        <TokenForm />
      </div>
    </main>
  );
}

/** Asks for the token that the server printed. */
export function TokenForm() {
  const { retry } = useEngine();
  const attempt = useConnection((state) => state.attempt);
  const [text, setText] = useState('');
  const [isUnusable, setUnusable] = useState(false);
  const [triedAt, setTriedAt] = useState<number>();
  const connect = (): void => {
    const pasted = readPastedAddress(text, window.location.origin);
    setUnusable(pasted.kind === 'unusable');
    if (pasted.kind === 'elsewhere') window.location.assign(pasted.url);
    if (pasted.kind !== 'token') return;
    keepToken(pasted.token);
    setTriedAt(attempt);
    retry();
  };
  const wasRefused = triedAt !== undefined && attempt > triedAt;
  const error = isUnusable ? t('token.unusable') : wasRefused ? t('token.stillRefused') : undefined;
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        connect();
      }}
    >
      <p className="text-base text-soft">{t('token.text')}</p>
      <CodeBlock text={OPEN_COMMAND} />
      <Field label={t('token.field')} help={t('token.fieldHelp')} error={error}>
        <TextInput
          value={text}
          onChange={(next) => {
            setText(next);
            setUnusable(false);
            setTriedAt(undefined);
          }}
          placeholder={t('token.placeholder')}
          isMono
          autoFocus
          data-testid="token-field"
        />
      </Field>
      <div>
        <Button variant="primary" type="submit" worksOffline data-testid="token-connect">
          {t('token.connect')}
        </Button>
      </div>
    </form>
  );
}
