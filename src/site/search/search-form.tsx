/** Renders the form of the site-wide search. */

/** @param isPage whether the form is the main purpose of the page, so that it is focused when the page loads */
export function SearchForm({ query, isPage = false }: { query: string; isPage?: boolean }) {
  return (
    <search>
      <form class="search-form" action="/search">
        <label for="q" class="hidden">
          Search tools, documents, how-tos and the blog
        </label>
        <input
          id="q"
          name="q"
          type="search"
          value={query}
          maxlength={500}
          required
          autofocus={isPage && query === ''}
          placeholder="scan to text, rate limits…"
          autocomplete="off"
        />
        <button type="submit" class="main">
          Search
        </button>
      </form>
    </search>
  );
}
