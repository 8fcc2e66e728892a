/** Fetches the page's scripts: named in the page itself, they would take the time that its first frame is to have. */
for (const path of document.body.dataset.scripts.split(' ')) {
  const script = document.createElement('script');
  script.type = 'module';
  script.src = path;
  // One after the other, as they stand.
  script.async = false;
  document.body.append(script);
}
