// What this app is: versions, the protocol level, and every package in it with its licence.

import { useState } from 'react';

import { useServer } from '../../../engine/engine-context.tsx';
import { useCall } from '../../../engine/use-call.ts';
import { APP_VERSION } from '../../../lib/app-version.ts';
import { t } from '../../../texts/translate.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card, Facts } from '../../../ui/card.tsx';
import { SimpleTable } from '../../../ui/simple-table.tsx';

/** Drawn before the server is known, with dashes. */
export function AboutSection() {
  const view = useServer((server) => server);
  return (
    <div className="flex flex-col gap-4">
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
      <Licences />
    </div>
  );
}

function Licences() {
  const [isOpen, setIsOpen] = useState(false);
  const licences = useCall('app/licences', isOpen ? {} : undefined);
  return (
    <Card
      title={t('settings.about.licences')}
      testId="about-licences"
      actions={
        <Button size="sm" data-testid="about-show-licences" onClick={() => setIsOpen(!isOpen)}>
          {t(isOpen ? 'settings.about.hide' : 'settings.about.show')}
        </Button>
      }
    >
      <p className="text-soft">{t('settings.about.own')}</p>
      {licences.error !== undefined && <Banner tone="warn">{licences.error}</Banner>}
      {isOpen && licences.data !== undefined && (
        <div className="mt-3">
          <SimpleTable
            label={t('settings.about.licences')}
            testId="about-licence-table"
            rows={licences.data}
            keyOf={({ name, version }) => `${name} ${version}`}
            columns={[
              { id: 'name', title: t('settings.about.package'), isMono: true, cell: ({ name }) => name },
              {
                id: 'version',
                title: t('settings.about.packageVersion'),
                cell: ({ version }) => version,
              },
              { id: 'licence', title: t('settings.about.licence'), cell: ({ licence }) => licence },
            ]}
          />
        </div>
      )}
    </Card>
  );
}
