/**
 * The path of Debian's headless Chromium (ADR 95). The wrapper script in /usr/bin is not used, because it would keep
 * running as Chromium's parent process.
 */
export const CHROMIUM_PATH = '/usr/lib/chromium/chromium-headless-shell';
