// The suites of `npm test`: everything a change must pass. Together some twelve minutes on two cores; what takes longer
// is in long-suites.ts. One entry here is all that a further suite needs.

import { ensureBuilt, pinnedNode } from '../bootstrap.mjs';
import { findBrowser } from '../find-browser.mjs';
import { inElectron, missingElectron } from './electron-suites.ts';
import type { Counts, Suite, SuiteShell } from './suite.ts';
import { byExitCode, countsOf, orFailed } from './suite.ts';
import { playwright, readReport, runProgram, vitest } from './test-programs.ts';

/** A suite that is one program of ours, and one case. */
function check(
  name: string,
  checks: string,
  usualSeconds: number,
  run: (shell: SuiteShell) => Promise<number>,
): Suite {
  return { name, checks, usualSeconds, cores: 1, run: async (shell) => byExitCode(await run(shell)) };
}

/** The sources by oxfmt, a fiftieth of the work; the rest by Prettier, which generators of pages are made with too. */
async function formatting(shell: SuiteShell): Promise<number> {
  const sources = '**/*.{ts,tsx}';
  const codes = [
    await runProgram(shell, 'oxfmt', ['--check', sources]),
    await runProgram(shell, 'prettier', [
      '--check',
      '--log-level=warn',
      '--cache',
      '--cache-location=.cache/prettier',
      '.',
      `!${sources}`,
    ]),
  ];
  return Math.max(...codes);
}

/** What `--check` compares with its sources. */
const GENERATORS = [
  'tools/build-proto.ts',
  'tools/build-docs.ts',
  'tools/make-fixtures.ts',
  'tools/make-error-page.ts',
];

interface ClientsReport extends Counts {
  readonly reason?: string;
}

/** The official Python clients against a running server; one skipped case where they cannot be installed. */
async function officialClients(shell: SuiteShell): Promise<Counts> {
  const code = await shell.run(pinnedNode(), ['tools/conformance-tritonclient.ts']);
  const report = await readReport<ClientsReport>('tritonclient');
  if (report === undefined) return byExitCode(code === 0 ? 1 : code);
  if (report.reason !== undefined) shell.say(`the official Python clients are skipped: ${report.reason}`);
  return orFailed(code, report);
}

async function endToEnd(shell: SuiteShell): Promise<Counts> {
  const browser = await findBrowser();
  if (browser.file === undefined) {
    shell.say(`end-to-end tests in a browser are skipped: ${browser.reason ?? ''}`);
  }
  const environment = { CONCH_BROWSER: browser.file ?? '' };
  return playwright(shell, 'e2e', { project: 'browser', environment });
}

/**
 * Go for programs that get one core. Several checkers side by side read the same types, each for itself, and memory is
 * collected more often than a few seconds need: both together are half of the processor time.
 */
const ON_ONE_CORE = { environment: { GOMAXPROCS: '1', GOGC: '400' } };

/** Suites that have workers get half of the machine each, so that two of them fit beside each other. */
function half(machineCores: number): number {
  return Math.max(1, Math.floor(machineCores / 2));
}

/** What others wait for comes first, then the longest; the short checks fill what is left. */
export function quickSuites(machineCores: number): readonly Suite[] {
  return [...firstSuites(), ...testSuites(half(machineCores)), ...checkSuites()];
}

function firstSuites(): readonly Suite[] {
  return [
    check('build', 'the build that the end-to-end tests open', 40, async () => {
      await ensureBuilt();
      return 0;
    }),
    {
      name: 'clients',
      checks: 'the official Python clients against a server',
      usualSeconds: 45,
      cores: 1,
      run: officialClients,
    },
  ];
}

function checkSuites(): readonly Suite[] {
  return [
    check('lint', 'lint rules', 20, (shell) => runProgram(shell, 'oxlint', [], ON_ONE_CORE)),
    check('types', 'types of all sources', 20, (shell) =>
      runProgram(shell, 'tsc', ['-b', '--singleThreaded'], ON_ONE_CORE),
    ),
    {
      name: 'python',
      checks: 'what Python models import, in a Python alone',
      usualSeconds: 15,
      cores: 1,
      run: async (shell) => {
        const code = await shell.run(pinnedNode(), ['tools/python-tests.ts']);
        return countsOf(code, await shell.output());
      },
    },
    check('format', 'formatting', 10, formatting),
    check('unused', 'code that nothing uses', 10, (shell) =>
      runProgram(shell, 'knip', ['--no-config-hints']),
    ),
    check('rooms', 'who may import what', 10, (shell) => shell.run(pinnedNode(), ['tools/check-rooms.ts'])),
    check('packages', 'licences and known weaknesses of what is installed', 5, (shell) =>
      shell.run(pinnedNode(), ['tools/dependencies/check-dependencies.ts']),
    ),
    check('docs', 'where pages and comments point to', 5, (shell) =>
      shell.run(pinnedNode(), ['tools/check-docs.ts']),
    ),
    check('generated', 'generated files are those of their sources', 5, async (shell) => {
      const codes = await Promise.all(GENERATORS.map((tool) => shell.run(pinnedNode(), [tool, '--check'])));
      return Math.max(...codes);
    }),
  ];
}

function testSuites(cores: number): readonly Suite[] {
  return [
    {
      name: 'e2e',
      checks: 'the window in a browser',
      usualSeconds: 400,
      cores,
      after: ['build'],
      run: endToEnd,
    },
    {
      name: 'unit',
      checks: 'tests beside the sources',
      usualSeconds: 400,
      cores,
      run: (shell) => vitest(shell, 'unit', ['unit', 'renderer', 'renderer-threads']),
    },
    {
      name: 'conformance',
      checks: 'the wire, scheduling and the life of models',
      usualSeconds: 240,
      cores,
      // Code that the window shows for the clients is run with what they install.
      after: ['clients'],
      run: (shell) =>
        vitest(shell, 'conformance', ['conformance'], { files: ['tests/conformance/'], waits: true }),
    },
    {
      name: 'processes',
      checks: 'whole servers: how they end, hostile clients, recipes of the documents, golden configurations',
      usualSeconds: 120,
      cores,
      run: (shell) =>
        vitest(shell, 'processes', ['conformance'], {
          files: ['tests/golden/', 'tests/hostile/', 'tests/processes/', 'tests/recipes/'],
          waits: true,
        }),
    },
    {
      name: 'desktop',
      checks: 'what only the desktop app can answer, in a real Electron',
      usualSeconds: 120,
      cores,
      after: ['build'],
      missing: missingElectron,
      run: (shell) => inElectron(shell, 'desktop', ['e2e/desktop/']),
    },
  ];
}
