// What language the window speaks, and how a number and a date look in the locale that is set.

import { formatBytes, formatCount, formatDateTime, formatMicros } from '../../../lib/format.ts';
import { numberLocale } from '../../../texts/number-locale.ts';
import { t } from '../../../texts/translate.ts';
import { Card, Facts } from '../../../ui/card.tsx';

/** Afternoon of a day above twelve, so that day, month and hour cannot be mistaken for each other. */
const EXAMPLE = new Date(2026, 10, 22, 14, 5, 9).getTime();

/** The examples come from the functions that the whole window uses. */
export function LanguageSection() {
  return (
    <Card title={t('settings.language.texts')} testId="settings-language" className="mt-4">
      <p className="text-strong">{t('settings.language.english')}</p>
      <p className="mt-1 text-sm text-faint">{t('settings.language.verbatim')}</p>
      <div className="mt-3" data-testid="language-example">
        <Facts
          items={[
            [t('settings.language.locale'), numberLocale()],
            [t('settings.language.number'), formatCount(1_234_567)],
            [t('settings.language.measure'), `${formatMicros(1_243_000)}, ${formatBytes(6_400_000)}`],
            [t('settings.language.date'), formatDateTime(EXAMPLE)],
          ]}
        />
      </div>
    </Card>
  );
}
