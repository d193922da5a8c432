// Calls that registered phones make: they prove their password, and what they dial is another phone of their tenant, or a telephone
// number.
import { credentialsOf, type IncomingCall, isFault, isSipUri, sourceOf, unescapeUri } from '@tandem/sip'
import type { Scope } from '../../kernel/data/db.ts'
import type { EngineHost } from '../../modules/voice/engine/index.ts'
import {
  credentialsNamed,
  defaultCountryOf,
  dialled,
  handlingOfPhone,
  modeOf,
  phoneUser,
  readPhoneUser,
  realm,
} from '../../modules/voice/sip_credentials/index.ts'
import { acceptCall } from './inbound_call.ts'
import { dialledUser, type SipParts } from './parts.ts'

/** Whether a call says that it is one of a phone: by the name it proves, or before it has been asked for one by From. */
export function isOfPhone({ request, core }: Pick<IncomingCall, 'request' | 'core'>): boolean {
  const credentials = credentialsOf(request, 'Authorization', realm)
  if (credentials !== undefined && !isFault(credentials)) return readPhoneUser(credentials.username) !== undefined
  const { uri } = core.from
  return isSipUri(uri) && uri.user !== undefined && readPhoneUser(uri.user) !== undefined
}

export async function acceptPhoneCall(parts: SipParts, host: EngineHost, incoming: IncomingCall): Promise<void> {
  const { services, phones, settings } = parts
  const { request, core, flow } = incoming
  const proved = await phones.prove(request, core, flow)
  if ('refusal' in proved) return incoming.reject(proved.refusal.status, proved.refusal.headers)
  const { phone } = proved
  const { scope, mode, name, credential } = phone
  const meant = dialPlan(parts, scope)
  const user = dialledUser(incoming)
  const target = user === undefined ? undefined : await meant(user)
  const handling = handlingOfPhone(services.keyring, phone)
  // Instructions of the phone's own may make something of whatever was dialled.
  if (target === undefined && handling === undefined) return incoming.reject(404)
  const own = `sip:${phoneUser(name)}@${settings.domain}`
  const from = credential.caller_id ?? own
  const to = target ?? (unescapeUri(user ?? '').slice(0, 255) || 'unknown')
  await acceptCall(parts, host, incoming, {
    scope,
    mode,
    trunk: null,
    from,
    to,
    callerName: credential.display_name,
    codecs: ['PCMU', 'PCMA'],
    srtp: 'preferred',
    sessionExpiresSeconds: 1_800,
    // A proxy that stays in the call says so; else the way the phone came by is the way back, also through NAT.
    ...(core.recordRoutes.length > 0 ? {} : { hop: sourceOf(flow) }),
    handling: handling ?? {
      callback_url: null,
      fallback_url: null,
      instructions: [
        {
          verb: 'dial',
          targets: [/^sip:/.test(to) ? { type: 'sip', uri: to } : { type: 'number', number: to }],
          callerId: from,
          answerOnBridge: true,
        },
      ],
    },
    side: { type: 'phone', meant },
  })
}

/** What a user part means when a phone of the tenant dials it: the address of another of its phones, a number, or nothing. */
export function dialPlan({ services, settings }: SipParts, scope: Scope) {
  return (user: string): Promise<string | undefined> =>
    services.db.inTenant(scope, async tx => {
      const [mode, defaultCountry] = await Promise.all([modeOf(tx, scope), defaultCountryOf(tx, scope)])
      const tenant = { mode, organizationId: scope.organizationId, defaultCountry }
      const { username, number } = dialled(tenant, unescapeUri(user))
      const known = username === undefined ? undefined : await credentialsNamed(tx, scope, [username])
      if (username === undefined || !known?.has(username)) return number
      return `sip:${phoneUser({ ...tenant, username })}@${settings.domain}`
    })
}
