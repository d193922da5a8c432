-- The audit log: who did what, sealed into one chain an organization. Rows are added and never changed; what names people stands
-- beside them, so that it can be erased while the chain stays whole.

create table audit_events (
  organization_id bigint not null,
  id              text collate "C" not null,
  at              timestamptz not null default clock_timestamp(),
  -- Past tense, noun.verb: user.role_changed.
  action          text collate "C" not null check (action ~ '^[a-z_]+(\.[a-z_]+)+$'),
  actor_type      text collate "C" not null
                  check (actor_type in ('user', 'key', 'app', 'operator', 'system', 'scim', 'sso', 'anonymous')),
  actor_id        text collate "C",
  -- The user for whom a key, an app or an operator acts.
  on_behalf_of    text collate "C",
  outcome         text collate "C" not null check (outcome in ('ok', 'denied', 'failed')),
  reason          text,
  target_types    text[] not null,
  target_ids      text[] not null,
  context         json not null,
  before          json,
  after           json,
  -- SHA-256 of salt and label of each label, by its place in the event: what the chain holds of names and addresses.
  digests         json not null,
  primary key (organization_id, id)
);
create index audit_events_action on audit_events (organization_id, action, id);
create index audit_events_actor on audit_events (organization_id, actor_id, id);
create index audit_events_target on audit_events using gin (organization_id, target_ids);
select protect_organization_table('audit_events');
select open_to_engine('audit_events', 'select, delete');
grant select, insert on audit_events to tandem_app;

-- Names and addresses of people in an event, by their place in it (a JSON pointer). Erasing deletes the row, salt and all: its digest
-- then says nothing.
create table audit_labels (
  organization_id bigint not null,
  event_id        text collate "C" not null,
  field           text collate "C" not null,
  label           text not null,
  salt            text not null,
  primary key (organization_id, event_id, field)
);
create index audit_labels_ip on audit_labels (organization_id, label, event_id) where field = '/context/ip';
select protect_organization_table('audit_labels');
select open_to_engine('audit_labels', 'select, delete');
grant select, insert on audit_labels to tandem_app;

-- Events that no seal holds yet, whenever their transaction committed.
create table audit_unsealed (
  organization_id bigint not null,
  event_id        text collate "C" not null,
  primary key (organization_id, event_id)
);
select protect_organization_table('audit_unsealed');
select open_to_engine('audit_unsealed', 'select, insert, delete');
grant select on audit_unsealed to tandem_app;

-- The chain: each event's place and the hash of it and all before it.
create table audit_chain (
  organization_id bigint not null,
  position        bigint not null check (position > 0),
  event_id        text collate "C" not null,
  hash            text not null,
  primary key (organization_id, position),
  unique (organization_id, event_id)
);
select protect_organization_table('audit_chain');
select open_to_engine('audit_chain', 'select, insert, delete');
grant select on audit_chain to tandem_app;

-- Signed statements of how far the chain went. They outlive the events.
create table audit_seals (
  organization_id bigint not null,
  id              text collate "C" not null,
  at              timestamptz not null,
  from_position   bigint not null,
  to_position     bigint not null check (to_position >= from_position),
  -- The hashes before its first event and of its last.
  previous        text not null,
  head            text not null,
  -- Compact JWS (RFC 7515), ES256.
  signature       text not null,
  primary key (organization_id, id),
  unique (organization_id, to_position)
);
select protect_organization_table('audit_seals');
select open_to_engine('audit_seals', 'select, insert');
grant select on audit_seals to tandem_app;

-- Up to where the chain was deleted because it had been kept as long as it was to be: events, labels and links; seals stay.
create table audit_expired (
  organization_id bigint not null,
  position        bigint not null,
  hash            text not null,
  at              timestamptz not null default clock_timestamp(),
  primary key (organization_id, position)
);
select protect_organization_table('audit_expired');
select open_to_engine('audit_expired', 'select, insert');
grant select on audit_expired to tandem_app;

-- What an organization wants of its audit log, where that is not what the server does by itself.
create table audit_policies (
  organization_id bigint not null primary key,
  -- Null: as long as the server says.
  retention_days  integer check (retention_days between 90 and 3650),
  -- Nothing is deleted while it holds.
  legal_hold      boolean not null default false,
  -- Whether it is noted who hears recordings.
  listens         boolean not null default false,
  version         integer not null default 1,
  updated_at      timestamptz not null default clock_timestamp()
);
select protect_organization_table('audit_policies');
select open_to_engine('audit_policies', 'select, update');
grant select, insert, update on audit_policies to tandem_app;

create function queue_audit_events() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into audit_unsealed (organization_id, event_id) select organization_id, id from added;
  return null;
end $$;
create trigger audit_events_queued after insert on audit_events
referencing new table as added for each statement execute function queue_audit_events();

-- Organizations with events to seal.
create function audit_to_seal() returns table (organization_id bigint)
language sql security definer set search_path = public, pg_temp as $$
  select distinct organization_id from audit_unsealed
$$;

-- Puts events behind the end of the chain of the organization of the transaction, and a seal on them. False, with nothing done, when the
-- chain does not end where the caller thought, or an event was sealed meanwhile.
create function seal_audit(seal_id text, sealed_at timestamptz, first_position bigint, previous_hash text, event_ids text[],
  hashes text[], signed text)
returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  organization bigint := current_setting('app.organization_id')::bigint;
  ending record;
  waiting integer;
begin
  perform pg_advisory_xact_lock(hashtextextended('audit_chain', organization));
  select s.to_position, s.head into ending from audit_seals s
  where s.organization_id = organization order by s.to_position desc limit 1;
  if first_position <> coalesce(ending.to_position, 0) + 1 then return false; end if;
  if found and previous_hash <> ending.head then return false; end if;
  delete from audit_unsealed u where u.organization_id = organization and u.event_id = any (event_ids);
  get diagnostics waiting = row_count;
  if waiting <> cardinality(event_ids) then
    raise exception 'audit events were sealed twice';
  end if;
  insert into audit_chain (organization_id, position, event_id, hash)
  select organization, first_position + n - 1, e.id, e.hash
  from unnest(event_ids, hashes) with ordinality as e (id, hash, n);
  insert into audit_seals (organization_id, id, at, from_position, to_position, previous, head, signature)
  values (organization, seal_id, sealed_at, first_position, first_position + cardinality(event_ids) - 1, previous_hash,
    hashes[cardinality(hashes)], signed);
  return true;
end $$;

-- Organizations with seals that have been kept long enough.
create function audit_to_expire(default_days integer) returns table (organization_id bigint)
language sql security definer set search_path = public, pg_temp as $$
  select distinct s.organization_id
  from audit_seals s left join audit_policies p using (organization_id)
  where not coalesce(p.legal_hold, false)
    and s.at < now() - make_interval(days => coalesce(p.retention_days, default_days))
    and not exists (
      select from audit_expired x where x.organization_id = s.organization_id and x.position >= s.to_position)
$$;

-- Deletes the first events of the chain of the organization of the transaction, whole seals of them, that are older than so many days; how
-- many events went, and up to where. The policy is asked again: a legal hold that came meanwhile holds.
create function expire_audit(default_days integer) returns table (events integer, up_to bigint)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  organization bigint := current_setting('app.organization_id')::bigint;
  policy record;
  ending record;
begin
  perform pg_advisory_xact_lock(hashtextextended('audit_chain', organization));
  select retention_days, legal_hold into policy from audit_policies p where p.organization_id = organization for share;
  events := 0;
  if coalesce(policy.legal_hold, false) then return; end if;
  select s.to_position, s.head into ending from audit_seals s
  where s.organization_id = organization
    and s.at < now() - make_interval(days => coalesce(policy.retention_days, default_days))
    and s.to_position > coalesce((select max(x.position) from audit_expired x where x.organization_id = organization), 0)
  order by s.to_position limit 1;
  if not found then return; end if;
  with links as (
    delete from audit_chain c where c.organization_id = organization and c.position <= ending.to_position returning c.event_id
  ), labels as (
    delete from audit_labels l using links where l.organization_id = organization and l.event_id = links.event_id
  ), gone as (
    delete from audit_events e using links where e.organization_id = organization and e.id = links.event_id returning e.id
  )
  select count(*)::integer into events from gone;
  insert into audit_expired (organization_id, position, hash) values (organization, ending.to_position, ending.head);
  up_to := ending.to_position;
  return next;
end $$;

-- Erases what names somebody in the audit log of the organization of the transaction: in what they did, and in what was done to them. The
-- events stay, and so does the chain. How many names and addresses went.
create function erase_audit_labels(subject_type text, subject_id text) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  organization bigint := current_setting('app.organization_id')::bigint;
  gone integer;
begin
  delete from audit_labels l using audit_events e
  where e.organization_id = organization and l.organization_id = organization and l.event_id = e.id
    and ((subject_type = 'user' and coalesce(e.on_behalf_of, case when e.actor_type = 'user' then e.actor_id end) = subject_id
          and (l.field like '/actor/%' or l.field like '/context/%'))
      or (e.target_ids @> array[subject_id] and e.target_types[array_position(e.target_ids, subject_id)] = subject_type
          and (l.field like '/before/%' or l.field like '/after/%' or e.actor_type = 'anonymous')));
  get diagnostics gone = row_count;
  return gone;
end $$;

select give_to_engine('queue_audit_events', 'audit_to_seal', 'seal_audit', 'audit_to_expire', 'expire_audit', 'erase_audit_labels');

-- Where sealed events are sent on to, each as far as it has come.
create table audit_streams (
  organization_id bigint not null,
  id              text collate "C" not null,
  url             text not null,
  description     text,
  -- Sealed.
  secret          text not null,
  enabled         boolean not null default true,
  -- The last event that was taken.
  position        bigint not null,
  -- The last event of the batch that was begun, so that each try of it sends the same; null where none was.
  sending_to      bigint,
  delivered_at    timestamptz,
  failures        integer not null default 0,
  failing_since   timestamptz,
  last_error      text,
  next_at         timestamptz not null default clock_timestamp(),
  lease_token     text,
  lease_until     timestamptz,
  version         integer not null default 1,
  created_at      timestamptz not null default clock_timestamp(),
  updated_at      timestamptz not null default clock_timestamp(),
  primary key (organization_id, id)
);
select protect_organization_table('audit_streams');
select open_to_engine('audit_streams', 'select, update');
grant select, insert, update, delete on audit_streams to tandem_app;

-- Leases streams for which there is something, and whose time has come.
create function claim_audit_streams(token text, max_streams integer, lease_seconds integer)
returns table (organization_id bigint, id text)
language sql security definer set search_path = public, pg_temp as $$
  update audit_streams s set lease_token = token, lease_until = clock_timestamp() + make_interval(secs => lease_seconds)
  from (
    select d.organization_id, d.id from audit_streams d
    where d.enabled and d.next_at <= clock_timestamp() and (d.lease_until is null or d.lease_until < clock_timestamp())
      and exists (select from audit_chain c where c.organization_id = d.organization_id and c.position > d.position)
    order by d.next_at limit max_streams for update skip locked
  ) due
  where s.organization_id = due.organization_id and s.id = due.id
  returning s.organization_id, s.id
$$;
select give_to_engine('claim_audit_streams');
