/** Makes calls with the types of the package. The file is compiled beside the installed package, but never run. */
import { connect, type ToolFile, ToolsError } from 'tools-service/client';

const tools = connect({ baseUrl: 'http://localhost:8787', key: 'tsk_x' });

export async function right(): Promise<unknown[]> {
  const pdf: ToolFile = await tools.merge_pdf({
    files: [new Blob([]), 'https://example.com/a.pdf'],
  });
  const image = await tools.compress_image({ file: pdf, format: 'avif' });
  const width: number | undefined = image.metadata?.width;
  const video = await tools.compress_video({ file: new Uint8Array(3) }, { link: true });
  const url: string = video.url;
  const chained = await tools.chain([
    { tool: 'encode_base64', parameters: { text: 'a' } },
    { tool: 'encode_url', parameters: { url: '{{prev.encoded}}' } },
  ]);
  const first: string | undefined = chained.results[0].result?.encoded;
  const output: string | undefined = chained.output?.encoded;
  const planned = await tools.chain('encode a text');
  const { text } = await tools.extract_text_ocr({ fileUrl: url }, { onProgress: () => {} });
  const searchable: ToolFile = await tools.extract_text_ocr({ fileUrl: url, output: 'pdf' });
  const known = (error: unknown) => error instanceof ToolsError && error.code === 'rate_limited';
  return [
    width,
    first,
    output,
    planned.results[0]?.status,
    text,
    searchable,
    await tools.generate_text(),
    known,
  ];
}

export const wrong = () => [
  // @ts-expect-error: the parameter is called `text`
  tools.encode_base64({ txt: 'a' }),
  // @ts-expect-error: the parameter is a string
  tools.encode_base64({ text: 1 }),
  // @ts-expect-error: there is no such format
  tools.compress_image({ file: new Blob([]), format: 'gif' }),
  // @ts-expect-error: `ranges` is required
  tools.split_pdf({ file: new Blob([]) }),
  // @ts-expect-error: the files are missing
  tools.merge_pdf({}),
  // @ts-expect-error: there is no such output
  tools.extract_text_ocr({ file: new Blob([]), output: 'html' }),
  // @ts-expect-error: there is no such tool
  tools.encode_nothing({}),
  // @ts-expect-error: there is no such tool for a chain
  tools.chain([{ tool: 'encode_nothing' }]),
  // @ts-expect-error: there is no such code
  new ToolsError('', { code: 'wrong', status: 400 }),
];
