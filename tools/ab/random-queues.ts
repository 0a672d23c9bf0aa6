// Random models with queues in front of them (dynamic batches with policies and priorities, sequences of both strategies), and
// requests that come while others run. What runs with what follows from the pauses between them, which are long enough for
// two servers to agree. The same seed gives the same ones.

import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { pythonFiles } from '../../tests/reference/python-models.ts';
import { RandomChoice } from './random-choice.ts';

/** Sleeps as long as the longest of the batch says, in milliseconds; answers with what the execution was. */
const RECORDER = `def ready(request):
    control = pb_utils.get_input_tensor_by_name(request, "READY")
    return control is None or bool(control.as_numpy().reshape(-1)[0])


class TritonPythonModel:
    def initialize(self, args):
        self.runs = 0

    def execute(self, requests):
        self.runs += 1
        rows = sum(first(request).shape[0] for request in requests)
        filled = [request for request in requests if ready(request)]
        time.sleep(float(max(np.max(first(request)) for request in filled)) / 1000)
        responses = []
        for request in requests:
            told = {"run": self.runs, "requests": len(requests), "rows": rows}
            for one in request.inputs():
                if one.name() != "INPUT0":
                    told[one.name()] = one.as_numpy().tolist()
            text = np.full([first(request).shape[0], 1], json.dumps(told, sort_keys=True), np.object_)
            responses.append(pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", text)]))
        return responses
`;
const CONTROLS = `control_input { name: "START" control { kind: CONTROL_SEQUENCE_START int32_false_true: [ 0, 1 ] } }
control_input { name: "END" control { kind: CONTROL_SEQUENCE_END int32_false_true: [ 0, 1 ] } }
control_input { name: "READY" control { kind: CONTROL_SEQUENCE_READY int32_false_true: [ 0, 1 ] } }
control_input { name: "CORRID" control { kind: CONTROL_SEQUENCE_CORRID data_type: TYPE_UINT64 } }`;
const GAP_MS = 100;

/** One request; `after`: milliseconds after the one before. */
export interface Sent {
  readonly after: number;
  readonly body: { readonly parameters: object; readonly inputs: readonly object[] };
}

/** One model with what is sent to it, and when. */
export interface RandomQueue {
  readonly text: string;
  /** Of the model's folder, for the name it is given. */
  readonly files: (name: string) => RepositoryFiles;
  readonly sends: readonly Sent[];
  /** Of several, which one runs a request is up to either, and so is the number of the run. */
  readonly hasOneInstance: boolean;
  /** Whether the order of answers is part of the answer. */
  readonly isOrdered: boolean;
}

const IO = (
  optional: string,
): string => `input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ -1 ] ${optional} } ]
output [ { name: "OUTPUT0" data_type: TYPE_STRING dims: [ 1 ] } ]`;

/** Queues, one after the other; a seed always gives the same ones. */
export class RandomQueues {
  readonly #choice: RandomChoice;

  constructor(seed: number) {
    this.#choice = new RandomChoice(seed);
  }

  /** The next model with its requests. */
  queue(): RandomQueue {
    const isSequence = this.#choice.chance(0.45);
    const size = this.#choice.one([1, 2, 3, 4, 8]);
    // Which instance a sequence gets is up to either.
    const instances = !isSequence && this.#choice.chance(0.2) ? 2 : 1;
    const ragged = this.#choice.chance(0.1) ? 'allow_ragged_batch: true' : '';
    const batching = isSequence ? this.#sequences() : this.#batches(size);
    const text = [
      IO(ragged),
      `max_batch_size: ${size}`,
      `instance_group [ { kind: KIND_CPU count: ${instances} } ]`,
      batching,
    ].join('\n');
    return {
      text,
      files: (name) => pythonFiles(name, RECORDER, text),
      sends: isSequence ? this.#steps() : this.#requests(size, text.includes('priority_levels')),
      isOrdered: batching.includes('preserve_ordering') && !batching.includes('timeout'),
      hasOneInstance: instances === 1,
    };
  }

  #policy(): string {
    const choice = this.#choice;
    // While all instances are busy the reference looks for late requests twice a second only: until then they count.
    const isSized = choice.chance(0.35);
    if (isSized) return `max_queue_size: ${choice.one([1, 2, 3])}`;
    return [
      choice.chance(0.4) ? `timeout_action: ${choice.one(['REJECT', 'DELAY'])}` : '',
      choice.chance(0.5) ? `default_timeout_microseconds: ${choice.one([0, 150_000, 250_000, 450_000])}` : '',
      choice.chance(0.4) ? 'allow_timeout_override: true' : '',
    ].join(' ');
  }

  #batches(size: number): string {
    const choice = this.#choice;
    const levels = choice.chance(0.45);
    const sizes = choice.some([1, 2, 3, 4, 6, 8], 0.3).filter((one) => one <= size);
    const policies = levels
      ? choice
          .some([1, 2, 3], 0.4)
          .map((key) => `priority_queue_policy { key: ${key} value { ${this.#policy()} } }`)
      : [];
    const members = [
      sizes.length > 0 && choice.chance(0.5) ? `preferred_batch_size: [ ${sizes.join(', ')} ]` : '',
      choice.chance(0.55) ? `max_queue_delay_microseconds: ${choice.one([150_000, 250_000, 550_000])}` : '',
      choice.chance(0.25) && !levels ? 'preserve_ordering: true' : '',
      levels ? `priority_levels: 3 default_priority_level: ${choice.one([1, 2, 3])}` : '',
      choice.chance(0.5) ? `default_queue_policy { ${this.#policy()} }` : '',
      ...policies,
    ];
    return `dynamic_batching { ${members.filter((one) => one !== '').join(' ')} }`;
  }

  #sequences(): string {
    const choice = this.#choice;
    const delay = choice.chance(0.5)
      ? `max_queue_delay_microseconds: ${choice.one([150_000, 250_000, 550_000])}`
      : '';
    const strategy = choice.one([
      '',
      `direct { ${delay} ${choice.chance(0.6) ? `minimum_slot_utilization: ${choice.one(['0.3', '0.5', '1'])}` : ''} }`,
      `oldest { max_candidate_sequences: ${choice.one([1, 2, 3, 4])} ${delay} ${choice.chance(0.3) ? 'preferred_batch_size: [ 1 ]' : ''} ${choice.chance(0.3) ? 'preserve_ordering: true' : ''} }`,
    ]);
    const idle = choice.chance(0.2) ? 1_050_000 : 4_050_000;
    return `sequence_batching { max_sequence_idle_microseconds: ${idle} ${CONTROLS} ${strategy} }`;
  }

  #takes(): number {
    return this.#choice.one([10, 10, 240, 240, 440, 640]);
  }

  #requests(size: number, hasLevels: boolean): Sent[] {
    const choice = this.#choice;
    const width = choice.chance(0.25) ? [1, 2] : [1];
    return Array.from({ length: 6 + choice.below(8) }, (_, at) => {
      const rows = choice.chance(0.7) ? 1 : 1 + choice.below(size + (choice.chance(0.1) ? 1 : 0));
      const columns = choice.one(width);
      const parameters = {
        ...(hasLevels && choice.chance(0.8) ? { priority: choice.below(choice.chance(0.1) ? 5 : 4) } : {}),
        ...(choice.chance(0.2) ? { timeout: choice.one([150_000, 350_000, 5_000_000]) } : {}),
      };
      const takes = at === 0 ? choice.one([440, 640, 840]) : this.#takes();
      return { after: this.#after(), body: bodyOf(parameters, rows, columns, takes) };
    });
  }

  #steps(): Sent[] {
    const choice = this.#choice;
    const open = new Set<number>();
    return Array.from({ length: 8 + choice.below(8) }, () => {
      const id = 1 + choice.below(5);
      const isStart = !open.has(id) || choice.chance(0.05);
      const isEnd = choice.chance(0.25);
      if (isEnd) open.delete(id);
      else open.add(id);
      const parameters = {
        sequence_id: id,
        ...(isStart && choice.chance(0.95) ? { sequence_start: true } : {}),
        ...(isEnd ? { sequence_end: true } : {}),
        ...(choice.chance(0.08) ? { timeout: 350_000 } : {}),
      };
      const columns = choice.chance(0.1) ? 2 : 1;
      return { after: this.#after(), body: bodyOf(parameters, 1, columns, this.#takes()) };
    });
  }

  #after(): number {
    return GAP_MS * (this.#choice.chance(0.1) ? 4 : 1);
  }
}

const bodyOf = (parameters: object, rows: number, columns: number, takes: number): Sent['body'] => ({
  parameters,
  inputs: [
    {
      name: 'INPUT0',
      datatype: 'FP32',
      shape: [rows, columns],
      data: Array<number>(rows * columns).fill(takes),
    },
  ],
});
