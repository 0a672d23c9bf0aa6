// A picture from the camera: what it sees, and a button that takes it. The camera is on while the dialog is open.

import { Camera } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';

import { messageOf } from '../../../engine/engine-client.ts';
import { t } from '../../../texts/translate.ts';
import { ActFooter } from '../../../ui/act-footer.tsx';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { canCapture } from '../use-recorder.ts';

/** `onPicture` gets a PNG file. */
export function CameraButton({
  name,
  onPicture,
}: {
  readonly name: string;
  readonly onPicture: (picture: File) => void;
}) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        icon={Camera}
        disabledReason={canCapture() ? undefined : t('playground.camera.notHere')}
        data-testid={`pg-camera-${name}`}
        onClick={() => setIsOpen(true)}
      >
        {t('playground.camera')}
      </Button>
      {isOpen && <CameraDialog onClose={() => setIsOpen(false)} onPicture={onPicture} />}
    </>
  );
}

function CameraDialog({
  onClose,
  onPicture,
}: {
  readonly onClose: () => void;
  readonly onPicture: (picture: File) => void;
}) {
  const video = useRef<HTMLVideoElement>(null);
  const act = useRef<HTMLButtonElement>(null);
  const error = useCamera(video);
  const [isOn, setIsOn] = useState(false);
  const take = (): void => {
    if (video.current === null) return;
    const canvas = document.createElement('canvas');
    canvas.width = video.current.videoWidth;
    canvas.height = video.current.videoHeight;
    canvas.getContext('2d')?.drawImage(video.current, 0, 0);
    canvas.toBlob((blob) => {
      if (blob === null) return;
      onPicture(new File([blob], t('playground.camera.picture'), { type: blob.type }));
      onClose();
    }, 'image/png');
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      width="md"
      title={t('playground.camera')}
      testId="camera-dialog"
      initialFocus={act}
      footer={
        <ActFooter
          ref={act}
          onCancel={onClose}
          icon={Camera}
          disabledReason={isOn ? undefined : t('common.loading')}
          data-testid="camera-take"
          onClick={take}
        >
          {t('playground.camera.take')}
        </ActFooter>
      }
    >
      {error !== undefined && <Banner tone="warn">{t('playground.camera.failed', { reason: error })}</Banner>}
      <video
        ref={video}
        autoPlay
        muted
        playsInline
        // Before its first frame it would be taken as a black picture.
        onLoadedData={() => setIsOn(true)}
        aria-label={t('playground.camera.seen')}
        className="aspect-video max-h-[calc(100vh-14rem)] w-full rounded border border-line bg-sunken object-contain"
      />
    </Dialog>
  );
}

/** Why there is no camera; undefined = there is one, or it is asked for. */
function useCamera(video: React.RefObject<HTMLVideoElement | null>): string | undefined {
  const [error, setError] = useState<string>();
  useEffect(() => {
    let stream: MediaStream | undefined;
    let isGone = false;
    const stop = (): void => stream?.getTracks().forEach((track) => track.stop());
    navigator.mediaDevices.getUserMedia({ video: true }).then(
      (given) => {
        stream = given;
        if (isGone) return stop();
        if (video.current !== null) video.current.srcObject = given;
      },
      (thrown: unknown) => setError(messageOf(thrown)),
    );
    return () => {
      isGone = true;
      stop();
    };
  }, [video]);
  return error;
}
