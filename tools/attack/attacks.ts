// The classes of the long form, in the order they are run.

import type { AttackClass } from './attack-class.ts';
import { bombs } from './classes/bombs.ts';
import { configText } from './classes/config-text.ts';
import { httpBytes, otherBytes } from './classes/http-bytes.ts';
import { grpcMessages, http2Frames } from './classes/http2-frames.ts';
import { onnxFiles } from './classes/onnx-files.ts';
import { paths } from './classes/paths.ts';
import { repositories } from './classes/repositories.ts';
import { smuggling } from './classes/smuggling.ts';
import { tensorSizes } from './classes/tensor-sizes.ts';
import { tornConnections } from './classes/torn-connections.ts';
import { windowDoors, windowMessages } from './classes/window-channel.ts';

/** Their names are those that the command line takes. */
export const ATTACKS: readonly AttackClass[] = [
  httpBytes,
  otherBytes,
  tornConnections,
  smuggling,
  http2Frames,
  grpcMessages,
  tensorSizes,
  bombs,
  windowDoors,
  windowMessages,
  paths,
  configText,
  onnxFiles,
  repositories,
];
