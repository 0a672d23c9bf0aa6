// Ways round the rooms, each written into a tree of its own and checked against the real table.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';

import { roomProblems } from './room-rules.ts';
import { ROOM_TABLE } from './room-table.ts';
import { readSourceTree } from './source-tree.ts';

const trees: string[] = [];

afterEach(() => {
  for (const tree of trees.splice(0)) rmSync(tree, { recursive: true, force: true });
});

/** Problems of a tree of these files; a file that an import names and that is not given is there, and empty. */
function problemsOf(
  files: Readonly<Record<string, string>>,
  workers: Readonly<Record<string, string>> = {},
): readonly string[] {
  const root = mkdtempSync(path.join(os.tmpdir(), 'conch-rooms-'));
  trees.push(root);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.join(root, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
  const folders = ['src-shared', 'src-main', 'src-preload', 'src-renderer'];
  return roomProblems(readSourceTree({ root, folders, workers }), ROOM_TABLE);
}

const control = { 'src-main/control/x.ts': 'export const x = 1;' };

describe('an import of a room above is seen', () => {
  test.each([
    ['as a statement', "import { x } from '../control/x.ts';"],
    ['of types only', "import type { X } from '../control/x.ts';"],
    ['of a type in place', "export type X = typeof import('../control/x.ts');"],
    ['as a re-export', "export * from '../control/x.ts';"],
    ['when it is dynamic', "export const load = () => import('../control/x.ts');"],
    ['written as a template', 'export const load = () => import(`../control/x.ts`);'],
    ['behind a comment', "import { x } from /* quietly */ '../control/x.ts';"],
    ['over several lines', "import {\n  x,\n} from\n  '../control/x.ts';"],
    ['with a query', "import x from '../control/x.ts?worker';"],
    ['as a worker', "new Worker(new URL('../control/x.ts', import.meta.url));"],
    ['as an address', "export const at = new URL('../control/x.ts', import.meta.url);"],
    ['by require', "const require = createRequire(import.meta.url);\nrequire('../control/x.ts');"],
    ['by a renamed require', "const get = createRequire(import.meta.url);\nget('../control/x.ts');"],
    ['by require at once', "createRequire(import.meta.url)('../control/x.ts');"],
    [
      'by require that came later',
      "let get;\nget = createRequire(import.meta.url);\nget('../control/x.ts');",
    ],
    [
      'by require of another name',
      "import { createRequire as make } from 'node:module';\nmake(import.meta.url)('../control/x.ts');",
    ],
    ['by require of its module', "module.createRequire(import.meta.url)('../control/x.ts');"],
    ['by resolving it', "import.meta.resolve('../control/x.ts');"],
    ['as a reference', '/// <reference path="../control/x.ts" />'],
    ['without its extension', "import { x } from '../control/x';"],
    ['by the extension it has once built', "import { x } from '../control/x.js';"],
  ])('%s', (_way, text) => {
    const problems = problemsOf({ ...control, 'src-main/base/low.ts': text });
    expect(problems).toEqual([
      expect.stringMatching(
        /^src-main\/base\/low\.ts:\d: src-main\/base .* may not import src-main\/control/,
      ),
    ]);
  });

  test('in a file of JavaScript', () => {
    const problems = problemsOf({ ...control, 'src-main/base/low.mjs': "import '../control/x.ts';" });
    expect(problems).toHaveLength(1);
  });

  test('as a worker by its name', () => {
    const problems = problemsOf(
      { ...control, 'src-main/base/low.ts': "new Worker(workerEntryUrl('cruncher'));" },
      { cruncher: 'src-main/control/x.ts' },
    );
    expect(problems).toEqual([expect.stringContaining('may not import src-main/control')]);
  });

  test('but not in a comment, in a string, or in a test', () => {
    const text = "// import { x } from '../control/x.ts';\nexport const help = \"from '../control/x.ts'\";";
    expect(
      problemsOf({
        ...control,
        'src-main/base/low.ts': text,
        'src-main/base/low.test.ts': "import '../control/x.ts';",
        'src-main/testing/world.ts': "import '../control/x.ts';",
      }),
    ).toEqual([]);
  });
});

describe('a module of Node is seen where there is none', () => {
  test.each([
    ['as an import', "import fs from 'fs';"],
    ['asked of the process', "const fs = process.getBuiltinModule('fs');"],
    ['by a function of the process', "const { getBuiltinModule } = process;\ngetBuiltinModule('node:fs');"],
  ])('%s', (_way, text) => {
    expect(problemsOf({ 'src-shared/low.ts': text })).toEqual([
      expect.stringMatching(/may not import the library 'node:fs'/),
    ]);
  });
});

describe('a style sheet keeps to the rooms', () => {
  const sheet = (text: string): readonly string[] =>
    problemsOf({
      'src-renderer/layout/frame.css': '',
      'src-renderer/ui/beside.css': '',
      'src-renderer/ui/button.css': text,
    });

  test.each([
    ['by a string', "@import '../layout/frame.css';"],
    ['by an address', '@import url("../layout/frame.css") screen;'],
    ['by an address without quotes', '@import url(../layout/frame.css);'],
    ['for what it defines', '@reference "../layout/frame.css";'],
  ])('that it imports %s', (_way, text) => {
    expect(sheet(`/* above */\n${text}`)).toEqual([
      expect.stringMatching(/^src-renderer\/ui\/button\.css:2: .* may not import src-renderer\/layout/),
    ]);
  });

  test('and uses no package that its room has not', () => {
    expect(sheet("@import 'tailwindcss';")).toEqual([
      expect.stringContaining("may not import the library 'tailwindcss'"),
    ]);
  });

  test('but may import what is beside it, and say what it does not import', () => {
    expect(sheet("@import './beside.css';\n/* @import '../layout/frame.css'; */")).toEqual([]);
  });
});

describe('an address that nobody can check is refused', () => {
  test.each([
    ['a computed import', 'export const load = (name: string) => import(`../control/${name}.ts`);'],
    ['a computed worker', "new Worker(path.join('..', 'control', 'x.ts'));"],
    ['a worker whose name is a variable', 'new Worker(workerEntryUrl(name));'],
    ['many files by a pattern', "export const all = import.meta.glob('../control/*.ts');"],
  ])('%s', (_what, text) => {
    expect(problemsOf({ 'src-main/base/low.ts': text })).toEqual([
      expect.stringContaining('this address is computed'),
    ]);
  });

  test('except where the table gives a reason', () => {
    const file = 'src-main/backends/javascript/model-module.ts';
    expect(problemsOf({ [file]: 'export const load = (file: string) => import(file);' })).toEqual([]);
  });

  test('and one that leads to no file', () => {
    expect(problemsOf({ 'src-main/base/low.ts': "import './gone.ts';" })).toEqual([
      "src-main/base/low.ts:1: './gone.ts' leads to no file",
    ]);
  });
});

describe('the page keeps its ladder', () => {
  const page = (from: string, to: string): readonly string[] => {
    const [file, target] = [`src-renderer/${from}`, `src-renderer/${to}`];
    const address = path.posix.relative(path.posix.dirname(file), target);
    return problemsOf({
      [target]: 'export const x = 1;',
      [file]: `import { x } from '${address.startsWith('.') ? address : `./${address}`}';`,
    });
  };

  test.each([
    ['one screen to another', 'features/perf/a.tsx', 'features/logs/b.tsx'],
    ['ui to a screen', 'ui/a.tsx', 'features/logs/b.tsx'],
    ['lib to ui', 'lib/a.ts', 'ui/b.tsx'],
    ['lib to the engine', 'lib/a.ts', 'engine/b.ts'],
    ['ui to the engine', 'ui/a.tsx', 'engine/b.ts'],
    ['the engine to the drafts', 'engine/a.ts', 'config/b.ts'],
    ['actions to the drafts', 'actions/a.ts', 'config/b.ts'],
    ['a screen to the list of screens', 'features/perf/a.tsx', 'features/registry.ts'],
    ['a screen to the frame', 'features/perf/a.tsx', 'layout/b.tsx'],
    ['the frame to the app', 'layout/a.tsx', 'app.tsx'],
  ])('%s is refused', (_what, from, to) => {
    expect(page(from, to)).toEqual([expect.stringContaining('may not import')]);
  });

  test.each([
    ['a screen to ui', 'features/perf/components/a.tsx', 'ui/b.tsx'],
    ['a screen to itself', 'features/perf/components/a.tsx', 'features/perf/b.ts'],
    ['the drafts to actions', 'config/drafts/a.ts', 'actions/b.ts'],
    ['the app to the frame', 'app.tsx', 'layout/b.tsx'],
  ])('%s is free', (_what, from, to) => {
    expect(page(from, to)).toEqual([]);
  });

  test('and never reaches the engine itself', () => {
    const files = { ...control, 'src-renderer/app.tsx': "import '../src-main/control/x.ts';" };
    expect(problemsOf(files)).toEqual([expect.stringContaining('may not import src-main/control')]);
  });
});

describe('rooms of the engine', () => {
  test('a backend sees no other backend, nor the schedulers', () => {
    const problems = problemsOf({
      'src-main/backends/identity/a.ts': "import '../square/b.ts';\nimport '../../scheduling/c.ts';",
      'src-main/backends/square/b.ts': '',
      'src-main/scheduling/c.ts': '',
    });
    expect(problems).toEqual([
      expect.stringMatching(/backends\/identity .* may not import src-main\/backends\/square/),
      expect.stringMatching(/backends\/identity .* may not import src-main\/scheduling/),
    ]);
  });

  test('a folder without a row is refused, wherever it is', () => {
    const problems = problemsOf({
      'src-main/turbo/engine.ts': '',
      'src-main/protocol/ftp/server.ts': '',
      'src-renderer/widgets/a.tsx': '',
      'src-shared/misc/b.ts': '',
    });
    expect(problems).toHaveLength(4);
    expect(problems[0]).toBe(
      'src-main/protocol/ftp: this folder is in no room; give it a row in tools/rooms/room-table.ts',
    );
  });

  test('a new backend and a new screen need none', () => {
    expect(problemsOf({ 'src-main/backends/new/a.ts': '', 'src-renderer/features/new/a.tsx': '' })).toEqual(
      [],
    );
  });

  test('nothing of the product imports tests or tools', () => {
    const problems = problemsOf({
      'src-main/base/a.ts': "import '../testing/world.ts';\nimport '../../tools/x.ts';",
      'src-main/testing/world.ts': '',
      'tools/x.ts': '',
    });
    expect(problems).toEqual([
      'src-main/base/a.ts:1: only tests may import src-main/testing/world.ts',
      'src-main/base/a.ts:2: tools/x.ts is in no room',
    ]);
  });
});

describe('libraries', () => {
  test.each([
    ['src-main/scheduling/a.ts', 'react-dom'],
    ['src-main/scheduling/a.ts', 'sharp'],
    ['src-main/tensor/a.ts', 'node:fs'],
    ['src-main/control/a.ts', 'onnxruntime-node'],
    ['src-main/control/a.ts', '@grpc/grpc-js'],
    ['src-renderer/features/perf/a.tsx', 'monaco-editor'],
    ['src-renderer/ui/a.tsx', '@xyflow/react'],
    ['src-preload/a.ts', 'node:fs'],
  ])('%s may not use %s', (file, library) => {
    const [name = ''] = /^(?:@[^/]+\/)?[^/]+/.exec(library) ?? [];
    expect(problemsOf({ [file]: `import x from '${library}';` })).toEqual([
      expect.stringContaining(`may not import the library '${name}'`),
    ]);
  });

  test('built-in modules count without their prefix too', () => {
    expect(problemsOf({ 'src-shared/a.ts': "import fs from 'fs';" })).toEqual([
      "src-shared/a.ts:1: src-shared may not import the library 'node:fs' (allowed: none)",
    ]);
  });

  test('files of a library count as the library', () => {
    expect(problemsOf({ 'src-main/base/a.ts': "import '@grpc/grpc-js/build/x.js';" })).toEqual([
      expect.stringContaining("'@grpc/grpc-js'"),
    ]);
  });
});

describe('circles', () => {
  test('between files are refused, within a room and by types too', () => {
    const problems = problemsOf({
      'src-main/base/a.ts': "import type { B } from './b.ts';",
      'src-main/base/b.ts': "import './c.ts';",
      'src-main/base/c.ts': "import './a.ts';",
      'src-main/base/d.ts': "import './a.ts';",
    });
    expect(problems).toEqual([
      'src-main/base/a.ts: imports itself in a circle: src-main/base/b.ts -> src-main/base/c.ts -> src-main/base/a.ts',
    ]);
  });

  test('through a worker count', () => {
    const problems = problemsOf(
      {
        'src-main/perf/start.ts': "new Worker(workerEntryUrl('pacer'));",
        'src-main/perf/worker.ts': "import type { Job } from './start.ts';",
      },
      { pacer: 'src-main/perf/worker.ts' },
    );
    expect(problems).toEqual([expect.stringContaining('in a circle')]);
  });

  test('each is named once', () => {
    const problems = problemsOf({
      'src-main/base/a.ts': "import './b.ts';",
      'src-main/base/b.ts': "import './a.ts';",
      'src-main/base/c.ts': "import './d.ts';\nimport './a.ts';",
      'src-main/base/d.ts': "import './c.ts';",
    });
    expect(problems).toHaveLength(2);
  });
});
