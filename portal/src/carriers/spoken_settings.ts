// Settings of carriers and trunks in the language of the portal: what their schema says in English is said by words of our own where there
// are some, and else as the server says it.
import type { FieldFault } from '@tandem/sdk'
import type { SayFault } from '../forms/faults.ts'
import { fieldFaultText } from '../ui/faults.ts'
import type { FieldSchema, ObjectSchema } from './schema_values.ts'
import { t } from './texts.ts'

/** The words of a folder: by kind, by heading, by kind and field (`smpp.host`), by these and value; undefined where there are none. */
export type SettingsTexts = Readonly<
  Record<'kind' | 'about' | 'group' | 'title' | 'hint' | 'choice' | 'fault', (key: string) => string | undefined>
>

type Kind<Name extends string> = { kind: Name; title: string; description: string; settings: object }
export type SpokenKind<Name extends string = string> = {
  kind: Name
  title: string
  description: string
  schema: ObjectSchema
  /** What is wrong with a field, as a sentence beside it. */
  faultText: SayFault
  /** The same with the name of the field, where it does not stand beside it. */
  namedFault: SayFault
}

/** A kind and its settings as they are said, to be called while drawing. */
export function spokenKind<Name extends string>(texts: SettingsTexts, of: Kind<Name>): SpokenKind<Name> {
  const { kind, title, description, settings } = of
  return {
    kind,
    title: texts.kind(kind) ?? title,
    description: texts.about(kind) ?? description,
    schema: spokenObject(texts, kind, settings as ObjectSchema),
    faultText: fault => faultText(texts, kind, fault),
    namedFault: fault => namedFault(texts, kind, fault),
  }
}

function spokenObject(texts: SettingsTexts, place: string, schema: ObjectSchema): ObjectSchema {
  const fields = Object.entries(schema.properties)
  return {
    ...schema,
    properties: Object.fromEntries(
      fields.map(([name, field]) => [name, spokenField(texts, `${place}.${name}`, field)]),
    ),
  }
}

function spokenField(texts: SettingsTexts, key: string, field: FieldSchema): FieldSchema {
  const { title, description, enum: choices, items, 'x-group': group } = field
  const said = {
    title: texts.title(key) ?? title,
    description: texts.hint(key) ?? description,
    'x-group': group && (texts.group(group) ?? group),
    items: items && ('properties' in items ? spokenObject(texts, key, items) : spokenField(texts, key, items)),
    choices: choices && Object.fromEntries(choices.map(one => [one, texts.choice(`${key}.${one}`)])),
  }
  const known = Object.entries(said).filter(([, value]) => value !== undefined)
  return { ...field, ...Object.fromEntries(known) }
}

/** `smpp.statuses.status` of `settings.statuses[2].status`; undefined of what is no setting. */
function keyOf(kind: string, field: string): string | undefined {
  const name = field.startsWith('settings.') ? field.slice('settings.'.length) : undefined
  return name && `${kind}.${name.replaceAll(/\[\d+\]/g, '')}`
}

/** A pattern says in words of its own what it wants. */
function faultText(texts: SettingsTexts, kind: string, fault: FieldFault): string {
  const { code, field, format } = fault
  const key = code === 'wrong_format' && format === undefined ? keyOf(kind, field) : undefined
  return (key && texts.fault(key)) ?? fieldFaultText(fault)
}

function namedFault(texts: SettingsTexts, kind: string, fault: FieldFault): string {
  const key = keyOf(kind, fault.field)
  return t('faultOf', {
    field: (key && texts.title(key)) ?? fault.field.replace('settings.', ''),
    fault: faultText(texts, kind, fault),
  })
}
