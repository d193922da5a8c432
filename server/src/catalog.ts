// The list of everything: endpoints, queues, schedules, carriers, engines. The only file that imports all modules.
import { createSimulatorCarrier } from './carriers/simulator/simulator.ts'
import { smppCarriers } from './carriers/smpp/smpp.ts'
import type { Config } from './config/config.ts'
import { asteriskDriver } from './engines/asterisk/driver.ts'
import { testAsteriskTrunk } from './engines/asterisk/test_trunk.ts'
import { clientEngine, handsets } from './engines/client/client.ts'
import { simulatorEngine } from './engines/simulator/simulator.ts'
import { sipDriver } from './engines/sip/driver.ts'
import { testSipTrunk } from './engines/sip/test_trunk.ts'
import { trunkEngine } from './engines/trunks/engine.ts'
import type { SentRequest } from './kernel/documents/sent_request.ts'
import type { DocumentedEndpoint, Endpoint } from './kernel/endpoint/endpoint.ts'
import type { JobMaker, QueueKeeper } from './kernel/jobs/background.ts'
import { purgeExpired } from './kernel/jobs/purge.ts'
import { addOwned } from './kernel/noun/ownership.ts'
import { addFollower, addTarget } from './kernel/noun/registry.ts'
import type { Metrics } from './kernel/observe/metrics.ts'
import * as home from './modules/analytics/home/endpoints.ts'
import * as traffic from './modules/analytics/traffic/endpoints.ts'
import { foldTrafficCounts } from './modules/analytics/traffic/jobs.ts'
import * as usage from './modules/analytics/usage/endpoints.ts'
import * as auditChain from './modules/audit/chain_endpoints.ts'
import * as audit from './modules/audit/endpoints.ts'
import * as auditPolicy from './modules/audit/policy_endpoints.ts'
import { expireAuditEvents } from './modules/audit/retention.ts'
import { sealEvents } from './modules/audit/sealing.ts'
import * as auditStreams from './modules/audit/stream_endpoints.ts'
import { sendAuditStreams } from './modules/audit/streaming.ts'
import * as conversations from './modules/conversations/endpoints.ts'
import { followers as conversationFollowers } from './modules/conversations/followers.ts'
import { followConversations, purgeConversationSignals, wakeConversations } from './modules/conversations/jobs.ts'
import { ownedConversations } from './modules/conversations/owned.ts'
import { convertLead } from './modules/crm/leads/conversion.ts'
import { createLead } from './modules/crm/leads/creation.ts'
import { findPeople } from './modules/crm/people/endpoints.ts'
import * as destinations from './modules/destinations/endpoints.ts'
import * as events from './modules/developer/events/endpoints.ts'
import * as playground from './modules/developer/playground/endpoints.ts'
import { ownedCollections, ownedEnvironments } from './modules/developer/playground/owned.ts'
import * as requests from './modules/developer/requests/endpoints.ts'
import * as stream from './modules/developer/stream/endpoints.ts'
import { explorerEndpoints } from './modules/explorer/endpoints.ts'
import * as invoices from './modules/finance/invoices/endpoints.ts'
import { followers as invoiceFollowers } from './modules/finance/invoices/followers.ts'
import { rollInvoiceCalendars } from './modules/finance/invoices/jobs.ts'
import * as payments from './modules/finance/payments/endpoints.ts'
import * as apiKeys from './modules/identity/api_keys/endpoints.ts'
import * as ssoConnections from './modules/identity/connections/endpoints.ts'
import { notifyMembers } from './modules/identity/connections/jobs.ts'
import * as organizationDomains from './modules/identity/domains/endpoints.ts'
import { recheckDomains } from './modules/identity/domains/jobs.ts'
import * as factors from './modules/identity/factors/endpoints.ts'
import * as passkeys from './modules/identity/factors/passkey_endpoints.ts'
import * as invitationAnswers from './modules/identity/invitations/answer_endpoints.ts'
import * as invitations from './modules/identity/invitations/endpoints.ts'
import * as login from './modules/identity/login/endpoints.ts'
import * as links from './modules/identity/login/link_endpoints.ts'
import * as passkeyLogin from './modules/identity/login/passkey_endpoints.ts'
import * as memberAccess from './modules/identity/members/access_endpoints.ts'
import * as members from './modules/identity/members/endpoints.ts'
import { handOver } from './modules/identity/members/jobs.ts'
import * as membersList from './modules/identity/members/list_endpoints.ts'
import * as ownership from './modules/identity/members/transfer_endpoints.ts'
import * as oauth from './modules/identity/oauth/endpoints.ts'
import { purgeOAuth } from './modules/identity/oauth/jobs.ts'
import { protocol } from './modules/identity/oauth/protocol.ts'
import * as organizationCodes from './modules/identity/operator/code_endpoints.ts'
import * as operators from './modules/identity/operator/endpoints.ts'
import * as operatorPeople from './modules/identity/operator/people_endpoints.ts'
import * as operatorSending from './modules/identity/operator/sending_endpoints.ts'
import * as organizationClosing from './modules/identity/organizations/closing_endpoints.ts'
import * as organizations from './modules/identity/organizations/endpoints.ts'
import * as organizationExports from './modules/identity/organizations/export_endpoints.ts'
import { makeExports } from './modules/identity/organizations/export_jobs.ts'
import { closeOrganizations } from './modules/identity/organizations/jobs.ts'
import * as resets from './modules/identity/resets/endpoints.ts'
import * as ownRoles from './modules/identity/roles/endpoints.ts'
import * as scim from './modules/identity/scim/endpoints.ts'
import * as security from './modules/identity/security/endpoints.ts'
import * as devices from './modules/identity/sessions/device_endpoints.ts'
import * as sessions from './modules/identity/sessions/endpoints.ts'
import * as stepUp from './modules/identity/sessions/step_up_endpoints.ts'
import * as signUp from './modules/identity/sign_up/endpoints.ts'
import * as sso from './modules/identity/sso/endpoints.ts'
import * as teams from './modules/identity/teams/endpoints.ts'
import { listColleagues } from './modules/identity/users/colleagues.ts'
import * as ownEmail from './modules/identity/users/email_endpoints.ts'
import * as users from './modules/identity/users/endpoints.ts'
import * as ownAccount from './modules/identity/users/own_endpoints.ts'
import { users as userTarget } from './modules/identity/users/target_store.ts'
import * as mailDomains from './modules/mail/domains/endpoints.ts'
import * as inboundMails from './modules/mail/inbound/endpoints.ts'
import { followers as mailFollowers, receiveOverSmtp, sweepInboundMails } from './modules/mail/inbound/index.ts'
import * as mailboxes from './modules/mail/mailboxes/endpoints.ts'
import { readMailboxes } from './modules/mail/mailboxes/jobs.ts'
import * as mails from './modules/mail/mails/endpoints.ts'
import { purgeOldMails, sendMails } from './modules/mail/mails/index.ts'
import { mailMeter } from './modules/mail/mails/meters.ts'
import * as mailSenders from './modules/mail/senders/endpoints.ts'
import * as mailSuppressions from './modules/mail/suppressions/endpoints.ts'
import * as mailTemplates from './modules/mail/templates/endpoints.ts'
import * as mailTransports from './modules/mail/transports/endpoints.ts'
import type { CarrierMaker } from './modules/messaging/carrier.ts'
import { messageQueues } from './modules/messaging/carrier_context.ts'
import { carrierEndpoints, holdCarrierLinks } from './modules/messaging/carriers/index.ts'
import * as inbound from './modules/messaging/inbound/endpoints.ts'
import { overdueParts } from './modules/messaging/inbound/jobs.ts'
import { declareMessageMeters } from './modules/messaging/meters.ts'
import * as numbers from './modules/messaging/numbers/endpoints.ts'
import * as optOuts from './modules/messaging/opt_outs/endpoints.ts'
import * as messagingServices from './modules/messaging/services/endpoints.ts'
import * as sms from './modules/messaging/sms/endpoints.ts'
import * as operations from './modules/operations/endpoints.ts'
import { watchQueues } from './modules/operations/watching.ts'
import * as legalHolds from './modules/privacy/holds/endpoints.ts'
import * as privacyRequests from './modules/privacy/requests/endpoints.ts'
import { answerPrivacyRequests } from './modules/privacy/requests/jobs.ts'
import * as retention from './modules/privacy/retention/endpoints.ts'
import { purgeByAge, purgeFinished } from './modules/privacy/retention/jobs.ts'
import { purgeMeter } from './modules/privacy/retention/meters.ts'
import * as attachments from './modules/records/attachments/endpoints.ts'
import { sweepAttachments } from './modules/records/attachments/jobs.ts'
import * as batches from './modules/records/batches/endpoints.ts'
import { changeRecords, removeImportFiles } from './modules/records/batches/jobs.ts'
import * as imports from './modules/records/imports/endpoints.ts'
import * as tags from './modules/records/tags/endpoints.ts'
import { followers as tagFollowers } from './modules/records/tags/followers.ts'
import { purgeTrash } from './modules/records/trash/jobs.ts'
import { viewEndpoints } from './modules/records/views/endpoints.ts'
import { ownedViews } from './modules/records/views/owned.ts'
import { timelineEndpoints } from './modules/timeline/endpoints.ts'
import { askedInstructions } from './modules/voice/callbacks/request.ts'
import * as calls from './modules/voice/calls/endpoints.ts'
import { settleCallSpend } from './modules/voice/calls/spend_jobs.ts'
import * as clients from './modules/voice/clients/endpoints.ts'
import * as conferences from './modules/voice/conferences/endpoints.ts'
import { endLostConferences } from './modules/voice/conferences/index.ts'
import { carryCalls, endLostCalls } from './modules/voice/node/jobs.ts'
import { callTools } from './modules/voice/node/tools.ts'
import * as numberVoice from './modules/voice/numbers/endpoints.ts'
import * as recordings from './modules/voice/recordings/endpoints.ts'
import { endLostRecordings, expireRecordings, storeRecordings } from './modules/voice/recordings/jobs.ts'
import * as sipCredentials from './modules/voice/sip_credentials/endpoints.ts'
import * as traces from './modules/voice/traces/endpoints.ts'
import { purgeCalls } from './modules/voice/traces/jobs.ts'
import { trunkEndpoints } from './modules/voice/trunks/index.ts'
import * as numberVerification from './modules/voice/verification/endpoints.ts'
import * as webhooks from './modules/webhooks/endpoints.ts'
import { mailAboutWebhooks, purgeOldDeliveries, sendWebhooks } from './modules/webhooks/jobs.ts'
import { attemptMeter } from './modules/webhooks/meters.ts'
import { sentEvent } from './modules/webhooks/sent_event.ts'
import './nouns.ts'
import * as recordNouns from './record_nouns.ts'

addTarget(userTarget)
for (const owned of [ownedViews, ownedEnvironments, ownedCollections, ownedConversations]) addOwned(owned)
for (const follower of [...invoiceFollowers, ...mailFollowers, ...tagFollowers(), ...conversationFollowers])
  addFollower(follower)

const { lead, ...otherRecords } = recordNouns

/** What is sent to addresses of customers, for the documents. */
export const sentRequests: readonly SentRequest[] = [sentEvent, askedInstructions]

/** Every endpoint of the product, in the order the Explorer shows them. */
export const catalog: readonly Endpoint[] = [
  ...login.endpoints,
  ...passkeyLogin.endpoints,
  ...resets.endpoints,
  ...invitationAnswers.endpoints,
  ...apiKeys.endpoints,
  ...oauth.endpoints,
  ...users.endpoints,
  ...ownAccount.endpoints,
  ...ownEmail.endpoints,
  ...devices.endpoints,
  ...links.endpoints,
  ...sessions.endpoints,
  ...stepUp.endpoints,
  ...factors.endpoints,
  ...passkeys.endpoints,
  ...invitations.endpoints,
  ...ownRoles.endpoints,
  ...teams.endpoints,
  ...membersList.endpoints,
  ...members.endpoints,
  ...memberAccess.endpoints,
  ...ownership.endpoints,
  listColleagues,
  ...organizations.endpoints,
  ...organizationExports.endpoints,
  ...organizationClosing.endpoints,
  ...operatorPeople.endpoints,
  ...operatorSending.endpoints,
  ...operators.endpoints,
  ...organizationCodes.endpoints,
  ...signUp.endpoints,
  ...security.endpoints,
  ...organizationDomains.endpoints,
  ...ssoConnections.endpoints,
  ...sso.endpoints,
  ...scim.endpoints,
  ...audit.endpoints,
  ...auditChain.endpoints,
  ...auditPolicy.endpoints,
  ...auditStreams.endpoints,
  ...retention.endpoints,
  ...privacyRequests.endpoints,
  ...legalHolds.endpoints,
  ...webhooks.endpoints,
  createLead,
  ...lead.endpoints,
  convertLead,
  findPeople,
  ...Object.values(otherRecords).flatMap(({ endpoints }) => endpoints),
  ...attachments.endpoints,
  ...tags.endpoints,
  ...viewEndpoints(() => catalog),
  ...imports.endpoints,
  ...batches.endpoints,
  ...invoices.endpoints,
  ...payments.endpoints,
  ...destinations.endpoints,
  ...numbers.endpoints,
  ...sms.endpoints,
  ...messagingServices.endpoints,
  ...optOuts.endpoints,
  ...inbound.endpoints,
  ...carrierEndpoints(smppCarriers),
  ...mails.endpoints,
  ...inboundMails.endpoints,
  ...mailTemplates.endpoints,
  ...mailSuppressions.endpoints,
  ...mailSenders.endpoints,
  ...mailDomains.endpoints,
  ...mailTransports.endpoints,
  ...mailboxes.endpoints,
  ...calls.endpoints,
  ...clients.endpoints,
  ...conferences.endpoints,
  ...numberVoice.endpoints,
  ...numberVerification.endpoints,
  ...traces.endpoints,
  ...recordings.endpoints,
  ...trunkEndpoints({ sip: testSipTrunk, asterisk: testAsteriskTrunk }),
  ...sipCredentials.endpoints,
  ...timelineEndpoints(),
  ...conversations.endpoints,
  ...usage.endpoints,
  ...traffic.endpoints,
  ...home.endpoints,
  ...operations.endpoints,
  ...requests.endpoints,
  ...events.endpoints,
  ...stream.endpoints,
  ...playground.endpoints,
  ...explorerEndpoints(() => withProtocol(catalog), sentRequests),
]

/** What documents show: the endpoints, and the addresses of the authorization server, which its library answers. */
export function withProtocol(endpoints: readonly Endpoint[]): readonly DocumentedEndpoint[] {
  return [...endpoints, ...protocol]
}

/** Every carrier of messages that is part of the server. */
export const carriers: readonly CarrierMaker[] = [
  createSimulatorCarrier(),
  createSimulatorCarrier({ name: 'handset', scripted: false }),
]

/** Makers of every hot queue of a worker. */
const workerQueueMakers: readonly QueueKeeper[] = [
  ...messageQueues(carriers),
  holdCarrierLinks([smppCarriers]),
  overdueParts,
  endLostCalls,
  settleCallSpend,
  endLostConferences,
  endLostRecordings,
  sendWebhooks(),
  sealEvents,
  sendAuditStreams,
  sendMails(),
  receiveOverSmtp,
  readMailboxes(),
  followConversations,
  wakeConversations,
  changeRecords,
  makeExports,
  answerPrivacyRequests(),
  closeOrganizations,
  notifyMembers,
  handOver,
  watchQueues,
]

/** Makers of the queues of the process that holds calls. */
const voiceQueueMakers: readonly QueueKeeper[] = [
  carryCalls({
    engines: [trunkEngine([sipDriver, asteriskDriver]), clientEngine(), simulatorEngine({ handsets })],
    tools: callTools,
  }),
]

/** Makers of the queues that work on files where these were made: each machine that carries calls has a process that runs them. */
const fileQueueMakers: readonly QueueKeeper[] = [storeRecordings()]

/**
 * Makers of the queues of a process.
 * @param hasWorker another process of the same machine, with the same folder, is a worker
 */
export function queueMakersOf(roles: Config['roles'], hasWorker: boolean): readonly QueueKeeper[] {
  const isVoice = roles.includes('voice')
  const isWorker = roles.includes('worker')
  return [
    ...(isVoice ? voiceQueueMakers : []),
    ...(isWorker ? workerQueueMakers : []),
    ...(isWorker || (isVoice && !hasWorker) ? fileQueueMakers : []),
  ]
}

/** What modules count, shown from the start. */
export const meters: readonly ((metrics: Metrics) => unknown)[] = [
  declareMessageMeters,
  attemptMeter,
  mailMeter,
  purgeMeter,
]

/** Makers of every scheduled job. */
export const jobMakers: readonly JobMaker[] = [
  purgeExpired,
  purgeByAge,
  purgeFinished,
  purgeOAuth,
  recheckDomains,
  foldTrafficCounts,
  rollInvoiceCalendars,
  mailAboutWebhooks,
  purgeOldDeliveries,
  expireAuditEvents,
  expireRecordings,
  purgeCalls,
  purgeOldMails,
  sweepInboundMails,
  purgeConversationSignals,
  sweepAttachments,
  purgeTrash,
  removeImportFiles,
]
