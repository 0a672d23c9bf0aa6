// Why a model did not load, for the failure card: a plain title and the rule with its values beside the verbatim text.

import path from 'node:path';

import type { ConfigFix, ConfigIssueView } from '../../../src-shared/contract/config-calls.ts';
import type { ModelFailure } from '../../../src-shared/contract/model-view.ts';
import { PLAIN_FAILURE_TITLE } from '../../../src-shared/contract/model-view.ts';
import { UNTRUSTED } from '../../repository/code-trust.ts';
import { CHOOSE_PYTHON, FAILURE_PATTERNS } from './failure-patterns.ts';
import { installCommand, missingModule } from './missing-package.ts';
import { pythonFailure, type PythonFailure } from './python-failure.ts';
import { stepFailure, type StepFailure } from './step-failure.ts';

const PROBE: ConfigFix = { title: 'Run batch probe', edits: [], action: 'batch-probe' };

/** What can be done besides editing, whatever the words of the reason. */
const ACTIONS: Readonly<Record<string, readonly ConfigFix[]>> = { D20: [PROBE] };

/** Words of reasons that a missing model file may be behind. */
const NEEDS_FILE =
  /could not determine backend|failed to stat file|no such file|unable to find|^(?:\w+: )?Stub process '.*' is not healthy/i;

function withoutFile(reason: string, version: string): ModelFailure {
  return {
    title: `Version ${version} has no model file`,
    original: reason,
    why: `The folder ${version} is empty. Put the model file into it, for ONNX ${version}/model.onnx, for Python ${version}/model.py; then it loads.`,
    code: undefined,
    line: 0,
    place: undefined,
    fixes: [{ title: 'Choose model file…', edits: [], action: 'locate-external-data' }],
  };
}

function untrusted(reason: string): ModelFailure {
  return {
    title: 'Its folder is not trusted yet',
    original: reason,
    why: 'This model is code that came with the folder. It can do whatever you can do on this machine, so it runs only after you say that you trust the folder.',
    code: undefined,
    line: 0,
    place: undefined,
    fixes: [{ title: 'Trust this folder', edits: [], action: 'trust-repository' }],
  };
}

function inPython(reason: string, { type, text, where, place, isSyntax }: PythonFailure): ModelFailure {
  const module = /^No module named '([\w.]+)'/.exec(text)?.[1];
  const at = place === undefined ? '' : ` in line ${place.line} of ${place.file}`;
  // A text that cannot be read was not run, so nothing raised it.
  const raised = isSyntax ? at.trimStart() : `raised${where === undefined ? '' : ` by ${where}`}${at}`;
  const raisedAt = raised === '' ? '' : ` (${raised})`;
  return {
    title: module === undefined ? `${type} in its Python code` : `Python has no module '${module}'`,
    original: reason,
    why:
      module === undefined
        ? `${text === '' ? type : text}${raisedAt}.`
        : `The code imports '${module}'${at}. ${missingModule(module)}`,
    code: undefined,
    line: 0,
    place,
    fixes: module === undefined ? [] : [CHOOSE_PYTHON],
  };
}

/** `own` are the fixes of the configuration's finding. */
function inStep(
  reason: string,
  { needed, reason: inner }: StepFailure,
  issue: ConfigIssueView | undefined,
  own: readonly ConfigFix[],
): ModelFailure {
  const open: ConfigFix = { title: `Open ${needed}`, edits: [], action: 'open-model', target: needed };
  const failure = inner === undefined ? undefined : explained(inner, [], {});
  const cause = failure === undefined ? '' : ` ${needed}: ${failure.title}. ${failure.why}`;
  return {
    title: `Its step model '${needed}' is not loaded`,
    original: reason,
    why: `An ensemble loads once all models of its steps have. Mend ${needed}, and load this one again.${cause}`,
    code: issue?.code,
    line: issue?.line ?? 0,
    place: undefined,
    fixes: withFixes(own, [open]),
  };
}

/** Never done by itself: the other file may answer otherwise. */
function serveOnnx(file: string): ConfigFix {
  const title = `Serve ${path.basename(file)} beside it as a model of its own`;
  return { title, edits: [], action: 'serve-onnx', target: file };
}

/**
 * `issues` are those of the configuration text; the first error gives code, line and fixes. `folder` is the model's;
 * `emptyVersion` is a version folder without a file.
 */
export function modelFailure(
  reason: string,
  issues: readonly ConfigIssueView[],
  about: FailureSurroundings = {},
): ModelFailure {
  const failure = explained(reason, issues, about);
  const { onnxBeside, folder } = about;
  const command = installCommand(reason, folder);
  const fixes = onnxBeside === undefined ? failure.fixes : withFixes(failure.fixes, [serveOnnx(onnxBeside)]);
  return { ...failure, fixes, ...(command === undefined ? {} : { command }) };
}

interface FailureSurroundings {
  readonly emptyVersion?: string | undefined;
  readonly folder?: string | undefined;
  /** Absolute path of an ONNX file beside the one that does not load; undefined = there is none. */
  readonly onnxBeside?: string | undefined;
}

function explained(
  reason: string,
  issues: readonly ConfigIssueView[],
  { emptyVersion, folder = '' }: FailureSurroundings,
): ModelFailure {
  const issue = issues.find(({ severity }) => severity === 'error');
  const own = withFixes(issue?.fixes ?? [], ACTIONS[issue?.code ?? ''] ?? []);
  const step = stepFailure(reason);
  if (step !== undefined) return inStep(reason, step, issue, own);
  if (reason.includes(UNTRUSTED)) return untrusted(reason);
  const python = pythonFailure(reason, folder);
  if (python !== undefined) return inPython(reason, python);
  if (emptyVersion !== undefined && NEEDS_FILE.test(reason)) return withoutFile(reason, emptyVersion);
  const hint = issue?.hint ?? '';
  for (const { matches, title, why, hasValues = false, fixes = [] } of FAILURE_PATTERNS) {
    const groups = matches.exec(reason);
    if (groups === null) continue;
    return {
      title: title([...groups]),
      original: reason,
      why: [hasValues || hint === '' ? why([...groups]) : '', hint].filter((text) => text !== '').join(' '),
      code: issue?.code,
      line: issue?.line ?? 0,
      place: undefined,
      fixes: withFixes(own, fixes),
    };
  }
  return {
    title: PLAIN_FAILURE_TITLE,
    original: reason,
    why: hint,
    code: issue?.code,
    line: issue?.line ?? 0,
    place: undefined,
    fixes: own,
  };
}

/** An action is offered once, whoever thought of it first. */
function withFixes(fixes: readonly ConfigFix[], more: readonly ConfigFix[]): readonly ConfigFix[] {
  return [...fixes, ...more.filter(({ action }) => !fixes.some((fix) => fix.action === action))];
}
