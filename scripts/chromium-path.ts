/**
 * The path of Debian's headless Chromium (ADR 95). The wrapper script in /usr/bin would remain as its parent process.
 */
export const CHROMIUM_PATH = '/usr/lib/chromium/chromium-headless-shell';
