// What is wrong with the implicit state of a sequence model, when it loads and when it runs.

import { defineErrors } from '../../src-shared/error-catalogue.ts';

const SAME = 'Give initial_state the values that the state has.';

export const stateCatalogue = defineErrors('state', {
  repeatedInput: {
    code: 'INVALID_ARG',
    text: "State input name '{input}' specified more than once.",
    cause: 'Two entries of state have the same input_name.',
    remedy: 'Give each state an input of its own.',
  },
  severalInitial: {
    code: 'INVALID_ARG',
    text: "initial_state field for state input '{input}' must contain exactly one or zero element. Found '{count}' elements.",
    cause: 'A state has several initial values.',
    remedy: 'Keep one initial_state, or none to begin with zeros.',
  },
  withoutType: {
    code: 'INVALID_ARG',
    text: "state input '{input}' has no data type",
    cause: 'The state lacks data_type.',
    remedy: "Set data_type to that of the model's input.",
  },
  tooLarge: {
    code: 'INVALID_ARG',
    text: "initial_state of state input '{input}' would have {count} elements of {datatype}, expected at most {limit} bytes",
    cause: 'dims of the state ask for more memory than one sequence may hold.',
    remedy: 'Write the dimensions that the state has.',
  },
  otherType: {
    code: 'INVALID_ARG',
    text: "The data type used for 'initial_state' field of state '{input}' does not match the state data type.",
    cause: 'data_type of initial_state differs from that of the state.',
    remedy: SAME,
  },
  initialWithoutName: {
    code: 'INVALID_ARG',
    text: "Field 'name' must be set when using initial_state for state input '{input}'.",
    cause: 'initial_state lacks a name.',
    remedy: 'Set name to any text; it appears in messages.',
  },
  otherRank: {
    code: 'INVALID_ARG',
    text: "Number of dimensions in 'initial_state' doesn't match the size of 'state' dimensions for state input '{input}'. {seen} != {expected}",
    cause: 'dims of initial_state and of the state differ in number.',
    remedy: SAME,
  },
  variableInitial: {
    code: 'INVALID_ARG',
    text: "'initial_state' field for state input name '{input}' contains variable dimensions.",
    cause: 'dims of initial_state contain a -1.',
    remedy: 'Write the size that the initial value has.',
  },
  otherDim: {
    code: 'INVALID_ARG',
    text: "'initial_state' dim for input name '{input}' doesn't match 'state' dim description. {seen} != {expected}",
    cause: 'A dimension of initial_state differs from that of the state.',
    remedy: SAME,
  },
  // The missing blank is part of the text clients know.
  withoutInitialData: {
    code: 'INVALID_ARG',
    text: "initial_state setting expects state'{input}' to have state_data set",
    cause: 'initial_state says neither zero_data nor data_file.',
    remedy: 'Set zero_data to true, or data_file to a file in the folder initial_state of the model.',
  },
  // So is the one after the name here.
  shortFile: {
    code: 'INVALID_ARG',
    text: 'initial_state setting expects {expected} bytes, but the data provided from {file}only has {seen} bytes.',
    cause: 'The data file is shorter than dims and type of initial_state ask for.',
    remedy: 'Write all elements into the file, or correct dims.',
  },
  notConfigured: {
    code: 'INVALID_ARG',
    text: "unable to add state '{output}'. State configuration is missing for model '{model}'.",
    cause: 'The model updates a state, and its configuration declares none.',
    remedy: 'Declare it under sequence_batching.state.',
  },
  unknownOutput: {
    code: 'INVALID_ARG',
    text: "state '{output}' is not a valid state name.",
    cause: 'The model updates a state that its configuration does not declare.',
    remedy: 'Use an output_name of sequence_batching.state.',
  },
});

export const stateErrors = stateCatalogue.errors;
