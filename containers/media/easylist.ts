/** Defines the path to EasyList, a list of advertisement filters, and the Debian package that installs it. */
import { existsSync } from 'node:fs';

export const EASYLIST_PACKAGE = 'webext-ublock-origin-firefox';
export const EASYLIST =
  '/usr/share/mozilla/extensions/{ec8030f7-c20a-464f-9b0e-13a3a9e97384}/uBlock0@raymondhill.net/assets/thirdparties/easylist/easylist.txt';

/**
 * Returns an empty array if EasyList is installed. Otherwise, returns one entry in the format used to report missing
 * programs.
 */
export const missingList = (): { program: string; package: string }[] =>
  existsSync(EASYLIST) ? [] : [{ program: 'EasyList', package: EASYLIST_PACKAGE }];
