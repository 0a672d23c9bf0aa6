// How long a server may take to start: as long as it goes on saying something. A busy machine, or a repository of a hundred
// models, makes a start long; a server that hangs says nothing.

import type { Clock } from '../src-main/base/clock.ts';

const SILENT_S = 120;
const WHOLE_S = 1800;

/** A wait for a start. Whoever begins one ends it. */
export interface StartPatience {
  /** The server has said something. */
  heard(): void;
  /** It listens, or is gone. */
  end(): void;
}

/** `giveUp` is called once, with the reason, when nothing was heard for two minutes, or half an hour has passed. */
export function startPatience(clock: Clock, giveUp: (reason: string) => void): StartPatience {
  const end = (): void => {
    silence.cancel();
    whole.cancel();
  };
  const late = (seconds: number, reason: string) =>
    clock.after(seconds * 1000, () => {
      end();
      giveUp(reason);
    });
  const listen = () => late(SILENT_S, `no listeners, and nothing said for ${SILENT_S} s`);
  let silence = listen();
  const whole = late(WHOLE_S, `no listeners after ${WHOLE_S} s`);
  return {
    heard: () => {
      silence.cancel();
      silence = listen();
    },
    end,
  };
}
