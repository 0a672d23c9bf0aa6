// All catalogues of errors, in the order of docs/errors.md. A test finds one that is missing here.

import type { ErrorEntry } from '../../src-shared/error-catalogue.ts';
import { inputCatalogue } from '../../src-main/inference/input-errors.ts';
import { cacheCatalogue } from '../../src-main/scheduling/cache-errors.ts';
import { ensembleCatalogue } from '../../src-main/scheduling/ensemble-errors.ts';
import { queueCatalogue } from '../../src-main/scheduling/queue-errors.ts';
import { rateLimitCatalogue } from '../../src-main/scheduling/rate-limit-errors.ts';
import { sequenceCatalogue } from '../../src-main/scheduling/sequence-errors.ts';
import { stateCatalogue } from '../../src-main/scheduling/state-errors.ts';
import { memoryCatalogue } from '../../src-main/service/memory-errors.ts';

export interface ListedCatalogue {
  readonly room: string;
  readonly entries: Readonly<Record<string, ErrorEntry>>;
}

/** Title on the page, and the errors. */
export const CATALOGUES: readonly (readonly [string, ListedCatalogue])[] = [
  ['Inputs and outputs', inputCatalogue],
  ['Shared memory', memoryCatalogue],
  ['Queues', queueCatalogue],
  ['Sequences', sequenceCatalogue],
  ['State of sequences', stateCatalogue],
  ['Ensembles', ensembleCatalogue],
  ['Response cache', cacheCatalogue],
  ['Rate limiter', rateLimitCatalogue],
];
