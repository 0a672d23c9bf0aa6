// The microphone: recorded once at a time, and let go whatever happens.

import { useEffect } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { Rendered } from '../../testing/render.tsx';
import { renderView, until } from '../../testing/render.tsx';
import type { RecorderState } from './use-recorder.ts';
import { canCapture, useRecorder } from './use-recorder.ts';

let page: Rendered | undefined;
let state: RecorderState;
const sounds: Blob[] = [];
const errors: string[] = [];
/** Of each microphone that was given: whether it is still on. */
const microphones: { isOn: boolean }[] = [];
let asked: PromiseWithResolvers<MediaStream>[];

class FakeRecorder extends EventTarget {
  state = 'inactive';
  mimeType = 'audio/webm';
  start(): void {
    this.state = 'recording';
  }
  stop(): void {
    this.state = 'inactive';
    this.dispatchEvent(Object.assign(new Event('dataavailable'), { data: new Blob(['sound']) }));
    this.dispatchEvent(new Event('stop'));
  }
}

beforeEach(async () => {
  asked = [];
  for (const list of [sounds, errors, microphones]) list.length = 0;
  Object.defineProperty(navigator, 'mediaDevices', {
    configurable: true,
    value: {
      getUserMedia: () => {
        const answer = Promise.withResolvers<MediaStream>();
        asked.push(answer);
        return answer.promise;
      },
    },
  });
  vi.stubGlobal('MediaRecorder', FakeRecorder);
  page = await renderView(<Probe />);
});

afterEach(async () => {
  await page?.close();
  page = undefined;
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, 'mediaDevices');
});

function Probe() {
  const recorder = useRecorder(
    (sound) => void sounds.push(sound),
    (reason) => void errors.push(reason),
  );
  useEffect(() => {
    state = recorder;
  });
  return null;
}

function give(at = 0): void {
  const microphone = { isOn: true };
  microphones.push(microphone);
  const track = { stop: () => (microphone.isOn = false) };
  asked[at]?.resolve({ getTracks: () => [track] } as unknown as MediaStream);
}

test('what was recorded is handed over when it is stopped, and the microphone is let go', async () => {
  expect([state.isPossible, canCapture()]).toEqual([true, true]);
  state.start();
  expect(state.isRecording).toBe(false);
  give();
  await until(() => expect(state.isRecording).toBe(true));
  state.stop();
  await until(() => expect(state.isRecording).toBe(false));
  expect(await sounds[0]?.text()).toBe('sound');
  expect(microphones).toEqual([{ isOn: false }]);
});

test('a button that is pressed twice asks for one microphone', async () => {
  state.start();
  state.start();
  give();
  await until(() => expect(state.isRecording).toBe(true));
  state.start();
  expect(asked).toHaveLength(1);
});

test('a refusal is told, and it can be asked for again', async () => {
  state.start();
  asked[0]?.reject(new Error('permission denied'));
  await until(() => expect(errors).toEqual(['permission denied']));
  state.start();
  give(1);
  await until(() => expect(state.isRecording).toBe(true));
});

test('a microphone that cannot be recorded is let go again', async () => {
  vi.stubGlobal('MediaRecorder', function () {
    throw new Error('no such format');
  });
  state.start();
  give();
  await until(() => expect(errors).toEqual(['no such format']));
  expect(microphones).toEqual([{ isOn: false }]);
});

test('a view that goes away ends the recording, and takes no microphone that is given later', async () => {
  state.start();
  give();
  await until(() => expect(state.isRecording).toBe(true));
  await page?.close();
  expect(microphones).toEqual([{ isOn: false }]);
  page = await renderView(<Probe />);
  state.start();
  await page.close();
  give(1);
  await until(() => expect(microphones[1]).toEqual({ isOn: false }));
});
