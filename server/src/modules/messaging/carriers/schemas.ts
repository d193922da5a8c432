// How carriers look over HTTP. The settings are the schema of their kind, in three forms: to begin with, to change, to show.
import { type TSchema, Type } from 'typebox'
import { Nullable, OneOf, RecordId, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { RoutePrefix } from '../../../kernel/links/prefix_routes.ts'
import {
  changedSettings,
  newSettings,
  type Settings,
  type SettingsSchema,
  shownSettings,
} from '../../../kernel/links/settings.ts'
import { type CarrierKind, linkRoles, linkStates } from './kind.ts'
import { carrierStates } from './rules.ts'

export const CarrierParams = Type.Object({
  carrierId: RecordId('car', 'Identifier of the carrier.'),
})

const Route = Type.Object({
  prefix: RoutePrefix(
    'Beginning of the recipient, such as +49; empty for every destination. The longest that fits counts.',
  ),
  priority: Type.Integer({
    title: 'Priority',
    minimum: 1,
    maximum: 1000,
    default: 10,
    description: 'Of carriers with prefixes of the same length, the one with the lower number goes first.',
  }),
  cost: Type.String({
    title: 'Cost',
    pattern: '^\\d{1,6}(?:\\.\\d{1,6})?$',
    errorMessage: 'must be a decimal with a point, such as 0.0750',
    default: '0',
    description:
      'Of one segment, in the currency of the carrier. With the same priority the cheaper carrier goes first.',
  }),
})

const Routes = Type.Array(Route, { maxItems: 1000, description: 'Where the carrier takes messages to.' })

const Currency = Type.String({
  pattern: '^[A-Z]{3}$',
  errorMessage: 'must be a currency of three capital letters, such as EUR',
  description: 'Currency of the costs.',
})

const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '\\S',
  errorMessage: 'must not be empty',
  description: 'For people.',
})

const Enabled = Type.Boolean({
  description:
    'Whether links are held and messages go this way. What waits for a carrier that is switched off takes another way.',
})

const count = (description: string) => Type.Integer({ description })

const Link = Type.Object({
  link: Type.Integer({ description: 'Number of the link, from 0.' }),
  role: OneOf(linkRoles),
  state: OneOf(linkStates, {
    description: 'throttled: up, but slower because the carrier asked for that. stopped: ended in order by the server.',
  }),
  since: Timestamp,
  error: Nullable(Type.String({ description: 'What went wrong last; null after it went well.' })),
  counters: Type.Object(
    {
      submitted: count('Segments written.'),
      accepted: count('Segments the carrier took.'),
      throttled: count('Segments it did not take for the moment.'),
      refused: count('Segments it refused for good.'),
      unanswered: count('Segments written whose answer did not come in time.'),
      receipts: count('Receipts that came in.'),
      inbound: count('Messages, or parts of messages, that came in.'),
      binds: count('How often the link came up.'),
    },
    { description: 'Since the links were opened last.' },
  ),
  updatedAt: Timestamp,
})

/** The schemas of carriers of one kind. */
export function carrierSchemas(kind: CarrierKind) {
  const schema = kind.settings as unknown as SettingsSchema
  const form = (make: (schema: SettingsSchema) => SettingsSchema, description: string) =>
    Type.Unsafe<Settings>({ ...(make(schema) as unknown as TSchema), description })
  const KindName = OneOf([kind.name], { description: 'Kind of carrier, as GET /v2/carriers/kinds lists them.' })
  const Carrier = Type.Object({
    carrierId: Type.String(),
    kind: KindName,
    name: Type.String(),
    enabled: Enabled,
    state: OneOf(carrierStates, {
      description:
        'up: all links are. degraded: some are not. throttled: up, but slower because the carrier asked for that. connecting: the first attempt is under way.',
    }),
    routes: Routes,
    currency: Currency,
    settings: form(shownSettings, 'Settings, without secrets.'),
    secretsSet: Type.Array(Type.String(), { description: 'Names of the settings that are set but never shown.' }),
    links: Type.Array(Link),
    waiting: Type.Object({
      messages: Type.Integer({
        description:
          'Messages that wait to be handed over or are being handed over; of a very long queue, its beginning.',
      }),
      oldestDueAt: Nullable({ ...Timestamp, description: 'When the first of them was or is due.' }),
    }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  const changed = form(changedSettings, 'Settings to change; those left out stay, also secrets.')
  const NewCarrier = Type.Object({
    kind: KindName,
    name: Name,
    settings: form(newSettings, 'Settings of the kind; what is left out is as its default says.'),
    routes: Type.Optional({
      ...Routes,
      description: 'Where the carrier takes messages to. Left out: to every destination, with priority 10 and cost 0.',
    }),
    currency: Type.Optional({ ...Currency, description: "Currency of the costs; the organization's when left out." }),
    enabled: Type.Optional({ ...Enabled, default: true }),
  })
  const CarrierPatch = Type.Object({
    name: Type.Optional(Name),
    settings: Type.Optional(changed),
    routes: Type.Optional(Routes),
    currency: Type.Optional(Currency),
    enabled: Type.Optional(Enabled),
  })
  return { Carrier, NewCarrier, CarrierPatch, ChangedSettings: changed }
}

const Kind = Type.Object({
  kind: Type.String(),
  title: Type.String(),
  description: Type.String(),
  settings: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description:
      'JSON Schema of the settings. x-group is the heading a field stands under; a field with x-secret is never shown again.',
  }),
})

export const KindsReply = Type.Object({ kinds: Type.Array(Kind) })

export const TestReply = Type.Object({
  ok: Type.Boolean({ description: 'Whether every step went well.' }),
  steps: Type.Array(
    Type.Object({
      step: OneOf(['resolve', 'connect', 'tls', 'bind', 'enquire_link', 'unbind']),
      ok: Type.Boolean(),
      durationMs: Type.Number({ description: 'Milliseconds it took.' }),
      message: Type.String({ description: 'What happened and, when it failed, what to do.' }),
      pdus: Type.Array(
        Type.Object({
          direction: OneOf(['sent', 'received']),
          text: Type.String({ description: 'The protocol unit in readable form, without secrets.' }),
        }),
      ),
    }),
    { description: 'In their order; the last one is the one that failed, when one did.' },
  ),
  routing: Nullable(
    Type.Array(
      Type.Object({
        carrierId: Type.String(),
        name: Type.String(),
        position: Nullable(
          Type.Integer({ description: 'From 1, the order in which carriers are tried; null: not at all.' }),
        ),
        prefix: Nullable(Type.String({ description: 'The route that fits; null when none does.' })),
        priority: Nullable(Type.Integer()),
        cost: Nullable(Type.String()),
        state: OneOf(carrierStates),
        reason: Type.String({ description: 'Why it stands where it stands.' }),
      }),
      { description: 'Which way a message to that number would take, first choice first.' },
    ),
  ),
})
