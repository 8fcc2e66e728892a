/**
 * The entry point of a process that works on PDF files, so that no file can block the media worker. The process starts
 * qpdf and other programs itself. If the process is killed, these programs are killed too.
 */
import { serveTasks } from '../../../processes/serve-tasks.ts';
import type { TaskReply } from '../../../processes/task.ts';
import { programsEnded, shareGroup } from '../../../run-program.ts';
import { WorkLimit } from '../../../work-limit.ts';
import type { OperationContext, OperationFile } from '../../operation.ts';
import { compressPdf } from '../compress.ts';
import { formatRecognized } from '../format-recognized.ts';
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
    // Aborts programs that are still running when the task returns. If the task is cancelled, its process is killed
    // instead.
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
      // The CPU time of programs can be charged to this task only after they have exited.
      await programsEnded();
    }
  };

shareGroup();
serveTasks<DocumentTasks>({
  compress: task(compressPdf),
  formatRecognized: task(formatRecognized),
  layer: task(layerText),
  merge: task(mergePdf),
  parse: task(parseDocument),
  split: task(splitPdf),
  sound: task(soundPdf),
  open: task(openPdf),
  repair: task(repairPdf),
});
