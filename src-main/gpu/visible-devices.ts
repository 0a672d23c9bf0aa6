// Which of NVIDIA's GPUs CUDA shows a process, and how it numbers them: CUDA_VISIBLE_DEVICES names them by number or by the
// beginning of their UUID, in the order in which they count from 0; what stands behind an entry that names none is not
// looked at. Source: CUDA C++ Programming Guide, "CUDA Environment Variables".

/** A GPU as CUDA_VISIBLE_DEVICES may name it. */
export interface NumberedGpu {
  /** NVIDIA's own number, by the bus. */
  readonly index: number;
  /** "GPU-..."; undefined = not known. */
  readonly uuid: string | undefined;
}

/** The GPUs in CUDA's order: the place in the list is the device id. All of them where `visible` is undefined. */
export function visibleGpus<Gpu extends NumberedGpu>(
  gpus: readonly Gpu[],
  visible: string | undefined,
): readonly Gpu[] {
  if (visible === undefined) return [...gpus].sort((a, b) => a.index - b.index);
  const shown: Gpu[] = [];
  for (const entry of visible.split(',').map((text) => text.trim())) {
    const gpu = gpus.find(({ index, uuid }) =>
      /^\d+$/.test(entry)
        ? Number(entry) === index
        : entry.startsWith('GPU-') && uuid?.startsWith(entry) === true,
    );
    if (gpu === undefined) break;
    if (!shown.includes(gpu)) shown.push(gpu);
  }
  return shown;
}
