// The page's own text: its frame is painted before its style sheet and its scripts are there, and what every start needs
// is asked for at once instead of one after the other.

import type { Plugin } from 'vite';

import { EARLY_CHUNK, SCREEN_CHUNK } from './page-chunks.ts';

const STYLE_SHEET = /\n?\s*<link rel="stylesheet"[^>]*>/g;

interface PageScripts {
  /** Runs as soon as it is there. */
  readonly early: string;
  /** Fetched at once, run when the window asks for it. */
  readonly screen: string;
}

/**
 * Style sheets go behind the frame, where they hold back nothing that stands before them; scripts of modules wait for
 * them all the same.
 */
export function arrangePage(html: string, { early, screen }: PageScripts): string {
  const sheets = html.match(STYLE_SHEET) ?? [];
  const before = `<script type="module" async crossorigin src="${early}"></script>`;
  const behind = `<link rel="modulepreload" fetchpriority="low" crossorigin href="${screen}">`;
  return html
    .replaceAll(STYLE_SHEET, '')
    .replace(/\n\s*<link rel="modulepreload"[^>]*\/early-[^>]*>/, '')
    .replace('    <script type="module"', `    ${before}\n    <script type="module"`)
    .replace('  </head>', `    ${behind}\n  </head>`)
    .replace('  </body>', `${sheets.map((sheet) => `    ${sheet.trim()}\n`).join('')}  </body>`);
}

/** For builds only. Fails the build when a chunk that it names is no longer there. */
export function pageHtml(): Plugin {
  return {
    name: 'conch-page-html',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle }) => {
        const addressOf = (name: string): string => {
          const file = Object.values(bundle ?? {}).find((one) => one.type === 'chunk' && one.name === name);
          if (file === undefined) throw new Error(`the build has no file "${name}"`);
          return `./${file.fileName}`;
        };
        return arrangePage(html, { early: addressOf(EARLY_CHUNK), screen: addressOf(SCREEN_CHUNK) });
      },
    },
  };
}
