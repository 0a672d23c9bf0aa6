// What goes wrong with the calls of the window, beside what the calls themselves fail with.

import { defineErrors } from '../error-catalogue.ts';

export const rpcCatalogue = defineErrors('rpc', {
  lost: {
    code: 'UNAVAILABLE',
    text: 'The connection to the server process was lost.',
    cause: 'The server process ended, or the network to it broke off.',
    remedy: 'The window connects again by itself; then repeat what you did.',
  },
  call: {
    code: 'NOT_FOUND',
    text: "unknown call '{name}'",
    cause: 'The page is of another version than the server.',
    remedy: 'Load the page again.',
  },
  arguments: {
    code: 'INVALID_ARG',
    text: "call '{name}': {place}: {reason}",
    cause:
      'The arguments are none of the call, mostly because the page is of another version than the server.',
    remedy: 'Load the page again.',
  },
});

export const rpcErrors = rpcCatalogue.errors;
