// The stores of this process, which all of its repositories share, with the process's own environment.

import { ObjectStores } from './object-stores.ts';

/** The object stores that this process reaches, with the credentials of its environment. */
export const objectStores = new ObjectStores(process.env);
