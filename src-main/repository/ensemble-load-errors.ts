// Why an ensemble cannot be loaded although its own folder is right: the models that it is made of.

import { defineErrors } from '../../src-shared/error-catalogue.ts';

const LOAD_FIRST = 'Load that model, or mend it, and load the ensemble again.';

export const composingCatalogue = defineErrors('composing', {
  missing: {
    code: 'INVALID_ARG',
    text: 'ensemble {key} contains models that are not available or ambiguous: {names}',
    cause: 'A step names a model that no repository has, or that several have.',
    remedy: 'Correct model_name of the step, or add the model to a repository.',
  },
  circle: {
    code: 'INVALID_ARG',
    text: 'circular dependency between ensembles: {first} -> ... -> {last} -> {again}',
    cause: 'An ensemble is a step of itself, directly or through others.',
    remedy: 'Take one of the steps that are named out.',
  },
  invalid: {
    code: 'INVALID_ARG',
    text: "ensemble '{key}' depends on '{needed}' which is not valid. Model '{needed}' failed with error: {reason}",
    cause: 'The configuration of a model that is a step was refused.',
    remedy: LOAD_FIRST,
  },
  notLoaded: {
    code: 'INVALID_ARG',
    text: "ensemble '{key}' depends on '{needed}' which has no loaded version.{detail}",
    cause: 'No version of a model that is a step serves.',
    remedy: LOAD_FIRST,
  },
  versionNotLoaded: {
    code: 'INVALID_ARG',
    text: "ensemble '{key}' depends on '{needed}' whose required version {version} is not loaded.",
    cause: 'A step names a version that does not serve.',
    remedy: 'Load that version, or take model_version -1 for the newest one.',
  },
});

export const composingErrors = composingCatalogue.errors;
