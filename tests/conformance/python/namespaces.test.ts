// Calls between models where repositories are namespaces: a model names another one as a client does.

import { expect, test } from 'vitest';
import { TempRepository } from '../../../src-main/testing/temp-repository.ts';
import { needsPython, testPython } from '../../../src-main/testing/test-python.ts';
import { executing, IMPORTS, ONE_TO_ONE, PythonWorld } from './python-world.ts';

const ECHO = executing(
  'return [InferenceResponse([Tensor("OUTPUT0", each.inputs()[0].as_numpy())]) for each in requests]',
);
const CALLS = executing(`answers = []
for each in requests:
    found = InferenceRequest(model_name="echo", requested_output_names=["OUTPUT0"], inputs=each.inputs()).exec()
    answers.append(InferenceResponse(error=found.error()) if found.has_error() else InferenceResponse(found.output_tensors()))
return answers`);

test.skipIf(testPython() === undefined)(
  needsPython('a name that two repositories have is nobody, also for a model of one of them'),
  async () => {
    await using other = await TempRepository.create({
      'echo/config.pbtxt': `backend: "python"\n${ONE_TO_ONE}`,
      'echo/1/model.py': IMPORTS + ECHO,
    });
    await using world = await PythonWorld.create(
      { echo: { code: ECHO }, calls: { code: CALLS } },
      { repository: { namespacing: true } },
    );
    expect((await world.ask('calls')).outputs[0]?.data).toEqual([1, 2]);
    await world.engine.service.registerRepository(other.path, new Map());
    expect(await world.load('echo')).toBe('');
    expect(await world.ask('calls')).toMatchObject({
      status: 500,
      error:
        "Model echo - Error when running inference: Failed for execute the inference request. Model 'echo' is not ready.",
    });
  },
);
