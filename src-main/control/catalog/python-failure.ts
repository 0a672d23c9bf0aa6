// What a Python error says, told apart from its traceback: the exception, its words, the line of the model's own code. Pure.

import path from 'node:path';

import type { CodePlace } from '../../../src-shared/contract/model-view.ts';

/** An error of a model's own code, read out of its traceback. */
export interface PythonFailure {
  /** "KeyError". */
  readonly type: string;
  /** "'nope'". */
  readonly text: string;
  /** Function that raised it; undefined for the file itself. */
  readonly where: string | undefined;
  /** Innermost line of a file in the model folder; undefined when none of it is there. */
  readonly place: CodePlace | undefined;
  /** The code could not even be read. */
  readonly isSyntax: boolean;
}

/** The exception; words of status codes stand before it. */
const HEAD =
  /(?:^|[ :])(?!(?:Internal|Invalid|Unavailable|Unsupported|Unknown)\b)((?:[A-Za-z_]\w*\.)*[A-Z]\w*): ?([^\n]*)\n+At:\n/;
/** "  /models/m/1/model.py(12): initialize", innermost first. */
const FRAME = /^ {2}(.+)\((\d+)\)(?:: (.*))?$/gm;

const SYNTAX: ReadonlySet<string> = new Set(['SyntaxError', 'IndentationError', 'TabError']);

/** What Python adds to the text of one that is about a file: the place says it. */
const IN_FILE = / \([^()]*, line \d+\)$/;

/** undefined when the reason holds no traceback as Python models give it. */
export function pythonFailure(reason: string, folder: string): PythonFailure | undefined {
  const head = HEAD.exec(reason);
  if (head === null) return undefined;
  const [, type = '', text = ''] = head;
  const frames = [...reason.slice(head.index).matchAll(FRAME)];
  const own = frames
    .map(([, file = '', line = '', where = '']) => ({
      file: inside(folder, file),
      line: Number(line),
      where,
    }))
    .find(({ file }) => file !== undefined);
  const where = own?.where ?? '';
  const isSyntax = SYNTAX.has(type);
  return {
    type,
    text: isSyntax && own !== undefined ? text.replace(IN_FILE, '') : text,
    where: where === '' || where === '<module>' ? undefined : where,
    place: own?.file === undefined ? undefined : { file: own.file, line: own.line },
    isSyntax,
  };
}

function inside(folder: string, file: string): string | undefined {
  const relative = path.relative(folder, file);
  const isInside = relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative);
  return isInside ? relative.split(path.sep).join('/') : undefined;
}
