/** Memory settings for programs that ask for much of it, piece by piece: they spend their time on their work. */

/**
 * glibc asks the kernel for large pages, in large steps, and gives nothing back before the end. qpdf took 214 instead
 * of 252 ms for 700 pages of links. For the recoder of compress_pdf runs differ: from a quarter less CPU to none less.
 */
export const LARGE_PAGES = {
  GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1',
  MALLOC_MMAP_THRESHOLD_: String(1024 ** 3),
  MALLOC_TOP_PAD_: String(64 * 1024 * 1024),
  MALLOC_TRIM_THRESHOLD_: String(1024 ** 3),
};
