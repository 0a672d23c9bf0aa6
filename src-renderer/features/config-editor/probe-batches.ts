// The batch probe for a finding about the batch dimension: runs the newest version's file at several batch sizes.

import type { ModelView } from '../../../src-shared/contract/model-view.ts';
import { messageOf } from '../../engine/engine-client.ts';
import type { Engine } from '../../engine/engine-context.tsx';
import { toastError, toastInfo, toastSuccess, toastWarning } from '../../ui/toast.tsx';

export async function probeBatches({ client }: Engine, { name, path }: ModelView): Promise<void> {
  try {
    const files = await client.call('repository/files', { model: name });
    const file = files.findLast((candidate) => candidate.path.endsWith('.onnx'));
    const { verdict, message } = await client.call('config/batchProbe', {
      path: `${path}/${file?.path ?? ''}`,
    });
    if (verdict === 'safe') toastSuccess(message);
    else if (verdict === 'unsafe') toastWarning(message);
    else toastInfo(message);
  } catch (thrown) {
    toastError(messageOf(thrown));
  }
}
