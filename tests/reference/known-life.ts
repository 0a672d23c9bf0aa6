// Loads, configurations and what servers do beside answering: what is allowed to differ from the running reference.

import type { KnownDifference } from './known-differences.ts';

const NEWER = 'newer servers do as we do';

export const KNOWN_LIFE: readonly KnownDifference[] = [
  {
    rows: /^queue: answers in order.* > order$/,
    reason: 'what is let go at once reaches clients in the order in which threads of the reference send it',
    isChance: true,
  },
  {
    rows: /^uploads: a model that has one > POST \/v2\/repository\/index/,
    reason: 'a version of a Python model takes the reference longer to unload',
    isChance: true,
  },
  { rows: /^call with nothing, region$/, reason: `empty keys are refused by name: ${NEWER}` },
  {
    rows: /^uploads: faulty files > .*"file:1\/model.onnx":"(no base64|CAgSBWNvbmNoOk4|")/,
    reason: 'what is wrong with a file that is no model is told',
    level: (answer) =>
      answer
        .replace(/Protobuf parsing failed\..*?;/, '#;')
        .replace(
          /onnx runtime error 1: .*graph\.\\+n;/,
          'onnx runtime error 7: Load model from <folder>/1/model.onnx failed:#;',
        ),
  },
  {
    rows: /^uploads: what depends on others > .*"unload_dependents":(1|"true"|null)/,
    reason:
      'a body that cannot be read unloads nothing: the protocol has an error for it, which the reference loses',
  },
  {
    rows: /^the resource of the spans$/,
    reason: `spans travel as protobuf: ${NEWER}`,
    level: (answer) => answer.replace('application/json', 'application/x-protobuf'),
  },
  {
    rows: /^log of (bad_code|over_bad) > .* lines$/,
    reason: 'what a Python model says before it is linked to the server begins with one blank more',
    level: (answer) => answer.replaceAll('"I  Failed', '"I Failed'),
  },
  {
    rows: /configuration platform: "ensemble".* > config$|^polling .*\/config$/,
    reason: `max_inflight_requests: ${NEWER}`,
    level: (answer) =>
      answer.replaceAll(/\\*"max_inflight_requests\\*":0,|,\\*"max_inflight_requests\\*":0/g, ''),
  },
  {
    rows: /configuration .*runtime: "nonsense.so"/,
    reason: 'backends lie in other folders',
    level: (answer) => answer.replace(/'\/\S*\/backends\/python' /, "'<backends>/python' "),
  },
  { rows: /configuration .*\.\.\/labels\.txt/, reason: 'files outside of the model are refused by name' },
  {
    rows: /configuration .*state \[ { input_name: "I" output_name: "O" dims/,
    reason: 'a state without data type is refused by name',
  },
  { rows: /configuration .*TYPE_BF16/, reason: 'which of two faults of one tensor is told first' },
  {
    rows: /configuration .*model_name: "e_2[78]"|^log of ring_a > .*answered|^log of ring_a > POST .*load$/,
    reason: 'a ring of ensembles is told at every load; the reference tells it once',
  },
  {
    rows: /^given up in between: (the first step of an ensemble runs|a step of an ensemble waits|a decoupled step of an ensemble sends).* > counts of/,
    reason:
      'the next step of a cancelled ensemble is answered CANCELLED; without a dynamic batcher the reference runs it',
  },
  {
    rows: /^given up in between: a request of a sequence runs.* > counts of/,
    reason: 'how many of the next requests a batch without a delay takes is a race',
    level: (answer) => answer.replace(/"executions":\d/, '"executions":#'),
    isChance: true,
  },
  {
    rows: /^meeting: an ensemble goes while its step is loaded anew > (1 at the end|2)/,
    reason:
      'an ensemble that is unloaded stays away; the reference makes it anew when the load of its step ends',
  },
  { rows: /^log of ring_a > .* lines$/, reason: 'a ring of ensembles is told at every load' },
  {
    rows: /^log of lost > /,
    reason: 'what an ensemble misses is told at every load; the reference tells it once',
  },
  {
    rows: /^(log of bad_config|changes of a model that is served > a broken one)/,
    reason: 'the parser says what is wrong and where in the record itself',
  },
  {
    rows: /^shared memory > .*"key":"\/triton_python_backend/,
    reason: `the reserved prefix is refused: ${NEWER}`,
  },
  {
    rows: /^shared memory > (POST .*\/region\/a\/unregister|GET .*\/region\/a\/status|POST .*"byte_size":64})$/,
    reason: `a region in use is unregistered when its requests are done: ${NEWER}`,
  },
  {
    rows: /^shared memory > POST .*\/register .*("byte_size":("x"|-1)|"key":5)/,
    reason: `errors name the field: ${NEWER}`,
    level: (answer) => answer.replace(/Unable to parse '\w+': /, ''),
  },
  {
    rows: /^shared memory > POST .*\/infer .*"shared_memory_region":"a"(,"shared_memory_byte_size":0)?}/,
    reason: 'no bytes of a region are too few, not too many',
  },
  {
    rows: /^forwarded: an empty value > /,
    reason:
      'blanks around the value of an HTTP header are none of it; the reference keeps the one before nothing',
  },
  {
    rows: /^forwarded: a byte that is no UTF-8 > /,
    reason: 'a header that is no UTF-8 is read byte by byte; a Python model fails on it in the reference',
  },
  {
    rows: /^forwarded over gRPC: binary$/,
    reason: 'metadata go on behind a zero',
  },
  {
    rows: /^loads: (base64|files beside the model) > POST .*\/sent\/load |^loads over gRPC: no bytes$/,
    reason: `files that come with a load are loaded also where the configuration is the one before: ${NEWER}`,
  },
  {
    rows: /^loads: configurations that change one thing > .*"kind\\":1/,
    reason: 'models that ask for a GPU run on the CPU where there is none',
  },
  {
    rows: /^loads: files beside the model > POST .*\/\.\.\/load$/,
    reason: `bad model names are refused by name: ${NEWER}`,
  },
  {
    rows: /^polling with namespaces > the other one goes > lines$/,
    reason:
      'an ensemble that was bound to a model once, and is no more, is not loaded again when that model goes',
  },
  {
    rows: /^namespaces, .* > (GET \/v2\/models\/(none|wrong)|POST \/v2\/models\/(none|wrong)\/infer)/,
    reason: `an unknown name is not found: ${NEWER}`,
    level: (answer) => answer.replace('{"answer":[400,', '{"answer":[404,'),
  },
  {
    rows: /^namespaces, explicit: nothing loaded > POST \/v2\/models\//,
    reason: `an unknown name is not found: ${NEWER}`,
    level: (answer) => answer.replace('{"answer":[400,', '{"answer":[404,'),
  },
  {
    rows: /^namespaces, explicit: faulty ones again > POST .*\/(lost|half|torn|over_lost|old|ring)\/load$/,
    reason: 'what an ensemble misses is told at every load; the reference tells it once',
  },
  {
    rows: /^polling two repositories > .* lines$/,
    reason: 'a folder without versions is told, and why a repository cannot be read',
    level: (answer) =>
      answer
        .replace(/,"W <repository 0>\/bare has no version folder [^"]*"/, '')
        .replace(/ reason=ENOENT: [^"]*"/, '"')
        .replaceAll('"I  Failed', '"I Failed'),
  },
  {
    rows: /^polling(, a folder comes and is broken| beside requests > its configuration is broken).* lines$/,
    reason: 'the parser says what is wrong and where in the record itself',
  },
  {
    rows: /^polling beside requests > its code is broken > lines$/,
    reason: 'what a Python model says before it is linked to the server begins with one blank more',
  },
  {
    rows: /^polling beside requests > its version goes > lines$/,
    reason: 'warnings of ours: folders without versions',
  },
  {
    rows: /^polling two repositories > a broken configuration > lines$/,
    reason: 'the parser says what is wrong and where in the record itself',
  },
  {
    rows: /^polling two repositories > the second repository is gone > index$/,
    reason: 'the index lists the models of the other repositories',
  },
  {
    rows: /^headers over (HTTP|gRPC) {"(sequence_id|Priority|priority|triton_my|Triton_My|binary_data_output)":.*with (my\||\^\()/,
    reason: `reserved headers are refused by name: ${NEWER}`,
  },
  {
    rows: /^headers over HTTP {"my_one":""}/,
    reason:
      'blanks around the value of an HTTP header are none of it; the reference keeps the one before nothing',
    level: (answer) => answer.replace(/(my_one\\+": \\+") (\\+")/, '$1$2'),
  },
  {
    rows: /^verbose gRPC(,| )/,
    reason: 'the end of a call and the release of its request are told by two threads, in either order',
    level: (answer) =>
      answer.replaceAll(
        /,"I (\[request id: named\] Setting state from EXECUTING to RELEASED|ModelInferHandler::InferRequestComplete)"/g,
        '',
      ),
  },
  {
    rows: /^control: a warm-up larger than any batch/,
    reason: 'the reference may end there, by a fault of its own',
    isChance: true,
  },
  {
    rows: /^verbose gRPC, an unknown model/,
    reason: 'a request that is refused is named also where the model is unknown',
  },
  {
    rows: /^metrics, .* > families in order$/,
    reason: `durations of loads, and of first responses: ${NEWER}`,
    level: (answer) =>
      answer.replace(/,"(nv_model_load_duration_secs|nv_inference_first_response_histogram_ms)"/g, ''),
  },
  {
    rows: /^metrics, all > .*first_response_histogram_ms$/,
    reason: `durations of first responses: ${NEWER}`,
  },
  {
    rows: /^warm-up: .* > statistics$/,
    reason: 'warm-up runs are no requests of clients',
  },
  {
    rows: /^warm-up: no type > (load|said)$/,
    reason: 'the sample is named as what is wrong, not a request that nobody sent',
  },
  {
    rows: /^cache: failures > (?!said)/,
    reason: 'the reference keeps errors as answers without outputs',
  },
  {
    rows: /^cache: an ensemble: .* > answers$/,
    reason: 'sequence parameters stand once in an answer of an ensemble',
    level: (answer) =>
      answer.replaceAll(
        /(\\"sequence_id\\":0,\\"sequence_start\\":false,\\"sequence_end\\":false),\1/g,
        '$1',
      ),
  },
  {
    rows: /^traces of a refused request/,
    reason: 'a request that is refused after its trace began leaves that trace',
  },
  {
    rows: /^shared memory midway: (an (input|output) that|all forgotten|forgotten twice|what waits|over gRPC)/,
    reason: `a region in use is unregistered once its last request is over; the reference refuses: newer servers do as we do`,
  },
  {
    rows: /^shared memory midway: values that change while it waits/,
    reason: 'a region is read when its request arrives, not when the model runs',
  },
];
