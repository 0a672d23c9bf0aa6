// Where inference is asked for, known to everybody who reads a socket.

import type { RoutePattern } from '../router.ts';

export const inferPattern: RoutePattern = {
  paths: ['/models/{model}/infer', '/models/{model}/versions/{version}/infer'],
  category: 'inference',
  methods: ['POST'],
  isHot: true,
};
