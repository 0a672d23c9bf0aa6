// PyTorch files: the form they were written in, and what compiled packages are bound to.

import { text as readAll } from 'node:stream/consumers';
import { openPromise } from 'yauzl';

import type { Finding } from '../../../src-shared/contract/finding.ts';
import { fileFinding } from '../handover-finding.ts';
import type { ModelUnderCheck } from './model-under-check.ts';
import { servedFiles } from './model-under-check.ts';

/** The highest number of the form that the torch of any known image reads. */
const NEWEST_FORM = 10;
const MAX_METADATA_BYTES = 1024 * 1024;

/** H06 of every served version. */
export async function torchRule(checked: ModelUnderCheck): Promise<readonly Finding[]> {
  if (checked.model.config.backend !== 'pytorch') return [];
  const findings: Finding[] = [];
  for (const { file } of servedFiles(checked, /\.(pt|pth|pt2)$/)) {
    const archive = await readTorchArchive(file);
    if (archive === undefined) continue;
    if (archive.form > NEWEST_FORM) {
      findings.push(
        fileFinding('warning', 'H06', file, {
          message: `torch wrote it in form ${archive.form}, and the torch of release ${checked.release.name} reads forms up to ${NEWEST_FORM}`,
          hint: 'Export it with the torch of the image, or an older one.',
        }),
      );
    }
    if (archive.isCompiled) {
      const device = archive.device ?? 'one device';
      const isOther =
        archive.device !== undefined && (archive.device === 'cpu') !== (checked.plan.device === 'cpu');
      findings.push(
        fileFinding(isOther ? 'error' : 'warning', 'H06', file, {
          message: `the package is compiled code for ${device}, of the processor and the torch it was compiled with`,
          hint: isOther
            ? `Compile it for ${checked.plan.device === 'cpu' ? 'the CPU' : 'the GPU'}.`
            : 'Compile it in the image that will run it, on a machine of the same kind.',
        }),
      );
    }
  }
  return findings;
}

/** What a file of torch says of itself. */
interface TorchArchive {
  /** Number of the file format; 0 = not told. */
  readonly form: number;
  readonly isCompiled: boolean;
  /** "cpu", "cuda"; undefined = not told. */
  readonly device: string | undefined;
}

/** Undefined for what is no archive of torch. */
async function readTorchArchive(file: string): Promise<TorchArchive | undefined> {
  try {
    const zip = await openPromise(file, { lazyEntries: true, autoClose: false });
    try {
      let form = 0;
      let isCompiled = false;
      let device: string | undefined;
      for await (const entry of zip.eachEntry()) {
        const name = entry.fileName;
        const isCompiledPart = name.includes('aotinductor/');
        isCompiled ||= isCompiledPart;
        const isForm = /(^|\/)(\.data\/)?version$/.test(name);
        const isMetadata = isCompiledPart && name.endsWith('.json');
        if ((!isForm && !isMetadata) || entry.uncompressedSize > MAX_METADATA_BYTES) continue;
        const content = await readAll(await zip.openReadStreamPromise(entry));
        if (isForm) form = Math.max(form, Number.parseInt(content, 10) || 0);
        else device = /"AOTI_DEVICE_KEY"\s*:\s*"(\w+)"/.exec(content)?.[1] ?? device;
      }
      return { form, isCompiled, device };
    } finally {
      zip.close();
    }
  } catch {
    return undefined;
  }
}
