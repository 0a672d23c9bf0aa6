// The Python models of the request scene.

import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { answering, ECHO_MODEL, executing, pythonFiles } from './python-models.ts';

const io = (type: string, more = '', dims = '-1'): string =>
  `input [ { name: "INPUT0" data_type: TYPE_${type} dims: [ ${dims} ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_${type} dims: [ ${dims} ] } ]\n${more}`;
const CPU = 'instance_group [ { kind: KIND_CPU count: 1 } ]';
const TELLS =
  answering(`told = json.dumps(json.loads(request.parameters()), sort_keys=True) + " " + str(request.correlation_id()) + " " + str(request.flags()) + " " + str(request.timeout()) + " " + request.request_id()
response = pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", np.array([told.encode()], np.object_))])`);
const TELL_IO = `input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ -1 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_STRING dims: [ -1 ] } ]`;
const SUM = `class TritonPythonModel:
    def initialize(self, args):
        self.seen = {}
    def execute(self, requests):
        out = []
        for request in requests:
            start, end, ready, corrid = [first(request, name).reshape(-1)[0] for name in ("START", "END", "READY", "CORRID")]
            if isinstance(corrid, bytes):
                corrid = corrid.decode()
            self.seen[corrid] = ([] if start else self.seen.get(corrid, [])) + [float(first(request).reshape(-1)[0])]
            told = "%s %s %s %s %s" % (start, end, ready, corrid, self.seen[corrid])
            out.append(pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", np.array([[told.encode()]], np.object_))]))
        return out
`;
const sequence = (type: string): string => `max_batch_size: 1
input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ 1 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_STRING dims: [ 1 ] } ]
${CPU}
sequence_batching { max_sequence_idle_microseconds: 60000000 control_input [
  { name: "START" control [ { kind: CONTROL_SEQUENCE_START fp32_false_true: [ 0, 1 ] } ] },
  { name: "END" control [ { kind: CONTROL_SEQUENCE_END bool_false_true: [ false, true ] } ] },
  { name: "READY" control [ { kind: CONTROL_SEQUENCE_READY int32_false_true: [ 5, 7 ] } ] },
  { name: "CORRID" control [ { kind: CONTROL_SEQUENCE_CORRID data_type: TYPE_${type} } ] } ] }`;
const STREAM = executing(`for request in requests:
    sender = request.get_response_sender()
    for value in first(request).reshape(-1):
        if value == -2:
            time.sleep(1)
        elif value < 0:
            sender.send(pb_utils.InferenceResponse(error=pb_utils.TritonError("negative", pb_utils.TritonError.INVALID_ARG)))
        else:
            sender.send(pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", np.array([value], np.float32))]))
    sender.send(flags=pb_utils.TRITONSERVER_RESPONSE_COMPLETE_FINAL)
return None`);

export const REQUEST_MODELS: RepositoryFiles = {
  ...pythonFiles('echo', ECHO_MODEL),
  ...pythonFiles('texts', ECHO_MODEL, io('STRING')),
  ...pythonFiles('bools', ECHO_MODEL, io('BOOL')),
  ...pythonFiles('halves', ECHO_MODEL, io('FP16')),
  ...pythonFiles('shorts', ECHO_MODEL, io('UINT16', 'max_batch_size: 4\ndynamic_batching {}')),
  ...pythonFiles('grid', ECHO_MODEL, io('FP32', '', '2, -1, 3')),
  ...pythonFiles('tells', TELLS, TELL_IO),
  ...pythonFiles('text_sequences', SUM, sequence('STRING')),
  ...pythonFiles('number_sequences', SUM, sequence('UINT32')),
  ...pythonFiles('streams', STREAM, io('FP32', 'model_transaction_policy { decoupled: true }')),
  ...pythonFiles('cached', ECHO_MODEL, io('FP32', 'response_cache { enable: true }')),
  ...pythonFiles(
    'ranked',
    ECHO_MODEL,
    io(
      'FP32',
      `max_batch_size: 2\n${CPU}\ndynamic_batching { priority_levels: 3 default_priority_level: 2 default_queue_policy { allow_timeout_override: true default_timeout_microseconds: 5000000 } }`,
    ),
  ),
};
