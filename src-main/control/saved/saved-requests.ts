// Saved playground requests: JSON files in the user-data folder, one folder per repository, never in the repository.
// Files that a request was made with lie beside it, so that it can be sent again after a restart.

import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';

import { makeFolder } from '../../base/make-folder.ts';
import type {
  PlaygroundRequest,
  PlaygroundResult,
  SavedRequest,
} from '../../../src-shared/contract/inference-calls.ts';
import { differencesOfTexts } from '../../../src-shared/tensor/element-difference.ts';
import { writeFileAtomic } from '../../base/atomic-file.ts';
import { isStorePath } from '../../object-stores/store-path.ts';
import type { ReadBlob } from '../../playground/input-builder.ts';
import { hashOf } from '../catalog/folder-facts.ts';
import { DeletedRequests } from './deleted-requests.ts';
import { savedErrors } from './saved-errors.ts';

const DEFAULT_TOLERANCE = 1e-5;
/** Ids of blobs that lie beside a saved request: "saved:<repository hash>/<model>/<file>". */
const SAVED_BLOB = 'saved:';

/** Lists, writes and deletes them; files that cannot be read are left out. */
export class SavedRequests {
  readonly #userDataPath: string;
  readonly #deleted = new DeletedRequests();

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

  /**
   * `id` "" makes a new one. `result` becomes the expectation; `readBlob` gives the files of the request. When anything
   * cannot be written, what was saved before stays whole and nothing is left of the attempt.
   */
  async save(
    repository: string,
    entry: {
      readonly id: string;
      readonly name: string;
      readonly request: PlaygroundRequest;
      /** Of an import; a result takes its place. */
      readonly expectation?: SavedRequest['expectation'];
    },
    result: PlaygroundResult | undefined,
    { nowMs, readBlob }: { readonly nowMs: number; readonly readBlob: ReadBlob },
  ): Promise<SavedRequest> {
    const outputs = result?.responses[0]?.outputs ?? [];
    const folder = this.#folder(repository, entry.request.model);
    const id = entry.id === '' ? randomUUID() : path.basename(entry.id);
    const expected =
      result === undefined
        ? entry.expectation
        : {
            tolerance: DEFAULT_TOLERANCE,
            outputs: Object.fromEntries(outputs.map(({ name, preview }) => [name, preview])),
          };
    await makeFolder(folder);
    const written = new Set<string>();
    try {
      const request = await this.#withFiles(repository, id, entry.request, { readBlob, written });
      const saved: SavedRequest = { id, name: entry.name, savedAtMs: nowMs, request, expectation: expected };
      await writeFileAtomic(path.join(folder, `${id}.json`), `${JSON.stringify(saved, null, 2)}\n`);
      await this.#removeFiles(
        folder,
        (name) => name.startsWith(`${id}.`) && isBlob(name) && !written.has(name),
      );
      return saved;
    } catch (thrown) {
      await this.#removeFiles(folder, (name) => written.has(name));
      throw thrown;
    }
  }

  /** NOT_FOUND for an id that is not, or no longer, kept. */
  async find(repository: string, model: string, id: string): Promise<SavedRequest> {
    const found = (await this.list(repository, model)).find((saved) => saved.id === id);
    if (found === undefined) throw savedErrors.unknown({ id, model });
    return found;
  }

  /** Returns what `restore` brings it back by; undefined when its files are too large to be kept for that. */
  async delete(repository: string, model: string, id: string): Promise<string | undefined> {
    const own = `${path.basename(id)}.`;
    const folder = this.#folder(repository, model);
    const names = (await readdir(folder).catch(() => [])).filter((name) => name.startsWith(own));
    const files = await Promise.all(
      names.map(async (name) => {
        const file = path.join(folder, name);
        return { path: file, bytes: await readFile(file) };
      }),
    );
    await this.#removeFiles(folder, (name) => name.startsWith(own));
    return this.#deleted.keep(files);
  }

  /** Takes back a deletion, once. NOT_FOUND after a restart, or when later deletions took its place. */
  async restore(undo: string): Promise<void> {
    const files = this.#deleted.take(undo);
    if (files === undefined) throw savedErrors.undoForgotten();
    for (const { path: file, bytes } of files) {
      await makeFolder(path.dirname(file));
      await writeFileAtomic(file, bytes);
    }
  }

  async #removeFiles(folder: string, isMeant: (name: string) => boolean): Promise<void> {
    const names = (await readdir(folder).catch(() => [])).filter(isMeant);
    await Promise.all(names.map((name) => rm(path.join(folder, name), { force: true })));
  }

  /** True for ids that `readBlob` of this class knows. */
  static isSavedBlob(id: string): boolean {
    return id.startsWith(SAVED_BLOB);
  }

  /** Bytes of a file that was saved with a request. NOT_FOUND when it is gone. */
  async readBlob(id: string): Promise<Uint8Array> {
    const [hash = '', model = '', name = ''] = id.slice(SAVED_BLOB.length).split('/').map(decodeURIComponent);
    const file = path.join(this.#requests(path.basename(hash)), path.basename(model), path.basename(name));
    try {
      return await readFile(file);
    } catch (thrown) {
      throw savedErrors.fileGone({ cause: thrown });
    }
  }

  /** The request with its files beside it, under names of their own: those saved before are still there. */
  async #withFiles(
    repository: string,
    id: string,
    request: PlaygroundRequest,
    { readBlob, written }: { readonly readBlob: ReadBlob; readonly written: Set<string> },
  ): Promise<PlaygroundRequest> {
    const { model } = request;
    const inputs: PlaygroundRequest['inputs'] = [];
    for (const [index, input] of request.inputs.entries()) {
      const { source } = input;
      if (source.kind !== 'blob' && source.kind !== 'image') {
        inputs.push(input);
        continue;
      }
      const name = `${id}.${index}.${randomUUID().slice(0, 8)}.bin`;
      const bytes = await readBlob(source.blob);
      written.add(name);
      await writeFileAtomic(path.join(this.#folder(repository, model), name), bytes);
      const blob = `${SAVED_BLOB}${[repositoryHash(repository), model, name].map(encodeURIComponent).join('/')}`;
      inputs.push({ ...input, source: { ...source, blob } });
    }
    return { ...request, inputs };
  }

  #folder(repository: string, model: string): string {
    return path.join(this.#requests(repositoryHash(repository)), path.basename(model));
  }

  #requests(hash: string): string {
    return path.join(this.#userDataPath, 'repositories', hash, 'requests');
  }
}

const isBlob = (name: string): boolean => name.endsWith('.bin');

function repositoryHash(repository: string): string {
  return hashOf(isStorePath(repository) ? repository : path.resolve(repository)).slice(0, 16);
}

/** Whether a result meets an expectation; the sentence names the first element that does not. */
export function checkExpectation(
  result: PlaygroundResult,
  expectation: NonNullable<SavedRequest['expectation']>,
): { readonly passed: boolean; readonly message: string } {
  if (!result.ok) return { passed: false, message: `The request failed: ${result.error}` };
  const outputs = result.responses[0]?.outputs ?? [];
  for (const [name, expected] of Object.entries(expectation.outputs)) {
    const output = outputs.find((one) => one.name === name);
    if (output === undefined) return { passed: false, message: `Output ${name} is missing.` };
    const { preview: actual, datatype } = output;
    if (actual.length !== expected.length) {
      return {
        passed: false,
        message: `Output ${name} has ${actual.length} values, expected ${expected.length}.`,
      };
    }
    const at = differencesOfTexts(datatype, actual, expected, expectation.tolerance).first?.at;
    if (at !== undefined) {
      return { passed: false, message: `Output ${name}[${at}] is ${actual[at]}, expected ${expected[at]}.` };
    }
  }
  return { passed: true, message: 'All outputs are as expected.' };
}
