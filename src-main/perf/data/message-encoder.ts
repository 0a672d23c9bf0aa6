// Steps of a data set to complete messages for the wire: batched, with the plan's parameters, as HTTP or gRPC bytes.

import type { PerfPlan } from '../../../src-shared/contract/perf-plan.ts';
import { encodeGrpcRequest } from '../../client/grpc-client.ts';
import type { ClientParameterValue, ClientRegion, ClientRequest } from '../../client/infer-client.ts';
import type { LoadMessage } from '../load/lane.ts';
import { perfDataErrors } from './data-errors.ts';
import type { DataSet, DataStep, StepPlace, WholeRequest } from './data-set.ts';
import { httpMessage } from './http-message.ts';
import type { LoadModel } from './load-model.ts';

/** The sequence parameters of one request, as Triton reads them: `sequence_id`, `sequence_start`, `sequence_end`. */
export interface SequenceMark {
  readonly id: number;
  readonly isStart: boolean;
  readonly isEnd: boolean;
}

/** Regions of tensors that do not travel; undefined = they travel. */
export interface RegionLookup {
  /**
   * The registered region with the tensor's bytes of the batch that begins at `place`; throws INTERNAL when
   * there is none.
   */
  input(name: string, place: StepPlace): ClientRegion;
  /** The registered region that the server writes the output to; throws INTERNAL when there is none. */
  output(name: string): ClientRegion;
}

/**
 * Throws INVALID_ARG for a parameter that is no value of its type, and for rows of one batch whose shapes
 * differ.
 */
export class MessageEncoder {
  readonly #plan: PerfPlan;
  readonly #model: LoadModel;
  readonly #data: DataSet;
  readonly #address: string;
  readonly #regions: RegionLookup | undefined;
  readonly #fixed: ReadonlyMap<string, ClientParameterValue>;

  constructor(parts: {
    readonly plan: PerfPlan;
    readonly model: LoadModel;
    readonly data: DataSet;
    /** For the Host header. */
    readonly address: string;
    readonly regions?: RegionLookup | undefined;
  }) {
    this.#plan = parts.plan;
    this.#model = parts.model;
    this.#data = parts.data;
    this.#address = parts.address;
    this.#regions = parts.regions;
    this.#fixed = new Map(
      parts.plan.parameters.map(({ name, value, type }) => [name, parameterValue(value, type)]),
    );
  }

  /** `places`: one per row of the batch. */
  encode(places: readonly StepPlace[], sequence?: SequenceMark): LoadMessage {
    const [first = { stream: 0, step: 0 }] = places;
    const request = this.request(places, sequence);
    const bytes =
      this.#plan.protocol === 'grpc'
        ? encodeGrpcRequest(request)
        : httpMessage(request, { ...this.#plan, address: this.#address });
    return {
      bytes,
      stream: first.stream,
      step: first.step,
      sequenceId: sequence?.id ?? 0,
      isSequenceEnd: sequence?.isEnd ?? false,
      rowCount: this.#stepAt(first).whole?.rowCount ?? places.length,
    };
  }

  /** What `encode` puts on the wire, before it is bytes; it throws for the same reasons. */
  request(places: readonly StepPlace[], sequence?: SequenceMark): ClientRequest {
    const steps = places.map((place) => this.#stepAt(place));
    const [first = { stream: 0, step: 0 }] = places;
    const whole = steps[0]?.whole;
    const parameters = new Map<string, ClientParameterValue>([...(whole?.parameters ?? []), ...this.#fixed]);
    if (sequence !== undefined) {
      parameters.set('sequence_id', BigInt(sequence.id));
      parameters.set('sequence_start', sequence.isStart);
      parameters.set('sequence_end', sequence.isEnd);
    }
    // Without it nobody could tell when a request of a decoupled model has had its last response.
    if (this.#plan.isStreaming && this.#model.isDecoupled)
      parameters.set('triton_enable_empty_final_response', true);
    const names = this.#model.inputs.map(({ name }) => name).filter((name) => steps[0]?.inputs.has(name));
    return {
      model: this.#model.name,
      version: this.#model.version,
      id: '',
      inputs: names.map((name) => ({
        ...this.#batched(name, steps),
        ...(this.#regions !== undefined && { region: this.#regions.input(name, first) }),
      })),
      outputs: this.#outputNames(whole).map((name) => ({
        name,
        classCount: 0,
        ...(this.#regions !== undefined && { region: this.#regions.output(name) }),
      })),
      parameters,
    };
  }

  /** Places of the batch that starts at entry `index` of all entries. */
  placesFrom(all: readonly StepPlace[], index: number): StepPlace[] {
    return Array.from(
      { length: this.#plan.batchSize },
      (_, row) => all[(index + row) % all.length] ?? { stream: 0, step: 0 },
    );
  }

  #stepAt({ stream, step }: StepPlace): DataStep {
    const found = this.#data.streams[stream]?.[step];
    if (found === undefined) throw perfDataErrors.noSuchStep({ stream, step });
    return found;
  }

  #outputNames(whole: WholeRequest | undefined): readonly string[] {
    const asked = whole?.outputs ?? [];
    return asked.length > 0 ? asked : this.#model.outputs.map(({ name }) => name);
  }

  #batched(name: string, steps: readonly DataStep[]) {
    const tensors = steps.map((step) => {
      const tensor = step.inputs.get(name);
      if (tensor === undefined) throw perfDataErrors.batchLacksInput({ name });
      return tensor;
    });
    const [first] = tensors;
    if (first === undefined) throw perfDataErrors.noRow();
    const other = tensors.find(({ shape }) => shape.join() !== first.shape.join());
    if (other !== undefined) {
      throw perfDataErrors.batchShapes({ name, shape: first.shape.join(','), other: other.shape.join(',') });
    }
    const isBatched = this.#model.maxBatchSize > 0 && steps[0]?.whole === undefined;
    const [only] = tensors.length === 1 ? tensors : [];
    return {
      name,
      datatype: first.datatype,
      shape: isBatched ? [tensors.length, ...first.shape] : first.shape,
      bytes: only?.bytes ?? Buffer.concat(tensors.map(({ bytes }) => bytes)),
    };
  }
}

function parameterValue(value: string, type: PerfPlan['parameters'][number]['type']): ClientParameterValue {
  switch (type) {
    case 'bool':
      return value === 'true' || value === '1';
    case 'int':
    case 'uint':
      if (!/^-?\d+$/.test(value)) throw perfDataErrors.parameter({ value });
      return BigInt(value);
    case 'string':
      return value;
  }
}
