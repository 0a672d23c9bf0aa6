// What a request or a load call is told about a model that is not there, is not ready, or cannot be meant.

import { defineErrors } from '../../src-shared/error-catalogue.ts';

const ASK_INDEX =
  'Ask for the index of the repository, which says of each model and version whether it serves and why not.';

export const modelCatalogue = defineErrors('model', {
  ambiguous: {
    code: 'INVALID_ARG',
    text: "There are {count} identifiers of model '{name}' in global map, model namespace must be provided to resolve ambiguity.",
    cause: 'Several repositories have a model of this name, and --model-namespacing keeps them apart.',
    remedy: 'Load or rename the models so that one of them has the name.',
  },
  unknown: {
    code: 'NOT_FOUND',
    text: "Request for unknown model: '{name}' is not found",
    cause: 'No model of this name was ever loaded.',
    remedy: 'Correct the name, or load the model first; the index of the repository lists all of them.',
  },
  withoutVersion: {
    code: 'NOT_FOUND',
    text: "Request for unknown model: '{key}' has no available versions",
    cause: 'The model is known, but none of its versions serves: it failed to load, or was unloaded.',
    remedy: ASK_INDEX,
  },
  unknownVersion: {
    code: 'NOT_FOUND',
    text: "Request for unknown model: '{key}' version {version} is not found",
    cause: 'The model has no such version, or its version policy leaves it out.',
    remedy: 'Ask for the metadata of the model, which lists its versions, or change version_policy.',
  },
  versionNotReady: {
    code: 'UNAVAILABLE',
    text: "Request for unknown model: '{key}' version {version} is not at ready state",
    cause: 'The version is being loaded or unloaded, or failed to load.',
    remedy: ASK_INDEX,
  },
  unknownIdentifier: {
    code: 'NOT_FOUND',
    text: "Identifier of model '{name}' is not found in global map",
    cause: 'The repository that had the model was taken away.',
    remedy: 'Register the repository again.',
  },
  emptyName: {
    code: 'INVALID_ARG',
    text: 'Model name cannot be empty. Please enter a valid name to deploy.',
    cause: 'The call names no model.',
    remedy: 'Name a folder of the repository.',
  },
  nameLeadsOut: {
    code: 'INVALID_ARG',
    text: "invalid model name '{name}', model name must not contain path traversal characters",
    cause: 'The name is a path, which could lead out of the repository.',
    remedy: 'Name a folder that lies in the repository itself.',
  },
  notInService: {
    code: 'UNAVAILABLE',
    text: 'instance {name} is not in service',
    cause: 'The instance was taken away while it was asked for.',
    remedy: 'Send the request again: another instance takes it.',
  },
  notStarted: {
    code: 'UNAVAILABLE',
    text: 'Server not ready',
    cause: 'The model is not loaded to its end.',
    remedy: 'Send the request again once the model is ready.',
  },
  versionNoNumber: {
    code: 'INVALID_ARG',
    text: "failed to get model version from specified version string '{version}' (details: stol), version should be an integral value > 0",
    cause: 'The version in the call is not a number.',
    remedy: 'Send a whole number, or none for the version that the policy chooses.',
  },
  versionNegative: {
    code: 'INVALID_ARG',
    text: "invalid model version specified '{version}' , version should be an integral value > 0",
    cause: 'The version in the call is below zero.',
    remedy: 'Send a whole number, or none for the version that the policy chooses.',
  },
});

export const modelErrors = modelCatalogue.errors;
