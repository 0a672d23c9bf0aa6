// Headers that let a web page of an allowed origin call the API and read its replies. Origins come from the allow
// list, so nothing a client sends is echoed except the names of headers it wants to send, checked to be tokens.

const EXPOSED = 'Inference-Header-Content-Length, Content-Encoding, endpoint-load-metrics';

/** name, value, name, value ... */
export function corsHeaders(origin: string): string[] {
  return ['Access-Control-Allow-Origin', origin, 'Vary', 'Origin', 'Access-Control-Expose-Headers', EXPOSED];
}

/** Answer of a preflight request; `requested` is the Access-Control-Request-Headers header. */
export function preflightHeaders(requested: string | undefined): string[] {
  const names = (requested ?? '').split(',').map((name) => name.trim());
  const tokens = names.filter((name) => /^[\w!#$%&'*+.^`|~-]+$/.test(name));
  return [
    'Access-Control-Allow-Methods',
    'GET, POST',
    'Access-Control-Allow-Headers',
    tokens.length > 0 ? tokens.join(', ') : 'Content-Type',
    'Access-Control-Allow-Private-Network',
    'true',
    'Access-Control-Max-Age',
    '600',
  ];
}
