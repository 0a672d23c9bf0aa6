import { afterEach, beforeEach, expect, test } from 'vitest';

import { parseModelConfig } from '../../src-shared/config/parse-model-config.ts';
import { addLogSink, setLogSwitches } from '../base/log.ts';
import type { InstanceSpec } from '../inference/backend.ts';
import {
  steps,
  tellCompleted,
  tellInstanceBegins,
  tellInstanceEnds,
  tellInstanceServes,
  tellModelBegins,
} from './life-records.ts';

const spec = (kind: InstanceSpec['kind'], deviceId: number): InstanceSpec => ({
  name: 'm_0',
  kind,
  deviceId,
  ordinal: 0,
  isPassive: false,
  hostPolicy: '',
});

let said: string[] = [];
let stopListening: () => void;

beforeEach(() => {
  said = [];
  stopListening = addLogSink(({ verbosity, message }) => said.push(`${verbosity} ${message}`));
  setLogSwitches({ verboseLevel: 2 });
});

afterEach(() => {
  stopListening();
  setLogSwitches({ verboseLevel: 0 });
});

test('the Python backend tells of instances that begin, the others of models too', () => {
  for (const backend of ['python', 'onnxruntime']) {
    tellModelBegins(backend, 'm', '1');
    tellInstanceEnds(backend, spec('KIND_CPU', -1));
  }
  expect(said).toEqual([
    '1 TRITONBACKEND_ModelInitialize: m (version 1)',
    '1 Stopping backend thread for m_0...',
    '1 TRITONBACKEND_ModelInstanceFinalize: delete instance state',
    '0 TRITONBACKEND_ModelInitialize: m (version 1)',
    '1 Stopping backend thread for m_0...',
    '0 TRITONBACKEND_ModelInstanceFinalize: delete instance state',
  ]);
});

test.each([
  ['KIND_CPU', -1, 'CPU device 0', 'CPU', 0],
  ['KIND_GPU', 1, 'GPU device 1', 'GPU 1', 1],
] as const)('an instance of %s on device %i', (kind, deviceId, device, place, number) => {
  tellInstanceBegins(spec(kind, deviceId), 'model.onnx');
  tellInstanceServes(spec(kind, deviceId));
  expect(said).toEqual([
    `0 TRITONBACKEND_ModelInstanceInitialize: m_0 (${device})`,
    `1 Creating instance m_0 on ${place} using artifact 'model.onnx'`,
    `1 Starting backend thread for m_0 at nice 0 on device ${number}...`,
    `2 Created model instance named 'm_0' with device id '${number}'`,
  ]);
});

test('the completed configuration has what name and files of the folder say', () => {
  tellCompleted(parseModelConfig('max_batch_size: 2').config, 'm', []);
  expect(said).toEqual(['1 Server side auto-completed config: \nname: "m"\nmax_batch_size: 2\n\n']);
});

test('steps are told at the second level only', () => {
  steps.load('m');
  setLogSwitches({ verboseLevel: 1 });
  steps.unload('m');
  expect(said).toEqual(["2 AsyncLoad() 'm'"]);
});
