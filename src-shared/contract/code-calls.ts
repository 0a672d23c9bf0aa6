// Calls about the source files of a model: which there are, reading, writing, and models that begin as code.

import { z } from 'zod';

import type { ConfigFile } from './config-calls.ts';
import { MAX_EDITED_BYTES } from './config-calls.ts';
import { defineCall } from './define.ts';

/** One source file of a model that is code. */
export interface CodeFileView {
  /** Relative to the model folder, "/" separated. */
  readonly path: string;
  readonly byteSize: number;
  /** The file that its backend loads, of the newest version. At most one. */
  readonly isMain: boolean;
}

/** Models that run as soon as they are written, to be changed afterwards. */
export const CODE_TEMPLATES = ['model', 'preprocess', 'postprocess'] as const;
/** A file that can be made from a template. */
export type CodeTemplateId = (typeof CODE_TEMPLATES)[number];

const file = z.object({ model: z.string(), file: z.string().max(1000) });

/** Of the folder of one model; paths are below it. */
export const codeCalls = [
  /** Text files of the model folder that an editor can hold, config.pbtxt left out; the main one first. */
  defineCall('code/files', z.object({ model: z.string() }))<readonly CodeFileView[]>(),
  defineCall('code/read', file)<ConfigFile>(),
  /** ALREADY_EXISTS when the file on disk no longer has `expectedHash` (undefined = the file must not exist). */
  defineCall(
    'code/write',
    file.extend({ text: z.string().max(MAX_EDITED_BYTES), expectedHash: z.string().optional() }),
  )<ConfigFile>(),
  /** The file as it is in the last commit; without a text when there is none, with the reason. */
  defineCall('code/gitHead', file)<{ readonly text: string | undefined; readonly reason: string }>(),
  /** Writes a new model folder from a template, atomically, and loads it. */
  defineCall(
    'code/createFromTemplate',
    z.object({ template: z.enum(CODE_TEMPLATES), repository: z.string(), name: z.string() }),
  )<{ readonly file: string }>(),
] as const;
