// Tensors in client shared memory. System and CUDA regions share one name space.

import type { OutputTensor } from '../../inference/inference-response.ts';
import type { TensorBytes } from '../../inference/tensor-bytes.ts';
import type { InferenceService } from '../../service/inference-service.ts';
import { requestErrors } from '../../service/request-errors.ts';
import type { SharedMemoryService } from '../../service/shared-memory.ts';
import { httpBodyErrors } from './body-errors.ts';
import type { SharedMemoryPlace } from './parsed-infer.ts';

const MAX_UINT64 = 0xffff_ffff_ffff_ffffn;

function holderOf(service: InferenceService, region: string): SharedMemoryService {
  if (service.systemSharedMemory.has(region)) return service.systemSharedMemory;
  if (service.cudaSharedMemory.has(region)) return service.cudaSharedMemory;
  throw httpBodyErrors.unknownRegion({ region });
}

/** An offset outside the region comes first, as in the reference; reading nothing there says so. */
function checkOverflow(holder: SharedMemoryService, place: SharedMemoryPlace): void {
  if (BigInt(place.byteSize) + BigInt(place.offset) <= MAX_UINT64) return;
  holder.read(place.region, Number(place.offset), 0);
  throw httpBodyErrors.regionOverflow({
    size: place.byteSize,
    offset: place.offset,
    limit: MAX_UINT64,
    region: place.region,
  });
}

/** Bytes of an input. Throws NOT_FOUND for an unknown region, INVALID_ARG for a place outside it. */
export function readShared(service: InferenceService, place: SharedMemoryPlace): TensorBytes {
  const holder = holderOf(service, place.region);
  checkOverflow(holder, place);
  return holder.read(place.region, Number(place.offset), Number(place.byteSize));
}

/**
 * Keeps a tensor's region usable for a model's request until the returned function is called. Throws NOT_FOUND for an unknown region, INVALID_ARG
 * for a place outside it.
 */
export function holdPlace(service: InferenceService, place: SharedMemoryPlace, model: string): () => void {
  const holder = holderOf(service, place.region);
  checkOverflow(holder, place);
  // Looks at the place alone.
  holder.read(place.region, Number(place.offset), Number(place.byteSize));
  return holder.retain(place.region, model);
}

/** Writes an output before the reply is sent. Throws INTERNAL when the room is too small. */
export function writeShared(service: InferenceService, output: OutputTensor, place: SharedMemoryPlace): void {
  if (output.bytes.byteLength > place.byteSize) {
    throw requestErrors.regionTooSmall({
      output: output.name,
      given: place.byteSize,
      needed: output.bytes.byteLength,
    });
  }
  holderOf(service, place.region).write(
    place.region,
    Number(place.offset),
    Number(place.byteSize),
    output.bytes,
  );
}
