/**
 * Finds content to remove from captures. EasyList identifies advertisements, and autoconsent identifies cookie banners.
 */
import { readFile } from 'node:fs/promises';
import { FiltersEngine, Request } from '@ghostery/adblocker';
import { unavailable } from '../../src/core/errors.ts';
import { EASYLIST, EASYLIST_PACKAGE } from './easylist.ts';

const RETRY_SECONDS = 60;
/** CSS selectors of the cookie banners that autoconsent handles in code rather than in rules. */
const BANNERS_IN_CODE = [
  '#onetrust-consent-sdk',
  '#CybotCookiebotDialog',
  '#CybotCookiebotDialogBodyUnderlay',
  '.klaro',
  "div[id^='sp_message_container_']",
  '#cmpbox',
  '#cmpbox2',
  '#truste-consent-track',
  '.truste_box_overlay',
  '.truste_overlay',
];
/**
 * Maps DevTools protocol resource types to their names in filter lists. Types with the same name in both are omitted.
 */
const TYPES: Record<string, 'sub_frame' | 'other'> = {
  document: 'sub_frame',
  texttrack: 'other',
  prefetch: 'other',
  manifest: 'other',
  signedexchange: 'other',
  cspviolationreport: 'other',
  preflight: 'other',
  fedcm: 'other',
};

interface Rule {
  prehideSelectors?: string[];
  runContext?: { urlPattern?: string };
}

let loading: Promise<FiltersEngine> | undefined;
let banners: Promise<Rule[]> | undefined;

/** Whether a request from the page with the URL `page` loads an advertisement. Throws 503 if EasyList is missing. */
export async function isAdvertisement(url: string, type: string, page: string): Promise<boolean> {
  const name = type.toLowerCase();
  const request = Request.fromRawDetails({
    url,
    sourceUrl: page,
    type: TYPES[name] ?? (name as 'image'),
  });
  return (await engine()).match(request).match;
}

/**
 * Returns a style sheet that hides the advertisements and cookie banners of a page whose elements have these IDs and
 * classes.
 */
export async function hidingStyle(page: string, ids: string[], classes: string[]): Promise<string> {
  const { hostname, domain } = Request.fromRawDetails({ url: page, type: 'main_frame' });
  const { styles } = (await engine()).getCosmeticsFilters({
    url: page,
    hostname,
    domain,
    ids,
    classes,
    getInjectionRules: false,
    getExtendedRules: false,
  });
  // A browser ignores a whole rule if one of its selectors is invalid, so each selector gets its own rule.
  const hidden = (await bannersOf(page)).map(
    (selector) => `${selector} { display: none !important; }`,
  );
  return [styles, ...hidden].join('\n');
}

/** Parses EasyList on first use, because parsing takes about half a second. */
function engine(): Promise<FiltersEngine> {
  loading ??= readFile(EASYLIST, 'utf8').then((list) =>
    FiltersEngine.parse(list, { enableHtmlFiltering: false }),
  );
  return loading.catch((error) => {
    loading = undefined;
    throw unavailable(
      `The ad-blocking filter list is not installed. The operator can install it with: apt-get install ${EASYLIST_PACKAGE}.`,
      RETRY_SECONDS,
      error,
    );
  });
}

async function bannersOf(page: string): Promise<string[]> {
  banners ??= readRules();
  const own = (await banners).filter(({ runContext }) => matches(runContext?.urlPattern, page));
  return [...BANNERS_IN_CODE, ...own.flatMap(({ prehideSelectors }) => prehideSelectors ?? [])];
}

async function readRules(): Promise<Rule[]> {
  const path = new URL(import.meta.resolve('@duckduckgo/autoconsent/rules/rules.json'));
  const { autoconsent } = JSON.parse(await readFile(path, 'utf8')) as { autoconsent: Rule[] };
  return autoconsent.filter(({ prehideSelectors }) => prehideSelectors?.length);
}

const matches = (pattern: string | undefined, page: string) =>
  !pattern || new RegExp(pattern).test(page);
