/**
 * The date of every archive entry. It is fixed, so that the same content always produces the same bytes. ZIP supports
 * no earlier date.
 */
export const ZIP_DATE = new Date(1980, 0, 1);
