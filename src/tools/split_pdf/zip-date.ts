/** The date of every entry of an archive, so that equal content gives equal bytes: the earliest that ZIP knows. */
export const ZIP_DATE = new Date(1980, 0, 1);
