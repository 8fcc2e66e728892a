/** Replaces puppeteer's package `debug` (wrangler.toml, alias), whose Node version would cost every start 15 ms. */
const silent = () => {};

export default () => silent;
