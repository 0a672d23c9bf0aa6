// A step more: which model, which version, what feeds its inputs, what its outputs are called. It is written as text, and
// taken back like any other change.

import { useMemo, useState } from 'react';

import { useModel } from '../../../engine/engine-context.tsx';
import { t } from '../../../texts/translate.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Field } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { TextInput } from '../../../ui/inputs.tsx';
import { Select } from '../../../ui/select.tsx';
import { sourceChoices, sourceFromValue } from '../ensemble-sources.ts';
import { addStep, writtenTensors } from '../ensemble-steps.ts';
import type { StepGuess, StepPorts } from '../new-step.ts';
import { guessStep, portsOf } from '../new-step.ts';
import type { Ensemble } from '../use-ensemble.ts';

const NEWEST = '-1';
const NO_PORTS: StepPorts = { inputs: [], outputs: [] };

/** `onAdd` is told the new text and the place of the step in it. */
export function AddStepDialog({
  ensemble,
  own,
  onAdd,
  onClose,
}: {
  readonly ensemble: Ensemble;
  /** The ensemble itself, which cannot be its own step. */
  readonly own: string;
  readonly onAdd: (text: string, step: number) => void;
  readonly onClose: () => void;
}) {
  const { text, config, dag, modelNames, modelOf } = ensemble;
  const [model, setModel] = useState('');
  const [version, setVersion] = useState(NEWEST);
  const [changed, setChanged] = useState<StepGuess>({ inputs: {}, outputs: {} });
  const names = useMemo(() => modelNames.filter((name) => name !== own), [modelNames, own]);
  const isKnown = names.includes(model);
  const ports = useMemo(
    () => (isKnown ? portsOf(text, model, modelOf) : NO_PORTS),
    [text, model, modelOf, isKnown],
  );
  const guess = useMemo(() => guessStep(dag, config, model, ports), [dag, config, model, ports]);
  const step = config.ensembleScheduling?.step.length ?? 0;
  const inputs = { ...guess.inputs, ...changed.inputs };
  const outputs = { ...guess.outputs, ...changed.outputs };
  const reason = reasonAgainst(model, own, outputs, writtenTensors(config));
  const choose = (next: string): void => {
    setModel(next);
    setVersion(NEWEST);
    setChanged({ inputs: {}, outputs: {} });
  };
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={t('graph.addStep.title')}
      description={t('graph.addStep.text')}
      width="md"
      testId="graph-add-step-dialog"
      isTyped={Object.keys({ ...changed.inputs, ...changed.outputs }).length > 0}
      act={{
        label: t('graph.addStep.do'),
        testId: 'graph-add-step-do',
        isRunning: false,
        reason,
        run: () => {
          const fed = Object.entries(inputs).flatMap(([port, value]) => {
            const source = sourceFromValue(value);
            return source === undefined ? [] : [[port, source] as const];
          });
          const used = Object.entries(outputs).flatMap(([port, name]) =>
            name.trim() === '' ? [] : [[port, name.trim()] as const],
          );
          const added = addStep(text, {
            model,
            version: Number(version),
            inputs: Object.fromEntries(fed),
            outputs: Object.fromEntries(used),
          });
          onAdd(added, step);
        },
      }}
    >
      <Field
        label={t('graph.addStep.model')}
        help={model === '' || isKnown ? undefined : t('graph.addStep.unknown', { model })}
      >
        <TextInput
          value={model}
          onChange={choose}
          list="graph-add-step-models"
          placeholder={t('graph.addStep.modelHint', { count: names.length })}
          data-testid="graph-add-step-model"
          className="w-full"
          isMono
        />
      </Field>
      <datalist id="graph-add-step-models">
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {isKnown && <VersionField model={model} value={version} onChange={setVersion} />}
      {ports.inputs.length > 0 && (
        <Ports title={t('graph.step.inputs')} ports={ports.inputs}>
          {({ name }) => (
            <Select
              aria-label={t('graph.step.readsFrom', { port: name })}
              data-testid={`graph-add-step-input-${name}`}
              className="w-full min-w-0"
              value={inputs[name] ?? ''}
              options={sourceChoices(dag, text, { kind: 'step', step, port: name }, undefined)}
              onChange={(value) => setChanged({ ...changed, inputs: { ...changed.inputs, [name]: value } })}
            />
          )}
        </Ports>
      )}
      {ports.outputs.length > 0 && (
        <Ports title={t('graph.step.outputs')} ports={ports.outputs}>
          {({ name }) => (
            <TextInput
              aria-label={t('graph.addStep.tensorOf', { port: name })}
              data-testid={`graph-add-step-output-${name}`}
              className="w-full"
              isMono
              placeholder={t('graph.step.unused')}
              value={outputs[name] ?? ''}
              onChange={(value) => setChanged({ ...changed, outputs: { ...changed.outputs, [name]: value } })}
            />
          )}
        </Ports>
      )}
    </FormDialog>
  );
}

function VersionField({
  model,
  value,
  onChange,
}: {
  readonly model: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const versions = useModel(model)?.versions ?? [];
  return (
    <div className="flex flex-col gap-1">
      <span className="font-medium text-strong">{t('graph.step.version')}</span>
      <Select
        aria-label={t('graph.step.version')}
        data-testid="graph-add-step-version"
        className="self-start"
        value={value}
        options={[
          { value: NEWEST, label: t('graph.step.newest') },
          ...versions.map(({ version }) => ({ value: version, label: version })),
        ]}
        onChange={onChange}
      />
    </div>
  );
}

function Ports({
  title,
  ports,
  children,
}: {
  readonly title: string;
  readonly ports: StepPorts['inputs'];
  readonly children: (port: StepPorts['inputs'][number]) => React.ReactNode;
}) {
  return (
    <section>
      <h3 className="mb-1 font-medium text-strong">{title}</h3>
      <ul className="flex flex-col gap-2">
        {ports.map((port) => (
          <li key={port.name} className="grid grid-cols-2 items-center gap-3">
            <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
              <code className="break-all text-strong">{port.name}</code>
              <span className="font-mono text-xs text-soft">{port.value}</span>
              {port.isOptional && <Badge>{t('graph.step.optional')}</Badge>}
            </span>
            {children(port)}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Undefined = the step can be added. */
function reasonAgainst(
  model: string,
  own: string,
  outputs: StepGuess['outputs'],
  written: ReadonlySet<string>,
): string | undefined {
  if (model === '') return t('graph.addStep.noModel');
  if (model === own) return t('graph.addStep.itself');
  const names = Object.values(outputs)
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const twice = names.find((name, at) => written.has(name) || names.indexOf(name) !== at);
  return twice === undefined ? undefined : t('graph.addStep.twice', { tensor: twice });
}
