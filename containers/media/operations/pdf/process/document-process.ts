/**
 * The entry of a process that splits and merges PDF files, so that no file can block the media
 * worker. It starts qpdf and other programs itself; they end with it.
 */
import { serveTasks } from '../../../processes/serve-tasks.ts';
import type { TaskReply } from '../../../processes/task.ts';
import { programsEnded, shareGroup } from '../../../run-program.ts';
import { WorkLimit } from '../../../work-limit.ts';
import type { OperationContext, OperationFile } from '../../operation.ts';
import { compressPdf } from '../compress.ts';
import { layerText } from '../layer-text.ts';
import { mergePdf } from '../merge.ts';
import { parseDocument } from '../parse.ts';
import { openPdf, repairPdf, soundPdf } from '../sound-pdf.ts';
import { splitPdf } from '../split.ts';
import type { DocumentTask, DocumentTasks } from './document-tasks.ts';

type Work<Result> = (
  params: Record<string, unknown>,
  files: readonly OperationFile[],
  context: OperationContext,
) => Promise<Result>;

const task =
  <Result>(work: Work<Result>) =>
  async ({ params, files, directory }: DocumentTask): Promise<Result> => {
    const [file] = files;
    const reading = file && files.length === 1 ? `"${file.name}"` : 'One of the files';
    process.send?.({ reading } satisfies TaskReply);
    // Stops programs that still run when the task returns. A cancelled task needs no signal: its process is killed.
    const done = new AbortController();
    const limit = WorkLimit.forFiles(files, (seconds) => {
      process.send?.({ allow: seconds } satisfies TaskReply);
    });
    const progress = (fraction: number) => {
      process.send?.({ progress: fraction } satisfies TaskReply);
    };
    try {
      return await work(params, files, { directory, signal: done.signal, limit, progress });
    } finally {
      done.abort(new Error('the task has finished'));
      // The CPU time of the task's programs is charged to the task.
      await programsEnded();
    }
  };

shareGroup();
serveTasks<DocumentTasks>({
  compress: task(compressPdf),
  layer: task(layerText),
  merge: task(mergePdf),
  parse: task(parseDocument),
  split: task(splitPdf),
  sound: task(soundPdf),
  open: task(openPdf),
  repair: task(repairPdf),
});
