// How trunks look over HTTP. Settings pass here as those of any kind; what fits the kind of a trunk is checked after (specs.ts).
import { type TSchema, Type } from 'typebox'
import { Nullable, OneOf, PhoneInput, RecordId, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { RoutePrefix } from '../../../kernel/links/prefix_routes.ts'
import { type Settings, type SettingsSchema, secretNames } from '../../../kernel/links/settings.ts'
import { traceSteps, trunkKinds, trunkStates } from './kind.ts'
import { anySettings } from './specs.ts'

export const TrunkParams = Type.Object({
  trunkId: RecordId('trk', 'Identifier of the trunk.'),
})

const Route = Type.Object({
  prefix: RoutePrefix(
    'Start of the called number, such as +49; empty for every destination. The longest that fits counts.',
  ),
  priority: Type.Integer({
    title: 'Priority',
    minimum: 1,
    maximum: 1000,
    default: 10,
    description: 'Of trunks with prefixes of the same length, the one with the lower number goes first.',
  }),
  weight: Type.Integer({
    title: 'Weight',
    minimum: 1,
    maximum: 1000,
    default: 1,
    description: 'Trunks with the same prefix and priority share the calls in this proportion.',
  }),
  cost: Type.String({
    title: 'Cost',
    pattern: '^\\d{1,6}(?:\\.\\d{1,6})?$',
    errorMessage: 'must be a decimal with a point, such as 0.0090',
    default: '0',
    description:
      'Of one minute, in the currency of the trunk: what a call is priced with, and what counts against dailySpend of destination policies. It changes no routing.',
  }),
})

const Currency = Type.String({
  pattern: '^[A-Z]{3}$',
  errorMessage: 'must be a currency of three capital letters, such as EUR',
  description: 'Currency of the costs.',
})

const Routes = Type.Array(Route, { maxItems: 1000, description: 'Where the trunk takes calls to.' })

const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '\\S',
  errorMessage: 'must not be empty',
  description: 'For people.',
})

const Enabled = Type.Boolean({
  description: 'Whether the trunk is watched, registered where it asks for that, and used.',
})

const State = OneOf(trunkStates, {
  description:
    'up: it answers, and is registered where the settings ask for that; an Asterisk reports its calls. registering: the first registration is under way. unregistered: the carrier refused the registration, or it ran out. down: no answer. unknown: not asked yet, or no process of the server carries calls now.',
})

const Kind = OneOf(trunkKinds, {
  description: 'sip: a carrier that speaks SIP. asterisk: an Asterisk, steered over ARI. Cannot be changed later.',
} as object)

export const Trunk = Type.Object({
  trunkId: Type.String(),
  kind: Kind,
  name: Type.String(),
  enabled: Enabled,
  state: State,
  since: Nullable({ ...Timestamp, description: 'Since when it is in this state; null when that is not known.' }),
  error: Nullable(Type.String({ description: 'What went wrong last; null after it went well.' })),
  counters: Type.Object(
    {
      calls: Type.Integer({ description: 'Calls started, in both directions.' }),
      failed: Type.Integer({ description: 'Those that the carrier refused or lost; a busy line is none.' }),
      active: Type.Integer({ description: 'Calls under way.' }),
    },
    { description: 'Since the trunk was set up last.' },
  ),
  routes: Routes,
  currency: Currency,
  settings: form(shownOnly(anySettings), 'Settings of its kind, without secrets.'),
  secretsSet: Type.Array(Type.String(), { description: 'Names of the settings that are set but never shown.' }),
  warnings: Type.Array(
    Type.Object({
      field: Type.String({ description: 'Name of the setting.' }),
      message: Type.String({ description: 'What is not safe about it, and the remedy.' }),
    }),
    { description: 'What works, but not as safely as it looks.' },
  ),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

function form(schema: SettingsSchema, description: string) {
  return Type.Unsafe<Settings>({ ...(schema as unknown as TSchema), description })
}

/** Without secrets; those of the other kinds are not there. */
function shownOnly(schema: SettingsSchema): SettingsSchema {
  const secret = new Set(secretNames(schema))
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(schema.properties).filter(([name]) => !secret.has(name))),
  }
}

const ChangedSettings = form(anySettings, 'Settings to change; those left out stay, also secrets.')

export const NewTrunk = Type.Object({
  kind: Type.Optional({ ...Kind, default: 'sip' }),
  name: Name,
  settings: form(
    anySettings,
    'Settings of the kind, as `GET /v2/voice/trunks/settings` describes them; what is left out is as its default there says. A SIP trunk needs host; an Asterisk url, username, password and endpoint.',
  ),
  routes: Type.Optional({
    ...Routes,
    description: 'Where the trunk takes calls to. Left out: to every destination, with priority 10.',
  }),
  currency: Type.Optional({ ...Currency, description: "Currency of the costs; the organization's when left out." }),
  enabled: Type.Optional({ ...Enabled, default: true }),
})

export const TrunkPatch = Type.Object({
  name: Type.Optional(Name),
  settings: Type.Optional(ChangedSettings),
  routes: Type.Optional(Routes),
  currency: Type.Optional(Currency),
  enabled: Type.Optional(Enabled),
})

const SchemaOfSettings = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description:
    'JSON Schema of the settings. x-group is the heading a field stands under; a field with x-secret is never shown again.',
})

export const SettingsReply = Type.Object({
  settings: { ...SchemaOfSettings, description: 'JSON Schema of the settings of SIP trunks; the same as in `kinds`.' },
  kinds: Type.Array(
    Type.Object({
      kind: Kind,
      title: Type.String(),
      description: Type.String(),
      settings: SchemaOfSettings,
    }),
    { description: 'What there is to set for a trunk of each kind.' },
  ),
})

export const TestBody = Type.Object({
  settings: Type.Optional(ChangedSettings),
  to: Type.Optional({ ...PhoneInput, description: 'A number whose route is to be explained.' }),
  connect: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'False reaches nobody and answers no steps: only the route is explained.',
    }),
  ),
})

export const TestReply = Type.Object({
  ok: Type.Boolean({ description: 'Whether every step went well.' }),
  steps: Type.Array(
    Type.Object({
      step: OneOf(traceSteps),
      ok: Type.Boolean(),
      durationMs: Type.Number({ description: 'Milliseconds it took.' }),
      message: Type.String({ description: 'What happened and, when it failed, what to do.' }),
      messages: Type.Array(
        Type.Object({
          direction: OneOf(['sent', 'received']),
          text: Type.String({ description: 'The SIP message or the HTTP request and its answer, credentials hidden.' }),
        }),
      ),
    }),
    { description: 'In their order; the last one is the one that failed, when one did.' },
  ),
  routing: Nullable(
    Type.Array(
      Type.Object({
        trunkId: Type.String(),
        name: Type.String(),
        position: Nullable(
          Type.Integer({ description: 'From 1, the order in which trunks are tried; null: not at all.' }),
        ),
        prefix: Nullable(Type.String({ description: 'The route that fits; null when none does.' })),
        priority: Nullable(Type.Integer()),
        weight: Nullable(Type.Integer()),
        cost: Nullable(Type.String({ description: 'Of one minute, in the currency of the trunk.' })),
        state: State,
        reason: Type.String({ description: 'Why it stands where it stands.' }),
      }),
      { description: 'Which way a call to that number would take, first choice first.' },
    ),
  ),
})
