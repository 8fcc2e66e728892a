/** Packs the results of a batch into a ZIP file. The page loads this script when the visitor requests the file. */
export { downloadZip } from 'client-zip';
