/** Renders the form of the site-wide search. */

export function SearchForm({ query }: { query: string }) {
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
