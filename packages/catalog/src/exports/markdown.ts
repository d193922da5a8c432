// Pages of the Explorer and the error reference as Markdown, for people who paste them and for programs that read them.
import { problemAddress } from '../address.ts'
import type { JsonSchema } from '../document.ts'
import type { Problem } from '../error_samples.ts'
import { bodyFields, choicesOf, type Field, mergedSchema, namesIn, typeText } from '../fields.ts'
import type { Catalog, CategoryInfo, Endpoint, Reply } from '../model.ts'
import { toCurl } from '../samples/curl.ts'
import { sampleRequest } from '../samples/request.ts'

/** Text that Markdown must not take for HTML; between backticks it does not anyway. */
function plain(text: string): string {
  return text.replaceAll(/`[^`]*`|</g, found => (found === '<' ? '&lt;' : found))
}

function cell(text: string): string {
  return plain(text)
    .replaceAll('|', '\\|')
    .replaceAll(/\s*\n\s*/g, ' ')
}

const code = (text: string) => `\`${text.replaceAll('|', '\\|')}\``

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** A block of code, its fence longer than any within. */
function fenced(language: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

const page = (...blocks: string[]) => `${blocks.filter(Boolean).join('\n\n')}\n`

/**
 * One endpoint, complete.
 * @param baseUrl scheme and host of links and samples
 * @param level of the first heading
 */
export function endpointMarkdown(endpoint: Endpoint, baseUrl = '', level = 1): string {
  const { name, method, path, description, permission, replies, problems, rateLimit, id, category, version } = endpoint
  const { specification } = endpoint
  const h = (deeper: number, text: string) => `${'#'.repeat(level + deeper)} ${text}`
  const success = replies.find(({ status }) => status < 400)
  const roles = permission.roles.length === 0 ? '' : ` Held by: ${permission.roles.join(', ')}.`
  return page(
    h(0, plain(name)),
    `${code(`${method} ${baseUrl}${path}`)}`,
    plain(description),
    [
      `- Id: ${code(id)}`,
      `- Category: ${category}, ${version}`,
      `- Permission: ${code(permission.level)}. ${plain(permission.description)}${roles}`,
      ...(specification === null ? [] : [`- Specified in: ${specification}`]),
      ...(rateLimit === '' ? [] : [`- Rate limit: ${rateLimit}`]),
      ...(endpoint.takesIdempotencyKey ? ['- Safe to repeat with the header `Idempotency-Key`.'] : []),
      `- Page: ${baseUrl}${endpoint.address}`,
    ].join('\n'),
    ...parametersBlocks(endpoint.parameters, text => h(1, text)),
    namedLine(endpoint.parameters, baseUrl),
    h(1, 'Sample request'),
    fenced('sh', toCurl(sampleRequest(endpoint, baseUrl, '$TANDEM_TOKEN'), 'TANDEM_TOKEN')),
    ...replyBlocks(success, text => h(1, text)),
    problems.length === 0 ? '' : h(1, 'Errors'),
    problems.length === 0 ? '' : problemsTable(problems, baseUrl),
  )
}

function parametersBlocks(fields: readonly Field[], heading: (text: string) => string): string[] {
  const groups: [string, Field[]][] = [
    ['Required parameters', fields.filter(field => field.required)],
    ['Optional parameters', fields.filter(field => !field.required)],
  ]
  return groups.flatMap(([title, group]) => (group.length === 0 ? [] : [heading(title), fieldsTable(group)]))
}

/** Where the schemas that fields name are described. */
function namedLine(fields: readonly Field[], baseUrl: string): string {
  const names = [...new Set(fields.flatMap(({ schema }) => namesIn(schema)))]
  return names.length === 0 ? '' : `Schemas: ${names.map(name => schemaLink(name, baseUrl)).join(', ')}.`
}

const schemaLink = (name: string, baseUrl: string) => `[${code(name)}](${baseUrl}/schemas.md#${name.toLowerCase()})`

/** The schemas that requests and replies name, each once: what they name in turn is linked, so that none holds itself. */
export function schemasMarkdown({ schemas }: Pick<Catalog, 'schemas'>, baseUrl = ''): string {
  return page(
    '# Schemas',
    'What requests and replies name instead of describing it each time.',
    ...Object.entries(schemas).flatMap(([name, schema]) => schemaBlocks(name, schema, schemas, baseUrl)),
  )
}

function schemaBlocks(
  name: string,
  schema: JsonSchema,
  schemas: Readonly<Record<string, JsonSchema>>,
  baseUrl: string,
): string[] {
  const choices = choicesOf(schema).map(choice => schemaLink(choice, baseUrl))
  const fields = bodyFields(mergedSchema(schema, schemas))
  const [example] = schema.examples ?? []
  return [
    `## ${name}`,
    plain(schema.description ?? ''),
    choices.length === 0 ? '' : `One of ${choices.join(', ')}.`,
    fields.length === 0 ? '' : schemaTable(fields, baseUrl),
    example === undefined ? '' : fenced('json', JSON.stringify(example, null, 2)),
  ]
}

function schemaTable(fields: readonly Field[], baseUrl: string): string {
  return table(
    ['Name', 'Type', 'Rules', 'Description'],
    fields.map(field => {
      const names = namesIn(field.schema).map(name => schemaLink(name, baseUrl))
      const type = names.length === 0 ? cell(field.type) : linkedType(field.schema, names)
      const needed = field.required ? 'required' : ''
      const within = field.requiredWithin === undefined ? '' : `required within ${field.requiredWithin}`
      const preset = field.default === undefined ? '' : `default ${JSON.stringify(field.default)}`
      const rules = [needed, within, field.rules, preset].filter(Boolean).join('; ')
      return [code(field.name), type, cell(rules), cell(field.description)]
    }),
  )
}

function linkedType(schema: JsonSchema, names: readonly string[]): string {
  return `${typeText(schema).startsWith('list of ') ? 'list of ' : ''}${names.join(' or ')}`
}

function fieldsTable(fields: readonly Field[]): string {
  return table(
    ['Name', 'In', 'Type', 'Rules', 'Description'],
    fields.map(field => {
      const preset = field.default === undefined ? '' : `default ${JSON.stringify(field.default)}`
      const within = field.requiredWithin === undefined ? '' : `required within ${field.requiredWithin}`
      const rules = [field.rules, within, preset].filter(Boolean).join('; ')
      return [code(field.name), field.in, cell(field.type), cell(rules), cell(field.description)]
    }),
  )
}

function replyBlocks(reply: Reply | undefined, heading: (text: string) => string): string[] {
  const example = reply?.examples[0]
  if (reply === undefined || example === undefined) return []
  return [
    heading(`Sample reply: ${reply.status} ${reply.reason}`),
    fenced('json', JSON.stringify(example.value, null, 2)),
  ]
}

function problemsTable(problems: readonly Problem[], baseUrl: string): string {
  return table(
    ['Status', 'Code', 'When', 'Fix'],
    problems.map(({ status, code: name, cause, fix }) => [
      status === 0 ? 'in records' : String(status),
      `[${code(name)}](${baseUrl}${problemAddress(name)})`,
      cell(cause),
      cell(fix),
    ]),
  )
}

/** One code of the error reference, with the endpoints that answer it where they are handed in. */
export function problemMarkdown(problem: Problem, endpoints: readonly Endpoint[] = [], baseUrl = ''): string {
  const answering = endpoints.filter(({ problems }) => problems.some(({ code: name }) => name === problem.code))
  const where =
    problem.status === 0
      ? 'Stands in records and events; no request is answered with it.'
      : `HTTP status ${problem.status}.`
  return page(
    `# ${plain(problem.title)}`,
    `${code(problem.code)}: ${where} ${problem.retriable ? 'The same request may succeed later.' : 'Sending the same again does not help.'}`,
    '## Cause',
    plain(problem.cause),
    '## Fix',
    plain(problem.fix),
    answering.length === 0 ? '' : '## Endpoints that may answer it',
    answering.map(endpoint => linkLine(endpoint, baseUrl)).join('\n'),
  )
}

function linkLine({ name, method, path, address, summary }: Endpoint, baseUrl: string): string {
  return `- [${plain(name)}](${baseUrl}${address}.md): ${code(`${method} ${path}`)}. ${plain(summary)}`
}

/** The endpoints of one category, a line each. */
export function categoryMarkdown(category: CategoryInfo, catalog: Catalog, baseUrl = '', level = 1): string {
  const endpoints = category.endpoints.flatMap(id => catalog.byId.get(id) ?? [])
  return page(
    `${'#'.repeat(level)} ${category.name}`,
    plain(category.description),
    endpoints.map(endpoint => linkLine(endpoint, baseUrl)).join('\n'),
  )
}

/** The table of contents of the Explorer. */
export function catalogMarkdown(catalog: Catalog, baseUrl = ''): string {
  return page(
    `# ${catalog.title}: endpoints`,
    plain(catalog.description),
    ...catalog.categories.map(category => categoryMarkdown(category, catalog, baseUrl, 2).trimEnd()),
  )
}

/** The whole error reference, by status. */
export function errorsMarkdown(problems: readonly Problem[], baseUrl = ''): string {
  const answered = problems.filter(({ status }) => status !== 0).sort((a, b) => a.status - b.status)
  const recorded = problems.filter(({ status }) => status === 0)
  return page(
    '# Error reference',
    'Every code the API answers or records. v1 answers it as `code`, v2 as `error.code`.',
    '## In answers',
    problemsTable(answered, baseUrl),
    recorded.length === 0 ? '' : '## In records and events only',
    recorded.length === 0 ? '' : problemsTable(recorded, baseUrl),
  )
}
