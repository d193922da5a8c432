// Reads a list of instructions that somebody sent: either a clean copy, numbers and addresses in their normal form, or
// what is wrong with it, each fault with its place, its word and its remedy. Takes bounded time whatever is sent.
import { type FieldFault, faultMessage, Problem } from '../../../kernel/values/problem.ts'
import { addFault, type Checking, check, childPath, isFull, isObject, quoted, type Schema } from './check.ts'
import { checkCombinations, checkLabels, checkOrder } from './combinations.ts'
import { meantVerb } from './hints.ts'
import { type ListKind, limits } from './parts.ts'
import { type Instruction, type Verb, verbSchemas, verbsOfList } from './schema.ts'

export type ReadingContext = {
  /** The E.164 form of a number in any usual spelling, or undefined. */
  phone(text: string): string | undefined
  /** The normal form of an address that we are to call, or why we will not. */
  url(text: string): { href: string } | { code: string; message: string }
  /** Where the list came from: relative addresses in it are read against this. */
  baseUrl?: string
  /** How paths start; `instructions` unless said otherwise. */
  root?: string
  /** What the list may hold; any verb unless said otherwise, `wait` for the answer of a `waitUrl`. */
  kind?: ListKind
}

export type Reading = { instructions: Instruction[] } | { faults: FieldFault[] }

export function readInstructions(value: unknown, context: ReadingContext): Reading {
  const { root = 'instructions', kind = 'any' } = context
  const faults: FieldFault[] = []
  const excess = excessOf(value)
  if (excess !== undefined) return { faults: [{ field: root, ...excess }] }
  if (!Array.isArray(value)) {
    const remedy =
      isObject(value) && Object.hasOwn(value, 'verb') ? 'put the instruction into [ ]' : `such as [${example}]`
    addFault({ faults }, root, 'wrong_type', `must be an array of instructions: ${remedy}`)
  } else if (value.length === 0) {
    addFault({ faults }, root, 'too_few', 'must have at least 1 instruction; use hangup to end the call')
  }
  if (faults.length > 0) return { faults }
  const list = createReader(context, faults).list(value as unknown[], kind, root)
  return faults.length === 0 ? { instructions: list as Instruction[] } : { faults }
}

/** One instruction by itself, such as a command. Its paths start with its properties, where `root` is empty. */
export function readInstruction(
  value: unknown,
  context: ReadingContext & { verbs?: readonly Verb[] },
): { instruction: Instruction } | { faults: FieldFault[] } {
  const { root = '', verbs = verbsOfList.any } = context
  const excess = excessOf(value)
  if (excess !== undefined) return { faults: [{ field: root, ...excess }] }
  const faults: FieldFault[] = []
  const instruction = createReader({ ...context, root }, faults).single(value, verbs, root)
  return faults.length === 0 ? { instruction: instruction as Instruction } : { faults }
}

/** The refusal of a request whose instructions have faults. */
export function instructionsProblem(faults: FieldFault[]): Problem {
  return new Problem('invalid_instructions', { message: faultMessage(faults), details: faults })
}

const example = '{"verb": "say", "text": "Hello"}'

type Excess = { code: string; message: string }

/** What is too much to be looked at: more bytes, or more depth than the deepest list allowed can have. */
function excessOf(value: unknown): Excess | undefined {
  if (isDeeperThan(value, 40)) return { code: 'too_deep', message: 'is nested more than 40 deep; send a flatter list' }
  // Depth is bounded now, so this cannot overflow.
  const bytes = Buffer.byteLength(JSON.stringify(value) ?? '')
  if (bytes <= limits.bytes) return undefined
  const remedy = 'split it, and go on with redirect'
  return { code: 'too_long', message: `has ${bytes} bytes as JSON; at most ${limits.bytes} are taken: ${remedy}` }
}

function isDeeperThan(value: unknown, most: number): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; depth <= most; depth++) {
    level = level.flatMap(item => (typeof item === 'object' && item !== null ? Object.values(item) : []))
    if (level.length === 0) return false
  }
  return true
}

type Reader = {
  list(items: readonly unknown[], kind: ListKind, at: string): unknown
  single(value: unknown, allowed: readonly Verb[], at: string): Instruction | undefined
}

function createReader(context: ReadingContext, faults: FieldFault[]): Reader {
  const places = new Map<string, string>()
  /** The labels of the lists that are being read, outermost first. */
  const scopes: Set<string>[] = []
  let count = 0

  function list(items: readonly unknown[], kind: ListKind, at: string): unknown {
    const collecting = { faults }
    if (scopes.length === limits.depth) {
      const remedy = 'use goto and labels, or redirect'
      return addFault(collecting, at, 'too_deep', `lists stand at most ${limits.depth} deep in each other; ${remedy}`)
    }
    const isReported = count > limits.instructions
    count += items.length
    if (count > limits.instructions) {
      if (isReported) return undefined
      const most = `${limits.instructions} instructions, those of nested lists counted`
      return addFault(
        collecting,
        context.root ?? 'instructions',
        'too_many',
        `must have at most ${most}; go on with redirect`,
      )
    }
    scopes.push(labelsOf(items, at))
    const name = at.slice(at.lastIndexOf('.') + 1)
    const where = at === (context.root ?? 'instructions') ? 'here' : `in ${name}`
    const copy = items.map((item, index) => {
      return isFull(collecting) ? undefined : instruction(item, verbsOfList[kind], `${at}[${index}]`, where)
    })
    checkOrder(copy, at, checking(''))
    scopes.pop()
    return copy
  }

  function labelsOf(items: readonly unknown[], at: string): Set<string> {
    const labels = new Set<string>()
    for (const [index, item] of items.entries()) {
      const label = isObject(item) && Object.hasOwn(item, 'label') ? item['label'] : undefined
      if (typeof label !== 'string' || label.length > 64) continue
      const first = places.get(label)
      const place = `${at}[${index}]`
      if (first === undefined) places.set(label, place)
      else
        addFault({ faults }, `${place}.label`, 'duplicate_label', `is the label of ${first} already; labels stand once`)
      labels.add(label)
    }
    return labels
  }

  function checking(owner: string): Checking {
    return { faults, owner, phone: context.phone, url, list }
  }

  function url(text: string): ReturnType<ReadingContext['url']> {
    const { baseUrl } = context
    if (baseUrl === undefined || URL.canParse(text)) return context.url(text)
    const resolved = URL.parse(text, baseUrl)
    return context.url(resolved === null ? text : resolved.href)
  }

  function instruction(value: unknown, allowed: readonly Verb[], at: string, where: string): Instruction | undefined {
    const verb = verbOf(value, allowed, at, where)
    if (verb === undefined) return undefined
    const before = faults.length
    const it = check(value, verbSchemas[verb] as unknown as Schema, at, checking(verb)) as Instruction | undefined
    if (it === undefined || faults.length > before) return undefined
    checkCombinations(it, at, checking(verb))
    checkLabels(it, at, scopes, checking(verb))
    return faults.length > before ? undefined : it
  }

  function verbOf(value: unknown, allowed: readonly Verb[], at: string, where: string): Verb | undefined {
    const collecting = { faults }
    if (!isObject(value))
      return addFault(collecting, at, 'wrong_type', `must be an object with a verb, such as ${example}`)
    const field = childPath(at, 'verb')
    if (!Object.hasOwn(value, 'verb')) {
      const hint = Object.hasOwn(value, 'action') ? ' (what NCCO calls action)' : ''
      return addFault(collecting, field, 'required', `is required: it says what to do${hint}`)
    }
    const name = value['verb']
    if (typeof name !== 'string')
      return addFault(collecting, field, 'wrong_type', `must be a string: one of ${allowed.join(', ')}`)
    if (Object.hasOwn(verbSchemas, name)) {
      if (allowed.includes(name as Verb)) return name as Verb
      const remedy = name === 'leave' ? 'it is for wait of enqueue, or a command' : `it takes ${allowed.join(', ')}`
      return addFault(collecting, field, 'not_allowed', `${name} is not allowed ${where}; ${remedy}`)
    }
    const meant = meantVerb(name, allowed)
    const hint = meant === undefined ? `verbs are: ${allowed.join(', ')}` : `did you mean ${meant}?`
    return addFault(collecting, field, 'unknown_verb', `${quoted(name)} is no verb; ${hint}`)
  }

  // As if it were a list of one: so deep its lists may be, and no deeper.
  function single(value: unknown, allowed: readonly Verb[], at: string): Instruction | undefined {
    scopes.push(new Set())
    count = 1
    return instruction(value, allowed, at, 'as a command')
  }

  return { list, single }
}
