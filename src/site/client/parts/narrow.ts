/** Matches a narrow screen, such as a phone, on which some elements are arranged differently. */
export const NARROW = matchMedia('(max-width: 34rem)');
