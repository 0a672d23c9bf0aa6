// A copy of the project in which a recipe is followed. Only what the recipe needs is copied; packages are shared.

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { recipeBlocks, withBlock } from './recipe-page.ts';

const root = path.resolve(import.meta.dirname, '../..');
/** What Vitest reads before any test. */
const TEST_SETUP = [
  'vitest.config.ts',
  'tests/patient-waits.ts',
  'tests/log-levels.ts',
  'src-renderer/testing/texts-setup.ts',
  'src-renderer/testing/no-layout-setup.ts',
];
const SHARED = ['node_modules', '.prettierrc.json', 'tsconfig.base.json'];

export class ProjectCopy {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** `parts`: files and folders, relative to the repository. */
  static async create(parts: readonly string[]): Promise<ProjectCopy> {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'conch-recipe-'));
    for (const part of new Set([...parts, ...TEST_SETUP]))
      await cp(path.join(root, part), path.join(folder, part), { recursive: true });
    for (const part of SHARED) await symlink(path.join(root, part), path.join(folder, part));
    return new ProjectCopy(folder);
  }

  at(...names: readonly string[]): string {
    return path.join(this.#folder, ...names);
  }

  /** Puts every block of a page of docs where the page says. */
  async follow(page: string): Promise<void> {
    for (const block of recipeBlocks(path.join(root, page))) {
      const file = this.at(block.path);
      await mkdir(path.dirname(file), { recursive: true });
      const content = existsSync(file) ? await readFile(file, 'utf8') : '';
      await writeFile(file, withBlock(content, block));
    }
  }

  /** Runs a file of the copy, or of a package, with Node; resolves with what it printed. Rejects with all it said. */
  async run(file: string, ...args: readonly string[]): Promise<string> {
    const program = promisify(execFile)(process.execPath, [this.at(file), ...args], {
      cwd: this.#folder,
      maxBuffer: 64 * 1024 * 1024,
    });
    const { stdout } = await program.catch((failed: Error & { stdout: string; stderr: string }) => {
      throw new Error(`${file} failed:\n${failed.stdout}\n${failed.stderr}`, { cause: failed });
    });
    return stdout;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}
