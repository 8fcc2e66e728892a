/** Declares modules whose default export is the path of a file on the site (scripts/static-files.ts, loader). */
declare module '*.min.mjs' {
  const path: string;
  export default path;
}
