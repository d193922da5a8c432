// What TypeScript knows of a message: its key, the arguments that it takes, and the tags that stand in it, all read from the English text.
import type { GetICUArgs } from '@schummar/icu-type-parser'
import type { ReactNode } from 'react'

/** The English texts of a folder, by key: `export const en = { … } as const`. */
export type Texts = Readonly<Record<string, string>>

/** What another language has to say: each key of the English. */
export type Translation<English extends Texts> = { readonly [Key in keyof English]: string }

type Options = { ICUArgument: string | number; ICUNumberArgument: number; ICUDateArgument: Date | number }
/** `{ name: string | number }` of "Hello {name}". */
export type Values<Text extends string> = GetICUArgs<Text, Options>

/** Tags that mean the same everywhere and need nobody to draw them. */
export type PlainTag = 'b' | 'code' | 'em'
type TagsIn<Text> = Text extends `${string}</${infer Tag}>${infer Rest}` ? Tag | TagsIn<Rest> : never
/** `{ link: … }` of "See <link>the guide</link>". */
export type Tags<Text extends string> = {
  [Tag in Exclude<TagsIn<Text>, PlainTag>]: (content: ReactNode) => ReactNode
}

/** Keys of texts without tags. */
type PlainKey<English extends Texts> = {
  [Key in keyof English]: TagsIn<English[Key]> extends never ? Key : never
}[keyof English] &
  string

/** No argument where the text takes none. */
type Given<Needed> = keyof Needed extends never ? [] : [values: Needed]

/** The words of a folder, in the language that was chosen. */
export type Words<English extends Texts> = {
  /** A text: `t('saved')`, `t('removed', { name })`. */
  <Key extends PlainKey<English>>(key: Key, ...values: Given<Values<English[Key]>>): string
  /** A text with tags, as nodes: `t.rich('hint', { link: text => <a href="…">{text}</a> })`. */
  rich<Key extends keyof English & string>(
    key: Key,
    ...values: Given<Values<English[Key]> & Tags<English[Key]>>
  ): ReactNode
  /** The text for a value of the server, `status.active`, where there is one: not every value need be known here. */
  of(group: GroupOf<keyof English & string>, value: string): string | undefined
}

type GroupOf<Key extends string> = Key extends `${infer Group}.${infer Rest}`
  ? Group | (Rest extends `${string}.${string}` ? `${Group}.${GroupOf<Rest>}` : never)
  : never
