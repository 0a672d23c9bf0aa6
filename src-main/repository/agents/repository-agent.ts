// The contract of repository agents: code that sees a model before it is loaded, may check or move it, and is told how
// the load went. One AgentModel per agent and model load; the chain (agent-chain.ts) owns the order of actions.

/** What happens to the model, by Triton's names. */
export type AgentAction = 'LOAD' | 'LOAD_COMPLETE' | 'LOAD_FAIL' | 'UNLOAD' | 'UNLOAD_COMPLETE';

/** The model as an agent sees it; the agent may put it into another folder. */
export interface AgentModel {
  readonly modelName: string;
  /** As written in the model's configuration, in order. */
  readonly parameters: readonly (readonly [string, string])[];
  /** Folder of the model as the previous agent left it. */
  readonly location: string;
  /** Text of the configuration found at `location`, undefined when there is none. */
  readonly configText: string | undefined;
  /** A private folder this agent may fill; removed with the agent. Same folder on each call. */
  acquireMutableLocation(): Promise<string>;
  /** Puts the model somewhere else for the following agents and the server. Allowed during LOAD only. */
  relocate(location: string): void;
}

/** What may check or change a model's folder before it is loaded (`model_repository_agents`). */
export interface RepositoryAgent {
  readonly name: string;
  /** Throws to refuse a LOAD; errors of other actions are logged only. */
  act(action: AgentAction, model: AgentModel): Promise<void>;
}
