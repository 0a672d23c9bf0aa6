// Models of the flows: they tell what they were asked, and in which execution, or keep the one before busy.

import { pythonFiles } from './python-models.ts';
import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';

/**
 * Sleeps as many tenths of a second as the first value of its requests says; an error where that is below zero. Tells the
 * run, its requests and rows, and of each request everything that came with it.
 */
export const TELLS = `def value(request):
    inputs = sorted(request.inputs(), key=lambda one: one.name())
    known = [one for one in inputs if one.name().startswith("INPUT") and one.as_numpy().size > 0]
    given = float(known[0].as_numpy().reshape(-1)[0]) if known and known[0].as_numpy().dtype != object else 0.0
    # In an empty place of a batch of sequences stands what happened to lie in memory.
    return given if abs(given) < 50 else 0.0


class TritonPythonModel:
    def initialize(self, args):
        config = json.loads(args["model_config"])
        self.batches = config["max_batch_size"] > 0
        self.outputs = [one["name"] for one in config["output"]]
        self.runs = 0

    def tell(self, request, requests):
        told = {"run": self.runs, "requests": len(requests)}
        for one in sorted(request.inputs(), key=lambda one: one.name()):
            told[one.name()] = [str(one.as_numpy().dtype), list(one.as_numpy().shape), str(one.as_numpy().reshape(-1)[:5].tolist())]
        told["rows"] = sum(max([1] + [one.as_numpy().shape[0] for one in asked.inputs() if self.batches]) for asked in requests)
        told["with"] = [request.request_id(), str(request.correlation_id()), request.flags(), request.timeout(), json.loads(request.parameters()), sorted(request.requested_output_names())]
        return told

    def execute(self, requests):
        self.runs += 1
        time.sleep(max(max(abs(value(request)) for request in requests), 0) / 10)
        responses = []
        for request in requests:
            if value(request) < 0:
                responses.append(pb_utils.InferenceResponse(error=pb_utils.TritonError("on purpose")))
                continue
            rows = [request.inputs()[0].as_numpy().shape[0]] if self.batches else []
            text = np.full(rows + [1], json.dumps(self.tell(request, requests)), dtype=object)
            responses.append(pb_utils.InferenceResponse([pb_utils.Tensor(name, text) for name in self.outputs]))
        return responses
`;

export const tensor = (name: string, more = '', type = 'FP32', dims = '-1'): string =>
  `{ name: "${name}" data_type: TYPE_${type} dims: [ ${dims} ] ${more} }`;

export interface TellingOptions {
  readonly size?: number;
  readonly count?: number;
  /** In place of INPUT0. */
  readonly inputs?: readonly string[];
  readonly outputs?: readonly string[];
  readonly code?: string;
}

/** A model that tells; `more` is the rest of its configuration. */
export const telling = (
  name: string,
  more = '',
  {
    size = 1,
    count = 1,
    inputs = [tensor('INPUT0')],
    outputs = ['OUTPUT0'],
    code = TELLS,
  }: TellingOptions = {},
): RepositoryFiles =>
  pythonFiles(
    name,
    code,
    `max_batch_size: ${size}
input [ ${inputs.join(', ')} ]
output [ ${outputs.map((one) => tensor(one, '', 'STRING', '1')).join(', ')} ]
${more.includes('instance_group') ? '' : `instance_group [ { kind: KIND_CPU count: ${count} } ]`}
${more}`,
  );
