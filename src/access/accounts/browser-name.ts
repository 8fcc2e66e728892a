/**
 * Derives a readable browser name from a User-Agent. The name is only a label for sessions and passkeys, and no
 * decision may depend on it.
 */

const BROWSERS: [RegExp, string][] = [
  [/ Edg(A|iOS)?\//, 'Edge'],
  [/ OPR\//, 'Opera'],
  [/ (Firefox|FxiOS)\//, 'Firefox'],
  [/ (HeadlessChrome|Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/ Safari\//, 'Safari'],
];

const SYSTEMS: [RegExp, string][] = [
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

export function browserName(userAgent: string | null): string {
  const named = (list: [RegExp, string][]) =>
    list.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1];
  const browser = named(BROWSERS) ?? 'A browser';
  const system = named(SYSTEMS);
  return system ? `${browser} on ${system}` : browser;
}
