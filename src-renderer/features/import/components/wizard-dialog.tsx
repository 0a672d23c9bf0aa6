// The import wizard: inspect, configure and review on one page, with the resulting config.pbtxt beside it.

import { FileX } from 'lucide-react';
import type { ReactNode } from 'react';

import type { OnnxInspection } from '../../../../src-shared/contract/config-calls.ts';
import { t } from '../../../texts/translate.ts';
import { Button } from '../../../ui/button.tsx';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Checkbox } from '../../../ui/toggles.tsx';
import type { Wizard } from '../use-wizard.ts';
import { isUnreadable, problemText } from '../wizard-config.ts';
import { useWizard } from '../use-wizard.ts';
import { InspectionFacts } from './inspection-facts.tsx';
import { ExternalData } from './wizard-external-data.tsx';
import { WizardForm } from './wizard-form.tsx';
import { WizardReview } from './wizard-review.tsx';

/** One file after the other; `onClose` comes after the last one, or when it is left. */
export function WizardDialog({
  inspections,
  onClose,
}: {
  readonly inspections: readonly OnnxInspection[];
  readonly onClose: () => void;
}) {
  const wizard = useWizard(inspections, onClose);
  if (wizard === undefined) return null;
  const isBroken = isUnreadable(wizard.inspection);
  const restCount = inspections.length - wizard.index - 1;
  return (
    <Dialog
      isOpen
      isFlush
      width="full"
      testId="wizard-dialog"
      isTyped={wizard.isChanged}
      onClose={onClose}
      title={t('wizard.title', { name: wizard.inspection.path.split(/[\\/]/).at(-1) ?? '' })}
      description={
        inspections.length > 1
          ? t('wizard.page', { index: wizard.index + 1, count: inspections.length })
          : undefined
      }
      footer={
        isBroken ? (
          <Button variant="primary" worksOffline data-testid="wizard-skip" onClick={wizard.skip}>
            {t(restCount > 0 ? 'wizard.skip' : 'common.close')}
          </Button>
        ) : (
          <Footer wizard={wizard} restCount={restCount} onClose={onClose} />
        )
      }
    >
      {isBroken ? (
        <EmptyState
          icon={FileX}
          testId="wizard-unreadable"
          title={t('wizard.unreadable')}
          text={
            <>
              <p>{t('wizard.unreadableText')}</p>
              <code className="mt-2 block break-words select-text">{problemText(wizard.inspection)}</code>
            </>
          }
        />
      ) : (
        <div
          key={wizard.index}
          className="grid min-h-full grid-cols-1 border-t border-line min-[800px]:grid-cols-[minmax(0,2fr)_minmax(0,1fr)] min-[1200px]:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]"
        >
          <div className="flex flex-col gap-6 overflow-auto p-5">
            <Section title={t('wizard.inspect')}>
              <InspectionFacts inspection={wizard.inspection} hasTensors={false} />
              <ExternalData wizard={wizard} />
            </Section>
            <Section title={t('wizard.configure')}>
              <WizardForm wizard={wizard} />
            </Section>
            <Section title={t('wizard.review')}>
              <WizardReview wizard={wizard} />
            </Section>
          </div>
          <Preview text={wizard.configText} />
        </div>
      )}
    </Dialog>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="flex flex-col gap-3">
      <h3 className="text-md font-semibold text-strong">{title}</h3>
      {children}
    </section>
  );
}

function Preview({ text }: { readonly text: string | undefined }) {
  return (
    <aside className="border-t border-line bg-canvas min-[800px]:border-t-0 min-[800px]:border-l">
      {/* Stays in view while the sections beside it scroll. */}
      <div className="flex flex-col gap-2 p-5 min-[800px]:sticky min-[800px]:top-0">
        <h3 className="text-md font-semibold text-strong">{t('wizard.preview')}</h3>
        {text === undefined ? (
          <p className="text-soft">{t('wizard.noConfig')}</p>
        ) : (
          <CodeBlock text={text} testId="wizard-config-preview" className="max-h-[60vh] overflow-auto" />
        )}
      </div>
    </aside>
  );
}

function Footer({
  wizard,
  restCount,
  onClose,
}: {
  readonly wizard: Wizard;
  readonly restCount: number;
  readonly onClose: () => void;
}) {
  return (
    <>
      {restCount > 0 && (
        <span className="mr-auto">
          <Checkbox isOn={wizard.isForAll} onChange={wizard.setIsForAll} data-testid="wizard-same-for-all">
            {t('wizard.sameForAll', { count: restCount })}
          </Checkbox>
        </span>
      )}
      <Button worksOffline onClick={onClose}>
        {t('common.cancel')}
      </Button>
      <Button
        data-testid="wizard-create"
        isBusy={wizard.isCreating}
        disabledReason={wizard.obstacle}
        onClick={() => wizard.create(false)}
      >
        {t('wizard.create')}
      </Button>
      <Button
        variant="primary"
        data-testid="wizard-create-load"
        isBusy={wizard.isCreating}
        disabledReason={wizard.obstacle}
        onClick={() => wizard.create(true)}
      >
        {t('wizard.createLoad')}
      </Button>
    </>
  );
}
