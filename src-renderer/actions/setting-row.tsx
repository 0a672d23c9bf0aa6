// One setting: what it is, its value, whether it was changed, and the way back to the default. Values that would open
// the server to the network are asked about first.

import { RotateCcw } from 'lucide-react';
import { useRef, useState } from 'react';

import type { SettingView } from '../../src-shared/contract/observe-views.ts';
import type { EngineClient } from '../engine/engine-client.ts';
import { useClient } from '../engine/engine-context.tsx';
import { t } from '../texts/translate.ts';
import { Badge } from '../ui/badge.tsx';
import { ask } from '../ui/confirm.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { TextInput } from '../ui/inputs.tsx';
import { NumberInput } from '../ui/number-input.tsx';
import { Select } from '../ui/select.tsx';
import { Switch } from '../ui/switch.tsx';
import { toastThrown } from '../engine/toast-thrown.ts';

/** What a setting can hold: a text, a number or a truth value. */
export type SettingValue = SettingView['value'];

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/;

/** An address that is left empty means every one that the machine has. */
function isPublicAddress(value: SettingValue): boolean {
  return typeof value === 'string' && !LOOPBACK.test(value);
}

/** Null resets. False when the user thought better of it. */
async function writeSetting(
  client: EngineClient,
  setting: SettingView,
  value: SettingValue | null,
): Promise<boolean> {
  return writeSettings(client, { [setting.key]: value });
}

/** Several at once, all or none; an address that opens the server to the network is asked about. */
export async function writeSettings(
  client: EngineClient,
  changes: Readonly<Record<string, SettingValue | null>>,
): Promise<boolean> {
  const address = changes['server.address'];
  if (address !== undefined && address !== null && isPublicAddress(address)) {
    const answer = await ask({
      title: t('settings.openToNetworkTitle'),
      text: t('settings.openToNetworkText'),
      choices: [{ value: 'open', label: t('settings.openToNetwork'), isDanger: true }],
      safeLabel: t('settings.keepLocal'),
    });
    if (answer === undefined) return false;
  }
  await client.call('settings/write', { changes });
  return true;
}

/** The row writes its value through the engine and shows why that was refused. */
export function SettingRow({ setting }: { readonly setting: SettingView }) {
  const client = useClient();
  const { key, title, help, value, defaultValue, needsRestart, isPending, flag } = setting;
  const isChanged = value !== defaultValue;
  const write = (next: SettingValue | null): Promise<unknown> =>
    writeSetting(client, setting, next).catch(toastThrown);
  const reset = (): void => {
    // This button goes with the change.
    document.querySelector<HTMLElement>(`[data-testid="setting-input-${key}"]`)?.focus();
    void write(null);
  };
  return (
    <div
      className="flex items-center gap-4 border-b border-line/70 py-2.5 last:border-b-0"
      data-testid={`setting-${key}`}
    >
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2 font-medium text-strong">
          {title}
          {isChanged && <Badge tone="info">{t('settings.changed')}</Badge>}
          {needsRestart && (
            <Badge tone={isPending ? 'warn' : 'neutral'}>
              {t(isPending ? 'settings.pending' : 'settings.needsRestart')}
            </Badge>
          )}
          {flag !== undefined && <Badge tone="info">{t('settings.flag', { flag })}</Badge>}
          {key === 'server.address' && isPublicAddress(value) && (
            <Badge tone="warn">{t('settings.publicAddress')}</Badge>
          )}
        </p>
        <p className="text-sm text-faint">
          {help}
          {isChanged && ` ${t('settings.default', { value: String(defaultValue) })}`}
        </p>
      </div>
      <div className="flex items-center gap-1">
        {isChanged && <IconButton label={t('settings.reset', { title })} icon={RotateCcw} onClick={reset} />}
        <Control setting={setting} onValue={write} />
      </div>
    </div>
  );
}

/**
 * Text and numbers are written when the field is left, Enter is pressed or a step was made; until that is answered the field keeps what
 * was typed, then it shows the value as it is. The control stays the same, so that it keeps the focus.
 */
function Control({
  setting,
  onValue,
}: {
  readonly setting: SettingView;
  readonly onValue: (value: SettingValue) => Promise<unknown>;
}) {
  const { key, title, kind, choices, value } = setting;
  const [draft, setDraft] = useState<SettingValue>();
  const names = { 'aria-label': title, 'data-testid': `setting-input-${key}` };
  const writing = useRef<SettingValue>(undefined);
  const commit = (wanted = draft): void => {
    // Enter may open a question, whose focus leaves the field: that is no second change.
    if (wanted === undefined || writing.current === wanted) return;
    if (wanted === value) {
      setDraft(undefined);
      return;
    }
    writing.current = wanted;
    void onValue(wanted).finally(() => {
      writing.current = undefined;
      setDraft((now) => (now === wanted ? undefined : now));
    });
  };
  switch (kind) {
    case 'boolean':
      return <Switch isOn={value === true} onChange={(isOn) => void onValue(isOn)} {...names} />;
    case 'choice':
      return (
        <Select
          value={String(value)}
          onChange={(next) => void onValue(next)}
          options={choices.map((choice) => ({ value: choice, label: choiceText(key, choice) }))}
          className="w-44"
          {...names}
        />
      );
    case 'number':
      return (
        <span onBlur={() => commit()} onKeyDown={(event) => event.key === 'Enter' && commit()}>
          <NumberInput
            value={Number(draft ?? value)}
            onChange={(next) => setDraft(next ?? Number(value))}
            onStepped={commit}
            className="!w-44"
            {...names}
          />
        </span>
      );
    default:
      return (
        <span onBlur={() => commit()} onKeyDown={(event) => event.key === 'Enter' && commit()}>
          <TextInput value={String(draft ?? value)} onChange={setDraft} className="w-44" {...names} />
        </span>
      );
  }
}

/** Choices of the look are words of ours, locales have names; all others are Triton's and stay as they are there. */
function choiceText(key: string, choice: string): string {
  if (key === 'language.numbers') {
    return choice === 'system' ? t('settings.language.system') : localeName(choice);
  }
  if (!key.startsWith('appearance.')) return choice;
  // A name of people.
  if (choice === 'okabe-ito') return 'Okabe Ito';
  return `${choice.charAt(0).toUpperCase()}${choice.slice(1).replaceAll('-', ' ')}`;
}

const LOCALE_NAMES = new Intl.DisplayNames('en', { type: 'language', languageDisplay: 'standard' });

function localeName(tag: string): string {
  return LOCALE_NAMES.of(tag) ?? tag;
}
