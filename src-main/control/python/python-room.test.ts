// The programs here are scripts that stand for uv and Python, so that failures and cancels come when they should.

import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { systemClock } from '../../base/clock.ts';
import { TaskRegistry } from '../tasks/task-registry.ts';
import { PythonRoom } from './python-room.ts';

/** Answers both questions that are asked of a Python: what it is, and what it has. */
const PYTHON = (facts: object): string => `#!/bin/sh
case "$*" in
  *importlib*) echo 'conch-answer:[{"name":"numpy","version":"2.4.0"}]' ;;
  *) echo 'conch-answer:${JSON.stringify({ version: [3, 12, 1], bits: 64, executable: '/x/python3', numpy: '2.4.0', failure: null, ...facts })}' ;;
esac
`;
/** Makes a folder with such a Python, or does what \`install\` says when packages are asked for. */
const UV = (install: string): string => `#!/bin/sh
if [ "$1" = venv ]; then
  mkdir -p "$4/bin" && cat > "$4/bin/python3" <<'SCRIPT'
${PYTHON({})}SCRIPT
  chmod +x "$4/bin/python3"
  printf '#!%s/bin/python3\\n# \\351\\n' "$4" > "$4/bin/pip" && chmod +x "$4/bin/pip"
  ln "$4/bin/pip" "$4/cached"
else
  echo "Downloading numpy (16.9MiB)"
  if [ "$6" != pip ]; then exit 3; fi
  ${install}
fi
`;

const signal = new AbortController().signal;
let folder: string;
let tasks: TaskRegistry;
let room: PythonRoom;

async function program(name: string, text: string): Promise<string> {
  const file = path.join(folder, 'bin', name);
  await writeFile(file, text);
  await chmod(file, 0o755);
  return file;
}

function newRoom(pythonSetting?: string): PythonRoom {
  const roots = [path.join(folder, 'project', 'models')];
  return new PythonRoom({
    repository: { roots },
    tasks,
    userDataPath: path.join(folder, 'data'),
    pythonSetting,
  });
}

const call = async <K extends keyof PythonRoom['handlers']>(name: K, args: object) =>
  (await (room.handlers[name] as (args: object, context: object) => unknown)(args, { signal })) as Awaited<
    ReturnType<PythonRoom['handlers'][K]>
  >;

/** False also for one that ended and waits for its parent to look. */
function isRunning(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.startsWith('Z');
}

const made = (): Promise<string[]> => readdir(path.join(folder, 'data')).catch(() => []);

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'conch-python-'));
  await mkdir(path.join(folder, 'bin'));
  vi.stubEnv('PATH', `${path.join(folder, 'bin')}:/usr/bin:/bin`);
  tasks = new TaskRegistry({ clock: systemClock, onChange: () => undefined });
  room = newRoom();
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await tasks.close();
  await rm(folder, { recursive: true, force: true });
});

describe.skipIf(process.platform === 'win32')('the Python for models', () => {
  test('is the first of the system that is fit; others say what they miss', async () => {
    const poor = await program('python3', PYTHON({ numpy: null }));
    const other = path.join(folder, 'other');
    await mkdir(other);
    await writeFile(path.join(other, 'python3'), PYTHON({}), { mode: 0o755 });
    vi.stubEnv('PATH', `${path.join(folder, 'bin')}:${other}`);
    const { programs } = await call('python/view', {});
    expect(programs).toEqual([
      {
        path: poor,
        origin: 'system',
        isUsed: false,
        version: undefined,
        fault:
          "Python 3.12.1 ('/x/python3') has no numpy, which Python models need: run `/x/python3 -m pip install numpy`",
        packages: [],
      },
      {
        path: path.join(other, 'python3'),
        origin: 'system',
        isUsed: true,
        version: '3.12.1',
        fault: undefined,
        packages: [{ name: 'numpy', version: '2.4.0' }],
      },
    ]);
  });

  test('is the environment beside the repository, when there is one', async () => {
    const bin = path.join(folder, 'project', '.venv', 'bin');
    await mkdir(bin, { recursive: true });
    await writeFile(path.join(bin, 'python3'), PYTHON({ version: [3, 8, 0] }), { mode: 0o755 });
    const { programs } = await call('python/view', {});
    expect(programs[0]).toMatchObject({ origin: 'repository', isUsed: false });
    expect(programs.some(({ isUsed }) => isUsed)).toBe(false);
    expect(programs[0]?.fault).toContain('is too old for Python models');
  });

  test('is the one that is set, and nothing else; the others are there to go back to', async () => {
    const other = await program('python3', PYTHON({}));
    vi.stubEnv('PATH', path.join(folder, 'bin'));
    room = newRoom(await program('mine', PYTHON({})));
    const { programs } = await call('python/view', {});
    expect(programs).toMatchObject([
      { path: path.join(folder, 'bin/mine'), origin: 'setting', isUsed: true },
      { path: other, origin: 'system', isUsed: false, fault: undefined },
    ]);
  });
});

describe.skipIf(process.platform === 'win32')('Set up Python', () => {
  test('makes an environment that is listed, with its progress as a task', async () => {
    await program('uv', UV('echo "Installed 1 package"'));
    const before = await call('python/view', {});
    expect(before.setup).toMatchObject({
      tool: 'uv',
      isDone: false,
      unavailable: undefined,
      packages: ['numpy'],
    });
    const { path: python } = await call('python/setUp', { taskId: 'a' });
    expect(python).toBe(path.join(folder, 'data/python/bin/python3'));
    expect(tasks.list()).toMatchObject([{ id: 'a', title: 'Set up Python', state: 'done', progress: 1 }]);
    // The folder that it was made in is gone; a file of a cache, which a script may be linked with, stays.
    const script = path.join(path.dirname(python), 'pip');
    expect(await readFile(script, 'latin1')).toBe(`#!${python}\n# \u00e9\n`);
    expect((await stat(script)).mode & 0o777).toBe(0o755);
    expect(await readFile(path.join(folder, 'data/python/cached'), 'latin1')).toContain('python.making');
    const { programs, setup } = await call('python/view', {});
    expect(programs.at(-1)).toMatchObject({ path: python, origin: 'own', isUsed: false, fault: undefined });
    expect(setup.isDone).toBe(true);
    expect(await made()).toEqual(['python']);
  });

  test.each([
    ['a failed download', 'echo "error: Failed to fetch numpy" >&2; exit 2', 'error: Failed to fetch numpy'],
    [
      'one that is told in colours, with its causes',
      String.raw`printf '\033[1m\033[31merror\033[39m:\033[0m Failed to fetch\n  \033[1mcause\033[0m: refused\n' >&2; exit 2`,
      /^error: Failed to fetch: refused$/,
    ],
    ['an environment that does not work', 'rm "$4"', 'cannot run Python models: there is no such program'],
  ])('leaves nothing behind after %s, and keeps the former one', async (_, install, words) => {
    await program('uv', UV('true'));
    await call('python/setUp', { taskId: 'a' });
    await program('uv', UV(install));
    await expect(call('python/setUp', { taskId: 'b' })).rejects.toThrow(words);
    expect(tasks.list().at(-1)).toMatchObject({ id: 'b', state: 'failed' });
    expect(await made()).toEqual(['python']);
    expect((await call('python/view', {})).setup.isDone).toBe(true);
  });

  test('a cancel ends what runs at once, with all that it started', async () => {
    const pid = path.join(folder, 'pid');
    await program('uv', UV(`sleep 60 & echo $! > ${pid}; wait`));
    const running = call('python/setUp', { taskId: 'a' });
    await vi.waitFor(() =>
      expect(tasks.list()[0]?.detail).toBe('installing numpy: Downloading numpy (16.9MiB)'),
    );
    await expect(call('python/setUp', { taskId: 'b' })).rejects.toThrow('an environment is being made');
    tasks.cancel('a');
    await expect(running).rejects.toThrow();
    expect(tasks.list()).toMatchObject([{ id: 'a', state: 'cancelled' }]);
    const started = Number(await readFile(pid, 'utf8'));
    await vi.waitFor(() => expect(isRunning(started)).toBe(false));
    expect(await made()).toEqual([]);
  });

  test('without uv it tells its steps, and no share of the whole that nobody knows', async () => {
    const seen: (readonly [progress: number | undefined, detail: string])[] = [];
    tasks = new TaskRegistry({
      clock: systemClock,
      onChange: ({ state, progress, detail }) => {
        if (state === 'running') seen.push([progress, detail]);
      },
    });
    room = newRoom();
    // Stands for the Python of the system; what it makes has a Python that stands for the one of the environment.
    await program(
      'python3',
      `#!/bin/sh
case "$*" in
  "-m venv --without-pip"*) mkdir -p "$4/bin" && cat > "$4/bin/python3" <<'SCRIPT'
#!/bin/sh
case "$*" in
  *ensurepip*) echo "Processing pip" ;;
  *"pip install"*) echo "Downloading numpy" ;;
  *) exec ${path.join(folder, 'bin/made')} "$@" ;;
esac
SCRIPT
  chmod +x "$4/bin/python3" ;;
  *) exec ${path.join(folder, 'bin/made')} "$@" ;;
esac
`,
    );
    await program('made', PYTHON({}));
    await call('python/setUp', { taskId: 'a' });
    expect(seen.filter(([, detail]) => detail !== '')).toEqual([
      [undefined, 'making the environment'],
      [undefined, 'installing pip'],
      [undefined, 'installing pip: Processing pip'],
      [undefined, 'installing numpy'],
      [undefined, 'installing numpy: Downloading numpy'],
      [undefined, 'trying it'],
    ]);
  });

  test('what an attempt left that was killed is removed at the next start', async () => {
    await mkdir(path.join(folder, 'data/python.making/bin'), { recursive: true });
    await room.start();
    expect(await made()).toEqual([]);
  });

  test('says what to install when nothing can make an environment', async () => {
    vi.stubEnv('PATH', path.join(folder, 'bin'));
    const { setup } = await call('python/view', {});
    expect(setup).toMatchObject({ tool: undefined, isDone: false });
    expect(setup.unavailable).toContain('neither uv nor Python 3.9 or newer was found');
    await expect(call('python/setUp', { taskId: 'a' })).rejects.toThrow('neither uv nor Python');
  });

  test('names the package that Debian keeps back', async () => {
    vi.stubEnv('PATH', `${path.join(folder, 'bin')}`);
    await program(
      'python3',
      '#!/bin/sh\necho "The virtual environment was not created because ensurepip is not available."; exit 1\n',
    );
    await expect(call('python/setUp', { taskId: 'a' })).rejects.toThrow('sudo apt install python3-venv');
  });
});
