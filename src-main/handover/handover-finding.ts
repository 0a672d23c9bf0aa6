// Findings of a hand-over. What each code stands for is in docs/handover.md.

import type { Finding } from '../../src-shared/contract/finding.ts';

/** Codes of findings; their numbers are those of the checks, and the last two are of options and of state. */
export type HandoverCode =
  | 'H01'
  | 'H02'
  | 'H03'
  | 'H04'
  | 'H05'
  | 'H06'
  | 'H07'
  | 'H08'
  | 'H09'
  | 'H10'
  | 'H11'
  | 'H12'
  | 'H13'
  | 'H14'
  | 'H15'
  | 'H16'
  | 'H17'
  | 'H18'
  | 'H19'
  | 'H20';

/** About the server as a whole. */
export function serverFinding(
  severity: Finding['severity'],
  code: HandoverCode,
  message: string,
  hint: string,
): Finding {
  return { severity, file: undefined, line: 0, column: 0, code, message, hint };
}

/** About a file or folder as a whole. */
export function fileFinding(
  severity: Finding['severity'],
  code: HandoverCode,
  file: string,
  { message, hint }: { readonly message: string; readonly hint: string },
): Finding {
  return { severity, file, line: 0, column: 0, code, message, hint };
}
