// Requests of one sequence: its id, buttons that start, continue and end it, the steps so far with what came back, and
// how long until the server forgets it.

import { CirclePlay, FastForward, ListPlus, RotateCcw, SkipForward, StepForward } from 'lucide-react';
import { useStore } from 'zustand';

import { useEngine } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { t } from '../../../texts/translate.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Field } from '../../../ui/field.tsx';
import { TextInput } from '../../../ui/inputs.tsx';
import { SimpleTable } from '../../../ui/simple-table.tsx';
import { toastSuccess } from '../../../ui/toast.tsx';
import { Checkbox } from '../../../ui/toggles.tsx';
import { Tooltip } from '../../../ui/tooltip.tsx';
import type { PlaygroundContext } from '../playground-context.ts';
import type { Outcome, SequenceStep } from '../playground-store.ts';
import { patchDraft } from '../playground-store.ts';
import { addToScript, nextSequenceId, playSteps, sendStep } from '../send-actions.ts';
import { loadWithLongIdle, useIdleLeft } from '../sequence-idle.ts';

/** What a hand needs between two steps, at least. */
const SHORT_MS = 15_000;

interface SequenceProps {
  readonly context: PlaygroundContext;
  readonly idleMs: number;
}

/** `idleMs` is how long the server keeps a sequence without a request, in milliseconds. */
export function SequenceCard({ context, idleMs }: SequenceProps) {
  const { store } = context;
  const sequence = useStore(store, (state) => state.draft?.sequence);
  const steps = useStore(store, (state) => state.steps);
  const leftMs = useIdleLeft(steps, idleMs);
  if (sequence === undefined) return null;
  const set = (changes: Partial<typeof sequence>): void =>
    patchDraft(store, { sequence: { ...sequence, ...changes } });
  return (
    <Card title={t('playground.sequence')} testId="pg-sequence" actions={<Idle leftMs={leftMs} />}>
      <div className="flex flex-col gap-3">
        {idleMs > 0 && idleMs < SHORT_MS && <ShortIdle context={context} idleMs={idleMs} />}
        <div className="flex flex-wrap items-end gap-3">
          <Field label={t('playground.sequence.id')}>
            <TextInput
              value={sequence.id}
              isMono
              className="w-32"
              data-testid="pg-sequence-id"
              onChange={(id) => set({ id })}
            />
          </Field>
          <Button icon={RotateCcw} onClick={() => set({ id: nextSequenceId(sequence.id), start: true })}>
            {t('playground.sequence.new')}
          </Button>
          <Checkbox
            isOn={sequence.start}
            onChange={(start) => set({ start })}
            data-testid="pg-sequence-start-flag"
          >
            {t('playground.sequence.startFlag')}
          </Checkbox>
          <Checkbox isOn={sequence.end} onChange={(end) => set({ end })} data-testid="pg-sequence-end-flag">
            {t('playground.sequence.endFlag')}
          </Checkbox>
        </div>
        <StepButtons context={context} hasSteps={steps.length > 0} isDropped={leftMs === 0} />
        <Script store={store} />
        {steps.length > 0 && <Steps steps={steps} />}
      </div>
    </Card>
  );
}

function StepButtons({
  context,
  hasSteps,
  isDropped,
}: {
  readonly context: PlaygroundContext;
  readonly hasSteps: boolean;
  readonly isDropped: boolean;
}) {
  const engine = useEngine();
  const { store, name: model, version } = context;
  const isBusy = useStore(store, (state) => state.sending !== undefined);
  const hasScript = useStore(store, (state) => state.script.length > 0);
  const dropped = isDropped ? t('playground.sequence.dropped') : undefined;
  const send = (start: boolean, end: boolean) => () =>
    void sendStep(engine, store, { model, version }, { start, end });
  return (
    <div className="flex flex-wrap gap-2">
      <Button icon={CirclePlay} isBusy={isBusy} data-testid="pg-sequence-start" onClick={send(true, false)}>
        {t('playground.sequence.start')}
      </Button>
      <Button
        icon={StepForward}
        isBusy={isBusy}
        disabledReason={dropped}
        data-testid="pg-sequence-step"
        onClick={send(false, false)}
      >
        {t('playground.sequence.step')}
      </Button>
      <Button
        icon={SkipForward}
        isBusy={isBusy}
        disabledReason={dropped}
        data-testid="pg-sequence-end"
        onClick={send(false, true)}
      >
        {t('playground.sequence.end')}
      </Button>
      <Button
        icon={ListPlus}
        worksOffline
        data-testid="pg-sequence-add"
        onClick={() => addToScript(store, { model, version })}
      >
        {t('playground.sequence.add')}
      </Button>
      <Button
        icon={FastForward}
        isBusy={isBusy}
        disabledReason={hasSteps || hasScript ? undefined : t('playground.sequence.noSteps')}
        data-testid="pg-sequence-play"
        onClick={() => void playSteps(engine, store)}
      >
        {t(hasScript ? 'playground.sequence.playScript' : 'playground.sequence.play')}
      </Button>
    </div>
  );
}

/** The default of Triton is too short for a hand: what can be done instead. */
function ShortIdle({ context: { name, store }, idleMs }: SequenceProps) {
  const { client } = useEngine();
  const longer = useAction(async () => {
    await loadWithLongIdle(client, name);
    store.setState({ steps: [] });
    toastSuccess(t('playground.sequence.longerDone', { name }));
  });
  return (
    <Banner
      tone="info"
      testId="pg-sequence-short"
      actions={
        <Tooltip text={t('playground.sequence.longerHelp')}>
          <Button
            size="sm"
            isBusy={longer.isRunning}
            data-testid="pg-sequence-longer"
            onClick={() => longer.run()}
          >
            {t('playground.sequence.longer')}
          </Button>
        </Tooltip>
      }
    >
      {t('playground.sequence.short', { seconds: Math.max(1, Math.round(idleMs / 1000)) })}
    </Banner>
  );
}

function Script({ store }: Pick<PlaygroundContext, 'store'>) {
  const count = useStore(store, (state) => state.script.length);
  if (count === 0) return null;
  return (
    <p className="flex flex-wrap items-center gap-2 text-soft" data-testid="pg-sequence-script">
      {t('playground.sequence.script', { count })}
      <Button size="sm" variant="ghost" worksOffline onClick={() => store.setState({ script: [] })}>
        {t('playground.sequence.clear')}
      </Button>
    </p>
  );
}

function Steps({ steps }: { readonly steps: readonly SequenceStep[] }) {
  return (
    <SimpleTable
      label={t('playground.sequence.steps')}
      testId="pg-sequence-steps"
      rows={steps}
      keyOf={({ outcome }) => String(outcome.id)}
      columns={[
        { id: 'flags', title: t('playground.sequence.flags'), cell: ({ flags }) => <Badge>{flags}</Badge> },
        {
          id: 'in',
          title: t('playground.sequence.in'),
          isMono: true,
          cell: ({ outcome }) => sentText(outcome),
        },
        {
          id: 'out',
          title: t('playground.sequence.out'),
          isMono: true,
          cell: ({ outcome }) => (
            <span data-testid="pg-step-out" className={outcome.result?.ok === true ? '' : 'text-bad'}>
              {answerText(outcome)}
            </span>
          ),
        },
      ]}
    />
  );
}

const SHOWN_VALUES = 4;

function sentText({ request }: Outcome): string {
  return request.inputs
    .map(({ name, source }) => {
      if (source.kind !== 'values') return `${name} ${source.kind}`;
      return `${name} ${shortList(source.values)}`;
    })
    .join('; ');
}

function answerText({ result, refused }: Outcome): string {
  if (result === undefined) return refused ?? '';
  if (!result.ok) return result.error ?? '';
  return (result.responses[0]?.outputs ?? [])
    .map(({ name, preview }) => `${name} ${shortList(preview)}`)
    .join('; ');
}

function shortList(values: readonly string[]): string {
  const shown = values.slice(0, SHOWN_VALUES).join(' ');
  return values.length > SHOWN_VALUES ? `${shown} …` : shown;
}

function Idle({ leftMs }: { readonly leftMs: number | undefined }) {
  if (leftMs === undefined) return null;
  return (
    <span className="text-sm text-faint" data-testid="pg-sequence-idle">
      {leftMs > 0
        ? t('playground.sequence.idle', { seconds: Math.ceil(leftMs / 1000) })
        : t('playground.sequence.forgotten')}
    </span>
  );
}
