// All scenes, in the order in which they are played.

import { AMOUNT_SCENE } from './amount-cases.ts';
import { BATCH_FIELD_SCENES } from './batch-field-cases.ts';
import { BATCH_FLOW_SCENE } from './batch-flows.ts';
import { CACHE_FLOW_SCENES } from './cache-flows.ts';
import { CACHE_SCENES } from './cache-cases.ts';
import { CALL_SCENE } from './call-cases.ts';
import { CANCEL_FLOW_SCENE } from './cancel-flows.ts';
import { CANCEL_SCENE } from './cancel-cases.ts';
import { CLIENT_SCENE } from './client-cases.ts';
import { CLOUD_SCENE } from './cloud-cases.ts';
import { COMPRESSION_SCENES } from './compression-cases.ts';
import { CONFIG_SCENE, STRICT_SCENE } from './config-cases.ts';
import { CONTROL_SCENE } from './control-cases.ts';
import { CONTROL_TYPE_SCENES } from './control-type-cases.ts';
import { COUNT_SCENE } from './count-cases.ts';
import { DEFAULT_BATCH_SCENES } from './default-batch-cases.ts';
import { ENSEMBLE_SCENE } from './ensemble-cases.ts';
import { ENSEMBLE_FLOW_SCENE } from './ensemble-flows.ts';
import { FAULT_SCENE } from './fault-cases.ts';
import { CONNECTION_SCENES } from './connection-cases.ts';
import { FRAME_SCENE } from './frame-cases.ts';
import { GENERATE_SCENE } from './generate-cases.ts';
import { GOING_FLOW_SCENE } from './going-flows.ts';
import { GRPC_CASES } from './grpc-cases.ts';
import { HEADER_FLOW_SCENES } from './header-flows.ts';
import { HEADER_SCENES } from './header-cases.ts';
import { HTTP_SCRIPTS } from './http-scripts.ts';
import { ITERATIVE_SCENE } from './iterative-cases.ts';
import { LEVEL_SCENE } from './level-kinds.ts';
import { LIFE_SCENE } from './life-cases.ts';
import { LIMITER_SCENE } from './limiter-cases.ts';
import { LIMITER_DEVICE_SCENE } from './limiter-devices.ts';
import { LIMITER_FLOW_SCENES } from './limiter-flows.ts';
import { LIMITER_LOAD_SCENES } from './limiter-loads.ts';
import { LOAD_SCENE } from './load-cases.ts';
import { LOG_SCENE } from './log-cases.ts';
import { MANAGEMENT_SCENE } from './management-cases.ts';
import { METRICS_SCENES } from './metrics-cases.ts';
import { MIDWAY_SCENE } from './midway-cases.ts';
import { NAMESPACE_SCENES } from './namespace-cases.ts';
import { ONNX_CONFIG_SCENE } from './onnx-config-cases.ts';
import { ONNX_SCENE } from './onnx-cases.ts';
import { OBSERVABILITY_CASES } from './observability-cases.ts';
import { PROBE_SCENE, PYTHON_SCENE } from './python-cases.ts';
import { PYTHON_CALL_SCENE } from './python-call-cases.ts';
import { LABEL_SCENE } from './label-cases.ts';
import { LATE_SCENE } from './python-late.ts';
import { PYTHON_BIT_SCENE } from './python-bits.ts';
import { PYTHON_EDGE_SCENE } from './python-edges.ts';
import { PYTHON_LIFE_SCENE } from './python-life.ts';
import { PYTHON_TURN_SCENE } from './python-turns.ts';
import { PYTHON_METRICS_SCENE } from './python-metrics.ts';
import { OVERLAP_SCENE } from './overlap-cases.ts';
import { PACKED_SCENE } from './packed-cases.ts';
import { PAIRED_FAULT_SCENE } from './paired-faults.ts';
import { PAIRED_HTTP_FAULT_SCENE } from './paired-http-faults.ts';
import { PARAMETER_SCENE } from './parameter-kinds.ts';
import { POLL_SCENES } from './poll-cases.ts';
import { POLL_BUSY_SCENES } from './poll-busy.ts';
import { POLL_DEPENDENT_SCENES } from './poll-dependents.ts';
import { QUEUE_SCENE } from './queue-cases.ts';
import { RAGGED_SCENE } from './ragged-cases.ts';
import { RAGGED_MIXED_SCENE } from './ragged-mixed.ts';
import { ODD_WIRE_SCENE } from './odd-wire-cases.ts';
import { RECORD_SCENE } from './record-cases.ts';
import { REQUEST_SCENE } from './request-cases.ts';
import { wireReferenceCase } from './reference-case.ts';
import { STARTED, twinRepository } from './reference-models.ts';
import type { Scene } from './scene.ts';
import { REGION_EDGE_SCENE } from './region-edge-cases.ts';
import { REGION_WALKS } from './region-walks.ts';
import { REPEATED_KEYS } from './repeated-keys.ts';
import { RESHAPE_SCENE } from './reshape-cases.ts';
import { RESTRICTED_SCENES } from './restricted-cases.ts';
import { ROUTE_SCENE } from './route-cases.ts';
import { RUNTIME_SCENE } from './runtime-cases.ts';
import { SCHEDULING_CASES } from './scheduling-cases.ts';
import { SERIES_SCENES } from './series-cases.ts';
import { SEQUENCE_SCENE } from './sequence-cases.ts';
import { SEQUENCE_FLOW_SCENE } from './sequence-flows.ts';
import { SEQUENCE_ID_FLOW_SCENE } from './sequence-id-flows.ts';
import { STATE_SCENE } from './state-cases.ts';
import { SPAN_SCENES } from './span-cases.ts';
import { SPAN_FLOW_SCENES } from './span-flows.ts';
import { STREAM_SCENE } from './stream-cases.ts';
import { TAG_SCENES } from './tag-cases.ts';
import { TABLE_SCENES } from './table-cases.ts';
import { TENSOR_CASES } from './tensor-cases.ts';
import { TRACED_SCENES } from './traced-cases.ts';
import { TRACE_FILE_SCENES } from './trace-file-cases.ts';
import { TRACE_KIND_SCENES } from './trace-kinds.ts';
import { UPLOAD_SCENE } from './upload-cases.ts';
import { VERBOSE_SCENES } from './verbose-cases.ts';
import { VERSION_FLOW_SCENES } from './version-flows.ts';
import { VERSION_SCENE } from './version-kinds.ts';
import { WARMUP_SCENE } from './warmup-cases.ts';
import { WARMUP_KIND_SCENE } from './warmup-kinds.ts';
import { WAITING_FLOW_SCENE } from './waiting-flows.ts';
import { WIRE_CASES } from './wire-cases.ts';

const twins: Scene = {
  name: 'twins',
  repositories: (side) => [twinRepository(side)],
  args: [
    '--model-control-mode=explicit',
    ...STARTED.map((name) => `--load-model=${name}`),
    '--cache-config=local,size=1048576',
  ],
  cases: [
    ...WIRE_CASES.map(wireReferenceCase),
    ...TENSOR_CASES.map(wireReferenceCase),
    ...OBSERVABILITY_CASES,
    ...HTTP_SCRIPTS,
    ...GRPC_CASES,
    ...SCHEDULING_CASES,
    REPEATED_KEYS,
  ],
};

export const SCENES: readonly Scene[] = [
  twins,
  CLIENT_SCENE,
  CLOUD_SCENE,
  ...COMPRESSION_SCENES,
  CALL_SCENE,
  FAULT_SCENE,
  FRAME_SCENE,
  ...CONNECTION_SCENES,
  ODD_WIRE_SCENE,
  GENERATE_SCENE,
  REQUEST_SCENE,
  LABEL_SCENE,
  RESHAPE_SCENE,
  ONNX_SCENE,
  ONNX_CONFIG_SCENE,
  ROUTE_SCENE,
  ...TRACED_SCENES,
  PACKED_SCENE,
  PAIRED_FAULT_SCENE,
  PAIRED_HTTP_FAULT_SCENE,
  PARAMETER_SCENE,
  RUNTIME_SCENE,
  PYTHON_SCENE,
  PROBE_SCENE,
  PYTHON_CALL_SCENE,
  LATE_SCENE,
  PYTHON_BIT_SCENE,
  PYTHON_EDGE_SCENE,
  PYTHON_LIFE_SCENE,
  PYTHON_METRICS_SCENE,
  PYTHON_TURN_SCENE,
  CONFIG_SCENE,
  STRICT_SCENE,
  LIFE_SCENE,
  OVERLAP_SCENE,
  ...POLL_SCENES,
  ...POLL_DEPENDENT_SCENES,
  ...POLL_BUSY_SCENES,
  QUEUE_SCENE,
  BATCH_FLOW_SCENE,
  LEVEL_SCENE,
  RAGGED_SCENE,
  RAGGED_MIXED_SCENE,
  ...BATCH_FIELD_SCENES,
  REGION_WALKS,
  REGION_EDGE_SCENE,
  SEQUENCE_SCENE,
  SEQUENCE_FLOW_SCENE,
  SEQUENCE_ID_FLOW_SCENE,
  STATE_SCENE,
  STREAM_SCENE,
  ENSEMBLE_SCENE,
  ENSEMBLE_FLOW_SCENE,
  ITERATIVE_SCENE,
  CANCEL_SCENE,
  CANCEL_FLOW_SCENE,
  COUNT_SCENE,
  RECORD_SCENE,
  CONTROL_SCENE,
  ...CONTROL_TYPE_SCENES,
  MANAGEMENT_SCENE,
  UPLOAD_SCENE,
  LOAD_SCENE,
  ...RESTRICTED_SCENES,
  LIMITER_SCENE,
  ...LIMITER_LOAD_SCENES,
  LIMITER_DEVICE_SCENE,
  ...VERSION_FLOW_SCENES,
  VERSION_SCENE,
  GOING_FLOW_SCENE,
  MIDWAY_SCENE,
  ...NAMESPACE_SCENES,
  AMOUNT_SCENE,
  ...LIMITER_FLOW_SCENES,
  LOG_SCENE,
  ...DEFAULT_BATCH_SCENES,
  ...HEADER_SCENES,
  ...HEADER_FLOW_SCENES,
  ...VERBOSE_SCENES,
  ...METRICS_SCENES,
  ...TAG_SCENES,
  ...SERIES_SCENES,
  ...SPAN_SCENES,
  ...SPAN_FLOW_SCENES,
  ...CACHE_SCENES,
  ...CACHE_FLOW_SCENES,
  WAITING_FLOW_SCENE,
  WARMUP_SCENE,
  WARMUP_KIND_SCENE,
  ...TABLE_SCENES,
  ...TRACE_FILE_SCENES,
  ...TRACE_KIND_SCENES,
];
