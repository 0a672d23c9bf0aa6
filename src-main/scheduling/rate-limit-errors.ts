// What is wrong with the resources that instances ask for.

import { defineErrors } from '../../src-shared/error-catalogue.ts';

export const rateLimitCatalogue = defineErrors('rateLimit', {
  bothScopes: {
    code: 'INVALID_ARG',
    text: 'Resource "{resource}" is present as both global and device-specific resource in the model configuration.',
    cause: 'Two instance groups use one name for a resource of the server and for one of a device.',
    remedy: 'Use two names, or the same value of global everywhere.',
  },
  tooFew: {
    code: 'INVALID_ARG',
    text: 'Resource count for "{resource}" is limited to {available} which will prevent scheduling of one or more model instances, the minimum required count is {needed}',
    cause: 'An instance asks for more of a resource than --rate-limit-resource gives.',
    remedy: 'Raise the count of --rate-limit-resource, or ask for less in the instance group.',
  },
});

export const rateLimitErrors = rateLimitCatalogue.errors;
