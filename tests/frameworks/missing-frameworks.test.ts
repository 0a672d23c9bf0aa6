// A Python without the package that a model needs: one sentence with the command, and everything else goes on.

import { expect, it } from 'vitest';
import { testPython } from '../../src-main/testing/test-python.ts';
import { floats, FrameworkWorld, tensor } from './framework-world.ts';

const sides = `input [ ${tensor('A', 'TYPE_FP32', '2')} ] output [ ${tensor('O', 'TYPE_FP32', '2')} ]`;

/** Backend, how its framework calls itself, the package, what it is imported as, and a Python that may lack it. */
const FRAMEWORKS = [
  ['pytorch', 'PyTorch', 'torch', 'torch', 'numpy'],
  ['openvino', 'OpenVINO', 'openvino', 'openvino', 'torch'],
  ['tensorflow', 'TensorFlow', 'tensorflow', 'tensorflow', 'torch'],
  ['dali', 'DALI', 'nvidia-dali-cuda120', 'nvidia.dali', 'torch'],
  ['tensorrt', 'TensorRT', 'tensorrt-cu12', 'tensorrt', 'numpy'],
] as const;

for (const [backend, framework, pip, module, other] of FRAMEWORKS) {
  const python = testPython(other);
  const reason =
    python === undefined || python === testPython(module)
      ? ` (skipped: no other python3 lacks ${module})`
      : '';
  it.skipIf(reason !== '')(
    `row 84: ${framework} that is missing is one sentence with the command${reason}`,
    async () => {
      await using world = await FrameworkWorld.create(
        'nothing.py',
        other,
        backend,
        backend === 'tensorrt' ? { gpus: [0] } : {},
      );
      const config = `${backend === 'tensorflow' ? 'platform: "tensorflow_savedmodel"' : `backend: "${backend}"`} ${sides}`;
      expect(await world.load('m', { config })).toMatch(
        new RegExp(
          `${framework} models need ${framework}, and Python [\\d.]+ \\('${python}'\\) has no package '${module.split('.')[0]}.*': run \`.* -m pip install ${pip}`,
        ),
      );
      expect(
        await world.load('other', { config: `backend: "identity" ${sides.replace('"O"', '"A"')}` }),
      ).toBe('');
      expect((await world.infer('other', [floats('A', [1, 2], [2])])).status).toBe(200);
    },
  );
}
