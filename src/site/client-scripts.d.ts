/** Scripts of pages are imported as text (wrangler.toml, rules). */
declare module '*.client.js' {
  const text: string;
  export default text;
}
