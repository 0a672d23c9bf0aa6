// What a Linux desktop needs to know of the app: its entry in the menu, and the type of the files that it opens.

/** What the entry in the menu starts. */
export interface DesktopEntry {
  /** Absolute path of the program. */
  readonly program: string;
}

/** Media type of ONNX files; the registry of such types has none. */
const ONNX_TYPE = 'application/x-onnx';

/** By the desktop-entry specification 1.5. */
export function desktopEntry({ program }: DesktopEntry): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Conch',
    'GenericName=Model server',
    'Comment=Serve machine-learning models and see what they do',
    `Exec=${program} %F`,
    'Icon=conch',
    'Terminal=false',
    'StartupNotify=true',
    'StartupWMClass=Conch',
    'Categories=Development;',
    'Keywords=ONNX;Triton;inference;model;server;',
    `MimeType=${ONNX_TYPE};inode/directory;`,
    '',
  ].join('\n');
}

/** By the shared MIME-info specification. */
export function mimeInfo(): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">',
    `  <mime-type type="${ONNX_TYPE}">`,
    '    <comment>ONNX model</comment>',
    '    <icon name="conch"/>',
    '    <glob pattern="*.onnx"/>',
    '  </mime-type>',
    '</mime-info>',
    '',
  ].join('\n');
}
