import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PythonFinder } from './python-choice.ts';

const GOOD = { version: [3, 12, 1], bits: 64, executable: '/x/python3', numpy: '2.4.0', failure: null };

/** A Python that says this of itself, or does that instead. */
const answering = (facts: object): string => `echo '${JSON.stringify({ ...GOOD, ...facts })}'`;

describe.skipIf(process.platform === 'win32')('a Python for models', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'conch-python-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function program(name: string, script: string, mode = 0o755): Promise<string> {
    const file = path.join(folder, name);
    await writeFile(file, `#!/bin/sh\n${script}\n`);
    await chmod(file, mode);
    return file;
  }

  it.each([
    ['too old', { version: [3, 8, 18] }, /^Python 3\.8\.18 .* is too old .* need 3\.9 or newer/],
    ['Python 2', { version: [2, 7, 18] }, /^Python 2\.7\.18 .* is too old/],
    ['32-bit', { bits: 32 }, /^Python 3\.12\.1 .* is a 32-bit program, and Python models need a 64-bit one/],
    ['without numpy', { numpy: null }, /has no numpy.*run `\/x\/python3 -m pip install numpy`$/],
    [
      'with a broken numpy',
      { failure: 'ImportError: libfoo' },
      /cannot be imported \(ImportError: libfoo\).*--force-reinstall/,
    ],
  ])('%s is refused in one sentence', async (name, facts, refusal) => {
    const file = await program(name.replaceAll(' ', '-'), answering(facts));
    await expect(new PythonFinder().look(file)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringMatching(refusal) as string,
    });
  });

  it.each([
    ['that is missing', undefined, 0o755, 'there is no such program'],
    ['that may not be run', 'exit 0', 0o644, 'it is not a program that may be run'],
    ['that fails', 'echo "cannot load libpython" >&2; exit 3', 0o755, 'cannot load libpython'],
    ['that answers something else', 'echo hello', 0o755, 'cannot run Python models'],
  ])('a program %s is refused in one sentence', async (_, script, mode, refusal) => {
    const file =
      script === undefined
        ? path.join(folder, 'nowhere')
        : await program(`p${mode}${script.length}`, script, mode);
    await expect(new PythonFinder().look(file)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining(refusal) as string,
    });
  });

  it('one that is mended is looked at again, one that is fit is not', async () => {
    const finder = new PythonFinder();
    const file = await program('mended', answering({ numpy: null }));
    await expect(finder.look(file)).rejects.toThrow('has no numpy');
    await program('mended', answering({}));
    expect(await finder.look(file)).toMatchObject({
      program: file,
      version: '3.12.1',
      numpyVersion: '2.4.0',
    });
    await program('mended', 'exit 1');
    expect(await finder.look(file)).toMatchObject({ version: '3.12.1' });
  });
});
