// The pieces that verbs are made of. Each property says its title, what it is for and an example: the documentation, the
// portal's forms and the faults are made of them. Marks of our own start with `x-`.
import { type Static, type TLiteral, type TOptional, type TProperties, type TSchema, type TString, Type } from 'typebox'

/** How much one list may hold; together they bound what a call keeps in memory and what a callback may answer. */
export const limits = {
  /** Instructions in all, those of nested lists counted. */
  instructions: 100,
  /** Lists within lists: the outermost is the first. */
  depth: 4,
  /** Size as JSON in UTF-8. */
  bytes: 64 * 1_024,
  /** Faults reported at once. */
  faults: 20,
} as const

/** What a list may hold: any verb, what is heard (`prompt`), or what is heard while waiting (`wait`). */
export type ListKind = 'any' | 'prompt' | 'wait'

declare const listKind: unique symbol
/** The type of a list within an instruction, until schema.ts, which knows all verbs, puts the instructions in its place. */
export type NestedList<K extends ListKind> = { readonly [listKind]: K }

type About = { title: string; description: string }

/** An optional property that means something when it is left out: `withDefaults` fills it in. */
export type Preset<T extends TSchema> = TOptional<T> & { readonly '~preset': true }

export function preset<T extends TSchema>(schema: T, value: Static<T>): Preset<T> {
  return Type.Optional({ ...schema, default: value } as T) as Preset<T>
}

export const optional = Type.Optional

type TextOptions = {
  examples: readonly string[]
  minLength?: number
  maxLength: number
  pattern?: string
  /** The pattern in words, as the fault says it. */
  errorMessage?: string
  writeOnly?: boolean
}

export function text(title: string, description: string, options: TextOptions) {
  return Type.String({ title, description, minLength: 1, ...options, examples: [...options.examples] })
}

type NumberOptions = { minimum: number; maximum: number; examples: readonly number[] }

export function whole(title: string, description: string, options: NumberOptions) {
  return Type.Integer({ title, description, ...options, examples: [...options.examples] })
}

export function decimal(title: string, description: string, options: NumberOptions) {
  return Type.Number({ title, description, ...options, examples: [...options.examples] })
}

export function flag(title: string, description: string, example = true) {
  return Type.Boolean({ title, description, examples: [example] })
}

export function word<const T extends readonly string[]>(title: string, description: string, values: T) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values], title, description, examples: [values.at(-1)] })
}

export function phone(title: string, description: string, example = '+15550100002') {
  return Type.String({ format: 'phone', minLength: 3, maxLength: 40, title, description, examples: [example] })
}

/** Where a decision is asked for: a synchronous callback, whose answer is a list of instructions again. */
export function callbackAddress(title: string, description: string, use = 'which replaces the running one') {
  return Type.String({
    format: 'url',
    minLength: 1,
    maxLength: 2_048,
    'x-callback': 'instructions',
    title,
    description: `${description} Synchronous callback: the answer is a list of instructions, ${use}.`,
    examples: ['https://example.com/calls/next'],
  })
}

/** Where a file of sound is fetched from. */
export function audioAddress(title: string, description: string) {
  return Type.String({
    format: 'url',
    minLength: 1,
    maxLength: 2_048,
    title,
    description: `${description} WAV (PCM, µ-law or A-law), mono or stereo.`,
    examples: ['https://example.com/sounds/welcome.wav'],
  })
}

/** A list within an instruction. `T` is named by the caller, because a list of any verbs refers to itself. */
export function nested<K extends ListKind>(kind: K, { title, description }: About, example: readonly object[]) {
  return Type.Unsafe<NestedList<K>>({
    type: 'array',
    minItems: 1,
    items: { type: 'object' },
    'x-instructions': kind,
    title,
    description,
    examples: [example],
  })
}

/** Named texts, such as headers or metadata. */
export function texts(
  title: string,
  description: string,
  options: {
    maxProperties: number
    maxLength: number
    names: { pattern: string; errorMessage: string }
    example: Record<string, string>
  },
) {
  return Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: {
      type: 'string',
      maxLength: options.maxLength,
      pattern: noControls,
      errorMessage: noControlsInWords,
    },
    propertyNames: options.names,
    maxProperties: options.maxProperties,
    title,
    description,
    examples: [options.example],
  })
}

export const noControls = '^[^\\p{Cc}]*$'
export const noControlsInWords = 'must not contain control characters'

export const Label = text('Label', 'Name of this place in the list, for `goto` and `branches`; each may stand once.', {
  maxLength: 64,
  pattern: '^[A-Za-z0-9_-]+$',
  errorMessage: 'must consist of letters, digits, _ and -',
  examples: ['menu'],
})

/** A verb with its properties. Unknown properties are faults: a word misspelt must not become silence on the line. */
export function verbSchema<const V extends string, P extends TProperties>(
  verb: V,
  about: { description: string; examples: readonly object[] },
  properties: P,
) {
  const common = {
    verb: Type.Literal(verb, { title: 'Verb', description: `Always \`${verb}\`.`, examples: [verb] }),
    label: Type.Optional(Label),
  } as { verb: TLiteral<V>; label: TOptional<TString> }
  return Type.Object(
    { ...common, ...properties },
    {
      title: verb,
      description: about.description,
      examples: about.examples.map(example => ({ verb, ...example })),
      additionalProperties: false,
    },
  )
}

// What several verbs have in common.

export const Leg = word(
  'Leg',
  'Whose leg: `self` is the call the list belongs to, `peer` the one it is joined with at the moment.',
  ['self', 'peer'],
)

export const ActionUrl = (when: string) => optional(callbackAddress('Action address', `Asked ${when} how to go on.`))

export const FinishOnKey = (description: string) =>
  text('Finish on key', `${description} One of 0-9, A-D, * and #; empty for none.`, {
    minLength: 0,
    maxLength: 1,
    pattern: '^[0-9A-D*#]?$',
    errorMessage: 'must be one key (0-9, A-D, *, #), or empty for none',
    examples: ['#', '*', ''],
  })

export const TimeLimitSeconds = whole('Time limit', 'How long it may last, in seconds.', {
  minimum: 1,
  maximum: 86_400,
  examples: [3_600],
})

export const RingSeconds = whole('Timeout', 'How long to let it ring, in seconds.', {
  minimum: 5,
  maximum: 600,
  examples: [20],
})

export const RecordCall = (values: readonly ['none', 'mono', 'dual'] | readonly ['none', 'mono'] = recordings) =>
  word(
    'Record',
    values.length === 2
      ? 'Whether it is recorded, all voices mixed into one channel.'
      : 'Whether the conversation is recorded: `mono` mixes both sides, `dual` gives each a channel.',
    values,
  )
const recordings = ['none', 'mono', 'dual'] as const

export const Queue = text('Queue', 'Name of the queue. It comes into being with its first caller.', {
  maxLength: 64,
  pattern: '^[\\p{L}\\p{N}_. -]+$',
  errorMessage: 'must consist of letters, digits, blanks, _, . and -',
  examples: ['support'],
})

export const Skills = (description: string) =>
  Type.Unsafe<string[]>({
    type: 'array',
    maxItems: 10,
    uniqueItems: true,
    items: {
      type: 'string',
      minLength: 1,
      maxLength: 64,
      pattern: '^[^\\p{Cc}]+$',
      errorMessage: 'must not contain control characters',
    },
    title: 'Skills',
    description,
    examples: [['german', 'billing']],
  })

export const Digits = (description: string) =>
  text('Digits', `${description} 0-9, A-D, *, #; \`w\` waits half a second, \`W\` a whole one.`, {
    maxLength: 100,
    pattern: '^[0-9A-D*#wW]+$',
    errorMessage: 'must consist of 0-9, A-D, *, #, w (half a second) and W (one second)',
    examples: ['ww1234#'],
  })
