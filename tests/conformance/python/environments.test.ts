// Row 14 of the checklist of Triton's Python backend: environments of their own, as folders and as archives.

import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needsPython, testPython } from '../../../src-main/testing/test-python.ts';
import { executing, ONE_TO_ONE, PythonWorld } from './python-world.ts';

describe.skipIf(testPython() === undefined)(needsPython('environments of Python models'), () => {
  let world: PythonWorld;
  let archives = '';

  beforeAll(async () => {
    archives = await mkdtemp(path.join(tmpdir(), 'conch-archives-'));
    world = await PythonWorld.create({}, { repository: { autoCompleteConfig: false } });
    const environment = world.repository.at('..', `${path.basename(world.repository.path)}-env`);
    await mkdir(path.join(environment, 'bin'), { recursive: true });
    await writeFile(path.join(environment, 'bin', 'activate'), 'exit 1\n');
    const script = `#!/bin/sh\nexec ${testPython() ?? ''} "$@"\n`;
    await writeFile(path.join(environment, 'bin', 'python3'), script, { mode: 0o755 });
  });

  afterAll(async () => {
    for (const folder of [environmentFolder(), archives])
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    await world[Symbol.asyncDispose]();
  });

  const environmentFolder = (): string => `${world.repository.path}-env`;
  const within = (place: string): string =>
    `${ONE_TO_ONE}\nparameters { key: "EXECUTION_ENV_PATH" value { string_value: "${place}" } }`;
  const TELL = executing(
    `print("env", os.environ.get("VIRTUAL_ENV"), os.environ["PATH"].split(":")[0])\n${'return [InferenceResponse([Tensor("OUTPUT0", np.ones(1, np.float32))])]'}`,
  );

  const archiveOf = (name: string): string => path.join(archives, `${name}.tar.gz`);
  const pack = (name: string, ...entries: string[]): string => {
    const archive = archiveOf(name);
    spawnSync('tar', ['-czf', archive, '-C', environmentFolder(), ...entries]);
    return archive;
  };

  test('14 environments: a folder is used where it is', async () => {
    expect(await world.load('folder', { config: within(environmentFolder()), code: TELL })).toBe('');
    expect((await world.ask('folder')).status).toBe(200);
    const folder = environmentFolder();
    expect(world.logged(`env ${folder} ${folder}/bin`)).toHaveLength(1);
    expect(world.logged(`Using Python execution env ${folder}`)).toHaveLength(1);
  });

  test('14 environments: a path can start at the model folder', async () => {
    await world.repository.write({ 'relative/env/bin/activate': '' });
    await symlink(
      path.join(environmentFolder(), 'bin', 'python3'),
      world.repository.at('relative', 'env', 'bin', 'python3'),
    );
    expect(await world.load('relative', { config: within('$$TRITON_MODEL_DIRECTORY/env'), code: TELL })).toBe(
      '',
    );
    expect((await world.ask('relative')).status).toBe(200);
  });

  test('14 environments: an archive is unpacked once, and again when it changed', async () => {
    const archive = pack('env', 'bin');
    expect(await world.load('archive', { config: within(archive), code: TELL })).toBe('');
    expect(await world.load('archive2', { config: within(archive), code: TELL })).toBe('');
    await world.ask('archive');
    await world.ask('archive2');
    await writeFile(path.join(environmentFolder(), 'new'), '');
    pack('env', 'bin', 'new');
    expect(await world.load('archive3', { config: within(archive), code: TELL })).toBe('');
    await world.ask('archive3');
    const folders = world
      .logged('env ')
      .filter((line) => line.includes('python_env_'))
      .map((line) => line.split(' ')[1]);
    expect([folders[0] === folders[1], folders[1] === folders[2]]).toEqual([true, false]);
  });

  test.each([
    ['climbs', '../out', undefined, "entry '../out' leads out of the archive"],
    ['linked', 'out', '/etc', "link 'out' leads out of the archive, to '/etc'"],
    ['up', 'out', '../..', "link 'out' leads out of the archive, to '../..'"],
    ['hard', 'out', 'hard:../x', "link 'out' leads out of the archive, to '../x'"],
    ['through', 'bin/x', 'via', "entry 'bin/x' passes through a link"],
  ])('14 environments: an archive that %s is refused', async (name, entry, target, expected) => {
    const archive = archiveOf(name);
    const make = `
import io, sys, tarfile
archive, entry, target = sys.argv[1:4]
with tarfile.open(archive, "w:gz") as tar:
    if target == "via":
        link = tarfile.TarInfo("bin"); link.type = tarfile.SYMTYPE; link.linkname = "lib"; tar.addfile(link)
    info = tarfile.TarInfo(entry)
    if target not in ("", "via"):
        info.type = tarfile.LNKTYPE if target.startswith("hard:") else tarfile.SYMTYPE
        info.linkname = target.replace("hard:", "")
        tar.addfile(info)
    else:
        info.size = 1; tar.addfile(info, io.BytesIO(b"x"))
`;
    spawnSync(testPython() ?? '', ['-c', make, archive, entry, target ?? '']);
    await world.load(name, { config: within(archive), code: TELL });
    expect(world.logged(`failed to load '${name}'`).join('\n')).toContain(expected);
  });

  test('14 environments: what is no environment is said', async () => {
    await world.repository.write({ 'empty/env/': '' });
    await world.load('empty', { config: within('$$TRITON_MODEL_DIRECTORY/env'), code: TELL });
    expect(world.logged("failed to load 'empty'").join('\n')).toContain(
      `env/bin/activate does not exist. The Python environment should contain an 'activate' script.`,
    );
    await world.load('nowhere', { config: within('/no/such/place'), code: TELL });
    expect(world.logged("failed to load 'nowhere'").join('\n')).toContain(
      'Failed to get the canonical path for /no/such/place.',
    );
  });
});
