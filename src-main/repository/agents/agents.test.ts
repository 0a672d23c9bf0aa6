// Agents: order of actions, relocation, digests.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TempRepository } from '../../testing/temp-repository.ts';
import { AgentChain } from './agent-chain.ts';
import { checksumAgent } from './checksum-agent.ts';
import type { AgentModel, RepositoryAgent } from './repository-agent.ts';

let repository: TempRepository;
beforeEach(async () => {
  repository = await TempRepository.create({ 'm/1/weights': 'abc', 'm/config.pbtxt': 'name: "m"' });
});
afterEach(() => repository.close());

const md5 = createHash('md5').update('abc').digest('hex');

function chainOf(
  agents: readonly RepositoryAgent[],
  configs: readonly { name: string; parameters: Record<string, string> }[],
): AgentChain {
  return new AgentChain({
    modelName: 'm',
    location: repository.at('m'),
    configs,
    agents: new Map(agents.map((agent) => [agent.name, agent])),
    agentDirectory: '/agents',
  });
}

function recorder(
  name: string,
  seen: string[],
  onLoad?: (model: AgentModel) => Promise<void>,
): RepositoryAgent {
  return {
    name,
    act: async (action, model) => {
      seen.push(`${name} ${action}`);
      if (action === 'LOAD') await onLoad?.(model);
    },
  };
}

describe('AgentChain', () => {
  it('runs LOAD and UNLOAD in order and their completions in reverse', async () => {
    const seen: string[] = [];
    const chain = chainOf(
      [recorder('a', seen), recorder('b', seen)],
      [
        { name: 'a', parameters: {} },
        { name: 'b', parameters: {} },
      ],
    );
    await chain.load();
    await chain.loadComplete();
    await chain.unload();
    await chain.unloadComplete();
    expect(seen).toEqual([
      'a LOAD',
      'b LOAD',
      'b LOAD_COMPLETE',
      'a LOAD_COMPLETE',
      'a UNLOAD',
      'b UNLOAD',
      'b UNLOAD_COMPLETE',
      'a UNLOAD_COMPLETE',
    ]);
  });

  it('tells earlier agents about a failing one and removes their folders', async () => {
    const seen: string[] = [];
    let folder = '';
    const mover = recorder('a', seen, async (model) => {
      folder = await model.acquireMutableLocation();
      model.relocate(folder);
    });
    const failing = recorder('b', seen, () => Promise.reject(new Error('no')));
    const chain = chainOf(
      [mover, failing],
      [
        { name: 'a', parameters: {} },
        { name: 'b', parameters: {} },
      ],
    );
    await expect(chain.load()).rejects.toThrow('no');
    expect(seen).toEqual(['a LOAD', 'b LOAD', 'a LOAD_FAIL']);
    expect(folder).not.toBe('');
    expect(existsSync(folder)).toBe(false);
  });

  it('shows the next agent the place and configuration its predecessor left', async () => {
    const seen: string[] = [];
    const texts: (string | undefined)[] = [];
    const mover = recorder('a', seen, async (model) => {
      texts.push(model.configText);
      const folder = await model.acquireMutableLocation();
      await writeFile(path.join(folder, 'config.pbtxt'), 'moved');
      model.relocate(folder);
    });
    const reader = recorder('b', seen, (model) => {
      texts.push(model.configText);
      return Promise.resolve();
    });
    const chain = chainOf(
      [mover, reader],
      [
        { name: 'a', parameters: {} },
        { name: 'b', parameters: {} },
      ],
    );
    await chain.load();
    expect(texts).toEqual(['name: "m"', 'moved']);
    expect(chain.location).not.toBe(repository.at('m'));
    await chain.loadFail();
  });

  it('names the library of an agent that does not exist', async () => {
    await expect(chainOf([], [{ name: 'x', parameters: {} }]).load()).rejects.toThrow(
      "unable to find 'libtritonrepoagent_x.so' for repo agent 'x', searched: /agents/x",
    );
  });
});

describe('checksum agent', () => {
  const rows: readonly [string, Record<string, string>, string | undefined][] = [
    ['matching digests pass', { 'MD5:1/weights': md5, 'md5:1/weights': md5 }, undefined],
    [
      'a wrong digest is named with the path of the key',
      { 'MD5:1/weights': 'ff' },
      `Mismatched MD5 hash for file 1/weights, expect: ff, got: ${md5}`,
    ],
    ['a key without colon', { weights: md5 }, 'failed to parse key: weights'],
    ['another algorithm', { 'SHA1:1/weights': md5 }, 'Unsupported checksum algorithm: SHA1'],
    ['a missing file', { 'MD5:1/none': md5 }, 'failed to open text file for read '],
  ];
  it.each(rows)('%s', async (_name, parameters, message) => {
    const chain = chainOf([checksumAgent], [{ name: 'checksum', parameters }]);
    if (message === undefined) await expect(chain.load()).resolves.toBeUndefined();
    else await expect(chain.load()).rejects.toThrow(message);
  });
});
