/** Renders the file field of the upload step. */
import { Icon } from '../design/icon.tsx';
import { deletedText, FileField } from '../tool/file-field.tsx';
import { isLinkUsed } from './data-flow.ts';
import { linksName, type Step, uploadedBy } from './steps.ts';

interface UploadFieldProps {
  /** The steps of the page. The first step is the upload. */
  steps: readonly Step[];
  error: string | undefined;
}

/** Accepts the files that the next step's tool accepts. */
export function UploadField({ steps, error }: UploadFieldProps) {
  const [upload, next] = steps as [Step, Step?];
  const links = uploadedBy(upload);
  // A chain that uses the links to its files runs only once, because the links from several runs would be mixed up.
  const isBatch =
    next?.tool.files?.max === 1 && !steps.some((_, index) => isLinkUsed(steps, index));
  return (
    <>
      <FileField
        files={next?.tool.files ?? upload.tool.files!}
        error={error}
        afterwards={<Afterwards steps={steps} />}
        isBatch={isBatch}
        batchText={batchText(steps)}
      />
      <p class="notice small" id="refused-files" role="status" hidden />
      <input type="hidden" name={linksName(0)} value={links.join('\n')} />
      {links.length > 0 && <Uploaded links={links} />}
    </>
  );
}

/** Explains what the chain does with several files if its first tool takes only one. */
function batchText(steps: readonly Step[]): string {
  const joining = steps.findIndex(({ tool }, index) => index > 1 && (tool.files?.max ?? 0) > 1);
  const text =
    'The chain runs once per file, so each file has its own result and counts as a run of the chain.';
  if (joining < 0) return text;
  return `${text} To join the files, move "${steps[joining]!.tool.title}" to step 2.`;
}

const STORED = "Files are stored for 7 days. Anyone with a file's link can open it.";

/** Explains what happens to the files. The page's script deletes them after the run unless a later step uses a link. */
function Afterwards({ steps }: { steps: readonly Step[] }) {
  if (isLinkUsed(steps, 0))
    return <span data-stored>A later step uses the file's link. {STORED}</span>;
  const linked = steps.findIndex((_, index) => isLinkUsed(steps, index));
  const between = steps.length > 2 ? ' This includes the files that steps pass on.' : '';
  return (
    <>
      <span class="scripted">
        {linked < 0
          ? `${deletedText(true)}${between}`
          : `Your files are deleted as soon as the result is ready. The file of step ${linked + 1} is stored for 24 hours, because a later step uses its link. Anyone with the link can open it.`}
      </span>
      <noscript>{STORED}</noscript>
    </>
  );
}

/** Lists the files that the form uploaded without scripts. */
const Uploaded = ({ links }: { links: readonly string[] }) => (
  <ul class="uploaded cluster">
    {links.map((link) => (
      <li class="cluster">
        <Icon name="file-check" />
        <a href={link} target="_blank" rel="noopener noreferrer">
          {fileNameIn(link)}
        </a>
      </li>
    ))}
    <li>
      <button type="submit" class="small quiet" name="do" value="clear">
        Remove {links.length === 1 ? 'it' : 'them'}
      </button>
    </li>
  </ul>
);

function fileNameIn(link: string): string {
  const name = link.slice(link.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
