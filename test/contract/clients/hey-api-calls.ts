/** Makes calls with the client of @hey-api/openapi-ts. The file is compiled together with the generated code. */

import { client } from './hey-api/client.gen.ts';
import * as api from './hey-api/index.ts';

export async function makeCalls(baseUrl: string, pdf: Blob, image: Blob) {
  // This header makes every result match its type, because the service returns files as links.
  client.setConfig({ baseUrl, headers: { Accept: 'application/json' } });
  const encoded = await api.encodeBase64({ body: { text: 'hi' } });
  const formatted = await api.formatJson({ body: { json: '[1]', indent: 0 } });
  const executed = await api.executeTool({
    body: { tool: 'decode_base64', parameters: { encoded: 'aGk=' } },
  });
  const listed = await api.listTools();
  const found = await api.search({ body: { query: 'merge', topK: 1 } });
  const documents = await api.getContent({ query: { limit: 1 } });
  const merged = await client.post<Blob>({
    url: '/api/v1/tools/merge_pdf',
    body: asForm([pdf, pdf]),
    bodySerializer: null,
    headers: { Accept: '*/*', 'Content-Type': null },
    parseAs: 'blob',
  });
  const linked = await api.mergePdf({ body: { files: [pdf, pdf] } });
  const small = await api.compressImage({ body: { file: image, width: 20, format: 'png' } });
  const queued = await api.encodeUrl({
    body: { url: 'a b' },
    headers: { Prefer: 'respond-async' },
  });
  if (!queued.data || !('status' in queued.data)) throw new Error('not a job');
  const { id } = queued.data;
  const read = async () => (await api.getJob({ path: { id }, throwOnError: true })).data;
  let job = await read();
  while (job.status === 'queued' || job.status === 'running') job = await read();
  const chained = await api.runChain({
    body: { toolChain: [{ tool: 'encode_base64', parameters: { text: 'hi' } }] },
  });
  const [step] = chained.data && 'results' in chained.data ? chained.data.results : [];
  const refused = await api.splitPdf({ body: { ranges: ['x'], file: pdf } });

  const wrong = () => [
    // @ts-expect-error: the parameter is called `text`
    api.encodeBase64({ body: { txt: 'hi' } }),
    // @ts-expect-error: the parameter is a string
    api.executeTool({ body: { tool: 'encode_base64', parameters: { text: 1 } } }),
    // @ts-expect-error: `ranges` is required
    api.splitPdf({ body: { file: pdf } }),
  ];

  const link = linked.data;
  const thumbnail = small.data;
  return {
    wrong,
    encoded: encoded.data && 'encoded' in encoded.data ? encoded.data.encoded : undefined,
    formatted: formatted.data && 'formatted' in formatted.data && formatted.data.formatted,
    executed: executed.data && 'decoded' in executed.data && executed.data.decoded,
    listed: listed.data?.executableCount,
    found: found.data?.passages.length,
    documents: documents.data && 'documents' in documents.data && documents.data.documents.length,
    merged: merged.data instanceof Blob ? merged.data.type : undefined,
    linked: link && 'expiresAt' in link ? [link.pages, link.contentType] : undefined,
    small:
      thumbnail && 'expiresAt' in thumbnail && 'width' in thumbnail ? thumbnail.width : undefined,
    job: job.tool === 'encode_url' ? [job.result?.encoded, job.progress] : undefined,
    step: step?.tool === 'encode_base64' ? step.result?.encoded : undefined,
    refused: [refused.error?.code, refused.error?.param],
  };
}

function asForm(files: readonly Blob[]): FormData {
  const form = new FormData();
  for (const file of files) form.append('files', file);
  return form;
}
