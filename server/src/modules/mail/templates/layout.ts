// The page around the words of a mail: plain enough for every mail program, readable in light and dark, without anything from elsewhere.

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

const address = /https?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]]/g

/** Plain text as markup: paragraphs, lines, and addresses as links. */
export function htmlOfText(text: string): string {
  const linked = (part: string) => {
    let markup = ''
    let from = 0
    for (const match of part.matchAll(address)) {
      const link = escapeHtml(match[0])
      markup += `${escapeHtml(part.slice(from, match.index))}<a href="${link}">${link}</a>`
      from = match.index + match[0].length
    }
    return markup + escapeHtml(part.slice(from))
  }
  return text
    .trim()
    .split(/\n{2,}/)
    .map(paragraph => `<p>${linked(paragraph).replaceAll('\n', '<br>')}</p>`)
    .join('\n')
}

/** A whole document is sent as it is; what is a part of one gets the page around it. */
export function pageOf(content: string, organizationName: string): string {
  if (/^\s*<(!doctype|html)\b/i.test(content)) return content
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
</head>
<body style="margin:0;padding:24px;font:16px/1.5 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">
<div style="max-width:560px;margin:0 auto">
${content}
<p style="margin-top:32px;font-size:13px;opacity:.7">${escapeHtml(organizationName)}</p>
</div>
</body>
</html>
`
}
