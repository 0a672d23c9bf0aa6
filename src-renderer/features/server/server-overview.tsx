// The first tab of the Server screen: where it listens, whether it is ready and why not, its repositories, its settings,
// and the same server as a command line.

import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';

import type { ServerView } from '../../../src-shared/contract/observe-views.ts';
import { SettingList } from '../../actions/setting-list.tsx';
import { useEngine } from '../../engine/engine-context.tsx';
import type { FeatureViewProps } from '../../lib/feature.ts';
import { t } from '../../texts/translate.ts';
import { Card, Facts } from '../../ui/card.tsx';
import { ClientsCard } from './components/clients-card.tsx';
import { CommandCard } from './components/command-card.tsx';
import { EndpointsCard, HealthCard } from './components/endpoints-card.tsx';
import { PythonCard } from './components/python-card.tsx';
import { RepositoriesCard } from './components/repositories-card.tsx';
import { SnippetsCard } from './components/snippets-card.tsx';

/** The address may name the card that is scrolled to. */
export function ServerOverview({ address, view }: FeatureViewProps & { readonly view: ServerView }) {
  const repositories = useRef<HTMLDivElement>(null);
  const python = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (address.tab === 'repositories') repositories.current?.scrollIntoView();
    if (address.tab === 'python') python.current?.scrollIntoView();
  }, [address]);
  return (
    <div className="min-h-0 flex-1 overflow-auto bg-canvas p-4" data-testid="server-overview">
      <div className="mx-auto flex max-w-[120rem] flex-col gap-3">
        <div className="grid items-start gap-3 min-[1100px]:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <div className="flex min-w-0 flex-col gap-3">
            <EndpointsCard view={view} />
            <div ref={repositories}>
              <RepositoriesCard />
            </div>
            <ClientsCard />
            <SnippetsCard />
          </div>
          <div className="flex min-w-0 flex-col gap-3">
            <HealthCard view={view} />
            <CommandCard commandLine={view.commandLine} />
            <div ref={python}>
              <PythonCard />
            </div>
            <Card title={t('server.about')}>
              <Facts
                items={[
                  [
                    t('server.about.cpu'),
                    t('server.about.cpuValue', { model: view.cpuModel, count: view.cpuCount }),
                  ],
                  [
                    t('server.about.gpu'),
                    view.gpus.length === 0 ? t('server.about.noGpu') : view.gpus.join(', '),
                  ],
                  [t('server.about.providers'), view.providers.join(', ')],
                  [t('server.control'), t(`server.control.${view.controlMode}`)],
                  ...Object.entries(view.runtimeVersions),
                  [
                    t('server.about.data'),
                    <code key="data" className="break-all">
                      {view.userDataPath}
                    </code>,
                  ],
                ]}
              />
            </Card>
          </div>
        </div>
        <SettingsCard />
      </div>
    </div>
  );
}

/** What every server is asked for and ours does not offer stands where one looks for it. */
const NOTES = { 'gRPC connections': 'server.settings.reflection' } as const;

function SettingsCard() {
  const settings = useStore(useEngine().state.settings, ({ view }) => view?.settings);
  const own = settings?.filter(({ group }) => group === 'Server' || group === 'Logs') ?? [];
  const shown = own.map((setting) =>
    setting.section === undefined ? { ...setting, section: setting.group } : setting,
  );
  const notes = Object.fromEntries(Object.entries(NOTES).map(([section, key]) => [section, t(key)]));
  return (
    <Card title={t('server.settings')} testId="server-settings">
      <SettingList settings={shown} notes={notes} className="gap-8 min-[1100px]:columns-2" />
    </Card>
  );
}
