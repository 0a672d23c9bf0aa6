// The page that reports are: one file with its drawings inside, without anything to be fetched.

import { escaped } from './svg-chart.ts';

const STYLE = `body{font:14px/1.5 sans-serif;max-width:960px;margin:2em auto;padding:0 1em;color:#111;background:#fff}
table{border-collapse:collapse;margin:1em 0}td,th{border:1px solid #ccc;padding:4px 8px;text-align:right}
td:first-child,th:first-child{text-align:left}`;

/** `parts` are HTML; texts in them are escaped already. */
export function htmlPage(title: string, parts: readonly string[]): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title><style>${STYLE}</style></head>
<body>
<h1>${escaped(title)}</h1>
${parts.join('\n')}
</body></html>
`;
}

/** Escapes the text. */
export function paragraph(text: string): string {
  return `<p>${escaped(text)}</p>`;
}

/** Escapes the cells. */
export function htmlTable(headers: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (tag: 'th' | 'td', row: readonly string[]): string =>
    `<tr>${row.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join('')}</tr>`;
  return `<table>${cells('th', headers)}${rows.map((row) => cells('td', row)).join('')}</table>`;
}
