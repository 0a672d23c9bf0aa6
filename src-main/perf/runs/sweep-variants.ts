// The configurations a sweep tries: every combination of the given values, as edits of one text, so that comments and
// all other fields stay as they are.

import { diffModelConfigs } from '../../../src-shared/config/config-diff.ts';
import { editConfigValue } from '../../../src-shared/config/config-edit.ts';
import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import { parseModelConfig } from '../../../src-shared/config/parse-model-config.ts';
import { applyTextEdits } from '../../../src-shared/config/text-format/ast.ts';
import { parseText } from '../../../src-shared/config/text-format/parser.ts';
import type { PerfSweep } from '../../../src-shared/contract/perf-calls.ts';
import { perfRunErrors } from './run-errors.ts';

/** One configuration of a sweep. */
export interface ConfigVariant {
  /** "instances 2, max batch 8"; undefined = the text as it is, when no combination is the same. */
  readonly title: string | undefined;
  readonly configText: string;
}

const MAX_VARIANTS = 200;
const THREADS_KEY = 'intra_op_thread_count';

interface Choice {
  readonly title: string;
  readonly apply: (text: string) => string;
}

/** The text as it is comes first, and only once. INVALID_ARG when there are none or too many. */
export function sweepVariants(
  configText: string,
  sweep: PerfSweep,
  options: { readonly batchSize: number },
): readonly ConfigVariant[] {
  const { config } = parseModelConfig(configText);
  const maxBatchSizes = sweep.maxBatchSizes.filter((size) => options.batchSize <= Math.max(1, size));
  const dimensions: Choice[][] = [
    sweep.instanceCounts.map((count): Choice => ({
      title: `instances ${count}`,
      apply: (text) => withInstances(text, config, count),
    })),
    maxBatchSizes.map((size): Choice => ({
      title: `max batch ${size}`,
      apply: (text) => edited(text, 'max_batch_size', size),
    })),
    sweep.queueDelaysUs.map((delayUs): Choice => ({
      title: `queue delay ${delayUs} us`,
      apply: (text) => edited(text, 'dynamic_batching.max_queue_delay_microseconds', BigInt(delayUs)),
    })),
    sweep.intraOpThreads.map((threads): Choice => ({
      title: `threads ${threads}`,
      apply: (text) =>
        edited(text, `parameters[${JSON.stringify(THREADS_KEY)}].string_value`, String(threads)),
    })),
  ].filter((choices) => choices.length > 0);
  if (dimensions.length === 0) throw perfRunErrors.nothingToSweep();
  const count = dimensions.reduce((product, choices) => product * choices.length, 1);
  if (count > MAX_VARIANTS) throw perfRunErrors.tooManyVariants({ count, limit: MAX_VARIANTS });
  const combinations = dimensions.reduce<Choice[][]>(
    (known, choices) => known.flatMap((some) => choices.map((choice) => [...some, choice])),
    [[]],
  );
  const variants = combinations.map((choices) => ({
    title: choices.map(({ title }) => title).join(', '),
    configText: choices.reduce((text, { apply }) => apply(text), configText),
  }));
  // A combination that is what serves already is measured once, as that.
  const isSame = (variant: ConfigVariant): boolean =>
    diffModelConfigs(config, parseModelConfig(variant.configText).config).length === 0;
  const same = variants.find(isSame);
  return [{ title: same?.title, configText }, ...variants.filter((variant) => !isSame(variant))];
}

function edited(text: string, path: string, value: unknown): string {
  return applyTextEdits(text, editConfigValue(parseText(text), path, value));
}

/** The count of the first group; a configuration without groups gets one. */
function withInstances(text: string, config: ModelConfig, count: number): string {
  return config.instanceGroup.length === 0
    ? edited(text, 'instance_group', [{ count }])
    : edited(text, 'instance_group[0].count', count);
}
