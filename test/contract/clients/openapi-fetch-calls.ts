/**
 * Makes calls with the client of openapi-typescript and openapi-fetch. The file is compiled together with the generated
 * types.
 */
import createClient from 'openapi-fetch';
import type { paths } from './openapi-typescript.ts';

const asForm = (fields: object): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    for (const item of [value].flat())
      form.append(name, item instanceof Blob ? item : String(item));
  }
  return form;
};

const JSON_ONLY = { Accept: 'application/json' };

export async function makeCalls(baseUrl: string, pdf: Blob, image: Blob) {
  const client = createClient<paths>({ baseUrl });
  const encoded = await client.POST('/api/v1/tools/encode_base64', { body: { text: 'hi' } });
  const formatted = await client.POST('/api/v1/tools/format_json', {
    body: { json: '[1]', indent: 0 },
  });
  const executed = await client.POST('/api/v1/tools/execute', {
    body: { tool: 'decode_base64', parameters: { encoded: 'aGk=' } },
  });
  const listed = await client.GET('/api/v1/tools');
  const found = await client.POST('/api/v1/search', { body: { query: 'merge', topK: 1 } });
  const documents = await client.GET('/api/v1/content', { params: { query: { limit: 1 } } });
  const merged = await client.POST('/api/v1/tools/merge_pdf', {
    body: { files: [pdf, pdf] },
    bodySerializer: asForm,
    parseAs: 'blob',
  });
  const linked = await client.POST('/api/v1/tools/merge_pdf', {
    body: { files: [pdf, pdf] },
    bodySerializer: asForm,
    headers: JSON_ONLY,
  });
  const small = await client.POST('/api/v1/tools/compress_image', {
    body: { file: image, width: 20, format: 'png' },
    bodySerializer: asForm,
    headers: JSON_ONLY,
  });
  const queued = await client.POST('/api/v1/tools/encode_url', {
    body: { url: 'a b' },
    headers: { Prefer: 'respond-async' },
  });
  // The type of `data` is the union of all successful responses.
  if (!queued.data || !('status' in queued.data)) throw new Error('not a job');
  const { id } = queued.data;
  const read = async () => {
    const { data } = await client.GET('/api/v1/jobs/{id}', { params: { path: { id } } });
    if (!data) throw new Error('no job');
    return data;
  };
  let job = await read();
  while (job.status === 'queued' || job.status === 'running') job = await read();
  const chained = await client.POST('/api/v1/tools/chain', {
    body: { toolChain: [{ tool: 'encode_base64', parameters: { text: 'hi' } }] },
  });
  const [step] = chained.data && 'results' in chained.data ? chained.data.results : [];
  const refused = await client.POST('/api/v1/tools/split_pdf', {
    body: { ranges: ['x'], file: pdf },
    bodySerializer: asForm,
  });

  const wrong = () => [
    // @ts-expect-error: the parameter is called `text`
    client.POST('/api/v1/tools/encode_base64', { body: { txt: 'hi' } }),
    client.POST('/api/v1/tools/execute', {
      // @ts-expect-error: the parameter is a string
      body: { tool: 'encode_base64', parameters: { text: 1 } },
    }),
    // @ts-expect-error: `ranges` is required
    client.POST('/api/v1/tools/split_pdf', { body: { file: pdf } }),
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
