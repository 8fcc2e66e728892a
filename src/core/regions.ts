/** The regions of Durable Objects (location hints), and their distances from a caller. */

/**
 * All regions, nearest first, for each continent code of a request (`request.cf.continent`). The order follows the
 * typical network latency between the regions, not geography.
 */
const NEAREST = {
  AF: 'afr weur me eeur enam sam apac apac-se apac-ne wnam oc',
  AN: 'oc sam afr apac apac-se apac-ne wnam enam weur eeur me',
  AS: 'apac apac-se apac-ne me oc eeur weur wnam enam afr sam',
  EU: 'weur eeur me enam afr wnam apac apac-se apac-ne sam oc',
  NA: 'enam wnam sam weur eeur apac-ne apac apac-se oc me afr',
  OC: 'oc apac-se apac apac-ne wnam enam me weur eeur sam afr',
  SA: 'sam enam wnam weur eeur afr me oc apac apac-ne apac-se',
} as const;

/** The location hint for a Durable Objects region. */
export type Region =
  | ('afr' | 'apac' | 'apac-ne' | 'apac-se' | 'eeur' | 'enam')
  | ('me' | 'oc' | 'sam' | 'weur' | 'wnam');

/** Whether the text is the name of a region. */
export const isRegion = (name: string): name is Region => NEAREST.EU.split(' ').includes(name);

/**
 * Returns a number that increases with a region's distance from a continent. Returns 0 if the continent or the region
 * is unknown.
 */
export function distance(continent: string | undefined, region: Region | undefined): number {
  const order = NEAREST[continent as keyof typeof NEAREST] as string | undefined;
  return order && region ? order.split(' ').indexOf(region) : 0;
}
