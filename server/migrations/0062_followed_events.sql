-- migrate: outside a transaction
-- Events that conversations follow (modules/conversations/exchanges.ts), found without reading all others.

create index concurrently if not exists events_followed on events (tenant_id, id) where type in (
  'message.received', 'message.queued', 'message.scheduled',
  'call.completed', 'call.busy', 'call.no_answer', 'call.rejected', 'call.failed', 'call.canceled',
  'mail.received', 'mail.assigned', 'mail.ignored', 'mail.queued',
  'lead.converted', 'note.updated', 'note.deleted', 'note.restored');
