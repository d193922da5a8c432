// What the schemas of carriers and trunks say of their settings, as messages of the portal: it draws their forms in the person's language.
import { smppCarriers } from '../server/src/carriers/smpp/smpp.ts'
import { trunkSpecs } from '../server/src/modules/voice/trunks/specs.ts'
import { enModule } from './portal_messages.ts'

type Field = {
  title?: string
  description?: string
  enum?: readonly (string | null)[]
  errorMessage?: string
  items?: Field
  properties?: Readonly<Record<string, Field>>
  'x-group'?: string
}
type Kind = { kind: string; title: string; description: string; fields: Readonly<Record<string, Field>> }

/** Texts by path, below the repository. */
export function portalSettings(): Record<string, string> {
  const carrierKinds = [smppCarriers].map(({ name: kind, ...rest }) => ({ kind, ...rest }))
  return {
    'portal/src/carriers/settings/messages/en.ts': moduleOf('settings of carriers', carrierKinds),
    'portal/src/trunks/settings/messages/en.ts': moduleOf('settings of trunks', Object.values(trunkSpecs)),
  }
}

function moduleOf(what: string, kinds: readonly (Omit<Kind, 'fields'> & { settings: object })[]): string {
  const described = kinds.map(({ settings, ...kind }) => ({ ...kind, fields: (settings as Field).properties ?? {} }))
  const groups = new Set(
    described.flatMap(({ fields }) => Object.values(fields).flatMap(field => field['x-group'] ?? [])),
  )
  return enModule(what, [
    ...[...groups].map((group): [string, string] => [`group.${group}`, group]),
    ...described.flatMap(textsOfKind),
  ])
}

/** The keys are those that `portal/src/carriers/spoken_settings.ts` asks for. */
function textsOfKind({ kind, title, description, fields }: Kind): [key: string, text: string][] {
  return [
    [`kind.${kind}`, title],
    [`about.${kind}`, description],
    ...Object.entries(fields).flatMap(([name, field]) => [
      ...textsOfField(`${kind}.${name}`, field),
      ...(field.description === undefined ? [] : [[`hint.${kind}.${name}`, field.description] as [string, string]]),
    ]),
  ]
}

function textsOfField(name: string, { title, enum: choices = [], errorMessage, items }: Field): [string, string][] {
  return [
    ...(title === undefined ? [] : [[`title.${name}`, title] as [string, string]]),
    ...(errorMessage === undefined ? [] : [[`fault.${name}`, sentence(errorMessage)] as [string, string]]),
    ...choices.flatMap((one): [string, string][] =>
      one === null ? [] : [[`choice.${name}.${one}`, one.replaceAll('_', ' ')]],
    ),
    ...(items === undefined ? [] : textsOfItems(name, items)),
  ]
}

/** Hints of the columns of a list are not drawn. */
function textsOfItems(name: string, items: Field): [string, string][] {
  if (items.properties === undefined) return textsOfField(name, items)
  return Object.entries(items.properties).flatMap(([part, field]) => textsOfField(`${name}.${part}`, field))
}

/** As the portal says what is wrong: the server begins small and ends without a stop. */
const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
