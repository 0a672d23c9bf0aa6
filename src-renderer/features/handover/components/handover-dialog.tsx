// Handing the repositories over: what is chosen at the left, what was found and what would be written at the right.

import { useState } from 'react';

import type {
  HandoverChoices,
  HandoverPlan,
  HandoverView,
} from '../../../../src-shared/contract/handover-calls.ts';
import { isHandoverName } from '../../../../src-shared/contract/handover-calls.ts';
import { useClient, useModels } from '../../../engine/engine-context.tsx';
import type { ModelsState } from '../../../engine/models-store.ts';
import { nativeShell } from '../../../engine/native-shell.ts';
import { useAction } from '../../../engine/use-action.ts';
import type { CallState } from '../../../engine/use-call.ts';
import { useCall } from '../../../engine/use-call.ts';
import { t } from '../../../texts/translate.ts';
import { ActFooter } from '../../../ui/act-footer.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { Checkbox } from '../../../ui/toggles.tsx';
import { downloadZip, saveToFolder } from '../hand-out.ts';
import { firstPlan, keptPlan } from '../kept-plan.ts';
import { FindingList } from './finding-list.tsx';
import { FilePreview } from './file-preview.tsx';
import { PlanForm } from './plan-form.tsx';

/** Reads the choices when it opens. */
export function HandoverDialog({ onClose }: { readonly onClose: () => void }) {
  const choices = useCall('handover/choices', {});
  if (choices.data !== undefined) return <OpenDialog choices={choices.data} onClose={onClose} />;
  return (
    <Dialog isOpen onClose={onClose} width="full" title={t('handover.title')} testId="handover-dialog">
      {choices.error === undefined ? (
        <Skeleton rows={8} />
      ) : (
        <p role="alert" aria-live="assertive">
          {choices.error}
        </p>
      )}
    </Dialog>
  );
}

/** Changes with what the repositories hold, so that findings are those of the folders as they are now. */
function repositoryState({ models }: ModelsState): string {
  return models
    .map(({ name, state, loadedAtMs, changedOnDisk }) => [name, state, loadedAtMs, changedOnDisk].join(' '))
    .join('\n');
}

function OpenDialog({
  choices,
  onClose,
}: {
  readonly choices: HandoverChoices;
  readonly onClose: () => void;
}) {
  const client = useClient();
  const [plan, setPlan] = useState(() => firstPlan(choices));
  const [isForced, setIsForced] = useState(false);
  const isNamed = isHandoverName(plan.name);
  const answer = useCall('handover/prepare', isNamed ? { plan } : undefined, useModels(repositoryState));
  const prepared = isNamed ? answer : { ...answer, error: t('handover.name.bad') };
  const change = (changes: Partial<HandoverPlan>): void => {
    const next = { ...plan, ...changes };
    keptPlan.setState({ plan: next });
    setPlan(next);
    setIsForced(false);
  };
  const isDesktop = nativeShell() !== undefined;
  const handOut = useAction(async () => {
    if (await (isDesktop ? saveToFolder : downloadZip)(client, { plan, isForced })) onClose();
  });
  const view = prepared.error === undefined ? prepared.data : undefined;
  const hasErrors = (view?.errorCount ?? 0) > 0;
  return (
    <Dialog
      isOpen
      isFlush
      onClose={onClose}
      width="full"
      title={t('handover.title')}
      description={t('handover.help')}
      testId="handover-dialog"
      footer={
        <>
          {hasErrors && (
            <Checkbox isOn={isForced} onChange={setIsForced} data-testid="handover-force">
              {t('handover.force')}
            </Checkbox>
          )}
          <span className="flex-1" />
          <ActFooter
            onCancel={onClose}
            data-testid="handover-act"
            isBusy={handOut.isRunning}
            disabledReason={reasonAgainst(view, prepared, isForced)}
            onClick={handOut.run}
          >
            {t(isDesktop ? 'handover.save' : 'handover.download')}
          </ActFooter>
        </>
      }
    >
      <div className="grid h-[min(38rem,calc(100vh-14rem))] grid-cols-[20rem_minmax(0,1fr)] border-t border-line">
        <PlanForm choices={choices} plan={plan} onChange={change} />
        <Prepared prepared={prepared} view={view} />
      </div>
    </Dialog>
  );
}

function reasonAgainst(
  view: HandoverView | undefined,
  { error }: CallState<HandoverView>,
  isForced: boolean,
): string | undefined {
  if (error !== undefined) return error;
  if (view === undefined) return t('handover.notYet');
  return view.errorCount > 0 && !isForced ? t('handover.blocked') : undefined;
}

function Prepared({
  prepared,
  view,
}: {
  readonly prepared: CallState<HandoverView>;
  readonly view: HandoverView | undefined;
}) {
  const [shown, setShown] = useState('findings');
  if (prepared.error !== undefined) {
    return (
      <div
        role="alert"
        aria-live="assertive"
        className="border-l border-line p-5"
        data-testid="handover-refused"
      >
        <p className="font-semibold text-bad">{t('handover.failed')}</p>
        <p className="mt-1 text-strong">{prepared.error}</p>
      </div>
    );
  }
  if (view === undefined) {
    return (
      <div
        className="border-l border-line p-5"
        aria-label={t('handover.checking')}
        role="status"
        aria-live="polite"
      >
        <Skeleton rows={6} />
      </div>
    );
  }
  const summary = t('handover.summary', { errors: view.errorCount, warnings: view.warningCount });
  return (
    <div className="flex min-h-0 min-w-0 flex-col border-l border-line">
      <Tabs
        label={t('handover.view')}
        value={shown}
        onChange={setShown}
        items={[
          { id: 'findings', title: t('handover.findings'), testId: 'handover-tab-findings' },
          { id: 'files', title: t('handover.files'), testId: 'handover-tab-files' },
        ]}
        trailing={
          <span role="status" aria-live="polite" className="text-sm text-soft" data-testid="handover-summary">
            {summary}
          </span>
        }
      >
        {shown === 'findings' ? <FindingList view={view} /> : <FilePreview files={view.files} />}
      </Tabs>
    </div>
  );
}
