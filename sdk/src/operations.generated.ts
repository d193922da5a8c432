// Made from docs/openapi.json by `npm run generate`; not edited by hand.
// Read by client.ts: id, method, path, flags (envelope; b body, k Idempotency-Key, u public, c cursor), items, query, type of a file.
export const table: string = `auth.login POST /v1/api/auth/login sbu
auth.verifyLogin POST /v1/api/auth/login/verify sbu
auth.refresh POST /v1/api/auth/refresh sbu
auth.logout POST /v1/api/auth/logout s
auth.me GET /v1/api/auth/me s
auth.logInWithPasskey POST /v2/auth/passkeys dbu
auth.requestPasswordReset POST /v2/auth/password-resets dbu
auth.resetPassword POST /v2/auth/password-resets/confirm dbu
auth.showInvitation POST /v2/auth/invitations dbu
auth.acceptInvitation POST /v2/auth/invitations/accept dbu
auth.declineInvitation POST /v2/auth/invitations/decline dbu
apiKeys.create POST /v2/auth/api-keys dbk
apiKeys.list GET /v2/auth/api-keys pc items
apiKeys.revoke DELETE /v2/auth/api-keys/{keyId} d
apiKeys.rotate POST /v2/auth/api-keys/{keyId}/rotate dbk
apiKeys.createToken POST /v2/auth/api-keys/{keyId}/tokens d
apps.create POST /v2/auth/apps dbk
apps.list GET /v2/auth/apps pc items
apps.get GET /v2/auth/apps/{appId} d
apps.update PATCH /v2/auth/apps/{appId} dbk
apps.delete DELETE /v2/auth/apps/{appId} d
apps.signOut DELETE /v2/auth/apps/{appId}/tokens d
appSecrets.create POST /v2/auth/apps/{appId}/secrets dbk
appSecrets.delete DELETE /v2/auth/apps/{appId}/secrets/{secretId} d
authorizations.list GET /v2/auth/authorizations pc items
apps.listAuthorizations GET /v2/auth/apps/{appId}/authorizations pc items
authorizations.revoke DELETE /v2/auth/authorizations/{authorizationId} d
oauthClients.list GET /v2/auth/clients pc items
oauthClients.setPolicy PUT /v2/auth/clients/{clientId}/policy db
apps.listErrors GET /v2/auth/apps/{appId}/errors pc items
users.create POST /v1/api/users sbk
users.list GET /v1/api/users sc users
users.get GET /v1/api/users/{id} s
users.update PATCH /v1/api/users/{id} sbk
users.me GET /v2/users/me d
account.update PATCH /v2/users/me dbk
account.get GET /v2/users/me/account d
account.changePassword POST /v2/users/me/password db
account.changeEmail POST /v2/users/me/email db
account.confirmEmail POST /v2/users/me/email/confirm db
auth.undoEmailChange POST /v2/auth/email-changes/undo dbu
ownDevices.list GET /v2/users/me/devices d
ownDevices.deleteAll DELETE /v2/users/me/devices d
ownDevices.delete DELETE /v2/users/me/devices/{deviceId} d
auth.signInLinks GET /v2/auth/sign-in-links du
auth.requestSignInLink POST /v2/auth/sign-in-links dbu
auth.logInWithLink POST /v2/auth/sign-in-links/confirm dbu
ownSessions.list GET /v2/users/me/sessions d
ownSessions.endOthers DELETE /v2/users/me/sessions d
ownSessions.end DELETE /v2/users/me/sessions/{sessionId} d
ownOrganizations.list GET /v2/users/me/organizations d
ownOrganizations.create POST /v2/users/me/organizations dbk
auth.switch POST /v2/auth/switch db
auth.stepUp POST /v2/auth/step-up db
factors.list GET /v2/users/me/factors d
factors.createTotp POST /v2/users/me/factors/totp dbk
factors.confirmTotp POST /v2/users/me/factors/totp/{factorId}/confirm dbk
factors.update PATCH /v2/users/me/factors/{factorId} dbk
factors.delete DELETE /v2/users/me/factors/{factorId} d
factors.createRecoveryCodes POST /v2/users/me/recovery-codes dk
factors.passkeyOptions POST /v2/users/me/factors/passkeys/options d
factors.createPasskey POST /v2/users/me/factors/passkeys dbk
auth.passkeyOptions POST /v2/auth/passkeys/options du
invitations.create POST /v2/invitations dbk
invitations.list GET /v2/invitations pc items
invitations.createMany POST /v2/invitations/bulk dbk
invitations.resend POST /v2/invitations/{invitationId}/resend dk
invitations.link GET /v2/invitations/{invitationId}/link d
invitations.revoke POST /v2/invitations/{invitationId}/revoke dk
roles.list GET /v2/roles d
roles.create POST /v2/roles dbk
roles.get GET /v2/roles/{roleId} d
roles.update PATCH /v2/roles/{roleId} dbk
roles.delete DELETE /v2/roles/{roleId} d
teams.list GET /v2/teams pc items
teams.create POST /v2/teams dbk
teams.get GET /v2/teams/{teamId} d
teams.update PATCH /v2/teams/{teamId} dbk
teams.delete DELETE /v2/teams/{teamId} d
teams.putMember PUT /v2/teams/{teamId}/members/{userId} db
teams.removeMember DELETE /v2/teams/{teamId}/members/{userId} d
members.list GET /v2/members pc items
users.remove DELETE /v2/users/{id} d
users.owned GET /v2/users/{id}/owned d
handOvers.get GET /v2/hand-overs/{handOverId} d
handOvers.list GET /v2/hand-overs pc items
ownOrganizations.leave DELETE /v2/users/me/organizations/{organizationId} d
users.sessions GET /v2/users/{id}/sessions d
users.endSessions DELETE /v2/users/{id}/sessions d
users.resetFactors DELETE /v2/users/{id}/factors d
ownership.get GET /v2/organization/transfer d
ownership.offer POST /v2/organization/transfer dbk
ownership.accept POST /v2/organization/transfer/accept dk
ownership.decline POST /v2/organization/transfer/decline dk
ownership.cancel POST /v2/organization/transfer/cancel dk
ownership.undo POST /v2/organization/transfer/undo dk
colleagues.list GET /v1/api/colleagues s
organization.get GET /v2/organization d
organization.update PATCH /v2/organization dbk
organizationExports.create POST /v2/organization/exports dk
organizationExports.list GET /v2/organization/exports d
organizationExports.download GET /v2/organization/exports/{exportId}/file f
organization.close POST /v2/organization/close dbk
organization.reopen POST /v2/organization/reopen dk
operatorTokens.create POST /v2/operator/tokens d
operators.list GET /v2/operator/operators d
operators.set PUT /v2/operator/operators db
operators.remove DELETE /v2/operator/operators/{accountId} d
operatorEvents.list GET /v2/operator/audit-events pc items
operatorSending.get GET /v2/operator/sending d
operatorSending.hold POST /v2/operator/sending/hold db
operatorSending.release POST /v2/operator/sending/release db
operatorOrganizations.list GET /v2/operator/organizations pc items
operatorOrganizations.create POST /v2/operator/organizations db
operatorOrganizations.get GET /v2/operator/organizations/{organizationId} d
operatorOrganizations.update PATCH /v2/operator/organizations/{organizationId} db
operatorOrganizations.suspend POST /v2/operator/organizations/{organizationId}/suspend db
operatorOrganizations.resume POST /v2/operator/organizations/{organizationId}/resume db
operatorOrganizations.close POST /v2/operator/organizations/{organizationId}/close db
operatorOrganizations.reopen POST /v2/operator/organizations/{organizationId}/reopen db
organizationCodes.create POST /v2/operator/organization-codes db
organizationCodes.list GET /v2/operator/organization-codes pc items
organizationCodes.remove DELETE /v2/operator/organization-codes/{codeId} d
auth.getSignUp GET /v2/auth/sign-up du
auth.signUp POST /v2/auth/sign-up dbu
auth.confirmSignUp POST /v2/auth/sign-up/confirm dbu
security.get GET /v2/organization/security d
security.update PATCH /v2/organization/security dbk
security.preview POST /v2/organization/security/preview db
organizationDomains.list GET /v2/organization/domains pc items
organizationDomains.create POST /v2/organization/domains dbk
organizationDomains.get GET /v2/organization/domains/{domainId} d
organizationDomains.delete DELETE /v2/organization/domains/{domainId} d
organizationDomains.verify POST /v2/organization/domains/{domainId}/verify d
ssoConnections.list GET /v2/organization/sso-connections pc items
ssoConnections.create POST /v2/organization/sso-connections dbk
ssoConnections.get GET /v2/organization/sso-connections/{connectionId} d
ssoConnections.update PATCH /v2/organization/sso-connections/{connectionId} dbk
ssoConnections.delete DELETE /v2/organization/sso-connections/{connectionId} d
auth.discoverSso POST /v2/auth/sso/discover dbu
ssoConnections.test POST /v2/organization/sso-connections/{connectionId}/test d
scim.get GET /v2/organization/scim d
scim.update PATCH /v2/organization/scim dbk
auditEvents.list GET /v2/audit-events pc items
auditEvents.get GET /v2/audit-events/{auditEventId} d
auditSeals.list GET /v2/audit-events/seals pc items
auditEvents.export GET /v2/audit-events/export f
auditPolicy.get GET /v2/audit-events/policy d
auditPolicy.update PATCH /v2/audit-events/policy dbk
auditEvents.erase POST /v2/audit-events/erasures dbk
auditStreams.create POST /v2/audit-events/streams dbk
auditStreams.list GET /v2/audit-events/streams pc items
auditStreams.get GET /v2/audit-events/streams/{streamId} d
auditStreams.update PATCH /v2/audit-events/streams/{streamId} dbk
auditStreams.delete DELETE /v2/audit-events/streams/{streamId} d
retention.get GET /v2/organization/retention d
retention.update PATCH /v2/organization/retention dbk
privacyRequests.create POST /v2/privacy/requests dbk
privacyRequests.list GET /v2/privacy/requests pc items
privacyRequests.get GET /v2/privacy/requests/{privacyRequestId} d
privacyRequests.download GET /v2/privacy/requests/{privacyRequestId}/file f
legalHolds.place POST /v2/privacy/holds dbk
legalHolds.list GET /v2/privacy/holds pc items
legalHolds.release POST /v2/privacy/holds/{holdId}/release dk
webhooks.create POST /v2/webhooks dbk
webhooks.list GET /v2/webhooks pc items
webhooks.eventTypes GET /v2/webhooks/event-types d
webhooks.signingSecret GET /v2/webhooks/signing-secret d
webhooks.rotateSigningSecret POST /v2/webhooks/signing-secret/rotate dbk
webhooks.get GET /v2/webhooks/{webhookId} d
webhooks.update PATCH /v2/webhooks/{webhookId} dbk
webhooks.delete DELETE /v2/webhooks/{webhookId} d
webhooks.test POST /v2/webhooks/{webhookId}/test dk
webhooks.deliveries GET /v2/webhooks/{webhookId}/deliveries pc items
webhooks.callbackDeliveries GET /v2/webhooks/callbacks/deliveries pc items
webhooks.delivery GET /v2/webhooks/deliveries/{deliveryId} d
webhooks.replay POST /v2/webhooks/{webhookId}/replay dbk
webhooks.replayCallbacks POST /v2/webhooks/callbacks/replay dbk
webhookListeners.create POST /v2/webhooks/listeners dbk
webhookListeners.list GET /v2/webhooks/listeners pc items
webhookListeners.get GET /v2/webhooks/listeners/{listenerId} d
webhookListeners.end DELETE /v2/webhooks/listeners/{listenerId} d
webhookListeners.open GET /v2/webhooks/listeners/{listenerId}/stream e
webhookListeners.report POST /v2/webhooks/listeners/{listenerId}/results dbk
webhookListeners.deliveries GET /v2/webhooks/listeners/{listenerId}/deliveries pc items
webhookListeners.resend POST /v2/webhooks/listeners/{listenerId}/resend dbk
webhookListeners.test POST /v2/webhooks/listeners/{listenerId}/test dk
leads.create POST /v1/api/leads sbk
leads.list GET /v1/api/leads sc leads
leads.get GET /v1/api/leads/{id} s
leads.update PATCH /v1/api/leads/{id} sbk
leads.delete DELETE /v1/api/leads/{id} s
leads.restore POST /v1/api/leads/{id}/restore sk
leads.bulk POST /v1/api/leads/bulk sbk
leads.merge POST /v1/api/leads/merge sbk
leads.duplicates GET /v1/api/leads/{id}/duplicates s
leads.history GET /v1/api/leads/{id}/history s
leads.export GET /v1/api/leads/export f
leads.convert POST /v1/api/leads/{id}/convert sbk
people.find GET /v1/api/people s
companies.list GET /v1/api/companies sc companies
companies.create POST /v1/api/companies sbk
companies.get GET /v1/api/companies/{id} s
companies.update PATCH /v1/api/companies/{id} sbk
companies.delete DELETE /v1/api/companies/{id} s
companies.restore POST /v1/api/companies/{id}/restore sk
companies.bulk POST /v1/api/companies/bulk sbk
companies.merge POST /v1/api/companies/merge sbk
companies.duplicates GET /v1/api/companies/{id}/duplicates s
companies.history GET /v1/api/companies/{id}/history s
companies.export GET /v1/api/companies/export f
contacts.list GET /v1/api/contacts sc contacts
contacts.create POST /v1/api/contacts sbk
contacts.get GET /v1/api/contacts/{id} s
contacts.update PATCH /v1/api/contacts/{id} sbk
contacts.delete DELETE /v1/api/contacts/{id} s
contacts.restore POST /v1/api/contacts/{id}/restore sk
contacts.bulk POST /v1/api/contacts/bulk sbk
contacts.merge POST /v1/api/contacts/merge sbk
contacts.duplicates GET /v1/api/contacts/{id}/duplicates s
contacts.history GET /v1/api/contacts/{id}/history s
contacts.export GET /v1/api/contacts/export f
notes.list GET /v1/api/notes sc notes
notes.create POST /v1/api/notes sbk
notes.get GET /v1/api/notes/{id} s
notes.update PATCH /v1/api/notes/{id} sbk
notes.delete DELETE /v1/api/notes/{id} s
notes.restore POST /v1/api/notes/{id}/restore sk
notes.history GET /v1/api/notes/{id}/history s
tasks.list GET /v1/api/tasks sc tasks
tasks.create POST /v1/api/tasks sbk
tasks.get GET /v1/api/tasks/{id} s
tasks.update PATCH /v1/api/tasks/{id} sbk
tasks.delete DELETE /v1/api/tasks/{id} s
tasks.restore POST /v1/api/tasks/{id}/restore sk
tasks.bulk POST /v1/api/tasks/bulk sbk
tasks.history GET /v1/api/tasks/{id}/history s
attachments.create POST /v1/api/attachments sbk  record_id,name application/octet-stream
attachments.list GET /v1/api/attachments sc attachments
attachments.content GET /v1/api/attachments/{id}/content f
attachments.get GET /v1/api/attachments/{id} s
attachments.update PATCH /v1/api/attachments/{id} sbk
attachments.delete DELETE /v1/api/attachments/{id} s
attachments.restore POST /v1/api/attachments/{id}/restore sk
attachments.history GET /v1/api/attachments/{id}/history s
tags.assign POST /v1/api/tags/assign sbk
tags.assigned GET /v1/api/tags/assigned s
tags.counts GET /v1/api/tags/counts s
tags.list GET /v1/api/tags sc tags
tags.create POST /v1/api/tags sbk
tags.get GET /v1/api/tags/{id} s
tags.update PATCH /v1/api/tags/{id} sbk
tags.delete DELETE /v1/api/tags/{id} s
tags.restore POST /v1/api/tags/{id}/restore sk
tags.merge POST /v1/api/tags/merge sbk
tags.history GET /v1/api/tags/{id}/history s
views.list GET /v1/api/views s
views.create POST /v1/api/views sbk
views.setDefault PUT /v1/api/views/default sb
views.get GET /v1/api/views/{id} s
views.update PATCH /v1/api/views/{id} sbk
views.delete DELETE /v1/api/views/{id} s
imports.create POST /v1/api/imports sbk  noun,file_name,delimiter,encoding text/csv
imports.list GET /v1/api/imports sc imports
imports.get GET /v1/api/imports/{id} s
imports.update PATCH /v1/api/imports/{id} sbk
imports.dryRun POST /v1/api/imports/{id}/dry-run sk
imports.run POST /v1/api/imports/{id}/run sk
imports.cancel POST /v1/api/imports/{id}/cancel sk
imports.refused GET /v1/api/imports/{id}/refused f
batches.list GET /v1/api/batches sc batches
batches.get GET /v1/api/batches/{id} s
batches.cancel POST /v1/api/batches/{id}/cancel sk
batches.revert POST /v1/api/batches/{id}/revert sk
invoices.create POST /v1/api/finance/invoices sbk
invoices.list GET /v1/api/finance/invoices sc invoices
invoices.export GET /v1/api/finance/invoices/export f
invoices.totals GET /v1/api/finance/invoices/totals s
invoices.numberAudit GET /v1/api/finance/invoices/number-audit s
invoices.get GET /v1/api/finance/invoices/{id} s
invoices.update PATCH /v1/api/finance/invoices/{id} sbk
invoices.send POST /v1/api/finance/invoices/{id}/send sk
invoices.cancel POST /v1/api/finance/invoices/{id}/cancel sbk
payments.create POST /v1/api/finance/invoices/{id}/payments sbk
payments.reverse POST /v1/api/finance/invoices/{id}/payments/{paymentId}/reverse sbk
destinationPolicies.list GET /v2/destinations/policies pc items
destinationPolicies.get GET /v2/destinations/policies/{policy} d
destinationPolicies.update PATCH /v2/destinations/policies/{policy} dbk
destinationPolicies.delete DELETE /v2/destinations/policies/{policy} d
destinations.check POST /v2/destinations/check db
numbers.list GET /v2/numbers pc items
numbers.create POST /v2/numbers dbk
numbers.lookup GET /v2/numbers/lookup/{number} d
numbers.get GET /v2/numbers/{numberId} d
numbers.update PATCH /v2/numbers/{numberId} dbk
numbers.delete DELETE /v2/numbers/{numberId} d
messages.sms.send POST /v2/messages/sms nbk
messages.sms.batch POST /v2/messages/sms/batch dbk
messages.preview POST /v2/messages/preview db
messages.list GET /v2/messages pc items
messages.get GET /v2/messages/{messageId} d
messages.redact DELETE /v2/messages/{messageId} d
messages.cancel POST /v2/messages/{messageId}/cancel d
messagingServices.list GET /v2/messages/services pc items
messagingServices.create POST /v2/messages/services dbk
messagingServices.get GET /v2/messages/services/{serviceId} d
messagingServices.update PATCH /v2/messages/services/{serviceId} dbk
messagingServices.delete DELETE /v2/messages/services/{serviceId} d
optOuts.list GET /v2/messages/opt-outs pc items
optOuts.create POST /v2/messages/opt-outs dbk
optOuts.delete DELETE /v2/messages/opt-outs/{optOutId} d
messages.testInbound POST /v2/test/inbound dbk
carriers.create POST /v2/carriers dbk
carriers.list GET /v2/carriers pc items
carriers.kinds GET /v2/carriers/kinds d
carriers.get GET /v2/carriers/{carrierId} d
carriers.update PATCH /v2/carriers/{carrierId} dbk
carriers.delete DELETE /v2/carriers/{carrierId} d
carriers.test POST /v2/carriers/{carrierId}/test db
mails.list GET /v2/mails pc items
mails.create POST /v2/mails dbk
mails.get GET /v2/mails/{mailId} d
mails.cancel POST /v2/mails/{mailId}/cancel dk
mails.retry POST /v2/mails/{mailId}/retry dk
inboundMails.list GET /v2/mail/inbound pc items
inboundMails.take POST /v2/mail/inbound dbk  recipient,authservId message/rfc822
inboundMails.addresses GET /v2/mail/inbound/addresses d
inboundMails.get GET /v2/mail/inbound/{inboundId} d
inboundMails.attachment GET /v2/mail/inbound/{inboundId}/attachments/{number} f
inboundMails.source GET /v2/mail/inbound/{inboundId}/source f
inboundMails.assign POST /v2/mail/inbound/{inboundId}/assign dbk
inboundMails.ignore POST /v2/mail/inbound/{inboundId}/ignore dk
mailTemplates.list GET /v2/mail/templates pc items
mailTemplates.create POST /v2/mail/templates dbk
mailTemplates.builtIn GET /v2/mail/templates/built-in d
mailTemplates.preview POST /v2/mail/templates/preview db
mailTemplates.get GET /v2/mail/templates/{templateId} d
mailTemplates.update PATCH /v2/mail/templates/{templateId} dbk
mailTemplates.delete DELETE /v2/mail/templates/{templateId} d
mailSuppressions.list GET /v2/mail/suppressions pc items
mailSuppressions.create POST /v2/mail/suppressions dbk
mailSuppressions.delete DELETE /v2/mail/suppressions/{suppressionId} d
mailSenders.list GET /v2/mail/senders pc items
mailSenders.create POST /v2/mail/senders dbk
mailSenders.get GET /v2/mail/senders/{senderId} d
mailSenders.update PATCH /v2/mail/senders/{senderId} dbk
mailSenders.delete DELETE /v2/mail/senders/{senderId} d
mailDomains.list GET /v2/mail/domains pc items
mailDomains.create POST /v2/mail/domains dbk
mailDomains.get GET /v2/mail/domains/{domainId} d
mailDomains.delete DELETE /v2/mail/domains/{domainId} d
mailDomains.verify POST /v2/mail/domains/{domainId}/verify d
mailTransports.list GET /v2/mail/transports pc items
mailTransports.create POST /v2/mail/transports dbk
mailTransports.get GET /v2/mail/transports/{transportId} d
mailTransports.update PATCH /v2/mail/transports/{transportId} dbk
mailTransports.delete DELETE /v2/mail/transports/{transportId} d
mailTransports.test POST /v2/mail/transports/{transportId}/test db
mailboxes.list GET /v2/mail/mailboxes pc items
mailboxes.create POST /v2/mail/mailboxes dbk
mailboxes.get GET /v2/mail/mailboxes/{mailboxId} d
mailboxes.update PATCH /v2/mail/mailboxes/{mailboxId} dbk
mailboxes.delete DELETE /v2/mail/mailboxes/{mailboxId} d
mailboxes.test POST /v2/mail/mailboxes/{mailboxId}/test d
calls.create POST /v2/voice/calls dbk
calls.list GET /v2/voice/calls pc items
calls.get GET /v2/voice/calls/{callId} d
calls.update PATCH /v2/voice/calls/{callId} dbk
calls.hangup POST /v2/voice/calls/{callId}/hangup dk
calls.command POST /v2/voice/calls/{callId}/commands dbk
calls.testInbound POST /v2/test/calls dbk
clientTokens.create POST /v2/voice/client-tokens db
clientStream.open GET /v2/voice/client-stream e
clientCalls.create POST /v2/voice/client-calls dbk
clientCalls.answer POST /v2/voice/client-calls/{callId}/answer dbk
clientCalls.reject POST /v2/voice/client-calls/{callId}/reject dbk
clientCalls.hangup POST /v2/voice/client-calls/{callId}/hangup dk
conferences.list GET /v2/voice/conferences pc items
conferences.get GET /v2/voice/conferences/{conferenceId} d
conferences.updateParticipant PATCH /v2/voice/conferences/{conferenceId}/participants/{callId} dbk
numbers.voice.get GET /v2/numbers/{numberId}/voice d
numbers.voice.set PUT /v2/numbers/{numberId}/voice db
numbers.verification.send POST /v2/numbers/{numberId}/verification db
numbers.verification.confirm POST /v2/numbers/{numberId}/verification/confirm db
calls.trace GET /v2/voice/calls/{callId}/trace d
recordings.list GET /v2/voice/recordings pc items
recordings.get GET /v2/voice/recordings/{recordingId} d
recordings.delete DELETE /v2/voice/recordings/{recordingId} d
recordings.media GET /v2/voice/recordings/{recordingId}/media f
trunks.create POST /v2/voice/trunks dbk
trunks.list GET /v2/voice/trunks pc items
trunks.settings GET /v2/voice/trunks/settings d
trunks.get GET /v2/voice/trunks/{trunkId} d
trunks.update PATCH /v2/voice/trunks/{trunkId} dbk
trunks.delete DELETE /v2/voice/trunks/{trunkId} d
trunks.test POST /v2/voice/trunks/{trunkId}/test db
sipCredentials.create POST /v2/voice/sip-credentials dbk
sipCredentials.list GET /v2/voice/sip-credentials pc items
sipCredentials.get GET /v2/voice/sip-credentials/{credentialId} d
sipCredentials.update PATCH /v2/voice/sip-credentials/{credentialId} dbk
sipCredentials.delete DELETE /v2/voice/sip-credentials/{credentialId} d
leads.timeline GET /v1/api/leads/{id}/timeline sc entries
companies.timeline GET /v1/api/companies/{id}/timeline sc entries
contacts.timeline GET /v1/api/contacts/{id}/timeline sc entries
conversations.list GET /v2/conversations pc items
conversations.counts GET /v2/conversations/counts d
conversations.get GET /v2/conversations/{conversationId} d
conversations.update PATCH /v2/conversations/{conversationId} dbk
conversations.items GET /v2/conversations/{conversationId}/items pc items
conversations.read PUT /v2/conversations/{conversationId}/read db
conversations.attach POST /v2/conversations/{conversationId}/attach dbk
conversations.replyByText POST /v2/conversations/{conversationId}/texts dbk
conversations.replyByMail POST /v2/conversations/{conversationId}/mails dbk
conversations.writeNote POST /v2/conversations/{conversationId}/notes dbk
conversations.presence PUT /v2/conversations/{conversationId}/presence db
analytics.usage GET /v2/analytics/usage d
analytics.errors GET /v2/analytics/errors d
analytics.messaging GET /v2/analytics/messaging d
analytics.voice GET /v2/analytics/voice d
home.get GET /v2/home d
status.get GET /v2/status d
operatorStatus.get GET /v2/operator/status d
requests.list GET /v2/requests pc items
requests.get GET /v2/requests/{requestId} d
events.list GET /v2/events pc items
stream.open GET /v2/stream e
environments.list GET /v2/playground/environments pc items
environments.create POST /v2/playground/environments dbk
environments.get GET /v2/playground/environments/{environmentId} d
environments.update PATCH /v2/playground/environments/{environmentId} dbk
environments.delete DELETE /v2/playground/environments/{environmentId} d
collections.list GET /v2/playground/collections pc items
collections.create POST /v2/playground/collections dbk
collections.get GET /v2/playground/collections/{collectionId} d
collections.update PATCH /v2/playground/collections/{collectionId} dbk
collections.delete DELETE /v2/playground/collections/{collectionId} d
collections.addFolder POST /v2/playground/collections/{collectionId}/folders dbk
collections.deleteFolder DELETE /v2/playground/collections/{collectionId}/folders/{folderId} d
savedRequests.list GET /v2/playground/requests pc items
savedRequests.create POST /v2/playground/requests dbk
savedRequests.get GET /v2/playground/requests/{requestId} d
savedRequests.update PATCH /v2/playground/requests/{requestId} dbk
savedRequests.delete DELETE /v2/playground/requests/{requestId} d
catalog.list GET /v2/catalog du
catalog.categories GET /v2/catalog/categories du
catalog.get GET /v2/catalog/{endpointId} du
problems.list GET /v2/problems du
openapi.get GET /v2/openapi.json nu
jwks.get GET /.well-known/jwks.json nu`
