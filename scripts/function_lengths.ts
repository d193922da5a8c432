// How many lines each function of a source file takes, by the parser that Vite brings: for the house rule that functions fit a
// screen. A function counts from its first line to its last, the functions within it included: a closure that keeps state for
// 300 lines counts 300, a `describe` all its tests. `node scripts/function_lengths.ts [folder …]` lists those of more than 80 lines.
import { globSync, readFileSync } from 'node:fs'
import { type ESTree, parseSync } from 'vite'

/** `line` is the first line, counted from 1. `name` of a callback is the call it is handed to, such as `test('title')`. */
export type FunctionLength = { name: string; line: number; lines: number }

type Node = { type: string; start: number; end: number }

/**
 * The functions, methods, accessors and arrow functions of a source, in the order they begin; declarations without a body
 * are none.
 * @param file its name, whose ending distinguishes TypeScript from TSX
 * @throws SyntaxError when the text does not parse
 */
export function functionLengths(source: string, file = 'source.ts'): FunctionLength[] {
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new SyntaxError(`${file}: ${errors[0]?.message}`)
  const lineOf = lineReader(source)
  const found: FunctionLength[] = []
  // `first` is where the name begins, for functions that begin with it: a method's own node begins at its parameters.
  const visit = (node: Node, name: string, first: number): void => {
    if (isFunction(node)) {
      const line = lineOf(first)
      found.push({ name: ownName(node) ?? name, line, lines: lineOf(node.end - 1) - line + 1 })
    }
    for (const child of childrenOf(node)) {
      visit(child, nameFrom(node, child, source) ?? 'anonymous', isMember(node) ? node.start : child.start)
    }
  }
  visit(program, '', 0)
  return found
}

const functionTypes = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])

const isFunction = (node: Node): node is ESTree.Function | ESTree.ArrowFunctionExpression =>
  functionTypes.has(node.type)

const isMember = (node: Node): boolean => node.type === 'MethodDefinition' || node.type === 'Property'

function ownName(node: ESTree.Function | ESTree.ArrowFunctionExpression): string | undefined {
  return node.type === 'ArrowFunctionExpression' ? undefined : node.id?.name
}

function* childrenOf(node: Node): Generator<Node> {
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child === 'object' && child !== null && typeof child.type === 'string') yield child
    }
  }
}

/** What a node calls the function that is its child: the variable or property that holds it, the call that is given it. */
function nameFrom(node: Node, child: Node, source: string): string | undefined {
  const textOf = (part: Node) => source.slice(part.start, part.end)
  const parent = node as ESTree.Node
  switch (parent.type) {
    case 'VariableDeclarator':
      return parent.id.type === 'Identifier' ? parent.id.name : textOf(parent.id)
    case 'Property':
    case 'MethodDefinition':
    case 'PropertyDefinition':
      return textOf(parent.key)
    case 'AssignmentExpression':
      return textOf(parent.left)
    case 'CallExpression': {
      const title = parent.arguments.find(
        argument => argument.type === 'Literal' || argument.type === 'TemplateLiteral',
      )
      return child === parent.callee ? undefined : `${textOf(parent.callee)}(${title ? textOf(title) : ''})`
    }
    default:
      return undefined
  }
}

/** Line numbers of offsets, by the offsets at which lines begin. */
function lineReader(source: string): (offset: number) => number {
  const starts = [0, ...source.matchAll(/\n/g).map(match => match.index + 1)]
  return offset => {
    let [low, high] = [0, starts.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((starts[middle] as number) <= offset) low = middle + 1
      else high = middle
    }
    return low
  }
}

if (import.meta.main) {
  const folders =
    process.argv.length > 2 ? process.argv.slice(2) : ['server', 'packages', 'portal', 'sdk', 'scripts', 'bench']
  const patterns = folders.map(folder => `${folder}/**/*.{ts,tsx}`)
  for (const file of globSync(patterns, { exclude: name => /(^|\/)(node_modules|dist)(\/|$)/.test(name) }).sort()) {
    const long = functionLengths(readFileSync(file, 'utf8'), file).filter(({ lines }) => lines > 80)
    for (const { name, line, lines } of long) console.log(`${lines} ${file}:${line} ${name.split('\n')[0]}`)
  }
}
