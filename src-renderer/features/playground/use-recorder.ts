// The microphone while it is recorded. It is asked for when recording begins and let go when it ends, or when the view
// goes away.

import { useCallback, useEffect, useRef, useState } from 'react';

import { messageOf } from '../../engine/engine-client.ts';

/** A forgotten recording ends by itself. */
const MAX_RECORDED_MS = 30_000;

/** The microphone as it is now, and what starts and stops it. */
export interface RecorderState {
  readonly isRecording: boolean;
  /** False where the browser gives no microphone: no permission to ask, or not a secure page. */
  readonly isPossible: boolean;
  /** Asks for the microphone; does nothing while it is asked for or recorded. */
  readonly start: () => void;
  /** What was recorded is told to `onSound`; does nothing when nothing is recorded. */
  readonly stop: () => void;
}

/** `onSound` gets what was recorded, `onError` why nothing can be. A view that goes away ends the recording. */
export function useRecorder(
  onSound: (sound: Blob) => void,
  onError: (reason: string) => void,
): RecorderState {
  const recorder = useRef<MediaRecorder>(undefined);
  const isAsking = useRef(false);
  const isGone = useRef(false);
  const [isRecording, setIsRecording] = useState(false);
  const stop = useCallback((): void => {
    if (recorder.current?.state === 'recording') recorder.current.stop();
  }, []);
  const latest = useRef({ onSound, onError });
  useEffect(() => {
    latest.current = { onSound, onError };
  });
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
      stop();
    };
  }, [stop]);
  const record = async (): Promise<void> => {
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
    const letGo = (): void => stream.getTracks().forEach((track) => track.stop());
    // The permission may come when nobody waits for it any more.
    if (isGone.current) return letGo();
    try {
      begin(stream, letGo);
    } catch (thrown) {
      letGo();
      throw thrown;
    }
  };
  const begin = (stream: MediaStream, letGo: () => void): void => {
    const pieces: Blob[] = [];
    const made = new MediaRecorder(stream);
    recorder.current = made;
    const timer = setTimeout(stop, MAX_RECORDED_MS);
    made.addEventListener('dataavailable', ({ data }) => pieces.push(data));
    made.addEventListener('stop', () => {
      clearTimeout(timer);
      letGo();
      setIsRecording(false);
      latest.current.onSound(new Blob(pieces, { type: made.mimeType }));
    });
    made.start();
    setIsRecording(true);
  };
  const start = (): void => {
    if (isAsking.current || recorder.current?.state === 'recording') return;
    isAsking.current = true;
    void record()
      .catch((thrown: unknown) => latest.current.onError(messageOf(thrown)))
      .finally(() => {
        isAsking.current = false;
      });
  };
  return { isRecording, isPossible: canCapture(), start, stop };
}

/** Cameras and microphones are given to secure pages only; loopback counts as one. */
export function canCapture(): boolean {
  return typeof navigator !== 'undefined' && 'mediaDevices' in navigator;
}
