// Reading a file of traces that the user chose, and handing out what is shown as one.

import { explainedMessage } from '../../engine/engine-client.ts';
import { formatBytes } from '../../lib/format.ts';
import { saveText } from '../../actions/save-text.ts';
import { t } from '../../texts/translate.ts';
import { toastError } from '../../ui/toast.tsx';
import { chromeTraceText } from './chrome-trace.ts';
import { readTraceFile } from './read-trace-file.ts';
import { TraceFileError, tritonTraceText } from './trace-file.ts';
import { shownRows, showFile, traces } from './trace-store.ts';

/** A larger one takes more memory than a page should. */
const LARGEST_BYTES = 64 * 1024 * 1024;

/** Shows the traces of a file in place of the engine's; another one takes the place of one that is being read. What cannot be read is told in a toast. */
export async function importTraces(file: File): Promise<void> {
  traces.getState().reading?.cancel();
  const controller = new AbortController();
  const reading = { name: file.name, cancel: () => controller.abort() };
  traces.setState({ reading });
  try {
    if (file.size > LARGEST_BYTES) {
      throw new TraceFileError(t('traces.tooLarge', { limit: formatBytes(LARGEST_BYTES) }));
    }
    showFile({ name: file.name, rows: await readTraceFile(file, controller.signal) });
  } catch (thrown) {
    if (controller.signal.aborted) return;
    const reason = thrown instanceof TraceFileError ? thrown.message : explainedMessage(thrown);
    toastError(t('traces.notRead', { name: file.name, reason }));
  } finally {
    if (traces.getState().reading === reading) traces.setState({ reading: undefined });
  }
}

/** All rows that are there, whatever the filter hides. */
export async function exportTraces(format: 'triton' | 'chrome'): Promise<void> {
  const rows = shownRows(traces.getState());
  if (format === 'triton') await saveText('trace.json', tritonTraceText(rows));
  else await saveText('trace-chrome.json', chromeTraceText(rows));
}
