/** Inserts this service's URLs into documents, which are stored without them. */

export interface Addresses {
  baseUrl: string;
  storageUrl: string;
}

export const withAddresses = (text: string, { baseUrl, storageUrl }: Addresses): string =>
  text.replaceAll('{base_url}', baseUrl).replaceAll('{storage_url}', storageUrl);
