// Other configurations than the one that is served: one text for this run, or a sweep over values. The model's file is
// not touched by either.

import type { PerfDefaults } from '../../../../src-shared/contract/perf-calls.ts';
import { t } from '../../../texts/translate.ts';
import { TextArea } from '../../../ui/inputs.tsx';
import { Checkbox } from '../../../ui/toggles.tsx';
import { changeSweep, perfUi, usePerf } from '../perf-store.ts';
import { NO_SWEEP } from '../plan-edit.ts';
import { NumberList } from './number-list.tsx';
import { Section } from './section.tsx';

/** The text begins as the configuration that is served. */
export function OverrideSection({ defaults }: { readonly defaults: PerfDefaults }) {
  const override = usePerf((state) => state.override);
  const sweep = usePerf((state) => state.sweep);
  return (
    <Section title={t('perf.override')}>
      <Checkbox
        isOn={override !== undefined}
        data-testid="perf-override"
        onChange={(isOn) => perfUi.setState({ override: isOn ? defaults.configText : undefined })}
      >
        {t('perf.override.use')}
      </Checkbox>
      {override !== undefined && (
        <TextArea
          value={override}
          onChange={(text) => perfUi.setState({ override: text })}
          rows={10}
          isMono
          aria-label={t('perf.override.text')}
          data-testid="perf-override-text"
        />
      )}
      <Checkbox
        isOn={sweep !== undefined}
        data-testid="perf-sweep"
        onChange={(isOn) => perfUi.setState({ sweep: isOn ? NO_SWEEP : undefined })}
      >
        {t('perf.sweep.use')}
      </Checkbox>
      {sweep !== undefined && (
        <>
          <p className="text-sm text-faint">{t('perf.sweep.help')}</p>
          <NumberList
            label={t('perf.sweep.instances')}
            placeholder="1, 2, 4"
            values={sweep.instanceCounts}
            testId="perf-sweep-instances"
            onChange={(instanceCounts) => changeSweep({ instanceCounts })}
          />
          <NumberList
            label={t('perf.sweep.batch')}
            placeholder="4, 8, 16"
            min={0}
            values={sweep.maxBatchSizes}
            testId="perf-sweep-batch"
            onChange={(maxBatchSizes) => changeSweep({ maxBatchSizes })}
          />
          <NumberList
            label={t('perf.sweep.delay')}
            placeholder="0, 100, 500"
            min={0}
            values={sweep.queueDelaysUs}
            testId="perf-sweep-delay"
            onChange={(queueDelaysUs) => changeSweep({ queueDelaysUs })}
          />
          <NumberList
            label={t('perf.sweep.threads')}
            placeholder="1, 2"
            values={sweep.intraOpThreads}
            onChange={(intraOpThreads) => changeSweep({ intraOpThreads })}
          />
        </>
      )}
    </Section>
  );
}
