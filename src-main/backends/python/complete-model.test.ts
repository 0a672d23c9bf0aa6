// Which process completes a configuration, and which one its instances live in.

import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { LogRecord } from '../../base/log.ts';
import { addLogSink } from '../../base/log.ts';
import { Disposer } from '../../base/disposer.ts';
import type { AutoCompletion, BackendTools } from '../../inference/backend.ts';
import { modelFiles } from '../../inference/model-files.ts';
import { systemClock } from '../../base/clock.ts';
import { configOf } from '../../testing/config-text.ts';
import { LoadedModel, RecordingReporter } from '../../testing/backend-harness.ts';
import { isRunning } from '../../testing/is-running.ts';
import { TempRepository } from '../../testing/temp-repository.ts';
import { needsPython, testPython } from '../../testing/test-python.ts';
import { pythonDescription } from './description.ts';
import { PythonBackend } from './python-backend.ts';

// In one write: what two threads print comes piece by piece, mixed.
const MODEL = `import os
class TritonPythonModel:
    @staticmethod
    def auto_complete_config(config):
        os.write(1, f"completing {os.getpid()}\\n".encode())
        if config.as_dict()["max_batch_size"] == 7: raise ValueError("not seven")
        config.set_max_batch_size(8)
        return config
    def initialize(self, args):
        os.write(1, f"running {os.getpid()}\\n".encode())
    def execute(self, requests):
        return []
`;

const never = new AbortController().signal;
const settings = new Map([['python-executable', testPython() ?? '']]);

describe.skipIf(testPython() === undefined)(needsPython('where a configuration is completed'), () => {
  const cleanup = new Disposer();
  const lines: LogRecord[] = [];
  cleanup.defer(addLogSink((record) => lines.push(record)));
  afterEach(() => lines.splice(0));
  afterAll(() => cleanup.close());

  const pids = (what: string): number[] =>
    lines
      .filter(({ message }) => message.startsWith(`${what} `))
      .map(({ message }) => Number(message.split(' ')[1]));

  const backendOf = (sharesProcess: boolean, file: string): PythonBackend => {
    const tools: BackendTools = {
      settingsOf: () => settings,
      directory: '',
      services: () => undefined,
      owned: new Disposer(),
    };
    return new PythonBackend(pythonDescription('python'), tools, {
      fileFor: () => file,
      sharesProcess: () => sharesProcess,
    });
  };

  const complete = async (sharesProcess: boolean, text: string) => {
    const repository = await TempRepository.create({ 'm/1/model.py': MODEL });
    cleanup.add(repository);
    const files = modelFiles('m', repository.at('m'), '1');
    const backend = backendOf(sharesProcess, repository.at('m', '1', 'model.py'));
    const completing = backend.autoComplete(files, configOf(`backend: "python" ${text}`), {
      defaultMaxBatchSize: 0,
      backendConfig: settings,
      signal: never,
    });
    const load = async ({ config, handover }: AutoCompletion): Promise<LoadedModel> => {
      const reporter = new RecordingReporter();
      const model = await backend.load({
        ...files,
        config: config ?? configOf(''),
        clock: systemClock,
        backendConfig: settings,
        reporter,
        invoker: undefined,
        handover,
        signal: never,
      });
      return new LoadedModel(model, reporter);
    };
    return { completing, load };
  };

  const TWO = 'instance_group [ { count: 2 kind: KIND_CPU } ]';

  it('instances of a backend that shares a process move in where the configuration was completed', async () => {
    const { completing, load } = await complete(true, TWO);
    const completion = await completing;
    expect(completion.config?.maxBatchSize).toBe(8);
    const loaded = await load(completion);
    await Promise.all([loaded.instance({ name: 'm_0' }), loaded.instance({ name: 'm_1', ordinal: 1 })]);
    await completion.handover?.close();
    // All that was said: what is missing may have been said otherwise.
    await expect
      .poll(() => lines.map(({ message }) => message.replace(/\d+/, 'pid')).sort())
      .toEqual(['completing pid', 'running pid', 'running pid']);
    const [pid = 0] = pids('completing');
    expect([pids('running'), isRunning(pid)]).toEqual([[pid, pid], true]);
    await loaded[Symbol.asyncDispose]();
    expect(isRunning(pid)).toBe(false);
  });

  it('a process that nobody moves into ends with the handover', async () => {
    const { completing } = await complete(true, TWO);
    const { handover } = await completing;
    await expect.poll(() => pids('completing')).toHaveLength(1);
    expect(pids('completing').map(isRunning)).toEqual([true]);
    await handover?.close();
    expect(pids('completing').map(isRunning)).toEqual([false]);
  });

  it('one that could not complete is gone with its error', async () => {
    const { completing } = await complete(true, `${TWO} max_batch_size: 7`);
    await expect(completing).rejects.toThrow('not seven');
    expect(pids('completing').map(isRunning)).toEqual([false]);
  });

  it('a model of the user completes in a process of its own', async () => {
    const { completing, load } = await complete(false, '');
    const completion = await completing;
    expect(pids('completing').map(isRunning)).toEqual([false]);
    const loaded = await load(completion);
    await loaded.instance();
    await expect.poll(() => pids('running')).toHaveLength(1);
    expect(pids('running')).not.toEqual(pids('completing'));
    await loaded[Symbol.asyncDispose]();
  });
});
