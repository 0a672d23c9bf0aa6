// Whether native code may read inputs where they lie. A slot is memory that two threads share, and Node's native
// interface (`napi_get_arraybuffer_info`) took such buffers for the first time in Node 24.9; before, every run would be
// refused with an error that names neither the buffer nor the version, so inputs are copied there.

const FIRST_THAT_SHARES = [24, 9] as const;

/** `nodeVersion` as in `process.versions.node`. */
export function sharesInputs(nodeVersion: string): boolean {
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number);
  const [neededMajor, neededMinor] = FIRST_THAT_SHARES;
  return major > neededMajor || (major === neededMajor && minor >= neededMinor);
}

/** Line for the log where inputs are copied, else undefined. */
export function copiedInputsNotice(nodeVersion: string): string | undefined {
  if (sharesInputs(nodeVersion)) return undefined;
  return `inputs of ONNX models are copied once more than needed: this is Node ${nodeVersion}, and native code can read shared memory from Node ${FIRST_THAT_SHARES.join('.')} on`;
}

/** Bytes of a slot in a buffer of their own. */
export function copiedBytes(slot: SharedArrayBuffer, byteOffset: number, byteSize: number): ArrayBuffer {
  const copy = new Uint8Array(byteSize);
  copy.set(new Uint8Array(slot, byteOffset, byteSize));
  return copy.buffer;
}
