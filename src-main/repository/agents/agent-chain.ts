// The agents of one model load and the order of what they are told: LOAD and UNLOAD in the order of the configuration,
// LOAD_COMPLETE, LOAD_FAIL and UNLOAD_COMPLETE in reverse. A chain that is given up is told the rest of its actions.
// Invariant: actions follow LOAD -> LOAD_COMPLETE -> UNLOAD -> UNLOAD_COMPLETE or LOAD -> LOAD_FAIL.

import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { CONFIG_FILE } from '../../../src-shared/config/config-file.ts';
import type { RepositoryAgentConfig } from '../../../src-shared/config/model-config.ts';
import { internal } from '../../../src-shared/errors.ts';
import { getLogger } from '../../base/log.ts';
import { readTextFile } from '../../base/regular-file.ts';
import { agentErrors } from './agent-errors.ts';
import type { AgentAction, AgentModel, RepositoryAgent } from './repository-agent.ts';

const log = getLogger('repository');

const NEXT: Readonly<Record<AgentAction | 'NONE', readonly AgentAction[]>> = {
  NONE: ['LOAD'],
  LOAD: ['LOAD_COMPLETE', 'LOAD_FAIL'],
  LOAD_COMPLETE: ['UNLOAD'],
  LOAD_FAIL: [],
  UNLOAD: ['UNLOAD_COMPLETE'],
  UNLOAD_COMPLETE: [],
};

interface Link {
  readonly agent: RepositoryAgent;
  readonly model: AgentModel;
  state: AgentAction | 'NONE';
  ownFolder: string | undefined;
}

/** The agents of one model, and where it lies before the first of them has acted. */
export interface AgentChainInit {
  readonly modelName: string;
  /** Model folder in the repository. */
  readonly location: string;
  readonly configs: readonly RepositoryAgentConfig[];
  readonly agents: ReadonlyMap<string, RepositoryAgent>;
  /** Folder named in the message about an agent that does not exist. */
  readonly agentDirectory: string;
}

async function readConfigText(location: string): Promise<string | undefined> {
  try {
    return await readTextFile(path.join(location, CONFIG_FILE));
  } catch {
    return undefined;
  }
}

/**
 * For one attempt to load one model; the next attempt takes a new chain. Folders that agents acquired live until
 * its end.
 */
export class AgentChain {
  readonly #init: AgentChainInit;
  readonly #links: Link[] = [];
  #location: string;

  constructor(init: AgentChainInit) {
    this.#init = init;
    this.#location = init.location;
  }

  /** Where the last agent left the model. */
  get location(): string {
    return this.#location;
  }

  /** LOAD through all agents. On failure the agents before the failing one are told LOAD_FAIL, and it throws. */
  async load(): Promise<void> {
    for (const config of this.#init.configs) {
      try {
        const link = await this.#createLink(config);
        await this.#act(link, 'LOAD');
        this.#links.push(link);
      } catch (thrown) {
        await this.#tell('LOAD_FAIL', [...this.#links].reverse());
        await this.#removeFolders();
        throw thrown;
      }
    }
  }

  /** The load succeeded: tells all agents, last one first. Never rejects; what an agent throws is logged. */
  async loadComplete(): Promise<void> {
    await this.#tell('LOAD_COMPLETE', [...this.#links].reverse());
  }

  /** In place of `loadComplete`; afterwards the chain is over, and its folders are gone. */
  async loadFail(): Promise<void> {
    await this.#tell('LOAD_FAIL', [...this.#links].reverse());
    await this.#removeFolders();
  }

  /** The version is taken out of service: tells all agents, in order. */
  async unload(): Promise<void> {
    await this.#tell('UNLOAD', this.#links);
  }

  /** Nothing of the version is left; afterwards the chain is over, and its folders are gone. */
  async unloadComplete(): Promise<void> {
    await this.#tell('UNLOAD_COMPLETE', [...this.#links].reverse());
    await this.#removeFolders();
  }

  async #createLink(config: RepositoryAgentConfig): Promise<Link> {
    const agent = this.#init.agents.get(config.name);
    if (agent === undefined) {
      throw agentErrors.unknown({
        name: config.name,
        path: path.join(this.#init.agentDirectory, config.name),
      });
    }
    const configText = await readConfigText(this.#location);
    const location = this.#location;
    const link: Link = {
      agent,
      state: 'NONE',
      ownFolder: undefined,
      model: {
        modelName: this.#init.modelName,
        parameters: Object.entries(config.parameters),
        location,
        configText,
        acquireMutableLocation: async () => {
          link.ownFolder ??= await mkdtemp(path.join(os.tmpdir(), 'folder'));
          return link.ownFolder;
        },
        relocate: (target) => {
          if (link.state !== 'NONE') throw internal('location can only be updated during the LOAD action');
          this.#location = target;
        },
      },
    };
    return link;
  }

  async #act(link: Link, action: AgentAction): Promise<void> {
    if (!NEXT[link.state].includes(action)) {
      throw internal(
        link.state === 'NONE'
          ? `Unexpected lifecycle start state ${action}`
          : `Unexpected lifecycle state transition from ${link.state} to ${action}`,
      );
    }
    await link.agent.act(action, link.model);
    link.state = action;
  }

  async #tell(action: AgentAction, links: readonly Link[]): Promise<void> {
    for (const link of links) {
      try {
        await this.#act(link, action);
      } catch (thrown) {
        const error = thrown instanceof Error ? thrown.message : String(thrown);
        log.error(`repository agent '${link.agent.name}' failed ${action}: ${error}`, {
          model: this.#init.modelName,
        });
        link.state = action;
      }
    }
  }

  async #removeFolders(): Promise<void> {
    for (const link of this.#links) {
      if (link.ownFolder !== undefined) await rm(link.ownFolder, { recursive: true, force: true });
      link.ownFolder = undefined;
    }
  }
}
