// What is allowed to differ from the running reference (2.51), each with its reason. COMPATIBILITY.md tells the same to
// users. Everything that is not listed must agree; what is listed and agrees must leave the list.

import { KNOWN_CLIENTS } from './known-clients.ts';
import { KNOWN_EDGES } from './known-edges.ts';
import { KNOWN_FLOWS } from './known-flows.ts';
import { KNOWN_KINDS } from './known-kinds.ts';
import { KNOWN_LIFE } from './known-life.ts';
import { KNOWN_LIVES } from './known-lives.ts';
import { KNOWN_PYTHON } from './known-python.ts';
import { KNOWN_REQUESTS } from './known-requests.ts';
import { KNOWN_SPANS } from './known-spans.ts';
import { KNOWN_STARTS } from './known-starts.ts';
import { KNOWN_STREAMS } from './known-streams.ts';
import { KNOWN_WIRE } from './known-wire.ts';

export interface KnownDifference {
  /** Which rows; the name as the report prints it. */
  readonly rows: RegExp;
  readonly reason: string;
  /** Evens out just this difference in the printed answer; what remains must agree. Without it the row may differ. */
  readonly level?: (answer: string) => string;
  /** It comes and goes, so that a run without it says nothing. */
  readonly isChance?: true;
}

const NEWER = 'newer servers do as we do';

export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  ...KNOWN_CLIENTS,
  ...KNOWN_EDGES,
  ...KNOWN_FLOWS,
  ...KNOWN_KINDS,
  ...KNOWN_REQUESTS,
  ...KNOWN_PYTHON,
  ...KNOWN_LIFE,
  ...KNOWN_LIVES,
  ...KNOWN_SPANS,
  ...KNOWN_STARTS,
  ...KNOWN_STREAMS,
  ...KNOWN_WIRE,
  {
    rows: /^HTTP/,
    reason: 'errors are always typed application/json; the reference leaves text/plain on some',
    level: (answer) =>
      answer.startsWith('{"body":"{\\"error\\"')
        ? answer.replace('"contentType":"text/plain"', '"contentType":"application/json"')
        : answer,
  },
  {
    rows: /^HTTP script: configurations .* > GET \/v2\/models\/chain\/config/,
    reason: `max_inflight_requests: ${NEWER}`,
    level: (answer) => answer.replace(',\\"max_inflight_requests\\":0', ''),
  },
  { rows: /^HTTP index with a wrong type$/, reason: `a bad 'ready' is the client's fault: ${NEWER}` },
  { rows: /^HTTP head length no number$/, reason: `a header that is no number is refused: ${NEWER}` },
  { rows: /^HTTP same output twice$/, reason: `an output listed twice is refused: ${NEWER}` },
  {
    rows: /^gRPC ModelInfer .*"outputs":\[{"name":"OUTPUT0"},{"name"/,
    reason: `the same over gRPC: ${NEWER}`,
  },
  { rows: /^HTTP too few elements$/, reason: `text for missing elements: ${NEWER}` },
  { rows: /^HTTP FP32 (count|size) overflow$/, reason: `overflow of a shape is told as such: ${NEWER}` },
  { rows: /^HTTP INT32 120 arrays deep$/, reason: `depth of JSON data is limited to 100: ${NEWER}` },
  {
    rows: /faulty sequences > .*"sequence_id":"text"/,
    reason: `the type of the correlation id is checked: ${NEWER}`,
  },
  {
    rows: /^HTTP script: generate.* > POST .*(fails|repeat|sends)\/generate/,
    reason: `an error of the model keeps its own status instead of 400: ${NEWER}`,
  },
  {
    rows: /^gRPC RepositoryModelLoad {"model_name":"(\.\.\/x)?"}/,
    reason: `bad model names are refused by name: ${NEWER}`,
  },
  {
    rows: /^gRPC SystemSharedMemoryRegister .*"key":"\/*",/,
    reason: `empty keys are refused by name: ${NEWER}`,
  },
  {
    rows: /^gRPC CudaSharedMemoryRegister/,
    reason: 'we answer like a server built without GPU support',
  },
  {
    rows: /^HTTP gzip that is none$/,
    reason: 'a broken gzip stream is refused as such; the reference goes on with nothing',
  },
  {
    rows: /^HTTP FP(32|64) JSON \[.*1e(38|21)/,
    reason: 'the last digit of a printed float may differ; both texts mean the same float',
  },
  {
    rows: /^limiter load, with resources: (R1|two of R2) for all/,
    reason:
      'what models that are gone asked for counts on in the reference, where the command line says what there is',
  },
  {
    rows: /^shared memory, walk .* HTTP /,
    reason: 'the last digit of a printed float may differ',
    level: (answer) => answer.replaceAll('1.6777999408082105e22', '1.6777999408082104e22'),
  },
  {
    rows: /^(HTTP statistics|metrics) of fails/,
    reason: 'the Python backend counts error responses as successes',
  },
  {
    rows: /^HTTP script: paths > HEAD/,
    reason: 'the reference sends a body with HEAD, which no client can read',
  },
  {
    rows: /errors and parameters of models > POST \/v2\/models\/chain\/infer .*"shape":\[0\]/,
    reason: 'ensembles answer their sequence parameters also when outputs are empty',
  },
  { rows: /^gRPC TraceSetting .*"trace_count":{"value":\["-2"\]}/, reason: 'one blank in the message' },
  {
    rows: /> POST .*\/unload {"(broken|parameters":{"unload_dependents":"yes")/,
    reason:
      'a body that cannot be read unloads nothing: the protocol has an error for it, which the reference loses',
  },
  {
    rows: /^gRPC ModelInfer .*"inputs":\[{"name":"INPUT0","datatype":"INT32","shape":\[(2|1,2|)\]}\],"raw_input/,
    reason:
      'messages with a blank at the end get lost in the Node client when the sender leaves the blank unescaped',
  },
];

/** Both answers with the small differences of this row evened out. */
export function levelled(row: string, answer: string): string {
  return KNOWN_DIFFERENCES.filter(({ rows }) => rows.test(row)).reduce(
    (text, { level }) => level?.(text) ?? text,
    answer,
  );
}
