// Engines that have one place for models.

import type { ExportContext, ExportedRepository } from '../export-context.ts';
import { handoverErrors } from '../handover-errors.ts';

/** Throws INVALID_ARG where there are several. */
export function onlyRepository({ repositories }: ExportContext, target: string): ExportedRepository {
  const [first, ...others] = repositories;
  if (first === undefined) throw handoverErrors.noRepository();
  if (others.length > 0) throw handoverErrors.oneRepository({ target, count: repositories.length });
  return first;
}
