import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PythonFinder } from './python-choice.ts';

const GOOD = {
  version: [3, 12, 1],
  bits: 64,
  executable: '/x/python3',
  numpy: '2.4.0',
  failure: null,
  isManaged: false,
};

/** A Python that says this of itself, or does that instead. */
const answering = (facts: object): string =>
  `echo; echo 'conch-answer:${JSON.stringify({ ...GOOD, ...facts })}'`;

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
      'of a system that keeps pip out',
      { numpy: null, isManaged: true },
      /run `\/x\/python3 -m venv --system-site-packages \.venv && \.venv\/bin\/python3 -m pip install numpy` in the folder that holds/,
    ],
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
    [
      'that answers something else',
      'echo hello',
      0o755,
      'it is no Python: it did not answer what it was asked',
    ],
    ['that fails without a word', 'exit 3', 0o755, 'it ended with exit code 3'],
    ['that is killed', 'kill -9 $$', 0o755, 'it was ended by signal SIGKILL'],
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

  it('a program whose first line names nothing is told from one that is missing', async () => {
    const file = path.join(folder, 'bad-start');
    await writeFile(file, '#!/nowhere/python\n', { mode: 0o755 });
    await expect(new PythonFinder().look(file)).rejects.toThrow('what its first line names does not exist');
  });

  it('what a Python prints at its start and end is none of its answer', async () => {
    const file = await program('chatty', `echo hello; ${answering({})}; echo "good bye"`);
    expect(await new PythonFinder().look(file)).toMatchObject({ version: '3.12.1' });
  });

  it('an environment beside the repository whose base is gone is told of, not passed over', async () => {
    const bin = path.join(folder, 'gone', '.venv', 'bin');
    await mkdir(bin, { recursive: true });
    await symlink('/nowhere/python3.10', path.join(bin, 'python'));
    await symlink('python', path.join(bin, 'python3'));
    const wish = { setting: undefined, modelDir: path.join(folder, 'gone', 'models', 'm') };
    await expect(new PythonFinder().choose(wish)).rejects.toThrow(
      `'${path.join(bin, 'python3')}' cannot run Python models: it is a link to '/nowhere/python3.10', which does not exist`,
    );
  });

  it('one that is mended is looked at again, one that is fit is not', async () => {
    const finder = new PythonFinder();
    const file = await program('mended', answering({ numpy: null }));
    await expect(finder.look(file)).rejects.toThrow('has no numpy');
    await program('mended', answering({}));
    expect(await finder.look(file)).toMatchObject({
      program: file,
      version: '3.12.1',
    });
    await program('mended', 'exit 1');
    expect(await finder.look(file)).toMatchObject({ version: '3.12.1' });
  });
});
