/** The date of every archive entry, so that equal content gives equal bytes: the earliest date that ZIP supports. */
export const ZIP_DATE = new Date(1980, 0, 1);
