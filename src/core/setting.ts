/** Describes a setting (environment variable). */
export interface Setting {
  name: string;
  /** The default as the documentation shows it. The code that reads the setting applies it. */
  default: string;
  meaning: string;
  /** Returns the error in a value, or null if the value is valid. */
  check(value: string): string | null;
  /** Whether only `npm start` reads the setting. */
  local?: boolean;
  /** Whether the setting must not be in a file that git tracks. URLs that contain a key are secrets too. */
  secret?: boolean;
}
