// Liveness and readiness of the server and of models. Clients look at the status only.

import { serverErrors } from '../../../service/server-errors.ts';
import type { Exchange } from '../exchange.ts';
import type { Route } from './route-handler.ts';
import { modelPaths } from './route-handler.ts';

function health(exchange: Exchange, isGood: boolean): void {
  if (exchange.context.service.isExiting()) throw serverErrors.exiting();
  exchange.empty(isGood ? 200 : 400, 'text/plain');
}

/** 200 while the server's process answers, else 400. */
export function liveHandler(exchange: Exchange): void {
  health(exchange, exchange.context.service.isLive());
}

/** 200 while the server and its models are ready, else 400. */
export async function readyHandler(exchange: Exchange): Promise<void> {
  health(exchange, await exchange.context.service.isHealthy());
}

async function modelReady(exchange: Exchange): Promise<void> {
  const { context, match } = exchange;
  if (await context.service.isModelReady(match.model, match.version)) exchange.empty(200, 'text/plain');
  else exchange.error(400, 'Model version not ready');
}

/** What they say is in the status; bodies are empty. */
export const healthRoutes: readonly Route[] = [
  {
    paths: ['/health/live'],
    category: 'health',
    methods: ['GET'],
    handler: liveHandler,
  },
  {
    paths: ['/health/ready'],
    category: 'health',
    methods: ['GET'],
    handler: readyHandler,
  },
  { paths: modelPaths('/ready'), category: 'health', methods: ['GET'], handler: modelReady },
];
