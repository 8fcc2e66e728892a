/** The version that the API description declares (api.md, Versioning). */
export const VERSION = '2.0.0';
