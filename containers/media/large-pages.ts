/** Memory settings for programs that allocate much memory in small pieces. */

/**
 * glibc requests large pages in large steps and frees nothing before the end. qpdf took 214 instead of 252 ms for 700
 * pages of links. For the recoder of compress_pdf the gain varies from a quarter of the CPU time to none.
 */
export const LARGE_PAGES = {
  GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1',
  MALLOC_MMAP_THRESHOLD_: String(1024 ** 3),
  MALLOC_TOP_PAD_: String(64 * 1024 * 1024),
  MALLOC_TRIM_THRESHOLD_: String(1024 ** 3),
};
