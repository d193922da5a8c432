// A file of English messages of the portal that is made of what the server says, laid out as the formatter lays it out.

/** @param of what of the server it is made of; @param texts by key */
export function enModule(of: string, texts: readonly (readonly [key: string, text: string])[]): string {
  const heading = `// Made by \`npm run generate\` of the server's ${of}; not to be changed by hand.`
  return `${heading}\nexport const en = {\n${texts.map(lineOf).join('')}} as const\n`
}

function lineOf([name, said]: readonly [string, string]): string {
  const key = `  '${name}':`
  const text = `${literal(message(said))},`
  return `${key}${key.length + text.length < 120 ? ' ' : '\n    '}${text}\n`
}

/** What the server says, as an ICU message: it takes no arguments and tags, so what looks like one stands for itself. */
const message = (said: string) => said.replaceAll("'", '’').replaceAll(/\{[^}]*\}|<[^\s>][^>]*>/g, "'$&'")

/** In the quotes of which fewer are escaped. */
function literal(text: string): string {
  const count = (quote: string) => text.split(quote).length
  return count("'") > count('"') ? JSON.stringify(text) : `'${text.replaceAll("'", "\\'")}'`
}
