/** Finds tools and documents by name. Pages load this script when the visitor starts to search. */
export { namedBy, toolsFor } from '../search/named.ts';
