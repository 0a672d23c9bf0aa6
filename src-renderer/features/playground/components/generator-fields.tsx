// What a generator needs: a constant, seed and range of random numbers, start and step. Zeros and ones need nothing.

import { t } from '../../../texts/translate.ts';
import { Field } from '../../../ui/field.tsx';
import { TextInput } from '../../../ui/inputs.tsx';
import { NumberInput } from '../../../ui/number-input.tsx';
import type { InputDraft } from '../draft.ts';
import { elementCountOf } from '../../../tensors/tensor-slices.ts';
import type { PlaygroundStore } from '../playground-store.ts';
import { patchInput } from '../playground-store.ts';

interface GeneratorProps {
  readonly store: PlaygroundStore;
  readonly input: InputDraft;
}

/** Values are kept as typed. */
export function GeneratorFields({ store, input }: GeneratorProps) {
  const { name, mode } = input;
  return (
    <div className="flex flex-wrap items-end gap-3">
      {mode === 'constant' && (
        <Field label={t('playground.constant')}>
          <TextInput
            value={input.constant}
            isMono
            className="w-40"
            data-testid={`pg-constant-${name}`}
            onChange={(constant) => patchInput(store, name, { constant })}
          />
        </Field>
      )}
      {mode === 'random' && <RandomFields store={store} input={input} />}
      {mode === 'range' && (
        <>
          <Field label={t('playground.range.start')}>
            <NumberInput
              value={input.range.start}
              onChange={(start = 0) => patchInput(store, name, { range: { ...input.range, start } })}
            />
          </Field>
          <Field label={t('playground.range.step')}>
            <NumberInput
              value={input.range.step}
              onChange={(step = 1) => patchInput(store, name, { range: { ...input.range, step } })}
            />
          </Field>
        </>
      )}
      <p className="pb-1 text-sm text-faint">
        {t('playground.elements', { count: elementCountOf(input.shape) })}
      </p>
    </div>
  );
}

function RandomFields({ store, input }: GeneratorProps) {
  const { name, random, datatype } = input;
  const set = (changes: Partial<InputDraft['random']>): void =>
    patchInput(store, name, { random: { ...random, ...changes } });
  const isNumber = datatype !== 'BYTES' && datatype !== 'BOOL';
  const step = /^(FP|BF)/.test(datatype) ? 0.1 : 1;
  return (
    <>
      <Field label={t('playground.random.seed')}>
        <NumberInput
          value={random.seed}
          data-testid={`pg-seed-${name}`}
          onChange={(seed = 1) => set({ seed })}
        />
      </Field>
      {isNumber && (
        <>
          <Field label={t('playground.random.min')}>
            <NumberInput value={random.min} step={step} onChange={(min = 0) => set({ min })} />
          </Field>
          <Field label={t('playground.random.max')}>
            <NumberInput value={random.max} step={step} onChange={(max = 1) => set({ max })} />
          </Field>
        </>
      )}
    </>
  );
}
