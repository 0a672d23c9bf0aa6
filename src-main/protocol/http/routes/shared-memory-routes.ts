// Client shared memory: status, register and unregister of system and CUDA regions.

import type { SharedMemoryService } from '../../../service/shared-memory.ts';
import type { JsonValue } from '../../../tensor/json-document.ts';
import { JsonObject } from '../../../tensor/json-document.ts';
import type { Exchange } from '../exchange.ts';
import { httpErrors } from '../http-errors.ts';
import { asObject, asString, asUint, requireMember } from '../json-members.ts';
import type { Route, RouteHandler } from './route-handler.ts';
import { withRequiredJson } from './route-handler.ts';

const CUDA_HANDLE_BYTES = 64;

function systemStatus(exchange: Exchange): void {
  const regions = exchange.context.service.systemSharedMemory.status(exchange.match.region);
  exchange.json(
    JSON.stringify(
      regions.map(({ name, key, offset, byteSize }) => ({ name, key, offset, byte_size: byteSize })),
    ),
  );
}

function cudaStatus(exchange: Exchange): void {
  const regions = exchange.context.service.cudaSharedMemory.status(exchange.match.region);
  exchange.json(
    JSON.stringify(
      regions.map(({ name, deviceId, byteSize }) => ({ name, device_id: deviceId, byte_size: byteSize })),
    ),
  );
}

/** Name of the region; throws INVALID_ARG when the path names none. */
function regionName(exchange: Exchange, kind: 'system' | 'cuda'): string {
  if (exchange.match.region !== '') return exchange.match.region;
  throw httpErrors.regionName({ kind });
}

function requireField(json: JsonValue, key: string): JsonValue {
  const value = json instanceof JsonObject ? json.get(key) : undefined;
  if (value === undefined) throw httpErrors.regionField({ field: key });
  return value;
}

function registerSystem(exchange: Exchange): void {
  const name = regionName(exchange, 'system');
  withRequiredJson(exchange, ['key', 'offset', 'byte_size'], (json) => {
    const key = asString(requireField(json, 'key'), 'key');
    const offset = json instanceof JsonObject ? json.get('offset') : undefined;
    const byteSize = Number(asUint(requireField(json, 'byte_size'), 'byte_size'));
    exchange.context.service.systemSharedMemory.register({
      name,
      key,
      offset: offset === undefined ? 0 : Number(asUint(offset, '')),
      byteSize,
    });
    exchange.empty(200, 'application/json');
  });
}

function registerCuda(exchange: Exchange): void {
  const name = regionName(exchange, 'cuda');
  withRequiredJson(exchange, ['raw_handle', 'b64', 'byte_size', 'device_id'], (json) => {
    const handle = asObject(requireField(json, 'raw_handle'), 'raw_handle');
    const text = asString(requireMember(handle, 'b64', 'raw_handle'), 'b64');
    const byteSize = Number(asUint(requireMember(json, 'byte_size', 'byte_size'), 'byte_size'));
    const deviceId = Number(asUint(requireMember(json, 'device_id', 'device_id'), 'device_id'));
    const rawHandle = new Uint8Array(Buffer.from(text, 'base64'));
    if (rawHandle.byteLength !== CUDA_HANDLE_BYTES) {
      throw httpErrors.rawHandle();
    }
    const { cudaSharedMemory } = exchange.context.service;
    cudaSharedMemory.register({ name, key: '', offset: 0, byteSize, rawHandle, deviceId });
    exchange.empty(200, 'application/json');
  });
}

function unregister(exchange: Exchange, regions: SharedMemoryService): void {
  regions.unregister(exchange.match.region);
  exchange.empty(200, 'application/json');
}

/** One set for each kind of region; names are shared by both. */
export const sharedMemoryRoutes: readonly Route[] = [
  ...routesOf('system', {
    status: systemStatus,
    register: registerSystem,
    unregister: (exchange) => unregister(exchange, exchange.context.service.systemSharedMemory),
  }),
  ...routesOf('cuda', {
    status: cudaStatus,
    register: registerCuda,
    unregister: (exchange) => unregister(exchange, exchange.context.service.cudaSharedMemory),
  }),
];

/** Of all regions of a kind, and of one. */
function routesOf(
  kind: 'system' | 'cuda',
  handlers: Readonly<Record<'status' | 'register' | 'unregister', RouteHandler>>,
): readonly Route[] {
  const category = 'shared-memory';
  const paths = (action: string): readonly string[] => [
    `/${kind}sharedmemory/${action}`,
    `/${kind}sharedmemory/region/{region}/${action}`,
  ];
  const { status, register, unregister: forget } = handlers;
  return [
    { paths: paths('status'), category, methods: ['GET'], handler: status },
    { paths: paths('register'), category, methods: ['POST'], handler: register },
    { paths: paths('unregister'), category, methods: ['POST'], handler: forget },
  ];
}
