/** Lists the regular expressions that the page of test_regex offers. They are valid with every flag. */

/** The patterns by name. */
export const COMMON_PATTERNS = {
  'Email address': String.raw`\b[\w.+\-]+@[\w\-]+(?:\.[\w\-]+)+\b`,
  URL: String.raw`\bhttps?://[^\s"<>]+`,
  'ISO date': String.raw`\b\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])\b`,
  'IPv4 address': String.raw`\b(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)\b`,
  UUID: String.raw`\b[\da-fA-F]{8}(?:-[\da-fA-F]{4}){3}-[\da-fA-F]{12}\b`,
  'Hex color': String.raw`#(?:[\da-fA-F]{8}|[\da-fA-F]{6}|[\da-fA-F]{3,4})\b`,
} as const;
