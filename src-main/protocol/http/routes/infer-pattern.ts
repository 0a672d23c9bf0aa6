// Where inference is asked for, known to everybody who reads a socket.

import type { RoutePattern } from '../router.ts';

/** The one hot route: sockets are read for it without Node's parser. */
export const inferPattern: RoutePattern = {
  paths: ['/models/{model}/infer', '/models/{model}/versions/{version}/infer'],
  category: 'inference',
  methods: ['POST'],
  isHot: true,
};
