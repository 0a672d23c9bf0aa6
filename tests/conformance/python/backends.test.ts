// Backends that are written in Python, and the settings that the Python backend takes.

import { describe, expect, test } from 'vitest';
import { needsPython, testPython } from '../../../src-main/testing/test-python.ts';
import { executing, IMPORTS, ONE_TO_ONE, PythonWorld } from './python-world.ts';

const IDENTITY = executing(
  'return [InferenceResponse([Tensor("OUTPUT0", each.inputs()[0].as_numpy())]) for each in requests]',
);

describe.skipIf(testPython() === undefined)(needsPython('backends in Python, and settings'), () => {
  test('a backend out of the backend directory runs for all its models', async () => {
    await using directory = await PythonWorld.create({});
    const code = `${IMPORTS}
class TritonPythonModel:
    def execute(self, requests):
        with open(os.path.join(pb_utils.get_model_dir(), "value.txt")) as file:
            value = float(file.read())
        return [InferenceResponse([Tensor("OUTPUT0", np.full(1, value, np.float32))]) for each in requests]
`;
    await directory.repository.write({ 'backends/valued/model.py': code });
    await using world = await PythonWorld.create(
      {
        five: {
          config: null,
          files: { 'config.pbtxt': `backend: "valued"\n${ONE_TO_ONE}`, '1/value.txt': '5' },
        },
      },
      {
        backends: {
          directory: directory.repository.at('backends'),
          settings: [{ backend: 'valued', key: 'python-executable', value: testPython() ?? '' }],
        },
      },
    );
    expect((await world.ask('five')).outputs[0]?.data).toEqual([5]);
  });

  test.each([
    ['shm-default-byte-size', '1000', "shm-default-byte-size can't be smaller than 4 MiBs"],
    ['shm-growth-byte-size', '0', "shm-growth-byte-size can't be smaller than or equal to zero."],
    ['stub-timeout-seconds', '-1', "stub-timeout-seconds can't be smaller than or equal to zero."],
    ['thread-pool-size', '0', "thread-pool-size can't be less than 1."],
    ['shm-region-prefix-name', '', 'shm-region-prefix-name must at least contain one character.'],
    ['thread-pool-size', 'x', "thread-pool-size must be a number, got 'x'"],
    [
      'python-executable',
      '/no/such/python3',
      "'/no/such/python3' cannot run Python models: there is no such program",
    ],
    [
      'python-executable',
      '/etc/passwd',
      "'/etc/passwd' cannot run Python models: it is not a program that may be run",
    ],
  ])('the setting %s=%s is refused at load', async (key, value, expected) => {
    await using world = await PythonWorld.create(
      { m: { code: IDENTITY } },
      {
        repository: { autoCompleteConfig: false },
        backends: { settings: [{ backend: 'python', key, value }] },
      },
    );
    expect(world.logged("failed to load 'm'").join('\n')).toContain(expected);
  });
});
