/** The version of the API description (api.md, Versioning). */
export const VERSION = '2.0.0';
