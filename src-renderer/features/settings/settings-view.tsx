// All settings of the app: groups at the left, a search over all of them, shortcuts, and what this app is.

import { Search } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';

import type { SettingView } from '../../../src-shared/contract/observe-views.ts';
import { SettingList } from '../../actions/setting-list.tsx';
import { SettingRow } from '../../actions/setting-row.tsx';
import { useEngine } from '../../engine/engine-context.tsx';
import { address as addressOf } from '../../lib/address.ts';
import { useCommand } from '../../lib/command-registry.ts';
import type { FeatureViewProps } from '../../lib/feature.ts';
import { open } from '../../lib/workspace-store.ts';
import { t } from '../../texts/translate.ts';
import { cx } from '../../ui/cx.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { TextInput } from '../../ui/inputs.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { AboutSection } from './components/about-section.tsx';
import { DataSection } from './components/data-section.tsx';
import { LanguageSection } from './components/language-section.tsx';
import { RuntimeSection } from './components/runtime-section.tsx';
import { SettingsFile } from './components/settings-file.tsx';
import { ShortcutEditor, ShortcutList } from './components/shortcut-editor.tsx';
import { UpdatesCard } from './components/updates-card.tsx';
import {
  matchingCommands,
  matchingSettings,
  matchingTopics,
  plainSettings,
  settingGroups,
} from './settings-selectors.ts';

/** The address names the group that is shown. */
export function SettingsScreen({ address }: FeatureViewProps) {
  const view = useStore(useEngine().state.settings, (state) => state.view);
  const [search, setSearch] = useState('');
  useCommand('find.inView', () =>
    document.querySelector<HTMLElement>('[data-testid="settings-search"]')?.focus(),
  );
  if (view === undefined) return <Skeleton rows={8} />;
  const settings = plainSettings(view.settings);
  const sections = sectionsOf(settings);
  const chosen = sections.find(({ id }) => id === address.tab) ?? sections[0];
  const found = search === '' ? undefined : matchingSettings(settings, search);
  const show = (id: string): void => {
    setSearch('');
    open(addressOf('settings', { tab: id }));
  };
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
            onClick={() => show(id)}
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
            <Found settings={found} search={search} onSection={show} />
          ) : (
            <Section id={chosen?.id ?? ''} title={chosen?.title ?? ''} />
          )}
        </div>
      </div>
    </div>
  );
}

type SectionId = { readonly id: string; readonly title: string };

/** Groups of the table, and sections of their own; changed shortcuts are edited in theirs. */
function sectionsOf(settings: readonly SettingView[]): readonly SectionId[] {
  const groups = settingGroups(settings).map((group) => ({ id: sectionId(group), title: group }));
  const at = (ids: readonly string[]) => groups.filter(({ id }) => ids.includes(id));
  const named = ['general', 'appearance', 'language', 'server', 'logs', 'experimental'];
  return [
    ...at(['general', 'appearance', 'language', 'server', 'logs']),
    { id: 'runtime', title: t('settings.runtime') },
    ...groups.filter(({ id }) => !named.includes(id)),
    { id: 'privacy', title: t('settings.privacy') },
    { id: 'shortcuts', title: t('settings.shortcuts') },
    ...at(['experimental']),
    { id: 'about', title: t('settings.about') },
  ];
}

function sectionId(group: string): string {
  return group.toLowerCase();
}

function Found({
  settings,
  search,
  onSection,
}: {
  readonly settings: readonly SettingView[];
  readonly search: string;
  readonly onSection: (id: string) => void;
}) {
  const shortcuts = matchingCommands(search);
  const topics = matchingTopics(search);
  if (settings.length === 0 && shortcuts.length === 0 && topics.length === 0)
    return <EmptyState title={t('settings.none')} />;
  return (
    <>
      {settings.map((setting) => (
        <SettingRow key={setting.key} setting={setting} />
      ))}
      {topics.length > 0 && (
        <section className="mt-6" data-testid="settings-topics">
          <h2 className="mb-1 font-semibold text-strong">{t('settings.topics')}</h2>
          {topics.map(({ section, title, text }) => (
            <button
              key={title}
              type="button"
              className="block w-full rounded px-2 py-1.5 text-left hover:bg-hover"
              onClick={() => onSection(section)}
            >
              <span className="font-medium text-strong">{t(title)}</span>
              <span className="block text-sm text-faint">{t(text)}</span>
            </button>
          ))}
        </section>
      )}
      {shortcuts.length > 0 && (
        <section className="mt-6">
          <h2 className="mb-1 font-semibold text-strong">{t('settings.shortcuts')}</h2>
          <ShortcutList commands={shortcuts} />
        </section>
      )}
    </>
  );
}

function Section({ id, title }: SectionId) {
  const view = useStore(useEngine().state.settings, (state) => state.view);
  const rows = view?.settings.filter(({ group }) => sectionId(group) === id) ?? [];
  return (
    <section>
      <h2 className="mb-3 text-xl font-semibold text-strong">{title}</h2>
      {id === 'experimental' && <p className="mb-2 text-soft">{t('settings.experimental.text')}</p>}
      <OwnSection id={id} settings={rows} />
      {id === 'data' && <DataSection />}
      {id === 'general' && <UpdatesCard />}
      {id === 'language' && <LanguageSection />}
      {view !== undefined && rows.length > 0 && id !== 'shortcuts' && <SettingsFile path={view.path} />}
    </section>
  );
}

function OwnSection({ id, settings }: { readonly id: string; readonly settings: readonly SettingView[] }) {
  switch (id) {
    case 'shortcuts':
      return <ShortcutEditor />;
    case 'privacy':
      return <p className="text-md text-strong">{t('settings.privacyText')}</p>;
    case 'about':
      return <AboutSection />;
    case 'runtime':
      return <RuntimeSection />;
    default:
      return <SettingList settings={settings} />;
  }
}
