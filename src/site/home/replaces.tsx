/** Compares the tools with the programs that they replace, including the advantages of those programs. */
import { Table } from '../design/table.tsx';

interface Replaced {
  task: string;
  /** The tool's name and the text of the link. */
  here: [tool: string, text: string][];
  instead: string;
  /** An advantage of the other program. */
  better: string;
}

const ROWS: readonly Replaced[] = [
  {
    task: 'Merge, split, rotate and shrink PDFs',
    here: [
      ['merge_pdf', 'Merge'],
      ['split_pdf', 'split'],
      ['rotate_pdf', 'rotate'],
      ['compress_pdf', 'compress'],
    ],
    instead: 'Smallpdf, iLovePDF',
    better: 'Office files, signing, redacting',
  },
  {
    task: 'Shrink and convert photos',
    here: [['compress_image', 'Compress an image']],
    instead: 'Squoosh, TinyPNG',
    better: 'Squoosh works offline and exposes every codec setting',
  },
  {
    task: 'Get the text of a scan',
    here: [['extract_text_ocr', 'Read text']],
    instead: 'OCR sites, the Tesseract command',
    better: 'Handwriting, more than eight languages',
  },
  {
    task: 'Capture a web page',
    here: [['screenshot_url', 'Screenshot']],
    instead: 'Screenshot APIs, a Playwright script',
    better: 'Pages behind a sign-in',
  },
  {
    task: 'Share a link',
    here: [
      ['shorten_url', 'Shorten'],
      ['generate_qr_code', 'QR code'],
    ],
    instead: 'Bitly, QR code sites',
    better: 'Campaign statistics, your own domain',
  },
  {
    task: 'Decode, format, compare',
    here: [
      ['decode_jwt', 'JWT'],
      ['format_json', 'JSON'],
      ['compare_text', 'compare'],
    ],
    instead: 'it-tools, jwt.io, diff sites',
    better: 'it-tools has many more small tools',
  },
];

export const Replaces = () => (
  <section id="replaces" class="stack">
    <h2>What it replaces</h2>
    <Table
      label="What it replaces"
      look="roomy"
      columns={['You want to', 'Here', 'Instead of', 'Better elsewhere']}
    >
      {ROWS.map(({ task, here, instead, better }) => (
        <tr>
          <th scope="row">{task}</th>
          <td>
            {here.map(([tool, text], at) => (
              <>
                {at > 0 && ', '}
                <a href={`/tools/${tool}`}>{text}</a>
              </>
            ))}
          </td>
          <td>{instead}</td>
          <td class="soft">{better}</td>
        </tr>
      ))}
    </Table>
  </section>
);
