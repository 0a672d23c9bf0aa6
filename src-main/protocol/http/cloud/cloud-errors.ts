// Why an endpoint of a managed cloud cannot start, or has no model to ask.

import { defineErrors } from '../../../../src-shared/error-catalogue.ts';

export const cloudCatalogue = defineErrors('cloud', {
  noPredictRoute: {
    code: 'INVALID_ARG',
    text: 'API_PREDICT_ROUTE is not defined for Vertex AI endpoint',
    cause: '--allow-vertex-ai needs the path of the predictions, and the environment does not say it.',
    remedy: 'Set AIP_PREDICT_ROUTE (so it is spelled), for example to /predict.',
  },
  noHealthRoute: {
    code: 'INVALID_ARG',
    text: 'AIP_HEALTH_ROUTE is not defined for Vertex AI endpoint',
    cause: '--allow-vertex-ai needs the path of the health check, and the environment does not say it.',
    remedy: 'Set AIP_HEALTH_ROUTE, for example to /health.',
  },
  routeNoPattern: {
    code: 'INVALID_ARG',
    text: "{variable} '{pattern}' is not a path that can be looked for: {reason}",
    cause: 'The paths of Vertex AI are regular expressions, and this one is none.',
    remedy: 'Put a backslash before characters that mean something in a regular expression.',
  },
  defaultModelMissing: {
    code: 'INVALID_ARG',
    text: "Expect the default model '{name}' is loaded",
    cause: '--vertex-ai-default-model names a model that is not ready.',
    remedy: 'Load it at the start (--load-model), or name another one.',
  },
  severalModels: {
    code: 'INVALID_ARG',
    text: 'Expect the model repository contains only a single model if default model is not specified',
    cause: 'Predictions name no model, and not exactly one version of one model is ready.',
    remedy: 'Name the model with --vertex-ai-default-model.',
  },
  modelUrl: {
    code: 'INVALID_ARG',
    text: 'Invalid "url" \'{url}\': expected a path of the form /opt/ml/models/<hash>/model[/<subdir>]',
    cause: 'A SageMaker load call names a folder where SageMaker puts no models.',
    remedy:
      'Put the model below /opt/ml/models/<hash>/model, where <hash> is letters, digits, dots and underscores.',
  },
  loadBody: {
    code: 'INVALID_ARG',
    text: "the body of a SageMaker load call must be a JSON object with the texts 'model_name' and 'url'",
    cause: 'The body is no object, or one of the two is missing or is no text.',
    remedy: 'Send {"model_name": "<key>", "url": "/opt/ml/models/<hash>/model"}.',
  },
  notUnloaded: {
    code: 'UNAVAILABLE',
    text: "model '{name}' is still being unloaded",
    cause: 'Requests or instances of the model did not end in time.',
    remedy: 'Ask again in a moment, or look into the log for what the model is doing.',
  },
});

export const cloudErrors = cloudCatalogue.errors;
