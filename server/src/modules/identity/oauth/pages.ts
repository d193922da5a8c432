// The one page that the authorization server itself shows: what is wrong with a request that cannot be answered to the app, because
// nobody knows whose it is.

/** The page runs nothing and loads nothing. */
export const errorPagePolicy =
  "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export function errorPage(out: { error?: unknown; error_description?: unknown }): string {
  const rows = [out.error, out.error_description]
    .filter(text => typeof text === 'string')
    .map(text => `<p>${escaped(text)}</p>`)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Request not understood · Tandem</title>
</head>
<body>
<main>
<h1>This request cannot be answered</h1>
${rows.join('\n')}
<p>Go back to the app and start again. If it stays, report what stands here to the people who make the app.</p>
</main>
</body>
</html>
`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
