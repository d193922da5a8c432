// llms.txt and llms-full.txt (llmstxt.org): the catalog for programs that read text, as a list of links and as one whole.
import { readCatalog } from '../model.ts'
import { endpointMarkdown, errorsMarkdown, schemasMarkdown } from './markdown.ts'

const basics = `- Send \`Authorization: Bearer <API key or access token>\`; keys begin with \`tdm_live_\` or \`tdm_test_\`, and test keys reach no real phone.
- Bodies are JSON, sent with \`Content-Type: application/json\`. Unknown fields and unknown query parameters are refused.
- v1 answers \`{"success": true, …}\`, v2 \`{"status", "data", "meta"}\` unless the endpoint says otherwise.
- Errors carry a stable code, a message that names the remedy, and field faults in \`details\`.
- Below \`/oauth\` (version oauth) bodies are forms, and answers and errors are those of the RFCs.
- POST and PATCH take an \`Idempotency-Key\`, which makes a repeat safe for 72 hours.`

/** A guide that the server has at `/docs/<name>.md`. */
export type GuideLink = { name: string; title: string; summary: string }

/** A short page of links to the guides and to the Markdown of every endpoint. */
export function llmsTxt(document: object, baseUrl = '', guides: readonly GuideLink[] = []): string {
  const catalog = readCatalog(document)
  const sections = catalog.categories.map(({ name, endpoints }) => {
    const lines = endpoints.flatMap(id => {
      const endpoint = catalog.byId.get(id)
      if (endpoint === undefined) return []
      const { method, path, address, summary } = endpoint
      return `- [${endpoint.name}](${baseUrl}${address}.md): ${method} ${path}. ${summary}`
    })
    return `## ${name}\n\n${lines.join('\n')}`
  })
  const reference = [
    `- [All endpoints in full](${baseUrl}/llms-full.txt): this catalog and the error reference as one text.`,
    `- [Error reference](${baseUrl}/errors.md): every problem code with cause and fix.`,
    `- [Schemas](${baseUrl}/schemas.md): what requests and replies name, such as the instructions of calls.`,
    `- [OpenAPI 3.1](${baseUrl}/openapi.json): schemas of every request and reply.`,
    `- [Postman](${baseUrl}/exports/postman.json) and [Bruno](${baseUrl}/exports/bruno.json): collections to import.`,
  ]
  const head = `# ${catalog.title}\n\n> ${catalog.description}`
  const links = guides.map(({ name, title, summary }) => `- [${title}](${baseUrl}/docs/${name}.md): ${summary}`)
  const reported = links.length === 0 ? [] : [`## Guides\n\n${links.join('\n')}`]
  return `${[head, basics, ...reported, ...sections, `## Reference\n\n${reference.join('\n')}`].join('\n\n')}\n`
}

/** Every endpoint and the error reference, in one text. */
export function llmsFullTxt(document: object, baseUrl = ''): string {
  const catalog = readCatalog(document)
  const parts = catalog.categories.flatMap(({ name, description, endpoints }) => [
    `# ${name}\n\n${description}`,
    ...endpoints.flatMap(id => {
      const endpoint = catalog.byId.get(id)
      return endpoint === undefined ? [] : endpointMarkdown(endpoint, baseUrl, 2).trimEnd()
    }),
  ])
  const head = `# ${catalog.title}\n\n> ${catalog.description}\n\n${basics}`
  return `${[head, ...parts, schemasMarkdown(catalog, baseUrl).trimEnd(), errorsMarkdown(catalog.problems, baseUrl).trimEnd()].join('\n\n')}\n`
}
