// Where the instances of a model really run, which is not always where its configuration asks. Pure.

/** The device of an instance that runs on no GPU, as the window names it. */
export const CPU = 'CPU';

/** Where the instances of a model ended up. */
export interface Placed {
  /** "CPU", "GPU 0" */
  readonly device: string;
  /** A GPU was asked for, and the CPU is used. */
  readonly isFallback: boolean;
}

/** Where instances run: without a device, or when the backend says so, a GPU instance runs on the CPU. */
export function instancePlacement(
  specs: readonly { readonly kind: string; readonly deviceId: number }[],
  notices: readonly string[],
): readonly Placed[] {
  const isRefused = notices.some((notice) => notice.includes('runs on the CPU'));
  return specs.map(({ kind, deviceId }) => {
    const isAsked = kind === 'KIND_GPU';
    const isOnGpu = isAsked && deviceId >= 0 && !isRefused;
    return { device: isOnGpu ? `GPU ${deviceId}` : CPU, isFallback: isAsked && !isOnGpu };
  });
}
