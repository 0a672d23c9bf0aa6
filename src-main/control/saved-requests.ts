// Saved playground requests: JSON files in the user-data folder, one folder per repository, never in the repository.

import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';

import type {
  PlaygroundRequest,
  PlaygroundResult,
  SavedRequest,
} from '../../src-shared/contract/inference-calls.ts';
import { notFound } from '../../src-shared/errors.ts';
import { writeFileAtomic } from '../base/atomic-file.ts';
import { hashOf } from './folder-facts.ts';

const DEFAULT_TOLERANCE = 1e-5;

export class SavedRequests {
  readonly #userDataPath: string;

  constructor(userDataPath: string) {
    this.#userDataPath = userDataPath;
  }

  /** Newest first; files that cannot be read are left out. */
  async list(repository: string, model: string): Promise<readonly SavedRequest[]> {
    const folder = this.#folder(repository, model);
    const names = await readdir(folder).catch(() => []);
    const read = await Promise.all(
      names
        .filter((name) => name.endsWith('.json'))
        .map(async (name) => {
          const text = await readFile(path.join(folder, name), 'utf8').catch(() => '');
          try {
            return JSON.parse(text) as SavedRequest;
          } catch {
            return undefined;
          }
        }),
    );
    return read.filter((saved) => saved !== undefined).sort((a, b) => b.savedAtMs - a.savedAtMs);
  }

  /** `id` "" makes a new one. `result` becomes the expectation. */
  async save(
    repository: string,
    entry: { readonly id: string; readonly name: string; readonly request: PlaygroundRequest },
    result: PlaygroundResult | undefined,
    nowMs: number,
  ): Promise<SavedRequest> {
    const outputs = result?.responses[0]?.outputs ?? [];
    const saved: SavedRequest = {
      id: entry.id === '' ? randomUUID() : path.basename(entry.id),
      name: entry.name,
      savedAtMs: nowMs,
      request: entry.request,
      expectation:
        result === undefined
          ? undefined
          : {
              tolerance: DEFAULT_TOLERANCE,
              outputs: Object.fromEntries(outputs.map(({ name, preview }) => [name, preview])),
            },
    };
    const folder = this.#folder(repository, entry.request.model);
    await mkdir(folder, { recursive: true });
    await writeFileAtomic(path.join(folder, `${saved.id}.json`), `${JSON.stringify(saved, null, 2)}\n`);
    return saved;
  }

  async find(repository: string, model: string, id: string): Promise<SavedRequest> {
    const found = (await this.list(repository, model)).find((saved) => saved.id === id);
    if (found === undefined) throw notFound(`there is no saved request '${id}' of model '${model}'`);
    return found;
  }

  async delete(repository: string, model: string, id: string): Promise<void> {
    await rm(path.join(this.#folder(repository, model), `${path.basename(id)}.json`), { force: true });
  }

  #folder(repository: string, model: string): string {
    return path.join(
      this.#userDataPath,
      'repositories',
      hashOf(path.resolve(repository)).slice(0, 16),
      'requests',
      model,
    );
  }
}

/** Whether a result meets an expectation; the sentence names the first element that does not. */
export function checkExpectation(
  result: PlaygroundResult,
  expectation: NonNullable<SavedRequest['expectation']>,
): { readonly passed: boolean; readonly message: string } {
  if (!result.ok) return { passed: false, message: `The request failed: ${result.error}` };
  const outputs = result.responses[0]?.outputs ?? [];
  for (const [name, expected] of Object.entries(expectation.outputs)) {
    const actual = outputs.find((output) => output.name === name)?.preview;
    if (actual === undefined) return { passed: false, message: `Output ${name} is missing.` };
    if (actual.length !== expected.length) {
      return {
        passed: false,
        message: `Output ${name} has ${actual.length} values, expected ${expected.length}.`,
      };
    }
    const at = expected.findIndex(
      (value, index) => !isClose(value, actual[index] ?? '', expectation.tolerance),
    );
    if (at >= 0) {
      return { passed: false, message: `Output ${name}[${at}] is ${actual[at]}, expected ${expected[at]}.` };
    }
  }
  return { passed: true, message: 'All outputs are as expected.' };
}

function isClose(expected: string, actual: string, tolerance: number): boolean {
  if (expected === actual) return true;
  const a = Number(expected);
  const b = Number(actual);
  return Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(a));
}
