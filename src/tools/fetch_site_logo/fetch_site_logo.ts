/** fetch_site_logo: finds, measures and ranks a site's icons, and copies the best ones to our storage. */
import * as z from 'zod';
import type { Caller } from '../../core/caller.ts';
import { currentRequestId } from '../../core/current-request.ts';
import { defineTool } from '../../core/define-tool.ts';
import { ToolError } from '../../core/errors.ts';
import type { StoragePort } from '../../core/ports.ts';
import { json } from '../../core/tool-output.ts';
import { logCause } from '../../lib/log.ts';
import type { FoundIcon, Icon } from '../../web/fetch-icons.ts';
import type { FoundMetadata } from '../../web/page-metadata.ts';
import { METADATA_FIELDS, METADATA_VERSION } from '../../web/page-metadata-fields.ts';
import { checkHost, parseWebUrl, withScheme } from '../../web/public-url.ts';

const CACHE_SECONDS = 24 * 3600;
/** A result without copies is cached only briefly, because the next caller may have quota left. */
const LACKING_SECONDS = 60;
/** A copy must be stored longer than the cached result that links to it. */
const COPY_SECONDS = CACHE_SECONDS + 24 * 3600;
const COPIES = 3;
const MEDIA_TYPES: Record<string, string> = { svg: 'image/svg+xml', ico: 'image/x-icon' };

const ICON = z.object({
  url: z.string().describe('The URL of the icon on the site.'),
  source: z
    .string()
    .describe('manifest, touch-icon, favicon, social-image, default-path or favicon-proxy.'),
  declaredSizes: z
    .string()
    .optional()
    .describe('Sizes declared in the page or its manifest, such as 32x32.'),
  width: z.number().optional().describe('Measured pixels.'),
  height: z.number().optional().describe('Measured pixels.'),
  format: z.string().optional().describe('png, svg, ico or another image format.'),
  bytes: z.number().optional().describe('Size of the icon in bytes.'),
  rehostedUrl: z
    .string()
    .optional()
    .describe('The URL of the copy that this service stores. Set only for the best 3 icons.'),
  error: z.string().optional().describe('Why the icon cannot be used.'),
});

/** A cached icon. It refers to its copy by ID and name, because the service's address may change. */
type CachedIcon = Icon & { copy?: { id: string; filename: string } };

interface CachedMetadata extends FoundMetadata {
  icons: CachedIcon[];
  unlisted: number;
  /** Whether an icon could not be copied, for example because the caller has stored too many bytes today. */
  lacksCopies: boolean;
}

/** The parser is loaded on the first call, as in fetch_page_metadata. */
const loadReader = async () => ({
  ...(await import('../../web/read-page.ts')),
  ...(await import('../../web/fetch-icons.ts')),
});

export const fetchSiteLogo = defineTool({
  name: 'fetch_site_logo',
  title: 'Fetch a site’s logo',
  shortName: 'Fetch logo',
  kind: 'web',
  icon: 'stamp',
  domain: 'web',
  description:
    'Finds the icons of a site: web app manifest, touch icons, favicons, social images, /favicon.ico. Downloads up to ' +
    '10, ranks them by size (real icons before social images) and copies the best 3 to stable URLs. Returns ' +
    'the page metadata too. Results are cached for 24 hours.',
  input: z.strictObject({
    url: z.string().describe('A public http(s) page; https is assumed for a bare domain.'),
    rehost: z
      .boolean()
      .default(true)
      .describe('Whether the best 3 icons are copied to this service.'),
  }),
  output: z.object({
    ...METADATA_FIELDS,
    logo: ICON.optional().describe('The best icon; absent if none is usable.'),
    icons: z.array(ICON).describe('All candidates, best first; those with an error last.'),
    cached: z.boolean().describe('Whether the result comes from the cache.'),
  }),
  resultView: () => import('./result-view.tsx'),
  example: { parameters: { url: 'example.com' } },
  form: {
    url: { label: 'Address of the site', help: '', control: 'address' },
    rehost: {
      label: 'Copy the best icons here',
      help: 'The copies have links that work for at least a day.',
    },
  },
  synonyms: ['favicon', 'favicon grabber', 'favicon downloader', 'icon', 'brand'],
  access: 'anyone',
  limits: [{ calls: 20, per: 'minute', by: 'ip' }],
  surfaces: ['rest', 'mcp', 'chain'],
  untrusted: true,
  annotations: { readOnly: true, idempotent: true, openWorld: true, destructive: false },
  needs: ['egress', 'results', 'storage', 'favicons'],
  check: ({ url }) => {
    const address = parseWebUrl(url, 'url', true);
    checkHost(address, 'url');
    return address;
  },
  async run(
    { url, rehost },
    { egress, results, storage, favicons, caller, signal, warn },
    address,
  ) {
    const find = async (): Promise<CachedMetadata> => {
      const { readPage, findIcons, fetchIcon } = await loadReader();
      const page = await readPage(egress, address, withScheme(url), 'url', signal);
      const { found, unlisted } = await findIcons(egress, page.head, page.url, signal);
      const proxied = favicons.addressFor(page.url.hostname);
      if (proxied && !found.some(({ content }) => content)) {
        const candidate = { url: proxied, source: 'favicon-proxy' as const };
        const get = (limited: AbortSignal) => favicons.fetch(proxied, limited);
        const last = await fetchIcon(candidate, get, signal);
        if (last.content) found.unshift(last);
        else found.push(last);
      }
      const { metadata, warnings } = page;
      const copied = await copyBest(found, rehost, storage, caller);
      return { metadata, warnings, unlisted, ...copied };
    };
    const key = ['fetch_site_logo', METADATA_VERSION, url, rehost];
    const life = ({ lacksCopies }: CachedMetadata) =>
      lacksCopies ? LACKING_SECONDS : CACHE_SECONDS;
    const { value, cached } = await results.remember(key, life, signal, find);
    const icons = value.icons.map(({ copy, ...icon }) =>
      copy ? { ...icon, rehostedUrl: storage.linkTo(copy.id, copy.filename) } : icon,
    );
    for (const warning of value.warnings) warn(warning);
    if (value.unlisted > 0)
      warn(`icons: the page declares ${value.unlisted} more, which are not listed.`);
    const logo = icons.find(({ format }) => format !== undefined);
    return json({ ...value.metadata, ...(logo && { logo }), icons, cached });
  },
});

/** Copies the best icons to our storage. An icon that cannot be copied is listed without a copy. */
async function copyBest(
  found: readonly FoundIcon[],
  rehost: boolean,
  storage: StoragePort,
  caller: Caller,
): Promise<Pick<CachedMetadata, 'icons' | 'lacksCopies'>> {
  const best = rehost ? found.filter(({ content }) => content).slice(0, COPIES) : [];
  let lacksCopies = false;
  const icons = await Promise.all(
    found.map(async (one) => {
      const copy = best.includes(one)
        ? await copyOf(one, storage, caller).catch(noCopy)
        : undefined;
      lacksCopies ||= best.includes(one) && !copy;
      return { ...one.icon, ...(copy && { copy }) };
    }),
  );
  return { icons, lacksCopies };
}

/** Logs unexpected errors. A ToolError, for example about a used-up storage quota, is expected. */
function noCopy(error: unknown): undefined {
  if (!(error instanceof ToolError)) logCause(currentRequestId() ?? '', error);
}

async function copyOf({ icon, content }: FoundIcon, storage: StoragePort, caller: Caller) {
  const format = icon.format ?? 'bin';
  const { id, filename } = await storage.store(content!, {
    filename: `icon.${format}`,
    contentType: MEDIA_TYPES[format] ?? `image/${format}`,
    lifeSeconds: COPY_SECONDS,
    caller,
  });
  return { id, filename };
}
