/**
 * Replaces the package `debug`, which puppeteer uses (wrangler.toml, alias). Its Node version would delay every start
 * by 15 ms.
 */
const silent = () => {};

export default () => silent;
