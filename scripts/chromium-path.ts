/** Debian's Chromium without windows (ADR 95). Its wrapper in /usr/bin would remain as a process before the browser. */
export const CHROMIUM_PATH = '/usr/lib/chromium/chromium-headless-shell';
