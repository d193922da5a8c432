// Made from docs/openapi.json by `npm run generate`; not edited by hand.
import type { CursorPage, ListOperation, Operation, StreamEvent, StreamOperation } from './operation.ts'

/** The codes of the error reference. */
export type ProblemCode =
  | 'malformed_json'
  | 'validation_failed'
  | 'invalid_cursor'
  | 'invalid_idempotency_key'
  | 'invalid_if_match'
  | 'bad_request'
  | 'request_timeout'
  | 'payload_too_large'
  | 'headers_too_large'
  | 'uri_too_long'
  | 'unsupported_media_type'
  | 'route_not_found'
  | 'method_not_allowed'
  | 'range_not_satisfiable'
  | 'not_found'
  | 'missing_credentials'
  | 'invalid_api_key'
  | 'key_revoked'
  | 'key_expired'
  | 'invalid_token'
  | 'token_expired'
  | 'token_revoked'
  | 'person_required'
  | 'step_up_required'
  | 'operator_reads_only'
  | 'organization_suspended'
  | 'organization_closing'
  | 'insufficient_role'
  | 'insufficient_scope'
  | 'cross_site_request'
  | 'rate_limited'
  | 'too_many_streams'
  | 'internal_error'
  | 'unavailable'
  | 'idempotency_mismatch'
  | 'version_mismatch'
  | 'count_mismatch'
  | 'live_mode_required'
  | 'scope_not_held'
  | 'invalid_transition'
  | 'record_not_found'
  | 'duplicate_record'
  | 'invalid_callback_url'
  | 'invalid_credentials'
  | 'invalid_refresh_token'
  | 'membership_required'
  | 'switch_needs_login'
  | 'wrong_password'
  | 'login_throttled'
  | 'initial_password_expired'
  | 'login_by_mail_required'
  | 'second_factor_required'
  | 'second_factor_setup_required'
  | 'invalid_second_factor'
  | 'challenge_expired'
  | 'password_change_required'
  | 'passkey_refused'
  | 'passkeys_unavailable'
  | 'factor_limit_reached'
  | 'factor_required'
  | 'link_expired'
  | 'email_taken'
  | 'account_shared'
  | 'last_admin'
  | 'weak_password'
  | 'invitation_expired'
  | 'invitation_for_other_address'
  | 'invitation_needs_login'
  | 'invitation_decided'
  | 'already_invited'
  | 'resend_limit_reached'
  | 'already_member'
  | 'role_in_use'
  | 'role_limit_reached'
  | 'role_name_taken'
  | 'team_in_use'
  | 'team_limit_reached'
  | 'team_name_taken'
  | 'last_owner'
  | 'not_owner'
  | 'transfer_open'
  | 'transfer_not_open'
  | 'hand_over_running'
  | 'account_protected'
  | 'no_second_factor'
  | 'owner_required'
  | 'organization_state_conflict'
  | 'closed_by_operator'
  | 'export_under_way'
  | 'export_not_ready'
  | 'not_operator'
  | 'last_operator'
  | 'no_such_account'
  | 'sign_up_closed'
  | 'organization_code_refused'
  | 'sign_up_throttled'
  | 'too_many_organizations'
  | 'email_not_verified'
  | 'address_not_allowed'
  | 'would_lock_out'
  | 'domain_exists'
  | 'domain_taken'
  | 'domain_not_verified'
  | 'too_many_domains'
  | 'sso_required'
  | 'sso_misconfigured'
  | 'sso_state_not_allowed'
  | 'sso_connection_active'
  | 'too_many_connections'
  | 'sso_session'
  | 'too_many_audit_streams'
  | 'privacy_request_under_way'
  | 'privacy_export_not_ready'
  | 'legal_hold'
  | 'hold_released'
  | 'too_many_keys'
  | 'key_not_active'
  | 'redirect_uri_not_allowed'
  | 'too_many_apps'
  | 'too_many_secrets'
  | 'app_has_no_secrets'
  | 'app_not_allowed'
  | 'authorization_request_over'
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'unsupported_token_type'
  | 'invalid_scope'
  | 'invalid_target'
  | 'invalid_request_uri'
  | 'access_denied'
  | 'login_required'
  | 'authorization_pending'
  | 'slow_down'
  | 'expired_token'
  | 'invalid_client_metadata'
  | 'invalid_redirect_uri'
  | 'temporarily_unavailable'
  | 'server_error'
  | 'file_unreachable'
  | 'tag_not_found'
  | 'csv_unreadable'
  | 'import_state'
  | 'import_unmapped'
  | 'import_file_gone'
  | 'batch_not_revertible'
  | 'batch_over'
  | 'lead_not_found'
  | 'invoice_locked'
  | 'empty_invoice'
  | 'invoice_has_payments'
  | 'overpayment'
  | 'currency_mismatch'
  | 'payment_reversed'
  | 'sender_not_owned'
  | 'sender_not_capable'
  | 'body_too_long'
  | 'no_route'
  | 'sender_queue_full'
  | 'recipient_opted_out'
  | 'invalid_schedule'
  | 'not_cancelable'
  | 'duplicate_suppressed'
  | 'carrier_queue_overflow'
  | 'validity_expired'
  | 'submit_unconfirmed'
  | 'service_not_found'
  | 'service_without_senders'
  | 'sender_in_service'
  | 'invalid_from_number'
  | 'number_taken'
  | 'number_held'
  | 'number_verification_unneeded'
  | 'number_verification_limited'
  | 'number_verification_unavailable'
  | 'number_verification_expired'
  | 'number_verification_wrong_code'
  | 'handset_not_in_use'
  | 'mail_not_waiting'
  | 'mail_not_repeatable'
  | 'mail_too_large'
  | 'mail_suppressed'
  | 'mail_rate_reached'
  | 'mail_expired'
  | 'mail_no_unsubscribe'
  | 'mail_deferred'
  | 'mail_refused'
  | 'mail_bounced'
  | 'mail_bounced_for_now'
  | 'mail_complained'
  | 'mail_unconfirmed'
  | 'mail_unreadable'
  | 'mail_already_ignored'
  | 'mail_template_not_found'
  | 'mail_template_exists'
  | 'template_invalid'
  | 'mail_suppression_exists'
  | 'mail_sender_exists'
  | 'mail_domain_exists'
  | 'mail_domain_not_verified'
  | 'mail_unsigned'
  | 'mail_live_only'
  | 'mail_transport_unusable'
  | 'conversation_answered'
  | 'conversation_not_reachable'
  | 'conversation_has_record'
  | 'carriers_live_only'
  | 'too_many_carriers'
  | 'carrier_queue_full'
  | 'carrier_rejected_sender'
  | 'message_rejected'
  | 'carrier_throttled'
  | 'handset_unreachable'
  | 'blocked_by_carrier'
  | 'unknown_subscriber'
  | 'landline_or_unsupported'
  | 'filtered_as_spam'
  | 'carrier_unknown_error'
  | 'carrier_link_down'
  | 'trunks_live_only'
  | 'too_many_trunks'
  | 'invalid_to_number'
  | 'destination_not_allowed'
  | 'destination_premium'
  | 'daily_spend_exceeded'
  | 'concurrent_calls_exceeded'
  | 'daily_calls_exceeded'
  | 'too_many_sip_credentials'
  | 'sip_username_taken'
  | 'call_not_active'
  | 'command_not_allowed'
  | 'cps_queue_full'
  | 'callee_busy'
  | 'callee_no_answer'
  | 'callee_not_registered'
  | 'callee_declined'
  | 'number_unallocated'
  | 'no_circuit'
  | 'trunk_rejected'
  | 'address_of_trunk'
  | 'codec_mismatch'
  | 'network_failure'
  | 'dial_expired'
  | 'media_timeout'
  | 'node_lost'
  | 'caller_id_not_allowed'
  | 'invalid_instructions'
  | 'instructions_failed'
  | 'instruction_fetch_failed'
  | 'invalid_offer'
  | 'call_taken'
  | 'participant_left'
  | 'recording_not_ready'
  | 'recording_has_no_media'
  | 'recording_unreachable'
  | 'recording_write_failed'
  | 'recording_lost'
  | 'invalid_webhook_url'
  | 'webhook_limit_reached'
  | 'webhook_listener_limit_reached'
  | 'webhook_event_not_forwarded'
  | 'webhook_listener_ended'
  | 'webhook_disabled'
  | 'environment_limit_reached'
  | 'collection_limit_reached'
  | 'collection_full'

/** As `apps.get` returns it. */
export type App = {
  appId: string
  /** What people read when they are asked to let it in. */
  name: string
  description: string | null
  homepageUrl: string | null
  privacyUrl: string | null
  /**
   * confidential: runs on a server and keeps a secret; public: runs where others can read it (a page, an app on a
   * device); machine: acts in its own name only.
   */
  kind: 'confidential' | 'public' | 'machine'
  redirectUris: string[]
  /** The most that anyone can let it do. */
  scopes: string[]
  /** Whether it must push its requests for authorization (RFC 9126). */
  requirePar: boolean
  status: 'active' | 'suspended'
  /** What it is called in live and in test mode. */
  clients: Array<{
    /** Which tenant its tokens act in. */
    mode: 'live' | 'test'
    /** The `client_id` of OAuth. */
    clientId: string
    secrets: Array<{
      secretId: string
      /** The last four characters of the secret, to distinguish two. */
      lastFour: string
      /** ISO 8601 in UTC, with milliseconds. */
      createdAt: string
      /** Exact to a minute. */
      lastUsedAt: string | null
    }>
  }>
  /** The user that it acts as in its own name; records show it as their author. */
  userId: number
  /** Tokens made before are refused; null when it was never signed out. */
  tokensNotBefore: string | null
  createdBy: number
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string
  /** Counts changes; the ETag. */
  version: number
}

/** As `users.get` returns it. */
export type User = {
  /** Identifier. (at least 1) */
  id: number
  email: string
  name: string
  role: 'Admin' | 'Sales Manager' | 'Sales Executive' | 'Finance Manager'
  /** The role of the organization's own that the user has, of which `role` is the base. */
  roleId: string | null
  roleName: string | null
  /** Administrator identifier: an Admin logs in with it like with the e-mail. */
  admin_id: string | null
  /** A disabled user cannot log in, and their API keys do not work. */
  disabled: boolean
  /** ISO 8601 in UTC, with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC, with milliseconds. */
  updated_at: string
  /** Counts changes; the ETag. */
  version: number
}

/** As `account.get` returns it. */
export type Account = {
  email: string
  /** Whether the address was shown to be theirs. */
  emailVerified: boolean
  name: string
  /** Language of the portal and of mails, as BCP 47 has it; null for that of the browser, and of the product. */
  locale: string | null
  hasPassword: boolean
  /** ISO 8601 in UTC, with milliseconds. */
  passwordChangedAt: string | null
  /** Until when a password that the server made logs in; null of one of their own. */
  passwordEndsAt: string | null
}

/** As `roles.get` returns it. */
export type Role = {
  /** Null of the four roles that everybody has, which are named by `role`. */
  roleId: string | null
  name: string
  description: string
  /** The role that /v1 shows of everybody who has it. It stays: copy the role to have another. */
  base: 'Admin' | 'Sales Manager' | 'Sales Executive' | 'Finance Manager'
  /** Whether it is one of the four that everybody has, which do not change. */
  builtIn: boolean
  permissions: Scope[]
  /** Whose records are seen, by kind; of a kind that is left out what the base sees. */
  rows: {
    /** Whose companies are seen: own, those of one's teams, or all. */
    companies?: 'own' | 'team' | 'all'
    /** Whose contacts are seen: own, those of one's teams, or all. */
    contacts?: 'own' | 'team' | 'all'
    /** Whose leads are seen: own, those of one's teams, or all. */
    leads?: 'own' | 'team' | 'all'
    /** Whose mails are seen: own, those of one's teams, or all. */
    mails?: 'own' | 'team' | 'all'
    /** Whose tasks are seen: own, those of one's teams, or all. */
    tasks?: 'own' | 'team' | 'all'
  }
  /** How many members have it. */
  members: number
  version: number
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string | null
}

/** As `teams.get` returns it. */
export type Team = {
  teamId: string
  name: string
  description: string
  /** Those who lead it first, then by name. */
  members: Array<{
    /** Identifier. (at least 1) */
    userId: number
    name: string
    /** Whether they lead the team: whom others ask. It gives no rights. */
    lead: boolean
  }>
  version: number
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string
}

/** As `hand_overs.get` returns it. */
export type HandOver = {
  handOverId: string
  /** Identifier. (at least 1) */
  fromUserId: number
  /** Identifier. (at least 1) */
  toUserId: number
  /** Whether all is given. */
  state: 'running' | 'completed'
  /** In the order in which they are given; of those that come later there is nothing yet. */
  kinds: Array<{
    /** What it is, such as leads or saved_views. */
    kind: string
    mode: 'live' | 'test'
    /** How many there were. */
    total: number
    /** How many the other one has. */
    given: number
  }>
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  finishedAt: string | null
}

/** As `ownership.get` returns it. */
export type Ownership = {
  /** Identifier. (at least 1) */
  ownerUserId: number | null
  transfer: OwnershipOfferOwnership | null
}

/** As `organization.get` returns it. */
export type Organization = {
  /** Identifier. (at least 1) */
  organizationId: number
  /** (1 to 200 characters; matches `\S`) */
  name: string
  /**
   * IANA time zone, such as Europe/Berlin: decides when an invoice is overdue and to which year it belongs. (at most
   * 64 characters)
   */
  timeZone: string
  /** ISO 4217 code used where none is given, such as EUR. (at most 3 characters) */
  currency: string
  /**
   * ISO 3166 code, such as DE: telephone numbers without + are read as of there; null refuses them. (at most 2
   * characters)
   */
  defaultCountry: string | null
  /** What happens when a lead with the same e-mail or phone exists: refused, created and reported, or nothing. */
  duplicateMode: 'block' | 'warn' | 'off'
  /** When an invoice takes its number: as a draft, or when it is issued. */
  invoiceNumbering: 'on_create' | 'on_issue'
  /**
   * Suspended by the operator: people log in, see their own account and the audit log, and export. Closing: all can
   * be read until the day.
   */
  state: 'active' | 'suspended' | 'closing'
  /** Why it is suspended or closing. */
  stateReason: string | null
  /** When an organization that is closing is closed, and erased. */
  closesAt: string | null
  /** The one member who may close it or hand it over; null until it has an Admin. */
  ownerUserId: number | null
  /** Counts changes; the ETag. */
  version: number
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** Test data lives in a tenant of its own. */
  tenants: {
    live: {
      /** Identifier. (at least 1) */
      tenantId: number
    }
    test: {
      /** Identifier. (at least 1) */
      tenantId: number
    }
  }
}

/** As `operator_sending.get` returns it. */
export type OperatorSending = {
  /** Whether texts, mails, webhooks and calls of all organizations wait. */
  held: boolean
  reason: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  since: string | null
  /** What has not left yet, held or not. */
  waiting: Array<{
    /** Texts, mails, events for webhooks, or calls that are to be dialled. */
    kind: 'messages' | 'mails' | 'events' | 'calls'
    /** (at least 0) */
    count: number
    /** When the oldest was accepted; null where that is not known. */
    oldestAt: string | null
  }>
}

/** As `operator_organizations.get` returns it. */
export type OperatorOrganization = {
  /** Identifier. (at least 1) */
  organizationId: number
  name: string
  state: 'active' | 'suspended' | 'closing' | 'closed'
  stateReason: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  stateSince: string
  closingBy: 'owner' | 'operator' | null
  /** ISO 8601 in UTC, with milliseconds. */
  closesAt: string | null
  /** When all of a closed organization was erased that is not kept. */
  erasedAt: string | null
  /** Most mails a day; null: as the server says. */
  mailsPerDay: number | null
  owner: {
    email: string
    name: string
  } | null
  usage: {
    members: number
    /** Of live mode, as are texts and calls. */
    leads: number
    /** Of the last 30 days. */
    messages: number
    /** Of the last 30 days. */
    calls: number
  }
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
}

/** As `security.get` returns it. */
export type Security = {
  /** Whether nobody logs in with a password alone. */
  requireSecondFactor: boolean
  /** How long a browser may stand for the second factor, if its person says so; 0: never. (0 to 90) */
  trustDeviceDays: number
  /** A session ends after so long without a new access token, which lives an hour; 20160 is 14 days. (5 to 20160) */
  sessionIdleMinutes: number
  /** A session ends after so long; 2160 is 90 days. (1 to 2160) */
  sessionMaxHours: number
  /**
   * Addresses and ranges (CIDR) that people may log in from; none: from everywhere. API keys are not held to it. (at
   * most 100 items; no item twice)
   */
  allowedAddresses: string[]
  /** Whether people may log in by the link of a mail in place of the password; never of the second factor. */
  magicLink: boolean
  /**
   * Characters that passwords have which people choose from now on, where that is more than is asked anyway; null:
   * no more. (10 to 64)
   */
  passwordMin: number | null
  /**
   * API keys that are made or rotated from now on end after so many days at the latest; null: when they say. (1 to
   * 3650)
   */
  apiKeysMaxDays: number | null
  /** Counts changes; the ETag. */
  version: number
  /** Active people of the organization. */
  members: number
  /** Those of them who would have to set one up at their next login. */
  membersWithoutSecondFactor: number
}

/** As `organization_domains.get` returns it. */
export type OrganizationDomain = {
  /** Identifier, `dom_…`. */
  domainId: string
  domain: string
  /**
   * verified: the row is in the DNS, looked up every week. lapsed: it was not there three times in a row, and the
   * organization does not speak for the domain any more.
   */
  status: 'pending' | 'verified' | 'lapsed'
  /** To be put into the DNS as it is, and to stay there. */
  record: {
    type: 'TXT'
    name: string
    value: string
  }
  /** Weekly looks in a row that did not find the row. */
  misses: number
  /** What the DNS has at that name; null before a look. */
  found: string[] | null
  /** ISO 8601 in UTC, with milliseconds. */
  checkedAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  verifiedAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string
}

/** As `sso_connections.get` returns it. */
export type SsoConnection = {
  /** Identifier, `sso_…`. */
  connectionId: string
  name: string
  /**
   * draft: to be tested. tested: to be switched on. active: people may come by it. enforced: they must. disabled:
   * nobody comes by it.
   */
  status: 'draft' | 'tested' | 'active' | 'enforced' | 'disabled'
  issuer: string
  clientId: string
  hasClientSecret: boolean
  scopes: string[]
  roleClaim: string | null
  roleMap: Array<{
    value: string
    role: 'Admin' | 'Sales Manager' | 'Sales Executive' | 'Finance Manager'
  }>
  createsMembers: boolean
  defaultRole: 'Admin' | 'Sales Manager' | 'Sales Executive' | 'Finance Manager'
  strongMethods: string[]
  breakGlassUserIds: number[]
  /** To be registered at the provider, as it is. */
  redirectUri: string
  /** Where a login by it begins, for the list of applications of the provider. */
  startUrl: string
  test: {
    /** ISO 8601 in UTC, with milliseconds. */
    at: string
    /** Who ran it. */
    userId: number | null
    passed: boolean
    log: Array<{
      step: string
      outcome: 'ok' | 'note' | 'wrong'
      text: string
    }>
  } | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string
}

/** As `scim.get` returns it. */
export type Scim = {
  /** Whether requests at /scim/v2 are taken. */
  enabled: boolean
  /** To be entered at the provider, with an API key of the scope scim:manage alone. */
  baseUrl: string
  /** Of new members, and of those whom no group of the map holds; not Admin. */
  defaultRole: 'Admin' | 'Sales Manager' | 'Sales Executive' | 'Finance Manager'
  groupMap: Array<{
    group: string
    role: 'Admin' | 'Sales Manager' | 'Sales Executive' | 'Finance Manager' | null
    roleId: string | null
    teamId: string | null
  }>
  /** Members whom the provider keeps. */
  users: number
  /** Groups that the provider sent, by name; 500 at most. */
  groups: Array<{
    groupId: string
    displayName: string
    members: number
  }>
  /** The last 50 requests, the newest first. */
  requests: Array<{
    /** ISO 8601 in UTC, with milliseconds. */
    at: string
    method: string
    path: string
    status: number
    /** What was wrong. */
    fault: string | null
  }>
  /** Counts changes; the ETag. */
  version: number
}

/** As `audit_events.get` returns it. */
export type AuditEvent = {
  /** Identifier of the event, `aud_…`. */
  auditEventId: string
  /** ISO 8601 in UTC, with milliseconds. */
  at: string
  /** What was done: noun and verb in the past tense, such as user.role_changed. */
  action: string
  /** Who did it. */
  actor: {
    /** As what somebody acted; anonymous before anybody is known. */
    type: 'user' | 'key' | 'app' | 'operator' | 'system' | 'scim' | 'sso' | 'anonymous'
    /** The user or key; null for who is not known. */
    id: string | null
    /** The user for whom a key or an app acts. */
    onBehalfOf: string | null
    /** What the actor is called; null when there is none, or it was erased. */
    name: string | null
  }
  /** What it was done to. */
  targets: Array<{
    type: string
    id: string
  }>
  /** denied: it was not allowed; failed: it was tried and came to nothing. */
  outcome: 'ok' | 'denied' | 'failed'
  /** Code of the problem, where it was denied or failed. */
  reason: string | null
  /** From where, by what. */
  context: {
    /** Address it was asked from. */
    ip: string | null
    /** The program that asked. */
    userAgent: string | null
    /** The request, as in GET /v2/requests/{requestId}. */
    requestId: string | null
    /** The session of the person. */
    sessionId: string | null
    mode: 'live' | 'test' | null
    /** What else is to be said of this action, such as how often it was refused within a minute (count). */
    more: Record<string, unknown>
  }
  /** The fields that differ, as they were. Secrets are in none; erased names are left out. */
  before: Record<string, unknown> | null
  /** The same as they are. A secret that was replaced says "changed". */
  after: Record<string, unknown> | null
  /** Its place in the chain of the organization; null until it is sealed, within a minute. */
  position: number | null
  /** SHA-256 of this event and all before it, in hexadecimal. */
  hash: string | null
}

/** As `audit_policy.get` returns it. */
export type AuditPolicy = {
  /**
   * Days that events are kept, from 90 to 3,650; null for as long as the server says (effectiveDays). (90 to 3650)
   */
  retentionDays: number | null
  /** Days that events are kept. */
  effectiveDays: number
  /** Whether nothing is deleted, however old, until it is taken off. */
  legalHold: boolean
  /** Whether each look at the sound of a recording is an event, recording.heard. */
  recordListens: boolean
  /** Counts changes; the ETag. */
  version: number
}

/** As `audit_streams.get` returns it. */
export type AuditStream = {
  /** Identifier of the stream, `ast_…`. */
  streamId: string
  url: string
  /** What it is for; null for nothing. (at most 500 characters) */
  description: string | null
  /** Whether anything is sent. */
  enabled: boolean
  /** The last event that was taken, by its place in the chain. */
  position: number
  /** Sealed events that were not taken yet. */
  behind: number
  /** ISO 8601 in UTC, with milliseconds. */
  deliveredAt: string | null
  failuresInRow: number
  /** ISO 8601 in UTC, with milliseconds. */
  failingSince: string | null
  /** Why the last try failed. */
  lastError: string | null
  /** Counts changes of its settings; the ETag. */
  version: number
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string
}

/** As `retention.get` returns it. */
export type Retention = {
  classes: Array<{
    /** What is kept. */
    class: 'events' | 'messages' | 'calls' | 'recordings' | 'call_traces' | 'mails' | 'request_log' | 'webhook_deliveries'
    /** What is in the class. */
    holds: string
    /** Days that it is kept. */
    days: number
    /** Days that the organization chose; null: it follows the installation. */
    ownDays: number | null
    /** Days that the installation says. */
    defaultDays: number
    /** The fewest days that may be chosen. */
    minDays: number
    /** The most days that may be chosen. */
    maxDays: number
  }>
  /** Counts changes; the ETag. */
  version: number
}

/** As `privacy_requests.get` returns it. */
export type PrivacyRequest = {
  privacyRequestId: string
  kind: 'export' | 'erasure'
  state: 'queued' | 'running' | 'completed' | 'failed' | 'expired'
  /** The lead or contact that was named; null where it was an address. */
  recordId: string | null
  /** The record, or the last digits or first letter of the address. */
  about: string
  reason: string
  /** Identifier. (at least 1) */
  requestedBy: number
  /**
   * What an erasure waits for: `legal_hold`, or what is under way, such as `calls` and `messages`; it goes on by
   * itself.
   */
  waitsFor: string | null
  /**
   * How much was exported or erased of each kind; `texts` are rows of others in which the person was named,
   * `mail_sources` mails of others of which the files are left.
   */
  done: Array<{
    /** A kind of record, or a table. */
    what: string
    count: number
  }>
  /**
   * What an erasure left, and why: `invoices`, `invoice_lines` and `payments`, as the law asks;
   * `name_of_others_too`, where somebody else is called the same; `shared_address`, which somebody else has too.
   */
  kept: Array<{
    /** A kind of record, or a table. */
    what: string
    count: number
  }>
  /** Of the archive of an export. */
  sizeBytes: number | null
  /** Of the archive, in hexadecimal. */
  sha256: string | null
  /** Why it failed. */
  error: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  finishedAt: string | null
  /** Until when the archive can be downloaded: for a week. */
  expiresAt: string | null
}

/** As `webhooks.get` returns it. */
export type Webhook = {
  /** Identifier. */
  webhookId: string
  /** Where events are sent to. */
  url: string
  /** What it is for, in your words. */
  description: string | null
  /** Types it hears of, such as message.sent or message.*; null: all. */
  eventTypes: string[] | null
  /** Whether anything is sent. */
  enabled: boolean
  /**
   * Why nothing is sent: request (somebody disabled it), gone (the address answered 410), failing (five days without
   * a success). Null while it is enabled.
   */
  disabledReason: 'request' | 'gone' | 'failing' | null
  /** Since when it has been disabled. */
  disabledAt: string | null
  /** Whose events it hears of. */
  mode: 'live' | 'test'
  /**
   * ok; failing (the last attempt failed); probing (20 attempts in a row failed, so one is tried now and then, once
   * a minute in the end, while the rest waits); disabled.
   */
  health: 'ok' | 'failing' | 'probing' | 'disabled'
  /** Attempts that failed since the last success. */
  failuresInRow: number
  /** When the first of them failed. */
  failingSince: string | null
  /** When an event was last delivered; exact to some seconds. */
  lastDeliveredAt: string | null
  /** Why the last attempt failed: a word, or the HTTP status. */
  lastError: string | null
  /** Events that wait to be sent, counted up to 10,000. */
  waiting: number
  /** Until when deliveries carry a signature by the previous secret as well. */
  previousSecretUntil: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string
}

/** As `webhook_listeners.get` returns it. */
export type WebhookListener = {
  /** Identifier. */
  listenerId: string
  /** Which machine it is on, in the words of its program. */
  name: string | null
  /** Where its program sends events, as that program reaches it. */
  forwardTo: string
  /** Types it hears of; null: all, or those of its webhook. */
  eventTypes: string[] | null
  /** The webhook whose secret signs; null where it has its own. */
  webhookId: string | null
  /** Whose events it hears of. */
  mode: 'live' | 'test'
  /**
   * connected; away (not connected: what happens waits for it, for ten minutes); ended (nothing reaches it any
   * more).
   */
  state: 'connected' | 'away' | 'ended'
  /** Events without an answer so far, counted up to 10,000. */
  waiting: number
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** When it ended; null while it is open. */
  endedAt: string | null
}

/** As `leads.get` returns it. */
export type Lead = {
  /** Identifier. (at least 1) */
  id: number
  /** The tenant it belongs to: live and test are two. */
  tenant_id: number
  /** Name of the person or enquiry. (1 to 200 characters) */
  name: string
  /** E-mail address; required when there is no phone. (at most 254 characters) */
  email: string | null
  /** Telephone number; required when there is no e-mail. (at most 16 characters) */
  phone: string | null
  /** Company the person speaks for. (1 to 200 characters) */
  company: string | null
  /** How urgent the lead is. */
  priority: 'Hot' | 'Warm' | 'Cold'
  /** Where the lead stands; a new one is New. */
  status: 'New' | 'Contacted' | 'Nurturing' | 'Qualified' | 'Converted' | 'Unqualified' | 'Junk'
  /** The user who works on the lead; null while nobody does. (at least 1) */
  owner_id: number | null
  /** Where the lead came from, such as web or fair. (1 to 100 characters) */
  source: string | null
  /** Free text. (1 to 10000 characters) */
  notes: string | null
  /** Why the lead is Unqualified, where it is required, or Junk. (1 to 500 characters) */
  lost_reason: string | null
  /** When the lead first moved on from New; null for one that a file says had done so before. */
  first_responded_at: string | null
  /** The record of the company that the person speaks for. (matches `^cmp_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  company_id: string | null
  /** The contact that the lead became. (matches `^con_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  contact_id: string | null
  /** When the lead was converted. */
  converted_at: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC, with milliseconds. */
  updated_at: string
  /** Counts changes; the ETag. */
  version: number
  /** When it was moved to the trash; absent for all others. */
  deleted_at?: string
}

/** As `companies.get` returns it. */
export type Company = {
  /** Identifier. */
  id: string
  /** The tenant it belongs to: live and test are two. */
  tenant_id: number
  /** Name of the company. (1 to 200 characters) */
  name: string
  /** Its internet domain, such as example.com. (3 to 300 characters) */
  domain: string | null
  /** Main telephone number. (at most 16 characters) */
  phone: string | null
  /** Line of business. */
  industry: 'Retail' | 'Manufacturing' | 'Services' | 'Public' | 'Other' | null
  /** Revenue of a year. */
  annual_revenue: {
    /** Decimal amount. */
    amount: number
    /** ISO 4217 code. */
    currency: string
  } | null
  /** Where it is. */
  addresses: Array<{
    value: {
      street: string | null
      city: string | null
      postal_code: string | null
      region: string | null
      country: string | null
    }
    /** What it is for. */
    label: string | null
    /** Whether it is the one to use first; exactly one is. */
    is_primary: boolean
  }>
  /** Who looks after it; null while nobody does. (at least 1) */
  owner_id: number | null
  /** The company that it belongs to. (matches `^cmp_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  parent_id: string | null
  /** Free text. (1 to 10000 characters) */
  notes: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC, with milliseconds. */
  updated_at: string
  /** Counts changes; the ETag. */
  version: number
  /** When it was moved to the trash; absent for all others. */
  deleted_at?: string
}

/** As `contacts.get` returns it. */
export type Contact = {
  /** Identifier. */
  id: string
  /** The tenant it belongs to: live and test are two. */
  tenant_id: number
  /** Name of the person. (1 to 200 characters) */
  name: string
  /** What they do, such as Head of purchasing. (1 to 200 characters) */
  job_title: string | null
  /** Companies that they belong to, one of them the main one. */
  companies: Array<{
    /** Identifier of the company. (matches `^cmp_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
    value: string
    /** What it is for. */
    label: string | null
    /** Whether it is the one to use first; exactly one is. */
    is_primary: boolean
  }>
  /** E-mail addresses. */
  emails: Array<{
    /** E-mail address. */
    value: string
    /** What it is for. */
    label: string | null
    /** Whether it is the one to use first; exactly one is. */
    is_primary: boolean
  }>
  /** Telephone numbers. */
  phones: Array<{
    /** Telephone number in E.164 format with leading +. (at most 16 characters) */
    value: string
    /** What it is for. */
    label: string | null
    /** Whether it is the one to use first; exactly one is. */
    is_primary: boolean
  }>
  /** Postal addresses. */
  addresses: Array<{
    value: {
      street: string | null
      city: string | null
      postal_code: string | null
      region: string | null
      country: string | null
    }
    /** What it is for. */
    label: string | null
    /** Whether it is the one to use first; exactly one is. */
    is_primary: boolean
  }>
  /** Date of birth. */
  birthday: string | null
  /** The language to write and speak to them in. (2 to 35 characters) */
  language: string | null
  /** Whether they agreed to be sent e-mails. */
  email_consent: boolean
  /** Whether they agreed to be sent text messages. */
  sms_consent: boolean
  /** Whether they agreed to be called. */
  call_consent: boolean
  /** Who looks after them; null while nobody does. (at least 1) */
  owner_id: number | null
  /** Where they came from, such as web or fair. (1 to 100 characters) */
  source: string | null
  /** Free text. (1 to 10000 characters) */
  notes: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC, with milliseconds. */
  updated_at: string
  /** Counts changes; the ETag. */
  version: number
  /** When it was moved to the trash; absent for all others. */
  deleted_at?: string
}

/** As `notes.get` returns it. */
export type Note = {
  /** Identifier. */
  id: string
  /** The tenant it belongs to: live and test are two. */
  tenant_id: number
  /**
   * The record that it is about. (at most 60 characters; matches
   * `^(?:[a-z]{2,8}_[0-7][0-9a-hjkmnp-tv-z]{25}|[a-z_]{2,40}:[1-9]\d{0,14})$`)
   */
  record_id: string
  /** The text, plain or Markdown. (1 to 10000 characters) */
  body: string
  /** Whether it stands above the others. */
  is_pinned: boolean
  /** Who wrote it. (at least 1) */
  author_id: number
  /** When its text was last changed; null while it is as it was written. */
  edited_at: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC, with milliseconds. */
  updated_at: string
  /** Counts changes; the ETag. */
  version: number
  /** When it was moved to the trash; absent for all others. */
  deleted_at?: string
}

/** As `tasks.get` returns it. */
export type Task = {
  /** Identifier. */
  id: string
  /** The tenant it belongs to: live and test are two. */
  tenant_id: number
  /** What is to be done. (1 to 200 characters) */
  title: string
  /** What else there is to say about it. (1 to 10000 characters) */
  body: string | null
  /**
   * The record that it is about. (at most 60 characters; matches
   * `^(?:[a-z]{2,8}_[0-7][0-9a-hjkmnp-tv-z]{25}|[a-z_]{2,40}:[1-9]\d{0,14})$`)
   */
  record_id: string | null
  /** Who has to do it. (at least 1) */
  assignee_id: number | null
  /** Open, done, or canceled. Send done to complete it, open to open it again. */
  status: 'open' | 'done' | 'canceled'
  /** How much it matters. */
  priority: 'low' | 'normal' | 'high' | 'urgent'
  /** The day by whose end it has to be done; due_at follows. */
  due_on: string | null
  /** When it has to be done: sent, or the end of due_on where the organization is. */
  due_at: string | null
  /** Who created it. (at least 1) */
  created_by: number
  /** When it was done. */
  completed_at: string | null
  /** Who said that it was done. (at least 1) */
  completed_by: number | null
  /** ISO 8601 in UTC, with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC, with milliseconds. */
  updated_at: string
  /** Counts changes; the ETag. */
  version: number
  /** When it was moved to the trash; absent for all others. */
  deleted_at?: string
}

/** As `attachments.get` returns it. */
export type Attachment = {
  /** Identifier. */
  id: string
  /** The tenant it belongs to: live and test are two. */
  tenant_id: number
  /**
   * The record that it is about. (at most 60 characters; matches
   * `^(?:[a-z]{2,8}_[0-7][0-9a-hjkmnp-tv-z]{25}|[a-z_]{2,40}:[1-9]\d{0,14})$`)
   */
  record_id: string
  /** What the file is called. (1 to 200 characters) */
  name: string
  /** What it is, as its bytes say. (1 to 127 characters) */
  content_type: string
  /** How long it is. (at least 1) */
  size_bytes: number
  /** SHA-256 of its bytes, in hexadecimal. (1 to 64 characters) */
  sha256: string
  /** Who put it there. (at least 1) */
  uploaded_by: number
  /** ISO 8601 in UTC, with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC, with milliseconds. */
  updated_at: string
  /** Counts changes; the ETag. */
  version: number
  /** When it was moved to the trash; absent for all others. */
  deleted_at?: string
}

/** As `tags.get` returns it. */
export type Tag = {
  /** Identifier. */
  id: string
  /** The tenant it belongs to: live and test are two. */
  tenant_id: number
  /** What it says, such as VIP. (1 to 60 characters) */
  name: string
  /** The color that it is shown in. */
  color: 'gray' | 'red' | 'orange' | 'yellow' | 'green' | 'teal' | 'blue' | 'purple' | 'pink' | 'brown'
  /** ISO 8601 in UTC, with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC, with milliseconds. */
  updated_at: string
  /** Counts changes; the ETag. */
  version: number
  /** When it was moved to the trash; absent for all others. */
  deleted_at?: string
}

/** As `views.get` returns it. */
export type View = {
  /** Identifier, `viw_…`. */
  id: string
  /**
   * The list that it is of, as in its path: companies, contacts, leads, invoices and others. (matches
   * `^[a-z_]{2,40}$`)
   */
  noun: string
  /** What it is called. (1 to 80 characters) */
  name: string
  /** Who saved it. */
  owner_id: number
  /** Whether everybody in the organization sees it, or its owner alone. */
  shared: boolean
  /** A list, or a board with a column for each value of group_by. */
  layout: 'list' | 'board'
  /** The columns, in their order; none: those of the list itself. */
  columns: Array<{
    /** A field of the records, or `tags`. (at most 60 characters) */
    field: string
    /** Width in pixels. (40 to 2000) */
    width: number | null
  }>
  /**
   * Parameters of the list with their values, as in its query string: `{"industry": "Retail", "owner_id": "me"}`.
   * (at most 20 entries)
   */
  filters: Record<string, string>
  /** The `sort` of the list, such as -created_at,name. (at most 100 characters) */
  sort: string | null
  /** The field that the columns of a board are made of. (at most 60 characters) */
  group_by: string | null
  /** Whether the list opens with it for the caller. */
  is_default: boolean
  /** Whether the caller may change and delete it. */
  may_change: boolean
  /** What was saved and is left out, because the list has it no longer: `columns.region`, `filters.status`. */
  dropped: string[]
  /** ISO 8601 in UTC, with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC, with milliseconds. */
  updated_at: string
  /** Counts changes; the ETag. */
  version: number
}

/** As `imports.get` returns it. */
export type Import = {
  /** Identifier. */
  id: string
  /** The tenant it belongs to: live and test are two. */
  tenant_id: number
  /** What its rows are, such as contacts. */
  noun: string
  /** What the file was called. */
  file_name: string | null
  /**
   * draft until it is begun; checking and checked are the trial; running, completed, canceled and failed the import.
   */
  state: 'draft' | 'checking' | 'checked' | 'running' | 'completed' | 'canceled' | 'failed'
  /** Who sent the file, for whom it runs. */
  user_id: number
  /** Length of the file. */
  size_bytes: number
  /** How its bytes are read. */
  encoding: 'utf-8' | 'windows-1252' | 'utf-16le' | 'utf-16be'
  /** What stands between its columns. */
  delimiter: 'comma' | 'semicolon' | 'tab'
  /** The columns of the file. */
  columns: Array<{
    /** As the first line has it. */
    name: string
    /** Values of the first rows. */
    samples: string[]
    /** Its cells of the first 5 rows, the empty ones too. */
    cells: string[]
  }>
  /**
   * By column of the file, in its order, the name of the target that it stands for; null for a column that is left
   * out. (at most 500 items)
   */
  mapping: Array<string | null>
  /** What a column can stand for. */
  targets?: Array<{
    /** What a mapping calls it: a field, or a part of one. */
    name: string
    /** The same for people. */
    label: string
    /** What it holds. */
    about: string
    /** Whether several columns may stand for it. */
    several: boolean
  }>
  /**
   * What becomes of a row that is the same as a record: skip leaves it out, update changes the record, create makes
   * one more.
   */
  duplicates: 'skip' | 'update' | 'create'
  /** The fields by which a row is the same as a record: those of the noun, or some of them. (at most 20 items) */
  match: string[]
  /** Whether an update adds entries to lists such as e-mails, or puts them in the place of those that are there. */
  lists: 'add' | 'replace'
  /** How a date such as 03/04/2026 is read. */
  dates: 'day_first' | 'month_first'
  /** What stands between a number and its decimals. */
  decimal: '.' | ','
  /**
   * How many rows the file has, the first line and empty ones aside; null until all were read, which a short file is
   * when it is sent.
   */
  rows: number | null
  /** Rows of the trial, or of the import, that are done. */
  done: number
  /** Rows that created a record, or would. */
  created: number
  /** Rows that changed a record, or would. */
  updated: number
  /** Rows that say what a record says already. */
  unchanged: number
  /** Rows that were left out as duplicates. */
  skipped: number
  /** Rows that cannot be imported. */
  refused: number
  /** What is wrong with the first rows that are refused; the file of refused rows has all. */
  faults?: Array<{
    /** The row of the file; the names of the columns are row 1. */
    row: number
    /** The column of the file; null where none stands for the field. */
    column: string | null
    /** The field, with the place in it; empty for the row as a whole. */
    field: string
    /** A word for what is wrong. */
    code: string
    /** What is wrong, and what it takes. */
    message: string
  }>
  /** Why it failed, and what to do. */
  problem: string | null
  /** Names its changes in the histories of records, and takes them back; null before it runs. */
  batch_id: string | null
  /** The last batch that takes its changes back; null while none does. */
  reverted_by: string | null
  /** Counts changes; the ETag. */
  version: number
  /** ISO 8601 in UTC, with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC, with milliseconds. */
  updated_at: string
  /** ISO 8601 in UTC, with milliseconds. */
  finished_at: string | null
}

/** As `batches.get` returns it. */
export type Batch = {
  /** Identifier. */
  id: string
  /** The tenant it belongs to: live and test are two. */
  tenant_id: number
  /** What its records are, such as companies. */
  noun: string
  /** Whether it changes records, or takes a batch back. */
  source: 'bulk' | 'revert'
  /** How far it is. */
  state: 'running' | 'completed' | 'canceled' | 'failed'
  /** Who began it, for whom it runs. */
  user_id: number
  /** Whether it moves records to the trash, or out of it; else null. */
  action: 'delete' | 'restore' | null
  /** The fields that it sets. */
  fields: string[]
  /** The batch that is taken back. */
  reverts: string | null
  /** The last batch that takes this one back; null while none does. */
  reverted_by: string | null
  /** How many records are meant. */
  total: number
  /** How many were changed so far. */
  changed: number
  /** How many were as they are to be already. */
  unchanged: number
  /** How many could not be changed. */
  failed: number
  /** Records that could not be changed, the first 1000 in the order of their ids. */
  failures?: Array<{
    /** The record that is as it was. */
    id: string
    /** Code of the problem. */
    code: string
    /** Why, and what to do. */
    message: string
  }>
  /** Why it failed, and what to do. */
  problem: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC, with milliseconds. */
  finished_at: string | null
}

/** As `invoices.get` returns it. */
export type Invoice = {
  /** Identifier. (at least 1) */
  id: number
  /** INV-<year>-<sequence>; sequence 000000 while a draft has no number yet. */
  number: string
  /** Identifier. (at least 1) */
  tenant_id: number
  /** Total with tax. */
  amount: number
  /** Overdue is Sent, past due in the organization's time zone, and not fully paid. */
  status: 'Draft' | 'Sent' | 'Paid' | 'Overdue' | 'Cancelled'
  /** Calendar date, YYYY-MM-DD. */
  due_date: string
  /** ISO 4217 code. */
  currency: string
  /** The total in the currency's smallest unit. */
  amount_minor: number
  /** Sum of the lines before tax. */
  subtotal: number
  tax_total: number
  amount_paid: number
  amount_due: number
  payment_state: 'unpaid' | 'partial' | 'paid'
  customer: {
    name: string
    email: string | null
    address: string | null
    tax_id: string | null
  }
  /** The lead this invoice came from. */
  lead_id: number | null
  /** Whether the invoice has its final number. */
  number_assigned: boolean
  /** Calendar date, YYYY-MM-DD. */
  issue_date: string
  /** ISO 8601 in UTC, with milliseconds. */
  sent_at: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  paid_at: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  cancelled_at: string | null
  cancel_reason: string | null
  notes: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC, with milliseconds. */
  updated_at: string
  /** Counts changes; the ETag. */
  version: number
  /** What its figures come from; with `none` it has neither lines nor an amount yet, and cannot be sent. */
  basis: 'none' | 'amount' | 'lines'
  /** Tax is rounded once a rate over the invoice, or on every line. */
  tax_rounding: 'per_rate' | 'per_line'
  lines: Array<{
    description: string
    quantity: number
    /** In the currency's major unit, before tax. */
    unit_price: number
    /** Percent. */
    tax_rate: number
    /** Quantity × unit price, rounded, before tax. */
    amount: number
  }>
  /** In the order they were recorded. */
  payments: Payment[]
}

/** As `destination_policies.get` returns it. */
export type DestinationPolicy = {
  /** organization, or the id of the API key or trunk that it holds for. */
  policy: string
  /** Only numbers of these countries (ISO 3166-1 alpha-2); null: of all. (at most 300 items; no item twice) */
  allowedCountries: string[] | null
  /**
   * Numbers that begin so are allowed whatever their country and kind. Where a blocked prefix fits, too, the longer
   * one counts. (at most 500 items; no item twice)
   */
  allowedPrefixes: string[]
  /** Numbers that begin so are not allowed. (at most 500 items; no item twice) */
  blockedPrefixes: string[]
  /**
   * The kinds of numbers that are opened; others of these stay shut. null, for a key or trunk only: all that the
   * organization has open. (no item twice)
   */
  allowedKinds: Array<'premium_rate' | 'shared_cost' | 'personal' | 'satellite' | 'international_network'> | null
  /** Calls out at a time, from being asked for until they end; null: any number. (0 to 1000000) */
  concurrentCalls: number | null
  /** Calls out a day; null: any number. (0 to 1000000) */
  dailyCalls: number | null
  /**
   * What texts and calls may cost a day, by currency; what is priced in another currency is refused. A minute of a
   * call is taken before it begins; a call for which nothing is left is ended. null: anything. (1 to 20 items)
   */
  dailySpend: Array<{
    /** (matches `^[A-Z]{3}$`) */
    currency: string
    /** A decimal. (matches `^[0-9]{1,9}(?:\.[0-9]{1,6})?$`) */
    amount: string
  }> | null
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string | null
  today: {
    /** In the time zone of the organization. */
    day: string
    /** Calls out that are under way. */
    activeCalls: number
    /** Calls out that were made; counted where there is a ceiling. */
    calls: number
    /** What texts and calls cost; counted where there is a ceiling. */
    spend: Array<{
      /** (matches `^[A-Z]{3}$`) */
      currency: string
      /** A decimal. (matches `^[0-9]{1,9}(?:\.[0-9]{1,6})?$`) */
      amount: string
    }>
  }
}

/** As `numbers.get` returns it. */
export type PhoneNumber = {
  /** Identifier, `num_…`. */
  numberId: string
  /** E.164 with +, the digits of a short code, or the sender id. */
  number: string
  /** A telephone number, a short code, or a name that only sends. */
  kind: 'long_code' | 'short_code' | 'alphanumeric'
  /** ISO 3166 country of its numbering plan; null for names, short codes and numbers of no country. */
  country: string | null
  /** What it is for, in words of your own. */
  label: string | null
  /** The messaging service whose senders it is one of. */
  serviceId: string | null
  /** The only carrier that carries what it sends; null lets the routes decide. */
  carrierId: string | null
  /** Whether it sends texts. */
  sms: boolean
  /** Whether it makes and takes calls; only a telephone number does, and does by itself. */
  voice: boolean
  /** Segments it may send in a second; null sends as fast as the carrier takes them. */
  segmentsPerSecond: number | null
  /** Address that gets the events of what comes in to it; without one, that of its messaging service is used. */
  callbackUrl: string | null
  /** Whether a text from a number that no lead has adds a lead with that number. */
  createsLeads: boolean
  /**
   * Of a telephone number of the live mode. unverified: no other organization on this server had it before, so it
   * works until one proves that it is theirs. verified: proved. contested: another organization has it, so it takes
   * no calls and is no sender until you prove that it is yours with POST /v2/numbers/{numberId}/verification. Null
   * for all else.
   */
  ownership: 'unverified' | 'verified' | 'contested' | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string
}

/** As `messages.get` returns it. */
export type Message = {
  /** Identifier, `msg_…`. Later messages have greater ones. */
  messageId: string
  direction: 'outbound' | 'inbound'
  /** Sender: a number in E.164, a short code or a sender id. */
  from: string
  /** Recipient in E.164; for an inbound message one of your senders. */
  to: string
  body: string
  status: 'scheduled' | 'queued' | 'sending' | 'sent' | 'delivered' | 'undelivered' | 'expired' | 'failed' | 'canceled' | 'unconfirmed' | 'received'
  /** Why it is in this status, where that needs a reason: a problem code. */
  code: string | null
  /** GSM-7 when every character is in the GSM alphabet, else UCS-2. */
  encoding: 'GSM-7' | 'UCS-2'
  /** Parts it is sent in, and charged for. */
  segments: number
  /** Parts of which the carrier has confirmed the delivery. */
  segmentsDelivered: number
  /** How often it was handed to the carrier. */
  attempts: number
  /**
   * Who carries it: a carrier of yours, or `simulator` or `handset` (the virtual handset), which reach no phone;
   * `none` as long as nobody does.
   */
  carrier: string
  /** The messaging service its sender belongs to, `msv_…`. */
  serviceId: string | null
  /** What the carrier charges for all its segments, a decimal; null until it has taken it, or without price. */
  price: string | null
  /** Currency of the price, ISO 4217. */
  currency: string | null
  /** Where its events are sent besides the endpoints of the organization. */
  callbackUrl: string | null
  tags: string[]
  metadata: Record<string, string>
  /** Seconds from creation within which it may be delivered. */
  validityPeriod: number | null
  /** Whether parts of this inbound message never came. */
  partial: boolean
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** When it is, or was, to be sent. */
  sendAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  sentAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  deliveredAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  finalAt: string | null
  /** When its text was taken away. */
  redactedAt: string | null
  /** First to last. */
  history: Array<{
    status: 'scheduled' | 'queued' | 'sending' | 'sent' | 'delivered' | 'undelivered' | 'expired' | 'failed' | 'canceled' | 'unconfirmed' | 'received'
    /** ISO 8601 in UTC, with milliseconds. */
    at: string
    /** Why, where that needs a reason: a problem code. */
    code: string | null
  }>
  /** One for each segment that was handed over. */
  parts: Array<{
    /** From 1. */
    part: number
    /** The attempt in which it was handed over last. */
    attempt: number
    /** Submitting: the carrier has not answered. Unknown: it never did. */
    state: 'submitting' | 'accepted' | 'throttled' | 'refused' | 'unknown' | 'delivered' | 'undelivered' | 'expired'
    /** Who got it. */
    carrier: string
    /** The carrier's id of it, to ask the carrier about. */
    carrierMessageId: string | null
    /** Why it was not taken or delivered: a problem code. */
    code: string | null
    /** The carrier's own code. */
    carrierCode: string | null
    /** ISO 8601 in UTC, with milliseconds. */
    answeredAt: string | null
    /** ISO 8601 in UTC, with milliseconds. */
    receiptAt: string | null
  }>
}

/** As `messaging_services.get` returns it. */
export type MessagingService = {
  /** Identifier, `msv_…`. */
  serviceId: string
  /** A name of your own. */
  name: string
  /** Ids of the numbers it sends from; a number belongs to one service at most. */
  senders: string[]
  /** Whether a recipient always hears from the same sender. */
  stickySender: boolean
  /**
   * Whether look-alikes of characters outside the GSM alphabet (curly quotes, long dashes) are replaced, so that
   * texts need fewer segments.
   */
  smartEncoding: boolean
  /**
   * What happens to a message whose carrier never answered: hold (it ends unconfirmed, and is never sent twice) or
   * resend (it is sent again, and may arrive twice: for one-time codes).
   */
  unknownOutcome: 'hold' | 'resend'
  /** Seconds within which its messages may be delivered, where they name none; null is four hours. */
  validityPeriod: number | null
  /**
   * Address that gets the events of its messages that name none, and of what comes in to those of its senders
   * without one.
   */
  callbackUrl: string | null
  /**
   * Seconds within which the same text is not sent to the same recipient again, by the times at which texts are to
   * be sent; 0 does not look.
   */
  duplicateWindow: number
  /**
   * The single words that recipients may answer with, by language. The word decides the language of the answer;
   * STOP, START and HELP are understood in any case.
   */
  keywords: Array<{
    /** ISO 639-1 code, such as en. (matches `^[a-z]{2}$`) */
    language: string
    /** Lets nothing more be sent to the recipient. */
    stop: {
      /** In capitals. Letter case and accents do not matter. */
      words: string[]
      /** What is answered; null answers nothing. (1 to 480 characters) */
      reply: string | null
    }
    /** Lets a recipient who opted out be texted again. */
    start: {
      /** In capitals. Letter case and accents do not matter. */
      words: string[]
      /** What is answered; null answers nothing. (1 to 480 characters) */
      reply: string | null
    }
    /** Is answered, at most once in ten minutes, and does nothing else. */
    help: {
      /** In capitals. Letter case and accents do not matter. */
      words: string[]
      /** What is answered; null answers nothing. (1 to 480 characters) */
      reply: string | null
    }
  }>
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string
}

/** As `carriers.get` returns it. */
export type Carrier = {
  carrierId: string
  /** Kind of carrier, as GET /v2/carriers/kinds lists them. */
  kind: 'smpp'
  name: string
  /**
   * Whether links are held and messages go this way. What waits for a carrier that is switched off takes another
   * way.
   */
  enabled: boolean
  /**
   * up: all links are. degraded: some are not. throttled: up, but slower because the carrier asked for that.
   * connecting: the first attempt is under way.
   */
  state: 'up' | 'degraded' | 'throttled' | 'connecting' | 'down' | 'disabled'
  /** Where the carrier takes messages to. (at most 1000 items) */
  routes: Array<{
    /**
     * Beginning of the recipient, such as +49; empty for every destination. The longest that fits counts. (matches
     * `^(?:\+(?:[1-9]\d{0,14})?)?$`)
     */
    prefix: string
    /**
     * Of carriers with prefixes of the same length, the one with the lower number goes first. (1 to 1000; default
     * 10)
     */
    priority: number
    /**
     * Of one segment, in the currency of the carrier. With the same priority the cheaper carrier goes first.
     * (matches `^\d{1,6}(?:\.\d{1,6})?$`; default "0")
     */
    cost: string
  }>
  /** Currency of the costs. (matches `^[A-Z]{3}$`) */
  currency: string
  /** Settings, without secrets. */
  settings: {
    /**
     * The carrier's SMPP host: a name or an IP address. A private address must be allowed by the operator. (1 to 253
     * characters; matches `^[A-Za-z0-9.:_-]+$`)
     */
    host: string
    /** Usually 2775, with TLS often 3550. (1 to 65535; default 2775) */
    port: number
    /** Encrypts the link with TLS. (default false) */
    tls: boolean
    /** With TLS: refuses a server whose certificate is not valid for the host. (default true) */
    tlsVerify: boolean
    /**
     * With TLS: certificates in PEM form to trust instead of the usual ones; null: the usual ones. (at most 20000
     * characters; matches `-----BEGIN CERTIFICATE-----`; default null)
     */
    tlsCa: string | null
    /**
     * The account name (system_id), given by the carrier. SMPP allows 15 characters, some carriers more. (1 to 63
     * characters; matches `^[\x20-\x7e]*$`)
     */
    systemId: string
    /**
     * system_type; empty unless the carrier names one. (at most 12 characters; matches `^[\x20-\x7e]*$`; default "")
     */
    systemType: string
    /**
     * transceiver: each link sends and receives. transmitter_receiver: two links in its place, one to send and one
     * to receive. (default "transceiver")
     */
    bindType: 'transceiver' | 'transmitter_receiver'
    /**
     * How many links to hold, as many as the carrier allows; with transmitter_receiver as many pairs. (1 to 8;
     * default 1)
     */
    binds: number
    /** The version said when binding; what is sent is SMPP 3.4. (default "3.4") */
    interfaceVersion: '3.3' | '3.4' | '5.0'
    /**
     * address_range: which recipients a receiving link serves; empty for all of the account. (at most 40 characters;
     * matches `^[\x20-\x7e]*$`; default "")
     */
    addressRange: string
    /** addr_ton said when binding. (0 to 255; default 0) */
    addressRangeTon: number
    /** addr_npi said when binding. (0 to 255; default 0) */
    addressRangeNpi: number
    /**
     * What the carrier takes over all links together. A message of several segments goes out whole. While the
     * carrier says it is throttling, the rate is halved and then raised again step by step. (0.1 to 100000; default
     * 10)
     */
    segmentsPerSecond: number
    /** How many segments may be without an answer on each link. (1 to 1000; default 10) */
    windowSize: number
    /**
     * Seconds to wait for the answer to a segment. One that stays away leaves the outcome unknown: the message is
     * not sent again blindly. (1 to 30; default 30)
     */
    responseTimeoutSeconds: number
    /**
     * After so many quiet seconds an enquire_link is sent; two without an answer end the link. (5 to 600; default
     * 30)
     */
    enquireLinkSeconds: number
    /**
     * What data_coding 0 means at this carrier: GSM 03.38 (one character a byte), Latin-1 or ASCII. (default "gsm7")
     */
    defaultAlphabet: 'gsm7' | 'latin1' | 'ascii'
    /**
     * How texts of the GSM alphabet are sent: in the default alphabet (data_coding 0), as Latin-1 (3) or as ASCII
     * (1). A text with a character that the coding lacks goes as UCS-2 (8) where that takes no more segments,
     * otherwise it is refused. (default "default")
     */
    textCoding: 'default' | 'latin1' | 'ascii'
    /**
     * How the parts of a long message are joined: by a header with an 8-bit or 16-bit reference, by SAR parameters,
     * or sent undivided as message_payload, which the carrier divides. (default "udh8")
     */
    longMessages: 'udh8' | 'udh16' | 'sar' | 'message_payload'
    /**
     * How the time a message stays valid is sent to the carrier; none leaves it to the carrier. (default "relative")
     */
    validityPeriod: 'relative' | 'absolute' | 'none'
    /**
     * service_type; empty for the default of the carrier. (at most 5 characters; matches `^[\x20-\x7e]*$`; default
     * "")
     */
    serviceType: string
    /** Sends international numbers with their leading +; most carriers want them without. (default false) */
    plusSign: boolean
    /** source_addr_ton where the sender is an international number. (0 to 255; default 1) */
    numberTon: number
    /** source_addr_npi where the sender is an international number. (0 to 255; default 1) */
    numberNpi: number
    /** source_addr_ton where the sender is a name. (0 to 255; default 5) */
    alphanumericTon: number
    /** source_addr_npi where the sender is a name. (0 to 255; default 0) */
    alphanumericNpi: number
    /** source_addr_ton where the sender is a short code. (0 to 255; default 3) */
    shortCodeTon: number
    /** source_addr_npi where the sender is a short code. (0 to 255; default 0) */
    shortCodeNpi: number
    /** dest_addr_ton. (0 to 255; default 1) */
    destinationTon: number
    /** dest_addr_npi. (0 to 255; default 1) */
    destinationNpi: number
    /**
     * How to read numbers that come in without a country code; null: they are read as international numbers.
     * (matches `^[A-Z]{2}$`; default null)
     */
    defaultCountry: string | null
    /**
     * Which receipts to ask for. A message without one becomes unconfirmed after the time below, so anything but all
     * leaves delivered messages unconfirmed. (default "all")
     */
    receipts: 'all' | 'failures' | 'none'
    /**
     * How the id in a receipt is spelled: like in the answer (same), like there but for capitals (ignore_case), in
     * hexadecimal where the answer's is decimal, or the other way round. Leading zeros and blanks around an id never
     * matter; capitals do with same, for many carriers number in letters of both kinds. An id of zeros only is none.
     * (default "same")
     */
    receiptIds: 'same' | 'ignore_case' | 'hex_in_receipt' | 'decimal_in_receipt'
    /**
     * Whether a message that the carrier does not mark as a receipt (esm_class 0) is one where its text has the
     * whole form of one: id, submit date, done date, stat. Anyone who texts your numbers can write such a text too,
     * so switch it on only for a carrier that cannot mark them. (default false)
     */
    plainReceipts: boolean
    /**
     * Hours after which an accepted message without a receipt is unconfirmed. A later one still counts. (1 to 168;
     * default 72)
     */
    receiptTimeoutHours: number
    /**
     * Minutes that the times in receipts are ahead of UTC; 60 for Central European winter time. Receipts name no
     * zone. (-840 to 840; default 0)
     */
    clockOffsetMinutes: number
    /** What refusals of this carrier mean where it differs from SMPP 3.4. (at most 100 items; default []) */
    statuses: Array<{
      /** The command_status of the answer, in hexadecimal. (matches `^0x[0-9a-fA-F]{1,8}$`) */
      status: string
      /** retry: it was not taken and is handed over again later. refuse: trying again cannot help. */
      outcome: 'retry' | 'refuse'
      /** With refuse: the code the message fails with; message_rejected when left out. */
      code?: 'message_rejected' | 'carrier_rejected_sender' | 'unknown_subscriber' | 'landline_or_unsupported' | 'blocked_by_carrier' | 'filtered_as_spam' | 'handset_unreachable' | 'validity_expired' | 'carrier_unknown_error'
      /** With retry: how long to wait; 30 when left out. (1 to 3600) */
      retryAfterSeconds?: number
    }>
  }
  /** Names of the settings that are set but never shown. */
  secretsSet: string[]
  links: Array<{
    /** Number of the link, from 0. */
    link: number
    role: 'transceiver' | 'transmitter' | 'receiver'
    /** throttled: up, but slower because the carrier asked for that. stopped: ended in order by the server. */
    state: 'connecting' | 'up' | 'throttled' | 'down' | 'stopped'
    /** ISO 8601 in UTC, with milliseconds. */
    since: string
    /** What went wrong last; null after it went well. */
    error: string | null
    /** Since the links were opened last. */
    counters: {
      /** Segments written. */
      submitted: number
      /** Segments the carrier took. */
      accepted: number
      /** Segments it did not take for the moment. */
      throttled: number
      /** Segments it refused for good. */
      refused: number
      /** Segments written whose answer did not come in time. */
      unanswered: number
      /** Receipts that came in. */
      receipts: number
      /** Messages, or parts of messages, that came in. */
      inbound: number
      /** How often the link came up. */
      binds: number
    }
    /** ISO 8601 in UTC, with milliseconds. */
    updatedAt: string
  }>
  waiting: {
    /** Messages that wait to be handed over or are being handed over; of a very long queue, its beginning. */
    messages: number
    /** When the first of them was or is due. */
    oldestDueAt: string | null
  }
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string
}

/** As `mails.get` returns it. */
export type Mail = {
  /** Identifier, `mail_…`. */
  mailId: string
  /**
   * sent: the next server took it on, or it is kept in the outbox. unconfirmed: it was handed over and the answer
   * was lost; it is not repeated by itself.
   */
  state: 'queued' | 'sending' | 'sent' | 'delivered' | 'bounced' | 'complained' | 'suppressed' | 'canceled' | 'expired' | 'failed' | 'unconfirmed'
  /** Why, where that needs a reason: a problem code, or `kept_in_outbox` where nothing leaves. */
  code: string | null
  /** Of what sort it is. Security: its words open something, such as a reset. */
  stream: 'security' | 'transactional' | 'conversation' | 'marketing'
  /** Key of the template it was made of. */
  template: string | null
  /** Null until it first leaves. */
  from: {
    address: string
    name: string | null
  } | null
  replyTo: string | null
  /** Who gets it. */
  to: Array<{
    /** E-mail address. */
    address: string
    name: string | null
    /** What became of the mail for this one; null while it waits. */
    outcome: 'accepted' | 'rejected' | 'suppressed' | 'delivered' | 'bounced' | 'complained' | null
    /** Why, where that needs a reason. */
    code: string | null
    /** What the server said of this one. */
    reply: string | null
  }>
  /** Who gets a copy that all see. */
  cc: Array<{
    /** E-mail address. */
    address: string
    name: string | null
    /** What became of the mail for this one; null while it waits. */
    outcome: 'accepted' | 'rejected' | 'suppressed' | 'delivered' | 'bounced' | 'complained' | null
    /** Why, where that needs a reason. */
    code: string | null
    /** What the server said of this one. */
    reply: string | null
  }>
  /** Who gets a copy that nobody else sees. */
  bcc: Array<{
    /** E-mail address. */
    address: string
    name: string | null
    /** What became of the mail for this one; null while it waits. */
    outcome: 'accepted' | 'rejected' | 'suppressed' | 'delivered' | 'bounced' | 'complained' | null
    /** Why, where that needs a reason. */
    code: string | null
    /** What the server said of this one. */
    reply: string | null
  }>
  subject: string
  /** Message-ID without angle brackets; given when it first leaves. */
  messageId: string | null
  dedupeKey: string | null
  /** The lead (`lead:17`) or contact (`con_…`) that it was written to, on whose timeline it stands. */
  recordId: string | null
  /** Who had it sent; null for mails that the server sends by itself. */
  userId: number | null
  /** What it went by: `outbox`, `installation` (TANDEM_SMTP_URL), or `mtr_…`. */
  transport: string | null
  /** How often it was handed over. */
  attempts: number
  /** Of the mail as it left. */
  sizeBytes: number | null
  /** ISO 8601 in UTC, with milliseconds. */
  scheduledAt: string | null
  /** From then on it is not sent any more. */
  expiresAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  sentAt: string | null
  /** Null where its words are not kept. */
  text: string | null
  /** The same as HTML. Show it in a sandboxed frame only. */
  html: string | null
  /** Files that go with it. */
  attachments: Array<{
    fileName: string
    mediaType: string
    sizeBytes: number
  }>
  /** First to last. */
  attemptLog: Array<{
    /** From 1. */
    number: number
    /** What it was handed to: `outbox`, `installation`, `mtr_…`. */
    transport: string
    /** The server that was spoken to. */
    host: string | null
    /** ISO 8601 in UTC, with milliseconds. */
    startedAt: string
    /** ISO 8601 in UTC, with milliseconds. */
    endedAt: string | null
    /** Null while it is under way. given_back: the process ended before anything was said. */
    outcome: 'kept' | 'accepted' | 'deferred' | 'refused' | 'unconfirmed' | 'given_back' | null
    /** SMTP reply code, such as 250. */
    replyCode: number | null
    /** Enhanced status code (RFC 3463), such as 5.1.1. */
    enhancedStatus: string | null
    /** What the server said, its beginning. */
    reply: string | null
    /** Why it was not accepted: a problem code. */
    code: string | null
  }>
  /** First to last. */
  history: Array<{
    /** As in its events. */
    state: string
    /** ISO 8601 in UTC, with milliseconds. */
    at: string
    /** Why, where that needs a reason. */
    code: string | null
  }>
}

/** As `inbound_mails.get` returns it. */
export type InboundMail = {
  /** Identifier, `inm_…`. */
  inboundId: string
  /**
   * matched: it stands on the timeline of a lead or contact. unmatched: it waits for somebody to put it there.
   * ignored: it was set aside.
   */
  state: 'matched' | 'unmatched' | 'ignored'
  /** outbound: a person wrote it elsewhere, and sent a blind copy to their address here. */
  direction: 'inbound' | 'outbound'
  /** How it came: over SMTP, from a mailbox, or handed in over HTTP. */
  door: 'smtp' | 'imap' | 'http'
  /** The mailbox that it was read from, `mbx_…`. */
  mailboxId: string | null
  from: {
    address: string
    name: string | null
  } | null
  /**
   * Whether it is from whom it says, by DMARC. unverified: it failed, so the address that it came to is all that it
   * is matched by.
   */
  sender: 'verified' | 'unverified' | 'unknown'
  to: Array<{
    address: string
    name: string | null
  }>
  cc: Array<{
    address: string
    name: string | null
  }>
  subject: string
  /** Whether a machine wrote it (RFC 3834). Nothing that comes in is answered by itself. */
  isAutomatic: boolean
  /**
   * token: the address that it came to. thread: it answers a mail. sender, recipient: the one record with this
   * address. person: somebody put it there.
   */
  matchedBy: 'token' | 'thread' | 'sender' | 'recipient' | 'person' | null
  /** The lead (`lead:17`) or contact (`con_…`) on whose timeline it stands. */
  recordId: string | null
  /** The mail from here that it answers, `mail_…`. */
  answersMailId: string | null
  /** Records that it may belong to, where there are several. */
  candidates: string[]
  /** Who sent the blind copy. */
  userId: number | null
  /** Its Message-ID, without angle brackets. */
  messageId: string | null
  /** As it came. */
  sizeBytes: number
  attachments: Array<{
    /** From 1, to download it with. */
    number: number
    fileName: string
    /** As the sender says. */
    mediaType: string
    sizeBytes: number
    /** Whether it is shown within the HTML. */
    isInline: boolean
  }>
  /** As the sender says. */
  writtenAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  receivedAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string
  /** What was written, without what is quoted at the end. */
  text: string
  /** What is quoted at the end. */
  quotedText: string | null
  /** As it came. Show it in a sandboxed frame only, without scripts and addresses elsewhere. */
  html: string | null
  authentication: {
    /** Who found out; null where nothing was. */
    by: string | null
    /** pass, fail, none, … */
    dmarc: string | null
    spf: string | null
    /** Of each signature. */
    dkim: string[]
  }
  /** The record that it stands on, and those that it may belong to. */
  records: Array<{
    recordId: string
    /** lead or contact. */
    noun: string
    title: string
    /** Whether it is one of several that the mail may belong to. */
    isCandidate: boolean
  }>
}

/** As `mail_templates.get` returns it. */
export type MailTemplate = {
  /** Identifier, `mtp_…`. */
  templateId: string
  /**
   * Of a template of the server, or a new one: `invitation`. (at most 100 characters; matches
   * `^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$`)
   */
  key: string
  /** BCP 47: `de` or `de-AT`; empty for all that have no words of their own. */
  locale: string
  /** Liquid, one line. */
  subject: string
  /** The mail as plain text, in Liquid. */
  text: string
  /**
   * The same as HTML, in Liquid: a part of a page, or a whole document. Null makes it of the text. Values are
   * escaped.
   */
  html: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string
}

/** As `mail_senders.get` returns it. */
export type MailSender = {
  /** Identifier, `msn_…`. */
  senderId: string
  /** E-mail address, of letters of any script (RFC 6531); blanks around it are dropped. (at most 254 characters) */
  address: string
  /** As it stands beside the address. */
  name: string | null
  /** Where answers go; null: to the address. */
  replyTo: string | null
  /** What its mails leave by; null: by the default transport. */
  transportId: string | null
  /** Sorts of mails that it sends where nobody names a sender; taken from the sender that had them. */
  defaultFor: Array<'security' | 'transactional' | 'conversation' | 'marketing'>
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string
}

/** As `mail_domains.get` returns it. */
export type MailDomain = {
  /** Identifier, `mdo_…`. */
  domainId: string
  domain: string
  /** verified: the DNS had the DKIM key when it was last looked up. failing: it had it once. */
  status: 'pending' | 'verified' | 'failing'
  /** Rows for the DNS. */
  records: Array<{
    type: 'TXT' | 'MX'
    name: string
    /** To be copied as it is. */
    value: string
    /** What it is for. */
    purpose: 'dkim' | 'dmarc' | 'bounces'
    isRequired: boolean
    /** As last looked up; null before. */
    isThere: boolean | null
    /** What the DNS answered. */
    found: string[]
  }>
  /** ISO 8601 in UTC, with milliseconds. */
  checkedAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string
}

/** As `mail_transports.get` returns it. */
export type MailTransport = {
  /** Identifier, `mtr_…`. */
  transportId: string
  /**
   * smtp: a mail server with a password or without. smtp_oauth: one that wants an access token. outbox: nothing
   * leaves.
   */
  kind: 'outbox' | 'smtp' | 'smtp_oauth'
  name: string
  settings: {
    /** Name of the mail server. (1 to 253 characters; matches `^[^\s/@:]+$`; default null) */
    host: string | null
    /** Usually 587, or 465 with TLS. (1 to 65535; default 587) */
    port: number
    /**
     * How the connection is encrypted: after a greeting, from the first byte, or not (private addresses only).
     * (default "starttls")
     */
    security: 'starttls' | 'tls' | 'none'
    /** To log in with. (1 to 320 characters; default null) */
    user: string | null
    /** Where access tokens come from, for smtp_oauth. (1 to 2048 characters; matches `^https?://`; default null) */
    tokenUrl: string | null
    /** For smtp_oauth. (1 to 300 characters; default null) */
    clientId: string | null
    /** For smtp_oauth, such as https://outlook.office365.com/.default. (1 to 500 characters; default null) */
    scope: string | null
  }
  /** Whether a password or secret is kept; it is never shown. */
  hasSecret: boolean
  /** Whether mails leave by it whose sender names no other. */
  isDefault: boolean
  /** Whether it is used. */
  enabled: boolean
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string
}

/** As `mailboxes.get` returns it. */
export type Mailbox = {
  /** Identifier, `mbx_…`. */
  mailboxId: string
  name: string
  settings: {
    /** Name of the IMAP server. (1 to 253 characters; matches `^[^\s/@:]+$`) */
    host: string
    /** Usually 993 with TLS, or 143. (1 to 65535; default 993) */
    port: number
    /**
     * How the connection is encrypted: from the first byte, after a greeting, or not (private addresses only).
     * (default "tls")
     */
    security: 'tls' | 'starttls' | 'none'
    /** To log in with. (1 to 320 characters) */
    user: string
    /** The folder that is read. Its mails are left as they are. (1 to 200 characters; default "INBOX") */
    folder: string
    /**
     * Name of the server whose Authentication-Results are believed, as it stands in mails of this mailbox:
     * mx.example.com. Left out, DKIM and DMARC are looked up here. (1 to 253 characters; matches `^[^\s;]+$`;
     * default null)
     */
    authservId: string | null
  }
  /** Whether it is read. */
  enabled: boolean
  /**
   * waiting: nobody has read it yet. reading: new mails come within moments. failing: the last try came to nothing.
   */
  status: 'waiting' | 'reading' | 'failing'
  /** What went wrong, where something did. */
  fault: string | null
  /** Mails that came to it before are left alone. */
  readsFrom: string
  /** When it was last looked into. */
  readAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string
}

/** As `calls.get` returns it. */
export type Call = {
  /** Identifier of the call, `call_…`. */
  callId: string
  /**
   * E.164 with +; of phones that are registered here their SIP address, of those in browsers `client:<identity>`.
   * (at most 261 characters)
   */
  from: string
  /**
   * E.164 with +; of phones that are registered here their SIP address, of those in browsers `client:<identity>`.
   * (at most 261 characters)
   */
  to: string
  direction: 'outbound' | 'inbound'
  /**
   * initiated, ringing and answered are under way; completed, busy, no_answer, rejected, failed, canceled are final.
   */
  state: 'initiated' | 'ringing' | 'answered' | 'completed' | 'busy' | 'no_answer' | 'rejected' | 'failed' | 'canceled'
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** Where events of this call are sent to. */
  callbackUrl: string | null
  /** The call whose leg brought this one about. */
  parentCallId: string | null
  callerName: string | null
  /** Asked for instructions where callbackUrl does not answer. */
  fallbackUrl: string | null
  /** How long it may ring. */
  timeoutSeconds: number
  /** How long it may last after the answer. */
  timeLimitSeconds: number
  /** The trunk it goes by, or went by last. */
  trunkId: string | null
  /**
   * Whether the simulator carried it, so that no telephone rang: nothing to be charged for, in live mode neither.
   */
  simulated: boolean
  /** The call it talks with, or talked with last. */
  bridgedTo: string | null
  tags: string[]
  metadata: Record<string, string>
  /** Whether audio came before the answer (an announcement, a tone). */
  earlyMedia: boolean
  /** Who answered, where that is known. */
  answeredBy: 'human' | 'machine' | null
  /** Why the call ended. */
  hangupCause: HangupCause
  /** Who ended it. */
  hangupBy: 'caller' | 'callee' | 'api' | 'system' | 'carrier' | null
  /**
   * What came of it, as the person who had it says. answered: they talked; voicemail: a message was left; no_answer,
   * busy, wrong_number: nobody was reached; call_back: they want to be called again; not_interested: they want
   * nothing.
   */
  outcome: 'answered' | 'voicemail' | 'no_answer' | 'busy' | 'wrong_number' | 'call_back' | 'not_interested' | null
  /** The user who said what came of it. */
  outcomeBy: number | null
  /** ISO 8601 in UTC, with milliseconds. */
  outcomeAt: string | null
  /** The problem the call ended with, as in GET /v2/problems; null when it went well. */
  errorCode: string | null
  /** Final SIP status of the remote party. */
  sipCode: number | null
  /** Cause of release by ITU-T Q.850. */
  q850: number | null
  /** Seconds from the first ring to the answer or the end. */
  ringSeconds: number | null
  /** Seconds from creation to the end. */
  durationSeconds: number | null
  /** Seconds from answer to end, each one started counts; 0 without an answer. */
  billableSeconds: number | null
  /**
   * What it cost, a decimal: minutes between answer and end, each one started counts, by the cost of the route of
   * its trunk. Null until it is over, or where nobody is paid.
   */
  price: string | null
  /** Currency of the price, ISO 4217. */
  currency: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  dialedAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  ringingAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  answeredAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  endedAt: string | null
  /**
   * The list the call carries out, or carried out last: that of its creation or of its number, or one that a
   * callback or a command brought in its place. Passwords and secret digits are dots. (1 to 100 items)
   */
  instructions: Instruction[] | null
  /** Oldest first; null for who lacks recordings:read. */
  recordings: Array<{
    /** Identifier of the recording, `rec_…`. */
    recordingId: string
    /** available can be heard; deleted, absent and failed have no audio. */
    state: 'recording' | 'paused' | 'processing' | 'available' | 'absent' | 'failed' | 'deleted'
    /** Length of the sound in milliseconds, without pauses. */
    durationMs: number | null
    /** Why it failed, as in GET /v2/problems. */
    errorCode: string | null
  }> | null
  history: Array<{
    /** Counts the events of the call, from 1. */
    sequence: number
    /** What happened, as in events: `call.ringing`. */
    type: string
    /** ISO 8601 in UTC, with milliseconds. */
    at: string
    /**
     * initiated, ringing and answered are under way; completed, busy, no_answer, rejected, failed, canceled are
     * final.
     */
    state: 'initiated' | 'ringing' | 'answered' | 'completed' | 'busy' | 'no_answer' | 'rejected' | 'failed' | 'canceled'
    /** What belongs to this event only: the digit typed, the trunk that refused. */
    details: Record<string, unknown> | null
  }>
  /** With expand=events only: every event whole. */
  events?: Array<{
    /** Identifier of the event, `evt_…`: the webhook-id of its deliveries. */
    id: string
    type: string
    /** ISO 8601 in UTC, with milliseconds. */
    at: string
    /** Counts the events of the call, from 1. */
    sequence: number
    /** The call as it was then, with previousState, details and occurredAt. */
    data: Record<string, unknown>
  }>
}

/** As `conferences.get` returns it. */
export type Conference = {
  /** Identifier of the conference, `conf_…`. */
  conferenceId: string
  /** As the instruction names it. Only one conference of a name is under way. */
  name: string
  /** init: all who are in wait for somebody with whom it starts; active: they hear each other; ended. */
  state: 'init' | 'active' | 'ended'
  /** How many calls are in it now. */
  participantCount: number
  /** empty: the last one left; host_left: somebody with endOnExit left; node_lost: its process died. */
  endReason: 'empty' | 'host_left' | 'node_lost' | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  startedAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  endedAt: string | null
  participants: Array<{
    /** The call, `call_…`. */
    callId: string
    /** Whether nobody hears it. */
    muted: boolean
    /** Whether it neither hears nor is heard. */
    held: boolean
    /** The call that alone hears it. */
    coach: string | null
    /** ISO 8601 in UTC, with milliseconds. */
    joinedAt: string
    /** ISO 8601 in UTC, with milliseconds. */
    leftAt: string | null
    /** Why it left: hangup, a key, the time limit, removed by a request, or its end. */
    leftReason: 'left' | 'key' | 'timeout' | 'removed' | 'ended' | 'hangup' | 'node_lost' | null
    /** Of the call, as Tandem sees it. */
    direction: 'outbound' | 'inbound'
    /** Who calls, in the call. */
    from: string
    /** Who is called, in the call. */
    to: string
  }>
  /** Whether others left before those who are listed. */
  othersLeft: boolean
}

/** As `numbers.voice.get` returns it. */
export type Voice = {
  /** Identifier of the number, `num_…`. */
  numberId: string
  /** E.164 with +. */
  number: string
  /** Asked for instructions when a call comes in (reason received), and sent the events of the call; https. */
  callbackUrl: string | null
  /** Asked where callbackUrl does not answer, or answers with something else than instructions. */
  fallbackUrl: string | null
  /**
   * Carried out when a call comes in and no callbackUrl is set, or neither it nor fallbackUrl answers. See
   * docs/call_instructions.md. Passwords are shown as dots. (1 to 100 items)
   */
  instructions: Instruction[] | null
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string | null
}

/** As `recordings.get` returns it. */
export type Recording = {
  /** Identifier of the recording, `rec_…`. */
  recordingId: string
  /** The call that was recorded, `call_…`. */
  callId: string
  /**
   * recording, paused and processing are under way; available can be heard; absent (nothing was recorded), failed
   * and deleted have no media.
   */
  state: 'recording' | 'paused' | 'processing' | 'available' | 'absent' | 'failed' | 'deleted'
  /** mono: both parties on one channel; dual: the caller on the left, the callee on the right. */
  channels: 'mono' | 'dual'
  /** Length of the sound in milliseconds, without pauses. */
  durationMs: number | null
  /** Length of the WAV file in bytes. */
  sizeBytes: number | null
  /** SHA-256 of the WAV file, in hexadecimal. */
  sha256: string | null
  /** Path of the WAV file below the address of the API; null while there is none. */
  mediaUrl: string | null
  /** Why it failed, as in GET /v2/problems. */
  errorCode: string | null
  /** Named texts given with the instruction to record. */
  metadata: Record<string, string>
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  startedAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  endedAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  availableAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  deletedAt: string | null
}

/** As `trunks.get` returns it. */
export type Trunk = {
  trunkId: string
  /** sip: a carrier that speaks SIP. asterisk: an Asterisk, steered over ARI. Cannot be changed later. */
  kind: 'sip' | 'asterisk'
  name: string
  /** Whether the trunk is watched, registered where it asks for that, and used. */
  enabled: boolean
  /**
   * up: it answers, and is registered where the settings ask for that; an Asterisk reports its calls. registering:
   * the first registration is under way. unregistered: the carrier refused the registration, or it ran out. down: no
   * answer. unknown: not asked yet, or no process of the server carries calls now.
   */
  state: 'up' | 'down' | 'registering' | 'unregistered' | 'disabled' | 'unknown'
  /** Since when it is in this state; null when that is not known. */
  since: string | null
  /** What went wrong last; null after it went well. */
  error: string | null
  /** Since the trunk was set up last. */
  counters: {
    /** Calls started, in both directions. */
    calls: number
    /** Those that the carrier refused or lost; a busy line is none. */
    failed: number
    /** Calls under way. */
    active: number
  }
  /** Where the trunk takes calls to. (at most 1000 items) */
  routes: Array<{
    /**
     * Start of the called number, such as +49; empty for every destination. The longest that fits counts. (matches
     * `^(?:\+(?:[1-9]\d{0,14})?)?$`)
     */
    prefix: string
    /**
     * Of trunks with prefixes of the same length, the one with the lower number goes first. (1 to 1000; default 10)
     */
    priority: number
    /** Trunks with the same prefix and priority share the calls in this proportion. (1 to 1000; default 1) */
    weight: number
    /**
     * Of one minute, in the currency of the trunk: what a call is priced with, and what counts against dailySpend of
     * destination policies. It changes no routing. (matches `^\d{1,6}(?:\.\d{1,6})?$`; default "0")
     */
    cost: string
  }>
  /** Currency of the costs. (matches `^[A-Z]{3}$`) */
  currency: string
  /** Settings of its kind, without secrets. */
  settings: {
    /**
     * Of an Asterisk: the address of its HTTP server, such as https://asterisk.example.com:8089, without /ari. A
     * private address must be allowed by the operator, and is the only one that http goes to. (at most 500
     * characters; matches `^https?://[^\s/?#@]+(?:/[^\s?#@]*)?$`)
     */
    url?: string
    /**
     * The account at the carrier. null where the carrier knows this server by its address. (at most 128 characters;
     * matches `^[^\s@<>":;?,\\\x00-\x1f\x7f]+$`)
     */
    username?: string | null
    /**
     * Of an Asterisk: what is dialled, with {number} for the called number: PJSIP/{number}@carrier, or
     * Local/{number}@outgoing for a dialplan of your own. (at most 200 characters; matches
     * `^[A-Za-z0-9]+/[^\s{}]*\{number\}[^\s{}]*$`)
     */
    endpoint?: string
    /**
     * Of an Asterisk: the name that its dialplan gives calls to, Stasis(tandem). No two trunks and no other program
     * may use the same at one Asterisk. (at most 40 characters; matches `^[A-Za-z0-9_.-]+$`)
     */
    application?: string
    /**
     * Of an Asterisk: takes only calls that come from this context of the dialplan; null: from any. (at most 80
     * characters; matches `^[^\s,]+$`)
     */
    inboundContext?: string | null
    /** e164: +4930123456. digits: 4930123456. national: as dialled in the country below, 030123456. */
    numberFormat?: 'e164' | 'digits' | 'national'
    /**
     * The country of national numbers, and how to read numbers that come in without a country code; null: they are
     * read as international ones. (matches `^[A-Z]{2}$`)
     */
    numberCountry?: string | null
    /** Also shows numbers that are not of the organization, where the contract with the carrier allows it. */
    foreignCallerIds?: boolean
    /** Of an Asterisk: the sound between it and this server. It translates to what its carrier speaks. */
    codec?: 'PCMU' | 'PCMA'
    /**
     * Of an Asterisk: the address of this server that it sends the audio of calls to; null: the one that leads to
     * it. (at most 45 characters; matches `^[0-9A-Fa-f:.]+$`)
     */
    mediaAddress?: string | null
    /** How many calls are started each second; more wait. (0.1 to 1000) */
    callsPerSecond?: number
    /**
     * In both directions together. More outbound calls wait, more inbound ones are answered with a request to try
     * again. (1 to 10000)
     */
    concurrentCalls?: number
    /**
     * Of an Asterisk: seconds between questions that show whether it is there and still reports calls. (2 to 3600)
     */
    pingSeconds?: number
    /** How SIP travels. tls encrypts it; without it everybody on the way can read who calls whom. */
    transport?: 'udp' | 'tcp' | 'tls'
    /**
     * The carrier's SIP server: a name or an IP address. A private address must be allowed by the operator. (1 to
     * 253 characters; matches `^(?:[A-Za-z0-9._-]+|[0-9A-Fa-f:.]+)$`)
     */
    host?: string
    /** null: what DNS says of the host (SRV), otherwise 5060, with TLS 5061. (1 to 65535) */
    port?: number | null
    /**
     * Where everything is sent in place of the host, with or without a port; null: to the host. (at most 260
     * characters; matches `^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::[1-9]\d{0,4})?$`)
     */
    outboundProxy?: string | null
    /** With TLS: refuses a server whose certificate is not valid for the host. */
    tlsVerify?: boolean
    /**
     * With TLS: certificates in PEM form to trust instead of the usual ones; null: the usual ones. (at most 20000
     * characters; matches `-----BEGIN CERTIFICATE-----`)
     */
    tlsCa?: string | null
    /**
     * Where the carrier wants another name together with the password; null: the user name. (at most 128 characters;
     * matches `^[^\x00-\x1f\x7f]+$`)
     */
    authUsername?: string | null
    /**
     * What stands behind the @ of called numbers and of the registration; null: the host. (at most 253 characters;
     * matches `^(?:[A-Za-z0-9._-]+|[0-9A-Fa-f:.]+)$`)
     */
    domain?: string | null
    /**
     * What stands in From where the caller id is in another header; null: the caller id there too. (at most 128
     * characters; matches `^[^\s@<>":;?,\\\x00-\x1f\x7f]+$`)
     */
    fromUser?: string | null
    /**
     * What stands behind the @ of From; null: the domain. (at most 253 characters; matches
     * `^(?:[A-Za-z0-9._-]+|[0-9A-Fa-f:.]+)$`)
     */
    fromDomain?: string | null
    /** Registers the user name at the carrier, so that it knows where to send calls. Needs a user name. */
    register?: boolean
    /** Seconds asked for; the carrier may give fewer. Renewed when four fifths have passed. (60 to 86400) */
    registerSeconds?: number
    /**
     * Addresses and ranges calls come in from, such as 203.0.113.0/24. Empty: those of the host and the outbound
     * proxy. (at most 200 items)
     */
    sourceAddresses?: string[]
    /**
     * Asks callers for this name and the password below; null: the source address is enough. (at most 128
     * characters; matches `^[^\x00-\x1f\x7f]+$`)
     */
    inboundUsername?: string | null
    /**
     * Anyone who talks by this trunk may have the organization call somebody else and leave (SIP REFER), at its
     * cost. Leave it off for a carrier; turn it on for a telephone system of your own.
     */
    allowTransfers?: boolean
    /** Where the carrier looks for the number to show: From, P-Asserted-Identity or Remote-Party-ID. */
    callerIdIn?: 'from' | 'p_asserted_identity' | 'remote_party_id'
    /**
     * In the order they are offered. PCMU is usual in America and Japan, PCMA elsewhere. (1 to 2 items; no item
     * twice)
     */
    codecs?: Array<'PCMU' | 'PCMA'>
    /**
     * preferred: SRTP is offered, and plain sound to who refuses that. required: a call without SRTP fails. The keys
     * travel in SIP, so only with tls they are a secret; with both the call is encrypted up to the carrier.
     */
    srtp?: 'off' | 'preferred' | 'required'
    /** How pressed keys are sent: as telephone events beside the sound (RFC 4733) or as SIP INFO. */
    digits?: 'rfc4733' | 'info'
    /** Seconds a phone rings at most; a call may ask for less. (5 to 600) */
    ringSeconds?: number
    /** Seconds between questions (OPTIONS) that show whether the trunk is up. (5 to 3600) */
    optionsSeconds?: number
    /** A call whose remote party does not confirm it within so many seconds is ended (RFC 4028). (90 to 86400) */
    sessionExpiresSeconds?: number
  }
  /** Names of the settings that are set but never shown. */
  secretsSet: string[]
  /** What works, but not as safely as it looks. */
  warnings: Array<{
    /** Name of the setting. */
    field: string
    /** What is not safe about it, and the remedy. */
    message: string
  }>
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string
}

/** As `sip_credentials.get` returns it. */
export type SipCredential = {
  /** Identifier of the credential, `sipc_…`. */
  credentialId: string
  /**
   * Name of the phone within the organization, such as reception or 101: other phones of the organization dial it.
   * It cannot be changed later.
   */
  username: string
  /** Name that is shown to who is called. */
  displayName: string | null
  /** Number of the organization that calls of the phone are made from, in E.164 with +; it must make calls. */
  callerId: string | null
  /**
   * Asked for instructions when the phone calls (reason received), and sent the events of those calls; https. Null:
   * what was dialled is dialled.
   */
  callbackUrl: string | null
  /**
   * Carried out when the phone calls and no callbackUrl is set, or it does not answer, in the place of dialling what
   * was dialled. See docs/call_instructions.md. Passwords are shown as dots. (1 to 100 items)
   */
  instructions: Instruction[] | null
  /** What to type into the phone, beside the password. A realm is not needed. */
  phone: {
    /** Server (registrar): host, with its port where that is not 5060. */
    server: string
    /** SIP domain, where the phone asks for one. */
    domain: string
    /** User name, and authentication name: username, a dot, live or test, and the number of the organization. */
    username: string
    /** The SIP address that the phone is called by. */
    address: string
    /** Ways to the server; TLS at a port of its own. */
    transports: Array<'udp' | 'tcp' | 'tls'>
    /** Port of TLS; null where the server has no certificate. */
    tlsPort: number | null
  }
  /** Phones that are registered now. All of them ring. */
  registrations: Array<{
    /** Where the phone says that it is. */
    contact: string
    /** Where it registered from, as the server sees it. */
    source: string
    /** What the phone calls itself. */
    userAgent: string | null
    /** ISO 8601 in UTC, with milliseconds. */
    registeredAt: string
    /** ISO 8601 in UTC, with milliseconds. */
    expiresAt: string
  }>
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string
}

/** As `conversations.get` returns it. */
export type Conversation = {
  /** Identifier, `cnv_…`. */
  conversationId: string
  /** Who it is with. */
  party: {
    /** Unknown: an address that belongs to nobody. */
    kind: 'lead' | 'contact' | 'unknown'
    /** The lead (`lead:17`) or contact (`con_…`). */
    recordId: string | null
    /** Name of the person; of an unknown one the address. */
    name: string
    /** Who owns the record. */
    ownerId: number | null
  }
  /** Where they write and call from. */
  addresses: Array<{
    channel: 'phone' | 'mail'
    /** Telephone number in E.164, or e-mail address. */
    address: string
  }>
  /** Snoozed ones are open again at snoozedUntil. What comes in opens snoozed and closed ones. */
  state: 'open' | 'snoozed' | 'closed'
  /** ISO 8601 in UTC, with milliseconds. */
  snoozedUntil: string | null
  assignee: {
    /** Identifier. (at least 1) */
    userId: number
    /** Name of the person. */
    name: string
  } | null
  team: {
    teamId: string
    name: string
  } | null
  /** When the oldest text, missed call, voicemail or mail came in that nobody answered; null when nothing waits. */
  waitingSince: string | null
  lastActivity: {
    /** Identifier of the item. */
    itemId: string
    /** What it is. */
    kind: 'text' | 'call' | 'voicemail' | 'mail' | 'note' | 'event'
    /** Inbound came from the person; null of notes. */
    direction: 'inbound' | 'outbound' | null
    /**
     * Of a mail that came in: whether it is from whom it says, by DMARC. unverified: anybody may have written it.
     */
    sender: 'verified' | 'unverified' | 'unknown' | null
    /** ISO 8601 in UTC, with milliseconds. */
    at: string
    /** How its words begin, or what happened: `Missed call`; empty where the caller may not read such items. */
    preview: string
  }
  /** Whether there is something that the caller has not read. */
  unread: boolean
  /** Whether a note mentions the caller. */
  mentioned: boolean
  /** Who is mentioned in notes. */
  participants: Array<{
    /** Identifier. (at least 1) */
    userId: number
    /** Name of the person. */
    name: string
  }>
  /** Who else looks at it or writes an answer, at this moment. */
  presence: Array<{
    /** Identifier. (at least 1) */
    userId: number
    /** Name of the person. */
    name: string
    /** Whether they look at the conversation, or write an answer. */
    state: 'viewing' | 'composing'
    /** When they began. */
    since: string
    /** They are gone from then on, unless they say it again. */
    expiresAt: string
  }>
  /** Counts up with each change by people. */
  version: number
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string
  /** How the caller can answer them; null where they cannot. */
  reply: {
    text: {
      /**
       * The number or sender id of the organization that the last text was exchanged with; null when none is known:
       * name one in `from`.
       */
      from: string | null
      /** The number that is texted. */
      to: string
    } | null
    mail: {
      /** The address that is written to. */
      to: string
      /** Of the mail that is answered; null when there is none: name a subject. */
      subject: string | null
      /** The mail that is answered, `inm_…`. */
      answersInboundId: string | null
    } | null
  }
  /** Kinds of items that the caller may not read. */
  leftOut: Array<{
    kind: 'text' | 'call' | 'recording' | 'mail' | 'note'
    /** What one needs to see these. */
    permission: string
  }>
}

/** As `home.get` returns it. */
export type Home = {
  /** The day where the organization is. */
  today: string
  /** When yesterday began: `news` is what happened since. */
  since: string
  /** When the week began, on Monday. */
  weekSince: string
  waiting: {
    /** Leads that are New, and one's own or nobody's; the newest first. */
    leads: {
      /** How many there are; beyond 1,000 they are not counted. (at least 0) */
      count: number
      items: Array<{
        /** Identifier. (at least 1) */
        leadId: number
        name: string
        company: string | null
        phone: string | null
        priority: string
        /** False while nobody owns it. */
        isMine: boolean
        /** ISO 8601 in UTC, with milliseconds. */
        createdAt: string
      }>
    } | null
    /** Open conversations that nobody answered, as far as one sees them; who waits longest first. */
    conversations: {
      /** How many there are; beyond 1,000 they are not counted. (at least 0) */
      count: number
      items: ConversationsListItem[]
    } | null
    /** One's own open tasks, those longest due first. */
    tasks: {
      /** How many are due by the end of today. (at least 0) */
      count: number
      /** How many of them were due by now. (at least 0) */
      overdue: number
      items: Array<{
        taskId: string
        title: string
        priority: string
        /** Calendar date, YYYY-MM-DD. */
        dueOn: string | null
        /** ISO 8601 in UTC, with milliseconds. */
        dueAt: string
        /** What it is about, where one sees that. */
        record: {
          kind: string
          id: string
          name: string
        } | null
      }>
    } | null
    /** What is owed, by currency; those longest due by name. */
    invoices: {
      overdue: Array<{
        /** ISO 4217 code. */
        currency: string
        /** How many. (at least 0) */
        invoices: number
        /** In the major unit of the currency. */
        amount: number
      }>
      /** Due within 7 days. */
      dueSoon: Array<{
        /** ISO 4217 code. */
        currency: string
        /** How many. (at least 0) */
        invoices: number
        /** In the major unit of the currency. */
        amount: number
      }>
      /** How many are not sent yet. (at least 0) */
      drafts: number
      items: Array<{
        /** Identifier. (at least 1) */
        invoiceId: number
        number: string
        customer: string
        amountDue: number
        currency: string
        /** Calendar date, YYYY-MM-DD. */
        dueDate: string
        isOverdue: boolean
      }>
    } | null
  }
  news: {
    leadsCreated: {
      /** How many. (at least 0) */
      count: number
      items: Array<{
        /** Identifier. (at least 1) */
        leadId: number
        name: string
        /** ISO 8601 in UTC, with milliseconds. */
        at: string
      }>
    } | null
    leadsWon: {
      /** How many. (at least 0) */
      count: number
      items: Array<{
        /** Identifier. (at least 1) */
        leadId: number
        name: string
        /** ISO 8601 in UTC, with milliseconds. */
        at: string
      }>
    } | null
    paymentsReceived: {
      sums: Array<{
        /** ISO 4217 code. */
        currency: string
        /** How many. (at least 0) */
        invoices: number
        /** In the major unit of the currency. */
        amount: number
      }>
      items: Array<{
        /** Identifier. (at least 1) */
        invoiceId: number
        number: string
        customer: string
        amount: number
        currency: string
      }>
    } | null
    invoicesOverdue: {
      sums: Array<{
        /** ISO 4217 code. */
        currency: string
        /** How many. (at least 0) */
        invoices: number
        /** In the major unit of the currency. */
        amount: number
      }>
      items: Array<{
        /** Identifier. (at least 1) */
        invoiceId: number
        number: string
        customer: string
        amount: number
        currency: string
      }>
    } | null
    /** Texts that came in. (at least 0) */
    textsReceived: number | null
    /** Calls either way. (at least 0) */
    calls: number | null
  }
  numbers: {
    leadsCreated: {
      /** This week, since Monday. */
      now: number
      /** In the week before, by the same moment. */
      before: number
    } | null
    leadsWon: {
      /** This week, since Monday. */
      now: number
      /** In the week before, by the same moment. */
      before: number
    } | null
    calls: {
      /** This week, since Monday. */
      now: number
      /** In the week before, by the same moment. */
      before: number
    } | null
    textsSent: {
      /** This week, since Monday. */
      now: number
      /** In the week before, by the same moment. */
      before: number
    } | null
    textsReceived: {
      /** This week, since Monday. */
      now: number
      /** In the week before, by the same moment. */
      before: number
    } | null
    payments: Array<{
      currency: string
      /** This week, since Monday. */
      now: number
      /** In the week before, by the same moment. */
      before: number
    }> | null
  }
  /** How far the organization is set up; null is what is for others to do. */
  begun: {
    /** Whether there is a lead. */
    leads: boolean | null
    /** Whether anybody else is in the organization, or invited. */
    people: boolean | null
    /** Whether a carrier is connected; null in test mode, where the simulator carries. */
    carriers: boolean | null
    /** Whether there is an invoice. */
    invoices: boolean | null
  }
}

/** As `status.get` returns it. */
export type Status = {
  /** ISO 8601 in UTC, with milliseconds. */
  checkedAt: string
  /** The worst of the findings: ok, warning (look at it soon), failing (something does not work now). */
  state: 'ok' | 'warning' | 'failing'
  /** What asks for somebody, the most general first. */
  findings: Array<{
    code: Code
    severity: 'warning' | 'failing'
    /** What it is about: the id of a carrier, the name of a queue, … */
    id: string | null
    /** Its name for people. */
    subject: string | null
  }>
  /** That of the server that answers. */
  version: string
  /** Processes of the server. */
  nodes: Array<{
    roles: string[]
    version: string
    /** ISO 8601 in UTC, with milliseconds. */
    startedAt: string
    /**
     * Silent: no sign of life for 45 seconds, without having ended in order. It was killed, or its machine is away.
     */
    state: 'live' | 'silent'
  }>
  queues: Array<{
    /** messages, mails, webhooks, calls, recordings, imports. */
    queue: string
    /** What waits, later work included. (at least 0) */
    waiting: number
    /** What is due and not done yet. (at least 0) */
    due: number
    /** Since when the oldest of it is due. */
    oldestDueAt: string | null
    /** Due for more than two minutes. */
    isLate: boolean
    /** More than 10,000 rows: counts are estimated. */
    isEstimate: boolean
  }>
  carriers: Array<{
    carrierId: string
    name: string
    kind: string
    state: 'up' | 'degraded' | 'throttled' | 'connecting' | 'down' | 'disabled'
    /** ISO 8601 in UTC, with milliseconds. */
    since: string | null
    /** Why it is not up. */
    error: string | null
  }>
  trunks: Array<{
    trunkId: string
    name: string
    kind: string
    state: 'up' | 'down' | 'registering' | 'unregistered' | 'disabled' | 'unknown'
    /** ISO 8601 in UTC, with milliseconds. */
    since: string | null
    /** Why it is not up. */
    error: string | null
  }>
  webhooks: {
    /** How many are switched on. (at least 0) */
    enabled: number
    /** Those that fail, or are switched off. */
    troubled: Array<{
      webhookId: string
      url: string
      /** Why it is switched off; null while it is on. */
      disabledReason: 'request' | 'gone' | 'failing' | null
      /** ISO 8601 in UTC, with milliseconds. */
      failingSince: string | null
      error: string | null
    }>
  }
  mail: {
    transports: Array<{
      transportId: string
      name: string
      kind: string
      enabled: boolean
      isDefault: boolean
    }>
    mailboxes: Array<{
      mailboxId: string
      name: string
      status: 'waiting' | 'reading' | 'failing'
      fault: string | null
    }>
  }
  storage: Array<{
    kind: 'recordings' | 'attachments'
    /** How many files. (at least 0) */
    files: number
    /** Their size. (at least 0) */
    bytes: number
    /** Only 20,000 files were counted; there are more. */
    isMore: boolean
  }>
}

/** As `operator_status.get` returns it. */
export type OperatorStatus = {
  /** ISO 8601 in UTC, with milliseconds. */
  checkedAt: string
  /** The worst of the findings: ok, warning (look at it soon), failing (something does not work now). */
  state: 'ok' | 'warning' | 'failing'
  /** What asks for somebody, the most general first. */
  findings: Array<{
    code: Code
    severity: 'warning' | 'failing'
    /** What it is about: the id of a carrier, the name of a queue, … */
    id: string | null
    /** Its name for people. */
    subject: string | null
  }>
  /** Processes of the server; one that was killed is listed for a day. */
  nodes: Array<{
    nodeId: string
    host: string
    pid: number
    version: string
    /** That of Node.js. */
    runtime: string
    roles: string[]
    /** ISO 8601 in UTC, with milliseconds. */
    startedAt: string
    /** ISO 8601 in UTC, with milliseconds. */
    lastSeenAt: string
    /**
     * Silent: no sign of life for 45 seconds, without having ended in order. It was killed, or its machine is away.
     */
    state: 'live' | 'silent'
    disks: Array<{
      /** What is there: data, recordings, wal_archive. */
      folder: string
      /** Room that is left. (at least 0) */
      freeBytes: number
      /** Size of the disk. (at least 0) */
      sizeBytes: number
    }>
  }>
  queues: Array<{
    /** messages, mails, webhooks, calls, recordings, imports. */
    queue: string
    /** What waits, later work included. (at least 0) */
    waiting: number
    /** What is due and not done yet. (at least 0) */
    due: number
    /** Since when the oldest of it is due. */
    oldestDueAt: string | null
    /** Due for more than two minutes. */
    isLate: boolean
    /** More than 10,000 rows: counts are estimated. */
    isEstimate: boolean
  }>
  /** Links of carriers and trunks that are switched on, of all organizations. */
  links: Array<{
    noun: 'carrier' | 'trunk'
    kind: string
    state: string
    /** How many links of carriers, or trunks. (at least 0) */
    links: number
  }>
  /** Those that are down, 100 at most, the longest first. */
  downLinks: Array<{
    noun: 'carrier' | 'trunk'
    id: string
    organizationId: number
    mode: 'live' | 'test'
    state: string
    /** ISO 8601 in UTC, with milliseconds. */
    since: string | null
  }>
  calls: Array<{
    engine: string
    /** Calls under way. (at least 0) */
    calls: number
  }>
  database: {
    version: string
    /** The newest migration. */
    schema: string
    /** On disk. (at least 0) */
    sizeBytes: number
    /** Open, of all programs. (at least 0) */
    connections: number
    maxConnections: number
    /** Of the oldest row, in transactions: near two thousand million PostgreSQL takes no writes. (at least 0) */
    transactionAge: number
    /** Since the statistics were reset. (at least 0) */
    deadlocks: number
    /** Share of blocks that were found in memory, 0 to 1. */
    cacheHitShare: number | null
    settings: Array<{
      name: string
      value: string
    }>
  }
  /** The last one that succeeded; null where none is known of. */
  backup: {
    /** ISO 8601 in UTC, with milliseconds. */
    finishedAt: string
    sizeBytes: number | null
  } | null
  /**
   * Archived WAL of the embedded database: the moments that it can be restored to, and what waits. Null where none
   * is archived.
   */
  archive: {
    /** ISO 8601 in UTC, with milliseconds. */
    earliest: string | null
    /** ISO 8601 in UTC, with milliseconds. */
    latest: string | null
    /** ISO 8601 in UTC, with milliseconds. */
    lastBaseBackupAt: string | null
    /** Segments that are finished and not archived. (at least 0) */
    waiting: number
    /** ISO 8601 in UTC, with milliseconds. */
    waitingSince: string | null
  } | null
}

/** As `requests.get` returns it. */
export type RequestLogEntry = {
  /** The X-Request-Id of the answer. */
  requestId: string
  /** ISO 8601 in UTC, with milliseconds. */
  at: string
  method: string
  /** As it was sent, without the query. */
  path: string
  /** The endpoint in the catalog; null when there is none. */
  endpointId: string | null
  status: number
  durationMs: number
  /** The code of the refusal. */
  problem: string | null
  userId: number | null
  /** The API key used; null for an access token. */
  keyId: string | null
  /** Client address. */
  ip: string | null
  /** The portal on its own behalf, the Playground of the portal, or anything else: `api`. */
  source: 'api' | 'playground' | 'portal'
  /** What it made or touched: an id such as msg_…, or lead:12, invoice:5, user:3. */
  resourceId: string | null
  /** The query as it was sent; secrets are "[redacted]". */
  query: string | null
  /** Content-Type, Accept, Idempotency-Key, If-Match and User-Agent, as far as they were sent. */
  requestHeaders: Record<string, string> | null
  /** The body as JSON text; secrets are "[redacted]". At most 8 KiB, so it may be cut. */
  requestBody: string | null
  /** Of a refusal, the answer as JSON text. */
  responseBody: string | null
  /** Why something is missing or cut. */
  bodyNote: string | null
}

/** As `environments.get` returns it. */
export type Environment = {
  /** Identifier, `env_…`. */
  environmentId: string
  name: string
  /** In which mode it is offered; null: in both. */
  mode: 'live' | 'test' | null
  /** In the order in which they are shown. (at most 100 items) */
  variables: Array<{
    /** As it is written between braces: `leadId` of `{{leadId}}`. (matches `^[A-Za-z_][A-Za-z0-9_.-]{0,63}$`) */
    name: string
    /** Null of a secret one: its value is never kept here. (at most 8192 characters) */
    value: string | null
    /** Whether each person fills it in for themselves, in the page: its value is never kept here. */
    secret: boolean
  }>
  /** Whether everybody in the organization sees it, or its owner alone. */
  shared: boolean
  owner: {
    /** Identifier. (at least 1) */
    userId: number
    name: string
  }
  /** Whether the caller may change it. */
  mayChange: boolean
  /** For If-Match. */
  version: number
  /** Who changed it last. */
  updatedBy: {
    /** Identifier. (at least 1) */
    userId: number
    name: string
  }
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string
}

/** As `collections.get` returns it. */
export type Collection = {
  /** Identifier, `col_…`. */
  collectionId: string
  name: string
  description: string
  /** In their order. */
  folders: Array<{
    /** Identifier, `fld_…`. */
    folderId: string
    name: string
  }>
  /** How many requests it holds. */
  requestCount: number
  /** Whether everybody in the organization sees it, or its owner alone. */
  shared: boolean
  owner: {
    /** Identifier. (at least 1) */
    userId: number
    name: string
  }
  /** Whether the caller may change it. */
  mayChange: boolean
  /** For If-Match. */
  version: number
  /** Who changed it last. */
  updatedBy: {
    /** Identifier. (at least 1) */
    userId: number
    name: string
  }
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string
}

/** As `saved_requests.get` returns it. */
export type SavedRequest = {
  /** Identifier, `srq_…`. */
  requestId: string
  collectionId: string
  /** Null: in no folder. */
  folderId: string | null
  /** Orders the requests of a folder. */
  position: number
  name: string
  method: string
  path: string
  pathValues: Array<{
    name: string
    value: string
  }>
  /** Query parameters. (at most 100 items) */
  query: Array<{
    /** (at most 8192 characters) */
    name: string
    /** (at most 8192 characters) */
    value: string
    /** Whether it is sent. */
    enabled: boolean
  }>
  /** Headers; never with a credential. (at most 100 items) */
  headers: Array<{
    /** (at most 8192 characters) */
    name: string
    /** (at most 8192 characters) */
    value: string
    /** Whether it is sent. */
    enabled: boolean
  }>
  body: string
  /** What is asked of the answer. (at most 30 items) */
  tests: Array<{
    /** What is looked at: the status, the time in milliseconds, a header, or a value of the JSON. */
    subject: 'status' | 'time' | 'header' | 'json'
    /**
     * The name of the header, or the JSON Pointer (RFC 6901) of the value: `/data/0/id`. Empty for the rest. (at
     * most 1024 characters)
     */
    target: string
    /**
     * status: equals, one_of. time: below. header: exists, equals, contains. json: these and count (how many items
     * or fields).
     */
    operator: 'equals' | 'one_of' | 'below' | 'exists' | 'contains' | 'count'
    /** What it is compared with; may name variables. Empty for exists. (at most 8192 characters) */
    value: string
  }>
  /** Variables that a run takes from the answer, for the requests after it. (at most 20 items) */
  captures: Array<{
    /** As it is written between braces: `leadId` of `{{leadId}}`. (matches `^[A-Za-z_][A-Za-z0-9_.-]{0,63}$`) */
    name: string
    /** JSON Pointer (RFC 6901) of the value. (at most 1024 characters; matches `^(/.*)?$`) */
    pointer: string
  }>
  /** For If-Match. */
  version: number
  /** Who changed it last. */
  updatedBy: {
    /** Identifier. (at least 1) */
    userId: number
    name: string
  }
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string
}

/** As `catalog.get` returns it. */
export type CatalogEntry = {
  id: string
  version: 'v1' | 'v2' | 'oauth'
  category: 'Authentication' | 'User' | 'Organization' | 'CRM' | 'Finance' | 'Messaging' | 'Voice' | 'Video' | 'Contact Center' | 'AI' | 'Analytics' | 'Billing' | 'Developer'
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path below the host, parameters in braces. */
  url: string
  name: string
  description: string
  permission: {
    /** The permission (and scope) needed, or public. */
    level: string
    description: string
    roles: Array<'Admin' | 'Sales Manager' | 'Sales Executive' | 'Finance Manager'>
    /** It changes what live and test mode share: a credential of test mode is refused. */
    liveOnly: boolean
  }
  parameters: {
    required: Array<{
      name: string
      in: 'path' | 'query' | 'header' | 'body'
      required: boolean
      description: string
      schema: unknown
    }>
    optional: Array<{
      name: string
      in: 'path' | 'query' | 'header' | 'body'
      required: boolean
      description: string
      schema: unknown
    }>
  }
  bodySchema: unknown
  replySchema: unknown
  /** The schemas that others name as `#/components/schemas/<name>`; some name themselves. */
  schemas: Record<string, unknown>
  sampleRequest: {
    method: string
    url: string
    headers: Record<string, string>
    body: unknown
  }
  sampleResponse: {
    status: number
    body: unknown
  }
  problems: Problem[]
  takesIdempotencyKey: boolean
  takesIfMatch: boolean
  rateLimit: string
}

/** As `api_keys.list` returns it. */
export type ApiKey = {
  keyId: string
  name: string
  /** Which tenant the key acts in. */
  mode: 'live' | 'test'
  /** What the key may do; null means all that its owner's role may. */
  scopes: Scope[] | null
  /** The last four characters of the secret, to distinguish keys. */
  lastFour: string
  /** Whose key it is: it acts with the rights of this user. */
  userId: number
  /** ISO 8601 in UTC, with milliseconds. */
  expiresAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** Exact to some seconds. */
  lastUsedAt: string | null
  /** When the key stops or stopped; in the future after a rotation. */
  revokedAt: string | null
  /** The key it was rotated into. */
  replacedBy: string | null
  /** The key it was made with, and ends with; null when a person made it. */
  parentId: string | null
}

/** As `authorizations.list` returns it. */
export type Authorization = {
  authorizationId: string
  clientId: string
  clientName: string
  /** The app, where the organization registered it. */
  appId: string | null
  /** Who let it act for them. */
  userId: number
  userName: string
  mode: 'live' | 'test'
  /** What it may do, as far as the role of the person may. */
  scopes: string[]
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** When it last got a token. */
  lastUsedAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  expiresAt: string
  /** (format date-time) */
  revokedAt: string | null
  /**
   * Who or what ended it: the person, an Admin, the app itself, a refresh token that was used twice, the deletion of
   * the app, a decision to block the client, a newer authorization.
   */
  revokedBecause: 'person' | 'admin' | 'app' | 'reuse' | 'app_deleted' | 'blocked' | 'newer' | null
}

/** As `oauth_clients.list` returns it. */
export type OauthClient = {
  clientId: string
  /** What the client calls itself. Nobody has verified it. */
  name: string
  /** null while nobody has decided. */
  decision: 'allowed' | 'blocked' | null
  decidedBy: number | null
  /** (format date-time) */
  decidedAt: string | null
  /** Who first wanted to use it. */
  askedBy: number | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
}

/** As `factors.list` returns it. */
export type Factor = {
  factors: Array<{
    factorId: string
    /** An app that makes codes by time (RFC 6238), or a passkey (WebAuthn). */
    kind: 'totp' | 'passkey'
    /** What its owner calls it. */
    name: string
    /** Of a passkey: whether it is kept beyond the device it was made on. */
    backedUp: boolean | null
    /** ISO 8601 in UTC, with milliseconds. */
    lastUsedAt: string | null
    /** ISO 8601 in UTC, with milliseconds. */
    createdAt: string
  }>
  recoveryCodesLeft: number
  /** The only origin on whose pages passkeys are made and used; null where there can be none. */
  passkeysAt: string | null
}

/** As `invitations.list` returns it. */
export type Invitation = {
  invitationId: string
  /** Whom it is for: nobody else can accept it. */
  email: string
  role: 'Admin' | 'Sales Manager' | 'Sales Executive' | 'Finance Manager'
  /** The role of the organization's own, of which `role` is the base. */
  roleId: string | null
  /**
   * One that nobody answered in time is expired until it is sent again, and so is one whose sender is disabled or
   * may not give that role any more.
   */
  state: 'pending' | 'expired' | 'accepted' | 'declined' | 'revoked'
  /** Identifier. (at least 1) */
  invitedBy: number
  /** Who became a member by it. */
  userId: number | null
  /** How often the mail was sent again. */
  resentCount: number
  /** ISO 8601 in UTC, with milliseconds. */
  expiresAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
}

/** As `members.list` returns it. */
export type Member = {
  /** A person, what an app acts as, or somebody who was invited. */
  kind: 'person' | 'app' | 'invitation'
  /** The user; null of an invitation. */
  userId: number | null
  invitationId: string | null
  /** The app that acts as this user. */
  appId: string | null
  /** Of an invitation its address. */
  name: string
  /** Null of apps. */
  email: string | null
  role: 'Admin' | 'Sales Manager' | 'Sales Executive' | 'Finance Manager'
  /** The role of the organization's own that they have, of which `role` is the base. */
  roleId: string | null
  roleName: string | null
  /**
   * An invitation is invited, or expired when nobody answered in time, or its sender is disabled or may not give
   * that role any more.
   */
  state: 'active' | 'disabled' | 'invited' | 'expired'
  /** Whether the organization is theirs. */
  isOwner: boolean
  /** Null of apps and invitations. */
  hasSecondFactor: boolean | null
  /** Whether the account is also a member of other organizations: how it logs in is theirs alone. */
  isShared: boolean
  /** When they last logged in or got a token; null when never. */
  lastSeenAt: string | null
  /** Until when an invitation can be accepted. */
  expiresAt: string | null
  /**
   * Until when a password that the server or an Admin made logs in, while its person has not replaced it; null of
   * one of their own.
   */
  passwordEndsAt: string | null
  /** Of an invitation: the user whose it is. */
  invitedBy: number | null
  /** How often the mail of an invitation was sent again. */
  resentCount: number | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
}

/** As `colleagues.list` returns it. */
export type Colleague = {
  /** Identifier. (at least 1) */
  id: number
  /** The person's name. */
  name: string
  /** False once disabled. */
  active: boolean
}

/** As `operator_events.list` returns it. */
export type OperatorEvent = {
  eventId: string
  /** ISO 8601 in UTC, with milliseconds. */
  at: string
  action: string
  /** Who did it; null for the command line. */
  accountId: number | null
  operator: string
  organizationId: number | null
  target: string | null
  reason: string | null
  ip: string | null
}

/** As `organization_codes.list` returns it. */
export type OrganizationCode = {
  codeId: string
  /** For whom it is. */
  note: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  expiresAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  usedAt: string | null
  /** What was made with it. */
  organizationId: number | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
}

/** As `audit_seals.list` returns it. */
export type AuditSeal = {
  /** Identifier of the seal, `ase_…`. */
  sealId: string
  /** ISO 8601 in UTC, with milliseconds. */
  at: string
  /** Place of its first event in the chain. */
  from: number
  /** Place of its last event. */
  to: number
  /** Hash of the event before its first, in hexadecimal. */
  previous: string
  /** Hash of its last event: it stands for that event and all before it. */
  head: string
  /** Compact JWS (RFC 7515), ES256, of all of this; the keys are at /.well-known/jwks.json. */
  signature: string
}

/** As `legal_holds.list` returns it. */
export type LegalHold = {
  holdId: string
  /** What is kept: all of the organization, or one person. */
  scope: 'organization' | 'person'
  /** Of a person: the record, or the last digits or first letter of the address. */
  about: string | null
  reason: string
  /** Identifier. (at least 1) */
  placedBy: number
  /** ISO 8601 in UTC, with milliseconds. */
  placedAt: string
  /** Identifier. (at least 1) */
  releasedBy: number | null
  /** ISO 8601 in UTC, with milliseconds. */
  releasedAt: string | null
}

/** As `leads.list` returns it. */
export type LeadsListItem = {
  /** Identifier. (at least 1) */
  id: number
  /** The tenant it belongs to: live and test are two. */
  tenant_id: number
  /** Name of the person or enquiry. (1 to 200 characters) */
  name?: string
  /** E-mail address; required when there is no phone. (at most 254 characters) */
  email?: string | null
  /** Telephone number; required when there is no e-mail. (at most 16 characters) */
  phone?: string | null
  /** Company the person speaks for. (1 to 200 characters) */
  company?: string | null
  /** How urgent the lead is. */
  priority?: 'Hot' | 'Warm' | 'Cold'
  /** Where the lead stands; a new one is New. */
  status?: 'New' | 'Contacted' | 'Nurturing' | 'Qualified' | 'Converted' | 'Unqualified' | 'Junk'
  /** The user who works on the lead; null while nobody does. (at least 1) */
  owner_id?: number | null
  /** Where the lead came from, such as web or fair. (1 to 100 characters) */
  source?: string | null
  /** Free text. (1 to 10000 characters) */
  notes?: string | null
  /** Why the lead is Unqualified, where it is required, or Junk. (1 to 500 characters) */
  lost_reason?: string | null
  /** When the lead first moved on from New; null for one that a file says had done so before. */
  first_responded_at?: string | null
  /** The record of the company that the person speaks for. (matches `^cmp_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  company_id?: string | null
  /** The contact that the lead became. (matches `^con_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  contact_id?: string | null
  /** When the lead was converted. */
  converted_at?: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC, with milliseconds. */
  updated_at: string
  /** Counts changes; the ETag. */
  version: number
  /** When it was moved to the trash; absent for all others. */
  deleted_at?: string
}

/** As `companies.list` returns it. */
export type CompaniesListItem = {
  /** Identifier. */
  id: string
  /** The tenant it belongs to: live and test are two. */
  tenant_id: number
  /** Name of the company. (1 to 200 characters) */
  name?: string
  /** Its internet domain, such as example.com. (3 to 300 characters) */
  domain?: string | null
  /** Main telephone number. (at most 16 characters) */
  phone?: string | null
  /** Line of business. */
  industry?: 'Retail' | 'Manufacturing' | 'Services' | 'Public' | 'Other' | null
  /** Revenue of a year. */
  annual_revenue?: {
    /** Decimal amount. */
    amount: number
    /** ISO 4217 code. */
    currency: string
  } | null
  /** Where it is. */
  addresses?: Array<{
    value: {
      street: string | null
      city: string | null
      postal_code: string | null
      region: string | null
      country: string | null
    }
    /** What it is for. */
    label: string | null
    /** Whether it is the one to use first; exactly one is. */
    is_primary: boolean
  }>
  /** Who looks after it; null while nobody does. (at least 1) */
  owner_id?: number | null
  /** The company that it belongs to. (matches `^cmp_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  parent_id?: string | null
  /** Free text. (1 to 10000 characters) */
  notes?: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC, with milliseconds. */
  updated_at: string
  /** Counts changes; the ETag. */
  version: number
  /** When it was moved to the trash; absent for all others. */
  deleted_at?: string
}

/** As `contacts.list` returns it. */
export type ContactsListItem = {
  /** Identifier. */
  id: string
  /** The tenant it belongs to: live and test are two. */
  tenant_id: number
  /** Name of the person. (1 to 200 characters) */
  name?: string
  /** What they do, such as Head of purchasing. (1 to 200 characters) */
  job_title?: string | null
  /** Companies that they belong to, one of them the main one. */
  companies?: Array<{
    /** Identifier of the company. (matches `^cmp_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
    value: string
    /** What it is for. */
    label: string | null
    /** Whether it is the one to use first; exactly one is. */
    is_primary: boolean
  }>
  /** E-mail addresses. */
  emails?: Array<{
    /** E-mail address. */
    value: string
    /** What it is for. */
    label: string | null
    /** Whether it is the one to use first; exactly one is. */
    is_primary: boolean
  }>
  /** Telephone numbers. */
  phones?: Array<{
    /** Telephone number in E.164 format with leading +. (at most 16 characters) */
    value: string
    /** What it is for. */
    label: string | null
    /** Whether it is the one to use first; exactly one is. */
    is_primary: boolean
  }>
  /** Postal addresses. */
  addresses?: Array<{
    value: {
      street: string | null
      city: string | null
      postal_code: string | null
      region: string | null
      country: string | null
    }
    /** What it is for. */
    label: string | null
    /** Whether it is the one to use first; exactly one is. */
    is_primary: boolean
  }>
  /** Date of birth. */
  birthday?: string | null
  /** The language to write and speak to them in. (2 to 35 characters) */
  language?: string | null
  /** Whether they agreed to be sent e-mails. */
  email_consent?: boolean
  /** Whether they agreed to be sent text messages. */
  sms_consent?: boolean
  /** Whether they agreed to be called. */
  call_consent?: boolean
  /** Who looks after them; null while nobody does. (at least 1) */
  owner_id?: number | null
  /** Where they came from, such as web or fair. (1 to 100 characters) */
  source?: string | null
  /** Free text. (1 to 10000 characters) */
  notes?: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC, with milliseconds. */
  updated_at: string
  /** Counts changes; the ETag. */
  version: number
  /** When it was moved to the trash; absent for all others. */
  deleted_at?: string
}

/** As `notes.list` returns it. */
export type NotesListItem = {
  /** Identifier. */
  id: string
  /** The tenant it belongs to: live and test are two. */
  tenant_id: number
  /**
   * The record that it is about. (at most 60 characters; matches
   * `^(?:[a-z]{2,8}_[0-7][0-9a-hjkmnp-tv-z]{25}|[a-z_]{2,40}:[1-9]\d{0,14})$`)
   */
  record_id?: string
  /** The text, plain or Markdown. (1 to 10000 characters) */
  body?: string
  /** Whether it stands above the others. */
  is_pinned?: boolean
  /** Who wrote it. (at least 1) */
  author_id?: number
  /** When its text was last changed; null while it is as it was written. */
  edited_at?: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC, with milliseconds. */
  updated_at: string
  /** Counts changes; the ETag. */
  version: number
  /** When it was moved to the trash; absent for all others. */
  deleted_at?: string
}

/** As `tasks.list` returns it. */
export type TasksListItem = {
  /** Identifier. */
  id: string
  /** The tenant it belongs to: live and test are two. */
  tenant_id: number
  /** What is to be done. (1 to 200 characters) */
  title?: string
  /** What else there is to say about it. (1 to 10000 characters) */
  body?: string | null
  /**
   * The record that it is about. (at most 60 characters; matches
   * `^(?:[a-z]{2,8}_[0-7][0-9a-hjkmnp-tv-z]{25}|[a-z_]{2,40}:[1-9]\d{0,14})$`)
   */
  record_id?: string | null
  /** Who has to do it. (at least 1) */
  assignee_id?: number | null
  /** Open, done, or canceled. Send done to complete it, open to open it again. */
  status?: 'open' | 'done' | 'canceled'
  /** How much it matters. */
  priority?: 'low' | 'normal' | 'high' | 'urgent'
  /** The day by whose end it has to be done; due_at follows. */
  due_on?: string | null
  /** When it has to be done: sent, or the end of due_on where the organization is. */
  due_at?: string | null
  /** Who created it. (at least 1) */
  created_by?: number
  /** When it was done. */
  completed_at?: string | null
  /** Who said that it was done. (at least 1) */
  completed_by?: number | null
  /** ISO 8601 in UTC, with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC, with milliseconds. */
  updated_at: string
  /** Counts changes; the ETag. */
  version: number
  /** When it was moved to the trash; absent for all others. */
  deleted_at?: string
}

/** As `attachments.list` returns it. */
export type AttachmentsListItem = {
  /** Identifier. */
  id: string
  /** The tenant it belongs to: live and test are two. */
  tenant_id: number
  /**
   * The record that it is about. (at most 60 characters; matches
   * `^(?:[a-z]{2,8}_[0-7][0-9a-hjkmnp-tv-z]{25}|[a-z_]{2,40}:[1-9]\d{0,14})$`)
   */
  record_id?: string
  /** What the file is called. (1 to 200 characters) */
  name?: string
  /** What it is, as its bytes say. (1 to 127 characters) */
  content_type?: string
  /** How long it is. (at least 1) */
  size_bytes?: number
  /** SHA-256 of its bytes, in hexadecimal. (1 to 64 characters) */
  sha256?: string
  /** Who put it there. (at least 1) */
  uploaded_by?: number
  /** ISO 8601 in UTC, with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC, with milliseconds. */
  updated_at: string
  /** Counts changes; the ETag. */
  version: number
  /** When it was moved to the trash; absent for all others. */
  deleted_at?: string
}

/** As `tags.list` returns it. */
export type TagsListItem = {
  /** Identifier. */
  id: string
  /** The tenant it belongs to: live and test are two. */
  tenant_id: number
  /** What it says, such as VIP. (1 to 60 characters) */
  name?: string
  /** The color that it is shown in. */
  color?: 'gray' | 'red' | 'orange' | 'yellow' | 'green' | 'teal' | 'blue' | 'purple' | 'pink' | 'brown'
  /** ISO 8601 in UTC, with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC, with milliseconds. */
  updated_at: string
  /** Counts changes; the ETag. */
  version: number
  /** When it was moved to the trash; absent for all others. */
  deleted_at?: string
}

/** As `invoices.list` returns it. */
export type InvoicesListItem = {
  /** Identifier. (at least 1) */
  id: number
  /** INV-<year>-<sequence>; sequence 000000 while a draft has no number yet. */
  number: string
  /** Identifier. (at least 1) */
  tenant_id: number
  /** Total with tax. */
  amount: number
  /** Overdue is Sent, past due in the organization's time zone, and not fully paid. */
  status: 'Draft' | 'Sent' | 'Paid' | 'Overdue' | 'Cancelled'
  /** Calendar date, YYYY-MM-DD. */
  due_date: string
  /** ISO 4217 code. */
  currency: string
  /** The total in the currency's smallest unit. */
  amount_minor: number
  /** Sum of the lines before tax. */
  subtotal: number
  tax_total: number
  amount_paid: number
  amount_due: number
  payment_state: 'unpaid' | 'partial' | 'paid'
  customer: {
    name: string
    email: string | null
    address: string | null
    tax_id: string | null
  }
  /** The lead this invoice came from. */
  lead_id: number | null
  /** Whether the invoice has its final number. */
  number_assigned: boolean
  /** Calendar date, YYYY-MM-DD. */
  issue_date: string
  /** ISO 8601 in UTC, with milliseconds. */
  sent_at: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  paid_at: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  cancelled_at: string | null
  cancel_reason: string | null
  notes: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC, with milliseconds. */
  updated_at: string
  /** Counts changes; the ETag. */
  version: number
}

/** As `messages.list` returns it. */
export type MessagesListItem = {
  /** Identifier, `msg_…`. Later messages have greater ones. */
  messageId: string
  direction: 'outbound' | 'inbound'
  /** Sender: a number in E.164, a short code or a sender id. */
  from: string
  /** Recipient in E.164; for an inbound message one of your senders. */
  to: string
  body: string
  status: 'scheduled' | 'queued' | 'sending' | 'sent' | 'delivered' | 'undelivered' | 'expired' | 'failed' | 'canceled' | 'unconfirmed' | 'received'
  /** Why it is in this status, where that needs a reason: a problem code. */
  code: string | null
  /** GSM-7 when every character is in the GSM alphabet, else UCS-2. */
  encoding: 'GSM-7' | 'UCS-2'
  /** Parts it is sent in, and charged for. */
  segments: number
  /** Parts of which the carrier has confirmed the delivery. */
  segmentsDelivered: number
  /** How often it was handed to the carrier. */
  attempts: number
  /**
   * Who carries it: a carrier of yours, or `simulator` or `handset` (the virtual handset), which reach no phone;
   * `none` as long as nobody does.
   */
  carrier: string
  /** The messaging service its sender belongs to, `msv_…`. */
  serviceId: string | null
  /** What the carrier charges for all its segments, a decimal; null until it has taken it, or without price. */
  price: string | null
  /** Currency of the price, ISO 4217. */
  currency: string | null
  /** Where its events are sent besides the endpoints of the organization. */
  callbackUrl: string | null
  tags: string[]
  metadata: Record<string, string>
  /** Seconds from creation within which it may be delivered. */
  validityPeriod: number | null
  /** Whether parts of this inbound message never came. */
  partial: boolean
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** When it is, or was, to be sent. */
  sendAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  sentAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  deliveredAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  finalAt: string | null
  /** When its text was taken away. */
  redactedAt: string | null
}

/** As `opt_outs.list` returns it. */
export type OptOut = {
  /** Identifier, `opt_…`. */
  optOutId: string
  /** What the recipient gets nothing from: a messaging service with all its senders, or one sender. */
  scope: string
  /** E.164. */
  recipient: string
  /** A word that the recipient sent, or this API. */
  source: 'keyword' | 'api'
  /** The word, where it was one. */
  keyword: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
}

/** As `mails.list` returns it. */
export type MailsListItem = {
  /** Identifier, `mail_…`. */
  mailId: string
  /**
   * sent: the next server took it on, or it is kept in the outbox. unconfirmed: it was handed over and the answer
   * was lost; it is not repeated by itself.
   */
  state: 'queued' | 'sending' | 'sent' | 'delivered' | 'bounced' | 'complained' | 'suppressed' | 'canceled' | 'expired' | 'failed' | 'unconfirmed'
  /** Why, where that needs a reason: a problem code, or `kept_in_outbox` where nothing leaves. */
  code: string | null
  /** Of what sort it is. Security: its words open something, such as a reset. */
  stream: 'security' | 'transactional' | 'conversation' | 'marketing'
  /** Key of the template it was made of. */
  template: string | null
  /** Null until it first leaves. */
  from: {
    address: string
    name: string | null
  } | null
  replyTo: string | null
  /** Who gets it. */
  to: Array<{
    /** E-mail address. */
    address: string
    name: string | null
    /** What became of the mail for this one; null while it waits. */
    outcome: 'accepted' | 'rejected' | 'suppressed' | 'delivered' | 'bounced' | 'complained' | null
    /** Why, where that needs a reason. */
    code: string | null
    /** What the server said of this one. */
    reply: string | null
  }>
  /** Who gets a copy that all see. */
  cc: Array<{
    /** E-mail address. */
    address: string
    name: string | null
    /** What became of the mail for this one; null while it waits. */
    outcome: 'accepted' | 'rejected' | 'suppressed' | 'delivered' | 'bounced' | 'complained' | null
    /** Why, where that needs a reason. */
    code: string | null
    /** What the server said of this one. */
    reply: string | null
  }>
  /** Who gets a copy that nobody else sees. */
  bcc: Array<{
    /** E-mail address. */
    address: string
    name: string | null
    /** What became of the mail for this one; null while it waits. */
    outcome: 'accepted' | 'rejected' | 'suppressed' | 'delivered' | 'bounced' | 'complained' | null
    /** Why, where that needs a reason. */
    code: string | null
    /** What the server said of this one. */
    reply: string | null
  }>
  subject: string
  /** Message-ID without angle brackets; given when it first leaves. */
  messageId: string | null
  dedupeKey: string | null
  /** The lead (`lead:17`) or contact (`con_…`) that it was written to, on whose timeline it stands. */
  recordId: string | null
  /** Who had it sent; null for mails that the server sends by itself. */
  userId: number | null
  /** What it went by: `outbox`, `installation` (TANDEM_SMTP_URL), or `mtr_…`. */
  transport: string | null
  /** How often it was handed over. */
  attempts: number
  /** Of the mail as it left. */
  sizeBytes: number | null
  /** ISO 8601 in UTC, with milliseconds. */
  scheduledAt: string | null
  /** From then on it is not sent any more. */
  expiresAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  sentAt: string | null
}

/** As `inbound_mails.list` returns it. */
export type InboundMailsListItem = {
  /** Identifier, `inm_…`. */
  inboundId: string
  /**
   * matched: it stands on the timeline of a lead or contact. unmatched: it waits for somebody to put it there.
   * ignored: it was set aside.
   */
  state: 'matched' | 'unmatched' | 'ignored'
  /** outbound: a person wrote it elsewhere, and sent a blind copy to their address here. */
  direction: 'inbound' | 'outbound'
  /** How it came: over SMTP, from a mailbox, or handed in over HTTP. */
  door: 'smtp' | 'imap' | 'http'
  /** The mailbox that it was read from, `mbx_…`. */
  mailboxId: string | null
  from: {
    address: string
    name: string | null
  } | null
  /**
   * Whether it is from whom it says, by DMARC. unverified: it failed, so the address that it came to is all that it
   * is matched by.
   */
  sender: 'verified' | 'unverified' | 'unknown'
  to: Array<{
    address: string
    name: string | null
  }>
  cc: Array<{
    address: string
    name: string | null
  }>
  subject: string
  /** Whether a machine wrote it (RFC 3834). Nothing that comes in is answered by itself. */
  isAutomatic: boolean
  /**
   * token: the address that it came to. thread: it answers a mail. sender, recipient: the one record with this
   * address. person: somebody put it there.
   */
  matchedBy: 'token' | 'thread' | 'sender' | 'recipient' | 'person' | null
  /** The lead (`lead:17`) or contact (`con_…`) on whose timeline it stands. */
  recordId: string | null
  /** The mail from here that it answers, `mail_…`. */
  answersMailId: string | null
  /** Records that it may belong to, where there are several. */
  candidates: string[]
  /** Who sent the blind copy. */
  userId: number | null
  /** Its Message-ID, without angle brackets. */
  messageId: string | null
  /** As it came. */
  sizeBytes: number
  attachments: Array<{
    /** From 1, to download it with. */
    number: number
    fileName: string
    /** As the sender says. */
    mediaType: string
    sizeBytes: number
    /** Whether it is shown within the HTML. */
    isInline: boolean
  }>
  /** As the sender says. */
  writtenAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  receivedAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string
  /** How its words begin. */
  preview: string
}

/** As `mail_suppressions.list` returns it. */
export type MailSuppression = {
  /** Identifier, `sup_…`. */
  suppressionId: string
  /** In small letters. */
  address: string
  /** Mails of which sort it does not get; null for all. */
  stream: 'security' | 'transactional' | 'conversation' | 'marketing' | null
  /**
   * hard_bounce: the address takes no mail. complaint: its holder called one unwanted. Mails that open something are
   * stopped by hard_bounce and manual alone.
   */
  reason: 'hard_bounce' | 'complaint' | 'unsubscribe' | 'manual'
  /** What the report said, or your words. */
  note: string | null
  /** The mail that led to it. */
  mailId: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
}

/** As `calls.list` returns it. */
export type CallsListItem = {
  /** Identifier of the call, `call_…`. */
  callId: string
  /**
   * E.164 with +; of phones that are registered here their SIP address, of those in browsers `client:<identity>`.
   * (at most 261 characters)
   */
  from: string
  /**
   * E.164 with +; of phones that are registered here their SIP address, of those in browsers `client:<identity>`.
   * (at most 261 characters)
   */
  to: string
  direction: 'outbound' | 'inbound'
  /**
   * initiated, ringing and answered are under way; completed, busy, no_answer, rejected, failed, canceled are final.
   */
  state: 'initiated' | 'ringing' | 'answered' | 'completed' | 'busy' | 'no_answer' | 'rejected' | 'failed' | 'canceled'
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** Where events of this call are sent to. */
  callbackUrl: string | null
  /** The call whose leg brought this one about. */
  parentCallId: string | null
  callerName: string | null
  /** Asked for instructions where callbackUrl does not answer. */
  fallbackUrl: string | null
  /** How long it may ring. */
  timeoutSeconds: number
  /** How long it may last after the answer. */
  timeLimitSeconds: number
  /** The trunk it goes by, or went by last. */
  trunkId: string | null
  /**
   * Whether the simulator carried it, so that no telephone rang: nothing to be charged for, in live mode neither.
   */
  simulated: boolean
  /** The call it talks with, or talked with last. */
  bridgedTo: string | null
  tags: string[]
  metadata: Record<string, string>
  /** Whether audio came before the answer (an announcement, a tone). */
  earlyMedia: boolean
  /** Who answered, where that is known. */
  answeredBy: 'human' | 'machine' | null
  /** Why the call ended. */
  hangupCause: HangupCause
  /** Who ended it. */
  hangupBy: 'caller' | 'callee' | 'api' | 'system' | 'carrier' | null
  /**
   * What came of it, as the person who had it says. answered: they talked; voicemail: a message was left; no_answer,
   * busy, wrong_number: nobody was reached; call_back: they want to be called again; not_interested: they want
   * nothing.
   */
  outcome: 'answered' | 'voicemail' | 'no_answer' | 'busy' | 'wrong_number' | 'call_back' | 'not_interested' | null
  /** The user who said what came of it. */
  outcomeBy: number | null
  /** ISO 8601 in UTC, with milliseconds. */
  outcomeAt: string | null
  /** The problem the call ended with, as in GET /v2/problems; null when it went well. */
  errorCode: string | null
  /** Final SIP status of the remote party. */
  sipCode: number | null
  /** Cause of release by ITU-T Q.850. */
  q850: number | null
  /** Seconds from the first ring to the answer or the end. */
  ringSeconds: number | null
  /** Seconds from creation to the end. */
  durationSeconds: number | null
  /** Seconds from answer to end, each one started counts; 0 without an answer. */
  billableSeconds: number | null
  /**
   * What it cost, a decimal: minutes between answer and end, each one started counts, by the cost of the route of
   * its trunk. Null until it is over, or where nobody is paid.
   */
  price: string | null
  /** Currency of the price, ISO 4217. */
  currency: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  dialedAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  ringingAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  answeredAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  endedAt: string | null
}

/** As `conferences.list` returns it. */
export type ConferencesListItem = {
  /** Identifier of the conference, `conf_…`. */
  conferenceId: string
  /** As the instruction names it. Only one conference of a name is under way. */
  name: string
  /** init: all who are in wait for somebody with whom it starts; active: they hear each other; ended. */
  state: 'init' | 'active' | 'ended'
  /** How many calls are in it now. */
  participantCount: number
  /** empty: the last one left; host_left: somebody with endOnExit left; node_lost: its process died. */
  endReason: 'empty' | 'host_left' | 'node_lost' | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  startedAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  endedAt: string | null
}

/** As `recordings.list` returns it. */
export type RecordingsListItem = {
  /** Identifier of the recording, `rec_…`. */
  recordingId: string
  /** The call that was recorded, `call_…`. */
  callId: string
  /**
   * recording, paused and processing are under way; available can be heard; absent (nothing was recorded), failed
   * and deleted have no media.
   */
  state: 'recording' | 'paused' | 'processing' | 'available' | 'absent' | 'failed' | 'deleted'
  /** mono: both parties on one channel; dual: the caller on the left, the callee on the right. */
  channels: 'mono' | 'dual'
  /** Length of the sound in milliseconds, without pauses. */
  durationMs: number | null
  /** Length of the WAV file in bytes. */
  sizeBytes: number | null
  /** SHA-256 of the WAV file, in hexadecimal. */
  sha256: string | null
  /** Path of the WAV file below the address of the API; null while there is none. */
  mediaUrl: string | null
  /** Why it failed, as in GET /v2/problems. */
  errorCode: string | null
  /** Named texts given with the instruction to record. */
  metadata: Record<string, string>
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  startedAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  endedAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  availableAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  deletedAt: string | null
  /** Between whom the call was; null without calls:read. */
  call: {
    /** Who called: outbound by us, inbound to us. */
    direction: 'outbound' | 'inbound'
    /** Who called. */
    from: string
    /** Who was called. */
    to: string
    /** What the caller calls themselves. */
    callerName: string | null
  } | null
}

/** As `conversations.list` returns it. */
export type ConversationsListItem = {
  /** Identifier, `cnv_…`. */
  conversationId: string
  /** Who it is with. */
  party: {
    /** Unknown: an address that belongs to nobody. */
    kind: 'lead' | 'contact' | 'unknown'
    /** The lead (`lead:17`) or contact (`con_…`). */
    recordId: string | null
    /** Name of the person; of an unknown one the address. */
    name: string
    /** Who owns the record. */
    ownerId: number | null
  }
  /** Where they write and call from. */
  addresses: Array<{
    channel: 'phone' | 'mail'
    /** Telephone number in E.164, or e-mail address. */
    address: string
  }>
  /** Snoozed ones are open again at snoozedUntil. What comes in opens snoozed and closed ones. */
  state: 'open' | 'snoozed' | 'closed'
  /** ISO 8601 in UTC, with milliseconds. */
  snoozedUntil: string | null
  assignee: {
    /** Identifier. (at least 1) */
    userId: number
    /** Name of the person. */
    name: string
  } | null
  team: {
    teamId: string
    name: string
  } | null
  /** When the oldest text, missed call, voicemail or mail came in that nobody answered; null when nothing waits. */
  waitingSince: string | null
  lastActivity: {
    /** Identifier of the item. */
    itemId: string
    /** What it is. */
    kind: 'text' | 'call' | 'voicemail' | 'mail' | 'note' | 'event'
    /** Inbound came from the person; null of notes. */
    direction: 'inbound' | 'outbound' | null
    /**
     * Of a mail that came in: whether it is from whom it says, by DMARC. unverified: anybody may have written it.
     */
    sender: 'verified' | 'unverified' | 'unknown' | null
    /** ISO 8601 in UTC, with milliseconds. */
    at: string
    /** How its words begin, or what happened: `Missed call`; empty where the caller may not read such items. */
    preview: string
  }
  /** Whether there is something that the caller has not read. */
  unread: boolean
  /** Whether a note mentions the caller. */
  mentioned: boolean
  /** Who is mentioned in notes. */
  participants: Array<{
    /** Identifier. (at least 1) */
    userId: number
    /** Name of the person. */
    name: string
  }>
  /** Who else looks at it or writes an answer, at this moment. */
  presence: Array<{
    /** Identifier. (at least 1) */
    userId: number
    /** Name of the person. */
    name: string
    /** Whether they look at the conversation, or write an answer. */
    state: 'viewing' | 'composing'
    /** When they began. */
    since: string
    /** They are gone from then on, unless they say it again. */
    expiresAt: string
  }>
  /** Counts up with each change by people. */
  version: number
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string
}

/** As `requests.list` returns it. */
export type RequestsListItem = {
  /** The X-Request-Id of the answer. */
  requestId: string
  /** ISO 8601 in UTC, with milliseconds. */
  at: string
  method: string
  /** As it was sent, without the query. */
  path: string
  /** The endpoint in the catalog; null when there is none. */
  endpointId: string | null
  status: number
  durationMs: number
  /** The code of the refusal. */
  problem: string | null
  userId: number | null
  /** The API key used; null for an access token. */
  keyId: string | null
  /** Client address. */
  ip: string | null
  /** The portal on its own behalf, the Playground of the portal, or anything else: `api`. */
  source: 'api' | 'playground' | 'portal'
  /** What it made or touched: an id such as msg_…, or lead:12, invoice:5, user:3. */
  resourceId: string | null
}

/** As `events.list` returns it. */
export type TandemEvent = {
  id: string
  /** What happened: noun and verb in the past tense. */
  type: string
  /** ISO 8601 in UTC, with milliseconds. */
  timestamp: string
  /** The resource it is about. */
  resourceId: string
  /** Grows with every event of one resource: receivers can order them by it. */
  sequence: number
  /** The resource as the API presents it, at that moment. */
  data: unknown
  mode: 'live' | 'test'
}

/** As `catalog.list` returns it. */
export type CatalogListItem = {
  id: string
  version: 'v1' | 'v2' | 'oauth'
  category: 'Authentication' | 'User' | 'Organization' | 'CRM' | 'Finance' | 'Messaging' | 'Voice' | 'Video' | 'Contact Center' | 'AI' | 'Analytics' | 'Billing' | 'Developer'
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path below the host, parameters in braces. */
  url: string
  name: string
  description: string
  permission: {
    /** The permission (and scope) needed, or public. */
    level: string
    description: string
    roles: Array<'Admin' | 'Sales Manager' | 'Sales Executive' | 'Finance Manager'>
    /** It changes what live and test mode share: a credential of test mode is refused. */
    liveOnly: boolean
  }
}

/** As `problems.list` returns it. */
export type Problem = {
  code: string
  /** HTTP status; 0 for codes that stand only in records and events. */
  status: number
  title: string
  cause: string
  fix: string
  retriable: boolean
}

/** As `api_keys.create` returns it. */
export type ApiKeysCreateApiKey = {
  keyId: string
  name: string
  /** Which tenant the key acts in. */
  mode: 'live' | 'test'
  /** What the key may do; null means all that its owner's role may. */
  scopes: Scope[] | null
  /** The last four characters of the secret, to distinguish keys. */
  lastFour: string
  /** Whose key it is: it acts with the rights of this user. */
  userId: number
  /** ISO 8601 in UTC, with milliseconds. */
  expiresAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** Exact to some seconds. */
  lastUsedAt: string | null
  /** When the key stops or stopped; in the future after a rotation. */
  revokedAt: string | null
  /** The key it was rotated into. */
  replacedBy: string | null
  /** The key it was made with, and ends with; null when a person made it. */
  parentId: string | null
  /** The key itself. It is not stored and never shown again. */
  secret: string
}

/** As `app_secrets.create` returns it. */
export type AppSecret = {
  secretId: string
  /** The last four characters of the secret, to distinguish two. */
  lastFour: string
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** Exact to a minute. */
  lastUsedAt: string | null
  clientId: string
  /** The client secret itself. It is not stored and never shown again. */
  secret: string
}

/** As `own_organizations.create` returns it. */
export type OwnOrganization = {
  /** Identifier. (at least 1) */
  organizationId: number
  /** Identifier. (at least 1) */
  userId: number
  /** Of the account, to log in with. */
  email: string
}

/** As `invitations.create` returns it. */
export type InvitationsCreateInvitation = {
  invitationId: string
  /** Whom it is for: nobody else can accept it. */
  email: string
  role: 'Admin' | 'Sales Manager' | 'Sales Executive' | 'Finance Manager'
  /** The role of the organization's own, of which `role` is the base. */
  roleId: string | null
  /**
   * One that nobody answered in time is expired until it is sent again, and so is one whose sender is disabled or
   * may not give that role any more.
   */
  state: 'pending' | 'expired' | 'accepted' | 'declined' | 'revoked'
  /** Identifier. (at least 1) */
  invitedBy: number
  /** Who became a member by it. */
  userId: number | null
  /** How often the mail was sent again. */
  resentCount: number
  /** ISO 8601 in UTC, with milliseconds. */
  expiresAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** What the mail links to; null where the server has no known address. */
  acceptUrl: string | null
}

/** As `organization_exports.create` returns it. */
export type OrganizationExport = {
  exportId: string
  state: 'queued' | 'running' | 'ready' | 'failed' | 'expired'
  /** Identifier. (at least 1) */
  askedBy: number
  /** Of the archive. */
  sizeBytes: number | null
  /** Of the archive, in hexadecimal. */
  sha256: string | null
  /** Rows in it, of both modes. */
  rows: number | null
  /** Attachments and recordings in it. */
  files: number | null
  /** Why it could not be made. */
  error: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  readyAt: string | null
  /** Until when it can be downloaded: for a week. */
  expiresAt: string | null
}

/** As `operator_tokens.create` returns it. */
export type OperatorToken = {
  token: string
  /** `support` looks, `full` also acts. */
  level: 'support' | 'full'
  /** ISO 8601 in UTC, with milliseconds. */
  expiresAt: string
}

/** As `payments.create` returns it. */
export type Payment = {
  /** Identifier. (at least 1) */
  id: number
  /** Identifier. (at least 1) */
  invoice_id: number
  /** In the currency's major unit. */
  amount: number
  /** In the currency's smallest unit. */
  amount_minor: number
  /** ISO 4217 code. */
  currency: string
  method: 'bank_transfer' | 'card' | 'cash' | 'check' | 'direct_debit' | 'other'
  /** What the payment can be found by elsewhere. */
  reference: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  paid_at: string
  /** ISO 8601 in UTC, with milliseconds. */
  created_at: string
  /** Since when it counts no more; null while it counts. */
  reversed_at: string | null
  /** Why it was reversed. */
  reversal_reason: string | null
}

/** As `client_tokens.create` returns it. */
export type ClientToken = {
  /** JWT; send it as Authorization: Bearer <token>. */
  token: string
  /** The phone it is for: `client:<identity>` rings it. */
  identity: string
  /** ISO 8601 in UTC, with milliseconds. */
  expiresAt: string
}

/** As `client_calls.create` returns it. */
export type ClientCall = {
  /** Identifier of the call, `call_…`. */
  callId: string
  /** Who is shown as caller. */
  from: string
  /** What is dialled. */
  to: string | null
  /** The phone that calls. */
  identity: string
  state: 'initiated' | 'ringing' | 'answered' | 'completed' | 'busy' | 'no_answer' | 'rejected' | 'failed' | 'canceled'
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
}

/** As `auth.log_in_with_passkey` returns it. */
export type Auth = {
  /** JWT; send it as Authorization: Bearer <token>. Lives one hour. */
  accessToken: string
  /** Seconds the access token lives. */
  expiresIn: number
  /** Gets the next access token; changes at every use. */
  refreshToken: string
  user: AuthLoginUser
}

/** As `apps.list_errors` returns it. */
export type AppsListErrorsItem = {
  errorId: string
  mode: 'live' | 'test'
  clientId: string
  /** Where the app asked, such as /oauth/token. */
  path: string
  /** HTTP status of the answer. */
  status: number
  /** The code of the protocol; the error reference explains each. */
  error: string
  /** What the app was answered. */
  description: string | null
  /** The cause, as far as the server knows it. The app is not given it. */
  detail: string | null
  ip: string | null
  userAgent: string | null
  /** The X-Request-Id of the answer. */
  requestId: string
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
}

/** As `own_devices.delete` returns it. */
export type OwnDevice = {
  /** What was deleted. */
  deviceId: string
  /** It is gone. */
  deleted: true
}

/** As `own_sessions.end` returns it. */
export type OwnSession = {
  /** What was deleted. */
  sessionId: string
  /** It is gone. */
  deleted: true
}

/** As `factors.confirm_totp` returns it. */
export type FactorsConfirmTotpFactor = {
  factor: {
    factorId: string
    /** An app that makes codes by time (RFC 6238), or a passkey (WebAuthn). */
    kind: 'totp' | 'passkey'
    /** What its owner calls it. */
    name: string
    /** Of a passkey: whether it is kept beyond the device it was made on. */
    backedUp: boolean | null
    /** ISO 8601 in UTC, with milliseconds. */
    lastUsedAt: string | null
    /** ISO 8601 in UTC, with milliseconds. */
    createdAt: string
  }
  /** Each stands for the second factor once. They are not stored readably and never shown again. */
  recoveryCodes?: string[]
}

/** As `ownership.offer` returns it. */
export type OwnershipOfferOwnership = {
  transferId: string
  /** Identifier. (at least 1) */
  fromUserId: number
  /** Identifier. (at least 1) */
  toUserId: number
  state: 'pending' | 'accepted' | 'declined' | 'canceled' | 'undone'
  /** Until then it can be accepted: seven days. */
  expiresAt: string
  /** Until then who owned it before can take it back: 72 hours. */
  undoUntil: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
}

/** As `organization.close` returns it. */
export type OrganizationCloseOrganization = {
  state: 'active' | 'closing'
  /** When it is erased, unless that is taken back before. */
  closesAt: string | null
}

/** As `operators.set` returns it. */
export type Operator = {
  /** Identifier. (at least 1) */
  accountId: number
  email: string
  name: string
  /** `support` looks, `full` also acts. */
  level: 'support' | 'full'
  /** Without one the account gets no token. */
  hasSecondFactor: boolean
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
}

/** As `organization_domains.delete` returns it. */
export type OrganizationDomainsDeleteOrganizationDomain = {
  /** What was deleted. */
  domainId: string
  /** It is gone. */
  deleted: true
}

/** As `webhooks.signing_secret` returns it. */
export type WebhooksSigningSecretWebhook = {
  /** Signs what is sent to callback URLs: `whsec_` and base64 of 32 bytes. */
  secret: string
  /** When it was last rotated; null: never. */
  rotatedAt: string | null
  /** Until when deliveries carry a signature by the secret before as well. */
  previousSecretUntil: string | null
}

/** As `webhooks.deliveries` returns it. */
export type WebhooksDeliveriesItem = {
  /** Identifier. */
  deliveryId: string
  /** The webhook; null for a delivery to a callbackUrl. */
  webhookId: string | null
  /** Where it goes: the present address of the webhook, or the callbackUrl. */
  url: string
  /** The event; also the header webhook-id, which all attempts and replays of it share. */
  eventId: string
  /** The type of the event. */
  eventType: string
  /** What the event is about: the id of a message, a call, a lead. Null for those who may not read such. */
  resourceId: string | null
  /** pending (waits for its first or next attempt), delivered (answered 2xx), failed (given up). */
  status: 'pending' | 'delivered' | 'failed'
  /** Attempts made so far, replays included. */
  attempts: number
  /** When the event happened. */
  createdAt: string
  /** When it was last tried. */
  lastAttemptAt: string | null
  /** When it is tried again; null when it is not, or waits for its turn. */
  nextAttemptAt: string | null
  /** When it was delivered or given up. */
  finishedAt: string | null
  /** HTTP status of the last answer; null when none came. */
  lastStatus: number | null
  /** Why no answer came to the last attempt; null when one came. */
  lastError: 'blocked_address' | 'dns_failed' | 'connect_timeout' | 'connection_refused' | 'unreachable' | 'tls_failed' | 'timeout' | 'reset' | 'not_http' | 'reply_too_large' | 'failed' | null
}

/** As `webhooks.replay` returns it. */
export type WebhooksReplayWebhook = {
  /** How many deliveries were queued; those that are due already are not counted. */
  replayed: number
  /**
   * A request replays at most 10,000, and looks at about half a million events: when there may be more, ask again
   * with this as from.
   */
  continueFrom: string | null
}

/** As `webhook_listeners.deliveries` returns it. */
export type WebhookListenersDeliveriesItem = {
  /** Identifier. */
  deliveryId: string
  /** The listener. */
  listenerId: string
  /** The event; also the header webhook-id. */
  eventId: string
  /** The type of the event. */
  eventType: string
  /** pending (no answer so far), delivered (answered 2xx), failed (answered otherwise, or not at all). */
  status: 'pending' | 'delivered' | 'failed'
  /** Counts from 1; grows when it is sent again. */
  attempt: number
  /** When the event happened. */
  createdAt: string
  /** When the answer came. */
  finishedAt: string | null
  /** How long it took, in milliseconds. */
  durationMs: number | null
  /** HTTP status of the last answer; null when none came. */
  lastStatus: number | null
  /** Why no answer came; null when one came. */
  lastError: 'blocked_address' | 'dns_failed' | 'connect_timeout' | 'connection_refused' | 'unreachable' | 'tls_failed' | 'timeout' | 'reset' | 'not_http' | 'reply_too_large' | 'failed' | null
  /** The beginning of what was answered. Null also for one who may not read the resource of the event. */
  reply: string | null
}

/** As `people.find` returns it. */
export type People = {
  /** As it was asked for. */
  address: string
  /** What has it. */
  type: 'user' | 'contact' | 'lead' | 'company'
  /** Its id, as other records name it: `lead:17`, `con_…`, `cmp_…`; of a colleague the number. */
  id: string
  /** What it is called. */
  name: string
}

/** As `destinations.check` returns it. */
export type Destination = {
  /** As it would be dialled. */
  to: string
  /** ISO 3166-1 alpha-2; null where it belongs to none. */
  country: string | null
  /** null for what is no telephone number. */
  kind: 'ordinary' | 'premium_rate' | 'shared_cost' | 'personal' | 'satellite' | 'international_network' | null
  allowed: boolean
  refusal: {
    /** The policy that is against it. */
    policy: string
    /** The code of the problem that a call or text would meet. */
    code: string
    /** Cause and remedy. */
    message: string
  } | null
  /** Ceilings for the number of calls that are reached: until they are not, no call is made. */
  reached: Array<{
    policy: string
    ceiling: 'concurrent_calls' | 'daily_calls' | 'daily_spend'
  }>
}

/** As `messages.sms.batch` returns it. */
export type Sms = {
  /** How many were accepted. */
  accepted: number
  refused: number
  /** In the order of the request. */
  messages: Array<{
    /** Place of the message in the request, from 0. */
    index: number
    /** Identifier, when the message was accepted. */
    messageId: string | null
    status: 'queued' | 'scheduled' | 'refused'
    /** Why it was refused: a problem code. */
    code: string | null
    /** The same for people. */
    message: string | null
    /** The field at fault, where it is one. */
    field: string | null
  }>
}

/** As `inbound_mails.assign` returns it. */
export type InboundMailsAssignInboundMail = {
  /** Identifier, `inm_…`. */
  inboundId: string
  /**
   * matched: it stands on the timeline of a lead or contact. unmatched: it waits for somebody to put it there.
   * ignored: it was set aside.
   */
  state: 'matched' | 'unmatched' | 'ignored'
  /** outbound: a person wrote it elsewhere, and sent a blind copy to their address here. */
  direction: 'inbound' | 'outbound'
  /** How it came: over SMTP, from a mailbox, or handed in over HTTP. */
  door: 'smtp' | 'imap' | 'http'
  /** The mailbox that it was read from, `mbx_…`. */
  mailboxId: string | null
  from: {
    address: string
    name: string | null
  } | null
  /**
   * Whether it is from whom it says, by DMARC. unverified: it failed, so the address that it came to is all that it
   * is matched by.
   */
  sender: 'verified' | 'unverified' | 'unknown'
  to: Array<{
    address: string
    name: string | null
  }>
  cc: Array<{
    address: string
    name: string | null
  }>
  subject: string
  /** Whether a machine wrote it (RFC 3834). Nothing that comes in is answered by itself. */
  isAutomatic: boolean
  /**
   * token: the address that it came to. thread: it answers a mail. sender, recipient: the one record with this
   * address. person: somebody put it there.
   */
  matchedBy: 'token' | 'thread' | 'sender' | 'recipient' | 'person' | null
  /** The lead (`lead:17`) or contact (`con_…`) on whose timeline it stands. */
  recordId: string | null
  /** The mail from here that it answers, `mail_…`. */
  answersMailId: string | null
  /** Records that it may belong to, where there are several. */
  candidates: string[]
  /** Who sent the blind copy. */
  userId: number | null
  /** Its Message-ID, without angle brackets. */
  messageId: string | null
  /** As it came. */
  sizeBytes: number
  attachments: Array<{
    /** From 1, to download it with. */
    number: number
    fileName: string
    /** As the sender says. */
    mediaType: string
    sizeBytes: number
    /** Whether it is shown within the HTML. */
    isInline: boolean
  }>
  /** As the sender says. */
  writtenAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  receivedAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string
}

/** As `client_calls.answer` returns it. */
export type ClientCallsAnswerClientCall = {
  /** Identifier of the call, `call_…`. */
  callId: string
  /** As it was before this request is carried out. */
  state: 'initiated' | 'ringing' | 'answered' | 'completed' | 'busy' | 'no_answer' | 'rejected' | 'failed' | 'canceled'
}

/** As `numbers.verification.send` returns it. */
export type Verification = {
  /** Identifier of the number, `num_…`. */
  numberId: string
  /** How the code comes. */
  method: 'text' | 'call'
  /** ISO 8601 in UTC, with milliseconds. */
  expiresAt: string
  /** How many more codes may be asked for; 5 a day for a number, 50 for all of the organization. */
  requestsLeft: number
}

/** As `conversations.items` returns it. */
export type ConversationsItemsItem = {
  /** Identifier: of the text, the call, the mail, the note or the event. */
  itemId: string
  /**
   * Voicemail: an inbound call that nobody took and that was recorded. Event: what was done with the conversation.
   */
  kind: 'text' | 'call' | 'voicemail' | 'mail' | 'note' | 'event'
  /** ISO 8601 in UTC, with milliseconds. */
  at: string
  /** Inbound came from the person; null of notes and events. */
  direction: 'inbound' | 'outbound' | null
  /** Who wrote or did it, where that is known; null for what came in, and for what programs sent. */
  author: {
    /** Identifier. (at least 1) */
    userId: number
    /** Name of the person. */
    name: string
  } | null
  /** Sender or caller. */
  from: string | null
  /** Recipient or callee. */
  to: string | null
  /** Of a mail. */
  subject: string | null
  /** The words: of a text (null when taken away), a mail, a note. */
  body: string | null
  /** What a mail quotes at its end. */
  quoted: string | null
  /**
   * Of a text, a call or a mail that was sent as it is now; of a mail that came in whether its sender is verified.
   */
  status: string | null
  /** Why, where that needs a reason: a problem code, or a cause of hanging up. */
  code: string | null
  /** Of an inbound call: whether nobody took it. */
  missed: boolean
  /** Of a call that has ended. */
  durationSeconds: number | null
  /** What was recorded of a call, oldest first. */
  recordings: Array<{
    /** Identifier of the recording, `rec_…`. */
    recordingId: string
    /** available can be heard at GET /v2/voice/recordings/{recordingId}/media. */
    state: 'recording' | 'paused' | 'processing' | 'available' | 'absent' | 'failed' | 'deleted'
    durationSeconds: number | null
  }>
  /** Whom a note mentions. */
  mentions: Array<{
    /** Identifier. (at least 1) */
    userId: number
    /** Name of the person. */
    name: string
  }>
  /** Files of a note that are there still. */
  attachments: Array<{
    /** Identifier, `att_…`: GET /v1/api/attachments/{id}/content has the bytes. */
    attachmentId: string
    name: string
    contentType: string
    sizeBytes: number
  }>
  /** Of an event: what was done. */
  event: {
    /** Woken: the time of a snoozed one had come. Merged: another conversation became part of this one. */
    type: 'created' | 'assigned' | 'snoozed' | 'woken' | 'reopened' | 'closed' | 'attached' | 'merged'
    assignee: {
      /** Identifier. (at least 1) */
      userId: number
      /** Name of the person. */
      name: string
    } | null
    team: {
      teamId: string
      name: string
    } | null
    /** ISO 8601 in UTC, with milliseconds. */
    snoozedUntil: string | null
    /** The lead or contact that it was put on. */
    recordId: string | null
  } | null
}

/** As `analytics.usage` returns it. */
export type Analytics = {
  /** ISO 8601 in UTC, with milliseconds. */
  after: string
  /** ISO 8601 in UTC, with milliseconds. */
  before: string
  interval: 'hour' | 'day'
  /** That of the organization (IANA name), whose days and hours these are. */
  timeZone: string
  /** When each bucket begins. Lists of figures have as many entries. */
  buckets: string[]
  groupBy: 'none' | 'endpoint' | 'key' | 'status' | 'source'
  /** The most used first. */
  series: Array<{
    /**
     * What it counts: an endpoint id, a key id, a status class (2xx, 3xx, 4xx, 429, 5xx), a source; "" for access
     * tokens or addresses that are none, and for all with groupBy none; "other" for what is beyond 23 series.
     */
    key: string
    /** The same for people: the name of the key. */
    label: string
    requests: number[]
    errors: number[]
    refused: number[]
    limited: number[]
    p50Ms: Array<number | null>
    p95Ms: Array<number | null>
    total: {
      /** All requests. (at least 0) */
      requests: number
      /** Answered 5xx. (at least 0) */
      errors: number
      /** Answered 4xx, but for those beyond the rate limit. (at least 0) */
      refused: number
      /** Answered 429. (at least 0) */
      limited: number
      /** Half of the requests were answered within so many milliseconds. */
      p50Ms: number | null
      /** 95 of 100 were. */
      p95Ms: number | null
    }
  }>
  total: {
    /** All requests. (at least 0) */
    requests: number
    /** Answered 5xx. (at least 0) */
    errors: number
    /** Answered 4xx, but for those beyond the rate limit. (at least 0) */
    refused: number
    /** Answered 429. (at least 0) */
    limited: number
    /** Half of the requests were answered within so many milliseconds. */
    p50Ms: number | null
    /** 95 of 100 were. */
    p95Ms: number | null
  }
}

/** As `catalog.categories` returns it. */
export type CatalogCategoriesItem = {
  name: string
  /** What it holds, or will hold. */
  description: string
  /** How many endpoints it has. */
  endpoints: number
  /** Whether it is planned, and has no endpoint yet. */
  planned: boolean
  /** Of a planned one: what comes first, and then. */
  steps: string[]
  /** Of a planned one: what comes closest. */
  meanwhile: Array<{
    /** What can be done today. */
    text: string
    /** Ids of the endpoints that do it. */
    endpoints: string[]
  }>
}

/** As `users.list` returns it. */
export type Pagination = {
  /** The page used. */
  page: number
  /** The limit used. */
  limit: number
  /** How many records match the filters, exactly. */
  totalCount: number
  /** Cursor of the next page; null on the last. */
  nextCursor: string | null
}

/** As `leads.list` returns it. */
export type LeadsListPagination = {
  /** The page used. */
  page: number
  /** The limit used. */
  limit: number
  /** How many records match the filters. */
  totalCount: number
  /**
   * False where more match than were counted: of filters that are not counted in advance at most 10,000, of a search
   * at most 1,000. There are at least `totalCount` then.
   */
  totalIsExact: boolean
  /** Cursor of the next page; null on the last. */
  nextCursor: string | null
}

/** As `imports.list` returns it. */
export type ImportsListPagination = {
  /** The limit used. */
  limit: number
  /** Cursor of the next page; null on the last. */
  nextCursor: string | null
}

/** As `leads.create` returns it. */
export type Duplicate = {
  /** Identifier. (at least 1) */
  id: number
  /** What it is called. */
  title: string
  /** The field that is the same. */
  matched_by: string
}

/** As `companies.create` returns it. */
export type CompaniesCreateDuplicate = {
  /** Identifier. */
  id: string
  /** What it is called. */
  title: string
  /** The field that is the same. */
  matched_by: string
}

/** As `auth.login` returns it. */
export type AuthLoginUser = {
  /** Identifier. (at least 1) */
  id: number
  email: string
  role: 'Admin' | 'Sales Manager' | 'Sales Executive' | 'Finance Manager'
  name: string
}

/** As `auth.me` returns it. */
export type Tenant = {
  /** Identifier. (at least 1) */
  id: number
  mode: 'live' | 'test'
}

/** As `leads.bulk` returns it. */
export type Failed = {
  /** Identifier. (at least 1) */
  id: number
  /** Code of the problem. */
  code: string
  /** What is wrong with the change of this one. */
  message: string
}

/** As `leads.history` returns it. */
export type Change = {
  /** The version that the change made. */
  version: number
  /** ISO 8601 in UTC, with milliseconds. */
  at: string
  /** Who made it; null where the server did. */
  user_id: number | null
  /** The API key that it was made with. */
  key_id: string | null
  /**
   * request, bulk, merge, import, revert, purge (what a field named was removed for good), inbound (a message of
   * somebody unknown created it), or hand_over (its owner left).
   */
  source: string
  /** What was changed together has one. */
  batch_id: string | null
  fields: Array<{
    field: string
    /** The value before; of a long text its length, where it was changed by itself. */
    from: unknown
    /**
     * The value after. Of `merged`, the records that this one took in; of `merged_into`, the one that took it in.
     */
    to: unknown
  }>
}

/** As `companies.bulk` returns it. */
export type CompaniesBulkFailed = {
  /** The record that is as it was. */
  id: string
  /** Code of the problem. */
  code: string
  /** What is wrong with the change of this one. */
  message: string
}

/** As `tags.assigned` returns it. */
export type TaggedRecord = {
  /** The record. */
  record_id: string
  /** Its tags, by name. */
  tags: Array<{
    /** Identifier of the tag. */
    id: string
    /** What it says. */
    name: string
    /** The color that it is shown in. */
    color: string
  }>
}

/** As `tags.counts` returns it. */
export type Count = {
  /** The tag. */
  tag_id: string
  /** The kind of records: company, contact, lead. */
  noun: string
  /** How many have it. */
  records: number
}

/** As `invoices.totals` returns it. */
export type Total = {
  status: 'Draft' | 'Sent' | 'Paid' | 'Overdue' | 'Cancelled'
  /** ISO 4217 code. */
  currency: string
  /** How many there are. (at least 0) */
  invoices: number
  /** What they come to, with tax, in the major unit of the currency. */
  amount: number
  /** What has been paid of it. */
  amount_paid: number
  /** What is still to be paid of those that are Sent or Overdue; 0 for others. */
  amount_due: number
}

/** As `invoices.totals` returns it. */
export type DueSoon = {
  /** ISO 4217 code. */
  currency: string
  /** How many there are. (at least 0) */
  invoices: number
  /** What they come to, with tax, in the major unit of the currency. */
  amount: number
  /** What has been paid of it. */
  amount_paid: number
  /** What is still to be paid of those that are Sent or Overdue; 0 for others. */
  amount_due: number
}

/** As `invoices.number_audit` returns it. */
export type Gap = {
  from: string
  to: string
}

/** As `leads.timeline` returns it. */
export type TimelineEntry = {
  /** Identifier of the entry: of the message, the call, the change or what was put on the record. */
  id: string
  /**
   * A text message, a call, a mail, what was changed of the record, and what was put on it: a note, a task, a file.
   */
  kind: 'message' | 'call' | 'mail' | 'change' | 'note' | 'task' | 'attachment'
  /** ISO 8601 in UTC, with milliseconds. */
  at: string
  /** Inbound came from the person; null for others. */
  direction: 'inbound' | 'outbound' | null
  /** What happened, in one line. */
  title: string
  /**
   * What a mail, a task or a file is called; of a merge the records that were taken in. Null for others, and of a
   * mail without a subject.
   */
  subject: string | null
  /**
   * What a change of the record was, for a title in other words: moved is a change of where it stands,
   * reference_removed that a record it named is gone for good. Null for others.
   */
  change_kind: 'created' | 'trashed' | 'restored' | 'merged' | 'changed_by_merge' | 'owner_left' | 'reference_removed' | 'moved' | 'owner_changed' | 'changed' | null
  /**
   * The text of a message (null when it was taken away), what was written in a mail, the text of a note or a task,
   * or the reason that a change of status gives.
   */
  body: string | null
  /** What a mail quotes at its end. */
  quoted: string | null
  /**
   * Of the message, the call, the mail that was sent or the task as it is now; of a mail that came in whether its
   * sender is verified; of a change the status that it led to; of a file its content type.
   */
  status: string | null
  /** Why, where that needs a reason: a problem code, or a cause of hanging up. */
  code: string | null
  /** Sender or caller. */
  from: string | null
  /** Recipient or callee. */
  to: string | null
  /** Of a call that has ended. */
  duration_seconds: number | null
  /** What came of a call, as the person who had it says; null where nobody did. */
  outcome: 'answered' | 'voicemail' | 'no_answer' | 'busy' | 'wrong_number' | 'call_back' | 'not_interested' | null
  /** What a change of the record changed. */
  changes: Array<{
    /** Name of the field. */
    field: string
    from: string | null
    to: string | null
  }>
  /** What was recorded of a call, oldest first. */
  recordings: Array<{
    /** Identifier of the recording, `rec_…`. */
    recording_id: string
    /**
     * available can be heard at GET /v2/voice/recordings/{recordingId}/media; deleted, absent and failed have no
     * audio.
     */
    state: 'recording' | 'paused' | 'processing' | 'available' | 'absent' | 'failed' | 'deleted'
    /** Length of the audio, each second begun counts. */
    duration_seconds: number | null
    /** Why it failed, as in GET /v2/problems. */
    code: string | null
  }>
  /**
   * Who did it, where that is known: of changes, mails that were sent, notes, tasks and files; of calls the person
   * who said what came of it.
   */
  user_id: number | null
  /** What it is about, to read more of it: the message, the note, or the record itself. */
  resource_id: string
}

/** As `leads.timeline` returns it. */
export type LeftOut = {
  kind: 'message' | 'call' | 'recording' | 'mail' | 'note' | 'task' | 'attachment'
  /** What one needs to see these. */
  permission: string
}

/** As `leads.timeline` returns it. */
export type LeadsTimelinePagination = {
  /** The limit used. */
  limit: number
  /** Cursor of what is older; null at the beginning. */
  nextCursor: string | null
}

/** As `api_keys.create` returns it. */
export type Scope = 'profile:read' | 'profile:update' | 'users:read' | 'users:manage' | 'roles:manage' | 'teams:read' | 'teams:manage' | 'organization:transfer' | 'organization:read' | 'organization:export' | 'organization:close' | 'organization:update' | 'security:manage' | 'sso:manage' | 'scim:manage' | 'audit:read' | 'audit:manage' | 'audit:export' | 'retention:update' | 'privacy_requests:read' | 'privacy_requests:create' | 'legal_holds:read' | 'legal_holds:manage' | 'keys:read' | 'keys:manage' | 'apps:read' | 'apps:manage' | 'companies:read' | 'companies:create' | 'companies:update' | 'companies:delete' | 'contacts:read' | 'contacts:create' | 'contacts:update' | 'contacts:delete' | 'leads:read' | 'leads:create' | 'leads:update' | 'leads:delete' | 'notes:read' | 'notes:create' | 'notes:update' | 'notes:delete' | 'tasks:read' | 'tasks:create' | 'tasks:update' | 'tasks:delete' | 'attachments:read' | 'attachments:create' | 'attachments:update' | 'attachments:delete' | 'tags:read' | 'tags:create' | 'tags:update' | 'tags:delete' | 'tags:assign' | 'views:read' | 'views:write' | 'imports:read' | 'imports:run' | 'batches:read' | 'batches:revert' | 'invoices:read' | 'invoices:create' | 'invoices:update' | 'invoices:send' | 'invoices:cancel' | 'payments:create' | 'payments:reverse' | 'messages:send' | 'messages:read' | 'messages:manage' | 'messages:erase' | 'numbers:read' | 'numbers:manage' | 'mail:read' | 'mail:send' | 'mail:receive' | 'mail:manage' | 'mail:erase' | 'mail:assign' | 'conversations:read' | 'conversations:write' | 'carriers:read' | 'carriers:manage' | 'trunks:read' | 'trunks:manage' | 'destinations:read' | 'destinations:manage' | 'sip_credentials:read' | 'sip_credentials:manage' | 'calls:create' | 'calls:read' | 'calls:control' | 'phone:use' | 'recordings:read' | 'recordings:delete' | 'requests:read' | 'stream:open' | 'events:read' | 'webhooks:read' | 'webhooks:manage' | 'playground:read' | 'playground:write' | 'playground:share' | 'usage:read' | 'status:read'

/** Why the call ended. */
export type HangupCause = 'normal' | 'time_limit' | 'user_busy' | 'no_answer' | 'not_registered' | 'declined' | 'canceled' | 'unallocated' | 'number_changed' | 'bad_format' | 'no_route' | 'trunk_rejected' | 'caller_id_not_allowed' | 'destination_not_allowed' | 'destination_premium' | 'address_of_trunk' | 'concurrent_calls_exceeded' | 'daily_calls_exceeded' | 'daily_spend_exceeded' | 'codec_mismatch' | 'congestion' | 'network' | 'media_timeout' | 'node_lost' | 'instructions_failed' | 'dial_expired' | null

/** As `status.get` returns it. */
export type Code = 'queue_late' | 'carrier_down' | 'carrier_degraded' | 'trunk_down' | 'webhook_failing' | 'webhook_disabled' | 'mailbox_failing' | 'node_silent' | 'versions_differ' | 'disk_low' | 'connections_high' | 'transactions_old' | 'setting_unsafe' | 'backup_old' | 'wal_not_archived' | 'base_backup_old' | 'sending_held'

/** One thing to do with a call; `verb` says what. */
export type Instruction =
  | AnswerInstruction
  | RejectInstruction
  | SayInstruction
  | PlayInstruction
  | PauseInstruction
  | GatherInstruction
  | DialInstruction
  | ConferenceInstruction
  | EnqueueInstruction
  | DequeueInstruction
  | RecordInstruction
  | RecordStopInstruction
  | RecordPauseInstruction
  | RecordResumeInstruction
  | TransferInstruction
  | HoldInstruction
  | ResumeInstruction
  | MuteInstruction
  | UnmuteInstruction
  | SendDigitsInstruction
  | DetectMachineInstruction
  | RedirectInstruction
  | GotoInstruction
  | NotifyInstruction
  | TagInstruction
  | MessageInstruction
  | HangupInstruction

/** Answers an inbound call. Verbs that need an answered call do it by themselves. */
export type AnswerInstruction = {
  /** Always `answer`. */
  verb: 'answer'
  /**
   * Name of this place in the list, for `goto` and `branches`; each may stand once. (1 to 64 characters; matches
   * `^[A-Za-z0-9_-]+$`)
   */
  label?: string
}

/** Refuses an inbound call that is not answered, at no cost for the caller, and ends the list. */
export type RejectInstruction = {
  /** Always `reject`. */
  verb: 'reject'
  /**
   * Name of this place in the list, for `goto` and `branches`; each may stand once. (1 to 64 characters; matches
   * `^[A-Za-z0-9_-]+$`)
   */
  label?: string
  /** Why, as the caller is informed: declined (603), busy (486), unavailable (480). (default "declined") */
  reason?: 'declined' | 'busy' | 'unavailable'
  /** A status of your own instead of the one of the reason. (400 to 699) */
  sipCode?: number
}

/** Speaks a text. */
export type SayInstruction = {
  /** Always `say`. */
  verb: 'say'
  /**
   * Name of this place in the list, for `goto` and `branches`; each may stand once. (1 to 64 characters; matches
   * `^[A-Za-z0-9_-]+$`)
   */
  label?: string
  /** What to say: plain text, or SSML when it begins with `<speak`. (1 to 4096 characters) */
  text: string
  /**
   * Language of the text as a BCP 47 tag. (1 to 35 characters; matches `^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$`;
   * default "en-US")
   */
  language?: string
  /**
   * A voice of the speech engine by its name; without it, the engine's voice for the language. (1 to 64 characters;
   * matches `^[A-Za-z0-9_.+-]+$`)
   */
  voice?: string
  /** How often it is heard; 0 means again and again, until something else ends it. (0 to 1000; default 1) */
  loop?: number
  /** Whether a key pressed ends it. The list goes on, and the digit counts for the next `gather`. (default false) */
  bargeIn?: boolean
}

/** Plays a file of sound, or a tone. Give one of `url` and `tone`. */
export type PlayInstruction = {
  /** Always `play`. */
  verb: 'play'
  /**
   * Name of this place in the list, for `goto` and `branches`; each may stand once. (1 to 64 characters; matches
   * `^[A-Za-z0-9_-]+$`)
   */
  label?: string
  /** The file to play. WAV (PCM, µ-law or A-law), mono or stereo. (1 to 2048 characters) */
  url?: string
  /** A tone of ours instead of a file: one period of it, or with `hold` a piece of music. */
  tone?: 'ringback' | 'busy' | 'congestion' | 'dial' | 'beep' | 'hold'
  /** How often it is heard; 0 means again and again, until something else ends it. (0 to 1000; default 1) */
  loop?: number
  /** Where in the file to begin, in seconds. (0 to 86400; default 0) */
  seekSeconds?: number
  /** Whether a key pressed ends it. The list goes on, and the digit counts for the next `gather`. (default false) */
  bargeIn?: boolean
}

/** Waits in silence. At the start of an inbound call it lets the phone ring meanwhile. */
export type PauseInstruction = {
  /** Always `pause`. */
  verb: 'pause'
  /**
   * Name of this place in the list, for `goto` and `branches`; each may stand once. (1 to 64 characters; matches
   * `^[A-Za-z0-9_-]+$`)
   */
  label?: string
  /** How long to wait. (0.1 to 3600; default 1) */
  seconds?: number
}

/**
 * Collects digits typed on the keypad. It ends at `numDigits` digits, at `finishOnKey`, or when nothing is typed for
 * a while. The digits go to `actionUrl`, choose one of `branches`, and are reported by the event `gather.completed`;
 * without a decision the list goes on.
 */
export type GatherInstruction = {
  /** Always `gather`. */
  verb: 'gather'
  /**
   * Name of this place in the list, for `goto` and `branches`; each may stand once. (1 to 64 characters; matches
   * `^[A-Za-z0-9_-]+$`)
   */
  label?: string
  /** What to listen for: `dtmf`, digits of the keypad. (exactly 1 item; default ["dtmf"]) */
  input?: Array<'dtmf'>
  /** How many digits end it at once; without it, as many as are typed. (1 to 128) */
  numDigits?: number
  /**
   * The key that ends it; it is not one of the digits. One of 0-9, A-D, * and #; empty for none. (0 to 1 characters;
   * matches `^[0-9A-D*#]?$`; default "#")
   */
  finishOnKey?: string
  /** How long to wait for the first digit after the prompt, in seconds. (0.5 to 300; default 5) */
  timeoutSeconds?: number
  /** How long to wait for the next digit, in seconds. (0.5 to 60; default 5) */
  betweenDigitsSeconds?: number
  /** What is heard first: `say`, `play` and `pause`. Digits count from its start. (1 to 100 items) */
  prompt?: PromptInstruction[]
  /** Whether the first digit ends the prompt. (default true) */
  bargeIn?: boolean
  /** Whether the digits are a secret: histories, traces and events then show how many, not which. (default false) */
  sensitive?: boolean
  /** Where to go on: a label of the list for what was typed. For a menu without a server. (at most 50 entries) */
  branches?: Record<string, string>
  /**
   * Asked with the digits how to go on. Synchronous callback: the answer is a list of instructions, which replaces
   * the running one. (1 to 2048 characters)
   */
  actionUrl?: string
  /** Whether `actionUrl` is asked too when nothing was typed; else the list goes on. (default false) */
  actionOnEmpty?: boolean
}

/** Something that is heard. */
export type PromptInstruction =
  | SayInstruction
  | PlayInstruction
  | PauseInstruction

/**
 * Calls somebody and joins both. When the conversation is over, or nobody took the call, the list goes on: give
 * `onEnd` and `onFail` to do different things then.
 */
export type DialInstruction = {
  /** Always `dial`. */
  verb: 'dial'
  /**
   * Name of this place in the list, for `goto` and `branches`; each may stand once. (1 to 64 characters; matches
   * `^[A-Za-z0-9_-]+$`)
   */
  label?: string
  /** Whom to call: numbers, SIP addresses, users in the browser, or a queue. (1 to 10 items) */
  targets: Array<NumberTarget | SipTarget | ClientTarget | QueueTarget>
  /**
   * `simultaneous` rings all targets and the first to answer has the call; `sequential` one after another. (default
   * "simultaneous")
   */
  strategy?: 'simultaneous' | 'sequential'
  /**
   * Number to show; without it, the number of ours that the call came in on or went out from. (3 to 40 characters)
   */
  callerId?: string
  /** Name to show, where the carrier passes it on. (1 to 64 characters; matches `^[^\x00-\x1f\x7f-\x9f]+$`) */
  callerName?: string
  /** How long to let it ring, in seconds. (5 to 600; default 30) */
  timeoutSeconds?: number
  /** How long it may last, in seconds. (1 to 86400; default 14400) */
  timeLimitSeconds?: number
  /** Whether an inbound call is answered only when a target has taken it; else at once. (default false) */
  answerOnBridge?: boolean
  /**
   * What the caller hears while it rings, instead of the tone. WAV (PCM, µ-law or A-law), mono or stereo. (1 to 2048
   * characters)
   */
  ringbackUrl?: string
  /** What the one who answers hears before both are joined; the caller hears it ring on. (1 to 100 items) */
  confirm?: PromptInstruction[]
  /**
   * The key that takes the call after `confirm`, within 10 seconds; any other answer counts as none. (exactly 1
   * character; matches `^[0-9A-D*#]$`)
   */
  confirmKey?: string
  /**
   * Asked when a target answers, before both are joined; `hangup` declines. Synchronous callback: the answer is a
   * list of instructions, for the leg of the target. (1 to 2048 characters)
   */
  confirmUrl?: string
  /** What the caller hears when a target has taken the call, before both are joined. (1 to 100 items) */
  onAnswer?: PromptInstruction[]
  /**
   * What to do when a conversation took place and the other side has left; then the list goes on. (1 to 100 items)
   */
  onEnd?: Instruction[]
  /** What to do when nobody took the call; then the list goes on. (1 to 100 items) */
  onFail?: Instruction[]
  /** Whether the conversation is recorded: `mono` mixes both sides, `dual` gives each a channel. (default "none") */
  record?: 'none' | 'mono' | 'dual'
  /**
   * The key with which the caller leaves the conversation, and the list goes on. One of 0-9, A-D, * and #; empty for
   * none. (0 to 1 characters; matches `^[0-9A-D*#]?$`; default "")
   */
  finishOnKey?: string
  /**
   * Asked when the dialled call is over, with how it went, how to go on. Synchronous callback: the answer is a list
   * of instructions, which replaces the running one. (1 to 2048 characters)
   */
  actionUrl?: string
}

/** A telephone number, by one of your trunks. */
export type NumberTarget = {
  /** Always `number`. */
  type: 'number'
  /** Telephone number, best in international format with +. (3 to 40 characters) */
  number: string
  /**
   * Typed after the answer, before both are joined, such as an extension: 0-9, A-D, *, #; `w` waits half a second,
   * `W` a whole one. (1 to 100 characters; matches `^[0-9A-D*#wW]+$`)
   */
  sendDigits?: string
  /** How long to let this target ring, in seconds, when not as long as the others. (5 to 600) */
  timeoutSeconds?: number
}

/** A SIP address. */
export type SipTarget = {
  /** Always `sip`. */
  type: 'sip'
  /**
   * SIP address to call, such as `sip:desk@pbx.example.com;transport=tls`. (1 to 255 characters; matches
   * `^[sS][iI][pP][sS]?:[^\s<>"\x00-\x1f\x7f-\x9f]+$`)
   */
  uri: string
  /** Name to answer a digest challenge with. (1 to 128 characters; matches `^[^"\x00-\x1f\x7f-\x9f]+$`) */
  user?: string
  /**
   * Password to answer a digest challenge with. It is never shown again. (1 to 128 characters; matches
   * `^[^\x00-\x1f\x7f-\x9f]+$`)
   */
  password?: string
  /** Headers to add to the INVITE: names that begin with `X-`, or `User-to-User`. (at most 20 entries) */
  headers?: Record<string, string>
  /** How long to let this target ring, in seconds, when not as long as the others. (5 to 600) */
  timeoutSeconds?: number
}

/** The phone of a user in the browser. It rings in every window the user has open. */
export type ClientTarget = {
  /** Always `client`. */
  type: 'client'
  /**
   * The user: e-mail address, or the identity its client token was made for. (1 to 254 characters; matches
   * `^[^\s<>"\x00-\x1f\x7f-\x9f]+$`)
   */
  identity: string
  /** How long to let this target ring, in seconds, when not as long as the others. (5 to 600) */
  timeoutSeconds?: number
}

/** The caller who waits longest in a queue. It must be the only target. */
export type QueueTarget = {
  /** Always `queue`. */
  type: 'queue'
  /** Name of the queue. It comes into being with its first caller. (1 to 64 characters) */
  queue: string
  /**
   * What the one who takes the call can do. Callers who need something else are passed over, and go on waiting. (at
   * most 10 items; no item twice)
   */
  skills?: string[]
}

/** Takes the call into a conference; all who name it talk with each other. The list goes on when the call leaves. */
export type ConferenceInstruction = {
  /** Always `conference`. */
  verb: 'conference'
  /**
   * Name of this place in the list, for `goto` and `branches`; each may stand once. (1 to 64 characters; matches
   * `^[A-Za-z0-9_-]+$`)
   */
  label?: string
  /**
   * Name of the conference within the organization. It begins with its first participant. (1 to 128 characters;
   * matches `^[^\x00-\x1f\x7f-\x9f]+$`)
   */
  name: string
  /** Whether it starts when this call enters; else it waits for one that does. (default true) */
  startOnEnter?: boolean
  /** Whether it ends for all when this call leaves. (default false) */
  endOnExit?: boolean
  /** Whether the others do not hear this call. (default false) */
  muted?: boolean
  /**
   * Call id of the one participant who hears this call; it hears all. (1 to 64 characters; matches
   * `^call_[a-z0-9]+$`)
   */
  coach?: string
  /** How many may take part; one more is turned away, and its list goes on. (2 to 250; default 250) */
  maxParticipants?: number
  /** When the others hear a tone: somebody enters, leaves, both or none. (default "both") */
  beep?: 'none' | 'enter' | 'exit' | 'both'
  /**
   * What is heard until it has started and somebody else is there, again and again; without it, music. (1 to 100
   * items)
   */
  wait?: PromptInstruction[]
  /** Whether it is recorded, all voices mixed into one channel. (default "none") */
  record?: 'none' | 'mono'
  /** How long it may last, in seconds. (1 to 86400; default 14400) */
  timeLimitSeconds?: number
  /**
   * The key with which one leaves the conference, and the list goes on. One of 0-9, A-D, * and #; empty for none. (0
   * to 1 characters; matches `^[0-9A-D*#]?$`; default "")
   */
  finishOnKey?: string
  /**
   * Asked when the call has left how to go on. Synchronous callback: the answer is a list of instructions, which
   * replaces the running one. (1 to 2048 characters)
   */
  actionUrl?: string
}

/**
 * Puts the call into a queue, where it waits until somebody takes it out (`dequeue`, or `dial` to the queue). The
 * list goes on when that conversation is over, or when the call leaves the queue.
 */
export type EnqueueInstruction = {
  /** Always `enqueue`. */
  verb: 'enqueue'
  /**
   * Name of this place in the list, for `goto` and `branches`; each may stand once. (1 to 64 characters; matches
   * `^[A-Za-z0-9_-]+$`)
   */
  label?: string
  /** Name of the queue. It comes into being with its first caller. (1 to 64 characters) */
  queue: string
  /** Calls of a higher priority are taken first; among equals, the one that waits longest. (0 to 100; default 0) */
  priority?: number
  /**
   * What the one who takes the call must be able to do: all of these must be among the `skills` of the `dequeue`.
   * (at most 10 items; no item twice)
   */
  skills?: string[]
  /**
   * What is heard while waiting, again and again: `say`, `play`, `pause`, `gather`, `leave`; without it, music. A
   * branch of `gather` to a label outside leaves the queue. (1 to 100 items)
   */
  wait?: WaitInstruction[]
  /**
   * Asked, instead of `wait`, what is heard next while waiting, with the place in the queue. Synchronous callback:
   * the answer is a list of instructions, of the verbs that `wait` takes. (1 to 2048 characters)
   */
  waitUrl?: string
  /** After how many seconds the call leaves the queue. (5 to 86400; default 3600) */
  maxWaitSeconds?: number
  /** What to do when nobody took the call out of the queue; then the list goes on. (1 to 100 items) */
  onFail?: Instruction[]
  /**
   * Asked when the call has left the queue, with why, how to go on. Synchronous callback: the answer is a list of
   * instructions, which replaces the running one. (1 to 2048 characters)
   */
  actionUrl?: string
}

/** What may be done while a call waits in a queue. */
export type WaitInstruction =
  | SayInstruction
  | PlayInstruction
  | PauseInstruction
  | GatherInstruction
  | LeaveInstruction

/** Leaves the queue or the conference the call is in; the list that brought it there goes on. */
export type LeaveInstruction = {
  /** Always `leave`. */
  verb: 'leave'
  /**
   * Name of this place in the list, for `goto` and `branches`; each may stand once. (1 to 64 characters; matches
   * `^[A-Za-z0-9_-]+$`)
   */
  label?: string
}

/** Takes the next caller out of a queue and joins both. The list goes on when the conversation is over. */
export type DequeueInstruction = {
  /** Always `dequeue`. */
  verb: 'dequeue'
  /**
   * Name of this place in the list, for `goto` and `branches`; each may stand once. (1 to 64 characters; matches
   * `^[A-Za-z0-9_-]+$`)
   */
  label?: string
  /** Name of the queue. It comes into being with its first caller. (1 to 64 characters) */
  queue: string
  /**
   * What the one who takes calls can do. Callers who need something else are passed over, and go on waiting. (at
   * most 10 items; no item twice)
   */
  skills?: string[]
  /**
   * A certain caller of the queue, instead of the next one, whatever skills are needed. (1 to 64 characters; matches
   * `^call_[a-z0-9]+$`)
   */
  callId?: string
  /** How long to wait for a caller when the queue is empty, in seconds. (0 to 3600; default 30) */
  timeoutSeconds?: number
  /** How long it may last, in seconds. (1 to 86400; default 14400) */
  timeLimitSeconds?: number
  /** Whether the caller hears a tone before both are joined. (default false) */
  beep?: boolean
  /** Whether the conversation is recorded: `mono` mixes both sides, `dual` gives each a channel. (default "none") */
  record?: 'none' | 'mono' | 'dual'
  /**
   * Asked when the conversation is over, or nobody came, how to go on. Synchronous callback: the answer is a list of
   * instructions, which replaces the running one. (1 to 2048 characters)
   */
  actionUrl?: string
}

/**
 * Records a message that somebody leaves, or the whole call. `message` records what the caller says, until a key,
 * silence or the longest time ends it, and then the list goes on. `call` records both sides from here in the
 * background, and the list goes on at once; it ends with `recordStop` or with the call.
 */
export type RecordInstruction = {
  /** Always `record`. */
  verb: 'record'
  /**
   * Name of this place in the list, for `goto` and `branches`; each may stand once. (1 to 64 characters; matches
   * `^[A-Za-z0-9_-]+$`)
   */
  label?: string
  /** A message that somebody leaves, or the whole call. (default "message") */
  mode?: 'message' | 'call'
  /** `mono` mixes both sides; `dual` gives each a channel, for `call` only. (default "mono") */
  channels?: 'mono' | 'dual'
  /**
   * How long it may get, in seconds. Left out: an hour for a message, the rest of the call for a call. (1 to 86400)
   */
  maxSeconds?: number
  /**
   * The key that ends a message. One of 0-9, A-D, * and #; empty for none. (0 to 1 characters; matches
   * `^[0-9A-D*#]?$`; default "#")
   */
  finishOnKey?: string
  /** How much silence ends a message, in seconds; 0 for none. (0 to 60; default 5) */
  silenceSeconds?: number
  /** Whether silence at begin and end of a message is cut off. (default true) */
  trim?: boolean
  /** Whether a tone is heard before a message is recorded. (default true) */
  beep?: boolean
  /**
   * Asked when a message is recorded, with its id and length, how to go on. Synchronous callback: the answer is a
   * list of instructions, which replaces the running one. (1 to 2048 characters)
   */
  actionUrl?: string
}

/**
 * Ends each recording in which the call is heard, also that of the other side of its conversation, or of its
 * conference. It is stored, and reported by `recording.available`. Where nothing is recorded the event
 * `call.recording_unchanged` says so.
 */
export type RecordStopInstruction = {
  /** Always `recordStop`. */
  verb: 'recordStop'
  /**
   * Name of this place in the list, for `goto` and `branches`; each may stand once. (1 to 64 characters; matches
   * `^[A-Za-z0-9_-]+$`)
   */
  label?: string
}

/**
 * Pauses each recording in which the call is heard, for instance while a card number is read out: also that of the
 * other side of its conversation, or of its conference. The pause lasts until `recordResume`, also with another
 * partner. Where nothing is recorded the event `call.recording_unchanged` says so.
 */
export type RecordPauseInstruction = {
  /** Always `recordPause`. */
  verb: 'recordPause'
  /**
   * Name of this place in the list, for `goto` and `branches`; each may stand once. (1 to 64 characters; matches
   * `^[A-Za-z0-9_-]+$`)
   */
  label?: string
  /** Whether the pause is silence in the recording, or left out of it. (default "silence") */
  behavior?: 'silence' | 'skip'
}

/** Goes on after a pause with each recording in which the call is heard. */
export type RecordResumeInstruction = {
  /** Always `recordResume`. */
  verb: 'recordResume'
  /**
   * Name of this place in the list, for `goto` and `branches`; each may stand once. (1 to 64 characters; matches
   * `^[A-Za-z0-9_-]+$`)
   */
  label?: string
}

/**
 * Hands the call over. `blind` asks the remote party to call the target (SIP REFER) and ends the call here;
 * `attended` calls the target first, and hands over when it has answered.
 */
export type TransferInstruction = {
  /** Always `transfer`. */
  verb: 'transfer'
  /**
   * Name of this place in the list, for `goto` and `branches`; each may stand once. (1 to 64 characters; matches
   * `^[A-Za-z0-9_-]+$`)
   */
  label?: string
  /** Whom to hand the call to: a number, a SIP address, or a user in the browser. */
  to: NumberTarget | SipTarget | ClientTarget
  /** Whether the target is asked first (`attended`) or not (`blind`). (default "blind") */
  mode?: 'blind' | 'attended'
  /**
   * Whose leg: `self` is the call the list belongs to, `peer` the one it is joined with at the moment. (default
   * "self")
   */
  leg?: 'self' | 'peer'
  /**
   * Number to show; without it, the number of ours that the call came in on or went out from. (3 to 40 characters)
   */
  callerId?: string
  /** How long to let it ring, in seconds. (5 to 600; default 30) */
  timeoutSeconds?: number
  /** What the one who answers hears before both are joined; the caller hears it ring on. (1 to 100 items) */
  confirm?: PromptInstruction[]
  /** What to do when the target did not take the call; then the list goes on. (1 to 100 items) */
  onFail?: Instruction[]
  /**
   * Asked when the transfer has failed how to go on. Synchronous callback: the answer is a list of instructions,
   * which replaces the running one. (1 to 2048 characters)
   */
  actionUrl?: string
}

/** Puts a leg on hold: it hears music, and neither side hears the other. */
export type HoldInstruction = {
  /** Always `hold`. */
  verb: 'hold'
  /**
   * Name of this place in the list, for `goto` and `branches`; each may stand once. (1 to 64 characters; matches
   * `^[A-Za-z0-9_-]+$`)
   */
  label?: string
  /**
   * Whose leg: `self` is the call the list belongs to, `peer` the one it is joined with at the moment. (default
   * "self")
   */
  leg?: 'self' | 'peer'
  /**
   * What is heard meanwhile, again and again; without it, music of ours. WAV (PCM, µ-law or A-law), mono or stereo.
   * (1 to 2048 characters)
   */
  musicUrl?: string
}

/** Takes a leg back from hold. */
export type ResumeInstruction = {
  /** Always `resume`. */
  verb: 'resume'
  /**
   * Name of this place in the list, for `goto` and `branches`; each may stand once. (1 to 64 characters; matches
   * `^[A-Za-z0-9_-]+$`)
   */
  label?: string
  /**
   * Whose leg: `self` is the call the list belongs to, `peer` the one it is joined with at the moment. (default
   * "self")
   */
  leg?: 'self' | 'peer'
}

/** Makes a leg silent for the others; it hears them still. */
export type MuteInstruction = {
  /** Always `mute`. */
  verb: 'mute'
  /**
   * Name of this place in the list, for `goto` and `branches`; each may stand once. (1 to 64 characters; matches
   * `^[A-Za-z0-9_-]+$`)
   */
  label?: string
  /**
   * Whose leg: `self` is the call the list belongs to, `peer` the one it is joined with at the moment. (default
   * "self")
   */
  leg?: 'self' | 'peer'
}

/** Lets a leg be heard again. */
export type UnmuteInstruction = {
  /** Always `unmute`. */
  verb: 'unmute'
  /**
   * Name of this place in the list, for `goto` and `branches`; each may stand once. (1 to 64 characters; matches
   * `^[A-Za-z0-9_-]+$`)
   */
  label?: string
  /**
   * Whose leg: `self` is the call the list belongs to, `peer` the one it is joined with at the moment. (default
   * "self")
   */
  leg?: 'self' | 'peer'
}

/** Types digits for the remote party, such as an extension or the menu of another company. */
export type SendDigitsInstruction = {
  /** Always `sendDigits`. */
  verb: 'sendDigits'
  /**
   * Name of this place in the list, for `goto` and `branches`; each may stand once. (1 to 64 characters; matches
   * `^[A-Za-z0-9_-]+$`)
   */
  label?: string
  /**
   * What to type: 0-9, A-D, *, #; `w` waits half a second, `W` a whole one. (1 to 100 characters; matches
   * `^(?:[0-9A-D*#wW]+|•+)$`)
   */
  digits: string
  /** How they travel: as RTP events, as SIP INFO, or as tones in the sound. (default "rfc4733") */
  method?: 'rfc4733' | 'info' | 'inband'
  /** Length of each digit, in milliseconds. (40 to 2000; default 100) */
  toneMs?: number
  /** Silence between digits, in milliseconds. (40 to 2000; default 100) */
  gapMs?: number
  /**
   * Whose leg: `self` is the call the list belongs to, `peer` the one it is joined with at the moment. (default
   * "self")
   */
  leg?: 'self' | 'peer'
  /** Whether the digits are a secret: histories and traces do not show them. (default false) */
  sensitive?: boolean
}

/**
 * Listens whether a human or a machine has answered, and reports it by the event `call.machine_detected`. A human
 * speaks shortly and waits; a machine speaks on.
 */
export type DetectMachineInstruction = {
  /** Always `detectMachine`. */
  verb: 'detectMachine'
  /**
   * Name of this place in the list, for `goto` and `branches`; each may stand once. (1 to 64 characters; matches
   * `^[A-Za-z0-9_-]+$`)
   */
  label?: string
  /**
   * `result` ends when it is known who answered, `greetingEnd` when a machine has finished its greeting. (default
   * "result")
   */
  mode?: 'result' | 'greetingEnd'
  /** After how many seconds the answer is `unknown`. (3 to 60; default 30) */
  timeoutSeconds?: number
  /** A first utterance longer than this is a machine, in milliseconds. (1000 to 6000; default 2400) */
  speechThresholdMs?: number
  /** How much silence ends an utterance, in milliseconds. (500 to 5000; default 1200) */
  speechEndThresholdMs?: number
  /**
   * After how much silence from the begin the answer is `unknown`, in milliseconds. (2000 to 10000; default 5000)
   */
  silenceTimeoutMs?: number
  /** What to do when a machine answered; then the list goes on. (1 to 100 items) */
  onMachine?: Instruction[]
  /**
   * Asked with who answered (human, machine, unknown) how to go on. Synchronous callback: the answer is a list of
   * instructions, which replaces the running one. (1 to 2048 characters)
   */
  actionUrl?: string
}

/** Goes on with another list, fetched from an address. */
export type RedirectInstruction = {
  /** Always `redirect`. */
  verb: 'redirect'
  /**
   * Name of this place in the list, for `goto` and `branches`; each may stand once. (1 to 64 characters; matches
   * `^[A-Za-z0-9_-]+$`)
   */
  label?: string
  /**
   * Asked how to go on. Synchronous callback: the answer is a list of instructions, which replaces the running one.
   * (1 to 2048 characters)
   */
  url: string
  /**
   * Asked when the first address fails. Synchronous callback: the answer is a list of instructions, which replaces
   * the running one. (1 to 2048 characters)
   */
  fallbackUrl?: string
}

/** Goes on at a label of this list, or of a list around it. */
export type GotoInstruction = {
  /** Always `goto`. */
  verb: 'goto'
  /**
   * Name of this place in the list, for `goto` and `branches`; each may stand once. (1 to 64 characters; matches
   * `^[A-Za-z0-9_-]+$`)
   */
  label?: string
  /** The label to go on at. (1 to 64 characters; matches `^[A-Za-z0-9_-]+$`) */
  to: string
  /**
   * How often it may jump; after that the list goes on behind it, so that no call runs in circles. (1 to 1000;
   * default 100)
   */
  times?: number
}

/** Sends an event with data of your own to the callback address of the call. Its answer does not matter. */
export type NotifyInstruction = {
  /** Always `notify`. */
  verb: 'notify'
  /**
   * Name of this place in the list, for `goto` and `branches`; each may stand once. (1 to 64 characters; matches
   * `^[A-Za-z0-9_-]+$`)
   */
  label?: string
  /** What to report: any JSON object of at most 4,096 bytes. (at most 50 entries) */
  data: Record<string, unknown>
}

/** Adds tags and metadata to the call; they stand in its record and in all later events. */
export type TagInstruction = {
  /** Always `tag`. */
  verb: 'tag'
  /**
   * Name of this place in the list, for `goto` and `branches`; each may stand once. (1 to 64 characters; matches
   * `^[A-Za-z0-9_-]+$`)
   */
  label?: string
  /** Words to add to the tags of the call, which has at most 10. (1 to 10 items; no item twice) */
  tags?: string[]
  /**
   * Named texts to add to the metadata of the call, which has at most 20; same names are replaced. (at most 20
   * entries)
   */
  metadata?: Record<string, string>
}

/** Sends a text message, to the other side of the call unless stated otherwise. The list goes on at once. */
export type MessageInstruction = {
  /** Always `message`. */
  verb: 'message'
  /**
   * Name of this place in the list, for `goto` and `branches`; each may stand once. (1 to 64 characters; matches
   * `^[A-Za-z0-9_-]+$`)
   */
  label?: string
  /**
   * The text; at most 10 segments (1,530 characters of the GSM alphabet or 670 of others). (1 to 1600 characters)
   */
  body: string
  /** Whom to write; without it, the remote party of the call. (3 to 40 characters) */
  to?: string
  /** A number of yours; without it, the one that is in the call. (3 to 40 characters) */
  from?: string
}

/** Ends the call, and with it the list. */
export type HangupInstruction = {
  /** Always `hangup`. */
  verb: 'hangup'
  /**
   * Name of this place in the list, for `goto` and `branches`; each may stand once. (1 to 64 characters; matches
   * `^[A-Za-z0-9_-]+$`)
   */
  label?: string
  /** Why, in your words, for the history of the call. (1 to 128 characters; matches `^[^\x00-\x1f\x7f-\x9f]+$`) */
  reason?: string
}

/** What to do with a call under way: one verb with its properties, or a new list of instructions. */
export type CallCommand =
  | InstructionsCommand
  | AnswerInstruction
  | RejectInstruction
  | SayInstruction
  | PlayInstruction
  | GatherInstruction
  | DialInstruction
  | ConferenceInstruction
  | EnqueueInstruction
  | DequeueInstruction
  | LeaveInstruction
  | RecordCommand
  | RecordStopInstruction
  | RecordPauseInstruction
  | RecordResumeInstruction
  | TransferInstruction
  | HoldInstruction
  | ResumeInstruction
  | MuteInstruction
  | UnmuteInstruction
  | SendDigitsInstruction
  | DetectMachineInstruction
  | RedirectInstruction
  | NotifyInstruction
  | TagInstruction
  | MessageInstruction
  | HangupInstruction

/** A list of instructions that takes the place of what runs. */
export type InstructionsCommand = {
  /** What to do from now on, one instruction after another. (1 to 100 items) */
  instructions: Instruction[]
}

/** Records the whole call; a message is recorded by a list of instructions. */
export type RecordCommand = RecordInstruction & {
  /** Always `call`. */
  mode: 'call'
}

export type WebhookEvent = {
  /** The event; the same in every attempt and replay, and in the header `webhook-id`. */
  id: string
  /** What happened. */
  type: 'user.created' | 'user.role_changed' | 'user.updated' | 'invitation.created' | 'invitation.accepted' | 'invitation.declined' | 'invitation.revoked' | 'invitation.renewed' | 'role.created' | 'role.updated' | 'role.deleted' | 'team.created' | 'team.updated' | 'team.deleted' | 'team.member_added' | 'team.member_updated' | 'team.member_removed' | 'user.removed' | 'user.sessions_ended' | 'user.factors_reset' | 'hand_over.started' | 'hand_over.completed' | 'ownership.offered' | 'ownership.accepted' | 'ownership.declined' | 'ownership.canceled' | 'ownership.reverted' | 'organization.updated' | 'organization.state_changed' | 'organization.export_asked' | 'security_policy.updated' | 'organization_domain.created' | 'organization_domain.updated' | 'organization_domain.deleted' | 'sso_connection.created' | 'sso_connection.updated' | 'sso_connection.deleted' | 'scim_settings.updated' | 'audit_policy.updated' | 'audit_stream.created' | 'audit_stream.updated' | 'audit_stream.deleted' | 'retention.updated' | 'privacy_request.created' | 'privacy_request.completed' | 'privacy_request.failed' | 'legal_hold.placed' | 'legal_hold.released' | 'api_key.created' | 'api_key.rotated' | 'api_key.revoked' | 'app.created' | 'app.updated' | 'app.deleted' | 'app_secret.created' | 'app_secret.deleted' | 'authorization.created' | 'authorization.revoked' | 'oauth_client.updated' | 'company.created' | 'company.updated' | 'company.deleted' | 'company.restored' | 'company.merged' | 'company.purged' | 'contact.created' | 'contact.updated' | 'contact.deleted' | 'contact.restored' | 'contact.merged' | 'contact.purged' | 'lead.created' | 'lead.updated' | 'lead.deleted' | 'lead.restored' | 'lead.merged' | 'lead.purged' | 'lead.status_changed' | 'lead.converted' | 'note.created' | 'note.updated' | 'note.deleted' | 'note.restored' | 'note.merged' | 'note.purged' | 'task.created' | 'task.updated' | 'task.deleted' | 'task.restored' | 'task.merged' | 'task.purged' | 'task.completed' | 'task.reopened' | 'task.canceled' | 'attachment.created' | 'attachment.updated' | 'attachment.deleted' | 'attachment.restored' | 'attachment.merged' | 'attachment.purged' | 'tag.created' | 'tag.updated' | 'tag.deleted' | 'tag.restored' | 'tag.merged' | 'tag.purged' | 'record.tags_changed' | 'view.created' | 'view.updated' | 'view.deleted' | 'import.created' | 'import.updated' | 'import.started' | 'import.checked' | 'import.completed' | 'import.canceled' | 'import.failed' | 'batch.started' | 'batch.completed' | 'batch.canceled' | 'batch.failed' | 'invoice.created' | 'invoice.updated' | 'invoice.sent' | 'invoice.payment_recorded' | 'invoice.paid' | 'invoice.payment_reversed' | 'invoice.overdue' | 'invoice.cancelled' | 'message.scheduled' | 'message.queued' | 'message.sending' | 'message.sent' | 'message.delivered' | 'message.undelivered' | 'message.expired' | 'message.failed' | 'message.canceled' | 'message.unconfirmed' | 'message.received' | 'messaging_service.created' | 'messaging_service.updated' | 'messaging_service.deleted' | 'opt_out.created' | 'opt_out.deleted' | 'number.created' | 'number.updated' | 'number.voice_updated' | 'number.deleted' | 'number.verified' | 'number.contested' | 'mail.queued' | 'mail.sent' | 'mail.delivered' | 'mail.bounced' | 'mail.complained' | 'mail.suppressed' | 'mail.canceled' | 'mail.expired' | 'mail.failed' | 'mail.unconfirmed' | 'mail.unsubscribed' | 'mail.received' | 'mail.assigned' | 'mail.ignored' | 'mailbox.created' | 'mailbox.updated' | 'mailbox.deleted' | 'mail_template.created' | 'mail_template.updated' | 'mail_template.deleted' | 'mail_suppression.created' | 'mail_suppression.deleted' | 'mail_sender.created' | 'mail_sender.updated' | 'mail_sender.deleted' | 'mail_domain.created' | 'mail_domain.updated' | 'mail_domain.deleted' | 'mail_transport.created' | 'mail_transport.updated' | 'mail_transport.deleted' | 'conversation.created' | 'conversation.reopened' | 'conversation.assigned' | 'conversation.snoozed' | 'conversation.closed' | 'conversation.answered' | 'conversation.noted' | 'conversation.attached' | 'conversation.merged' | 'carrier.created' | 'carrier.updated' | 'carrier.deleted' | 'carrier.up' | 'carrier.down' | 'carrier.throttled' | 'trunk.created' | 'trunk.updated' | 'trunk.deleted' | 'trunk.up' | 'trunk.down' | 'trunk.throttled' | 'destination_policy.updated' | 'destination.ceiling_reached' | 'sip_credential.created' | 'sip_credential.updated' | 'sip_credential.deleted' | 'call.initiated' | 'call.ringing' | 'call.early_media' | 'call.answered' | 'call.machine_detected' | 'call.dtmf' | 'call.rerouted' | 'call.bridged' | 'call.unbridged' | 'call.held' | 'call.resumed' | 'call.muted' | 'call.unmuted' | 'call.transferred' | 'call.transfer_failed' | 'call.tagged' | 'call.notified' | 'call.instructions_failed' | 'call.caller_id_refused' | 'call.destination_refused' | 'call.recording_unchanged' | 'call.sound_failed' | 'call.message_failed' | 'gather.completed' | 'queue.entered' | 'queue.left' | 'call.outcome_set' | 'call.completed' | 'call.busy' | 'call.no_answer' | 'call.rejected' | 'call.failed' | 'call.canceled' | 'conference.started' | 'conference.participant_joined' | 'conference.participant_updated' | 'conference.participant_left' | 'conference.ended' | 'recording.available' | 'recording.absent' | 'recording.failed' | 'recording.deleted' | 'signing_secret.rotated' | 'webhook.created' | 'webhook.updated' | 'webhook.deleted' | 'webhook.failing' | 'webhook.disabled' | 'webhook.test' | 'webhook_listener.created' | 'webhook_listener.ended' | 'environment.created' | 'environment.updated' | 'environment.deleted' | 'collection.created' | 'collection.updated' | 'collection.deleted' | 'saved_request.created' | 'saved_request.updated' | 'saved_request.deleted'
  /** ISO 8601 in UTC, with milliseconds. */
  timestamp: string
  apiVersion: 'v2'
  /** false for test data. */
  livemode: boolean
  /** Whose event it is. */
  organizationId: number
  /** Grows with each event of one resource. */
  sequence: number
  /** The resource as the API shows it, at that moment, with what belongs to this event only. */
  data: Record<string, unknown>
}

export type InstructionsRequest = {
  /** The same in every attempt, and in the header `webhook-id`. */
  id: string
  type: 'instructions.requested'
  /** ISO 8601 in UTC, with milliseconds. */
  timestamp: string
  apiVersion: 'v2'
  /** false for calls of the test mode. */
  livemode: boolean
  /** Whose call it is. */
  organizationId: number
  /** Distinguishes it from events, which come to the same address. */
  expectsInstructions: true
  /** The call as it is, the reason, and what belongs to that reason. */
  data: {
    /** Identifier of the call, `call_…`. */
    callId: string
    /**
     * E.164 with +; of phones that are registered here their SIP address, of those in browsers `client:<identity>`.
     * (at most 261 characters)
     */
    from: string
    /**
     * E.164 with +; of phones that are registered here their SIP address, of those in browsers `client:<identity>`.
     * (at most 261 characters)
     */
    to: string
    direction: 'outbound' | 'inbound'
    /**
     * initiated, ringing and answered are under way; completed, busy, no_answer, rejected, failed, canceled are
     * final.
     */
    state: 'initiated' | 'ringing' | 'answered' | 'completed' | 'busy' | 'no_answer' | 'rejected' | 'failed' | 'canceled'
    /** ISO 8601 in UTC, with milliseconds. */
    createdAt: string
    /** Where events of this call are sent to. */
    callbackUrl: string | null
    /** The call whose leg brought this one about. */
    parentCallId: string | null
    callerName: string | null
    /** Asked for instructions where callbackUrl does not answer. */
    fallbackUrl: string | null
    /** How long it may ring. */
    timeoutSeconds: number
    /** How long it may last after the answer. */
    timeLimitSeconds: number
    /** The trunk it goes by, or went by last. */
    trunkId: string | null
    /**
     * Whether the simulator carried it, so that no telephone rang: nothing to be charged for, in live mode neither.
     */
    simulated: boolean
    /** The call it talks with, or talked with last. */
    bridgedTo: string | null
    tags: string[]
    metadata: Record<string, string>
    /** Whether audio came before the answer (an announcement, a tone). */
    earlyMedia: boolean
    /** Who answered; of machine_detected also unknown. */
    answeredBy: 'human' | 'machine' | 'unknown' | null
    /** Why the call ended. */
    hangupCause: HangupCause
    /** Who ended it. */
    hangupBy: 'caller' | 'callee' | 'api' | 'system' | 'carrier' | null
    /**
     * What came of it, as the person who had it says. answered: they talked; voicemail: a message was left;
     * no_answer, busy, wrong_number: nobody was reached; call_back: they want to be called again; not_interested:
     * they want nothing.
     */
    outcome: 'answered' | 'voicemail' | 'no_answer' | 'busy' | 'wrong_number' | 'call_back' | 'not_interested' | null
    /** The user who said what came of it. */
    outcomeBy: number | null
    /** ISO 8601 in UTC, with milliseconds. */
    outcomeAt: string | null
    /** The problem the call ended with, as in GET /v2/problems; null when it went well. */
    errorCode: string | null
    /** Final SIP status of the remote party. */
    sipCode: number | null
    /** Cause of release by ITU-T Q.850. */
    q850: number | null
    /** Seconds from the first ring to the answer or the end. */
    ringSeconds: number | null
    /** Seconds from creation to the end. */
    durationSeconds: number | null
    /** Seconds from answer to end, each one started counts; 0 without an answer. */
    billableSeconds: number | null
    /**
     * What it cost, a decimal: minutes between answer and end, each one started counts, by the cost of the route of
     * its trunk. Null until it is over, or where nobody is paid.
     */
    price: string | null
    /** Currency of the price, ISO 4217. */
    currency: string | null
    /** ISO 8601 in UTC, with milliseconds. */
    dialedAt: string | null
    /** ISO 8601 in UTC, with milliseconds. */
    ringingAt: string | null
    /** ISO 8601 in UTC, with milliseconds. */
    answeredAt: string | null
    /** ISO 8601 in UTC, with milliseconds. */
    endedAt: string | null
    /** Why instructions are wanted. */
    reason: 'answered' | 'received' | 'gathered' | 'dialed' | 'confirm' | 'conference_left' | 'queue_left' | 'waiting' | 'recorded' | 'machine_detected' | 'transfer_failed' | 'redirected'
    /** gathered: the keys that were pressed. */
    digits?: string
    /** gathered: digits, key or timeout. */
    gatherReason?: string
    /** dialed: answered, or why nobody took the call: busy, no_answer, queue_empty, … */
    dialResult?: string
    /** dialed: the leg that was dialled, or that failed last. */
    dialedCallId?: string | null
    /** dialed: how long they talked. */
    talkSeconds?: number
    /** recorded: the recording. */
    recordingId?: string
    /** recorded: its length. */
    durationMs?: number
    /** recorded: stopped, max_length or silence. */
    recordResult?: string
    /** recorded: the key that ended it; empty where none did. */
    key?: string
    /** conference_left: its name. */
    conference?: string
    /** conference_left: where it was joined. */
    conferenceId?: string
    /** conference_left: left, key, timeout, removed, ended; full or elsewhere where it could not be joined. */
    conferenceResult?: string
    /** conference_left: how long the call was in it. */
    seconds?: number
    /** queue_left and waiting: its name. */
    queue?: string
    /** queue_left: taken, left or timeout. */
    queueResult?: string
    /** queue_left: how long the call waited. */
    waitedSeconds?: number
    /** waiting: the place in the queue; 1 is the next to be taken. */
    place?: number
    /** machine_detected: human, machine_start, machine_end_beep, fax, … */
    verdict?: string
    /** machine_detected: the mode of the instruction. */
    mode?: string
    /** transfer_failed: to whom the call was to be handed on. */
    transferTo?: string
    /** transfer_failed: what went wrong. */
    why?: string
    /** Where this is the fallback: the address that gave no instructions. */
    failedUrl?: string
    /** Where this is the fallback: why it gave none. */
    failure?: string
  }
}

/** What `auth.login` takes. */
export type AuthLoginParams = {
  /** E-mail or administrator identifier. (1 to 254 characters) */
  emailOrAdminId: string
  /** (1 to 128 characters) */
  password: string
  /** Which tenant the token is for; live when left out. */
  mode?: 'live' | 'test'
  /**
   * Which organization it is for, of people who are members of several; the one used last when left out. (at least
   * 1)
   */
  organizationId?: number
}

/** What `auth.login` returns. */
export type AuthLoginReply = {
  /** JWT; send it as Authorization: Bearer <token>. Lives one hour. */
  accessToken: string
  /** Seconds the access token lives. */
  expiresIn: number
  /** Gets the next access token; changes at every use. */
  refreshToken: string
  user: AuthLoginUser
}

/** What `auth.verify_login` takes. */
export type AuthVerifyLoginParams = {
  /** Of the answer that asked for more. (1 to 4000 characters) */
  challengeToken: string
  /** The six digits that the app shows. (exactly 6 characters) */
  code?: string
  /** Instead of a code: one of the recovery codes. (20 to 60 characters) */
  recoveryCode?: string
  /** What the browser answered to the options, as JSON (AuthenticationResponseJSON). */
  assertion?: {
    /** Identifier of the passkey, in base64url. (1 to 1400 characters; matches `^[A-Za-z0-9_-]+$`) */
    id: string
    /** Identifier of the passkey, in base64url. (1 to 1400 characters; matches `^[A-Za-z0-9_-]+$`) */
    rawId: string
    type: 'public-key'
    authenticatorAttachment?: 'platform' | 'cross-platform'
    /** What extensions of the browser said; not looked at. */
    clientExtensionResults?: Record<string, unknown>
    response: {
      /** (1 to 4000 characters; matches `^[A-Za-z0-9_-]+$`) */
      clientDataJSON: string
      /** (1 to 4000 characters; matches `^[A-Za-z0-9_-]+$`) */
      authenticatorData: string
      /** (1 to 2000 characters; matches `^[A-Za-z0-9_-]+$`) */
      signature: string
      /** (1 to 100 characters; matches `^[A-Za-z0-9_-]+$`) */
      userHandle?: string
    }
  }
  /** In place of one that somebody else set: 15 characters, or 10 with a second factor. (1 to 128 characters) */
  newPassword?: string
  /** Which tenant the token is for; live when left out. */
  mode?: 'live' | 'test'
}

/** What `auth.verify_login` returns. */
export type AuthVerifyLoginReply = {
  /** JWT; send it as Authorization: Bearer <token>. Lives one hour. */
  accessToken: string
  /** Seconds the access token lives. */
  expiresIn: number
  /** Gets the next access token; changes at every use. */
  refreshToken: string
  user: AuthLoginUser
  /**
   * Where an app that makes codes was set up with this login: each stands for the second factor once. They are never
   * shown again.
   */
  recoveryCodes?: string[]
}

/** What `auth.refresh` takes. */
export type AuthRefreshParams = {
  /** The newest refresh token of the session. (1 to 2000 characters) */
  refreshToken: string
}

/** What `auth.refresh` returns. */
export type AuthRefreshReply = {
  /** JWT; send it as Authorization: Bearer <token>. Lives one hour. */
  accessToken: string
  /** Seconds the access token lives. */
  expiresIn: number
  /** Gets the next access token; changes at every use. */
  refreshToken: string
}

/** What `auth.logout` returns. */
export type AuthLogoutReply = Record<never, never>

/** What `auth.me` returns. */
export type AuthMeReply = {
  user: {
    /** Identifier. (at least 1) */
    id: number
    email: string
    role: 'Admin' | 'Sales Manager' | 'Sales Executive' | 'Finance Manager'
    name: string
    /** Administrator identifier. */
    adminId: string | null
  }
  tenant: Tenant
  /** Identifier. (at least 1) */
  organizationId: number
  permissions: string[]
}

/** What `auth.log_in_with_passkey` takes. */
export type AuthLogInWithPasskeyParams = {
  /** What the browser answered to the options, as JSON (AuthenticationResponseJSON). */
  assertion: {
    /** Identifier of the passkey, in base64url. (1 to 1400 characters; matches `^[A-Za-z0-9_-]+$`) */
    id: string
    /** Identifier of the passkey, in base64url. (1 to 1400 characters; matches `^[A-Za-z0-9_-]+$`) */
    rawId: string
    type: 'public-key'
    authenticatorAttachment?: 'platform' | 'cross-platform'
    /** What extensions of the browser said; not looked at. */
    clientExtensionResults?: Record<string, unknown>
    response: {
      /** (1 to 4000 characters; matches `^[A-Za-z0-9_-]+$`) */
      clientDataJSON: string
      /** (1 to 4000 characters; matches `^[A-Za-z0-9_-]+$`) */
      authenticatorData: string
      /** (1 to 2000 characters; matches `^[A-Za-z0-9_-]+$`) */
      signature: string
      /** (1 to 100 characters; matches `^[A-Za-z0-9_-]+$`) */
      userHandle?: string
    }
  }
  /** Which tenant the token is for; live when left out. */
  mode?: 'live' | 'test'
  /** Which organization it is for; the one used last when left out. (at least 1) */
  organizationId?: number
}

/** What `auth.log_in_with_passkey` returns. */
export type AuthLogInWithPasskeyReply = Auth

/** What `auth.request_password_reset` takes. */
export type AuthRequestPasswordResetParams = {
  /** E-mail address, of letters of any script (RFC 6531); blanks around it are dropped. (at most 254 characters) */
  email: string
}

/** What `auth.request_password_reset` returns. */
export type AuthRequestPasswordResetReply = {
  /** That it was asked for, not that there is such an account. */
  accepted: true
}

/** What `auth.reset_password` takes. */
export type AuthResetPasswordParams = {
  /** (1 to 100 characters) */
  token: string
  /** (1 to 128 characters) */
  newPassword: string
}

/** What `auth.reset_password` returns. */
export type AuthResetPasswordReply = {
  /** Of the account, to log in with. */
  email: string
}

/** What `auth.show_invitation` takes. */
export type AuthShowInvitationParams = {
  /** What is behind the # of the link. (1 to 100 characters) */
  token: string
}

/** What `auth.show_invitation` returns. */
export type AuthShowInvitationReply = {
  organization: string
  invitedBy: string
  email: string
  role: 'Admin' | 'Sales Manager' | 'Sales Executive' | 'Finance Manager'
  /** Of a role of the organization's own, of which `role` is the base. */
  roleName: string | null
  /** Whether the address has an account, to log in with; otherwise one is made. */
  hasAccount: boolean
  /** Whether the person became a member meanwhile by another way. */
  isMember: boolean
}

/** What `auth.accept_invitation` takes. */
export type AuthAcceptInvitationParams = {
  /** What is behind the # of the link. (1 to 100 characters) */
  token: string
  /** (1 to 200 characters; matches `\S`) */
  name?: string
  /** (1 to 128 characters) */
  password?: string
}

/** What `auth.accept_invitation` returns. */
export type AuthAcceptInvitationReply = {
  /** Identifier. (at least 1) */
  organizationId: number
  /** Identifier. (at least 1) */
  userId: number
  email: string
}

/** What `auth.decline_invitation` takes. */
export type AuthDeclineInvitationParams = {
  /** What is behind the # of the link. (1 to 100 characters) */
  token: string
}

/** What `auth.decline_invitation` returns. */
export type AuthDeclineInvitationReply = {
  declined: true
}

/** What `api_keys.create` takes. */
export type ApiKeysCreateParams = {
  /** (1 to 200 characters; matches `\S`) */
  name: string
  /** live, or test for the simulator and test data only. */
  mode: 'live' | 'test'
  /** Permissions the key is cut down to; left out or null: all of the role. (1 to 200 items; no item twice) */
  scopes?: Scope[] | null
  /**
   * When the key stops by itself; null: never. Left out: with the key that makes it, otherwise as late as the
   * organization lets keys live. (at most 40 characters)
   */
  expiresAt?: string | null
}

/** What `api_keys.create` returns. */
export type ApiKeysCreateReply = ApiKeysCreateApiKey

/** What `api_keys.list` takes. */
export type ApiKeysListParams = {
  /** Only live or only test keys. */
  mode?: 'live' | 'test'
  /** Only keys that work now (true), or that are revoked or expired (false). */
  active?: boolean
  /** Identifier. (at least 1) */
  userId?: number
  /** Records per page, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer, with the same filters. (at most 4000 characters) */
  cursor?: string
}

export type ApiKeysListReply = CursorPage<ApiKey>

/** What `api_keys.revoke` takes. */
export type ApiKeysRevokeParams = {
  /** Identifier of the API key. (matches `^key_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  keyId: string
}

/** What `api_keys.revoke` returns. */
export type ApiKeysRevokeReply = ApiKey

/** What `api_keys.rotate` takes. */
export type ApiKeysRotateParams = {
  /** Identifier of the API key. (matches `^key_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  keyId: string
  /**
   * How long the old key goes on working; 0 ends it at once. A day when left out, a week at most. (0 to 604800;
   * default 86400)
   */
  overlapSeconds?: number
}

/** What `api_keys.rotate` returns. */
export type ApiKeysRotateReply = ApiKeysCreateApiKey

/** What `api_keys.create_token` takes. */
export type ApiKeysCreateTokenParams = {
  /** Identifier of the API key. (matches `^key_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  keyId: string
}

/** What `api_keys.create_token` returns. */
export type ApiKeysCreateTokenReply = {
  /** JWT; send it as Authorization: Bearer <token>. */
  token: string
  /** ISO 8601 in UTC, with milliseconds. */
  expiresAt: string
  keyId: string
}

/** What `apps.create` takes. */
export type AppsCreateParams = {
  kind: 'confidential' | 'public' | 'machine'
  /** What people read when they are asked to let it in. (1 to 100 characters; matches `\S`) */
  name: string
  /** What it does, in a sentence. (1 to 500 characters; matches `\S`) */
  description?: string | null
  /** Where people read more about it. (at most 500 characters) */
  homepageUrl?: string | null
  /** What it does with the data of people. (at most 500 characters) */
  privacyUrl?: string | null
  /**
   * Where people are sent back to: https, loopback http (any port), or a scheme of an app. Compared character by
   * character. (at most 20 items; no item twice)
   */
  redirectUris?: string[]
  /** The most that anyone can let it do. In its own name it may do all of it. (1 to 200 items; no item twice) */
  scopes: Scope[]
  /** Take only pushed requests for authorization (RFC 9126); false when left out. */
  requirePar?: boolean
}

/** What `apps.create` returns. */
export type AppsCreateReply = App

/** What `apps.list` takes. */
export type AppsListParams = {
  /** Only apps of this status. */
  status?: 'active' | 'suspended'
  /** Records per page, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer, with the same filters. (at most 4000 characters) */
  cursor?: string
}

export type AppsListReply = CursorPage<App>

/** What `apps.get` takes. */
export type AppsGetParams = {
  /** Identifier of the app. (matches `^app_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  appId: string
}

/** What `apps.get` returns. */
export type AppsGetReply = App

/** What `apps.update` takes. */
export type AppsUpdateParams = {
  /** Identifier of the app. (matches `^app_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  appId: string
  /** What it does, in a sentence. (1 to 500 characters; matches `\S`) */
  description?: string | null
  /** Where people read more about it. (at most 500 characters) */
  homepageUrl?: string | null
  /** What it does with the data of people. (at most 500 characters) */
  privacyUrl?: string | null
  /**
   * Where people are sent back to: https, loopback http (any port), or a scheme of an app. Compared character by
   * character. (at most 20 items; no item twice)
   */
  redirectUris?: string[]
  /** Take only pushed requests for authorization (RFC 9126); false when left out. */
  requirePar?: boolean
  /** What people read when they are asked to let it in. (1 to 100 characters; matches `\S`) */
  name?: string
  /** The most that anyone can let it do. In its own name it may do all of it. (1 to 200 items; no item twice) */
  scopes?: Scope[]
  status?: 'active' | 'suspended'
}

/** What `apps.update` returns. */
export type AppsUpdateReply = App

/** What `apps.delete` takes. */
export type AppsDeleteParams = {
  /** Identifier of the app. (matches `^app_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  appId: string
}

/** What `apps.delete` returns. */
export type AppsDeleteReply = {
  /** What was deleted. */
  appId: string
  /** It is gone. */
  deleted: true
}

/** What `apps.sign_out` takes. */
export type AppsSignOutParams = {
  /** Identifier of the app. (matches `^app_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  appId: string
}

/** What `apps.sign_out` returns. */
export type AppsSignOutReply = App

/** What `app_secrets.create` takes. */
export type AppSecretsCreateParams = {
  /** Identifier of the app. (matches `^app_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  appId: string
  mode: 'live' | 'test'
}

/** What `app_secrets.create` returns. */
export type AppSecretsCreateReply = AppSecret

/** What `app_secrets.delete` takes. */
export type AppSecretsDeleteParams = {
  /** Identifier of the app. (matches `^app_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  appId: string
  /** Identifier of the secret. (matches `^osc_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  secretId: string
}

/** What `app_secrets.delete` returns. */
export type AppSecretsDeleteReply = {
  /** What was deleted. */
  secretId: string
  /** It is gone. */
  deleted: true
}

/** What `authorizations.list` takes. */
export type AuthorizationsListParams = {
  /** Only those that stand (true), or that have ended (false). */
  active?: boolean
  /** Identifier. (at least 1) */
  userId?: number
  /** Only those of this client. (1 to 500 characters) */
  clientId?: string
  /** Records per page, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer, with the same filters. (at most 4000 characters) */
  cursor?: string
}

export type AuthorizationsListReply = CursorPage<Authorization>

/** What `apps.list_authorizations` takes. */
export type AppsListAuthorizationsParams = {
  /** Identifier of the app. (matches `^app_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  appId: string
  /** Only those that stand (true), or that have ended (false). */
  active?: boolean
  /** Records per page, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer, with the same filters. (at most 4000 characters) */
  cursor?: string
}

export type AppsListAuthorizationsReply = CursorPage<Authorization>

/** What `authorizations.revoke` takes. */
export type AuthorizationsRevokeParams = {
  /** Identifier of the authorization. (matches `^gra_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  authorizationId: string
}

/** What `authorizations.revoke` returns. */
export type AuthorizationsRevokeReply = Authorization

/** What `oauth_clients.list` takes. */
export type OauthClientsListParams = {
  /** Records per page, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer, with the same filters. (at most 4000 characters) */
  cursor?: string
}

export type OauthClientsListReply = CursorPage<OauthClient>

/** What `oauth_clients.set_policy` takes. */
export type OauthClientsSetPolicyParams = {
  /** The `client_id`: an address, or `dyn_…`. (1 to 200 characters) */
  clientId: string
  decision: 'allowed' | 'blocked'
}

/** What `oauth_clients.set_policy` returns. */
export type OauthClientsSetPolicyReply = OauthClient

/** What `apps.list_errors` takes. */
export type AppsListErrorsParams = {
  /** Identifier of the app. (matches `^app_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  appId: string
  /** Only those of the live or the test client. */
  mode?: 'live' | 'test'
  /** Only those of this code, such as invalid_grant. (1 to 100 characters) */
  error?: string
  /** Records per page, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer, with the same filters. (at most 4000 characters) */
  cursor?: string
}

export type AppsListErrorsReply = CursorPage<AppsListErrorsItem>

/** What `users.create` takes. */
export type UsersCreateParams = {
  /** E-mail address, of letters of any script (RFC 6531); blanks around it are dropped. (at most 254 characters) */
  email: string
  /** The person's name. (1 to 200 characters; matches `\S`) */
  name: string
  /** What the user may do. Needed of a new one, where roleId is not sent. */
  role?: 'Admin' | 'Sales Manager' | 'Sales Executive' | 'Finance Manager'
  /**
   * In place of role, a role of the organization's own: GET /v2/roles. (matches `^rol_[0-7][0-9a-hjkmnp-tv-z]{25}$`)
   */
  roleId?: string
  /**
   * At least 10 characters; not one of the most used passwords, and not containing the e-mail. (10 to 128
   * characters)
   */
  password?: string
  /**
   * Whether the password is good for one login, which asks for another of the person (`password_change_required`).
   * Left out: true of what somebody else sets; false is for accounts that programs log in with, and never of a
   * password that the server made.
   */
  temporaryPassword?: boolean
}

/** What `users.create` returns. */
export type UsersCreateReply = {
  user: User
  /** Only when none was sent, and only in this answer. */
  generatedPassword?: string
}

/** What `users.list` takes. */
export type UsersListParams = {
  /** Only users of this role, or of one made of it. */
  role?: 'Admin' | 'Sales Manager' | 'Sales Executive' | 'Finance Manager'
  /** Identifier of the role. (matches `^rol_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  roleId?: string
  /** Only disabled (true) or only active (false) users. */
  disabled?: boolean
  /** Part of the name or the e-mail. (1 to 200 characters) */
  q?: string
  /** Page number, from 1. (at least 1; default 1) */
  page?: number
  /** Records per page; more than 200 are cut to 200. (at least 1; default 20) */
  limit?: number
  /** The `nextCursor` of the last answer: goes on behind it, at any depth. (at most 4000 characters) */
  cursor?: string
}

/** What `users.list` returns. */
export type UsersListReply = {
  users: User[]
  pagination: Pagination
}

/** What `users.get` takes. */
export type UsersGetParams = {
  /** Identifier. (at least 1) */
  id: number
}

/** What `users.get` returns. */
export type UsersGetReply = {
  user: User
}

/** What `users.update` takes. */
export type UsersUpdateParams = {
  /** Identifier. (at least 1) */
  id: number
  /** The person's name. (1 to 200 characters; matches `\S`) */
  name?: string
  /** E-mail address, of letters of any script (RFC 6531); blanks around it are dropped. (at most 254 characters) */
  email?: string
  /** What the user may do. Needed of a new one, where roleId is not sent. */
  role?: 'Admin' | 'Sales Manager' | 'Sales Executive' | 'Finance Manager'
  /**
   * In place of role, a role of the organization's own: GET /v2/roles. (matches `^rol_[0-7][0-9a-hjkmnp-tv-z]{25}$`)
   */
  roleId?: string
  disabled?: boolean
  /**
   * At least 10 characters; not one of the most used passwords, and not containing the e-mail. (10 to 128
   * characters)
   */
  password?: string
  /**
   * Whether the password is good for one login, which asks for another of the person (`password_change_required`).
   * Left out: true of what somebody else sets; false is for accounts that programs log in with, and never of a
   * password that the server made.
   */
  temporaryPassword?: boolean
  /**
   * Revokes all of the user's API keys, live and test, and what they let apps do, for good. Left out: true when
   * `password` is set for somebody else, because anyone who had the old one may have made keys with it; otherwise
   * false.
   */
  end_keys?: boolean
}

/** What `users.update` returns. */
export type UsersUpdateReply = {
  user: User
  /** How many of the user's API keys this ended. */
  ended_keys: number
}

/** What `users.me` returns. */
export type UsersMeReply = {
  /** Identifier. (at least 1) */
  userId: number
  email: string
  name: string
  role: 'Admin' | 'Sales Manager' | 'Sales Executive' | 'Finance Manager'
  /** The role of the organization's own, of which `role` is the base. */
  roleId: string | null
  roleName: string | null
  /** Whose records are seen, by kind; of a kind that is left out what the base sees. */
  rows: {
    /** Whose companies are seen: own, those of one's teams, or all. */
    companies?: 'own' | 'team' | 'all'
    /** Whose contacts are seen: own, those of one's teams, or all. */
    contacts?: 'own' | 'team' | 'all'
    /** Whose leads are seen: own, those of one's teams, or all. */
    leads?: 'own' | 'team' | 'all'
    /** Whose mails are seen: own, those of one's teams, or all. */
    mails?: 'own' | 'team' | 'all'
    /** Whose tasks are seen: own, those of one's teams, or all. */
    tasks?: 'own' | 'team' | 'all'
  }
  /** Administrator identifier, for Admins. */
  adminId: string | null
  /** Identifier. (at least 1) */
  organizationId: number
  /** Identifier. (at least 1) */
  tenantId: number
  mode: 'live' | 'test'
  /** The API key used; null for an access token. */
  keyId: string | null
  /** The key's scopes; null means all of the role's. */
  scopes: string[] | null
  /** What this credential may do. */
  permissions: Scope[]
}

/** What `account.update` takes. */
export type AccountUpdateParams = {
  /** The person's name. (1 to 200 characters; matches `\S`) */
  name?: string
  /** BCP 47: de-AT. (at most 35 characters; matches `^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8})*$`) */
  locale?: string | null
}

/** What `account.update` returns. */
export type AccountUpdateReply = Account

/** What `account.get` returns. */
export type AccountGetReply = Account

/** What `account.change_password` takes. */
export type AccountChangePasswordParams = {
  /** (1 to 128 characters) */
  currentPassword: string
  /** (1 to 128 characters) */
  newPassword: string
  /** Whether all other sessions end; true when left out. (default true) */
  endOtherSessions?: boolean
}

/** What `account.change_password` returns. */
export type AccountChangePasswordReply = {
  /** How many other logins this ended. */
  endedSessions: number
}

/** What `account.change_email` takes. */
export type AccountChangeEmailParams = {
  /** E-mail address, of letters of any script (RFC 6531); blanks around it are dropped. (at most 254 characters) */
  email: string
}

/** What `account.change_email` returns. */
export type AccountChangeEmailReply = {
  /** Where the mail goes. */
  sentTo: string
}

/** What `account.confirm_email` takes. */
export type AccountConfirmEmailParams = {
  /** What is behind the # of the link. (1 to 100 characters) */
  token: string
}

/** What `account.confirm_email` returns. */
export type AccountConfirmEmailReply = {
  /** Of the account, from now on. */
  email: string
}

/** What `auth.undo_email_change` takes. */
export type AuthUndoEmailChangeParams = {
  /** What is behind the # of the link. (1 to 100 characters) */
  token: string
}

/** What `auth.undo_email_change` returns. */
export type AuthUndoEmailChangeReply = {
  /** Of the account, from now on. */
  email: string
}

/** What `own_devices.list` returns. */
export type OwnDevicesListReply = {
  devices: Array<{
    deviceId: string
    /** What the browser called itself. */
    userAgent: string | null
    /** The address of its last login. */
    ip: string | null
    /** Until then it stands for the second factor; null: it does not. */
    trustedUntil: string | null
    /** ISO 8601 in UTC, with milliseconds. */
    createdAt: string
    /** Exact to an hour: its last login. */
    lastSeenAt: string
  }>
}

/** What `own_devices.delete_all` returns. */
export type OwnDevicesDeleteAllReply = {
  /** How many there were. */
  forgottenDevices: number
}

/** What `own_devices.delete` takes. */
export type OwnDevicesDeleteParams = {
  /** Identifier of the device. (matches `^dev_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  deviceId: string
}

/** What `own_devices.delete` returns. */
export type OwnDevicesDeleteReply = OwnDevice

/** What `auth.sign_in_links` returns. */
export type AuthSignInLinksReply = {
  offered: boolean
}

/** What `auth.request_sign_in_link` takes. */
export type AuthRequestSignInLinkParams = {
  /** E-mail address, of letters of any script (RFC 6531); blanks around it are dropped. (at most 254 characters) */
  email: string
  /**
   * A secret that the program which asks draws at random and keeps: the link is of use with it only. (22 to 100
   * characters)
   */
  browser: string
}

/** What `auth.request_sign_in_link` returns. */
export type AuthRequestSignInLinkReply = {
  /** That it was asked for, not that there is such an account. */
  accepted: true
}

/** What `auth.log_in_with_link` takes. */
export type AuthLogInWithLinkParams = {
  /** (1 to 100 characters) */
  token: string
  /**
   * A secret that the program which asks draws at random and keeps: the link is of use with it only. (22 to 100
   * characters)
   */
  browser: string
  /** Which tenant the token is for; live when left out. */
  mode?: 'live' | 'test'
}

/** What `auth.log_in_with_link` returns. */
export type AuthLogInWithLinkReply = Auth

/** What `own_sessions.list` returns. */
export type OwnSessionsListReply = {
  sessions: Array<{
    sessionId: string
    /** Whether it is the session of this very request. */
    isCurrent: boolean
    /** Names of the organizations that it was opened for. */
    organizations: string[]
    modes: Array<'live' | 'test'>
    /** How the person proved who they are, in the words of RFC 8176: pwd, otp, hwk, swk, mfa. */
    methods: string[]
    /** The address it was opened from. */
    ip: string | null
    /** What the browser or program called itself. */
    userAgent: string | null
    /** ISO 8601 in UTC, with milliseconds. */
    createdAt: string
    /** Exact to an hour: when it last got an access token. */
    lastUsedAt: string
  }>
}

/** What `own_sessions.end_others` returns. */
export type OwnSessionsEndOthersReply = {
  /** How many logins this ended. */
  endedSessions: number
}

/** What `own_sessions.end` takes. */
export type OwnSessionsEndParams = {
  /** Identifier of the session. (matches `^lgn_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  sessionId: string
}

/** What `own_sessions.end` returns. */
export type OwnSessionsEndReply = OwnSession

/** What `own_organizations.list` returns. */
export type OwnOrganizationsListReply = {
  organizations: Array<{
    /** Identifier. (at least 1) */
    organizationId: number
    name: string
    /** Identifier. (at least 1) */
    userId: number
    /** What the person may do there. */
    role: 'Admin' | 'Sales Manager' | 'Sales Executive' | 'Finance Manager'
    /** Whether the session of this request is in it. */
    isCurrent: boolean
    /** ISO 8601 in UTC, with milliseconds. */
    lastUsedAt: string | null
  }>
}

/** What `own_organizations.create` takes. */
export type OwnOrganizationsCreateParams = {
  /** (1 to 200 characters; matches `\S`) */
  name: string
  /** Of an operator: needed where sign-up is by invitation, and good once. (1 to 100 characters) */
  code?: string
}

/** What `own_organizations.create` returns. */
export type OwnOrganizationsCreateReply = OwnOrganization

/** What `auth.switch` takes. */
export type AuthSwitchParams = {
  /** Identifier. (at least 1) */
  organizationId: number
  /** Which tenant the token is for; live when left out. */
  mode?: 'live' | 'test'
}

/** What `auth.switch` returns. */
export type AuthSwitchReply = {
  /** JWT; send it as Authorization: Bearer <token>. Lives one hour. */
  accessToken: string
  /** Seconds the access token lives. */
  expiresIn: number
  /** Gets the next access token; changes at every use. */
  refreshToken: string
  /** Identifier. (at least 1) */
  organizationId: number
  user: AuthLoginUser
}

/** What `auth.step_up` takes. */
export type AuthStepUpParams = {
  /** (1 to 128 characters) */
  password?: string
  /** The six digits that the app shows. (exactly 6 characters) */
  code?: string
  /** One of the recovery codes. (20 to 60 characters) */
  recoveryCode?: string
  /** What the browser answered to the options, as JSON (AuthenticationResponseJSON). */
  assertion?: {
    /** Identifier of the passkey, in base64url. (1 to 1400 characters; matches `^[A-Za-z0-9_-]+$`) */
    id: string
    /** Identifier of the passkey, in base64url. (1 to 1400 characters; matches `^[A-Za-z0-9_-]+$`) */
    rawId: string
    type: 'public-key'
    authenticatorAttachment?: 'platform' | 'cross-platform'
    /** What extensions of the browser said; not looked at. */
    clientExtensionResults?: Record<string, unknown>
    response: {
      /** (1 to 4000 characters; matches `^[A-Za-z0-9_-]+$`) */
      clientDataJSON: string
      /** (1 to 4000 characters; matches `^[A-Za-z0-9_-]+$`) */
      authenticatorData: string
      /** (1 to 2000 characters; matches `^[A-Za-z0-9_-]+$`) */
      signature: string
      /** (1 to 100 characters; matches `^[A-Za-z0-9_-]+$`) */
      userHandle?: string
    }
  }
}

/** What `auth.step_up` returns. */
export type AuthStepUpReply = {
  /** What was proved: the login, or all that the account asks for. */
  grade: 'login' | 'factor'
  /** ISO 8601 in UTC, with milliseconds. */
  provedAt: string
  /** In place of the one that asked. */
  accessToken: string
  /** Seconds until it expires. */
  expiresIn: number
}

/** What `factors.list` returns. */
export type FactorsListReply = Factor

/** What `factors.create_totp` takes. */
export type FactorsCreateTotpParams = {
  /** (1 to 100 characters; matches `\S`) */
  name?: string
}

/** What `factors.create_totp` returns. */
export type FactorsCreateTotpReply = {
  factorId: string
  /** In base 32, for an app that takes no QR code. Shown this once. */
  secret: string
  /** The same as an otpauth address: what a QR code for the app holds. */
  uri: string
}

/** What `factors.confirm_totp` takes. */
export type FactorsConfirmTotpParams = {
  /** Identifier of the factor. (matches `^fac_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  factorId: string
  /** The six digits that the app shows. (matches `^\d{6}$`) */
  code: string
}

/** What `factors.confirm_totp` returns. */
export type FactorsConfirmTotpReply = FactorsConfirmTotpFactor

/** What `factors.update` takes. */
export type FactorsUpdateParams = {
  /** Identifier of the factor. (matches `^fac_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  factorId: string
  /** (1 to 100 characters; matches `\S`) */
  name?: string
}

/** What `factors.update` returns. */
export type FactorsUpdateReply = {
  factorId: string
  /** An app that makes codes by time (RFC 6238), or a passkey (WebAuthn). */
  kind: 'totp' | 'passkey'
  /** What its owner calls it. */
  name: string
  /** Of a passkey: whether it is kept beyond the device it was made on. */
  backedUp: boolean | null
  /** ISO 8601 in UTC, with milliseconds. */
  lastUsedAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
}

/** What `factors.delete` takes. */
export type FactorsDeleteParams = {
  /** Identifier of the factor. (matches `^fac_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  factorId: string
}

/** What `factors.delete` returns. */
export type FactorsDeleteReply = {
  /** What was deleted. */
  factorId: string
  /** It is gone. */
  deleted: true
}

/** What `factors.create_recovery_codes` returns. */
export type FactorsCreateRecoveryCodesReply = {
  /** Each stands for the second factor once. They are not stored readably and never shown again. */
  recoveryCodes: string[]
}

/** What `factors.passkey_options` returns. */
export type FactorsPasskeyOptionsReply = {
  /** Good for five minutes and for one use. */
  challenge: string
  rp: {
    id: string
    name: string
  }
  user: {
    id: string
    name: string
    displayName: string
  }
  pubKeyCredParams: Array<{
    type: 'public-key'
    alg: number
  }>
  /** Milliseconds. */
  timeout: number
  /** Those there are: a device makes no second one. */
  excludeCredentials: Array<{
    id: string
    type: 'public-key'
  }>
  authenticatorSelection: {
    residentKey: 'required'
    requireResidentKey: true
    userVerification: 'required'
  }
  attestation: 'none'
}

/** What `factors.create_passkey` takes. */
export type FactorsCreatePasskeyParams = {
  /** (1 to 100 characters; matches `\S`) */
  name?: string
  /** What the browser made by the options, as JSON (RegistrationResponseJSON). */
  credential: {
    /** Identifier of the passkey, in base64url. (1 to 1400 characters; matches `^[A-Za-z0-9_-]+$`) */
    id: string
    /** Identifier of the passkey, in base64url. (1 to 1400 characters; matches `^[A-Za-z0-9_-]+$`) */
    rawId: string
    type: 'public-key'
    authenticatorAttachment?: 'platform' | 'cross-platform'
    /** What extensions of the browser said; not looked at. */
    clientExtensionResults?: Record<string, unknown>
    response: {
      /** (1 to 4000 characters; matches `^[A-Za-z0-9_-]+$`) */
      clientDataJSON: string
      /** (1 to 16000 characters; matches `^[A-Za-z0-9_-]+$`) */
      attestationObject: string
      /** (1 to 8000 characters; matches `^[A-Za-z0-9_-]+$`) */
      authenticatorData?: string
      /** (1 to 4000 characters; matches `^[A-Za-z0-9_-]+$`) */
      publicKey?: string
      /** (-70000 to 70000) */
      publicKeyAlgorithm?: number
      /** (at most 10 items) */
      transports?: string[]
    }
  }
}

/** What `factors.create_passkey` returns. */
export type FactorsCreatePasskeyReply = FactorsConfirmTotpFactor

/** What `auth.passkey_options` returns. */
export type AuthPasskeyOptionsReply = {
  /** Good for five minutes and for one use. */
  challenge: string
  /** The host that passkeys are bound to. */
  rpId: string
  /** Milliseconds. */
  timeout: number
  userVerification: 'required'
}

/** What `invitations.create` takes. */
export type InvitationsCreateParams = {
  /** E-mail address, of letters of any script (RFC 6531); blanks around it are dropped. (at most 254 characters) */
  email: string
  /** What who accepts may do. Needed, where roleId is not sent. */
  role?: 'Admin' | 'Sales Manager' | 'Sales Executive' | 'Finance Manager'
  /**
   * In place of role, a role of the organization's own: GET /v2/roles. (matches `^rol_[0-7][0-9a-hjkmnp-tv-z]{25}$`)
   */
  roleId?: string
}

/** What `invitations.create` returns. */
export type InvitationsCreateReply = InvitationsCreateInvitation

/** What `invitations.list` takes. */
export type InvitationsListParams = {
  state?: 'pending' | 'expired' | 'accepted' | 'declined' | 'revoked'
  /** Records per page, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer, with the same filters. (at most 4000 characters) */
  cursor?: string
}

export type InvitationsListReply = CursorPage<Invitation>

/** What `invitations.create_many` takes. */
export type InvitationsCreateManyParams = {
  /** Each once, in whatever case. (1 to 100 items) */
  emails: string[]
  /** What who accepts may do. Needed, where roleId is not sent. */
  role?: 'Admin' | 'Sales Manager' | 'Sales Executive' | 'Finance Manager'
  /**
   * In place of role, a role of the organization's own: GET /v2/roles. (matches `^rol_[0-7][0-9a-hjkmnp-tv-z]{25}$`)
   */
  roleId?: string
}

/** What `invitations.create_many` returns. */
export type InvitationsCreateManyReply = {
  invitations: InvitationsCreateInvitation[]
  refused: Array<{
    email: string
    code: 'already_member' | 'already_invited'
    /** Why, and what to do. */
    message: string
  }>
}

/** What `invitations.resend` takes. */
export type InvitationsResendParams = {
  /** Identifier of the invitation. (matches `^inv_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  invitationId: string
}

/** What `invitations.resend` returns. */
export type InvitationsResendReply = InvitationsCreateInvitation

/** What `invitations.link` takes. */
export type InvitationsLinkParams = {
  /** Identifier of the invitation. (matches `^inv_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  invitationId: string
}

/** What `invitations.link` returns. */
export type InvitationsLinkReply = InvitationsCreateInvitation

/** What `invitations.revoke` takes. */
export type InvitationsRevokeParams = {
  /** Identifier of the invitation. (matches `^inv_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  invitationId: string
}

/** What `invitations.revoke` returns. */
export type InvitationsRevokeReply = Invitation

/** What `roles.list` returns. */
export type RolesListReply = {
  roles: Role[]
  permissions: Array<{
    permission: Scope
    /** What it is good for. */
    allows: string
    /** Whether all roles may hold it, those made of Admin, or none of the organization’s own. */
    assignable: 'all' | 'admin' | 'never'
    /** Whether it goes only with seeing all records of every kind. */
    needsAllRows: boolean
    /** Whether every role holds it. */
    always: boolean
  }>
  /** Kinds of records of which roles see own ones, those of teams, or all. */
  kinds: string[]
}

/** What `roles.create` takes. */
export type RolesCreateParams = {
  /** (1 to 100 characters; matches `\S`) */
  name: string
  /** Who it is for. (at most 500 characters) */
  description?: string
  /** The role that /v1 shows of everybody who has it. It stays: copy the role to have another. */
  base: 'Admin' | 'Sales Manager' | 'Sales Executive' | 'Finance Manager'
  /** What it may do. profile:read and profile:update are in every role. (at most 500 items; no item twice) */
  permissions: Scope[]
  /** Whose records are seen, by kind; of a kind that is left out what the base sees. */
  rows?: {
    /** Whose companies are seen: own, those of one's teams, or all. */
    companies?: 'own' | 'team' | 'all'
    /** Whose contacts are seen: own, those of one's teams, or all. */
    contacts?: 'own' | 'team' | 'all'
    /** Whose leads are seen: own, those of one's teams, or all. */
    leads?: 'own' | 'team' | 'all'
    /** Whose mails are seen: own, those of one's teams, or all. */
    mails?: 'own' | 'team' | 'all'
    /** Whose tasks are seen: own, those of one's teams, or all. */
    tasks?: 'own' | 'team' | 'all'
  }
}

/** What `roles.create` returns. */
export type RolesCreateReply = Role

/** What `roles.get` takes. */
export type RolesGetParams = {
  /** Identifier of the role. (matches `^rol_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  roleId: string
}

/** What `roles.get` returns. */
export type RolesGetReply = Role

/** What `roles.update` takes. */
export type RolesUpdateParams = {
  /** Identifier of the role. (matches `^rol_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  roleId: string
  /** (1 to 100 characters; matches `\S`) */
  name?: string
  /** Who it is for. (at most 500 characters) */
  description?: string
  /** What it may do. profile:read and profile:update are in every role. (at most 500 items; no item twice) */
  permissions?: Scope[]
  /** Whose records are seen, by kind; of a kind that is left out what the base sees. */
  rows?: {
    /** Whose companies are seen: own, those of one's teams, or all. */
    companies?: 'own' | 'team' | 'all'
    /** Whose contacts are seen: own, those of one's teams, or all. */
    contacts?: 'own' | 'team' | 'all'
    /** Whose leads are seen: own, those of one's teams, or all. */
    leads?: 'own' | 'team' | 'all'
    /** Whose mails are seen: own, those of one's teams, or all. */
    mails?: 'own' | 'team' | 'all'
    /** Whose tasks are seen: own, those of one's teams, or all. */
    tasks?: 'own' | 'team' | 'all'
  }
}

/** What `roles.update` returns. */
export type RolesUpdateReply = Role

/** What `roles.delete` takes. */
export type RolesDeleteParams = {
  /** Identifier of the role. (matches `^rol_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  roleId: string
}

/** What `roles.delete` returns. */
export type RolesDeleteReply = {
  /** What was deleted. */
  roleId: string
  /** It is gone. */
  deleted: true
}

/** What `teams.list` takes. */
export type TeamsListParams = {
  /** Only teams that this user is in. (at least 1) */
  userId?: number
  /** Records per page, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer, with the same filters. (at most 4000 characters) */
  cursor?: string
}

export type TeamsListReply = CursorPage<Team>

/** What `teams.create` takes. */
export type TeamsCreateParams = {
  /** (1 to 100 characters; matches `\S`) */
  name: string
  /** What the team is for. (at most 500 characters) */
  description?: string
}

/** What `teams.create` returns. */
export type TeamsCreateReply = Team

/** What `teams.get` takes. */
export type TeamsGetParams = {
  /** Identifier of the team. (matches `^team_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  teamId: string
}

/** What `teams.get` returns. */
export type TeamsGetReply = Team

/** What `teams.update` takes. */
export type TeamsUpdateParams = {
  /** Identifier of the team. (matches `^team_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  teamId: string
  /** (1 to 100 characters; matches `\S`) */
  name?: string
  /** What the team is for. (at most 500 characters) */
  description?: string
}

/** What `teams.update` returns. */
export type TeamsUpdateReply = Team

/** What `teams.delete` takes. */
export type TeamsDeleteParams = {
  /** Identifier of the team. (matches `^team_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  teamId: string
}

/** What `teams.delete` returns. */
export type TeamsDeleteReply = {
  /** What was deleted. */
  teamId: string
  /** It is gone. */
  deleted: true
}

/** What `teams.put_member` takes. */
export type TeamsPutMemberParams = {
  /** Identifier of the team. (matches `^team_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  teamId: string
  /** Identifier. (at least 1) */
  userId: number
  /** Whether they lead the team; false when left out. */
  lead?: boolean
}

/** What `teams.put_member` returns. */
export type TeamsPutMemberReply = Team

/** What `teams.remove_member` takes. */
export type TeamsRemoveMemberParams = {
  /** Identifier of the team. (matches `^team_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  teamId: string
  /** Identifier. (at least 1) */
  userId: number
}

/** What `teams.remove_member` returns. */
export type TeamsRemoveMemberReply = Team

/** What `members.list` takes. */
export type MembersListParams = {
  kind?: 'person' | 'app' | 'invitation'
  role?: 'Admin' | 'Sales Manager' | 'Sales Executive' | 'Finance Manager'
  state?: 'active' | 'disabled' | 'invited' | 'expired'
  /** This user alone. (at least 1) */
  userId?: number
  /** Part of the name or the e-mail. (1 to 200 characters) */
  q?: string
  /** Records per page, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer, with the same filters. (at most 4000 characters) */
  cursor?: string
}

export type MembersListReply = CursorPage<Member>

/** What `users.remove` takes. */
export type UsersRemoveParams = {
  /** Identifier. (at least 1) */
  id: number
  /** The user who gets what the person owns. (at least 1) */
  transferTo: number
}

/** What `users.remove` returns. */
export type UsersRemoveReply = {
  /** Identifier. (at least 1) */
  userId: number
  removed: true
  /** How many API keys this ended. */
  endedKeys: number
  handOver: HandOver
}

/** What `users.owned` takes. */
export type UsersOwnedParams = {
  /** Identifier. (at least 1) */
  id: number
}

/** What `users.owned` returns. */
export type UsersOwnedReply = {
  /** Identifier. (at least 1) */
  userId: number
  /** Kinds of which there are any. */
  records: Array<{
    /** What it is, such as leads or saved_views. */
    kind: string
    mode: 'live' | 'test'
    /** How many, those in the trash included. */
    count: number
  }>
  ends: {
    apiKeys: number
    /** Of apps to act for them. */
    authorizations: number
    /** By them, that nobody answered yet. */
    invitations: number
  }
}

/** What `hand_overs.get` takes. */
export type HandOversGetParams = {
  /** Identifier of the hand-over. (matches `^hov_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  handOverId: string
}

/** What `hand_overs.get` returns. */
export type HandOversGetReply = HandOver

/** What `hand_overs.list` takes. */
export type HandOversListParams = {
  /** Records per page, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer, with the same filters. (at most 4000 characters) */
  cursor?: string
}

export type HandOversListReply = CursorPage<HandOver>

/** What `own_organizations.leave` takes. */
export type OwnOrganizationsLeaveParams = {
  /** Identifier. (at least 1) */
  organizationId: number
}

/** What `own_organizations.leave` returns. */
export type OwnOrganizationsLeaveReply = {
  /** Identifier. (at least 1) */
  organizationId: number
  left: true
  handOver: HandOver
}

/** What `users.sessions` takes. */
export type UsersSessionsParams = {
  /** Identifier. (at least 1) */
  id: number
}

/** What `users.sessions` returns. */
export type UsersSessionsReply = {
  sessions: Array<{
    sessionId: string
    modes: Array<'live' | 'test'>
    /** How they proved who they are (RFC 8176). */
    methods: string[]
    /** The address it was opened from. */
    ip: string | null
    /** What the browser or program called itself. */
    userAgent: string | null
    /** ISO 8601 in UTC, with milliseconds. */
    createdAt: string
    /** ISO 8601 in UTC, with milliseconds. */
    lastUsedAt: string
  }>
}

/** What `users.end_sessions` takes. */
export type UsersEndSessionsParams = {
  /** Identifier. (at least 1) */
  id: number
}

/** What `users.end_sessions` returns. */
export type UsersEndSessionsReply = {
  /** Identifier. (at least 1) */
  userId: number
  /** How many logins this ended. */
  endedSessions: number
}

/** What `users.reset_factors` takes. */
export type UsersResetFactorsParams = {
  /** Identifier. (at least 1) */
  id: number
  /** Why, for the person and the audit log: 10 to 500 characters. (10 to 500 characters; matches `\S`) */
  reason: string
}

/** What `users.reset_factors` returns. */
export type UsersResetFactorsReply = {
  /** Identifier. (at least 1) */
  userId: number
  reset: true
}

/** What `ownership.get` returns. */
export type OwnershipGetReply = Ownership

/** What `ownership.offer` takes. */
export type OwnershipOfferParams = {
  /** Identifier. (at least 1) */
  toUserId: number
}

/** What `ownership.offer` returns. */
export type OwnershipOfferReply = OwnershipOfferOwnership

/** What `ownership.accept` returns. */
export type OwnershipAcceptReply = OwnershipOfferOwnership

/** What `ownership.decline` returns. */
export type OwnershipDeclineReply = OwnershipOfferOwnership

/** What `ownership.cancel` returns. */
export type OwnershipCancelReply = OwnershipOfferOwnership

/** What `ownership.undo` returns. */
export type OwnershipUndoReply = OwnershipOfferOwnership

/** What `colleagues.list` takes. */
export type ColleaguesListParams = {
  /** Only these users. */
  ids?: string | ReadonlyArray<string>
  /** Part of the name. (1 to 200 characters) */
  q?: string
}

/** What `colleagues.list` returns. */
export type ColleaguesListReply = {
  colleagues: Colleague[]
}

/** What `organization.get` returns. */
export type OrganizationGetReply = Organization

/** What `organization.update` takes. */
export type OrganizationUpdateParams = {
  /** (1 to 200 characters; matches `\S`) */
  name?: string
  /**
   * IANA time zone, such as Europe/Berlin: decides when an invoice is overdue and to which year it belongs. (at most
   * 64 characters)
   */
  timeZone?: string
  /** ISO 4217 code used where none is given, such as EUR. (at most 3 characters) */
  currency?: string
  /**
   * ISO 3166 code, such as DE: telephone numbers without + are read as of there; null refuses them. (at most 2
   * characters)
   */
  defaultCountry?: string | null
  /** What happens when a lead with the same e-mail or phone exists: refused, created and reported, or nothing. */
  duplicateMode?: 'block' | 'warn' | 'off'
  /** When an invoice takes its number: as a draft, or when it is issued. */
  invoiceNumbering?: 'on_create' | 'on_issue'
}

/** What `organization.update` returns. */
export type OrganizationUpdateReply = Organization

/** What `organization_exports.create` returns. */
export type OrganizationExportsCreateReply = OrganizationExport

/** What `organization_exports.list` returns. */
export type OrganizationExportsListReply = {
  exports: OrganizationExport[]
}

/** What `organization_exports.download` takes. */
export type OrganizationExportsDownloadParams = {
  /** Identifier of the export. (matches `^oex_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  exportId: string
}

/** The file that `organization_exports.download` returns. */
export type OrganizationExportsDownloadReply = Blob

/** What `organization.close` takes. */
export type OrganizationCloseParams = {
  /** The name of the organization, to show that it is meant. (1 to 200 characters) */
  name: string
}

/** What `organization.close` returns. */
export type OrganizationCloseReply = OrganizationCloseOrganization

/** What `organization.reopen` returns. */
export type OrganizationReopenReply = OrganizationCloseOrganization

/** What `operator_tokens.create` returns. */
export type OperatorTokensCreateReply = OperatorToken

/** What `operators.list` returns. */
export type OperatorsListReply = {
  operators: Operator[]
}

/** What `operators.set` takes. */
export type OperatorsSetParams = {
  /** E-mail address, of letters of any script (RFC 6531); blanks around it are dropped. (at most 254 characters) */
  email: string
  /** `support` looks, `full` also acts. */
  level: 'support' | 'full'
}

/** What `operators.set` returns. */
export type OperatorsSetReply = Operator

/** What `operators.remove` takes. */
export type OperatorsRemoveParams = {
  /** Identifier. (at least 1) */
  accountId: number
}

/** What `operators.remove` returns. */
export type OperatorsRemoveReply = {
  /** Identifier. (at least 1) */
  accountId: number
  deleted: true
}

/** What `operator_events.list` takes. */
export type OperatorEventsListParams = {
  /** Identifier. (at least 1) */
  organizationId?: number
  /** Records per page, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer, with the same filters. (at most 4000 characters) */
  cursor?: string
}

export type OperatorEventsListReply = CursorPage<OperatorEvent>

/** What `operator_sending.get` returns. */
export type OperatorSendingGetReply = OperatorSending

/** What `operator_sending.hold` takes. */
export type OperatorSendingHoldParams = {
  /** Why, for others who run it. (3 to 500 characters; matches `\S`) */
  reason: string
}

/** What `operator_sending.hold` returns. */
export type OperatorSendingHoldReply = OperatorSending

/** What `operator_sending.release` takes. */
export type OperatorSendingReleaseParams = {
  /** What becomes of texts and mails that waited before the hold. */
  waiting: 'send' | 'expire'
}

/** What `operator_sending.release` returns. */
export type OperatorSendingReleaseReply = OperatorSending

/** What `operator_organizations.list` takes. */
export type OperatorOrganizationsListParams = {
  state?: 'active' | 'suspended' | 'closing' | 'closed'
  /** A part of the name, or of the e-mail of the owner. (1 to 100 characters) */
  q?: string
  /** Records per page, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer, with the same filters. (at most 4000 characters) */
  cursor?: string
}

export type OperatorOrganizationsListReply = CursorPage<OperatorOrganization>

/** What `operator_organizations.create` takes. */
export type OperatorOrganizationsCreateParams = {
  /** (1 to 200 characters; matches `\S`) */
  name: string
  owner: {
    /**
     * E-mail address, of letters of any script (RFC 6531); blanks around it are dropped. (at most 254 characters)
     */
    email: string
    /** (1 to 200 characters; matches `\S`) */
    name: string
  }
  /** (at most 64 characters) */
  timeZone?: string
  /** (at most 3 characters) */
  currency?: string
}

/** What `operator_organizations.create` returns. */
export type OperatorOrganizationsCreateReply = {
  /** Identifier. (at least 1) */
  organizationId: number
  name: string
  state: 'active' | 'suspended' | 'closing' | 'closed'
  stateReason: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  stateSince: string
  closingBy: 'owner' | 'operator' | null
  /** ISO 8601 in UTC, with milliseconds. */
  closesAt: string | null
  /** When all of a closed organization was erased that is not kept. */
  erasedAt: string | null
  /** Most mails a day; null: as the server says. */
  mailsPerDay: number | null
  owner: {
    email: string
    name: string
  } | null
  usage: {
    members: number
    /** Of live mode, as are texts and calls. */
    leads: number
    /** Of the last 30 days. */
    messages: number
    /** Of the last 30 days. */
    calls: number
  }
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** Identifier. (at least 1) */
  ownerUserId: number
  /** By which a new owner sets a password, within seven days. */
  passwordUrl: string | null
}

/** What `operator_organizations.get` takes. */
export type OperatorOrganizationsGetParams = {
  /** Identifier. (at least 1) */
  organizationId: number
}

/** What `operator_organizations.get` returns. */
export type OperatorOrganizationsGetReply = OperatorOrganization

/** What `operator_organizations.update` takes. */
export type OperatorOrganizationsUpdateParams = {
  /** Identifier. (at least 1) */
  organizationId: number
  /** (1 to 200 characters; matches `\S`) */
  name?: string
  /** Null: as the server says. (0 to 1000000) */
  mailsPerDay?: number | null
}

/** What `operator_organizations.update` returns. */
export type OperatorOrganizationsUpdateReply = OperatorOrganization

/** What `operator_organizations.suspend` takes. */
export type OperatorOrganizationsSuspendParams = {
  /** Identifier. (at least 1) */
  organizationId: number
  /** Why: shown to the people of the organization, and kept in its audit log. (3 to 500 characters; matches `\S`) */
  reason: string
}

/** What `operator_organizations.suspend` returns. */
export type OperatorOrganizationsSuspendReply = OperatorOrganization

/** What `operator_organizations.resume` takes. */
export type OperatorOrganizationsResumeParams = {
  /** Identifier. (at least 1) */
  organizationId: number
  /** Why: shown to the people of the organization, and kept in its audit log. (3 to 500 characters; matches `\S`) */
  reason?: string
}

/** What `operator_organizations.resume` returns. */
export type OperatorOrganizationsResumeReply = OperatorOrganization

/** What `operator_organizations.close` takes. */
export type OperatorOrganizationsCloseParams = {
  /** Identifier. (at least 1) */
  organizationId: number
  /** Why: shown to the people of the organization, and kept in its audit log. (3 to 500 characters; matches `\S`) */
  reason: string
}

/** What `operator_organizations.close` returns. */
export type OperatorOrganizationsCloseReply = OperatorOrganization

/** What `operator_organizations.reopen` takes. */
export type OperatorOrganizationsReopenParams = {
  /** Identifier. (at least 1) */
  organizationId: number
  /** Why: shown to the people of the organization, and kept in its audit log. (3 to 500 characters; matches `\S`) */
  reason?: string
}

/** What `operator_organizations.reopen` returns. */
export type OperatorOrganizationsReopenReply = OperatorOrganization

/** What `organization_codes.create` takes. */
export type OrganizationCodesCreateParams = {
  /** For whom it is. (1 to 200 characters) */
  note?: string
  /** For how many days it is good. (1 to 365; default 14) */
  days?: number
}

/** What `organization_codes.create` returns. */
export type OrganizationCodesCreateReply = {
  codeId: string
  /** For whom it is. */
  note: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  expiresAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  usedAt: string | null
  /** What was made with it. */
  organizationId: number | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  code: string
}

/** What `organization_codes.list` takes. */
export type OrganizationCodesListParams = {
  /** Records per page, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer, with the same filters. (at most 4000 characters) */
  cursor?: string
}

export type OrganizationCodesListReply = CursorPage<OrganizationCode>

/** What `organization_codes.remove` takes. */
export type OrganizationCodesRemoveParams = {
  /** Identifier of the code. (matches `^oco_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  codeId: string
}

/** What `organization_codes.remove` returns. */
export type OrganizationCodesRemoveReply = {
  /** What was deleted. */
  codeId: string
  /** It is gone. */
  deleted: true
}

/** What `auth.get_sign_up` returns. */
export type AuthGetSignUpReply = {
  signUp: 'closed' | 'invite' | 'open'
}

/** What `auth.sign_up` takes. */
export type AuthSignUpParams = {
  /** E-mail address, of letters of any script (RFC 6531); blanks around it are dropped. (at most 254 characters) */
  email: string
  /** (1 to 200 characters; matches `\S`) */
  name: string
  /** (1 to 200 characters; matches `\S`) */
  organization: string
  /** Of an operator: needed where sign-up is by invitation, and good once. (1 to 100 characters) */
  code?: string
}

/** What `auth.sign_up` returns. */
export type AuthSignUpReply = {
  /** That it was asked for; the mail says how to go on. */
  accepted: true
}

/** What `auth.confirm_sign_up` takes. */
export type AuthConfirmSignUpParams = {
  /** (1 to 100 characters) */
  token: string
  /** (1 to 128 characters) */
  password: string
}

/** What `auth.confirm_sign_up` returns. */
export type AuthConfirmSignUpReply = OwnOrganization

/** What `security.get` returns. */
export type SecurityGetReply = Security

/** What `security.update` takes. */
export type SecurityUpdateParams = {
  /** Whether nobody logs in with a password alone. */
  requireSecondFactor?: boolean
  /** How long a browser may stand for the second factor, if its person says so; 0: never. (0 to 90) */
  trustDeviceDays?: number
  /** A session ends after so long without a new access token, which lives an hour; 20160 is 14 days. (5 to 20160) */
  sessionIdleMinutes?: number
  /** A session ends after so long; 2160 is 90 days. (1 to 2160) */
  sessionMaxHours?: number
  /**
   * Addresses and ranges (CIDR) that people may log in from; none: from everywhere. API keys are not held to it. (at
   * most 100 items; no item twice)
   */
  allowedAddresses?: string[]
  /** Whether people may log in by the link of a mail in place of the password; never of the second factor. */
  magicLink?: boolean
  /**
   * Characters that passwords have which people choose from now on, where that is more than is asked anyway; null:
   * no more. (10 to 64)
   */
  passwordMin?: number | null
  /**
   * API keys that are made or rotated from now on end after so many days at the latest; null: when they say. (1 to
   * 3650)
   */
  apiKeysMaxDays?: number | null
}

/** What `security.update` returns. */
export type SecurityUpdateReply = Security

/** What `security.preview` takes. */
export type SecurityPreviewParams = {
  /** Whether nobody logs in with a password alone. */
  requireSecondFactor?: boolean
  /** How long a browser may stand for the second factor, if its person says so; 0: never. (0 to 90) */
  trustDeviceDays?: number
  /** A session ends after so long without a new access token, which lives an hour; 20160 is 14 days. (5 to 20160) */
  sessionIdleMinutes?: number
  /** A session ends after so long; 2160 is 90 days. (1 to 2160) */
  sessionMaxHours?: number
  /**
   * Addresses and ranges (CIDR) that people may log in from; none: from everywhere. API keys are not held to it. (at
   * most 100 items; no item twice)
   */
  allowedAddresses?: string[]
  /** Whether people may log in by the link of a mail in place of the password; never of the second factor. */
  magicLink?: boolean
  /**
   * Characters that passwords have which people choose from now on, where that is more than is asked anyway; null:
   * no more. (10 to 64)
   */
  passwordMin?: number | null
  /**
   * API keys that are made or rotated from now on end after so many days at the latest; null: when they say. (1 to
   * 3650)
   */
  apiKeysMaxDays?: number | null
}

/** What `security.preview` returns. */
export type SecurityPreviewReply = {
  /** Active people of the organization. (at least 0) */
  members: number
  /** People who would have to set up a second factor at their next login. (at least 0) */
  needSecondFactor: number
  /** Sessions of the organization that would be over. (at least 0) */
  sessionsEnding: number
  /** People with a session from an address that would not be allowed: it would end within the hour. (at least 0) */
  membersElsewhere: number
  /** API keys that live longer than the policy lets new ones. They stay as they are. (at least 0) */
  keysOutliving: number
}

/** What `organization_domains.list` takes. */
export type OrganizationDomainsListParams = {
  /** Only domains of this status. */
  status?: 'pending' | 'verified' | 'lapsed'
  /** Records per page, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer, with the same filters. (at most 4000 characters) */
  cursor?: string
}

export type OrganizationDomainsListReply = CursorPage<OrganizationDomain>

/** What `organization_domains.create` takes. */
export type OrganizationDomainsCreateParams = {
  /** As it stands behind the @ of the addresses. (at most 253 characters; matches `^[^\s@/:]+\.[^\s@/:.]+$`) */
  domain: string
}

/** What `organization_domains.create` returns. */
export type OrganizationDomainsCreateReply = OrganizationDomain

/** What `organization_domains.get` takes. */
export type OrganizationDomainsGetParams = {
  /** Identifier of the domain. (matches `^dom_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  domainId: string
}

/** What `organization_domains.get` returns. */
export type OrganizationDomainsGetReply = OrganizationDomain

/** What `organization_domains.delete` takes. */
export type OrganizationDomainsDeleteParams = {
  /** Identifier of the domain. (matches `^dom_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  domainId: string
}

/** What `organization_domains.delete` returns. */
export type OrganizationDomainsDeleteReply = OrganizationDomainsDeleteOrganizationDomain

/** What `organization_domains.verify` takes. */
export type OrganizationDomainsVerifyParams = {
  /** Identifier of the domain. (matches `^dom_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  domainId: string
}

/** What `organization_domains.verify` returns. */
export type OrganizationDomainsVerifyReply = OrganizationDomain

/** What `sso_connections.list` takes. */
export type SsoConnectionsListParams = {
  /** Only connections of this status. */
  status?: 'draft' | 'tested' | 'active' | 'enforced' | 'disabled'
  /** Records per page, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer, with the same filters. (at most 4000 characters) */
  cursor?: string
}

export type SsoConnectionsListReply = CursorPage<SsoConnection>

/** What `sso_connections.create` takes. */
export type SsoConnectionsCreateParams = {
  /** (1 to 100 characters; matches `\S`) */
  name: string
  /**
   * The issuer, exactly as its document says (`/.well-known/openid-configuration` is below it). Of Entra the one
   * with the id of the tenant, never `common`. (8 to 500 characters)
   */
  issuer: string
  /** What the provider calls this application. (1 to 300 characters) */
  clientId: string
  /** Kept sealed, and never shown. (1 to 500 characters) */
  clientSecret?: string
  /**
   * What is asked for; `openid` and `email` at least. openid, email, profile when left out. (1 to 20 items; no item
   * twice)
   */
  scopes?: string[]
  /**
   * The claim of the ID token that says what somebody is: `groups`, `roles`, `realm_access.roles`. (1 to 200
   * characters)
   */
  roleClaim?: string | null
  /**
   * Which role it gives: the first rule that fits, asked at every login. Nobody becomes Admin but by a rule. (at
   * most 50 items)
   */
  roleMap?: Array<{
    /** What the claim says, or holds among others. (1 to 200 characters) */
    value: string
    role: 'Admin' | 'Sales Manager' | 'Sales Executive' | 'Finance Manager'
  }>
  /**
   * Whether somebody whom the provider knows, with an address at a verified domain, becomes a member at their first
   * login.
   */
  createsMembers?: boolean
  /** Of new members whom no rule fits; not Admin. */
  defaultRole?: 'Admin' | 'Sales Manager' | 'Sales Executive' | 'Finance Manager'
  /**
   * Values of `amr` or `acr` that stand for the second factor of an account, such as `mfa`; none: its own is asked
   * for. (at most 20 items; no item twice)
   */
  strongMethods?: string[]
  /**
   * Members who log in with their password although everybody else must come by the provider: at least one active
   * Admin, for the day when the provider is down. (at most 10 items; no item twice)
   */
  breakGlassUserIds?: number[]
}

/** What `sso_connections.create` returns. */
export type SsoConnectionsCreateReply = SsoConnection

/** What `sso_connections.get` takes. */
export type SsoConnectionsGetParams = {
  /** Identifier of the single sign-on connection. (matches `^sso_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  connectionId: string
}

/** What `sso_connections.get` returns. */
export type SsoConnectionsGetReply = SsoConnection

/** What `sso_connections.update` takes. */
export type SsoConnectionsUpdateParams = {
  /** Identifier of the single sign-on connection. (matches `^sso_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  connectionId: string
  /** (1 to 100 characters; matches `\S`) */
  name?: string
  /**
   * The issuer, exactly as its document says (`/.well-known/openid-configuration` is below it). Of Entra the one
   * with the id of the tenant, never `common`. (8 to 500 characters)
   */
  issuer?: string
  /** What the provider calls this application. (1 to 300 characters) */
  clientId?: string
  /** Kept sealed, and never shown. (1 to 500 characters) */
  clientSecret?: string | null
  /**
   * What is asked for; `openid` and `email` at least. openid, email, profile when left out. (1 to 20 items; no item
   * twice)
   */
  scopes?: string[]
  /**
   * The claim of the ID token that says what somebody is: `groups`, `roles`, `realm_access.roles`. (1 to 200
   * characters)
   */
  roleClaim?: string | null
  /**
   * Which role it gives: the first rule that fits, asked at every login. Nobody becomes Admin but by a rule. (at
   * most 50 items)
   */
  roleMap?: Array<{
    /** What the claim says, or holds among others. (1 to 200 characters) */
    value: string
    role: 'Admin' | 'Sales Manager' | 'Sales Executive' | 'Finance Manager'
  }>
  /**
   * Whether somebody whom the provider knows, with an address at a verified domain, becomes a member at their first
   * login.
   */
  createsMembers?: boolean
  /** Of new members whom no rule fits; not Admin. */
  defaultRole?: 'Admin' | 'Sales Manager' | 'Sales Executive' | 'Finance Manager'
  /**
   * Values of `amr` or `acr` that stand for the second factor of an account, such as `mfa`; none: its own is asked
   * for. (at most 20 items; no item twice)
   */
  strongMethods?: string[]
  /**
   * Members who log in with their password although everybody else must come by the provider: at least one active
   * Admin, for the day when the provider is down. (at most 10 items; no item twice)
   */
  breakGlassUserIds?: number[]
  /**
   * active: people may come by it, once it is tested. enforced: people with an address at a verified domain must;
   * their other sessions end, and each gets a mail that says so. disabled: nobody does. draft: to be tested again.
   */
  status?: 'active' | 'enforced' | 'disabled' | 'draft'
}

/** What `sso_connections.update` returns. */
export type SsoConnectionsUpdateReply = SsoConnection

/** What `sso_connections.delete` takes. */
export type SsoConnectionsDeleteParams = {
  /** Identifier of the single sign-on connection. (matches `^sso_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  connectionId: string
}

/** What `sso_connections.delete` returns. */
export type SsoConnectionsDeleteReply = {
  /** What was deleted. */
  connectionId: string
  /** It is gone. */
  deleted: true
}

/** What `auth.discover_sso` takes. */
export type AuthDiscoverSsoParams = {
  /** E-mail address, of letters of any script (RFC 6531); blanks around it are dropped. (at most 254 characters) */
  email: string
}

/** What `auth.discover_sso` returns. */
export type AuthDiscoverSsoReply = {
  sso: {
    organization: string
    /** To be opened in a browser. */
    startUrl: string
    /** Whether a password is not taken. */
    isRequired: boolean
  } | null
}

/** What `sso_connections.test` takes. */
export type SsoConnectionsTestParams = {
  /** Identifier of the single sign-on connection. (matches `^sso_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  connectionId: string
}

/** What `sso_connections.test` returns. */
export type SsoConnectionsTestReply = {
  /** To be opened in a browser, once. */
  testUrl: string
}

/** What `scim.get` returns. */
export type ScimGetReply = Scim

/** What `scim.update` takes. */
export type ScimUpdateParams = {
  /** Whether requests at /scim/v2 are taken. */
  enabled?: boolean
  /** Of new members, and of those whom no group of the map holds; not Admin. */
  defaultRole?: 'Admin' | 'Sales Manager' | 'Sales Executive' | 'Finance Manager'
  /**
   * What groups give their members. The role is that of the first rule that fits and gives one; teams are those of
   * all that fit. (at most 50 items)
   */
  groupMap?: Array<{
    /** The name of the group, in whatever case. (1 to 255 characters) */
    group: string
    role?: 'Admin' | 'Sales Manager' | 'Sales Executive' | 'Finance Manager'
    /** A role of the organization’s own, in place of `role`. (matches `^rol_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
    roleId?: string
    /** The team that its members are in, beside a role or alone. (matches `^team_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
    teamId?: string
  }>
}

/** What `scim.update` returns. */
export type ScimUpdateReply = {
  /** Whether requests at /scim/v2 are taken. */
  enabled: boolean
  /** Of new members, and of those whom no group of the map holds; not Admin. */
  defaultRole: 'Admin' | 'Sales Manager' | 'Sales Executive' | 'Finance Manager'
  groupMap: Array<{
    group: string
    role: 'Admin' | 'Sales Manager' | 'Sales Executive' | 'Finance Manager' | null
    roleId: string | null
    teamId: string | null
  }>
  /** Counts changes; the ETag. */
  version: number
}

/** What `audit_events.list` takes. */
export type AuditEventsListParams = {
  /**
   * An action, such as user.role_changed, or user.* for all of users. (at most 100 characters; matches
   * `^[a-z_]+(?:\.[a-z_]+)*(?:\.\*)?$`)
   */
  action?: string
  /** Only what this user or key did, or had done for it, by its id. (1 to 100 characters) */
  actor?: string
  /** Only what was done as such. */
  actorType?: 'user' | 'key' | 'app' | 'operator' | 'system' | 'scim' | 'sso' | 'anonymous'
  /**
   * Only what was done to this: an id such as whk_…, or with what it is in front, such as user:12. (1 to 120
   * characters)
   */
  target?: string
  /** Only what ended so. */
  outcome?: 'ok' | 'denied' | 'failed'
  /** Only what was asked from this address. (2 to 45 characters) */
  ip?: string
  /** ISO 8601 date (YYYY-MM-DD) or time with offset (2026-11-21T08:00:00Z). (at most 40 characters) */
  from?: string
  /** ISO 8601 date (YYYY-MM-DD) or time with offset (2026-11-21T08:00:00Z). (at most 40 characters) */
  to?: string
  /**
   * Only events with this text in action, reason, names, addresses, targets, or what changed. (2 to 100 characters)
   */
  q?: string
  /** Records per page, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer, with the same filters. (at most 4000 characters) */
  cursor?: string
}

export type AuditEventsListReply = CursorPage<AuditEvent>

/** What `audit_events.get` takes. */
export type AuditEventsGetParams = {
  /** Identifier of the event. (matches `^aud_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  auditEventId: string
}

/** What `audit_events.get` returns. */
export type AuditEventsGetReply = AuditEvent

/** What `audit_seals.list` takes. */
export type AuditSealsListParams = {
  /** Records per page, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer, with the same filters. (at most 4000 characters) */
  cursor?: string
}

export type AuditSealsListReply = CursorPage<AuditSeal>

/** What `audit_events.export` takes. */
export type AuditEventsExportParams = {
  /** What kind of file. (default "ndjson") */
  format?: 'ndjson' | 'csv' | 'ocsf'
  /**
   * An action, such as user.role_changed, or user.* for all of users. (at most 100 characters; matches
   * `^[a-z_]+(?:\.[a-z_]+)*(?:\.\*)?$`)
   */
  action?: string
  /** Only what this user or key did, or had done for it, by its id. (1 to 100 characters) */
  actor?: string
  /** Only what was done as such. */
  actorType?: 'user' | 'key' | 'app' | 'operator' | 'system' | 'scim' | 'sso' | 'anonymous'
  /**
   * Only what was done to this: an id such as whk_…, or with what it is in front, such as user:12. (1 to 120
   * characters)
   */
  target?: string
  /** Only what ended so. */
  outcome?: 'ok' | 'denied' | 'failed'
  /** Only what was asked from this address. (2 to 45 characters) */
  ip?: string
  /** ISO 8601 date (YYYY-MM-DD) or time with offset (2026-11-21T08:00:00Z). (at most 40 characters) */
  from?: string
  /** ISO 8601 date (YYYY-MM-DD) or time with offset (2026-11-21T08:00:00Z). (at most 40 characters) */
  to?: string
  /**
   * Only events with this text in action, reason, names, addresses, targets, or what changed. (2 to 100 characters)
   */
  q?: string
}

/** The file that `audit_events.export` returns. */
export type AuditEventsExportReply = Blob

/** What `audit_policy.get` returns. */
export type AuditPolicyGetReply = AuditPolicy

/** What `audit_policy.update` takes. */
export type AuditPolicyUpdateParams = {
  /**
   * Days that events are kept, from 90 to 3,650; null for as long as the server says (effectiveDays). (90 to 3650)
   */
  retentionDays?: number | null
  /** Whether nothing is deleted, however old, until it is taken off. */
  legalHold?: boolean
  /** Whether each look at the sound of a recording is an event, recording.heard. */
  recordListens?: boolean
}

/** What `audit_policy.update` returns. */
export type AuditPolicyUpdateReply = AuditPolicy

/** What `audit_events.erase` takes. */
export type AuditEventsEraseParams = {
  /** Whose names. (at least 1) */
  userId: number
  /** Why, for the log; name nobody in it. (3 to 200 characters) */
  reason: string
}

/** What `audit_events.erase` returns. */
export type AuditEventsEraseReply = {
  /** How many names and addresses went. */
  erased: number
}

/** What `audit_streams.create` takes. */
export type AuditStreamsCreateParams = {
  /** Where events are sent to: a public https address on port 443 or 8443. (1 to 2048 characters) */
  url: string
  /** What it is for; null for nothing. (at most 500 characters) */
  description?: string | null
  /** Whether all that is there is sent first, or only what comes. (default "now") */
  from?: 'now' | 'start'
}

/** What `audit_streams.create` returns. */
export type AuditStreamsCreateReply = {
  /** Identifier of the stream, `ast_…`. */
  streamId: string
  url: string
  /** What it is for; null for nothing. (at most 500 characters) */
  description: string | null
  /** Whether anything is sent. */
  enabled: boolean
  /** The last event that was taken, by its place in the chain. */
  position: number
  /** Sealed events that were not taken yet. */
  behind: number
  /** ISO 8601 in UTC, with milliseconds. */
  deliveredAt: string | null
  failuresInRow: number
  /** ISO 8601 in UTC, with milliseconds. */
  failingSince: string | null
  /** Why the last try failed. */
  lastError: string | null
  /** Counts changes of its settings; the ETag. */
  version: number
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string
  /** Signs what is sent, as that of a webhook (Standard Webhooks). Shown in this answer only. */
  secret: string
}

/** What `audit_streams.list` takes. */
export type AuditStreamsListParams = {
  /** Records per page, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer, with the same filters. (at most 4000 characters) */
  cursor?: string
}

export type AuditStreamsListReply = CursorPage<AuditStream>

/** What `audit_streams.get` takes. */
export type AuditStreamsGetParams = {
  /** Identifier of the audit stream. (matches `^ast_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  streamId: string
}

/** What `audit_streams.get` returns. */
export type AuditStreamsGetReply = AuditStream

/** What `audit_streams.update` takes. */
export type AuditStreamsUpdateParams = {
  /** Identifier of the audit stream. (matches `^ast_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  streamId: string
  /** Where events are sent to: a public https address on port 443 or 8443. (1 to 2048 characters) */
  url?: string
  /** What it is for; null for nothing. (at most 500 characters) */
  description?: string | null
  enabled?: boolean
}

/** What `audit_streams.update` returns. */
export type AuditStreamsUpdateReply = AuditStream

/** What `audit_streams.delete` takes. */
export type AuditStreamsDeleteParams = {
  /** Identifier of the audit stream. (matches `^ast_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  streamId: string
}

/** What `audit_streams.delete` returns. */
export type AuditStreamsDeleteReply = {
  /** What was deleted. */
  streamId: string
  /** It is gone. */
  deleted: true
}

/** What `retention.get` returns. */
export type RetentionGetReply = Retention

/** What `retention.update` takes. */
export type RetentionUpdateParams = {
  /** (1 to 8 items) */
  classes: Array<{
    /** What is kept. */
    class: 'events' | 'messages' | 'calls' | 'recordings' | 'call_traces' | 'mails' | 'request_log' | 'webhook_deliveries'
    /** Days; null: as the installation says. (1 to 36500) */
    days: number | null
  }>
}

/** What `retention.update` returns. */
export type RetentionUpdateReply = Retention

/** What `privacy_requests.create` takes. */
export type PrivacyRequestsCreateParams = {
  kind: 'export' | 'erasure'
  /** A lead (`lead:17`) or a contact (`con_…`). (at most 40 characters) */
  recordId?: string
  /** Telephone number, in any usual spelling. (at most 64 characters) */
  phone?: string
  /** E-mail address, of letters of any script (RFC 6531); blanks around it are dropped. (at most 254 characters) */
  email?: string
  /**
   * For an erasure, to show that it is meant: the name of the record, or the address once more. (at most 254
   * characters)
   */
  confirm?: string
  /** Why, for those who look later; name nobody in it. (3 to 500 characters) */
  reason: string
}

/** What `privacy_requests.create` returns. */
export type PrivacyRequestsCreateReply = PrivacyRequest

/** What `privacy_requests.list` takes. */
export type PrivacyRequestsListParams = {
  /** Records per page, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer, with the same filters. (at most 4000 characters) */
  cursor?: string
  /** Only those for this lead or contact. (at most 40 characters) */
  recordId?: string
}

export type PrivacyRequestsListReply = CursorPage<PrivacyRequest>

/** What `privacy_requests.get` takes. */
export type PrivacyRequestsGetParams = {
  /** Identifier of the request. (matches `^dsr_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  privacyRequestId: string
}

/** What `privacy_requests.get` returns. */
export type PrivacyRequestsGetReply = PrivacyRequest

/** What `privacy_requests.download` takes. */
export type PrivacyRequestsDownloadParams = {
  /** Identifier of the request. (matches `^dsr_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  privacyRequestId: string
}

/** The file that `privacy_requests.download` returns. */
export type PrivacyRequestsDownloadReply = Blob

/** What `legal_holds.place` takes. */
export type LegalHoldsPlaceParams = {
  /** A lead (`lead:17`) or a contact (`con_…`). (at most 40 characters) */
  recordId?: string
  /** Telephone number, in any usual spelling. (at most 64 characters) */
  phone?: string
  /** E-mail address, of letters of any script (RFC 6531); blanks around it are dropped. (at most 254 characters) */
  email?: string
  /** Why, for those who look later; name nobody in it. (3 to 500 characters) */
  reason: string
}

/** What `legal_holds.place` returns. */
export type LegalHoldsPlaceReply = LegalHold

/** What `legal_holds.list` takes. */
export type LegalHoldsListParams = {
  /** Records per page, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer, with the same filters. (at most 4000 characters) */
  cursor?: string
  /** Whether those that were released are listed too. */
  released?: boolean
}

export type LegalHoldsListReply = CursorPage<LegalHold>

/** What `legal_holds.release` takes. */
export type LegalHoldsReleaseParams = {
  /** Identifier of the hold. (matches `^lgh_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  holdId: string
}

/** What `legal_holds.release` returns. */
export type LegalHoldsReleaseReply = LegalHold

/** What `webhooks.create` takes. */
export type WebhooksCreateParams = {
  /** Where events are to be sent to: a public https address on port 443 or 8443. (1 to 2048 characters) */
  url: string
  /** What it is for, in your words; null for nothing. (at most 500 characters) */
  description?: string | null
  /**
   * What to hear of: types such as message.delivered, or message.* for all of messages; left out or null:
   * everything. GET /v2/webhooks/event-types lists them. (1 to 100 items; no item twice)
   */
  eventTypes?: string[] | null
}

/** What `webhooks.create` returns. */
export type WebhooksCreateReply = {
  /** Identifier. */
  webhookId: string
  /** Where events are sent to. */
  url: string
  /** What it is for, in your words. */
  description: string | null
  /** Types it hears of, such as message.sent or message.*; null: all. */
  eventTypes: string[] | null
  /** Whether anything is sent. */
  enabled: boolean
  /**
   * Why nothing is sent: request (somebody disabled it), gone (the address answered 410), failing (five days without
   * a success). Null while it is enabled.
   */
  disabledReason: 'request' | 'gone' | 'failing' | null
  /** Since when it has been disabled. */
  disabledAt: string | null
  /** Whose events it hears of. */
  mode: 'live' | 'test'
  /**
   * ok; failing (the last attempt failed); probing (20 attempts in a row failed, so one is tried now and then, once
   * a minute in the end, while the rest waits); disabled.
   */
  health: 'ok' | 'failing' | 'probing' | 'disabled'
  /** Attempts that failed since the last success. */
  failuresInRow: number
  /** When the first of them failed. */
  failingSince: string | null
  /** When an event was last delivered; exact to some seconds. */
  lastDeliveredAt: string | null
  /** Why the last attempt failed: a word, or the HTTP status. */
  lastError: string | null
  /** Events that wait to be sent, counted up to 10,000. */
  waiting: number
  /** Until when deliveries carry a signature by the previous secret as well. */
  previousSecretUntil: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string
  /** Signs deliveries: `whsec_` and base64 of 32 bytes. Shown this once; it cannot be read again. */
  secret: string
}

/** What `webhooks.list` takes. */
export type WebhooksListParams = {
  /** Only enabled ones (true), or only disabled ones (false). */
  enabled?: boolean
  /** Records per page, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer, with the same filters. (at most 4000 characters) */
  cursor?: string
}

export type WebhooksListReply = CursorPage<Webhook>

/** What `webhooks.event_types` returns. */
export type WebhooksEventTypesReply = {
  /** In the order of what they are about. */
  eventTypes: Array<{
    /** Noun and verb in the past tense. */
    type: string
    /** What happened. */
    description: string
  }>
}

/** What `webhooks.signing_secret` returns. */
export type WebhooksSigningSecretReply = WebhooksSigningSecretWebhook

/** What `webhooks.rotate_signing_secret` takes. */
export type WebhooksRotateSigningSecretParams = {
  /**
   * How long deliveries are signed by the old secret as well; 0 ends it at once. A day when left out, a week at
   * most. (0 to 604800; default 86400)
   */
  overlapSeconds?: number
}

/** What `webhooks.rotate_signing_secret` returns. */
export type WebhooksRotateSigningSecretReply = WebhooksSigningSecretWebhook

/** What `webhooks.get` takes. */
export type WebhooksGetParams = {
  /** Identifier of the webhook. (matches `^whk_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  webhookId: string
}

/** What `webhooks.get` returns. */
export type WebhooksGetReply = Webhook

/** What `webhooks.update` takes. */
export type WebhooksUpdateParams = {
  /** Identifier of the webhook. (matches `^whk_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  webhookId: string
  /** Where events are to be sent to: a public https address on port 443 or 8443. (1 to 2048 characters) */
  url?: string
  /** What it is for, in your words; null for nothing. (at most 500 characters) */
  description?: string | null
  /**
   * What to hear of: types such as message.delivered, or message.* for all of messages; left out or null:
   * everything. GET /v2/webhooks/event-types lists them. (1 to 100 items; no item twice)
   */
  eventTypes?: string[] | null
  /** Whether anything is sent. */
  enabled?: boolean
  /** Makes a new secret; {} lets the old one sign for a day more. */
  rotateSecret?: {
    /**
     * How long deliveries are signed by the old secret as well; 0 ends it at once. A day when left out, a week at
     * most. (0 to 604800; default 86400)
     */
    overlapSeconds?: number
  }
}

/** What `webhooks.update` returns. */
export type WebhooksUpdateReply = {
  /** Identifier. */
  webhookId: string
  /** Where events are sent to. */
  url: string
  /** What it is for, in your words. */
  description: string | null
  /** Types it hears of, such as message.sent or message.*; null: all. */
  eventTypes: string[] | null
  /** Whether anything is sent. */
  enabled: boolean
  /**
   * Why nothing is sent: request (somebody disabled it), gone (the address answered 410), failing (five days without
   * a success). Null while it is enabled.
   */
  disabledReason: 'request' | 'gone' | 'failing' | null
  /** Since when it has been disabled. */
  disabledAt: string | null
  /** Whose events it hears of. */
  mode: 'live' | 'test'
  /**
   * ok; failing (the last attempt failed); probing (20 attempts in a row failed, so one is tried now and then, once
   * a minute in the end, while the rest waits); disabled.
   */
  health: 'ok' | 'failing' | 'probing' | 'disabled'
  /** Attempts that failed since the last success. */
  failuresInRow: number
  /** When the first of them failed. */
  failingSince: string | null
  /** When an event was last delivered; exact to some seconds. */
  lastDeliveredAt: string | null
  /** Why the last attempt failed: a word, or the HTTP status. */
  lastError: string | null
  /** Events that wait to be sent, counted up to 10,000. */
  waiting: number
  /** Until when deliveries carry a signature by the previous secret as well. */
  previousSecretUntil: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string
  /** The new secret after a rotation, shown this once; otherwise null. */
  secret: string | null
}

/** What `webhooks.delete` takes. */
export type WebhooksDeleteParams = {
  /** Identifier of the webhook. (matches `^whk_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  webhookId: string
}

/** What `webhooks.delete` returns. */
export type WebhooksDeleteReply = {
  /** What was deleted. */
  webhookId: string
  /** It is gone. */
  deleted: true
}

/** What `webhooks.test` takes. */
export type WebhooksTestParams = {
  /** Identifier of the webhook. (matches `^whk_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  webhookId: string
}

/** What `webhooks.test` returns. */
export type WebhooksTestReply = {
  /** Read it with GET /v2/webhooks/deliveries/{deliveryId}. */
  deliveryId: string
  /** The event; also the header webhook-id. */
  eventId: string
}

/** What `webhooks.deliveries` takes. */
export type WebhooksDeliveriesParams = {
  /** Identifier of the webhook. (matches `^whk_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  webhookId: string
  /** Only those that are so far. */
  status?: 'pending' | 'delivered' | 'failed'
  /**
   * A type, such as message.sent, or message.* for all of messages. (at most 100 characters; matches
   * `^[a-z_]+\.(?:[a-z_]+|\*)$`)
   */
  eventType?: string
  /** The delivery of one event. (matches `^evt_[0-9a-hjkmnp-tv-z]{26}$`) */
  eventId?: string
  /** Deliveries of all events about one resource: the id of a message, a call, a lead. (1 to 100 characters) */
  resourceId?: string
  /** ISO 8601 date (YYYY-MM-DD) or time with offset (2026-11-21T08:00:00Z). (at most 40 characters) */
  createdAfter?: string
  /** ISO 8601 date (YYYY-MM-DD) or time with offset (2026-11-21T08:00:00Z). (at most 40 characters) */
  createdBefore?: string
  /** Records per page, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer, with the same filters. (at most 4000 characters) */
  cursor?: string
}

export type WebhooksDeliveriesReply = CursorPage<WebhooksDeliveriesItem>

/** What `webhooks.callback_deliveries` takes. */
export type WebhooksCallbackDeliveriesParams = {
  /** Only those that are so far. */
  status?: 'pending' | 'delivered' | 'failed'
  /**
   * A type, such as message.sent, or message.* for all of messages. (at most 100 characters; matches
   * `^[a-z_]+\.(?:[a-z_]+|\*)$`)
   */
  eventType?: string
  /** The delivery of one event. (matches `^evt_[0-9a-hjkmnp-tv-z]{26}$`) */
  eventId?: string
  /** Deliveries of all events about one resource: the id of a message, a call, a lead. (1 to 100 characters) */
  resourceId?: string
  /** ISO 8601 date (YYYY-MM-DD) or time with offset (2026-11-21T08:00:00Z). (at most 40 characters) */
  createdAfter?: string
  /** ISO 8601 date (YYYY-MM-DD) or time with offset (2026-11-21T08:00:00Z). (at most 40 characters) */
  createdBefore?: string
  /** Records per page, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer, with the same filters. (at most 4000 characters) */
  cursor?: string
}

export type WebhooksCallbackDeliveriesReply = CursorPage<WebhooksDeliveriesItem>

/** What `webhooks.delivery` takes. */
export type WebhooksDeliveryParams = {
  /** (matches `^dlv_[0-9a-hjkmnp-tv-z]{26}$`) */
  deliveryId: string
}

/** What `webhooks.delivery` returns. */
export type WebhooksDeliveryReply = {
  /** Identifier. */
  deliveryId: string
  /** The webhook; null for a delivery to a callbackUrl. */
  webhookId: string | null
  /** Where it goes: the present address of the webhook, or the callbackUrl. */
  url: string
  /** The event; also the header webhook-id, which all attempts and replays of it share. */
  eventId: string
  /** The type of the event. */
  eventType: string
  /** What the event is about: the id of a message, a call, a lead. Null for those who may not read such. */
  resourceId: string | null
  /** pending (waits for its first or next attempt), delivered (answered 2xx), failed (given up). */
  status: 'pending' | 'delivered' | 'failed'
  /** Attempts made so far, replays included. */
  attempts: number
  /** When the event happened. */
  createdAt: string
  /** When it was last tried. */
  lastAttemptAt: string | null
  /** When it is tried again; null when it is not, or waits for its turn. */
  nextAttemptAt: string | null
  /** When it was delivered or given up. */
  finishedAt: string | null
  /** HTTP status of the last answer; null when none came. */
  lastStatus: number | null
  /** Why no answer came to the last attempt; null when one came. */
  lastError: 'blocked_address' | 'dns_failed' | 'connect_timeout' | 'connection_refused' | 'unreachable' | 'tls_failed' | 'timeout' | 'reset' | 'not_http' | 'reply_too_large' | 'failed' | null
  /** The attempts, oldest first; of many, the newest 50. */
  attemptLog: Array<{
    /** Counts from 1. */
    attempt: number
    /** ISO 8601 in UTC, with milliseconds. */
    at: string
    /** Milliseconds from the attempt to its outcome. */
    durationMs: number
    /** HTTP status of the answer; null when none came. */
    status: number | null
    /** Why no answer came; null when one came. */
    error: 'blocked_address' | 'dns_failed' | 'connect_timeout' | 'connection_refused' | 'unreachable' | 'tls_failed' | 'timeout' | 'reset' | 'not_http' | 'reply_too_large' | 'failed' | null
    /** What was answered, at most the first 4 KiB. Null when nothing was, or it is not text. */
    reply: string | null
    /** The headers of the request, without its signature. */
    requestHeaders: Record<string, string>
  }>
  /**
   * The body that is sent, byte for byte the same in every attempt. Null, like replies, for one who may not read the
   * resource it is about.
   */
  payload: Record<string, unknown> | null
}

/** What `webhooks.replay` takes. */
export type WebhooksReplayParams = {
  /** Identifier of the webhook. (matches `^whk_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  webhookId: string
  /**
   * One delivery, whatever became of it. Without it, name a time in from and to. (matches
   * `^dlv_[0-9a-hjkmnp-tv-z]{26}$`)
   */
  deliveryId?: string
  /** ISO 8601 date (YYYY-MM-DD) or time with offset (2026-11-21T08:00:00Z). (at most 40 characters) */
  from?: string
  /** ISO 8601 date (YYYY-MM-DD) or time with offset (2026-11-21T08:00:00Z). (at most 40 characters) */
  to?: string
  /** Of that time only events of these types, such as message.sent or message.*. (1 to 100 items; no item twice) */
  eventTypes?: string[]
  /**
   * Of that time: failed ones, also those that wait for a later attempt; undelivered ones (when left out), which are
   * those and events that were never sent because the webhook was disabled or not there yet; or all, also what was
   * delivered.
   */
  scope?: 'failed' | 'undelivered' | 'all'
}

/** What `webhooks.replay` returns. */
export type WebhooksReplayReply = WebhooksReplayWebhook

/** What `webhooks.replay_callbacks` takes. */
export type WebhooksReplayCallbacksParams = {
  /**
   * One delivery, whatever became of it. Without it, name a time in from and to. (matches
   * `^dlv_[0-9a-hjkmnp-tv-z]{26}$`)
   */
  deliveryId?: string
  /** ISO 8601 date (YYYY-MM-DD) or time with offset (2026-11-21T08:00:00Z). (at most 40 characters) */
  from?: string
  /** ISO 8601 date (YYYY-MM-DD) or time with offset (2026-11-21T08:00:00Z). (at most 40 characters) */
  to?: string
  /** Of that time only events of these types, such as message.sent or message.*. (1 to 100 items; no item twice) */
  eventTypes?: string[]
  /**
   * Of that time: failed ones, also those that wait for a later attempt; undelivered ones (when left out), which are
   * those and events that were never sent because the webhook was disabled or not there yet; or all, also what was
   * delivered.
   */
  scope?: 'failed' | 'undelivered' | 'all'
}

/** What `webhooks.replay_callbacks` returns. */
export type WebhooksReplayCallbacksReply = WebhooksReplayWebhook

/** What `webhook_listeners.create` takes. */
export type WebhookListenersCreateParams = {
  /**
   * Where the program sends events, as it reaches it; for people to see. The server never connects there. (1 to 2048
   * characters; matches `^https?://`)
   */
  forwardTo: string
  /** Which machine it is on, such as ada@laptop. (1 to 100 characters) */
  name?: string | null
  /**
   * What to hear of: types such as message.delivered, or message.* for all of messages; left out or null:
   * everything. GET /v2/webhooks/event-types lists them. (1 to 100 items; no item twice)
   */
  eventTypes?: string[] | null
  /**
   * Sign as this webhook does, and hear of what it hears of. It goes on receiving events itself. (matches
   * `^whk_[0-7][0-9a-hjkmnp-tv-z]{25}$`)
   */
  webhookId?: string
}

/** What `webhook_listeners.create` returns. */
export type WebhookListenersCreateReply = {
  /** Identifier. */
  listenerId: string
  /** Which machine it is on, in the words of its program. */
  name: string | null
  /** Where its program sends events, as that program reaches it. */
  forwardTo: string
  /** Types it hears of; null: all, or those of its webhook. */
  eventTypes: string[] | null
  /** The webhook whose secret signs; null where it has its own. */
  webhookId: string | null
  /** Whose events it hears of. */
  mode: 'live' | 'test'
  /**
   * connected; away (not connected: what happens waits for it, for ten minutes); ended (nothing reaches it any
   * more).
   */
  state: 'connected' | 'away' | 'ended'
  /** Events without an answer so far, counted up to 10,000. */
  waiting: number
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** When it ended; null while it is open. */
  endedAt: string | null
  /**
   * Signs what it is sent: `whsec_` and base64 of 32 bytes. Shown this once. Null where the secret of a webhook
   * signs.
   */
  secret: string | null
}

/** What `webhook_listeners.list` takes. */
export type WebhookListenersListParams = {
  /** Only open ones (true), or only those that ended (false). */
  open?: boolean
  /** Records per page, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer, with the same filters. (at most 4000 characters) */
  cursor?: string
}

export type WebhookListenersListReply = CursorPage<WebhookListener>

/** What `webhook_listeners.get` takes. */
export type WebhookListenersGetParams = {
  /** Identifier of the webhook listener. (matches `^lsn_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  listenerId: string
}

/** What `webhook_listeners.get` returns. */
export type WebhookListenersGetReply = WebhookListener

/** What `webhook_listeners.end` takes. */
export type WebhookListenersEndParams = {
  /** Identifier of the listener. (matches `^lsn_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  listenerId: string
}

/** What `webhook_listeners.end` returns. */
export type WebhookListenersEndReply = WebhookListener

/** What `webhook_listeners.open` takes. */
export type WebhookListenersOpenParams = {
  /** Identifier of the listener. (matches `^lsn_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  listenerId: string
}

export type WebhookListenersOpenEvent = 
  | StreamEvent<'ready', WebhookListener>
  | StreamEvent<'delivery', {
    /** Identifier. */
    deliveryId: string
    /** The event; also the header webhook-id. */
    eventId: string
    /** The type of the event. */
    eventType: string
    /** Counts from 1; grows when it is sent again. Report the answer with it. */
    attempt: number
    /** To be sent as they are, signature included. */
    headers: Record<string, string>
    /** To be sent byte for byte: the signature is over it. */
    body: string
  }>
  | StreamEvent<'end', {
    /**
     * As of GET /v2/stream; also webhook_listener_ended, replaced (another connection has taken the listener over)
     * and webhook_deleted (the webhook whose secret signs is gone).
     */
    reason: string
  }>

/** What `webhook_listeners.report` takes. */
export type WebhookListenersReportParams = {
  /** Identifier of the listener. (matches `^lsn_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  listenerId: string
  /** One for each event. (1 to 200 items) */
  results: Array<{
    /** The event. */
    eventId: string
    /** Counts from 1; grows when it is sent again. (1 to 1000000) */
    attempt: number
    /** HTTP status of the answer; null when none came. (100 to 599) */
    status: number | null
    /** Why no answer came; null when one came. */
    error: 'blocked_address' | 'dns_failed' | 'connect_timeout' | 'connection_refused' | 'unreachable' | 'tls_failed' | 'timeout' | 'reset' | 'not_http' | 'reply_too_large' | 'failed' | null
    /** Milliseconds until then. (0 to 3600000) */
    durationMs: number
    /** The beginning of what was answered. (at most 4096 characters) */
    reply?: string | null
  }>
}

/** What `webhook_listeners.report` returns. */
export type WebhookListenersReportReply = {
  /** How many of the results were new. */
  recorded: number
}

/** What `webhook_listeners.deliveries` takes. */
export type WebhookListenersDeliveriesParams = {
  /** Identifier of the listener. (matches `^lsn_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  listenerId: string
  /** Only those that are so far. */
  status?: 'pending' | 'delivered' | 'failed'
  /** Records per page, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer, with the same filters. (at most 4000 characters) */
  cursor?: string
}

export type WebhookListenersDeliveriesReply = CursorPage<WebhookListenersDeliveriesItem>

/** What `webhook_listeners.resend` takes. */
export type WebhookListenersResendParams = {
  /** Identifier of the listener. (matches `^lsn_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  listenerId: string
  /** An event that was sent to this listener before. (matches `^evt_[0-9a-hjkmnp-tv-z]{26}$`) */
  eventId: string
}

/** What `webhook_listeners.resend` returns. */
export type WebhookListenersResendReply = WebhookListenersDeliveriesItem

/** What `webhook_listeners.test` takes. */
export type WebhookListenersTestParams = {
  /** Identifier of the listener. (matches `^lsn_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  listenerId: string
}

/** What `webhook_listeners.test` returns. */
export type WebhookListenersTestReply = {
  /** Identifier of the delivery. */
  deliveryId: string
  /** The event; also the header webhook-id. */
  eventId: string
}

/** What `leads.create` takes. */
export type LeadsCreateParams = {
  /** Name of the person or enquiry. (1 to 200 characters; matches `\S`) */
  name: string
  /** E-mail address; required when there is no phone. (at most 254 characters) */
  email?: string | null
  /** Telephone number; required when there is no e-mail. (3 to 40 characters) */
  phone?: string | null
  /** Company the person speaks for. (at most 200 characters) */
  company?: string | null
  /**
   * How urgent the lead is. One of: Hot, Warm, Cold; in any letter case. (matches
   * `^(?:[Hh][Oo][Tt]|[Ww][Aa][Rr][Mm]|[Cc][Oo][Ll][Dd])$`; default "Warm")
   */
  priority?: string
  /** Where the lead stands; a new one is New. (default "New") */
  status?: 'New' | 'Contacted' | 'Nurturing' | 'Qualified' | 'Converted' | 'Unqualified' | 'Junk'
  /** The user who works on the lead; null while nobody does. (at least 1) */
  owner_id?: number | null
  /** Where the lead came from, such as web or fair. (at most 100 characters) */
  source?: string | null
  /** Free text. (at most 10000 characters) */
  notes?: string | null
  /** Why the lead is Unqualified, where it is required, or Junk. (at most 500 characters) */
  lost_reason?: string | null
  /** The record of the company that the person speaks for. (matches `^cmp_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  company_id?: string | null
}

/** What `leads.create` returns. */
export type LeadsCreateReply = {
  lead: Lead
  /** Records that are the same by a field, the oldest first, at most ten, of those that one may read. */
  duplicates: Duplicate[]
}

/** What `leads.list` takes. */
export type LeadsListParams = {
  /** Exactly this. (at most 200 characters) */
  name?: string
  /** Begins with this. (1 to 200 characters) */
  'name[begins]'?: string
  /** Exactly this, in any case of letters. (at most 254 characters) */
  email?: string
  /** Whether email is empty. */
  'email[empty]'?: boolean
  /** Telephone number, best in international format with +; usual spellings are understood. (3 to 40 characters) */
  phone?: string
  /** Whether phone is empty. */
  'phone[empty]'?: boolean
  /** Exactly this. (at most 200 characters) */
  company?: string
  /** Begins with this. (1 to 200 characters) */
  'company[begins]'?: string
  /** Whether company is empty. */
  'company[empty]'?: boolean
  /**
   * Only records whose priority is among these. One or more, with commas between, of: Hot, Warm, Cold. (at most 200
   * characters)
   */
  priority?: string | ReadonlyArray<string>
  /**
   * Only records whose status is among these. One or more, with commas between, of: New, Contacted, Nurturing,
   * Qualified, Converted, Unqualified, Junk. (at most 200 characters)
   */
  status?: string | ReadonlyArray<string>
  /** Ids of users, `me`, or `none` for records without one; several with commas between. */
  owner_id?: string | ReadonlyArray<string>
  /** Exactly this. (at most 100 characters) */
  source?: string
  /** Begins with this. (1 to 100 characters) */
  'source[begins]'?: string
  /** Whether source is empty. */
  'source[empty]'?: boolean
  /** Whether notes is empty. */
  'notes[empty]'?: boolean
  /** Exactly this. (at most 500 characters) */
  lost_reason?: string
  /** Begins with this. (1 to 500 characters) */
  'lost_reason[begins]'?: string
  /** Whether lost_reason is empty. */
  'lost_reason[empty]'?: boolean
  /**
   * At or after. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40
   * characters)
   */
  'first_responded_at[gte]'?: string
  /**
   * After; after the whole day for a date. ISO 8601 date, or time; without offset in the time zone of the
   * organization. (at most 40 characters)
   */
  'first_responded_at[gt]'?: string
  /**
   * At or before; a date is included. ISO 8601 date, or time; without offset in the time zone of the organization.
   * (at most 40 characters)
   */
  'first_responded_at[lte]'?: string
  /** Before. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40 characters) */
  'first_responded_at[lt]'?: string
  /** Whether first_responded_at has passed; false also for records without one. */
  'first_responded_at[past]'?: boolean
  /** Whether first_responded_at is empty. */
  'first_responded_at[empty]'?: boolean
  /** Ids, or `none` for records without one; several with commas between. */
  company_id?: string | ReadonlyArray<string>
  /** Ids, or `none` for records without one; several with commas between. */
  contact_id?: string | ReadonlyArray<string>
  /**
   * At or after. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40
   * characters)
   */
  'converted_at[gte]'?: string
  /**
   * After; after the whole day for a date. ISO 8601 date, or time; without offset in the time zone of the
   * organization. (at most 40 characters)
   */
  'converted_at[gt]'?: string
  /**
   * At or before; a date is included. ISO 8601 date, or time; without offset in the time zone of the organization.
   * (at most 40 characters)
   */
  'converted_at[lte]'?: string
  /** Before. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40 characters) */
  'converted_at[lt]'?: string
  /** Whether converted_at has passed; false also for records without one. */
  'converted_at[past]'?: boolean
  /** Whether converted_at is empty. */
  'converted_at[empty]'?: boolean
  /** Only records with any of these tags, by id; `none` for those without a tag. */
  tags?: string | ReadonlyArray<string>
  /** Only records with all of these tags, by id. */
  'tags[all]'?: string | ReadonlyArray<string>
  /**
   * Only records that this batch created or changed: the `batch_id` of an import, or of a change of many. (matches
   * `^bat_[0-7][0-9a-hjkmnp-tv-z]{25}$`)
   */
  batch_id?: string
  /**
   * At or after. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40
   * characters)
   */
  'created_at[gte]'?: string
  /**
   * After; after the whole day for a date. ISO 8601 date, or time; without offset in the time zone of the
   * organization. (at most 40 characters)
   */
  'created_at[gt]'?: string
  /**
   * At or before; a date is included. ISO 8601 date, or time; without offset in the time zone of the organization.
   * (at most 40 characters)
   */
  'created_at[lte]'?: string
  /** Before. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40 characters) */
  'created_at[lt]'?: string
  /**
   * At or after. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40
   * characters)
   */
  'updated_at[gte]'?: string
  /**
   * After; after the whole day for a date. ISO 8601 date, or time; without offset in the time zone of the
   * organization. (at most 40 characters)
   */
  'updated_at[gt]'?: string
  /**
   * At or before; a date is included. ISO 8601 date, or time; without offset in the time zone of the organization.
   * (at most 40 characters)
   */
  'updated_at[lte]'?: string
  /** Before. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40 characters) */
  'updated_at[lt]'?: string
  /**
   * Searches name, email, phone, company: every word, in any order, also parts of words (shorter than three letters:
   * beginnings); digits of a number however it is spelled; when nothing holds the text, what is spelled like it. (at
   * most 100 characters)
   */
  q?: string
  /** Lists the trash instead; needs the permission leads:delete. (default false) */
  deleted?: boolean
  /**
   * One or more, with commas between, of: created_at, updated_at, name, email, company, priority, status, source,
   * lost_reason, first_responded_at, converted_at, id; a leading - turns one around. What is empty comes last. The
   * id decides at the end. (at most 100 characters; default "-created_at")
   */
  sort?: string | ReadonlyArray<string>
  /**
   * Only these fields, beside id and times. Long texts come only when they are named. One or more, with commas
   * between, of: name, email, phone, company, priority, status, owner_id, source, notes, lost_reason,
   * first_responded_at, company_id, contact_id, converted_at. (at most 200 characters)
   */
  fields?: string | ReadonlyArray<string>
  /**
   * Titles of the records that these fields name, in `included`. One or more, with commas between, of: owner_id,
   * company_id, contact_id. (at most 200 characters)
   */
  include?: string | ReadonlyArray<string>
  /** Page number, from 1. (at least 1; default 1) */
  page?: number
  /** Records per page; more than 200 are cut to 200. (at least 1; default 20) */
  limit?: number
  /** The `nextCursor` of the last answer: goes on behind it, at any depth. (at most 4000 characters) */
  cursor?: string
}

/** What `leads.list` returns. */
export type LeadsListReply = {
  leads: LeadsListItem[]
  /** Of each noun that `include` named, the records by id. */
  included?: Record<string, Record<string, {
    /** What the record is called. */
    title: string
  }>>
  pagination: LeadsListPagination
}

/** What `leads.get` takes. */
export type LeadsGetParams = {
  /** Identifier of the lead. (at least 1) */
  id: number
  /**
   * Titles of the records that these fields name, in `included`. One or more, with commas between, of: owner_id,
   * company_id, contact_id. (at most 200 characters)
   */
  include?: string | ReadonlyArray<string>
}

/** What `leads.get` returns. */
export type LeadsGetReply = {
  lead: Lead
  /** Of each noun that `include` named, the records by id. */
  included?: Record<string, Record<string, {
    /** What the record is called. */
    title: string
  }>>
}

/** What `leads.update` takes. */
export type LeadsUpdateParams = {
  /** Identifier of the lead. (at least 1) */
  id: number
  /** Name of the person or enquiry. (1 to 200 characters; matches `\S`) */
  name?: string
  /** E-mail address; required when there is no phone. (at most 254 characters) */
  email?: string | null
  /** Telephone number; required when there is no e-mail. (3 to 40 characters) */
  phone?: string | null
  /** Company the person speaks for. (at most 200 characters) */
  company?: string | null
  /**
   * How urgent the lead is. One of: Hot, Warm, Cold; in any letter case. (matches
   * `^(?:[Hh][Oo][Tt]|[Ww][Aa][Rr][Mm]|[Cc][Oo][Ll][Dd])$`)
   */
  priority?: string
  /** Where the lead stands; a new one is New. */
  status?: 'New' | 'Contacted' | 'Nurturing' | 'Qualified' | 'Converted' | 'Unqualified' | 'Junk'
  /** The user who works on the lead; null while nobody does. (at least 1) */
  owner_id?: number | null
  /** Where the lead came from, such as web or fair. (at most 100 characters) */
  source?: string | null
  /** Free text. (at most 10000 characters) */
  notes?: string | null
  /** Why the lead is Unqualified, where it is required, or Junk. (at most 500 characters) */
  lost_reason?: string | null
  /** The record of the company that the person speaks for. (matches `^cmp_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  company_id?: string | null
}

/** What `leads.update` returns. */
export type LeadsUpdateReply = {
  lead: Lead
}

/** What `leads.delete` takes. */
export type LeadsDeleteParams = {
  /** Identifier of the lead. (at least 1) */
  id: number
}

/** What `leads.delete` returns. */
export type LeadsDeleteReply = {
  lead: Lead
}

/** What `leads.restore` takes. */
export type LeadsRestoreParams = {
  /** Identifier of the lead. (at least 1) */
  id: number
}

/** What `leads.restore` returns. */
export type LeadsRestoreReply = {
  lead: Lead
}

/** What `leads.bulk` takes. */
export type LeadsBulkParams = {
  /** Which records. (1 to 1000 items) */
  ids?: number[]
  /** All records that the list finds with these parameters; none for all there are. */
  filter?: {
    /** Exactly this. (at most 200 characters) */
    name?: string
    /** Begins with this. (1 to 200 characters) */
    'name[begins]'?: string
    /** Exactly this, in any case of letters. (at most 254 characters) */
    email?: string
    /** Whether email is empty. */
    'email[empty]'?: boolean
    /**
     * Telephone number, best in international format with +; usual spellings are understood. (3 to 40 characters)
     */
    phone?: string
    /** Whether phone is empty. */
    'phone[empty]'?: boolean
    /** Exactly this. (at most 200 characters) */
    company?: string
    /** Begins with this. (1 to 200 characters) */
    'company[begins]'?: string
    /** Whether company is empty. */
    'company[empty]'?: boolean
    /**
     * Only records whose priority is among these. One or more, with commas between, of: Hot, Warm, Cold. (at most
     * 200 characters)
     */
    priority?: string
    /**
     * Only records whose status is among these. One or more, with commas between, of: New, Contacted, Nurturing,
     * Qualified, Converted, Unqualified, Junk. (at most 200 characters)
     */
    status?: string
    /**
     * Ids of users, `me`, or `none` for records without one; several with commas between. (matches
     * `^(?:me|none|[1-9]\d{0,14})(?:,(?:me|none|[1-9]\d{0,14})){0,49}$`)
     */
    owner_id?: string
    /** Exactly this. (at most 100 characters) */
    source?: string
    /** Begins with this. (1 to 100 characters) */
    'source[begins]'?: string
    /** Whether source is empty. */
    'source[empty]'?: boolean
    /** Whether notes is empty. */
    'notes[empty]'?: boolean
    /** Exactly this. (at most 500 characters) */
    lost_reason?: string
    /** Begins with this. (1 to 500 characters) */
    'lost_reason[begins]'?: string
    /** Whether lost_reason is empty. */
    'lost_reason[empty]'?: boolean
    /**
     * At or after. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40
     * characters)
     */
    'first_responded_at[gte]'?: string
    /**
     * After; after the whole day for a date. ISO 8601 date, or time; without offset in the time zone of the
     * organization. (at most 40 characters)
     */
    'first_responded_at[gt]'?: string
    /**
     * At or before; a date is included. ISO 8601 date, or time; without offset in the time zone of the organization.
     * (at most 40 characters)
     */
    'first_responded_at[lte]'?: string
    /**
     * Before. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40 characters)
     */
    'first_responded_at[lt]'?: string
    /** Whether first_responded_at has passed; false also for records without one. */
    'first_responded_at[past]'?: boolean
    /** Whether first_responded_at is empty. */
    'first_responded_at[empty]'?: boolean
    /**
     * Ids, or `none` for records without one; several with commas between. (matches
     * `^(?:none|cmp_[0-7][0-9a-hjkmnp-tv-z]{25})(?:,(?:none|cmp_[0-7][0-9a-hjkmnp-tv-z]{25})){0,49}$`)
     */
    company_id?: string
    /**
     * Ids, or `none` for records without one; several with commas between. (matches
     * `^(?:none|con_[0-7][0-9a-hjkmnp-tv-z]{25})(?:,(?:none|con_[0-7][0-9a-hjkmnp-tv-z]{25})){0,49}$`)
     */
    contact_id?: string
    /**
     * At or after. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40
     * characters)
     */
    'converted_at[gte]'?: string
    /**
     * After; after the whole day for a date. ISO 8601 date, or time; without offset in the time zone of the
     * organization. (at most 40 characters)
     */
    'converted_at[gt]'?: string
    /**
     * At or before; a date is included. ISO 8601 date, or time; without offset in the time zone of the organization.
     * (at most 40 characters)
     */
    'converted_at[lte]'?: string
    /**
     * Before. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40 characters)
     */
    'converted_at[lt]'?: string
    /** Whether converted_at has passed; false also for records without one. */
    'converted_at[past]'?: boolean
    /** Whether converted_at is empty. */
    'converted_at[empty]'?: boolean
    /**
     * Only records with any of these tags, by id; `none` for those without a tag. (matches
     * `^(?:none|tag_[0-7][0-9a-hjkmnp-tv-z]{25})(?:,(?:none|tag_[0-7][0-9a-hjkmnp-tv-z]{25})){0,19}$`)
     */
    tags?: string
    /**
     * Only records with all of these tags, by id. (matches
     * `^tag_[0-7][0-9a-hjkmnp-tv-z]{25}(?:,tag_[0-7][0-9a-hjkmnp-tv-z]{25}){0,19}$`)
     */
    'tags[all]'?: string
    /**
     * Only records that this batch created or changed: the `batch_id` of an import, or of a change of many. (matches
     * `^bat_[0-7][0-9a-hjkmnp-tv-z]{25}$`)
     */
    batch_id?: string
    /**
     * At or after. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40
     * characters)
     */
    'created_at[gte]'?: string
    /**
     * After; after the whole day for a date. ISO 8601 date, or time; without offset in the time zone of the
     * organization. (at most 40 characters)
     */
    'created_at[gt]'?: string
    /**
     * At or before; a date is included. ISO 8601 date, or time; without offset in the time zone of the organization.
     * (at most 40 characters)
     */
    'created_at[lte]'?: string
    /**
     * Before. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40 characters)
     */
    'created_at[lt]'?: string
    /**
     * At or after. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40
     * characters)
     */
    'updated_at[gte]'?: string
    /**
     * After; after the whole day for a date. ISO 8601 date, or time; without offset in the time zone of the
     * organization. (at most 40 characters)
     */
    'updated_at[gt]'?: string
    /**
     * At or before; a date is included. ISO 8601 date, or time; without offset in the time zone of the organization.
     * (at most 40 characters)
     */
    'updated_at[lte]'?: string
    /**
     * Before. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40 characters)
     */
    'updated_at[lt]'?: string
    /**
     * Searches name, email, phone, company: every word, in any order, also parts of words (shorter than three
     * letters: beginnings); digits of a number however it is spelled; when nothing holds the text, what is spelled
     * like it. (at most 100 characters)
     */
    q?: string
    /** Lists the trash instead; needs the permission leads:delete. (default false) */
    deleted?: boolean
  }
  /** With filter: how many records it is to find. Nothing is done when there are more or fewer. (0 to 100000) */
  expect?: number
  /** The fields to set; null empties one. */
  set?: {
    /** Name of the person or enquiry. (1 to 200 characters; matches `\S`) */
    name?: string
    /** E-mail address; required when there is no phone. (at most 254 characters) */
    email?: string | null
    /** Telephone number; required when there is no e-mail. (3 to 40 characters) */
    phone?: string | null
    /** Company the person speaks for. (at most 200 characters) */
    company?: string | null
    /**
     * How urgent the lead is. One of: Hot, Warm, Cold; in any letter case. (matches
     * `^(?:[Hh][Oo][Tt]|[Ww][Aa][Rr][Mm]|[Cc][Oo][Ll][Dd])$`)
     */
    priority?: string
    /** Where the lead stands; a new one is New. */
    status?: 'New' | 'Contacted' | 'Nurturing' | 'Qualified' | 'Converted' | 'Unqualified' | 'Junk'
    /** The user who works on the lead; null while nobody does. (at least 1) */
    owner_id?: number | null
    /** Where the lead came from, such as web or fair. (at most 100 characters) */
    source?: string | null
    /** Free text. (at most 10000 characters) */
    notes?: string | null
    /** Why the lead is Unqualified, where it is required, or Junk. (at most 500 characters) */
    lost_reason?: string | null
    /** The record of the company that the person speaks for. (matches `^cmp_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
    company_id?: string | null
  }
  /** Instead of setting fields. */
  action?: 'delete' | 'restore'
}

/** What `leads.bulk` returns. */
export type LeadsBulkReply = {
  /** Names this change in the history of each record, and takes it back. */
  batch_id: string
  /** running while more than 1000 records are changed in the background: the batch says how far it is. */
  state: 'completed' | 'running'
  /** How many records are meant. */
  total: number
  /** How many records were changed. */
  changed: number
  /** How many are as they were asked to be already. */
  unchanged: number
  /** Records that could not be changed; all others were. */
  failed: Failed[]
}

/** What `leads.merge` takes. */
export type LeadsMergeParams = {
  /** The record that stays. (at least 1) */
  into: number
  /** Those that it takes in. (1 to 20 items) */
  others: number[]
  /** By field, the record whose value is kept. */
  take?: {
    /** Identifier. (at least 1) */
    name?: number
    /** Identifier. (at least 1) */
    email?: number
    /** Identifier. (at least 1) */
    phone?: number
    /** Identifier. (at least 1) */
    company?: number
    /** Identifier. (at least 1) */
    priority?: number
    /** Identifier. (at least 1) */
    status?: number
    /** Identifier. (at least 1) */
    owner_id?: number
    /** Identifier. (at least 1) */
    source?: number
    /** Identifier. (at least 1) */
    notes?: number
    /** Identifier. (at least 1) */
    lost_reason?: number
    /** Identifier. (at least 1) */
    company_id?: number
  }
}

/** What `leads.merge` returns. */
export type LeadsMergeReply = {
  lead: Lead
}

/** What `leads.duplicates` takes. */
export type LeadsDuplicatesParams = {
  /** Identifier of the lead. (at least 1) */
  id: number
}

/** What `leads.duplicates` returns. */
export type LeadsDuplicatesReply = {
  /** Records that are the same by a field, the oldest first, at most ten, of those that one may read. */
  duplicates: Duplicate[]
}

/** What `leads.history` takes. */
export type LeadsHistoryParams = {
  /** Identifier of the lead. (at least 1) */
  id: number
}

/** What `leads.history` returns. */
export type LeadsHistoryReply = {
  /** The newest first; the last is the creation. */
  changes: Change[]
}

/** What `leads.export` takes. */
export type LeadsExportParams = {
  /** Exactly this. (at most 200 characters) */
  name?: string
  /** Begins with this. (1 to 200 characters) */
  'name[begins]'?: string
  /** Exactly this, in any case of letters. (at most 254 characters) */
  email?: string
  /** Whether email is empty. */
  'email[empty]'?: boolean
  /** Telephone number, best in international format with +; usual spellings are understood. (3 to 40 characters) */
  phone?: string
  /** Whether phone is empty. */
  'phone[empty]'?: boolean
  /** Exactly this. (at most 200 characters) */
  company?: string
  /** Begins with this. (1 to 200 characters) */
  'company[begins]'?: string
  /** Whether company is empty. */
  'company[empty]'?: boolean
  /**
   * Only records whose priority is among these. One or more, with commas between, of: Hot, Warm, Cold. (at most 200
   * characters)
   */
  priority?: string | ReadonlyArray<string>
  /**
   * Only records whose status is among these. One or more, with commas between, of: New, Contacted, Nurturing,
   * Qualified, Converted, Unqualified, Junk. (at most 200 characters)
   */
  status?: string | ReadonlyArray<string>
  /** Ids of users, `me`, or `none` for records without one; several with commas between. */
  owner_id?: string | ReadonlyArray<string>
  /** Exactly this. (at most 100 characters) */
  source?: string
  /** Begins with this. (1 to 100 characters) */
  'source[begins]'?: string
  /** Whether source is empty. */
  'source[empty]'?: boolean
  /** Whether notes is empty. */
  'notes[empty]'?: boolean
  /** Exactly this. (at most 500 characters) */
  lost_reason?: string
  /** Begins with this. (1 to 500 characters) */
  'lost_reason[begins]'?: string
  /** Whether lost_reason is empty. */
  'lost_reason[empty]'?: boolean
  /**
   * At or after. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40
   * characters)
   */
  'first_responded_at[gte]'?: string
  /**
   * After; after the whole day for a date. ISO 8601 date, or time; without offset in the time zone of the
   * organization. (at most 40 characters)
   */
  'first_responded_at[gt]'?: string
  /**
   * At or before; a date is included. ISO 8601 date, or time; without offset in the time zone of the organization.
   * (at most 40 characters)
   */
  'first_responded_at[lte]'?: string
  /** Before. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40 characters) */
  'first_responded_at[lt]'?: string
  /** Whether first_responded_at has passed; false also for records without one. */
  'first_responded_at[past]'?: boolean
  /** Whether first_responded_at is empty. */
  'first_responded_at[empty]'?: boolean
  /** Ids, or `none` for records without one; several with commas between. */
  company_id?: string | ReadonlyArray<string>
  /** Ids, or `none` for records without one; several with commas between. */
  contact_id?: string | ReadonlyArray<string>
  /**
   * At or after. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40
   * characters)
   */
  'converted_at[gte]'?: string
  /**
   * After; after the whole day for a date. ISO 8601 date, or time; without offset in the time zone of the
   * organization. (at most 40 characters)
   */
  'converted_at[gt]'?: string
  /**
   * At or before; a date is included. ISO 8601 date, or time; without offset in the time zone of the organization.
   * (at most 40 characters)
   */
  'converted_at[lte]'?: string
  /** Before. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40 characters) */
  'converted_at[lt]'?: string
  /** Whether converted_at has passed; false also for records without one. */
  'converted_at[past]'?: boolean
  /** Whether converted_at is empty. */
  'converted_at[empty]'?: boolean
  /** Only records with any of these tags, by id; `none` for those without a tag. */
  tags?: string | ReadonlyArray<string>
  /** Only records with all of these tags, by id. */
  'tags[all]'?: string | ReadonlyArray<string>
  /**
   * Only records that this batch created or changed: the `batch_id` of an import, or of a change of many. (matches
   * `^bat_[0-7][0-9a-hjkmnp-tv-z]{25}$`)
   */
  batch_id?: string
  /**
   * At or after. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40
   * characters)
   */
  'created_at[gte]'?: string
  /**
   * After; after the whole day for a date. ISO 8601 date, or time; without offset in the time zone of the
   * organization. (at most 40 characters)
   */
  'created_at[gt]'?: string
  /**
   * At or before; a date is included. ISO 8601 date, or time; without offset in the time zone of the organization.
   * (at most 40 characters)
   */
  'created_at[lte]'?: string
  /** Before. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40 characters) */
  'created_at[lt]'?: string
  /**
   * At or after. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40
   * characters)
   */
  'updated_at[gte]'?: string
  /**
   * After; after the whole day for a date. ISO 8601 date, or time; without offset in the time zone of the
   * organization. (at most 40 characters)
   */
  'updated_at[gt]'?: string
  /**
   * At or before; a date is included. ISO 8601 date, or time; without offset in the time zone of the organization.
   * (at most 40 characters)
   */
  'updated_at[lte]'?: string
  /** Before. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40 characters) */
  'updated_at[lt]'?: string
  /**
   * Searches name, email, phone, company: every word, in any order, also parts of words (shorter than three letters:
   * beginnings); digits of a number however it is spelled; when nothing holds the text, what is spelled like it. (at
   * most 100 characters)
   */
  q?: string
  /** Lists the trash instead; needs the permission leads:delete. (default false) */
  deleted?: boolean
  /**
   * One or more, with commas between, of: created_at, updated_at, name, email, company, priority, status, source,
   * lost_reason, first_responded_at, converted_at, id; a leading - turns one around. What is empty comes last. The
   * id decides at the end. (at most 100 characters; default "-created_at")
   */
  sort?: string | ReadonlyArray<string>
  /**
   * Only these fields, beside id and times. Long texts come only when they are named. One or more, with commas
   * between, of: name, email, phone, company, priority, status, owner_id, source, notes, lost_reason,
   * first_responded_at, company_id, contact_id, converted_at. (at most 200 characters)
   */
  fields?: string | ReadonlyArray<string>
  /** Whether the first line has the names of the API or words for people. (default "names") */
  header?: 'names' | 'labels'
  /** Begins with a byte order mark, without which Excel reads no UTF-8. (default false) */
  bom?: boolean
}

/** The file that `leads.export` returns. */
export type LeadsExportReply = Blob

/** What `leads.convert` takes. */
export type LeadsConvertParams = {
  /** Identifier of the lead. (at least 1) */
  id: number
  /**
   * The company to use; null for none. Left out: the one that the lead names, or that has its name, or a new one.
   * (matches `^cmp_[0-7][0-9a-hjkmnp-tv-z]{25}$`)
   */
  company_id?: string | null
  /**
   * The contact to use; null for a new one. Left out: the one with the same e-mail or phone, or a new one. (matches
   * `^con_[0-7][0-9a-hjkmnp-tv-z]{25}$`)
   */
  contact_id?: string | null
  /** Qualifies the lead first, if it is not. (default false) */
  qualify?: boolean
  /** Says what would come of it, and changes nothing. (default false) */
  dry_run?: boolean
}

/** What `leads.convert` returns. */
export type LeadsConvertReply = {
  lead: Lead
  company: {
    /** Identifier; null of one that a dry run would create. */
    id: string | null
    /** What it is called. */
    title: string
    /** Whether it was not there before. */
    created: boolean
  } | null
  /** Null of a lead that was converted before, where its contact is removed for good or hidden from the caller. */
  contact: {
    /** Identifier; null of one that a dry run would create. */
    id: string | null
    /** What it is called. */
    title: string
    /** Whether it was not there before. */
    created: boolean
  } | null
}

/** What `people.find` takes. */
export type PeopleFindParams = {
  /** Telephone numbers and e-mail addresses with commas between. (3 to 20000 characters) */
  addresses: string | ReadonlyArray<string>
}

/** What `people.find` returns. */
export type PeopleFindReply = {
  people: People[]
}

/** What `companies.list` takes. */
export type CompaniesListParams = {
  /** Exactly this. (at most 200 characters) */
  name?: string
  /** Begins with this. (1 to 200 characters) */
  'name[begins]'?: string
  /** Its internet domain, such as example.com. (3 to 300 characters) */
  domain?: string
  /** Whether domain is empty. */
  'domain[empty]'?: boolean
  /** Telephone number, best in international format with +; usual spellings are understood. (3 to 40 characters) */
  phone?: string
  /** Whether phone is empty. */
  'phone[empty]'?: boolean
  /**
   * Only records whose industry is among these. One or more, with commas between, of: Retail, Manufacturing,
   * Services, Public, Other. (at most 200 characters)
   */
  industry?: string | ReadonlyArray<string>
  /** Whether industry is empty. */
  'industry[empty]'?: boolean
  /** At least this amount, in any currency. */
  'annual_revenue[gte]'?: number
  /** At most this amount, in any currency. */
  'annual_revenue[lte]'?: number
  /** Ids of users, `me`, or `none` for records without one; several with commas between. */
  owner_id?: string | ReadonlyArray<string>
  /** Ids, or `none` for records without one; several with commas between. */
  parent_id?: string | ReadonlyArray<string>
  /** Whether notes is empty. */
  'notes[empty]'?: boolean
  /** Only records with any of these tags, by id; `none` for those without a tag. */
  tags?: string | ReadonlyArray<string>
  /** Only records with all of these tags, by id. */
  'tags[all]'?: string | ReadonlyArray<string>
  /**
   * Only records that this batch created or changed: the `batch_id` of an import, or of a change of many. (matches
   * `^bat_[0-7][0-9a-hjkmnp-tv-z]{25}$`)
   */
  batch_id?: string
  /**
   * At or after. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40
   * characters)
   */
  'created_at[gte]'?: string
  /**
   * After; after the whole day for a date. ISO 8601 date, or time; without offset in the time zone of the
   * organization. (at most 40 characters)
   */
  'created_at[gt]'?: string
  /**
   * At or before; a date is included. ISO 8601 date, or time; without offset in the time zone of the organization.
   * (at most 40 characters)
   */
  'created_at[lte]'?: string
  /** Before. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40 characters) */
  'created_at[lt]'?: string
  /**
   * At or after. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40
   * characters)
   */
  'updated_at[gte]'?: string
  /**
   * After; after the whole day for a date. ISO 8601 date, or time; without offset in the time zone of the
   * organization. (at most 40 characters)
   */
  'updated_at[gt]'?: string
  /**
   * At or before; a date is included. ISO 8601 date, or time; without offset in the time zone of the organization.
   * (at most 40 characters)
   */
  'updated_at[lte]'?: string
  /** Before. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40 characters) */
  'updated_at[lt]'?: string
  /**
   * Searches name, domain, phone: every word, in any order, also parts of words (shorter than three letters:
   * beginnings); digits of a number however it is spelled; when nothing holds the text, what is spelled like it. (at
   * most 100 characters)
   */
  q?: string
  /** Lists the trash instead; needs the permission companies:delete. (default false) */
  deleted?: boolean
  /**
   * One or more, with commas between, of: created_at, updated_at, name, domain, industry, id; a leading - turns one
   * around. What is empty comes last. The id decides at the end. (at most 100 characters; default "-created_at")
   */
  sort?: string | ReadonlyArray<string>
  /**
   * Only these fields, beside id and times. Long texts come only when they are named. One or more, with commas
   * between, of: name, domain, phone, industry, annual_revenue, addresses, owner_id, parent_id, notes. (at most 200
   * characters)
   */
  fields?: string | ReadonlyArray<string>
  /**
   * Titles of the records that these fields name, in `included`. One or more, with commas between, of: owner_id,
   * parent_id. (at most 200 characters)
   */
  include?: string | ReadonlyArray<string>
  /** Page number, from 1. (at least 1; default 1) */
  page?: number
  /** Records per page; more than 200 are cut to 200. (at least 1; default 20) */
  limit?: number
  /** The `nextCursor` of the last answer: goes on behind it, at any depth. (at most 4000 characters) */
  cursor?: string
}

/** What `companies.list` returns. */
export type CompaniesListReply = {
  companies: CompaniesListItem[]
  /** Of each noun that `include` named, the records by id. */
  included?: Record<string, Record<string, {
    /** What the record is called. */
    title: string
  }>>
  pagination: LeadsListPagination
}

/** What `companies.create` takes. */
export type CompaniesCreateParams = {
  /** Name of the company. (1 to 200 characters; matches `\S`) */
  name: string
  /** Its internet domain, such as example.com. (3 to 300 characters) */
  domain?: string | null
  /** Main telephone number. (3 to 40 characters) */
  phone?: string | null
  /** Line of business. */
  industry?: 'Retail' | 'Manufacturing' | 'Services' | 'Public' | 'Other' | null
  /** Revenue of a year. */
  annual_revenue?: {
    /** Decimal amount, with no more decimals than the currency has. */
    amount: number
    /** ISO 4217 code; that of the organization when left out. (matches `^[A-Z]{3}$`) */
    currency?: string
  } | null
  /** Where it is. (at most 20 items) */
  addresses?: Array<{
    value: {
      /** Street and number. (at most 400 characters) */
      street?: string | null
      /** City. (at most 200 characters) */
      city?: string | null
      /** Postal code. (at most 20 characters) */
      postal_code?: string | null
      /** State, province or region. (at most 200 characters) */
      region?: string | null
      /** Country, ISO 3166-1 alpha-2, such as DE. (matches `^[A-Z]{2}$`) */
      country?: string | null
    }
    /** What it is for, such as work. (at most 40 characters) */
    label?: string | null
    /** Whether it is the one to use first; the first of the list when none says so. */
    is_primary?: boolean
  }> | null
  /** Who looks after it; null while nobody does. (at least 1) */
  owner_id?: number | null
  /** The company that it belongs to. (matches `^cmp_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  parent_id?: string | null
  /** Free text. (at most 10000 characters) */
  notes?: string | null
}

/** What `companies.create` returns. */
export type CompaniesCreateReply = {
  company: Company
  /** Records that are the same by a field, the oldest first, at most ten, of those that one may read. */
  duplicates: CompaniesCreateDuplicate[]
}

/** What `companies.get` takes. */
export type CompaniesGetParams = {
  /** Identifier of the company. (matches `^cmp_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  id: string
  /**
   * Titles of the records that these fields name, in `included`. One or more, with commas between, of: owner_id,
   * parent_id. (at most 200 characters)
   */
  include?: string | ReadonlyArray<string>
}

/** What `companies.get` returns. */
export type CompaniesGetReply = {
  company: Company
  /** Of each noun that `include` named, the records by id. */
  included?: Record<string, Record<string, {
    /** What the record is called. */
    title: string
  }>>
}

/** What `companies.update` takes. */
export type CompaniesUpdateParams = {
  /** Identifier of the company. (matches `^cmp_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  id: string
  /** Name of the company. (1 to 200 characters; matches `\S`) */
  name?: string
  /** Its internet domain, such as example.com. (3 to 300 characters) */
  domain?: string | null
  /** Main telephone number. (3 to 40 characters) */
  phone?: string | null
  /** Line of business. */
  industry?: 'Retail' | 'Manufacturing' | 'Services' | 'Public' | 'Other' | null
  /** Revenue of a year. */
  annual_revenue?: {
    /** Decimal amount, with no more decimals than the currency has. */
    amount: number
    /** ISO 4217 code; that of the organization when left out. (matches `^[A-Z]{3}$`) */
    currency?: string
  } | null
  /** Where it is. (at most 20 items) */
  addresses?: Array<{
    value: {
      /** Street and number. (at most 400 characters) */
      street?: string | null
      /** City. (at most 200 characters) */
      city?: string | null
      /** Postal code. (at most 20 characters) */
      postal_code?: string | null
      /** State, province or region. (at most 200 characters) */
      region?: string | null
      /** Country, ISO 3166-1 alpha-2, such as DE. (matches `^[A-Z]{2}$`) */
      country?: string | null
    }
    /** What it is for, such as work. (at most 40 characters) */
    label?: string | null
    /** Whether it is the one to use first; the first of the list when none says so. */
    is_primary?: boolean
  }> | null
  /** Who looks after it; null while nobody does. (at least 1) */
  owner_id?: number | null
  /** The company that it belongs to. (matches `^cmp_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  parent_id?: string | null
  /** Free text. (at most 10000 characters) */
  notes?: string | null
}

/** What `companies.update` returns. */
export type CompaniesUpdateReply = {
  company: Company
}

/** What `companies.delete` takes. */
export type CompaniesDeleteParams = {
  /** Identifier of the company. (matches `^cmp_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  id: string
}

/** What `companies.delete` returns. */
export type CompaniesDeleteReply = {
  company: Company
}

/** What `companies.restore` takes. */
export type CompaniesRestoreParams = {
  /** Identifier of the company. (matches `^cmp_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  id: string
}

/** What `companies.restore` returns. */
export type CompaniesRestoreReply = {
  company: Company
}

/** What `companies.bulk` takes. */
export type CompaniesBulkParams = {
  /** Which records. (1 to 1000 items) */
  ids?: string[]
  /** All records that the list finds with these parameters; none for all there are. */
  filter?: {
    /** Exactly this. (at most 200 characters) */
    name?: string
    /** Begins with this. (1 to 200 characters) */
    'name[begins]'?: string
    /** Its internet domain, such as example.com. (3 to 300 characters) */
    domain?: string
    /** Whether domain is empty. */
    'domain[empty]'?: boolean
    /**
     * Telephone number, best in international format with +; usual spellings are understood. (3 to 40 characters)
     */
    phone?: string
    /** Whether phone is empty. */
    'phone[empty]'?: boolean
    /**
     * Only records whose industry is among these. One or more, with commas between, of: Retail, Manufacturing,
     * Services, Public, Other. (at most 200 characters)
     */
    industry?: string
    /** Whether industry is empty. */
    'industry[empty]'?: boolean
    /** At least this amount, in any currency. */
    'annual_revenue[gte]'?: number
    /** At most this amount, in any currency. */
    'annual_revenue[lte]'?: number
    /**
     * Ids of users, `me`, or `none` for records without one; several with commas between. (matches
     * `^(?:me|none|[1-9]\d{0,14})(?:,(?:me|none|[1-9]\d{0,14})){0,49}$`)
     */
    owner_id?: string
    /**
     * Ids, or `none` for records without one; several with commas between. (matches
     * `^(?:none|cmp_[0-7][0-9a-hjkmnp-tv-z]{25})(?:,(?:none|cmp_[0-7][0-9a-hjkmnp-tv-z]{25})){0,49}$`)
     */
    parent_id?: string
    /** Whether notes is empty. */
    'notes[empty]'?: boolean
    /**
     * Only records with any of these tags, by id; `none` for those without a tag. (matches
     * `^(?:none|tag_[0-7][0-9a-hjkmnp-tv-z]{25})(?:,(?:none|tag_[0-7][0-9a-hjkmnp-tv-z]{25})){0,19}$`)
     */
    tags?: string
    /**
     * Only records with all of these tags, by id. (matches
     * `^tag_[0-7][0-9a-hjkmnp-tv-z]{25}(?:,tag_[0-7][0-9a-hjkmnp-tv-z]{25}){0,19}$`)
     */
    'tags[all]'?: string
    /**
     * Only records that this batch created or changed: the `batch_id` of an import, or of a change of many. (matches
     * `^bat_[0-7][0-9a-hjkmnp-tv-z]{25}$`)
     */
    batch_id?: string
    /**
     * At or after. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40
     * characters)
     */
    'created_at[gte]'?: string
    /**
     * After; after the whole day for a date. ISO 8601 date, or time; without offset in the time zone of the
     * organization. (at most 40 characters)
     */
    'created_at[gt]'?: string
    /**
     * At or before; a date is included. ISO 8601 date, or time; without offset in the time zone of the organization.
     * (at most 40 characters)
     */
    'created_at[lte]'?: string
    /**
     * Before. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40 characters)
     */
    'created_at[lt]'?: string
    /**
     * At or after. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40
     * characters)
     */
    'updated_at[gte]'?: string
    /**
     * After; after the whole day for a date. ISO 8601 date, or time; without offset in the time zone of the
     * organization. (at most 40 characters)
     */
    'updated_at[gt]'?: string
    /**
     * At or before; a date is included. ISO 8601 date, or time; without offset in the time zone of the organization.
     * (at most 40 characters)
     */
    'updated_at[lte]'?: string
    /**
     * Before. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40 characters)
     */
    'updated_at[lt]'?: string
    /**
     * Searches name, domain, phone: every word, in any order, also parts of words (shorter than three letters:
     * beginnings); digits of a number however it is spelled; when nothing holds the text, what is spelled like it.
     * (at most 100 characters)
     */
    q?: string
    /** Lists the trash instead; needs the permission companies:delete. (default false) */
    deleted?: boolean
  }
  /** With filter: how many records it is to find. Nothing is done when there are more or fewer. (0 to 100000) */
  expect?: number
  /** The fields to set; null empties one. */
  set?: {
    /** Name of the company. (1 to 200 characters; matches `\S`) */
    name?: string
    /** Its internet domain, such as example.com. (3 to 300 characters) */
    domain?: string | null
    /** Main telephone number. (3 to 40 characters) */
    phone?: string | null
    /** Line of business. */
    industry?: 'Retail' | 'Manufacturing' | 'Services' | 'Public' | 'Other' | null
    /** Revenue of a year. */
    annual_revenue?: {
      /** Decimal amount, with no more decimals than the currency has. */
      amount: number
      /** ISO 4217 code; that of the organization when left out. (matches `^[A-Z]{3}$`) */
      currency?: string
    } | null
    /** Where it is. (at most 20 items) */
    addresses?: Array<{
      value: {
        /** Street and number. (at most 400 characters) */
        street?: string | null
        /** City. (at most 200 characters) */
        city?: string | null
        /** Postal code. (at most 20 characters) */
        postal_code?: string | null
        /** State, province or region. (at most 200 characters) */
        region?: string | null
        /** Country, ISO 3166-1 alpha-2, such as DE. (matches `^[A-Z]{2}$`) */
        country?: string | null
      }
      /** What it is for, such as work. (at most 40 characters) */
      label?: string | null
      /** Whether it is the one to use first; the first of the list when none says so. */
      is_primary?: boolean
    }> | null
    /** Who looks after it; null while nobody does. (at least 1) */
    owner_id?: number | null
    /** The company that it belongs to. (matches `^cmp_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
    parent_id?: string | null
    /** Free text. (at most 10000 characters) */
    notes?: string | null
  }
  /** Instead of setting fields. */
  action?: 'delete' | 'restore'
}

/** What `companies.bulk` returns. */
export type CompaniesBulkReply = {
  /** Names this change in the history of each record, and takes it back. */
  batch_id: string
  /** running while more than 1000 records are changed in the background: the batch says how far it is. */
  state: 'completed' | 'running'
  /** How many records are meant. */
  total: number
  /** How many records were changed. */
  changed: number
  /** How many are as they were asked to be already. */
  unchanged: number
  /** Records that could not be changed; all others were. */
  failed: CompaniesBulkFailed[]
}

/** What `companies.merge` takes. */
export type CompaniesMergeParams = {
  /** The record that stays. (matches `^cmp_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  into: string
  /** Those that it takes in. (1 to 20 items) */
  others: string[]
  /** By field, the record whose value is kept. */
  take?: {
    /** Identifier. (matches `^cmp_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
    name?: string
    /** Identifier. (matches `^cmp_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
    domain?: string
    /** Identifier. (matches `^cmp_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
    phone?: string
    /** Identifier. (matches `^cmp_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
    industry?: string
    /** Identifier. (matches `^cmp_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
    annual_revenue?: string
    /** Identifier. (matches `^cmp_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
    addresses?: string
    /** Identifier. (matches `^cmp_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
    owner_id?: string
    /** Identifier. (matches `^cmp_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
    parent_id?: string
    /** Identifier. (matches `^cmp_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
    notes?: string
  }
}

/** What `companies.merge` returns. */
export type CompaniesMergeReply = {
  company: Company
}

/** What `companies.duplicates` takes. */
export type CompaniesDuplicatesParams = {
  /** Identifier of the company. (matches `^cmp_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  id: string
}

/** What `companies.duplicates` returns. */
export type CompaniesDuplicatesReply = {
  /** Records that are the same by a field, the oldest first, at most ten, of those that one may read. */
  duplicates: CompaniesCreateDuplicate[]
}

/** What `companies.history` takes. */
export type CompaniesHistoryParams = {
  /** Identifier of the company. (matches `^cmp_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  id: string
}

/** What `companies.history` returns. */
export type CompaniesHistoryReply = {
  /** The newest first; the last is the creation. */
  changes: Change[]
}

/** What `companies.export` takes. */
export type CompaniesExportParams = {
  /** Exactly this. (at most 200 characters) */
  name?: string
  /** Begins with this. (1 to 200 characters) */
  'name[begins]'?: string
  /** Its internet domain, such as example.com. (3 to 300 characters) */
  domain?: string
  /** Whether domain is empty. */
  'domain[empty]'?: boolean
  /** Telephone number, best in international format with +; usual spellings are understood. (3 to 40 characters) */
  phone?: string
  /** Whether phone is empty. */
  'phone[empty]'?: boolean
  /**
   * Only records whose industry is among these. One or more, with commas between, of: Retail, Manufacturing,
   * Services, Public, Other. (at most 200 characters)
   */
  industry?: string | ReadonlyArray<string>
  /** Whether industry is empty. */
  'industry[empty]'?: boolean
  /** At least this amount, in any currency. */
  'annual_revenue[gte]'?: number
  /** At most this amount, in any currency. */
  'annual_revenue[lte]'?: number
  /** Ids of users, `me`, or `none` for records without one; several with commas between. */
  owner_id?: string | ReadonlyArray<string>
  /** Ids, or `none` for records without one; several with commas between. */
  parent_id?: string | ReadonlyArray<string>
  /** Whether notes is empty. */
  'notes[empty]'?: boolean
  /** Only records with any of these tags, by id; `none` for those without a tag. */
  tags?: string | ReadonlyArray<string>
  /** Only records with all of these tags, by id. */
  'tags[all]'?: string | ReadonlyArray<string>
  /**
   * Only records that this batch created or changed: the `batch_id` of an import, or of a change of many. (matches
   * `^bat_[0-7][0-9a-hjkmnp-tv-z]{25}$`)
   */
  batch_id?: string
  /**
   * At or after. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40
   * characters)
   */
  'created_at[gte]'?: string
  /**
   * After; after the whole day for a date. ISO 8601 date, or time; without offset in the time zone of the
   * organization. (at most 40 characters)
   */
  'created_at[gt]'?: string
  /**
   * At or before; a date is included. ISO 8601 date, or time; without offset in the time zone of the organization.
   * (at most 40 characters)
   */
  'created_at[lte]'?: string
  /** Before. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40 characters) */
  'created_at[lt]'?: string
  /**
   * At or after. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40
   * characters)
   */
  'updated_at[gte]'?: string
  /**
   * After; after the whole day for a date. ISO 8601 date, or time; without offset in the time zone of the
   * organization. (at most 40 characters)
   */
  'updated_at[gt]'?: string
  /**
   * At or before; a date is included. ISO 8601 date, or time; without offset in the time zone of the organization.
   * (at most 40 characters)
   */
  'updated_at[lte]'?: string
  /** Before. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40 characters) */
  'updated_at[lt]'?: string
  /**
   * Searches name, domain, phone: every word, in any order, also parts of words (shorter than three letters:
   * beginnings); digits of a number however it is spelled; when nothing holds the text, what is spelled like it. (at
   * most 100 characters)
   */
  q?: string
  /** Lists the trash instead; needs the permission companies:delete. (default false) */
  deleted?: boolean
  /**
   * One or more, with commas between, of: created_at, updated_at, name, domain, industry, id; a leading - turns one
   * around. What is empty comes last. The id decides at the end. (at most 100 characters; default "-created_at")
   */
  sort?: string | ReadonlyArray<string>
  /**
   * Only these fields, beside id and times. Long texts come only when they are named. One or more, with commas
   * between, of: name, domain, phone, industry, annual_revenue, addresses, owner_id, parent_id, notes. (at most 200
   * characters)
   */
  fields?: string | ReadonlyArray<string>
  /** Whether the first line has the names of the API or words for people. (default "names") */
  header?: 'names' | 'labels'
  /** Begins with a byte order mark, without which Excel reads no UTF-8. (default false) */
  bom?: boolean
}

/** The file that `companies.export` returns. */
export type CompaniesExportReply = Blob

/** What `contacts.list` takes. */
export type ContactsListParams = {
  /** Exactly this. (at most 200 characters) */
  name?: string
  /** Begins with this. (1 to 200 characters) */
  'name[begins]'?: string
  /** Exactly this. (at most 200 characters) */
  job_title?: string
  /** Begins with this. (1 to 200 characters) */
  'job_title[begins]'?: string
  /** Whether job_title is empty. */
  'job_title[empty]'?: boolean
  /** Records that have this one. (matches `^cmp_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  companies?: string
  /** Records that have this one. (at most 254 characters) */
  emails?: string
  /** Records that have this one. (3 to 40 characters) */
  phones?: string
  /** At least this. */
  'birthday[gte]'?: string
  /** More than this. */
  'birthday[gt]'?: string
  /** At most this. */
  'birthday[lte]'?: string
  /** Less than this. */
  'birthday[lt]'?: string
  /** Whether birthday is empty. */
  'birthday[empty]'?: boolean
  /** The language to write and speak to them in. (2 to 35 characters) */
  language?: string
  /** Whether language is empty. */
  'language[empty]'?: boolean
  /** Whether they agreed to be sent e-mails. */
  email_consent?: boolean
  /** Whether they agreed to be sent text messages. */
  sms_consent?: boolean
  /** Whether they agreed to be called. */
  call_consent?: boolean
  /** Ids of users, `me`, or `none` for records without one; several with commas between. */
  owner_id?: string | ReadonlyArray<string>
  /** Exactly this. (at most 100 characters) */
  source?: string
  /** Begins with this. (1 to 100 characters) */
  'source[begins]'?: string
  /** Whether source is empty. */
  'source[empty]'?: boolean
  /** Whether notes is empty. */
  'notes[empty]'?: boolean
  /** Only records with any of these tags, by id; `none` for those without a tag. */
  tags?: string | ReadonlyArray<string>
  /** Only records with all of these tags, by id. */
  'tags[all]'?: string | ReadonlyArray<string>
  /**
   * Only records that this batch created or changed: the `batch_id` of an import, or of a change of many. (matches
   * `^bat_[0-7][0-9a-hjkmnp-tv-z]{25}$`)
   */
  batch_id?: string
  /**
   * At or after. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40
   * characters)
   */
  'created_at[gte]'?: string
  /**
   * After; after the whole day for a date. ISO 8601 date, or time; without offset in the time zone of the
   * organization. (at most 40 characters)
   */
  'created_at[gt]'?: string
  /**
   * At or before; a date is included. ISO 8601 date, or time; without offset in the time zone of the organization.
   * (at most 40 characters)
   */
  'created_at[lte]'?: string
  /** Before. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40 characters) */
  'created_at[lt]'?: string
  /**
   * At or after. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40
   * characters)
   */
  'updated_at[gte]'?: string
  /**
   * After; after the whole day for a date. ISO 8601 date, or time; without offset in the time zone of the
   * organization. (at most 40 characters)
   */
  'updated_at[gt]'?: string
  /**
   * At or before; a date is included. ISO 8601 date, or time; without offset in the time zone of the organization.
   * (at most 40 characters)
   */
  'updated_at[lte]'?: string
  /** Before. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40 characters) */
  'updated_at[lt]'?: string
  /**
   * Searches name, job_title, emails, phones: every word, in any order, also parts of words (shorter than three
   * letters: beginnings); digits of a number however it is spelled; when nothing holds the text, what is spelled
   * like it. (at most 100 characters)
   */
  q?: string
  /** Lists the trash instead; needs the permission contacts:delete. (default false) */
  deleted?: boolean
  /**
   * One or more, with commas between, of: created_at, updated_at, name, job_title, birthday, email_consent,
   * sms_consent, call_consent, source, id; a leading - turns one around. What is empty comes last. The id decides at
   * the end. (at most 100 characters; default "-created_at")
   */
  sort?: string | ReadonlyArray<string>
  /**
   * Only these fields, beside id and times. Long texts come only when they are named. One or more, with commas
   * between, of: name, job_title, companies, emails, phones, addresses, birthday, language, email_consent,
   * sms_consent, call_consent, owner_id, source, notes. (at most 200 characters)
   */
  fields?: string | ReadonlyArray<string>
  /**
   * Titles of the records that these fields name, in `included`. One or more, with commas between, of: companies,
   * owner_id. (at most 200 characters)
   */
  include?: string | ReadonlyArray<string>
  /** Page number, from 1. (at least 1; default 1) */
  page?: number
  /** Records per page; more than 200 are cut to 200. (at least 1; default 20) */
  limit?: number
  /** The `nextCursor` of the last answer: goes on behind it, at any depth. (at most 4000 characters) */
  cursor?: string
}

/** What `contacts.list` returns. */
export type ContactsListReply = {
  contacts: ContactsListItem[]
  /** Of each noun that `include` named, the records by id. */
  included?: Record<string, Record<string, {
    /** What the record is called. */
    title: string
  }>>
  pagination: LeadsListPagination
}

/** What `contacts.create` takes. */
export type ContactsCreateParams = {
  /** Name of the person. (1 to 200 characters; matches `\S`) */
  name: string
  /** What they do, such as Head of purchasing. (at most 200 characters) */
  job_title?: string | null
  /** Companies that they belong to, one of them the main one. (at most 20 items) */
  companies?: Array<{
    /** Identifier of the company. (matches `^cmp_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
    value: string
    /** What it is for, such as work. (at most 40 characters) */
    label?: string | null
    /** Whether it is the one to use first; the first of the list when none says so. */
    is_primary?: boolean
  }> | null
  /** E-mail addresses. (at most 20 items) */
  emails?: Array<{
    /**
     * E-mail address, of letters of any script (RFC 6531); blanks around it are dropped. (at most 254 characters)
     */
    value: string
    /** What it is for, such as work. (at most 40 characters) */
    label?: string | null
    /** Whether it is the one to use first; the first of the list when none says so. */
    is_primary?: boolean
  }> | null
  /** Telephone numbers. (at most 20 items) */
  phones?: Array<{
    /**
     * Telephone number, best in international format with +; usual spellings are understood. (3 to 40 characters)
     */
    value: string
    /** What it is for, such as work. (at most 40 characters) */
    label?: string | null
    /** Whether it is the one to use first; the first of the list when none says so. */
    is_primary?: boolean
  }> | null
  /** Postal addresses. (at most 20 items) */
  addresses?: Array<{
    value: {
      /** Street and number. (at most 400 characters) */
      street?: string | null
      /** City. (at most 200 characters) */
      city?: string | null
      /** Postal code. (at most 20 characters) */
      postal_code?: string | null
      /** State, province or region. (at most 200 characters) */
      region?: string | null
      /** Country, ISO 3166-1 alpha-2, such as DE. (matches `^[A-Z]{2}$`) */
      country?: string | null
    }
    /** What it is for, such as work. (at most 40 characters) */
    label?: string | null
    /** Whether it is the one to use first; the first of the list when none says so. */
    is_primary?: boolean
  }> | null
  /** Date of birth. */
  birthday?: string | null
  /** The language to write and speak to them in. (2 to 35 characters) */
  language?: string | null
  /** Whether they agreed to be sent e-mails. (default false) */
  email_consent?: boolean
  /** Whether they agreed to be sent text messages. (default false) */
  sms_consent?: boolean
  /** Whether they agreed to be called. (default false) */
  call_consent?: boolean
  /** Who looks after them; null while nobody does. (at least 1) */
  owner_id?: number | null
  /** Where they came from, such as web or fair. (at most 100 characters) */
  source?: string | null
  /** Free text. (at most 10000 characters) */
  notes?: string | null
}

/** What `contacts.create` returns. */
export type ContactsCreateReply = {
  contact: Contact
  /** Records that are the same by a field, the oldest first, at most ten, of those that one may read. */
  duplicates: CompaniesCreateDuplicate[]
}

/** What `contacts.get` takes. */
export type ContactsGetParams = {
  /** Identifier of the contact. (matches `^con_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  id: string
  /**
   * Titles of the records that these fields name, in `included`. One or more, with commas between, of: companies,
   * owner_id. (at most 200 characters)
   */
  include?: string | ReadonlyArray<string>
}

/** What `contacts.get` returns. */
export type ContactsGetReply = {
  contact: Contact
  /** Of each noun that `include` named, the records by id. */
  included?: Record<string, Record<string, {
    /** What the record is called. */
    title: string
  }>>
}

/** What `contacts.update` takes. */
export type ContactsUpdateParams = {
  /** Identifier of the contact. (matches `^con_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  id: string
  /** Name of the person. (1 to 200 characters; matches `\S`) */
  name?: string
  /** What they do, such as Head of purchasing. (at most 200 characters) */
  job_title?: string | null
  /** Companies that they belong to, one of them the main one. (at most 20 items) */
  companies?: Array<{
    /** Identifier of the company. (matches `^cmp_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
    value: string
    /** What it is for, such as work. (at most 40 characters) */
    label?: string | null
    /** Whether it is the one to use first; the first of the list when none says so. */
    is_primary?: boolean
  }> | null
  /** E-mail addresses. (at most 20 items) */
  emails?: Array<{
    /**
     * E-mail address, of letters of any script (RFC 6531); blanks around it are dropped. (at most 254 characters)
     */
    value: string
    /** What it is for, such as work. (at most 40 characters) */
    label?: string | null
    /** Whether it is the one to use first; the first of the list when none says so. */
    is_primary?: boolean
  }> | null
  /** Telephone numbers. (at most 20 items) */
  phones?: Array<{
    /**
     * Telephone number, best in international format with +; usual spellings are understood. (3 to 40 characters)
     */
    value: string
    /** What it is for, such as work. (at most 40 characters) */
    label?: string | null
    /** Whether it is the one to use first; the first of the list when none says so. */
    is_primary?: boolean
  }> | null
  /** Postal addresses. (at most 20 items) */
  addresses?: Array<{
    value: {
      /** Street and number. (at most 400 characters) */
      street?: string | null
      /** City. (at most 200 characters) */
      city?: string | null
      /** Postal code. (at most 20 characters) */
      postal_code?: string | null
      /** State, province or region. (at most 200 characters) */
      region?: string | null
      /** Country, ISO 3166-1 alpha-2, such as DE. (matches `^[A-Z]{2}$`) */
      country?: string | null
    }
    /** What it is for, such as work. (at most 40 characters) */
    label?: string | null
    /** Whether it is the one to use first; the first of the list when none says so. */
    is_primary?: boolean
  }> | null
  /** Date of birth. */
  birthday?: string | null
  /** The language to write and speak to them in. (2 to 35 characters) */
  language?: string | null
  /** Whether they agreed to be sent e-mails. */
  email_consent?: boolean
  /** Whether they agreed to be sent text messages. */
  sms_consent?: boolean
  /** Whether they agreed to be called. */
  call_consent?: boolean
  /** Who looks after them; null while nobody does. (at least 1) */
  owner_id?: number | null
  /** Where they came from, such as web or fair. (at most 100 characters) */
  source?: string | null
  /** Free text. (at most 10000 characters) */
  notes?: string | null
}

/** What `contacts.update` returns. */
export type ContactsUpdateReply = {
  contact: Contact
}

/** What `contacts.delete` takes. */
export type ContactsDeleteParams = {
  /** Identifier of the contact. (matches `^con_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  id: string
}

/** What `contacts.delete` returns. */
export type ContactsDeleteReply = {
  contact: Contact
}

/** What `contacts.restore` takes. */
export type ContactsRestoreParams = {
  /** Identifier of the contact. (matches `^con_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  id: string
}

/** What `contacts.restore` returns. */
export type ContactsRestoreReply = {
  contact: Contact
}

/** What `contacts.bulk` takes. */
export type ContactsBulkParams = {
  /** Which records. (1 to 1000 items) */
  ids?: string[]
  /** All records that the list finds with these parameters; none for all there are. */
  filter?: {
    /** Exactly this. (at most 200 characters) */
    name?: string
    /** Begins with this. (1 to 200 characters) */
    'name[begins]'?: string
    /** Exactly this. (at most 200 characters) */
    job_title?: string
    /** Begins with this. (1 to 200 characters) */
    'job_title[begins]'?: string
    /** Whether job_title is empty. */
    'job_title[empty]'?: boolean
    /** Records that have this one. (matches `^cmp_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
    companies?: string
    /** Records that have this one. (at most 254 characters) */
    emails?: string
    /** Records that have this one. (3 to 40 characters) */
    phones?: string
    /** At least this. */
    'birthday[gte]'?: string
    /** More than this. */
    'birthday[gt]'?: string
    /** At most this. */
    'birthday[lte]'?: string
    /** Less than this. */
    'birthday[lt]'?: string
    /** Whether birthday is empty. */
    'birthday[empty]'?: boolean
    /** The language to write and speak to them in. (2 to 35 characters) */
    language?: string
    /** Whether language is empty. */
    'language[empty]'?: boolean
    /** Whether they agreed to be sent e-mails. */
    email_consent?: boolean
    /** Whether they agreed to be sent text messages. */
    sms_consent?: boolean
    /** Whether they agreed to be called. */
    call_consent?: boolean
    /**
     * Ids of users, `me`, or `none` for records without one; several with commas between. (matches
     * `^(?:me|none|[1-9]\d{0,14})(?:,(?:me|none|[1-9]\d{0,14})){0,49}$`)
     */
    owner_id?: string
    /** Exactly this. (at most 100 characters) */
    source?: string
    /** Begins with this. (1 to 100 characters) */
    'source[begins]'?: string
    /** Whether source is empty. */
    'source[empty]'?: boolean
    /** Whether notes is empty. */
    'notes[empty]'?: boolean
    /**
     * Only records with any of these tags, by id; `none` for those without a tag. (matches
     * `^(?:none|tag_[0-7][0-9a-hjkmnp-tv-z]{25})(?:,(?:none|tag_[0-7][0-9a-hjkmnp-tv-z]{25})){0,19}$`)
     */
    tags?: string
    /**
     * Only records with all of these tags, by id. (matches
     * `^tag_[0-7][0-9a-hjkmnp-tv-z]{25}(?:,tag_[0-7][0-9a-hjkmnp-tv-z]{25}){0,19}$`)
     */
    'tags[all]'?: string
    /**
     * Only records that this batch created or changed: the `batch_id` of an import, or of a change of many. (matches
     * `^bat_[0-7][0-9a-hjkmnp-tv-z]{25}$`)
     */
    batch_id?: string
    /**
     * At or after. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40
     * characters)
     */
    'created_at[gte]'?: string
    /**
     * After; after the whole day for a date. ISO 8601 date, or time; without offset in the time zone of the
     * organization. (at most 40 characters)
     */
    'created_at[gt]'?: string
    /**
     * At or before; a date is included. ISO 8601 date, or time; without offset in the time zone of the organization.
     * (at most 40 characters)
     */
    'created_at[lte]'?: string
    /**
     * Before. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40 characters)
     */
    'created_at[lt]'?: string
    /**
     * At or after. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40
     * characters)
     */
    'updated_at[gte]'?: string
    /**
     * After; after the whole day for a date. ISO 8601 date, or time; without offset in the time zone of the
     * organization. (at most 40 characters)
     */
    'updated_at[gt]'?: string
    /**
     * At or before; a date is included. ISO 8601 date, or time; without offset in the time zone of the organization.
     * (at most 40 characters)
     */
    'updated_at[lte]'?: string
    /**
     * Before. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40 characters)
     */
    'updated_at[lt]'?: string
    /**
     * Searches name, job_title, emails, phones: every word, in any order, also parts of words (shorter than three
     * letters: beginnings); digits of a number however it is spelled; when nothing holds the text, what is spelled
     * like it. (at most 100 characters)
     */
    q?: string
    /** Lists the trash instead; needs the permission contacts:delete. (default false) */
    deleted?: boolean
  }
  /** With filter: how many records it is to find. Nothing is done when there are more or fewer. (0 to 100000) */
  expect?: number
  /** The fields to set; null empties one. */
  set?: {
    /** Name of the person. (1 to 200 characters; matches `\S`) */
    name?: string
    /** What they do, such as Head of purchasing. (at most 200 characters) */
    job_title?: string | null
    /** Companies that they belong to, one of them the main one. (at most 20 items) */
    companies?: Array<{
      /** Identifier of the company. (matches `^cmp_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
      value: string
      /** What it is for, such as work. (at most 40 characters) */
      label?: string | null
      /** Whether it is the one to use first; the first of the list when none says so. */
      is_primary?: boolean
    }> | null
    /** E-mail addresses. (at most 20 items) */
    emails?: Array<{
      /**
       * E-mail address, of letters of any script (RFC 6531); blanks around it are dropped. (at most 254 characters)
       */
      value: string
      /** What it is for, such as work. (at most 40 characters) */
      label?: string | null
      /** Whether it is the one to use first; the first of the list when none says so. */
      is_primary?: boolean
    }> | null
    /** Telephone numbers. (at most 20 items) */
    phones?: Array<{
      /**
       * Telephone number, best in international format with +; usual spellings are understood. (3 to 40 characters)
       */
      value: string
      /** What it is for, such as work. (at most 40 characters) */
      label?: string | null
      /** Whether it is the one to use first; the first of the list when none says so. */
      is_primary?: boolean
    }> | null
    /** Postal addresses. (at most 20 items) */
    addresses?: Array<{
      value: {
        /** Street and number. (at most 400 characters) */
        street?: string | null
        /** City. (at most 200 characters) */
        city?: string | null
        /** Postal code. (at most 20 characters) */
        postal_code?: string | null
        /** State, province or region. (at most 200 characters) */
        region?: string | null
        /** Country, ISO 3166-1 alpha-2, such as DE. (matches `^[A-Z]{2}$`) */
        country?: string | null
      }
      /** What it is for, such as work. (at most 40 characters) */
      label?: string | null
      /** Whether it is the one to use first; the first of the list when none says so. */
      is_primary?: boolean
    }> | null
    /** Date of birth. */
    birthday?: string | null
    /** The language to write and speak to them in. (2 to 35 characters) */
    language?: string | null
    /** Whether they agreed to be sent e-mails. */
    email_consent?: boolean
    /** Whether they agreed to be sent text messages. */
    sms_consent?: boolean
    /** Whether they agreed to be called. */
    call_consent?: boolean
    /** Who looks after them; null while nobody does. (at least 1) */
    owner_id?: number | null
    /** Where they came from, such as web or fair. (at most 100 characters) */
    source?: string | null
    /** Free text. (at most 10000 characters) */
    notes?: string | null
  }
  /** Instead of setting fields. */
  action?: 'delete' | 'restore'
}

/** What `contacts.bulk` returns. */
export type ContactsBulkReply = {
  /** Names this change in the history of each record, and takes it back. */
  batch_id: string
  /** running while more than 1000 records are changed in the background: the batch says how far it is. */
  state: 'completed' | 'running'
  /** How many records are meant. */
  total: number
  /** How many records were changed. */
  changed: number
  /** How many are as they were asked to be already. */
  unchanged: number
  /** Records that could not be changed; all others were. */
  failed: CompaniesBulkFailed[]
}

/** What `contacts.merge` takes. */
export type ContactsMergeParams = {
  /** The record that stays. (matches `^con_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  into: string
  /** Those that it takes in. (1 to 20 items) */
  others: string[]
  /** By field, the record whose value is kept. */
  take?: {
    /** Identifier. (matches `^con_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
    name?: string
    /** Identifier. (matches `^con_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
    job_title?: string
    /** Identifier. (matches `^con_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
    companies?: string
    /** Identifier. (matches `^con_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
    emails?: string
    /** Identifier. (matches `^con_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
    phones?: string
    /** Identifier. (matches `^con_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
    addresses?: string
    /** Identifier. (matches `^con_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
    birthday?: string
    /** Identifier. (matches `^con_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
    language?: string
    /** Identifier. (matches `^con_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
    email_consent?: string
    /** Identifier. (matches `^con_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
    sms_consent?: string
    /** Identifier. (matches `^con_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
    call_consent?: string
    /** Identifier. (matches `^con_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
    owner_id?: string
    /** Identifier. (matches `^con_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
    source?: string
    /** Identifier. (matches `^con_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
    notes?: string
  }
}

/** What `contacts.merge` returns. */
export type ContactsMergeReply = {
  contact: Contact
}

/** What `contacts.duplicates` takes. */
export type ContactsDuplicatesParams = {
  /** Identifier of the contact. (matches `^con_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  id: string
}

/** What `contacts.duplicates` returns. */
export type ContactsDuplicatesReply = {
  /** Records that are the same by a field, the oldest first, at most ten, of those that one may read. */
  duplicates: CompaniesCreateDuplicate[]
}

/** What `contacts.history` takes. */
export type ContactsHistoryParams = {
  /** Identifier of the contact. (matches `^con_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  id: string
}

/** What `contacts.history` returns. */
export type ContactsHistoryReply = {
  /** The newest first; the last is the creation. */
  changes: Change[]
}

/** What `contacts.export` takes. */
export type ContactsExportParams = {
  /** Exactly this. (at most 200 characters) */
  name?: string
  /** Begins with this. (1 to 200 characters) */
  'name[begins]'?: string
  /** Exactly this. (at most 200 characters) */
  job_title?: string
  /** Begins with this. (1 to 200 characters) */
  'job_title[begins]'?: string
  /** Whether job_title is empty. */
  'job_title[empty]'?: boolean
  /** Records that have this one. (matches `^cmp_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  companies?: string
  /** Records that have this one. (at most 254 characters) */
  emails?: string
  /** Records that have this one. (3 to 40 characters) */
  phones?: string
  /** At least this. */
  'birthday[gte]'?: string
  /** More than this. */
  'birthday[gt]'?: string
  /** At most this. */
  'birthday[lte]'?: string
  /** Less than this. */
  'birthday[lt]'?: string
  /** Whether birthday is empty. */
  'birthday[empty]'?: boolean
  /** The language to write and speak to them in. (2 to 35 characters) */
  language?: string
  /** Whether language is empty. */
  'language[empty]'?: boolean
  /** Whether they agreed to be sent e-mails. */
  email_consent?: boolean
  /** Whether they agreed to be sent text messages. */
  sms_consent?: boolean
  /** Whether they agreed to be called. */
  call_consent?: boolean
  /** Ids of users, `me`, or `none` for records without one; several with commas between. */
  owner_id?: string | ReadonlyArray<string>
  /** Exactly this. (at most 100 characters) */
  source?: string
  /** Begins with this. (1 to 100 characters) */
  'source[begins]'?: string
  /** Whether source is empty. */
  'source[empty]'?: boolean
  /** Whether notes is empty. */
  'notes[empty]'?: boolean
  /** Only records with any of these tags, by id; `none` for those without a tag. */
  tags?: string | ReadonlyArray<string>
  /** Only records with all of these tags, by id. */
  'tags[all]'?: string | ReadonlyArray<string>
  /**
   * Only records that this batch created or changed: the `batch_id` of an import, or of a change of many. (matches
   * `^bat_[0-7][0-9a-hjkmnp-tv-z]{25}$`)
   */
  batch_id?: string
  /**
   * At or after. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40
   * characters)
   */
  'created_at[gte]'?: string
  /**
   * After; after the whole day for a date. ISO 8601 date, or time; without offset in the time zone of the
   * organization. (at most 40 characters)
   */
  'created_at[gt]'?: string
  /**
   * At or before; a date is included. ISO 8601 date, or time; without offset in the time zone of the organization.
   * (at most 40 characters)
   */
  'created_at[lte]'?: string
  /** Before. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40 characters) */
  'created_at[lt]'?: string
  /**
   * At or after. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40
   * characters)
   */
  'updated_at[gte]'?: string
  /**
   * After; after the whole day for a date. ISO 8601 date, or time; without offset in the time zone of the
   * organization. (at most 40 characters)
   */
  'updated_at[gt]'?: string
  /**
   * At or before; a date is included. ISO 8601 date, or time; without offset in the time zone of the organization.
   * (at most 40 characters)
   */
  'updated_at[lte]'?: string
  /** Before. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40 characters) */
  'updated_at[lt]'?: string
  /**
   * Searches name, job_title, emails, phones: every word, in any order, also parts of words (shorter than three
   * letters: beginnings); digits of a number however it is spelled; when nothing holds the text, what is spelled
   * like it. (at most 100 characters)
   */
  q?: string
  /** Lists the trash instead; needs the permission contacts:delete. (default false) */
  deleted?: boolean
  /**
   * One or more, with commas between, of: created_at, updated_at, name, job_title, birthday, email_consent,
   * sms_consent, call_consent, source, id; a leading - turns one around. What is empty comes last. The id decides at
   * the end. (at most 100 characters; default "-created_at")
   */
  sort?: string | ReadonlyArray<string>
  /**
   * Only these fields, beside id and times. Long texts come only when they are named. One or more, with commas
   * between, of: name, job_title, companies, emails, phones, addresses, birthday, language, email_consent,
   * sms_consent, call_consent, owner_id, source, notes. (at most 200 characters)
   */
  fields?: string | ReadonlyArray<string>
  /** Whether the first line has the names of the API or words for people. (default "names") */
  header?: 'names' | 'labels'
  /** Begins with a byte order mark, without which Excel reads no UTF-8. (default false) */
  bom?: boolean
}

/** The file that `contacts.export` returns. */
export type ContactsExportReply = Blob

/** What `notes.list` takes. */
export type NotesListParams = {
  /** Ids of records, such as `cmp_…`, with the noun in front where they are numbers; several with commas between. */
  record_id?: string | ReadonlyArray<string>
  /** Whether it stands above the others. */
  is_pinned?: boolean
  /** Ids of users, `me`, or `none` for records without one; several with commas between. */
  author_id?: string | ReadonlyArray<string>
  /**
   * At or after. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40
   * characters)
   */
  'edited_at[gte]'?: string
  /**
   * After; after the whole day for a date. ISO 8601 date, or time; without offset in the time zone of the
   * organization. (at most 40 characters)
   */
  'edited_at[gt]'?: string
  /**
   * At or before; a date is included. ISO 8601 date, or time; without offset in the time zone of the organization.
   * (at most 40 characters)
   */
  'edited_at[lte]'?: string
  /** Before. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40 characters) */
  'edited_at[lt]'?: string
  /** Whether edited_at has passed; false also for records without one. */
  'edited_at[past]'?: boolean
  /** Whether edited_at is empty. */
  'edited_at[empty]'?: boolean
  /**
   * Only records that this batch created or changed: the `batch_id` of an import, or of a change of many. (matches
   * `^bat_[0-7][0-9a-hjkmnp-tv-z]{25}$`)
   */
  batch_id?: string
  /**
   * At or after. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40
   * characters)
   */
  'created_at[gte]'?: string
  /**
   * After; after the whole day for a date. ISO 8601 date, or time; without offset in the time zone of the
   * organization. (at most 40 characters)
   */
  'created_at[gt]'?: string
  /**
   * At or before; a date is included. ISO 8601 date, or time; without offset in the time zone of the organization.
   * (at most 40 characters)
   */
  'created_at[lte]'?: string
  /** Before. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40 characters) */
  'created_at[lt]'?: string
  /**
   * At or after. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40
   * characters)
   */
  'updated_at[gte]'?: string
  /**
   * After; after the whole day for a date. ISO 8601 date, or time; without offset in the time zone of the
   * organization. (at most 40 characters)
   */
  'updated_at[gt]'?: string
  /**
   * At or before; a date is included. ISO 8601 date, or time; without offset in the time zone of the organization.
   * (at most 40 characters)
   */
  'updated_at[lte]'?: string
  /** Before. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40 characters) */
  'updated_at[lt]'?: string
  /**
   * Searches body: every word, in any order, also parts of words (shorter than three letters: beginnings); digits of
   * a number however it is spelled; when nothing holds the text, what is spelled like it. (at most 100 characters)
   */
  q?: string
  /** Lists the trash instead; needs the permission notes:delete. (default false) */
  deleted?: boolean
  /**
   * One or more, with commas between, of: created_at, updated_at, is_pinned, edited_at, id; a leading - turns one
   * around. What is empty comes last. The id decides at the end. (at most 100 characters; default "-created_at")
   */
  sort?: string | ReadonlyArray<string>
  /**
   * Only these fields, beside id and times. Long texts come only when they are named. One or more, with commas
   * between, of: record_id, body, is_pinned, author_id, edited_at. (at most 200 characters)
   */
  fields?: string | ReadonlyArray<string>
  /**
   * Titles of the records that these fields name, in `included`. One or more, with commas between, of: record_id,
   * author_id. (at most 200 characters)
   */
  include?: string | ReadonlyArray<string>
  /** Page number, from 1. (at least 1; default 1) */
  page?: number
  /** Records per page; more than 200 are cut to 200. (at least 1; default 20) */
  limit?: number
  /** The `nextCursor` of the last answer: goes on behind it, at any depth. (at most 4000 characters) */
  cursor?: string
}

/** What `notes.list` returns. */
export type NotesListReply = {
  notes: NotesListItem[]
  /** Of each noun that `include` named, the records by id. */
  included?: Record<string, Record<string, {
    /** What the record is called. */
    title: string
  }>>
  pagination: LeadsListPagination
}

/** What `notes.create` takes. */
export type NotesCreateParams = {
  /**
   * The record that it is about. (at most 60 characters; matches
   * `^(?:[a-z]{2,8}_[0-7][0-9a-hjkmnp-tv-z]{25}|[a-z_]{2,40}:[1-9]\d{0,14})$`)
   */
  record_id: string
  /** The text, plain or Markdown. (1 to 10000 characters) */
  body: string
  /** Whether it stands above the others. (default false) */
  is_pinned?: boolean
}

/** What `notes.create` returns. */
export type NotesCreateReply = {
  note: Note
}

/** What `notes.get` takes. */
export type NotesGetParams = {
  /** Identifier of the note. (matches `^note_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  id: string
  /**
   * Titles of the records that these fields name, in `included`. One or more, with commas between, of: record_id,
   * author_id. (at most 200 characters)
   */
  include?: string | ReadonlyArray<string>
}

/** What `notes.get` returns. */
export type NotesGetReply = {
  note: Note
  /** Of each noun that `include` named, the records by id. */
  included?: Record<string, Record<string, {
    /** What the record is called. */
    title: string
  }>>
}

/** What `notes.update` takes. */
export type NotesUpdateParams = {
  /** Identifier of the note. (matches `^note_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  id: string
  /** The text, plain or Markdown. (1 to 10000 characters) */
  body?: string
  /** Whether it stands above the others. */
  is_pinned?: boolean
}

/** What `notes.update` returns. */
export type NotesUpdateReply = {
  note: Note
}

/** What `notes.delete` takes. */
export type NotesDeleteParams = {
  /** Identifier of the note. (matches `^note_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  id: string
}

/** What `notes.delete` returns. */
export type NotesDeleteReply = {
  note: Note
}

/** What `notes.restore` takes. */
export type NotesRestoreParams = {
  /** Identifier of the note. (matches `^note_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  id: string
}

/** What `notes.restore` returns. */
export type NotesRestoreReply = {
  note: Note
}

/** What `notes.history` takes. */
export type NotesHistoryParams = {
  /** Identifier of the note. (matches `^note_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  id: string
}

/** What `notes.history` returns. */
export type NotesHistoryReply = {
  /** The newest first; the last is the creation. */
  changes: Change[]
}

/** What `tasks.list` takes. */
export type TasksListParams = {
  /** Exactly this. (at most 200 characters) */
  title?: string
  /** Begins with this. (1 to 200 characters) */
  'title[begins]'?: string
  /** Whether body is empty. */
  'body[empty]'?: boolean
  /**
   * Ids of records, such as `cmp_…`, with the noun in front where they are numbers, or `none`; several with commas
   * between.
   */
  record_id?: string | ReadonlyArray<string>
  /** Ids of users, `me`, or `none` for records without one; several with commas between. */
  assignee_id?: string | ReadonlyArray<string>
  /**
   * Only records whose status is among these. One or more, with commas between, of: open, done, canceled. (at most
   * 200 characters)
   */
  status?: string | ReadonlyArray<string>
  /**
   * Only records whose priority is among these. One or more, with commas between, of: low, normal, high, urgent. (at
   * most 200 characters)
   */
  priority?: string | ReadonlyArray<string>
  /** At least this. */
  'due_on[gte]'?: string
  /** More than this. */
  'due_on[gt]'?: string
  /** At most this. */
  'due_on[lte]'?: string
  /** Less than this. */
  'due_on[lt]'?: string
  /** Whether due_on is empty. */
  'due_on[empty]'?: boolean
  /**
   * At or after. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40
   * characters)
   */
  'due_at[gte]'?: string
  /**
   * After; after the whole day for a date. ISO 8601 date, or time; without offset in the time zone of the
   * organization. (at most 40 characters)
   */
  'due_at[gt]'?: string
  /**
   * At or before; a date is included. ISO 8601 date, or time; without offset in the time zone of the organization.
   * (at most 40 characters)
   */
  'due_at[lte]'?: string
  /** Before. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40 characters) */
  'due_at[lt]'?: string
  /** Whether due_at has passed; false also for records without one. */
  'due_at[past]'?: boolean
  /** Whether due_at is empty. */
  'due_at[empty]'?: boolean
  /** Ids of users, `me`, or `none` for records without one; several with commas between. */
  created_by?: string | ReadonlyArray<string>
  /**
   * At or after. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40
   * characters)
   */
  'completed_at[gte]'?: string
  /**
   * After; after the whole day for a date. ISO 8601 date, or time; without offset in the time zone of the
   * organization. (at most 40 characters)
   */
  'completed_at[gt]'?: string
  /**
   * At or before; a date is included. ISO 8601 date, or time; without offset in the time zone of the organization.
   * (at most 40 characters)
   */
  'completed_at[lte]'?: string
  /** Before. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40 characters) */
  'completed_at[lt]'?: string
  /** Whether completed_at has passed; false also for records without one. */
  'completed_at[past]'?: boolean
  /** Whether completed_at is empty. */
  'completed_at[empty]'?: boolean
  /** Ids of users, `me`, or `none` for records without one; several with commas between. */
  completed_by?: string | ReadonlyArray<string>
  /**
   * Only records that this batch created or changed: the `batch_id` of an import, or of a change of many. (matches
   * `^bat_[0-7][0-9a-hjkmnp-tv-z]{25}$`)
   */
  batch_id?: string
  /**
   * At or after. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40
   * characters)
   */
  'created_at[gte]'?: string
  /**
   * After; after the whole day for a date. ISO 8601 date, or time; without offset in the time zone of the
   * organization. (at most 40 characters)
   */
  'created_at[gt]'?: string
  /**
   * At or before; a date is included. ISO 8601 date, or time; without offset in the time zone of the organization.
   * (at most 40 characters)
   */
  'created_at[lte]'?: string
  /** Before. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40 characters) */
  'created_at[lt]'?: string
  /**
   * At or after. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40
   * characters)
   */
  'updated_at[gte]'?: string
  /**
   * After; after the whole day for a date. ISO 8601 date, or time; without offset in the time zone of the
   * organization. (at most 40 characters)
   */
  'updated_at[gt]'?: string
  /**
   * At or before; a date is included. ISO 8601 date, or time; without offset in the time zone of the organization.
   * (at most 40 characters)
   */
  'updated_at[lte]'?: string
  /** Before. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40 characters) */
  'updated_at[lt]'?: string
  /**
   * Searches title, body: every word, in any order, also parts of words (shorter than three letters: beginnings);
   * digits of a number however it is spelled; when nothing holds the text, what is spelled like it. (at most 100
   * characters)
   */
  q?: string
  /** Lists the trash instead; needs the permission tasks:delete. (default false) */
  deleted?: boolean
  /**
   * One or more, with commas between, of: created_at, updated_at, title, status, priority, due_on, due_at,
   * completed_at, id; a leading - turns one around. What is empty comes last. The id decides at the end. (at most
   * 100 characters; default "-created_at")
   */
  sort?: string | ReadonlyArray<string>
  /**
   * Only these fields, beside id and times. Long texts come only when they are named. One or more, with commas
   * between, of: title, body, record_id, assignee_id, status, priority, due_on, due_at, created_by, completed_at,
   * completed_by. (at most 200 characters)
   */
  fields?: string | ReadonlyArray<string>
  /**
   * Titles of the records that these fields name, in `included`. One or more, with commas between, of: record_id,
   * assignee_id, created_by, completed_by. (at most 200 characters)
   */
  include?: string | ReadonlyArray<string>
  /** Page number, from 1. (at least 1; default 1) */
  page?: number
  /** Records per page; more than 200 are cut to 200. (at least 1; default 20) */
  limit?: number
  /** The `nextCursor` of the last answer: goes on behind it, at any depth. (at most 4000 characters) */
  cursor?: string
}

/** What `tasks.list` returns. */
export type TasksListReply = {
  tasks: TasksListItem[]
  /** Of each noun that `include` named, the records by id. */
  included?: Record<string, Record<string, {
    /** What the record is called. */
    title: string
  }>>
  pagination: LeadsListPagination
}

/** What `tasks.create` takes. */
export type TasksCreateParams = {
  /** What is to be done. (1 to 200 characters; matches `\S`) */
  title: string
  /** What else there is to say about it. (at most 10000 characters) */
  body?: string | null
  /**
   * The record that it is about. (at most 60 characters; matches
   * `^(?:[a-z]{2,8}_[0-7][0-9a-hjkmnp-tv-z]{25}|[a-z_]{2,40}:[1-9]\d{0,14})$`)
   */
  record_id?: string | null
  /** Who has to do it. (at least 1) */
  assignee_id?: number | null
  /** Open, done, or canceled. Send done to complete it, open to open it again. (default "open") */
  status?: 'open' | 'done' | 'canceled'
  /** How much it matters. (default "normal") */
  priority?: 'low' | 'normal' | 'high' | 'urgent'
  /** The day by whose end it has to be done; due_at follows. */
  due_on?: string | null
  /** When it has to be done: sent, or the end of due_on where the organization is. */
  due_at?: string | null
}

/** What `tasks.create` returns. */
export type TasksCreateReply = {
  task: Task
}

/** What `tasks.get` takes. */
export type TasksGetParams = {
  /** Identifier of the task. (matches `^task_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  id: string
  /**
   * Titles of the records that these fields name, in `included`. One or more, with commas between, of: record_id,
   * assignee_id, created_by, completed_by. (at most 200 characters)
   */
  include?: string | ReadonlyArray<string>
}

/** What `tasks.get` returns. */
export type TasksGetReply = {
  task: Task
  /** Of each noun that `include` named, the records by id. */
  included?: Record<string, Record<string, {
    /** What the record is called. */
    title: string
  }>>
}

/** What `tasks.update` takes. */
export type TasksUpdateParams = {
  /** Identifier of the task. (matches `^task_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  id: string
  /** What is to be done. (1 to 200 characters; matches `\S`) */
  title?: string
  /** What else there is to say about it. (at most 10000 characters) */
  body?: string | null
  /**
   * The record that it is about. (at most 60 characters; matches
   * `^(?:[a-z]{2,8}_[0-7][0-9a-hjkmnp-tv-z]{25}|[a-z_]{2,40}:[1-9]\d{0,14})$`)
   */
  record_id?: string | null
  /** Who has to do it. (at least 1) */
  assignee_id?: number | null
  /** Open, done, or canceled. Send done to complete it, open to open it again. */
  status?: 'open' | 'done' | 'canceled'
  /** How much it matters. */
  priority?: 'low' | 'normal' | 'high' | 'urgent'
  /** The day by whose end it has to be done; due_at follows. */
  due_on?: string | null
  /** When it has to be done: sent, or the end of due_on where the organization is. */
  due_at?: string | null
}

/** What `tasks.update` returns. */
export type TasksUpdateReply = {
  task: Task
}

/** What `tasks.delete` takes. */
export type TasksDeleteParams = {
  /** Identifier of the task. (matches `^task_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  id: string
}

/** What `tasks.delete` returns. */
export type TasksDeleteReply = {
  task: Task
}

/** What `tasks.restore` takes. */
export type TasksRestoreParams = {
  /** Identifier of the task. (matches `^task_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  id: string
}

/** What `tasks.restore` returns. */
export type TasksRestoreReply = {
  task: Task
}

/** What `tasks.bulk` takes. */
export type TasksBulkParams = {
  /** Which records. (1 to 1000 items) */
  ids?: string[]
  /** All records that the list finds with these parameters; none for all there are. */
  filter?: {
    /** Exactly this. (at most 200 characters) */
    title?: string
    /** Begins with this. (1 to 200 characters) */
    'title[begins]'?: string
    /** Whether body is empty. */
    'body[empty]'?: boolean
    /**
     * Ids of records, such as `cmp_…`, with the noun in front where they are numbers, or `none`; several with commas
     * between. (matches
     * `^(?:none|[a-z]{2,8}_[0-7][0-9a-hjkmnp-tv-z]{25}|[a-z_]{2,40}:[1-9]\d{0,14})(?:,(?:none|[a-z]{2,8}_[0-7][0-9a-hjkmnp-tv-z]{25}|[a-z_]{2,40}:[1-9]\d{0,14})){0,49}$`)
     */
    record_id?: string
    /**
     * Ids of users, `me`, or `none` for records without one; several with commas between. (matches
     * `^(?:me|none|[1-9]\d{0,14})(?:,(?:me|none|[1-9]\d{0,14})){0,49}$`)
     */
    assignee_id?: string
    /**
     * Only records whose status is among these. One or more, with commas between, of: open, done, canceled. (at most
     * 200 characters)
     */
    status?: string
    /**
     * Only records whose priority is among these. One or more, with commas between, of: low, normal, high, urgent.
     * (at most 200 characters)
     */
    priority?: string
    /** At least this. */
    'due_on[gte]'?: string
    /** More than this. */
    'due_on[gt]'?: string
    /** At most this. */
    'due_on[lte]'?: string
    /** Less than this. */
    'due_on[lt]'?: string
    /** Whether due_on is empty. */
    'due_on[empty]'?: boolean
    /**
     * At or after. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40
     * characters)
     */
    'due_at[gte]'?: string
    /**
     * After; after the whole day for a date. ISO 8601 date, or time; without offset in the time zone of the
     * organization. (at most 40 characters)
     */
    'due_at[gt]'?: string
    /**
     * At or before; a date is included. ISO 8601 date, or time; without offset in the time zone of the organization.
     * (at most 40 characters)
     */
    'due_at[lte]'?: string
    /**
     * Before. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40 characters)
     */
    'due_at[lt]'?: string
    /** Whether due_at has passed; false also for records without one. */
    'due_at[past]'?: boolean
    /** Whether due_at is empty. */
    'due_at[empty]'?: boolean
    /**
     * Ids of users, `me`, or `none` for records without one; several with commas between. (matches
     * `^(?:me|none|[1-9]\d{0,14})(?:,(?:me|none|[1-9]\d{0,14})){0,49}$`)
     */
    created_by?: string
    /**
     * At or after. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40
     * characters)
     */
    'completed_at[gte]'?: string
    /**
     * After; after the whole day for a date. ISO 8601 date, or time; without offset in the time zone of the
     * organization. (at most 40 characters)
     */
    'completed_at[gt]'?: string
    /**
     * At or before; a date is included. ISO 8601 date, or time; without offset in the time zone of the organization.
     * (at most 40 characters)
     */
    'completed_at[lte]'?: string
    /**
     * Before. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40 characters)
     */
    'completed_at[lt]'?: string
    /** Whether completed_at has passed; false also for records without one. */
    'completed_at[past]'?: boolean
    /** Whether completed_at is empty. */
    'completed_at[empty]'?: boolean
    /**
     * Ids of users, `me`, or `none` for records without one; several with commas between. (matches
     * `^(?:me|none|[1-9]\d{0,14})(?:,(?:me|none|[1-9]\d{0,14})){0,49}$`)
     */
    completed_by?: string
    /**
     * Only records that this batch created or changed: the `batch_id` of an import, or of a change of many. (matches
     * `^bat_[0-7][0-9a-hjkmnp-tv-z]{25}$`)
     */
    batch_id?: string
    /**
     * At or after. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40
     * characters)
     */
    'created_at[gte]'?: string
    /**
     * After; after the whole day for a date. ISO 8601 date, or time; without offset in the time zone of the
     * organization. (at most 40 characters)
     */
    'created_at[gt]'?: string
    /**
     * At or before; a date is included. ISO 8601 date, or time; without offset in the time zone of the organization.
     * (at most 40 characters)
     */
    'created_at[lte]'?: string
    /**
     * Before. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40 characters)
     */
    'created_at[lt]'?: string
    /**
     * At or after. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40
     * characters)
     */
    'updated_at[gte]'?: string
    /**
     * After; after the whole day for a date. ISO 8601 date, or time; without offset in the time zone of the
     * organization. (at most 40 characters)
     */
    'updated_at[gt]'?: string
    /**
     * At or before; a date is included. ISO 8601 date, or time; without offset in the time zone of the organization.
     * (at most 40 characters)
     */
    'updated_at[lte]'?: string
    /**
     * Before. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40 characters)
     */
    'updated_at[lt]'?: string
    /**
     * Searches title, body: every word, in any order, also parts of words (shorter than three letters: beginnings);
     * digits of a number however it is spelled; when nothing holds the text, what is spelled like it. (at most 100
     * characters)
     */
    q?: string
    /** Lists the trash instead; needs the permission tasks:delete. (default false) */
    deleted?: boolean
  }
  /** With filter: how many records it is to find. Nothing is done when there are more or fewer. (0 to 100000) */
  expect?: number
  /** The fields to set; null empties one. */
  set?: {
    /** What is to be done. (1 to 200 characters; matches `\S`) */
    title?: string
    /** What else there is to say about it. (at most 10000 characters) */
    body?: string | null
    /**
     * The record that it is about. (at most 60 characters; matches
     * `^(?:[a-z]{2,8}_[0-7][0-9a-hjkmnp-tv-z]{25}|[a-z_]{2,40}:[1-9]\d{0,14})$`)
     */
    record_id?: string | null
    /** Who has to do it. (at least 1) */
    assignee_id?: number | null
    /** Open, done, or canceled. Send done to complete it, open to open it again. */
    status?: 'open' | 'done' | 'canceled'
    /** How much it matters. */
    priority?: 'low' | 'normal' | 'high' | 'urgent'
    /** The day by whose end it has to be done; due_at follows. */
    due_on?: string | null
    /** When it has to be done: sent, or the end of due_on where the organization is. */
    due_at?: string | null
  }
  /** Instead of setting fields. */
  action?: 'delete' | 'restore'
}

/** What `tasks.bulk` returns. */
export type TasksBulkReply = {
  /** Names this change in the history of each record, and takes it back. */
  batch_id: string
  /** running while more than 1000 records are changed in the background: the batch says how far it is. */
  state: 'completed' | 'running'
  /** How many records are meant. */
  total: number
  /** How many records were changed. */
  changed: number
  /** How many are as they were asked to be already. */
  unchanged: number
  /** Records that could not be changed; all others were. */
  failed: CompaniesBulkFailed[]
}

/** What `tasks.history` takes. */
export type TasksHistoryParams = {
  /** Identifier of the task. (matches `^task_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  id: string
}

/** What `tasks.history` returns. */
export type TasksHistoryReply = {
  /** The newest first; the last is the creation. */
  changes: Change[]
}

/** What `attachments.create` takes. */
export type AttachmentsCreateParams = {
  /**
   * The record that it is about. (at most 60 characters; matches
   * `^(?:[a-z]{2,8}_[0-7][0-9a-hjkmnp-tv-z]{25}|[a-z_]{2,40}:[1-9]\d{0,14})$`)
   */
  record_id: string
  /** What the file is called, such as offer.pdf. (1 to 200 characters; matches `\S`) */
  name: string
  /** The bytes of the file, up to 25 MiB. */
  file: Blob | string
}

/** What `attachments.create` returns. */
export type AttachmentsCreateReply = {
  attachment: Attachment
}

/** What `attachments.list` takes. */
export type AttachmentsListParams = {
  /** Ids of records, such as `cmp_…`, with the noun in front where they are numbers; several with commas between. */
  record_id?: string | ReadonlyArray<string>
  /** Exactly this. (at most 200 characters) */
  name?: string
  /** Begins with this. (1 to 200 characters) */
  'name[begins]'?: string
  /** Exactly this. (at most 127 characters) */
  content_type?: string
  /** Begins with this. (1 to 127 characters) */
  'content_type[begins]'?: string
  /** At least this. (at least 1) */
  'size_bytes[gte]'?: number
  /** More than this. (at least 1) */
  'size_bytes[gt]'?: number
  /** At most this. (at least 1) */
  'size_bytes[lte]'?: number
  /** Less than this. (at least 1) */
  'size_bytes[lt]'?: number
  /** Exactly this. (at most 64 characters) */
  sha256?: string
  /** Begins with this. (1 to 64 characters) */
  'sha256[begins]'?: string
  /** Ids of users, `me`, or `none` for records without one; several with commas between. */
  uploaded_by?: string | ReadonlyArray<string>
  /**
   * Only records that this batch created or changed: the `batch_id` of an import, or of a change of many. (matches
   * `^bat_[0-7][0-9a-hjkmnp-tv-z]{25}$`)
   */
  batch_id?: string
  /**
   * At or after. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40
   * characters)
   */
  'created_at[gte]'?: string
  /**
   * After; after the whole day for a date. ISO 8601 date, or time; without offset in the time zone of the
   * organization. (at most 40 characters)
   */
  'created_at[gt]'?: string
  /**
   * At or before; a date is included. ISO 8601 date, or time; without offset in the time zone of the organization.
   * (at most 40 characters)
   */
  'created_at[lte]'?: string
  /** Before. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40 characters) */
  'created_at[lt]'?: string
  /**
   * At or after. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40
   * characters)
   */
  'updated_at[gte]'?: string
  /**
   * After; after the whole day for a date. ISO 8601 date, or time; without offset in the time zone of the
   * organization. (at most 40 characters)
   */
  'updated_at[gt]'?: string
  /**
   * At or before; a date is included. ISO 8601 date, or time; without offset in the time zone of the organization.
   * (at most 40 characters)
   */
  'updated_at[lte]'?: string
  /** Before. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40 characters) */
  'updated_at[lt]'?: string
  /**
   * Searches name: every word, in any order, also parts of words (shorter than three letters: beginnings); digits of
   * a number however it is spelled; when nothing holds the text, what is spelled like it. (at most 100 characters)
   */
  q?: string
  /** Lists the trash instead; needs the permission attachments:delete. (default false) */
  deleted?: boolean
  /**
   * One or more, with commas between, of: created_at, updated_at, name, content_type, size_bytes, sha256, id; a
   * leading - turns one around. What is empty comes last. The id decides at the end. (at most 100 characters;
   * default "-created_at")
   */
  sort?: string | ReadonlyArray<string>
  /**
   * Only these fields, beside id and times. Long texts come only when they are named. One or more, with commas
   * between, of: record_id, name, content_type, size_bytes, sha256, uploaded_by. (at most 200 characters)
   */
  fields?: string | ReadonlyArray<string>
  /**
   * Titles of the records that these fields name, in `included`. One or more, with commas between, of: record_id,
   * uploaded_by. (at most 200 characters)
   */
  include?: string | ReadonlyArray<string>
  /** Page number, from 1. (at least 1; default 1) */
  page?: number
  /** Records per page; more than 200 are cut to 200. (at least 1; default 20) */
  limit?: number
  /** The `nextCursor` of the last answer: goes on behind it, at any depth. (at most 4000 characters) */
  cursor?: string
}

/** What `attachments.list` returns. */
export type AttachmentsListReply = {
  attachments: AttachmentsListItem[]
  /** Of each noun that `include` named, the records by id. */
  included?: Record<string, Record<string, {
    /** What the record is called. */
    title: string
  }>>
  pagination: LeadsListPagination
}

/** What `attachments.content` takes. */
export type AttachmentsContentParams = {
  /** Identifier of the attachment. (matches `^att_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  id: string
  /** 1 has browsers show an image or a plain text. */
  inline?: '1' | '0'
}

/** The file that `attachments.content` returns. */
export type AttachmentsContentReply = Blob

/** What `attachments.get` takes. */
export type AttachmentsGetParams = {
  /** Identifier of the attachment. (matches `^att_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  id: string
  /**
   * Titles of the records that these fields name, in `included`. One or more, with commas between, of: record_id,
   * uploaded_by. (at most 200 characters)
   */
  include?: string | ReadonlyArray<string>
}

/** What `attachments.get` returns. */
export type AttachmentsGetReply = {
  attachment: Attachment
  /** Of each noun that `include` named, the records by id. */
  included?: Record<string, Record<string, {
    /** What the record is called. */
    title: string
  }>>
}

/** What `attachments.update` takes. */
export type AttachmentsUpdateParams = {
  /** Identifier of the attachment. (matches `^att_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  id: string
  /** What the file is called. (1 to 200 characters; matches `\S`) */
  name?: string
}

/** What `attachments.update` returns. */
export type AttachmentsUpdateReply = {
  attachment: Attachment
}

/** What `attachments.delete` takes. */
export type AttachmentsDeleteParams = {
  /** Identifier of the attachment. (matches `^att_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  id: string
}

/** What `attachments.delete` returns. */
export type AttachmentsDeleteReply = {
  attachment: Attachment
}

/** What `attachments.restore` takes. */
export type AttachmentsRestoreParams = {
  /** Identifier of the attachment. (matches `^att_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  id: string
}

/** What `attachments.restore` returns. */
export type AttachmentsRestoreReply = {
  attachment: Attachment
}

/** What `attachments.history` takes. */
export type AttachmentsHistoryParams = {
  /** Identifier of the attachment. (matches `^att_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  id: string
}

/** What `attachments.history` returns. */
export type AttachmentsHistoryReply = {
  /** The newest first; the last is the creation. */
  changes: Change[]
}

/** What `tags.assign` takes. */
export type TagsAssignParams = {
  /** Which records. (1 to 1000 items) */
  record_ids: string[]
  /** Tags to put on them. (at most 20 items) */
  add?: string[]
  /** Tags to take off them. (at most 20 items) */
  remove?: string[]
}

/** What `tags.assign` returns. */
export type TagsAssignReply = {
  /** How many records have other tags now. */
  changed: number
  /** How many had them so already. */
  unchanged: number
  /** Records that were not changed; all others were. */
  failed: Array<{
    /** The record whose tags are as they were. */
    id: string
    /** Why. */
    code: 'not_found' | 'insufficient_role' | 'too_many'
    /** What is wrong with the change of this one. */
    message: string
  }>
}

/** What `tags.assigned` takes. */
export type TagsAssignedParams = {
  /** Ids of records, with commas between: `cmp_…`, `lead:17`. (at most 12000 characters) */
  record_ids: string | ReadonlyArray<string>
}

/** What `tags.assigned` returns. */
export type TagsAssignedReply = {
  /** The records that one sees, in the order they were asked for. */
  tagged_records: TaggedRecord[]
}

/** What `tags.counts` takes. */
export type TagsCountsParams = {
  /** Only these tags. (at most 7000 characters) */
  tag_ids?: string | ReadonlyArray<string>
}

/** What `tags.counts` returns. */
export type TagsCountsReply = {
  /** Of tags that no record has, nothing is listed. */
  counts: Count[]
  /** Kinds of records of which one sees some only, or none. */
  left_out: string[]
}

/** What `tags.list` takes. */
export type TagsListParams = {
  /** Exactly this. (at most 60 characters) */
  name?: string
  /** Begins with this. (1 to 60 characters) */
  'name[begins]'?: string
  /**
   * Only records whose color is among these. One or more, with commas between, of: gray, red, orange, yellow, green,
   * teal, blue, purple, pink, brown. (at most 200 characters)
   */
  color?: string | ReadonlyArray<string>
  /**
   * Only records that this batch created or changed: the `batch_id` of an import, or of a change of many. (matches
   * `^bat_[0-7][0-9a-hjkmnp-tv-z]{25}$`)
   */
  batch_id?: string
  /**
   * At or after. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40
   * characters)
   */
  'created_at[gte]'?: string
  /**
   * After; after the whole day for a date. ISO 8601 date, or time; without offset in the time zone of the
   * organization. (at most 40 characters)
   */
  'created_at[gt]'?: string
  /**
   * At or before; a date is included. ISO 8601 date, or time; without offset in the time zone of the organization.
   * (at most 40 characters)
   */
  'created_at[lte]'?: string
  /** Before. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40 characters) */
  'created_at[lt]'?: string
  /**
   * At or after. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40
   * characters)
   */
  'updated_at[gte]'?: string
  /**
   * After; after the whole day for a date. ISO 8601 date, or time; without offset in the time zone of the
   * organization. (at most 40 characters)
   */
  'updated_at[gt]'?: string
  /**
   * At or before; a date is included. ISO 8601 date, or time; without offset in the time zone of the organization.
   * (at most 40 characters)
   */
  'updated_at[lte]'?: string
  /** Before. ISO 8601 date, or time; without offset in the time zone of the organization. (at most 40 characters) */
  'updated_at[lt]'?: string
  /**
   * Searches name: every word, in any order, also parts of words (shorter than three letters: beginnings); digits of
   * a number however it is spelled; when nothing holds the text, what is spelled like it. (at most 100 characters)
   */
  q?: string
  /** Lists the trash instead; needs the permission tags:delete. (default false) */
  deleted?: boolean
  /**
   * One or more, with commas between, of: created_at, updated_at, name, color, id; a leading - turns one around.
   * What is empty comes last. The id decides at the end. (at most 100 characters; default "-created_at")
   */
  sort?: string | ReadonlyArray<string>
  /**
   * Only these fields, beside id and times. Long texts come only when they are named. One or more, with commas
   * between, of: name, color. (at most 200 characters)
   */
  fields?: string | ReadonlyArray<string>
  /** Page number, from 1. (at least 1; default 1) */
  page?: number
  /** Records per page; more than 200 are cut to 200. (at least 1; default 20) */
  limit?: number
  /** The `nextCursor` of the last answer: goes on behind it, at any depth. (at most 4000 characters) */
  cursor?: string
}

/** What `tags.list` returns. */
export type TagsListReply = {
  tags: TagsListItem[]
  pagination: LeadsListPagination
}

/** What `tags.create` takes. */
export type TagsCreateParams = {
  /** What it says, such as VIP. (1 to 60 characters; matches `\S`) */
  name: string
  /** The color that it is shown in. (default "gray") */
  color?: 'gray' | 'red' | 'orange' | 'yellow' | 'green' | 'teal' | 'blue' | 'purple' | 'pink' | 'brown'
}

/** What `tags.create` returns. */
export type TagsCreateReply = {
  tag: Tag
}

/** What `tags.get` takes. */
export type TagsGetParams = {
  /** Identifier of the tag. (matches `^tag_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  id: string
}

/** What `tags.get` returns. */
export type TagsGetReply = {
  tag: Tag
}

/** What `tags.update` takes. */
export type TagsUpdateParams = {
  /** Identifier of the tag. (matches `^tag_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  id: string
  /** What it says, such as VIP. (1 to 60 characters; matches `\S`) */
  name?: string
  /** The color that it is shown in. */
  color?: 'gray' | 'red' | 'orange' | 'yellow' | 'green' | 'teal' | 'blue' | 'purple' | 'pink' | 'brown'
}

/** What `tags.update` returns. */
export type TagsUpdateReply = {
  tag: Tag
}

/** What `tags.delete` takes. */
export type TagsDeleteParams = {
  /** Identifier of the tag. (matches `^tag_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  id: string
}

/** What `tags.delete` returns. */
export type TagsDeleteReply = {
  tag: Tag
}

/** What `tags.restore` takes. */
export type TagsRestoreParams = {
  /** Identifier of the tag. (matches `^tag_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  id: string
}

/** What `tags.restore` returns. */
export type TagsRestoreReply = {
  tag: Tag
}

/** What `tags.merge` takes. */
export type TagsMergeParams = {
  /** The record that stays. (matches `^tag_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  into: string
  /** Those that it takes in. (1 to 20 items) */
  others: string[]
  /** By field, the record whose value is kept. */
  take?: {
    /** Identifier. (matches `^tag_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
    name?: string
    /** Identifier. (matches `^tag_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
    color?: string
  }
}

/** What `tags.merge` returns. */
export type TagsMergeReply = {
  tag: Tag
}

/** What `tags.history` takes. */
export type TagsHistoryParams = {
  /** Identifier of the tag. (matches `^tag_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  id: string
}

/** What `tags.history` returns. */
export type TagsHistoryReply = {
  /** The newest first; the last is the creation. */
  changes: Change[]
}

/** What `views.list` takes. */
export type ViewsListParams = {
  /**
   * The list that it is of, as in its path: companies, contacts, leads, invoices and others. (matches
   * `^[a-z_]{2,40}$`)
   */
  noun?: string
}

/** What `views.list` returns. */
export type ViewsListReply = {
  /** By list and name. */
  views: View[]
}

/** What `views.create` takes. */
export type ViewsCreateParams = {
  /**
   * The list that it is of, as in its path: companies, contacts, leads, invoices and others. (matches
   * `^[a-z_]{2,40}$`)
   */
  noun: string
  /** What it is called. (1 to 80 characters) */
  name: string
  /** Whether everybody in the organization sees it, or its owner alone. */
  shared?: boolean
  /** A list, or a board with a column for each value of group_by. */
  layout?: 'list' | 'board'
  /** The columns, in their order. (at most 60 items) */
  columns?: Array<{
    /** A field of the records, or `tags`. (at most 60 characters) */
    field: string
    /** Width in pixels. (40 to 2000) */
    width?: number | null
  }>
  /**
   * Parameters of the list with their values, as in its query string: `{"industry": "Retail", "owner_id": "me"}`.
   * (at most 20 entries)
   */
  filters?: Record<string, string>
  /** The `sort` of the list, such as -created_at,name. (at most 100 characters) */
  sort?: string | null
  /** The field that the columns of a board are made of. (at most 60 characters) */
  group_by?: string | null
}

/** What `views.create` returns. */
export type ViewsCreateReply = {
  view: View
}

/** What `views.set_default` takes. */
export type ViewsSetDefaultParams = {
  /**
   * The list that it is of, as in its path: companies, contacts, leads, invoices and others. (matches
   * `^[a-z_]{2,40}$`)
   */
  noun: string
  /**
   * The view that the list opens with for you; null for the list as it is. (matches
   * `^viw_[0-7][0-9a-hjkmnp-tv-z]{25}$`)
   */
  view_id: string | null
}

/** What `views.set_default` returns. */
export type ViewsSetDefaultReply = {
  /**
   * The list that it is of, as in its path: companies, contacts, leads, invoices and others. (matches
   * `^[a-z_]{2,40}$`)
   */
  noun: string
  /**
   * The view that the list opens with for you; null for the list as it is. (matches
   * `^viw_[0-7][0-9a-hjkmnp-tv-z]{25}$`)
   */
  view_id: string | null
}

/** What `views.get` takes. */
export type ViewsGetParams = {
  /** Identifier of the view. (matches `^viw_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  id: string
}

/** What `views.get` returns. */
export type ViewsGetReply = {
  view: View
}

/** What `views.update` takes. */
export type ViewsUpdateParams = {
  /** Identifier of the view. (matches `^viw_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  id: string
  /** What it is called. (1 to 80 characters) */
  name?: string
  /** Whether everybody in the organization sees it, or its owner alone. */
  shared?: boolean
  /** A list, or a board with a column for each value of group_by. */
  layout?: 'list' | 'board'
  /** The columns, in their order. (at most 60 items) */
  columns?: Array<{
    /** A field of the records, or `tags`. (at most 60 characters) */
    field: string
    /** Width in pixels. (40 to 2000) */
    width?: number | null
  }>
  /**
   * Parameters of the list with their values, as in its query string: `{"industry": "Retail", "owner_id": "me"}`.
   * (at most 20 entries)
   */
  filters?: Record<string, string>
  /** The `sort` of the list, such as -created_at,name. (at most 100 characters) */
  sort?: string | null
  /** The field that the columns of a board are made of. (at most 60 characters) */
  group_by?: string | null
}

/** What `views.update` returns. */
export type ViewsUpdateReply = {
  view: View
}

/** What `views.delete` takes. */
export type ViewsDeleteParams = {
  /** Identifier of the view. (matches `^viw_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  id: string
}

/** What `views.delete` returns. */
export type ViewsDeleteReply = {
  /** What was deleted. */
  id: string
  /** It is gone. */
  deleted: true
}

/** What `imports.create` takes. */
export type ImportsCreateParams = {
  /** What the rows are: companies, contacts. (at most 100 characters) */
  noun: string
  /** What the file is called. (1 to 200 characters) */
  file_name?: string
  /** Between the columns; found out when left out. */
  delimiter?: 'comma' | 'semicolon' | 'tab'
  /** How the bytes are read; found out when left out. */
  encoding?: 'utf-8' | 'windows-1252' | 'utf-16le' | 'utf-16be'
  /** The bytes of the CSV file, up to 100 MiB and a million rows. */
  file: Blob | string
}

/** What `imports.create` returns. */
export type ImportsCreateReply = {
  import: Import
}

/** What `imports.list` takes. */
export type ImportsListParams = {
  /** Only those of these records, such as contacts. (at most 100 characters) */
  noun?: string
  /** How many, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer. (at most 500 characters) */
  cursor?: string
}

/** What `imports.list` returns. */
export type ImportsListReply = {
  imports: Import[]
  pagination: ImportsListPagination
}

/** What `imports.get` takes. */
export type ImportsGetParams = {
  /** Identifier of the import. (matches `^imp_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  id: string
}

/** What `imports.get` returns. */
export type ImportsGetReply = {
  import: Import
}

/** What `imports.update` takes. */
export type ImportsUpdateParams = {
  /** Identifier of the import. (matches `^imp_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  id: string
  /** Between the columns; found out when left out. */
  delimiter?: 'comma' | 'semicolon' | 'tab'
  /** How the bytes are read; found out when left out. */
  encoding?: 'utf-8' | 'windows-1252' | 'utf-16le' | 'utf-16be'
  /**
   * By column of the file, in its order, the name of the target that it stands for; null for a column that is left
   * out. (at most 500 items)
   */
  mapping?: Array<string | null>
  /**
   * What becomes of a row that is the same as a record: skip leaves it out, update changes the record, create makes
   * one more.
   */
  duplicates?: 'skip' | 'update' | 'create'
  /** The fields by which a row is the same as a record: those of the noun, or some of them. (at most 20 items) */
  match?: string[]
  /** Whether an update adds entries to lists such as e-mails, or puts them in the place of those that are there. */
  lists?: 'add' | 'replace'
  /** How a date such as 03/04/2026 is read. */
  dates?: 'day_first' | 'month_first'
  /** What stands between a number and its decimals. */
  decimal?: '.' | ','
}

/** What `imports.update` returns. */
export type ImportsUpdateReply = {
  import: Import
}

/** What `imports.dry_run` takes. */
export type ImportsDryRunParams = {
  /** Identifier of the import. (matches `^imp_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  id: string
}

/** What `imports.dry_run` returns. */
export type ImportsDryRunReply = {
  import: Import
}

/** What `imports.run` takes. */
export type ImportsRunParams = {
  /** Identifier of the import. (matches `^imp_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  id: string
}

/** What `imports.run` returns. */
export type ImportsRunReply = {
  import: Import
}

/** What `imports.cancel` takes. */
export type ImportsCancelParams = {
  /** Identifier of the import. (matches `^imp_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  id: string
}

/** What `imports.cancel` returns. */
export type ImportsCancelReply = {
  import: Import
}

/** What `imports.refused` takes. */
export type ImportsRefusedParams = {
  /** Identifier of the import. (matches `^imp_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  id: string
}

/** The file that `imports.refused` returns. */
export type ImportsRefusedReply = Blob

/** What `batches.list` takes. */
export type BatchesListParams = {
  /** Only those of these records, such as companies. (at most 100 characters) */
  noun?: string
  /** How many, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer. (at most 500 characters) */
  cursor?: string
}

/** What `batches.list` returns. */
export type BatchesListReply = {
  batches: Batch[]
  pagination: ImportsListPagination
}

/** What `batches.get` takes. */
export type BatchesGetParams = {
  /** Identifier of the batch. (matches `^bat_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  id: string
}

/** What `batches.get` returns. */
export type BatchesGetReply = {
  batch: Batch
}

/** What `batches.cancel` takes. */
export type BatchesCancelParams = {
  /** Identifier of the batch. (matches `^bat_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  id: string
}

/** What `batches.cancel` returns. */
export type BatchesCancelReply = {
  batch: Batch
}

/** What `batches.revert` takes. */
export type BatchesRevertParams = {
  /** Identifier of the batch. (matches `^bat_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  id: string
}

/** What `batches.revert` returns. */
export type BatchesRevertReply = {
  batch: Batch
}

/** What `invoices.create` takes. */
export type InvoicesCreateParams = {
  customer: {
    /** Who is billed. (1 to 200 characters; matches `\S`) */
    name: string
    /** Where to send it. (at most 254 characters) */
    email?: string | null
    /** Postal address, lines separated by line feeds. (1 to 1000 characters; matches `\S`) */
    address?: string | null
    /** The customer's tax or VAT number. (1 to 64 characters; matches `\S`) */
    tax_id?: string | null
  }
  /** YYYY-MM-DD; the invoice is overdue from the day after. 14 days from now when left out. */
  due_date?: string
  /** The lead this invoice came from. (at least 1) */
  lead_id?: number | null
  /** ISO 4217 code. (matches `^[A-Z]{3}$`) */
  currency?: string
  /** Shown on the invoice. (at most 2000 characters) */
  notes?: string | null
  /** What is billed; not together with `amount`. (at most 300 items) */
  lines?: Array<{
    /** What is billed. (1 to 1000 characters; matches `\S`) */
    description: string
    /** Up to 4 decimals; negative for a credit. (at most 30 characters; matches `^-?\d{1,15}(\.\d{1,10})?$`) */
    quantity: number | string
    /**
     * In the currency's major unit, before tax, up to 6 decimals. (at most 30 characters; matches
     * `^-?\d{1,15}(\.\d{1,10})?$`)
     */
    unit_price: number | string
    /**
     * Percent, 0 to 100, up to 4 decimals; 0 when left out. (at most 30 characters; matches
     * `^-?\d{1,15}(\.\d{1,10})?$`)
     */
    tax_rate?: number | string
  }>
  /**
   * In the currency's major unit, as JSON number or decimal text; never rounded. (at most 30 characters; matches
   * `^-?\d{1,15}(\.\d{1,10})?$`)
   */
  amount?: number | string
  /** Tax is rounded once a rate over the invoice, or on every line. */
  tax_rounding?: 'per_rate' | 'per_line'
}

/** What `invoices.create` returns. */
export type InvoicesCreateReply = {
  invoice: Invoice
}

/** What `invoices.list` takes. */
export type InvoicesListParams = {
  /**
   * Only invoices in these. One or more, with commas between, of: Draft, Sent, Paid, Overdue, Cancelled. (at most
   * 200 characters)
   */
  status?: string | ReadonlyArray<string>
  /** Part of the customer's name, in any case of letters. (1 to 200 characters) */
  customer?: string
  /** The customer's whole name, in any case of letters. (1 to 200 characters) */
  'customer[is]'?: string
  /** An invoice number, or its beginning: INV-2026-0001. (1 to 40 characters) */
  number?: string
  /** Due on this day, YYYY-MM-DD. */
  due_date?: string
  /** Due on or after, YYYY-MM-DD. */
  'due_date[gte]'?: string
  /** Due after, YYYY-MM-DD. */
  'due_date[gt]'?: string
  /** Due on or before, YYYY-MM-DD. */
  'due_date[lte]'?: string
  /** Due before, YYYY-MM-DD. */
  'due_date[lt]'?: string
  /** Issued on this day, YYYY-MM-DD. */
  issue_date?: string
  /** Issued on or after, YYYY-MM-DD. */
  'issue_date[gte]'?: string
  /** Issued after, YYYY-MM-DD. */
  'issue_date[gt]'?: string
  /** Issued on or before, YYYY-MM-DD. */
  'issue_date[lte]'?: string
  /** Issued before, YYYY-MM-DD. */
  'issue_date[lt]'?: string
  /**
   * One or more, with commas between, of: created_at, due_date, issue_date, amount, number; a leading - turns one
   * around. (at most 100 characters; default "-created_at")
   */
  sort?: string | ReadonlyArray<string>
  /** Page number, from 1. (at least 1; default 1) */
  page?: number
  /** Records per page; more than 200 are cut to 200. (at least 1; default 20) */
  limit?: number
  /** The `nextCursor` of the last answer: goes on behind it, at any depth. (at most 4000 characters) */
  cursor?: string
}

/** What `invoices.list` returns. */
export type InvoicesListReply = {
  invoices: InvoicesListItem[]
  pagination: Pagination
}

/** What `invoices.export` takes. */
export type InvoicesExportParams = {
  /**
   * Only invoices in these. One or more, with commas between, of: Draft, Sent, Paid, Overdue, Cancelled. (at most
   * 200 characters)
   */
  status?: string | ReadonlyArray<string>
  /** Part of the customer's name, in any case of letters. (1 to 200 characters) */
  customer?: string
  /** The customer's whole name, in any case of letters. (1 to 200 characters) */
  'customer[is]'?: string
  /** An invoice number, or its beginning: INV-2026-0001. (1 to 40 characters) */
  number?: string
  /** Due on this day, YYYY-MM-DD. */
  due_date?: string
  /** Due on or after, YYYY-MM-DD. */
  'due_date[gte]'?: string
  /** Due after, YYYY-MM-DD. */
  'due_date[gt]'?: string
  /** Due on or before, YYYY-MM-DD. */
  'due_date[lte]'?: string
  /** Due before, YYYY-MM-DD. */
  'due_date[lt]'?: string
  /** Issued on this day, YYYY-MM-DD. */
  issue_date?: string
  /** Issued on or after, YYYY-MM-DD. */
  'issue_date[gte]'?: string
  /** Issued after, YYYY-MM-DD. */
  'issue_date[gt]'?: string
  /** Issued on or before, YYYY-MM-DD. */
  'issue_date[lte]'?: string
  /** Issued before, YYYY-MM-DD. */
  'issue_date[lt]'?: string
  /**
   * One or more, with commas between, of: created_at, due_date, issue_date, amount, number; a leading - turns one
   * around. (at most 100 characters; default "-created_at")
   */
  sort?: string | ReadonlyArray<string>
  /** Whether the first line has the names of the API or words for people. (default "names") */
  header?: 'names' | 'labels'
  /** Begins with a byte order mark, without which Excel reads no UTF-8. (default false) */
  bom?: boolean
}

/** The file that `invoices.export` returns. */
export type InvoicesExportReply = Blob

/** What `invoices.totals` takes. */
export type InvoicesTotalsParams = {
  /**
   * Only invoices in these. One or more, with commas between, of: Draft, Sent, Paid, Overdue, Cancelled. (at most
   * 200 characters)
   */
  status?: string | ReadonlyArray<string>
  /** Part of the customer's name, in any case of letters. (1 to 200 characters) */
  customer?: string
  /** The customer's whole name, in any case of letters. (1 to 200 characters) */
  'customer[is]'?: string
  /** An invoice number, or its beginning: INV-2026-0001. (1 to 40 characters) */
  number?: string
  /** Due on this day, YYYY-MM-DD. */
  due_date?: string
  /** Due on or after, YYYY-MM-DD. */
  'due_date[gte]'?: string
  /** Due after, YYYY-MM-DD. */
  'due_date[gt]'?: string
  /** Due on or before, YYYY-MM-DD. */
  'due_date[lte]'?: string
  /** Due before, YYYY-MM-DD. */
  'due_date[lt]'?: string
  /** Issued on this day, YYYY-MM-DD. */
  issue_date?: string
  /** Issued on or after, YYYY-MM-DD. */
  'issue_date[gte]'?: string
  /** Issued after, YYYY-MM-DD. */
  'issue_date[gt]'?: string
  /** Issued on or before, YYYY-MM-DD. */
  'issue_date[lte]'?: string
  /** Issued before, YYYY-MM-DD. */
  'issue_date[lt]'?: string
}

/** What `invoices.totals` returns. */
export type InvoicesTotalsReply = {
  /** The day in the organization's time zone, by which Overdue goes. */
  today: string
  /** The last day of what is due soon. */
  due_soon_until: string
  /** The most invoices first; none where there are none. */
  totals: Total[]
  due_soon: DueSoon[]
}

/** What `invoices.number_audit` takes. */
export type InvoicesNumberAuditParams = {
  /** Year of the series; this year in the organization's time zone when left out. (1970 to 9999) */
  year?: number
}

/** What `invoices.number_audit` returns. */
export type InvoicesNumberAuditReply = {
  year: number
  /** The last sequence given out; 0 when none was. */
  lastSequence: number
  /** How many invoices have a number of this year. */
  assigned: number
  /** Numbers given out that no invoice has, both ends included. */
  gaps: Gap[]
  /** Numbers that more than one invoice has. */
  duplicates: string[]
}

/** What `invoices.get` takes. */
export type InvoicesGetParams = {
  /** Identifier. (at least 1) */
  id: number
}

/** What `invoices.get` returns. */
export type InvoicesGetReply = {
  invoice: Invoice
}

/** What `invoices.update` takes. */
export type InvoicesUpdateParams = {
  /** Identifier. (at least 1) */
  id: number
  customer?: {
    /** Who is billed. (1 to 200 characters; matches `\S`) */
    name?: string
    /** Where to send it. (at most 254 characters) */
    email?: string | null
    /** Postal address, lines separated by line feeds. (1 to 1000 characters; matches `\S`) */
    address?: string | null
    /** The customer's tax or VAT number. (1 to 64 characters; matches `\S`) */
    tax_id?: string | null
  }
  /** YYYY-MM-DD; the invoice is overdue from the day after. */
  due_date?: string
  /** The lead this invoice came from. (at least 1) */
  lead_id?: number | null
  /** ISO 4217 code. (matches `^[A-Z]{3}$`) */
  currency?: string
  /** Shown on the invoice. (at most 2000 characters) */
  notes?: string | null
  /** What is billed; not together with `amount`. (at most 300 items) */
  lines?: Array<{
    /** What is billed. (1 to 1000 characters; matches `\S`) */
    description: string
    /** Up to 4 decimals; negative for a credit. (at most 30 characters; matches `^-?\d{1,15}(\.\d{1,10})?$`) */
    quantity: number | string
    /**
     * In the currency's major unit, before tax, up to 6 decimals. (at most 30 characters; matches
     * `^-?\d{1,15}(\.\d{1,10})?$`)
     */
    unit_price: number | string
    /**
     * Percent, 0 to 100, up to 4 decimals; 0 when left out. (at most 30 characters; matches
     * `^-?\d{1,15}(\.\d{1,10})?$`)
     */
    tax_rate?: number | string
  }>
  /**
   * In the currency's major unit, as JSON number or decimal text; never rounded. (at most 30 characters; matches
   * `^-?\d{1,15}(\.\d{1,10})?$`)
   */
  amount?: number | string
  /** Tax is rounded once a rate over the invoice, or on every line. */
  tax_rounding?: 'per_rate' | 'per_line'
}

/** What `invoices.update` returns. */
export type InvoicesUpdateReply = {
  invoice: Invoice
}

/** What `invoices.send` takes. */
export type InvoicesSendParams = {
  /** Identifier. (at least 1) */
  id: number
}

/** What `invoices.send` returns. */
export type InvoicesSendReply = {
  invoice: InvoicesListItem
}

/** What `invoices.cancel` takes. */
export type InvoicesCancelParams = {
  /** Identifier. (at least 1) */
  id: number
  /** Why; kept with the invoice. (1 to 500 characters; matches `\S`) */
  reason: string
}

/** What `invoices.cancel` returns. */
export type InvoicesCancelReply = {
  invoice: InvoicesListItem
}

/** What `payments.create` takes. */
export type PaymentsCreateParams = {
  /** Identifier. (at least 1) */
  id: number
  /**
   * In the currency's major unit, as JSON number or decimal text; never rounded. (at most 30 characters; matches
   * `^-?\d{1,15}(\.\d{1,10})?$`)
   */
  amount: number | string
  /** When sent, it must be the invoice's. (matches `^[A-Z]{3}$`) */
  currency?: string
  /** How it was paid. (default "other") */
  method?: 'bank_transfer' | 'card' | 'cash' | 'check' | 'direct_debit' | 'other'
  /**
   * When the money arrived; now when left out. A date alone is that day in the organization's time zone, and stored
   * as its first instant. (at most 40 characters)
   */
  paid_at?: string
  /** What the payment can be found by elsewhere. (at most 200 characters) */
  reference?: string | null
}

/** What `payments.create` returns. */
export type PaymentsCreateReply = {
  payment: Payment
  invoice: InvoicesListItem
}

/** What `payments.reverse` takes. */
export type PaymentsReverseParams = {
  /** Identifier. (at least 1) */
  id: number
  /** Identifier. (at least 1) */
  paymentId: number
  /** Why; kept with the payment. (1 to 500 characters; matches `\S`) */
  reason: string
}

/** What `payments.reverse` returns. */
export type PaymentsReverseReply = {
  payment: Payment
  invoice: InvoicesListItem
}

/** What `destination_policies.list` takes. */
export type DestinationPoliciesListParams = {
  /** Records per page, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer, with the same filters. (at most 4000 characters) */
  cursor?: string
}

export type DestinationPoliciesListReply = CursorPage<DestinationPolicy>

/** What `destination_policies.get` takes. */
export type DestinationPoliciesGetParams = {
  /** organization, or the id of an API key (key_…) or a trunk (trk_…) of this mode. (1 to 64 characters) */
  policy: string
}

/** What `destination_policies.get` returns. */
export type DestinationPoliciesGetReply = DestinationPolicy

/** What `destination_policies.update` takes. */
export type DestinationPoliciesUpdateParams = {
  /** organization, or the id of an API key (key_…) or a trunk (trk_…) of this mode. (1 to 64 characters) */
  policy: string
  /** Only numbers of these countries (ISO 3166-1 alpha-2); null: of all. (at most 300 items; no item twice) */
  allowedCountries?: string[] | null
  /**
   * Numbers that begin so are allowed whatever their country and kind. Where a blocked prefix fits, too, the longer
   * one counts. (at most 500 items; no item twice)
   */
  allowedPrefixes?: string[]
  /** Numbers that begin so are not allowed. (at most 500 items; no item twice) */
  blockedPrefixes?: string[]
  /**
   * The kinds of numbers that are opened; others of these stay shut. null, for a key or trunk only: all that the
   * organization has open. (no item twice)
   */
  allowedKinds?: Array<'premium_rate' | 'shared_cost' | 'personal' | 'satellite' | 'international_network'> | null
  /** Calls out at a time, from being asked for until they end; null: any number. (0 to 1000000) */
  concurrentCalls?: number | null
  /** Calls out a day; null: any number. (0 to 1000000) */
  dailyCalls?: number | null
  /**
   * What texts and calls may cost a day, by currency; what is priced in another currency is refused. A minute of a
   * call is taken before it begins; a call for which nothing is left is ended. null: anything. (1 to 20 items)
   */
  dailySpend?: Array<{
    /** (matches `^[A-Z]{3}$`) */
    currency: string
    /** A decimal. (matches `^[0-9]{1,9}(?:\.[0-9]{1,6})?$`) */
    amount: string
  }> | null
}

/** What `destination_policies.update` returns. */
export type DestinationPoliciesUpdateReply = DestinationPolicy

/** What `destination_policies.delete` takes. */
export type DestinationPoliciesDeleteParams = {
  /** organization, or the id of an API key (key_…) or a trunk (trk_…) of this mode. (1 to 64 characters) */
  policy: string
}

/** What `destination_policies.delete` returns. */
export type DestinationPoliciesDeleteReply = DestinationPolicy

/** What `destinations.check` takes. */
export type DestinationsCheckParams = {
  /** A telephone number in any usual spelling, or a SIP address. (3 to 255 characters) */
  to: string
  /** Ask as this API key; left out: as the caller. (1 to 64 characters) */
  keyId?: string
  /** Ask for this trunk, too. (1 to 64 characters) */
  trunkId?: string
}

/** What `destinations.check` returns. */
export type DestinationsCheckReply = Destination

/** What `numbers.list` takes. */
export type NumbersListParams = {
  /** Only those of one kind. */
  kind?: 'long_code' | 'short_code' | 'alphanumeric'
  /** Only those of the numbering plan of one country. (matches `^[A-Z]{2}$`) */
  country?: string
  /** Only senders of this messaging service. (at most 100 characters) */
  serviceId?: string
  /** Only those tied to this carrier. (at most 100 characters) */
  carrierId?: string
  /** Only this one, in any usual spelling. (1 to 40 characters) */
  number?: string
  /** Records per page, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer, with the same filters. (at most 4000 characters) */
  cursor?: string
}

export type NumbersListReply = CursorPage<PhoneNumber>

/** What `numbers.create` takes. */
export type NumbersCreateParams = {
  /**
   * A telephone number in any usual spelling (best E.164), a short code of 3 to 8 digits, or a sender id of up to 11
   * letters, digits, blanks and . & _ - with at least one letter. (1 to 40 characters)
   */
  number: string
  /** What it is for, in words of your own. (1 to 200 characters; matches `\S`) */
  label?: string | null
  /** The messaging service whose senders it is one of. (at most 100 characters) */
  serviceId?: string | null
  /** The only carrier that carries what it sends; null lets the routes decide. (at most 100 characters) */
  carrierId?: string | null
  /** Whether it sends texts. */
  sms?: boolean
  /** Whether it makes and takes calls; only a telephone number does, and does by itself. */
  voice?: boolean
  /** Segments it may send in a second; null sends as fast as the carrier takes them. (0.01 to 10000) */
  segmentsPerSecond?: number | null
  /**
   * Address that gets the events of what comes in to it; without one, that of its messaging service is used. (at
   * most 2048 characters)
   */
  callbackUrl?: string | null
  /** Whether a text from a number that no lead has adds a lead with that number. */
  createsLeads?: boolean
}

/** What `numbers.create` returns. */
export type NumbersCreateReply = PhoneNumber

/** What `numbers.lookup` takes. */
export type NumbersLookupParams = {
  /**
   * A telephone number in any usual spelling, best E.164 (write + as %2B where + would be a blank). (3 to 40
   * characters)
   */
  number: string
}

/** What `numbers.lookup` returns. */
export type NumbersLookupReply = {
  /** In E.164 format with +. */
  number: string
  /** Whether it is of a range that is handed out. When not, it has a possible length and no more. */
  valid: boolean
  /** What its range is for; null where the plan does not say, or not valid. */
  type: 'mobile' | 'fixed_line' | 'fixed_line_or_mobile' | 'toll_free' | 'premium_rate' | 'shared_cost' | 'voip' | 'personal_number' | 'pager' | 'uan' | 'voicemail' | null
  /** ISO 3166 country, where the plan says. */
  country: string | null
  /** Country calling code, without +. */
  callingCode: string
  /** As it is written in its country. */
  nationalFormat: string
  /** As it is written elsewhere. */
  internationalFormat: string
  /** Your number with this address; null when it is none of yours. */
  numberId: string | null
  /** Whether it opted out of anything of yours. */
  optedOut: boolean
  /** What it opted out of, the newest first, at most 100. */
  optOuts: Array<{
    optOutId: string
    /** The messaging service, or the sender without one. */
    scope: string
    /** ISO 8601 in UTC, with milliseconds. */
    createdAt: string
  }>
  /** What cannot be known without asking a network. */
  unknown: Array<'in_service' | 'reachable' | 'current_operator' | 'ported' | 'owner'>
}

/** What `numbers.get` takes. */
export type NumbersGetParams = {
  /** Identifier of the number. (matches `^num_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  numberId: string
}

/** What `numbers.get` returns. */
export type NumbersGetReply = PhoneNumber

/** What `numbers.update` takes. */
export type NumbersUpdateParams = {
  /** Identifier of the number. (matches `^num_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  numberId: string
  /** What it is for, in words of your own. (1 to 200 characters; matches `\S`) */
  label?: string | null
  /** The messaging service whose senders it is one of. (at most 100 characters) */
  serviceId?: string | null
  /** The only carrier that carries what it sends; null lets the routes decide. (at most 100 characters) */
  carrierId?: string | null
  /** Whether it sends texts. */
  sms?: boolean
  /** Whether it makes and takes calls; only a telephone number does, and does by itself. */
  voice?: boolean
  /** Segments it may send in a second; null sends as fast as the carrier takes them. (0.01 to 10000) */
  segmentsPerSecond?: number | null
  /**
   * Address that gets the events of what comes in to it; without one, that of its messaging service is used. (at
   * most 2048 characters)
   */
  callbackUrl?: string | null
  /** Whether a text from a number that no lead has adds a lead with that number. */
  createsLeads?: boolean
}

/** What `numbers.update` returns. */
export type NumbersUpdateReply = PhoneNumber

/** What `numbers.delete` takes. */
export type NumbersDeleteParams = {
  /** Identifier of the number. (matches `^num_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  numberId: string
}

/** What `numbers.delete` returns. */
export type NumbersDeleteReply = {
  /** What was deleted. */
  numberId: string
  /** It is gone. */
  deleted: true
}

/** What `messages.sms.send` takes. */
export type MessagesSmsSendParams = {
  /**
   * Sender: a telephone number in any usual spelling (best E.164), a short code of 3 to 8 digits, or a sender id of
   * up to 11 letters and digits. May be left out where serviceId names a service. (1 to 40 characters)
   */
  from?: string
  /** Recipient: a telephone number in any usual spelling, best E.164. (3 to 40 characters) */
  to: string
  /**
   * The text; at most 10 segments, which hold 1,530 characters of the GSM alphabet or 670 of others. More is refused
   * with `body_too_long`; characters that `smartEncoding` leaves out do not count. (1 to 1600 characters)
   */
  body: string
  /** Messaging service that chooses the sender, `msv_…`. (at most 40 characters) */
  serviceId?: string
  /**
   * Replaces typographic characters (curly quotes, dashes) by plain ones where that lets the text travel as GSM-7.
   * Default: as the service says, otherwise off.
   */
  smartEncoding?: boolean
  /**
   * When to send it: 5 minutes to 35 days from now. Default: at once. Where the sender that serviceId chose is gone
   * from the service by then, another one sends it. (at most 40 characters)
   */
  sendAt?: string
  /** Address that gets the events of this message. (at most 2048 characters) */
  callbackUrl?: string
  /** Words of your own. (at most 20 items) */
  tags?: string[]
  /** Names and values of your own, given back with the message and its events. (at most 20 entries) */
  metadata?: Record<string, string>
  /**
   * Seconds from now (or from sendAt) within which it may be delivered; later it is expired. Default: as the service
   * says, else 14400. (1 to 36000)
   */
  validityPeriod?: number
}

/** What `messages.sms.send` returns. */
export type MessagesSmsSendReply = {
  /** Identifier of the message. */
  messageId: string
  /** Queued: stored, and waiting for the carrier. Scheduled: with sendAt, until then. */
  status: 'queued' | 'scheduled'
  /** ISO 8601 in UTC, with milliseconds. */
  deliveredAt: string | null
}

/** What `messages.sms.batch` takes. */
export type MessagesSmsBatchParams = {
  /** As for sending one. (1 to 1000 items) */
  messages: Array<{
    /**
     * Sender: a telephone number in any usual spelling (best E.164), a short code of 3 to 8 digits, or a sender id
     * of up to 11 letters and digits. May be left out where serviceId names a service. (1 to 40 characters)
     */
    from?: string
    /** Recipient: a telephone number in any usual spelling, best E.164. (3 to 40 characters) */
    to: string
    /**
     * The text; at most 10 segments, which hold 1,530 characters of the GSM alphabet or 670 of others. More is
     * refused with `body_too_long`; characters that `smartEncoding` leaves out do not count. (1 to 1600 characters)
     */
    body: string
    /** Messaging service that chooses the sender, `msv_…`. (at most 40 characters) */
    serviceId?: string
    /**
     * Replaces typographic characters (curly quotes, dashes) by plain ones where that lets the text travel as GSM-7.
     * Default: as the service says, otherwise off.
     */
    smartEncoding?: boolean
    /**
     * When to send it: 5 minutes to 35 days from now. Default: at once. Where the sender that serviceId chose is
     * gone from the service by then, another one sends it. (at most 40 characters)
     */
    sendAt?: string
    /** Address that gets the events of this message. (at most 2048 characters) */
    callbackUrl?: string
    /** Words of your own. (at most 20 items) */
    tags?: string[]
    /** Names and values of your own, given back with the message and its events. (at most 20 entries) */
    metadata?: Record<string, string>
    /**
     * Seconds from now (or from sendAt) within which it may be delivered; later it is expired. Default: as the
     * service says, else 14400. (1 to 36000)
     */
    validityPeriod?: number
  }>
}

/** What `messages.sms.batch` returns. */
export type MessagesSmsBatchReply = Sms

/** What `messages.preview` takes. */
export type MessagesPreviewParams = {
  /**
   * Sender: a telephone number in any usual spelling (best E.164), a short code of 3 to 8 digits, or a sender id of
   * up to 11 letters and digits. May be left out where serviceId names a service. (1 to 40 characters)
   */
  from?: string
  /** Recipient: a telephone number in any usual spelling, best E.164. (3 to 40 characters) */
  to?: string
  /**
   * The text; at most 10 segments, which hold 1,530 characters of the GSM alphabet or 670 of others. More is refused
   * with `body_too_long`; characters that `smartEncoding` leaves out do not count. (1 to 1600 characters)
   */
  body: string
  /** Messaging service that chooses the sender, `msv_…`. (at most 40 characters) */
  serviceId?: string
  /**
   * Replaces typographic characters (curly quotes, dashes) by plain ones where that lets the text travel as GSM-7.
   * Default: as the service says, otherwise off.
   */
  smartEncoding?: boolean
}

/** What `messages.preview` returns. */
export type MessagesPreviewReply = {
  /** The text as it would be sent. */
  body: string
  encoding: 'GSM-7' | 'UCS-2'
  segments: number
  /** Septets in GSM-7, 16-bit units in UCS-2. */
  units: number
  /** Units that still fit into the last segment. */
  unitsLeft: number
  /** Whether it needs more than 10 segments and would be refused. */
  tooLong: boolean
  /** The characters, at most 20, that are not in the GSM alphabet. */
  wideCharacters: string[]
  /** The sender it would have. */
  from: string | null
  /** The recipient in E.164. */
  to: string | null
  /** Who would carry it; `none` where it would fail with no_route for want of a carrier. */
  carrier: string | null
  /** For all segments, a decimal; null without recipient or price. */
  price: string | null
  /** ISO 4217. */
  currency: string | null
}

/** What `messages.list` takes. */
export type MessagesListParams = {
  /** Only messages in this status. */
  status?: 'scheduled' | 'queued' | 'sending' | 'sent' | 'delivered' | 'undelivered' | 'expired' | 'failed' | 'canceled' | 'unconfirmed' | 'received'
  /** Only messages that went out, or came in. */
  direction?: 'outbound' | 'inbound'
  /** Only messages to this recipient. (1 to 40 characters) */
  to?: string
  /** Only messages of this sender. (1 to 40 characters) */
  from?: string
  /** Only messages to this person, and what they wrote. (1 to 40 characters) */
  participant?: string
  /** Only messages of this messaging service. (1 to 40 characters) */
  serviceId?: string
  /** Only messages that this carrier carries. (1 to 40 characters) */
  carrier?: string
  /** Only messages with this tag. (1 to 64 characters) */
  tag?: string
  /** ISO 8601 date (YYYY-MM-DD) or time with offset (2026-11-21T08:00:00Z). (at most 40 characters) */
  createdAfter?: string
  /** ISO 8601 date (YYYY-MM-DD) or time with offset (2026-11-21T08:00:00Z). (at most 40 characters) */
  createdBefore?: string
  /** Records per page, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer, with the same filters. (at most 4000 characters) */
  cursor?: string
}

export type MessagesListReply = CursorPage<MessagesListItem>

/** What `messages.get` takes. */
export type MessagesGetParams = {
  /** Identifier of the message. (matches `^msg_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  messageId: string
}

/** What `messages.get` returns. */
export type MessagesGetReply = Message

/** What `messages.redact` takes. */
export type MessagesRedactParams = {
  /** Identifier of the message. (matches `^msg_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  messageId: string
}

/** What `messages.redact` returns. */
export type MessagesRedactReply = MessagesListItem

/** What `messages.cancel` takes. */
export type MessagesCancelParams = {
  /** Identifier of the message. (matches `^msg_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  messageId: string
}

/** What `messages.cancel` returns. */
export type MessagesCancelReply = MessagesListItem

/** What `messaging_services.list` takes. */
export type MessagingServicesListParams = {
  /** Records per page, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer, with the same filters. (at most 4000 characters) */
  cursor?: string
}

export type MessagingServicesListReply = CursorPage<MessagingService>

/** What `messaging_services.create` takes. */
export type MessagingServicesCreateParams = {
  /** A name of your own. (1 to 200 characters; matches `\S`) */
  name: string
  /**
   * Ids of the numbers it sends from; a number belongs to one service at most. (at most 400 items; no item twice)
   */
  senders?: string[]
  /** Whether a recipient always hears from the same sender. */
  stickySender?: boolean
  /**
   * Whether look-alikes of characters outside the GSM alphabet (curly quotes, long dashes) are replaced, so that
   * texts need fewer segments.
   */
  smartEncoding?: boolean
  /**
   * What happens to a message whose carrier never answered: hold (it ends unconfirmed, and is never sent twice) or
   * resend (it is sent again, and may arrive twice: for one-time codes).
   */
  unknownOutcome?: 'hold' | 'resend'
  /** Seconds within which its messages may be delivered, where they name none; null is four hours. (1 to 36000) */
  validityPeriod?: number | null
  /**
   * Address that gets the events of its messages that name none, and of what comes in to those of its senders
   * without one. (at most 2048 characters)
   */
  callbackUrl?: string | null
  /**
   * Seconds within which the same text is not sent to the same recipient again, by the times at which texts are to
   * be sent; 0 does not look. (0 to 86400)
   */
  duplicateWindow?: number
  /**
   * The single words that recipients may answer with, by language. The word decides the language of the answer;
   * STOP, START and HELP are understood in any case. Of a language in en, fr, de, es, it, pt what is left out is
   * filled in. (1 to 30 items)
   */
  keywords?: Array<{
    /** ISO 639-1 code, such as en. (matches `^[a-z]{2}$`) */
    language: string
    /** Lets nothing more be sent to the recipient. */
    stop?: {
      /** Words of letters and digits, each used once. (1 to 20 items) */
      words?: string[]
      /** What is answered; null answers nothing. (1 to 480 characters) */
      reply?: string | null
    }
    /** Lets a recipient who opted out be texted again. */
    start?: {
      /** Words of letters and digits, each used once. (1 to 20 items) */
      words?: string[]
      /** What is answered; null answers nothing. (1 to 480 characters) */
      reply?: string | null
    }
    /** Is answered, at most once in ten minutes, and does nothing else. */
    help?: {
      /** Words of letters and digits, each used once. (1 to 20 items) */
      words?: string[]
      /** What is answered; null answers nothing. (1 to 480 characters) */
      reply?: string | null
    }
  }>
}

/** What `messaging_services.create` returns. */
export type MessagingServicesCreateReply = MessagingService

/** What `messaging_services.get` takes. */
export type MessagingServicesGetParams = {
  /** Identifier of the messaging service. (matches `^msv_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  serviceId: string
}

/** What `messaging_services.get` returns. */
export type MessagingServicesGetReply = MessagingService

/** What `messaging_services.update` takes. */
export type MessagingServicesUpdateParams = {
  /** Identifier of the messaging service. (matches `^msv_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  serviceId: string
  /** A name of your own. (1 to 200 characters; matches `\S`) */
  name?: string
  /**
   * Ids of the numbers it sends from; a number belongs to one service at most. (at most 400 items; no item twice)
   */
  senders?: string[]
  /** Whether a recipient always hears from the same sender. */
  stickySender?: boolean
  /**
   * Whether look-alikes of characters outside the GSM alphabet (curly quotes, long dashes) are replaced, so that
   * texts need fewer segments.
   */
  smartEncoding?: boolean
  /**
   * What happens to a message whose carrier never answered: hold (it ends unconfirmed, and is never sent twice) or
   * resend (it is sent again, and may arrive twice: for one-time codes).
   */
  unknownOutcome?: 'hold' | 'resend'
  /** Seconds within which its messages may be delivered, where they name none; null is four hours. (1 to 36000) */
  validityPeriod?: number | null
  /**
   * Address that gets the events of its messages that name none, and of what comes in to those of its senders
   * without one. (at most 2048 characters)
   */
  callbackUrl?: string | null
  /**
   * Seconds within which the same text is not sent to the same recipient again, by the times at which texts are to
   * be sent; 0 does not look. (0 to 86400)
   */
  duplicateWindow?: number
  /**
   * The single words that recipients may answer with, by language. The word decides the language of the answer;
   * STOP, START and HELP are understood in any case. Of a language in en, fr, de, es, it, pt what is left out is
   * filled in. (1 to 30 items)
   */
  keywords?: Array<{
    /** ISO 639-1 code, such as en. (matches `^[a-z]{2}$`) */
    language: string
    /** Lets nothing more be sent to the recipient. */
    stop?: {
      /** Words of letters and digits, each used once. (1 to 20 items) */
      words?: string[]
      /** What is answered; null answers nothing. (1 to 480 characters) */
      reply?: string | null
    }
    /** Lets a recipient who opted out be texted again. */
    start?: {
      /** Words of letters and digits, each used once. (1 to 20 items) */
      words?: string[]
      /** What is answered; null answers nothing. (1 to 480 characters) */
      reply?: string | null
    }
    /** Is answered, at most once in ten minutes, and does nothing else. */
    help?: {
      /** Words of letters and digits, each used once. (1 to 20 items) */
      words?: string[]
      /** What is answered; null answers nothing. (1 to 480 characters) */
      reply?: string | null
    }
  }>
}

/** What `messaging_services.update` returns. */
export type MessagingServicesUpdateReply = MessagingService

/** What `messaging_services.delete` takes. */
export type MessagingServicesDeleteParams = {
  /** Identifier of the messaging service. (matches `^msv_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  serviceId: string
}

/** What `messaging_services.delete` returns. */
export type MessagingServicesDeleteReply = {
  /** What was deleted. */
  serviceId: string
  /** It is gone. */
  deleted: true
}

/** What `opt_outs.list` takes. */
export type OptOutsListParams = {
  /**
   * A messaging service (`msv_…`), or a sender of yours; one that belongs to a service means the service, for its
   * senders share their opt-outs. (1 to 100 characters)
   */
  scope?: string
  /** Only those of this recipient. (3 to 40 characters) */
  recipient?: string
  /** Records per page, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer, with the same filters. (at most 4000 characters) */
  cursor?: string
}

export type OptOutsListReply = CursorPage<OptOut>

/** What `opt_outs.create` takes. */
export type OptOutsCreateParams = {
  /**
   * A messaging service (`msv_…`), or a sender of yours; one that belongs to a service means the service, for its
   * senders share their opt-outs. (1 to 100 characters)
   */
  scope: string
  /** Who is not to be texted: a telephone number in any usual spelling, best E.164. (3 to 40 characters) */
  recipient: string
}

/** What `opt_outs.create` returns. */
export type OptOutsCreateReply = OptOut

/** What `opt_outs.delete` takes. */
export type OptOutsDeleteParams = {
  /** Identifier of the opt-out. (matches `^opt_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  optOutId: string
}

/** What `opt_outs.delete` returns. */
export type OptOutsDeleteReply = {
  /** What was deleted. */
  optOutId: string
  /** It is gone. */
  deleted: true
}

/** What `messages.test_inbound` takes. */
export type MessagesTestInboundParams = {
  /**
   * The phone it comes from: a telephone number in any usual spelling, best E.164; in the live mode one of the
   * simulator. (3 to 40 characters)
   */
  from: string
  /** The number or short code of yours that it goes to; in the test mode any will do. (1 to 40 characters) */
  to: string
  /** The text. (1 to 1600 characters) */
  body: string
}

/** What `messages.test_inbound` returns. */
export type MessagesTestInboundReply = MessagesListItem

/** What `carriers.create` takes. */
export type CarriersCreateParams = {
  /** Kind of carrier, as GET /v2/carriers/kinds lists them. */
  kind: 'smpp'
  /** For people. (1 to 200 characters; matches `\S`) */
  name: string
  /** Settings of the kind; what is left out is as its default says. */
  settings: {
    /**
     * The carrier's SMPP host: a name or an IP address. A private address must be allowed by the operator. (1 to 253
     * characters; matches `^[A-Za-z0-9.:_-]+$`)
     */
    host: string
    /** Usually 2775, with TLS often 3550. (1 to 65535; default 2775) */
    port?: number
    /** Encrypts the link with TLS. (default false) */
    tls?: boolean
    /** With TLS: refuses a server whose certificate is not valid for the host. (default true) */
    tlsVerify?: boolean
    /**
     * With TLS: certificates in PEM form to trust instead of the usual ones; null: the usual ones. (at most 20000
     * characters; matches `-----BEGIN CERTIFICATE-----`; default null)
     */
    tlsCa?: string | null
    /**
     * The account name (system_id), given by the carrier. SMPP allows 15 characters, some carriers more. (1 to 63
     * characters; matches `^[\x20-\x7e]*$`)
     */
    systemId: string
    /**
     * Stored sealed and never shown again. SMPP allows 8 characters, some carriers more. (1 to 63 characters;
     * matches `^[\x20-\x7e]*$`)
     */
    password: string
    /**
     * system_type; empty unless the carrier names one. (at most 12 characters; matches `^[\x20-\x7e]*$`; default "")
     */
    systemType?: string
    /**
     * transceiver: each link sends and receives. transmitter_receiver: two links in its place, one to send and one
     * to receive. (default "transceiver")
     */
    bindType?: 'transceiver' | 'transmitter_receiver'
    /**
     * How many links to hold, as many as the carrier allows; with transmitter_receiver as many pairs. (1 to 8;
     * default 1)
     */
    binds?: number
    /** The version said when binding; what is sent is SMPP 3.4. (default "3.4") */
    interfaceVersion?: '3.3' | '3.4' | '5.0'
    /**
     * address_range: which recipients a receiving link serves; empty for all of the account. (at most 40 characters;
     * matches `^[\x20-\x7e]*$`; default "")
     */
    addressRange?: string
    /** addr_ton said when binding. (0 to 255; default 0) */
    addressRangeTon?: number
    /** addr_npi said when binding. (0 to 255; default 0) */
    addressRangeNpi?: number
    /**
     * What the carrier takes over all links together. A message of several segments goes out whole. While the
     * carrier says it is throttling, the rate is halved and then raised again step by step. (0.1 to 100000; default
     * 10)
     */
    segmentsPerSecond?: number
    /** How many segments may be without an answer on each link. (1 to 1000; default 10) */
    windowSize?: number
    /**
     * Seconds to wait for the answer to a segment. One that stays away leaves the outcome unknown: the message is
     * not sent again blindly. (1 to 30; default 30)
     */
    responseTimeoutSeconds?: number
    /**
     * After so many quiet seconds an enquire_link is sent; two without an answer end the link. (5 to 600; default
     * 30)
     */
    enquireLinkSeconds?: number
    /**
     * What data_coding 0 means at this carrier: GSM 03.38 (one character a byte), Latin-1 or ASCII. (default "gsm7")
     */
    defaultAlphabet?: 'gsm7' | 'latin1' | 'ascii'
    /**
     * How texts of the GSM alphabet are sent: in the default alphabet (data_coding 0), as Latin-1 (3) or as ASCII
     * (1). A text with a character that the coding lacks goes as UCS-2 (8) where that takes no more segments,
     * otherwise it is refused. (default "default")
     */
    textCoding?: 'default' | 'latin1' | 'ascii'
    /**
     * How the parts of a long message are joined: by a header with an 8-bit or 16-bit reference, by SAR parameters,
     * or sent undivided as message_payload, which the carrier divides. (default "udh8")
     */
    longMessages?: 'udh8' | 'udh16' | 'sar' | 'message_payload'
    /**
     * How the time a message stays valid is sent to the carrier; none leaves it to the carrier. (default "relative")
     */
    validityPeriod?: 'relative' | 'absolute' | 'none'
    /**
     * service_type; empty for the default of the carrier. (at most 5 characters; matches `^[\x20-\x7e]*$`; default
     * "")
     */
    serviceType?: string
    /** Sends international numbers with their leading +; most carriers want them without. (default false) */
    plusSign?: boolean
    /** source_addr_ton where the sender is an international number. (0 to 255; default 1) */
    numberTon?: number
    /** source_addr_npi where the sender is an international number. (0 to 255; default 1) */
    numberNpi?: number
    /** source_addr_ton where the sender is a name. (0 to 255; default 5) */
    alphanumericTon?: number
    /** source_addr_npi where the sender is a name. (0 to 255; default 0) */
    alphanumericNpi?: number
    /** source_addr_ton where the sender is a short code. (0 to 255; default 3) */
    shortCodeTon?: number
    /** source_addr_npi where the sender is a short code. (0 to 255; default 0) */
    shortCodeNpi?: number
    /** dest_addr_ton. (0 to 255; default 1) */
    destinationTon?: number
    /** dest_addr_npi. (0 to 255; default 1) */
    destinationNpi?: number
    /**
     * How to read numbers that come in without a country code; null: they are read as international numbers.
     * (matches `^[A-Z]{2}$`; default null)
     */
    defaultCountry?: string | null
    /**
     * Which receipts to ask for. A message without one becomes unconfirmed after the time below, so anything but all
     * leaves delivered messages unconfirmed. (default "all")
     */
    receipts?: 'all' | 'failures' | 'none'
    /**
     * How the id in a receipt is spelled: like in the answer (same), like there but for capitals (ignore_case), in
     * hexadecimal where the answer's is decimal, or the other way round. Leading zeros and blanks around an id never
     * matter; capitals do with same, for many carriers number in letters of both kinds. An id of zeros only is none.
     * (default "same")
     */
    receiptIds?: 'same' | 'ignore_case' | 'hex_in_receipt' | 'decimal_in_receipt'
    /**
     * Whether a message that the carrier does not mark as a receipt (esm_class 0) is one where its text has the
     * whole form of one: id, submit date, done date, stat. Anyone who texts your numbers can write such a text too,
     * so switch it on only for a carrier that cannot mark them. (default false)
     */
    plainReceipts?: boolean
    /**
     * Hours after which an accepted message without a receipt is unconfirmed. A later one still counts. (1 to 168;
     * default 72)
     */
    receiptTimeoutHours?: number
    /**
     * Minutes that the times in receipts are ahead of UTC; 60 for Central European winter time. Receipts name no
     * zone. (-840 to 840; default 0)
     */
    clockOffsetMinutes?: number
    /** What refusals of this carrier mean where it differs from SMPP 3.4. (at most 100 items; default []) */
    statuses?: Array<{
      /** The command_status of the answer, in hexadecimal. (matches `^0x[0-9a-fA-F]{1,8}$`) */
      status: string
      /** retry: it was not taken and is handed over again later. refuse: trying again cannot help. */
      outcome: 'retry' | 'refuse'
      /** With refuse: the code the message fails with; message_rejected when left out. */
      code?: 'message_rejected' | 'carrier_rejected_sender' | 'unknown_subscriber' | 'landline_or_unsupported' | 'blocked_by_carrier' | 'filtered_as_spam' | 'handset_unreachable' | 'validity_expired' | 'carrier_unknown_error'
      /** With retry: how long to wait; 30 when left out. (1 to 3600) */
      retryAfterSeconds?: number
    }>
  }
  /**
   * Where the carrier takes messages to. Left out: to every destination, with priority 10 and cost 0. (at most 1000
   * items)
   */
  routes?: Array<{
    /**
     * Beginning of the recipient, such as +49; empty for every destination. The longest that fits counts. (matches
     * `^(?:\+(?:[1-9]\d{0,14})?)?$`)
     */
    prefix: string
    /**
     * Of carriers with prefixes of the same length, the one with the lower number goes first. (1 to 1000; default
     * 10)
     */
    priority: number
    /**
     * Of one segment, in the currency of the carrier. With the same priority the cheaper carrier goes first.
     * (matches `^\d{1,6}(?:\.\d{1,6})?$`; default "0")
     */
    cost: string
  }>
  /** Currency of the costs; the organization's when left out. (matches `^[A-Z]{3}$`) */
  currency?: string
  /**
   * Whether links are held and messages go this way. What waits for a carrier that is switched off takes another
   * way. (default true)
   */
  enabled?: boolean
}

/** What `carriers.create` returns. */
export type CarriersCreateReply = Carrier

/** What `carriers.list` takes. */
export type CarriersListParams = {
  /** Only carriers that are switched on (true) or off (false). */
  enabled?: boolean
  /** Records per page, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer, with the same filters. (at most 4000 characters) */
  cursor?: string
}

export type CarriersListReply = CursorPage<Carrier>

/** What `carriers.kinds` returns. */
export type CarriersKindsReply = {
  kinds: Array<{
    kind: string
    title: string
    description: string
    /**
     * JSON Schema of the settings. x-group is the heading a field stands under; a field with x-secret is never shown
     * again.
     */
    settings: Record<string, unknown>
  }>
}

/** What `carriers.get` takes. */
export type CarriersGetParams = {
  /** Identifier of the carrier. (matches `^car_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  carrierId: string
}

/** What `carriers.get` returns. */
export type CarriersGetReply = Carrier

/** What `carriers.update` takes. */
export type CarriersUpdateParams = {
  /** Identifier of the carrier. (matches `^car_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  carrierId: string
  /** For people. (1 to 200 characters; matches `\S`) */
  name?: string
  /** Settings to change; those left out stay, also secrets. */
  settings?: {
    /**
     * The carrier's SMPP host: a name or an IP address. A private address must be allowed by the operator. (1 to 253
     * characters; matches `^[A-Za-z0-9.:_-]+$`)
     */
    host?: string
    /** Usually 2775, with TLS often 3550. (1 to 65535) */
    port?: number
    /** Encrypts the link with TLS. */
    tls?: boolean
    /** With TLS: refuses a server whose certificate is not valid for the host. */
    tlsVerify?: boolean
    /**
     * With TLS: certificates in PEM form to trust instead of the usual ones; null: the usual ones. (at most 20000
     * characters; matches `-----BEGIN CERTIFICATE-----`)
     */
    tlsCa?: string | null
    /**
     * The account name (system_id), given by the carrier. SMPP allows 15 characters, some carriers more. (1 to 63
     * characters; matches `^[\x20-\x7e]*$`)
     */
    systemId?: string
    /**
     * Stored sealed and never shown again. SMPP allows 8 characters, some carriers more. (1 to 63 characters;
     * matches `^[\x20-\x7e]*$`)
     */
    password?: string
    /** system_type; empty unless the carrier names one. (at most 12 characters; matches `^[\x20-\x7e]*$`) */
    systemType?: string
    /**
     * transceiver: each link sends and receives. transmitter_receiver: two links in its place, one to send and one
     * to receive.
     */
    bindType?: 'transceiver' | 'transmitter_receiver'
    /** How many links to hold, as many as the carrier allows; with transmitter_receiver as many pairs. (1 to 8) */
    binds?: number
    /** The version said when binding; what is sent is SMPP 3.4. */
    interfaceVersion?: '3.3' | '3.4' | '5.0'
    /**
     * address_range: which recipients a receiving link serves; empty for all of the account. (at most 40 characters;
     * matches `^[\x20-\x7e]*$`)
     */
    addressRange?: string
    /** addr_ton said when binding. (0 to 255) */
    addressRangeTon?: number
    /** addr_npi said when binding. (0 to 255) */
    addressRangeNpi?: number
    /**
     * What the carrier takes over all links together. A message of several segments goes out whole. While the
     * carrier says it is throttling, the rate is halved and then raised again step by step. (0.1 to 100000)
     */
    segmentsPerSecond?: number
    /** How many segments may be without an answer on each link. (1 to 1000) */
    windowSize?: number
    /**
     * Seconds to wait for the answer to a segment. One that stays away leaves the outcome unknown: the message is
     * not sent again blindly. (1 to 30)
     */
    responseTimeoutSeconds?: number
    /** After so many quiet seconds an enquire_link is sent; two without an answer end the link. (5 to 600) */
    enquireLinkSeconds?: number
    /** What data_coding 0 means at this carrier: GSM 03.38 (one character a byte), Latin-1 or ASCII. */
    defaultAlphabet?: 'gsm7' | 'latin1' | 'ascii'
    /**
     * How texts of the GSM alphabet are sent: in the default alphabet (data_coding 0), as Latin-1 (3) or as ASCII
     * (1). A text with a character that the coding lacks goes as UCS-2 (8) where that takes no more segments,
     * otherwise it is refused.
     */
    textCoding?: 'default' | 'latin1' | 'ascii'
    /**
     * How the parts of a long message are joined: by a header with an 8-bit or 16-bit reference, by SAR parameters,
     * or sent undivided as message_payload, which the carrier divides.
     */
    longMessages?: 'udh8' | 'udh16' | 'sar' | 'message_payload'
    /** How the time a message stays valid is sent to the carrier; none leaves it to the carrier. */
    validityPeriod?: 'relative' | 'absolute' | 'none'
    /** service_type; empty for the default of the carrier. (at most 5 characters; matches `^[\x20-\x7e]*$`) */
    serviceType?: string
    /** Sends international numbers with their leading +; most carriers want them without. */
    plusSign?: boolean
    /** source_addr_ton where the sender is an international number. (0 to 255) */
    numberTon?: number
    /** source_addr_npi where the sender is an international number. (0 to 255) */
    numberNpi?: number
    /** source_addr_ton where the sender is a name. (0 to 255) */
    alphanumericTon?: number
    /** source_addr_npi where the sender is a name. (0 to 255) */
    alphanumericNpi?: number
    /** source_addr_ton where the sender is a short code. (0 to 255) */
    shortCodeTon?: number
    /** source_addr_npi where the sender is a short code. (0 to 255) */
    shortCodeNpi?: number
    /** dest_addr_ton. (0 to 255) */
    destinationTon?: number
    /** dest_addr_npi. (0 to 255) */
    destinationNpi?: number
    /**
     * How to read numbers that come in without a country code; null: they are read as international numbers.
     * (matches `^[A-Z]{2}$`)
     */
    defaultCountry?: string | null
    /**
     * Which receipts to ask for. A message without one becomes unconfirmed after the time below, so anything but all
     * leaves delivered messages unconfirmed.
     */
    receipts?: 'all' | 'failures' | 'none'
    /**
     * How the id in a receipt is spelled: like in the answer (same), like there but for capitals (ignore_case), in
     * hexadecimal where the answer's is decimal, or the other way round. Leading zeros and blanks around an id never
     * matter; capitals do with same, for many carriers number in letters of both kinds. An id of zeros only is none.
     */
    receiptIds?: 'same' | 'ignore_case' | 'hex_in_receipt' | 'decimal_in_receipt'
    /**
     * Whether a message that the carrier does not mark as a receipt (esm_class 0) is one where its text has the
     * whole form of one: id, submit date, done date, stat. Anyone who texts your numbers can write such a text too,
     * so switch it on only for a carrier that cannot mark them.
     */
    plainReceipts?: boolean
    /**
     * Hours after which an accepted message without a receipt is unconfirmed. A later one still counts. (1 to 168)
     */
    receiptTimeoutHours?: number
    /**
     * Minutes that the times in receipts are ahead of UTC; 60 for Central European winter time. Receipts name no
     * zone. (-840 to 840)
     */
    clockOffsetMinutes?: number
    /** What refusals of this carrier mean where it differs from SMPP 3.4. (at most 100 items) */
    statuses?: Array<{
      /** The command_status of the answer, in hexadecimal. (matches `^0x[0-9a-fA-F]{1,8}$`) */
      status: string
      /** retry: it was not taken and is handed over again later. refuse: trying again cannot help. */
      outcome: 'retry' | 'refuse'
      /** With refuse: the code the message fails with; message_rejected when left out. */
      code?: 'message_rejected' | 'carrier_rejected_sender' | 'unknown_subscriber' | 'landline_or_unsupported' | 'blocked_by_carrier' | 'filtered_as_spam' | 'handset_unreachable' | 'validity_expired' | 'carrier_unknown_error'
      /** With retry: how long to wait; 30 when left out. (1 to 3600) */
      retryAfterSeconds?: number
    }>
  }
  /** Where the carrier takes messages to. (at most 1000 items) */
  routes?: Array<{
    /**
     * Beginning of the recipient, such as +49; empty for every destination. The longest that fits counts. (matches
     * `^(?:\+(?:[1-9]\d{0,14})?)?$`)
     */
    prefix: string
    /**
     * Of carriers with prefixes of the same length, the one with the lower number goes first. (1 to 1000; default
     * 10)
     */
    priority: number
    /**
     * Of one segment, in the currency of the carrier. With the same priority the cheaper carrier goes first.
     * (matches `^\d{1,6}(?:\.\d{1,6})?$`; default "0")
     */
    cost: string
  }>
  /** Currency of the costs. (matches `^[A-Z]{3}$`) */
  currency?: string
  /**
   * Whether links are held and messages go this way. What waits for a carrier that is switched off takes another
   * way.
   */
  enabled?: boolean
}

/** What `carriers.update` returns. */
export type CarriersUpdateReply = Carrier

/** What `carriers.delete` takes. */
export type CarriersDeleteParams = {
  /** Identifier of the carrier. (matches `^car_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  carrierId: string
}

/** What `carriers.delete` returns. */
export type CarriersDeleteReply = {
  /** What was deleted. */
  carrierId: string
  /** It is gone. */
  deleted: true
}

/** What `carriers.test` takes. */
export type CarriersTestParams = {
  /** Identifier of the carrier. (matches `^car_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  carrierId: string
  /** Settings to change; those left out stay, also secrets. */
  settings?: {
    /**
     * The carrier's SMPP host: a name or an IP address. A private address must be allowed by the operator. (1 to 253
     * characters; matches `^[A-Za-z0-9.:_-]+$`)
     */
    host?: string
    /** Usually 2775, with TLS often 3550. (1 to 65535) */
    port?: number
    /** Encrypts the link with TLS. */
    tls?: boolean
    /** With TLS: refuses a server whose certificate is not valid for the host. */
    tlsVerify?: boolean
    /**
     * With TLS: certificates in PEM form to trust instead of the usual ones; null: the usual ones. (at most 20000
     * characters; matches `-----BEGIN CERTIFICATE-----`)
     */
    tlsCa?: string | null
    /**
     * The account name (system_id), given by the carrier. SMPP allows 15 characters, some carriers more. (1 to 63
     * characters; matches `^[\x20-\x7e]*$`)
     */
    systemId?: string
    /**
     * Stored sealed and never shown again. SMPP allows 8 characters, some carriers more. (1 to 63 characters;
     * matches `^[\x20-\x7e]*$`)
     */
    password?: string
    /** system_type; empty unless the carrier names one. (at most 12 characters; matches `^[\x20-\x7e]*$`) */
    systemType?: string
    /**
     * transceiver: each link sends and receives. transmitter_receiver: two links in its place, one to send and one
     * to receive.
     */
    bindType?: 'transceiver' | 'transmitter_receiver'
    /** How many links to hold, as many as the carrier allows; with transmitter_receiver as many pairs. (1 to 8) */
    binds?: number
    /** The version said when binding; what is sent is SMPP 3.4. */
    interfaceVersion?: '3.3' | '3.4' | '5.0'
    /**
     * address_range: which recipients a receiving link serves; empty for all of the account. (at most 40 characters;
     * matches `^[\x20-\x7e]*$`)
     */
    addressRange?: string
    /** addr_ton said when binding. (0 to 255) */
    addressRangeTon?: number
    /** addr_npi said when binding. (0 to 255) */
    addressRangeNpi?: number
    /**
     * What the carrier takes over all links together. A message of several segments goes out whole. While the
     * carrier says it is throttling, the rate is halved and then raised again step by step. (0.1 to 100000)
     */
    segmentsPerSecond?: number
    /** How many segments may be without an answer on each link. (1 to 1000) */
    windowSize?: number
    /**
     * Seconds to wait for the answer to a segment. One that stays away leaves the outcome unknown: the message is
     * not sent again blindly. (1 to 30)
     */
    responseTimeoutSeconds?: number
    /** After so many quiet seconds an enquire_link is sent; two without an answer end the link. (5 to 600) */
    enquireLinkSeconds?: number
    /** What data_coding 0 means at this carrier: GSM 03.38 (one character a byte), Latin-1 or ASCII. */
    defaultAlphabet?: 'gsm7' | 'latin1' | 'ascii'
    /**
     * How texts of the GSM alphabet are sent: in the default alphabet (data_coding 0), as Latin-1 (3) or as ASCII
     * (1). A text with a character that the coding lacks goes as UCS-2 (8) where that takes no more segments,
     * otherwise it is refused.
     */
    textCoding?: 'default' | 'latin1' | 'ascii'
    /**
     * How the parts of a long message are joined: by a header with an 8-bit or 16-bit reference, by SAR parameters,
     * or sent undivided as message_payload, which the carrier divides.
     */
    longMessages?: 'udh8' | 'udh16' | 'sar' | 'message_payload'
    /** How the time a message stays valid is sent to the carrier; none leaves it to the carrier. */
    validityPeriod?: 'relative' | 'absolute' | 'none'
    /** service_type; empty for the default of the carrier. (at most 5 characters; matches `^[\x20-\x7e]*$`) */
    serviceType?: string
    /** Sends international numbers with their leading +; most carriers want them without. */
    plusSign?: boolean
    /** source_addr_ton where the sender is an international number. (0 to 255) */
    numberTon?: number
    /** source_addr_npi where the sender is an international number. (0 to 255) */
    numberNpi?: number
    /** source_addr_ton where the sender is a name. (0 to 255) */
    alphanumericTon?: number
    /** source_addr_npi where the sender is a name. (0 to 255) */
    alphanumericNpi?: number
    /** source_addr_ton where the sender is a short code. (0 to 255) */
    shortCodeTon?: number
    /** source_addr_npi where the sender is a short code. (0 to 255) */
    shortCodeNpi?: number
    /** dest_addr_ton. (0 to 255) */
    destinationTon?: number
    /** dest_addr_npi. (0 to 255) */
    destinationNpi?: number
    /**
     * How to read numbers that come in without a country code; null: they are read as international numbers.
     * (matches `^[A-Z]{2}$`)
     */
    defaultCountry?: string | null
    /**
     * Which receipts to ask for. A message without one becomes unconfirmed after the time below, so anything but all
     * leaves delivered messages unconfirmed.
     */
    receipts?: 'all' | 'failures' | 'none'
    /**
     * How the id in a receipt is spelled: like in the answer (same), like there but for capitals (ignore_case), in
     * hexadecimal where the answer's is decimal, or the other way round. Leading zeros and blanks around an id never
     * matter; capitals do with same, for many carriers number in letters of both kinds. An id of zeros only is none.
     */
    receiptIds?: 'same' | 'ignore_case' | 'hex_in_receipt' | 'decimal_in_receipt'
    /**
     * Whether a message that the carrier does not mark as a receipt (esm_class 0) is one where its text has the
     * whole form of one: id, submit date, done date, stat. Anyone who texts your numbers can write such a text too,
     * so switch it on only for a carrier that cannot mark them.
     */
    plainReceipts?: boolean
    /**
     * Hours after which an accepted message without a receipt is unconfirmed. A later one still counts. (1 to 168)
     */
    receiptTimeoutHours?: number
    /**
     * Minutes that the times in receipts are ahead of UTC; 60 for Central European winter time. Receipts name no
     * zone. (-840 to 840)
     */
    clockOffsetMinutes?: number
    /** What refusals of this carrier mean where it differs from SMPP 3.4. (at most 100 items) */
    statuses?: Array<{
      /** The command_status of the answer, in hexadecimal. (matches `^0x[0-9a-fA-F]{1,8}$`) */
      status: string
      /** retry: it was not taken and is handed over again later. refuse: trying again cannot help. */
      outcome: 'retry' | 'refuse'
      /** With refuse: the code the message fails with; message_rejected when left out. */
      code?: 'message_rejected' | 'carrier_rejected_sender' | 'unknown_subscriber' | 'landline_or_unsupported' | 'blocked_by_carrier' | 'filtered_as_spam' | 'handset_unreachable' | 'validity_expired' | 'carrier_unknown_error'
      /** With retry: how long to wait; 30 when left out. (1 to 3600) */
      retryAfterSeconds?: number
    }>
  }
  /** A recipient to find the carriers for. (3 to 40 characters) */
  to?: string
  /** False opens no link and answers no steps: only the way is answered. (default true) */
  bind?: boolean
}

/** What `carriers.test` returns. */
export type CarriersTestReply = {
  /** Whether every step went well. */
  ok: boolean
  /** In their order; the last one is the one that failed, when one did. */
  steps: Array<{
    step: 'resolve' | 'connect' | 'tls' | 'bind' | 'enquire_link' | 'unbind'
    ok: boolean
    /** Milliseconds it took. */
    durationMs: number
    /** What happened and, when it failed, what to do. */
    message: string
    pdus: Array<{
      direction: 'sent' | 'received'
      /** The protocol unit in readable form, without secrets. */
      text: string
    }>
  }>
  /** Which way a message to that number would take, first choice first. */
  routing: Array<{
    carrierId: string
    name: string
    /** From 1, the order in which carriers are tried; null: not at all. */
    position: number | null
    /** The route that fits; null when none does. */
    prefix: string | null
    priority: number | null
    cost: string | null
    state: 'up' | 'degraded' | 'throttled' | 'connecting' | 'down' | 'disabled'
    /** Why it stands where it stands. */
    reason: string
  }> | null
}

/** What `mails.list` takes. */
export type MailsListParams = {
  /** Only mails in this state. */
  state?: 'queued' | 'sending' | 'sent' | 'delivered' | 'bounced' | 'complained' | 'suppressed' | 'canceled' | 'expired' | 'failed' | 'unconfirmed'
  /** Only mails of this sort. */
  stream?: 'security' | 'transactional' | 'conversation' | 'marketing'
  /** Only mails to this address, copies included. (3 to 254 characters) */
  to?: string
  /** Only mails that were written to this lead (`lead:17`) or contact (`con_…`). (3 to 60 characters) */
  recordId?: string
  /** Only mails made of the template with this key. (1 to 100 characters) */
  template?: string
  /** Records per page, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer, with the same filters. (at most 4000 characters) */
  cursor?: string
}

export type MailsListReply = CursorPage<MailsListItem>

/** What `mails.create` takes. */
export type MailsCreateParams = {
  /** Who gets it. (1 to 50 items) */
  to: Array<{
    /**
     * E-mail address, of letters of any script (RFC 6531); blanks around it are dropped. (at most 254 characters)
     */
    address: string
    /** As it stands beside the address. (at most 200 characters) */
    name?: string | null
  }>
  /** Who gets a copy that all see. (at most 50 items) */
  cc?: Array<{
    /**
     * E-mail address, of letters of any script (RFC 6531); blanks around it are dropped. (at most 254 characters)
     */
    address: string
    /** As it stands beside the address. (at most 200 characters) */
    name?: string | null
  }>
  /** Who gets a copy that nobody else sees. (at most 50 items) */
  bcc?: Array<{
    /**
     * E-mail address, of letters of any script (RFC 6531); blanks around it are dropped. (at most 254 characters)
     */
    address: string
    /** As it stands beside the address. (at most 200 characters) */
    name?: string | null
  }>
  /** Needed without a template. (1 to 998 characters; matches `\S`) */
  subject?: string
  /** Needed without a template. (at most 1000000 characters) */
  text?: string
  /** Made of the text when left out: paragraphs, and addresses as links. (at most 2000000 characters) */
  html?: string
  /** Key of a template, instead of subject, text and html. (1 to 100 characters) */
  template?: string
  /** Values for the template. */
  data?: Record<string, unknown>
  /** BCP 47: `de-AT`. (at most 35 characters; matches `^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$`) */
  locale?: string
  /** Of what sort it is; transactional when left out. Marketing can be unsubscribed from with one click. */
  stream?: 'transactional' | 'conversation' | 'marketing'
  /** Who it is from; the sender of its sort when left out. (at most 100 characters) */
  senderId?: string
  /** Where answers go. (at most 254 characters) */
  replyTo?: string | null
  /**
   * The lead (`lead:17`) or contact (`con_…`) that it is written to: it stands on the timeline there. (3 to 60
   * characters)
   */
  recordId?: string
  /**
   * The mail that came in and is answered, `inm_…`: mail programs show both as one conversation. (5 to 60
   * characters)
   */
  answersInboundId?: string
  /** When it is sent; at most 30 days ahead. At once when left out. */
  scheduledAt?: string
  /**
   * A second mail with the same key is not sent, however much later: the first one is answered. (1 to 200
   * characters)
   */
  dedupeKey?: string
  /** Files that go with it; with the words at most 10 MB. (at most 20 items) */
  attachments?: Array<{
    /** Without a path. (1 to 200 characters; matches `^[^\x00-\x1f\x7f-\x9f/\\]+$`) */
    fileName: string
    /**
     * Such as application/pdf. (at most 100 characters; matches
     * `^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$`)
     */
    mediaType: string
    /** In base64. (matches `^[A-Za-z0-9+/]*={0,2}$`) */
    content: string
  }>
}

/** What `mails.create` returns. */
export type MailsCreateReply = MailsListItem

/** What `mails.get` takes. */
export type MailsGetParams = {
  /** Identifier of the mail. (matches `^mail_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  mailId: string
}

/** What `mails.get` returns. */
export type MailsGetReply = Mail

/** What `mails.cancel` takes. */
export type MailsCancelParams = {
  /** Identifier of the mail. (matches `^mail_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  mailId: string
}

/** What `mails.cancel` returns. */
export type MailsCancelReply = MailsListItem

/** What `mails.retry` takes. */
export type MailsRetryParams = {
  /** Identifier of the mail. (matches `^mail_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  mailId: string
}

/** What `mails.retry` returns. */
export type MailsRetryReply = MailsListItem

/** What `inbound_mails.list` takes. */
export type InboundMailsListParams = {
  /** Only mails in this state. */
  state?: 'matched' | 'unmatched' | 'ignored'
  /** Only mails of this lead (`lead:17`) or contact (`con_…`). (3 to 60 characters) */
  recordId?: string
  /** Only mails that this mailbox brought. (5 to 60 characters) */
  mailboxId?: string
  /** Records per page, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer, with the same filters. (at most 4000 characters) */
  cursor?: string
}

export type InboundMailsListReply = CursorPage<InboundMailsListItem>

/** What `inbound_mails.take` takes. */
export type InboundMailsTakeParams = {
  /** The address it arrived for, from its envelope; read from its headers when left out. (at most 254 characters) */
  recipient?: string
  /**
   * Name of the server whose Authentication-Results (RFC 8601) are believed, such as mx.example.com. Left out, DKIM
   * and DMARC are looked up here. (at most 253 characters; matches `^[^\s;]+$`)
   */
  authservId?: string
  /** The mail with all its headers (RFC 5322), up to 25 MiB. */
  file: Blob | string
}

/** What `inbound_mails.take` returns. */
export type InboundMailsTakeReply = {
  /**
   * mail: it is stored. delivery: a report that says whether a mail arrived. complaint: a recipient called one
   * unwanted. Reports are not kept.
   */
  kind: 'mail' | 'delivery' | 'complaint'
  /**
   * The mail as it is stored: once, or once for each mail that it answers. As it was stored before, where it was
   * handed in before.
   */
  received: InboundMailsAssignInboundMail[]
  /** The mail that a report is about; null where it is none of this tenant. */
  mailId: string | null
  /** Whom a report changed something for; nobody when it was handed in before. */
  recipients: Array<{
    address: string
    outcome: 'delivered' | 'bounced' | 'complained'
    /** Enhanced status code (RFC 3463), such as 5.1.1. */
    status: string | null
    /** Whether the address gets no more mail because of it. */
    isSuppressed: boolean
  }>
}

/** What `inbound_mails.addresses` returns. */
export type InboundMailsAddressesReply = {
  /** TANDEM_MAIL_DOMAIN; null where the operator set none. */
  domain: string | null
  /** Whether mail is taken in over SMTP (TANDEM_MAIL_PORT). */
  isListening: boolean
  /** Whether it is taken in encrypted where the sender can. */
  hasTls: boolean
  /** Forward a shared mailbox here: what comes is matched, or waits in the tray. */
  inboxAddress: string | null
  /**
   * Yours alone: a blind copy of what you send to a lead or contact puts it on the timeline. Null for keys of
   * nobody.
   */
  copyAddress: string | null
  /** Rows for the DNS, to be copied as they are. */
  records: Array<{
    type: 'MX'
    name: string
    value: string
  }>
}

/** What `inbound_mails.get` takes. */
export type InboundMailsGetParams = {
  /** Identifier of the mail. (matches `^inm_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  inboundId: string
}

/** What `inbound_mails.get` returns. */
export type InboundMailsGetReply = InboundMail

/** What `inbound_mails.attachment` takes. */
export type InboundMailsAttachmentParams = {
  /** Identifier of the mail. (matches `^inm_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  inboundId: string
  /** Its number in the mail, from 1. (1 to 1000) */
  number: number
}

/** The file that `inbound_mails.attachment` returns. */
export type InboundMailsAttachmentReply = Blob

/** What `inbound_mails.source` takes. */
export type InboundMailsSourceParams = {
  /** Identifier of the mail. (matches `^inm_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  inboundId: string
}

/** The file that `inbound_mails.source` returns. */
export type InboundMailsSourceReply = Blob

/** What `inbound_mails.assign` takes. */
export type InboundMailsAssignParams = {
  /** Identifier of the mail. (matches `^inm_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  inboundId: string
  /** The lead (`lead:17`) or contact (`con_…`). (3 to 60 characters) */
  recordId: string
}

/** What `inbound_mails.assign` returns. */
export type InboundMailsAssignReply = InboundMailsAssignInboundMail

/** What `inbound_mails.ignore` takes. */
export type InboundMailsIgnoreParams = {
  /** Identifier of the mail. (matches `^inm_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  inboundId: string
}

/** What `inbound_mails.ignore` returns. */
export type InboundMailsIgnoreReply = InboundMailsAssignInboundMail

/** What `mail_templates.list` takes. */
export type MailTemplatesListParams = {
  /** Only words for this key. (1 to 100 characters) */
  key?: string
  /** Records per page, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer, with the same filters. (at most 4000 characters) */
  cursor?: string
}

export type MailTemplatesListReply = CursorPage<MailTemplate>

/** What `mail_templates.create` takes. */
export type MailTemplatesCreateParams = {
  /**
   * Of a template of the server, whose words these replace, or a new one for POST /v2/mails. (at most 100
   * characters; matches `^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$`)
   */
  key: string
  /**
   * BCP 47: `de` or `de-AT`; empty or left out for all that have no words of their own. (at most 35 characters;
   * matches `^([A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*)?$`)
   */
  locale?: string
  /** Liquid, one line. (1 to 998 characters; matches `\S`) */
  subject: string
  /** The mail as plain text, in Liquid. (1 to 100000 characters) */
  text: string
  /**
   * The same as HTML, in Liquid: a part of a page, or a whole document. Null makes it of the text. Values are
   * escaped. (at most 100000 characters)
   */
  html?: string | null
}

/** What `mail_templates.create` returns. */
export type MailTemplatesCreateReply = MailTemplate

/** What `mail_templates.built_in` returns. */
export type MailTemplatesBuiltInReply = {
  /** By key. */
  templates: Array<{
    /** Under which own words replace it. */
    key: string
    /** What it is for, and when it is sent. */
    about: string
    /** Of what sort its mails are. */
    stream: 'security' | 'transactional' | 'conversation' | 'marketing'
    subject: string
    text: string
    /** Null where it is made of the text. */
    html: string | null
    /** Values as it gets them, for previews. */
    sample: Record<string, unknown>
  }>
}

/** What `mail_templates.preview` takes. */
export type MailTemplatesPreviewParams = {
  /**
   * Of a template of the server, whose words these replace, or a new one for POST /v2/mails. (at most 100
   * characters; matches `^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$`)
   */
  key?: string
  /** Liquid, one line. (1 to 998 characters; matches `\S`) */
  subject: string
  /** The mail as plain text, in Liquid. (1 to 100000 characters) */
  text: string
  /**
   * The same as HTML, in Liquid: a part of a page, or a whole document. Null makes it of the text. Values are
   * escaped. (at most 100000 characters)
   */
  html?: string | null
  /** Values. */
  data?: Record<string, unknown>
}

/** What `mail_templates.preview` returns. */
export type MailTemplatesPreviewReply = {
  subject: string
  text: string
  html: string
}

/** What `mail_templates.get` takes. */
export type MailTemplatesGetParams = {
  /** Identifier of the mail template. (matches `^mtp_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  templateId: string
}

/** What `mail_templates.get` returns. */
export type MailTemplatesGetReply = MailTemplate

/** What `mail_templates.update` takes. */
export type MailTemplatesUpdateParams = {
  /** Identifier of the mail template. (matches `^mtp_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  templateId: string
  /** Liquid, one line. (1 to 998 characters; matches `\S`) */
  subject?: string
  /** The mail as plain text, in Liquid. (1 to 100000 characters) */
  text?: string
  /**
   * The same as HTML, in Liquid: a part of a page, or a whole document. Null makes it of the text. Values are
   * escaped. (at most 100000 characters)
   */
  html?: string | null
}

/** What `mail_templates.update` returns. */
export type MailTemplatesUpdateReply = MailTemplate

/** What `mail_templates.delete` takes. */
export type MailTemplatesDeleteParams = {
  /** Identifier of the mail template. (matches `^mtp_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  templateId: string
}

/** What `mail_templates.delete` returns. */
export type MailTemplatesDeleteReply = {
  /** What was deleted. */
  templateId: string
  /** It is gone. */
  deleted: true
}

/** What `mail_suppressions.list` takes. */
export type MailSuppressionsListParams = {
  /** Only this address. (3 to 254 characters) */
  address?: string
  /** Only those for this reason. */
  reason?: 'hard_bounce' | 'complaint' | 'unsubscribe' | 'manual'
  /** Records per page, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer, with the same filters. (at most 4000 characters) */
  cursor?: string
}

export type MailSuppressionsListReply = CursorPage<MailSuppression>

/** What `mail_suppressions.create` takes. */
export type MailSuppressionsCreateParams = {
  /** E-mail address, of letters of any script (RFC 6531); blanks around it are dropped. (at most 254 characters) */
  address: string
  /** Only mails of this sort; all when left out. */
  stream?: 'security' | 'transactional' | 'conversation' | 'marketing'
  /** Why, in your words. (1 to 500 characters) */
  note?: string
}

/** What `mail_suppressions.create` returns. */
export type MailSuppressionsCreateReply = MailSuppression

/** What `mail_suppressions.delete` takes. */
export type MailSuppressionsDeleteParams = {
  /** Identifier of the mail suppression. (matches `^sup_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  suppressionId: string
}

/** What `mail_suppressions.delete` returns. */
export type MailSuppressionsDeleteReply = {
  /** What was deleted. */
  suppressionId: string
  /** It is gone. */
  deleted: true
}

/** What `mail_senders.list` takes. */
export type MailSendersListParams = {
  /** Records per page, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer, with the same filters. (at most 4000 characters) */
  cursor?: string
}

export type MailSendersListReply = CursorPage<MailSender>

/** What `mail_senders.create` takes. */
export type MailSendersCreateParams = {
  /** As it stands beside the address. (1 to 200 characters; matches `\S`) */
  name?: string | null
  /** Where answers go; null: to the address. (at most 254 characters) */
  replyTo?: string | null
  /** What its mails leave by; null: by the default transport. (at most 100 characters) */
  transportId?: string | null
  /**
   * Sorts of mails that it sends where nobody names a sender; taken from the sender that had them. (no item twice)
   */
  defaultFor?: Array<'security' | 'transactional' | 'conversation' | 'marketing'>
  /** E-mail address, of letters of any script (RFC 6531); blanks around it are dropped. (at most 254 characters) */
  address: string
}

/** What `mail_senders.create` returns. */
export type MailSendersCreateReply = MailSender

/** What `mail_senders.get` takes. */
export type MailSendersGetParams = {
  /** Identifier of the mail sender. (matches `^msn_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  senderId: string
}

/** What `mail_senders.get` returns. */
export type MailSendersGetReply = MailSender

/** What `mail_senders.update` takes. */
export type MailSendersUpdateParams = {
  /** Identifier of the mail sender. (matches `^msn_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  senderId: string
  /** As it stands beside the address. (1 to 200 characters; matches `\S`) */
  name?: string | null
  /** Where answers go; null: to the address. (at most 254 characters) */
  replyTo?: string | null
  /** What its mails leave by; null: by the default transport. (at most 100 characters) */
  transportId?: string | null
  /**
   * Sorts of mails that it sends where nobody names a sender; taken from the sender that had them. (no item twice)
   */
  defaultFor?: Array<'security' | 'transactional' | 'conversation' | 'marketing'>
}

/** What `mail_senders.update` returns. */
export type MailSendersUpdateReply = MailSender

/** What `mail_senders.delete` takes. */
export type MailSendersDeleteParams = {
  /** Identifier of the mail sender. (matches `^msn_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  senderId: string
}

/** What `mail_senders.delete` returns. */
export type MailSendersDeleteReply = {
  /** What was deleted. */
  senderId: string
  /** It is gone. */
  deleted: true
}

/** What `mail_domains.list` takes. */
export type MailDomainsListParams = {
  /** Records per page, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer, with the same filters. (at most 4000 characters) */
  cursor?: string
}

export type MailDomainsListReply = CursorPage<MailDomain>

/** What `mail_domains.create` takes. */
export type MailDomainsCreateParams = {
  /** As it stands behind the @ of the senders. (at most 253 characters; matches `^[^\s@/:]+\.[^\s@/:.]+$`) */
  domain: string
}

/** What `mail_domains.create` returns. */
export type MailDomainsCreateReply = MailDomain

/** What `mail_domains.get` takes. */
export type MailDomainsGetParams = {
  /** Identifier of the mail domain. (matches `^mdo_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  domainId: string
}

/** What `mail_domains.get` returns. */
export type MailDomainsGetReply = MailDomain

/** What `mail_domains.delete` takes. */
export type MailDomainsDeleteParams = {
  /** Identifier of the mail domain. (matches `^mdo_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  domainId: string
}

/** What `mail_domains.delete` returns. */
export type MailDomainsDeleteReply = OrganizationDomainsDeleteOrganizationDomain

/** What `mail_domains.verify` takes. */
export type MailDomainsVerifyParams = {
  /** Identifier of the mail domain. (matches `^mdo_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  domainId: string
}

/** What `mail_domains.verify` returns. */
export type MailDomainsVerifyReply = MailDomain

/** What `mail_transports.list` takes. */
export type MailTransportsListParams = {
  /** Records per page, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer, with the same filters. (at most 4000 characters) */
  cursor?: string
}

export type MailTransportsListReply = CursorPage<MailTransport>

/** What `mail_transports.create` takes. */
export type MailTransportsCreateParams = {
  /** In your words. (1 to 200 characters; matches `\S`) */
  name: string
  settings?: {
    /** Name of the mail server. (1 to 253 characters; matches `^[^\s/@:]+$`; default null) */
    host?: string | null
    /** Usually 587, or 465 with TLS. (1 to 65535; default 587) */
    port?: number
    /**
     * How the connection is encrypted: after a greeting, from the first byte, or not (private addresses only).
     * (default "starttls")
     */
    security?: 'starttls' | 'tls' | 'none'
    /** To log in with. (1 to 320 characters; default null) */
    user?: string | null
    /** For smtp. (1 to 1000 characters; default null) */
    password?: string | null
    /** Where access tokens come from, for smtp_oauth. (1 to 2048 characters; matches `^https?://`; default null) */
    tokenUrl?: string | null
    /** For smtp_oauth. (1 to 300 characters; default null) */
    clientId?: string | null
    /** For smtp_oauth. (1 to 1000 characters; default null) */
    clientSecret?: string | null
    /** For smtp_oauth, such as https://outlook.office365.com/.default. (1 to 500 characters; default null) */
    scope?: string | null
  }
  /** True takes it from the one before. The first one is the default by itself. */
  isDefault?: boolean
  /** False lets mails take another way: that of the installation. */
  enabled?: boolean
  /** What it is. */
  kind: 'outbox' | 'smtp' | 'smtp_oauth'
}

/** What `mail_transports.create` returns. */
export type MailTransportsCreateReply = MailTransport

/** What `mail_transports.get` takes. */
export type MailTransportsGetParams = {
  /** Identifier of the mail transport. (matches `^mtr_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  transportId: string
}

/** What `mail_transports.get` returns. */
export type MailTransportsGetReply = MailTransport

/** What `mail_transports.update` takes. */
export type MailTransportsUpdateParams = {
  /** Identifier of the mail transport. (matches `^mtr_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  transportId: string
  /** In your words. (1 to 200 characters; matches `\S`) */
  name?: string
  settings?: {
    /** Name of the mail server. (1 to 253 characters; matches `^[^\s/@:]+$`) */
    host?: string | null
    /** Usually 587, or 465 with TLS. (1 to 65535) */
    port?: number
    /** How the connection is encrypted: after a greeting, from the first byte, or not (private addresses only). */
    security?: 'starttls' | 'tls' | 'none'
    /** To log in with. (1 to 320 characters) */
    user?: string | null
    /** For smtp. (1 to 1000 characters) */
    password?: string | null
    /** Where access tokens come from, for smtp_oauth. (1 to 2048 characters; matches `^https?://`) */
    tokenUrl?: string | null
    /** For smtp_oauth. (1 to 300 characters) */
    clientId?: string | null
    /** For smtp_oauth. (1 to 1000 characters) */
    clientSecret?: string | null
    /** For smtp_oauth, such as https://outlook.office365.com/.default. (1 to 500 characters) */
    scope?: string | null
  }
  /** True takes it from the one before. The first one is the default by itself. */
  isDefault?: boolean
  /** False lets mails take another way: that of the installation. */
  enabled?: boolean
}

/** What `mail_transports.update` returns. */
export type MailTransportsUpdateReply = MailTransport

/** What `mail_transports.delete` takes. */
export type MailTransportsDeleteParams = {
  /** Identifier of the mail transport. (matches `^mtr_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  transportId: string
}

/** What `mail_transports.delete` returns. */
export type MailTransportsDeleteReply = {
  /** What was deleted. */
  transportId: string
  /** It is gone. */
  deleted: true
}

/** What `mail_transports.test` takes. */
export type MailTransportsTestParams = {
  /** Identifier of the mail transport. (matches `^mtr_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  transportId: string
  /** Sends a mail there; left out, it ends after the login. (at most 254 characters) */
  to?: string
}

/** What `mail_transports.test` returns. */
export type MailTransportsTestReply = {
  /** Whether all of it went well. */
  ok: boolean
  /** What went wrong, where something did. */
  reason: string | null
  /** What was said, in order. */
  trace: Array<{
    who: 'client' | 'server' | 'note'
    text: string
  }>
}

/** What `mailboxes.list` takes. */
export type MailboxesListParams = {
  /** Records per page, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer, with the same filters. (at most 4000 characters) */
  cursor?: string
}

export type MailboxesListReply = CursorPage<Mailbox>

/** What `mailboxes.create` takes. */
export type MailboxesCreateParams = {
  /** In your words. (1 to 200 characters; matches `\S`) */
  name: string
  settings: {
    /** Name of the IMAP server. (1 to 253 characters; matches `^[^\s/@:]+$`) */
    host: string
    /** Usually 993 with TLS, or 143. (1 to 65535; default 993) */
    port?: number
    /**
     * How the connection is encrypted: from the first byte, after a greeting, or not (private addresses only).
     * (default "tls")
     */
    security?: 'tls' | 'starttls' | 'none'
    /** To log in with. (1 to 320 characters) */
    user: string
    /** To log in with. (1 to 1000 characters) */
    password: string
    /** The folder that is read. Its mails are left as they are. (1 to 200 characters; default "INBOX") */
    folder?: string
    /**
     * Name of the server whose Authentication-Results are believed, as it stands in mails of this mailbox:
     * mx.example.com. Left out, DKIM and DMARC are looked up here. (1 to 253 characters; matches `^[^\s;]+$`;
     * default null)
     */
    authservId?: string | null
  }
  /** False stops reading it. */
  enabled?: boolean
  /** Reads mails that came since then as well; from now on when left out. */
  readsFrom?: string
}

/** What `mailboxes.create` returns. */
export type MailboxesCreateReply = Mailbox

/** What `mailboxes.get` takes. */
export type MailboxesGetParams = {
  /** Identifier of the mailbox. (matches `^mbx_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  mailboxId: string
}

/** What `mailboxes.get` returns. */
export type MailboxesGetReply = Mailbox

/** What `mailboxes.update` takes. */
export type MailboxesUpdateParams = {
  /** Identifier of the mailbox. (matches `^mbx_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  mailboxId: string
  /** In your words. (1 to 200 characters; matches `\S`) */
  name?: string
  settings?: {
    /** Name of the IMAP server. (1 to 253 characters; matches `^[^\s/@:]+$`) */
    host?: string
    /** Usually 993 with TLS, or 143. (1 to 65535) */
    port?: number
    /** How the connection is encrypted: from the first byte, after a greeting, or not (private addresses only). */
    security?: 'tls' | 'starttls' | 'none'
    /** To log in with. (1 to 320 characters) */
    user?: string
    /** To log in with. (1 to 1000 characters) */
    password?: string
    /** The folder that is read. Its mails are left as they are. (1 to 200 characters) */
    folder?: string
    /**
     * Name of the server whose Authentication-Results are believed, as it stands in mails of this mailbox:
     * mx.example.com. Left out, DKIM and DMARC are looked up here. (1 to 253 characters; matches `^[^\s;]+$`)
     */
    authservId?: string | null
  }
  /** False stops reading it. */
  enabled?: boolean
}

/** What `mailboxes.update` returns. */
export type MailboxesUpdateReply = Mailbox

/** What `mailboxes.delete` takes. */
export type MailboxesDeleteParams = {
  /** Identifier of the mailbox. (matches `^mbx_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  mailboxId: string
}

/** What `mailboxes.delete` returns. */
export type MailboxesDeleteReply = {
  /** What was deleted. */
  mailboxId: string
  /** It is gone. */
  deleted: true
}

/** What `mailboxes.test` takes. */
export type MailboxesTestParams = {
  /** Identifier of the mailbox. (matches `^mbx_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  mailboxId: string
}

/** What `mailboxes.test` returns. */
export type MailboxesTestReply = {
  /** Whether all of it went well. */
  ok: boolean
  /** What went wrong, where something did. */
  reason: string | null
  /** How many mails the folder has. */
  mails: number | null
  /** What was said, in order. */
  trace: Array<{
    who: 'client' | 'server' | 'note'
    text: string
  }>
}

/** What `calls.create` takes. */
export type CallsCreateParams = {
  /** Telephone number, best in international format with +; usual spellings are understood. (3 to 40 characters) */
  from: string
  /**
   * Telephone number, best in international format with +; usual spellings are understood. Or the SIP address of a
   * phone of yours, `phone.address` of a SIP credential: all that are registered with it ring. (3 to 255 characters)
   */
  to: string
  /**
   * Where to send the events of this call; https. Asked for instructions when the call is answered and has none. (at
   * most 2048 characters)
   */
  callbackUrl?: string
  /**
   * Asked for instructions where `callbackUrl` or an address of an instruction does not answer; https. (at most 2048
   * characters)
   */
  fallbackUrl?: string
  /**
   * What to do once the call is answered, one after another: say, play, gather, dial, … See
   * docs/call_instructions.md. Addresses without a host are read relative to `callbackUrl`. (1 to 100 items)
   */
  instructions?: Instruction[]
  /** How long to let it ring, in seconds. (5 to 600; default 60) */
  timeoutSeconds?: number
  /** How long the call may last after the answer, in seconds. (1 to 86400; default 14400) */
  timeLimitSeconds?: number
  /**
   * Name to show to the callee, where the carrier passes it on. (1 to 64 characters; matches
   * `^[^\x00-\x1f\x7f-\x9f]+$`)
   */
  callerName?: string
  /** Words of your own to find calls by in events and reports. (at most 10 items; no item twice) */
  tags?: string[]
  /** Up to 20 named texts of your own, returned with the call and in its events. (at most 20 entries) */
  metadata?: Record<string, string>
}

/** What `calls.create` returns. */
export type CallsCreateReply = {
  /** Identifier of the call, `call_…`. */
  callId: string
  /**
   * E.164 with +; of phones that are registered here their SIP address, of those in browsers `client:<identity>`.
   * (at most 261 characters)
   */
  from: string
  /**
   * E.164 with +; of phones that are registered here their SIP address, of those in browsers `client:<identity>`.
   * (at most 261 characters)
   */
  to: string
  direction: 'outbound' | 'inbound'
  /**
   * initiated, ringing and answered are under way; completed, busy, no_answer, rejected, failed, canceled are final.
   */
  state: 'initiated' | 'ringing' | 'answered' | 'completed' | 'busy' | 'no_answer' | 'rejected' | 'failed' | 'canceled'
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** Where events of this call are sent to. */
  callbackUrl: string | null
}

/** What `calls.list` takes. */
export type CallsListParams = {
  /** Records per page, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer, with the same filters. (at most 4000 characters) */
  cursor?: string
  /**
   * initiated, ringing and answered are under way; completed, busy, no_answer, rejected, failed, canceled are final.
   */
  state?: 'initiated' | 'ringing' | 'answered' | 'completed' | 'busy' | 'no_answer' | 'rejected' | 'failed' | 'canceled'
  /** Telephone number, best in international format with +; usual spellings are understood. (3 to 40 characters) */
  from?: string
  /** Telephone number, best in international format with +; usual spellings are understood. (3 to 40 characters) */
  to?: string
  /** Who called: outbound by us, inbound to us. */
  direction?: 'outbound' | 'inbound'
  /** Only the legs that this call brought about. (1 to 64 characters) */
  parentCallId?: string
  /** False leaves out what other calls brought about: one row for one conversation. */
  legs?: boolean
  /** Only calls by this trunk, whichever way. (1 to 64 characters) */
  trunkId?: string
  /**
   * answered: they talked; voicemail: a message was left; no_answer, busy, wrong_number: nobody was reached;
   * call_back: they want to be called again; not_interested: they want nothing.
   */
  outcome?: 'answered' | 'voicemail' | 'no_answer' | 'busy' | 'wrong_number' | 'call_back' | 'not_interested'
  /** Only calls with the number of this lead as it is now, whichever way; needs leads:read. (at least 1) */
  leadId?: number
  /** ISO 8601 date (YYYY-MM-DD) or time with offset (2026-11-21T08:00:00Z). (at most 40 characters) */
  createdAfter?: string
  /** ISO 8601 date (YYYY-MM-DD) or time with offset (2026-11-21T08:00:00Z). (at most 40 characters) */
  createdBefore?: string
}

export type CallsListReply = CursorPage<CallsListItem>

/** What `calls.get` takes. */
export type CallsGetParams = {
  /** Identifier of the call. (matches `^call_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  callId: string
  /** events: with the events of the call, whole. */
  expand?: 'events'
}

/** What `calls.get` returns. */
export type CallsGetReply = Call

/** What `calls.update` takes. */
export type CallsUpdateParams = {
  /** Identifier of the call. (matches `^call_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  callId: string
  /**
   * answered: they talked; voicemail: a message was left; no_answer, busy, wrong_number: nobody was reached;
   * call_back: they want to be called again; not_interested: they want nothing.
   */
  outcome: 'answered' | 'voicemail' | 'no_answer' | 'busy' | 'wrong_number' | 'call_back' | 'not_interested' | null
}

/** What `calls.update` returns. */
export type CallsUpdateReply = CallsListItem

/** What `calls.hangup` takes. */
export type CallsHangupParams = {
  /** Identifier of the call. (matches `^call_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  callId: string
}

/** What `calls.hangup` returns. */
export type CallsHangupReply = CallsListItem

/** What `calls.command` takes. */
export type CallsCommandParams = {
  /** Identifier of the call. (matches `^call_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  callId: string
} & CallCommand

/** What `calls.command` returns. */
export type CallsCommandReply = {
  /** Identifier of the command, `cmd_…`. */
  commandId: string
  /** Identifier of the call, `call_…`. */
  callId: string
  /** The state of the call now: final where the command was hangup. */
  state: 'initiated' | 'ringing' | 'answered' | 'completed' | 'canceled'
  /** ISO 8601 in UTC, with milliseconds. */
  acceptedAt: string
}

/** What `calls.test_inbound` takes. */
export type CallsTestInboundParams = {
  /** The phone that calls, best in E.164; in the live mode a number of the simulator. (3 to 40 characters) */
  from: string
  /**
   * The number of yours that is called; any will do, though only one of yours has instructions. (3 to 40 characters)
   */
  to: string
  /**
   * Keys to press, one each half second, from one second after the answer; w and W wait half a second and a second.
   * (at most 100 characters; matches `^[0-9*#A-DwW]*$`)
   */
  digits?: string
  /** The caller hangs up so long after the answer. (1 to 600; default 30) */
  seconds?: number
}

/** What `calls.test_inbound` returns. */
export type CallsTestInboundReply = CallsListItem

/** What `client_tokens.create` takes. */
export type ClientTokensCreateParams = {
  /**
   * Name of the phone, which `client:<identity>` rings. Case does not matter. (1 to 254 characters; matches
   * `^[^\s<>"\x00-\x1f\x7f-\x9f]+$`)
   */
  identity?: string
  /**
   * How long the token works, in seconds; never longer than the short-lived token of an API key it is made with. (60
   * to 86400; default 3600)
   */
  ttlSeconds?: number
  /** Whether calls to the identity ring. (default true) */
  incoming?: boolean
  /** Whether it can make calls. (default true) */
  outgoing?: boolean
}

/** What `client_tokens.create` returns. */
export type ClientTokensCreateReply = ClientToken

/** What `client_stream.open` takes. */
export type ClientStreamOpenParams = {
  /** Whether calls to the identity ring here; false: own calls only. (default true) */
  incoming?: boolean
  /** Number of a handset: +1 500 555 and four digits. (matches `^\+1500555[0-9]{4}$`) */
  number?: string
}

export type ClientStreamOpenEvent = 
  | StreamEvent<'ready', {
    /** Which phone this is. */
    identity: string
    /** What it rings for: its identity, and the number of a handset. */
    rings: string[]
    /** What to give the RTCPeerConnection as `iceServers`. */
    iceServers: Array<{
      /** Address of a STUN or TURN server. */
      urls: string
      username?: string
      credential?: string
    }>
  }>
  | StreamEvent<'ringing', {
    /** Identifier of the call, `call_…`. */
    callId: string
    /** Which of its identities is called. */
    identity: string
    /** Who calls: a number, a SIP address, or `client:<identity>`. */
    from: string
    /** What they have called. */
    to: string
    callerName: string | null
    /** The lead with this number. */
    leadId: number | null
  }>
  | StreamEvent<'answer', {
    /** Identifier of the call, `call_…`. */
    callId: string
    /** For `setRemoteDescription`, as answer. */
    sdp: string
  }>
  | StreamEvent<'state', {
    /** Identifier of the call, `call_…`. */
    callId: string
    /**
     * connecting: a call that a browser makes has started. taken: a browser has answered; the others stop ringing.
     * answered: sound flows. talking: with the call `peerCallId`.
     */
    state: 'connecting' | 'taken' | 'answered' | 'talking'
    /** Identifier of the call, `call_…`. */
    peerCallId: string | null
  }>
  | StreamEvent<'ended', {
    /** Identifier of the call, `call_…`. */
    callId: string
    /** As `hangupCause` of calls, of the called party where nobody answered; or answered_elsewhere. */
    cause: string
  }>
  | StreamEvent<'end', {
    /** Why the stream ends, as of GET /v2/stream. */
    reason: string
  }>

/** What `client_calls.create` takes. */
export type ClientCallsCreateParams = {
  /**
   * `localDescription.sdp` of an RTCPeerConnection with one audio track, once its `iceGatheringState` is `complete`.
   * (20 to 20000 characters)
   */
  sdp: string
  /**
   * Whom to call: a telephone number, a SIP address (`sip:…`), or another phone in the browser (`client:…`). Needed
   * unless there are `instructions` or a `callbackUrl`. (2 to 261 characters)
   */
  to?: string
  /**
   * Number to show as caller; when left out, the oldest number of the organization that makes calls. (3 to 40
   * characters)
   */
  from?: string
  /** Number of a handset: +1 500 555 and four digits. (matches `^\+1500555[0-9]{4}$`) */
  number?: string
  /** Identifier. (at least 1) */
  leadId?: number
  /** Whether to record what is spoken with `to`. (default "none") */
  record?: 'none' | 'mono' | 'dual'
  /**
   * What to do with the browser, in place of dialling `to`. Needs the permission calls:create; a token of a phone
   * takes none. (1 to 100 items)
   */
  instructions?: Instruction[]
  /**
   * Where to send the events of this call; asked for instructions where there are neither these nor `to`, which
   * needs the permission calls:create. A token of a phone takes none. (at most 2048 characters)
   */
  callbackUrl?: string
  /** How long to let it ring, in seconds. (5 to 600; default 60) */
  timeoutSeconds?: number
  /** How long the call may last after the answer, in seconds. (1 to 86400; default 14400) */
  timeLimitSeconds?: number
  /** Words of your own to find calls by in events and reports. (at most 10 items; no item twice) */
  tags?: string[]
  /** Up to 20 named texts of your own, returned with the call and in its events. (at most 20 entries) */
  metadata?: Record<string, string>
}

/** What `client_calls.create` returns. */
export type ClientCallsCreateReply = ClientCall

/** What `client_calls.answer` takes. */
export type ClientCallsAnswerParams = {
  /** Identifier of the call, as `ringing` reported it. (matches `^call_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  callId: string
  /**
   * `localDescription.sdp` of an RTCPeerConnection with one audio track, once its `iceGatheringState` is `complete`.
   * (20 to 20000 characters)
   */
  sdp: string
}

/** What `client_calls.answer` returns. */
export type ClientCallsAnswerReply = ClientCallsAnswerClientCall

/** What `client_calls.reject` takes. */
export type ClientCallsRejectParams = {
  /** Identifier of the call, as `ringing` reported it. (matches `^call_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  callId: string
  /** declined ends the call as rejected, busy as busy. (default "declined") */
  reason?: 'declined' | 'busy'
}

/** What `client_calls.reject` returns. */
export type ClientCallsRejectReply = ClientCallsAnswerClientCall

/** What `client_calls.hangup` takes. */
export type ClientCallsHangupParams = {
  /** Identifier of the call, as `ringing` reported it. (matches `^call_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  callId: string
}

/** What `client_calls.hangup` returns. */
export type ClientCallsHangupReply = ClientCallsAnswerClientCall

/** What `conferences.list` takes. */
export type ConferencesListParams = {
  /** Records per page, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer, with the same filters. (at most 4000 characters) */
  cursor?: string
  /** init: all who are in wait for somebody with whom it starts; active: they hear each other; ended. */
  state?: 'init' | 'active' | 'ended'
  /** Only those of this name. (1 to 255 characters) */
  name?: string
}

export type ConferencesListReply = CursorPage<ConferencesListItem>

/** What `conferences.get` takes. */
export type ConferencesGetParams = {
  /** Identifier of the conference. (matches `^conf_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  conferenceId: string
}

/** What `conferences.get` returns. */
export type ConferencesGetReply = Conference

/** What `conferences.update_participant` takes. */
export type ConferencesUpdateParticipantParams = {
  /** Identifier of the conference. (matches `^conf_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  conferenceId: string
  /** Identifier of the call. (matches `^call_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  callId: string
  /** Whether nobody is to hear it. */
  muted?: boolean
  /** Whether it is neither to hear nor to be heard. */
  held?: boolean
  /** Takes it out. */
  removed?: true
}

/** What `conferences.update_participant` returns. */
export type ConferencesUpdateParticipantReply = {
  /** The call, `call_…`. */
  callId: string
  /** Whether nobody hears it. */
  muted: boolean
  /** Whether it neither hears nor is heard. */
  held: boolean
  /** The call that alone hears it. */
  coach: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  joinedAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  leftAt: string | null
  /** Why it left: hangup, a key, the time limit, removed by a request, or its end. */
  leftReason: 'left' | 'key' | 'timeout' | 'removed' | 'ended' | 'hangup' | 'node_lost' | null
}

/** What `numbers.voice.get` takes. */
export type NumbersVoiceGetParams = {
  /** Identifier of the number. (matches `^num_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  numberId: string
}

/** What `numbers.voice.get` returns. */
export type NumbersVoiceGetReply = Voice

/** What `numbers.voice.set` takes. */
export type NumbersVoiceSetParams = {
  /** Identifier of the number. (matches `^num_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  numberId: string
  /**
   * Asked for instructions when a call comes in (reason received), and sent the events of the call; https. (at most
   * 2048 characters)
   */
  callbackUrl?: string | null
  /**
   * Asked where callbackUrl does not answer, or answers with something else than instructions. (at most 2048
   * characters)
   */
  fallbackUrl?: string | null
  /**
   * Carried out when a call comes in and no callbackUrl is set, or neither it nor fallbackUrl answers. See
   * docs/call_instructions.md. (1 to 100 items)
   */
  instructions?: Instruction[] | null
}

/** What `numbers.voice.set` returns. */
export type NumbersVoiceSetReply = Voice

/** What `numbers.verification.send` takes. */
export type NumbersVerificationSendParams = {
  /** Identifier of the number. (matches `^num_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  numberId: string
  /** How the code comes: as a text, or spoken in a call. */
  method: 'text' | 'call'
}

/** What `numbers.verification.send` returns. */
export type NumbersVerificationSendReply = Verification

/** What `numbers.verification.confirm` takes. */
export type NumbersVerificationConfirmParams = {
  /** Identifier of the number. (matches `^num_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  numberId: string
  /** The code, six digits. (matches `^[0-9]{6}$`) */
  code: string
}

/** What `numbers.verification.confirm` returns. */
export type NumbersVerificationConfirmReply = PhoneNumber

/** What `calls.trace` takes. */
export type CallsTraceParams = {
  /** Identifier of the call. (matches `^call_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  callId: string
}

/** What `calls.trace` returns. */
export type CallsTraceReply = {
  callId: string
  messages: Array<{
    /** Counts the messages of the call. (at least 0) */
    position: number
    /** ISO 8601 in UTC, with milliseconds. */
    at: string
    /** As this server sees it. */
    direction: 'sent' | 'received'
    transport: 'udp' | 'tcp' | 'tls'
    /** Address and port of the remote party. */
    remote: string
    /** Method or status, with the number of its request: `INVITE (1)`, `200 OK (1 INVITE)`. */
    summary: string
    /** The whole message, without passwords and without the keys of encrypted sound. */
    message: string
  }>
}

/** What `recordings.list` takes. */
export type RecordingsListParams = {
  /** Records per page, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer, with the same filters. (at most 4000 characters) */
  cursor?: string
  /** Only recordings of this call. (1 to 64 characters) */
  callId?: string
  /**
   * recording, paused and processing are under way; available can be heard; absent (nothing was recorded), failed
   * and deleted have no media.
   */
  state?: 'recording' | 'paused' | 'processing' | 'available' | 'absent' | 'failed' | 'deleted'
  /** ISO 8601 date (YYYY-MM-DD) or time with offset (2026-11-21T08:00:00Z). (at most 40 characters) */
  createdAfter?: string
  /** ISO 8601 date (YYYY-MM-DD) or time with offset (2026-11-21T08:00:00Z). (at most 40 characters) */
  createdBefore?: string
}

export type RecordingsListReply = CursorPage<RecordingsListItem>

/** What `recordings.get` takes. */
export type RecordingsGetParams = {
  /** Identifier of the recording. (matches `^rec_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  recordingId: string
}

/** What `recordings.get` returns. */
export type RecordingsGetReply = Recording

/** What `recordings.delete` takes. */
export type RecordingsDeleteParams = {
  /** Identifier of the recording. (matches `^rec_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  recordingId: string
}

/** What `recordings.delete` returns. */
export type RecordingsDeleteReply = Recording

/** What `recordings.media` takes. */
export type RecordingsMediaParams = {
  /** Identifier of the recording. (matches `^rec_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  recordingId: string
  /** 1 has browsers save the file instead of playing it (Content-Disposition). */
  download?: '1' | '0'
}

/** The file that `recordings.media` returns. */
export type RecordingsMediaReply = Blob

/** What `trunks.create` takes. */
export type TrunksCreateParams = {
  /**
   * sip: a carrier that speaks SIP. asterisk: an Asterisk, steered over ARI. Cannot be changed later. (default
   * "sip")
   */
  kind?: 'sip' | 'asterisk'
  /** For people. (1 to 200 characters; matches `\S`) */
  name: string
  /**
   * Settings of the kind, as `GET /v2/voice/trunks/settings` describes them; what is left out is as its default
   * there says. A SIP trunk needs host; an Asterisk url, username, password and endpoint.
   */
  settings: {
    /**
     * Of an Asterisk: the address of its HTTP server, such as https://asterisk.example.com:8089, without /ari. A
     * private address must be allowed by the operator, and is the only one that http goes to. (at most 500
     * characters; matches `^https?://[^\s/?#@]+(?:/[^\s?#@]*)?$`)
     */
    url?: string
    /**
     * The account at the carrier. null where the carrier knows this server by its address. (at most 128 characters;
     * matches `^[^\s@<>":;?,\\\x00-\x1f\x7f]+$`)
     */
    username?: string | null
    /**
     * Stored sealed and never shown again. null where the carrier asks for none. (at most 128 characters; matches
     * `^[^\x00-\x1f\x7f]+$`)
     */
    password?: string | null
    /**
     * Of an Asterisk: what is dialled, with {number} for the called number: PJSIP/{number}@carrier, or
     * Local/{number}@outgoing for a dialplan of your own. (at most 200 characters; matches
     * `^[A-Za-z0-9]+/[^\s{}]*\{number\}[^\s{}]*$`)
     */
    endpoint?: string
    /**
     * Of an Asterisk: the name that its dialplan gives calls to, Stasis(tandem). No two trunks and no other program
     * may use the same at one Asterisk. (at most 40 characters; matches `^[A-Za-z0-9_.-]+$`)
     */
    application?: string
    /**
     * Of an Asterisk: takes only calls that come from this context of the dialplan; null: from any. (at most 80
     * characters; matches `^[^\s,]+$`)
     */
    inboundContext?: string | null
    /** e164: +4930123456. digits: 4930123456. national: as dialled in the country below, 030123456. */
    numberFormat?: 'e164' | 'digits' | 'national'
    /**
     * The country of national numbers, and how to read numbers that come in without a country code; null: they are
     * read as international ones. (matches `^[A-Z]{2}$`)
     */
    numberCountry?: string | null
    /** Also shows numbers that are not of the organization, where the contract with the carrier allows it. */
    foreignCallerIds?: boolean
    /** Of an Asterisk: the sound between it and this server. It translates to what its carrier speaks. */
    codec?: 'PCMU' | 'PCMA'
    /**
     * Of an Asterisk: the address of this server that it sends the audio of calls to; null: the one that leads to
     * it. (at most 45 characters; matches `^[0-9A-Fa-f:.]+$`)
     */
    mediaAddress?: string | null
    /** How many calls are started each second; more wait. (0.1 to 1000) */
    callsPerSecond?: number
    /**
     * In both directions together. More outbound calls wait, more inbound ones are answered with a request to try
     * again. (1 to 10000)
     */
    concurrentCalls?: number
    /**
     * Of an Asterisk: seconds between questions that show whether it is there and still reports calls. (2 to 3600)
     */
    pingSeconds?: number
    /** How SIP travels. tls encrypts it; without it everybody on the way can read who calls whom. */
    transport?: 'udp' | 'tcp' | 'tls'
    /**
     * The carrier's SIP server: a name or an IP address. A private address must be allowed by the operator. (1 to
     * 253 characters; matches `^(?:[A-Za-z0-9._-]+|[0-9A-Fa-f:.]+)$`)
     */
    host?: string
    /** null: what DNS says of the host (SRV), otherwise 5060, with TLS 5061. (1 to 65535) */
    port?: number | null
    /**
     * Where everything is sent in place of the host, with or without a port; null: to the host. (at most 260
     * characters; matches `^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::[1-9]\d{0,4})?$`)
     */
    outboundProxy?: string | null
    /** With TLS: refuses a server whose certificate is not valid for the host. */
    tlsVerify?: boolean
    /**
     * With TLS: certificates in PEM form to trust instead of the usual ones; null: the usual ones. (at most 20000
     * characters; matches `-----BEGIN CERTIFICATE-----`)
     */
    tlsCa?: string | null
    /**
     * Where the carrier wants another name together with the password; null: the user name. (at most 128 characters;
     * matches `^[^\x00-\x1f\x7f]+$`)
     */
    authUsername?: string | null
    /**
     * What stands behind the @ of called numbers and of the registration; null: the host. (at most 253 characters;
     * matches `^(?:[A-Za-z0-9._-]+|[0-9A-Fa-f:.]+)$`)
     */
    domain?: string | null
    /**
     * What stands in From where the caller id is in another header; null: the caller id there too. (at most 128
     * characters; matches `^[^\s@<>":;?,\\\x00-\x1f\x7f]+$`)
     */
    fromUser?: string | null
    /**
     * What stands behind the @ of From; null: the domain. (at most 253 characters; matches
     * `^(?:[A-Za-z0-9._-]+|[0-9A-Fa-f:.]+)$`)
     */
    fromDomain?: string | null
    /** Registers the user name at the carrier, so that it knows where to send calls. Needs a user name. */
    register?: boolean
    /** Seconds asked for; the carrier may give fewer. Renewed when four fifths have passed. (60 to 86400) */
    registerSeconds?: number
    /**
     * Addresses and ranges calls come in from, such as 203.0.113.0/24. Empty: those of the host and the outbound
     * proxy. (at most 200 items)
     */
    sourceAddresses?: string[]
    /**
     * Asks callers for this name and the password below; null: the source address is enough. (at most 128
     * characters; matches `^[^\x00-\x1f\x7f]+$`)
     */
    inboundUsername?: string | null
    /** Stored sealed and never shown again. (at most 128 characters; matches `^[^\x00-\x1f\x7f]+$`) */
    inboundPassword?: string | null
    /**
     * Anyone who talks by this trunk may have the organization call somebody else and leave (SIP REFER), at its
     * cost. Leave it off for a carrier; turn it on for a telephone system of your own.
     */
    allowTransfers?: boolean
    /** Where the carrier looks for the number to show: From, P-Asserted-Identity or Remote-Party-ID. */
    callerIdIn?: 'from' | 'p_asserted_identity' | 'remote_party_id'
    /**
     * In the order they are offered. PCMU is usual in America and Japan, PCMA elsewhere. (1 to 2 items; no item
     * twice)
     */
    codecs?: Array<'PCMU' | 'PCMA'>
    /**
     * preferred: SRTP is offered, and plain sound to who refuses that. required: a call without SRTP fails. The keys
     * travel in SIP, so only with tls they are a secret; with both the call is encrypted up to the carrier.
     */
    srtp?: 'off' | 'preferred' | 'required'
    /** How pressed keys are sent: as telephone events beside the sound (RFC 4733) or as SIP INFO. */
    digits?: 'rfc4733' | 'info'
    /** Seconds a phone rings at most; a call may ask for less. (5 to 600) */
    ringSeconds?: number
    /** Seconds between questions (OPTIONS) that show whether the trunk is up. (5 to 3600) */
    optionsSeconds?: number
    /** A call whose remote party does not confirm it within so many seconds is ended (RFC 4028). (90 to 86400) */
    sessionExpiresSeconds?: number
  }
  /** Where the trunk takes calls to. Left out: to every destination, with priority 10. (at most 1000 items) */
  routes?: Array<{
    /**
     * Start of the called number, such as +49; empty for every destination. The longest that fits counts. (matches
     * `^(?:\+(?:[1-9]\d{0,14})?)?$`)
     */
    prefix: string
    /**
     * Of trunks with prefixes of the same length, the one with the lower number goes first. (1 to 1000; default 10)
     */
    priority: number
    /** Trunks with the same prefix and priority share the calls in this proportion. (1 to 1000; default 1) */
    weight: number
    /**
     * Of one minute, in the currency of the trunk: what a call is priced with, and what counts against dailySpend of
     * destination policies. It changes no routing. (matches `^\d{1,6}(?:\.\d{1,6})?$`; default "0")
     */
    cost: string
  }>
  /** Currency of the costs; the organization's when left out. (matches `^[A-Z]{3}$`) */
  currency?: string
  /** Whether the trunk is watched, registered where it asks for that, and used. (default true) */
  enabled?: boolean
}

/** What `trunks.create` returns. */
export type TrunksCreateReply = Trunk

/** What `trunks.list` takes. */
export type TrunksListParams = {
  /** Only trunks that are switched on (true) or off (false). */
  enabled?: boolean
  /** Records per page, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer, with the same filters. (at most 4000 characters) */
  cursor?: string
}

export type TrunksListReply = CursorPage<Trunk>

/** What `trunks.settings` returns. */
export type TrunksSettingsReply = {
  /** JSON Schema of the settings of SIP trunks; the same as in `kinds`. */
  settings: Record<string, unknown>
  /** What there is to set for a trunk of each kind. */
  kinds: Array<{
    /** sip: a carrier that speaks SIP. asterisk: an Asterisk, steered over ARI. Cannot be changed later. */
    kind: 'sip' | 'asterisk'
    title: string
    description: string
    /**
     * JSON Schema of the settings. x-group is the heading a field stands under; a field with x-secret is never shown
     * again.
     */
    settings: Record<string, unknown>
  }>
}

/** What `trunks.get` takes. */
export type TrunksGetParams = {
  /** Identifier of the trunk. (matches `^trk_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  trunkId: string
}

/** What `trunks.get` returns. */
export type TrunksGetReply = Trunk

/** What `trunks.update` takes. */
export type TrunksUpdateParams = {
  /** Identifier of the trunk. (matches `^trk_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  trunkId: string
  /** For people. (1 to 200 characters; matches `\S`) */
  name?: string
  /** Settings to change; those left out stay, also secrets. */
  settings?: {
    /**
     * Of an Asterisk: the address of its HTTP server, such as https://asterisk.example.com:8089, without /ari. A
     * private address must be allowed by the operator, and is the only one that http goes to. (at most 500
     * characters; matches `^https?://[^\s/?#@]+(?:/[^\s?#@]*)?$`)
     */
    url?: string
    /**
     * The account at the carrier. null where the carrier knows this server by its address. (at most 128 characters;
     * matches `^[^\s@<>":;?,\\\x00-\x1f\x7f]+$`)
     */
    username?: string | null
    /**
     * Stored sealed and never shown again. null where the carrier asks for none. (at most 128 characters; matches
     * `^[^\x00-\x1f\x7f]+$`)
     */
    password?: string | null
    /**
     * Of an Asterisk: what is dialled, with {number} for the called number: PJSIP/{number}@carrier, or
     * Local/{number}@outgoing for a dialplan of your own. (at most 200 characters; matches
     * `^[A-Za-z0-9]+/[^\s{}]*\{number\}[^\s{}]*$`)
     */
    endpoint?: string
    /**
     * Of an Asterisk: the name that its dialplan gives calls to, Stasis(tandem). No two trunks and no other program
     * may use the same at one Asterisk. (at most 40 characters; matches `^[A-Za-z0-9_.-]+$`)
     */
    application?: string
    /**
     * Of an Asterisk: takes only calls that come from this context of the dialplan; null: from any. (at most 80
     * characters; matches `^[^\s,]+$`)
     */
    inboundContext?: string | null
    /** e164: +4930123456. digits: 4930123456. national: as dialled in the country below, 030123456. */
    numberFormat?: 'e164' | 'digits' | 'national'
    /**
     * The country of national numbers, and how to read numbers that come in without a country code; null: they are
     * read as international ones. (matches `^[A-Z]{2}$`)
     */
    numberCountry?: string | null
    /** Also shows numbers that are not of the organization, where the contract with the carrier allows it. */
    foreignCallerIds?: boolean
    /** Of an Asterisk: the sound between it and this server. It translates to what its carrier speaks. */
    codec?: 'PCMU' | 'PCMA'
    /**
     * Of an Asterisk: the address of this server that it sends the audio of calls to; null: the one that leads to
     * it. (at most 45 characters; matches `^[0-9A-Fa-f:.]+$`)
     */
    mediaAddress?: string | null
    /** How many calls are started each second; more wait. (0.1 to 1000) */
    callsPerSecond?: number
    /**
     * In both directions together. More outbound calls wait, more inbound ones are answered with a request to try
     * again. (1 to 10000)
     */
    concurrentCalls?: number
    /**
     * Of an Asterisk: seconds between questions that show whether it is there and still reports calls. (2 to 3600)
     */
    pingSeconds?: number
    /** How SIP travels. tls encrypts it; without it everybody on the way can read who calls whom. */
    transport?: 'udp' | 'tcp' | 'tls'
    /**
     * The carrier's SIP server: a name or an IP address. A private address must be allowed by the operator. (1 to
     * 253 characters; matches `^(?:[A-Za-z0-9._-]+|[0-9A-Fa-f:.]+)$`)
     */
    host?: string
    /** null: what DNS says of the host (SRV), otherwise 5060, with TLS 5061. (1 to 65535) */
    port?: number | null
    /**
     * Where everything is sent in place of the host, with or without a port; null: to the host. (at most 260
     * characters; matches `^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::[1-9]\d{0,4})?$`)
     */
    outboundProxy?: string | null
    /** With TLS: refuses a server whose certificate is not valid for the host. */
    tlsVerify?: boolean
    /**
     * With TLS: certificates in PEM form to trust instead of the usual ones; null: the usual ones. (at most 20000
     * characters; matches `-----BEGIN CERTIFICATE-----`)
     */
    tlsCa?: string | null
    /**
     * Where the carrier wants another name together with the password; null: the user name. (at most 128 characters;
     * matches `^[^\x00-\x1f\x7f]+$`)
     */
    authUsername?: string | null
    /**
     * What stands behind the @ of called numbers and of the registration; null: the host. (at most 253 characters;
     * matches `^(?:[A-Za-z0-9._-]+|[0-9A-Fa-f:.]+)$`)
     */
    domain?: string | null
    /**
     * What stands in From where the caller id is in another header; null: the caller id there too. (at most 128
     * characters; matches `^[^\s@<>":;?,\\\x00-\x1f\x7f]+$`)
     */
    fromUser?: string | null
    /**
     * What stands behind the @ of From; null: the domain. (at most 253 characters; matches
     * `^(?:[A-Za-z0-9._-]+|[0-9A-Fa-f:.]+)$`)
     */
    fromDomain?: string | null
    /** Registers the user name at the carrier, so that it knows where to send calls. Needs a user name. */
    register?: boolean
    /** Seconds asked for; the carrier may give fewer. Renewed when four fifths have passed. (60 to 86400) */
    registerSeconds?: number
    /**
     * Addresses and ranges calls come in from, such as 203.0.113.0/24. Empty: those of the host and the outbound
     * proxy. (at most 200 items)
     */
    sourceAddresses?: string[]
    /**
     * Asks callers for this name and the password below; null: the source address is enough. (at most 128
     * characters; matches `^[^\x00-\x1f\x7f]+$`)
     */
    inboundUsername?: string | null
    /** Stored sealed and never shown again. (at most 128 characters; matches `^[^\x00-\x1f\x7f]+$`) */
    inboundPassword?: string | null
    /**
     * Anyone who talks by this trunk may have the organization call somebody else and leave (SIP REFER), at its
     * cost. Leave it off for a carrier; turn it on for a telephone system of your own.
     */
    allowTransfers?: boolean
    /** Where the carrier looks for the number to show: From, P-Asserted-Identity or Remote-Party-ID. */
    callerIdIn?: 'from' | 'p_asserted_identity' | 'remote_party_id'
    /**
     * In the order they are offered. PCMU is usual in America and Japan, PCMA elsewhere. (1 to 2 items; no item
     * twice)
     */
    codecs?: Array<'PCMU' | 'PCMA'>
    /**
     * preferred: SRTP is offered, and plain sound to who refuses that. required: a call without SRTP fails. The keys
     * travel in SIP, so only with tls they are a secret; with both the call is encrypted up to the carrier.
     */
    srtp?: 'off' | 'preferred' | 'required'
    /** How pressed keys are sent: as telephone events beside the sound (RFC 4733) or as SIP INFO. */
    digits?: 'rfc4733' | 'info'
    /** Seconds a phone rings at most; a call may ask for less. (5 to 600) */
    ringSeconds?: number
    /** Seconds between questions (OPTIONS) that show whether the trunk is up. (5 to 3600) */
    optionsSeconds?: number
    /** A call whose remote party does not confirm it within so many seconds is ended (RFC 4028). (90 to 86400) */
    sessionExpiresSeconds?: number
  }
  /** Where the trunk takes calls to. (at most 1000 items) */
  routes?: Array<{
    /**
     * Start of the called number, such as +49; empty for every destination. The longest that fits counts. (matches
     * `^(?:\+(?:[1-9]\d{0,14})?)?$`)
     */
    prefix: string
    /**
     * Of trunks with prefixes of the same length, the one with the lower number goes first. (1 to 1000; default 10)
     */
    priority: number
    /** Trunks with the same prefix and priority share the calls in this proportion. (1 to 1000; default 1) */
    weight: number
    /**
     * Of one minute, in the currency of the trunk: what a call is priced with, and what counts against dailySpend of
     * destination policies. It changes no routing. (matches `^\d{1,6}(?:\.\d{1,6})?$`; default "0")
     */
    cost: string
  }>
  /** Currency of the costs. (matches `^[A-Z]{3}$`) */
  currency?: string
  /** Whether the trunk is watched, registered where it asks for that, and used. */
  enabled?: boolean
}

/** What `trunks.update` returns. */
export type TrunksUpdateReply = Trunk

/** What `trunks.delete` takes. */
export type TrunksDeleteParams = {
  /** Identifier of the trunk. (matches `^trk_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  trunkId: string
}

/** What `trunks.delete` returns. */
export type TrunksDeleteReply = {
  /** What was deleted. */
  trunkId: string
  /** It is gone. */
  deleted: true
}

/** What `trunks.test` takes. */
export type TrunksTestParams = {
  /** Identifier of the trunk. (matches `^trk_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  trunkId: string
  /** Settings to change; those left out stay, also secrets. */
  settings?: {
    /**
     * Of an Asterisk: the address of its HTTP server, such as https://asterisk.example.com:8089, without /ari. A
     * private address must be allowed by the operator, and is the only one that http goes to. (at most 500
     * characters; matches `^https?://[^\s/?#@]+(?:/[^\s?#@]*)?$`)
     */
    url?: string
    /**
     * The account at the carrier. null where the carrier knows this server by its address. (at most 128 characters;
     * matches `^[^\s@<>":;?,\\\x00-\x1f\x7f]+$`)
     */
    username?: string | null
    /**
     * Stored sealed and never shown again. null where the carrier asks for none. (at most 128 characters; matches
     * `^[^\x00-\x1f\x7f]+$`)
     */
    password?: string | null
    /**
     * Of an Asterisk: what is dialled, with {number} for the called number: PJSIP/{number}@carrier, or
     * Local/{number}@outgoing for a dialplan of your own. (at most 200 characters; matches
     * `^[A-Za-z0-9]+/[^\s{}]*\{number\}[^\s{}]*$`)
     */
    endpoint?: string
    /**
     * Of an Asterisk: the name that its dialplan gives calls to, Stasis(tandem). No two trunks and no other program
     * may use the same at one Asterisk. (at most 40 characters; matches `^[A-Za-z0-9_.-]+$`)
     */
    application?: string
    /**
     * Of an Asterisk: takes only calls that come from this context of the dialplan; null: from any. (at most 80
     * characters; matches `^[^\s,]+$`)
     */
    inboundContext?: string | null
    /** e164: +4930123456. digits: 4930123456. national: as dialled in the country below, 030123456. */
    numberFormat?: 'e164' | 'digits' | 'national'
    /**
     * The country of national numbers, and how to read numbers that come in without a country code; null: they are
     * read as international ones. (matches `^[A-Z]{2}$`)
     */
    numberCountry?: string | null
    /** Also shows numbers that are not of the organization, where the contract with the carrier allows it. */
    foreignCallerIds?: boolean
    /** Of an Asterisk: the sound between it and this server. It translates to what its carrier speaks. */
    codec?: 'PCMU' | 'PCMA'
    /**
     * Of an Asterisk: the address of this server that it sends the audio of calls to; null: the one that leads to
     * it. (at most 45 characters; matches `^[0-9A-Fa-f:.]+$`)
     */
    mediaAddress?: string | null
    /** How many calls are started each second; more wait. (0.1 to 1000) */
    callsPerSecond?: number
    /**
     * In both directions together. More outbound calls wait, more inbound ones are answered with a request to try
     * again. (1 to 10000)
     */
    concurrentCalls?: number
    /**
     * Of an Asterisk: seconds between questions that show whether it is there and still reports calls. (2 to 3600)
     */
    pingSeconds?: number
    /** How SIP travels. tls encrypts it; without it everybody on the way can read who calls whom. */
    transport?: 'udp' | 'tcp' | 'tls'
    /**
     * The carrier's SIP server: a name or an IP address. A private address must be allowed by the operator. (1 to
     * 253 characters; matches `^(?:[A-Za-z0-9._-]+|[0-9A-Fa-f:.]+)$`)
     */
    host?: string
    /** null: what DNS says of the host (SRV), otherwise 5060, with TLS 5061. (1 to 65535) */
    port?: number | null
    /**
     * Where everything is sent in place of the host, with or without a port; null: to the host. (at most 260
     * characters; matches `^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::[1-9]\d{0,4})?$`)
     */
    outboundProxy?: string | null
    /** With TLS: refuses a server whose certificate is not valid for the host. */
    tlsVerify?: boolean
    /**
     * With TLS: certificates in PEM form to trust instead of the usual ones; null: the usual ones. (at most 20000
     * characters; matches `-----BEGIN CERTIFICATE-----`)
     */
    tlsCa?: string | null
    /**
     * Where the carrier wants another name together with the password; null: the user name. (at most 128 characters;
     * matches `^[^\x00-\x1f\x7f]+$`)
     */
    authUsername?: string | null
    /**
     * What stands behind the @ of called numbers and of the registration; null: the host. (at most 253 characters;
     * matches `^(?:[A-Za-z0-9._-]+|[0-9A-Fa-f:.]+)$`)
     */
    domain?: string | null
    /**
     * What stands in From where the caller id is in another header; null: the caller id there too. (at most 128
     * characters; matches `^[^\s@<>":;?,\\\x00-\x1f\x7f]+$`)
     */
    fromUser?: string | null
    /**
     * What stands behind the @ of From; null: the domain. (at most 253 characters; matches
     * `^(?:[A-Za-z0-9._-]+|[0-9A-Fa-f:.]+)$`)
     */
    fromDomain?: string | null
    /** Registers the user name at the carrier, so that it knows where to send calls. Needs a user name. */
    register?: boolean
    /** Seconds asked for; the carrier may give fewer. Renewed when four fifths have passed. (60 to 86400) */
    registerSeconds?: number
    /**
     * Addresses and ranges calls come in from, such as 203.0.113.0/24. Empty: those of the host and the outbound
     * proxy. (at most 200 items)
     */
    sourceAddresses?: string[]
    /**
     * Asks callers for this name and the password below; null: the source address is enough. (at most 128
     * characters; matches `^[^\x00-\x1f\x7f]+$`)
     */
    inboundUsername?: string | null
    /** Stored sealed and never shown again. (at most 128 characters; matches `^[^\x00-\x1f\x7f]+$`) */
    inboundPassword?: string | null
    /**
     * Anyone who talks by this trunk may have the organization call somebody else and leave (SIP REFER), at its
     * cost. Leave it off for a carrier; turn it on for a telephone system of your own.
     */
    allowTransfers?: boolean
    /** Where the carrier looks for the number to show: From, P-Asserted-Identity or Remote-Party-ID. */
    callerIdIn?: 'from' | 'p_asserted_identity' | 'remote_party_id'
    /**
     * In the order they are offered. PCMU is usual in America and Japan, PCMA elsewhere. (1 to 2 items; no item
     * twice)
     */
    codecs?: Array<'PCMU' | 'PCMA'>
    /**
     * preferred: SRTP is offered, and plain sound to who refuses that. required: a call without SRTP fails. The keys
     * travel in SIP, so only with tls they are a secret; with both the call is encrypted up to the carrier.
     */
    srtp?: 'off' | 'preferred' | 'required'
    /** How pressed keys are sent: as telephone events beside the sound (RFC 4733) or as SIP INFO. */
    digits?: 'rfc4733' | 'info'
    /** Seconds a phone rings at most; a call may ask for less. (5 to 600) */
    ringSeconds?: number
    /** Seconds between questions (OPTIONS) that show whether the trunk is up. (5 to 3600) */
    optionsSeconds?: number
    /** A call whose remote party does not confirm it within so many seconds is ended (RFC 4028). (90 to 86400) */
    sessionExpiresSeconds?: number
  }
  /** A number whose route is to be explained. (3 to 40 characters) */
  to?: string
  /** False reaches nobody and answers no steps: only the route is explained. (default true) */
  connect?: boolean
}

/** What `trunks.test` returns. */
export type TrunksTestReply = {
  /** Whether every step went well. */
  ok: boolean
  /** In their order; the last one is the one that failed, when one did. */
  steps: Array<{
    step: 'resolve' | 'connect' | 'tls' | 'options' | 'register' | 'ari' | 'events'
    ok: boolean
    /** Milliseconds it took. */
    durationMs: number
    /** What happened and, when it failed, what to do. */
    message: string
    messages: Array<{
      direction: 'sent' | 'received'
      /** The SIP message or the HTTP request and its answer, credentials hidden. */
      text: string
    }>
  }>
  /** Which way a call to that number would take, first choice first. */
  routing: Array<{
    trunkId: string
    name: string
    /** From 1, the order in which trunks are tried; null: not at all. */
    position: number | null
    /** The route that fits; null when none does. */
    prefix: string | null
    priority: number | null
    weight: number | null
    /** Of one minute, in the currency of the trunk. */
    cost: string | null
    /**
     * up: it answers, and is registered where the settings ask for that; an Asterisk reports its calls. registering:
     * the first registration is under way. unregistered: the carrier refused the registration, or it ran out. down:
     * no answer. unknown: not asked yet, or no process of the server carries calls now.
     */
    state: 'up' | 'down' | 'registering' | 'unregistered' | 'disabled' | 'unknown'
    /** Why it stands where it stands. */
    reason: string
  }> | null
}

/** What `sip_credentials.create` takes. */
export type SipCredentialsCreateParams = {
  /**
   * Name of the phone within the organization, such as reception or 101: other phones of the organization dial it.
   * It cannot be changed later. (matches `^[a-z0-9][a-z0-9._-]{0,39}$`)
   */
  username: string
  /**
   * Password of the phone. It is kept as digests only, and never shown again. (12 to 128 characters; matches
   * `^[\x21-\x7e]+$`)
   */
  password?: string
  /** Name that is shown to who is called. (1 to 64 characters; matches `^[^\x00-\x1f\x7f-\x9f]+$`) */
  displayName?: string | null
  /**
   * Number of the organization that calls of the phone are made from, in E.164 with +; it must make calls. (3 to 40
   * characters)
   */
  callerId?: string | null
  /**
   * Asked for instructions when the phone calls (reason received), and sent the events of those calls; https. Null:
   * what was dialled is dialled. (at most 2048 characters)
   */
  callbackUrl?: string | null
  /**
   * Carried out when the phone calls and no callbackUrl is set, or it does not answer, in the place of dialling what
   * was dialled. See docs/call_instructions.md. (1 to 100 items)
   */
  instructions?: Instruction[] | null
}

/** What `sip_credentials.create` returns. */
export type SipCredentialsCreateReply = {
  /** Identifier of the credential, `sipc_…`. */
  credentialId: string
  /**
   * Name of the phone within the organization, such as reception or 101: other phones of the organization dial it.
   * It cannot be changed later.
   */
  username: string
  /** Name that is shown to who is called. */
  displayName: string | null
  /** Number of the organization that calls of the phone are made from, in E.164 with +; it must make calls. */
  callerId: string | null
  /**
   * Asked for instructions when the phone calls (reason received), and sent the events of those calls; https. Null:
   * what was dialled is dialled.
   */
  callbackUrl: string | null
  /**
   * Carried out when the phone calls and no callbackUrl is set, or it does not answer, in the place of dialling what
   * was dialled. See docs/call_instructions.md. Passwords are shown as dots. (1 to 100 items)
   */
  instructions: Instruction[] | null
  /** What to type into the phone, beside the password. A realm is not needed. */
  phone: {
    /** Server (registrar): host, with its port where that is not 5060. */
    server: string
    /** SIP domain, where the phone asks for one. */
    domain: string
    /** User name, and authentication name: username, a dot, live or test, and the number of the organization. */
    username: string
    /** The SIP address that the phone is called by. */
    address: string
    /** Ways to the server; TLS at a port of its own. */
    transports: Array<'udp' | 'tcp' | 'tls'>
    /** Port of TLS; null where the server has no certificate. */
    tlsPort: number | null
  }
  /** Phones that are registered now. All of them ring. */
  registrations: Array<{
    /** Where the phone says that it is. */
    contact: string
    /** Where it registered from, as the server sees it. */
    source: string
    /** What the phone calls itself. */
    userAgent: string | null
    /** ISO 8601 in UTC, with milliseconds. */
    registeredAt: string
    /** ISO 8601 in UTC, with milliseconds. */
    expiresAt: string
  }>
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string
  /** The password that was made, shown this once; null where the request brought one. */
  password: string | null
}

/** What `sip_credentials.list` takes. */
export type SipCredentialsListParams = {
  /** Records per page, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer, with the same filters. (at most 4000 characters) */
  cursor?: string
}

export type SipCredentialsListReply = CursorPage<SipCredential>

/** What `sip_credentials.get` takes. */
export type SipCredentialsGetParams = {
  /** Identifier of the SIP credential. (matches `^sipc_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  credentialId: string
}

/** What `sip_credentials.get` returns. */
export type SipCredentialsGetReply = SipCredential

/** What `sip_credentials.update` takes. */
export type SipCredentialsUpdateParams = {
  /** Identifier of the SIP credential. (matches `^sipc_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  credentialId: string
  /**
   * Password of the phone. It is kept as digests only, and never shown again. (12 to 128 characters; matches
   * `^[\x21-\x7e]+$`)
   */
  password?: string
  /** Name that is shown to who is called. (1 to 64 characters; matches `^[^\x00-\x1f\x7f-\x9f]+$`) */
  displayName?: string | null
  /**
   * Number of the organization that calls of the phone are made from, in E.164 with +; it must make calls. (3 to 40
   * characters)
   */
  callerId?: string | null
  /**
   * Asked for instructions when the phone calls (reason received), and sent the events of those calls; https. Null:
   * what was dialled is dialled. (at most 2048 characters)
   */
  callbackUrl?: string | null
  /**
   * Carried out when the phone calls and no callbackUrl is set, or it does not answer, in the place of dialling what
   * was dialled. See docs/call_instructions.md. (1 to 100 items)
   */
  instructions?: Instruction[] | null
}

/** What `sip_credentials.update` returns. */
export type SipCredentialsUpdateReply = SipCredential

/** What `sip_credentials.delete` takes. */
export type SipCredentialsDeleteParams = {
  /** Identifier of the SIP credential. (matches `^sipc_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  credentialId: string
}

/** What `sip_credentials.delete` returns. */
export type SipCredentialsDeleteReply = {
  /** What was deleted. */
  credentialId: string
  /** It is gone. */
  deleted: true
}

/** What `leads.timeline` takes. */
export type LeadsTimelineParams = {
  /** Identifier of the lead. (at least 1) */
  id: number
  /** Entries per page, 1 to 100. (1 to 100; default 20) */
  limit?: number
  /** The `nextCursor` of the last answer: goes on with what is older. (at most 500 characters) */
  cursor?: string
}

/** What `leads.timeline` returns. */
export type LeadsTimelineReply = {
  /** Newest first. */
  entries: TimelineEntry[]
  /** What one may not read; recordings stand with their calls. */
  left_out: LeftOut[]
  pagination: LeadsTimelinePagination
}

/** What `companies.timeline` takes. */
export type CompaniesTimelineParams = {
  /** Identifier of the company. (matches `^cmp_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  id: string
  /** Entries per page, 1 to 100. (1 to 100; default 20) */
  limit?: number
  /** The `nextCursor` of the last answer: goes on with what is older. (at most 500 characters) */
  cursor?: string
}

/** What `companies.timeline` returns. */
export type CompaniesTimelineReply = {
  /** Newest first. */
  entries: TimelineEntry[]
  /** What one may not read; recordings stand with their calls. */
  left_out: LeftOut[]
  pagination: LeadsTimelinePagination
}

/** What `contacts.timeline` takes. */
export type ContactsTimelineParams = {
  /** Identifier of the contact. (matches `^con_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  id: string
  /** Entries per page, 1 to 100. (1 to 100; default 20) */
  limit?: number
  /** The `nextCursor` of the last answer: goes on with what is older. (at most 500 characters) */
  cursor?: string
}

/** What `contacts.timeline` returns. */
export type ContactsTimelineReply = {
  /** Newest first. */
  entries: TimelineEntry[]
  /** What one may not read; recordings stand with their calls. */
  left_out: LeftOut[]
  pagination: LeadsTimelinePagination
}

/** What `conversations.list` takes. */
export type ConversationsListParams = {
  /** Which conversations; open when left out. (default "open") */
  view?: 'waiting' | 'unread' | 'mine' | 'unassigned' | 'mentioned' | 'open' | 'snoozed' | 'closed' | 'all'
  /**
   * Newest first when left out, but in snoozed who comes back first. In waiting, oldest begins with who waits
   * longest.
   */
  order?: 'newest' | 'oldest'
  /**
   * Words of the name, or parts of a telephone number or e-mail address; all must be found. (2 to 100 characters;
   * matches `\S`)
   */
  q?: string
  /** Only that with this lead (`lead:17`) or contact (`con_…`). (3 to 60 characters) */
  recordId?: string
  /** Only that with this number (E.164) or e-mail address. (3 to 254 characters) */
  address?: string
  /** Records per page, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer, with the same filters. (at most 4000 characters) */
  cursor?: string
}

export type ConversationsListReply = CursorPage<ConversationsListItem>

/** What `conversations.counts` returns. */
export type ConversationsCountsReply = {
  waiting: {
    /** How many; at most 1,000. */
    count: number
    /** False where there are more. */
    isExact: boolean
  }
  unread: {
    /** How many; at most 1,000. */
    count: number
    /** False where there are more. */
    isExact: boolean
  }
  mine: {
    /** How many; at most 1,000. */
    count: number
    /** False where there are more. */
    isExact: boolean
  }
  unassigned: {
    /** How many; at most 1,000. */
    count: number
    /** False where there are more. */
    isExact: boolean
  }
  mentioned: {
    /** How many; at most 1,000. */
    count: number
    /** False where there are more. */
    isExact: boolean
  }
  open: {
    /** How many; at most 1,000. */
    count: number
    /** False where there are more. */
    isExact: boolean
  }
  snoozed: {
    /** How many; at most 1,000. */
    count: number
    /** False where there are more. */
    isExact: boolean
  }
  closed: {
    /** How many; at most 1,000. */
    count: number
    /** False where there are more. */
    isExact: boolean
  }
  all: {
    /** How many; at most 1,000. */
    count: number
    /** False where there are more. */
    isExact: boolean
  }
}

/** What `conversations.get` takes. */
export type ConversationsGetParams = {
  /** Identifier of the conversation. (matches `^cnv_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  conversationId: string
}

/** What `conversations.get` returns. */
export type ConversationsGetReply = Conversation

/** What `conversations.update` takes. */
export type ConversationsUpdateParams = {
  /** Identifier of the conversation. (matches `^cnv_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  conversationId: string
  /** snoozed needs snoozedUntil. */
  state?: 'open' | 'snoozed' | 'closed'
  /** When it is open again, at most a year ahead; alone it snoozes, too. */
  snoozedUntil?: string
  /**
   * A member whose role reads conversations; null takes it away. Who it is given to sees it from then on. (at least
   * 1)
   */
  assigneeId?: number | null
  /** A team, `team_…`; null takes it away. (5 to 60 characters) */
  teamId?: string | null
}

/** What `conversations.update` returns. */
export type ConversationsUpdateReply = Conversation

/** What `conversations.items` takes. */
export type ConversationsItemsParams = {
  /** Identifier of the conversation. (matches `^cnv_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  conversationId: string
  /** Items per page, 1 to 100. (1 to 100; default 30) */
  limit?: number
  /** The `nextCursor` of the last answer, with the same filters. (at most 4000 characters) */
  cursor?: string
}

export type ConversationsItemsReply = CursorPage<ConversationsItemsItem>

/** What `conversations.read` takes. */
export type ConversationsReadParams = {
  /** Identifier of the conversation. (matches `^cnv_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  conversationId: string
  /** Whether it is unread. */
  unread: boolean
}

/** What `conversations.read` returns. */
export type ConversationsReadReply = {
  conversationId: string
  unread: boolean
}

/** What `conversations.attach` takes. */
export type ConversationsAttachParams = {
  /** Identifier of the conversation. (matches `^cnv_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  conversationId: string
  /** A lead (`lead:17`) or contact (`con_…`) that the caller may change. (3 to 60 characters) */
  recordId?: string
  /** The new lead; the address of the conversation is added. Needs leads:create. */
  lead?: {
    /** Name of the person. (1 to 200 characters; matches `\S`) */
    name: string
    /**
     * E-mail address, of letters of any script (RFC 6531); blanks around it are dropped. (at most 254 characters)
     */
    email?: string
    /**
     * Telephone number, best in international format with +; usual spellings are understood. (3 to 40 characters)
     */
    phone?: string
    /** Company the person speaks for. (at most 200 characters) */
    company?: string
  }
}

/** What `conversations.attach` returns. */
export type ConversationsAttachReply = Conversation

/** What `conversations.reply_by_text` takes. */
export type ConversationsReplyByTextParams = {
  /** Identifier of the conversation. (matches `^cnv_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  conversationId: string
  /** The text. (1 to 2000 characters; matches `\S`) */
  body: string
  /** A number or sender id of the organization. (1 to 40 characters) */
  from?: string
  /** One of the numbers of the conversation; that of the last text when left out. (3 to 40 characters) */
  to?: string
  /**
   * The newest item that the writer has read; null where the thread was empty. When somebody answered after it,
   * nothing is sent and 412 says who and what. (at most 60 characters)
   */
  lastSeenItemId: string | null
}

/** What `conversations.reply_by_text` returns. */
export type ConversationsReplyByTextReply = ConversationsItemsItem

/** What `conversations.reply_by_mail` takes. */
export type ConversationsReplyByMailParams = {
  /** Identifier of the conversation. (matches `^cnv_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  conversationId: string
  /** What is written. (1 to 100000 characters; matches `\S`) */
  text: string
  /**
   * That of the last mail, with Re:, when left out; needed where there is none. (1 to 500 characters; matches `\S`)
   */
  subject?: string
  /** One of the addresses of the conversation; that of the last mail when left out. (at most 254 characters) */
  to?: string
  /** Who it is from; the sender of conversations when left out. (at most 100 characters) */
  senderId?: string
  /** Files that go with it; with the words at most 10 MB. (at most 20 items) */
  attachments?: Array<{
    /** Without a path. (1 to 200 characters; matches `^[^\x00-\x1f\x7f-\x9f/\\]+$`) */
    fileName: string
    /**
     * Such as application/pdf. (at most 100 characters; matches
     * `^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$`)
     */
    mediaType: string
    /** In base64. (matches `^[A-Za-z0-9+/]*={0,2}$`) */
    content: string
  }>
  /**
   * The newest item that the writer has read; null where the thread was empty. When somebody answered after it,
   * nothing is sent and 412 says who and what. (at most 60 characters)
   */
  lastSeenItemId: string | null
}

/** What `conversations.reply_by_mail` returns. */
export type ConversationsReplyByMailReply = ConversationsItemsItem

/** What `conversations.write_note` takes. */
export type ConversationsWriteNoteParams = {
  /** Identifier of the conversation. (matches `^cnv_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  conversationId: string
  /** The note, plain or Markdown. (1 to 10000 characters; matches `\S`) */
  body: string
  /** Members whose attention it asks for, by user id. (at most 20 items) */
  mentions?: number[]
  /** Files that belong to it: attachments of the lead or contact, put there before. (at most 10 items) */
  attachments?: string[]
}

/** What `conversations.write_note` returns. */
export type ConversationsWriteNoteReply = ConversationsItemsItem

/** What `conversations.presence` takes. */
export type ConversationsPresenceParams = {
  /** Identifier of the conversation. (matches `^cnv_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  conversationId: string
  /** What the caller does. */
  state: 'viewing' | 'composing' | 'away'
}

/** What `conversations.presence` returns. */
export type ConversationsPresenceReply = {
  conversationId: string
  /** Who else is there. */
  presence: Array<{
    /** Identifier. (at least 1) */
    userId: number
    /** Name of the person. */
    name: string
    /** Whether they look at the conversation, or write an answer. */
    state: 'viewing' | 'composing'
    /** When they began. */
    since: string
    /** They are gone from then on, unless they say it again. */
    expiresAt: string
  }>
}

/** What `analytics.usage` takes. */
export type AnalyticsUsageParams = {
  /**
   * From here on, moved down to the beginning of its hour or day: an ISO 8601 time with offset, or a date in the
   * time zone of the organization. Without it: the last 24 hours before the end. (at most 40 characters)
   */
  after?: string
  /** Until here, exclusive, moved up to the end of its hour or day. Without it: now. (at most 40 characters) */
  before?: string
  /** Hours (at most 31 days) or days of the organization's time zone. Without it: hours up to 7 days, else days. */
  interval?: 'hour' | 'day'
  /** What makes a series. (default "none") */
  groupBy?: 'none' | 'endpoint' | 'key' | 'status' | 'source'
  /** Endpoint of the catalog, such as leads.create. (1 to 100 characters) */
  endpointId?: string
  /** API key used. (1 to 100 characters) */
  keyId?: string
  /**
   * Where requests came from; left out: api and playground, without what the portal asks for its own screens. One or
   * more, with commas between, of: api, playground, portal. (at most 200 characters)
   */
  source?: string | ReadonlyArray<string>
}

/** What `analytics.usage` returns. */
export type AnalyticsUsageReply = Analytics

/** What `analytics.errors` takes. */
export type AnalyticsErrorsParams = {
  /**
   * From here on, moved down to the beginning of its hour or day: an ISO 8601 time with offset, or a date in the
   * time zone of the organization. Without it: the last 24 hours before the end. (at most 40 characters)
   */
  after?: string
  /** Until here, exclusive, moved up to the end of its hour or day. Without it: now. (at most 40 characters) */
  before?: string
  /** Endpoint of the catalog, such as leads.create. (1 to 100 characters) */
  endpointId?: string
  /** API key used. (1 to 100 characters) */
  keyId?: string
  /**
   * Where requests came from; left out: api and playground, without what the portal asks for its own screens. One or
   * more, with commas between, of: api, playground, portal. (at most 200 characters)
   */
  source?: string | ReadonlyArray<string>
  /** How many, at most 100; 20 when not said. (1 to 100; default 20) */
  limit?: number
}

/** What `analytics.errors` returns. */
export type AnalyticsErrorsReply = {
  /** ISO 8601 in UTC, with milliseconds. */
  after: string
  /** ISO 8601 in UTC, with milliseconds. */
  before: string
  errors: Array<{
    /** The endpoint in the catalog; null when there is none. */
    endpointId: string | null
    /** The problem code. */
    problem: string | null
    status: number
    /** (at least 0) */
    requests: number
    /** The newest request that met it. */
    lastRequestId: string
    /** ISO 8601 in UTC, with milliseconds. */
    lastAt: string
  }>
}

/** What `analytics.messaging` takes. */
export type AnalyticsMessagingParams = {
  /**
   * From here on, moved down to the beginning of its hour or day: an ISO 8601 time with offset, or a date in the
   * time zone of the organization. Without it: the last 24 hours before the end. (at most 40 characters)
   */
  after?: string
  /** Until here, exclusive, moved up to the end of its hour or day. Without it: now. (at most 40 characters) */
  before?: string
  /** Hours (at most 31 days) or days of the organization's time zone. Without it: hours up to 7 days, else days. */
  interval?: 'hour' | 'day'
}

/** What `analytics.messaging` returns. */
export type AnalyticsMessagingReply = {
  /** ISO 8601 in UTC, with milliseconds. */
  after: string
  /** ISO 8601 in UTC, with milliseconds. */
  before: string
  interval: 'hour' | 'day'
  /** That of the organization (IANA name), whose days and hours these are. */
  timeZone: string
  /** When each bucket begins. Lists of figures have as many entries. */
  buckets: string[]
  /** Those that occur. */
  series: Array<{
    direction: 'outbound' | 'inbound'
    status: 'scheduled' | 'queued' | 'sending' | 'sent' | 'delivered' | 'undelivered' | 'expired' | 'failed' | 'canceled' | 'unconfirmed' | 'received'
    messages: number[]
    segments: number[]
    total: {
      /** (at least 0) */
      messages: number
      /** (at least 0) */
      segments: number
    }
  }>
  total: {
    /** (at least 0) */
    messages: number
    /** (at least 0) */
    segments: number
  }
}

/** What `analytics.voice` takes. */
export type AnalyticsVoiceParams = {
  /**
   * From here on, moved down to the beginning of its hour or day: an ISO 8601 time with offset, or a date in the
   * time zone of the organization. Without it: the last 24 hours before the end. (at most 40 characters)
   */
  after?: string
  /** Until here, exclusive, moved up to the end of its hour or day. Without it: now. (at most 40 characters) */
  before?: string
  /** Hours (at most 31 days) or days of the organization's time zone. Without it: hours up to 7 days, else days. */
  interval?: 'hour' | 'day'
}

/** What `analytics.voice` returns. */
export type AnalyticsVoiceReply = {
  /** ISO 8601 in UTC, with milliseconds. */
  after: string
  /** ISO 8601 in UTC, with milliseconds. */
  before: string
  interval: 'hour' | 'day'
  /** That of the organization (IANA name), whose days and hours these are. */
  timeZone: string
  /** When each bucket begins. Lists of figures have as many entries. */
  buckets: string[]
  /** Those that occur. */
  series: Array<{
    direction: 'outbound' | 'inbound'
    state: 'initiated' | 'ringing' | 'answered' | 'completed' | 'busy' | 'no_answer' | 'rejected' | 'failed' | 'canceled'
    calls: number[]
    minutes: number[]
    total: {
      /** (at least 0) */
      calls: number
      /** From answer to end, with two decimals. (at least 0) */
      minutes: number
    }
  }>
  total: {
    /** (at least 0) */
    calls: number
    /** From answer to end, with two decimals. (at least 0) */
    minutes: number
  }
}

/** What `home.get` returns. */
export type HomeGetReply = Home

/** What `status.get` returns. */
export type StatusGetReply = Status

/** What `operator_status.get` returns. */
export type OperatorStatusGetReply = OperatorStatus

/** What `requests.list` takes. */
export type RequestsListParams = {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
  /** An exact status (404) or a class (4xx). (matches `^[1-5](?:\d\d|xx)$`) */
  status?: string
  /** What the path begins with. (1 to 500 characters) */
  path?: string
  /** Endpoint of the catalog, such as leads.create. (1 to 100 characters) */
  endpointId?: string
  /** API key used. (1 to 100 characters) */
  keyId?: string
  /** Identifier. (at least 1) */
  userId?: number
  /** Problem code, such as validation_failed. (1 to 100 characters) */
  problem?: string
  /**
   * Where requests came from. One or more, with commas between, of: api, playground, portal. (at most 200
   * characters)
   */
  source?: string | ReadonlyArray<string>
  /** What was made or touched, such as msg_01k9r7d3w2v8e6q4n5m1b0c9xz or lead:12. (1 to 100 characters) */
  resourceId?: string
  /** ISO 8601 date (YYYY-MM-DD) or time with offset (2026-11-21T08:00:00Z). (at most 40 characters) */
  createdAfter?: string
  /** ISO 8601 date (YYYY-MM-DD) or time with offset (2026-11-21T08:00:00Z). (at most 40 characters) */
  createdBefore?: string
  /** Exactly this request. (matches `^req_[0-9a-hjkmnp-tv-z]{26}$`) */
  requestId?: string
  /** Records per page, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer, with the same filters. (at most 4000 characters) */
  cursor?: string
}

export type RequestsListReply = CursorPage<RequestsListItem>

/** What `requests.get` takes. */
export type RequestsGetParams = {
  /** (matches `^req_[0-9a-hjkmnp-tv-z]{26}$`) */
  requestId: string
}

/** What `requests.get` returns. */
export type RequestsGetReply = RequestLogEntry

/** What `events.list` takes. */
export type EventsListParams = {
  /**
   * A type, such as lead.created, or lead.* for all of leads. (at most 100 characters; matches
   * `^[a-z_]+(?:\.[a-z_]+)*(?:\.\*)?$`)
   */
  type?: string
  /** Events of one resource. (1 to 100 characters) */
  resourceId?: string
  /** ISO 8601 date (YYYY-MM-DD) or time with offset (2026-11-21T08:00:00Z). (at most 40 characters) */
  createdAfter?: string
  /** ISO 8601 date (YYYY-MM-DD) or time with offset (2026-11-21T08:00:00Z). (at most 40 characters) */
  createdBefore?: string
  /** Records per page, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer, with the same filters. (at most 4000 characters) */
  cursor?: string
}

export type EventsListReply = CursorPage<TandemEvent>

/** What `stream.open` takes. */
export type StreamOpenParams = {
  /**
   * What to send; all that the caller may read when left out. One or more, with commas between, of: requests,
   * events, conversations. (at most 200 characters)
   */
  topics?: string | ReadonlyArray<string>
  /**
   * Only events of these types, with commas between: lead.created, or lead.* for all of leads. (at most 1000
   * characters)
   */
  eventTypes?: string | ReadonlyArray<string>
  /**
   * Of texts and calls, only events of those from or to these telephone numbers, with commas between: what the page
   * of one person needs. Other events are not concerned. (at most 1000 characters)
   */
  numbers?: string | ReadonlyArray<string>
  /**
   * Only requests from there. One or more, with commas between, of: api, playground, portal. (at most 200
   * characters)
   */
  source?: string | ReadonlyArray<string>
}

export type StreamOpenEvent = 
  | StreamEvent<'ready', {
    /** What this stream reports. */
    topics: Array<'requests' | 'events' | 'conversations'>
  }>
  | StreamEvent<'request', RequestsListItem>
  | StreamEvent<'event', TandemEvent>
  | StreamEvent<'conversation', {
    /** Updated: read the conversation again. Presence: who is in it changed. */
    type: 'conversation.updated' | 'conversation.presence'
    /** Identifier, `cnv_…`. */
    conversationId: string
    /** ISO 8601 in UTC, with milliseconds. */
    at: string
    /** Who did it; null for what came in, and what the server did. */
    userId: number | null
    /** Who is in it now, yourself included; null of updates. */
    presence: Array<{
      /** Identifier. (at least 1) */
      userId: number
      /** Name of the person. */
      name: string
      /** Whether they look at the conversation, or write an answer. */
      state: 'viewing' | 'composing'
      /** When they began. */
      since: string
      /** They are gone from then on, unless they say it again. */
      expiresAt: string
    }> | null
  }>
  | StreamEvent<'gap', {
    topic: 'requests' | 'events' | 'conversations'
    /** Read the list of the topic from this moment on. */
    after: string
    /**
     * More than 1,000 were missed, it was more than seven days ago (of conversations, 50 minutes), or a backup was
     * restored.
     */
    reason: 'too_many' | 'too_old' | 'database_restored'
  }>
  | StreamEvent<'end', {
    /**
     * What ended the credential (such as token_expired or key_revoked), permissions_changed, slow (what was sent was
     * not read), unavailable (the database did not answer) or stopping (the server stops).
     */
    reason: string
  }>

/** What `environments.list` takes. */
export type EnvironmentsListParams = {
  /** Records per page, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer, with the same filters. (at most 4000 characters) */
  cursor?: string
}

export type EnvironmentsListReply = CursorPage<Environment>

/** What `environments.create` takes. */
export type EnvironmentsCreateParams = {
  /** (1 to 100 characters; matches `\S`) */
  name: string
  /** In which mode it is offered; null: in both. */
  mode?: 'live' | 'test' | null
  /** In the order in which they are shown. (at most 100 items) */
  variables?: Array<{
    /** As it is written between braces: `leadId` of `{{leadId}}`. (matches `^[A-Za-z_][A-Za-z0-9_.-]{0,63}$`) */
    name: string
    /** Null of a secret one: its value is never kept here. (at most 8192 characters) */
    value: string | null
    /** Whether each person fills it in for themselves, in the page: its value is never kept here. */
    secret: boolean
  }>
  /** Whether everybody in the organization sees it, or its owner alone. Sharing needs playground:share. */
  shared?: boolean
}

/** What `environments.create` returns. */
export type EnvironmentsCreateReply = Environment

/** What `environments.get` takes. */
export type EnvironmentsGetParams = {
  /** Identifier of the environment. (matches `^env_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  environmentId: string
}

/** What `environments.get` returns. */
export type EnvironmentsGetReply = Environment

/** What `environments.update` takes. */
export type EnvironmentsUpdateParams = {
  /** Identifier of the environment. (matches `^env_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  environmentId: string
  /** (1 to 100 characters; matches `\S`) */
  name?: string
  /** In which mode it is offered; null: in both. */
  mode?: 'live' | 'test' | null
  /** In the order in which they are shown. (at most 100 items) */
  variables?: Array<{
    /** As it is written between braces: `leadId` of `{{leadId}}`. (matches `^[A-Za-z_][A-Za-z0-9_.-]{0,63}$`) */
    name: string
    /** Null of a secret one: its value is never kept here. (at most 8192 characters) */
    value: string | null
    /** Whether each person fills it in for themselves, in the page: its value is never kept here. */
    secret: boolean
  }>
  /** Whether everybody in the organization sees it, or its owner alone. Sharing needs playground:share. */
  shared?: boolean
}

/** What `environments.update` returns. */
export type EnvironmentsUpdateReply = Environment

/** What `environments.delete` takes. */
export type EnvironmentsDeleteParams = {
  /** Identifier of the environment. (matches `^env_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  environmentId: string
}

/** What `environments.delete` returns. */
export type EnvironmentsDeleteReply = {
  /** What was deleted. */
  environmentId: string
  /** It is gone. */
  deleted: true
}

/** What `collections.list` takes. */
export type CollectionsListParams = {
  /** Records per page, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer, with the same filters. (at most 4000 characters) */
  cursor?: string
}

export type CollectionsListReply = CursorPage<Collection>

/** What `collections.create` takes. */
export type CollectionsCreateParams = {
  /** (1 to 100 characters; matches `\S`) */
  name: string
  /** What it is for. (at most 2000 characters) */
  description?: string
  /** Whether everybody in the organization sees it, or its owner alone. Sharing needs playground:share. */
  shared?: boolean
  /** In their order. (at most 50 items) */
  folders?: Array<{
    /** (1 to 100 characters; matches `\S`) */
    name: string
    /** In their order. (at most 300 items) */
    requests?: Array<{
      /** (1 to 120 characters; matches `\S`) */
      name: string
      /** HTTP method. (matches `^[A-Za-z]{1,20}$`) */
      method: string
      /**
       * With `{name}` for what pathValues fills in, and `{{name}}` for variables. (at most 8192 characters; matches
       * `^/`)
       */
      path: string
      /** A value for each `{name}` of the path. (at most 20 items) */
      pathValues?: Array<{
        /** (at most 64 characters) */
        name: string
        /** (at most 8192 characters) */
        value: string
      }>
      /** Query parameters. (at most 100 items) */
      query?: Array<{
        /** (at most 8192 characters) */
        name: string
        /** (at most 8192 characters) */
        value: string
        /** Whether it is sent. */
        enabled: boolean
      }>
      /** Headers; never with a credential. (at most 100 items) */
      headers?: Array<{
        /** (at most 8192 characters) */
        name: string
        /** (at most 8192 characters) */
        value: string
        /** Whether it is sent. */
        enabled: boolean
      }>
      /** Empty: none is sent. (at most 65536 characters) */
      body?: string
      /** What is asked of the answer. (at most 30 items) */
      tests?: Array<{
        /** What is looked at: the status, the time in milliseconds, a header, or a value of the JSON. */
        subject: 'status' | 'time' | 'header' | 'json'
        /**
         * The name of the header, or the JSON Pointer (RFC 6901) of the value: `/data/0/id`. Empty for the rest. (at
         * most 1024 characters)
         */
        target: string
        /**
         * status: equals, one_of. time: below. header: exists, equals, contains. json: these and count (how many
         * items or fields).
         */
        operator: 'equals' | 'one_of' | 'below' | 'exists' | 'contains' | 'count'
        /** What it is compared with; may name variables. Empty for exists. (at most 8192 characters) */
        value: string
      }>
      /** Variables that a run takes from the answer, for the requests after it. (at most 20 items) */
      captures?: Array<{
        /** As it is written between braces: `leadId` of `{{leadId}}`. (matches `^[A-Za-z_][A-Za-z0-9_.-]{0,63}$`) */
        name: string
        /** JSON Pointer (RFC 6901) of the value. (at most 1024 characters; matches `^(/.*)?$`) */
        pointer: string
      }>
    }>
  }>
  /** Those in no folder, in their order. (at most 300 items) */
  requests?: Array<{
    /** (1 to 120 characters; matches `\S`) */
    name: string
    /** HTTP method. (matches `^[A-Za-z]{1,20}$`) */
    method: string
    /**
     * With `{name}` for what pathValues fills in, and `{{name}}` for variables. (at most 8192 characters; matches
     * `^/`)
     */
    path: string
    /** A value for each `{name}` of the path. (at most 20 items) */
    pathValues?: Array<{
      /** (at most 64 characters) */
      name: string
      /** (at most 8192 characters) */
      value: string
    }>
    /** Query parameters. (at most 100 items) */
    query?: Array<{
      /** (at most 8192 characters) */
      name: string
      /** (at most 8192 characters) */
      value: string
      /** Whether it is sent. */
      enabled: boolean
    }>
    /** Headers; never with a credential. (at most 100 items) */
    headers?: Array<{
      /** (at most 8192 characters) */
      name: string
      /** (at most 8192 characters) */
      value: string
      /** Whether it is sent. */
      enabled: boolean
    }>
    /** Empty: none is sent. (at most 65536 characters) */
    body?: string
    /** What is asked of the answer. (at most 30 items) */
    tests?: Array<{
      /** What is looked at: the status, the time in milliseconds, a header, or a value of the JSON. */
      subject: 'status' | 'time' | 'header' | 'json'
      /**
       * The name of the header, or the JSON Pointer (RFC 6901) of the value: `/data/0/id`. Empty for the rest. (at
       * most 1024 characters)
       */
      target: string
      /**
       * status: equals, one_of. time: below. header: exists, equals, contains. json: these and count (how many items
       * or fields).
       */
      operator: 'equals' | 'one_of' | 'below' | 'exists' | 'contains' | 'count'
      /** What it is compared with; may name variables. Empty for exists. (at most 8192 characters) */
      value: string
    }>
    /** Variables that a run takes from the answer, for the requests after it. (at most 20 items) */
    captures?: Array<{
      /** As it is written between braces: `leadId` of `{{leadId}}`. (matches `^[A-Za-z_][A-Za-z0-9_.-]{0,63}$`) */
      name: string
      /** JSON Pointer (RFC 6901) of the value. (at most 1024 characters; matches `^(/.*)?$`) */
      pointer: string
    }>
  }>
}

/** What `collections.create` returns. */
export type CollectionsCreateReply = Collection

/** What `collections.get` takes. */
export type CollectionsGetParams = {
  /** Identifier of the collection. (matches `^col_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  collectionId: string
}

/** What `collections.get` returns. */
export type CollectionsGetReply = Collection

/** What `collections.update` takes. */
export type CollectionsUpdateParams = {
  /** Identifier of the collection. (matches `^col_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  collectionId: string
  /** (1 to 100 characters; matches `\S`) */
  name?: string
  /** What it is for. (at most 2000 characters) */
  description?: string
  /** Whether everybody in the organization sees it, or its owner alone. Sharing needs playground:share. */
  shared?: boolean
  /** Each of its folders once, with its name, in their new order. (at most 50 items) */
  folders?: Array<{
    /** Identifier of the folder. (matches `^fld_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
    folderId: string
    /** (1 to 100 characters; matches `\S`) */
    name: string
  }>
}

/** What `collections.update` returns. */
export type CollectionsUpdateReply = Collection

/** What `collections.delete` takes. */
export type CollectionsDeleteParams = {
  /** Identifier of the collection. (matches `^col_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  collectionId: string
}

/** What `collections.delete` returns. */
export type CollectionsDeleteReply = {
  /** What was deleted. */
  collectionId: string
  /** It is gone. */
  deleted: true
}

/** What `collections.add_folder` takes. */
export type CollectionsAddFolderParams = {
  /** Identifier of the collection. (matches `^col_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  collectionId: string
  /** (1 to 100 characters; matches `\S`) */
  name: string
  /** In their order. (at most 300 items) */
  requests?: Array<{
    /** (1 to 120 characters; matches `\S`) */
    name: string
    /** HTTP method. (matches `^[A-Za-z]{1,20}$`) */
    method: string
    /**
     * With `{name}` for what pathValues fills in, and `{{name}}` for variables. (at most 8192 characters; matches
     * `^/`)
     */
    path: string
    /** A value for each `{name}` of the path. (at most 20 items) */
    pathValues?: Array<{
      /** (at most 64 characters) */
      name: string
      /** (at most 8192 characters) */
      value: string
    }>
    /** Query parameters. (at most 100 items) */
    query?: Array<{
      /** (at most 8192 characters) */
      name: string
      /** (at most 8192 characters) */
      value: string
      /** Whether it is sent. */
      enabled: boolean
    }>
    /** Headers; never with a credential. (at most 100 items) */
    headers?: Array<{
      /** (at most 8192 characters) */
      name: string
      /** (at most 8192 characters) */
      value: string
      /** Whether it is sent. */
      enabled: boolean
    }>
    /** Empty: none is sent. (at most 65536 characters) */
    body?: string
    /** What is asked of the answer. (at most 30 items) */
    tests?: Array<{
      /** What is looked at: the status, the time in milliseconds, a header, or a value of the JSON. */
      subject: 'status' | 'time' | 'header' | 'json'
      /**
       * The name of the header, or the JSON Pointer (RFC 6901) of the value: `/data/0/id`. Empty for the rest. (at
       * most 1024 characters)
       */
      target: string
      /**
       * status: equals, one_of. time: below. header: exists, equals, contains. json: these and count (how many items
       * or fields).
       */
      operator: 'equals' | 'one_of' | 'below' | 'exists' | 'contains' | 'count'
      /** What it is compared with; may name variables. Empty for exists. (at most 8192 characters) */
      value: string
    }>
    /** Variables that a run takes from the answer, for the requests after it. (at most 20 items) */
    captures?: Array<{
      /** As it is written between braces: `leadId` of `{{leadId}}`. (matches `^[A-Za-z_][A-Za-z0-9_.-]{0,63}$`) */
      name: string
      /** JSON Pointer (RFC 6901) of the value. (at most 1024 characters; matches `^(/.*)?$`) */
      pointer: string
    }>
  }>
}

/** What `collections.add_folder` returns. */
export type CollectionsAddFolderReply = Collection

/** What `collections.delete_folder` takes. */
export type CollectionsDeleteFolderParams = {
  /** Identifier of the collection. (matches `^col_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  collectionId: string
  /** Identifier of the folder. (matches `^fld_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  folderId: string
}

/** What `collections.delete_folder` returns. */
export type CollectionsDeleteFolderReply = Collection

/** What `saved_requests.list` takes. */
export type SavedRequestsListParams = {
  /** Only requests of this collection. (matches `^col_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  collectionId?: string
  /** Records per page, 1 to 200. (1 to 200; default 50) */
  limit?: number
  /** The `nextCursor` of the last answer, with the same filters. (at most 4000 characters) */
  cursor?: string
}

export type SavedRequestsListReply = CursorPage<SavedRequest>

/** What `saved_requests.create` takes. */
export type SavedRequestsCreateParams = {
  /** The collection to save it to. (matches `^col_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  collectionId: string
  /** Identifier of the folder. (matches `^fld_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  folderId?: string | null
  /**
   * Orders the requests of a folder; one between two others has a number between theirs. (-1000000000000 to
   * 1000000000000)
   */
  position?: number
  /** (1 to 120 characters; matches `\S`) */
  name: string
  /** HTTP method. (matches `^[A-Za-z]{1,20}$`) */
  method: string
  /**
   * With `{name}` for what pathValues fills in, and `{{name}}` for variables. (at most 8192 characters; matches
   * `^/`)
   */
  path: string
  /** A value for each `{name}` of the path. (at most 20 items) */
  pathValues?: Array<{
    /** (at most 64 characters) */
    name: string
    /** (at most 8192 characters) */
    value: string
  }>
  /** Query parameters. (at most 100 items) */
  query?: Array<{
    /** (at most 8192 characters) */
    name: string
    /** (at most 8192 characters) */
    value: string
    /** Whether it is sent. */
    enabled: boolean
  }>
  /** Headers; never with a credential. (at most 100 items) */
  headers?: Array<{
    /** (at most 8192 characters) */
    name: string
    /** (at most 8192 characters) */
    value: string
    /** Whether it is sent. */
    enabled: boolean
  }>
  /** Empty: none is sent. (at most 65536 characters) */
  body?: string
  /** What is asked of the answer. (at most 30 items) */
  tests?: Array<{
    /** What is looked at: the status, the time in milliseconds, a header, or a value of the JSON. */
    subject: 'status' | 'time' | 'header' | 'json'
    /**
     * The name of the header, or the JSON Pointer (RFC 6901) of the value: `/data/0/id`. Empty for the rest. (at
     * most 1024 characters)
     */
    target: string
    /**
     * status: equals, one_of. time: below. header: exists, equals, contains. json: these and count (how many items
     * or fields).
     */
    operator: 'equals' | 'one_of' | 'below' | 'exists' | 'contains' | 'count'
    /** What it is compared with; may name variables. Empty for exists. (at most 8192 characters) */
    value: string
  }>
  /** Variables that a run takes from the answer, for the requests after it. (at most 20 items) */
  captures?: Array<{
    /** As it is written between braces: `leadId` of `{{leadId}}`. (matches `^[A-Za-z_][A-Za-z0-9_.-]{0,63}$`) */
    name: string
    /** JSON Pointer (RFC 6901) of the value. (at most 1024 characters; matches `^(/.*)?$`) */
    pointer: string
  }>
}

/** What `saved_requests.create` returns. */
export type SavedRequestsCreateReply = SavedRequest

/** What `saved_requests.get` takes. */
export type SavedRequestsGetParams = {
  /** Identifier of the saved request. (matches `^srq_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  requestId: string
}

/** What `saved_requests.get` returns. */
export type SavedRequestsGetReply = SavedRequest

/** What `saved_requests.update` takes. */
export type SavedRequestsUpdateParams = {
  /** Identifier of the saved request. (matches `^srq_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  requestId: string
  /** The collection to move it to. (matches `^col_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  collectionId?: string
  /** Identifier of the folder. (matches `^fld_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  folderId?: string | null
  /**
   * Orders the requests of a folder; one between two others has a number between theirs. (-1000000000000 to
   * 1000000000000)
   */
  position?: number
  /** (1 to 120 characters; matches `\S`) */
  name?: string
  /** HTTP method. (matches `^[A-Za-z]{1,20}$`) */
  method?: string
  /**
   * With `{name}` for what pathValues fills in, and `{{name}}` for variables. (at most 8192 characters; matches
   * `^/`)
   */
  path?: string
  /** A value for each `{name}` of the path. (at most 20 items) */
  pathValues?: Array<{
    /** (at most 64 characters) */
    name: string
    /** (at most 8192 characters) */
    value: string
  }>
  /** Query parameters. (at most 100 items) */
  query?: Array<{
    /** (at most 8192 characters) */
    name: string
    /** (at most 8192 characters) */
    value: string
    /** Whether it is sent. */
    enabled: boolean
  }>
  /** Headers; never with a credential. (at most 100 items) */
  headers?: Array<{
    /** (at most 8192 characters) */
    name: string
    /** (at most 8192 characters) */
    value: string
    /** Whether it is sent. */
    enabled: boolean
  }>
  /** Empty: none is sent. (at most 65536 characters) */
  body?: string
  /** What is asked of the answer. (at most 30 items) */
  tests?: Array<{
    /** What is looked at: the status, the time in milliseconds, a header, or a value of the JSON. */
    subject: 'status' | 'time' | 'header' | 'json'
    /**
     * The name of the header, or the JSON Pointer (RFC 6901) of the value: `/data/0/id`. Empty for the rest. (at
     * most 1024 characters)
     */
    target: string
    /**
     * status: equals, one_of. time: below. header: exists, equals, contains. json: these and count (how many items
     * or fields).
     */
    operator: 'equals' | 'one_of' | 'below' | 'exists' | 'contains' | 'count'
    /** What it is compared with; may name variables. Empty for exists. (at most 8192 characters) */
    value: string
  }>
  /** Variables that a run takes from the answer, for the requests after it. (at most 20 items) */
  captures?: Array<{
    /** As it is written between braces: `leadId` of `{{leadId}}`. (matches `^[A-Za-z_][A-Za-z0-9_.-]{0,63}$`) */
    name: string
    /** JSON Pointer (RFC 6901) of the value. (at most 1024 characters; matches `^(/.*)?$`) */
    pointer: string
  }>
}

/** What `saved_requests.update` returns. */
export type SavedRequestsUpdateReply = SavedRequest

/** What `saved_requests.delete` takes. */
export type SavedRequestsDeleteParams = {
  /** Identifier of the saved request. (matches `^srq_[0-7][0-9a-hjkmnp-tv-z]{25}$`) */
  requestId: string
}

/** What `saved_requests.delete` returns. */
export type SavedRequestsDeleteReply = {
  /** What was deleted. */
  requestId: string
  /** It is gone. */
  deleted: true
}

/** What `catalog.list` takes. */
export type CatalogListParams = {
  /** Words to search for, or an address. (at most 200 characters) */
  q?: string
  /** Only this category. Planned, and without endpoints yet: Video, Contact Center, AI, Billing. */
  category?: 'Authentication' | 'User' | 'Organization' | 'CRM' | 'Finance' | 'Messaging' | 'Voice' | 'Video' | 'Contact Center' | 'AI' | 'Analytics' | 'Billing' | 'Developer'
  /** Only this version. */
  version?: 'v1' | 'v2' | 'oauth'
  /** Only this method. */
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
}

/** What `catalog.list` returns. */
export type CatalogListReply = CatalogListItem[]

/** What `catalog.categories` returns. */
export type CatalogCategoriesReply = CatalogCategoriesItem[]

/** What `catalog.get` takes. */
export type CatalogGetParams = {
  /** Id from the catalog list. (1 to 100 characters) */
  endpointId: string
}

/** What `catalog.get` returns. */
export type CatalogGetReply = CatalogEntry

/** What `problems.list` returns. */
export type ProblemsListReply = Problem[]

/** What `openapi.get` returns. */
export type OpenapiGetReply = Record<string, unknown>

/** What `jwks.get` returns. */
export type JwksGetReply = {
  keys: Array<Record<string, unknown>>
}

/** Every endpoint, by its id. */
export type Operations = {
  auth: {
    /**
     * Log in.
     *
     * Exchanges e-mail (or administrator identifier) and password for an access token. The token belongs to the live
     * tenant unless `mode` says test.
     *
     * `POST /v1/api/auth/login`, public.
     *
     * Errors: invalid_credentials, second_factor_required, login_by_mail_required, membership_required,
     * initial_password_expired, second_factor_setup_required, password_change_required, address_not_allowed,
     * sso_required, login_throttled.
     */
    login: Operation<AuthLoginParams, AuthLoginReply>
    /**
     * Verify a login.
     *
     * What a login needs beside the password: it was refused with `second_factor_required`,
     * `second_factor_setup_required` or `password_change_required`, and a `challengeToken` that is good for five
     * minutes, once. Answers as the login does.
     *
     * `POST /v1/api/auth/login/verify`, public.
     *
     * Errors: challenge_expired, second_factor_required, initial_password_expired, second_factor_setup_required,
     * password_change_required, address_not_allowed, sso_required, invalid_second_factor, weak_password,
     * login_throttled.
     */
    verifyLogin: Operation<AuthVerifyLoginParams, AuthVerifyLoginReply>
    /**
     * Refresh an access token.
     *
     * Exchanges a refresh token for a new access token and the next refresh token. Using an old refresh token again
     * ends the whole session, except within 20 seconds, when it answers the same successor.
     *
     * `POST /v1/api/auth/refresh`, public.
     *
     * Errors: invalid_refresh_token.
     */
    refresh: Operation<AuthRefreshParams, AuthRefreshReply>
    /**
     * Log out.
     *
     * Ends the session of the access token, with all that its login opened, also in other organizations: the tokens
     * stop working on every node within two seconds. With an API key there is no session, and nothing happens.
     *
     * `POST /v1/api/auth/logout`, permission profile:read (Admin, Sales Manager, Sales Executive, Finance Manager).
     */
    logout: Operation<Record<never, never>, AuthLogoutReply>
    /**
     * Who am I.
     *
     * Who one is: the user behind the token or API key, with the rights it holds and the tenant and mode it belongs
     * to.
     *
     * `GET /v1/api/auth/me`, permission profile:read (Admin, Sales Manager, Sales Executive, Finance Manager).
     */
    me: Operation<Record<never, never>, AuthMeReply>
    /**
     * Log in with a passkey.
     *
     * Exchanges what a browser answered to the options of POST /v2/auth/passkeys/options for an access token. No
     * password and no other factor is asked for. Of several organizations it is for the one used last, unless
     * `organizationId` names one.
     *
     * `POST /v2/auth/passkeys`, public.
     *
     * Errors: membership_required, password_change_required, address_not_allowed, sso_required,
     * passkeys_unavailable, passkey_refused.
     */
    logInWithPasskey: Operation<AuthLogInWithPasskeyParams, AuthLogInWithPasskeyReply>
    /**
     * Request a password reset.
     *
     * Sends a mail with a link that sets another password, good for thirty minutes and once, if the address is that
     * of an account that may log in. The answer is the same, as soon, for every address. At most five an hour for an
     * account.
     *
     * `POST /v2/auth/password-resets`, public.
     */
    requestPasswordReset: Operation<AuthRequestPasswordResetParams, AuthRequestPasswordResetReply>
    /**
     * Reset a password.
     *
     * Takes the token of the mail, which is behind the # of its link, and another password: at least 15 characters,
     * or 10 where the account has a second factor. Logs the person out everywhere; they log in with the new one, and
     * with the second factor as ever.
     *
     * `POST /v2/auth/password-resets/confirm`, public.
     *
     * Errors: link_expired, weak_password.
     */
    resetPassword: Operation<AuthResetPasswordParams, AuthResetPasswordReply>
    /**
     * Look up an invitation.
     *
     * What the link of an invitation is for. The token is in the body, for addresses are kept in logs.
     *
     * `POST /v2/auth/invitations`, public.
     *
     * Errors: invitation_expired.
     */
    showInvitation: Operation<AuthShowInvitationParams, AuthShowInvitationReply>
    /**
     * Accept an invitation.
     *
     * Makes the person a member. Somebody who has an account sends the access token of its session; anyone else
     * sends a name and a password of at least 15 characters, of which an account is made. Then they log in. Who was
     * a member before is the same user again, with the role of the invitation and without what was handed over when
     * they left.
     *
     * `POST /v2/auth/invitations/accept`, public.
     *
     * Errors: invitation_for_other_address, invitation_needs_login, already_member, hand_over_running,
     * invitation_expired, weak_password.
     */
    acceptInvitation: Operation<AuthAcceptInvitationParams, AuthAcceptInvitationReply>
    /**
     * Decline an invitation.
     *
     * Says that its reader does not want to become a member; the link does not work any more.
     *
     * `POST /v2/auth/invitations/decline`, public.
     *
     * Errors: invitation_expired.
     */
    declineInvitation: Operation<AuthDeclineInvitationParams, AuthDeclineInvitationReply>
    /**
     * Revoke a change of e-mail address.
     *
     * Takes the token of the mail that went to the address before, within seven days of the change: the account has
     * that address again, and all its sessions end, on every node within two seconds. Then set another password.
     *
     * `POST /v2/auth/email-changes/undo`, public.
     *
     * Errors: email_taken, link_expired.
     */
    undoEmailChange: Operation<AuthUndoEmailChangeParams, AuthUndoEmailChangeReply>
    /**
     * Get whether links to log in are sent.
     *
     * Whether any organization of this server lets people log in by the link of a mail. It says nothing of an
     * address.
     *
     * `GET /v2/auth/sign-in-links`, public.
     */
    signInLinks: Operation<Record<never, never>, AuthSignInLinksReply>
    /**
     * Request a link to log in.
     *
     * Sends a mail with a link, good for ten minutes and once, if the address is that of an account whose
     * organization allows it. The answer is the same, as soon, for every address. At most five an hour for an
     * account.
     *
     * `POST /v2/auth/sign-in-links`, public.
     */
    requestSignInLink: Operation<AuthRequestSignInLinkParams, AuthRequestSignInLinkReply>
    /**
     * Log in with a link.
     *
     * Exchanges the token of the mail, which is behind the # of its link, and the secret that was sent when it was
     * asked for, for an access token. It stands for the password: a second factor is asked for as ever.
     *
     * `POST /v2/auth/sign-in-links/confirm`, public.
     *
     * Errors: second_factor_required, second_factor_setup_required, password_change_required, address_not_allowed,
     * sso_required, link_expired.
     */
    logInWithLink: Operation<AuthLogInWithLinkParams, AuthLogInWithLinkReply>
    /**
     * Switch to another organization.
     *
     * Opens a session in another organization of the person, without asking again who they are, where the login
     * showed what that one asks for. The session of this request goes on; both end together, when either is logged
     * out or ended, and both are as old as the login.
     *
     * `POST /v2/auth/switch`, permission profile:read (Admin, Sales Manager, Sales Executive, Finance Manager).
     *
     * Errors: person_required, membership_required, sso_session, sso_required, address_not_allowed,
     * switch_needs_login.
     */
    switch: Operation<AuthSwitchParams, AuthSwitchReply>
    /**
     * Step up a session.
     *
     * For fifteen minutes the session may do what asks for a fresh proof: it was refused with `step_up_required`.
     * The password will do for accounts without a second factor; others send a code of the app, a recovery code or
     * the assertion of a passkey where the challenge asks for the factor (`acr_values="factor"`). Takes one of the
     * four. It answers another access token; the session’s access tokens of before end 20 seconds later, and the
     * next refresh gives another refresh token.
     *
     * `POST /v2/auth/step-up`, permission profile:read (Admin, Sales Manager, Sales Executive, Finance Manager).
     *
     * Errors: person_required, wrong_password, invalid_second_factor, login_throttled.
     */
    stepUp: Operation<AuthStepUpParams, AuthStepUpReply>
    /**
     * Start to log in with a passkey.
     *
     * What a browser asks for a passkey by: for `PublicKeyCredential.parseRequestOptionsFromJSON`, on a page of this
     * server. The same for everybody: the passkey says whose it is. Its answer also goes to POST /v2/auth/step-up.
     *
     * `POST /v2/auth/passkeys/options`, public.
     *
     * Errors: passkeys_unavailable.
     */
    passkeyOptions: Operation<Record<never, never>, AuthPasskeyOptionsReply>
    /**
     * Get who may sign up.
     *
     * Who may make an organization on this server: operators alone (`closed`), anyone with a code of theirs
     * (`invite`), or anyone (`open`).
     *
     * `GET /v2/auth/sign-up`, public.
     */
    getSignUp: Operation<Record<never, never>, AuthGetSignUpReply>
    /**
     * Sign up.
     *
     * Sends a mail with a link, good for a day and once, that makes an account and an organization; nothing is made
     * before. To an address that has an account the mail says so. The answer is the same, as soon, for every
     * address. At most five an hour from a network, and to an address.
     *
     * `POST /v2/auth/sign-up`, public.
     *
     * Errors: sign_up_closed, organization_code_refused, sign_up_throttled.
     */
    signUp: Operation<AuthSignUpParams, AuthSignUpReply>
    /**
     * Confirm a sign-up.
     *
     * Takes the token of the mail, which is behind the # of its link, and a password of at least 15 characters, and
     * makes the account and the organization that it owns. An organization that was made without a code sends 50
     * mails a day, until an operator lets it send more. Then log in.
     *
     * `POST /v2/auth/sign-up/confirm`, public.
     *
     * Errors: sign_up_closed, link_expired, organization_code_refused, weak_password.
     */
    confirmSignUp: Operation<AuthConfirmSignUpParams, AuthConfirmSignUpReply>
    /**
     * Check an address for single sign-on.
     *
     * Whether people of an address log in by the identity provider of their organization, and where. It is asked by
     * the domain alone: the answer is the same whether or not the address has an account.
     *
     * `POST /v2/auth/sso/discover`, public.
     */
    discoverSso: Operation<AuthDiscoverSsoParams, AuthDiscoverSsoReply>
  }
  apiKeys: {
    /**
     * Create an API key.
     *
     * Makes a key of the caller for live or test mode and answers its secret, this once (a repeat with the same
     * Idempotency-Key answers it again, from storage it cannot be read in). Without scopes the key may do all that
     * the role of its owner may, now and later. Nobody can give a key rights they do not hold; a key with scopes
     * must name those of the new one, and live keys are made in live mode. A key made with a key ends with it at the
     * latest: when it is revoked, and when it expires. The short-lived token of a key makes none. A user has at most
     * 50 keys that work in a mode, an organization 5000 live and 500 test ones.
     *
     * `POST /v2/auth/api-keys`, permission keys:manage (Admin, Sales Manager, Sales Executive, Finance Manager).
     *
     * Errors: step_up_required, scope_not_held, person_required, too_many_keys.
     */
    create: Operation<ApiKeysCreateParams, ApiKeysCreateReply>
    /**
     * List API keys.
     *
     * Keys without their secrets, newest first. An Admin sees all keys of the organization, others see their own; a
     * test key sees test keys only.
     *
     * `GET /v2/auth/api-keys`, permission keys:read (Admin, Sales Manager, Sales Executive, Finance Manager).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<ApiKeysListParams, ApiKeysListReply, ApiKey>
    /**
     * Revoke an API key.
     *
     * Ends a key for good, and the keys that were made with it: within two seconds every node refuses them. They
     * stay in the list. Revoking it again changes nothing. Live keys are revoked in live mode.
     *
     * `DELETE /v2/auth/api-keys/{keyId}`, permission keys:manage (Admin, Sales Manager, Sales Executive, Finance
     * Manager).
     *
     * Errors: live_mode_required.
     */
    revoke: Operation<ApiKeysRevokeParams, ApiKeysRevokeReply>
    /**
     * Rotate an API key.
     *
     * Makes a new key with the same owner, name, mode, scopes and expiry, answers its secret this once, and ends the
     * old one after an overlap in which both work. The keys that the old one made go on with the new one. A key with
     * scopes rotates only keys of its own user whose scopes it holds, and no key rotates one that lives longer than
     * itself. Live keys are rotated in live mode.
     *
     * `POST /v2/auth/api-keys/{keyId}/rotate`, permission keys:manage (Admin, Sales Manager, Sales Executive,
     * Finance Manager).
     *
     * Errors: step_up_required, scope_not_held, person_required, key_not_active, too_many_keys.
     */
    rotate: Operation<ApiKeysRotateParams, ApiKeysRotateReply>
    /**
     * Create a short-lived token of an API key.
     *
     * Answers an access token that acts as the key for 15 minutes, or until the key ends if that is sooner: same
     * tenant, scopes and rate limit, and the request log shows the key. So a person can try what a key may do
     * without its secret. Only the key's owner, logged in, gets one, of a live key in live mode; it cannot be
     * refreshed, makes no keys, and dies with the key within two seconds.
     *
     * `POST /v2/auth/api-keys/{keyId}/tokens`, permission keys:manage (Admin, Sales Manager, Sales Executive,
     * Finance Manager).
     *
     * Errors: scope_not_held, person_required, key_not_active.
     */
    createToken: Operation<ApiKeysCreateTokenParams, ApiKeysCreateTokenReply>
  }
  apps: {
    /**
     * Create an app.
     *
     * Registers a program that uses the API by OAuth, with a `client_id` for live and one for test mode, and a user
     * of its own that it acts as with client credentials. A secret is made apart. An organization has at most 100
     * apps. Done in live mode, by anyone who holds every scope of it.
     *
     * `POST /v2/auth/apps`, permission apps:manage (Admin).
     *
     * Errors: step_up_required, live_mode_required, scope_not_held, person_required, too_many_apps,
     * redirect_uri_not_allowed.
     */
    create: Operation<AppsCreateParams, AppsCreateReply>
    /**
     * List apps.
     *
     * The apps of the organization with their client ids and secrets in short, the newest first.
     *
     * `GET /v2/auth/apps`, permission apps:read (Admin).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<AppsListParams, AppsListReply, App>
    /**
     * Get an app.
     *
     * One app, with an ETag for a later change.
     *
     * `GET /v2/auth/apps/{appId}`, permission apps:read (Admin).
     */
    get: Operation<AppsGetParams, AppsGetReply>
    /**
     * Update an app.
     *
     * Changes an app. Fewer scopes and `status: suspended` act on every token that is out within two seconds; a
     * suspended app gets none, and goes on where it was when it is active again.
     *
     * `PATCH /v2/auth/apps/{appId}`, permission apps:manage (Admin).
     *
     * Errors: invalid_if_match, step_up_required, live_mode_required, scope_not_held, person_required,
     * version_mismatch, redirect_uri_not_allowed.
     */
    update: Operation<AppsUpdateParams, AppsUpdateReply>
    /**
     * Delete an app.
     *
     * Deletes an app for good, with its secrets and everything that people let it do: its tokens are refused on
     * every node within two seconds. Records go on naming its user as their author.
     *
     * `DELETE /v2/auth/apps/{appId}`, permission apps:manage (Admin).
     *
     * Errors: invalid_if_match, live_mode_required, version_mismatch.
     */
    delete: Operation<AppsDeleteParams, AppsDeleteReply>
    /**
     * Revoke all tokens of an app.
     *
     * Ends every access token of an app on every node within two seconds, and every authorization: people must let
     * it in again. Its secrets stay.
     *
     * `DELETE /v2/auth/apps/{appId}/tokens`, permission apps:manage (Admin).
     *
     * Errors: invalid_if_match, live_mode_required, version_mismatch.
     */
    signOut: Operation<AppsSignOutParams, AppsSignOutReply>
    /**
     * List authorizations of an app.
     *
     * Who lets an app act for them, what it may do, and when it last got a token, the newest first.
     *
     * `GET /v2/auth/apps/{appId}/authorizations`, permission apps:read (Admin).
     *
     * Errors: invalid_cursor.
     */
    listAuthorizations: ListOperation<AppsListAuthorizationsParams, AppsListAuthorizationsReply, Authorization>
    /**
     * List errors of an app.
     *
     * What an app was refused at /oauth, the newest first, with the cause where the protocol answers the app less.
     * The last thousand are kept, for 30 days, and no more than 20 a minute.
     *
     * `GET /v2/auth/apps/{appId}/errors`, permission apps:read (Admin).
     *
     * Errors: invalid_cursor.
     */
    listErrors: ListOperation<AppsListErrorsParams, AppsListErrorsReply, AppsListErrorsItem>
  }
  appSecrets: {
    /**
     * Create a client secret.
     *
     * Makes a secret of an app for live or test mode and answers it, this once. Anyone who holds it may act as the
     * app in its own name, and with codes that people gave it. An app has at most 2 a mode: make the new one, let
     * the app use it, delete the old one.
     *
     * `POST /v2/auth/apps/{appId}/secrets`, permission apps:manage (Admin).
     *
     * Errors: step_up_required, live_mode_required, scope_not_held, person_required, too_many_secrets,
     * app_has_no_secrets.
     */
    create: Operation<AppSecretsCreateParams, AppSecretsCreateReply>
    /**
     * Delete a client secret.
     *
     * Deletes a secret at once and for good. Access tokens that were made with it live on, an hour at most: DELETE
     * /v2/auth/apps/{appId}/tokens ends those.
     *
     * `DELETE /v2/auth/apps/{appId}/secrets/{secretId}`, permission apps:manage (Admin).
     *
     * Errors: live_mode_required.
     */
    delete: Operation<AppSecretsDeleteParams, AppSecretsDeleteReply>
  }
  authorizations: {
    /**
     * List authorizations.
     *
     * What people let apps and other clients do, the newest first. With apps:read those of everybody, otherwise
     * one’s own.
     *
     * `GET /v2/auth/authorizations`, permission profile:read (Admin, Sales Manager, Sales Executive, Finance
     * Manager).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<AuthorizationsListParams, AuthorizationsListReply, Authorization>
    /**
     * Revoke an authorization.
     *
     * Ends what a person let a client do: its tokens are refused on every node within two seconds, and it must ask
     * again. One’s own, or with apps:manage that of anybody. Revoking it again changes nothing.
     *
     * `DELETE /v2/auth/authorizations/{authorizationId}`, permission profile:read (Admin, Sales Manager, Sales
     * Executive, Finance Manager).
     */
    revoke: Operation<AuthorizationsRevokeParams, AuthorizationsRevokeReply>
  }
  oauthClients: {
    /**
     * List clients of others.
     *
     * Clients that people of the organization wanted to use and that it did not register: assistants and tools that
     * publish who they are, or register themselves.
     *
     * `GET /v2/auth/clients`, permission apps:read (Admin).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<OauthClientsListParams, OauthClientsListReply, OauthClient>
    /**
     * Set the policy of a client.
     *
     * Decides whether people of the organization may use a client that it did not register. Blocking ends what they
     * let it do, on every node within two seconds.
     *
     * `PUT /v2/auth/clients/{clientId}/policy`, permission apps:manage (Admin).
     *
     * Errors: step_up_required, live_mode_required, person_required.
     */
    setPolicy: Operation<OauthClientsSetPolicyParams, OauthClientsSetPolicyReply>
  }
  users: {
    /**
     * Create a user.
     *
     * Adds a person to the organization, for live and test mode alike. Without a password one is made and answered
     * as `generatedPassword`, this once. An Admin also gets an administrator identifier, which logs in like the
     * e-mail. Done in live mode, by anyone who holds every permission of the role: an Admin who is logged in, or a
     * key with all rights.
     *
     * `POST /v1/api/users`, permission users:manage (Admin).
     *
     * Errors: step_up_required, live_mode_required, scope_not_held, person_required, email_taken, weak_password.
     */
    create: Operation<UsersCreateParams, UsersCreateReply>
    /**
     * List users.
     *
     * The users of the organization, oldest first, with filters and an exact total.
     *
     * `GET /v1/api/users`, permission users:read (Admin, Sales Manager, Finance Manager).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<UsersListParams, UsersListReply, User>
    /**
     * Get a user.
     *
     * One user of the organization, with an ETag for a later change.
     *
     * `GET /v1/api/users/{id}`, permission users:read (Admin, Sales Manager, Finance Manager).
     */
    get: Operation<UsersGetParams, UsersGetReply>
    /**
     * Update a user.
     *
     * Changes name, e-mail, role, password or standing. Another role, a new password or `disabled` ends the user's
     * sessions on every node within two seconds; the API keys of a disabled user stop as well and work again when
     * the user is enabled, unless `end_keys` ended them for good. The last active Admin keeps role and standing. The
     * administrator identifier comes with the role Admin and goes with it. Done in live mode, and, for anything but
     * the name, by anyone who holds every permission of the old and of the new role: an Admin who is logged in, or a
     * key with all rights. E-mail and password of a person who is also a member of other organizations are theirs
     * alone, as are those of the owner and of an operator of the installation.
     *
     * `PATCH /v1/api/users/{id}`, permission users:manage (Admin).
     *
     * Errors: invalid_if_match, step_up_required, live_mode_required, scope_not_held, person_required, email_taken,
     * account_shared, account_protected, last_admin, last_owner, transfer_open, version_mismatch, weak_password.
     */
    update: Operation<UsersUpdateParams, UsersUpdateReply>
    /**
     * Get the current user.
     *
     * The user behind the API key or access token: who it is, in which organization, tenant and mode the credential
     * acts, and what it may do there.
     *
     * `GET /v2/users/me`, permission profile:read (Admin, Sales Manager, Sales Executive, Finance Manager).
     */
    me: Operation<Record<never, never>, UsersMeReply>
    /**
     * Remove a user.
     *
     * Ends the membership of a person: they cannot log in to the organization any more, and their sessions, API
     * keys, authorizations of apps and invitations that nobody answered yet end on every node within two seconds.
     * What they own in live and test mode (leads, contacts, companies, tasks, saved views) is handed to another user
     * in the background; the answer names the hand-over. Their account, and what they are in other organizations,
     * stays. Who is invited again gets the same user id. By anyone who holds every permission of the person.
     *
     * `DELETE /v2/users/{id}`, permission users:manage (Admin).
     *
     * Errors: step_up_required, live_mode_required, scope_not_held, person_required, last_admin, last_owner,
     * transfer_open.
     */
    remove: Operation<UsersRemoveParams, UsersRemoveReply>
    /**
     * Get what a user owns.
     *
     * How many records of each kind would be handed to somebody else if the user were removed, in live and test
     * mode, and what would end: API keys, authorizations of apps, invitations that nobody answered yet.
     *
     * `GET /v2/users/{id}/owned`, permission users:manage (Admin).
     */
    owned: Operation<UsersOwnedParams, UsersOwnedReply>
    /**
     * List sessions of a user.
     *
     * What a user has open in the organization, the one used last first. What they have open elsewhere is not shown.
     *
     * `GET /v2/users/{id}/sessions`, permission users:manage (Admin).
     */
    sessions: Operation<UsersSessionsParams, UsersSessionsReply>
    /**
     * Revoke sessions of a user.
     *
     * Ends all that a user has open in the organization, on every node within two seconds; what they have open
     * elsewhere goes on, and they may log in again. By anyone who holds every permission of the user; not of who can
     * take the ownership back, or just did (`transfer_open`).
     *
     * `DELETE /v2/users/{id}/sessions`, permission users:manage (Admin).
     *
     * Errors: live_mode_required, scope_not_held, transfer_open.
     */
    endSessions: Operation<UsersEndSessionsParams, UsersEndSessionsReply>
    /**
     * Reset the second factors of a user.
     *
     * Takes all second factors and recovery codes of a user away, who lost them, and ends what they have open. They
     * log in with the password alone then, and set up another factor where the organization asks for one. They get a
     * mail that says so, with the reason, which the audit log keeps. Make sure by another way than a mail that it is
     * really them who ask. By anyone who holds every permission of the user; not of an account that is also a member
     * of other organizations (`account_shared`), nor of the owner or an operator (`account_protected`).
     *
     * `DELETE /v2/users/{id}/factors`, permission users:manage (Admin).
     *
     * Errors: step_up_required, live_mode_required, scope_not_held, person_required, account_shared,
     * account_protected, no_second_factor.
     */
    resetFactors: Operation<UsersResetFactorsParams, UsersResetFactorsReply>
  }
  account: {
    /**
     * Update the own account.
     *
     * Changes the name by which all organizations of the person know them, or their language: of the portal, and of
     * mails to them.
     *
     * `PATCH /v2/users/me`, permission profile:update (Admin, Sales Manager, Sales Executive, Finance Manager).
     *
     * Errors: person_required.
     */
    update: Operation<AccountUpdateParams, AccountUpdateReply>
    /**
     * Get the own account.
     *
     * The account of the person who is logged in: one, whatever organizations they are a member of.
     *
     * `GET /v2/users/me/account`, permission profile:read (Admin, Sales Manager, Sales Executive, Finance Manager).
     *
     * Errors: person_required.
     */
    get: Operation<Record<never, never>, AccountGetReply>
    /**
     * Change the own password.
     *
     * Sets another password, with the present one. It has at least 15 characters, or 10 where the account has a
     * second factor. Ends all other sessions of the account, unless `endOtherSessions` is false.
     *
     * `POST /v2/users/me/password`, permission profile:update (Admin, Sales Manager, Sales Executive, Finance
     * Manager).
     *
     * Errors: step_up_required, person_required, wrong_password, weak_password, login_throttled.
     */
    changePassword: Operation<AccountChangePasswordParams, AccountChangePasswordReply>
    /**
     * Request another e-mail address.
     *
     * Sends a mail with a link to the new address, good for a day and once; the account changes when the person who
     * asks opens it. The answer is the same for an address that has an account already, which gets a mail that says
     * so. At most five an hour.
     *
     * `POST /v2/users/me/email`, permission profile:update (Admin, Sales Manager, Sales Executive, Finance Manager).
     *
     * Errors: step_up_required, person_required.
     */
    changeEmail: Operation<AccountChangeEmailParams, AccountChangeEmailReply>
    /**
     * Confirm another e-mail address.
     *
     * Takes the token of the mail that went to the new address, which is behind the # of its link, of the person who
     * asked for it. The address before gets a mail with a link that undoes it, good for seven days. Links to
     * passwords that wait are of no use any more.
     *
     * `POST /v2/users/me/email/confirm`, permission profile:update (Admin, Sales Manager, Sales Executive, Finance
     * Manager).
     *
     * Errors: person_required, email_taken, link_expired.
     */
    confirmEmail: Operation<AccountConfirmEmailParams, AccountConfirmEmailReply>
  }
  ownDevices: {
    /**
     * List devices.
     *
     * Browsers that the person logged in to the portal with, the one seen last first: guesses of others make nobody
     * wait there, and one that is trusted stands for the second factor.
     *
     * `GET /v2/users/me/devices`, permission profile:read (Admin, Sales Manager, Sales Executive, Finance Manager).
     *
     * Errors: person_required.
     */
    list: Operation<Record<never, never>, OwnDevicesListReply>
    /**
     * Delete all devices.
     *
     * Forgets all browsers, that of this request as well: each is asked for the second factor again.
     *
     * `DELETE /v2/users/me/devices`, permission profile:update (Admin, Sales Manager, Sales Executive, Finance
     * Manager).
     *
     * Errors: person_required.
     */
    deleteAll: Operation<Record<never, never>, OwnDevicesDeleteAllReply>
    /**
     * Delete a device.
     *
     * Forgets a browser: it is trusted no more, and its next login is that of a new one. Its sessions go on; they
     * are ended apart.
     *
     * `DELETE /v2/users/me/devices/{deviceId}`, permission profile:update (Admin, Sales Manager, Sales Executive,
     * Finance Manager).
     *
     * Errors: person_required.
     */
    delete: Operation<OwnDevicesDeleteParams, OwnDevicesDeleteReply>
  }
  ownSessions: {
    /**
     * List sessions.
     *
     * All that the person has open, in every organization: one for each login, the one used last first. A session
     * ends by itself after 14 days without use, and after 90 days.
     *
     * `GET /v2/users/me/sessions`, permission profile:read (Admin, Sales Manager, Sales Executive, Finance Manager).
     *
     * Errors: person_required.
     */
    list: Operation<Record<never, never>, OwnSessionsListReply>
    /**
     * Revoke all other sessions.
     *
     * Ends all that the person has open but for the session of this request, in every organization and mode.
     *
     * `DELETE /v2/users/me/sessions`, permission profile:update (Admin, Sales Manager, Sales Executive, Finance
     * Manager).
     *
     * Errors: person_required.
     */
    endOthers: Operation<Record<never, never>, OwnSessionsEndOthersReply>
    /**
     * Revoke a session.
     *
     * What the login opened stops working on every node within two seconds, in every organization and mode.
     *
     * `DELETE /v2/users/me/sessions/{sessionId}`, permission profile:update (Admin, Sales Manager, Sales Executive,
     * Finance Manager).
     *
     * Errors: person_required.
     */
    end: Operation<OwnSessionsEndParams, OwnSessionsEndReply>
  }
  ownOrganizations: {
    /**
     * List organizations.
     *
     * The organizations that the person is a member of, the one used last first: those POST /v2/auth/switch takes.
     *
     * `GET /v2/users/me/organizations`, permission profile:read (Admin, Sales Manager, Sales Executive, Finance
     * Manager).
     *
     * Errors: person_required.
     */
    list: Operation<Record<never, never>, OwnOrganizationsListReply>
    /**
     * Create an organization.
     *
     * One more organization, which the person owns, where the server lets people make them: three at most, and,
     * without a code, from a verified address. POST /v2/auth/switch goes to it.
     *
     * `POST /v2/users/me/organizations`, permission profile:update (Admin, Sales Manager, Sales Executive, Finance
     * Manager).
     *
     * Errors: person_required, sign_up_closed, email_not_verified, too_many_organizations,
     * organization_code_refused.
     */
    create: Operation<OwnOrganizationsCreateParams, OwnOrganizationsCreateReply>
    /**
     * Leave an organization.
     *
     * Ends the own membership, as if an Admin had removed the person: what they own there goes to the owner of the
     * organization, otherwise to its first Admin. Neither its owner nor its last Admin may leave. The account stays,
     * and what it is a member of elsewhere.
     *
     * `DELETE /v2/users/me/organizations/{organizationId}`, permission profile:update (Admin, Sales Manager, Sales
     * Executive, Finance Manager).
     *
     * Errors: step_up_required, person_required, last_admin, last_owner, transfer_open.
     */
    leave: Operation<OwnOrganizationsLeaveParams, OwnOrganizationsLeaveReply>
  }
  factors: {
    /**
     * List second factors.
     *
     * What the account asks for beside the password, and how many recovery codes are left.
     *
     * `GET /v2/users/me/factors`, permission profile:read (Admin, Sales Manager, Sales Executive, Finance Manager).
     *
     * Errors: person_required.
     */
    list: Operation<Record<never, never>, FactorsListReply>
    /**
     * Create an authenticator app.
     *
     * Makes a secret for an app such as those of password managers. It counts once a first code was confirmed; one
     * that waits for that is replaced by the next.
     *
     * `POST /v2/users/me/factors/totp`, permission profile:update (Admin, Sales Manager, Sales Executive, Finance
     * Manager).
     *
     * Errors: step_up_required, person_required, factor_limit_reached.
     */
    createTotp: Operation<FactorsCreateTotpParams, FactorsCreateTotpReply>
    /**
     * Confirm an authenticator app.
     *
     * Takes a first code of the app; from then on every login of the account asks for one. With the first factor of
     * the account come ten recovery codes.
     *
     * `POST /v2/users/me/factors/totp/{factorId}/confirm`, permission profile:update (Admin, Sales Manager, Sales
     * Executive, Finance Manager).
     *
     * Errors: step_up_required, person_required, invalid_second_factor.
     */
    confirmTotp: Operation<FactorsConfirmTotpParams, FactorsConfirmTotpReply>
    /**
     * Update a second factor.
     *
     * Changes what its owner calls the factor, to know it from others.
     *
     * `PATCH /v2/users/me/factors/{factorId}`, permission profile:update (Admin, Sales Manager, Sales Executive,
     * Finance Manager).
     *
     * Errors: person_required.
     */
    update: Operation<FactorsUpdateParams, FactorsUpdateReply>
    /**
     * Delete a second factor.
     *
     * The factor counts no more. With the last one go the recovery codes, and logins ask for the password alone.
     *
     * `DELETE /v2/users/me/factors/{factorId}`, permission profile:update (Admin, Sales Manager, Sales Executive,
     * Finance Manager).
     *
     * Errors: step_up_required, person_required.
     */
    delete: Operation<FactorsDeleteParams, FactorsDeleteReply>
    /**
     * Create recovery codes.
     *
     * Ten new codes take the place of all there were, used or not. For an account with a second factor.
     *
     * `POST /v2/users/me/recovery-codes`, permission profile:update (Admin, Sales Manager, Sales Executive, Finance
     * Manager).
     *
     * Errors: step_up_required, person_required, factor_required.
     */
    createRecoveryCodes: Operation<Record<never, never>, FactorsCreateRecoveryCodesReply>
    /**
     * Start to add a passkey.
     *
     * What a browser makes a passkey by: for `PublicKeyCredential.parseCreationOptionsFromJSON`, on a page of this
     * server. It counts as two factors, for it asks who uses it.
     *
     * `POST /v2/users/me/factors/passkeys/options`, permission profile:update (Admin, Sales Manager, Sales
     * Executive, Finance Manager).
     *
     * Errors: step_up_required, person_required, factor_limit_reached, passkeys_unavailable.
     */
    passkeyOptions: Operation<Record<never, never>, FactorsPasskeyOptionsReply>
    /**
     * Create a passkey.
     *
     * Takes what the browser made by the options. From then on it logs the person in by itself, and is a second
     * factor beside the password. With the first factor of the account come ten recovery codes.
     *
     * `POST /v2/users/me/factors/passkeys`, permission profile:update (Admin, Sales Manager, Sales Executive,
     * Finance Manager).
     *
     * Errors: step_up_required, person_required, factor_limit_reached, passkeys_unavailable, passkey_refused.
     */
    createPasskey: Operation<FactorsCreatePasskeyParams, FactorsCreatePasskeyReply>
  }
  invitations: {
    /**
     * Create an invitation.
     *
     * Sends a mail with a link by which its reader, and nobody with another address, becomes a member in live and
     * test mode; good for seven days. The answer is the same whether the address has an account or not, and shows
     * the link this once, for where no mail arrives. By anyone who holds every permission of the role.
     *
     * `POST /v2/invitations`, permission users:manage (Admin).
     *
     * Errors: step_up_required, live_mode_required, scope_not_held, person_required, already_member,
     * already_invited.
     */
    create: Operation<InvitationsCreateParams, InvitationsCreateReply>
    /**
     * List invitations.
     *
     * Who was invited to become a member, and what came of it, the newest first.
     *
     * `GET /v2/invitations`, permission users:manage (Admin).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<InvitationsListParams, InvitationsListReply, Invitation>
    /**
     * Create many invitations.
     *
     * Invites up to 100 addresses with one role, each as POST /v2/invitations does. Those of members, and those that
     * are invited already, are listed with the reason; all others are invited, in one transaction.
     *
     * `POST /v2/invitations/bulk`, permission users:manage (Admin).
     *
     * Errors: step_up_required, live_mode_required, scope_not_held, person_required.
     */
    createMany: Operation<InvitationsCreateManyParams, InvitationsCreateManyReply>
    /**
     * Send an invitation again.
     *
     * Sends the mail with the same link once more, good for seven days from now, also where it had expired. At most
     * 5 times. By anyone who holds every permission of the role.
     *
     * `POST /v2/invitations/{invitationId}/resend`, permission users:manage (Admin).
     *
     * Errors: step_up_required, live_mode_required, scope_not_held, person_required, invitation_decided,
     * resend_limit_reached, already_member.
     */
    resend: Operation<InvitationsResendParams, InvitationsResendReply>
    /**
     * Get the link of an invitation.
     *
     * What its mail links to, for where no mail arrives: hand it to nobody but the person of the address. By anyone
     * who holds every permission of the role.
     *
     * `GET /v2/invitations/{invitationId}/link`, permission users:manage (Admin).
     *
     * Errors: step_up_required, live_mode_required, scope_not_held, person_required, invitation_decided.
     */
    link: Operation<InvitationsLinkParams, InvitationsLinkReply>
    /**
     * Revoke an invitation.
     *
     * Its link does not work any more. One that was answered already stays as it is.
     *
     * `POST /v2/invitations/{invitationId}/revoke`, permission users:manage (Admin).
     *
     * Errors: live_mode_required, invitation_decided.
     */
    revoke: Operation<InvitationsRevokeParams, InvitationsRevokeReply>
  }
  roles: {
    /**
     * List roles.
     *
     * The four roles that everybody has, then those of the organization’s own by name (at most 50), with what each
     * may do and whose records it sees; and what such a role can be made of.
     *
     * `GET /v2/roles`, permission users:read (Admin, Sales Manager, Finance Manager).
     */
    list: Operation<Record<never, never>, RolesListReply>
    /**
     * Create a role.
     *
     * Makes a role of the organization’s own, by who holds every permission of it and sees all records. What the
     * owner alone may do is in none; what decides over logins and roles in those made of Admin only; what reaches
     * records of everybody only in those that see all. At most 50.
     *
     * `POST /v2/roles`, permission roles:manage (Admin).
     *
     * Errors: step_up_required, live_mode_required, scope_not_held, person_required, role_limit_reached,
     * role_name_taken.
     */
    create: Operation<RolesCreateParams, RolesCreateReply>
    /**
     * Get a role.
     *
     * One role of the organization’s own: what it may do, and whose records it sees.
     *
     * `GET /v2/roles/{roleId}`, permission users:read (Admin, Sales Manager, Finance Manager).
     */
    get: Operation<RolesGetParams, RolesGetReply>
    /**
     * Update a role.
     *
     * Changes a role for everybody who has it, on every node within two seconds; they stay logged in. `permissions`
     * replaces the list, `rows` changes the kinds that it names. By who holds every permission that it has before
     * and after, and sees all records.
     *
     * `PATCH /v2/roles/{roleId}`, permission roles:manage (Admin).
     *
     * Errors: invalid_if_match, step_up_required, live_mode_required, scope_not_held, person_required,
     * role_name_taken, version_mismatch.
     */
    update: Operation<RolesUpdateParams, RolesUpdateReply>
    /**
     * Delete a role.
     *
     * Takes a role away that no member and no open invitation has. Expired invitations to it are revoked, each with
     * its event, and cannot be sent again.
     *
     * `DELETE /v2/roles/{roleId}`, permission roles:manage (Admin).
     *
     * Errors: invalid_if_match, step_up_required, live_mode_required, person_required, role_in_use,
     * version_mismatch.
     */
    delete: Operation<RolesDeleteParams, RolesDeleteReply>
  }
  teams: {
    /**
     * List teams.
     *
     * The teams of the organization with their members, the newest first.
     *
     * `GET /v2/teams`, permission teams:read (Admin, Sales Manager, Sales Executive, Finance Manager).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<TeamsListParams, TeamsListReply, Team>
    /**
     * Create a team.
     *
     * Makes a team without members. At most 200.
     *
     * `POST /v2/teams`, permission teams:manage (Admin).
     *
     * Errors: live_mode_required, team_limit_reached, team_name_taken.
     */
    create: Operation<TeamsCreateParams, TeamsCreateReply>
    /**
     * Get a team.
     *
     * One team with its members, those who lead it first.
     *
     * `GET /v2/teams/{teamId}`, permission teams:read (Admin, Sales Manager, Sales Executive, Finance Manager).
     */
    get: Operation<TeamsGetParams, TeamsGetReply>
    /**
     * Update a team.
     *
     * Changes the name or the description of a team.
     *
     * `PATCH /v2/teams/{teamId}`, permission teams:manage (Admin).
     *
     * Errors: invalid_if_match, live_mode_required, team_name_taken, version_mismatch.
     */
    update: Operation<TeamsUpdateParams, TeamsUpdateReply>
    /**
     * Delete a team.
     *
     * Takes a team away that nobody is in.
     *
     * `DELETE /v2/teams/{teamId}`, permission teams:manage (Admin).
     *
     * Errors: invalid_if_match, live_mode_required, team_in_use, version_mismatch.
     */
    delete: Operation<TeamsDeleteParams, TeamsDeleteReply>
    /**
     * Set a member of a team.
     *
     * Makes a member of the organization one of the team, or says whether they lead it. At most 200 are in a team,
     * and somebody in 20 teams. Whose role sees the records of teams sees those of the others at once, and they see
     * theirs.
     *
     * `PUT /v2/teams/{teamId}/members/{userId}`, permission teams:manage (Admin).
     *
     * Errors: live_mode_required, team_limit_reached.
     */
    putMember: Operation<TeamsPutMemberParams, TeamsPutMemberReply>
    /**
     * Remove a member of a team.
     *
     * They see no more of the records of the others by this team, and these none of theirs, within two seconds.
     *
     * `DELETE /v2/teams/{teamId}/members/{userId}`, permission teams:manage (Admin).
     *
     * Errors: live_mode_required.
     */
    removeMember: Operation<TeamsRemoveMemberParams, TeamsRemoveMemberReply>
  }
  members: {
    /**
     * List members.
     *
     * Everybody an organization has, by name: people with when they were last seen and whether they have a second
     * factor, what apps act as, and, for who may manage users, invitations that wait for their answer.
     *
     * `GET /v2/members`, permission users:read (Admin, Sales Manager, Finance Manager).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<MembersListParams, MembersListReply, Member>
  }
  handOvers: {
    /**
     * Get a hand-over.
     *
     * How far it is that all of a person who left goes to another one. The event hand_over.completed reports its
     * end.
     *
     * `GET /v2/hand-overs/{handOverId}`, permission users:manage (Admin).
     */
    get: Operation<HandOversGetParams, HandOversGetReply>
    /**
     * List hand-overs.
     *
     * Who left, and to whom what they owned goes or went, the newest first.
     *
     * `GET /v2/hand-overs`, permission users:manage (Admin).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<HandOversListParams, HandOversListReply, HandOver>
  }
  ownership: {
    /**
     * Get the transfer of ownership.
     *
     * The transfer that waits for its answer, or that can still be undone; null where there is none.
     *
     * `GET /v2/organization/transfer`, permission organization:transfer (Admin).
     */
    get: Operation<Record<never, never>, OwnershipGetReply>
    /**
     * Start a transfer of ownership.
     *
     * The owner offers the organization to another active Admin, who has seven days to accept; until then nothing
     * changes. Both get a mail. Who could not log in to take it back is refused (`would_lock_out`): from an address
     * that the organization does not allow, and, where it has single sign-on, without a password and a second factor
     * of their own, or a passkey.
     *
     * `POST /v2/organization/transfer`, permission organization:transfer (Admin).
     *
     * Errors: step_up_required, live_mode_required, person_required, not_owner, transfer_open, would_lock_out.
     */
    offer: Operation<OwnershipOfferParams, OwnershipOfferReply>
    /**
     * Accept the ownership.
     *
     * The Admin whom the owner chose becomes the owner. Who owned the organization before can take it back for 72
     * hours, and stays an Admin at least as long.
     *
     * `POST /v2/organization/transfer/accept`, permission organization:transfer (Admin).
     *
     * Errors: step_up_required, live_mode_required, person_required, transfer_not_open.
     */
    accept: Operation<Record<never, never>, OwnershipAcceptReply>
    /**
     * Decline the ownership.
     *
     * The Admin whom the owner chose does not want the organization; nothing changes.
     *
     * `POST /v2/organization/transfer/decline`, permission organization:transfer (Admin).
     *
     * Errors: step_up_required, live_mode_required, person_required, transfer_not_open.
     */
    decline: Operation<Record<never, never>, OwnershipDeclineReply>
    /**
     * Cancel the transfer of ownership.
     *
     * The owner takes the offer back before it was accepted.
     *
     * `POST /v2/organization/transfer/cancel`, permission organization:transfer (Admin).
     *
     * Errors: step_up_required, live_mode_required, person_required, transfer_not_open.
     */
    cancel: Operation<Record<never, never>, OwnershipCancelReply>
    /**
     * Undo the transfer of ownership.
     *
     * Who owned the organization before takes it back, within 72 hours of its acceptance, also while it is suspended
     * or being closed; then POST /v2/organization/reopen.
     *
     * `POST /v2/organization/transfer/undo`, permission organization:transfer (Admin).
     *
     * Errors: step_up_required, live_mode_required, person_required, transfer_not_open.
     */
    undo: Operation<Record<never, never>, OwnershipUndoReply>
  }
  colleagues: {
    /**
     * List colleagues.
     *
     * Ids and names of the organization's users by name, for every role: what records call their owner. At most 100;
     * the active ones first.
     *
     * `GET /v1/api/colleagues`, permission profile:read (Admin, Sales Manager, Sales Executive, Finance Manager).
     */
    list: Operation<ColleaguesListParams, ColleaguesListReply>
  }
  organization: {
    /**
     * Get the organization.
     *
     * The organization of the credential, its settings and its two tenants, with an ETag for a later change.
     *
     * `GET /v2/organization`, permission organization:read (Admin, Sales Manager, Sales Executive, Finance Manager).
     */
    get: Operation<Record<never, never>, OrganizationGetReply>
    /**
     * Update the organization.
     *
     * Changes settings for live and test mode alike, and so is done in live mode. They hold on every node within two
     * seconds, for what is made from then on.
     *
     * `PATCH /v2/organization`, permission organization:update (Admin).
     *
     * Errors: invalid_if_match, live_mode_required, version_mismatch.
     */
    update: Operation<OrganizationUpdateParams, OrganizationUpdateReply>
    /**
     * Close the organization.
     *
     * Begins to close it, by its owner, who types its name. At once nothing is changed and sent any more, and
     * everything can be read and exported; owner and Admins get a mail now, and seven days and one day before the
     * end. On the day it is erased, but for numbered invoices and payments, which are kept as the law asks, and the
     * seals of the audit log. Until then POST /v2/organization/reopen takes it back.
     *
     * `POST /v2/organization/close`, permission organization:close (Admin).
     *
     * Errors: step_up_required, live_mode_required, person_required, owner_required, organization_state_conflict.
     */
    close: Operation<OrganizationCloseParams, OrganizationCloseReply>
    /**
     * Reopen the organization.
     *
     * Takes the closing back, by the owner who began it: the organization is what it was, and what waited to be sent
     * is sent. What an operator is closing is reopened by an operator.
     *
     * `POST /v2/organization/reopen`, permission organization:close (Admin).
     *
     * Errors: step_up_required, live_mode_required, person_required, owner_required, closed_by_operator,
     * organization_state_conflict.
     */
    reopen: Operation<Record<never, never>, OrganizationReopenReply>
  }
  organizationExports: {
    /**
     * Export the organization.
     *
     * Puts all that the organization has, in both modes, into one archive (tar, gzip): a folder of NDJSON files for
     * each table, one line a row, and the files of attachments and recordings. Without secrets. It is made behind
     * the answer, and kept for a week. One at a time.
     *
     * `POST /v2/organization/exports`, permission organization:export (Admin).
     *
     * Errors: step_up_required, live_mode_required, person_required, export_under_way.
     */
    create: Operation<Record<never, never>, OrganizationExportsCreateReply>
    /**
     * List exports of the organization.
     *
     * The archives that were asked for, the newest first, fifty at most.
     *
     * `GET /v2/organization/exports`, permission organization:export (Admin).
     */
    list: Operation<Record<never, never>, OrganizationExportsListReply>
    /**
     * Get the file of an export.
     *
     * The archive, once its state is ready. Is itself an event of the audit log.
     *
     * `GET /v2/organization/exports/{exportId}/file`, permission organization:export (Admin).
     *
     * Errors: export_not_ready, range_not_satisfiable.
     */
    download: Operation<OrganizationExportsDownloadParams, OrganizationExportsDownloadReply>
  }
  operatorTokens: {
    /**
     * Create an operator token.
     *
     * A token of fifteen minutes for the endpoints of those who run the installation, for an account that does, with
     * a second factor that was shown within the last fifteen minutes. It names no organization, and no other
     * endpoint takes it; it ends with the session that made it.
     *
     * `POST /v2/operator/tokens`, permission profile:read (Admin, Sales Manager, Sales Executive, Finance Manager).
     *
     * Errors: step_up_required, person_required, not_operator.
     */
    create: Operation<Record<never, never>, OperatorTokensCreateReply>
  }
  operators: {
    /**
     * List operators.
     *
     * The accounts that run this installation.
     *
     * `GET /v2/operator/operators`, permission operator:read ().
     */
    list: Operation<Record<never, never>, OperatorsListReply>
    /**
     * Set an operator.
     *
     * Makes an account an operator, or changes what it may do. The last one with full rights stays one. An account
     * of which it is not sure that nobody else can log in to it loses password, second factors and sessions: its
     * person sets a password by a mail.
     *
     * `PUT /v2/operator/operators`, permission operator:manage ().
     *
     * Errors: operator_reads_only, last_operator, no_such_account.
     */
    set: Operation<OperatorsSetParams, OperatorsSetReply>
    /**
     * Remove an operator.
     *
     * The account runs the installation no more; its tokens end at once. The last one with full rights stays one.
     *
     * `DELETE /v2/operator/operators/{accountId}`, permission operator:manage ().
     *
     * Errors: operator_reads_only, last_operator.
     */
    remove: Operation<OperatorsRemoveParams, OperatorsRemoveReply>
  }
  operatorEvents: {
    /**
     * List what operators did.
     *
     * The newest first. What was done to an organization is in the audit log of that organization as well.
     *
     * `GET /v2/operator/audit-events`, permission operator:read ().
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<OperatorEventsListParams, OperatorEventsListReply, OperatorEvent>
  }
  operatorSending: {
    /**
     * Get what is held and what waits.
     *
     * Whether anything leaves the installation, and how much waits to leave it, over all organizations. After a
     * restore nothing leaves: some of what waits may have been sent by the server that the backup is of.
     *
     * `GET /v2/operator/sending`, permission operator:read ().
     */
    get: Operation<Record<never, never>, OperatorSendingGetReply>
    /**
     * Hold everything that leaves.
     *
     * No text, mail, webhook or call of any organization leaves any more, until it is released. What is accepted
     * waits, and what comes in is taken. Of one that is held already the reason changes.
     *
     * `POST /v2/operator/sending/hold`, permission operator:manage ().
     *
     * Errors: operator_reads_only.
     */
    hold: Operation<OperatorSendingHoldParams, OperatorSendingHoldReply>
    /**
     * Release what is held.
     *
     * All of it is sent as usual again. `send` sends what waits; with `expire` texts and mails from before the hold
     * end as expired, and the rest is sent. Where nothing is held it changes nothing. What a suspended organization
     * has waits on.
     *
     * `POST /v2/operator/sending/release`, permission operator:manage ().
     *
     * Errors: operator_reads_only.
     */
    release: Operation<OperatorSendingReleaseParams, OperatorSendingReleaseReply>
  }
  operatorOrganizations: {
    /**
     * List organizations.
     *
     * All organizations of the installation, the oldest first, with state, owner and how much there is of them. No
     * record of theirs.
     *
     * `GET /v2/operator/organizations`, permission operator:read ().
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<OperatorOrganizationsListParams, OperatorOrganizationsListReply, OperatorOrganization>
    /**
     * Create an organization.
     *
     * Makes an organization with its live and test tenant. Its first Admin, who owns it, is the account of the
     * address; somebody without an account gets a mail with a link that sets a password, which is shown this once as
     * well.
     *
     * `POST /v2/operator/organizations`, permission operator:manage ().
     *
     * Errors: operator_reads_only.
     */
    create: Operation<OperatorOrganizationsCreateParams, OperatorOrganizationsCreateReply>
    /**
     * Get any organization.
     *
     * One organization with state, owner and how much there is of it.
     *
     * `GET /v2/operator/organizations/{organizationId}`, permission operator:read ().
     */
    get: Operation<OperatorOrganizationsGetParams, OperatorOrganizationsGetReply>
    /**
     * Update any organization.
     *
     * Changes its name, or how many mails it may send a day: few for those who signed up by themselves, until an
     * operator says otherwise.
     *
     * `PATCH /v2/operator/organizations/{organizationId}`, permission operator:manage ().
     *
     * Errors: operator_reads_only, organization_state_conflict.
     */
    update: Operation<OperatorOrganizationsUpdateParams, OperatorOrganizationsUpdateReply>
    /**
     * Suspend an organization.
     *
     * Its people can log in, see their own accounts and the audit log, and export; what comes in is kept, nothing is
     * sent, and calls are refused. Felt on every node within two seconds. Owner and Admins get a mail with the
     * reason.
     *
     * `POST /v2/operator/organizations/{organizationId}/suspend`, permission operator:manage ().
     *
     * Errors: operator_reads_only, organization_state_conflict.
     */
    suspend: Operation<OperatorOrganizationsSuspendParams, OperatorOrganizationsSuspendReply>
    /**
     * Resume an organization.
     *
     * Ends the suspension; what waited to be sent is sent.
     *
     * `POST /v2/operator/organizations/{organizationId}/resume`, permission operator:manage ().
     *
     * Errors: operator_reads_only, organization_state_conflict.
     */
    resume: Operation<OperatorOrganizationsResumeParams, OperatorOrganizationsResumeReply>
    /**
     * Close an organization.
     *
     * Begins to close it: until the day everything can be read and exported; then it is erased.
     *
     * `POST /v2/operator/organizations/{organizationId}/close`, permission operator:manage ().
     *
     * Errors: operator_reads_only, organization_state_conflict.
     */
    close: Operation<OperatorOrganizationsCloseParams, OperatorOrganizationsCloseReply>
    /**
     * Reopen an organization.
     *
     * Takes the closing back, no matter who began it.
     *
     * `POST /v2/operator/organizations/{organizationId}/reopen`, permission operator:manage ().
     *
     * Errors: operator_reads_only, organization_state_conflict.
     */
    reopen: Operation<OperatorOrganizationsReopenParams, OperatorOrganizationsReopenReply>
  }
  organizationCodes: {
    /**
     * Create an organization code.
     *
     * Who has it may make one organization, once, unless sign-up is closed (`TANDEM_SIGN_UP`). It is shown this
     * once.
     *
     * `POST /v2/operator/organization-codes`, permission operator:manage ().
     *
     * Errors: operator_reads_only.
     */
    create: Operation<OrganizationCodesCreateParams, OrganizationCodesCreateReply>
    /**
     * List organization codes.
     *
     * The newest first, with what was made with them; never the codes.
     *
     * `GET /v2/operator/organization-codes`, permission operator:read ().
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<OrganizationCodesListParams, OrganizationCodesListReply, OrganizationCode>
    /**
     * Remove an organization code.
     *
     * Nobody can use it any more. One that was used stays in the list.
     *
     * `DELETE /v2/operator/organization-codes/{codeId}`, permission operator:manage ().
     *
     * Errors: operator_reads_only.
     */
    remove: Operation<OrganizationCodesRemoveParams, OrganizationCodesRemoveReply>
  }
  security: {
    /**
     * Get the security policy.
     *
     * What the organization asks of everybody who logs in to it, with an ETag for a later change, and how many
     * people it concerns.
     *
     * `GET /v2/organization/security`, permission security:manage (Admin).
     */
    get: Operation<Record<never, never>, SecurityGetReply>
    /**
     * Update the security policy.
     *
     * Holds from the next login or refresh of a token on. Anyone without a second factor sets one up at their next
     * login, where it is required. What would lock out the one who asks is refused, and so are narrower
     * `allowedAddresses` while the ownership is offered and for 72 hours after it changed, but to who offered it.
     *
     * `PATCH /v2/organization/security`, permission security:manage (Admin).
     *
     * Errors: invalid_if_match, step_up_required, live_mode_required, person_required, transfer_open,
     * version_mismatch, would_lock_out.
     */
    update: Operation<SecurityUpdateParams, SecurityUpdateReply>
    /**
     * Preview a security policy.
     *
     * Whom a change of the policy would concern, before it is made; what would lock out the one who asks is refused
     * as the change would be. Nothing is changed.
     *
     * `POST /v2/organization/security/preview`, permission security:manage (Admin).
     *
     * Errors: live_mode_required, person_required, transfer_open, would_lock_out.
     */
    preview: Operation<SecurityPreviewParams, SecurityPreviewReply>
  }
  organizationDomains: {
    /**
     * List domains.
     *
     * The domains of the organization with their rows for the DNS, the newest first. At a verified domain the
     * organization says who people are: its identity provider logs them in, and SCIM makes members of them.
     *
     * `GET /v2/organization/domains`, permission sso:manage (Admin).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<OrganizationDomainsListParams, OrganizationDomainsListReply, OrganizationDomain>
    /**
     * Add a domain.
     *
     * Adds a domain, with the row that shows whose it is. Put that into the DNS, then verify. Subdomains are domains
     * of their own; 50 at most.
     *
     * `POST /v2/organization/domains`, permission sso:manage (Admin).
     *
     * Errors: step_up_required, live_mode_required, person_required, domain_exists, too_many_domains.
     */
    create: Operation<OrganizationDomainsCreateParams, OrganizationDomainsCreateReply>
    /**
     * Get a domain.
     *
     * One domain with its row for the DNS, and what was last found there.
     *
     * `GET /v2/organization/domains/{domainId}`, permission sso:manage (Admin).
     */
    get: Operation<OrganizationDomainsGetParams, OrganizationDomainsGetReply>
    /**
     * Remove a domain.
     *
     * The organization does not speak for the domain any more: who has an address there logs in with a password
     * again, and SCIM makes nobody of them a member. Members stay what they are.
     *
     * `DELETE /v2/organization/domains/{domainId}`, permission sso:manage (Admin).
     *
     * Errors: invalid_if_match, step_up_required, live_mode_required, person_required, version_mismatch.
     */
    delete: Operation<OrganizationDomainsDeleteParams, OrganizationDomainsDeleteReply>
    /**
     * Verify a domain.
     *
     * Looks the row of a domain up in the DNS, now. The answer says what was found; with the row there the domain is
     * verified. A verified domain whose row is missing stays verified: only the looks of every week count. Writes
     * the event organization_domain.updated.
     *
     * `POST /v2/organization/domains/{domainId}/verify`, permission sso:manage (Admin).
     *
     * Errors: step_up_required, live_mode_required, person_required, domain_taken.
     */
    verify: Operation<OrganizationDomainsVerifyParams, OrganizationDomainsVerifyReply>
  }
  ssoConnections: {
    /**
     * List single sign-on connections.
     *
     * The identity providers of the organization (OpenID Connect), with the addresses to register at each and the
     * log of its last test. At most one is in use.
     *
     * `GET /v2/organization/sso-connections`, permission sso:manage (Admin).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<SsoConnectionsListParams, SsoConnectionsListReply, SsoConnection>
    /**
     * Create a single sign-on connection.
     *
     * Sets an identity provider up, as a draft: register its redirectUri at the provider, run the test, then switch
     * it on. At most 10. By anyone who holds all that an Admin holds, for the provider says who logs in.
     *
     * `POST /v2/organization/sso-connections`, permission sso:manage (Admin).
     *
     * Errors: step_up_required, live_mode_required, scope_not_held, person_required, too_many_connections,
     * sso_misconfigured.
     */
    create: Operation<SsoConnectionsCreateParams, SsoConnectionsCreateReply>
    /**
     * Get a single sign-on connection.
     *
     * One identity provider, without its secret.
     *
     * `GET /v2/organization/sso-connections/{connectionId}`, permission sso:manage (Admin).
     */
    get: Operation<SsoConnectionsGetParams, SsoConnectionsGetReply>
    /**
     * Update a single sign-on connection.
     *
     * Changes an identity provider, or its state. Another issuer or client id has to be tested again, so these are
     * changed in a connection that is not in use; with another issuer all that it called people is forgotten. All
     * but another name and switching it off is for anyone who holds all that an Admin holds; of one that is in use,
     * or would be, only the client secret while the ownership is offered and for 72 hours after it changed, but for
     * who offered it.
     *
     * `PATCH /v2/organization/sso-connections/{connectionId}`, permission sso:manage (Admin).
     *
     * Errors: invalid_if_match, step_up_required, live_mode_required, scope_not_held, person_required,
     * sso_state_not_allowed, sso_connection_active, transfer_open, version_mismatch, sso_misconfigured,
     * domain_not_verified.
     */
    update: Operation<SsoConnectionsUpdateParams, SsoConnectionsUpdateReply>
    /**
     * Delete a single sign-on connection.
     *
     * Removes an identity provider with all that it called people. Who has no password sets one by a mail (POST
     * /v2/auth/password-resets).
     *
     * `DELETE /v2/organization/sso-connections/{connectionId}`, permission sso:manage (Admin).
     *
     * Errors: invalid_if_match, step_up_required, live_mode_required, person_required, version_mismatch.
     */
    delete: Operation<SsoConnectionsDeleteParams, SsoConnectionsDeleteReply>
    /**
     * Test a single sign-on connection.
     *
     * Begins a test: opened in a browser within ten minutes, its address logs the person who opens it in at the
     * provider, opens no session here, and keeps a log that says step by step what was right and wrong. A connection
     * that passed can be switched on.
     *
     * `POST /v2/organization/sso-connections/{connectionId}/test`, permission sso:manage (Admin).
     *
     * Errors: step_up_required, live_mode_required, person_required, sso_state_not_allowed.
     */
    test: Operation<SsoConnectionsTestParams, SsoConnectionsTestReply>
  }
  scim: {
    /**
     * Get SCIM.
     *
     * How members are kept by SCIM: the address for the provider, which role its groups give, and its last requests
     * with what was wrong.
     *
     * `GET /v2/organization/scim`, permission scim:manage (Admin).
     */
    get: Operation<Record<never, never>, ScimGetReply>
    /**
     * Update SCIM.
     *
     * Switches SCIM on or off, and says which roles and teams members get by their groups. With another map, members
     * of groups that the old or the new one names get the role and the teams of the new one; the last Admin stays
     * Admin.
     *
     * `PATCH /v2/organization/scim`, permission scim:manage (Admin).
     *
     * Errors: invalid_if_match, step_up_required, live_mode_required, scope_not_held, person_required,
     * version_mismatch.
     */
    update: Operation<ScimUpdateParams, ScimUpdateReply>
  }
  auditEvents: {
    /**
     * List audit events.
     *
     * Who did what in the organization, in live and test mode, newest first: changes of configuration, sign-ins and
     * their refusals, exports, permissions that were refused (counted, one event a minute for each kind and who met
     * it). Each was written in the transaction of what it reports.
     *
     * `GET /v2/audit-events`, permission audit:read (Admin).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<AuditEventsListParams, AuditEventsListReply, AuditEvent>
    /**
     * Get an audit event.
     *
     * One event of the audit log, with what was before and after, and its place in the chain once it is sealed.
     *
     * `GET /v2/audit-events/{auditEventId}`, permission audit:read (Admin).
     */
    get: Operation<AuditEventsGetParams, AuditEventsGetReply>
    /**
     * Export the audit log.
     *
     * The audit log as a file, sent while it is read. `ndjson` without filters is the whole chain with its seals, as
     * far as it is sealed, which `tandem audit verify` checks on any machine; with filters each event in it can be
     * checked, and not what is left out. `csv` is for spreadsheets (a text that one would take for a formula has an
     * apostrophe in front), `ocsf` for security programs (Open Cybersecurity Schema Framework, one event a line);
     * both newest first. Is itself an event of the log.
     *
     * `GET /v2/audit-events/export`, permission audit:export (Admin).
     *
     * Errors: step_up_required, person_required.
     */
    export: Operation<AuditEventsExportParams, AuditEventsExportReply>
    /**
     * Erase a person's names from the audit log.
     *
     * Takes away what names a user in the audit log, for good: name and e-mail in what was done to them, and with
     * what they did their address, program and e-mail. The events stay, with the number of the user, and verify as
     * before. Done in live mode; is itself an event.
     *
     * `POST /v2/audit-events/erasures`, permission audit:manage (Admin).
     *
     * Errors: step_up_required, live_mode_required, person_required.
     */
    erase: Operation<AuditEventsEraseParams, AuditEventsEraseReply>
  }
  auditSeals: {
    /**
     * List seals of the audit log.
     *
     * Signed statements of how far the chain of the organization went, newest first; there is one for each minute in
     * which something was written. Keep one elsewhere: nobody can change, cut out or reorder what it holds without
     * that it shows.
     *
     * `GET /v2/audit-events/seals`, permission audit:read (Admin).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<AuditSealsListParams, AuditSealsListReply, AuditSeal>
  }
  auditPolicy: {
    /**
     * Get the policy of the audit log.
     *
     * How long the audit log is kept, and what is in it by choice.
     *
     * `GET /v2/audit-events/policy`, permission audit:read (Admin).
     */
    get: Operation<Record<never, never>, AuditPolicyGetReply>
    /**
     * Update the policy of the audit log.
     *
     * Changes what is named, for live and test mode alike, and so is done in live mode. What is older than the new
     * time is deleted with the next night, and that is recorded.
     *
     * `PATCH /v2/audit-events/policy`, permission audit:manage (Admin).
     *
     * Errors: invalid_if_match, step_up_required, live_mode_required, person_required, version_mismatch.
     */
    update: Operation<AuditPolicyUpdateParams, AuditPolicyUpdateReply>
  }
  auditStreams: {
    /**
     * Create an audit stream.
     *
     * From now on what is sealed is sent to the address: batches of up to 200 events as NDJSON, in the order of the
     * chain, signed as webhooks are (webhook-id, webhook-timestamp, webhook-signature over the body). Any 2xx takes
     * a batch; until then it is sent again, after 5 seconds at first and an hour at last, and nothing behind it. An
     * event may come twice: webhook-id is the same for the same first event. An organization has at most 5; they are
     * made in live mode.
     *
     * `POST /v2/audit-events/streams`, permission audit:manage (Admin).
     *
     * Errors: step_up_required, person_required, live_mode_required, too_many_audit_streams, invalid_callback_url.
     */
    create: Operation<AuditStreamsCreateParams, AuditStreamsCreateReply>
    /**
     * List audit streams.
     *
     * Where the audit log is sent on to, with how far each stream has come, newest first.
     *
     * `GET /v2/audit-events/streams`, permission audit:read (Admin).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<AuditStreamsListParams, AuditStreamsListReply, AuditStream>
    /**
     * Get an audit stream.
     *
     * A stream with how far it has come, and why it does not go on.
     *
     * `GET /v2/audit-events/streams/{streamId}`, permission audit:read (Admin).
     */
    get: Operation<AuditStreamsGetParams, AuditStreamsGetReply>
    /**
     * Update an audit stream.
     *
     * Changes what is named, in live mode; a stream that was failing is tried again at once. `enabled: false` stops
     * it where it is.
     *
     * `PATCH /v2/audit-events/streams/{streamId}`, permission audit:manage (Admin).
     *
     * Errors: invalid_if_match, live_mode_required, version_mismatch, invalid_callback_url.
     */
    update: Operation<AuditStreamsUpdateParams, AuditStreamsUpdateReply>
    /**
     * Delete an audit stream.
     *
     * Ends a stream for good, in live mode. What it has sent stays where it is.
     *
     * `DELETE /v2/audit-events/streams/{streamId}`, permission audit:manage (Admin).
     *
     * Errors: invalid_if_match, live_mode_required, version_mismatch.
     */
    delete: Operation<AuditStreamsDeleteParams, AuditStreamsDeleteReply>
  }
  retention: {
    /**
     * Get the retention.
     *
     * For how many days the organization keeps what piles up, by class, and what it may choose. The audit log is
     * kept as GET /v2/audit-events/policy says.
     *
     * `GET /v2/organization/retention`, permission organization:read (Admin, Sales Manager, Sales Executive, Finance
     * Manager).
     */
    get: Operation<Record<never, never>, RetentionGetReply>
    /**
     * Update the retention.
     *
     * Changes the days of the classes that are named, for live and test mode alike, and so is done in live mode.
     * What is older than the new time is deleted within an hour or two, for good, unless a legal hold keeps it.
     *
     * `PATCH /v2/organization/retention`, permission retention:update (Admin).
     *
     * Errors: invalid_if_match, step_up_required, live_mode_required, person_required, version_mismatch.
     */
    update: Operation<RetentionUpdateParams, RetentionUpdateReply>
  }
  privacyRequests: {
    /**
     * Export or erase a person's data.
     *
     * Finds all that is known of a person, in the mode of the credential, and puts it into an archive (`export`) or
     * erases it for good (`erasure`): records with their history, notes, tasks and files, messages, calls,
     * recordings, mails, conversations, events, deliveries, logs and names in texts of others. The person is named
     * by a lead or contact, a telephone number or an e-mail address; leads and contacts that became one another, or
     * have an address and the name in common, are the same person. Numbered invoices and payments stay as long as
     * the law asks. It is done behind the answer; an erasure waits for what is under way, and is refused while a
     * legal hold keeps the person.
     *
     * `POST /v2/privacy/requests`, permission privacy_requests:create (Admin).
     *
     * Errors: step_up_required, person_required, legal_hold, privacy_request_under_way.
     */
    create: Operation<PrivacyRequestsCreateParams, PrivacyRequestsCreateReply>
    /**
     * List requests of persons.
     *
     * Requests to export or erase what is known of a person, in the mode of the credential, the newest first.
     *
     * `GET /v2/privacy/requests`, permission privacy_requests:read (Admin).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<PrivacyRequestsListParams, PrivacyRequestsListReply, PrivacyRequest>
    /**
     * Get a request of a person.
     *
     * How far the request is, what was done, what an erasure left, and what it waits for.
     *
     * `GET /v2/privacy/requests/{privacyRequestId}`, permission privacy_requests:read (Admin).
     */
    get: Operation<PrivacyRequestsGetParams, PrivacyRequestsGetReply>
    /**
     * Get the archive of a person.
     *
     * The archive of an export, once it is completed. Is itself an event of the audit log.
     *
     * `GET /v2/privacy/requests/{privacyRequestId}/file`, permission privacy_requests:create (Admin).
     *
     * Errors: privacy_export_not_ready, range_not_satisfiable.
     */
    download: Operation<PrivacyRequestsDownloadParams, PrivacyRequestsDownloadReply>
  }
  legalHolds: {
    /**
     * Place a legal hold.
     *
     * Stops every purge and erasure of what it is about until it is released: of one person, named by a lead or
     * contact, a telephone number or an e-mail address, in the mode of the credential; or, without any of these, of
     * the whole organization in both modes.
     *
     * `POST /v2/privacy/holds`, permission legal_holds:manage (Admin).
     *
     * Errors: step_up_required, live_mode_required, person_required.
     */
    place: Operation<LegalHoldsPlaceParams, LegalHoldsPlaceReply>
    /**
     * List legal holds.
     *
     * Legal holds of the organization, and of persons in the mode of the credential: the newest first, those that
     * stand unless `released` asks for all.
     *
     * `GET /v2/privacy/holds`, permission legal_holds:read (Admin).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<LegalHoldsListParams, LegalHoldsListReply, LegalHold>
    /**
     * Release a legal hold.
     *
     * Ends a legal hold. What is older than it is kept goes with the next purge, and erasures that waited for it go
     * on.
     *
     * `POST /v2/privacy/holds/{holdId}/release`, permission legal_holds:manage (Admin).
     *
     * Errors: step_up_required, live_mode_required, person_required, hold_released.
     */
    release: Operation<LegalHoldsReleaseParams, LegalHoldsReleaseReply>
  }
  webhooks: {
    /**
     * Create a webhook.
     *
     * From now on events of this mode, all or those of some types, are sent to the address as signed POST requests,
     * within a second and at least once each, with up to ten attempts over three days. The secret that signs them is
     * shown in this answer only. Anyone who may create webhooks can have everything sent that happens in the
     * organization.
     *
     * `POST /v2/webhooks`, permission webhooks:manage (Admin).
     *
     * Errors: webhook_limit_reached, invalid_webhook_url.
     */
    create: Operation<WebhooksCreateParams, WebhooksCreateReply>
    /**
     * List webhooks.
     *
     * The webhooks of this mode with their health, newest first. Secrets are not shown.
     *
     * `GET /v2/webhooks`, permission webhooks:read (Admin, Sales Manager).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<WebhooksListParams, WebhooksListReply, Webhook>
    /**
     * List types of events.
     *
     * Every type of event there is, for the filter of a webhook, with a sentence on what it says.
     *
     * `GET /v2/webhooks/event-types`, permission webhooks:read (Admin, Sales Manager).
     */
    eventTypes: Operation<Record<never, never>, WebhooksEventTypesReply>
    /**
     * Get the secret of callback URLs.
     *
     * The secret that signs events sent to the callbackUrl of a message or call, in this mode. Webhooks have secrets
     * of their own.
     *
     * `GET /v2/webhooks/signing-secret`, permission webhooks:manage (Admin).
     *
     * Errors: step_up_required, person_required.
     */
    signingSecret: Operation<Record<never, never>, WebhooksSigningSecretReply>
    /**
     * Rotate the secret of callback URLs.
     *
     * Makes a new secret for callback URLs; until the overlap ends, events carry a signature by the old one as well.
     *
     * `POST /v2/webhooks/signing-secret/rotate`, permission webhooks:manage (Admin).
     *
     * Errors: step_up_required, person_required.
     */
    rotateSigningSecret: Operation<WebhooksRotateSigningSecretParams, WebhooksRotateSigningSecretReply>
    /**
     * Get a webhook.
     *
     * A webhook, its health, and how many events wait for it. Its secret is not shown.
     *
     * `GET /v2/webhooks/{webhookId}`, permission webhooks:read (Admin, Sales Manager).
     */
    get: Operation<WebhooksGetParams, WebhooksGetReply>
    /**
     * Update a webhook.
     *
     * Changes the fields that are sent; deliveries follow within seconds. `enabled: false` stops them: what waits is
     * kept, and what happens meanwhile can be sent later by a replay of that time. `enabled: true` goes on with what
     * waits and forgets past failures. `rotateSecret` makes a new secret, shown in this answer only; until the
     * overlap ends, deliveries carry a signature by the old one as well.
     *
     * `PATCH /v2/webhooks/{webhookId}`, permission webhooks:manage (Admin).
     *
     * Errors: invalid_if_match, version_mismatch, invalid_webhook_url.
     */
    update: Operation<WebhooksUpdateParams, WebhooksUpdateReply>
    /**
     * Delete a webhook.
     *
     * Ends a webhook for good, with the log of its deliveries; what waits for it is not sent any more. To pause it,
     * change it to enabled: false instead.
     *
     * `DELETE /v2/webhooks/{webhookId}`, permission webhooks:manage (Admin).
     *
     * Errors: invalid_if_match, version_mismatch.
     */
    delete: Operation<WebhooksDeleteParams, WebhooksDeleteReply>
    /**
     * Test a webhook.
     *
     * Sends an event webhook.test to this webhook, whatever types it hears of: signed, tried again and logged like
     * any other. Look at the delivery named in the answer for what came of it.
     *
     * `POST /v2/webhooks/{webhookId}/test`, permission webhooks:manage (Admin).
     *
     * Errors: webhook_disabled.
     */
    test: Operation<WebhooksTestParams, WebhooksTestReply>
    /**
     * List deliveries of a webhook.
     *
     * What was sent to a webhook in the last 30 days and what waits to be sent, the newest events first. With a type
     * that matches little, a page may hold fewer than the limit while hasMore is true.
     *
     * `GET /v2/webhooks/{webhookId}/deliveries`, permission webhooks:read (Admin, Sales Manager).
     *
     * Errors: invalid_cursor.
     */
    deliveries: ListOperation<WebhooksDeliveriesParams, WebhooksDeliveriesReply, WebhooksDeliveriesItem>
    /**
     * List deliveries to callback URLs.
     *
     * Events that were sent, or wait to be sent, to the callbackUrl of the message or call they are about, in the
     * last 30 days, the newest first. With a type that matches little, a page may hold fewer than the limit while
     * hasMore is true.
     *
     * `GET /v2/webhooks/callbacks/deliveries`, permission webhooks:read (Admin, Sales Manager).
     *
     * Errors: invalid_cursor.
     */
    callbackDeliveries: ListOperation<WebhooksCallbackDeliveriesParams, WebhooksCallbackDeliveriesReply, WebhooksDeliveriesItem>
    /**
     * Get a delivery.
     *
     * A delivery to a webhook or callbackUrl with every attempt, what was answered, and what is sent.
     *
     * `GET /v2/webhooks/deliveries/{deliveryId}`, permission webhooks:read (Admin, Sales Manager).
     */
    delivery: Operation<WebhooksDeliveryParams, WebhooksDeliveryReply>
    /**
     * Replay events to a webhook.
     *
     * Sends one delivery again, or the events of a time that this webhook hears of. The event keeps its id, so
     * receivers that know it can leave it; timestamp and signature are new, and it gets ten attempts again.
     *
     * `POST /v2/webhooks/{webhookId}/replay`, permission webhooks:manage (Admin).
     *
     * Errors: webhook_disabled.
     */
    replay: Operation<WebhooksReplayParams, WebhooksReplayReply>
    /**
     * Replay events to callback URLs.
     *
     * Sends one delivery to a callbackUrl again, or those of a time. The event keeps its id, so receivers that know
     * it can leave it; timestamp and signature are new, and it gets ten attempts again.
     *
     * `POST /v2/webhooks/callbacks/replay`, permission webhooks:manage (Admin).
     */
    replayCallbacks: Operation<WebhooksReplayCallbacksParams, WebhooksReplayCallbacksReply>
  }
  webhookListeners: {
    /**
     * Create a webhook listener.
     *
     * Begins to keep events of this mode for a program that has no public address, as `tandem listen` does. It takes
     * them over the stream of the listener, hands them to its own server and reports the answers. Name a webhook to
     * have them signed by its secret; otherwise the listener has one of its own, shown in this answer only. Without
     * a connection for ten minutes it ends. At most 20 are open in a mode.
     *
     * `POST /v2/webhooks/listeners`, permission webhooks:manage (Admin).
     *
     * Errors: webhook_listener_limit_reached.
     */
    create: Operation<WebhookListenersCreateParams, WebhookListenersCreateReply>
    /**
     * List webhook listeners.
     *
     * The listeners of this mode that are open, or ended in the last seven days, newest first.
     *
     * `GET /v2/webhooks/listeners`, permission webhooks:read (Admin, Sales Manager).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<WebhookListenersListParams, WebhookListenersListReply, WebhookListener>
    /**
     * Get a webhook listener.
     *
     * A listener, whether it is connected, and how many events wait for it.
     *
     * `GET /v2/webhooks/listeners/{listenerId}`, permission webhooks:read (Admin, Sales Manager).
     */
    get: Operation<WebhookListenersGetParams, WebhookListenersGetReply>
    /**
     * End a webhook listener.
     *
     * Ends a listener: its stream ends, and nothing reaches it any more. What was forwarded can be read for a week.
     *
     * `DELETE /v2/webhooks/listeners/{listenerId}`, permission webhooks:manage (Admin).
     */
    end: Operation<WebhookListenersEndParams, WebhookListenersEndReply>
    /**
     * Stream to a webhook listener.
     *
     * What waits for a listener, as text/event-stream: `ready`, then each event as `delivery` with the headers and
     * the body that a webhook would have been sent, to be handed on as they are. What has no answer yet comes again
     * over the next connection, in the order of the events, so nothing is lost; eventId and attempt say what came
     * before. At most 200 without an answer are sent. A newer connection takes the listener over.
     *
     * `GET /v2/webhooks/listeners/{listenerId}/stream`, permission webhooks:manage (Admin).
     *
     * Errors: webhook_listener_ended, too_many_streams.
     */
    open: StreamOperation<WebhookListenersOpenParams, WebhookListenersOpenEvent>
    /**
     * Report what a listener forwarded.
     *
     * Says what the server behind a listener answered. Any 2xx counts as delivered. What was reported before, or of
     * an attempt that is not the present one, changes nothing.
     *
     * `POST /v2/webhooks/listeners/{listenerId}/results`, permission webhooks:manage (Admin).
     */
    report: Operation<WebhookListenersReportParams, WebhookListenersReportReply>
    /**
     * List deliveries of a webhook listener.
     *
     * What was forwarded to a listener, with the answers, and what waits; the newest events first.
     *
     * `GET /v2/webhooks/listeners/{listenerId}/deliveries`, permission webhooks:read (Admin, Sales Manager).
     *
     * Errors: invalid_cursor.
     */
    deliveries: ListOperation<WebhookListenersDeliveriesParams, WebhookListenersDeliveriesReply, WebhookListenersDeliveriesItem>
    /**
     * Forward an event again.
     *
     * Sends an event to an open listener again, with the same body and a new signature.
     *
     * `POST /v2/webhooks/listeners/{listenerId}/resend`, permission webhooks:manage (Admin).
     *
     * Errors: webhook_listener_ended, webhook_event_not_forwarded.
     */
    resend: Operation<WebhookListenersResendParams, WebhookListenersResendReply>
    /**
     * Test a webhook listener.
     *
     * Sends an event webhook.test to this listener only, whatever types it hears of.
     *
     * `POST /v2/webhooks/listeners/{listenerId}/test`, permission webhooks:manage (Admin).
     *
     * Errors: webhook_listener_ended.
     */
    test: Operation<WebhookListenersTestParams, WebhookListenersTestReply>
  }
  leads: {
    /**
     * Create a lead.
     *
     * A person or an enquiry that may become a customer. The answer lists those that are the same by email, phone;
     * X-Duplicate-Mode decides whether such a one is created, or refused. Writes the event lead.created.
     *
     * `POST /v1/api/leads`, permission leads:create (Admin, Sales Manager, Sales Executive).
     *
     * Errors: duplicate_record.
     */
    create: Operation<LeadsCreateParams, LeadsCreateReply>
    /**
     * List leads.
     *
     * Leads by page or cursor, with filters, search and any order. A Sales Executive sees own and unassigned ones.
     *
     * `GET /v1/api/leads`, permission leads:read (Admin, Sales Manager, Sales Executive).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<LeadsListParams, LeadsListReply, LeadsListItem>
    /**
     * Get a lead.
     *
     * One lead. Those in the trash are not found; of one that was merged, `details` name the one that took it in as
     * `record_id`.
     *
     * `GET /v1/api/leads/{id}`, permission leads:read (Admin, Sales Manager, Sales Executive).
     */
    get: Operation<LeadsGetParams, LeadsGetReply>
    /**
     * Update a lead.
     *
     * Changes the fields that are sent; null empties one. The status moves by its table, with `lost_reason` where a
     * lead is given up (required for Unqualified); a Sales Executive reopens none. Writes lead.status_changed, with
     * `previousStatus`, for a move, and lead.updated for what else is changed.
     *
     * `PATCH /v1/api/leads/{id}`, permission leads:update (Admin, Sales Manager, Sales Executive).
     *
     * Errors: invalid_if_match, invalid_transition, duplicate_record, version_mismatch.
     */
    update: Operation<LeadsUpdateParams, LeadsUpdateReply>
    /**
     * Delete a lead.
     *
     * Moves it to the trash, from which it can be restored, and answers it as it is there. Writes the event
     * lead.deleted.
     *
     * `DELETE /v1/api/leads/{id}`, permission leads:delete (Admin, Sales Manager).
     *
     * Errors: invalid_if_match, version_mismatch.
     */
    delete: Operation<LeadsDeleteParams, LeadsDeleteReply>
    /**
     * Restore a lead.
     *
     * Restores it from the trash, as it was; one that is not there is answered as it is. Writes the event
     * lead.restored.
     *
     * `POST /v1/api/leads/{id}/restore`, permission leads:delete (Admin, Sales Manager).
     *
     * Errors: invalid_if_match, duplicate_record, version_mismatch.
     */
    restore: Operation<LeadsRestoreParams, LeadsRestoreReply>
    /**
     * Update many leads.
     *
     * Sets fields of up to 1000 records, or moves them to the trash or out of it (which needs the permission
     * leads:delete). What cannot be changed is listed with its reason; all others are changed, in one transaction.
     * With `filter` instead of ids it is done to all that the list finds, up to 100000: beyond 1000 in the
     * background, as a batch. Each record writes its event.
     *
     * `POST /v1/api/leads/bulk`, permission leads:update (Admin, Sales Manager, Sales Executive).
     *
     * Errors: count_mismatch.
     */
    bulk: Operation<LeadsBulkParams, LeadsBulkReply>
    /**
     * Merge leads.
     *
     * Makes one of several: fields that are empty in the one that stays are filled from the others, the first that
     * has one, and lists have the entries of all, which may be 20 at most; `take` names the record whose value a
     * field is to have. What named the others names the one that stays, what was put on them is moved to it, and
     * they go to the trash; who asks for them is answered 404 with the one that stays in `details`. Writes
     * lead.merged, and lead.deleted for each of the others. Needs the permission leads:delete.
     *
     * `POST /v1/api/leads/merge`, permission leads:delete (Admin, Sales Manager).
     */
    merge: Operation<LeadsMergeParams, LeadsMergeReply>
    /**
     * List duplicates of a lead.
     *
     * Leads that are the same by email, phone. They are merged, or left as they are.
     *
     * `GET /v1/api/leads/{id}/duplicates`, permission leads:read (Admin, Sales Manager, Sales Executive).
     */
    duplicates: Operation<LeadsDuplicatesParams, LeadsDuplicatesReply>
    /**
     * List changes of a lead.
     *
     * What was changed, when and by whom, field by field: the newest 200.
     *
     * `GET /v1/api/leads/{id}/history`, permission leads:read (Admin, Sales Manager, Sales Executive).
     */
    history: Operation<LeadsHistoryParams, LeadsHistoryReply>
    /**
     * Export leads.
     *
     * All leads that the filters let through, as CSV (RFC 4180, UTF-8) in the order of the list; an import reads it
     * back. Sent while it is read, so it may be of any length; a record that changes meanwhile is as it was or as it
     * is. A text that a spreadsheet would take for a formula has an apostrophe in front. A Sales Executive sees own
     * and unassigned ones.
     *
     * `GET /v1/api/leads/export`, permission leads:read (Admin, Sales Manager, Sales Executive).
     */
    export: Operation<LeadsExportParams, LeadsExportReply>
    /**
     * Convert a lead.
     *
     * Makes a contact of a Qualified lead, and a company of the one it speaks for; of records that are used only
     * empty fields are filled. The lead becomes Converted and names both. One that is converted already is answered
     * with the same records, as far as they are there and the caller may see them. Writes lead.status_changed and
     * lead.converted, and the events of the records. Needs the permissions to create contacts and companies as far
     * as it creates them.
     *
     * `POST /v1/api/leads/{id}/convert`, permission leads:update (Admin, Sales Manager, Sales Executive).
     *
     * Errors: invalid_if_match, invalid_transition, version_mismatch.
     */
    convert: Operation<LeadsConvertParams, LeadsConvertReply>
    /**
     * Get the timeline of a lead.
     *
     * What was changed, and the notes, tasks and files that were put on it, newest first. Messages to and from its
     * telephone numbers as they are now, and calls with their recordings, stand among them. So do mails that were
     * written to it, and that came from it. What one may not read is left out, and left_out names it.
     *
     * `GET /v1/api/leads/{id}/timeline`, permission leads:read (Admin, Sales Manager, Sales Executive).
     *
     * Errors: invalid_cursor.
     */
    timeline: ListOperation<LeadsTimelineParams, LeadsTimelineReply, TimelineEntry>
  }
  people: {
    /**
     * Find people by their addresses.
     *
     * Names of those who have these telephone numbers and e-mail addresses, at most 100: colleagues by their e-mail
     * address, and the contacts, leads and companies that you may see. One for each address: a colleague before a
     * contact, a contact before a lead, a lead before a company, and of several the newest. An address that nobody
     * has is left out.
     *
     * `GET /v1/api/people`, permission profile:read (Admin, Sales Manager, Sales Executive, Finance Manager).
     */
    find: Operation<PeopleFindParams, PeopleFindReply>
  }
  companies: {
    /**
     * List companies.
     *
     * Companies by page or cursor, with filters, search and any order. A Sales Executive sees own and unassigned
     * ones.
     *
     * `GET /v1/api/companies`, permission companies:read (Admin, Sales Manager, Sales Executive, Finance Manager).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<CompaniesListParams, CompaniesListReply, CompaniesListItem>
    /**
     * Create a company.
     *
     * An organization that is a customer or may become one. The answer lists those that are the same by domain,
     * phone, name; X-Duplicate-Mode decides whether such a one is created, or refused. Writes the event
     * company.created.
     *
     * `POST /v1/api/companies`, permission companies:create (Admin, Sales Manager, Sales Executive).
     *
     * Errors: duplicate_record.
     */
    create: Operation<CompaniesCreateParams, CompaniesCreateReply>
    /**
     * Get a company.
     *
     * One company. Those in the trash are not found; of one that was merged, `details` name the one that took it in
     * as `record_id`.
     *
     * `GET /v1/api/companies/{id}`, permission companies:read (Admin, Sales Manager, Sales Executive, Finance
     * Manager).
     */
    get: Operation<CompaniesGetParams, CompaniesGetReply>
    /**
     * Update a company.
     *
     * Changes the fields that are sent; null empties one. Writes the event company.updated.
     *
     * `PATCH /v1/api/companies/{id}`, permission companies:update (Admin, Sales Manager, Sales Executive).
     *
     * Errors: invalid_if_match, duplicate_record, version_mismatch.
     */
    update: Operation<CompaniesUpdateParams, CompaniesUpdateReply>
    /**
     * Delete a company.
     *
     * Moves it to the trash, from which it can be restored, and answers it as it is there. Writes the event
     * company.deleted.
     *
     * `DELETE /v1/api/companies/{id}`, permission companies:delete (Admin, Sales Manager).
     *
     * Errors: invalid_if_match, version_mismatch.
     */
    delete: Operation<CompaniesDeleteParams, CompaniesDeleteReply>
    /**
     * Restore a company.
     *
     * Restores it from the trash, as it was; one that is not there is answered as it is. Writes the event
     * company.restored.
     *
     * `POST /v1/api/companies/{id}/restore`, permission companies:delete (Admin, Sales Manager).
     *
     * Errors: invalid_if_match, duplicate_record, version_mismatch.
     */
    restore: Operation<CompaniesRestoreParams, CompaniesRestoreReply>
    /**
     * Update many companies.
     *
     * Sets fields of up to 1000 records, or moves them to the trash or out of it (which needs the permission
     * companies:delete). What cannot be changed is listed with its reason; all others are changed, in one
     * transaction. With `filter` instead of ids it is done to all that the list finds, up to 100000: beyond 1000 in
     * the background, as a batch. Each record writes its event.
     *
     * `POST /v1/api/companies/bulk`, permission companies:update (Admin, Sales Manager, Sales Executive).
     *
     * Errors: count_mismatch.
     */
    bulk: Operation<CompaniesBulkParams, CompaniesBulkReply>
    /**
     * Merge companies.
     *
     * Makes one of several: fields that are empty in the one that stays are filled from the others, the first that
     * has one, and lists have the entries of all, which may be 20 at most; `take` names the record whose value a
     * field is to have. What named the others names the one that stays, what was put on them is moved to it, and
     * they go to the trash; who asks for them is answered 404 with the one that stays in `details`. Writes
     * company.merged, and company.deleted for each of the others. Needs the permission companies:delete.
     *
     * `POST /v1/api/companies/merge`, permission companies:delete (Admin, Sales Manager).
     */
    merge: Operation<CompaniesMergeParams, CompaniesMergeReply>
    /**
     * List duplicates of a company.
     *
     * Companies that are the same by domain, phone, name. They are merged, or left as they are.
     *
     * `GET /v1/api/companies/{id}/duplicates`, permission companies:read (Admin, Sales Manager, Sales Executive,
     * Finance Manager).
     */
    duplicates: Operation<CompaniesDuplicatesParams, CompaniesDuplicatesReply>
    /**
     * List changes of a company.
     *
     * What was changed, when and by whom, field by field: the newest 200.
     *
     * `GET /v1/api/companies/{id}/history`, permission companies:read (Admin, Sales Manager, Sales Executive,
     * Finance Manager).
     */
    history: Operation<CompaniesHistoryParams, CompaniesHistoryReply>
    /**
     * Export companies.
     *
     * All companies that the filters let through, as CSV (RFC 4180, UTF-8) in the order of the list; an import reads
     * it back. Sent while it is read, so it may be of any length; a record that changes meanwhile is as it was or as
     * it is. A text that a spreadsheet would take for a formula has an apostrophe in front. A Sales Executive sees
     * own and unassigned ones.
     *
     * `GET /v1/api/companies/export`, permission companies:read (Admin, Sales Manager, Sales Executive, Finance
     * Manager).
     */
    export: Operation<CompaniesExportParams, CompaniesExportReply>
    /**
     * Get the timeline of a company.
     *
     * What was changed, and the notes, tasks and files that were put on it, newest first. Messages to and from its
     * telephone numbers as they are now, and calls with their recordings, stand among them. What one may not read is
     * left out, and left_out names it.
     *
     * `GET /v1/api/companies/{id}/timeline`, permission companies:read (Admin, Sales Manager, Sales Executive,
     * Finance Manager).
     *
     * Errors: invalid_cursor.
     */
    timeline: ListOperation<CompaniesTimelineParams, CompaniesTimelineReply, TimelineEntry>
  }
  contacts: {
    /**
     * List contacts.
     *
     * Contacts by page or cursor, with filters, search and any order. A Sales Executive sees own and unassigned
     * ones.
     *
     * `GET /v1/api/contacts`, permission contacts:read (Admin, Sales Manager, Sales Executive, Finance Manager).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<ContactsListParams, ContactsListReply, ContactsListItem>
    /**
     * Create a contact.
     *
     * A person that one deals with, who may belong to companies. The answer lists those that are the same by emails,
     * phones; X-Duplicate-Mode decides whether such a one is created, or refused. Writes the event contact.created.
     *
     * `POST /v1/api/contacts`, permission contacts:create (Admin, Sales Manager, Sales Executive).
     *
     * Errors: duplicate_record.
     */
    create: Operation<ContactsCreateParams, ContactsCreateReply>
    /**
     * Get a contact.
     *
     * One contact. Those in the trash are not found; of one that was merged, `details` name the one that took it in
     * as `record_id`.
     *
     * `GET /v1/api/contacts/{id}`, permission contacts:read (Admin, Sales Manager, Sales Executive, Finance
     * Manager).
     */
    get: Operation<ContactsGetParams, ContactsGetReply>
    /**
     * Update a contact.
     *
     * Changes the fields that are sent; null empties one. Writes the event contact.updated.
     *
     * `PATCH /v1/api/contacts/{id}`, permission contacts:update (Admin, Sales Manager, Sales Executive).
     *
     * Errors: invalid_if_match, duplicate_record, version_mismatch.
     */
    update: Operation<ContactsUpdateParams, ContactsUpdateReply>
    /**
     * Delete a contact.
     *
     * Moves it to the trash, from which it can be restored, and answers it as it is there. Writes the event
     * contact.deleted.
     *
     * `DELETE /v1/api/contacts/{id}`, permission contacts:delete (Admin, Sales Manager).
     *
     * Errors: invalid_if_match, version_mismatch.
     */
    delete: Operation<ContactsDeleteParams, ContactsDeleteReply>
    /**
     * Restore a contact.
     *
     * Restores it from the trash, as it was; one that is not there is answered as it is. Writes the event
     * contact.restored.
     *
     * `POST /v1/api/contacts/{id}/restore`, permission contacts:delete (Admin, Sales Manager).
     *
     * Errors: invalid_if_match, duplicate_record, version_mismatch.
     */
    restore: Operation<ContactsRestoreParams, ContactsRestoreReply>
    /**
     * Update many contacts.
     *
     * Sets fields of up to 1000 records, or moves them to the trash or out of it (which needs the permission
     * contacts:delete). What cannot be changed is listed with its reason; all others are changed, in one
     * transaction. With `filter` instead of ids it is done to all that the list finds, up to 100000: beyond 1000 in
     * the background, as a batch. Each record writes its event.
     *
     * `POST /v1/api/contacts/bulk`, permission contacts:update (Admin, Sales Manager, Sales Executive).
     *
     * Errors: count_mismatch.
     */
    bulk: Operation<ContactsBulkParams, ContactsBulkReply>
    /**
     * Merge contacts.
     *
     * Makes one of several: fields that are empty in the one that stays are filled from the others, the first that
     * has one, and lists have the entries of all, which may be 20 at most; `take` names the record whose value a
     * field is to have. What named the others names the one that stays, what was put on them is moved to it, and
     * they go to the trash; who asks for them is answered 404 with the one that stays in `details`. Writes
     * contact.merged, and contact.deleted for each of the others. Needs the permission contacts:delete.
     *
     * `POST /v1/api/contacts/merge`, permission contacts:delete (Admin, Sales Manager).
     */
    merge: Operation<ContactsMergeParams, ContactsMergeReply>
    /**
     * List duplicates of a contact.
     *
     * Contacts that are the same by emails, phones. They are merged, or left as they are.
     *
     * `GET /v1/api/contacts/{id}/duplicates`, permission contacts:read (Admin, Sales Manager, Sales Executive,
     * Finance Manager).
     */
    duplicates: Operation<ContactsDuplicatesParams, ContactsDuplicatesReply>
    /**
     * List changes of a contact.
     *
     * What was changed, when and by whom, field by field: the newest 200.
     *
     * `GET /v1/api/contacts/{id}/history`, permission contacts:read (Admin, Sales Manager, Sales Executive, Finance
     * Manager).
     */
    history: Operation<ContactsHistoryParams, ContactsHistoryReply>
    /**
     * Export contacts.
     *
     * All contacts that the filters let through, as CSV (RFC 4180, UTF-8) in the order of the list; an import reads
     * it back. Sent while it is read, so it may be of any length; a record that changes meanwhile is as it was or as
     * it is. A text that a spreadsheet would take for a formula has an apostrophe in front. A Sales Executive sees
     * own and unassigned ones.
     *
     * `GET /v1/api/contacts/export`, permission contacts:read (Admin, Sales Manager, Sales Executive, Finance
     * Manager).
     */
    export: Operation<ContactsExportParams, ContactsExportReply>
    /**
     * Get the timeline of a contact.
     *
     * What was changed, and the notes, tasks and files that were put on it, newest first. Messages to and from its
     * telephone numbers as they are now, and calls with their recordings, stand among them. So do mails that were
     * written to it, and that came from it. What one may not read is left out, and left_out names it.
     *
     * `GET /v1/api/contacts/{id}/timeline`, permission contacts:read (Admin, Sales Manager, Sales Executive, Finance
     * Manager).
     *
     * Errors: invalid_cursor.
     */
    timeline: ListOperation<ContactsTimelineParams, ContactsTimelineReply, TimelineEntry>
  }
  notes: {
    /**
     * List notes.
     *
     * Notes by page or cursor, with filters, search and any order.
     *
     * `GET /v1/api/notes`, permission notes:read (Admin, Sales Manager, Sales Executive, Finance Manager).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<NotesListParams, NotesListReply, NotesListItem>
    /**
     * Create a note.
     *
     * A text about a record. It is read by those who see the record, and written, changed and deleted by those who
     * may change it. Writes the event note.created.
     *
     * `POST /v1/api/notes`, permission notes:create (Admin, Sales Manager, Sales Executive).
     *
     * Errors: record_not_found.
     */
    create: Operation<NotesCreateParams, NotesCreateReply>
    /**
     * Get a note.
     *
     * One note. Those in the trash are not found.
     *
     * `GET /v1/api/notes/{id}`, permission notes:read (Admin, Sales Manager, Sales Executive, Finance Manager).
     */
    get: Operation<NotesGetParams, NotesGetReply>
    /**
     * Update a note.
     *
     * Changes the fields that are sent; null empties one. Writes the event note.updated.
     *
     * `PATCH /v1/api/notes/{id}`, permission notes:update (Admin, Sales Manager, Sales Executive).
     *
     * Errors: invalid_if_match, version_mismatch.
     */
    update: Operation<NotesUpdateParams, NotesUpdateReply>
    /**
     * Delete a note.
     *
     * Moves it to the trash, from which it can be restored, and answers it as it is there. Writes the event
     * note.deleted.
     *
     * `DELETE /v1/api/notes/{id}`, permission notes:delete (Admin, Sales Manager, Sales Executive).
     *
     * Errors: invalid_if_match, version_mismatch.
     */
    delete: Operation<NotesDeleteParams, NotesDeleteReply>
    /**
     * Restore a note.
     *
     * Restores it from the trash, as it was; one that is not there is answered as it is. Writes the event
     * note.restored.
     *
     * `POST /v1/api/notes/{id}/restore`, permission notes:delete (Admin, Sales Manager, Sales Executive).
     *
     * Errors: invalid_if_match, version_mismatch.
     */
    restore: Operation<NotesRestoreParams, NotesRestoreReply>
    /**
     * List changes of a note.
     *
     * What was changed, when and by whom, field by field: the newest 200.
     *
     * `GET /v1/api/notes/{id}/history`, permission notes:read (Admin, Sales Manager, Sales Executive, Finance
     * Manager).
     */
    history: Operation<NotesHistoryParams, NotesHistoryReply>
  }
  tasks: {
    /**
     * List tasks.
     *
     * Tasks by page or cursor, with filters, search and any order. A Sales Executive sees own ones.
     *
     * `GET /v1/api/tasks`, permission tasks:read (Admin, Sales Manager, Sales Executive, Finance Manager).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<TasksListParams, TasksListReply, TasksListItem>
    /**
     * Create a task.
     *
     * Something to be done, about a record or about none. Those about a record are seen and changed by those who see
     * and may change it, and by who has to do them. Writes the event task.created.
     *
     * `POST /v1/api/tasks`, permission tasks:create (Admin, Sales Manager, Sales Executive, Finance Manager).
     *
     * Errors: record_not_found.
     */
    create: Operation<TasksCreateParams, TasksCreateReply>
    /**
     * Get a task.
     *
     * One task. Those in the trash are not found.
     *
     * `GET /v1/api/tasks/{id}`, permission tasks:read (Admin, Sales Manager, Sales Executive, Finance Manager).
     */
    get: Operation<TasksGetParams, TasksGetReply>
    /**
     * Update a task.
     *
     * Changes the fields that are sent; null empties one. Writes the event task.updated.
     *
     * `PATCH /v1/api/tasks/{id}`, permission tasks:update (Admin, Sales Manager, Sales Executive).
     *
     * Errors: invalid_if_match, invalid_transition, version_mismatch.
     */
    update: Operation<TasksUpdateParams, TasksUpdateReply>
    /**
     * Delete a task.
     *
     * Moves it to the trash, from which it can be restored, and answers it as it is there. Writes the event
     * task.deleted.
     *
     * `DELETE /v1/api/tasks/{id}`, permission tasks:delete (Admin, Sales Manager, Sales Executive).
     *
     * Errors: invalid_if_match, version_mismatch.
     */
    delete: Operation<TasksDeleteParams, TasksDeleteReply>
    /**
     * Restore a task.
     *
     * Restores it from the trash, as it was; one that is not there is answered as it is. Writes the event
     * task.restored.
     *
     * `POST /v1/api/tasks/{id}/restore`, permission tasks:delete (Admin, Sales Manager, Sales Executive).
     *
     * Errors: invalid_if_match, version_mismatch.
     */
    restore: Operation<TasksRestoreParams, TasksRestoreReply>
    /**
     * Update many tasks.
     *
     * Sets fields of up to 1000 records, or moves them to the trash or out of it (which needs the permission
     * tasks:delete). What cannot be changed is listed with its reason; all others are changed, in one transaction.
     * With `filter` instead of ids it is done to all that the list finds, up to 100000: beyond 1000 in the
     * background, as a batch. Each record writes its event.
     *
     * `POST /v1/api/tasks/bulk`, permission tasks:update (Admin, Sales Manager, Sales Executive).
     *
     * Errors: count_mismatch.
     */
    bulk: Operation<TasksBulkParams, TasksBulkReply>
    /**
     * List changes of a task.
     *
     * What was changed, when and by whom, field by field: the newest 200.
     *
     * `GET /v1/api/tasks/{id}/history`, permission tasks:read (Admin, Sales Manager, Sales Executive, Finance
     * Manager).
     */
    history: Operation<TasksHistoryParams, TasksHistoryReply>
  }
  attachments: {
    /**
     * Create an attachment.
     *
     * Puts a file of up to 25 MiB on a record: its bytes are the body, its name and the record stand in the query.
     * What it is, its bytes say; a name that says something else is refused. Writes attachment.created.
     *
     * `POST /v1/api/attachments`, permission attachments:create (Admin, Sales Manager, Sales Executive).
     *
     * Errors: record_not_found.
     */
    create: Operation<AttachmentsCreateParams, AttachmentsCreateReply>
    /**
     * List attachments.
     *
     * Attachments by page or cursor, with filters, search and any order.
     *
     * `GET /v1/api/attachments`, permission attachments:read (Admin, Sales Manager, Sales Executive, Finance
     * Manager).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<AttachmentsListParams, AttachmentsListReply, AttachmentsListItem>
    /**
     * Get the file of an attachment.
     *
     * Its bytes, whole or the part that Range asks for. Browsers save it under its name; with inline they show
     * images and plain text instead, in a sandbox. The ETag is the SHA-256 of the file.
     *
     * `GET /v1/api/attachments/{id}/content`, permission attachments:read (Admin, Sales Manager, Sales Executive,
     * Finance Manager).
     *
     * Errors: range_not_satisfiable, file_unreachable.
     */
    content: Operation<AttachmentsContentParams, AttachmentsContentReply>
    /**
     * Get an attachment.
     *
     * One attachment. Those in the trash are not found.
     *
     * `GET /v1/api/attachments/{id}`, permission attachments:read (Admin, Sales Manager, Sales Executive, Finance
     * Manager).
     */
    get: Operation<AttachmentsGetParams, AttachmentsGetReply>
    /**
     * Update an attachment.
     *
     * Changes the fields that are sent; null empties one. Writes the event attachment.updated.
     *
     * `PATCH /v1/api/attachments/{id}`, permission attachments:update (Admin, Sales Manager, Sales Executive).
     *
     * Errors: invalid_if_match, version_mismatch.
     */
    update: Operation<AttachmentsUpdateParams, AttachmentsUpdateReply>
    /**
     * Delete an attachment.
     *
     * Moves it to the trash, from which it can be restored, and answers it as it is there. Writes the event
     * attachment.deleted.
     *
     * `DELETE /v1/api/attachments/{id}`, permission attachments:delete (Admin, Sales Manager, Sales Executive).
     *
     * Errors: invalid_if_match, version_mismatch.
     */
    delete: Operation<AttachmentsDeleteParams, AttachmentsDeleteReply>
    /**
     * Restore an attachment.
     *
     * Restores it from the trash, as it was; one that is not there is answered as it is. Writes the event
     * attachment.restored.
     *
     * `POST /v1/api/attachments/{id}/restore`, permission attachments:delete (Admin, Sales Manager, Sales
     * Executive).
     *
     * Errors: invalid_if_match, version_mismatch.
     */
    restore: Operation<AttachmentsRestoreParams, AttachmentsRestoreReply>
    /**
     * List changes of an attachment.
     *
     * What was changed, when and by whom, field by field: the newest 200.
     *
     * `GET /v1/api/attachments/{id}/history`, permission attachments:read (Admin, Sales Manager, Sales Executive,
     * Finance Manager).
     */
    history: Operation<AttachmentsHistoryParams, AttachmentsHistoryReply>
  }
  tags: {
    /**
     * Set tags of records.
     *
     * Puts tags on up to 1000 records of any kind, and takes others off, in one transaction. A record that one may
     * not see or change is listed with its reason; all others are changed. A record has at most 50 tags. Writes
     * record.tags_changed for each record that changed.
     *
     * `POST /v1/api/tags/assign`, permission tags:assign (Admin, Sales Manager, Sales Executive).
     *
     * Errors: tag_not_found.
     */
    assign: Operation<TagsAssignParams, TagsAssignReply>
    /**
     * List tags of records.
     *
     * The tags of up to 200 records of any kind, by record; of those that one may not see, none.
     *
     * `GET /v1/api/tags/assigned`, permission tags:read (Admin, Sales Manager, Sales Executive, Finance Manager).
     */
    assigned: Operation<TagsAssignedParams, TagsAssignedReply>
    /**
     * Get how many records have each tag.
     *
     * How many records of each kind have each tag, exactly; those in the trash do not count. Only kinds of which one
     * sees all records: left_out names the others.
     *
     * `GET /v1/api/tags/counts`, permission tags:read (Admin, Sales Manager, Sales Executive, Finance Manager).
     */
    counts: Operation<TagsCountsParams, TagsCountsReply>
    /**
     * List tags.
     *
     * Tags by page or cursor, with filters, search and any order.
     *
     * `GET /v1/api/tags`, permission tags:read (Admin, Sales Manager, Sales Executive, Finance Manager).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<TagsListParams, TagsListReply, TagsListItem>
    /**
     * Create a tag.
     *
     * A word with a color that is put on records of any kind. No two have the same name, whatever the case of its
     * letters. Writes the event tag.created.
     *
     * `POST /v1/api/tags`, permission tags:create (Admin, Sales Manager, Sales Executive).
     *
     * Errors: duplicate_record.
     */
    create: Operation<TagsCreateParams, TagsCreateReply>
    /**
     * Get a tag.
     *
     * One tag. Those in the trash are not found; of one that was merged, `details` name the one that took it in as
     * `record_id`.
     *
     * `GET /v1/api/tags/{id}`, permission tags:read (Admin, Sales Manager, Sales Executive, Finance Manager).
     */
    get: Operation<TagsGetParams, TagsGetReply>
    /**
     * Update a tag.
     *
     * Changes the fields that are sent; null empties one. Writes the event tag.updated.
     *
     * `PATCH /v1/api/tags/{id}`, permission tags:update (Admin, Sales Manager).
     *
     * Errors: invalid_if_match, duplicate_record, version_mismatch.
     */
    update: Operation<TagsUpdateParams, TagsUpdateReply>
    /**
     * Delete a tag.
     *
     * Moves it to the trash, from which it can be restored, and answers it as it is there. Writes the event
     * tag.deleted.
     *
     * `DELETE /v1/api/tags/{id}`, permission tags:delete (Admin, Sales Manager).
     *
     * Errors: invalid_if_match, version_mismatch.
     */
    delete: Operation<TagsDeleteParams, TagsDeleteReply>
    /**
     * Restore a tag.
     *
     * Restores it from the trash, as it was; one that is not there is answered as it is. Writes the event
     * tag.restored.
     *
     * `POST /v1/api/tags/{id}/restore`, permission tags:delete (Admin, Sales Manager).
     *
     * Errors: invalid_if_match, duplicate_record, version_mismatch.
     */
    restore: Operation<TagsRestoreParams, TagsRestoreReply>
    /**
     * Merge tags.
     *
     * Makes one of several: fields that are empty in the one that stays are filled from the others, the first that
     * has one, and lists have the entries of all, which may be 20 at most; `take` names the record whose value a
     * field is to have. What named the others names the one that stays, what was put on them is moved to it, and
     * they go to the trash; who asks for them is answered 404 with the one that stays in `details`. Writes
     * tag.merged, and tag.deleted for each of the others. Needs the permission tags:delete.
     *
     * `POST /v1/api/tags/merge`, permission tags:delete (Admin, Sales Manager).
     */
    merge: Operation<TagsMergeParams, TagsMergeReply>
    /**
     * List changes of a tag.
     *
     * What was changed, when and by whom, field by field: the newest 200.
     *
     * `GET /v1/api/tags/{id}/history`, permission tags:read (Admin, Sales Manager, Sales Executive, Finance
     * Manager).
     */
    history: Operation<TagsHistoryParams, TagsHistoryReply>
  }
  views: {
    /**
     * List saved views.
     *
     * Own views, and those shared with the organization, by list and name; at most 500. What a view asks for and its
     * list has no longer is left out, and dropped names it.
     *
     * `GET /v1/api/views`, permission views:read (Admin, Sales Manager, Sales Executive, Finance Manager).
     */
    list: Operation<ViewsListParams, ViewsListReply>
    /**
     * Create a saved view.
     *
     * Saves how a list is looked at: columns with their order and width, filters, order, and whether it is a list or
     * a board. Columns and filters are those of the list; one that it does not have is refused by name. Writes
     * view.created.
     *
     * `POST /v1/api/views`, permission views:write (Admin, Sales Manager, Sales Executive, Finance Manager).
     */
    create: Operation<ViewsCreateParams, ViewsCreateReply>
    /**
     * Set the view that a list opens with.
     *
     * For the caller alone: the view with which a list opens, an own one or a shared one; null for the list as it
     * is.
     *
     * `PUT /v1/api/views/default`, permission views:write (Admin, Sales Manager, Sales Executive, Finance Manager).
     */
    setDefault: Operation<ViewsSetDefaultParams, ViewsSetDefaultReply>
    /**
     * Get a saved view.
     *
     * One view: an own one, or one that is shared with the organization.
     *
     * `GET /v1/api/views/{id}`, permission views:read (Admin, Sales Manager, Sales Executive, Finance Manager).
     */
    get: Operation<ViewsGetParams, ViewsGetReply>
    /**
     * Update a saved view.
     *
     * Changes what is sent; columns and filters take the place of those before. A shared view is changed by its
     * owner, an Admin or a Sales Manager. Writes view.updated.
     *
     * `PATCH /v1/api/views/{id}`, permission views:write (Admin, Sales Manager, Sales Executive, Finance Manager).
     *
     * Errors: invalid_if_match, version_mismatch.
     */
    update: Operation<ViewsUpdateParams, ViewsUpdateReply>
    /**
     * Delete a saved view.
     *
     * Deletes a view for good; lists that opened with it open as they are. A shared one is deleted by its owner, an
     * Admin or a Sales Manager. Writes view.deleted.
     *
     * `DELETE /v1/api/views/{id}`, permission views:write (Admin, Sales Manager, Sales Executive, Finance Manager).
     *
     * Errors: invalid_if_match, version_mismatch.
     */
    delete: Operation<ViewsDeleteParams, ViewsDeleteReply>
  }
  imports: {
    /**
     * Create an import.
     *
     * Takes a CSV file as the body: comma, semicolon or tab between the columns, UTF-8 (with or without byte order
     * mark), Windows-1252 or UTF-16, its first line the names of the columns. Answers them with the first values and
     * what each probably stands for; nothing is imported yet. Needs the right to create such records.
     *
     * `POST /v1/api/imports`, permission imports:run (Admin, Sales Manager, Sales Executive).
     *
     * Errors: csv_unreadable.
     */
    create: Operation<ImportsCreateParams, ImportsCreateReply>
    /**
     * List imports.
     *
     * The newest first: own ones; an Admin and a Sales Manager see those of all.
     *
     * `GET /v1/api/imports`, permission imports:read (Admin, Sales Manager, Sales Executive).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<ImportsListParams, ImportsListReply, Import>
    /**
     * Get an import.
     *
     * How far it is and what came of its rows, with what columns can stand for and what is wrong with the first rows
     * that are refused.
     *
     * `GET /v1/api/imports/{id}`, permission imports:read (Admin, Sales Manager, Sales Executive).
     */
    get: Operation<ImportsGetParams, ImportsGetReply>
    /**
     * Update an import.
     *
     * Says what its columns stand for, what becomes of duplicates, and how the file, its dates and its numbers are
     * read. Where the file has other columns when it is read so, they are guessed again. What a trial found is not
     * known any more.
     *
     * `PATCH /v1/api/imports/{id}`, permission imports:run (Admin, Sales Manager, Sales Executive).
     *
     * Errors: invalid_if_match, import_state, import_file_gone, version_mismatch, csv_unreadable, file_unreachable.
     */
    update: Operation<ImportsUpdateParams, ImportsUpdateReply>
    /**
     * Check an import.
     *
     * Reads and checks all rows and changes nothing: how many records would be created and changed, which rows are
     * duplicates, and what is wrong with which. Goes on in the background; the event import.checked reports its end.
     *
     * `POST /v1/api/imports/{id}/dry-run`, permission imports:run (Admin, Sales Manager, Sales Executive).
     *
     * Errors: invalid_if_match, import_state, import_file_gone, version_mismatch, import_unmapped, file_unreachable.
     */
    dryRun: Operation<ImportsDryRunParams, ImportsDryRunReply>
    /**
     * Start an import.
     *
     * Creates and changes the records of all rows, as far as one may; rows that cannot be imported are left out.
     * Goes on in the background, a thousand rows at a time; the event import.completed reports its end. Its
     * `batch_id` takes it back.
     *
     * `POST /v1/api/imports/{id}/run`, permission imports:run (Admin, Sales Manager, Sales Executive).
     *
     * Errors: invalid_if_match, import_state, import_file_gone, version_mismatch, import_unmapped, file_unreachable.
     */
    run: Operation<ImportsRunParams, ImportsRunReply>
    /**
     * Cancel an import.
     *
     * Ends what runs: rows that are done stay done and can be taken back by the batch. A trial that is ended leaves
     * a draft, and a draft that is canceled is not imported any more.
     *
     * `POST /v1/api/imports/{id}/cancel`, permission imports:run (Admin, Sales Manager, Sales Executive).
     *
     * Errors: invalid_if_match, import_state, version_mismatch.
     */
    cancel: Operation<ImportsCancelParams, ImportsCancelReply>
    /**
     * Get refused rows of an import.
     *
     * The rows that cannot be imported as CSV: the cells as the file has them, with the number of the row and what
     * is wrong in two columns more. Mend them and send the file as a new import.
     *
     * `GET /v1/api/imports/{id}/refused`, permission imports:read (Admin, Sales Manager, Sales Executive).
     *
     * Errors: import_file_gone, file_unreachable.
     */
    refused: Operation<ImportsRefusedParams, ImportsRefusedReply>
  }
  batches: {
    /**
     * List batches.
     *
     * The newest first: own ones; an Admin and a Sales Manager see those of all.
     *
     * `GET /v1/api/batches`, permission batches:read (Admin, Sales Manager, Sales Executive).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<BatchesListParams, BatchesListReply, Batch>
    /**
     * Get a batch.
     *
     * How far a change of many records is, and which of them could not be changed. Of an import, the import says so.
     *
     * `GET /v1/api/batches/{id}`, permission batches:read (Admin, Sales Manager, Sales Executive).
     */
    get: Operation<BatchesGetParams, BatchesGetReply>
    /**
     * Cancel a batch.
     *
     * Ends a change of many records that runs in the background: records that are changed stay so, and can be taken
     * back.
     *
     * `POST /v1/api/batches/{id}/cancel`, permission batches:revert (Admin, Sales Manager, Sales Executive).
     *
     * Errors: batch_over.
     */
    cancel: Operation<BatchesCancelParams, BatchesCancelReply>
    /**
     * Start to revert a batch.
     *
     * Takes back what an import, a change of many records, or a revert did: records that it created go to the trash,
     * and those that it changed get the values from before, where nobody changed them since; the others are listed
     * in `failures` of the batch that this answers. Goes on in the background; the event batch.completed reports its
     * end.
     *
     * `POST /v1/api/batches/{id}/revert`, permission batches:revert (Admin, Sales Manager, Sales Executive).
     *
     * Errors: batch_not_revertible.
     */
    revert: Operation<BatchesRevertParams, BatchesRevertReply>
  }
  invoices: {
    /**
     * Create an invoice.
     *
     * Makes a Draft from lines (quantity, unit price, tax rate) or a plain amount. Its number is taken at once,
     * without gaps, in the series of the year it is in the organization's time zone; with the setting `on_issue` the
     * draft shows sequence 000000 until it is sent. A draft is never deleted, only cancelled, so that its number
     * stays explained.
     *
     * `POST /v1/api/finance/invoices`, permission invoices:create (Admin, Finance Manager).
     *
     * Errors: lead_not_found.
     */
    create: Operation<InvoicesCreateParams, InvoicesCreateReply>
    /**
     * List invoices.
     *
     * Invoices, newest first unless `sort` says otherwise, with an exact total. `status=Overdue` is exact at every
     * moment: what is past due in the organization's time zone, issued, and not fully paid. Filtered by nothing but
     * status, in the order of creation, any page of any number of invoices is equally quick; with other filters a
     * cursor serves better than high page numbers.
     *
     * `GET /v1/api/finance/invoices`, permission invoices:read (Admin, Finance Manager).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<InvoicesListParams, InvoicesListReply, InvoicesListItem>
    /**
     * Export invoices.
     *
     * All invoices that the filters let through, as CSV (RFC 4180, UTF-8) in the order of the list: customer, dates,
     * and what each comes to, with `amount_due` 0 where nothing is owed. Sent while it is read, so it may be of any
     * length; an invoice that changes meanwhile is as it was or as it is. A text that a spreadsheet would take for a
     * formula has an apostrophe in front.
     *
     * `GET /v1/api/finance/invoices/export`, permission invoices:read (Admin, Finance Manager).
     */
    export: Operation<InvoicesExportParams, InvoicesExportReply>
    /**
     * Get totals of invoices.
     *
     * What the invoices of a list come to, by currency and status, exact at every moment: with the same filters as
     * the list. `due_soon` is what of them is not overdue and due within 7 days. Filtered by nothing but status it
     * is quick however many invoices there are; with other filters they are added up.
     *
     * `GET /v1/api/finance/invoices/totals`, permission invoices:read (Admin, Finance Manager).
     */
    totals: Operation<InvoicesTotalsParams, InvoicesTotalsReply>
    /**
     * Audit invoice numbers.
     *
     * Compares the invoice numbers of a year with what the series has given out. `gaps` and `duplicates` are always
     * empty unless somebody changed the database by hand; at most 1,000 findings of each are listed.
     *
     * `GET /v1/api/finance/invoices/number-audit`, permission invoices:read (Admin, Finance Manager).
     */
    numberAudit: Operation<InvoicesNumberAuditParams, InvoicesNumberAuditReply>
    /**
     * Get an invoice.
     *
     * One invoice with its lines and payments, and an ETag for a later change.
     *
     * `GET /v1/api/finance/invoices/{id}`, permission invoices:read (Admin, Finance Manager).
     */
    get: Operation<InvoicesGetParams, InvoicesGetReply>
    /**
     * Update an invoice.
     *
     * Changes a Draft; fields that are left out stay. `customer` is merged field by field, `lines` replace all
     * lines, and lines and a plain amount replace each other. Once issued, only `due_date` and `notes` can change; a
     * later due date makes an Overdue invoice Sent again. A Cancelled invoice is final.
     *
     * `PATCH /v1/api/finance/invoices/{id}`, permission invoices:update (Admin, Finance Manager).
     *
     * Errors: invalid_if_match, invoice_locked, version_mismatch, lead_not_found.
     */
    update: Operation<InvoicesUpdateParams, InvoicesUpdateReply>
    /**
     * Send an invoice.
     *
     * Issues a Draft: from now on its figures, customer and number stay as they are, and it waits for payment as
     * Sent (Overdue when its due date has passed). An invoice with a total of zero is Paid at once. A draft without
     * a number takes its number now, with today as its issue date.
     *
     * `POST /v1/api/finance/invoices/{id}/send`, permission invoices:send (Admin, Finance Manager).
     *
     * Errors: invalid_if_match, invalid_transition, version_mismatch, empty_invoice.
     */
    send: Operation<InvoicesSendParams, InvoicesSendReply>
    /**
     * Cancel an invoice.
     *
     * Ends an invoice that is not Paid and has no payments. It keeps its number, so the series shows no gap, and it
     * can never be opened again.
     *
     * `POST /v1/api/finance/invoices/{id}/cancel`, permission invoices:cancel (Admin, Finance Manager).
     *
     * Errors: invalid_if_match, invalid_transition, invoice_has_payments, version_mismatch.
     */
    cancel: Operation<InvoicesCancelParams, InvoicesCancelReply>
  }
  payments: {
    /**
     * Record a payment.
     *
     * Records money received for an issued invoice, in part or in full. With the last of it the invoice becomes
     * Paid; until then its status stays Sent or Overdue and `payment_state` says partial. More than is due is
     * refused, also when two payments arrive at once.
     *
     * `POST /v1/api/finance/invoices/{id}/payments`, permission payments:create (Admin, Finance Manager).
     *
     * Errors: invalid_if_match, invalid_transition, version_mismatch, currency_mismatch, overpayment.
     */
    create: Operation<PaymentsCreateParams, PaymentsCreateReply>
    /**
     * Reverse a payment.
     *
     * Takes a payment back that bounced, was refunded, or was recorded by mistake. It stays in the list with the
     * reason, and counts no more: what it paid is due again, and a Paid invoice is open again, as Sent or Overdue.
     * No money is moved.
     *
     * `POST /v1/api/finance/invoices/{id}/payments/{paymentId}/reverse`, permission payments:reverse (Admin, Finance
     * Manager).
     *
     * Errors: invalid_if_match, payment_reversed, version_mismatch.
     */
    reverse: Operation<PaymentsReverseParams, PaymentsReverseReply>
  }
  destinationPolicies: {
    /**
     * List destination policies.
     *
     * What may be called and texted, and how much in a day, in this mode: first the policy of the organization, then
     * those of API keys and trunks that have one of their own, with what was used today.
     *
     * `GET /v2/destinations/policies`, permission destinations:read (Admin, Sales Manager).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<DestinationPoliciesListParams, DestinationPoliciesListReply, DestinationPolicy>
    /**
     * Get a destination policy.
     *
     * One policy, with what was used today. A key or trunk without one of its own has one that adds nothing to that
     * of the organization.
     *
     * `GET /v2/destinations/policies/{policy}`, permission destinations:read (Admin, Sales Manager).
     */
    get: Operation<DestinationPoliciesGetParams, DestinationPoliciesGetReply>
    /**
     * Update a destination policy.
     *
     * Changes what is named and leaves the rest. A call or text must pass the policy of the organization, that of
     * the API key it was asked for with, and that of the trunk it goes by. Calls count from now on where a ceiling
     * is new. A key with a policy of its own changes none.
     *
     * `PATCH /v2/destinations/policies/{policy}`, permission destinations:manage (Admin).
     *
     * Errors: scope_not_held.
     */
    update: Operation<DestinationPoliciesUpdateParams, DestinationPoliciesUpdateReply>
    /**
     * Reset a destination policy.
     *
     * Forgets what was set: the organization has the defaults again, a key or trunk adds nothing to the policy of
     * the organization.
     *
     * `DELETE /v2/destinations/policies/{policy}`, permission destinations:manage (Admin).
     *
     * Errors: scope_not_held.
     */
    delete: Operation<DestinationPoliciesDeleteParams, DestinationPoliciesDeleteReply>
  }
  destinations: {
    /**
     * Check a destination.
     *
     * Returns country and kind of a number or SIP address, and whether the policies let it be called and texted now;
     * if not, which one is against it and what to do. Nothing is called, sent or counted.
     *
     * `POST /v2/destinations/check`, permission destinations:read (Admin, Sales Manager).
     *
     * Errors: invalid_to_number.
     */
    check: Operation<DestinationsCheckParams, DestinationsCheckReply>
  }
  numbers: {
    /**
     * List numbers.
     *
     * The numbers, short codes and sender ids of this tenant and mode, newest first.
     *
     * `GET /v2/numbers`, permission numbers:read (Admin, Sales Manager, Sales Executive).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<NumbersListParams, NumbersListReply, PhoneNumber>
    /**
     * Add a number.
     *
     * Adds a telephone number, a short code or a sender id that the organization holds with a carrier, so that it
     * can send and be reached at it. What kind it is follows from how it is written, its country from the numbering
     * plan. A telephone number of the live mode that another organization on this server has already is contested
     * until it is verified. Writes the event number.created.
     *
     * `POST /v2/numbers`, permission numbers:manage (Admin).
     *
     * Errors: number_taken, invalid_from_number, service_not_found, invalid_callback_url.
     */
    create: Operation<NumbersCreateParams, NumbersCreateReply>
    /**
     * Look up a number.
     *
     * What the numbering plans of the world say of a telephone number, whether it is one of yours, and whom it opted
     * out of. Nothing is sent and no network is asked, so it cannot say whether the number is in service or who has
     * it; what is not known is named in unknown. Text that is no telephone number is not found.
     *
     * `GET /v2/numbers/lookup/{number}`, permission numbers:read (Admin, Sales Manager, Sales Executive).
     */
    lookup: Operation<NumbersLookupParams, NumbersLookupReply>
    /**
     * Get a number.
     *
     * One number, short code or sender id with its settings.
     *
     * `GET /v2/numbers/{numberId}`, permission numbers:read (Admin, Sales Manager, Sales Executive).
     */
    get: Operation<NumbersGetParams, NumbersGetReply>
    /**
     * Update a number.
     *
     * Changes the settings that are sent; null empties one. They hold on every node within two seconds. With
     * serviceId the number moves into that messaging service, out of the one it was in; anyone who opted out of it
     * stays opted out where it goes, and what the old one scheduled from it goes by another of its numbers.
     *
     * `PATCH /v2/numbers/{numberId}`, permission numbers:manage (Admin).
     *
     * Errors: invalid_if_match, version_mismatch, service_not_found, invalid_callback_url.
     */
    update: Operation<NumbersUpdateParams, NumbersUpdateReply>
    /**
     * Release a number.
     *
     * Takes a number out of the organization: it cannot be sent from any more. Of the texts that are scheduled from
     * it in live mode, those for which a messaging service chose it go by another number of the service when their
     * time comes; the others, and those that no other number gets there, fail with `sender_not_owned` then. They are
     * listed by GET /v2/messages with status and from. Its messages and calls stay, and who opted out of it stays
     * opted out, should it be added again. Writes the event number.deleted.
     *
     * `DELETE /v2/numbers/{numberId}`, permission numbers:manage (Admin).
     *
     * Errors: invalid_if_match, version_mismatch.
     */
    delete: Operation<NumbersDeleteParams, NumbersDeleteReply>
    voice: {
      /**
       * Get a number's call settings.
       *
       * What a call to one of your numbers starts with; nulls where nothing is set.
       *
       * `GET /v2/numbers/{numberId}/voice`, permission numbers:read (Admin, Sales Manager, Sales Executive).
       */
      get: Operation<NumbersVoiceGetParams, NumbersVoiceGetReply>
      /**
       * Set a number's call settings.
       *
       * Says what a call to one of your numbers starts with, in the place of what was said before: what is left out
       * or null is empty then. callbackUrl is asked for instructions, then fallbackUrl; where neither answers or is
       * set, instructions are carried out. Calls that come in from now on follow it.
       *
       * `PUT /v2/numbers/{numberId}/voice`, permission numbers:manage (Admin).
       *
       * Errors: invalid_instructions, caller_id_not_allowed, scope_not_held, invalid_callback_url.
       */
      set: Operation<NumbersVoiceSetParams, NumbersVoiceSetReply>
    }
    verification: {
      /**
       * Send a verification code.
       *
       * Sends a code of six digits to a telephone number of the live mode, by a text or a call, so that the
       * organization can prove that the number is its own. A number that another organization on this server has too
       * (ownership contested) takes no calls and is no sender until then. The code is good for 10 minutes and
       * replaces the one before. The carriers and trunks of the server's operator bring it; where there are none,
       * the operator assigns the number by command.
       *
       * `POST /v2/numbers/{numberId}/verification`, permission numbers:manage (Admin).
       *
       * Errors: number_verification_unneeded, number_verification_unavailable, number_verification_limited.
       */
      send: Operation<NumbersVerificationSendParams, NumbersVerificationSendReply>
      /**
       * Verify a number.
       *
       * Proves by the code that was sent to it that a telephone number is the organization’s. From then on it takes
       * its calls and sends; an organization that had added it before without proving it has it as contested, and is
       * notified by the event number.contested. A number that another organization has verified stays theirs until
       * they release it or the operator of the server assigns it again. Writes the event number.verified.
       *
       * `POST /v2/numbers/{numberId}/verification/confirm`, permission numbers:manage (Admin).
       *
       * Errors: number_verification_unneeded, number_verification_expired, number_held,
       * number_verification_wrong_code.
       */
      confirm: Operation<NumbersVerificationConfirmParams, NumbersVerificationConfirmReply>
    }
  }
  messages: {
    sms: {
      /**
       * Send an SMS.
       *
       * Accepts a text message and hands it to the carrier at once, in the background: what follows is reported by
       * events, to callbackUrl, and by reading the message. In the test mode the simulator carries it, and no real
       * phone is reached. In the live mode a carrier of the organization does; without one that is switched on it
       * fails with `no_route`, and only numbers of the simulator (+1 500 555 xxxx) get it, on the virtual handset.
       * From the first carrier on, the sender must be a number or sender id of the organization. Send an
       * Idempotency-Key, so that repeating a request whose answer was lost sends no second message. Where the server
       * is asked for more than it can carry, it answers 503 with Retry-After before it reads the request: nothing of
       * it was stored, and it is in no request log.
       *
       * `POST /v2/messages/sms`, permission messages:send (Admin, Sales Manager, Sales Executive).
       *
       * Errors: destination_not_allowed, destination_premium, daily_spend_exceeded, recipient_opted_out,
       * sender_not_owned, duplicate_suppressed, invalid_from_number, invalid_to_number, body_too_long,
       * invalid_callback_url, invalid_schedule, service_not_found, service_without_senders, no_route,
       * sender_not_capable, sender_queue_full.
       */
      send: Operation<MessagesSmsSendParams, MessagesSmsSendReply>
      /**
       * Send many SMS.
       *
       * Accepts up to 1,000 messages, each with a result of its own: one that is refused keeps none of the others
       * back; only where an entry is malformed (a field is missing, unknown or of the wrong form) is the whole
       * request refused. All that are accepted are so at once, in one transaction; repeated with the same
       * Idempotency-Key, the request is answered as it was and sends nothing again.
       *
       * `POST /v2/messages/sms/batch`, permission messages:send (Admin, Sales Manager, Sales Executive).
       */
      batch: Operation<MessagesSmsBatchParams, MessagesSmsBatchReply>
    }
    /**
     * Preview an SMS.
     *
     * How a text would travel and what it would cost, without sending it: encoding, segments, the characters that
     * make it UCS-2, and, with a recipient, the sender, the carrier and the price.
     *
     * `POST /v2/messages/preview`, permission messages:send (Admin, Sales Manager, Sales Executive).
     *
     * Errors: destination_not_allowed, destination_premium, sender_not_owned, invalid_from_number,
     * invalid_to_number, service_not_found, service_without_senders, no_route, sender_not_capable.
     */
    preview: Operation<MessagesPreviewParams, MessagesPreviewReply>
    /**
     * List messages.
     *
     * The messages of this tenant and mode, newest first. With `to`, `participant`, or with `from` and direction
     * inbound, they are found however old they are; with other filters that match little, a page may hold fewer
     * messages than the limit while hasMore is true: go on with the cursor.
     *
     * `GET /v2/messages`, permission messages:read (Admin, Sales Manager, Sales Executive, Finance Manager).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<MessagesListParams, MessagesListReply, MessagesListItem>
    /**
     * Get a message.
     *
     * One message with its history (every status it had, when, and why) and its parts: the carrier that has each,
     * its id there, and what the receipt said.
     *
     * `GET /v2/messages/{messageId}`, permission messages:read (Admin, Sales Manager, Sales Executive, Finance
     * Manager).
     */
    get: Operation<MessagesGetParams, MessagesGetReply>
    /**
     * Redact a message.
     *
     * Takes the text of a message that has come to its end away for good: here, in its events and what receivers of
     * webhooks answered to them, in requests of the log, and in answers kept under an Idempotency-Key. That it was
     * sent, to whom, when and at what price stays.
     *
     * `DELETE /v2/messages/{messageId}`, permission messages:erase (Admin).
     *
     * Errors: invalid_transition.
     */
    redact: Operation<MessagesRedactParams, MessagesRedactReply>
    /**
     * Cancel a message.
     *
     * Takes a message back that is scheduled, or queued and of which no carrier has a part. Once it is canceled it
     * is certain that nobody gets it. To cancel it again changes nothing.
     *
     * `POST /v2/messages/{messageId}/cancel`, permission messages:send (Admin, Sales Manager, Sales Executive).
     *
     * Errors: not_cancelable.
     */
    cancel: Operation<MessagesCancelParams, MessagesCancelReply>
    /**
     * Inject an inbound text.
     *
     * Lets a text come in as if a phone had sent it, with all that follows: keywords, leads, events, callbacks. In
     * the test mode always; in the live mode as long as the organization has no carrier of its own, and only from
     * numbers of the simulator (+1 500 555 xxxx): no live text is reported that no phone sent. Writes the event
     * message.received.
     *
     * `POST /v2/test/inbound`, permission messages:send (Admin, Sales Manager, Sales Executive).
     *
     * Errors: handset_not_in_use, invalid_from_number, invalid_to_number.
     */
    testInbound: Operation<MessagesTestInboundParams, MessagesTestInboundReply>
  }
  messagingServices: {
    /**
     * List messaging services.
     *
     * The messaging services of this tenant and mode with their senders, newest first.
     *
     * `GET /v2/messages/services`, permission messages:read (Admin, Sales Manager, Sales Executive, Finance
     * Manager).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<MessagingServicesListParams, MessagingServicesListReply, MessagingService>
    /**
     * Create a messaging service.
     *
     * Makes a pool of senders: a message sent with its id instead of a sender goes out from the best of them, and
     * anyone who answers STOP to one has opted out of all. It answers keywords in English, French, German, Spanish,
     * Italian and Portuguese unless keywords says otherwise.
     *
     * `POST /v2/messages/services`, permission messages:manage (Admin, Sales Manager).
     *
     * Errors: sender_in_service, invalid_callback_url.
     */
    create: Operation<MessagingServicesCreateParams, MessagingServicesCreateReply>
    /**
     * Get a messaging service.
     *
     * One messaging service with its senders, its keywords and how it sends.
     *
     * `GET /v2/messages/services/{serviceId}`, permission messages:read (Admin, Sales Manager, Sales Executive,
     * Finance Manager).
     */
    get: Operation<MessagingServicesGetParams, MessagingServicesGetReply>
    /**
     * Update a messaging service.
     *
     * Changes the settings that are sent; null empties one. senders and keywords replace the whole list. They hold
     * on every node within two seconds. Who opted out of a sender that joins has opted out of the service; who opted
     * out of the service stays opted out of a sender that leaves. Texts that the service scheduled from one that
     * leaves go by another of its senders, if there is one that gets there.
     *
     * `PATCH /v2/messages/services/{serviceId}`, permission messages:manage (Admin, Sales Manager).
     *
     * Errors: invalid_if_match, sender_in_service, version_mismatch, invalid_callback_url.
     */
    update: Operation<MessagingServicesUpdateParams, MessagingServicesUpdateReply>
    /**
     * Delete a messaging service.
     *
     * Takes a messaging service away. Its senders stay, in no service, and who opted out of it has opted out of each
     * of them. Messages that wait go on as they were accepted.
     *
     * `DELETE /v2/messages/services/{serviceId}`, permission messages:erase (Admin).
     *
     * Errors: invalid_if_match, version_mismatch.
     */
    delete: Operation<MessagingServicesDeleteParams, MessagingServicesDeleteReply>
  }
  optOuts: {
    /**
     * List opt-outs.
     *
     * Who asked not to be texted any more, and by whom, the newest first.
     *
     * `GET /v2/messages/opt-outs`, permission messages:read (Admin, Sales Manager, Sales Executive, Finance
     * Manager).
     *
     * Errors: invalid_cursor, invalid_to_number.
     */
    list: ListOperation<OptOutsListParams, OptOutsListReply, OptOut>
    /**
     * Create an opt-out.
     *
     * Lets nothing more be sent to a recipient by a messaging service or sender, as if the recipient had answered
     * STOP, but without a reply. One that is there already is answered as it is. Writes the event opt_out.created.
     *
     * `POST /v2/messages/opt-outs`, permission messages:manage (Admin, Sales Manager).
     *
     * Errors: service_not_found, invalid_to_number.
     */
    create: Operation<OptOutsCreateParams, OptOutsCreateReply>
    /**
     * Delete an opt-out.
     *
     * Lets a recipient be texted again who opted out. Do so only when they asked for it: the law of many countries
     * wants their word, and a START from their phone does the same by itself. Writes the event opt_out.deleted.
     *
     * `DELETE /v2/messages/opt-outs/{optOutId}`, permission messages:erase (Admin).
     */
    delete: Operation<OptOutsDeleteParams, OptOutsDeleteReply>
  }
  carriers: {
    /**
     * Create a carrier.
     *
     * Sets up a carrier that takes messages by SMPP 3.4. Unless it is added switched off, its links are opened
     * within seconds and messages whose recipient fits one of its routes go this way. Without a carrier that is
     * switched on, live messages fail with `no_route`, and only numbers of the simulator get them, on the virtual
     * handset. Carriers belong to live mode; there are at most 50.
     *
     * `POST /v2/carriers`, permission carriers:manage (Admin).
     *
     * Errors: carriers_live_only, too_many_carriers.
     */
    create: Operation<CarriersCreateParams, CarriersCreateReply>
    /**
     * List carriers.
     *
     * The carriers of the organization with the state of their links, newest first.
     *
     * `GET /v2/carriers`, permission carriers:read (Admin, Sales Manager).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<CarriersListParams, CarriersListReply, Carrier>
    /**
     * List kinds of carriers.
     *
     * The kinds of carriers there are, each with the JSON Schema of its settings: what a form is drawn from.
     *
     * `GET /v2/carriers/kinds`, permission carriers:read (Admin, Sales Manager).
     */
    kinds: Operation<Record<never, never>, CarriersKindsReply>
    /**
     * Get a carrier.
     *
     * One carrier with its settings (without secrets), the state and the counters of each link, and how many
     * messages wait for it.
     *
     * `GET /v2/carriers/{carrierId}`, permission carriers:read (Admin, Sales Manager).
     */
    get: Operation<CarriersGetParams, CarriersGetReply>
    /**
     * Update a carrier.
     *
     * Changes what is named and leaves the rest; secrets that are left out stay. Changed settings open the links
     * again, after what is under way was answered. Messages that wait for a carrier that is switched off take
     * another way.
     *
     * `PATCH /v2/carriers/{carrierId}`, permission carriers:manage (Admin).
     *
     * Errors: invalid_if_match, version_mismatch.
     */
    update: Operation<CarriersUpdateParams, CarriersUpdateReply>
    /**
     * Delete a carrier.
     *
     * Closes the links of a carrier and forgets its settings. What was handed over stays so. Messages that wait for
     * it take another way; those without one fail with no_route. To let them wait, switch the carrier off instead:
     * then they go out when it is on again, or expire when their validity ends.
     *
     * `DELETE /v2/carriers/{carrierId}`, permission carriers:manage (Admin).
     *
     * Errors: invalid_if_match, version_mismatch.
     */
    delete: Operation<CarriersDeleteParams, CarriersDeleteReply>
    /**
     * Test a carrier.
     *
     * Opens one link beside those in use, sends enquire_link and unbinds, and answers what happened step by step:
     * name look-up, connection, TLS, bind, enquire_link, unbind, with the first hundred protocol units of each step
     * in readable form. Settings in the body are tried in place of the stored ones, and nothing is stored. With `to`
     * it also lists the carriers that a message to that number would take, in order and with the reasons; nothing is
     * sent. Takes eight seconds at most. A carrier that allows only as many links as are in use refuses one more;
     * switch it off first.
     *
     * `POST /v2/carriers/{carrierId}/test`, permission carriers:manage (Admin).
     *
     * Errors: invalid_to_number.
     */
    test: Operation<CarriersTestParams, CarriersTestReply>
  }
  mails: {
    /**
     * List mails.
     *
     * The mails of this tenant and mode, newest first and without their words. Sales Executives see those that they
     * had sent, and with recordId those of a record that they see; mails that open something, such as a reset, are
     * listed for those who hold mail:manage.
     *
     * `GET /v2/mails`, permission mail:read (Admin, Sales Manager, Sales Executive, Finance Manager).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<MailsListParams, MailsListReply, MailsListItem>
    /**
     * Send a mail.
     *
     * Queues a mail, with words of its own or of a template. It is sent at once, or when scheduledAt says; in the
     * test mode, and where nothing is set up to send by, it is kept in the outbox. Writes the event mail.queued;
     * mail.sent, mail.failed and others follow.
     *
     * `POST /v2/mails`, permission mail:send (Admin, Sales Manager, Sales Executive, Finance Manager).
     *
     * Errors: record_not_found, mail_template_not_found, template_invalid, mail_too_large, mail_rate_reached.
     */
    create: Operation<MailsCreateParams, MailsCreateReply>
    /**
     * Get a mail and its attempts.
     *
     * One mail with its words, its attachments, each attempt with what the server said, and its history. The words
     * of a mail that opens something are removed when it has left; while it is kept in the outbox they are here.
     *
     * `GET /v2/mails/{mailId}`, permission mail:read (Admin, Sales Manager, Sales Executive, Finance Manager).
     */
    get: Operation<MailsGetParams, MailsGetReply>
    /**
     * Cancel a mail.
     *
     * Takes back a mail that waits: one that is scheduled, or was put off. Writes the event mail.canceled.
     *
     * `POST /v2/mails/{mailId}/cancel`, permission mail:send (Admin, Sales Manager, Sales Executive, Finance
     * Manager).
     *
     * Errors: mail_not_waiting.
     */
    cancel: Operation<MailsCancelParams, MailsCancelReply>
    /**
     * Send a mail again.
     *
     * Sends a mail again that failed, expired, bounced, was canceled or suppressed, or whose answer was lost, to
     * those who do not have it yet. It keeps its Message-ID, so that who got it before sees one mail. Writes the
     * event mail.queued.
     *
     * `POST /v2/mails/{mailId}/retry`, permission mail:send (Admin, Sales Manager, Sales Executive, Finance
     * Manager).
     *
     * Errors: mail_not_repeatable, mail_rate_reached.
     */
    retry: Operation<MailsRetryParams, MailsRetryReply>
  }
  inboundMails: {
    /**
     * List mails that came in.
     *
     * Mails that came in, newest first, with the beginning of their words. Sales Executives see those on leads and
     * contacts that they see; mails that stand on none are seen by the other roles, and by who sent the copy.
     *
     * `GET /v2/mail/inbound`, permission mail:read (Admin, Sales Manager, Sales Executive, Finance Manager).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<InboundMailsListParams, InboundMailsListReply, InboundMailsListItem>
    /**
     * Hand in a mail.
     *
     * Takes a mail as it arrived. It is put on the lead or contact that it is about: by the address that it came to,
     * by what it answers, or by its sender; where several could be meant it waits in the tray. Delivery reports (RFC
     * 3464), those of qmail, and complaints (RFC 5965) say what became of the mail that they are about: its
     * recipients are delivered, bounced or complained, and who takes no mail gets no more. The same mail again
     * changes nothing. Writes the event mail.received, or mail.delivered, mail.bounced, mail.complained and
     * mail_suppression.created.
     *
     * `POST /v2/mail/inbound`, permission mail:receive (Admin).
     *
     * Errors: mail_unreadable.
     */
    take: Operation<InboundMailsTakeParams, InboundMailsTakeReply>
    /**
     * Get the addresses that mail comes to.
     *
     * The addresses of this tenant that mail can be sent to, and the row that the DNS needs for it. Answers to
     * conversations have addresses of their own, which stand in the mails.
     *
     * `GET /v2/mail/inbound/addresses`, permission mail:read (Admin, Sales Manager, Sales Executive, Finance
     * Manager).
     */
    addresses: Operation<Record<never, never>, InboundMailsAddressesReply>
    /**
     * Get a mail that came in.
     *
     * One mail with its words: what its writer wrote, and what is quoted below. With what was found out about its
     * sender, and the records that it may belong to, as far as the caller sees them.
     *
     * `GET /v2/mail/inbound/{inboundId}`, permission mail:read (Admin, Sales Manager, Sales Executive, Finance
     * Manager).
     */
    get: Operation<InboundMailsGetParams, InboundMailsGetReply>
    /**
     * Get a file of a mail that came in.
     *
     * The bytes of a file that came with the mail, whole or the part that Range asks for. Browsers save it.
     *
     * `GET /v2/mail/inbound/{inboundId}/attachments/{number}`, permission mail:read (Admin, Sales Manager, Sales
     * Executive, Finance Manager).
     *
     * Errors: range_not_satisfiable, file_unreachable.
     */
    attachment: Operation<InboundMailsAttachmentParams, InboundMailsAttachmentReply>
    /**
     * Get the source of a mail that came in.
     *
     * The mail as it came, with its whole head (RFC 5322).
     *
     * `GET /v2/mail/inbound/{inboundId}/source`, permission mail:read (Admin, Sales Manager, Sales Executive,
     * Finance Manager).
     *
     * Errors: range_not_satisfiable, file_unreachable.
     */
    source: Operation<InboundMailsSourceParams, InboundMailsSourceReply>
    /**
     * Assign a mail to a lead or contact.
     *
     * Puts a mail that came in on the timeline of a lead or contact that one may change; also one that stood on
     * another, or was set aside. Writes the event mail.assigned.
     *
     * `POST /v2/mail/inbound/{inboundId}/assign`, permission mail:assign (Admin, Sales Manager, Sales Executive,
     * Finance Manager).
     *
     * Errors: record_not_found.
     */
    assign: Operation<InboundMailsAssignParams, InboundMailsAssignReply>
    /**
     * Ignore a mail.
     *
     * Sets a mail that came in aside: it stands on no timeline and does not wait any more. Writes the event
     * mail.ignored.
     *
     * `POST /v2/mail/inbound/{inboundId}/ignore`, permission mail:assign (Admin, Sales Manager, Sales Executive,
     * Finance Manager).
     *
     * Errors: mail_already_ignored.
     */
    ignore: Operation<InboundMailsIgnoreParams, InboundMailsIgnoreReply>
  }
  mailTemplates: {
    /**
     * List mail templates.
     *
     * The organization’s own words, the newest first. What the server says where there are none, is answered by GET
     * /v2/mail/templates/built-in.
     *
     * `GET /v2/mail/templates`, permission mail:read (Admin, Sales Manager, Sales Executive, Finance Manager).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<MailTemplatesListParams, MailTemplatesListReply, MailTemplate>
    /**
     * Create a mail template.
     *
     * Puts a mail of the server into other words, or adds a template for POST /v2/mails. They are checked; those for
     * a key of the server with its sample values.
     *
     * `POST /v2/mail/templates`, permission mail:manage (Admin).
     *
     * Errors: mail_template_exists, template_invalid.
     */
    create: Operation<MailTemplatesCreateParams, MailTemplatesCreateReply>
    /**
     * List built-in mail templates.
     *
     * The words of the server for each mail that it sends by itself, with sample values, to begin own ones from.
     *
     * `GET /v2/mail/templates/built-in`, permission mail:read (Admin, Sales Manager, Sales Executive, Finance
     * Manager).
     */
    builtIn: Operation<Record<never, never>, MailTemplatesBuiltInReply>
    /**
     * Preview a mail template.
     *
     * Fills words in with values and answers the mail as it would be sent; nothing is sent or stored. With a key of
     * the server its sample values are there, and those of data in front of them.
     *
     * `POST /v2/mail/templates/preview`, permission mail:read (Admin, Sales Manager, Sales Executive, Finance
     * Manager).
     *
     * Errors: template_invalid.
     */
    preview: Operation<MailTemplatesPreviewParams, MailTemplatesPreviewReply>
    /**
     * Get a mail template.
     *
     * One template with its words as they are kept, in Liquid.
     *
     * `GET /v2/mail/templates/{templateId}`, permission mail:read (Admin, Sales Manager, Sales Executive, Finance
     * Manager).
     */
    get: Operation<MailTemplatesGetParams, MailTemplatesGetReply>
    /**
     * Update a mail template.
     *
     * Changes the words that are sent. Mails that are queued already keep theirs.
     *
     * `PATCH /v2/mail/templates/{templateId}`, permission mail:manage (Admin).
     *
     * Errors: invalid_if_match, version_mismatch, template_invalid.
     */
    update: Operation<MailTemplatesUpdateParams, MailTemplatesUpdateReply>
    /**
     * Delete a mail template.
     *
     * Deletes the words: mails of this key have those of the server again.
     *
     * `DELETE /v2/mail/templates/{templateId}`, permission mail:manage (Admin).
     *
     * Errors: invalid_if_match, version_mismatch.
     */
    delete: Operation<MailTemplatesDeleteParams, MailTemplatesDeleteReply>
  }
  mailSuppressions: {
    /**
     * List mail suppressions.
     *
     * Addresses that get no mail, the newest first, with the reason.
     *
     * `GET /v2/mail/suppressions`, permission mail:read (Admin, Sales Manager, Sales Executive, Finance Manager).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<MailSuppressionsListParams, MailSuppressionsListReply, MailSuppression>
    /**
     * Create a mail suppression.
     *
     * Lets an address get no more mail: none at all, or none of one sort. Mails that wait for it are not sent
     * either.
     *
     * `POST /v2/mail/suppressions`, permission mail:manage (Admin).
     *
     * Errors: mail_suppression_exists.
     */
    create: Operation<MailSuppressionsCreateParams, MailSuppressionsCreateReply>
    /**
     * Delete a mail suppression.
     *
     * Lets an address get mail again. Do so only when its holder asked for that; after a hard bounce, when the
     * address was mended.
     *
     * `DELETE /v2/mail/suppressions/{suppressionId}`, permission mail:erase (Admin).
     */
    delete: Operation<MailSuppressionsDeleteParams, MailSuppressionsDeleteReply>
  }
  mailSenders: {
    /**
     * List mail senders.
     *
     * The addresses that mails of the organization are from.
     *
     * `GET /v2/mail/senders`, permission mail:read (Admin, Sales Manager, Sales Executive, Finance Manager).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<MailSendersListParams, MailSendersListReply, MailSender>
    /**
     * Create a mail sender.
     *
     * Adds an address that mails are from. Add its domain too, with POST /v2/mail/domains, so that its mails are
     * signed and arrive.
     *
     * `POST /v2/mail/senders`, permission mail:manage (Admin).
     *
     * Errors: mail_sender_exists.
     */
    create: Operation<MailSendersCreateParams, MailSendersCreateReply>
    /**
     * Get a mail sender.
     *
     * One sender with what it is the default for.
     *
     * `GET /v2/mail/senders/{senderId}`, permission mail:read (Admin, Sales Manager, Sales Executive, Finance
     * Manager).
     */
    get: Operation<MailSendersGetParams, MailSendersGetReply>
    /**
     * Update a mail sender.
     *
     * Changes name, answer address, transport, and what it is the default for. Mails that wait keep theirs.
     *
     * `PATCH /v2/mail/senders/{senderId}`, permission mail:manage (Admin).
     *
     * Errors: invalid_if_match, version_mismatch.
     */
    update: Operation<MailSendersUpdateParams, MailSendersUpdateReply>
    /**
     * Delete a mail sender.
     *
     * Forgets a sender; mails that wait and name it keep its address.
     *
     * `DELETE /v2/mail/senders/{senderId}`, permission mail:manage (Admin).
     *
     * Errors: invalid_if_match, version_mismatch.
     */
    delete: Operation<MailSendersDeleteParams, MailSendersDeleteReply>
  }
  mailDomains: {
    /**
     * List mail domains.
     *
     * The domains whose mails are signed, with their rows for the DNS.
     *
     * `GET /v2/mail/domains`, permission mail:read (Admin, Sales Manager, Sales Executive, Finance Manager).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<MailDomainsListParams, MailDomainsListReply, MailDomain>
    /**
     * Create a mail domain.
     *
     * Adds a domain that mails are from, and makes its DKIM key (RSA, 2048 bits): from now on no mail of this domain
     * leaves unsigned. Copy the records into the DNS, then verify.
     *
     * `POST /v2/mail/domains`, permission mail:manage (Admin).
     *
     * Errors: mail_domain_exists.
     */
    create: Operation<MailDomainsCreateParams, MailDomainsCreateReply>
    /**
     * Get a mail domain.
     *
     * One domain with its rows for the DNS and what was last found of them.
     *
     * `GET /v2/mail/domains/{domainId}`, permission mail:read (Admin, Sales Manager, Sales Executive, Finance
     * Manager).
     */
    get: Operation<MailDomainsGetParams, MailDomainsGetReply>
    /**
     * Delete a mail domain.
     *
     * Forgets a domain and its key: its mails are sent unsigned from now on. Take its rows out of the DNS.
     *
     * `DELETE /v2/mail/domains/{domainId}`, permission mail:manage (Admin).
     *
     * Errors: invalid_if_match, version_mismatch.
     */
    delete: Operation<MailDomainsDeleteParams, MailDomainsDeleteReply>
    /**
     * Verify a mail domain.
     *
     * Looks the rows of a domain up in the DNS, now, and says of each whether it is there. With the DKIM row there
     * the domain is verified. Writes the event mail_domain.updated.
     *
     * `POST /v2/mail/domains/{domainId}/verify`, permission mail:manage (Admin).
     */
    verify: Operation<MailDomainsVerifyParams, MailDomainsVerifyReply>
  }
  mailTransports: {
    /**
     * List mail transports.
     *
     * The ways by which mails of the organization leave. Without one, they go by the mail server of the
     * installation, and without that they stay in the outbox.
     *
     * `GET /v2/mail/transports`, permission mail:read (Admin, Sales Manager, Sales Executive, Finance Manager).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<MailTransportsListParams, MailTransportsListReply, MailTransport>
    /**
     * Create a mail transport.
     *
     * Sets up a way for mails to leave by. The first one is the default at once; POST
     * /v2/mail/transports/{transportId}/test tries it out. An outbox keeps mails here although the installation has
     * a mail server.
     *
     * `POST /v2/mail/transports`, permission mail:manage (Admin).
     *
     * Errors: mail_live_only.
     */
    create: Operation<MailTransportsCreateParams, MailTransportsCreateReply>
    /**
     * Get a mail transport.
     *
     * One transport with its settings, without password or secret.
     *
     * `GET /v2/mail/transports/{transportId}`, permission mail:read (Admin, Sales Manager, Sales Executive, Finance
     * Manager).
     */
    get: Operation<MailTransportsGetParams, MailTransportsGetReply>
    /**
     * Update a mail transport.
     *
     * Changes what is named and leaves the rest. A password or secret that is left out stays, but must be entered
     * again when host, port or token address changes.
     *
     * `PATCH /v2/mail/transports/{transportId}`, permission mail:manage (Admin).
     *
     * Errors: invalid_if_match, version_mismatch.
     */
    update: Operation<MailTransportsUpdateParams, MailTransportsUpdateReply>
    /**
     * Delete a mail transport.
     *
     * Forgets a transport: mails that wait for it go by the default one, or stay in the outbox.
     *
     * `DELETE /v2/mail/transports/{transportId}`, permission mail:manage (Admin).
     *
     * Errors: invalid_if_match, version_mismatch.
     */
    delete: Operation<MailTransportsDeleteParams, MailTransportsDeleteReply>
    /**
     * Test a mail transport.
     *
     * Connects, logs in, and with `to` sends a short mail to that address, now. Answers what both sides said line by
     * line, without passwords, and where it ended. Nothing is kept.
     *
     * `POST /v2/mail/transports/{transportId}/test`, permission mail:manage (Admin).
     *
     * Errors: mail_live_only.
     */
    test: Operation<MailTransportsTestParams, MailTransportsTestReply>
  }
  mailboxes: {
    /**
     * List mailboxes.
     *
     * The mailboxes that mail is read from over IMAP. A shared one, such as sales@: what comes to it is seen by
     * others.
     *
     * `GET /v2/mail/mailboxes`, permission mail:read (Admin, Sales Manager, Sales Executive, Finance Manager).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<MailboxesListParams, MailboxesListReply, Mailbox>
    /**
     * Create a mailbox.
     *
     * Sets up a mailbox that is read over IMAP from now on: new mails are found within moments, and its mails are
     * left as they are. POST /v2/mail/mailboxes/{mailboxId}/test tries it out.
     *
     * `POST /v2/mail/mailboxes`, permission mail:manage (Admin).
     *
     * Errors: mail_live_only.
     */
    create: Operation<MailboxesCreateParams, MailboxesCreateReply>
    /**
     * Get a mailbox.
     *
     * One mailbox with its settings, without its password, and how reading it goes.
     *
     * `GET /v2/mail/mailboxes/{mailboxId}`, permission mail:read (Admin, Sales Manager, Sales Executive, Finance
     * Manager).
     */
    get: Operation<MailboxesGetParams, MailboxesGetReply>
    /**
     * Update a mailbox.
     *
     * Changes what is named and leaves the rest. A password that is left out stays, but must be entered again when
     * the server or the user changes. Another server, user or folder is read from now on.
     *
     * `PATCH /v2/mail/mailboxes/{mailboxId}`, permission mail:manage (Admin).
     *
     * Errors: invalid_if_match, version_mismatch.
     */
    update: Operation<MailboxesUpdateParams, MailboxesUpdateReply>
    /**
     * Delete a mailbox.
     *
     * Forgets a mailbox: it is not read any more. Mails that it brought stay.
     *
     * `DELETE /v2/mail/mailboxes/{mailboxId}`, permission mail:manage (Admin).
     *
     * Errors: invalid_if_match, version_mismatch.
     */
    delete: Operation<MailboxesDeleteParams, MailboxesDeleteReply>
    /**
     * Test a mailbox.
     *
     * Connects, logs in and opens the folder, now. Answers what both sides said line by line, without the password,
     * how many mails there are, and where it ended. Nothing is read or kept.
     *
     * `POST /v2/mail/mailboxes/{mailboxId}/test`, permission mail:manage (Admin).
     */
    test: Operation<MailboxesTestParams, MailboxesTestReply>
  }
  calls: {
    /**
     * Start a call.
     *
     * Makes a phone call: dials a number, and once that is answered follows its `instructions`; without any,
     * `callbackUrl` is asked for some. Answers as soon as the call is stored; ringing, answer and end follow as
     * events, in the history of the call, and at `callbackUrl`. In test mode the simulator carries the call: the
     * numbers +1 500 555 0200 to 0210 have fixed outcomes, any other number rings 2 s, answers, and hangs up after 5
     * s. In live mode a trunk does; without one that is switched on, only numbers of the simulator (+1 500 555 xxxx)
     * are reached, and a call to any other fails with `no_route`. From the first trunk on, `from` and each
     * `callerId` of the instructions must be a number of the organization that makes calls, unless a trunk shows
     * foreign caller ids.
     *
     * `POST /v2/voice/calls`, permission calls:create (Admin, Sales Manager, Sales Executive).
     *
     * Errors: invalid_instructions, caller_id_not_allowed, destination_not_allowed, destination_premium,
     * daily_calls_exceeded, invalid_from_number, invalid_to_number, invalid_callback_url, cps_queue_full,
     * concurrent_calls_exceeded.
     */
    create: Operation<CallsCreateParams, CallsCreateReply>
    /**
     * List calls.
     *
     * Calls of the tenant, newest first, filtered by any of the parameters together.
     *
     * `GET /v2/voice/calls`, permission calls:read (Admin, Sales Manager, Sales Executive, Finance Manager).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<CallsListParams, CallsListReply, CallsListItem>
    /**
     * Get a call.
     *
     * One call with everything known of it: what it carries out, its recordings, and its history, oldest event
     * first. expand=events adds every event whole, as webhooks report it.
     *
     * `GET /v2/voice/calls/{callId}`, permission calls:read (Admin, Sales Manager, Sales Executive, Finance
     * Manager).
     */
    get: Operation<CallsGetParams, CallsGetReply>
    /**
     * Update a call.
     *
     * Says what came of a call, while it lasts or once it is over. A call made from a browser has a leg to the
     * browser and one to the person: the outcome is that of the conversation, and is set on all of its legs. Each
     * leg whose outcome changes has an event `call.outcome_set`. null takes it back.
     *
     * `PATCH /v2/voice/calls/{callId}`, permission calls:control (Admin, Sales Manager, Sales Executive).
     */
    update: Operation<CallsUpdateParams, CallsUpdateReply>
    /**
     * Hang up a call.
     *
     * Ends a call at once: before the answer it is canceled, after it completed. Anyone who ends a call first, this
     * request or the remote party, decides how it ended; it ends once.
     *
     * `POST /v2/voice/calls/{callId}/hangup`, permission calls:control (Admin, Sales Manager, Sales Executive).
     *
     * Errors: call_not_active.
     */
    hangup: Operation<CallsHangupParams, CallsHangupReply>
    /**
     * Command a call.
     *
     * Has something done with a call under way: one verb with its properties, such as `{"verb": "mute"}`, or a new
     * list in the place of what runs, as `{"instructions": […]}`. Some verbs act beside the running list (say, play,
     * record, mute, transfer), others take its place (gather, dial, conference, redirect); hangup ends the call as
     * Hang up a call does. Answers as soon as the command is stored; what comes of it is reported by events.
     * docs/call_instructions.md has every verb.
     *
     * `POST /v2/voice/calls/{callId}/commands`, permission calls:control (Admin, Sales Manager, Sales Executive).
     *
     * Errors: invalid_instructions, caller_id_not_allowed, scope_not_held, call_not_active, command_not_allowed.
     */
    command: Operation<CallsCommandParams, CallsCommandReply>
    /**
     * Inject an inbound call.
     *
     * Lets a call come in as if a phone had called one of your numbers, with all that follows: the instructions of
     * the number, requests to its callback address, events. Once answered, the simulated caller says hello, types
     * `digits`, answers for three seconds whenever it was said something (+15005550211 never does), and hangs up
     * after `seconds`. In the test mode always; in the live mode as long as the organization has no trunk, and only
     * from numbers of the simulator (+1 500 555 xxxx): no live call is reported that no phone made. PUT
     * /v2/numbers/{numberId}/voice says what calls to a number start with.
     *
     * `POST /v2/test/calls`, permission calls:create (Admin, Sales Manager, Sales Executive).
     *
     * Errors: handset_not_in_use, invalid_from_number, invalid_to_number.
     */
    testInbound: Operation<CallsTestInboundParams, CallsTestInboundReply>
    /**
     * Get the SIP messages of a call.
     *
     * Every SIP message that was sent and received for a call by a trunk, oldest first: what a carrier asks for when
     * a call went wrong. Up to 200 messages a call are kept, for 30 days after its end unless the organization chose
     * otherwise. Calls of the simulator have none.
     *
     * `GET /v2/voice/calls/{callId}/trace`, permission calls:read (Admin, Sales Manager, Sales Executive, Finance
     * Manager).
     */
    trace: Operation<CallsTraceParams, CallsTraceReply>
  }
  clientTokens: {
    /**
     * Create a token for a browser phone.
     *
     * Answers a token with which a web page is a phone: it opens the client stream, makes calls and takes them as
     * one identity, and does nothing else. Without `identity` that is the user who asks, under their e-mail address;
     * the identity of another user needs the permission users:manage. The token dies with the session or key that
     * made it, and nothing is kept of it. Pages of your own get theirs from your server.
     *
     * `POST /v2/voice/client-tokens`, permission phone:use (Admin, Sales Manager, Sales Executive).
     */
    create: Operation<ClientTokensCreateParams, ClientTokensCreateReply>
  }
  clientStream: {
    /**
     * Stream the calls of a browser phone.
     *
     * As long as this stream (text/event-stream) is open, calls to the identity of the caller ring here, in every
     * window that has one open; the first to answer has the call. The first message is `ready`, with the STUN and
     * TURN servers to use. Then come `ringing`, `answer` (the SDP for a call this phone made or answered), `state`
     * and `ended`. They say how the calls of the phone stand: after a reconnect all that are under way are reported
     * again, so none is missed. A message may speak of a call that another window has; pass it over. With `number`
     * it is a handset too: calls to that number of the simulator ring here, in live mode as long as the organization
     * has no trunk. At most 20 streams a user.
     *
     * `GET /v2/voice/client-stream`, permission phone:use (Admin, Sales Manager, Sales Executive).
     *
     * Errors: handset_not_in_use, too_many_streams.
     */
    open: StreamOperation<ClientStreamOpenParams, ClientStreamOpenEvent>
  }
  clientCalls: {
    /**
     * Create a call from the browser.
     *
     * Makes a call from this browser to a number, a SIP address or another browser. Send an offer of your
     * RTCPeerConnection; what to answer it with comes as `answer` on the client stream, which must be open. The call
     * is one from the number shown to `client:<identity>`, and what it dials is a call of its own with it as
     * `parentCallId`. With `number` it is a handset that calls: the call comes in from there, as if a phone had
     * called `to`, a number of yours; in live mode as long as the organization has no trunk.
     *
     * `POST /v2/voice/client-calls`, permission phone:use (Admin, Sales Manager, Sales Executive).
     *
     * Errors: invalid_offer, invalid_instructions, caller_id_not_allowed, destination_not_allowed,
     * destination_premium, handset_not_in_use, invalid_to_number, invalid_from_number, invalid_callback_url.
     */
    create: Operation<ClientCallsCreateParams, ClientCallsCreateReply>
    /**
     * Answer a call in the browser.
     *
     * Takes a call that rings in this browser. Send an offer of your RTCPeerConnection; the SDP to answer it with
     * comes as `answer` on the client stream, and with it the sound. The first browser to answer has the call.
     *
     * `POST /v2/voice/client-calls/{callId}/answer`, permission phone:use (Admin, Sales Manager, Sales Executive).
     *
     * Errors: invalid_offer, call_not_active, call_taken.
     */
    answer: Operation<ClientCallsAnswerParams, ClientCallsAnswerReply>
    /**
     * Reject a call in the browser.
     *
     * Refuses a call that rings in this browser; it stops ringing in all of them.
     *
     * `POST /v2/voice/client-calls/{callId}/reject`, permission phone:use (Admin, Sales Manager, Sales Executive).
     *
     * Errors: call_not_active, call_taken.
     */
    reject: Operation<ClientCallsRejectParams, ClientCallsRejectReply>
    /**
     * Hang up a call in the browser.
     *
     * Ends a call of this phone as its user: before the answer it is canceled, after it completed.
     *
     * `POST /v2/voice/client-calls/{callId}/hangup`, permission phone:use (Admin, Sales Manager, Sales Executive).
     *
     * Errors: call_not_active.
     */
    hangup: Operation<ClientCallsHangupParams, ClientCallsHangupReply>
  }
  conferences: {
    /**
     * List conferences.
     *
     * Conferences of the tenant, newest first, those that are over too. They start by the instruction conference.
     *
     * `GET /v2/voice/conferences`, permission calls:read (Admin, Sales Manager, Sales Executive, Finance Manager).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<ConferencesListParams, ConferencesListReply, ConferencesListItem>
    /**
     * Get a conference.
     *
     * One conference with everybody who is in it, and the hundred who left last, in the order they came. Events of
     * the conference report everybody.
     *
     * `GET /v2/voice/conferences/{conferenceId}`, permission calls:read (Admin, Sales Manager, Sales Executive,
     * Finance Manager).
     */
    get: Operation<ConferencesGetParams, ConferencesGetReply>
    /**
     * Update a participant.
     *
     * Mutes or holds a call that is in a conference, takes that back, or takes the call out: its instructions then
     * go on behind conference. Answers the participant as it is to be; the node that holds the call does it at once.
     * Writes conference.participant_updated where it changes; one that was taken out is reported by
     * conference.participant_left.
     *
     * `PATCH /v2/voice/conferences/{conferenceId}/participants/{callId}`, permission calls:control (Admin, Sales
     * Manager, Sales Executive).
     *
     * Errors: participant_left.
     */
    updateParticipant: Operation<ConferencesUpdateParticipantParams, ConferencesUpdateParticipantReply>
  }
  recordings: {
    /**
     * List recordings.
     *
     * Recordings of calls, newest first, filtered by any of the parameters together. Deleted ones stay listed.
     *
     * `GET /v2/voice/recordings`, permission recordings:read (Admin, Sales Manager, Sales Executive, Finance
     * Manager).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<RecordingsListParams, RecordingsListReply, RecordingsListItem>
    /**
     * Get a recording.
     *
     * One recording with everything known of it. Its audio is at `mediaUrl` once the state is available.
     *
     * `GET /v2/voice/recordings/{recordingId}`, permission recordings:read (Admin, Sales Manager, Sales Executive,
     * Finance Manager).
     */
    get: Operation<RecordingsGetParams, RecordingsGetReply>
    /**
     * Delete a recording.
     *
     * Deletes the audio of a recording for good; what is known of it stays readable, with the state deleted. Writes
     * the event recording.deleted. One that is deleted already is answered as it is.
     *
     * `DELETE /v2/voice/recordings/{recordingId}`, permission recordings:delete (Admin).
     *
     * Errors: recording_not_ready.
     */
    delete: Operation<RecordingsDeleteParams, RecordingsDeleteReply>
    /**
     * Get the audio of a recording.
     *
     * The recording as a WAV file (8 kHz, 16 bit), whole or the part that Range asks for: players may seek, and a
     * download that broke off may go on. The ETag is the SHA-256 of the file; HEAD answers its length alone.
     *
     * `GET /v2/voice/recordings/{recordingId}/media`, permission recordings:read (Admin, Sales Manager, Sales
     * Executive, Finance Manager).
     *
     * Errors: recording_has_no_media, recording_not_ready, range_not_satisfiable, recording_unreachable.
     */
    media: Operation<RecordingsMediaParams, RecordingsMediaReply>
  }
  trunks: {
    /**
     * Create a trunk.
     *
     * Sets up a trunk, a carrier of calls: one that speaks SIP, or an Asterisk that is there already. Unless it is
     * added switched off, it is watched (OPTIONS), registered where its settings ask for that, and within seconds
     * carries calls to what its routes fit. Trunks belong to live mode; there are at most 50. The answer warns of
     * settings that are less safe than they look.
     *
     * `POST /v2/voice/trunks`, permission trunks:manage (Admin).
     *
     * Errors: trunks_live_only, too_many_trunks.
     */
    create: Operation<TrunksCreateParams, TrunksCreateReply>
    /**
     * List trunks.
     *
     * The trunks of the organization with their states, newest first.
     *
     * `GET /v2/voice/trunks`, permission trunks:read (Admin, Sales Manager).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<TrunksListParams, TrunksListReply, Trunk>
    /**
     * Get the settings of trunks.
     *
     * The JSON Schema of the settings of a trunk of each kind: what a form is drawn from.
     *
     * `GET /v2/voice/trunks/settings`, permission trunks:read (Admin, Sales Manager).
     */
    settings: Operation<Record<never, never>, TrunksSettingsReply>
    /**
     * Get a trunk.
     *
     * One trunk with its settings (without secrets), its state, and how many calls it carried and carries.
     *
     * `GET /v2/voice/trunks/{trunkId}`, permission trunks:read (Admin, Sales Manager).
     */
    get: Operation<TrunksGetParams, TrunksGetReply>
    /**
     * Update a trunk.
     *
     * Changes what is named and leaves the rest; secrets that are left out stay. Changed settings count for the next
     * call: those under way go on as they started. Calls that wait for a trunk that is switched off take another
     * one.
     *
     * `PATCH /v2/voice/trunks/{trunkId}`, permission trunks:manage (Admin).
     *
     * Errors: invalid_if_match, version_mismatch.
     */
    update: Operation<TrunksUpdateParams, TrunksUpdateReply>
    /**
     * Delete a trunk.
     *
     * Takes the registration back and forgets the settings. Calls under way go on; those that wait for it take
     * another trunk, and without one fail with no_route.
     *
     * `DELETE /v2/voice/trunks/{trunkId}`, permission trunks:manage (Admin).
     *
     * Errors: invalid_if_match, version_mismatch.
     */
    delete: Operation<TrunksDeleteParams, TrunksDeleteReply>
    /**
     * Test a trunk.
     *
     * Speaks with the carrier beside whatever is in use and answers what happened step by step: name look-up,
     * connection, TLS, OPTIONS and, where the settings ask for it, a registration that is taken back at once, with
     * the first hundred SIP messages of each step in readable form; of an Asterisk, whether ARI knows user and
     * password, and reports calls. Settings in the body are tried in place of the stored ones, and nothing is
     * stored. With `to` it also reports which trunks a call to that number would take, in their order and why;
     * nobody is called. Takes eight seconds at most.
     *
     * `POST /v2/voice/trunks/{trunkId}/test`, permission trunks:manage (Admin).
     *
     * Errors: invalid_to_number.
     */
    test: Operation<TrunksTestParams, TrunksTestReply>
  }
  sipCredentials: {
    /**
     * Create a SIP credential.
     *
     * Makes a user name and a password that phones and softphones register with. The answer has all that is typed
     * into the phone; without `password` one is made, and shown this once. A registered phone calls other phones of
     * the organization by their username, and telephone numbers by the trunks, from `callerId`; it is called by its
     * SIP address, as a target of dial and in POST /v2/voice/calls. In test mode phones reach each other, and the
     * simulator in the place of the telephone network.
     *
     * `POST /v2/voice/sip-credentials`, permission sip_credentials:manage (Admin).
     *
     * Errors: invalid_instructions, scope_not_held, sip_username_taken, too_many_sip_credentials,
     * invalid_callback_url.
     */
    create: Operation<SipCredentialsCreateParams, SipCredentialsCreateReply>
    /**
     * List SIP credentials.
     *
     * The SIP credentials of the tenant with the phones that are registered now, newest first.
     *
     * `GET /v2/voice/sip-credentials`, permission sip_credentials:read (Admin, Sales Manager).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<SipCredentialsListParams, SipCredentialsListReply, SipCredential>
    /**
     * Get a SIP credential.
     *
     * One SIP credential with what is typed into its phone, and the phones that are registered now.
     *
     * `GET /v2/voice/sip-credentials/{credentialId}`, permission sip_credentials:read (Admin, Sales Manager).
     */
    get: Operation<SipCredentialsGetParams, SipCredentialsGetReply>
    /**
     * Update a SIP credential.
     *
     * Changes what is named and leaves the rest; null takes a setting away. A new password counts from the next
     * request of the phone on: what is registered stays until it expires.
     *
     * `PATCH /v2/voice/sip-credentials/{credentialId}`, permission sip_credentials:manage (Admin).
     *
     * Errors: invalid_if_match, invalid_instructions, scope_not_held, version_mismatch, invalid_callback_url.
     */
    update: Operation<SipCredentialsUpdateParams, SipCredentialsUpdateReply>
    /**
     * Delete a SIP credential.
     *
     * Forgets the password and the phones that are registered with it. Calls under way go on.
     *
     * `DELETE /v2/voice/sip-credentials/{credentialId}`, permission sip_credentials:manage (Admin).
     *
     * Errors: invalid_if_match, version_mismatch.
     */
    delete: Operation<SipCredentialsDeleteParams, SipCredentialsDeleteReply>
  }
  conversations: {
    /**
     * List conversations.
     *
     * The shared inbox, by view: waiting (open, and nobody answered), unread (open, with something that the caller
     * has not read: what waits and is assigned to them or to nobody, notes that mention them, and what they marked
     * as unread), mine (open, assigned to the caller), unassigned (open, assigned to nobody), mentioned (a note
     * mentions the caller), open, snoozed, closed, all. Ordered by what counts in the view: waiting and unread by
     * waitingSince, snoozed by snoozedUntil, others by their last activity. A conversation that moves while one
     * reads on is not lost: it stands in front again.
     *
     * `GET /v2/conversations`, permission conversations:read (Admin, Sales Manager, Sales Executive).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<ConversationsListParams, ConversationsListReply, ConversationsListItem>
    /**
     * Get the counts of the inbox.
     *
     * How many conversations each view has, counted up to 1,000.
     *
     * `GET /v2/conversations/counts`, permission conversations:read (Admin, Sales Manager, Sales Executive).
     */
    counts: Operation<Record<never, never>, ConversationsCountsReply>
    /**
     * Get a conversation.
     *
     * One conversation, with how it can be answered and who else looks at it. One that became part of another is
     * answered with that one, under its id.
     *
     * `GET /v2/conversations/{conversationId}`, permission conversations:read (Admin, Sales Manager, Sales
     * Executive).
     */
    get: Operation<ConversationsGetParams, ConversationsGetReply>
    /**
     * Update a conversation.
     *
     * Assigns it to a person or a team, snoozes it until a time, closes it, or opens it again. Closing ends the
     * waiting: nobody has to answer any more. Each change stands in the thread. Writes conversation.assigned,
     * conversation.snoozed, conversation.closed or conversation.reopened.
     *
     * `PATCH /v2/conversations/{conversationId}`, permission conversations:write (Admin, Sales Manager, Sales
     * Executive).
     *
     * Errors: invalid_if_match, version_mismatch.
     */
    update: Operation<ConversationsUpdateParams, ConversationsUpdateReply>
    /**
     * List the items of a conversation.
     *
     * The thread, newest first: texts, calls, voicemails, mails and notes, and what was done with the conversation.
     * What the caller may not read is left out; leftOut of the conversation names it.
     *
     * `GET /v2/conversations/{conversationId}/items`, permission conversations:read (Admin, Sales Manager, Sales
     * Executive).
     *
     * Errors: invalid_cursor.
     */
    items: ListOperation<ConversationsItemsParams, ConversationsItemsReply, ConversationsItemsItem>
    /**
     * Set whether a conversation is read.
     *
     * Says that the caller has read it, or with unread that it is new to them again. Nobody else sees that.
     *
     * `PUT /v2/conversations/{conversationId}/read`, permission conversations:read (Admin, Sales Manager, Sales
     * Executive).
     */
    read: Operation<ConversationsReadParams, ConversationsReadReply>
    /**
     * Assign a conversation to a record.
     *
     * Says who an unknown sender is: a lead or contact that is there, or a new lead. The record gets the address
     * where it has no such one yet, and mails that stand on no record move to it. Where the record has a
     * conversation already, both become one, which is answered. Writes conversation.attached or conversation.merged.
     *
     * `POST /v2/conversations/{conversationId}/attach`, permission conversations:write (Admin, Sales Manager, Sales
     * Executive).
     *
     * Errors: conversation_has_record, record_not_found.
     */
    attach: Operation<ConversationsAttachParams, ConversationsAttachReply>
    /**
     * Send an answer by text.
     *
     * Texts the person from the number that the last text was exchanged with, unless from names another. All rules
     * of POST /v2/messages/sms hold. Refused with 412 conversation_answered where somebody answered after
     * lastSeenItemId; `answered` of the error holds that item. Of two that answer at the same moment exactly one
     * gets through. Opens a snoozed or closed conversation, ends its waiting, and gives an unassigned one to who
     * answers. Needs messages:send, too.
     *
     * `POST /v2/conversations/{conversationId}/texts`, permission conversations:write (Admin, Sales Manager, Sales
     * Executive).
     *
     * Errors: destination_not_allowed, destination_premium, daily_spend_exceeded, recipient_opted_out,
     * sender_not_owned, duplicate_suppressed, conversation_answered, conversation_not_reachable,
     * invalid_from_number, body_too_long, no_route, sender_not_capable, sender_queue_full.
     */
    replyByText: Operation<ConversationsReplyByTextParams, ConversationsReplyByTextReply>
    /**
     * Send an answer by mail.
     *
     * Mails the person, as an answer to the last mail where there is one. Refused with 412 conversation_answered
     * where somebody answered after lastSeenItemId; `answered` of the error holds that item. Of two that answer at
     * the same moment exactly one gets through. Opens a snoozed or closed conversation, ends its waiting, and gives
     * an unassigned one to who answers. Needs mail:send, too.
     *
     * `POST /v2/conversations/{conversationId}/mails`, permission conversations:write (Admin, Sales Manager, Sales
     * Executive).
     *
     * Errors: conversation_answered, conversation_not_reachable, mail_too_large, mail_rate_reached.
     */
    replyByMail: Operation<ConversationsReplyByMailParams, ConversationsReplyByMailReply>
    /**
     * Create a note in a conversation.
     *
     * A note that members see and the person does not. Whom it mentions finds the conversation unread and in the
     * view mentioned, and sees it from then on. Of a lead or contact it is a note of the record, too. Writes
     * conversation.noted.
     *
     * `POST /v2/conversations/{conversationId}/notes`, permission conversations:write (Admin, Sales Manager, Sales
     * Executive).
     */
    writeNote: Operation<ConversationsWriteNoteParams, ConversationsWriteNoteReply>
    /**
     * Set your presence in a conversation.
     *
     * Says that the caller looks at the conversation or writes an answer, for 30 seconds: say it again every 15.
     * Away ends it at once. Answers who else is there. Others hear of it by GET /v2/stream.
     *
     * `PUT /v2/conversations/{conversationId}/presence`, permission conversations:read (Admin, Sales Manager, Sales
     * Executive).
     */
    presence: Operation<ConversationsPresenceParams, ConversationsPresenceReply>
  }
  analytics: {
    /**
     * Get API usage.
     *
     * Requests, errors, refusals and answer times of this tenant and mode by hour or day, in series by endpoint,
     * key, status or source. Counts are exact, percentiles are distinguished from classes of durations; a request is
     * counted about a second after its answer. Kept for 400 days. A Sales Executive sees the use of own tokens and
     * keys.
     *
     * `GET /v2/analytics/usage`, permission usage:read (Admin, Sales Manager, Sales Executive, Finance Manager).
     */
    usage: Operation<AnalyticsUsageParams, AnalyticsUsageReply>
    /**
     * Get the most frequent errors.
     *
     * Which problems this tenant and mode met most, by endpoint, problem code and status, with the newest request of
     * each. Hours are counted as a whole. Kept for 400 days. A Sales Executive sees those of own tokens and keys.
     *
     * `GET /v2/analytics/errors`, permission usage:read (Admin, Sales Manager, Sales Executive, Finance Manager).
     */
    errors: Operation<AnalyticsErrorsParams, AnalyticsErrorsReply>
    /**
     * Get message figures.
     *
     * Messages and segments of this tenant and mode by the hour or day they were made in, in a series for each
     * direction and status: the status of now, so a message delivered later moves to delivered in its first hour.
     * Exact at any moment. At most 92 days at a time.
     *
     * `GET /v2/analytics/messaging`, permission usage:read (Admin, Sales Manager, Sales Executive, Finance Manager).
     */
    messaging: Operation<AnalyticsMessagingParams, AnalyticsMessagingReply>
    /**
     * Get call figures.
     *
     * Calls and minutes of talk of this tenant and mode by the hour or day the calls were made in, in a series for
     * each direction and state: the state of now. Minutes count once a call is over. Exact at any moment. At most 92
     * days at a time.
     *
     * `GET /v2/analytics/voice`, permission usage:read (Admin, Sales Manager, Sales Executive, Finance Manager).
     */
    voice: Operation<AnalyticsVoiceParams, AnalyticsVoiceReply>
  }
  home: {
    /**
     * Get what waits.
     *
     * What waits for the person who asks (new leads, conversations that nobody answered, tasks and invoices that are
     * due), what happened since yesterday, and the week in figures beside the week before. Days are those of the
     * organization's time zone. A part is null where the role or the key may not see it, or could do nothing about
     * it; leads are those that one sees.
     *
     * `GET /v2/home`, permission profile:read (Admin, Sales Manager, Sales Executive, Finance Manager).
     */
    get: Operation<Record<never, never>, HomeGetReply>
  }
  status: {
    /**
     * Get the status.
     *
     * How the server does for the organization, in the mode of the credential: processes and versions, what waits in
     * queues, carriers, trunks, webhooks, mail and storage, and what of it asks for somebody.
     *
     * `GET /v2/status`, permission status:read (Admin).
     */
    get: Operation<Record<never, never>, StatusGetReply>
  }
  operatorStatus: {
    /**
     * Get the status of the installation.
     *
     * How the whole installation does: processes with versions, disks and their last sign of life, queues, links of
     * carriers and trunks, calls under way, the database, backups, archived WAL, and what of it asks for somebody.
     * It shows no record.
     *
     * `GET /v2/operator/status`, permission operator:read ().
     */
    get: Operation<Record<never, never>, OperatorStatusGetReply>
  }
  requests: {
    /**
     * List API requests.
     *
     * Requests made with keys and tokens of this tenant and mode, newest first, kept for seven days; one appears
     * about a second after its answer. An Admin sees those of everybody, others those of their own tokens and keys.
     * Headers and bodies are in the single request. With filters that match little, a page may hold fewer entries
     * than the limit while hasMore is true: go on with the cursor. With resourceId, what concerns one resource is
     * found however old it is.
     *
     * `GET /v2/requests`, permission requests:read (Admin, Sales Manager, Sales Executive, Finance Manager).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<RequestsListParams, RequestsListReply, RequestsListItem>
    /**
     * Get an API request.
     *
     * One entry of the request log, by the X-Request-Id of its answer, with its query, some of its headers, its body
     * and, for a refusal, the answer. Passwords, tokens, keys and other secrets are taken out before anything is
     * kept; bodies are cut at 8 KiB. Of the busiest endpoints only refusals keep their body: bodyNote says so. Who
     * is not Admin finds their own requests only.
     *
     * `GET /v2/requests/{requestId}`, permission requests:read (Admin, Sales Manager, Sales Executive, Finance
     * Manager).
     */
    get: Operation<RequestsGetParams, RequestsGetReply>
  }
  events: {
    /**
     * List events.
     *
     * What happened in this tenant and mode, newest first; each event was written together with the change it
     * reports. One sees events of the resources one may read: those of invoices need invoices:read, and so on. With
     * filters that match little, a page may hold fewer events than the limit while hasMore is true: go on with the
     * cursor.
     *
     * `GET /v2/events`, permission events:read (Admin, Sales Manager, Finance Manager).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<EventsListParams, EventsListReply, TandemEvent>
  }
  stream: {
    /**
     * Stream requests, events and the inbox.
     *
     * API requests and events as they happen, within a second, as text/event-stream: the items of the lists of
     * requests and of events, and what changes in the shared inbox, for those who see them there. The first message
     * is `ready`; then come `request`, `event` and `conversation`. A comment every 15 seconds shows that the
     * connection lives. Each message has an id: send the last one as Last-Event-ID and the stream goes on behind it,
     * each item once; when more than 1,000 were missed, a message `gap` says from when on to read the list. The last
     * message is `end` with its reason: the credential was revoked or expired, the reader was too slow, or the
     * server stops; connect again with the id. Openings of streams are logged as requests, but no stream reports
     * them. At most 20 streams a user.
     *
     * `GET /v2/stream`, permission stream:open (Admin, Sales Manager, Sales Executive, Finance Manager).
     *
     * Errors: too_many_streams.
     */
    open: StreamOperation<StreamOpenParams, StreamOpenEvent>
  }
  environments: {
    /**
     * List environments.
     *
     * Own environments of the Playground and shared ones, the newest first.
     *
     * `GET /v2/playground/environments`, permission playground:read (Admin, Sales Manager, Sales Executive, Finance
     * Manager).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<EnvironmentsListParams, EnvironmentsListReply, Environment>
    /**
     * Create an environment.
     *
     * Keeps a named set of variables for requests of the Playground: private, or shared with the organization
     * (playground:share). Of secret variables only the name is kept; each person fills in the value for themselves.
     * What looks like a credential is refused.
     *
     * `POST /v2/playground/environments`, permission playground:write (Admin, Sales Manager, Sales Executive,
     * Finance Manager).
     *
     * Errors: live_mode_required, environment_limit_reached.
     */
    create: Operation<EnvironmentsCreateParams, EnvironmentsCreateReply>
    /**
     * Get an environment.
     *
     * One environment with its variables; of secret ones the name only.
     *
     * `GET /v2/playground/environments/{environmentId}`, permission playground:read (Admin, Sales Manager, Sales
     * Executive, Finance Manager).
     */
    get: Operation<EnvironmentsGetParams, EnvironmentsGetReply>
    /**
     * Update an environment.
     *
     * Changes what is sent; variables take the place of those before. A shared one is changed by those who hold
     * playground:share, and made private again by its owner.
     *
     * `PATCH /v2/playground/environments/{environmentId}`, permission playground:write (Admin, Sales Manager, Sales
     * Executive, Finance Manager).
     *
     * Errors: invalid_if_match, live_mode_required, version_mismatch.
     */
    update: Operation<EnvironmentsUpdateParams, EnvironmentsUpdateReply>
    /**
     * Delete an environment.
     *
     * Deletes an environment. A shared one is deleted by those who hold playground:share.
     *
     * `DELETE /v2/playground/environments/{environmentId}`, permission playground:write (Admin, Sales Manager, Sales
     * Executive, Finance Manager).
     *
     * Errors: invalid_if_match, live_mode_required, version_mismatch.
     */
    delete: Operation<EnvironmentsDeleteParams, EnvironmentsDeleteReply>
  }
  collections: {
    /**
     * List collections.
     *
     * Own collections and shared ones with their folders, the newest first. Their requests are listed apart.
     *
     * `GET /v2/playground/collections`, permission playground:read (Admin, Sales Manager, Sales Executive, Finance
     * Manager).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<CollectionsListParams, CollectionsListReply, Collection>
    /**
     * Create a collection.
     *
     * Makes a collection, private or shared with the organization (playground:share), with all the folders and
     * requests that are sent along. What looks like a credential is refused.
     *
     * `POST /v2/playground/collections`, permission playground:write (Admin, Sales Manager, Sales Executive, Finance
     * Manager).
     *
     * Errors: live_mode_required, collection_limit_reached, collection_full.
     */
    create: Operation<CollectionsCreateParams, CollectionsCreateReply>
    /**
     * Get a collection.
     *
     * One collection with its folders. Its requests are listed with GET /v2/playground/requests.
     *
     * `GET /v2/playground/collections/{collectionId}`, permission playground:read (Admin, Sales Manager, Sales
     * Executive, Finance Manager).
     */
    get: Operation<CollectionsGetParams, CollectionsGetReply>
    /**
     * Update a collection.
     *
     * Changes what is sent: name, description, who sees it, the names and order of its folders. A shared one is
     * changed by those who hold playground:share, and made private again by its owner.
     *
     * `PATCH /v2/playground/collections/{collectionId}`, permission playground:write (Admin, Sales Manager, Sales
     * Executive, Finance Manager).
     *
     * Errors: invalid_if_match, live_mode_required, version_mismatch.
     */
    update: Operation<CollectionsUpdateParams, CollectionsUpdateReply>
    /**
     * Delete a collection.
     *
     * Deletes a collection with all its requests. A shared one is deleted by those who hold playground:share.
     *
     * `DELETE /v2/playground/collections/{collectionId}`, permission playground:write (Admin, Sales Manager, Sales
     * Executive, Finance Manager).
     *
     * Errors: invalid_if_match, live_mode_required, version_mismatch.
     */
    delete: Operation<CollectionsDeleteParams, CollectionsDeleteReply>
    /**
     * Add a folder to a collection.
     *
     * Adds a folder behind the others, with the requests that are sent along.
     *
     * `POST /v2/playground/collections/{collectionId}/folders`, permission playground:write (Admin, Sales Manager,
     * Sales Executive, Finance Manager).
     *
     * Errors: invalid_if_match, live_mode_required, collection_full, version_mismatch.
     */
    addFolder: Operation<CollectionsAddFolderParams, CollectionsAddFolderReply>
    /**
     * Delete a folder of a collection.
     *
     * Deletes a folder with the requests in it.
     *
     * `DELETE /v2/playground/collections/{collectionId}/folders/{folderId}`, permission playground:write (Admin,
     * Sales Manager, Sales Executive, Finance Manager).
     *
     * Errors: invalid_if_match, live_mode_required, version_mismatch.
     */
    deleteFolder: Operation<CollectionsDeleteFolderParams, CollectionsDeleteFolderReply>
  }
  savedRequests: {
    /**
     * List saved requests.
     *
     * Requests of the collections that you see, whole, the newest first. Within a folder position orders them.
     *
     * `GET /v2/playground/requests`, permission playground:read (Admin, Sales Manager, Sales Executive, Finance
     * Manager).
     *
     * Errors: invalid_cursor.
     */
    list: ListOperation<SavedRequestsListParams, SavedRequestsListReply, SavedRequest>
    /**
     * Create a saved request.
     *
     * Saves a request to a collection, with tests of its answer and the variables that a run takes from it. What
     * looks like a credential is refused: put a variable in its place.
     *
     * `POST /v2/playground/requests`, permission playground:write (Admin, Sales Manager, Sales Executive, Finance
     * Manager).
     *
     * Errors: live_mode_required, collection_full.
     */
    create: Operation<SavedRequestsCreateParams, SavedRequestsCreateReply>
    /**
     * Get a saved request.
     *
     * One saved request, with its tests.
     *
     * `GET /v2/playground/requests/{requestId}`, permission playground:read (Admin, Sales Manager, Sales Executive,
     * Finance Manager).
     */
    get: Operation<SavedRequestsGetParams, SavedRequestsGetReply>
    /**
     * Update a saved request.
     *
     * Changes what is sent; lists take the place of those before. collectionId, folderId and position move it.
     * Requests of shared collections are changed by those who hold playground:share.
     *
     * `PATCH /v2/playground/requests/{requestId}`, permission playground:write (Admin, Sales Manager, Sales
     * Executive, Finance Manager).
     *
     * Errors: invalid_if_match, live_mode_required, collection_full, version_mismatch.
     */
    update: Operation<SavedRequestsUpdateParams, SavedRequestsUpdateReply>
    /**
     * Delete a saved request.
     *
     * Deletes a saved request. One of a shared collection is deleted by those who hold playground:share.
     *
     * `DELETE /v2/playground/requests/{requestId}`, permission playground:write (Admin, Sales Manager, Sales
     * Executive, Finance Manager).
     *
     * Errors: invalid_if_match, live_mode_required, version_mismatch.
     */
    delete: Operation<SavedRequestsDeleteParams, SavedRequestsDeleteReply>
  }
  catalog: {
    /**
     * Search the endpoint catalog.
     *
     * Every endpoint of both versions, and those of the authorization server (version `oauth`). `q` searches name,
     * path, method, category and version and forgives typos; without it the catalog comes in its own order. Filters
     * combine with each other and with `q`.
     *
     * `GET /v2/catalog`, public.
     */
    list: Operation<CatalogListParams, CatalogListReply>
    /**
     * List categories of the catalog.
     *
     * Every category with what it holds, also those that are planned: what will come in which order, and what does
     * the work meanwhile. Planned ones have no endpoint, and are not in the OpenAPI document.
     *
     * `GET /v2/catalog/categories`, public.
     */
    categories: Operation<Record<never, never>, CatalogCategoriesReply>
    /**
     * Get an endpoint.
     *
     * All there is to know about one endpoint: parameters with their rules, sample request and reply, every problem
     * it may answer with cause and fix, and the permission it needs.
     *
     * `GET /v2/catalog/{endpointId}`, public.
     */
    get: Operation<CatalogGetParams, CatalogGetReply>
  }
  problems: {
    /**
     * List the error reference.
     *
     * Every problem code of the API with its status, cause, fix, and whether a retry can help.
     *
     * `GET /v2/problems`, public.
     */
    list: Operation<Record<never, never>, ProblemsListReply>
  }
  openapi: {
    /**
     * Get the OpenAPI document.
     *
     * OpenAPI 3.1 of both versions and of the authorization server, made from the catalog.
     *
     * `GET /v2/openapi.json`, public.
     */
    get: Operation<Record<never, never>, OpenapiGetReply>
  }
  jwks: {
    /**
     * Get the public signing keys.
     *
     * The JSON Web Key Set (RFC 7517) with which access tokens can be verified.
     *
     * `GET /.well-known/jwks.json`, public.
     */
    get: Operation<Record<never, never>, JwksGetReply>
  }
}
