// Ensembles in use, of Python models that tell how they were asked: what a step inherits, shapes with and without batches,
// optional tensors, branches, failures in the middle, queues, sequences, texts, classes, ensembles in ensembles.

import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { pythonFiles } from './python-models.ts';

/**
 * Adds its inputs and tells how it was asked. The first value chooses: -1 an error, -2 an exception, -3 no OUT, -4 OUT of
 * another shape, -5 OUT of another number of rows, -6 no TOLD, -7 a pause; -8 an error of another code.
 */
const TELLER = `def told(request):
    names = [tensor.name() + str(list(tensor.as_numpy().shape)) for tensor in request.inputs()]
    given = json.loads(request.parameters() or "{}")
    parts = [
        request.request_id(),
        json.dumps(given, sort_keys=True),
        str(request.correlation_id()),
        str(request.flags()),
        str(request.timeout()),
        ",".join(sorted(names)),
        ",".join(sorted(request.requested_output_names())),
    ]
    return "|".join(parts)


class TritonPythonModel:
    def execute(self, requests):
        responses = []
        for request in requests:
            total = first(request, "X")
            other = pb_utils.get_input_tensor_by_name(request, "Y")
            if other is not None:
                total = total + other.as_numpy()
            choice = int(total.reshape(-1)[0]) if total.size else 0
            if choice == -1:
                responses.append(pb_utils.InferenceResponse(error=pb_utils.TritonError("minus one")))
                continue
            if choice == -8:
                failure = pb_utils.TritonError("minus eight", pb_utils.TritonError.UNAVAILABLE)
                responses.append(pb_utils.InferenceResponse(error=failure))
                continue
            if choice == -7:
                time.sleep(0.4)
            rows = [total.shape[0], 1] if total.ndim > 1 else [1]
            told_text = np.full(rows, told(request), dtype=object)
            if choice == -4:
                total = total.reshape([total.shape[0], 1, -1])
            if choice == -5:
                total = np.concatenate([total, total])
            tensors = []
            if choice != -3:
                tensors.append(pb_utils.Tensor("OUT", total))
            if choice != -6:
                tensors.append(pb_utils.Tensor("TOLD", told_text))
            responses.append(pb_utils.InferenceResponse(tensors))
        return responses
`;

const int = (name: string, dims: string, more = ''): string =>
  `{ name: "${name}" data_type: TYPE_INT32 dims: [ ${dims} ] ${more} }`;
const text = (name: string, dims = '1', more = ''): string =>
  `{ name: "${name}" data_type: TYPE_STRING dims: [ ${dims} ] ${more} }`;
const list = (kind: string, tensors: readonly string[]): string => `${kind} [ ${tensors.join(', ')} ]`;
const CPU = 'instance_group [ { kind: KIND_CPU } ]';
const teller = (size: number, more = '', dims = '-1'): string =>
  `max_batch_size: ${size}
${list('input', [int('X', dims), int('Y', dims, 'optional: true')])}
${list('output', [int('OUT', dims), text('TOLD')])}
${CPU}
${more}`;

const SEQUENCE = `sequence_batching { max_sequence_idle_microseconds: 20000000
  control_input [ { name: "START" control [ { kind: CONTROL_SEQUENCE_START int32_false_true: [ 0, 1 ] } ] } ] }`;

const QUEUE = `dynamic_batching { priority_levels: 2 default_priority_level: 2
  default_queue_policy { max_queue_size: 2 allow_timeout_override: true default_timeout_microseconds: 5000000 } }`;

interface Step {
  readonly model: string;
  readonly in: Readonly<Record<string, string>>;
  readonly out: Readonly<Record<string, string>>;
}
const maps = (field: string, entries: Readonly<Record<string, string>>): string =>
  Object.entries(entries)
    .map(([key, value]) => `${field} { key: "${key}" value: "${value}" }`)
    .join(' ');
const step = (one: Step): string =>
  `{ model_name: "${one.model}" model_version: -1 ${maps('input_map', one.in)} ${maps('output_map', one.out)} }`;
const ensemble = (
  steps: readonly Step[],
  { size = 8, inputs = [int('A', '-1')], outputs = [int('Z', '-1')], more = '' } = {},
): string => `platform: "ensemble"
max_batch_size: ${size}
${list('input', inputs)}
${list('output', outputs)}
ensemble_scheduling { step [ ${steps.map(step).join(', ')} ] }
${more}`;

const B = int('B', '-1');
const OPTIONAL_B = int('B', '-1', 'optional: true');
const Z_AND_TOLD = [int('Z', '-1'), text('T')];
const chain = (first: string, second: string): readonly Step[] => [
  { model: first, in: { X: 'A' }, out: { OUT: 'm' } },
  { model: second, in: { X: 'm' }, out: { OUT: 'Z', TOLD: 'T' } },
];
const FULL = { size: 0, inputs: [int('A', '-1, -1')], outputs: [int('Z', '-1, -1')] };

/** Configurations by name. */
export const ENSEMBLES_IN_USE: Readonly<Record<string, string>> = {
  e_chain: ensemble(chain('tell', 'tell'), { outputs: Z_AND_TOLD }),
  e_told: ensemble([{ model: 'tell', in: { X: 'A' }, out: { OUT: 'Z', TOLD: 'T' } }], {
    outputs: Z_AND_TOLD,
  }),
  e_small: ensemble(chain('tell', 'tell'), { size: 4, outputs: Z_AND_TOLD }),
  e_into_whole: ensemble([{ model: 'whole_rows', in: { X: 'A' }, out: { OUT: 'Z' } }]),
  e_into_list: ensemble([{ model: 'whole', in: { X: 'A' }, out: { OUT: 'Z' } }]),
  e_whole_of_batches: ensemble([{ model: 'tell', in: { X: 'A' }, out: { OUT: 'Z' } }], FULL),
  e_list_of_batches: ensemble([{ model: 'tell', in: { X: 'A' }, out: { OUT: 'Z' } }], { size: 0 }),
  e_out_and_in: ensemble([
    { model: 'tell', in: { X: 'A' }, out: { OUT: 'm' } },
    { model: 'whole', in: { X: 'm' }, out: { OUT: 'n' } },
    { model: 'tell', in: { X: 'n' }, out: { OUT: 'Z' } },
  ]),
  e_branches: ensemble(
    [
      { model: 'tell', in: { X: 'A' }, out: { OUT: 'l', TOLD: 'T' } },
      { model: 'tell_too', in: { X: 'B' }, out: { OUT: 'r' } },
      { model: 'tell', in: { X: 'l', Y: 'r' }, out: { OUT: 'Z' } },
    ],
    { inputs: [int('A', '-1'), B], outputs: Z_AND_TOLD },
  ),
  e_optional: ensemble(
    [
      { model: 'tell', in: { X: 'A', Y: 'B' }, out: { OUT: 'm' } },
      { model: 'tell', in: { X: 'm', Y: 'B' }, out: { OUT: 'Z', TOLD: 'T' } },
    ],
    { inputs: [int('A', '-1'), OPTIONAL_B], outputs: Z_AND_TOLD },
  ),
  e_optional_needed: ensemble([{ model: 'tell', in: { X: 'B', Y: 'A' }, out: { OUT: 'Z' } }], {
    inputs: [int('A', '-1'), OPTIONAL_B],
  }),
  e_queue: ensemble(chain('tell', 'tell_queue'), { outputs: Z_AND_TOLD }),
  e_sequence: ensemble(chain('tell_sequence', 'tell'), { size: 1, outputs: Z_AND_TOLD }),
  e_sequences: ensemble(chain('tell_sequence', 'tell_sequence'), { size: 1, outputs: Z_AND_TOLD }),
  e_nested: ensemble([
    { model: 'e_told', in: { A: 'A' }, out: { Z: 'm' } },
    { model: 'tell', in: { X: 'm' }, out: { OUT: 'Z' } },
  ]),
  e_reshaped: ensemble(chain('tell', 'reshaped'), { outputs: Z_AND_TOLD }),
  e_classes: ensemble([{ model: 'tell', in: { X: 'A' }, out: { OUT: 'Z' } }], {
    outputs: [int('Z', '-1', 'label_filename: "labels.txt"')],
  }),
  e_texts: ensemble(
    [
      { model: 'texts', in: { X: 'A' }, out: { OUT: 'm' } },
      { model: 'texts', in: { X: 'm' }, out: { OUT: 'Z' } },
    ],
    { inputs: [text('A', '-1')], outputs: [text('Z', '-1')] },
  ),
  e_overwriting_both: ensemble(
    [
      { model: 'tell', in: { X: 'A' }, out: { OUT: 'B' } },
      { model: 'tell_too', in: { X: 'A', Y: 'B' }, out: { OUT: 'Z' } },
    ],
    { inputs: [int('A', '-1'), B] },
  ),
  e_passing: ensemble([{ model: 'tell', in: { X: 'A' }, out: { OUT: 'Z' } }], {
    outputs: [int('Z', '-1'), int('A', '-1')],
  }),
  e_inner: ensemble(chain('tell', 'tell'), { outputs: [int('Z', '-1'), text('T'), int('m', '-1')] }),
};

const TEXTS = `class TritonPythonModel:
    def execute(self, requests):
        return [
            pb_utils.InferenceResponse([pb_utils.Tensor("OUT", first(request, "X"))]) for request in requests
        ]
`;

export const ENSEMBLE_FILES: RepositoryFiles = {
  ...pythonFiles('tell', TELLER, teller(8, 'dynamic_batching {}')),
  ...pythonFiles('tell_too', TELLER, teller(8)),
  ...pythonFiles('tell_queue', TELLER, teller(8, QUEUE)),
  ...pythonFiles('tell_sequence', TELLER, teller(1, SEQUENCE)),
  ...pythonFiles('whole', TELLER, teller(0)),
  ...pythonFiles('whole_rows', TELLER, teller(0, '', '-1, -1')),
  ...pythonFiles(
    'reshaped',
    TELLER,
    teller(8).replace(int('X', '-1'), int('X', '4', 'reshape { shape: [ 2, 2 ] }')),
  ),
  ...pythonFiles(
    'texts',
    TEXTS,
    `max_batch_size: 8 ${list('input', [text('X', '-1')])} ${list('output', [text('OUT', '-1')])} ${CPU}`,
  ),
  ...Object.fromEntries(
    Object.entries(ENSEMBLES_IN_USE).flatMap(([name, config]) => [
      [`${name}/config.pbtxt`, config],
      [`${name}/1/`, ''],
    ]),
  ),
  'e_classes/labels.txt': 'zero\none\ntwo\n',
};
