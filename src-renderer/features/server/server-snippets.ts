// Requests to this server as commands to copy, with its real address. Pure.

import type { PlainKey } from '../../texts/translate.ts';

export interface ServerSnippet {
  readonly title: PlainKey;
  readonly code: string;
}

/** `http` and `metrics` are base URLs, "" = off; `model` a name to show, "" = none known. */
export function serverSnippets(http: string, metrics: string, model: string): readonly ServerSnippet[] {
  const snippets: ServerSnippet[] = [];
  if (http !== '') {
    const name = encodeURIComponent(model === '' ? 'MODEL' : model);
    snippets.push(
      { title: 'server.snippet.health', code: `curl -i ${http}/v2/health/ready` },
      { title: 'server.snippet.metadata', code: `curl -s ${http}/v2` },
      { title: 'server.snippet.index', code: `curl -s -X POST ${http}/v2/repository/index` },
      { title: 'server.snippet.load', code: `curl -s -X POST ${http}/v2/repository/models/${name}/load` },
      { title: 'server.snippet.unload', code: `curl -s -X POST ${http}/v2/repository/models/${name}/unload` },
      { title: 'server.snippet.statistics', code: `curl -s ${http}/v2/models/${name}/stats` },
    );
  }
  if (metrics !== '') snippets.push({ title: 'server.snippet.metrics', code: `curl -s ${metrics}` });
  return snippets;
}
