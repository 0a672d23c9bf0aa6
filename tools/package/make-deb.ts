// A deb of the unpacked app, by dpkg-deb alone: the app in /opt, its menu entry, icons and file type in /usr/share, the
// program on the path.

import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  readdirSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ResizeFit, Transformer } from '@napi-rs/image';

import { root } from '../bootstrap.mjs';
import { desktopEntry, mimeInfo } from './desktop-files.ts';

/** What is packed, and where to. */
export interface DebOptions {
  /** The unpacked app. */
  readonly folder: string;
  /** Folder that the package is written to. */
  readonly target: string;
  readonly version: string;
}

const ARCHITECTURES: Readonly<Partial<Record<NodeJS.Architecture, string>>> = {
  x64: 'amd64',
  arm64: 'arm64',
};
const ICON_SIZES = [16, 24, 32, 48, 64, 128, 256, 512];
const HOME = '/opt/Conch';
/** What Chromium loads; the second name is that of systems with 64-bit time. */
const DEPENDS = [
  'libasound2 | libasound2t64',
  'libatspi2.0-0 | libatspi2.0-0t64',
  'libgbm1',
  'libgtk-3-0 | libgtk-3-0t64',
  'libnotify4',
  'libnss3',
  'libxss1',
  'libxtst6',
  'xdg-utils',
];
/** The tray needs a library that not every desktop has. */
const RECOMMENDS = ['libayatana-appindicator3-1'];

/** Databases that other packages keep: of menu entries, of file types, of icons. Absent on a system without a desktop. */
const REFRESH = `#!/bin/sh
set -e
if command -v update-desktop-database > /dev/null; then update-desktop-database -q /usr/share/applications || true; fi
if command -v update-mime-database > /dev/null; then update-mime-database /usr/share/mime || true; fi
if command -v gtk-update-icon-cache > /dev/null; then gtk-update-icon-cache -qtf /usr/share/icons/hicolor || true; fi
`;

function control({ version }: DebOptions, architecture: string, installedKiB: number): string {
  return [
    'Package: conch',
    `Version: ${version}`,
    `Architecture: ${architecture}`,
    'Maintainer: Conch contributors <contributors@conch.invalid>',
    `Installed-Size: ${installedKiB}`,
    `Depends: ${DEPENDS.join(', ')}`,
    `Recommends: ${RECOMMENDS.join(', ')}`,
    'Section: devel',
    'Priority: optional',
    'Homepage: https://conch.invalid',
    'Description: Model-serving workbench',
    ' Serves machine-learning models over the protocols of the NVIDIA Triton',
    ' Inference Server, and shows what they do.',
    '',
  ].join('\n');
}

function write(tree: string, file: string, content: string | Uint8Array, mode = 0o644): void {
  const full = path.join(tree, file);
  mkdirSync(path.dirname(full), { recursive: true });
  writeFileSync(full, content);
  chmodSync(full, mode);
}

function writeIcons(tree: string): void {
  const image = readFileSync(path.join(root, 'resources/icon.png'));
  for (const size of ICON_SIZES) {
    const icon = new Transformer(image).resize(size, size, undefined, ResizeFit.Fill).pngSync();
    write(tree, `usr/share/icons/hicolor/${size}x${size}/apps/conch.png`, icon);
  }
}

function sizeKiB(folder: string): number {
  const bytes = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(path.join(entry.parentPath, entry.name)).size, 0);
  return Math.ceil(bytes / 1024);
}

/** The tree of the package as it is on disk once installed, beside its own folder of facts. */
function fillTree(tree: string, options: DebOptions, architecture: string): void {
  const home = path.join(tree, HOME);
  mkdirSync(path.dirname(home), { recursive: true });
  cpSync(options.folder, home, { recursive: true, verbatimSymlinks: true });
  // Chromium's sandbox where the system grants none to ordinary users.
  chmodSync(path.join(home, 'chrome-sandbox'), 0o4755);
  mkdirSync(path.join(tree, 'usr/bin'), { recursive: true });
  symlinkSync(`${HOME}/conch`, path.join(tree, 'usr/bin/conch'));
  write(tree, 'usr/share/applications/conch.desktop', desktopEntry({ program: `${HOME}/conch` }));
  write(tree, 'usr/share/mime/packages/conch.xml', mimeInfo());
  write(tree, 'usr/share/doc/conch/copyright', readFileSync(path.join(root, 'LICENSE')));
  writeIcons(tree);
  write(tree, 'DEBIAN/control', control(options, architecture, sizeKiB(tree)));
  write(tree, 'DEBIAN/postinst', REFRESH, 0o755);
  write(tree, 'DEBIAN/postrm', REFRESH, 0o755);
}

/** Path of the deb. */
export function makeDeb(options: DebOptions): string {
  const architecture = ARCHITECTURES[process.arch];
  if (architecture === undefined) throw new Error(`no deb for ${process.arch}`);
  const tree = mkdtempSync(path.join(os.tmpdir(), 'conch-deb-'));
  try {
    chmodSync(tree, 0o755);
    fillTree(tree, options, architecture);
    const file = path.join(options.target, `conch_${options.version}_${architecture}.deb`);
    const result = spawnSync('dpkg-deb', ['--build', '--root-owner-group', '-Zxz', '-z1', tree, file], {
      encoding: 'utf8',
    });
    if (result.error !== undefined) throw new Error(`dpkg-deb cannot be started: ${result.error.message}`);
    if (result.status !== 0) throw new Error(`dpkg-deb: ${result.stderr.trim()}`);
    return file;
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
}
