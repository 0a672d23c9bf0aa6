// What nvidia-smi printed on a machine with an NVIDIA H100 and driver 580.159.04, for the questions that are asked of it; the
// UUID is another. Two processes computed there.

/** Lines of CSV, one per adapter or process; memory in MiB, power in watts. */
export const H100 = {
  uuid: 'GPU-11112222-3333-4444-5555-666677778888',
  adapters: '0, GPU-11112222-3333-4444-5555-666677778888, 9.0, 580.159.04, 81559, NVIDIA H100 80GB HBM3\n',
  memory: '0, GPU-11112222-3333-4444-5555-666677778888, 2087\n',
  processes:
    '1583, GPU-11112222-3333-4444-5555-666677778888, 1278\n1924, GPU-11112222-3333-4444-5555-666677778888, 796\n',
  use: '0, GPU-11112222-3333-4444-5555-666677778888, NVIDIA H100 80GB HBM3, 3, 81559, 891, 123.30, 700.00',
} as const;
