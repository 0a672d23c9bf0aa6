// The golden configurations: what must be refused and with which words, what must load and with which completed
// configuration. Those that name no platform are played on one; GPU 0 is the only one there is.

import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { completeModelConfig } from '../../src-shared/config/complete-model-config.ts';
import type { ComposingModel } from '../../src-shared/config/composing-model.ts';
import { firstError, type ConfigIssue } from '../../src-shared/config/config-issue.ts';
import { validateModelConfig } from '../../src-shared/config/config-validator.ts';
import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import type { ModelDescription } from '../../src-shared/config/model-description.ts';
import { parseModelConfig } from '../../src-shared/config/parse-model-config.ts';
import { checkEnsembleDependencies, checkEnsembleInterfaces } from '../../src-shared/config/rules/ensemble-interface-rules.ts';
import { checkInterface } from '../../src-shared/config/rules/interface-rules.ts';
import { configText, describeModelFile, foldersIn, goldenCases, messagePattern } from './golden-cases.ts';
import { SOME_BACKENDS } from '../../src-shared/testing/some-backends.ts';

const ONE_GPU = { gpuInventory: [{ id: 0 }], gpuPolicy: 'strict' as const };

interface Outcome {
  readonly config: ModelConfig;
  readonly error: ConfigIssue | undefined;
}

interface LoadOptions {
  readonly directoryName: string;
  readonly isStrict?: boolean;
  readonly description?: ModelDescription | undefined;
}

/** Everything that happens to a config on its way to a served model, as far as it is pure. */
function load(text: string, { directoryName, isStrict = false, description }: LoadOptions): Outcome {
  const parsed = parseModelConfig(text);
  const syntax = firstError(parsed.issues);
  if (syntax !== undefined) return { config: parsed.config, error: syntax };
  const completed = completeModelConfig(parsed.config, {
    directoryName,
    entries: description === undefined ? [] : [{ name: 'model.onnx', isDirectory: false }],
    gpuInventory: ONE_GPU.gpuInventory,
    backends: SOME_BACKENDS,
    description: isStrict ? undefined : description,
  });
  const issues = [
    ...completed.issues,
    ...validateModelConfig(completed.config, { ...ONE_GPU, isStrict, availableVersions: [1] }),
    ...(description === undefined ? [] : checkInterface(completed.config, description)),
  ];
  return { config: completed.config, error: firstError(issues) };
}

function expectMessage(error: ConfigIssue | undefined, expected: Iterable<string>): void {
  const patterns = [...expected].map(messagePattern);
  const message = error?.message ?? '(no error)';
  expect(
    patterns.some((pattern) => pattern.test(message)),
    `"${message}" is none of ${patterns.join(' | ')}`,
  ).toBe(true);
}

describe('golden configurations', () => {
  describe.each([
    ['onnxruntime_onnx', 'expected'],
    ['ensemble', 'expected_ensemble'],
  ])('refused on platform %s', (platform, file) => {
    const cases = goldenCases('reject/platform').filter((each) => each.expected.has(file));
    test.each(cases)('$name', ({ name, folder, expected }) => {
      const text = `${configText(folder).replaceAll(/^platform:.*$/gm, '')}\nplatform: "${platform}"\n`;
      const { error } = load(text, { directoryName: name, isStrict: true });
      const answers = platform === 'ensemble' ? expected.values() : [expected.get(file) ?? ''];
      expectMessage(error, answers);
    });
  });

  test.each(goldenCases('reject/common'))('refused: $name', ({ name, folder, expected }) => {
    expectMessage(load(configText(folder), { directoryName: name }).error, expected.values());
  });

  test.each(goldenCases('reject/metrics'))('refused metrics: $name', ({ folder, expected }) => {
    const base = parseModelConfig('name: "m" backend: "identity" max_batch_size: 0');
    const partial = parseModelConfig(configText(folder, 'partial.pbtxt'));
    const { config } = completeModelConfig(
      { ...base.config, modelMetrics: partial.config.modelMetrics },
      { directoryName: 'm' },
    );
    expectMessage(firstError(validateModelConfig(config, { stage: 'poll' })), expected.values());
  });

  test.each(goldenCases('reject/onnx'))('refused ONNX: $name', async ({ name, folder, expected }) => {
    const description = await describeModelFile(folder);
    expect(description).toBeDefined();
    const { error } = load(configText(folder), { directoryName: name, description });
    expectMessage(error, expected.values());
  });

  test.each(goldenCases('accept/onnx'))('completed ONNX: $name', async ({ name, folder, expected }) => {
    const description = await describeModelFile(folder);
    expect(description).toBeDefined();
    const { config, error } = load(configText(folder), { directoryName: name, description });
    expect(error).toBeUndefined();
    const answers = [...expected.values()].map((text) => parseModelConfig(text).config);
    expect(answers).toContainEqual(config);
  });

  test.each(goldenCases('reject/ensemble'))('refused ensemble: $name', ({ name, folder, expected }) => {
    const { repository, error } = loadRepository(folder, name);
    expectMessage(error ?? firstError(checkEnsembleFully(name, repository)), expected.values());
  });

  test.each(goldenCases('accept/ensemble'))('completed ensemble: $name', ({ name, folder, expected }) => {
    const { repository, error } = loadRepository(folder, name);
    expect(error).toBeUndefined();
    expect(checkEnsembleFully(name, repository)).toEqual([]);
    const answers = [...expected.values()].map((text) => parseModelConfig(text).config);
    expect(answers).toContainEqual(repository.get(name)?.config);
  });
});

/** All models of a small repository, loaded; the error is that of the case's own model. */
function loadRepository(
  folder: string,
  name: string,
): { repository: Map<string, ComposingModel>; error: ConfigIssue | undefined } {
  const inner = foldersIn(folder).filter((each) => configText(path.join(folder, each)) !== '');
  const models = inner.length === 0 ? [[name, folder] as const] : inner.map((each) => [each, path.join(folder, each)] as const);
  const repository = new Map<string, ComposingModel>();
  let error: ConfigIssue | undefined;
  for (const [model, modelFolder] of models) {
    const outcome = load(configText(modelFolder), { directoryName: model });
    if (model === name) error = outcome.error;
    repository.set(model, { config: outcome.config, readyVersions: [1] });
  }
  return { repository, error };
}

function checkEnsembleFully(name: string, repository: ReadonlyMap<string, ComposingModel>): ConfigIssue[] {
  const config = repository.get(name)?.config;
  if (config === undefined) throw new Error(`no model ${name} in the case`);
  const lookup = (model: string): ComposingModel | undefined => repository.get(model);
  return [...checkEnsembleDependencies(config, lookup), ...checkEnsembleInterfaces(config, lookup)];
}
