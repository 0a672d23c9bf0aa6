// What the makers of files are given: the plan, the server's arguments in the words of the target, and what the models
// need. Everything a file holds follows from it, so the same context gives the same bytes.

import type { Finding } from '../../src-shared/contract/finding.ts';
import type { HandoverFile, HandoverPlan } from '../../src-shared/contract/handover-calls.ts';
import type { CheckedModel } from '../check/check-model.ts';
import type { ArgumentStyle } from './exported-arguments.ts';
import type { RepositoryLocation } from './location.ts';
import type { Release } from './release-table.ts';

/** One repository of the server, here and there. */
export interface ExportedRepository {
  /** As the server has it, without a signature. */
  readonly source: string;
  readonly location: RepositoryLocation;
  /** Folder of the container at which it is mounted; undefined = it is not. */
  readonly mount: string | undefined;
  /** What the server there is told: a folder of the container, or the address of a store. */
  readonly argument: string;
  /** Name of the signature that the argument ends with; undefined = it has none. */
  readonly signature: string | undefined;
}

/** Everything that the files of an export are made of. */
export interface ExportContext {
  readonly plan: HandoverPlan;
  readonly release: Release;
  /** With registry and tag. */
  readonly image: string;
  readonly repositories: readonly ExportedRepository[];
  /** Without those for repositories. */
  readonly arguments: readonly string[];
  /** Names of secrets that the arguments stand for. */
  readonly secrets: readonly string[];
  /** Names of variables that have to be set. */
  readonly variables: readonly string[];
  /** Path in the container -> file of this machine. */
  readonly certificates: ReadonlyMap<string, string>;
  /** On the machine of the server now. */
  readonly ports: { readonly http: number; readonly grpc: number; readonly metrics: number };
  /** From the signal to the end, for the container. */
  readonly graceSec: number;
  /** Within which the server should be ready. */
  readonly startSec: number;
  readonly byteSize: number;
  /** Memory that Python models share with the server, in MiB; 0 = there are none. */
  readonly sharedMib: number;
  readonly models: readonly CheckedModel[];
  /** First lines of every file. */
  readonly comment: readonly string[];
}

/** An engine that can take a repository over. */
export interface TargetDefinition {
  readonly title: string;
  readonly style: ArgumentStyle;
  /** Where the target usually has a repository that lies in a folder here. */
  readonly usualPlace: (plan: HandoverPlan, source: string, index: number) => RepositoryLocation;
  /** Throws INVALID_ARG where the plan cannot be carried out. */
  readonly files: (context: ExportContext) => readonly HandoverFile[];
  /** What is to be known besides the findings about models. */
  readonly findings?: (context: ExportContext) => readonly Finding[];
}

/** One argument for each repository, then the others. */
export function wholeCommand({ repositories, arguments: others }: ExportContext): readonly string[] {
  return [...repositories.map(({ argument }) => `--model-repository=${argument}`), ...others];
}

/** A claim that the export makes, named after the project. */
export function ownClaim({ name }: HandoverPlan, index: number): RepositoryLocation {
  return { kind: 'claim', claim: `${name}-models${index === 0 ? '' : index}`, path: '', isOurs: true };
}
