// Agent `checksum`: refuses a model whose files do not have the digests named in its configuration. Parameters are
// `MD5:<path in the model folder>` -> digest; files that are not listed are not checked; the first mismatch ends it.

import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { confinedPath } from '../../base/confined-path.ts';
import { readError } from '../../base/read-error.ts';
import { openRegularFile } from '../../base/regular-file.ts';
import { agentErrors } from './agent-errors.ts';
import type { AgentAction, AgentModel, RepositoryAgent } from './repository-agent.ts';

async function digestOf(file: string): Promise<string> {
  const hash = createHash('md5');
  const { handle } = await openRegularFile(file);
  await pipeline(handle.createReadStream(), hash);
  return hash.digest('hex');
}

async function check(model: AgentModel, key: string, expected: string): Promise<void> {
  const colon = key.indexOf(':');
  if (colon < 0) throw agentErrors.checksumKey({ key });
  const algorithm = key.slice(0, colon);
  const file = key.slice(colon + 1);
  if (algorithm.toUpperCase() !== 'MD5') {
    throw agentErrors.checksumAlgorithm({ name: algorithm });
  }
  const target = await confinedPath(file, { base: model.location, within: [model.location] });
  if (target === undefined) {
    throw agentErrors.checksumLeadsOut({ file, model: model.modelName });
  }
  let actual: string;
  try {
    actual = await digestOf(target);
  } catch (thrown) {
    throw readError(target, thrown);
  }
  if (actual !== expected) {
    throw agentErrors.checksumMismatch({ file, expected, got: actual });
  }
}

/** Acts on LOAD alone, and reads every file that it checks to its end. */
export const checksumAgent: RepositoryAgent = {
  name: 'checksum',
  async act(action: AgentAction, model: AgentModel): Promise<void> {
    if (action !== 'LOAD') return;
    for (const [key, expected] of model.parameters) await check(model, key, expected);
  },
};
