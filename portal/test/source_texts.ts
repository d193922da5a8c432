// Reads the sources of the portal for texts that people see: those that are written where they are shown, instead of in a message file,
// and the keys by which texts of message files are said.
import { parseSync, Visitor } from 'vite'

type Node = { type: string; start: number; end: number } & Record<string, unknown>

/** Attributes and properties whose value people read, or hear. */
const shown = new Set(
  (
    'label title heading description text hint placeholder alt caption about all action cancel confirmLabel error header term detail ' +
    'message saved summary subtitle tooltip aria-label aria-description aria-roledescription aria-valuetext noun word empty things'
  ).split(' '),
)
const isText = (text: string) => /\p{L}{2}/u.test(text)
/** Names that are the same in every language. */
const names = /\b(Tandem|JSON|CSV|SMS|SIP|SMTP|IMAP|OAuth|SAML|SCIM|cURL|E\.164|https?|UTC)\b/g

export type Found = { line: number; text: string }

/** What is written in the code and shown to people. @param path decides how it is parsed */
export function hardCodedTexts(path: string, code: string): Found[] {
  const found: { start: number; text: string }[] = []
  const add = (start: number, text: string) => {
    if (isText(text.replaceAll(names, ''))) found.push({ start, text: text.trim().replaceAll(/\s+/g, ' ') })
  }
  const literals = (node: unknown) => textsOf(node as Node, add)
  const program = parseSync(path, code).program
  new Visitor({
    JSXText: node => add(node.start, node.value),
    JSXExpressionContainer: node => literals(node.expression),
    JSXAttribute(node) {
      const name = node.name.type === 'JSXIdentifier' ? node.name.name : ''
      if (shown.has(name) && node.value?.type === 'Literal') literals(node.value)
    },
    Property(node) {
      const name = node.key.type === 'Identifier' ? node.key.name : node.key.type === 'Literal' ? node.key.value : ''
      const isScreen = path.endsWith('screen.ts') && name === 'name'
      if (!node.computed && (isScreen || shown.has(String(name)))) literals(node.value)
    },
  }).visit(program)
  const attributes = unseenAttributes(program as unknown as Node)
  const lineOf = (start: number) => code.slice(0, start).split('\n').length
  const seen = found.filter(({ start }) => !attributes.some(({ from, to }) => start >= from && start < to))
  return [...new Map(seen.map(one => [one.start, one])).values()]
    .toSorted((a, b) => a.start - b.start)
    .map(({ start, text }) => ({ line: lineOf(start), text }))
}

/** Values of attributes that nobody reads: class names, addresses, ids. */
function unseenAttributes(program: Node): { from: number; to: number }[] {
  const ranges: { from: number; to: number }[] = []
  new Visitor({
    JSXAttribute(node) {
      const name = node.name.type === 'JSXIdentifier' ? node.name.name : ''
      const { value } = node
      if (shown.has(name) || value == null) return
      // What is drawn inside of it is looked at for itself: `action={<Button>Save</Button>}`.
      if (value.type === 'JSXExpressionContainer' && holdsElements(value as unknown as Node)) return
      ranges.push({ from: value.start, to: value.end })
    },
  }).visit(program as never)
  return ranges
}

function holdsElements(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false
  if (Array.isArray(node)) return node.some(holdsElements)
  const { type } = node as Node
  if (type === 'JSXElement' || type === 'JSXFragment') return true
  return Object.values(node).some(holdsElements)
}

/** The literals that an expression may come to: through choices and templates, and not what is compared, called or looked up. */
function textsOf(node: Node | null | undefined, add: (start: number, text: string) => void): void {
  if (node == null) return
  const go = (next: unknown) => textsOf(next as Node, add)
  switch (node.type) {
    case 'Literal':
      if (typeof node['value'] === 'string') add(node.start, node['value'])
      break
    case 'TemplateLiteral':
      for (const part of node['quasis'] as { start: number; value: { cooked: string } }[])
        add(part.start, part.value.cooked)
      for (const part of node['expressions'] as Node[]) go(part)
      break
    case 'ConditionalExpression':
      go(node['consequent'])
      go(node['alternate'])
      break
    case 'LogicalExpression':
      if (node['operator'] !== '&&') go(node['left'])
      go(node['right'])
      break
    case 'BinaryExpression':
      if (node['operator'] === '+') {
        go(node['left'])
        go(node['right'])
      }
      break
    case 'ArrowFunctionExpression':
      if ((node['body'] as Node).type !== 'BlockStatement') go(node['body'])
      else for (const each of returnsOf(node['body'] as Node)) go(each)
      break
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
      go(node['expression'])
      break
    default:
  }
}

function returnsOf(block: Node): unknown[] {
  return (block['body'] as Node[]).flatMap(statement => {
    if (statement.type === 'ReturnStatement') return [statement['argument']]
    if (statement.type !== 'IfStatement') return []
    const { consequent, alternate } = statement as unknown as { consequent: Node; alternate: Node | null }
    return [consequent, alternate].flatMap(branch =>
      branch == null
        ? []
        : branch.type === 'BlockStatement'
          ? returnsOf(branch)
          : returnsOf({ ...branch, body: [branch] }),
    )
  })
}

/** The keys that a file says by `t`, as patterns: `status.*` where a part is known only when it runs. */
export function saidKeys(path: string, code: string): string[] {
  const said: string[] = []
  const say = (node: unknown, behind = '') => {
    for (const pattern of patternsOf(node as Node)) said.push(pattern + behind)
  }
  new Visitor({
    CallExpression({ callee, arguments: [key] }) {
      const own = callee.type === 'MemberExpression' ? callee.object : callee
      if (own.type !== 'Identifier' || !/^t$|^t[A-Z]/.test(own.name) || key === undefined) return
      const method =
        callee.type === 'MemberExpression' && callee.property.type === 'Identifier' ? callee.property.name : ''
      if (method === '' || method === 'rich') say(key)
      if (method === 'of') say(key, '.*')
    },
  }).visit(parseSync(path, code).program)
  return said
}

function patternsOf(node: Node): string[] {
  if (node.type === 'Literal' && typeof node['value'] === 'string') return [node['value']]
  if (node.type === 'ConditionalExpression')
    return [...patternsOf(node['consequent'] as Node), ...patternsOf(node['alternate'] as Node)]
  if (node.type === 'TSAsExpression') return patternsOf(node['expression'] as Node)
  if (node.type !== 'TemplateLiteral') return []
  const quasis = node['quasis'] as { value: { cooked: string } }[]
  return [quasis.map(({ value }) => value.cooked).join('*')]
}
