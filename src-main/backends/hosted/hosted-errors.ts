// Why an instance whose code runs in a thread or a process does not answer.

import { defineErrors } from '../../../src-shared/error-catalogue.ts';

export const hostedCatalogue = defineErrors('hosted', {
  withoutServer: {
    code: 'UNSUPPORTED',
    text: 'requests to other models are not available where the model runs without a server',
    cause: 'A model asked another model while it was only looked at, not served.',
    remedy: 'Load the model in a server.',
  },
  notDoneAtUnload: {
    code: 'UNAVAILABLE',
    text: "model '{model}' is being unloaded and instance '{instance}' was not done within unload_timeout_ms = {limit}",
    cause: 'The model is being unloaded, and a request that it had begun did not end in time.',
    remedy: 'Raise unload_timeout_ms of the model, or find out what execute() waits for.',
  },
  executeTimedOut: {
    code: 'INTERNAL',
    text: "model '{model}': execute() of instance '{instance}' took longer than execute_timeout_ms = {limit} and was ended",
    cause: 'execute() did not come back in the time that the configuration allows.',
    remedy: 'Raise execute_timeout_ms of the model, or find out what execute() waits for.',
  },
  withoutInputs: {
    code: 'INVALID_ARG',
    text: '{prefix}out of bounds index 0: request has 0 inputs',
    cause:
      'All inputs of the model are optional and the request has none; a model that batches learns the batch size from the first.',
    remedy: 'Send at least one input, or set max_batch_size to 0.',
  },
  lost: {
    code: 'UNAVAILABLE',
    text: '{reason}',
    cause: 'The code of the model ended, and is started again for the next request.',
    remedy: 'Send the request again; the log says what the code printed before it ended.',
  },
});

export const hostedErrors = hostedCatalogue.errors;
