/** The parameters that take links to stored files. */

/** Whether a parameter takes links to stored files. `linkNameOf` in define-tool.ts returns the name for a tool. */
export const isLinkName = (name: string): boolean => name === 'fileUrl' || name === 'fileUrls';
