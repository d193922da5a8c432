// What the nouns of the product declare, gathered: permissions, event types and problems. The one list of nouns, with those of
// record_nouns.ts; documents, roles, filters and the error reference are made of it. A noun that is left out does not compile.
import type { Nouns } from './kernel/values/noun.ts'
import { gatherNouns, useVocabulary } from './kernel/values/vocabulary.ts'
import { usage } from './modules/analytics/usage/noun.ts'
import { audit } from './modules/audit/noun.ts'
import { conversation } from './modules/conversations/noun.ts'
import { destination } from './modules/destinations/noun.ts'
import { event } from './modules/developer/events/noun.ts'
import { playground } from './modules/developer/playground/noun.ts'
import { request } from './modules/developer/requests/noun.ts'
import { invoice } from './modules/finance/invoices/noun.ts'
import { payment } from './modules/finance/payments/noun.ts'
import { apiKey } from './modules/identity/api_keys/noun.ts'
import { ssoConnection } from './modules/identity/connections/noun.ts'
import { organizationDomain } from './modules/identity/domains/noun.ts'
import { secondFactor } from './modules/identity/factors/noun.ts'
import { invitation } from './modules/identity/invitations/noun.ts'
import { login } from './modules/identity/login/noun.ts'
import { membership } from './modules/identity/members/noun.ts'
import { oauthApp } from './modules/identity/oauth/noun.ts'
import { operatorAccount } from './modules/identity/operator/noun.ts'
import { organization } from './modules/identity/organizations/noun.ts'
import { passwordReset } from './modules/identity/resets/noun.ts'
import { role } from './modules/identity/roles/noun.ts'
import { scim } from './modules/identity/scim/noun.ts'
import { securityPolicy } from './modules/identity/security/noun.ts'
import { signUp } from './modules/identity/sign_up/noun.ts'
import { team } from './modules/identity/teams/noun.ts'
import { user } from './modules/identity/users/noun.ts'
import { mailDomain } from './modules/mail/domains/noun.ts'
import { inboundMail } from './modules/mail/inbound/noun.ts'
import { mailbox } from './modules/mail/mailboxes/noun.ts'
import { mail } from './modules/mail/mails/noun.ts'
import { mailSender } from './modules/mail/senders/noun.ts'
import { mailSuppression } from './modules/mail/suppressions/noun.ts'
import { mailTemplate } from './modules/mail/templates/noun.ts'
import { mailTransport } from './modules/mail/transports/noun.ts'
import { carrier } from './modules/messaging/carriers/noun.ts'
import { inboundMessage } from './modules/messaging/inbound/noun.ts'
import { number } from './modules/messaging/numbers/noun.ts'
import { optOut } from './modules/messaging/opt_outs/noun.ts'
import { messagingService } from './modules/messaging/services/noun.ts'
import { message } from './modules/messaging/sms/noun.ts'
import { serverStatus } from './modules/operations/noun.ts'
import { legalHold } from './modules/privacy/holds/noun.ts'
import { privacyRequest } from './modules/privacy/requests/noun.ts'
import { retention } from './modules/privacy/retention/noun.ts'
import { attachmentFile, attachments } from './modules/records/attachments/noun.ts'
import { recordBatch } from './modules/records/batches/noun.ts'
import { dataImport } from './modules/records/imports/noun.ts'
import { recordTag, tags } from './modules/records/tags/noun.ts'
import { savedView } from './modules/records/views/noun.ts'
import { callRecord } from './modules/voice/call_records/noun.ts'
import { callerId } from './modules/voice/caller_ids/noun.ts'
import { call } from './modules/voice/calls/noun.ts'
import { phone } from './modules/voice/clients/noun.ts'
import { conference } from './modules/voice/conferences/noun.ts'
import { instruction } from './modules/voice/instructions/noun.ts'
import { recording } from './modules/voice/recordings/noun.ts'
import { sipCredential } from './modules/voice/sip_credentials/noun.ts'
import { trunk } from './modules/voice/trunks/noun.ts'
import { numberVerification } from './modules/voice/verification/noun.ts'
import { webhook } from './modules/webhooks/noun.ts'
import * as recordNouns from './record_nouns.ts'

/** Every noun, in the order in which documents show what they declare. */
export const nouns: Nouns = {
  login,
  secondFactor,
  passwordReset,
  user,
  invitation,
  role,
  team,
  membership,
  organization,
  operatorAccount,
  signUp,
  securityPolicy,
  organizationDomain,
  ssoConnection,
  scim,
  audit,
  retention,
  privacyRequest,
  legalHold,
  apiKey,
  oauthApp,
  ...recordNouns,
  attachment: attachments,
  attachmentFile,
  tag: tags,
  recordTag,
  savedView,
  dataImport,
  recordBatch,
  invoice,
  payment,
  message,
  messagingService,
  optOut,
  number,
  numberVerification,
  inboundMessage,
  mail,
  inboundMail,
  mailbox,
  mailTemplate,
  mailSuppression,
  mailSender,
  mailDomain,
  mailTransport,
  conversation,
  carrier,
  trunk,
  destination,
  sipCredential,
  call,
  callRecord,
  callerId,
  instruction,
  phone,
  conference,
  recording,
  request,
  event,
  webhook,
  playground,
  usage,
  serverStatus,
}

export const { problems, permissions, rolePermissions, eventTypes } = useVocabulary(gatherNouns(nouns))
