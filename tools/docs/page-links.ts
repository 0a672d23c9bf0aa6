// What pages and comments point to: links of Markdown, files named in backquotes, and pages that comments cite. Pure:
// text in, sentences out; what exists is asked of the caller.

/** What there is to point to. */
export interface KnownFiles {
  /** Whether a file or folder is there; relative to the repository. */
  exists(file: string): boolean;
  /** Anchors of a page; undefined when there is no such page. */
  anchors(page: string): ReadonlySet<string> | undefined;
}

/** A path that begins with one of these, or that stands in a folder of src-main, is meant as one of the repository. */
const FOLDERS = /^(?:src-[a-z]+|tools|tests|bench|e2e|docs|resources|bin)\//;
const CODE_FILE = /\.(?:ts|tsx|mjs|md|proto|yml)$/;

/** Anchors as GitHub makes them: lower case, punctuation dropped, blanks as dashes, repetitions numbered. */
export function anchorsOf(markdown: string): ReadonlySet<string> {
  const counts = new Map<string, number>();
  const found = new Set<string>();
  for (const match of withoutCode(markdown).matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)) {
    const base = (match[1] ?? '')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-');
    const seen = counts.get(base) ?? 0;
    counts.set(base, seen + 1);
    found.add(seen === 0 ? base : `${base}-${seen}`);
  }
  return found;
}

/** Links and named files of a page that lead nowhere. */
export function brokenInPage(page: string, markdown: string, known: KnownFiles): readonly string[] {
  const text = withoutCode(markdown);
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '');
  const files = [...text.matchAll(/`([^`\s]+)`/g)].map((match) => match[1] ?? '');
  return [
    ...links.filter((link) => !isOutside(link)).map((link) => brokenLink(page, link, known)),
    ...files.map((file) => missingFile(file, known)),
  ].filter((problem) => problem !== undefined);
}

/** Pages that comments of a source file cite and that are not there, or lack the heading. */
export function brokenInSource(source: string, known: KnownFiles): readonly string[] {
  const comments = source.split('\n').filter((line) => /^\s*(?:\/\/|\/?\*)/.test(line));
  const cited = comments.flatMap((line) => [...line.matchAll(/[\w./-]+\.md(?:#[\w-]+)?/g)]);
  return cited.map(([address]) => brokenAddress(address, known)).filter((problem) => problem !== undefined);
}

function withoutCode(markdown: string): string {
  return markdown.replaceAll(/^```.*?^```$/gms, '');
}

function isOutside(link: string): boolean {
  return /^[a-z]+:/i.test(link);
}

function brokenLink(page: string, link: string, known: KnownFiles): string | undefined {
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? page : joined(page, file);
  return brokenAddress(anchor === undefined ? target : `${target}#${anchor}`, known);
}

function brokenAddress(address: string, known: KnownFiles): string | undefined {
  const [file = '', anchor] = address.split('#');
  if (!known.exists(file)) return `${file} is not there`;
  if (anchor === undefined || known.anchors(file)?.has(anchor) === true) return undefined;
  return `${file} has no heading "${anchor}"`;
}

/** A pattern, or a name that no file of ours could have, is no claim. */
function missingFile(file: string, known: KnownFiles): string | undefined {
  const isPattern = /[*<>{}[\]$]|[A-Z]{3,}\//.test(file);
  const isPath = FOLDERS.test(file) || (file.includes('/') && CODE_FILE.test(file));
  if (isPattern || !isPath) return undefined;
  const plain = file.replace(/[:#].*$/, '');
  return known.exists(plain) || known.exists(`src-main/${plain}`) ? undefined : `${plain} is not there`;
}

function joined(page: string, link: string): string {
  const parts = page.split('/').slice(0, -1);
  for (const part of link.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}
