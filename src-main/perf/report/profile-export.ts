// Every request of a test with its times, inputs and outputs, as the reference's profile export: one line of JSON.

import type { PerfPlan } from '../../../src-shared/contract/perf-plan.ts';
import { isDataType } from '../../../src-shared/datatypes.ts';
import { hasJsonForm } from '../../tensor/json-codec.ts';
import { decodeElements, decodeValues } from '../../tensor/value-codec.ts';
import type { StepPlace } from '../data/data-set.ts';
import { flatPlaces } from '../data/data-set.ts';
import type { AnswerTensor } from '../measure/answers.ts';
import { answerForm, answerOutputs } from '../measure/answers.ts';
import type { LoggedRequest } from '../measure/request-log.ts';
import type { LevelExport, SessionResult } from '../perf-session.ts';

/** The report of `--profile-export-file`. */
export interface ProfileExport {
  readonly text: string;
  /** Tensors without a JSON form, for standard error. */
  readonly notes: readonly string[];
}

/** All levels of a session; `version` is that of this program. */
export function profileExport(plan: PerfPlan, session: SessionResult, version: string): ProfileExport {
  const writer = new ProfileWriter(plan, session);
  const experiments = session.exports.map((level) => writer.experiment(level));
  const tail = `"version":${JSON.stringify(version)},"service_kind":"triton","endpoint":""`;
  return { text: `{"experiments":[${experiments.join(',')}],${tail}}`, notes: [...writer.notes] };
}

class ProfileWriter {
  readonly notes = new Set<string>();
  readonly #plan: PerfPlan;
  readonly #session: SessionResult;
  /** By stream and step: requests of one entry have the same inputs. */
  readonly #inputs = new Map<string, string>();
  readonly #places: readonly StepPlace[];

  constructor(plan: PerfPlan, session: SessionResult) {
    this.#plan = plan;
    this.#session = session;
    this.#places = flatPlaces(session.data);
  }

  experiment({ unit, value, requests, boundariesNs }: LevelExport): string {
    const { kind } = this.#plan.load;
    const mode = unit === 'concurrency' ? 'concurrency' : 'request_rate';
    const shown = kind === 'schedule' ? 0 : value;
    const lines = requests.map((request) => this.#request(request));
    const boundaries = boundariesNs.map((ns) => this.#wall(ns)).join(',');
    return `{"experiment":{"mode":"${mode}","value":${shown}},"requests":[${lines.join(',')}],"window_boundaries":[${boundaries}]}`;
  }

  #request({ startNs, sequenceId, stream, step, responseNs, responses }: LoggedRequest): string {
    const outputs = responses.map((answer) => this.#tensors(answerOutputs(answer, answerForm(this.#plan))));
    return [
      `{"timestamp":${this.#wall(startNs)}`,
      ...(sequenceId === 0 ? [] : [`"sequence_id":${sequenceId}`]),
      `"request_inputs":${this.#inputsOf(stream, step)}`,
      `"response_timestamps":[${responseNs.map((ns) => this.#wall(ns)).join(',')}]`,
      `"response_outputs":[${outputs.join(',')}]}`,
    ].join(',');
  }

  #inputsOf(stream: number, step: number): string {
    const key = `${stream}:${step}`;
    const known = this.#inputs.get(key);
    if (known !== undefined) return known;
    const { encoder } = this.#session;
    const at = this.#places.findIndex((place) => place.stream === stream && place.step === step);
    const { inputs } = encoder.request(encoder.placesFrom(this.#places, at));
    const text = this.#tensors(inputs);
    this.#inputs.set(key, text);
    return text;
  }

  #tensors(tensors: readonly AnswerTensor[]): string {
    return `{${tensors.map((tensor) => `${JSON.stringify(tensor.name)}:${this.#value(tensor)}`).join(',')}}`;
  }

  #value({ name, datatype, bytes }: AnswerTensor): string {
    if (bytes.byteLength === 0) return '""';
    if (!isDataType(datatype) || !hasJsonForm(datatype)) {
      this.notes.add(`tensor '${name}' of type ${datatype} has no JSON form and is left out`);
      return 'null';
    }
    const texts =
      datatype === 'BYTES'
        ? decodeValues(bytes, datatype, Infinity).map((text) => JSON.stringify(text))
        : decodeElements(bytes, datatype, Infinity).map((element) =>
            typeof element === 'number' && !Number.isFinite(element) ? 'null' : String(element),
          );
    return texts.length === 1 ? (texts[0] ?? 'null') : `[${texts.join(',')}]`;
  }

  #wall(ns: number): string {
    return String(this.#session.wallOffsetNs + BigInt(Math.round(ns)));
  }
}
