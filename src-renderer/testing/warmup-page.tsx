// The Warmup tab of a model `batch_mlp` with samples from memory.

import { expect } from 'vitest';

import type { WarmupSample } from '../../src-shared/contract/inference-calls.ts';
import { parseWarmup, warmupText } from '../../src-shared/config/warmup-text.ts';
import type { ModelWarmup, WarmupInput } from '../../src-shared/config/model-config.ts';
import { WarmupTab } from '../features/warmup/warmup-tab.tsx';
import { modelAddress } from '../lib/address.ts';
import { byRole } from './by-role.ts';
import { FakeEngine } from './fake-engine.ts';
import type { Rendered } from './render.tsx';
import { renderWithHosts, until } from './render.tsx';

const MODEL = 'batch_mlp';

/** An input of four random floats, or whatever `changes` make of it. */
export function fakeInput(changes: Partial<WarmupInput> = {}): WarmupInput {
  return {
    ...{ dataType: 'TYPE_FP32', dims: [4], zeroData: undefined, randomData: true, inputDataFile: undefined },
    ...changes,
  };
}

/** A sample of batch 8 that is run once, with one input `X`. */
export function fakeWarmup(name: string, changes: Partial<ModelWarmup> = {}): ModelWarmup {
  return { name, batchSize: 8, count: 1, inputs: { X: fakeInput() }, ...changes };
}

/** As the engine lists it: in the file, or only suggested. */
export function listed(sample: ModelWarmup, isSuggested: boolean): WarmupSample {
  const { name, batchSize, count } = sample;
  return { name, isSuggested, batchSize, count, configText: warmupText(sample) };
}

/** An engine that lists these, puts what is inserted behind the text of the file, and keeps files of bytes. */
export function warmupEngine(...samples: readonly WarmupSample[]): FakeEngine {
  const fake = new FakeEngine();
  fake.overrides['warmup/samples'] = () => samples;
  fake.overrides['warmup/insert'] = ({ text, sampleText }) => ({ text: `${text}${sampleText}` });
  fake.overrides['warmup/writeFile'] = () => undefined;
  fake.overrides['blob/create'] = () => ({ blob: 'b1' });
  fake.overrides['blob/append'] = ({ base64 }) => ({ byteSize: atob(base64).length });
  fake.overrides['blob/release'] = () => undefined;
  return fake;
}

/** Draws the tab and waits until its samples were asked for. */
export async function showWarmup(fake: FakeEngine): Promise<Rendered> {
  const page = await renderWithHosts(
    <WarmupTab model={MODEL} version="" address={modelAddress(MODEL, 'warmup')} />,
    fake,
  );
  await until(() => expect(fake.argsOf('warmup/samples')).not.toHaveLength(0));
  return page;
}

/** The sample of that name. Throws while there is none. */
export function rowOf(name: string): HTMLElement {
  const row = byRole('button', new RegExp(`^(Edit|Close) ${name}$`)).closest('li');
  if (row === null) throw new Error(`'${name}' stands in no list`);
  return row;
}

/** The samples that were sent to run, in their order. */
export function ranSamples(fake: FakeEngine): readonly ModelWarmup[] {
  return fake.argsOf('warmup/run').map(({ configText }) => parseWarmup(configText));
}

/** The samples that were put into the file, in their order. */
export function insertedSamples(fake: FakeEngine): readonly ModelWarmup[] {
  return fake.argsOf('warmup/insert').map(({ sampleText }) => parseWarmup(sampleText));
}
