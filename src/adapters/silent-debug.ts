/**
 * Replaces the `debug` package, which puppeteer uses (wrangler.toml, alias). Its Node version would add 15 ms to every
 * start.
 */
const silent = () => {};

export default () => silent;
