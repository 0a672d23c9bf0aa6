// The stores of this process, which all of its repositories share, with the process's own environment.

import { ObjectStores } from './object-stores.ts';

export const objectStores = new ObjectStores(process.env);
