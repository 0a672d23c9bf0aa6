// All settings of the app: groups at the left, a search over all of them, shortcuts, and what this app is.

import { Search } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';

import { revealPath } from '../../actions/reveal.ts';
import { SettingRow } from '../../actions/setting-row.tsx';
import { useEngine, useServer } from '../../engine/engine-context.tsx';
import { APP_VERSION } from '../../lib/app-version.ts';
import { address as addressOf } from '../../lib/address.ts';
import { useCommand } from '../../lib/command-registry.ts';
import type { FeatureViewProps } from '../../lib/feature.ts';
import { open } from '../../lib/workspace-store.ts';
import { t } from '../../texts/translate.ts';
import { Button } from '../../ui/button.tsx';
import { Card, Facts } from '../../ui/card.tsx';
import { cx } from '../../ui/cx.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { TextInput } from '../../ui/inputs.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ShortcutEditor } from './components/shortcut-editor.tsx';
import { matchingSettings, plainSettings, settingGroups } from './settings-selectors.ts';

export function SettingsScreen({ address }: FeatureViewProps) {
  const view = useStore(useEngine().state.settings, (state) => state.view);
  const [search, setSearch] = useState('');
  useCommand('find.inView', () =>
    document.querySelector<HTMLElement>('[data-testid="settings-search"]')?.focus(),
  );
  if (view === undefined) return <Skeleton rows={8} />;
  const settings = plainSettings(view.settings);
  const groups = settingGroups(settings);
  const sections = [
    ...groups.map((group) => ({ id: group.toLowerCase(), title: group })),
    ...extraSections(),
  ];
  const chosen = sections.find(({ id }) => id === address.tab) ?? sections[0];
  const found = search === '' ? undefined : matchingSettings(settings, search);
  return (
    <div className="flex min-h-0 flex-1" data-testid="settings-view">
      <nav
        aria-label={t('settings.title')}
        className="flex w-48 shrink-0 flex-col gap-0.5 overflow-auto border-r border-line bg-canvas p-2"
      >
        <TextInput
          icon={Search}
          value={search}
          onChange={setSearch}
          placeholder={t('settings.search')}
          aria-label={t('settings.search')}
          data-testid="settings-search"
          className="mb-2"
        />
        {sections.map(({ id, title }) => (
          <button
            key={id}
            type="button"
            data-testid={`settings-section-${id}`}
            aria-current={found === undefined && chosen?.id === id ? 'true' : undefined}
            onClick={() => {
              setSearch('');
              open(addressOf('settings', { tab: id }));
            }}
            className={cx(
              'focus-inset h-7 rounded px-2 text-left text-soft hover:bg-hover hover:text-strong',
              found === undefined && chosen?.id === id && 'bg-selected font-medium text-strong',
            )}
          >
            {title}
          </button>
        ))}
      </nav>
      <div className="min-h-0 min-w-0 flex-1 overflow-auto p-6">
        <div className="mx-auto max-w-3xl">
          {found !== undefined ? (
            <Found settings={found} />
          ) : (
            <Section id={chosen?.id ?? ''} title={chosen?.title ?? ''} />
          )}
        </div>
      </div>
    </div>
  );
}

function extraSections(): readonly { readonly id: string; readonly title: string }[] {
  return [
    { id: 'shortcuts', title: t('settings.shortcuts') },
    { id: 'privacy', title: t('settings.privacy') },
    { id: 'about', title: t('settings.about') },
  ];
}

function Found({ settings }: { readonly settings: ReturnType<typeof matchingSettings> }) {
  if (settings.length === 0) return <EmptyState title={t('settings.none')} />;
  return settings.map((setting) => <SettingRow key={setting.key} setting={setting} />);
}

function Section({ id, title }: { readonly id: string; readonly title: string }) {
  const view = useStore(useEngine().state.settings, (state) => state.view);
  return (
    <section>
      <h1 className="mb-3 text-xl font-semibold text-strong">{title}</h1>
      {id === 'shortcuts' ? (
        <ShortcutEditor />
      ) : id === 'privacy' ? (
        <p className="text-md text-strong">{t('settings.privacyText')}</p>
      ) : id === 'about' ? (
        <About />
      ) : (
        view?.settings
          .filter(({ group }) => group.toLowerCase() === id)
          .map((setting) => <SettingRow key={setting.key} setting={setting} />)
      )}
      {view !== undefined && id !== 'about' && id !== 'privacy' && id !== 'shortcuts' && (
        <FileNote path={view.path} />
      )}
    </section>
  );
}

function FileNote({ path }: { readonly path: string }) {
  return (
    <p className="mt-6 flex flex-wrap items-center gap-2 text-sm text-faint">
      {t('settings.file')}: <code className="break-all">{path}</code>
      <Button size="sm" variant="ghost" onClick={() => void revealPath(path)}>
        {t('settings.reveal')}
      </Button>
    </p>
  );
}

function About() {
  const view = useServer((server) => server);
  return (
    <Card>
      <Facts
        items={[
          [t('settings.about.version'), APP_VERSION],
          [t('settings.about.protocol'), view?.version ?? '–'],
          ...Object.entries(view?.runtimeVersions ?? {}),
          [
            t('server.about.data'),
            <code key="data" className="break-all">
              {view?.userDataPath ?? '–'}
            </code>,
          ],
        ]}
      />
      <p className="mt-4 text-strong">{t('settings.about.compatible')}</p>
      <p className="mt-1 text-sm text-faint">{t('settings.about.names')}</p>
    </Card>
  );
}
