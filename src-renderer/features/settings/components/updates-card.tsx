// What the app does about new versions of itself: nothing by itself, and what the user can do instead.

import { APP_VERSION } from '../../../lib/app-version.ts';
import { t } from '../../../texts/translate.ts';
import { Card, Facts } from '../../../ui/card.tsx';

/** Asks nobody for anything. */
export function UpdatesCard() {
  return (
    <Card title={t('settings.updates')} testId="settings-updates" className="mt-4">
      <Facts
        items={[
          [t('settings.updates.running'), APP_VERSION],
          [t('settings.updates.check'), t('settings.updates.off')],
        ]}
      />
      <p className="mt-3 text-soft">{t('settings.updates.text')}</p>
    </Card>
  );
}
