-- Backups: a role that reads everything and changes nothing, a record of each backup that was made, and what is held after a restore.
--
-- tandem_backup  reads all rows of all tables; nobody logs in as it, and pg_dump can take its role
do $$
declare
  acting text := case when current_setting('server_version_num')::integer >= 160000 then 'SET' else 'MEMBER' end;
begin
  if not exists (select from pg_roles where rolname = 'tandem_backup') then
    create role tandem_backup nologin nosuperuser nobypassrls nocreatedb nocreaterole noinherit;
  end if;
  if not pg_has_role(current_user, 'tandem_backup', acting) then
    begin
      execute format('grant tandem_backup to %I', current_user);
    exception when insufficient_privilege then
      raise insufficient_privilege using
        message = format('the role tandem_backup exists already, and %s may not act as it', current_user),
        hint = format('Let a superuser run: grant tandem_backup to %I; then start again.', current_user);
    end;
  end if;
end $$;

grant usage on schema public to tandem_backup;
grant select on all tables in schema public to tandem_backup;
grant select on all sequences in schema public to tandem_backup;
alter default privileges in schema public grant select on tables to tandem_backup;
alter default privileges in schema public grant select on sequences to tandem_backup;
set local role tandem_jobs;
grant usage on schema tandem_jobs to tandem_backup;
grant select on all tables in schema tandem_jobs to tandem_backup;
grant select on all sequences in schema tandem_jobs to tandem_backup;
alter default privileges in schema tandem_jobs grant select on tables to tandem_backup;
alter default privileges in schema tandem_jobs grant select on sequences to tandem_backup;
reset role;

-- Lets backups read a table past its policies.
create function open_to_backup(target regclass) returns void language plpgsql as $$
begin
  execute format('create policy backup on %s for select to tandem_backup using (true)', target);
end $$;

do $$
declare
  target regclass;
begin
  for target in
    select c.oid from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relrowsecurity
  loop
    perform open_to_backup(target);
  end loop;
end $$;

-- What erases a closed organization, as before; every table that is closed for the application is open to backups.
create or replace function open_to_erasure(target regclass, key name, setting text) returns void language plpgsql as $$
begin
  execute format(
    'create policy erasure on %s for all to tandem_engine
       using (%I = (select nullif(current_setting(%L, true), '''')::bigint))
       with check (%I = (select nullif(current_setting(%L, true), '''')::bigint))', target, key, setting, key, setting);
  execute format('grant select, insert, update, delete on %s to tandem_engine', target);
  perform open_to_backup(target);
end $$;

-- Backups that were begun, with what came of them: for the metric of their age, and for who looks.
create table backups (
  id          text collate "C" primary key,
  state       text not null check (state in ('running', 'done', 'failed')),
  destination text not null,
  is_sealed   boolean not null,
  is_planned  boolean not null,
  rows        bigint,
  objects     bigint,
  size_bytes  bigint,
  error       text,
  started_at  timestamptz not null,
  ended_at    timestamptz
);
create index backups_newest on backups (started_at desc);
grant select, insert, update, delete on backups to tandem_engine;

-- The newest backup that is complete.
create function last_backup() returns table (ended_at timestamptz, size_bytes bigint)
language sql stable security definer set search_path = public, pg_temp as $$
  select b.ended_at, b.size_bytes from backups b where b.state = 'done' order by b.started_at desc limit 1
$$;

-- Set while nothing leaves this installation, whatever the organizations are: after a restore, or by hand.
create table sending_hold (
  only_one boolean primary key default true check (only_one),
  because  text not null,
  since    timestamptz not null
);
grant select, insert, update, delete on sending_hold to tandem_engine;
grant select on sending_hold to tandem_app;

-- A tenant is held for its organization (suspended, closing), for the installation, or both.
alter table held_tenants add column for_installation boolean not null default false;

-- Holds all that would leave, of all organizations.
create function hold_sending(why text) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- An organization that is being made is either seen here, or sees the hold.
  lock table tenants in share mode;
  insert into sending_hold (because, since) values (why, clock_timestamp())
    on conflict (only_one) do update set because = excluded.because;
  insert into held_tenants (tenant_id, for_installation) select t.id, true from tenants t
    on conflict (tenant_id) do update set for_installation = true;
end $$;

-- What waits: `kind` is messages, mails, events (for webhooks) or calls.
create function waiting_to_leave() returns table (kind text, waiting bigint, oldest timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select 'messages', coalesce(sum(cardinality(j.message_ids)), 0)::bigint, null::timestamptz from message_jobs j
  union all
  select 'mails', count(*), min(m.created_at) from mail_jobs j join mails m on m.tenant_id = j.tenant_id and m.id = j.mail_id
  union all
  select 'events', coalesce(sum(cardinality(w.event_ids)), 0)::bigint, null from webhook_jobs w
  union all
  select 'calls', count(*), min(c.created_at) from call_jobs c where c.kind = 'originate'
$$;

grant update (expires_at) on mails to tandem_engine;

-- Ends the hold of the installation. With `expire`, texts and mails that were accepted before it are not sent any more: their validity
-- ends, and who looks after them says so as for every other that came too late.
create function release_sending(expire boolean) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  begun timestamptz;
  released bigint[];
begin
  select s.since into begun from sending_hold s for update;
  if not found then return false; end if;
  if expire then
    -- One that is to be sent later was sent by nobody yet.
    update messages m set validity_seconds = greatest(0, floor(extract(epoch from clock_timestamp() - coalesce(m.send_at, m.created_at))))::integer
    from message_jobs j
    where m.tenant_id = j.tenant_id and m.id = any (j.message_ids) and m.created_at < begun
      and coalesce(m.send_at, m.created_at) < clock_timestamp();
    update mails m set expires_at = least(m.expires_at, clock_timestamp())
    from mail_jobs j
    where m.tenant_id = j.tenant_id and m.id = j.mail_id and m.created_at < begun
      and coalesce(m.scheduled_at, m.created_at) < clock_timestamp();
  end if;
  update held_tenants h set for_installation = false
  from tenants t join organizations o on o.id = t.organization_id
  where h.tenant_id = t.id and o.state <> 'active';
  with gone as (delete from held_tenants h where h.for_installation returning h.tenant_id)
  select coalesce(array_agg(g.tenant_id), '{}') into released from gone g;
  update message_jobs j set due_at = clock_timestamp() where j.tenant_id = any (released) and j.due_at = 'infinity';
  update mail_jobs j set due_at = clock_timestamp() where j.tenant_id = any (released) and j.due_at = 'infinity';
  delete from sending_hold;
  return true;
end $$;

-- As before, but an organization that is active again does not end a hold of the installation.
create or replace function move_organization(organization bigint, from_state text, to_state text, why text, closer text, closes timestamptz)
returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  of_tenants bigint[] := array(select t.id from tenants t where t.organization_id = organization order by t.id);
  released bigint[];
begin
  update organizations o set state = to_state, state_reason = why, state_since = clock_timestamp(), closing_by = closer,
    closes_at = closes, version = o.version + 1, updated_at = now()
  where o.id = organization and o.state = from_state;
  if not found then return false; end if;
  if to_state = 'active' then
    with gone as (
      delete from held_tenants h where h.tenant_id = any (of_tenants) and not h.for_installation returning h.tenant_id
    )
    select coalesce(array_agg(g.tenant_id), '{}') into released from gone g;
    update message_jobs j set due_at = clock_timestamp() where j.tenant_id = any (released) and j.due_at = 'infinity';
    update mail_jobs j set due_at = clock_timestamp() where j.tenant_id = any (released) and j.due_at = 'infinity';
  else
    insert into held_tenants (tenant_id) select unnest(of_tenants) on conflict do nothing;
  end if;
  if to_state = 'closed' then
    update users u set disabled_at = coalesce(u.disabled_at, clock_timestamp()) where u.organization_id = organization;
    update sessions s set revoked_at = clock_timestamp() where s.organization_id = organization and s.revoked_at is null;
  end if;
  insert into revocations (kind, subject) values ('organization', organization::text);
  return true;
end $$;

-- As before, but nobody is rung for a tenant for which nothing leaves: the call waits, and is not dialled when it waited too long.
create or replace function claim_call_jobs(token text, max_rows integer, lease_seconds integer, engines text[], holder text,
  may_dial boolean)
returns table (tenant_id bigint, organization_id bigint, mode text, call_id text, kind text, engine text,
  created_at timestamptz)
language sql security definer set search_path = public, pg_temp as $$
  with due as (
    select j.tenant_id, j.call_id, j.kind from call_jobs j
    where j.due_at <= now() and (j.engine is null or j.engine = any (engines))
      and (j.kind <> 'originate'
        or may_dial and not exists (select from held_tenants h where h.tenant_id = j.tenant_id))
      and (j.owner is null or j.owner = holder or j.created_at < now() - interval '40 seconds')
    order by j.due_at
    limit max_rows
    for update of j skip locked
  ), leased as (
    update call_jobs j
    set lease_token = token, due_at = clock_timestamp() + make_interval(secs => lease_seconds)
    from due where j.tenant_id = due.tenant_id and j.call_id = due.call_id and j.kind = due.kind
    returning j.tenant_id, j.call_id, j.kind, j.engine, j.created_at
  )
  select l.tenant_id, t.organization_id, t.mode, l.call_id, l.kind, l.engine, l.created_at
  from leased l join tenants t on t.id = l.tenant_id
$$;

select give_to_engine('last_backup', 'hold_sending', 'waiting_to_leave', 'release_sending');
