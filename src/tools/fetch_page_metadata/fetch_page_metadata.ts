/** fetch_page_metadata: reads the metadata in a page's head. */
import * as z from 'zod';
import { defineTool } from '../../core/define-tool.ts';
import { json } from '../../core/tool-output.ts';
import type { FoundMetadata } from '../../web/page-metadata.ts';
import { METADATA_FIELDS, METADATA_VERSION } from '../../web/page-metadata-fields.ts';
import { checkHost, parseWebUrl, withScheme } from '../../web/public-url.ts';

const CACHE_SECONDS = 24 * 3600;

interface Found extends FoundMetadata {
  /** The main content. Undefined if it was not requested. */
  content: string | undefined;
  isCut: boolean;
}

/** The HTML parser and its entity table are loaded on the first call. */
const loadReader = () => import('../../web/read-page.ts');

export const fetchPageMetadata = defineTool({
  name: 'fetch_page_metadata',
  title: 'Fetch page metadata',
  shortName: 'Fetch metadata',
  kind: 'web',
  icon: 'tags',
  domain: 'web',
  description:
    'Reads the title, description, canonical URL, language, author, publisher, dates, image, feeds, Open Graph and Twitter tags of a public ' +
    'HTML page as served (without JavaScript; the HTTP status is not checked). Limits: 5 MB, 3 redirects, 10 seconds. ' +
    'Results are cached for 24 hours. For icons, use fetch_site_logo.',
  input: z.strictObject({
    url: z.string().describe('A public http(s) page; https is assumed for a bare domain.'),
    content: z.enum(['none', 'markdown']).default('none').describe('The main content.'),
  }),
  output: z.object({
    ...METADATA_FIELDS,
    content: z.string().optional().describe('The main content as Markdown, if requested.'),
    icons: z.array(z.never()).describe('Always empty. fetch_site_logo finds icons.'),
    cached: z.boolean().describe('Whether the result comes from the cache.'),
  }),
  example: {
    parameters: { url: 'example.com' },
    result: {
      title: 'Example Domain',
      lang: 'en',
      url: 'https://example.com/',
      finalUrl: 'https://example.com/',
      feeds: [],
      openGraph: {},
      twitter: {},
      icons: [],
      cached: false,
    },
  },
  form: {
    url: { label: 'Address of the page', help: '', control: 'address' },
    content: {
      label: 'Main content',
      help: '',
      choices: { none: 'Leave it out', markdown: 'As Markdown' },
    },
  },
  synonyms: ['social preview', 'open graph', 'og tags', 'link card', 'article text'],
  access: 'anyone',
  limits: [{ calls: 20, per: 'minute', by: 'ip' }],
  surfaces: ['rest', 'mcp', 'chain'],
  untrusted: true,
  annotations: { readOnly: true, idempotent: true, openWorld: true, destructive: false },
  needs: ['egress', 'results'],
  check: ({ url }) => {
    const address = parseWebUrl(url, 'url', true);
    checkHost(address, 'url');
    return address;
  },
  async run({ url, content }, { egress, results, signal, warn }, address) {
    const isRead = content === 'markdown';
    const read = async (): Promise<Found> => {
      const { readPage } = await loadReader();
      const { metadata, warnings, content, isCut } = await readPage(
        egress,
        address,
        withScheme(url),
        'url',
        signal,
        isRead,
      );
      return { metadata, warnings, content, isCut };
    };
    const key = ['fetch_page_metadata', METADATA_VERSION, url, ...(isRead ? [content] : [])];
    const { value, cached } = await results.remember(key, CACHE_SECONDS, signal, read);
    for (const warning of value.warnings) warn(warning);
    if (value.content === '') {
      warn('content: No main content was found. Pages rendered by JavaScript have none.');
    }
    if (value.isCut) warn('content: Only the first part of the main content is returned.');
    const found = isRead ? { content: value.content ?? '' } : {};
    return json({ ...value.metadata, ...found, icons: [], cached });
  },
});
