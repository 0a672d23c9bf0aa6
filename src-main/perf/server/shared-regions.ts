// Tensors in system shared memory instead of in the messages: files of the shared-memory file system, registered with
// the server before the test and removed after it. Inputs have one region per tensor, stream and step; outputs one per
// tensor.

import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { elementByteSize } from '../../../src-shared/datatypes.ts';
import { internal } from '../../../src-shared/errors.ts';
import type { ClientRegion } from '../../client/infer-client.ts';
import type { DataSet, StepPlace } from '../data/data-set.ts';
import { flatPlaces } from '../data/data-set.ts';
import type { LoadModel, LoadTensor } from '../data/load-model.ts';
import type { RegionLookup } from '../data/message-encoder.ts';
import { perfServerErrors } from './link-errors.ts';
import type { ServerLink } from './server-link.ts';

const FOLDER = '/dev/shm';

/** Linux only: `create` rejects with UNSUPPORTED elsewhere. `close` removes files and registrations. */
export class SharedRegions implements RegionLookup {
  readonly #link: ServerLink;
  readonly #outputByteSize: number;
  readonly #files: string[] = [];
  readonly #regions = new Map<string, ClientRegion>();
  /** Keys of two tests at a time must not meet. */
  readonly #mark = randomBytes(4).toString('hex');

  /** `outputByteSize`: bytes per row for outputs whose size is not known. */
  constructor(link: ServerLink, outputByteSize: number) {
    this.#link = link;
    this.#outputByteSize = outputByteSize;
  }

  /**
   * Writes and registers all regions, after the server forgot those it knew; to be called once, before `input`
   * and `output`.
   */
  async create(model: LoadModel, data: DataSet, batchSize: number): Promise<void> {
    if (process.platform !== 'linux') throw perfServerErrors.noSharedMemory({ platform: process.platform });
    await this.#link.unregisterRegions();
    const places = flatPlaces(data);
    for (const [index, place] of places.entries()) {
      const rows = Array.from({ length: batchSize }, (_, row) => places[(index + row) % places.length]);
      for (const { name } of model.inputs) {
        const pieces = rows.map((row) => stepAt(data, row)?.inputs.get(name)?.bytes);
        const present = pieces.filter((bytes) => bytes !== undefined);
        if (present.length > 0) await this.#add(inputName(name, place), Buffer.concat(present));
      }
    }
    for (const output of model.outputs) {
      const rowBytes = knownByteSize(output) ?? this.#outputByteSize;
      await this.#add(plainName(output.name), Buffer.alloc(rowBytes * batchSize));
    }
  }

  input(name: string, place: StepPlace): ClientRegion {
    return this.#region(inputName(name, place));
  }

  output(name: string): ClientRegion {
    return this.#region(plainName(name));
  }

  /** May be called at any time; does nothing when nothing was created. */
  async close(): Promise<void> {
    if (this.#files.length === 0) return;
    await this.#link.unregisterRegions().catch(() => undefined);
    for (const file of this.#files.splice(0)) await rm(file, { force: true });
  }

  #region(name: string): ClientRegion {
    const region = this.#regions.get(name);
    if (region === undefined) throw internal(`there is no shared memory region '${name}'`);
    return region;
  }

  async #add(name: string, bytes: Uint8Array): Promise<void> {
    const key = `/${name}_${this.#mark}`;
    const file = path.join(FOLDER, key.slice(1));
    await writeFile(file, bytes);
    this.#files.push(file);
    await this.#link.registerRegion({ name, key, byteSize: bytes.byteLength });
    this.#regions.set(name, { region: name, offset: 0, byteSize: bytes.byteLength });
  }
}

function stepAt(data: DataSet, place: StepPlace | undefined) {
  return place === undefined ? undefined : data.streams[place.stream]?.[place.step];
}

function plainName(tensor: string): string {
  return tensor.replaceAll('/', '');
}

function inputName(tensor: string, { stream, step }: StepPlace): string {
  return `${plainName(tensor)}_${stream}_${step}`;
}

function knownByteSize({ datatype, dims }: LoadTensor): number | undefined {
  if (datatype === 'BYTES' || dims.includes(-1)) return undefined;
  return dims.reduce((product, dim) => product * dim, 1) * elementByteSize(datatype);
}
