/** Stands in for the package `debug` of puppeteer (wrangler.toml, alias): its Node form would cost every start 15 ms. */
const silent = () => {};

export default () => silent;
