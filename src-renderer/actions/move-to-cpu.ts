// "Use the CPU": moves the instances of a model there, with a way back.

import type { ModelView } from '../../src-shared/contract/model-view.ts';
import type { Engine } from '../engine/engine-context.tsx';
import { withCpuInstances } from '../lib/cpu-instances.ts';
import { t } from '../texts/translate.ts';
import { editConfig } from './edit-config.ts';

/** Rejects when the file cannot be written. */
export async function moveToCpu(engine: Engine, { name, instanceCount }: ModelView): Promise<void> {
  await editConfig(engine, name, {
    title: t('model.gpu.moved'),
    apply: (text) => withCpuInstances(text, instanceCount),
    load: false,
  });
}
